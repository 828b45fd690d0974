//! What a history can and cannot do as it goes on.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tern_core::{Limits, State};

use crate::harness::{Holds, Property, named, readable};
use crate::look::{Kept, Step, holds, map, status, texts};

/// T4.15, T8.08, S3.02, R-10, S3.04, S5.13, S4.03: history only grows. Accepted and rejected are for
/// ever; a conflicted chain stays conflicted, at its head or before it; nothing that is listed of the
/// past goes away; what was cited never becomes less known, and a cycle is never left.
#[test]
fn t4_15_history_only_grows() {
    let mut presets = readable();
    presets.extend(named(&["forks"; 5]));
    Property::new("t4_15_history_only_grows", presets, 300)
        .demand(&[
            ("steps", 5000),
            ("settled later", 150),
            ("conflicted", 600),
            ("conflicts that moved", 2),
            ("at depth 2 or more", 100),
            ("cycles", 200),
            ("equivocal", 300),
            ("withdrawn and no longer", 1),
        ])
        .check(|trial| {
            let Some(log) = trial.read() else {
                return Ok(());
            };
            let kept = log.kept();
            let counts = &mut *trial.counts;
            log.each_step(|step| {
                counts.add("steps", 1);
                messages_stay(step)?;
                let steps_to = |node: &str, target: &str| steps_between(&kept, node, target);
                for (id, was) in map(step.before, "chains") {
                    let is = &step.after["chains"][id];
                    if was["state"] == "conflicted" {
                        counts.add("conflicted", 1);
                        let (before, after) = (&was["head"], &is["head"]);
                        let depth = steps_to(before.as_str().unwrap(), id);
                        counts.add("at depth 2 or more", usize::from(depth >= Some(2)));
                        counts.add("conflicts that moved", usize::from(before != after));
                        holds!(
                            is["state"] == "conflicted",
                            "the conflict of `{id}` is gone"
                        );
                        let moved = steps_to(after.as_str().unwrap_or_default(), id);
                        holds!(
                            moved <= depth && moved.is_some(),
                            "the conflict of `{id}` moved on"
                        );
                        let same = before != after || grows(was, is, &["competing"]);
                        holds!(same, "`{id}` has fewer competing revisions");
                    }
                    holds!(grows(was, is, &["revisions"]), "`{id}` lost revisions");
                    let gone = texts(&was["pending"]);
                    let gone = gone
                        .difference(&texts(&is["pending"]))
                        .copied()
                        .collect::<Vec<_>>();
                    let settled = gone.iter().all(|it| status(step.after, it) != "pending");
                    holds!(settled, "`{id}` lost a revision that still waits: {gone:?}");
                }
                for (id, was) in map(step.before, "commitments") {
                    let is = &step.after["commitments"][id];
                    let withdrawn = commitment_stays(id, was, is, step.after)?;
                    counts.add("withdrawn and no longer", usize::from(withdrawn));
                }
                lists_grow(step)?;
                counts.add("cycles", step.before["cycles"].as_array().unwrap().len());
                counts.add("equivocal", map(step.before, "equivocal").len());
                let waited = |id: &String| status(step.before, id) == "pending";
                let settled = step.newly_accepted().into_iter().filter(waited).count();
                counts.add("settled later", settled);
                Ok(())
            })
        });
}

/// How many revisions lie between a target and a node of its chain.
fn steps_between(kept: &Kept, node: &str, target: &str) -> Option<usize> {
    let mut at = node.to_owned();
    for steps in 0..=kept.0.len() {
        if at == target {
            return Some(steps);
        }
        at = kept.first(&at)?.body["previous"].as_str()?.to_owned();
    }
    None
}

/// Whether these lists hold all that they held.
fn grows(was: &Value, is: &Value, lists: &[&str]) -> bool {
    lists
        .iter()
        .all(|list| texts(&was[*list]).is_subset(&texts(&is[*list])))
}

fn messages_stay(step: &Step<'_>) -> Holds {
    for (id, was) in map(step.before, "messages") {
        let is = &step.after["messages"][id];
        if was["status"] != "pending" {
            holds!(was == is, "`{id}` was settled: {was}; now {is}");
        }
        for field in ["act", "from", "thread", "digest"] {
            holds!(was[field] == is[field], "`{id}` has another {field}");
        }
    }
    Ok(())
}

/// Whether the annotation `withdrawn` is gone, which a conflict before the withdrawal can do (S5.08).
fn commitment_stays(id: &str, was: &Value, is: &Value, after: &Value) -> Result<bool, String> {
    holds!(is.is_object(), "the commitment `{id}` is gone");
    for field in ["request", "by", "requester", "due"] {
        holds!(was[field] == is[field], "`{id}` has another {field}: {is}");
    }
    let lists = [
        "reports",
        "disputed_by",
        "superseded_by",
        "offers",
        "request_changed_by",
    ];
    holds!(
        grows(was, is, &lists),
        "a list of `{id}` shrank: {was}, now {is}"
    );
    let (then, now) = (texts(&was["annotations"]), texts(&is["annotations"]));
    let gone: BTreeSet<&str> = then.difference(&now).copied().collect();
    let in_doubt = after["chains"][id]["state"] == "conflicted";
    let withdrawn = then.contains("withdrawn") && in_doubt;
    let may_go = |word: &str| withdrawn && ["withdrawn", "disputed"].contains(&word);
    holds!(
        gone.iter().all(|it| may_go(it)),
        "`{id}` is no longer {gone:?}"
    );
    Ok(gone.contains("withdrawn"))
}

fn lists_grow(step: &Step<'_>) -> Holds {
    let (before, after) = (step.before, step.after);
    for section in [
        "requests",
        "proposals",
        "challenges",
        "acknowledged",
        "impacts",
        "equivocal",
    ] {
        for (id, was) in map(before, section) {
            let is = &after[section][id];
            let stays = match section {
                "requests" => {
                    grows(was, is, &["committed_by", "declined_by"])
                        && was.get("replaces") == is.get("replaces")
                }
                "proposals" => grows(was, is, &["declined_by"]),
                "challenges" => was == is,
                _ => {
                    let is = is.as_array().map_or(&[][..], Vec::as_slice);
                    was.as_array().unwrap().iter().all(|item| is.contains(item))
                }
            };
            holds!(stays, "{section} `{id}` was {was}, now {is}");
        }
    }
    let known = |word: &Value| {
        ["inaccessible", "available", "contradictory"]
            .iter()
            .position(|it| word == it)
    };
    for (id, was) in map(before, "evidence") {
        let is = &after["evidence"][id];
        holds!(
            known(was) <= known(is),
            "evidence `{id}` was {was}, now {is}"
        );
    }
    for cycle in before["cycles"].as_array().unwrap() {
        let cycles = after["cycles"].as_array().unwrap();
        let stays = cycles.iter().any(|it| texts(cycle).is_subset(&texts(it)));
        holds!(stays, "the cycle {cycle} is left");
    }
    Ok(())
}

/// S3.02, S3.03, S2.14: `released` names exactly what else a delivery settled, with its code.
#[test]
fn s3_02_released_is_what_settled() {
    Property::new("s3_02_released_is_what_settled", readable(), 150)
        .demand(&[("released", 100), ("released and rejected", 20)])
        .check(|trial| {
            let Some(log) = trial.read() else {
                return Ok(());
            };
            log.each_step(|step| {
                let mut settled = BTreeMap::new();
                for (id, was) in map(step.before, "messages") {
                    let is = &step.after["messages"][id];
                    if was["status"] == "pending" && is["status"] != "pending" {
                        settled.insert(id.clone(), is.get("code").cloned().unwrap_or_default());
                    }
                }
                let released = step.outcome.map_or(&[][..], |it| &it.released);
                let named: BTreeMap<String, Value> = released
                    .iter()
                    .map(|it| (it.id.clone(), json!(it.code.map(|code| code.as_str()))))
                    .collect();
                holds!(named.len() == released.len(), "an id is released twice");
                holds!(
                    named == settled,
                    "released: {named:?}, settled: {settled:?}"
                );
                trial.counts.add("released", named.len());
                let rejected = named.values().filter(|code| !code.is_null()).count();
                trial.counts.add("released and rejected", rejected);
                Ok(())
            })
        });
}

/// S3.03, S7.01: what runs on equals what is computed anew from each prefix: view, outcomes, position and
/// local view.
#[test]
fn s7_01_running_on_equals_computing_anew() {
    Property::new("s7_01_running_on_equals_computing_anew", readable(), 120)
        .demand(&[("prefixes", 1500), ("pending", 1000)])
        .check(|trial| {
            let document = trial.document();
            let Ok(log) = tern_core::Log::read(&document) else {
                return Ok(());
            };
            let limits = Limits::default();
            let mut state = State::new(log.context().clone(), limits);
            let mut outcomes = Vec::new();
            // Of a long log some prefixes, always the last.
            let every = 1 + log.events().len() / 40;
            for (index, event) in log.events().iter().enumerate() {
                outcomes.extend(state.apply(event));
                let position = index + 1;
                if position % every != 0 && position != log.events().len() {
                    continue;
                }
                trial.counts.add("prefixes", 1);
                trial.counts.add("pending", state.pending());
                let (anew, answers) = log.state_at(position, &limits);
                holds!(
                    anew.view() == state.view(),
                    "the view after {position} events"
                );
                holds!(answers == outcomes, "the outcomes after {position} events");
                holds!(
                    anew.position() == state.position(),
                    "the position after {position}"
                );
                holds!(
                    anew.pending() == state.pending(),
                    "what waits after {position} events"
                );
                let local = anew.local_view() == state.local_view();
                holds!(local, "the local view after {position} events");
            }
            Ok(())
        });
}
