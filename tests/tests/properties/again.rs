//! What repetition and refused deliveries change: nothing.

use tern_conformance::Mixer;
use tern_core::log::Delivery;
use tern_core::{Event, Verdict};

use crate::harness::{Counts, Property, named, readable};
use crate::look::{Ids, code_of, holds, ids, is_refused, status, view};
use crate::rewrite::rewritten;

/// The same delivery, perhaps written in another way: R-02 makes it the same message.
fn again(event: &Event<'static>, dice: &mut Mixer, counts: &mut Counts) -> Event<'static> {
    if let Event::Deliver(delivery) = event
        && dice.below(2) == 0
        && let Some(bytes) = rewritten(&delivery.bytes, dice)
    {
        counts.add("rewritten", usize::from(bytes != *delivery.bytes));
        let delivery = Delivery::new(bytes, delivery.principal.as_deref());
        return Event::Deliver(delivery.into_owned());
    }
    event.clone()
}

/// T1.27, T1.28, S2.13, T8.04, S6.01, R-15: what is delivered or known again, at once or later, changes
/// nothing. It is answered `duplicate` if the id took that content first, `id_conflict` if it took
/// another, and as before if it was refused.
#[test]
fn t1_27_delivering_again_changes_nothing() {
    Property::new("t1_27_delivering_again_changes_nothing", readable(), 220)
        .demand(&[
            ("duplicate", 500),
            ("id_conflict", 60),
            ("refused again", 60),
            ("facts", 200),
            ("rewritten", 300),
            ("of pending", 50),
            ("of rejected", 30),
        ])
        .check(|trial| {
            let Some(log) = trial.read() else {
                return Ok(());
            };
            let (mut state, expected) = (log.state(), log.canonical(&log.events));
            let mut seen: Vec<(usize, Option<tern_core::Outcome>)> = Vec::new();
            for (index, event) in log.events.iter().enumerate() {
                seen.push((index, state.apply(event)));
                for _ in 0..2 {
                    let (earlier, first) = &seen[trial.dice.below(seen.len())];
                    let event = again(&log.events[*earlier], &mut trial.dice, trial.counts);
                    let before = state.view().to_canonical_json();
                    let outcome = state.apply(&event);
                    let now = state.view().to_canonical_json();
                    holds!(
                        now == before,
                        "event {} again changes the view",
                        earlier + 1
                    );
                    let (Some(first), Some(outcome)) = (first, outcome) else {
                        trial.counts.add("facts", 1);
                        continue;
                    };
                    holds!(
                        outcome.released.is_empty(),
                        "a repetition settles something"
                    );
                    let answer = outcome.verdict.as_str();
                    let fits = match &first.verdict {
                        Verdict::IdConflict(_) => answer == "id_conflict",
                        Verdict::Rejected(_) if is_refused(first) => {
                            trial.counts.add("refused again", 1);
                            // Written otherwise, too: of several codes the core gives the first in the
                            // order of the rules, not of the text.
                            is_refused(&outcome) && code_of(&outcome) == code_of(first)
                        }
                        _ => answer == "duplicate",
                    };
                    holds!(fits, "event {} again is answered {answer}", earlier + 1);
                    trial.counts.add(answer, 1);
                    let status = first.id.as_deref().map_or("", |id| status_of(&state, id));
                    trial
                        .counts
                        .add(format!("of {status}"), usize::from(answer == "duplicate"));
                }
            }
            holds!(
                state.view().to_canonical_json() == expected,
                "the view at the end differs from that without repetitions"
            );
            Ok(())
        });
}

fn status_of(state: &tern_core::State, id: &str) -> &'static str {
    match status(&view(state), id) {
        "accepted" => "accepted",
        "pending" => "pending",
        "rejected" => "rejected",
        _ => "unknown",
    }
}

/// R-01, T1.16, T1.22, T8.01: what stages 1 to 4 refuse changes nothing when it comes, takes no id, and
/// could as well never have come.
#[test]
fn r_01_what_is_refused_leaves_no_trace() {
    let mut presets = readable();
    presets.extend(named(&["bytes"; 4]));
    Property::new("r_01_what_is_refused_leaves_no_trace", presets, 300)
        .demand(&[
            ("syntax", 100),
            ("version", 5),
            ("shape", 60),
            ("identity", 10),
            ("later kept", 4),
        ])
        .check(|trial| {
            let Some(log) = trial.read() else {
                return Ok(());
            };
            let mut kept = Vec::new();
            let mut refused = Ids::new();
            let mut answers = Vec::new();
            log.each_step(|step| {
                let Some(outcome) = step.outcome.filter(|it| is_refused(it)) else {
                    kept.push(step.event.clone());
                    answers.extend(step.outcome.cloned());
                    return Ok(());
                };
                let class = code_of(outcome).unwrap().class();
                trial.counts.add(class.as_str(), 1);
                holds!(
                    step.before == step.after,
                    "a refused delivery changes the view"
                );
                holds!(
                    outcome.released.is_empty(),
                    "a refused delivery settles something"
                );
                refused.extend(outcome.id.clone());
                Ok(())
            })?;
            let (state, outcomes) = log.after(&kept);
            holds!(
                outcomes == answers,
                "without what is refused, the rest is answered otherwise"
            );
            holds!(
                state.view().to_canonical_json() == log.canonical(&log.events),
                "without what is refused, the view is another one"
            );
            let known = ids(&view(&state)["messages"]);
            trial
                .counts
                .add("later kept", refused.intersection(&known).count());
            Ok(())
        });
}
