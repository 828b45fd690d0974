//! What is promised and how far it is: derived from the accepted set, never stored (S5.01, S5.12).

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::message::ReportState;
use crate::planted::{self, Fault};
use crate::reduce::{ContentFacts, Ix, Link, Replacing, Sought, State, Version};
use crate::revision::Step;

/// How far a commitment is, by the reports of its author.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Progress {
    /// No assessment stands.
    None,
    /// Work goes on.
    Active,
    /// An obstacle is named.
    Blocked,
    /// Reported done.
    Fulfilled,
    /// Reported failed.
    Failed,
    /// The assessments do not agree; [`Cause`] says how.
    Unresolved,
}

/// Why progress is unresolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// Revisions of a report compete, or a report's id has several contents.
    Conflict,
    /// A terminal assessment was withdrawn or corrected into a non-terminal one.
    Invalidated,
    /// Reported both fulfilled and failed.
    Contradictory,
    /// The last assessments differ and none knew of the other.
    Concurrent,
}

/// Progress and what decided it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Assessment {
    pub(crate) progress: Progress,
    pub(crate) cause: Option<Cause>,
    pub(crate) candidates: Vec<Ix>,
    pub(crate) reactivation_attempts: Vec<Ix>,
    /// The reports or revisions that decided it, for explanations.
    pub(crate) because: Vec<Ix>,
}

/// Who undertook what to whom.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Promise {
    pub(crate) commitment: Ix,
    pub(crate) request: Ix,
    /// Participants.
    pub(crate) by: u32,
    pub(crate) requester: u32,
}

impl From<ReportState> for Progress {
    fn from(state: ReportState) -> Self {
        match state {
            ReportState::Active => Self::Active,
            ReportState::Blocked => Self::Blocked,
            ReportState::Fulfilled => Self::Fulfilled,
            ReportState::Failed => Self::Failed,
        }
    }
}

impl State {
    /// The promise that an accepted COMMIT makes. Nothing else makes one.
    pub(crate) fn promise(&self, commitment: Ix) -> Option<Promise> {
        let request = self.accepted(commitment)?.terms()?.request;
        if planted::is(Fault::WithdrawalReleases) && self.revisions.withdrawal(commitment).is_some()
        {
            return None;
        }
        Some(Promise {
            commitment,
            request,
            by: self.sender(commitment),
            requester: self.sender(request),
        })
    }

    /// Progress by its three rules (S5.04, S5.05, S5.06).
    pub(crate) fn assess(&self, commitment: Ix) -> Assessment {
        let mut terminal: BTreeSet<Ix> = BTreeSet::new();
        let mut open: BTreeSet<Ix> = BTreeSet::new();
        let (mut fulfilled, mut failed) = (false, false);
        let mut unsettling = Unsettling::default();
        for report in self.accepted_on(commitment, Link::Report) {
            self.unsettled_by(report, &mut unsettling);
            match self.effective_assessment(report) {
                Some(state) if state.is_terminal() => {
                    fulfilled |= state == ReportState::Fulfilled;
                    failed |= state == ReportState::Failed;
                    terminal.insert(report);
                }
                Some(_) => {
                    open.insert(report);
                }
                None => {}
            }
        }
        let decided = |progress, because: Vec<Ix>| Assessment {
            progress,
            cause: None,
            candidates: Vec::new(),
            reactivation_attempts: Vec::new(),
            because,
        };
        let unresolved = |cause, candidates: Vec<Ix>, because: Vec<Ix>| Assessment {
            progress: Progress::Unresolved,
            cause: Some(cause),
            candidates,
            reactivation_attempts: Vec::new(),
            because,
        };
        // Rule 1: a terminal assessment decides, whatever unsettles.
        let reopened =
            planted::is(Fault::TerminalReopened) && !self.knowing_any(&open, &terminal).is_empty();
        if !terminal.is_empty() && !reopened {
            let list: Vec<Ix> = terminal.iter().copied().collect();
            let mut assessment = match (fulfilled, failed) {
                (true, true) => unresolved(Cause::Contradictory, list.clone(), list),
                (true, false) => decided(Progress::Fulfilled, list),
                _ => decided(Progress::Failed, list),
            };
            assessment.reactivation_attempts = self.knowing_any(&open, &terminal);
            return assessment;
        }
        // Rules 2 and 3. What counts is closed towards later reports, so its causally last are
        // those causally last of all that count.
        let members = unsettling.members();
        let mut last = self.causally_last(&open);
        if planted::is(Fault::ArrivalRecency) {
            last = self.last_to_arrive(&open);
        }
        if !members.is_empty() {
            last = self.knowing_all(last, &members);
            if last.is_empty() {
                let (cause, because) = if unsettling.conflict.is_empty() {
                    (Cause::Invalidated, unsettling.invalidated)
                } else {
                    (Cause::Conflict, unsettling.conflict)
                };
                return unresolved(cause, Vec::new(), because.into_iter().collect());
            }
        }
        let last: Vec<Ix> = last.into_iter().collect();
        let mut states = last.iter().filter_map(|&ix| self.effective_assessment(ix));
        match states.next() {
            None => decided(Progress::None, Vec::new()),
            Some(state) if states.all(|other| other == state) => decided(state.into(), last),
            Some(_) => unresolved(Cause::Concurrent, last.clone(), last),
        }
    }

    /// What an accepted REPORT's chain says now, or none: withdrawn, conflicted, or its id or that
    /// of an accepted revision of it equivocal.
    pub(crate) fn effective_assessment(&self, report: Ix) -> Option<ReportState> {
        if self.is_equivocal(report) || self.revisions.is_conflicted(report) {
            return None;
        }
        if let Some(chain) = self.revisions.chain(report)
            && chain.accepted().iter().any(|&ix| self.is_equivocal(ix))
        {
            return None;
        }
        self.reported_state(self.revisions.head(report))
    }

    /// The state that a REPORT, or a REVISE of one, gives; none for a withdrawal.
    fn reported_state(&self, ix: Ix) -> Option<ReportState> {
        let version = self.version(ix)?;
        match version.revision() {
            None => version.report().map(|(_, state)| state),
            Some(revision) => match revision.change {
                Replacing::Replace(Some(ContentFacts::Report { state, .. })) => Some(state),
                _ => None,
            },
        }
    }

    /// The members of *U* that one report brings.
    pub(crate) fn unsettled_by(&self, report: Ix, unsettling: &mut Unsettling) {
        if self.is_equivocal(report) {
            unsettling.conflict.insert(report);
        }
        let Some(chain) = self.revisions.chain(report) else {
            return;
        };
        let equivocal = chain.accepted().iter().copied();
        unsettling
            .conflict
            .extend(equivocal.filter(|&ix| self.is_equivocal(ix)));
        if self.revisions.is_conflicted(report) {
            let head = self.revisions.head(report);
            unsettling.conflict.extend(self.revisions.successors(head));
        }
        let is_terminal = |ix| {
            self.reported_state(ix)
                .is_some_and(ReportState::is_terminal)
        };
        let mut was_terminal = is_terminal(report);
        for step in chain.undisputed() {
            let terminal = is_terminal(step);
            if was_terminal && !terminal {
                unsettling.invalidated.insert(step);
            }
            was_terminal = terminal;
        }
    }

    /// The accepted COMMITs that supersede this one.
    pub(crate) fn superseded_by(&self, promise: Promise) -> Vec<Ix> {
        self.accepted_on(promise.commitment, Link::Replace)
            .flat_map(|request| self.accepted_on(request, Link::Commit))
            .filter(|&commit| self.sender(commit) == promise.by)
            .collect()
    }

    /// The accepted CHALLENGEs of a commitment, its reports and the revisions of either.
    pub(crate) fn disputed_by(&self, commitment: Ix) -> Vec<Ix> {
        let reports = self.accepted_on(commitment, Link::Report);
        core::iter::once(commitment)
            .chain(reports)
            .flat_map(|original| {
                core::iter::once(original).chain(self.accepted_on(original, Link::Revise))
            })
            .flat_map(|target| self.accepted_on(target, Link::Challenge))
            .collect()
    }

    /// The accepted replacements of a commitment: offers, whose terms bind nobody yet.
    pub(crate) fn offers(&self, commitment: Ix) -> Vec<Ix> {
        self.accepted_on(commitment, Link::Revise)
            .filter(|&ix| self.step(ix) == Some(Step::Replace))
            .collect()
    }

    /// The accepted revisions of a request, ready to be looked for.
    pub(crate) fn revisions_of(&self, request: Ix) -> Sought {
        self.seek(self.accepted_on(request, Link::Revise))
    }

    /// What an accepted REVISE does.
    pub(crate) fn step(&self, ix: Ix) -> Option<Step> {
        let change = self.version(ix).and_then(Version::revision)?.change;
        Some(match change {
            Replacing::Withdraw => Step::Withdraw,
            Replacing::Replace(_) => Step::Replace,
        })
    }
}

/// *U*, by cause (S5.03).
#[derive(Default)]
pub(crate) struct Unsettling {
    pub(crate) conflict: BTreeSet<Ix>,
    pub(crate) invalidated: BTreeSet<Ix>,
}

impl Unsettling {
    fn members(&self) -> BTreeSet<Ix> {
        self.conflict.union(&self.invalidated).copied().collect()
    }
}
