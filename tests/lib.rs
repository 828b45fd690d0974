//! What tests share: where files are, the clauses, and what fuzzers ask.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::{panic, thread};

mod clauses;
pub mod coverage;
pub mod kept;
pub mod lint;
pub mod mutant;
pub mod named;
mod quiet;
pub mod same;
pub mod schema;
pub mod targets;
pub mod views;

pub use clauses::{Clause, clauses};
pub use quiet::{Quiet, quietly};

/// The worked examples of the project.
pub const EXAMPLES: [&str; 6] = [
    "review",
    "negotiation",
    "late-conflict",
    "group",
    "spoof",
    "evidence",
];

/// The log document of an example.
///
/// # Panics
/// Where it cannot be read.
#[must_use]
#[allow(clippy::panic, reason = "for tests alone")]
pub fn example(name: &str) -> String {
    let path = root().join("examples").join(format!("{name}.jsonl"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The root of the project.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map_or_else(PathBuf::new, Path::to_path_buf)
}

/// A file of outside test data, which users of the project do not have. Without it the test says
/// what it leaves out, and fails where `CI=true`.
///
/// # Panics
/// Where `CI=true` and the file is not there.
#[must_use]
pub fn outside_data(path: &str) -> Option<PathBuf> {
    let found = root().join("../shared/data").join(path);
    if found.exists() {
        return Some(found);
    }
    let in_ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
    assert!(!in_ci, "CI must have ../shared/data/{path}");
    // The handle itself: the harness captures what macros print in a test that passes.
    let _ = std::io::Write::write_all(
        &mut std::io::stderr(),
        format!("LEFT OUT: ../shared/data/{path} is not here\n").as_bytes(),
    );
    None
}

/// Does a share of the work on each processor: `work` gets the number of its share, from 0, and how many
/// there are. A share that panics does so here.
pub fn shared_out<T: Send>(work: impl Fn(usize, usize) -> T + Sync) -> Vec<T> {
    let shares = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = (0..shares)
            .map(|share| scope.spawn(move || work(share, shares)))
            .collect();
        let done = threads.into_iter().map(|thread| thread.join());
        done.map(|share| share.unwrap_or_else(|panic| panic::resume_unwind(panic)))
            .collect()
    })
}

/// The value of an environment variable that a person sets.
///
/// # Panics
/// Where it is not UTF-8: it was meant to say something.
#[must_use]
#[allow(clippy::panic, reason = "for tests alone")]
pub fn asked(variable: &str) -> Option<String> {
    let value = std::env::var_os(variable)?;
    let text = value.into_string();
    Some(text.unwrap_or_else(|value| panic!("{variable}={value:?}: not UTF-8")))
}

/// Lets the first panic say where it was, and no other: while its log is made small it happens thousands of
/// times. For a program whose panics are caught.
pub fn panic_once_aloud() {
    static FIRST: Once = Once::new();
    let aloud = panic::take_hook();
    panic::set_hook(Box::new(move |panic| FIRST.call_once(|| aloud(panic))));
}
