//! What happens next: single acts, and patterns of several that the rules are about.

use std::rc::Rc;

use tern_core::message::Act;

use super::speak::is_revisable;
use super::world::{Known, World};

/// One step of a history. Each makes first what it needs and does not find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// An act on what there is.
    Say(Act),
    /// REPORTs one after the other.
    Course,
    /// REPORTs that do not know of each other.
    Concurrent,
    /// A terminal REPORT, and a revision that takes that back.
    Invalidate,
    /// A REPORT of which two revisions compete, and perhaps a fresh one after both.
    ForkReport,
    /// A chain grows by several revisions.
    Chain,
    /// Revisions of the same `previous`.
    Fork,
    /// A withdrawal, and a replacement after it.
    Revive,
    /// A REQUEST replaces a COMMIT, and a COMMIT follows, for several rounds.
    Negotiate,
    /// A revision of a REQUEST that was committed to.
    ReviseRequest,
    /// A revision of a COMMIT.
    ReviseCommit,
    /// A CHALLENGE of a commitment, of its REPORTs, or of revisions of either.
    Dispute,
    /// A local fact.
    Fact(Local),
    /// Any act with any references.
    Wild,
}

/// The local facts, as moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Local {
    Grant,
    Revoke,
    Permit,
    RequireApproval,
    Approve,
    Confirm,
    Judge,
    Clock,
    Evidence,
    Start,
    Finish,
    Reconciled,
    /// Everything that one commitment lacks.
    MakeReady,
}

impl World<'_, '_> {
    pub(crate) fn make(&mut self, step: Move) {
        match step {
            Move::Say(act) => self.act(act),
            Move::Course => self.course(),
            Move::Concurrent => self.concurrent(),
            Move::Invalidate => self.invalidate(),
            Move::ForkReport => self.fork_report(),
            Move::Chain => self.chain(),
            Move::Fork => self.fork(),
            Move::Revive => self.revive(),
            Move::Negotiate => self.negotiate(),
            Move::ReviseRequest => {
                let commitment = self.a_commitment();
                if let Some(request) = commitment.subject.clone() {
                    self.grow(&request, None);
                }
            }
            Move::ReviseCommit => {
                let commitment = self.a_commitment();
                self.grow(&commitment, None);
            }
            Move::Dispute => self.dispute(),
            Move::Fact(local) => self.local(local),
            Move::Wild => self.wild(),
        }
    }

    fn act(&mut self, act: Act) {
        match act {
            Act::Ask => {
                self.ask();
            }
            Act::Tell => {
                self.tell();
            }
            Act::Propose => {
                self.propose();
            }
            Act::Request => {
                self.request();
            }
            Act::Commit => {
                let request = self.a_request();
                let by = if self.dice.chance(10) {
                    Rc::clone(&request.by)
                } else {
                    self.other(&request.by)
                };
                self.commit(&by, &request);
            }
            Act::Report => {
                let commitment = self.a_commitment();
                let state = self.state();
                let reply = self.latest_on(&commitment);
                let reply = match self.dice.below(8) {
                    0..=4 => reply,
                    5 => Some(commitment.clone()),
                    6 => None,
                    _ => self.reply(),
                };
                self.report(&commitment, state, reply);
            }
            Act::Challenge => {
                let target = self.anything();
                self.challenge(&target);
            }
            Act::Revise => {
                let target = self.a_target();
                self.grow(&target, None);
            }
            Act::Decline => {
                let fits = |act| matches!(act, Act::Request | Act::Propose);
                let target = match self.pick(|said| fits(said.act)) {
                    Some(target) => target,
                    None => self.propose(),
                };
                self.decline(&target);
            }
            Act::Ack => {
                let target = self.anything();
                self.ack(&target);
            }
        }
    }

    fn anything(&mut self) -> Known {
        match self.pick(|_| true) {
            Some(known) => known,
            None => self.tell(),
        }
    }

    fn a_request(&mut self) -> Known {
        match self.pick(|said| said.act == Act::Request) {
            Some(request) => request,
            None => self.request(),
        }
    }

    /// A commitment; now and then a new one.
    pub(crate) fn a_commitment(&mut self) -> Known {
        let fresh = self.dice.chance(8);
        if !fresh && let Some(commitment) = self.pick(|said| said.act == Act::Commit) {
            return commitment;
        }
        let request = self.a_request();
        let by = self.other(&request.by);
        self.commit(&by, &request)
    }

    /// What can be revised.
    pub(super) fn a_target(&mut self) -> Known {
        match self.pick(|said| is_revisable(said.act)) {
            Some(target) => target,
            None => self.tell(),
        }
    }

    /// Sound revisions of a target.
    pub(crate) fn revisions(&self, target: &Known) -> Vec<Known> {
        self.all(|said| {
            let subject = said.subject.as_ref();
            said.act == Act::Revise && subject.is_some_and(|subject| Rc::ptr_eq(subject, target))
        })
    }

    pub(super) fn reports(&self, commitment: &Known) -> Vec<Known> {
        self.all(|said| {
            let subject = said.subject.as_ref();
            said.act == Act::Report
                && subject.is_some_and(|subject| Rc::ptr_eq(subject, commitment))
        })
    }

    /// The last REPORT on a commitment, or the commitment.
    pub(super) fn latest_on(&self, commitment: &Known) -> Option<Known> {
        let last = self.reports(commitment).pop();
        Some(last.unwrap_or_else(|| Rc::clone(commitment)))
    }

    /// Adds a revision at the end of a chain; somewhere else only rarely.
    pub(crate) fn grow(&mut self, target: &Known, state: Option<&'static str>) -> Known {
        let mut nodes = self.revisions(target);
        let previous = if self.dice.chance(6) {
            self.dice.pick(&nodes).cloned()
        } else {
            nodes.pop()
        };
        let previous = previous.unwrap_or_else(|| Rc::clone(target));
        let state = match state {
            None if self.dice.chance(20) => Some("withdraw"),
            state => state,
        };
        self.revise(target, &previous, state)
    }
}
