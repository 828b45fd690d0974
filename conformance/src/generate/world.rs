//! Who and what there is so far, and how a message gets from a draft onto a line of the log.

use std::rc::Rc;

use tern_core::message::Act;

use super::damage::{self, Damage};
use super::dice::Dice;
use super::node::Node;
use super::post::{Mail, Post};
use super::preset::Plan;
use super::words;

/// A participant.
pub(crate) struct Person {
    pub(crate) name: Rc<str>,
    pub(crate) principal: Rc<str>,
}

/// A message that was said, delivered or not.
pub(crate) struct Said {
    pub(crate) id: Rc<str>,
    pub(crate) by: Rc<Person>,
    pub(crate) thread: Rc<str>,
    pub(crate) act: Act,
    /// The envelope, damaged or not.
    pub(crate) node: Node,
    /// What became of it, as far as the generator means it.
    pub(crate) hope: Hope,
    /// The request, commitment or target; the commitment that a REQUEST replaces.
    pub(crate) subject: Option<Known>,
    pub(crate) previous: Option<Known>,
    /// The state in a REPORT or in the revision of one; `withdraw` in a withdrawal.
    pub(crate) state: &'static str,
}

/// What a generator means to become of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Hope {
    /// Never identified: refused at stages 1 to 4, or not delivered.
    Lost,
    /// Identified, but waiting for what never comes, or resting on what does.
    Waiting,
    /// Rejected at stage 6, or resting on what is.
    Rejected,
    /// Accepted in the end.
    Sound,
}

pub(crate) type Known = Rc<Said>;

/// What is to be said.
pub(crate) struct Draft {
    pub(crate) by: Rc<Person>,
    pub(crate) thread: Rc<str>,
    pub(crate) act: Act,
    pub(crate) reply: Option<Known>,
    pub(crate) subject: Option<Known>,
    pub(crate) previous: Option<Known>,
    pub(crate) state: &'static str,
    pub(crate) body: Node,
    /// What is meant to become of it at best.
    pub(crate) hope: Hope,
}

impl Draft {
    pub(crate) fn new(by: &Rc<Person>, thread: &Rc<str>, act: Act, body: Node) -> Self {
        Self {
            by: Rc::clone(by),
            thread: Rc::clone(thread),
            act,
            reply: None,
            subject: None,
            previous: None,
            state: "",
            body,
            hope: Hope::Sound,
        }
    }

    pub(crate) fn on(mut self, subject: &Known) -> Self {
        self.subject = Some(Rc::clone(subject));
        self
    }

    pub(crate) fn replying(mut self, reply: Option<Known>) -> Self {
        self.reply = reply;
        self
    }

    /// A message is at most as sound as what it rests on.
    fn hope(&self) -> Hope {
        let rests_on = [&self.reply, &self.subject, &self.previous];
        let hopes = rests_on.into_iter().flatten().map(|known| known.hope);
        hopes
            .chain([self.hope])
            .min()
            .map_or(Hope::Sound, |least| least.max(Hope::Waiting))
    }
}

/// A log while it grows.
pub(crate) struct World<'d, 'a> {
    pub(crate) dice: Dice<'d, 'a>,
    pub(crate) plan: Plan,
    pub(crate) people: Vec<Rc<Person>>,
    pub(crate) threads: Vec<Rc<str>>,
    pub(crate) said: Vec<Known>,
    pub(crate) post: Post,
    pub(crate) damages: Vec<Damage>,
    /// Started actions: the commitment as named, and the key.
    pub(crate) started: Vec<(Node, &'static str)>,
    /// While one damage is being done, no other is.
    pub(crate) is_harming: bool,
    count: usize,
}

impl<'d, 'a> World<'d, 'a> {
    /// Nobody has said anything yet.
    pub(crate) fn new(mut dice: Dice<'d, 'a>, plan: Plan) -> Self {
        let people = people(&mut dice, plan.odd);
        let mut threads: Vec<Rc<str>> = Vec::new();
        for _ in 0..dice.between(1, 3) {
            let odd = dice.chance(plan.odd);
            let pool = if odd {
                words::ODD_THREADS
            } else {
                words::THREADS
            };
            let name = dice.one(pool);
            if threads.iter().all(|thread| **thread != *name) {
                threads.push(name.into());
            }
        }
        let name = if dice.chance(plan.odd) {
            dice.one(&["\u{1f602}\u{fb33}", " ", "a\u{0}"])
        } else {
            "garden"
        };
        let participants = people
            .iter()
            .map(|person| {
                let name = String::from(&*person.name).into();
                (name, Node::Shared(Rc::clone(&person.principal)))
            })
            .collect();
        let context = Node::object([
            ("id", Node::word(name)),
            ("participants", Node::Object(participants)),
        ]);
        let mut post = Post::new(plan.bare);
        post.open(&Node::object([("context", context)]));
        Self {
            dice,
            plan,
            people,
            threads,
            said: Vec::new(),
            post,
            damages: Vec::new(),
            started: Vec::new(),
            is_harming: false,
            count: 0,
        }
    }

    pub(crate) fn person(&mut self) -> Rc<Person> {
        let person = self.dice.pick(&self.people).map(Rc::clone);
        person.unwrap_or_else(nobody)
    }

    /// Anybody else, where there is anybody else.
    pub(crate) fn other(&mut self, than: &Person) -> Rc<Person> {
        let others: Vec<&Rc<Person>> = self
            .people
            .iter()
            .filter(|person| person.name != than.name)
            .collect();
        match self.dice.pick(&others) {
            Some(other) => Rc::clone(other),
            None => self.person(),
        }
    }

    pub(crate) fn thread(&mut self) -> Rc<str> {
        if self.dice.chance(50)
            && let Some(last) = self.said.last()
        {
            return Rc::clone(&last.thread);
        }
        let thread = self.dice.pick(&self.threads).map(Rc::clone);
        thread.unwrap_or_else(|| "beds".into())
    }

    /// An id that nobody used, of somebody.
    pub(crate) fn fresh_id(&mut self, by: &Person) -> Rc<str> {
        self.count += 1;
        let (name, count) = (&by.name, self.count);
        if self.dice.chance(self.plan.odd) {
            let odd = self
                .dice
                .one(&["1:", ":", "\u{1f602}", "\u{fb33}", "\u{0}", " ", "0"]);
            return format!("{name}:{odd}{count}").into();
        }
        format!("{name}:{count}").into()
    }

    /// The id that somebody's next message will have, if nothing odd comes between.
    pub(crate) fn next_id(&self, by: &Person) -> Rc<str> {
        format!("{}:{}", by.name, self.count + 1).into()
    }

    /// A message that fits: often the last one or the first one, so that things come together.
    pub(crate) fn pick(&mut self, fits: impl Fn(&Said) -> bool) -> Option<Known> {
        let least = if self.dice.chance(self.plan.loose) {
            Hope::Lost
        } else {
            Hope::Sound
        };
        let found: Vec<&Known> = self
            .said
            .iter()
            .filter(|said| said.hope >= least && fits(said))
            .collect();
        let known = match self.dice.below(8) {
            0..=2 => found.last(),
            3..=4 => found.first(),
            _ => self.dice.pick(&found),
        };
        known.map(|known| Rc::clone(known))
    }

    /// Everything sound that fits, oldest first.
    pub(crate) fn all(&self, fits: impl Fn(&Said) -> bool) -> Vec<Known> {
        self.said
            .iter()
            .filter(|said| said.hope == Hope::Sound && fits(said))
            .map(Rc::clone)
            .collect()
    }

    /// Says something: damage may befall it on its way into the log.
    pub(crate) fn say(&mut self, draft: Draft) -> Known {
        let id = self.fresh_id(&draft.by);
        self.say_as(id, draft)
    }

    /// Says something under an id.
    pub(crate) fn say_as(&mut self, id: Rc<str>, draft: Draft) -> Known {
        let hope = draft.hope();
        let to = self.recipients(&draft.by);
        let mut node = Node::object([
            ("tern", Node::word("0.1")),
            ("id", Node::Shared(Rc::clone(&id))),
            ("from", Node::Shared(Rc::clone(&draft.by.name))),
            ("to", to),
            ("thread", Node::Shared(Rc::clone(&draft.thread))),
            (
                "reply",
                Node::reference(draft.reply.as_ref().map(|reply| &reply.id)),
            ),
            ("act", Node::word(draft.act.as_str())),
            ("body", draft.body),
        ]);
        // A bare file that began with evidence would be taken for a log document (S8.10).
        let begins_bare = self.plan.bare && self.post.is_empty();
        if self.dice.chance(self.plan.evidence) && !begins_bare {
            let list = self.evidence_list();
            node.set("evidence", list);
        }
        if self.dice.chance(self.plan.extensions) {
            let extensions = self.extensions();
            node.set("extensions", extensions);
        }
        let mut said = Said {
            id,
            by: draft.by,
            thread: draft.thread,
            act: draft.act,
            node,
            hope,

            subject: draft.subject,
            previous: draft.previous,
            state: draft.state,
        };
        let mut mail = Mail::from(&said.by.principal);
        let misfortune = damage::befall(self, &mut said, &mut mail);
        self.send(&said, mail);
        if let Some(genuine) = misfortune.genuine {
            said.node = genuine;
            let mail = Mail::from(&said.by.principal);
            self.send(&said, mail);
        }
        let known = Rc::new(said);
        self.said.push(Rc::clone(&known));
        for harm in misfortune.harms {
            damage::follow_up(self, harm, &known);
        }
        known
    }

    fn recipients(&mut self, by: &Person) -> Node {
        let mut names: Vec<Rc<str>> = vec![Rc::clone(&self.other(by).name)];
        if self.dice.chance(15) {
            let more = self.dice.one(&["zoe", "ana", "\u{202e}", " "]);
            if names.iter().all(|name| **name != *more) {
                names.push(more.into());
            }
        }
        Node::List(names.into_iter().map(Node::Shared).collect())
    }

    /// Puts a message on a line.
    pub(crate) fn send(&mut self, said: &Said, mail: Mail) {
        let form = self.dice.chance(self.plan.forms);
        let form = if form { self.dice.byte() } else { 0 };
        self.post.send(&said.node, mail, form);
    }

    /// Records a local fact, now and then before what it is about.
    pub(crate) fn fact(&mut self, key: &'static str, value: Node) {
        let early = if self.dice.chance(15) {
            self.dice.between(1, 8)
        } else {
            0
        };
        self.post.fact(&Node::object([(key, value)]), early);
    }
}

fn nobody() -> Rc<Person> {
    Rc::new(Person {
        name: "ana".into(),
        principal: "key:ana".into(),
    })
}

fn people(dice: &mut Dice<'_, '_>, odd: u8) -> Vec<Rc<Person>> {
    let count = match dice.below(8) {
        0..=2 => 2,
        3..=4 => 3,
        5..=6 => 4,
        _ => 1,
    };
    let mut people: Vec<Rc<Person>> = Vec::new();
    for ordinary in words::NAMES.iter().take(count) {
        let mut name = *ordinary;
        if dice.chance(odd) {
            name = dice.one(words::ODD_NAMES);
        }
        if people.iter().any(|person| *person.name == *name) {
            continue;
        }
        let principal = match people.first() {
            Some(first) if dice.chance(15) => Rc::clone(&first.principal),
            _ => format!("key:{name}").into(),
        };
        people.push(Rc::new(Person {
            name: name.into(),
            principal,
        }));
    }
    people
}
