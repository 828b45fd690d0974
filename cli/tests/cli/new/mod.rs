//! `tern new`: what a person writes by hand is correct, and what a log would reject does not come
//! out. Every test names the clauses of `spec/clauses.toml` that it checks.

mod acts;
mod envelope;
mod order;
mod random;
mod refusals;
mod terminal;
mod usage;

use crate::common::{Ran, file, tern};

/// `tern new ACT --in LOG --from NAME OPTIONS`.
fn new(log: &str, from: &str, act: &str, options: &[&str]) -> Ran {
    let path = file(log);
    let mut arguments = vec!["new", act, "--in", &path, "--from", from];
    arguments.extend_from_slice(options);
    tern(&arguments)
}

/// The message that comes out, which must come out quietly.
fn written(log: &str, from: &str, act: &str, options: &[&str]) -> serde_json::Value {
    let ran = new(log, from, act, options);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    assert_eq!(ran.out.lines().count(), 1, "{ran:?}");
    serde_json::from_str(&ran.out).unwrap()
}

/// The log with the new message delivered by its sender's principal.
fn extended(log: &str, from: &str, act: &str, options: &[&str]) -> String {
    let mut options = options.to_vec();
    options.push("--deliver");
    let ran = new(log, from, act, &options);
    assert_eq!(ran.code, 0, "{ran:?}");
    format!("{log}{}", ran.out)
}
