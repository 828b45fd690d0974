//! What order changes: nothing, where no id is equivocal.

use serde_json::Value;
use tern_conformance::Mixer;
use tern_core::Event;

use crate::harness::{Counts, Property, readable};
use crate::look::{Events, Read, holds, map, view};

/// What is there to be disturbed.
fn count_view(counts: &mut Counts, view: &Value) {
    let conflicted = map(view, "chains")
        .values()
        .filter(|it| it["state"] == "conflicted");
    counts.add("conflicts", conflicted.count());
    counts.add("cycles", view["cycles"].as_array().unwrap().len());
    counts.add("commitments", map(view, "commitments").len());
    let messages = map(view, "messages").values();
    counts.add(
        "pending",
        messages
            .clone()
            .filter(|it| it["status"] == "pending")
            .count(),
    );
    counts.add(
        "rejected",
        messages.filter(|it| it["status"] == "rejected").count(),
    );
}

pub(crate) fn shuffled(events: &Events, dice: &mut Mixer) -> Events {
    let mut events = events.clone();
    dice.shuffle(&mut events);
    events
}

/// S3.03, S7.01, R-13, T4.18, T4.22: where nothing is equivocal, every order of deliveries and facts
/// gives the same view.
#[test]
fn s7_01_every_order_gives_the_same_view() {
    Property::new("s7_01_every_order_gives_the_same_view", readable(), 220)
        .demand(&[
            ("answered otherwise", 400),
            ("conflicts", 40),
            ("cycles", 20),
            ("commitments", 150),
            ("pending", 200),
            ("rejected", 60),
        ])
        .check(|trial| {
            let Some(log) = trial.read().map(|log| log.honest()) else {
                return Ok(());
            };
            let (state, outcomes) = log.after(&log.events);
            let here = state.view().to_canonical_json();
            count_view(trial.counts, &view(&state));
            let mut answers: Vec<&str> = outcomes.iter().map(|it| it.verdict.as_str()).collect();
            answers.sort_unstable();
            let mut orders: Vec<Events> = vec![log.events.iter().rev().cloned().collect()];
            orders.extend((0..4).map(|_| shuffled(&log.events, &mut trial.dice)));
            for order in &orders {
                let (there, outcomes) = log.after(order);
                let mut then: Vec<&str> = outcomes.iter().map(|it| it.verdict.as_str()).collect();
                then.sort_unstable();
                trial
                    .counts
                    .add("answered otherwise", usize::from(answers != then));
                holds!(
                    there.view().to_canonical_json() == here,
                    "another order gives another view:\n{}",
                    document(&log, order)
                );
            }
            Ok(())
        });
}

/// The events as a log document, for a failure.
pub(crate) fn document(log: &Read, events: &Events) -> String {
    let mut shown = tern_core::Log::new(log.context.clone());
    for event in events {
        shown.push(event.clone());
    }
    shown.to_document().unwrap_or_default()
}

/// S7.01, S3.03, S6.01: two receivers that saw disjoint parts, each in an order of its own, agree once
/// each has all; also when what they exchange comes twice.
#[test]
fn s7_01_parts_joined_agree() {
    Property::new("s7_01_parts_joined_agree", readable(), 220)
        .demand(&[
            ("parts that differ", 180),
            ("conflicts", 40),
            ("commitments", 150),
        ])
        .check(|trial| {
            let Some(log) = trial.read().map(|log| log.honest()) else {
                return Ok(());
            };
            let (mut left, mut right) = (Events::new(), Events::new());
            for event in shuffled(&log.events, &mut trial.dice) {
                let side = if trial.dice.below(2) == 0 {
                    &mut left
                } else {
                    &mut right
                };
                side.push(event);
            }
            let (whole, _) = log.after(&log.events);
            let differ = log.canonical(&left) != log.canonical(&right);
            trial.counts.add("parts that differ", usize::from(differ));
            count_view(trial.counts, &view(&whole));
            let whole = whole.view().to_canonical_json();
            let once = log.canonical(left.iter().chain(&right));
            holds!(once == whole, "left, then right, is not the whole");
            let back = log.canonical(right.iter().chain(&shuffled(&left, &mut trial.dice)));
            holds!(back == whole, "right, then left, is not the whole");
            let twice = log.canonical(left.iter().chain(&right).chain(&left).chain(&right));
            holds!(
                twice == whole,
                "an exchange of everything, twice, is not the whole"
            );
            Ok(())
        });
}

/// S6.01: facts form a set: all of them first, or last and backwards, the messages being in one order.
#[test]
fn s6_01_facts_come_whenever() {
    Property::new("s6_01_facts_come_whenever", readable(), 150)
        .demand(&[("facts", 300), ("equivocal", 20)])
        .check(|trial| {
            let Some(log) = trial.read() else {
                return Ok(());
            };
            let (state, _) = log.after(&log.events);
            let here = state.view().to_canonical_json();
            trial.counts.add("equivocal", state.view().equivocal.len());
            let (facts, said): (Events, Events) = log
                .events
                .iter()
                .cloned()
                .partition(|it| matches!(it, Event::Fact(_)));
            trial.counts.add("facts", facts.len());
            let first = log.canonical(facts.iter().chain(&said));
            holds!(first == here, "facts first give another view");
            let last = log.canonical(said.iter().chain(facts.iter().rev()));
            holds!(last == here, "facts last give another view");
            Ok(())
        });
}
