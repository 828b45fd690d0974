//! What quotas refuse.

use std::collections::BTreeMap;

use serde_json::Value;
use tern_core::{Class, Limits, State};

use crate::harness::{Property, readable};
use crate::look::{code_of, holds, map, texts, view};

/// what a quota refuses leaves everything as it was, and no more is stored than the limits allow.
#[test]
fn r_04_quotas_leave_no_trace() {
    let mut limits = Limits::default();
    limits.max_pending = 4;
    limits.max_pending_per_sender = 2;
    limits.max_versions = 2;
    Property::new("r_04_quotas_leave_no_trace", readable(), 200)
        .demand(&[
            ("too_many_pending", 30),
            ("too_many_pending_of_sender", 60),
            ("too_many_versions", 10),
        ])
        .check(|trial| {
            let Some(log) = trial.read() else {
                return Ok(());
            };
            let mut state = State::new(log.context.clone(), limits);
            let mut after = view(&state);
            for event in &log.events {
                let outcome = state.apply(event);
                let before = std::mem::replace(&mut after, view(&state));
                let code = outcome.as_ref().and_then(code_of);
                if let Some(code) = code.filter(|code| code.class() == Class::Limit) {
                    trial.counts.add(code.as_str(), 1);
                    holds!(after == before, "{code} changed the view");
                }
                let waits = |it: &&Value| it["status"] == "pending";
                let pending: Vec<&Value> = map(&after, "messages").values().filter(waits).collect();
                holds!(
                    pending.len() <= 4 && pending.len() == state.pending(),
                    "too many wait"
                );
                let mut of: BTreeMap<&str, usize> = BTreeMap::new();
                for it in pending {
                    *of.entry(it["from"].as_str().unwrap()).or_default() += 1;
                }
                holds!(
                    of.values().all(|it| *it <= 2),
                    "too many of one sender wait: {of:?}"
                );
                let versions = map(&after, "equivocal").values();
                holds!(
                    versions.clone().all(|it| texts(it).len() <= 2),
                    "too many versions"
                );
            }
            Ok(())
        });
}
