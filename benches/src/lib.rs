//! Corpora from seeds, and what is measured with them.
//!
//! A [`Corpus`] is an iterator, so that a million messages need no memory of their own: as the lines
//! of a log document, as bare messages, or as the events that a reader makes of the document. The
//! same arguments give the same bytes, on every machine. [`mixed()`] is a day of work with its
//! mishaps; [`hostile`] holds the shapes in which something might grow faster than its input.
//!
//! ```
//! use tern_core::{Limits, State};
//!
//! let corpus = tern_benches::mixed(7, 100);
//! let mut state = State::new(corpus.context(), Limits::default());
//! for event in corpus.events() {
//!     state.apply(&event);
//! }
//! assert!(state.position() >= 100);
//! ```

mod corpus;
pub mod hostile;
pub mod measure;
mod mixed;
mod random;
pub mod reading;
mod typed;
mod write;

pub use corpus::{Corpus, Entry};
pub use mixed::mixed;
pub use random::Random;
pub use typed::Typed;
