//! The real `tern`, as its users call it. Every test names the clauses of `spec/clauses.toml` that
//! it checks. One binary, so that all share `common`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that fails should fail loudly"
)]

mod bare;
mod check;
mod common;
mod completions;
mod conform;
mod contexts;
mod diff;
mod durable;
mod engine;
mod explain;
mod explain_odd;
mod fmt;
mod gloss;
mod graph;
mod log;
mod new;
mod quotas;
mod run;
mod snapshots;
mod stores;
mod work;
