//! Looking at messages: what they refer to, what they say in one line, how two contents differ,
//! and how two texts stand beside each other. Shared by `explain`, `graph` and `diff`.

mod columns;
mod difference;
mod near;
mod phrase;
mod references;

pub(crate) use columns::{beside, terminal_width, wrap};
pub(crate) use difference::{Difference, differences, raw};
pub(crate) use near::nearest;
pub(crate) use phrase::{gist, phrase};
pub(crate) use references::references;
