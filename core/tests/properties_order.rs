//! Properties: what order and repetition change. Every test names the clauses that it checks.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that fails should fail loudly"
)]

mod common;
mod random;

use std::collections::{BTreeMap, BTreeSet};

use common::{answer, state_of, view_of};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use random::census::{property, property_with};
use random::{RandomLog, logs};
use serde_json::Value;
use tern_core::{Event, Limits, State};

/// The events without those that would make an id equivocal.
fn without_equivocation(log: &RandomLog) -> RandomLog {
    let mut state = State::new(common::context(), Limits::default());
    let mut events = Vec::new();
    for event in &log.events {
        let conflict = state
            .apply(event)
            .is_some_and(|outcome| answer(&outcome) == "id_conflict");
        if !conflict {
            events.push(event.clone());
        }
    }
    RandomLog { events }
}

fn honest_logs() -> impl Strategy<Value = RandomLog> {
    logs().prop_map(|log| without_equivocation(&log))
}

/// A log and the same events in another order.
fn reordered(
    logs: impl Strategy<Value = RandomLog>,
) -> impl Strategy<Value = (RandomLog, RandomLog)> {
    logs.prop_flat_map(|log| {
        let shuffled = Just(log.events.clone()).prop_shuffle();
        (Just(log), shuffled.prop_map(|events| RandomLog { events }))
    })
}

/// S3.03, S7.01, T4.18, T4.22, R-13: without equivocation every order of deliveries and facts gives
/// the same bytes.
#[test]
fn s3_03_s7_01_any_order_gives_the_same_bytes() {
    property_with(
        "any order gives the same bytes",
        reordered(logs()),
        |(log, _)| log,
        |(log, shuffled)| {
            let honest = without_equivocation(log);
            let view = view_of(&honest.events);
            let ids: BTreeSet<_> = honest.events.iter().filter_map(bytes).collect();
            let kept: Vec<Event<'static>> = shuffled
                .events
                .iter()
                .filter(|event| bytes(event).is_none_or(|bytes| ids.contains(&bytes)))
                .cloned()
                .collect();
            prop_assert_eq!(view_of(&kept), view.clone());
            let back: Vec<Event<'static>> = honest.events.iter().rev().cloned().collect();
            prop_assert_eq!(view_of(&back), view);
            Ok(())
        },
    );
}

fn bytes(event: &Event<'static>) -> Option<(Vec<u8>, Option<String>)> {
    match event {
        Event::Deliver(delivery) => {
            let principal = delivery.principal.as_deref().map(str::to_owned);
            Some((delivery.bytes.to_vec(), principal))
        }
        Event::Fact(_) => None,
    }
}

/// T1.27, S2.13, T8.04, S6.01: deliveries and facts that are repeated, anywhere later, change
/// nothing and release nothing.
#[test]
fn t1_27_s6_01_repetition_changes_nothing() {
    let repeated = (
        logs(),
        prop::collection::vec((any::<u8>(), any::<u8>()), 1..12),
    );
    property_with(
        "repetition changes nothing",
        repeated,
        |(log, _)| log,
        |(log, repeats)| {
            let view = view_of(&log.events);
            let mut events: Vec<(Event<'static>, bool)> = log
                .events
                .iter()
                .map(|event| (event.clone(), false))
                .collect();
            for &(which, whither) in repeats {
                let from = usize::from(which) * events.len() / 256;
                let to = from + 1 + usize::from(whither) * (events.len() - from) / 256;
                events.insert(to, (events[from].0.clone(), true));
            }
            let mut state = State::new(common::context(), Limits::default());
            for (event, again) in &events {
                let before = again.then(|| state.view().to_canonical_json());
                let outcome = state.apply(event);
                if let Some(before) = before {
                    prop_assert_eq!(state.view().to_canonical_json(), before);
                    prop_assert!(outcome.is_none_or(|outcome| outcome.released.is_empty()));
                }
            }
            prop_assert_eq!(state.view().to_canonical_json(), view);
            Ok(())
        },
    );
}

/// S6.01: facts may all come first, or all last.
#[test]
fn s6_01_facts_first_or_last() {
    property("facts first or last", |log| {
        let view = view_of(&log.events);
        let (facts, messages): (Vec<_>, Vec<_>) = log
            .events
            .iter()
            .cloned()
            .partition(|event| matches!(event, Event::Fact(_)));
        let first: Vec<_> = facts.iter().chain(&messages).cloned().collect();
        prop_assert_eq!(view_of(&first), view.clone());
        let last: Vec<_> = messages.iter().chain(facts.iter().rev()).cloned().collect();
        prop_assert_eq!(view_of(&last), view);
        Ok(())
    });
}

/// what stages 1 to 4 refuse could as well never have come.
#[test]
fn r_01_refused_deliveries_could_as_well_not_have_come() {
    property("refused deliveries", |log| {
        let mut state = State::new(common::context(), Limits::default());
        let mut kept = Vec::new();
        for event in &log.events {
            let refused = state.apply(event).is_some_and(|outcome| {
                let code = outcome.verdict.rejection().map(tern_core::Rejection::code);
                let class = code.map_or("", |code| code.class().as_str());
                ["syntax", "version", "shape", "identity"].contains(&class)
            });
            if !refused {
                kept.push(event.clone());
            }
        }
        prop_assert_eq!(view_of(&kept), state.view().to_canonical_json());
        Ok(())
    });
}

/// S7.02, R-15: receivers that keep the same versions, in whatever order, agree as promised.
#[test]
fn s7_02_what_receivers_agree_on_with_equivocation() {
    let differing = std::cell::Cell::new(0_usize);
    property_with(
        "agreement with equivocation",
        reordered(logs()),
        |(log, _)| log,
        |(log, shuffled)| {
            let here = view(&state_of(&log.events));
            let there = view(&state_of(&shuffled.events));
            prop_assert_eq!(&here["equivocal"], &there["equivocal"]);
            prop_assert_eq!(keys(&here["messages"]), keys(&there["messages"]));
            let tainted = random::naive::tainted(&log.events);
            prop_assert_eq!(&tainted, &random::naive::tainted(&shuffled.events));
            for id in keys(&here["messages"]) {
                let (one, other) = (&here["messages"][&id], &there["messages"][&id]);
                if !tainted.contains(&id) {
                    prop_assert_eq!(one, other, "untainted {}", id);
                }
            }
            let mut ids = keys(&here["commitments"]);
            ids.extend(keys(&there["commitments"]));
            for id in ids {
                let (one, other) = (facts_of(&here, &id), facts_of(&there, &id));
                if one != other {
                    differing.set(differing.get() + 1);
                    prop_assert!(
                        is_blocked_or_absent(&here, &id),
                        "{} here: {:?} / {:?}",
                        id,
                        one,
                        other
                    );
                    prop_assert!(
                        is_blocked_or_absent(&there, &id),
                        "{} there: {:?} / {:?}",
                        id,
                        one,
                        other
                    );
                }
            }
            Ok(())
        },
    );
    println!("  commitments that differed: {}", differing.get());
}

fn view(state: &State) -> Value {
    serde_json::to_value(state.view()).unwrap()
}

fn keys(map: &Value) -> BTreeSet<String> {
    map.as_object().unwrap().keys().cloned().collect()
}

/// What receivers may differ in only where both are blocked: status, chain, chain of the request,
/// progress and supersession.
fn facts_of(view: &Value, id: &str) -> BTreeMap<&'static str, Value> {
    let commitment = &view["commitments"][id];
    let request = commitment["request"].as_str().unwrap_or_default();
    BTreeMap::from([
        ("status", view["messages"][id]["status"].clone()),
        ("act", view["messages"][id]["act"].clone()),
        ("chain", view["chains"][id].clone()),
        ("request", commitment["request"].clone()),
        ("request chain", view["chains"][request].clone()),
        ("progress", commitment["progress"].clone()),
        ("superseded", commitment["superseded_by"].clone()),
    ])
}

fn is_blocked_or_absent(view: &Value, id: &str) -> bool {
    let commitment = &view["commitments"][id];
    commitment.is_null() || commitment["readiness"] == "blocked"
}

/// S3.03: the honest logs of these runs are not empty of interest either.
#[test]
fn s3_03_honest_logs_keep_most_of_a_log() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut kept = 0;
    for _ in 0..64 {
        let log = honest_logs().new_tree(&mut runner).unwrap().current();
        kept += log.events.len();
        let view = view(&state_of(&log.events));
        assert_eq!(view["equivocal"], serde_json::json!({}));
    }
    assert!(kept > 64 * 8, "{kept}");
}
