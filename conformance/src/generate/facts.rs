//! Local facts: what the receiver knows from elsewhere (S6.01).

use std::rc::Rc;

use tern_core::message::Act;

use super::moves::Local;
use super::node::Node;
use super::words;
use super::world::{Known, Said, World};
use crate::census::words::CAUSES;

impl World<'_, '_> {
    pub(crate) fn local(&mut self, local: Local) {
        match local {
            Local::Grant => {
                let reference = self.dice.one(words::GRANTS);
                let person = self.person();
                let principal = if self.dice.chance(10) {
                    Node::word("key:mallory")
                } else {
                    Node::Shared(Rc::clone(&person.principal))
                };
                self.grant(Node::word(reference), principal);
            }
            Local::Revoke => {
                let reference = self.dice.one(words::GRANTS);
                self.fact("revoke", Node::object([("ref", Node::word(reference))]));
            }
            Local::Permit => self.about("permit"),
            Local::RequireApproval => self.about("require_approval"),
            Local::Approve => {
                let commitment = self.subject();
                self.approve(commitment);
            }
            Local::Confirm => {
                let commitment = self.subject();
                let condition = self.dice.one(words::NUMBERS);
                self.confirm(commitment, condition);
            }
            Local::Judge => {
                let commitment = self.subject();
                let terms = self.dice.one(&["satisfied", "mismatch", "ambiguous"]);
                self.judge(commitment, terms);
            }
            Local::Clock => {
                // Mostly early, so that later bounds are still ahead.
                let time = if self.dice.chance(60) {
                    words::EARLY
                } else {
                    self.instant()
                };
                self.fact("clock", Node::word(time));
            }
            Local::Evidence => {
                let evidence = self.evidence();
                self.fact("evidence", evidence);
            }
            Local::Start => {
                let commitment = self.subject();
                let key = self.dice.one(words::KEYS);
                self.started.push((commitment.clone(), key));
                self.on_action("start", commitment, key);
            }
            Local::Finish => {
                let commitment = self.subject();
                let key = self.dice.one(words::KEYS);
                self.on_action("finish", commitment, key);
            }
            Local::Reconciled => self.reconciled(),
            Local::MakeReady => self.make_ready(),
        }
    }

    /// What a fact is about: a commitment, mostly.
    fn subject(&mut self) -> Node {
        match self.dice.below(16) {
            0..=13 => {
                let commitment = self.a_commitment();
                Node::Shared(Rc::clone(&commitment.id))
            }
            14 => match self.pick(|said: &Said| said.act != Act::Commit) {
                Some(other) => Node::Shared(Rc::clone(&other.id)),
                None => Node::word("ana:404"),
            },
            _ => {
                let by = self.person();
                Node::Shared(self.next_id(&by))
            }
        }
    }

    /// Few instants, so that clocks and bounds meet.
    fn instant(&mut self) -> &'static str {
        if self.dice.chance(15) {
            self.dice.one(words::TIMES)
        } else {
            self.dice.one(words::TIMES.get(..6).unwrap_or_default())
        }
    }

    fn about(&mut self, fact: &'static str) {
        let commitment = self.subject();
        self.fact(fact, Node::object([("commitment", commitment)]));
    }

    fn approve(&mut self, commitment: Node) {
        let by = self.dice.one(&["zoe", "ana", "\u{1f602}"]);
        let fields = [("commitment", commitment), ("by", Node::word(by))];
        self.fact("approve", Node::object(fields));
    }

    fn confirm(&mut self, commitment: Node, condition: &'static str) {
        let condition = Node::Raw(condition.into());
        let fields = [("commitment", commitment), ("condition", condition)];
        self.fact("confirm", Node::object(fields));
    }

    fn judge(&mut self, commitment: Node, terms: &'static str) {
        let fields = [("commitment", commitment), ("terms", Node::word(terms))];
        self.fact("judge", Node::object(fields));
    }

    fn on_action(&mut self, fact: &'static str, commitment: Node, key: &'static str) {
        let fields = [("commitment", commitment), ("action", Node::word(key))];
        self.fact(fact, Node::object(fields));
    }

    /// A grant of any width.
    fn grant(&mut self, reference: Node, principal: Node) {
        let mut grant = Node::object([("ref", reference), ("principal", principal)]);
        if self.dice.chance(40) {
            let count = self.dice.below(3);
            let actions = (0..count).map(|_| Node::word(self.dice.one(words::ACTIONS)));
            let actions = actions.collect();
            grant.set("actions", Node::List(actions));
        }
        if self.dice.chance(30) {
            let time = self.instant();
            grant.set("not_before", Node::word(time));
        }
        if self.dice.chance(30) {
            let time = self.instant();
            grant.set("expires", Node::word(time));
        }
        self.fact("grant", grant);
    }

    fn reconciled(&mut self) {
        // Mostly about an action that was started.
        let started = if self.dice.chance(70) {
            self.dice.pick(&self.started).cloned()
        } else {
            None
        };
        let (commitment, key) = match started {
            Some(started) => started,
            None => (self.subject(), self.dice.one(words::KEYS)),
        };
        let all = [CAUSES, words::NO_CAUSES].concat();
        let mut causes = Vec::new();
        for _ in 0..self.dice.below(4) {
            causes.push(Node::word(self.dice.one(&all)));
        }
        let fields = [
            ("commitment", commitment),
            ("action", Node::word(key)),
            ("causes", Node::List(causes)),
        ];
        self.fact("reconciled", Node::object(fields));
    }

    /// Grants, confirms and approves what a commitment needs.
    fn make_ready(&mut self) {
        let commitment: Known = self.a_commitment();
        let id = || Node::Shared(Rc::clone(&commitment.id));
        let body = commitment.node.get("body");
        let reference = body
            .and_then(|body| body.get("authority_ref"))
            .filter(|reference| reference.as_str().is_some())
            .cloned();
        let conditions = body.and_then(|body| body.get("conditions"));
        let conditions = match conditions {
            Some(Node::List(list)) => list.len(),
            _ => 0,
        };
        match reference {
            Some(reference) => {
                let principal = Node::Shared(Rc::clone(&commitment.by.principal));
                let fields = [("ref", reference), ("principal", principal)];
                self.fact("grant", Node::object(fields));
            }
            None => self.fact("permit", Node::object([("commitment", id())])),
        }
        for condition in ["0", "1.0", "2"].iter().take(conditions) {
            self.confirm(id(), condition);
        }
        if self.dice.chance(40) {
            self.fact("require_approval", Node::object([("commitment", id())]));
            self.approve(id());
        }
        if self.dice.chance(40) {
            self.judge(id(), "satisfied");
        }
    }
}
