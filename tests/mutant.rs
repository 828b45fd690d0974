//! The example `mutant` as processes: built, started, and looked for.

use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

use serde_json::Value;
use tern_conformance::runner::Program;

/// The program, newly built: a test alone does not build the examples.
static BUILT: LazyLock<PathBuf> = LazyLock::new(build);

/// The program.
///
/// # Panics
/// Where it cannot be built.
#[must_use]
pub fn mutant() -> &'static PathBuf {
    &BUILT
}

/// That of this test, so that little is built twice: it is built into a folder of that name.
fn profile() -> String {
    let own = env::current_exe().unwrap_or_default();
    let folder = own.ancestors().nth(2).and_then(|it| it.file_name());
    match folder.and_then(|it| it.to_str()) {
        None | Some("debug") => "dev".to_owned(),
        Some(profile) => profile.to_owned(),
    }
}

#[allow(clippy::panic, reason = "for tests alone")]
fn build() -> PathBuf {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command.args(["build", "--example", "mutant", "--features"]);
    command.args(["planted-faults", "--locked", "--message-format=json"]);
    command.args(["--profile", &profile()]);
    let built = command.output();
    let built = built.unwrap_or_else(|error| panic!("cargo: {error}"));
    let told = String::from_utf8_lossy(&built.stdout);
    let told = told
        .lines()
        .filter_map(|it| serde_json::from_str::<Value>(it).ok());
    let mut programs = told.filter_map(|it| {
        let is_it = it.pointer("/target/name")? == "mutant";
        let path = it.get("executable")?.as_str()?;
        is_it.then(|| PathBuf::from(path))
    });
    programs.next().unwrap_or_else(|| {
        let why = String::from_utf8_lossy(&built.stderr);
        panic!("`mutant` was not built: {why}")
    })
}

/// A mutant to be asked, and a mark by which its processes are found.
#[must_use]
pub fn program(name: &str) -> (Program, String) {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let mark = format!("mark-{}-{number}.", process::id());
    let program = Program {
        command: mutant().display().to_string(),
        arguments: vec![name.to_owned(), mark.clone()],
        timeout: Duration::from_secs(20),
        memory: 2 << 30,
    };
    (program, mark)
}

/// The processes that have this mark among their arguments and do not go away, zombies left out. Empty where there is
/// no `/proc`.
#[must_use]
pub fn processes(mark: &str) -> Vec<u32> {
    // Who was killed a moment ago may be on its way out.
    let deadline = Instant::now() + Duration::from_secs(2);
    loop {
        let found = marked(mark);
        if found.is_empty() || Instant::now() > deadline {
            return found;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

fn marked(mark: &str) -> Vec<u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let marked = entries.filter_map(|entry| {
        let process = entry.file_name().to_str()?.parse().ok()?;
        let line = fs::read(entry.path().join("cmdline")).ok()?;
        let is_marked = line.split(|it| *it == 0).any(|it| it == mark.as_bytes());
        is_marked.then_some(process)
    });
    marked.collect()
}
