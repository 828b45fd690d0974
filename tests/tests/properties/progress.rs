//! How the progress of a promise goes on.

use std::collections::BTreeSet;

use crate::harness::{Property, named, readable};
use crate::look::{Ids, Kept, Step, holds, ids, map, texts};

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
            let kept = log.kept();
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
