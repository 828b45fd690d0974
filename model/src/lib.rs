//! The reference model of Tern 0.1: a second opinion, written from the specification alone.
//!
//! It keeps a plain list of the messages and local facts that it took, and answers every question by
//! reading the whole list again. The files follow the chapters of `spec/tern-0.1.md`:
//!
//! | file | chapter |
//! |---|---|
//! | `json`, `number` | 1 encoding |
//! | `time`, `shape` | 2 values and envelope, 3 acts |
//! | `stages` | 5 stages of a delivery |
//! | `references` | 6 references, 7 taint |
//! | `chains` | 8 revision chains |
//! | `commitments` | 9 commitments |
//! | `readiness` | 10 evidence, 11 before acting, 12 reconcile |
//! | `view`, `canonical` | 13 the view, 14 canonical JSON |
//! | `document` | 15 log document, 16 bare messages |
//!
//! Chapter 4 says what the acts mean; what of it can be tested stands in the later chapters.

#![forbid(unsafe_code)]

mod canonical;
mod chains;
mod commitments;
mod document;
mod json;
mod number;
mod readiness;
mod references;
mod shape;
mod stages;
mod time;
mod view;

pub use document::{Broken, Document, Record};
pub use stages::{Limits, Model, Outcome, canonical_json, check_message};
pub use time::{Instant, instant};
