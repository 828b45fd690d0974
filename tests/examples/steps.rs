//! Random logs, core against model after each event, for as long as wanted.
#![allow(clippy::print_stdout, reason = "a program that prints what it found")]

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use clap::Parser;
use tern_conformance::census::Group;
use tern_conformance::engine::{Core, EngineError, Model};
use tern_conformance::hunt::{Found, hunt, series};
use tern_conformance::{Ask, Census};
use tern_tests::{panic_once_aloud, shared_out};

/// From so many steps on, a run has met all that the census knows, or something is wrong with the logs.
const ENOUGH_FOR_ALL: u64 = 50_000;

/// Grows random logs out of seeds, under all presets, and sets the core against the model after each event,
/// until so many events were compared. Prints what the logs held. Where the two differ, it prints the
/// smallest log found on which they do, and how to run its seed again; the status is then 1.
#[derive(Parser)]
#[command(name = "steps")]
struct Arguments {
    /// How many events to compare at least
    #[arg(default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    steps: u64,
    /// The seed of the first log
    #[arg(default_value_t = 0, value_parser = clap::value_parser!(u64).range(..1 << 63))]
    first_seed: u64,
}

fn main() -> Result<ExitCode, EngineError> {
    let Arguments { steps, first_seed } = Arguments::parse();
    panic_once_aloud();
    let start = Instant::now();
    let (next, done) = (AtomicU64::new(first_seed), AtomicU64::new(0));
    let parts = shared_out(|_, _| search(&next, &done, steps));
    let mut census = Census::new();
    for part in parts {
        let (seen, found) = part?;
        if let Some(found) = found {
            let seed = found.scenario.seed().unwrap_or_default();
            println!(
                "{found}\nagain: cargo run --release -p tern-tests --example steps -- 1 {seed}"
            );
            return Ok(ExitCode::FAILURE);
        }
        census.merge(&seen);
    }
    let steps = steps_of(&census);
    println!("{census}");
    println!(
        "{steps} steps of the seeds {first_seed} to {}, {} trivial logs in a thousand, {:.0?}: no difference",
        next.load(Ordering::Relaxed) - 1,
        census.trivial_per_mille(),
        start.elapsed()
    );
    let missing = census.missing();
    if missing.is_empty() || steps < ENOUGH_FOR_ALL {
        return Ok(ExitCode::SUCCESS);
    }
    println!("never seen: {}", missing.join(", "));
    Ok(ExitCode::FAILURE)
}

/// Takes the next seed until enough is done, or something is found by whoever searches.
fn search(
    next: &AtomicU64,
    done: &AtomicU64,
    wanted: u64,
) -> Result<(Census, Option<Found>), EngineError> {
    let mut census = Census::new();
    let (mut core, mut model) = (Core::default(), Model::default());
    while done.load(Ordering::Relaxed) < wanted {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        let mut seen = Census::new();
        let found = hunt(
            &mut core,
            &mut model,
            Ask::ViewAfterEach,
            series(seed..=seed),
            &mut seen,
        )?;
        if found.is_some() {
            done.store(wanted, Ordering::Relaxed);
            return Ok((census, found));
        }
        done.fetch_add(steps_of(&seen), Ordering::Relaxed);
        census.merge(&seen);
    }
    Ok((census, None))
}

fn steps_of(census: &Census) -> u64 {
    census.all(Group::Steps).map(|(_, count)| count).sum()
}
