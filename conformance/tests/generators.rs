//! What the generators promise, counted over a fixed range of seeds.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test says so by failing"
)]

use tern_conformance::generate::{self, Preset};

#[test]
fn prints() {
    for preset in Preset::all() {
        for seed in 0..2 {
            let scenario = generate::seeded(seed, preset);
            println!("{scenario:?}");
        }
    }
}
