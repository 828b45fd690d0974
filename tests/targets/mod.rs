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
mod timestamp;
mod view_json;

pub use log_reload::log_reload;
pub use parse::parse;
pub use parse_print::parse_print;
pub use reduce_bytes::reduce_bytes;
pub use reduce_diff::reduce_diff;
pub use reduce_order::reduce_order;
pub use timestamp::timestamp;
pub use view_json::view_json;

/// A target.
pub type Target = fn(&[u8]);

/// Every target by its name.
pub const ALL: &[(&str, Target)] = &[
    ("parse", parse),
    ("parse_print", parse_print),
    ("reduce_diff", reduce_diff),
    ("reduce_order", reduce_order),
    ("reduce_bytes", reduce_bytes),
    ("view_json", view_json),
    ("log_reload", log_reload),
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

/// An input as a person can read it.
fn shown(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => format!("(escaped, for it is not UTF-8) {}", bytes.escape_ascii()),
    }
}

/// Choices that follow from the bytes of an input (SplitMix64).
struct Dice(u64);

impl Dice {
    fn of(data: &[u8]) -> Self {
        // FNV-1a
        Self(data.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        }))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`; 0 where there is none.
    fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap().max(1);
        usize::try_from(self.next() % end).unwrap()
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }
}
