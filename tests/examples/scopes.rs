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

use tern_conformance::scope::{Checked, Look, Scope, SmallLog, enumerate, enumerate_equivocal};

/// Calls back for each log of a share of the logs.
type Each = fn((usize, usize), &mut dyn FnMut(&SmallLog));

/// What is gone through.
struct Part {
    name: &'static str,
    look: Look,
    each: Each,
    /// Whether each log is gone through once more, with ids that sort the other way round.
    backwards_too: bool,
}

const PARTS: [Part; 7] = [
    part("1 message", Look::EachStep, |share, mut each| {
        enumerate(1, Scope::Any, share, &mut each);
    }),
    part("2 messages", Look::EachStep, |share, mut each| {
        enumerate(2, Scope::Any, share, &mut each);
    }),
    part("3 messages", Look::EachStep, |share, mut each| {
        enumerate(3, Scope::Any, share, &mut each);
    }),
    part(
        "1 or 2 ids, one with two versions",
        Look::EachStep,
        |share, mut each| {
            enumerate_equivocal(1, Scope::Any, share, &mut each);
            enumerate_equivocal(2, Scope::Any, share, &mut each);
        },
    ),
    part(
        "4 messages without cycles",
        Look::AtTheEnd,
        |share, mut each| {
            enumerate(4, Scope::Acyclic, share, &mut each);
        },
    ),
    part(
        "3 ids without cycles, one with two versions",
        Look::AtTheEnd,
        |share, mut each| {
            enumerate_equivocal(3, Scope::Acyclic, share, &mut each);
        },
    ),
    Part {
        backwards_too: false,
        ..part("4 messages", Look::AtTheEnd, |share, mut each| {
            enumerate(4, Scope::Closed, share, &mut each);
        })
    },
];

const fn part(name: &'static str, look: Look, each: Each) -> Part {
    Part {
        name,
        look,
        each,
        backwards_too: true,
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let parts = match arguments.first() {
        Some(first) if first != "--write" => first.parse()?,
        _ => 3,
    };
    let file = arguments.iter().skip_while(|it| *it != "--write").nth(1);
    let mut whole = Checked::default();
    for part in PARTS.iter().take(parts) {
        let start = Instant::now();
        let checked = go_through(part)?;
        println!(
            "{}: {} logs, {} orders, {} views compared, {} shapes, {:.0?}",
            part.name,
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
fn go_through(part: &Part) -> Result<Checked, String> {
    let shares = thread::available_parallelism().map_or(1, NonZero::get);
    let checked: Vec<Result<Checked, String>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..shares)
            .map(|share| scope.spawn(move || go_through_share(part, (share, shares))))
            .collect();
        let threads = threads.into_iter().map(|thread| thread.join());
        threads
            .map(|checked| checked.unwrap_or_else(|_| Err("core or model panicked".into())))
            .collect()
    });
    let mut whole = Checked::default();
    for share in checked {
        whole.merge(share?);
    }
    Ok(whole)
}

fn go_through_share(part: &Part, share: (usize, usize)) -> Result<Checked, String> {
    let mut checked = Checked::default();
    let mut found = Ok(());
    (part.each)(share, &mut |log| {
        if found.is_ok() {
            found = checked.check(log, part.look);
        }
        if found.is_ok() && part.backwards_too {
            found = checked.check(&log.numbered_backwards(), part.look);
        }
    });
    found
        .map(|()| checked)
        .map_err(|parting| parting.to_string())
}
