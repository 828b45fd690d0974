//! What one participant can do to the promise of another.

use serde_json::Value;

use crate::harness::{Holds, Property, readable};
use crate::look::{Events, Ids, Kept, holds, ids, map, said, status, texts, view};
use crate::reasons::LOCAL;

/// What of a commitment its author alone makes: its terms (the original body, S5.11), and how far it is
/// (the accepted REPORTs and their revisions, which nobody else can send, T2.07, T4.13), with what its
/// author's later words made of it.
const OWN: [&str; 11] = [
    "request",
    "by",
    "requester",
    "due",
    "progress",
    "progress_cause",
    "candidates",
    "reports",
    "reactivation_attempts",
    "offers",
    "superseded_by",
];

/// The terms and the progress of a commitment, and its chain, whose content is what was offered last.
fn own(view: &Value, id: &str) -> Vec<Value> {
    let commitment = &view["commitments"][id];
    let mut own: Vec<Value> = OWN.iter().map(|field| commitment[*field].clone()).collect();
    own.push(view["chains"][id].clone());
    // Action, conditions and authority show in what local facts are wanting.
    let blocked_by = texts(&commitment["blocked_by"]);
    let wanting = LOCAL.iter().filter(|code| blocked_by.contains(*code));
    own.push(wanting.copied().collect());
    own.push(
        texts(&commitment["annotations"])
            .contains("withdrawn")
            .into(),
    );
    own
}

/// T2.12, T2.07, T4.13, T4.23, T4.27, T4.38, S5.01, S5.11, R-14: without equivocation, what others say
/// changes neither the terms nor the progress of a commitment, except by being what its author refers
/// to. So:
///
/// Take the messages of its author, and everything that is causally before one of them. Without all
/// other messages of anybody else the commitment has the same terms, progress, reports, offers, chain
/// and successors. What others do change shows in what disputes it and in what blocks it.
///
/// And step by step: a delivery that settles no message of the author changes none of this, whoever
/// sent it, unless the author did.
#[test]
fn t2_12_others_change_no_promise() {
    Property::new("t2_12_others_change_no_promise", readable(), 250)
        .demand(&[
            ("commitments", 200),
            ("messages taken away", 400),
            ("commitments that others touch", 60),
            ("with reports", 80),
            ("steps of others", 2000),
        ])
        .check(|trial| {
            let Some(log) = trial.read().map(|log| log.honest()) else {
                return Ok(());
            };
            let kept = log.kept();
            let whole = view(&log.after(&log.events).0);
            for (id, commitment) in map(&whole, "commitments") {
                let author = commitment["by"].as_str().unwrap();
                let needed = needed(&kept, author);
                let rest: Events = log
                    .events
                    .iter()
                    .filter(|event| said(event).is_none_or(|(id, _)| needed.contains(&id)))
                    .cloned()
                    .collect();
                trial.counts.add("commitments", 1);
                trial.counts.add(
                    "with reports",
                    usize::from(!texts(&commitment["reports"]).is_empty()),
                );
                trial
                    .counts
                    .add("messages taken away", log.events.len() - rest.len());
                let alone = view(&log.after(&rest).0);
                let touched = *commitment != alone["commitments"][id];
                trial
                    .counts
                    .add("commitments that others touch", usize::from(touched));
                let (with, without) = (own(&whole, id), own(&alone, id));
                holds!(
                    with == without,
                    "`{id}` with what others say: {with:?}, without: {without:?}"
                );
            }
            log.each_step(|step| {
                let sender = said(step.event).map(|(_, version)| version.from);
                for (id, was) in map(step.before, "commitments") {
                    let author = was["by"].as_str();
                    if sender.is_none() || sender.as_deref() == author {
                        continue;
                    }
                    let settles = ids(&step.after["messages"]).into_iter().any(|it| {
                        kept.first(&it).map(|it| it.from.as_str()) == author
                            && status(step.before, &it) != status(step.after, &it)
                    });
                    if settles {
                        continue;
                    }
                    trial.counts.add("steps of others", 1);
                    let (then, now) = (own(step.before, id), own(step.after, id));
                    holds!(
                        then == now,
                        "somebody else changed `{id}`: {then:?}, now {now:?}"
                    );
                }
                Ok(())
            })
        });
}

/// The messages of an author, and what they rest on.
fn needed(kept: &Kept, author: &str) -> Ids {
    let mut needed = Ids::new();
    for (id, versions) in &kept.0 {
        if versions[0].from == author && needed.insert(id.clone()) {
            needed.extend(kept.past(id));
        }
    }
    needed
}

/// S5.12, T2.11, T2.12, T8.05, T4.01, T4.30: nothing but an accepted COMMIT makes a commitment, each
/// accepted one makes one, whatever becomes of it, and it is its sender's. Without the COMMITs nobody
/// has promised anything.
#[test]
fn s5_12_only_a_commit_promises() {
    Property::new("s5_12_only_a_commit_promises", readable(), 250)
        .demand(&[
            ("commitments", 3000),
            ("withdrawn", 60),
            ("accepted without COMMITs", 600),
            ("revisions of COMMITs left", 10),
        ])
        .check(|trial| {
            let Some(log) = trial.read() else {
                return Ok(());
            };
            let check = |view: &Value| -> Holds {
                let promised = ids(&view["commitments"]);
                let said = map(view, "messages").iter();
                let accepted: Ids = said
                    .filter(|(_, it)| it["act"] == "COMMIT" && it["status"] == "accepted")
                    .map(|(id, _)| id.clone())
                    .collect();
                holds!(
                    promised == accepted,
                    "commitments {promised:?}, COMMITs {accepted:?}"
                );
                for (id, commitment) in map(view, "commitments") {
                    let by = commitment["by"].as_str();
                    let own =
                        by == view["messages"][id]["from"].as_str() && by == id.split(':').next();
                    holds!(own, "`{id}` is by {by:?}");
                }
                Ok(())
            };
            log.each_step(|step| {
                let commitments = map(step.after, "commitments");
                trial.counts.add("commitments", commitments.len());
                let withdrawn = commitments
                    .values()
                    .filter(|it| texts(&it["annotations"]).contains("withdrawn"));
                trial.counts.add("withdrawn", withdrawn.count());
                check(step.after)
            })?;
            let is_commit = |event: &tern_core::Event<'static>| {
                said(event).is_some_and(|(_, it)| it.act == "COMMIT")
            };
            let rest: Events = log
                .events
                .iter()
                .filter(|event| !is_commit(event))
                .cloned()
                .collect();
            let view = view(&log.after(&rest).0);
            holds!(
                ids(&view["commitments"]).is_empty(),
                "promised without a COMMIT: {}",
                view["commitments"]
            );
            let accepted = map(&view, "messages")
                .values()
                .filter(|it| it["status"] == "accepted");
            trial
                .counts
                .add("accepted without COMMITs", accepted.count());
            let kept = log.kept();
            let commits = |target: &str| kept.first(target).is_some_and(|it| it.act == "COMMIT");
            let left = ids(&view["messages"]).into_iter().filter(|id| {
                let target = kept.first(id).and_then(|it| it.body["target"].as_str());
                target.is_some_and(commits)
            });
            trial.counts.add("revisions of COMMITs left", left.count());
            Ok(())
        });
}
