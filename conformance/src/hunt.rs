//! Looking for a log on which two engines differ.

use std::fmt;
use std::time::Instant;

use crate::census::Census;
use crate::differ::{self, Difference};
use crate::engine::{Ask, Engine, EngineError};
use crate::generate::{self, Preset, Scenario};
use crate::shown::{inline, shown};
use crate::shrink;

/// A log on which two engines differ, and what it was made of.
#[derive(Clone, Debug)]
pub struct Found {
    /// The names of the engines, as they were given.
    pub engines: [String; 2],
    /// The log as it was generated.
    pub scenario: Scenario,
    /// The first difference that it shows.
    pub first: Difference,
    /// The smallest log found that shows a like difference.
    pub smallest: Scenario,
    /// The difference that the smallest one shows.
    pub difference: Difference,
}

/// The logs of these seeds under all presets, which the seeds go through in turn.
pub fn series(seeds: impl IntoIterator<Item = u64>) -> impl Iterator<Item = Scenario> {
    seeds.into_iter().flat_map(|seed| {
        let presets = Preset::all().iter();
        presets.map(move |preset| generate::seeded(seed, preset))
    })
}

/// Sets two engines against each other over each log, until they differ: after each event or at the end, as it is
/// asked. What was seen is counted by the answers of the second one.
///
/// # Errors
/// [`EngineError::Io`], where an engine could not be run at all. One that crashes or panics is found.
pub fn hunt(
    left: &mut dyn Engine,
    right: &mut dyn Engine,
    ask: Ask,
    scenarios: impl IntoIterator<Item = Scenario>,
    census: &mut Census,
) -> Result<Option<Found>, EngineError> {
    for scenario in scenarios {
        let document = scenario.document();
        let answer = differ::hear(right, &document, ask)?;
        if let Ok(answer) = &answer {
            census.record(&scenario, answer);
        }
        let left_answer = differ::hear(left, &document, ask)?;
        if let Some(first) = differ::found(&left_answer, &answer) {
            return Ok(Some(smallest(left, right, ask, scenario, first, None)));
        }
    }
    Ok(None)
}

/// Makes a log on which two engines differ as small as it still shows a like difference, until then at most, if that is
/// said: who hangs takes long each time.
pub fn smallest(
    left: &mut dyn Engine,
    right: &mut dyn Engine,
    ask: Ask,
    scenario: Scenario,
    first: Difference,
    until: Option<Instant>,
) -> Found {
    let mut difference = first.clone();
    let smallest = shrink::shrink(scenario.lines(), |lines| {
        if until.is_some_and(|until| Instant::now() >= until) {
            return false;
        }
        let document = scenario.with_lines(lines.to_vec()).document();
        let found = differ::compare(left, right, &document, ask);
        match found {
            Ok(Some(found)) if found.is_like(&first) => {
                difference = found;
                true
            }
            _ => false,
        }
    });
    Found {
        engines: [left.name().to_owned(), right.name().to_owned()],
        smallest: scenario.with_lines(smallest),
        scenario,
        first,
        difference,
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [left, right] = &self.engines;
        let (left, right) = (inline(left), inline(right));
        writeln!(f, "{left} | {right} differ: {}", self.difference)?;
        for line in self.smallest.lines() {
            writeln!(f, "{}", shown(line))?;
        }
        write!(f, "from {}, where first {}", self.scenario, self.first)
    }
}
