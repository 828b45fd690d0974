//! What order changes where ids are equivocal: no more than S7.02 and R-15 allow.

use std::collections::BTreeMap;

use serde_json::Value;
use tern_core::{Event, Limits, wire};
use tern_tests::views;

use crate::harness::{Counts, Holds, Property, named, readable};
use crate::look::{Events, Kept, Read, holds, ids, is_refused, map, view};
use crate::order::{document, shuffled};

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
            let kept = log.kept();
            trial.counts.add("equivocal", map(&here, "equivocal").len());
            for _ in 0..3 {
                let other = Read {
                    context: log.context.clone(),
                    events: shuffled(&log.events, &mut trial.dice),
                };
                let (there, _) = other.after(&other.events);
                agree(&here, &kept, &view(&there), &other.kept(), trial.counts)
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
    let tainted = kept.tainted(ids(&here["equivocal"]));
    holds!(
        tainted == other.tainted(ids(&there["equivocal"])),
        "the taint differs"
    );
    for apart in views::agree(here, there, &tainted)? {
        counts.add("commitments that differ", 1);
        counts.add("at one alone", usize::from(!apart.at_both));
        for what in apart.what.iter().filter(|_| apart.at_both) {
            counts.add(format!("at both, in {what}"), 1);
        }
    }
    Ok(())
}
