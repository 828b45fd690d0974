//! A fault that is planted in the core is found by the model, whichever it is.
//!
//! `cargo test -p tern-tests --features planted-faults --test planted -- --nocapture` prints for each
//! fault how long it took and the smallest log that shows it.
#![allow(clippy::panic, clippy::unwrap_used, missing_docs, reason = "tests")]

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use tern_conformance::engine::{Core, Model};
use tern_conformance::hunt::{hunt, series};
use tern_conformance::{Ask, Census};
use tern_core::planted::{Fault, plant};
use tern_core::wire::{Json, JsonOptions};
use tern_core::{Limits, Log};

/// What is planted holds for the whole process, so the tests take turns.
static TURN: Mutex<()> = Mutex::new(());

/// Under each preset. Most faults are found by the first.
const SEEDS: u64 = 400;

/// T4.18, R-13, T1.28, R-02, S3.02, T4.13, T4.12, T4.29, R-10, R-01, R-15, S3.01, S3.08, T4.02,
/// S5.11: each planted fault breaks one of these, and the model notices.
#[test]
fn every_planted_fault_is_found() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    assert_eq!(Fault::ALL.len(), 15);
    for fault in Fault::ALL {
        plant(Some(fault));
        let start = Instant::now();
        let mut census = Census::new();
        let (mut core, mut model) = (Core::default(), Model::default());
        let found = hunt(
            &mut core,
            &mut model,
            Ask::ViewAfterEach,
            series(0..SEEDS),
            &mut census,
        )
        .unwrap();
        plant(None);
        let Some(found) = found else {
            panic!("`{}` was not found", fault.name());
        };
        println!(
            "{} ({}), {:.1?}: {found}\n",
            fault.name(),
            fault.clause(),
            start.elapsed()
        );
        // A refused delivery, context and facts included, no fault needs more.
        assert!(
            found.smallest.lines().len() <= 10,
            "the log could be smaller"
        );
        let whole = found.smallest.document();
        let agree =
            tern_conformance::differ::compare(&mut core, &mut model, &whole, Ask::ViewAfterEach);
        assert_eq!(agree.unwrap(), None, "without the fault they agree");
    }
}

/// T1.34: whatever is planted, nothing included, every call ends and none panics.
#[test]
fn faults_leave_the_core_total() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut logs, mut ids) = (0, 0);
    for scenario in series(0..8) {
        let Ok(log) = Log::read(&scenario.document()) else {
            continue;
        };
        logs += 1;
        for fault in Fault::ALL.into_iter().map(Some).chain([None]) {
            plant(fault);
            let (state, _) = log.state_at(usize::MAX, &Limits::default());
            let view = state.view();
            for id in view.messages.keys() {
                assert!(
                    state.explain(id.as_str()).is_some(),
                    "{fault:?}, {scenario}"
                );
                let _follow = state.to_follow(id.as_str());
                ids += 1;
            }
            let canonical = view.to_canonical_json();
            let read = Json::read(canonical.as_bytes(), JsonOptions::STRICT);
            assert!(read.is_ok(), "{fault:?}, {scenario}");
        }
    }
    plant(None);
    println!("{logs} logs, {ids} explanations");
    assert!(logs >= 100 && ids >= 10_000);
}
