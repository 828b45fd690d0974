//! The worked examples: each has its expected view beside it, and reaches it in every order.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    reason = "tests"
)]

use std::fs;

use tern_conformance::Mixer;
use tern_core::{Event, Limits, Log, State};
use tern_tests::{EXAMPLES, outside_data, root};

fn example(name: &str) -> Log {
    Log::read(tern_tests::example(name).as_bytes()).unwrap()
}

fn expected(name: &str) -> String {
    let path = root().join("examples").join(format!("{name}.view.json"));
    fs::read_to_string(path).unwrap()
}

fn view_of<'e>(log: &Log, events: impl IntoIterator<Item = &'e Event<'static>>) -> String {
    let mut state = State::new(log.context().clone(), Limits::default());
    for event in events {
        state.apply(event);
    }
    state.view().to_canonical_json()
}

/// Every permutation of a list (Heap's algorithm).
fn permutations<T: Copy>(list: &mut [T], size: usize, each: &mut impl FnMut(&[T])) {
    if size <= 1 {
        return each(list);
    }
    for index in 0..size {
        permutations(list, size - 1, each);
        let other = if size.is_multiple_of(2) { index } else { 0 };
        list.swap(other, size - 1);
    }
}

/// S7.01: the expected view, byte for byte.
#[test]
fn s7_01_every_example_has_its_expected_view() {
    for name in EXAMPLES {
        let log = example(name);
        let view = view_of(&log, log.events());
        assert_eq!(format!("{view}\n"), expected(name), "{name}");
    }
}

/// S3.03, S6.01, T4.18: the view does not depend on the order of deliveries, nor on where local
/// facts stand between them; T1.27: duplicates mixed in change nothing.
#[test]
fn s3_03_every_order_of_every_example_ends_alike() {
    let mut shuffle = Mixer::new(0x7E47);
    for name in EXAMPLES {
        let log = example(name);
        let expected = expected(name);
        let (deliveries, facts): (Vec<&Event<'_>>, Vec<&Event<'_>>) = log
            .events()
            .iter()
            .partition(|event| matches!(event, Event::Deliver(_)));
        let mut orders = 0_u32;
        let mut check = |order: &[&Event<'static>]| {
            let mut events: Vec<&Event<'static>> = order.to_vec();
            for fact in &facts {
                events.insert(shuffle.below(events.len() + 1), fact);
            }
            // A duplicate of any delivery, anywhere after it.
            let repeated = shuffle.below(events.len());
            if matches!(events[repeated], Event::Deliver(_)) {
                let place = repeated + 1 + shuffle.below(events.len() - repeated);
                events.insert(place, events[repeated]);
            }
            let view = view_of(&log, events.iter().copied());
            assert_eq!(
                format!("{view}\n"),
                expected,
                "{name} in the order {events:#?}"
            );
            orders += 1;
        };
        let mut order = deliveries.clone();
        if order.len() <= 7 {
            let size = order.len();
            permutations(&mut order, size, &mut check);
        } else {
            let mut shuffle = Mixer::new(0x5EED);
            for _ in 0..10_000 {
                shuffle.shuffle(&mut order);
                check(&order);
            }
        }
        println!(
            "{name}: {} deliveries, {} facts, {orders} orders",
            deliveries.len(),
            facts.len()
        );
    }
}

/// S7.02 and R-15 do not touch these: no example equivocates, so order is free in all of them.
#[test]
fn r_15_no_example_is_equivocal() {
    for name in EXAMPLES {
        let (state, _) = example(name).state_at(usize::MAX, &Limits::default());
        assert!(state.view().equivocal.is_empty(), "{name}");
    }
}

/// T6.01, T6.02: the exchange that the specification shows is accepted as a whole, its last ACK
/// completes nothing and its promise stays blocked.
#[test]
fn t6_01_the_worked_exchange_of_the_specification() {
    let Some(path) = outside_data("tern/worked-exchange.jsonl") else {
        return;
    };
    let log = Log::read(&fs::read(path).unwrap()).unwrap();
    let (state, outcomes) = log.state_at(usize::MAX, &Limits::default());
    assert!(
        outcomes
            .iter()
            .all(|outcome| outcome.verdict.as_str() == "accepted")
    );
    let promise = state.commitment("reviewer:1").unwrap();
    assert_eq!(promise.progress, tern_core::Progress::Blocked);
    assert!(
        promise
            .blocked_by
            .contains(&tern_core::Block::ReportedBlocked)
    );

    let mut order: Vec<&Event<'_>> = log.events().iter().collect();
    let expected = view_of(&log, log.events());
    let size = order.len();
    permutations(&mut order, size, &mut |order| {
        assert_eq!(view_of(&log, order.iter().copied()), expected);
    });
}

/// T6.01: the messages of the archive are accepted.
#[test]
fn t6_01_the_archive_is_accepted() {
    let Some(path) = outside_data("tern/archive.jsonl") else {
        return;
    };
    let log = Log::read(&fs::read(path).unwrap()).unwrap();
    let (_, outcomes) = log.state_at(usize::MAX, &Limits::default());
    assert_eq!(outcomes.len(), 3);
    assert!(
        outcomes
            .iter()
            .all(|outcome| outcome.verdict.as_str() == "accepted")
    );
}
