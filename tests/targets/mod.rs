//! What the fuzzers ask of any input: one function a target, which panics where something does not
//! hold. They stand here and not in `fuzz/`, so that a stable compiler builds and tests them.
//!
//! The targets `reduce_…` and `view_json` take *structured* input: bytes out of which the generator
//! grows a log (see `log.rs`).
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a target says what it found by failing"
)]

mod log;
mod log_reload;
mod parse;
mod parse_print;
mod reduce_bytes;
mod reduce_diff;
mod reduce_order;
mod snapshot_restore;
mod timestamp;
mod view_json;

pub use log_reload::log_reload;
pub use parse::parse;
pub use parse_print::parse_print;
pub use reduce_bytes::reduce_bytes;
pub use reduce_diff::reduce_diff;
pub use reduce_order::reduce_order;
pub use snapshot_restore::{input_of, snapshot_restore};
pub use timestamp::timestamp;
pub use view_json::view_json;

/// A target.
pub type Target = fn(&[u8]);

/// Every target by its name.
pub const ALL: [(&str, Target); 9] = [
    ("parse", parse),
    ("parse_print", parse_print),
    ("reduce_diff", reduce_diff),
    ("reduce_order", reduce_order),
    ("reduce_bytes", reduce_bytes),
    ("view_json", view_json),
    ("log_reload", log_reload),
    ("snapshot_restore", snapshot_restore),
    ("timestamp", timestamp),
];

/// The log document that an input of a target stands for: itself, unless it is structured.
#[must_use]
pub fn document_of(target: &str, data: &[u8]) -> Vec<u8> {
    match target {
        "reduce_diff" | "reduce_order" | "view_json" => log::of(data).document,
        _ => data.to_vec(),
    }
}
