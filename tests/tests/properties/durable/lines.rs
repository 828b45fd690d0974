//! What a durable log is compared with, and what may be done to it.

use std::fmt;
use std::sync::Arc;

use proptest::prelude::*;
use proptest_state_machine::ReferenceStateMachine;
use tern_conformance::engine::Model;
use tern_conformance::shown::shown;
use tern_conformance::{Answer, Ask, Engine as _, Reading};

use crate::harness::{Case, Source, asked_seed, named, scale};

/// The reference: the lines that were appended, in order. The model tells what they mean.
#[derive(Clone)]
pub(super) struct Lines {
    case: Arc<Case>,
    /// Where the next event of the scenario is.
    next: usize,
    pub(super) lines: Vec<Vec<u8>>,
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

    pub(super) fn model(&self, events: usize) -> Reading {
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

/// Short: a failure shows the lines themselves, once.
impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, {} lines", self.case, self.lines.len())
    }
}

/// What was done to a log and how that ended, with what is needed to see it again.
pub(super) struct Told<'l>(pub(super) &'l Lines, pub(super) &'l [Transition]);

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(begin, transitions) = *self;
        writeln!(f, "a log of {:?}, to which was done:", begin.case)?;
        let mut lines = begin.clone();
        for transition in transitions {
            let before = lines.lines.len();
            lines = Lines::apply(lines, transition);
            match lines.lines.get(before) {
                Some(line) => writeln!(f, "{transition:?}: {}", shown(line))?,
                None => writeln!(f, "{transition:?}")?,
            }
        }
        write!(
            f,
            "Again: TERN_SEED={} TERN_CASES={} cargo test -p tern-tests --test properties -- t1_30_a_durable",
            asked_seed(),
            scale()
        )
    }
}

/// A line of the scenario.
#[derive(Clone, Copy, Debug)]
pub(super) enum Which {
    /// The first that no transition took yet.
    Next,
    /// Any: one that was there makes a repetition, one that was not leaves a gap.
    At(usize),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Transition {
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
