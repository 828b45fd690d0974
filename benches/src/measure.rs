//! Time, memory, and how they grow.

use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

/// The processor time that this thread has used. On a shared machine it repeats, the clock on the
/// wall does not.
#[must_use]
pub fn cpu_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

/// How long something took the processor, and what came of it.
pub fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = cpu_time();
    let result = std::hint::black_box(work());
    (cpu_time().saturating_sub(start), result)
}

/// The exponent `e` of `time ~ size^e`: the slope of the least squares of log time over log size.
/// None for less than two sizes.
///
/// ```
/// let square = [(10.0, 100.0), (20.0, 400.0), (40.0, 1600.0)];
/// assert!((tern_benches::measure::exponent(&square).unwrap() - 2.0).abs() < 1e-9);
/// ```
#[must_use]
pub fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    let points: Vec<(f64, f64)> = points
        .iter()
        .map(|(size, time)| (size.ln(), time.max(1e-12).ln()))
        .collect();
    let count = points.len() as f64;
    let mean_x = points.iter().map(|point| point.0).sum::<f64>() / count;
    let mean_y = points.iter().map(|point| point.1).sum::<f64>() / count;
    let spread: f64 = points.iter().map(|point| (point.0 - mean_x).powi(2)).sum();
    let shared: f64 = points
        .iter()
        .map(|point| (point.0 - mean_x) * (point.1 - mean_y))
        .sum();
    (spread > 0.0).then(|| shared / spread)
}

/// The most memory that this process has held so far, in bytes (`VmHWM`).
#[must_use]
pub fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = peak.and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

/// The most memory that any finished child of this process held, in bytes.
#[must_use]
pub fn peak_memory_of_children() -> u64 {
    use nix::sys::resource::{UsageWho, getrusage};
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_or(0, |usage| usage.max_rss());
    u64::try_from(usage).unwrap_or(0) * 1024
}
