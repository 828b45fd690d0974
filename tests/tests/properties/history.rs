//! What a history can and cannot do as it goes on.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tern_core::log::Delivery;
use tern_core::view::{CommitmentView, Id};
use tern_core::{Block, Class, Event, Limits, State};

use crate::harness::{Holds, Property, named, readable};
use crate::look::{Ids, Kept, Read, Step, code_of, holds, ids, map, status, texts, view};

/// Codes that the messages decide (S6.03 to S6.12).
const HISTORY: [&str; 15] = [
    "request_conflicted",
    "commitment_conflicted",
    "request_revision_pending",
    "commitment_revision_pending",
    "request_equivocal",
    "commitment_equivocal",
    "supersession_pending",
    "request_withdrawn",
    "commitment_withdrawn",
    "superseded",
    "terminal",
    "reported_blocked",
    "progress_unresolved",
    "report_pending",
    "report_equivocal",
];

/// Codes that local facts decide (S6.13 to S6.21).
pub(crate) const LOCAL: [&str; 12] = [
    "no_authority",
    "grant_unknown",
    "grant_revoked",
    "grant_other_principal",
    "grant_too_narrow",
    "grant_not_yet_valid",
    "grant_expired",
    "clock_unknown",
    "approval_missing",
    "condition_unconfirmed",
    "terms_mismatch",
    "terms_ambiguous",
];

/// Codes that nothing clears, whatever comes.
const FOR_EVER: [&str; 6] = [
    "request_conflicted",
    "commitment_conflicted",
    "request_equivocal",
    "commitment_equivocal",
    "report_equivocal",
    "superseded",
];

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
            let kept = Kept::of(&log);
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

/// S6.01, T5.03, T5.06, T5.07, T8.06, T2.10: no message clears or makes a reason that only local facts
/// decide, and a fact changes nothing else of a commitment, but that a judgement disputes it. What is
/// in conflict, equivocal or superseded stays so (T4.18, R-10, T1.28, T4.27); a withdrawal ends in a
/// conflict alone (T4.29).
#[test]
fn s6_01_what_clears_a_reason() {
    // How often each code held before a step.
    let held: Vec<(&'static str, u64)> = HISTORY
        .iter()
        .chain(&LOCAL)
        .map(|code| (*code, 20))
        .collect();
    let mut presets = readable();
    presets.extend(named(&[
        "readiness",
        "readiness",
        "negotiation",
        "forks",
        "annotations",
    ]));
    Property::new("s6_01_what_clears_a_reason", presets, 350)
        .demand(&held)
        .demand(&[("cleared by facts", 100), ("withdrawal into conflict", 20)])
        .check(|trial| {
            let Some(mut log) = trial.read() else {
                return Ok(());
            };
            // By themselves few withdrawals get a rival.
            log.events.extend(rivals(&log));
            log.each_step(|step| {
                let said = step.before["messages"] == step.after["messages"];
                holds!(said || !step.is_fact(), "a fact changes a message");
                for (id, was) in map(step.before, "commitments") {
                    let is = &step.after["commitments"][id];
                    let (then, now) = (texts(&was["blocked_by"]), texts(&is["blocked_by"]));
                    for code in &then {
                        trial.counts.add(*code, 1);
                    }
                    let gone: BTreeSet<&str> = then.difference(&now).copied().collect();
                    let changed = |codes: &[&str]| {
                        then.symmetric_difference(&now).any(|it| codes.contains(it))
                    };
                    if step.is_fact() {
                        trial.counts.add("cleared by facts", gone.len());
                        holds!(
                            !changed(&HISTORY),
                            "a fact changes what blocks `{id}`: {then:?}, now {now:?}"
                        );
                        let mut rest = [was.clone(), is.clone()];
                        for it in &mut rest {
                            for field in ["blocked_by", "readiness", "annotations"] {
                                it[field] = Value::Null;
                            }
                        }
                        holds!(rest[0] == rest[1], "a fact changes `{id}`: {was}, now {is}");
                    } else {
                        holds!(
                            !changed(&LOCAL),
                            "a message changes a local reason of `{id}`: {then:?}, now {now:?}"
                        );
                    }
                    let kept = gone.iter().all(|code| !FOR_EVER.contains(code));
                    holds!(kept, "what holds for ever is gone: `{id}` {gone:?}");
                    if gone.contains("commitment_withdrawn") {
                        trial.counts.add("withdrawal into conflict", 1);
                        holds!(
                            now.contains("commitment_conflicted"),
                            "`{id}` is withdrawn no more: {now:?}"
                        );
                    }
                }
                Ok(())
            })
        });
}

/// For each commitment that its author withdrew, a second withdrawal beside all that went before.
fn rivals(log: &Read) -> Vec<Event<'static>> {
    let (state, _) = log.after(&log.events);
    let view = state.view();
    let withdrawn = view
        .commitments
        .iter()
        .filter(|(_, it)| it.blocked_by.contains(&Block::CommitmentWithdrawn));
    let rival = |(id, it): (&Id<'_>, &CommitmentView<'_>)| {
        let rival = json!({
            "tern": "0.1", "id": format!("{}:rival of {}", it.by, id.as_str()), "from": it.by, "to": ["all"],
            "thread": "rivals", "reply": null, "act": "REVISE",
            "body": {"target": id.as_str(), "previous": id.as_str(), "mode": "withdraw", "reason": "No.",
                "replacement": null, "impact": []},
        });
        let principal = log.context.principal_of(&it.by);
        Event::Deliver(Delivery::new(rival.to_string().into_bytes(), principal).into_owned())
    };
    withdrawn.map(rival).collect()
}

/// T4.12, T4.34, S5.04, S5.07, S5.03, T4.35: after a terminal progress comes no `none`; `active` or
/// `blocked` comes only when a REVISE of a REPORT or an equivocal id has unsettled it, by a REPORT that
/// is causally after a REVISE of one; and without any of these it stays as it is, or contradictory
/// REPORTs make it unresolved.
#[test]
fn t4_12_terminal_does_not_become_active() {
    let mut presets = readable();
    presets.extend(named(&["progress"; 6]));
    Property::new("t4_12_terminal_does_not_become_active", presets, 350)
        .demand(&[
            ("terminal before", 800),
            ("a REPORT accepted meanwhile", 80),
            ("to unresolved contradictory", 10),
            ("to unresolved invalidated", 10),
            ("to unresolved conflict", 5),
            ("reactivation attempts", 50),
        ])
        .check(|trial| {
            let Some(log) = trial.read() else {
                return Ok(());
            };
            let kept = Kept::of(&log);
            log.each_step(|step| {
                for (id, was) in map(step.before, "commitments") {
                    if was["progress"] != "fulfilled" && was["progress"] != "failed" {
                        continue;
                    }
                    let is = &step.after["commitments"][id];
                    trial.counts.add("terminal before", 1);
                    let more = texts(&is["reports"]).len() - texts(&was["reports"]).len();
                    trial.counts.add("a REPORT accepted meanwhile", more);
                    let attempts = texts(&is["reactivation_attempts"]).len();
                    trial.counts.add(
                        "reactivation attempts",
                        usize::from(more > 0 && attempts > 0),
                    );
                    let (then, now) = (
                        was["progress"].as_str().unwrap(),
                        is["progress"].as_str().unwrap(),
                    );
                    if then == now {
                        continue;
                    }
                    let cause = is["progress_cause"].as_str().unwrap_or_default();
                    let shown = format!("{now} {cause}");
                    let shown = shown.trim_end();
                    trial.counts.add(format!("to {shown}"), 1);
                    holds!(now != "none", "`{id}` was {then} and is none");
                    let unsettled = unsettling(step, &kept, &texts(&is["reports"]));
                    holds!(
                        !unsettled.is_empty() || cause == "contradictory",
                        "`{id}` was {then} and is {shown}, and nothing unsettled it"
                    );
                    if now == "active" || now == "blocked" {
                        let answers = |report: &&str| !kept.past(report).is_disjoint(&unsettled);
                        let fresh = texts(&is["reports"]).iter().any(answers);
                        holds!(
                            fresh,
                            "`{id}` was {then} and is {now} without a fresh REPORT"
                        );
                    }
                }
                Ok(())
            })
        });
}

/// What may have unsettled the progress of a commitment in a step: REVISEs of its REPORTs that were
/// accepted, and ids among these and those that became equivocal.
fn unsettling(step: &Step<'_>, kept: &Kept, reports: &BTreeSet<&str>) -> Ids {
    let revises = |id: &String| {
        let target = kept.first(id).filter(|it| it.act == "REVISE");
        target.is_some_and(|it| {
            it.body["target"]
                .as_str()
                .is_some_and(|it| reports.contains(it))
        })
    };
    let mut unsettling: Ids = step.newly_accepted().into_iter().filter(revises).collect();
    let (then, now) = (
        ids(&step.before["equivocal"]),
        ids(&step.after["equivocal"]),
    );
    let more = now.difference(&then);
    unsettling.extend(
        more.filter(|id| reports.contains(id.as_str()) || revises(id))
            .cloned(),
    );
    unsettling
}

/// S6.01, T5.02, T5.03, T8.06, S6.13, S6.14, S6.20: no message can make a local fact. Where there are
/// none, each promise lacks its authority and each of its conditions, nothing else that is local speaks
/// for or against it, so none is ready; nothing is to be reconciled.
#[test]
fn s6_01_messages_make_no_local_fact() {
    Property::new("s6_01_messages_make_no_local_fact", readable(), 200)
        .demand(&[
            ("no_authority", 50),
            ("grant_unknown", 100),
            ("condition_unconfirmed", 60),
            ("ready before", 10),
        ])
        .check(|trial| {
            let Some(log) = trial.read() else {
                return Ok(());
            };
            let (all, _) = log.after(&log.events);
            let ready = all.view().commitments.into_values();
            let ready = ready.filter(|it| it.blocked_by.is_empty()).count();
            trial.counts.add("ready before", ready);
            let said = log.events.iter().filter(|it| !matches!(it, Event::Fact(_)));
            let (state, _) = log.after(said);
            let kept = Kept::of(&log);
            let view = view(&state);
            holds!(
                view["reconcile"] == json!([]),
                "something is to be reconciled: {}",
                view["reconcile"]
            );
            for (id, commitment) in map(&view, "commitments") {
                let local: Ids = LOCAL.iter().map(|it| (*it).to_owned()).collect();
                let blocked_by = texts(&commitment["blocked_by"]);
                let shown = blocked_by.iter().copied().filter(|it| local.contains(*it));
                let body = &kept.first(id).unwrap().body;
                let mut expected = vec![if body["authority_ref"].is_null() {
                    "no_authority"
                } else {
                    "grant_unknown"
                }];
                if body["conditions"] != json!([]) {
                    expected.push("condition_unconfirmed");
                }
                for code in &expected {
                    trial.counts.add(*code, 1);
                }
                expected.sort_unstable();
                holds!(shown.eq(expected.iter().copied()), "`{id}`: {blocked_by:?}");
                holds!(
                    commitment["readiness"] == "blocked",
                    "`{id}` is ready by itself"
                );
            }
            Ok(())
        });
}

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
