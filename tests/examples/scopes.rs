//! All small logs in all orders, core against model.
//!
//! `cargo run --release -p tern-tests --example scopes [PARTS] [--write FILE]` goes through so many
//! of the parts below (three where nothing is said). FILE gets a log for each distinct shape of view.
#![allow(clippy::print_stdout, reason = "a program that prints what it found")]

use std::error::Error;
use std::io::Write as _;
use std::num::NonZero;
use std::time::Instant;
use std::{env, fs, thread};

use tern_conformance::scope::{
    Checked, Look, Parting, Scope, SmallLog, enumerate, enumerate_equivocal,
};

/// Calls back for each log of a share of the logs.
type Each = fn((usize, usize), &mut dyn FnMut(&SmallLog));

/// What is gone through: a name, and how.
type Part = (&'static str, Look, Each);

const PARTS: [Part; 6] = [
    ("1 message", Look::EachStep, |share, mut each| {
        enumerate(1, Scope::Any, share, &mut each)
    }),
    ("2 messages", Look::EachStep, |share, mut each| {
        enumerate(2, Scope::Any, share, &mut each)
    }),
    ("3 messages", Look::EachStep, |share, mut each| {
        enumerate(3, Scope::Any, share, &mut each)
    }),
    (
        "4 messages without cycles",
        Look::AtTheEnd,
        |share, mut each| {
            enumerate(4, Scope::Acyclic, share, &mut each);
        },
    ),
    (
        "3 messages without cycles and a version",
        Look::AtTheEnd,
        |share, mut each| {
            enumerate_equivocal(3, share, &mut each);
        },
    ),
    ("4 messages", Look::AtTheEnd, |share, mut each| {
        enumerate(4, Scope::Closed, share, &mut each);
    }),
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let parts = match arguments.first() {
        Some(first) if first != "--write" => first.parse()?,
        _ => 3,
    };
    let file = arguments.iter().skip_while(|it| *it != "--write").nth(1);
    let mut whole = Checked::default();
    for (name, look, each) in PARTS.into_iter().take(parts) {
        let start = Instant::now();
        let checked = go_through(look, each).map_err(|parting| parting.to_string())?;
        println!(
            "{name}: {} logs, {} orders, {} views compared, {} shapes, {:.0?}",
            checked.logs,
            checked.orders,
            checked.views,
            checked.shapes.len(),
            start.elapsed()
        );
        whole.merge(checked);
    }
    println!(
        "in all: {} logs, {} orders, {} views compared, {} shapes; no difference",
        whole.logs,
        whole.orders,
        whole.views,
        whole.shapes.len()
    );
    if let Some(file) = file {
        let mut file = fs::File::create(file)?;
        for (shape, log) in &whole.shapes {
            let lines: Vec<_> = log
                .lines()
                .iter()
                .map(|it| String::from_utf8_lossy(it).into_owned())
                .collect();
            writeln!(
                file,
                "{}",
                serde_json::json!({"shape": shape, "log": lines})
            )?;
        }
    }
    Ok(())
}

/// Divides the logs among threads, one for each processor.
fn go_through(look: Look, each: Each) -> Result<Checked, Box<Parting>> {
    let shares = thread::available_parallelism().map_or(1, NonZero::get);
    let parts: Vec<Result<Checked, Box<Parting>>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..shares)
            .map(|share| {
                scope.spawn(move || {
                    let mut checked = Checked::default();
                    let mut found = Ok(());
                    each((share, shares), &mut |log| {
                        if found.is_ok() {
                            found = checked.check(log, look);
                        }
                    });
                    found.map(|()| checked)
                })
            })
            .collect();
        threads
            .into_iter()
            .filter_map(|it| it.join().ok())
            .collect()
    });
    let mut whole = Checked::default();
    for part in parts {
        whole.merge(part?);
    }
    Ok(whole)
}
