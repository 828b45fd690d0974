//! Any sequence of appends, reopenings and exports, against the lines that were appended.

use std::cell::RefCell;
use std::path::PathBuf;

use proptest::test_runner::{Config, TestError, TestRunner};
use proptest_state_machine::{ReferenceStateMachine as _, StateMachineTest};
use tempfile::TempDir;
use tern_conformance::engine::Core;
use tern_conformance::{Ask, Engine as _, Outcome, Reading};
use tern_core::log::Record;
use tern_core::{Event, Limits, Log, State};
use tern_store::{Error, Expected, Log as _, Position, Records, SqliteLog};
use tern_tests::{Quiet, asked};

use super::lines::{Lines, Told, Transition};
use super::records;
use crate::harness::{Counts, runner, scale};

thread_local! {
    /// What the runs of the state machine did.
    static COUNTS: RefCell<Counts> = RefCell::default();
}

fn count(what: impl Into<String>, more: usize) {
    COUNTS.with_borrow_mut(|counts| counts.add(what, more));
}

/// The system: a log in a file, and the state of the core that follows it.
struct Durable {
    folder: TempDir,
    stores: usize,
    /// What the records are, byte for byte.
    said: Vec<Vec<u8>>,
    log: SqliteLog,
    log_read: Log,
    state: State,
    outcomes: Vec<Outcome>,
}

impl Durable {
    fn path(&self) -> PathBuf {
        self.folder.path().join(format!("{}.db", self.stores))
    }

    /// Takes the records that are in the log and not in the state.
    fn catch_up(&mut self) {
        let from = Position::new(1 + u64::try_from(self.log_read.events().len()).unwrap());
        let records: Vec<_> = Records::new(&self.log, from).map(Result::unwrap).collect();
        for record in records {
            match Record::read(&record.bytes) {
                Ok(Record::Event(event)) => self.take(event),
                other => panic!("{other:?} at {}", record.position),
            }
        }
    }

    fn take(&mut self, event: Event<'_>) {
        self.log_read.push(event.clone());
        let Some(outcome) = self.state.apply(&event) else {
            count("facts", 1);
            return;
        };
        count(outcome.verdict.as_str(), 1);
        self.outcomes.push(Outcome::from(&outcome.verdict));
    }

    /// Whether all that was appended means what the model says.
    fn agrees(&self, lines: &Lines) {
        let events = lines.lines.len() - 1;
        let Reading {
            outcomes, views, ..
        } = lines.model(events);
        let agree = outcomes.len() == self.outcomes.len()
            && outcomes
                .iter()
                .zip(&self.outcomes)
                .all(|(one, two)| one.agrees_with(two));
        assert!(
            agree,
            "outcomes {:?}, the model: {outcomes:?}\n{lines:?}",
            self.outcomes
        );
        let view = self.state.view();
        assert_eq!(view.to_canonical_json(), views[0].json, "{lines:?}");
        assert_eq!(view.digest().to_string(), views[0].digest, "{lines:?}");
        count("compared", 1);
    }
}

/// The lines of a document in a new store, with what reads it.
fn begin(folder: TempDir, stores: usize, lines: &[&[u8]]) -> Durable {
    let path = folder.path().join(format!("{stores}.db"));
    let mut log = SqliteLog::open(&path, "thread").unwrap();
    log.append(Expected::At(Position::START), lines).unwrap();
    let Ok(Record::Context(context)) = Record::read(lines[0]) else {
        panic!("no context");
    };
    let mut durable = Durable {
        folder,
        stores,
        said: lines.iter().map(|line| line.to_vec()).collect(),
        log,
        log_read: Log::new(context.clone()),
        state: State::new(context, Limits::default()),
        outcomes: Vec::new(),
    };
    durable.catch_up();
    durable
}

impl StateMachineTest for Durable {
    type SystemUnderTest = Self;
    type Reference = Lines;

    fn init_test(lines: &Lines) -> Self {
        count("runs", 1);
        begin(tempfile::tempdir().unwrap(), 0, &[&lines.lines[0]])
    }

    fn apply(mut durable: Self, lines: &Lines, transition: Transition) -> Self {
        let head = Position::new(lines.lines.len() as u64);
        match transition {
            Transition::Append(_) => {
                let line = lines.lines.last().unwrap();
                let before = Position::new(head.as_u64() - 1);
                let end = durable.log.append(Expected::At(before), &[line]).unwrap();
                assert_eq!(end.position, head, "{lines:?}");
                durable.said.push(line.clone());
                durable.catch_up();
            }
            Transition::Reopen => {
                count("reopened", 1);
                let path = durable.path();
                drop(durable.log);
                durable.log = SqliteLog::open(&path, "thread").unwrap();
                durable.state = State::new(durable.state.context().clone(), Limits::default());
                durable.log_read = Log::new(durable.state.context().clone());
                durable.outcomes.clear();
                durable.catch_up();
                durable.agrees(lines);
            }
            Transition::Look(position) => {
                count("looked back", 1);
                let events = durable.log_read.events().len();
                let (then, _) = durable.log_read.state_at(position, &Limits::default());
                let model = lines.model(position.min(events));
                assert_eq!(
                    then.view().to_canonical_json(),
                    model.views[0].json,
                    "{lines:?}"
                );
            }
            Transition::SecondHandle(_) => {
                count("second handles", 1);
                let line = lines.lines.last().unwrap();
                let mut second = SqliteLog::open(&durable.path(), "thread").unwrap();
                second.append(Expected::Any, &[line]).unwrap();
                durable.said.push(line.clone());
                let known = Position::new(1 + durable.log_read.events().len() as u64);
                let stale = durable.log.append(Expected::At(known), &[b"lost"]);
                let conflict = matches!(stale, Err(Error::Conflict { found, .. }) if found == head);
                assert!(conflict, "{stale:?}\n{lines:?}");
                durable.catch_up();
                durable.agrees(lines);
            }
            Transition::Export => {
                count("exported", 1);
                let exported = durable.log_read.to_document().unwrap();
                let core = Core::default()
                    .run(exported.as_bytes(), Ask::ViewAtEnd)
                    .unwrap();
                let view = durable.state.view().to_canonical_json();
                assert_eq!(core.view().unwrap().json, view, "{lines:?}");
                let records: Vec<&[u8]> = exported.lines().map(str::as_bytes).collect();
                durable = begin(durable.folder, durable.stores + 1, &records);
                durable.agrees(lines);
            }
        }
        assert_eq!(durable.log.head().unwrap().position, head, "{lines:?}");
        assert_eq!(records(&durable.log), durable.said, "{lines:?}");
        let taken = 1 + durable.log_read.events().len();
        assert_eq!(taken, lines.lines.len(), "{lines:?}");
        durable
    }

    fn teardown(durable: Self, lines: Lines) {
        durable.agrees(&lines);
    }
}

/// T1.30, T1.31, S2.01, S7.01, S8.01, T8.04: whatever is done with a durable log, in whatever order, it
/// holds the lines that were appended, byte for byte (after an export those exported), and they mean what
/// the model says.
#[test]
fn t1_30_a_durable_log_is_the_lines_appended() {
    let name = "t1_30_a_durable_log_is_the_lines_appended";
    if asked("TERN_REPLAY").is_some() {
        println!("{name}: left out, for a case of it is no log alone");
        return;
    }
    let config = Config {
        max_shrink_iters: 400,
        ..runner(name, 80).config().clone()
    };
    let mut runner = TestRunner::new_with_rng(config.clone(), runner(name, 80).new_rng());
    let quiet = Quiet::begin();
    let result = runner.run(
        &Lines::sequential_strategy(1..45),
        |(lines, transitions, seen)| {
            Durable::test_sequential(config.clone(), lines, transitions, seen);
            Ok(())
        },
    );
    drop(quiet);
    let counts = COUNTS.take();
    println!("{name}: {counts}");
    match result {
        Ok(()) => {}
        Err(TestError::Fail(why, (lines, transitions, _))) => {
            panic!(
                "{name} does not hold: {why}\n{}",
                Told(&lines, &transitions)
            );
        }
        Err(TestError::Abort(why)) => panic!("{name}: {why}"),
    }
    if scale() < 1.0 {
        return;
    }
    for (what, least) in [
        ("reopened", 50),
        ("looked back", 50),
        ("second handles", 80),
        ("exported", 50),
        ("accepted", 500),
        ("pending", 60),
        ("duplicate", 40),
        ("id_conflict", 10),
        ("rejected", 30),
        ("facts", 40),
    ] {
        assert!(
            counts.of(what) >= least,
            "{what}: {} of {least}",
            counts.of(what)
        );
    }
}
