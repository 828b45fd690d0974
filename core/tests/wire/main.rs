//! The reader of `tern-core`, stages 1 to 3: bytes to a typed message. Every test names the clauses
//! of `spec/clauses.toml` that it checks.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that fails should fail loudly"
)]

mod acts;
mod agreement;
mod canonical;
mod findings;
mod limits;
mod numbers;
mod samples;
mod shape;
mod suites;
mod support;
mod syntax;
mod time;
mod values;
