//! Tern 0.1: bytes in, accountable state out.
//!
//! Tern is a language of ten speech acts, one JSON object a line, that keeps apart what somebody
//! believes, wants, promises and may do. This crate is its strict reader and its reducer: a pure
//! state machine over an append-only log, without I/O, clock, thread or global state.
//!
//! ```
//! use tern_core::{Context, Delivery, Limits, State, Verdict};
//!
//! // Who may speak as whom. The transport authenticates principals, not names.
//! let context = Context::new("garden", [("ana", "key:a"), ("ben", "key:b")]).unwrap();
//! let mut state = State::new(context, Limits::default());
//!
//! let request = br#"{"tern":"0.1","id":"ana:1","from":"ana","to":["ben"],"thread":"t","reply":null,
//!     "act":"REQUEST","body":{"action":"water","done_when":"wet","constraints":[],"authority_ref":null}}"#;
//! let commit = br#"{"tern":"0.1","id":"ben:1","from":"ben","to":["ana"],"thread":"t","reply":"ana:1",
//!     "act":"COMMIT","body":{"request":"ana:1","action":"water","deliverable":"wet beds",
//!     "done_when":"wet","due":null,"conditions":[],"authority_ref":null}}"#;
//!
//! // The promise comes first: it waits for the request that it names, whatever the order.
//! let outcome = state.deliver(&Delivery::new(commit.as_slice(), Some("key:b")));
//! assert!(matches!(outcome.verdict, Verdict::Pending { .. }));
//! let outcome = state.deliver(&Delivery::new(request.as_slice(), Some("key:a")));
//! assert_eq!(outcome.released[0].id, "ben:1");
//!
//! // A promise is not a permission.
//! let promise = state.commitment("ben:1").unwrap();
//! assert_eq!(promise.blocked_by, [tern_core::Block::NoAuthority]);
//! println!("{} {}", state.view().digest(), state.view().to_canonical_json());
//! ```
//!
//! The walk of a delivery: [`wire`] reads bytes into a [`message`], [`Context`] checks who speaks,
//! [`State`] decides and derives, [`view`] shows. [`log`] holds what came in, and the [`Code`],
//! [`Block`] and [`DocumentCode`] tables say what can be wrong and what to do about it.
//!
//! What this crate does not do: it authenticates nobody, executes nothing, stores nothing, asks no
//! clock and grants no permission. All of these come in as events.
#![no_std]

extern crate alloc;

mod code;
mod commitment;
mod context;
mod evidence;
mod explain;
mod follow;
mod local;
pub mod log;
pub mod message;
#[cfg(not(feature = "planted-faults"))]
mod planted;
#[cfg(feature = "planted-faults")]
pub mod planted;
mod query;
mod readiness;
mod reconcile;
mod reduce;
mod revision;
mod snapshot;
pub mod view;
pub mod wire;

pub use code::{Block, Class, Code, DocumentCode};
pub use commitment::{Cause, Progress};
pub use context::Context;
pub use evidence::EvidenceStatus;
pub use explain::{Explanation, Ruling, Topic};
pub use follow::{ToFollow, Why};
pub use local::{Fact, Grant, Judgement};
pub use log::{Delivery, Event, Log};
pub use message::Message;
pub use reduce::{HashKey, Outcome, Released, State, Verdict};
pub use snapshot::SnapshotError;
pub use view::{LocalView, View};
pub use wire::{Digest, Finding, Limits, Rejection};

/// Whether faults can be planted in this build: the feature `planted-faults`, for tests only. Whoever
/// ships the reducer can assert that it is false, as the `tern` binary does.
pub const HAS_PLANTED_FAULTS: bool = cfg!(feature = "planted-faults");

/// The README's example compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
