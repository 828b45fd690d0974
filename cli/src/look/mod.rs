//! Looking at messages: what they refer to, how two contents differ, and how two texts stand
//! beside each other. Shared by `explain`, `graph` and `diff`.

mod columns;
mod difference;
mod near;
mod references;

pub(crate) use columns::{beside, terminal_width, wrap};
pub(crate) use difference::{Difference, differences, raw};
pub(crate) use near::nearest;
pub(crate) use references::references;
