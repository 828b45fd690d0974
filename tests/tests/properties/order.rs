//! What order, repetition and refused deliveries change: nothing, but for what equivocation may.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tern_conformance::Mixer;
use tern_core::log::Delivery;
use tern_core::{Event, Limits, Verdict, wire};

use crate::harness::{Counts, Holds, Property, named, readable};
use crate::look::{Events, Ids, Kept, Read, code_of, holds, ids, is_refused, map, status, view};
use crate::rewrite::rewritten;

/// What is there to be disturbed.
fn count_view(counts: &mut Counts, view: &Value) {
    let conflicted = map(view, "chains")
        .values()
        .filter(|it| it["state"] == "conflicted");
    counts.add("conflicts", conflicted.count());
    counts.add("cycles", view["cycles"].as_array().unwrap().len());
    counts.add("commitments", map(view, "commitments").len());
    let messages = map(view, "messages").values();
    counts.add(
        "pending",
        messages
            .clone()
            .filter(|it| it["status"] == "pending")
            .count(),
    );
    counts.add(
        "rejected",
        messages.filter(|it| it["status"] == "rejected").count(),
    );
}

fn shuffled(events: &Events, dice: &mut Mixer) -> Events {
    let mut events = events.clone();
    dice.shuffle(&mut events);
    events
}

/// S3.03, S7.01, R-13, T4.18, T4.22: where nothing is equivocal, every order of deliveries and facts
/// gives the same view.
#[test]
fn s7_01_every_order_gives_the_same_view() {
    Property::new("s7_01_every_order_gives_the_same_view", readable(), 220)
        .demand(&[
            ("answered otherwise", 400),
            ("conflicts", 40),
            ("cycles", 20),
            ("commitments", 150),
            ("pending", 200),
            ("rejected", 60),
        ])
        .check(|trial| {
            let Some(log) = trial.read().map(|log| log.honest()) else {
                return Ok(());
            };
            let (state, outcomes) = log.after(&log.events);
            let here = state.view().to_canonical_json();
            count_view(trial.counts, &view(&state));
            let mut answers: Vec<&str> = outcomes.iter().map(|it| it.verdict.as_str()).collect();
            answers.sort_unstable();
            let mut orders: Vec<Events> = vec![log.events.iter().rev().cloned().collect()];
            orders.extend((0..4).map(|_| shuffled(&log.events, &mut trial.dice)));
            for order in &orders {
                let (there, outcomes) = log.after(order);
                let mut then: Vec<&str> = outcomes.iter().map(|it| it.verdict.as_str()).collect();
                then.sort_unstable();
                trial
                    .counts
                    .add("answered otherwise", usize::from(answers != then));
                holds!(
                    there.view().to_canonical_json() == here,
                    "another order gives another view:\n{}",
                    document(&log, order)
                );
            }
            Ok(())
        });
}

/// The events as a log document, for a failure.
fn document(log: &Read, events: &Events) -> String {
    let mut shown = tern_core::Log::new(log.context.clone());
    for event in events {
        shown.push(event.clone());
    }
    shown.to_document().unwrap_or_default()
}

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
                            // Rewritten bytes may have another fault first: nothing to compare.
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

/// S7.01, S3.03, S6.01: two receivers that saw disjoint parts, each in an order of its own, agree once
/// each has all; also when what they exchange comes twice.
#[test]
fn s7_01_parts_joined_agree() {
    Property::new("s7_01_parts_joined_agree", readable(), 220)
        .demand(&[
            ("parts that differ", 180),
            ("conflicts", 40),
            ("commitments", 150),
        ])
        .check(|trial| {
            let Some(log) = trial.read().map(|log| log.honest()) else {
                return Ok(());
            };
            let (mut left, mut right) = (Events::new(), Events::new());
            for event in shuffled(&log.events, &mut trial.dice) {
                let side = if trial.dice.below(2) == 0 {
                    &mut left
                } else {
                    &mut right
                };
                side.push(event);
            }
            let (whole, _) = log.after(&log.events);
            let differ = log.canonical(&left) != log.canonical(&right);
            trial.counts.add("parts that differ", usize::from(differ));
            count_view(trial.counts, &view(&whole));
            let whole = whole.view().to_canonical_json();
            let once = log.canonical(left.iter().chain(&right));
            holds!(once == whole, "left, then right, is not the whole");
            let back = log.canonical(right.iter().chain(&shuffled(&left, &mut trial.dice)));
            holds!(back == whole, "right, then left, is not the whole");
            let twice = log.canonical(left.iter().chain(&right).chain(&left).chain(&right));
            holds!(
                twice == whole,
                "an exchange of everything, twice, is not the whole"
            );
            Ok(())
        });
}

/// S6.01: facts form a set: all of them first, or last and backwards, the messages being in one order.
#[test]
fn s6_01_facts_come_whenever() {
    Property::new("s6_01_facts_come_whenever", readable(), 150)
        .demand(&[("facts", 300), ("equivocal", 20)])
        .check(|trial| {
            let Some(log) = trial.read() else {
                return Ok(());
            };
            let (state, _) = log.after(&log.events);
            let here = state.view().to_canonical_json();
            trial.counts.add("equivocal", state.view().equivocal.len());
            let (facts, said): (Events, Events) = log
                .events
                .iter()
                .cloned()
                .partition(|it| matches!(it, Event::Fact(_)));
            trial.counts.add("facts", facts.len());
            let first = log.canonical(facts.iter().chain(&said));
            holds!(first == here, "facts first give another view");
            let last = log.canonical(said.iter().chain(facts.iter().rev()));
            holds!(last == here, "facts last give another view");
            Ok(())
        });
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

/// S7.02, R-15, T1.28: receivers that keep the same versions, in whatever order these came, have the same
/// `equivocal` and the same statuses of untainted ids; a commitment that differs in status, chain, chain
/// of the request, progress or supersession is blocked or absent at each of them.
#[test]
fn s7_02_who_differs_is_blocked() {
    let mut presets = readable();
    presets.extend(named(&["equivocation"; 8]));
    Property::new("s7_02_who_differs_is_blocked", presets, 400)
        .demand(&[
            ("equivocal", 300),
            ("commitments that differ", 300),
            ("at one alone", 60),
            ("at both, in progress", 10),
            ("at both, in chain", 10),
            ("at both, in request chain", 5),
            ("at both, in supersession", 3),
        ])
        .check(|trial| {
            let Some(log) = trial.read() else {
                return Ok(());
            };
            let (here, _) = log.after(&log.events);
            let here = view(&here);
            let kept = Kept::of(&log);
            trial.counts.add("equivocal", map(&here, "equivocal").len());
            for _ in 0..3 {
                let other = Read {
                    context: log.context.clone(),
                    events: shuffled(&log.events, &mut trial.dice),
                };
                let (there, _) = other.after(&other.events);
                agree(&here, &kept, &view(&there), &Kept::of(&other), trial.counts)
                    .map_err(|reason| format!("{reason}\n{}", document(&log, &other.events)))?;
            }
            Ok(())
        });
}

/// R-15, S7.02: besides the set of what was kept, only the choice of the first versions matters: with
/// the same first versions every order gives the same view, equivocal as it may be.
#[test]
fn r_15_only_first_versions_matter() {
    let mut presets = readable();
    presets.extend(named(&["equivocation"; 8]));
    Property::new("r_15_only_first_versions_matter", presets, 250)
        .demand(&[
            ("equivocal", 200),
            ("put first", 150),
            ("another view if not", 50),
        ])
        .check(|trial| {
            let Some(log) = trial.read() else {
                return Ok(());
            };
            let (state, _) = log.after(&log.events);
            let here = state.view().to_canonical_json();
            let first: BTreeMap<String, String> = map(&view(&state), "messages")
                .iter()
                .map(|(id, it)| (id.clone(), it["digest"].as_str().unwrap().to_owned()))
                .collect();
            trial.counts.add("equivocal", state.view().equivocal.len());
            for _ in 0..3 {
                let mut events = shuffled(&log.events, &mut trial.dice);
                let free = log.canonical(&events) != here;
                put_first(&log, &mut events, &first, trial.counts);
                holds!(
                    log.canonical(&events) == here,
                    "the first versions are the same, the view is not:\n{}",
                    document(&log, &events)
                );
                trial.counts.add("another view if not", usize::from(free));
            }
            Ok(())
        });
}

/// Lets a delivery of the version that was first come before all other versions of its id.
fn put_first(
    log: &Read,
    events: &mut Events,
    first: &BTreeMap<String, String>,
    counts: &mut Counts,
) {
    let mut places: BTreeMap<String, Vec<(usize, String)>> = BTreeMap::new();
    let mut state = log.state();
    for (place, event) in events.iter().enumerate() {
        if let (Some(outcome), Event::Deliver(delivery)) = (state.apply(event), event)
            && !is_refused(&outcome)
        {
            let parsed = wire::read(&delivery.bytes, &Limits::default()).unwrap();
            let id = parsed.message.id.as_str().to_owned();
            let places = places.entry(id).or_default();
            places.push((place, parsed.digest.to_string()));
        }
    }
    for (id, places) in places {
        let (earliest, version) = &places[0];
        let found = places.iter().find(|(_, digest)| *digest == first[&id]);
        if *version != first[&id] {
            events.swap(*earliest, found.unwrap().0);
            counts.add("put first", 1);
        }
    }
}

fn agree(here: &Value, kept: &Kept, there: &Value, other: &Kept, counts: &mut Counts) -> Holds {
    holds!(
        here["equivocal"] == there["equivocal"],
        "`equivocal` differs"
    );
    let all = ids(&here["messages"]);
    holds!(all == ids(&there["messages"]), "the identified ids differ");
    let tainted = kept.tainted(ids(&here["equivocal"]));
    holds!(
        tainted == other.tainted(ids(&there["equivocal"])),
        "the taint differs"
    );
    for id in all.difference(&tainted) {
        let (here, there) = (&here["messages"][id], &there["messages"][id]);
        holds!(here == there, "untainted `{id}` is {here} | {there}");
    }
    let mut commitments = ids(&here["commitments"]);
    commitments.extend(ids(&there["commitments"]));
    for id in commitments {
        let (one, two) = (facts_of(here, &id), facts_of(there, &id));
        if one == two {
            continue;
        }
        counts.add("commitments that differ", 1);
        if [here, there]
            .iter()
            .all(|view| view["commitments"].get(&id).is_some())
        {
            for what in one.keys().filter(|what| one[*what] != two[*what]) {
                counts.add(format!("at both, in {what}"), 1);
            }
        } else {
            counts.add("at one alone", 1);
        }
        holds!(
            is_blocked_or_absent(here, &id) && is_blocked_or_absent(there, &id),
            "`{id}` differs and is not blocked: {one:?} | {two:?}"
        );
    }
    Ok(())
}

/// In what a commitment may differ only where it is blocked.
fn facts_of(view: &Value, id: &str) -> BTreeMap<&'static str, Value> {
    let commitment = &view["commitments"][id];
    let message = &view["messages"][id];
    let request = commitment["request"].as_str().unwrap_or_default();
    let progress = [
        "progress",
        "progress_cause",
        "candidates",
        "reactivation_attempts",
    ];
    let progress = progress.map(|field| commitment[field].clone());
    BTreeMap::from([
        ("status", json!([message["status"], message["act"]])),
        ("chain", view["chains"][id].clone()),
        ("request", commitment["request"].clone()),
        ("request chain", view["chains"][request].clone()),
        ("progress", json!(progress)),
        ("supersession", commitment["superseded_by"].clone()),
    ])
}

fn is_blocked_or_absent(view: &Value, id: &str) -> bool {
    let commitment = &view["commitments"][id];
    commitment.is_null() || commitment["readiness"] == "blocked"
}
