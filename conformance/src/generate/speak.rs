//! The ten acts, each valid for what there is.

use std::borrow::Cow;
use std::rc::Rc;

use tern_core::message::Act;

use super::node::Node;
use super::words;
use super::world::{Draft, Known, Person, World};

/// The states of a REPORT.
pub(crate) const STATES: &[&str] = &["active", "blocked", "fulfilled", "failed"];

/// The kinds of a CHALLENGE.
pub(crate) const KINDS: &[&str] = &["factual", "inference", "scope", "feasibility", "authority"];

/// Whether a state is for good.
pub(crate) fn is_terminal(state: &str) -> bool {
    matches!(state, "fulfilled" | "failed")
}

/// Whether messages of an act can be revised.
pub(crate) fn is_revisable(act: Act) -> bool {
    matches!(
        act,
        Act::Tell | Act::Propose | Act::Request | Act::Commit | Act::Report
    )
}

impl World<'_, '_> {
    pub(crate) fn text(&mut self) -> Node {
        let odd = self.dice.chance(self.plan.odd);
        Node::word(
            self.dice
                .one(if odd { words::ODD_TEXTS } else { words::TEXTS }),
        )
    }

    fn texts(&mut self, most: usize) -> Node {
        let count = self.dice.below(most + 1);
        Node::List((0..count).map(|_| self.text()).collect())
    }

    fn some_action(&mut self) -> Node {
        Node::word(self.dice.one(words::ACTIONS))
    }

    fn authority(&mut self) -> Node {
        if self.dice.chance(55) {
            Node::word(self.dice.one(words::GRANTS))
        } else {
            Node::Null
        }
    }

    pub(crate) fn extensions(&mut self) -> Node {
        let mut entries = Vec::new();
        for key in ["x", "replaces", "\u{fb33}"]
            .iter()
            .take(self.dice.between(1, 3))
        {
            let value = self.dice.one(words::EXTENSIONS);
            entries.push((Cow::Borrowed(*key), Node::Raw(value.into())));
        }
        Node::Object(entries)
    }

    /// An evidence object; few ids and few contents, so that some contradict.
    pub(crate) fn evidence(&mut self) -> Node {
        let id = self.dice.one(words::EVIDENCE);
        let result = if self.dice.chance(25) {
            self.dice.one(&["Dry.", "e\u{301}", "Wet "])
        } else {
            "Wet."
        };
        Node::object([
            ("id", Node::word(id)),
            ("source", Node::word("moisture probe")),
            ("collected_at", Node::word("2026-11-30T12:00:00Z")),
            ("method", Node::word("read")),
            ("result", Node::word(result)),
        ])
    }

    pub(crate) fn evidence_list(&mut self) -> Node {
        let count = self.dice.between(1, 2);
        Node::List((0..count).map(|_| self.evidence()).collect())
    }

    fn cited(&mut self, least: usize) -> Node {
        let most = if self.dice.chance(50) { 2 } else { least };
        let count = self.dice.between(least, most.max(least));
        let cite = |_| Node::word(self.dice.one(words::EVIDENCE));
        Node::List((0..count).map(cite).collect())
    }

    /// Claims, of which the last cites at least so much evidence.
    pub(crate) fn claims(&mut self, cited: usize) -> Node {
        let count = if self.dice.chance(20) { 2 } else { 1 };
        let mut claims = Vec::with_capacity(count);
        for at in 1..=count {
            let least = if at == count { cited } else { 0 };
            claims.push(Node::object([
                ("text", self.text()),
                (
                    "basis",
                    Node::word(
                        self.dice
                            .one(&["observed", "inferred", "reported", "assumed"]),
                    ),
                ),
                (
                    "confidence",
                    Node::word(self.dice.one(&["low", "medium", "high", "unspecified"])),
                ),
                ("scope", Node::word("today")),
                ("evidence", self.cited(least)),
                ("alternatives", self.texts(1)),
            ]));
        }
        Node::List(claims)
    }

    /// What a message may reply to: nothing, the last one, or anything before.
    pub(crate) fn reply(&mut self) -> Option<Known> {
        if self.dice.chance(75) {
            self.pick(|_| true)
        } else {
            None
        }
    }

    fn reply_to(&mut self, known: &Known) -> Option<Known> {
        match self.dice.below(8) {
            0..=3 => Some(Rc::clone(known)),
            4 => None,
            _ => self.reply(),
        }
    }

    pub(crate) fn ask(&mut self) -> Known {
        let (by, thread) = (self.person(), self.thread());
        let mut body = Node::object([("question", self.text())]);
        let about = if self.dice.chance(50) {
            self.pick(|_| true)
        } else {
            None
        };
        if let Some(about) = &about {
            body.set("about", Node::Shared(Rc::clone(&about.id)));
        }
        let mut draft = Draft::new(&by, &thread, Act::Ask, body).replying(self.reply());
        draft.subject = about;
        self.say(draft)
    }

    pub(crate) fn tell(&mut self) -> Known {
        let (by, thread) = (self.person(), self.thread());
        let body = Node::object([("claims", self.claims(0))]);
        let reply = self.reply();
        self.say(Draft::new(&by, &thread, Act::Tell, body).replying(reply))
    }

    fn plan_body(&mut self) -> Node {
        Node::object([
            ("plan", self.text()),
            ("success", self.text()),
            ("constraints", self.texts(2)),
        ])
    }

    pub(crate) fn propose(&mut self) -> Known {
        let (by, thread) = (self.person(), self.thread());
        let body = self.plan_body();
        let reply = self.reply();
        self.say(Draft::new(&by, &thread, Act::Propose, body).replying(reply))
    }

    fn request_body(&mut self, replaces: Option<&Known>) -> Node {
        let mut body = Node::object([
            ("action", self.some_action()),
            ("done_when", self.text()),
            ("constraints", self.texts(1)),
            ("authority_ref", self.authority()),
        ]);
        if let Some(replaces) = replaces {
            body.set("replaces", Node::Shared(Rc::clone(&replaces.id)));
        }
        body
    }

    pub(crate) fn request(&mut self) -> Known {
        let (by, thread) = (self.person(), self.thread());
        let body = self.request_body(None);
        let reply = self.reply();
        self.say(Draft::new(&by, &thread, Act::Request, body).replying(reply))
    }

    /// The requester asks for other terms in place of a commitment.
    pub(crate) fn renegotiate(&mut self, commitment: &Known) -> Known {
        let by = requester(commitment);
        let thread = if self.dice.chance(20) {
            self.thread()
        } else {
            Rc::clone(&commitment.thread)
        };
        let body = self.request_body(Some(commitment));
        let reply = self.reply_to(commitment);
        let draft = Draft::new(&by, &thread, Act::Request, body).on(commitment);
        self.say(draft.replying(reply))
    }

    fn commit_body(&mut self, request: &Known) -> Node {
        let due = if self.dice.chance(40) {
            Node::word(self.dice.one(words::TIMES))
        } else {
            Node::Null
        };
        let mut conditions = Vec::new();
        for condition in words::CONDITIONS.iter().take(self.dice.below(4)) {
            conditions.push(Node::word(condition));
        }
        Node::object([
            ("request", Node::Shared(Rc::clone(&request.id))),
            ("action", self.some_action()),
            ("deliverable", self.text()),
            ("done_when", self.text()),
            ("due", due),
            ("conditions", Node::List(conditions)),
            ("authority_ref", self.authority()),
        ])
    }

    pub(crate) fn commit(&mut self, by: &Rc<Person>, request: &Known) -> Known {
        let body = self.commit_body(request);
        let reply = self.reply_to(request);
        let draft = Draft::new(by, &request.thread, Act::Commit, body).on(request);
        self.say(draft.replying(reply))
    }

    fn report_body(&mut self, commitment: &Known, state: &'static str) -> Node {
        let cited = usize::from(state == "fulfilled");
        let mut body = Node::object([
            ("commitment", Node::Shared(Rc::clone(&commitment.id))),
            ("state", Node::word(state)),
            ("claims", self.claims(cited)),
        ]);
        if self.dice.chance(20) {
            body.set("next", self.text());
        }
        body
    }

    pub(crate) fn report(
        &mut self,
        commitment: &Known,
        state: &'static str,
        reply: Option<Known>,
    ) -> Known {
        let body = self.report_body(commitment, state);
        let (by, thread) = (&commitment.by, &commitment.thread);
        let mut draft = Draft::new(by, thread, Act::Report, body).on(commitment);
        draft.state = state;
        self.say(draft.replying(reply))
    }

    pub(crate) fn challenge(&mut self, target: &Known) -> Known {
        let by = self.person();
        let body = Node::object([
            ("target", Node::Shared(Rc::clone(&target.id))),
            ("kind", Node::word(self.dice.one(KINDS))),
            ("objection", self.text()),
            ("support", self.cited(0)),
            ("resolution_test", self.text()),
        ]);
        let reply = self.reply_to(target);
        let draft = Draft::new(&by, &target.thread, Act::Challenge, body).on(target);
        self.say(draft.replying(reply))
    }

    /// A new body for what can be revised, with the state it says, if any.
    pub(crate) fn content(
        &mut self,
        target: &Known,
        state: Option<&'static str>,
    ) -> (Node, &'static str) {
        match (target.act, &target.subject) {
            (Act::Tell, _) => (Node::object([("claims", self.claims(0))]), ""),
            (Act::Propose, _) => (self.plan_body(), ""),
            (Act::Commit, Some(request)) => {
                let thread = &target.thread;
                let other = if self.dice.chance(25) {
                    self.pick(|said| said.act == Act::Request && said.thread == *thread)
                } else {
                    None
                };
                let request = other.unwrap_or_else(|| Rc::clone(request));
                (self.commit_body(&request), "")
            }
            (Act::Report, Some(commitment)) => {
                let state = state.unwrap_or_else(|| self.dice.one(STATES));
                (self.report_body(commitment, state), state)
            }
            _ => {
                let name = &target.by.name;
                let replaces = if self.dice.chance(25) {
                    self.pick(|said| said.act == Act::Commit && requester(said).name == *name)
                } else {
                    None
                };
                (self.request_body(replaces.as_ref()), "")
            }
        }
    }

    fn impacts(&mut self) -> Node {
        let mut list = Vec::new();
        while list.len() < 2 && self.dice.chance(25) {
            let commitment = match self.dice.below(4) {
                0 => Node::word("zoe:404"),
                _ => match self.pick(|said| said.act == Act::Commit) {
                    Some(known) => Node::Shared(Rc::clone(&known.id)),
                    None => Node::word("ana:1"),
                },
            };
            let assessment = self
                .dice
                .one(&["paused", "unaffected", "awaiting_instruction"]);
            list.push(Node::object([
                ("commitment", commitment),
                ("assessment", Node::word(assessment)),
                ("reason", self.text()),
            ]));
        }
        Node::List(list)
    }

    /// A REVISE; `state` is what a revision of a REPORT says, or `withdraw`.
    pub(crate) fn revise(
        &mut self,
        target: &Known,
        previous: &Known,
        state: Option<&'static str>,
    ) -> Known {
        let (mode, replacement, state) = if state == Some("withdraw") {
            ("withdraw", Node::Null, "withdraw")
        } else {
            let (body, state) = self.content(target, state);
            ("replace", body, state)
        };
        let body = Node::object([
            ("target", Node::Shared(Rc::clone(&target.id))),
            ("previous", Node::Shared(Rc::clone(&previous.id))),
            ("mode", Node::word(mode)),
            ("reason", self.text()),
            ("replacement", replacement),
            ("impact", self.impacts()),
        ]);
        let reply = self.reply_to(previous);
        let draft = Draft::new(&target.by, &target.thread, Act::Revise, body).on(target);
        let mut draft = draft.replying(reply);
        draft.previous = Some(Rc::clone(previous));
        draft.state = state;
        self.say(draft)
    }

    pub(crate) fn decline(&mut self, target: &Known) -> Known {
        let by = self.other(&target.by);
        let mut body = Node::object([
            ("target", Node::Shared(Rc::clone(&target.id))),
            ("reason", self.text()),
        ]);
        if self.dice.chance(30) {
            body.set("alternative", self.text());
        }
        let reply = self.reply_to(target);
        let draft = Draft::new(&by, &target.thread, Act::Decline, body).on(target);
        self.say(draft.replying(reply))
    }

    pub(crate) fn ack(&mut self, target: &Known) -> Known {
        let by = self.person();
        let body = Node::object([("target", Node::Shared(Rc::clone(&target.id)))]);
        let reply = self.reply_to(target);
        let draft = Draft::new(&by, &target.thread, Act::Ack, body).on(target);
        self.say(draft.replying(reply))
    }
}

/// Who asked for what a COMMIT promises.
pub(crate) fn requester(commitment: &super::world::Said) -> Rc<Person> {
    let request = commitment.subject.as_ref();
    Rc::clone(request.map_or(&commitment.by, |request| &request.by))
}
