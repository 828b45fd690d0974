//! The moves of several messages.

use std::rc::Rc;

use tern_core::message::Act;

use super::node::Node;
use super::speak::{STATES, is_revisable, is_terminal};
use super::world::{Draft, Known, World};

impl World<'_, '_> {
    pub(super) fn chain(&mut self) {
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

    pub(super) fn fork(&mut self) {
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

    pub(super) fn revive(&mut self) {
        let target = self.a_target();
        let withdrawal = self.grow(&target, Some("withdraw"));
        self.revise(&target, &withdrawal, None);
    }

    pub(super) fn course(&mut self) {
        let commitment = self.a_commitment();
        for _ in 0..self.dice.between(2, 4) {
            let state = self.state();
            let reply = self.latest_on(&commitment);
            self.report(&commitment, state, reply);
        }
    }

    pub(super) fn concurrent(&mut self) {
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
    pub(super) fn state(&mut self) -> &'static str {
        if self.dice.chance(25) {
            self.dice.one(&["fulfilled", "failed"])
        } else {
            self.dice.one(&["active", "blocked"])
        }
    }

    pub(super) fn invalidate(&mut self) {
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

    pub(super) fn fork_report(&mut self) {
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

    pub(super) fn negotiate(&mut self) {
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

    pub(super) fn dispute(&mut self) {
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
