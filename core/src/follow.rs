//! What a fresh REPORT has to follow so that it counts (R-13, S5.03, S5.05).
//!
//! Derived from the same functions as progress, so that what is advised here is what decides there.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use serde::Serialize;

use crate::commitment::Unsettling;
use crate::reduce::{Ix, Link, State};
use crate::view::Id;

/// What a fresh REPORT on a commitment has to follow by its references, so that it is the last word
/// whatever else was said (S5.05, S5.06).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ToFollow<'a> {
    /// The last word of each REPORT and the members of U, with the reason. What is both is there as
    /// a member of U.
    pub messages: BTreeMap<Id<'a>, Why<'a>>,
    /// Those of them that none of the others follows, in UTF-16 order: who follows these follows
    /// all. Empty where nothing was reported.
    pub last: Vec<Id<'a>>,
    /// An accepted message that follows all of `last`, of which there are several: the first to
    /// arrive, if there is one.
    pub after_all: Option<Id<'a>>,
}

/// Why a fresh REPORT has to follow a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Why<'a> {
    /// It is the undisputed head of the chain of this REPORT, or the REPORT itself.
    LastWord(&'a str),
    /// It is a REPORT whose id has several contents.
    EquivocalReport,
    /// It is a revision, of this REPORT, whose id has several contents.
    EquivocalRevision(&'a str),
    /// It competes with another revision of this REPORT.
    Competes(&'a str),
    /// It turns the terminal assessment of this REPORT into none or into one that is not terminal.
    TakesBack(&'a str),
}

impl core::fmt::Display for Why<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::LastWord(report) => write!(f, "the last word of the report `{report}`"),
            Self::EquivocalReport => f.write_str("a report whose id has several contents"),
            Self::EquivocalRevision(_) => f.write_str("a revision whose id has several contents"),
            Self::Competes(report) => {
                write!(
                    f,
                    "it competes with another revision of the report `{report}`"
                )
            }
            Self::TakesBack(report) => {
                write!(f, "it takes back that the report `{report}` was final")
            }
        }
    }
}

impl State {
    /// What a fresh REPORT on a commitment has to follow so that it counts. None for an id that is
    /// no accepted COMMIT.
    #[must_use]
    pub fn to_follow(&self, commitment: &str) -> Option<ToFollow<'_>> {
        let commitment = self.promise(self.known(commitment)?)?.commitment;
        let mut follow: BTreeMap<Ix, Why<'_>> = BTreeMap::new();
        let reports = || self.accepted_on(commitment, Link::Report);
        for report in reports() {
            let head = self.revisions.head(report);
            follow.insert(head, Why::LastWord(self.name(report)));
        }
        // What unsettles says more than that it is a last word, which it can be too.
        for report in reports() {
            self.follow_unsettling(report, &mut follow);
        }
        let all: BTreeSet<Ix> = follow.keys().copied().collect();
        let last = self.causally_last(&all);
        let after_all = if last.len() > 1 {
            self.first_after(&last)
        } else {
            None
        };
        let id = |ix: Ix| Id::from(self.name(ix));
        let mut last: Vec<Id<'_>> = last.into_iter().map(id).collect();
        last.sort_unstable();
        Some(ToFollow {
            messages: follow.into_iter().map(|(ix, why)| (id(ix), why)).collect(),
            last,
            after_all: after_all.map(id),
        })
    }

    /// The members of U that a report brings.
    fn follow_unsettling<'s>(&'s self, report: Ix, follow: &mut BTreeMap<Ix, Why<'s>>) {
        let mut unsettling = Unsettling::default();
        self.unsettled_by(report, &mut unsettling);
        let name = self.name(report);
        for &ix in &unsettling.conflict {
            let why = if ix == report {
                Why::EquivocalReport
            } else if self.is_equivocal(ix) {
                Why::EquivocalRevision(name)
            } else {
                Why::Competes(name)
            };
            follow.insert(ix, why);
        }
        for &ix in &unsettling.invalidated {
            follow.insert(ix, Why::TakesBack(name));
        }
    }

    /// Of the accepted messages that are causally after each of these, the first to arrive.
    fn first_after(&self, all: &BTreeSet<Ix>) -> Option<Ix> {
        let newest = all.iter().filter_map(|&ix| self.order(ix)).max();
        let later = self.all_ids().filter(|&ix| self.order(ix) > newest);
        self.knowing_all(later.collect(), all)
            .into_iter()
            .min_by_key(|&ix| self.positions(ix))
    }
}
