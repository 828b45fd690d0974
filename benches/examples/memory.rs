//! Runs `tern run` on mixed messages and prints the most memory that it held.
//!
//! The messages go to its standard input as they are made, so none are on disk and none are kept
//! here. The last rows are this program itself, reducing only: what the state alone takes.

use std::env;
use std::io::{self, BufWriter, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::thread;

use tern_benches::measure::{peak_memory, peak_memory_of_children};
use tern_benches::mixed;
use tern_core::{Limits, State};

const SEED: u64 = 7;
const SIZES: [usize; 2] = [100_000, 1_000_000];

/// What a child of this program does. Each measurement has a process of its own, because the system
/// keeps the peak of the largest child that a process ever had, those of `cargo run` included.
const REDUCE: &str = "--reduce";
const RUN: &str = "--run";

struct Peak {
    bytes: u64,
    input: u64,
    output: u64,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let result = match arguments.as_slice() {
        [flag, size] if flag == REDUCE => {
            tell(&reduce_only(size.parse().unwrap_or(0)));
            Ok(())
        }
        [flag, size] if flag == RUN => tern_run(size.parse().unwrap_or(0)).map(|peak| tell(&peak)),
        [] => compare(&SIZES),
        sizes => compare(
            &sizes
                .iter()
                .filter_map(|size| size.parse().ok())
                .collect::<Vec<_>>(),
        ),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn compare(sizes: &[usize]) -> io::Result<()> {
    println!(
        "{:<24} {:>9} {:>10} {:>10} {:>12} {:>12} {:>12}",
        "what", "messages", "input MB", "peak MB", "peak B/msg", "input B/msg", "output B/msg"
    );
    for (what, flag) in [("tern run --json", RUN), ("state alone", REDUCE)] {
        for &size in sizes {
            print_row(what, size, &measured(flag, size)?);
        }
    }
    println!(
        "\nThe input streams through: a message's own bytes are not kept, so all of the peak is beyond them.\n`tern run` holds the state and the view."
    );
    Ok(())
}

fn print_row(what: &str, size: usize, peak: &Peak) {
    let each = |bytes: u64| bytes as f64 / size as f64;
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    println!(
        "{what:<24} {size:>9} {:>10.1} {:>10.1} {:>12.0} {:>12.0} {:>12.0}",
        megabytes(peak.input),
        megabytes(peak.bytes),
        each(peak.bytes),
        each(peak.input),
        each(peak.output),
    );
}

fn tell(peak: &Peak) {
    println!("{} {} {}", peak.bytes, peak.input, peak.output);
}

/// What a child of this program measures.
fn measured(flag: &str, size: usize) -> io::Result<Peak> {
    let child = Command::new(env::current_exe()?)
        .args([flag, &size.to_string()])
        .stderr(Stdio::inherit())
        .output()?;
    if !child.status.success() {
        return Err(io::Error::other("a measurement failed"));
    }
    let text = String::from_utf8_lossy(&child.stdout);
    let mut numbers = text.split_whitespace().filter_map(|word| word.parse().ok());
    let mut next = || numbers.next().unwrap_or(0);
    Ok(Peak {
        bytes: next(),
        input: next(),
        output: next(),
    })
}

fn reduce_only(size: usize) -> Peak {
    let mut state = State::new(tern_core::Context::unverified(), Limits::default());
    let mut input = 0;
    for message in mixed(SEED, size).bare() {
        input += message.len() as u64 + 1;
        let _ = state.deliver(&tern_core::Delivery::new(message.into_bytes(), None));
    }
    Peak {
        bytes: peak_memory(),
        input,
        output: 0,
    }
}

/// The release binary beside this example.
fn tern() -> io::Result<PathBuf> {
    let examples = env::current_exe()?;
    let tern = examples
        .ancestors()
        .nth(2)
        .map(|directory| directory.join("tern"));
    tern.filter(|tern| tern.exists()).ok_or_else(|| {
        io::Error::new(
            io::ErrorKind::NotFound,
            "build it first: cargo build --release -p tern",
        )
    })
}

fn tern_run(size: usize) -> io::Result<Peak> {
    let mut child = Command::new(tern()?)
        .args(["run", "--json", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let output = child.stdout.take().map(|mut stdout| {
        thread::spawn(move || {
            let (mut buffer, mut total) = (vec![0; 1 << 16], 0);
            loop {
                match stdout.read(&mut buffer) {
                    Ok(0) | Err(_) => return total,
                    Ok(read) => total += read as u64,
                }
            }
        })
    });
    let mut input = 0;
    if let Some(stdin) = child.stdin.take() {
        let mut stdin = BufWriter::with_capacity(1 << 18, stdin);
        for message in mixed(SEED, size).bare() {
            input += message.len() as u64 + 1;
            stdin.write_all(message.as_bytes())?;
            stdin.write_all(b"\n")?;
        }
        stdin.flush()?;
    }
    let output = output.and_then(|reader| reader.join().ok()).unwrap_or(0);
    child.wait()?;
    Ok(Peak {
        bytes: peak_memory_of_children(),
        input,
        output,
    })
}
