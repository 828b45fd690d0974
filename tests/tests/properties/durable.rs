//! The durable log: what SQLite gives back is what was said, whoever appended it.

use std::cell::RefCell;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};
use tempfile::TempDir;
use tern_conformance::engine::{Core, Model};
use tern_conformance::{Answer, Ask, Engine as _, Outcome, Reading};
use tern_core::log::Record;
use tern_core::{Event, Limits, Log, State};
use tern_store::{Error, Expected, Log as _, Position, Records, SqliteLog};

use crate::harness::{Case, Counts, Property, Source, named, readable, runner, scale};
use crate::look::holds;

/// The records of a log, one a line: a log document.
fn document(log: &SqliteLog) -> Vec<u8> {
    let mut document = Vec::new();
    for record in Records::new(log, Position::START) {
        document.extend(record.unwrap().bytes);
        document.push(b'\n');
    }
    document
}

/// T1.30, S2.01, S7.01, T1.25: a log that is reopened gives the state that was running, with what was
/// refused in it; another log in the same file is another log.
#[test]
fn t1_30_a_log_reopened_is_the_running_state() {
    Property::new("t1_30_a_log_reopened_is_the_running_state", readable(), 60)
        .demand(&[("reopened", 150), ("records", 1000), ("refused", 5)])
        .check(|trial| {
            let Ok(read) = Log::read(&trial.document()) else {
                return Ok(());
            };
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("thread.db");
            let name = "garden";
            let mut other = SqliteLog::open(&path, "another").unwrap();
            let context = Record::Context(read.context().clone()).to_line();
            let mut state = State::new(read.context().clone(), Limits::default());
            let mut outcomes = Vec::new();
            let mut log = SqliteLog::open(&path, name).unwrap();
            log.append(
                Expected::At(Position::START),
                &[context.trim_end().as_bytes()],
            )
            .unwrap();
            other.append(Expected::Any, &[b"nothing of ours"]).unwrap();
            let mut left = read.events();
            while !left.is_empty() {
                let (batch, rest) = left.split_at(1 + trial.dice.below(left.len().min(15)));
                left = rest;
                let lines: Vec<String> = batch
                    .iter()
                    .map(|event| Record::Event(event.clone()).to_line())
                    .collect();
                let lines: Vec<&[u8]> = lines
                    .iter()
                    .map(|line| line.trim_end().as_bytes())
                    .collect();
                let head = log.head().unwrap().position;
                log.append(Expected::At(head), &lines).unwrap();
                outcomes.extend(batch.iter().filter_map(|event| state.apply(event)));
                drop(log);
                log = SqliteLog::open(&path, name).unwrap();
                let again = Log::read(&document(&log)).map_err(|error| error.to_string())?;
                let (anew, answers) = again.state_at(usize::MAX, &Limits::default());
                holds!(
                    anew.view() == state.view(),
                    "the view after {} events",
                    state.position()
                );
                holds!(
                    answers == outcomes,
                    "the outcomes after {} events",
                    state.position()
                );
                holds!(anew.local_view() == state.local_view(), "the local view");
                trial.counts.add("reopened", 1);
            }
            trial.counts.add("records", read.events().len());
            let refused = outcomes
                .iter()
                .filter(|it| crate::look::is_refused(it))
                .count();
            trial.counts.add("refused", refused);
            Ok(())
        });
}

thread_local! {
    /// What the runs of the state machine did.
    static COUNTS: RefCell<Counts> = RefCell::default();
}

fn count(what: impl Into<String>, more: usize) {
    COUNTS.with_borrow_mut(|counts| counts.add(what, more));
}

/// The reference: the lines that were appended, in order. The model tells what they mean.
#[derive(Clone)]
struct Lines {
    case: Arc<Case>,
    /// Where the next event of the scenario is.
    next: usize,
    lines: Vec<Vec<u8>>,
}

impl Lines {
    /// Where the line of a scenario is that a transition appends.
    fn pick(&self, which: Which) -> usize {
        let events = self.case.scenario.lines().len() - 1;
        match which {
            Which::Next => 1 + self.next % events,
            Which::At(place) => 1 + place % events,
        }
    }

    fn line(&self, which: Which) -> Vec<u8> {
        self.case.scenario.lines()[self.pick(which)].clone()
    }

    fn document(&self) -> Vec<u8> {
        self.lines
            .iter()
            .flat_map(|line| [line.as_slice(), b"\n"].concat())
            .collect()
    }

    fn model(&self, events: usize) -> Reading {
        let document = self.lines.iter().take(1 + events);
        let document: Vec<u8> = document
            .flat_map(|line| [line.as_slice(), b"\n"].concat())
            .collect();
        match Model::default().run(&document, Ask::ViewAtEnd).unwrap() {
            Answer::Read(reading) => reading,
            Answer::Refused { line } => panic!("the model refuses line {line}\n{self:?}"),
        }
    }
}

/// What is needed to see a failure again: where the lines come from, and the lines.
impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:?}", self.case)?;
        f.write_str(&String::from_utf8_lossy(&self.document()))
    }
}

/// A line of the scenario.
#[derive(Clone, Copy, Debug)]
enum Which {
    /// The first that no transition took yet.
    Next,
    /// Any: one that was there makes a repetition, one that was not leaves a gap.
    At(usize),
}

#[derive(Clone, Copy, Debug)]
enum Transition {
    /// Appends a delivery or a fact.
    Append(Which),
    /// Closes the log, opens it, and computes everything anew.
    Reopen,
    /// Looks at the state after so many events.
    Look(usize),
    /// Somebody else appends; whoever does not know of it conflicts, and catches up.
    SecondHandle(Which),
    /// Writes the log as a document, imports it into a fresh store, and goes on there.
    Export,
}

impl ReferenceStateMachine for Lines {
    type State = Self;
    type Transition = Transition;

    fn init_state() -> BoxedStrategy<Self> {
        let presets = named(&[
            "mixed",
            "negotiation",
            "equivocation",
            "forks",
            "progress",
            "bytes",
        ]);
        (prop::sample::select(presets), any::<u64>())
            .prop_map(|(preset, seed)| Case::new(preset, Source::Seed(seed), 0))
            .prop_filter("a log with events", |case| case.scenario.lines().len() > 1)
            .prop_map(|case| Self {
                lines: vec![case.scenario.lines()[0].clone()],
                case: Arc::new(case),
                next: 0,
            })
            .boxed()
    }

    fn transitions(_: &Self) -> BoxedStrategy<Transition> {
        let which = prop_oneof![
            5 => Just(Which::Next),
            1 => (0..64_usize).prop_map(Which::At),
        ];
        prop_oneof![
            12 => which.clone().prop_map(Transition::Append),
            1 => Just(Transition::Reopen),
            1 => (0..40_usize).prop_map(Transition::Look),
            2 => which.prop_map(Transition::SecondHandle),
            1 => Just(Transition::Export),
        ]
        .boxed()
    }

    fn apply(mut lines: Self, transition: &Transition) -> Self {
        if let Transition::Append(which) | Transition::SecondHandle(which) = transition {
            let line = lines.line(*which);
            lines.lines.push(line);
            lines.next += usize::from(matches!(which, Which::Next));
        }
        lines
    }
}

/// The system: a log in a file, and the state of the core that follows it.
struct Durable {
    folder: TempDir,
    stores: usize,
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
            let Ok(Record::Event(event)) = Record::read(&record.bytes) else {
                continue;
            };
            self.take(event);
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
        durable
    }

    fn teardown(durable: Self, lines: Lines) {
        durable.agrees(&lines);
        assert_eq!(
            durable.log_read.events().len() + 1,
            lines.lines.len(),
            "{lines:?}"
        );
    }
}

/// T1.30, T1.31, S2.01, S7.01, S8.01, T8.04: whatever is done with a durable log, in whatever order, it
/// holds the lines that were appended, and they mean what the model says.
#[test]
fn t1_30_a_durable_log_is_the_lines_appended() {
    let name = "t1_30_a_durable_log_is_the_lines_appended";
    let config = Config {
        max_shrink_iters: 400,
        ..runner(name, 80).config().clone()
    };
    let mut runner = TestRunner::new_with_rng(config.clone(), runner(name, 80).new_rng());
    let result = runner.run(
        &Lines::sequential_strategy(1..45),
        |(lines, transitions, seen)| {
            Durable::test_sequential(config.clone(), lines, transitions, seen);
            Ok(())
        },
    );
    let counts = COUNTS.take();
    println!("{name}: {counts}");
    if let Err(error) = result {
        panic!("{name} does not hold: {error}");
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
