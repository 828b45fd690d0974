//! All small logs in all orders, core against model.
#![allow(clippy::print_stdout, reason = "a program that prints what it found")]

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser};
use tern_conformance::scope::{
    Checked, Look, Parting, Scope, SmallLog, enumerate, enumerate_equivocal,
};
use tern_tests::{panic_once_aloud, shared_out};

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

/// Delivers all small logs in all orders to the core, and compares it with the model. Where the two differ, it
/// prints the log, in the order that shows it; the status is then 1.
#[derive(Parser)]
#[command(name = "scopes")]
struct Arguments {
    /// How many parts to go through, of: 1, 2 and 3 messages; 1 or 2 ids of which one has two versions; 4
    /// messages without cycles; 3 ids without cycles of which one has two versions; 4 messages
    #[arg(default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=7))]
    parts: u8,
    /// The last of these parts alone
    #[arg(long)]
    only: bool,
    /// The Kth of N shares of each part, so that a long part can be gone through in pieces
    #[arg(long, value_name = "K/N", default_value = "1/1", value_parser = share)]
    share: (usize, usize),
    /// Gets a log for each distinct shape of view, as lines of JSON
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

fn main() -> ExitCode {
    let Arguments {
        parts,
        only,
        share,
        write,
    } = Arguments::parse();
    // Before hours go by; what is in it stays until there is something to write.
    let file = write.map(|path| {
        match File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
        {
            Ok(file) => (path, file),
            Err(error) => refuse(&path, &error),
        }
    });
    panic_once_aloud();
    let mut whole = Checked::default();
    let left_out = if only { usize::from(parts) - 1 } else { 0 };
    for part in PARTS.iter().take(parts.into()).skip(left_out) {
        let start = Instant::now();
        let checked = match go_through(part, share) {
            Ok(checked) => checked,
            Err(parting) => {
                println!(
                    "{}: core and model differ\n{parting}\n\
                     again: keep the log in FILE, then \
                     cargo run --release -p tern-tests --example finding -- reduce_diff FILE",
                    part.name
                );
                return ExitCode::FAILURE;
            }
        };
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
    if let Some((path, file)) = file
        && let Err(error) = write_shapes(file, &whole)
    {
        refuse(&path, &error);
    }
    ExitCode::SUCCESS
}

fn write_shapes(file: File, whole: &Checked) -> io::Result<()> {
    file.set_len(0)?;
    let mut file = BufWriter::new(file);
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
    file.flush()
}

fn refuse(path: &Path, error: &io::Error) -> ! {
    Arguments::command()
        .error(ErrorKind::Io, format_args!("{}: {error}", path.display()))
        .exit()
}

/// Reads `K/N`: K from 1 to N. Gives K counted from 0, and N.
fn share(text: &str) -> Result<(usize, usize), String> {
    let numbers = text.split_once('/');
    let numbers = numbers.and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    match numbers {
        Some((k @ 1.., n @ 1..=1_000_000)) if k <= n => Ok((k - 1, n)),
        _ => Err("not K/N with K from 1 to N".to_owned()),
    }
}

/// Divides a share of the logs among the processors.
fn go_through(part: &Part, (share, shares): (usize, usize)) -> Result<Checked, Box<Parting>> {
    let mut whole = Checked::default();
    // What one finds ends the others.
    let is_over = AtomicBool::new(false);
    let checked = |processor, processors| {
        let of_all = (share * processors + processor, shares * processors);
        go_through_share(part, of_all, &is_over)
    };
    for share in shared_out(checked) {
        whole.merge(share?);
    }
    Ok(whole)
}

fn go_through_share(
    part: &Part,
    share: (usize, usize),
    is_over: &AtomicBool,
) -> Result<Checked, Box<Parting>> {
    let mut checked = Checked::default();
    let mut found = Ok(());
    (part.each)(share, &mut |log| {
        if is_over.load(Ordering::Relaxed) {
            return;
        }
        found = checked.check(log, part.look);
        if found.is_ok() && part.backwards_too {
            found = checked.check(&log.numbered_backwards(), part.look);
        }
        if found.is_err() {
            is_over.store(true, Ordering::Relaxed);
        }
    });
    found.map(|()| checked)
}
