//! The properties: what holds of every log, tried on generated ones.
//!
//! Each property is one test, named after its rule. Runs are the same every time; `TERN_SEED=n` makes
//! others, `TERN_CASES=x` multiplies their number, and `--nocapture` shows what they held. A run that
//! held too little fails. A property that fails prints the smallest log found, and how to run it again
//! (`replay`). What was found becomes a test by hand, so nothing else is written down.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test says so by failing"
)]

mod again;
mod agreement;
mod algebra;
mod durable;
mod equivocal;
mod harness;
mod history;
mod look;
mod order;
mod parties;
mod progress;
mod quotas;
mod reading;
mod reasons;
mod replay;
mod rewrite;
mod snapshot;
mod tree;
