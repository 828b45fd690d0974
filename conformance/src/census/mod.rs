//! What a run of generated logs really held, by the answers of an engine.
//!
//! A run that saw too little proves too little. [`Census::missing`] names what never occurred.

mod expected;
mod links;
mod table;
mod view;
pub mod words;

use std::collections::BTreeMap;

use crate::engine::{Answer, Outcome};
use crate::generate::Scenario;

/// What is counted, in the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Logs: `read`, `refused`, and of those read the `trivial` ones.
    Logs,
    /// Records: `deliver` or `fact`.
    Steps,
    /// Logs by preset.
    Presets,
    /// Damages done, by kind.
    Damages,
    /// Outcomes of deliveries; rejections by class.
    Outcomes,
    /// Codes of rejections, at once or of what had waited.
    Codes,
    /// Messages at the end by act and status.
    Messages,
    /// Revision chains at the end by state.
    Chains,
    /// How many accepted revisions chains have.
    ChainLengths,
    /// How many revisions compete in conflicts.
    ForkWidths,
    /// How many undisputed steps precede a conflict.
    ConflictDepths,
    /// How many messages cycles have.
    Cycles,
    /// How many versions equivocal ids have.
    Versions,
    /// Commitments by progress, and by cause where that is unresolved.
    Progress,
    /// Commitments that are `ready` or `blocked`.
    Readiness,
    /// Commitments by the codes that block them.
    BlockedBy,
    /// Annotations of commitments, and the lists beside them that are not empty.
    Annotations,
    /// Impacts by assessment.
    Impacts,
    /// Challenges by kind.
    Challenges,
    /// Evidence by status.
    Evidence,
    /// Started actions by what speaks against them.
    Reconcile,
}

/// Counts over a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    counts: BTreeMap<Group, BTreeMap<String, u64>>,
}

impl Census {
    /// Nothing counted yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts a log and what an engine answered.
    ///
    /// Views are counted after the last record alone, so either [`crate::Ask`] will do; but local facts
    /// are counted only where the engine looked after each.
    pub fn record(&mut self, scenario: &Scenario, answer: &Answer) {
        self.count(Group::Presets, scenario.preset());
        for damage in scenario.damages() {
            self.count(Group::Damages, damage.as_str());
        }
        let reading = match answer {
            Answer::Refused { .. } => {
                self.count(Group::Logs, "refused");
                return;
            }
            Answer::Read(reading) => reading,
        };
        self.count(Group::Logs, "read");
        let deliveries = reading.outcomes.len();
        // Seen only where the engine looked after each event, and before the first.
        let facts = reading.views.len().saturating_sub(1 + deliveries);
        self.add(Group::Steps, "deliver", deliveries.try_into().unwrap_or(0));
        self.add(Group::Steps, "fact", facts.try_into().unwrap_or(0));
        for outcome in &reading.outcomes {
            self.outcome(outcome);
        }
        let last = reading.views.last();
        if let Some(view) = last
            && let Ok(view) = serde_json::from_str(&view.json)
        {
            view::count(self, scenario, &view);
        }
    }

    /// Adds what another census counted.
    pub fn merge(&mut self, other: &Self) {
        for (group, counts) in &other.counts {
            for (what, count) in counts {
                self.add(*group, what, *count);
            }
        }
    }

    /// How often something was counted.
    #[must_use]
    pub fn of(&self, group: Group, what: &str) -> u64 {
        let counts = self.counts.get(&group);
        counts
            .and_then(|counts| counts.get(what))
            .copied()
            .unwrap_or(0)
    }

    /// Everything counted in a group.
    pub fn all(&self, group: Group) -> impl Iterator<Item = (&str, u64)> {
        let counts = self.counts.get(&group).into_iter().flatten();
        counts.map(|(what, count)| (what.as_str(), *count))
    }

    /// How many of a thousand logs that were read are trivial: without an accepted message, or with
    /// at most two and neither revision nor commitment, nothing pending, rejected or equivocal.
    #[must_use]
    pub fn trivial_per_mille(&self) -> u64 {
        let read = self.of(Group::Logs, "read");
        self.of(Group::Logs, "trivial") * 1000 / read.max(1)
    }

    fn outcome(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Rejected { class, code } => {
                self.count(Group::Outcomes, &format!("rejected {class}"));
                self.count(Group::Codes, code);
            }
            other => self.count(Group::Outcomes, other.word()),
        }
    }

    fn count(&mut self, group: Group, what: &str) {
        self.add(group, what, 1);
    }

    fn add(&mut self, group: Group, what: &str, more: u64) {
        let counts = self.counts.entry(group).or_default();
        match counts.get_mut(what) {
            Some(count) => *count += more,
            None => {
                counts.insert(what.to_owned(), more);
            }
        }
    }
}
