//! Properties: the state agrees with a naive model that recomputes everything from the rules. Every
//! test names the clauses that it checks.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that fails should fail loudly"
)]

mod common;
mod random;

use std::collections::BTreeSet;

use common::state_of;
use proptest::prelude::*;
use random::census::property;
use random::naive::Naive;
use serde_json::{Value, json};
use tern_core::State;

fn view(state: &State) -> Value {
    serde_json::to_value(state.view()).unwrap()
}

fn map<'v>(view: &'v Value, section: &str) -> &'v serde_json::Map<String, Value> {
    view[section].as_object().unwrap()
}

/// S3.02, S3.05, S3.06, S3.07, S3.08, S3.09: statuses and codes are those of a naive least fixpoint.
#[test]
fn s3_02_statuses_equal_a_naive_fixpoint() {
    property("statuses", |log| {
        let (view, naive) = (view(&state_of(&log.events)), Naive::of(&log.events));
        prop_assert_eq!(
            map(&view, "messages").keys().collect::<Vec<_>>(),
            naive.ids().collect::<Vec<_>>()
        );
        for (id, message) in map(&view, "messages") {
            let status = message.get("code").unwrap_or(&message["status"]);
            prop_assert_eq!(status, &json!(naive.statuses[id]), "{}", id);
        }
        Ok(())
    });
}

/// S4.01, S4.02, S4.03, R-09, S7.08: chains equal a naive walk over the accepted REVISEs.
#[test]
fn s4_01_chains_equal_a_naive_walk() {
    property("chains", |log| {
        let (view, naive) = (view(&state_of(&log.events)), Naive::of(&log.events));
        for id in naive.ids().filter(|id| naive.is_accepted(id)) {
            let (state, head, competing, revisions) = naive.chain(id);
            let pending = naive.known_pending(id);
            let mut shown = view["chains"][id].clone();
            if revisions.is_empty() && pending.is_empty() {
                prop_assert_eq!(&shown, &Value::Null, "{}", id);
                continue;
            }
            prop_assert!(shown.is_object(), "{} has no chain", id);
            let content = shown.as_object_mut().unwrap().remove("content").unwrap();
            prop_assert_eq!(
                content.is_null(),
                ["withdrawn", "conflicted"].contains(&state.as_str())
            );
            let expected = json!({"state": state, "head": head, "competing": competing,
                "revisions": revisions, "pending": pending});
            prop_assert_eq!(shown, expected, "{}", id);
        }
        Ok(())
    });
}

/// S5.01, S5.02, S5.03, S5.04, S5.05, S5.06, S5.07: progress equals the three rules done naively.
#[test]
fn s5_03_progress_equals_the_rules_done_naively() {
    property("progress", |log| {
        let (view, naive) = (view(&state_of(&log.events)), Naive::of(&log.events));
        for (id, commitment) in map(&view, "commitments") {
            let cause = commitment
                .get("progress_cause")
                .cloned()
                .unwrap_or_default();
            let shown = json!([
                commitment["progress"],
                cause,
                commitment["candidates"],
                commitment["reactivation_attempts"]
            ]);
            prop_assert_eq!(sorted(shown), sorted(naive.progress(id)), "{}", id);
        }
        Ok(())
    });
}

/// Lists of ids in one order: these are ASCII, but the view sorts `b:10` before `b:9` as well.
fn sorted(mut shown: Value) -> Value {
    for list in [2, 3] {
        let mut ids: Vec<String> = serde_json::from_value(shown[list].clone()).unwrap();
        ids.sort();
        shown[list] = json!(ids);
    }
    shown
}

/// R-15, S6.03, S6.04, S6.05, S6.06, S6.07, S6.08, S6.09, S6.10, S6.11, S6.12: the codes of the
/// history are those of the table, row by row.
#[test]
fn s6_03_history_blocks_as_the_table_says() {
    let history: BTreeSet<&str> = tern_core::Block::ALL[..15]
        .iter()
        .map(|code| code.as_str())
        .collect();
    assert!(history.contains("report_equivocal") && !history.contains("no_authority"));
    property("codes of the history", |log| {
        let (view, naive) = (view(&state_of(&log.events)), Naive::of(&log.events));
        for (id, commitment) in map(&view, "commitments") {
            let shown: BTreeSet<&str> = commitment["blocked_by"]
                .as_array()
                .unwrap()
                .iter()
                .map(|code| code.as_str().unwrap())
                .filter(|code| history.contains(code))
                .collect();
            prop_assert_eq!(shown, naive.history_blocks(id), "{}", id);
        }
        Ok(())
    });
}

/// S5.08, S5.09, S5.10, S5.11, R-14: what is listed at a commitment.
#[test]
fn s5_09_what_is_listed_at_a_commitment() {
    property("lists of a commitment", |log| {
        let (view, naive) = (view(&state_of(&log.events)), Naive::of(&log.events));
        for (id, commitment) in map(&view, "commitments") {
            prop_assert_eq!(
                &commitment["superseded_by"],
                &json!(naive.superseded_by(id))
            );
            prop_assert_eq!(&commitment["disputed_by"], &json!(naive.disputed_by(id)));
            prop_assert_eq!(&commitment["offers"], &json!(naive.offers(id)));
            prop_assert_eq!(
                &commitment["request_changed_by"],
                &json!(naive.request_changed_by(id))
            );
            prop_assert_eq!(&commitment["request"], &json!(naive.request_of(id)));
            let annotations = commitment["annotations"].as_array().unwrap();
            prop_assert_eq!(
                annotations.contains(&json!("withdrawn")),
                naive.withdrawn(id)
            );
        }
        Ok(())
    });
}

/// S3.04, S7.07: cycles are those of a naive reachability among the pending messages.
#[test]
fn s3_04_cycles_equal_naive_reachability() {
    property("cycles", |log| {
        let view = view(&state_of(&log.events));
        let reached = |from: &str| -> BTreeSet<String> {
            let mut reached = BTreeSet::new();
            let mut next = vec![from.to_owned()];
            while let Some(id) = next.pop() {
                let waiting = view["messages"][&id]
                    .get("waiting_for")
                    .and_then(Value::as_array);
                for gate in waiting
                    .into_iter()
                    .flatten()
                    .map(|gate| gate.as_str().unwrap())
                {
                    if reached.insert(gate.to_owned()) {
                        next.push(gate.to_owned());
                    }
                }
            }
            reached
        };
        let cycles: BTreeSet<Vec<String>> = map(&view, "messages")
            .keys()
            .filter(|id| reached(id).contains(*id))
            .map(|id| {
                reached(id)
                    .into_iter()
                    .filter(|other| reached(other).contains(id))
                    .collect()
            })
            .collect();
        prop_assert_eq!(&view["cycles"], &json!(cycles));
        Ok(())
    });
}
