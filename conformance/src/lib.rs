//! What sets implementations of Tern against each other.
//!
//! An [`Engine`] is anything that reads a log document and answers with outcomes, view and digest:
//! the core, the reference model, a command in another process. [`generate`] makes logs at random,
//! [`scope`] makes all small ones; [`differ`] says where two engines part, [`hunt`] looks for it,
//! [`shrink`] makes the log small that shows it, and [`census`] counts what a run really held.

pub mod census;
pub mod differ;
pub mod engine;
pub mod generate;
pub mod hunt;
pub mod mixer;
pub mod protocol;
pub mod report;
pub mod runner;
pub mod scope;
pub mod serve;
pub mod shown;
pub mod shrink;
pub mod vector;

pub use census::Census;
pub use engine::{Answer, Ask, Engine, EngineError, Outcome, Reading, View};
pub use generate::{Preset, Scenario};
pub use mixer::Mixer;
