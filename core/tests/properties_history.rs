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
mod random;

use std::collections::BTreeSet;

use common::{answer, state_of};
use proptest::prelude::*;
use random::RandomLog;
use random::census::{log_of, property};
use serde_json::{Value, json};
use tern_core::log::{Input, Line, Reader};
use tern_core::wire::{Json, JsonOptions, canonical};
use tern_core::{Event, Limits, State, View};

fn view(state: &State) -> Value {
    serde_json::to_value(state.view()).unwrap()
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

/// S3.03, S7.01: after every event the view equals that of a fresh state fed with the log so far,
/// and a log at that position gives the same state, outcomes and local view.
#[test]
fn s7_01_incremental_equals_recomputed_and_time_travel() {
    property("incremental, recomputed, time travel", |log| {
        let kept = log_of(&log.events);
        let mut state = state_of(&[]);
        let mut outcomes = Vec::new();
        for (n, event) in log.events.iter().enumerate() {
            outcomes.extend(state.apply(event));
            let (then, past) = kept.state_at(n + 1, &Limits::default());
            prop_assert_eq!(then.view(), state.view());
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
    property("settled stays settled", |log| {
        let mut state = state_of(&[]);
        let mut after = view(&state);
        for event in &log.events {
            let outcome = state.apply(event);
            let before = std::mem::replace(&mut after, view(&state));
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
    property("only COMMIT creates a commitment", |log| {
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
    property("no message clears a local reason", |log| {
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
    property("documents read back", |log| {
        let written = log_of(&log.events).to_document().unwrap();
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
    property("every view is canonical", |log| {
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
    let mut limits = Limits::default();
    limits.max_pending = 4;
    limits.max_pending_per_sender = 2;
    limits.max_versions = 2;
    property("quotas leave no trace", |log| {
        let mut state = State::new(common::context(), limits);
        let mut after = view(&state);
        for event in &log.events {
            let outcome = state.apply(event);
            let before = std::mem::replace(&mut after, view(&state));
            let view = &after;
            if outcome.is_some_and(|outcome| answer(&outcome).starts_with("too_many")) {
                prop_assert_eq!(view, &before);
            }
            prop_assert!(state.pending() <= 4);
            let pending = map(view, "messages")
                .values()
                .filter(|it| it["status"] == "pending");
            prop_assert_eq!(pending.clone().count(), state.pending());
            for name in ["a", "b", "c"] {
                prop_assert!(pending.clone().filter(|it| it["from"] == name).count() <= 2);
            }
            prop_assert!(
                map(view, "equivocal")
                    .values()
                    .all(|it| it.as_array().unwrap().len() <= 2)
            );
        }
        Ok(())
    });
}
