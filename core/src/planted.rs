//! Faults to plant on purpose, one at a time, so that a test can prove that it would notice: the
//! feature `planted-faults`, for tests only. Without it the question whether a fault is planted is
//! `false` at compile time, and no fault is in the code.
//!
//! A fault falsifies what comes out, never the promise to be total: nothing panics and every call
//! ends.

#[cfg(feature = "planted-faults")]
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
#[cfg(feature = "planted-faults")]
use core::sync::atomic::{AtomicU8, Ordering};

#[cfg(feature = "planted-faults")]
use crate::message::{Change, Content, Revise};
#[cfg(feature = "planted-faults")]
use crate::reduce::{Facts, Terms, Version};
use crate::reduce::{Ix, Link, State};
#[cfg(feature = "planted-faults")]
use crate::revision::{ChainState, Revisions};

/// A known way to break the reducer.
#[cfg_attr(
    not(feature = "planted-faults"),
    expect(dead_code, unreachable_pub, reason = "nothing can be planted")
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Of competing REVISEs the last to be accepted is the head, and there is no conflict (T4.18).
    ForkLastWins,
    /// The REPORT that arrived last decides progress, not the one that is causally last.
    ArrivalRecency,
    /// Other content under a known id is answered `duplicate`, and nothing is kept (T1.28).
    DuplicateById,
    /// Numbers are read as doubles, so that those which round to the same one are equal.
    NumbersAsDoubles,
    /// A reference to a pending message counts as settled: only unknown ids gate (S3.02).
    PendingAsAccepted,
    /// A REVISE of somebody else's message is accepted (T4.13).
    ReviseOfOthers,
    /// A later REPORT that is not terminal reopens what was reported fulfilled or failed (T4.12).
    TerminalReopened,
    /// A withdrawn COMMIT is no commitment any more (T4.29).
    WithdrawalReleases,
    /// An accepted ACK of the target or of a competing REVISE clears the conflict; the undisputed
    /// steps decide.
    AckClearsConflict,
    /// A delivery that stage 4 refuses is kept all the same and takes its id.
    SpoofClaimsId,
    /// Other content under a known id is answered `id_conflict`, but not kept.
    EquivocationForgotten,
    /// `reply` does not gate (S3.01).
    ReplyNotGating,
    /// A `replacement` is accepted whatever it contains (S3.08).
    ReplacementUnchecked,
    /// A COMMIT to a REQUEST of another thread is accepted (T4.02).
    CrossThreadCommit,
    /// The head's replacement of a COMMIT changes its terms: `due`, and the action, conditions and
    /// authority by which it is ready; not whose promise on which request it is (S5.11).
    OfferReplacesTerms,
}

#[cfg(feature = "planted-faults")]
impl Fault {
    /// Every fault, in the order of their numbers.
    pub const ALL: [Self; 15] = [
        Self::ForkLastWins,
        Self::ArrivalRecency,
        Self::DuplicateById,
        Self::NumbersAsDoubles,
        Self::PendingAsAccepted,
        Self::ReviseOfOthers,
        Self::TerminalReopened,
        Self::WithdrawalReleases,
        Self::AckClearsConflict,
        Self::SpoofClaimsId,
        Self::EquivocationForgotten,
        Self::ReplyNotGating,
        Self::ReplacementUnchecked,
        Self::CrossThreadCommit,
        Self::OfferReplacesTerms,
    ];

    /// Its name, in lower case with hyphens.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ForkLastWins => "fork-last-wins",
            Self::ArrivalRecency => "arrival-recency",
            Self::DuplicateById => "duplicate-by-id",
            Self::NumbersAsDoubles => "numbers-as-doubles",
            Self::PendingAsAccepted => "pending-as-accepted",
            Self::ReviseOfOthers => "revise-of-others",
            Self::TerminalReopened => "terminal-reopened",
            Self::WithdrawalReleases => "withdrawal-releases",
            Self::AckClearsConflict => "ack-clears-conflict",
            Self::SpoofClaimsId => "spoof-claims-id",
            Self::EquivocationForgotten => "equivocation-forgotten",
            Self::ReplyNotGating => "reply-not-gating",
            Self::ReplacementUnchecked => "replacement-unchecked",
            Self::CrossThreadCommit => "cross-thread-commit",
            Self::OfferReplacesTerms => "offer-replaces-terms",
        }
    }

    /// The clause of `spec/clauses.toml` that it violates.
    #[must_use]
    pub const fn clause(self) -> &'static str {
        match self {
            Self::ForkLastWins => "T4.18",
            Self::ArrivalRecency => "R-13",
            Self::DuplicateById => "T1.28",
            Self::NumbersAsDoubles => "R-02",
            Self::PendingAsAccepted => "S3.02",
            Self::ReviseOfOthers => "T4.13",
            Self::TerminalReopened => "T4.12",
            Self::WithdrawalReleases => "T4.29",
            Self::AckClearsConflict => "R-10",
            Self::SpoofClaimsId => "R-01",
            Self::EquivocationForgotten => "R-15",
            Self::ReplyNotGating => "S3.01",
            Self::ReplacementUnchecked => "S3.08",
            Self::CrossThreadCommit => "T4.02",
            Self::OfferReplacesTerms => "S5.11",
        }
    }

    const fn number(self) -> u8 {
        self as u8 + 1
    }
}

/// The number of the planted fault; 0 for none.
#[cfg(feature = "planted-faults")]
static PLANTED: AtomicU8 = AtomicU8::new(0);

/// Plants a fault in place of whatever is planted, or takes it out again.
///
/// It holds for the whole process, and for states under way too: make a new [`State`] after it,
/// and let no test beside it use this crate meanwhile.
#[cfg(feature = "planted-faults")]
pub fn plant(fault: Option<Fault>) {
    PLANTED.store(fault.map_or(0, Fault::number), Ordering::SeqCst);
}

/// Whether this fault is planted.
#[cfg(feature = "planted-faults")]
pub(crate) fn is(fault: Fault) -> bool {
    PLANTED.load(Ordering::Relaxed) == fault.number()
}

/// Whether this fault is planted: never.
#[cfg(not(feature = "planted-faults"))]
#[inline(always)]
pub(crate) const fn is(_: Fault) -> bool {
    false
}

/// [`Fault::NumbersAsDoubles`]: the shortest spelling of the nearest double, if it is another one.
pub(crate) fn as_double(number: &str) -> Option<String> {
    let double: f64 = number.parse().ok()?;
    let shortest = format!("{double:e}");
    (double.is_finite() && shortest != number).then_some(shortest)
}

impl State {
    /// [`Fault::ArrivalRecency`]: the one of these that arrived last.
    pub(crate) fn last_to_arrive(&self, set: &BTreeSet<Ix>) -> BTreeSet<Ix> {
        let last = set.iter().copied().max_by_key(|&ix| self.positions(ix));
        last.into_iter().collect()
    }

    /// [`Fault::PendingAsAccepted`]: an id became known, and what waits for nothing unknown goes on.
    pub(crate) fn go_on_after(&mut self, known: Ix, settled: &mut Vec<Ix>) {
        let waiting: Vec<Ix> = self.linked(known, Link::Gates).collect();
        for ix in waiting {
            if self.is_pending(ix) && self.waiting_for(ix).next().is_none() {
                self.settle(ix, settled);
            }
        }
    }
}

#[cfg(feature = "planted-faults")]
impl State {
    /// [`Fault::AckClearsConflict`]: remembers what an accepted ACK names.
    pub(crate) fn remember_ack(&mut self, ack: Ix) {
        if let Some(Facts::Ack { target }) = self.version(ack).map(|version| &version.facts) {
            self.revisions.acknowledged.insert(*target);
        }
    }

    /// [`Fault::OfferReplacesTerms`]: the terms that a replacement of a COMMIT offers.
    pub(crate) fn terms_offered(&mut self, revise: &Revise<'_>) -> Option<Box<Terms>> {
        let Change::Replace(replacement) = &revise.change else {
            return None;
        };
        let Content::Commit(commit) = replacement.content()? else {
            return None;
        };
        Some(Box::new(Terms {
            request: self.intern(commit.request.as_str()),
            action: commit.action.as_str().into(),
            due: commit.due.as_ref().map(|due| due.as_str().into()),
            authority_ref: commit.authority_ref.as_ref().map(|it| it.as_str().into()),
            conditions: u32::try_from(commit.conditions.len()).unwrap_or(u32::MAX),
        }))
    }

    /// [`Fault::OfferReplacesTerms`]: the terms that the head of a replaced COMMIT offers.
    pub(crate) fn terms_in_force(&self, commitment: Ix) -> Option<&Terms> {
        let replaced = self.revisions.state(commitment) == ChainState::Replaced;
        if !(is(Fault::OfferReplacesTerms) && replaced) {
            return None;
        }
        let head = self.version(self.revisions.head(commitment));
        head.and_then(Version::revision)?.offer.as_deref()
    }
}

#[cfg(feature = "planted-faults")]
impl Revisions {
    /// [`Fault::AckClearsConflict`]: whether an ACK names the target or what competes for it.
    pub(crate) fn is_acknowledged(&self, target: Ix) -> bool {
        core::iter::once(target)
            .chain(self.successors(self.head(target)))
            .any(|ix| self.acknowledged.contains(&ix))
    }
}
