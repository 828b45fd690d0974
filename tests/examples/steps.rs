//! Random logs, core against model after each event.
//!
//! `cargo run --release -p tern-tests --example steps [STEPS] [FIRST SEED]` goes on until so many
//! events were compared (100,000 where nothing is said), prints what they held, and fails with the
//! smallest log where the two differ.
#![allow(clippy::print_stdout, reason = "a program that prints what it found")]

use std::env;
use std::error::Error;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use tern_conformance::Census;
use tern_conformance::census::Group;
use tern_conformance::engine::{Core, Model};
use tern_conformance::hunt::{hunt, series};

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = env::args().skip(1).map(|text| text.parse::<u64>());
    let wanted = numbers.next().transpose()?.unwrap_or(100_000);
    let first = numbers.next().transpose()?.unwrap_or(0);
    let start = Instant::now();
    let (next, done) = (AtomicU64::new(first), AtomicU64::new(0));
    let search = || -> Result<Census, String> {
        let mut census = Census::new();
        while done.load(Ordering::Relaxed) < wanted {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            let mut seen = Census::new();
            let (mut core, mut model) = (Core::default(), Model::default());
            let search = || hunt(&mut core, &mut model, series(seed..seed + 1), &mut seen);
            let found = catch_unwind(AssertUnwindSafe(search))
                .map_err(|_| format!("core or model panicked on a log of seed {seed}"))?;
            if let Some(found) = found.map_err(|error| error.to_string())? {
                return Err(found.to_string());
            }
            done.fetch_add(steps(&seen), Ordering::Relaxed);
            census.merge(&seen);
        }
        Ok(census)
    };
    let parts: Vec<Result<Census, String>> = thread::scope(|scope| {
        let shares = thread::available_parallelism().map_or(1, NonZero::get);
        let threads: Vec<_> = (0..shares).map(|_| scope.spawn(search)).collect();
        let parts = threads.into_iter().map(|it| it.join());
        parts
            .map(|part| part.unwrap_or_else(|_| Err("a thread panicked".into())))
            .collect()
    });
    let mut census = Census::new();
    for part in parts {
        census.merge(&part?);
    }
    println!("{census}");
    println!(
        "{} steps of the seeds {first} to {}, {} trivial logs in a thousand, {:.0?}: no difference",
        steps(&census),
        next.load(Ordering::Relaxed) - 1,
        census.trivial_per_mille(),
        start.elapsed()
    );
    let missing = census.missing();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(format!("never seen: {}", missing.join(", ")).into())
    }
}

fn steps(census: &Census) -> u64 {
    census.all(Group::Steps).map(|(_, count)| count).sum()
}
