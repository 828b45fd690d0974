//! A census as a table.

use std::fmt;

use super::{Census, Group};

/// What stands above the counts of a group.
const fn title(group: Group) -> &'static str {
    match group {
        Group::Logs => "logs",
        Group::Steps => "steps",
        Group::Presets => "logs by preset",
        Group::Damages => "damages",
        Group::Outcomes => "outcomes",
        Group::Codes => "codes of rejections",
        Group::Messages => "messages by act and status",
        Group::Chains => "chains by state",
        Group::ChainLengths => "chains by accepted revisions",
        Group::ForkWidths => "conflicts by competing revisions",
        Group::ConflictDepths => "conflicts by undisputed steps before",
        Group::Cycles => "cycles by messages",
        Group::Versions => "equivocal ids by versions",
        Group::Progress => "commitments by progress",
        Group::Readiness => "commitments by readiness",
        Group::BlockedBy => "commitments by what blocks them",
        Group::Annotations => "commitments by what is noted",
        Group::Impacts => "impacts",
        Group::Challenges => "challenges by kind",
        Group::Evidence => "evidence by status",
        Group::Reconcile => "to reconcile, by cause",
    }
}

impl fmt::Display for Census {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (group, counts) in &self.counts {
            writeln!(f, "{}", title(*group))?;
            let mut sorted: Vec<(&String, &u64)> = counts.iter().collect();
            if is_measure(*group) {
                // Ranges sort by where they begin.
                sorted.sort_by_key(|(what, _)| start(what));
            }
            for (what, count) in sorted {
                writeln!(f, "  {what:36} {count:>10}")?;
            }
        }
        let tenths = self.trivial_per_mille();
        writeln!(f, "trivial: {}.{} %", tenths / 10, tenths % 10)
    }
}

const fn is_measure(group: Group) -> bool {
    matches!(
        group,
        Group::ChainLengths
            | Group::ForkWidths
            | Group::ConflictDepths
            | Group::Cycles
            | Group::Versions
    )
}

fn start(range: &str) -> usize {
    let digits = range.split(|c: char| !c.is_ascii_digit()).next();
    digits
        .and_then(|digits| digits.parse().ok())
        .unwrap_or(usize::MAX)
}
