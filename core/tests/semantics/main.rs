//! Stages 4 to 6 and everything derived, of `tern-core`: each rule, where it holds and where it does
//! not. Every test names the clauses of `spec/clauses.toml` that it checks.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that fails should fail loudly"
)]

#[path = "../common/mod.rs"]
mod common;

mod annotations;
mod authority;
mod bare;
mod chains;
mod conditions;
mod document;
mod document_errors;
mod equivocation;
mod evidence;
mod follow;
mod gating;
mod meaning;
mod progress;
mod queries;
mod quotas;
mod readiness;
mod readiness_later;
mod reconcile;
mod references;
mod replacements;
mod snapshot;
mod stages;
mod teaching;
mod unsettled;
mod view;
mod view_order;
mod view_read;
