//! The algebra of values: numbers, canonical JSON, digests, times, and joining logs.

mod joining;
mod json;
mod numbers;
mod times;

use quickcheck::{Gen, QuickCheck, Testable};

use tern_tests::asked;

use crate::harness::{scale, seed};

/// Checks a rule on made-up values: the same ones every time, unless `TERN_SEED` says otherwise.
fn check<T: Testable>(name: &str, cases: u64, rule: T) {
    if asked("TERN_REPLAY").is_some() {
        println!("{name}: left out, for it is about no log");
        return;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a number of cases"
    )]
    let cases = (cases as f64 * scale()).ceil() as u64;
    let seed = seed(name);
    let seed = u64::from_le_bytes(seed[..8].try_into().unwrap());
    println!("{name}: {cases} cases, quickcheck seed {seed}");
    QuickCheck::new()
        .rng(Gen::from_size_and_seed(60, seed))
        .tests(cases)
        .max_tests(cases * 10)
        .min_tests_passed(cases)
        .quickcheck(rule);
}
