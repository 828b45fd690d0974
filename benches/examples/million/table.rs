//! What is printed.

use std::fs;
use std::time::{Duration, Instant};

/// How long something took.
pub(crate) fn clock<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let begun = Instant::now();
    let result = work();
    (begun.elapsed(), result)
}

/// A table of what was measured beside each other.
pub(crate) struct Table {
    rows: Vec<(String, usize, Duration)>,
}

impl Table {
    pub(crate) const fn new() -> Self {
        Self { rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, what: impl Into<String>, records: usize, time: Duration) {
        self.rows.push((what.into(), records, time));
    }

    /// Prints it; the last column is the rate where that of the row `raw` is 1.
    pub(crate) fn print(&self, title: &str, raw: &str) {
        let rate = |(_, records, time): &(String, usize, Duration)| {
            *records as f64 / time.as_secs_f64().max(1e-9)
        };
        let one = self.rows.iter().find(|row| row.0 == raw).map(rate);
        println!("| {title} | records | s | records/s | rate, {raw} = 1 |\n|---|---|---|---|---|");
        for row in &self.rows {
            let ratio = one.map_or(String::new(), |one| format!("{:.2}", rate(row) / one));
            println!(
                "| {} | {} | {:.2} | {:.0} | {ratio} |",
                row.0,
                row.1,
                row.2.as_secs_f64(),
                rate(row),
            );
        }
        println!();
    }
}

/// The middle one, or the later of the two in the middle.
pub(crate) fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// The machine, in one line, and how busy it is.
pub(crate) fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let about = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = about
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    let model = model.map_or("?", |rest| rest.trim_start_matches(['\t', ' ', ':']));
    let sha = match about.contains(" sha_ni") {
        true => "with",
        false => "without",
    };
    format!(
        "{cores} cores ({model}, {sha} SHA instructions), {}",
        load()
    )
}

/// The load average.
pub(crate) fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let mut words = load.split(' ');
    format!("load average {}", words.next().unwrap_or("?"))
}

/// The version of a package, with its name.
pub(crate) fn locked(package: &str) -> String {
    let lock = include_str!("../../../Cargo.lock");
    let begin = format!("name = \"{package}\"\nversion = \"");
    let version = lock.split_once(&begin).and_then(|(_, rest)| {
        let (version, _) = rest.split_once('"')?;
        Some(version)
    });
    format!("{package} {}", version.unwrap_or("?"))
}
