//! Small random logs: three participants, all ten acts, forks, equivocation, messages that wait,
//! refused deliveries and local facts.
//!
//! A log grows from genes: each says an act and holds dice for what it refers to. In the order of
//! growth almost everything is accepted; arrival shuffles it, and a few messages never arrive.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests: what fails should fail loudly, and no binary uses all of it"
)]

mod blocks;
pub(crate) mod census;
mod garden;
pub(crate) mod naive;
mod progress;

use garden::{Garden, chance, pick};
use proptest::prelude::*;
use serde_json::json;
use tern_core::log::Record;
use tern_core::{Delivery, Event, Log};

use crate::common::{Words, commit, context, request, tell};

/// What a gene makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Ask,
    Tell,
    Propose,
    Request,
    Commit,
    Report,
    Challenge,
    Revise,
    Decline,
    Ack,
    /// Another version of a message that is there.
    Version,
    /// A delivery that stages 1 to 4 refuse.
    Refused,
    Fact,
}

#[derive(Clone, Debug)]
pub(crate) struct Gene {
    kind: Kind,
    dice: [u8; 8],
}

/// A log in its order of arrival.
#[derive(Clone)]
pub(crate) struct RandomLog {
    pub(crate) events: Vec<Event<'static>>,
}

impl std::fmt::Debug for RandomLog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut log = Log::new(context());
        for event in &self.events {
            log.push(event.clone());
        }
        write!(f, "\n{}", log.to_document().unwrap())
    }
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![
        2 => Just(Kind::Ask),
        2 => Just(Kind::Tell),
        1 => Just(Kind::Propose),
        5 => Just(Kind::Request),
        5 => Just(Kind::Commit),
        9 => Just(Kind::Report),
        2 => Just(Kind::Challenge),
        11 => Just(Kind::Revise),
        3 => Just(Kind::Decline),
        2 => Just(Kind::Ack),
        2 => Just(Kind::Version),
        1 => Just(Kind::Refused),
        14 => Just(Kind::Fact),
    ]
}

/// Logs of up to 30 events; `a:1` asks and `b:1` promises in each.
pub(crate) fn logs() -> impl Strategy<Value = RandomLog> {
    let gene = (kind(), any::<[u8; 8]>()).prop_map(|(kind, dice)| Gene { kind, dice });
    let genes = prop::collection::vec(gene, 5..28);
    // How far arrival strays from growth: not at all, a little, without measure.
    (
        genes,
        prop_oneof![1 => Just(0_usize), 3 => Just(4), 2 => Just(64)],
    )
        .prop_map(|(genes, spread)| grow(&genes, spread))
}

fn deliver(words: &Words) -> Event<'static> {
    let delivery = Delivery::new(words.text().into_bytes(), words.principal.as_deref());
    Event::Deliver(delivery.into_owned())
}

fn refused(garden: &Garden, dice: [u8; 8]) -> Event<'static> {
    let words = pick(&garden.grown, dice[0]).map_or_else(|| tell("a:1"), |it| it.words.clone());
    let words = words.otherwise();
    deliver(&match dice[1] % 4 {
        0 => words.via(Some("key:nobody")),
        1 => words.with("tern", json!("9")),
        2 => words.with("body", json!({})),
        _ => words.via(None),
    })
}

fn grow(genes: &[Gene], spread: usize) -> RandomLog {
    let mut garden = Garden::default();
    let first = genes.first().map_or([0; 8], |gene| gene.dice);
    let mut placed: Vec<(usize, Event<'static>)> = Vec::new();
    let mut terms = commit("b:2", "a:1");
    if chance(first[0], 60) {
        terms = terms.body("authority_ref", json!("g"));
    }
    for words in [request("a:1"), terms] {
        garden.count += 1;
        placed.push((0, deliver(&words)));
        garden.take(words);
    }
    for (n, gene) in genes.iter().enumerate() {
        let stray = usize::from(gene.dice[3] ^ gene.dice[5]) * spread / 256;
        let place = n + stray;
        match gene.kind {
            Kind::Fact => {
                let line = garden.fact(gene.dice).to_string();
                let Ok(Record::Event(event)) = Record::read(line.as_bytes()) else {
                    panic!("{line}");
                };
                placed.push((place, event.into_owned()));
            }
            Kind::Refused => placed.push((place, refused(&garden, gene.dice))),
            _ => {
                let Some(words) = garden.message(gene) else {
                    continue;
                };
                if !chance(gene.dice[2] ^ gene.dice[6], 5) {
                    placed.push((place, deliver(&words)));
                }
                if gene.kind != Kind::Version {
                    garden.take(words);
                }
            }
        }
    }
    placed.sort_by_key(|(place, _)| *place);
    RandomLog {
        events: placed.into_iter().map(|(_, event)| event).collect(),
    }
}
