//! Runs of properties over generated logs.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use arbitrary::Unstructured;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use tern_conformance::mixer::{Mixer, hash_from};
use tern_conformance::shown::shown;
use tern_conformance::shrink::shrink;
use tern_conformance::{Census, Preset, Scenario, generate};
use tern_tests::{asked, quietly};

use crate::replay::{self, Replay};

/// What a property says of a log: it holds, or why not.
pub(crate) type Holds = Result<(), String>;

/// A property over logs.
pub(crate) struct Property {
    name: &'static str,
    presets: Vec<&'static Preset>,
    cases: u32,
    demands: Vec<(&'static str, u64)>,
    sees_all: bool,
}

/// One log for a property to judge, and where it counts what it met.
pub(crate) struct Trial<'t> {
    /// The log: its context, then records.
    pub(crate) lines: &'t [Vec<u8>],
    /// Where the log came from. It has other lines when the log is being made smaller.
    pub(crate) scenario: &'t Scenario,
    /// Choices of the property itself: which order, which record.
    pub(crate) dice: Mixer,
    /// Counts over the run.
    pub(crate) counts: &'t mut Counts,
}

/// Counts over a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) census: Census,
    numbers: BTreeMap<String, u64>,
}

/// What a log is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Seed(u64),
    Bytes(Vec<u8>),
}

/// A log and the choices of a property.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) scenario: Scenario,
    pub(crate) source: Source,
    pub(crate) dice: u64,
}

/// A property that does not hold, with all that is needed to see so again.
pub(crate) struct Failure {
    property: &'static str,
    reason: String,
    pub(crate) case: Case,
    /// The smallest log found of which the property does not hold either.
    pub(crate) smallest: Vec<Vec<u8>>,
    why: String,
}

impl Source {
    fn grow(&self, preset: &Preset) -> Scenario {
        match self {
            Self::Seed(seed) => generate::seeded(*seed, preset),
            Self::Bytes(bytes) => {
                Scenario::generate(&mut Unstructured::new(bytes), preset).expect("never an error")
            }
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seed(seed) => write!(f, "seed:{seed}"),
            Self::Bytes(bytes) => {
                f.write_str("bytes:")?;
                bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }
    }
}

impl Case {
    pub(crate) fn new(preset: &Preset, source: Source, dice: u64) -> Self {
        Self {
            scenario: source.grow(preset),
            source,
            dice,
        }
    }
}

/// Short: a failure shows the log itself.
impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {} {}",
            self.scenario.preset(),
            self.source,
            self.dice
        )
    }
}

/// Logs of these presets: most out of a seed, some out of bytes as a fuzzer gives them.
fn cases(presets: Vec<&'static Preset>) -> impl Strategy<Value = Case> {
    let source = prop_oneof![
        4 => any::<u64>().prop_map(Source::Seed),
        1 => prop::collection::vec(any::<u8>(), 0..1500).prop_map(Source::Bytes),
    ];
    (prop::sample::select(presets), source, any::<u64>())
        .prop_map(|(preset, source, dice)| Case::new(preset, source, dice))
}

/// The runner of a property: the same cases every time, unless `TERN_SEED` says otherwise.
pub(crate) fn runner(name: &str, cases: u32) -> TestRunner {
    let config = Config {
        cases: scaled(cases),
        failure_persistence: None,
        // Bytes that are a little smaller make another log; lines are taken away instead.
        max_shrink_iters: 0,
        ..Config::default()
    };
    TestRunner::new_with_rng(
        config,
        TestRng::from_seed(RngAlgorithm::ChaCha, &seed(name)),
    )
}

/// Every property has logs of its own.
pub(crate) fn seed(name: &str) -> [u8; 32] {
    let mut dice = Mixer::new(hash_from(asked_seed(), name.as_bytes()));
    let mut seed = [0; 32];
    for chunk in seed.chunks_mut(8) {
        chunk.copy_from_slice(&dice.number().to_le_bytes());
    }
    seed
}

/// `TERN_SEED`.
pub(crate) fn asked_seed() -> u64 {
    let Some(text) = asked("TERN_SEED") else {
        return 0;
    };
    (text.parse()).unwrap_or_else(|_| panic!("TERN_SEED={text}: no number from 0 to 2^64 - 1"))
}

/// By how much `TERN_CASES` multiplies the number of cases.
pub(crate) fn scale() -> f64 {
    let Some(text) = asked("TERN_CASES") else {
        return 1.0;
    };
    let scale = text.parse().ok().filter(|it| 0.0 < *it && *it <= 1e6);
    scale.unwrap_or_else(|| panic!("TERN_CASES={text}: no number above 0 and up to a million"))
}

fn scaled(cases: u32) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number of cases"
    )]
    let cases = (f64::from(cases) * scale()).ceil() as u32;
    cases.max(1)
}

/// All presets.
pub(crate) fn all() -> Vec<&'static Preset> {
    Preset::all().iter().collect()
}

/// Presets whose files are log documents that can be read.
pub(crate) fn readable() -> Vec<&'static Preset> {
    Preset::all().iter().filter(|it| it.is_readable()).collect()
}

/// The presets of these names.
pub(crate) fn named(names: &[&str]) -> Vec<&'static Preset> {
    let find = |name: &&str| Preset::named(name).expect("a preset of that name");
    names.iter().map(find).collect()
}

impl Property {
    pub(crate) fn new(name: &'static str, presets: Vec<&'static Preset>, cases: u32) -> Self {
        Self {
            name,
            presets,
            cases,
            demands: Vec::new(),
            sees_all: false,
        }
    }

    /// The run must miss nothing of a view or an outcome that the census knows.
    pub(crate) const fn sees_all(mut self) -> Self {
        self.sees_all = true;
        self
    }

    /// What the run must have counted at least.
    pub(crate) fn demand(mut self, demands: &[(&'static str, u64)]) -> Self {
        self.demands.extend(demands);
        self
    }

    /// Runs the property, prints what it met, and panics where it does not hold or met too little.
    pub(crate) fn check(self, holds: impl Fn(&mut Trial<'_>) -> Holds) {
        if let Some(replay) = Replay::asked_for() {
            replay.run(self.name, &self.presets, holds);
            return;
        }
        let (counts, failure) = self.run(holds);
        println!("{}: {counts}", self.name);
        if let Some(failure) = failure {
            panic!("{failure}");
        }
        let met = |what: &str| counts.of(what);
        let mut poor: Vec<String> = (self.demands.iter())
            .filter(|(what, least)| met(what) < *least)
            .map(|(what, least)| format!("{what}: {} of {least}", met(what)))
            .collect();
        if self.sees_all {
            // Which damages occur is for the generators' own tests.
            let missing = counts.census.missing().into_iter();
            poor.extend(missing.filter(|what| !what.starts_with("damage ")));
        }
        assert!(
            poor.is_empty() || scale() < 1.0,
            "{} met too little to prove anything: {}",
            self.name,
            poor.join(", ")
        );
    }

    pub(crate) fn run(&self, holds: impl Fn(&mut Trial<'_>) -> Holds) -> (Counts, Option<Failure>) {
        let counts = std::cell::RefCell::new(Counts::default());
        let mut runner = runner(self.name, self.cases);
        let result = runner.run(&cases(self.presets.clone()), |case| {
            let mut counts = counts.borrow_mut();
            counts.add("logs", 1);
            judge(&case, case.scenario.lines(), &mut counts, &holds).map_err(TestCaseError::fail)
        });
        let failure = match result {
            Ok(()) => None,
            Err(TestError::Fail(_, case)) => Some(self.shrunk(case, &holds)),
            Err(TestError::Abort(reason)) => panic!("{}: {reason}", self.name),
        };
        (counts.into_inner(), failure)
    }

    fn shrunk(&self, case: Case, holds: &impl Fn(&mut Trial<'_>) -> Holds) -> Failure {
        let why = |lines: &[Vec<u8>]| judge(&case, lines, &mut Counts::default(), holds).err();
        let reason = why(case.scenario.lines()).unwrap_or_default();
        // What fails for another reason shows something else, which may not even be a fault.
        let kind = kind_of(&reason);
        let smallest = shrink(case.scenario.lines(), |lines| {
            why(lines).is_some_and(|why| kind_of(&why) == kind)
        });
        Failure {
            property: self.name,
            reason,
            why: why(&smallest).unwrap_or_default(),
            smallest,
            case,
        }
    }
}

/// A reason without what is of one log: numbers, what stands in backticks but for the part of a view, and what
/// follows the first line or a value.
fn kind_of(reason: &str) -> String {
    let line = reason.lines().next().unwrap_or_default();
    let words = line.split(['{', '[', '"']).next().unwrap_or_default();
    let parts = words.split('`').enumerate().map(|(index, part)| {
        let is_outside = index % 2 == 0;
        let part_of_view = part.strip_prefix('/').and_then(|it| it.split('/').next());
        if is_outside {
            part
        } else {
            part_of_view.unwrap_or_default()
        }
    });
    let kind: String = parts.collect();
    kind.replace(|it: char| it.is_ascii_digit(), "")
}

/// Whether a property holds of these lines. A panic is a no.
pub(crate) fn judge(
    case: &Case,
    lines: &[Vec<u8>],
    counts: &mut Counts,
    holds: &impl Fn(&mut Trial<'_>) -> Holds,
) -> Holds {
    let mut trial = Trial {
        lines,
        scenario: &case.scenario,
        dice: Mixer::new(case.dice),
        counts,
    };
    quietly(|| holds(&mut trial)).unwrap_or_else(|panic| Err(format!("panicked {panic}")))
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { case, .. } = self;
        writeln!(
            f,
            "{} does not hold: {}",
            self.property,
            shown(self.reason.as_bytes())
        )?;
        writeln!(
            f,
            "of {} (choices {}): TERN_REPLAY='{case:?}'",
            case.scenario, case.dice
        )?;
        writeln!(
            f,
            "the smallest log found, {} of {} lines: {}",
            self.smallest.len(),
            case.scenario.lines().len(),
            shown(self.why.as_bytes())
        )?;
        let document = case.scenario.with_lines(self.smallest.clone()).document();
        writeln!(f, "{}", shown(&document))?;
        write!(f, "{}", replay::advice(self.property, case))
    }
}

impl Counts {
    pub(crate) fn add(&mut self, what: impl Into<String>, more: usize) {
        if more > 0 {
            *self.numbers.entry(what.into()).or_default() += more as u64;
        }
    }

    pub(crate) fn of(&self, what: &str) -> u64 {
        self.numbers.get(what).copied().unwrap_or(0)
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = String::new();
        for (what, number) in &self.numbers {
            let comma = if line.is_empty() { "" } else { ", " };
            write!(line, "{comma}{what} {number}")?;
        }
        f.write_str(&line)
    }
}
