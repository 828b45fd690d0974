//! What makes and clears the reasons that block a promise.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tern_core::log::Delivery;
use tern_core::view::{CommitmentView, Id};
use tern_core::{Block, Event};

use crate::harness::{Property, named, readable};
use crate::look::{Ids, Read, holds, map, texts, view};

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
            let kept = log.kept();
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
