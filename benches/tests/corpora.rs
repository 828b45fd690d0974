//! The corpora are what they claim to be: a bench of something else measures nothing.

use std::collections::BTreeMap;

use tern_benches::hostile::{self, Target};
use tern_benches::{Corpus, mixed};
use tern_core::{Limits, State};

fn outcomes(corpus: Corpus) -> (State, BTreeMap<&'static str, usize>) {
    let mut state = State::new(corpus.context(), Limits::default());
    let mut counts = BTreeMap::new();
    for event in corpus.events() {
        if let Some(outcome) = state.apply(&event) {
            *counts.entry(outcome.verdict.as_str()).or_default() += 1;
        }
    }
    (state, counts)
}

#[test]
fn a_seed_decides_every_byte() {
    let lines = |seed| mixed(seed, 2_000).document().collect::<Vec<_>>();
    assert_eq!(lines(7), lines(7));
    assert_ne!(lines(7), lines(8));
    assert_eq!(mixed(7, 2_000).bare().count(), 2_000);
}

#[test]
fn mixed_work_is_mostly_valid_with_every_kind_of_mishap() {
    let (state, counts) = outcomes(mixed(7, 20_000));
    let of = |outcome| counts.get(outcome).copied().unwrap_or(0);
    assert!(of("accepted") > 18_000, "{counts:?}");
    for mishap in ["pending", "duplicate", "id_conflict", "rejected"] {
        assert!((20..1_000).contains(&of(mishap)), "{counts:?}");
    }
    // No cascade: what waits for ever takes few along.
    assert!(state.pending() < 200, "{}", state.pending());
    let view = state.view();
    let acts: std::collections::BTreeSet<_> = view
        .messages
        .values()
        .map(|message| message.act.as_str())
        .collect();
    assert_eq!(acts.len(), 10);

    let bytes: usize = mixed(7, 20_000).bare().map(|line| line.len()).sum();
    assert!((850..920).contains(&(bytes / 20_000)), "{}", bytes / 20_000);
}

#[test]
fn waiting_messages_stay_within_the_quotas_and_are_all_released() {
    let (state, counts) = outcomes(hostile::waiting(30_000));
    assert_eq!(counts, [("accepted", 1), ("pending", 30_000)].into());
    assert_eq!(state.pending(), 0);
}

#[test]
fn forks_and_hubs_are_accepted() {
    for target in [Target::Tell, Target::Report, Target::Commit] {
        let (state, _) = outcomes(hostile::fork(target, 50));
        let chain = state.chain(hostile::target_id(target));
        assert_eq!(chain.map(|chain| chain.competing.len()), Some(50));
    }
    let (_, counts) = outcomes(hostile::hubs(50));
    assert_eq!(counts, [("accepted", 153)].into());
    let (_, counts) = outcomes(hostile::strangers_revisions(50));
    assert_eq!(counts, [("accepted", 51), ("rejected", 50)].into());
    let (state, _) = outcomes(hostile::cycle(50));
    assert_eq!(
        state.view().cycles.iter().map(Vec::len).collect::<Vec<_>>(),
        [50]
    );
}
