//! One way to read, once over a corpus, for a profiler: `benches/instructions.sh` counts the instructions of each with callgrind.
//!
//! `instructions WAY [MESSAGES] [DAMAGE]`

use tern_benches::mixed;
use tern_benches::reading::{DAMAGES, WAYS, damaged};

const SEED: u64 = 7;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let count = arguments.next().and_then(|it| it.parse().ok());
    let how = arguments.next();
    let Some((_, way)) = WAYS.iter().find(|(known, _)| *known == name) else {
        let names: Vec<&str> = WAYS.iter().map(|(name, _)| *name).collect();
        eprintln!("usage: instructions WAY [MESSAGES] [DAMAGE]");
        eprintln!("ways: {}", names.join(", "));
        eprintln!("damages: {}", DAMAGES.join(", "));
        std::process::exit(2);
    };
    let mut messages: Vec<String> = mixed(SEED, count.unwrap_or(2000)).bare().collect();
    if let Some(how) = how {
        messages = messages.iter().map(|it| damaged(&how, it)).collect();
    }
    let bytes: usize = messages.iter().map(String::len).sum();
    println!(
        "{} messages, {bytes} bytes, {} taken",
        messages.len(),
        way(&messages)
    );
}
