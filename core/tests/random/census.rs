//! Property runs that replay, and what they ran over.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use serde_json::Value;
use tern_core::{Block, Class, Code, Event, Log};

use super::{RandomLog, logs};
use crate::common::{answer, context, state_of, words_of};

/// The seed of every run. A failure replays: nothing else is random.
const SEED: [u8; 32] = *b"Tern 0.1: erase and infer nought";

/// Counts over all cases of a run.
#[derive(Default)]
struct Census {
    counts: BTreeMap<String, usize>,
}

impl Census {
    fn count(&mut self, what: impl Into<String>) {
        *self.counts.entry(what.into()).or_default() += 1;
    }

    fn take(&mut self, log: &RandomLog) {
        let mut state = state_of(&[]);
        for event in &log.events {
            if let Some(outcome) = state.apply(event) {
                self.count(format!("outcome {}", answer(&outcome)));
            }
        }
        let view: Value = serde_json::to_value(state.view()).unwrap();
        self.count("cases");
        if is_trivial(&view) {
            self.count("trivial");
        }
        for message in each(&view["messages"]) {
            let status = message["status"].as_str().unwrap();
            self.count(format!("status {status}"));
            if let Some(code) = message.get("code") {
                self.count(format!("code {}", code.as_str().unwrap()));
            }
        }
        for chain in each(&view["chains"]) {
            self.count(format!("chain {}", chain["state"].as_str().unwrap()));
        }
        for commitment in each(&view["commitments"]) {
            let cause = commitment
                .get("progress_cause")
                .map_or("", |cause| cause.as_str().unwrap());
            let progress = commitment["progress"].as_str().unwrap();
            self.count(format!("progress {progress} {cause}"));
            if commitment["blocked_by"] == Value::Array(Vec::new()) {
                self.count("blocked_by nothing");
            }
            for code in words_of(&commitment["blocked_by"]).split_whitespace() {
                self.count(format!("blocked_by {code}"));
            }
        }
        for section in ["equivocal", "impacts", "reconcile", "cycles"] {
            let filled = view[section].as_object().map_or(0, |map| map.len())
                + view[section].as_array().map_or(0, Vec::len);
            if filled > 0 {
                self.count(format!("with {section}"));
            }
        }
    }

    fn of(&self, what: &str) -> usize {
        self.counts.get(what).copied().unwrap_or(0)
    }

    fn report(&self, property: &str) {
        println!("{property}: seed {:?}", String::from_utf8_lossy(&SEED));
        for (what, count) in &self.counts {
            println!("  {what:44} {count:6}");
        }
    }

    /// A run that saw too little proves too little.
    fn demand(&self) {
        let cases = self.of("cases");
        if cases < 256 {
            return;
        }
        assert!(
            self.of("trivial") * 5 <= cases,
            "more than 20 % of the logs are trivial"
        );
        let reference = Code::ALL
            .iter()
            .filter(|code| code.class() == Class::Reference);
        for code in reference {
            assert!(
                self.of(&format!("code {code}")) > 0,
                "{code} never occurred"
            );
        }
        for code in Block::ALL {
            assert!(
                self.of(&format!("blocked_by {code}")) > 0,
                "{code} never occurred"
            );
        }
        for cause in ["conflict", "invalidated", "contradictory", "concurrent"] {
            assert!(
                self.of(&format!("progress unresolved {cause}")) > 0,
                "{cause} never occurred"
            );
        }
        for state in ["original", "replaced", "withdrawn", "conflicted"] {
            assert!(
                self.of(&format!("chain {state}")) > 0,
                "{state} never occurred"
            );
        }
    }
}

/// Nothing is promised, or fewer than five messages were identified.
fn is_trivial(view: &Value) -> bool {
    each(&view["commitments"]).count() == 0 || each(&view["messages"]).count() < 5
}

fn each(map: &Value) -> impl Iterator<Item = &Value> {
    map.as_object().unwrap().values()
}

fn runner() -> TestRunner {
    let config = Config {
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &SEED))
}

/// Runs a property over random logs, 256 unless `PROPTEST_CASES` says otherwise.
///
/// The seed makes the logs of all such runs the same, so one count serves them all.
pub(crate) fn property(name: &str, holds: impl Fn(&RandomLog) -> Result<(), TestCaseError>) {
    static CENSUS: OnceLock<Census> = OnceLock::new();
    let result = runner().run(&logs(), |log| holds(&log));
    let census = CENSUS.get_or_init(|| {
        let census = RefCell::new(Census::default());
        let counted = runner().run(&logs(), |log| {
            census.borrow_mut().take(&log);
            Ok(())
        });
        assert!(counted.is_ok(), "{counted:?}");
        census.into_inner()
    });
    finish(name, census, result);
}

/// The same over logs and what else the strategy gives.
pub(crate) fn property_with<S: Strategy>(
    name: &str,
    strategy: S,
    log: impl Fn(&S::Value) -> &RandomLog,
    holds: impl Fn(&S::Value) -> Result<(), TestCaseError>,
) where
    S::Value: std::fmt::Debug,
{
    let census = RefCell::new(Census::default());
    let result = runner().run(&strategy, |case| {
        census.borrow_mut().take(log(&case));
        holds(&case)
    });
    finish(name, &census.into_inner(), result);
}

fn finish<T: std::fmt::Debug>(name: &str, census: &Census, result: Result<(), TestError<T>>) {
    census.report(name);
    if let Err(error) = result {
        panic!("{name}, seed {:?}: {error}", String::from_utf8_lossy(&SEED));
    }
    census.demand();
}

/// The log of these events.
pub(crate) fn log_of(events: &[Event<'static>]) -> Log {
    let mut log = Log::new(context());
    for event in events {
        log.push(event.clone());
    }
    log
}
