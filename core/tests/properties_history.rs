//! Properties: what a history can and cannot do, and that the state agrees with a naive model that
//! recomputes everything from the rules. Every test names the clauses that it checks.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that fails should fail loudly"
)]

mod common;

use std::collections::BTreeSet;

use common::census::{log_of, property};
use common::naive::Naive;
use common::random::{RandomLog, logs};
use common::{answer, state_of};
use proptest::prelude::*;
use serde_json::{Value, json};
use tern_core::log::{Input, Line, Reader};
use tern_core::wire::{Json, JsonOptions, canonical};
use tern_core::{Event, Limits, State, View};

fn run(name: &str, holds: impl Fn(&RandomLog) -> Result<(), TestCaseError>) {
    property(name, logs(), |log| log, holds);
}

fn view(state: &State) -> Value {
    serde_json::from_str(&state.view().to_canonical_json()).unwrap()
}

fn map<'v>(view: &'v Value, section: &str) -> &'v serde_json::Map<String, Value> {
    view[section].as_object().unwrap()
}

/// The view after each event, with the event.
fn each_step(
    log: &RandomLog,
    mut step: impl FnMut(&Event<'static>, &Value, &Value, &State) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    let mut state = state_of(&[]);
    let mut before = view(&state);
    for event in &log.events {
        state.apply(event);
        let after = view(&state);
        step(event, &before, &after, &state)?;
        before = after;
    }
    Ok(())
}

/// S3.02, S3.05, S3.06, S3.07, S3.08, S3.09: statuses and codes are those of a naive least fixpoint.
#[test]
fn s3_02_statuses_equal_a_naive_fixpoint() {
    run("statuses", |log| {
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
    run("chains", |log| {
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
    run("progress", |log| {
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
    run("codes of the history", |log| {
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
    run("lists of a commitment", |log| {
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

/// S3.03, S7.01: after every event the view equals that of a fresh state fed with the log so far,
/// and a log at that position gives the same state, outcomes and local view.
#[test]
fn s7_01_incremental_equals_recomputed_and_time_travel() {
    run("incremental, recomputed, time travel", |log| {
        let kept = log_of(&log.events);
        let mut state = state_of(&[]);
        let mut outcomes = Vec::new();
        for (n, event) in log.events.iter().enumerate() {
            outcomes.extend(state.apply(event));
            let (then, past) = kept.state_at(n + 1, &Limits::default());
            prop_assert_eq!(
                then.view().to_canonical_json(),
                state.view().to_canonical_json()
            );
            prop_assert_eq!(then.local_view(), state.local_view());
            prop_assert_eq!(then.position(), state.position());
            prop_assert_eq!(then.pending(), state.pending());
            prop_assert_eq!(&past, &outcomes);
        }
        let (whole, _) = kept.state_at(usize::MAX, &Limits::default());
        prop_assert_eq!(whole.view(), state.view());
        Ok(())
    });
}

/// S3.02, T4.15, T8.08: settled is settled: no status but a pending one ever changes, nothing
/// disappears, and `released` names exactly what settled besides the delivery itself.
#[test]
fn s3_02_settled_stays_settled() {
    run("settled stays settled", |log| {
        let mut state = state_of(&[]);
        for event in &log.events {
            let before = view(&state);
            let outcome = state.apply(event);
            let after = view(&state);
            let mut settled: BTreeSet<String> = BTreeSet::new();
            for (id, message) in map(&before, "messages") {
                let now = &after["messages"][id];
                if message["status"] == "pending" {
                    if now["status"] != "pending" {
                        settled.insert(id.clone());
                    }
                } else {
                    prop_assert_eq!(message, now);
                }
            }
            for section in [
                "commitments",
                "requests",
                "proposals",
                "challenges",
                "evidence",
                "equivocal",
            ] {
                for id in map(&before, section).keys() {
                    prop_assert!(after[section].get(id).is_some(), "{} lost {}", section, id);
                }
            }
            let released = outcome.map(|outcome| outcome.released).unwrap_or_default();
            let named: BTreeSet<String> = released.iter().map(|it| it.id.clone()).collect();
            prop_assert_eq!(named.len(), released.len());
            prop_assert_eq!(named, settled);
            for it in released {
                let code = after["messages"][&it.id]
                    .get("code")
                    .cloned()
                    .unwrap_or_default();
                prop_assert_eq!(json!(it.code.map(|code| code.as_str())), code);
            }
        }
        Ok(())
    });
}

/// S5.12, T2.12, T8.05: no act but COMMIT creates a commitment, no fact does, and each is its
/// sender's.
#[test]
fn s5_12_only_commit_creates_a_commitment() {
    run("only COMMIT creates a commitment", |log| {
        each_step(log, |event, before, after, _| {
            if matches!(event, Event::Fact(_)) {
                prop_assert_eq!(&before["messages"], &after["messages"]);
            }
            let accepted: BTreeSet<&String> = map(after, "messages")
                .iter()
                .filter(|(_, it)| it["act"] == "COMMIT" && it["status"] == "accepted")
                .map(|(id, _)| id)
                .collect();
            prop_assert_eq!(
                map(after, "commitments").keys().collect::<BTreeSet<_>>(),
                accepted
            );
            for (id, commitment) in map(after, "commitments") {
                prop_assert_eq!(commitment["by"].as_str(), id.split(':').next());
                prop_assert_eq!(&commitment["by"], &after["messages"][id]["from"]);
            }
            Ok(())
        })
    });
}

/// S6.01, T5.03, T5.06, T5.07, T8.06: no message clears or creates a local reason; facts alone do.
#[test]
fn s6_01_no_message_clears_a_local_reason() {
    let local: BTreeSet<&str> = tern_core::Block::ALL[15..]
        .iter()
        .map(|code| code.as_str())
        .collect();
    assert!(local.contains("no_authority") && local.len() == 12);
    let reasons = |commitment: &Value| -> BTreeSet<String> {
        let codes: Vec<String> = serde_json::from_value(commitment["blocked_by"].clone()).unwrap();
        codes
            .into_iter()
            .filter(|code| local.contains(code.as_str()))
            .collect()
    };
    run("no message clears a local reason", |log| {
        each_step(log, |event, before, after, _| {
            for (id, commitment) in map(before, "commitments") {
                let (then, now) = (reasons(commitment), reasons(&after["commitments"][id]));
                match event {
                    Event::Deliver(_) => prop_assert_eq!(then, now, "{}", id),
                    Event::Fact(_) => {
                        // And a fact changes nothing else of it, but for a judgement that disputes.
                        let mut rest = [commitment.clone(), after["commitments"][id].clone()];
                        for it in &mut rest {
                            it["blocked_by"] = json!(null);
                            it["readiness"] = json!(null);
                            it["annotations"] = json!(null);
                        }
                        prop_assert_eq!(&rest[0], &rest[1]);
                    }
                }
            }
            Ok(())
        })
    });
}

/// S8.01, S8.07: a log written as a document and read again gives the same events, outcomes, view.
#[test]
fn s8_01_documents_read_back() {
    run("documents read back", |log| {
        let written = log_of(&log.events).to_document();
        let mut reader = Reader::new(Input::Document);
        let mut events = Vec::new();
        for line in written.lines() {
            match reader.read(line.as_bytes()) {
                Ok(Line::Event(event)) => events.push(event.into_owned()),
                Ok(Line::Context(context)) => prop_assert_eq!(context, common::context()),
                Err(error) => prop_assert!(false, "{}", error),
            }
        }
        prop_assert_eq!(&events, &log.events);
        Ok(())
    });
}

/// S7.03, S7.05, S7.06: every view is canonical, survives a round trip, and repeats in no list.
#[test]
fn s7_03_every_view_is_canonical() {
    run("every view is canonical", |log| {
        let state = state_of(&log.events);
        let text = state.view().to_canonical_json();
        let json = Json::read(text.as_bytes(), JsonOptions::STRICT).unwrap();
        prop_assert_eq!(&canonical(json.root()), &text);
        let back: View<'_> = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&back, &state.view());
        prop_assert_eq!(back.digest(), state.view().digest());
        let mut lists = vec![view(&state)];
        while let Some(value) = lists.pop() {
            match value {
                Value::Array(items) => {
                    for (n, item) in items.iter().enumerate() {
                        prop_assert!(!items[..n].contains(item), "repeated {}", item);
                    }
                    lists.extend(items);
                }
                Value::Object(fields) => lists.extend(fields.into_iter().map(|(_, field)| field)),
                _ => {}
            }
        }
        Ok(())
    });
}

/// with tight quotas a refusal leaves everything as it was, and the limits are kept.
#[test]
fn r_04_quotas_leave_no_trace() {
    let limits = Limits {
        max_pending: 4,
        max_pending_per_sender: 2,
        max_versions: 2,
        ..Limits::default()
    };
    run("quotas leave no trace", |log| {
        let mut state = State::new(common::context(), limits.clone());
        for event in &log.events {
            let before = state.view().to_canonical_json();
            let outcome = state.apply(event);
            if outcome.is_some_and(|outcome| answer(&outcome).starts_with("too_many")) {
                prop_assert_eq!(state.view().to_canonical_json(), before);
            }
            prop_assert!(state.pending() <= 4);
            let view = view(&state);
            let pending = map(&view, "messages")
                .values()
                .filter(|it| it["status"] == "pending");
            prop_assert_eq!(pending.clone().count(), state.pending());
            for name in ["a", "b", "c"] {
                prop_assert!(pending.clone().filter(|it| it["from"] == name).count() <= 2);
            }
            prop_assert!(
                map(&view, "equivocal")
                    .values()
                    .all(|it| it.as_array().unwrap().len() <= 2)
            );
        }
        Ok(())
    });
}

/// S3.04, S7.07: cycles are those of a naive reachability among the pending messages.
#[test]
fn s3_04_cycles_equal_naive_reachability() {
    run("cycles", |log| {
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
