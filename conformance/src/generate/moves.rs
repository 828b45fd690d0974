//! What happens next: single acts, and patterns of several that the rules are about.

use std::rc::Rc;

use tern_core::message::Act;

use super::node::Node;
use super::speak::{STATES, is_revisable, is_terminal};
use super::world::{Draft, Known, World};

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
    fn a_target(&mut self) -> Known {
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

    fn reports(&self, commitment: &Known) -> Vec<Known> {
        self.all(|said| {
            let subject = said.subject.as_ref();
            said.act == Act::Report
                && subject.is_some_and(|subject| Rc::ptr_eq(subject, commitment))
        })
    }

    /// The last REPORT on a commitment, or the commitment.
    fn latest_on(&self, commitment: &Known) -> Option<Known> {
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

    fn chain(&mut self) {
        let target = self.a_target();
        let most = self.plan.depth;
        let mut previous = self.revisions(&target).pop();
        for _ in 0..self.dice.between(2, most) {
            let state = self.dice.chance(10).then_some("withdraw");
            let from = previous.as_ref().unwrap_or(&target).clone();
            previous = Some(self.revise(&target, &from, state));
            if self.dice.is_spent() {
                break;
            }
        }
    }

    fn fork(&mut self) {
        // Mostly a message that was revised before, so that undisputed steps precede the fork.
        let grown = if self.dice.chance(70) {
            self.pick(|said| said.act == Act::Revise)
                .and_then(|revision| revision.subject.clone())
        } else {
            None
        };
        let target = match grown {
            Some(target) if is_revisable(target.act) => target,
            _ => self.a_target(),
        };
        if self.dice.chance(40) {
            for _ in 0..self.dice.between(1, 3) {
                self.grow(&target, None);
            }
        }
        let nodes = self.revisions(&target);
        let previous = if self.dice.chance(50) {
            nodes.last()
        } else {
            self.dice.pick(&nodes)
        };
        let previous = previous.unwrap_or(&target).clone();
        let here = |said: &&Known| {
            let from = said.previous.as_ref();
            from.is_some_and(|from| Rc::ptr_eq(from, &previous))
        };
        // The chain may go on from here already, and one more is enough then.
        let there = nodes.iter().filter(here).count();
        let more = self.dice.between(if there > 0 { 1 } else { 2 }, 3);
        for _ in 0..more {
            let state = self.dice.chance(25).then_some("withdraw");
            let branch = self.revise(&target, &previous, state);
            if self.dice.chance(30) {
                self.revise(&target, &branch, None);
            }
        }
    }

    fn revive(&mut self) {
        let target = self.a_target();
        let withdrawal = self.grow(&target, Some("withdraw"));
        self.revise(&target, &withdrawal, None);
    }

    fn course(&mut self) {
        let commitment = self.a_commitment();
        for _ in 0..self.dice.between(2, 4) {
            let state = self.state();
            let reply = self.latest_on(&commitment);
            self.report(&commitment, state, reply);
        }
    }

    fn concurrent(&mut self) {
        let commitment = self.a_commitment();
        let reply = if self.dice.chance(60) {
            Some(Rc::clone(&commitment))
        } else {
            self.latest_on(&commitment)
        };
        // Each state differs from the one before.
        let all = if self.dice.chance(25) {
            STATES
        } else {
            &["active", "blocked"]
        };
        let first = self.dice.below(all.len());
        let states = all.iter().cycle().skip(first);
        for state in states.take(self.dice.between(2, 3)) {
            self.report(&commitment, state, reply.clone());
        }
    }

    /// A state, mostly not for good: one terminal REPORT is the end of much.
    fn state(&mut self) -> &'static str {
        if self.dice.chance(25) {
            self.dice.one(&["fulfilled", "failed"])
        } else {
            self.dice.one(&["active", "blocked"])
        }
    }

    fn invalidate(&mut self) {
        let commitment = self.a_commitment();
        let done = self
            .reports(&commitment)
            .into_iter()
            .rfind(|report| is_terminal(report.state));
        let report = match done {
            Some(report) => report,
            None => {
                let reply = self.latest_on(&commitment);
                let state = self.dice.one(&["fulfilled", "failed"]);
                self.report(&commitment, state, reply)
            }
        };
        let state = self.dice.one(&["withdraw", "active", "blocked"]);
        let revision = self.grow(&report, Some(state));
        match self.dice.below(4) {
            0 => {}
            1 => {
                let state = self.state();
                self.report(&commitment, state, None);
            }
            _ => {
                let state = self.state();
                self.report(&commitment, state, Some(revision));
            }
        }
    }

    fn fork_report(&mut self) {
        let commitment = self.a_commitment();
        let report = match self.reports(&commitment).pop() {
            Some(report) if self.dice.chance(50) => report,
            _ => {
                let reply = self.latest_on(&commitment);
                let state = self.state();
                self.report(&commitment, state, reply)
            }
        };
        let previous = if self.dice.chance(30) {
            self.grow(&report, None)
        } else {
            Rc::clone(&report)
        };
        let one = self.revise(&report, &previous, None);
        let two = self.revise(&report, &previous, None);
        if self.dice.chance(60) {
            self.converge(&commitment, &one, &two);
        }
    }

    /// The author names both branches, and reports after that.
    fn converge(&mut self, commitment: &Known, one: &Known, two: &Known) {
        let mut body = Node::object([("question", self.text())]);
        body.set("about", Node::Shared(Rc::clone(&two.id)));
        let draft = Draft::new(&commitment.by, &commitment.thread, Act::Ask, body);
        let draft = draft.on(two).replying(Some(Rc::clone(one)));
        let both = self.say(draft);
        let state = self.state();
        self.report(commitment, state, Some(both));
    }

    fn negotiate(&mut self) {
        let mut commitment = self.a_commitment();
        for _ in 0..self.dice.between(1, 3) {
            let request = self.renegotiate(&commitment);
            let by = match self.dice.below(8) {
                0 => self.person(),
                1 => break,
                _ => Rc::clone(&commitment.by),
            };
            let next = self.commit(&by, &request);
            if self.dice.chance(70) {
                commitment = next;
            }
        }
    }

    fn dispute(&mut self) {
        let commitment = self.a_commitment();
        let mut targets = self.reports(&commitment);
        targets.push(commitment);
        let revisions: Vec<Known> = targets
            .iter()
            .flat_map(|target| self.revisions(target))
            .collect();
        targets.extend(revisions);
        if let Some(target) = self.dice.pick(&targets).cloned() {
            self.challenge(&target);
        }
    }
}
