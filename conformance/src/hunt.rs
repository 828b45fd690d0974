//! Looking for a log on which two engines differ.

use std::fmt;
use std::ops::Range;

use crate::census::Census;
use crate::differ::{self, Difference};
use crate::engine::{Ask, Engine, EngineError};
use crate::generate::{self, Preset, Scenario};
use crate::shrink;

/// A log on which two engines differ, and what it was made of.
#[derive(Clone, Debug)]
pub struct Found {
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
pub fn series(seeds: Range<u64>) -> impl Iterator<Item = Scenario> {
    seeds.flat_map(|seed| {
        let presets = Preset::all().iter();
        presets.map(move |preset| generate::seeded(seed, preset))
    })
}

/// Sets two engines against each other after each event of each log, until they differ. What was
/// seen is counted by the answers of the second one.
///
/// # Errors
/// Where an engine itself failed.
pub fn hunt(
    left: &mut dyn Engine,
    right: &mut dyn Engine,
    scenarios: impl IntoIterator<Item = Scenario>,
    census: &mut Census,
) -> Result<Option<Found>, EngineError> {
    for scenario in scenarios {
        let document = scenario.document();
        let answer = right.run(&document, Ask::ViewAfterEach)?;
        census.record(&scenario, &answer);
        let first = differ::difference(&left.run(&document, Ask::ViewAfterEach)?, &answer);
        if let Some(first) = first {
            return Ok(Some(make_small(left, right, scenario, first)));
        }
    }
    Ok(None)
}

fn make_small(
    left: &mut dyn Engine,
    right: &mut dyn Engine,
    scenario: Scenario,
    first: Difference,
) -> Found {
    let mut difference = first.clone();
    // A log on which an engine fails shows something else.
    let smallest = shrink::shrink(scenario.lines(), |lines| {
        let document = scenario.with_lines(lines.to_vec()).document();
        let found = differ::compare(left, right, &document, Ask::ViewAfterEach);
        match found {
            Ok(Some(found)) if found.is_like(&first) => {
                difference = found;
                true
            }
            _ => false,
        }
    });
    Found {
        smallest: scenario.with_lines(smallest),
        scenario,
        first,
        difference,
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.difference)?;
        for line in self.smallest.lines() {
            writeln!(f, "{}", String::from_utf8_lossy(line))?;
        }
        write!(f, "from {}, where first {}", self.scenario, self.first)
    }
}
