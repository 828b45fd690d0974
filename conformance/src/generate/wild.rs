//! Acts and references at random: well-formed messages that nobody had a reason to send.

use std::rc::Rc;

use tern_core::message::Act;

use super::node::Node;
use super::speak::STATES;
use super::world::{Draft, Hope, Known, World};

impl World<'_, '_> {
    /// Any act, with any references, by anybody, though often by those whom it concerns.
    pub(crate) fn wild(&mut self) {
        let act = *self.dice.pick(Act::ALL).unwrap_or(&Act::Tell);
        let around = self.any();
        let (by, thread) = match &around {
            Some(known) if self.dice.chance(60) => (Rc::clone(&known.by), Rc::clone(&known.thread)),
            _ => (self.person(), self.thread()),
        };
        let body = self.wild_body(act, around.as_ref());
        let mut draft = Draft::new(&by, &thread, act, body);
        draft.hope = Hope::Rejected;
        draft.subject = around;
        if self.dice.chance(50) {
            draft.reply = self.any();
        }
        self.say(draft);
    }

    fn any(&mut self) -> Option<Known> {
        self.dice.pick(&self.said).map(Rc::clone)
    }

    /// A reference to anything, known or not.
    pub(crate) fn some_reference(&mut self) -> Node {
        match self.dice.below(24) {
            1 => Node::word("zoe:404"),
            2 => {
                let by = self.person();
                Node::Shared(self.next_id(&by))
            }
            _ => match self.any() {
                Some(known) => Node::Shared(Rc::clone(&known.id)),
                None => Node::word("ana:2"),
            },
        }
    }

    fn reference_near(&mut self, around: Option<&Known>) -> Node {
        match around {
            Some(known) if self.dice.chance(50) => Node::Shared(Rc::clone(&known.id)),
            _ => self.some_reference(),
        }
    }

    /// A well-formed body of an act, its references at random but often to `around`.
    pub(crate) fn wild_body(&mut self, act: Act, around: Option<&Known>) -> Node {
        let text = self.text();
        match act {
            Act::Ask => {
                let about = self.reference_near(around);
                Node::object([("question", text), ("about", about)])
            }
            Act::Tell => Node::object([("claims", self.claims(0))]),
            Act::Propose => Node::object([
                ("plan", text),
                ("success", self.text()),
                ("constraints", Node::List(Vec::new())),
            ]),
            Act::Request => {
                let mut body = Node::object([
                    ("action", Node::word("water")),
                    ("done_when", text),
                    ("constraints", Node::List(Vec::new())),
                    ("authority_ref", Node::Null),
                ]);
                if self.dice.chance(50) {
                    let replaces = self.reference_near(around);
                    body.set("replaces", replaces);
                }
                body
            }
            Act::Commit => Node::object([
                ("request", self.reference_near(around)),
                ("action", Node::word("water")),
                ("deliverable", text),
                ("done_when", self.text()),
                ("due", Node::Null),
                ("conditions", Node::List(Vec::new())),
                ("authority_ref", Node::Null),
            ]),
            Act::Report => Node::object([
                ("commitment", self.reference_near(around)),
                ("state", Node::word(self.dice.one(STATES))),
                ("claims", self.claims(0)),
            ]),
            Act::Challenge => Node::object([
                ("target", self.reference_near(around)),
                ("kind", Node::word("scope")),
                ("objection", text),
                ("support", Node::List(Vec::new())),
                ("resolution_test", self.text()),
            ]),
            Act::Revise => self.wild_revise(around, text),
            Act::Decline => {
                Node::object([("target", self.reference_near(around)), ("reason", text)])
            }
            Act::Ack => Node::object([("target", self.reference_near(around))]),
        }
    }

    fn wild_revise(&mut self, around: Option<&Known>, reason: Node) -> Node {
        let target = self.reference_near(around);
        let previous = if self.dice.chance(60) {
            target.clone()
        } else {
            self.some_reference()
        };
        let (mode, replacement) = if self.dice.chance(20) {
            ("withdraw", Node::Null)
        } else {
            let likely = around.map_or(Act::Tell, |known| known.act);
            let act = match self.dice.below(8) {
                0 => Act::Commit,
                1 => Act::Report,
                2 => Act::Request,
                _ => likely,
            };
            // A body that holds a body would never end.
            let act = if act == Act::Revise { Act::Tell } else { act };
            ("replace", self.wild_body(act, None))
        };
        Node::object([
            ("target", target),
            ("previous", previous),
            ("mode", Node::word(mode)),
            ("reason", reason),
            ("replacement", replacement),
            ("impact", Node::List(Vec::new())),
        ])
    }
}
