//! Reports for machines and for a browser. That for a terminal is the command line's.

mod causes;
mod html;
mod junit;

pub use causes::{Finding, Group, clauses, groups, not_passed};
pub use html::html;
pub use junit::junit;

use std::collections::BTreeMap;

use crate::runner::{PATIENCE, Report, Verdict};
use crate::vector::Vector;

/// What the report of a matrix needs to know of an entry of the specification.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its id.
    pub id: String,
    /// What it says.
    pub text: String,
}

/// How the vectors of one clause went.
#[derive(Clone, Debug, Default)]
pub struct Tally<'v> {
    /// How many were passed.
    pub passed: usize,
    /// Those that were not, with what became of them.
    pub others: Vec<(&'v Vector, &'v Verdict)>,
}

impl<'v> Tally<'v> {
    fn add(&mut self, vector: &'v Vector, verdict: &'v Verdict) {
        if *verdict == Verdict::Pass {
            self.passed += 1;
        } else {
            self.others.push((vector, verdict));
        }
    }
}

/// How the vectors of each clause went, by the ids of the clauses.
#[must_use]
pub fn by_clause<'v>(
    report: &'v Report,
    vectors: &'v BTreeMap<&str, &'v Vector>,
) -> BTreeMap<&'v str, Tally<'v>> {
    let mut clauses: BTreeMap<&str, Tally<'_>> = BTreeMap::new();
    for (id, verdict) in &report.verdicts {
        let Some(vector) = vectors.get(id.as_str()) else {
            continue;
        };
        for clause in vector.clauses() {
            clauses.entry(clause).or_default().add(vector, verdict);
        }
    }
    clauses
}

/// What a verdict has to say beside its word, a line each.
#[must_use]
pub fn details(verdict: &Verdict) -> Vec<String> {
    match verdict {
        Verdict::Pass => Vec::new(),
        Verdict::Fail { wrong, order } => {
            let mut lines: Vec<String> = wrong.iter().map(ToString::to_string).collect();
            if let Some(order) = order {
                let order: Vec<String> = order.iter().map(|line| (line + 1).to_string()).collect();
                lines.push(format!("with the lines in the order {}", order.join(" ")));
            }
            lines
        }
        Verdict::Unsupported { why } => vec![why.clone()],
        Verdict::Crash { what } | Verdict::HarnessError { what } => vec![what.clone()],
        Verdict::Timeout {
            after,
            unasked: true,
            ..
        } => vec![format!(
            "not asked: {PATIENCE} in a row had no reply within {after} ms"
        )],
        Verdict::Timeout { after, said, .. } => {
            let mut lines = vec![format!("no reply within {after} ms")];
            lines.extend((!said.is_empty()).then(|| said.clone()));
            lines
        }
    }
}
