//! A fault that is planted in the core is found by the model, whichever it is.
//!
//! `cargo test -p tern-tests --features planted-faults --test planted -- --nocapture` prints for each
//! fault how long it took and the smallest log that shows it.
#![allow(clippy::panic, clippy::unwrap_used, missing_docs, reason = "tests")]

use std::time::Instant;

use tern_conformance::Census;
use tern_conformance::engine::{Core, Model};
use tern_conformance::hunt::{hunt, series};
use tern_core::planted::{Fault, plant};

/// Under each preset. Most faults are found by the first.
const SEEDS: u64 = 400;

/// T4.18, R-13, T1.28, R-02, S3.02, T4.13, T4.12, T4.29, R-10, R-01, R-15, S3.01, S3.08, T4.02,
/// S5.11: each planted fault breaks one of these, and the model notices.
#[test]
fn every_planted_fault_is_found() {
    assert_eq!(Fault::ALL.len(), 15);
    for fault in Fault::ALL {
        plant(Some(fault));
        let start = Instant::now();
        let mut census = Census::new();
        let (mut core, mut model) = (Core::default(), Model::default());
        let found = hunt(&mut core, &mut model, series(0..SEEDS), &mut census).unwrap();
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
        let whole = found.smallest.join(&b'\n');
        let agree = tern_conformance::differ::compare(
            &mut core,
            &mut model,
            &whole,
            tern_conformance::Ask::ViewAfterEach,
        );
        assert_eq!(agree.unwrap(), None, "without the fault they agree");
    }
}
