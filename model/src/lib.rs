//! The reference model of Tern 0.1: a second opinion, written from the specification alone.
//!
//! It keeps a plain list of the messages and local facts that it took, and answers every question
//! by reading the whole list again. So its effort grows with the cube of a log in the worst case, and is
//! meant to: what is plain is not fast. Each file begins with the chapters of `spec/tern-0.1.md` that it
//! holds. Chapter 4 has no file: what of it can be tested stands in the others.

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

pub use canonical::digest;
pub use document::{Broken, Document, Record};
pub use stages::{Limits, Model, Outcome, canonical_json, check_message};
pub use time::{Instant, instant};
