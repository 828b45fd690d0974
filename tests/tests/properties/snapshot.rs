//! A state that was a snapshot in between.

use std::collections::BTreeSet;

use tern_conformance::vector;
use tern_core::{Event, HashKey, Limits, Log, State, Verdict};
use tern_tests::same::{difference, references};
use tern_tests::shared_out;

use crate::harness::{Counts, Property, readable};
use crate::look::{Read, code_of, holds};

/// S7.01, S2.14, S3.02, R-04: a state that was written down and made again after any event goes on as the
/// one that was not: outcomes with their sentences and what they release, in its order, quotas, both views,
/// explanations, and the next snapshot.
#[test]
fn s7_01_a_snapshot_goes_on_as_the_state() {
    Property::new("s7_01_a_snapshot_goes_on_as_the_state", readable(), 300)
        .demand(&[
            ("cuts", 800),
            ("every cut of a short log", 25),
            ("waiting at the cut", 1500),
            ("equivocal at the cut", 150),
            ("conflicted at the cut", 100),
            ("started at the cut", 80),
            ("released after the cut", 1000),
            ("several released at once", 120),
            ("duplicates after the cut", 120),
            ("id_conflicts after the cut", 250),
            ("refused by a quota after the cut", 800),
            ("rejected after the cut", 1200),
        ])
        .check(|trial| {
            let Some(log) = trial.read() else {
                return Ok(());
            };
            let text = String::from_utf8_lossy(&trial.document()).into_owned();
            let mentioned = references(&text);
            let mut limits = Limits::default();
            if trial.dice.below(3) == 0 {
                limits.max_pending = 4;
                limits.max_pending_per_sender = 2;
                limits.max_versions = 2;
            }
            let length = log.events.len();
            let cuts: BTreeSet<usize> = if length <= 12 {
                trial.counts.add("every cut of a short log", 1);
                (0..=length).collect()
            } else {
                (0..4).map(|_| trial.dice.below(length + 1)).collect()
            };
            for cut in cuts {
                let key = HashKey(trial.dice.number(), trial.dice.number());
                goes_on(&log, &limits, key, cut, &mentioned, trial.counts)
                    .map_err(|why| format!("{why}, with a snapshot after {cut} events"))?;
            }
            Ok(())
        });
}

fn goes_on(
    log: &Read,
    limits: &Limits,
    key: HashKey,
    cut: usize,
    mentioned: &BTreeSet<String>,
    counts: &mut Counts,
) -> Result<(), String> {
    let (before, after) = log.events.split_at(cut);
    let mut state = State::new(log.context.clone(), *limits);
    for event in before {
        state.apply(event);
    }
    let bytes = state.snapshot();
    let mut again = State::restore(&bytes, log.context.clone(), *limits, key)
        .map_err(|error| format!("{}: {error}", error.as_str()))?;
    holds!(again.snapshot() == bytes, "another snapshot of the same");
    if let Some(what) = difference(&state, &again, mentioned) {
        return Err(format!("{what}: at once"));
    }
    count_state(&state, before, counts);
    for (index, event) in after.iter().enumerate() {
        let (outcome, other) = (state.apply(event), again.apply(event));
        holds!(
            outcome == other,
            "event {} was answered {outcome:?}, and {other:?} after the snapshot",
            cut + index + 1
        );
        let Some(outcome) = outcome else {
            continue;
        };
        let released = outcome.released.len();
        counts.add("released after the cut", released);
        counts.add("several released at once", usize::from(released > 1));
        let code = code_of(&outcome);
        match &outcome.verdict {
            Verdict::Duplicate => counts.add("duplicates after the cut", 1),
            Verdict::IdConflict(_) => counts.add("id_conflicts after the cut", 1),
            Verdict::Rejected(_) => counts.add("rejected after the cut", 1),
            Verdict::Accepted | Verdict::Pending { .. } => {}
        }
        if code.is_some_and(|code| code.class() == tern_core::Class::Limit) {
            counts.add("refused by a quota after the cut", 1);
        }
    }
    if let Some(what) = difference(&state, &again, mentioned) {
        return Err(format!("{what}: at the end"));
    }
    holds!(
        state.snapshot() == again.snapshot(),
        "another snapshot at the end"
    );
    Ok(())
}

fn count_state(state: &State, before: &[Event<'static>], counts: &mut Counts) {
    let view = state.view();
    counts.add("cuts", 1);
    counts.add("events before the cut", before.len());
    counts.add("waiting at the cut", state.pending());
    counts.add("equivocal at the cut", view.equivocal.len());
    let conflicted = |it: &&tern_core::view::ChainView<'_>| !it.competing.is_empty();
    counts.add(
        "conflicted at the cut",
        view.chains.values().filter(conflicted).count(),
    );
    counts.add("started at the cut", view.reconcile.len());
}

/// S7.01: the same at every cut of every scenario of the test vectors.
#[test]
fn s7_01_a_snapshot_at_every_cut_of_every_vector() {
    let vectors = vector::all().unwrap().into_iter();
    let documents: Vec<(String, Vec<u8>)> = vectors
        .flat_map(|(_, file)| file.vectors)
        .map(|it| {
            (
                it.id.clone(),
                it.document(&(0..it.log.len()).collect::<Vec<_>>()),
            )
        })
        .collect();
    let found = shared_out(|share, shares| {
        let (mut cuts, mut wrong) = (0, Vec::new());
        for (id, document) in documents.iter().skip(share).step_by(shares) {
            let Ok(log) = Log::read(document) else {
                continue;
            };
            let log = Read {
                context: log.context().clone(),
                events: log.events().to_vec(),
            };
            let mentioned = references(&String::from_utf8_lossy(document));
            // Of the few that are long some cuts, always the last.
            let step = 1 + log.events.len() / 20;
            for cut in (0..=log.events.len()).rev().step_by(step) {
                cuts += 1;
                let counts = &mut Counts::default();
                let key = HashKey(1, 2);
                let limits = Limits::default();
                if let Err(why) = goes_on(&log, &limits, key, cut, &mentioned, counts) {
                    wrong.push(format!("{id}, after {cut} events: {why}"));
                }
            }
        }
        (cuts, wrong)
    });
    let (cuts, wrong): (Vec<usize>, Vec<Vec<String>>) = found.into_iter().unzip();
    let (cuts, wrong) = (cuts.iter().sum::<usize>(), wrong.concat());
    println!("{} vectors, {cuts} cuts", documents.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(cuts > 10_000);
}
