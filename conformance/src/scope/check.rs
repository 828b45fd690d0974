//! Every order of a small log, core against model.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;
use tern_core::{Event, Limits, Log, State, Verdict};
use tern_model::{Document, Model};

use super::{SmallLog, shape};
use crate::engine::caught;
use crate::shown::{inline, shown};

/// How closely a log is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// At the outcome and the view of each step of each order.
    EachStep,
    /// At the view at the end of the order in which it is written, and at no other order.
    GivenOrder,
    /// At the view at the end of each order, and at the outcome of its last step. That is enough
    /// where all logs that lack a message have been looked at step by step, with references to the
    /// one that they lack.
    AtTheEnd,
}

/// What was looked at so far.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// How many logs.
    pub logs: u64,
    /// How many orders of them.
    pub orders: u64,
    /// How many views of the core were compared with one of the model.
    pub views: u64,
    /// A log for each distinct shape of the view at the end.
    pub shapes: BTreeMap<String, SmallLog>,
}

/// Core and model part.
#[derive(Clone, Debug)]
pub struct Parting {
    /// The log as a log document, in the order that shows it.
    pub lines: Vec<Vec<u8>>,
    /// What the core says.
    pub core: String,
    /// What the model says.
    pub model: String,
}

impl fmt::Display for Parting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            writeln!(f, "{}", shown(line))?;
        }
        write!(
            f,
            "core:  {}\nmodel: {}",
            inline(&self.core),
            inline(&self.model)
        )
    }
}

impl Checked {
    /// Delivers the log in every order.
    ///
    /// # Errors
    /// The first order in which core and model do not agree (S7.01).
    pub fn check(&mut self, log: &SmallLog, look: Look) -> Result<(), Box<Parting>> {
        let lines = log.lines();
        let document = lines.join(&b'\n');
        let refused = |core: String, model: String| {
            Box::new(Parting {
                lines: lines.clone(),
                core,
                model,
            })
        };
        let core =
            Log::read(&document).map_err(|error| refused(error.to_string(), String::new()))?;
        let model =
            Document::read(&document).map_err(|error| refused(String::new(), error.reason))?;
        let facts = log.permits().len();
        let (state, _) = core.state_at(facts, &Limits::default());
        let mut walk = Walk {
            log,
            look,
            facts,
            events: core.events().get(facts..).unwrap_or_default(),
            model: &model,
            expected: BTreeMap::new(),
            order: Vec::new(),
            checked: self,
        };
        // Which of the two: the message of the panic says so, and the log is what matters.
        let walked = caught("core or model", || walk.goes_on(state));
        walked.unwrap_or_else(|panic| Err(walk.parting(panic.to_string(), String::new())))?;
        let whole = walk.expected.into_iter().next_back();
        if let Some((_, expected)) = whole {
            let shape = shape::of(&expected.value);
            self.shapes.entry(shape).or_insert_with(|| log.clone());
        }
        self.logs += 1;
        Ok(())
    }

    /// Adds what another thread looked at.
    pub fn merge(&mut self, other: Self) {
        self.logs += other.logs;
        self.orders += other.orders;
        self.views += other.views;
        for (shape, log) in other.shapes {
            let kept = self.shapes.entry(shape).or_insert_with(|| log.clone());
            if log < *kept {
                *kept = log;
            }
        }
    }
}

/// All orders of one log, depth first.
struct Walk<'w> {
    log: &'w SmallLog,
    look: Look,
    /// How many local facts stand before the messages.
    facts: usize,
    events: &'w [Event<'static>],
    model: &'w Document,
    /// What the model says of a set of messages, and of which of two versions came first.
    expected: BTreeMap<(usize, bool), Expected>,
    /// The messages delivered so far.
    order: Vec<usize>,
    checked: &'w mut Checked,
}

struct Expected {
    json: String,
    value: Value,
}

impl Walk<'_> {
    fn goes_on(&mut self, state: State) -> Result<(), Box<Parting>> {
        let is_whole = self.order.len() == self.events.len();
        if is_whole {
            self.checked.orders += 1;
        }
        if self.look == Look::EachStep && self.order.is_empty() {
            self.compare(&state, None)?;
        }
        let events = self.events;
        for (index, event) in events.iter().enumerate() {
            let is_next = self.look != Look::GivenOrder || index == self.order.len();
            if self.order.contains(&index) || !is_next {
                continue;
            }
            let mut state = state.clone();
            // Before the core is asked: if it panics, this is the order that shows it.
            self.order.push(index);
            let verdict = state.apply(event).map(|outcome| outcome.verdict);
            if self.look == Look::EachStep || self.order.len() == events.len() {
                self.compare(&state, verdict.as_ref())?;
            }
            self.goes_on(state)?;
            self.order.pop();
        }
        Ok(())
    }

    /// The view of the core after the messages so far, and what it answered to the last of them.
    fn compare(&mut self, state: &State, verdict: Option<&Verdict>) -> Result<(), Box<Parting>> {
        self.checked.views += 1;
        let set = self.order.iter().fold(0, |set, index| set | 1 << index);
        let key = (set, self.later_version_is_first());
        if !self.expected.contains_key(&key) {
            let expected = self.ask_model();
            self.expected.insert(key, expected);
        }
        let Some(expected) = self.expected.get(&key) else {
            return Ok(());
        };
        let view = state.view().to_canonical_json();
        if view != expected.json {
            return Err(self.parting(view, expected.json.clone()));
        }
        let (Some(verdict), Some(&last)) = (verdict, self.order.last()) else {
            return Ok(());
        };
        let answer = match verdict {
            Verdict::Rejected(rejection) => rejection.code().as_str(),
            other => other.as_str(),
        };
        let status = if self.is_second_version(last) {
            "id_conflict"
        } else {
            let message = expected
                .value
                .get("messages")
                .and_then(|all| all.get(self.log.id(last)));
            let field = |name| message.and_then(|it| it.get(name)).and_then(Value::as_str);
            field("code")
                .or_else(|| field("status"))
                .unwrap_or_default()
        };
        if answer != status {
            return Err(self.parting(answer.to_owned(), status.to_owned()));
        }
        Ok(())
    }

    fn later_version_is_first(&self) -> bool {
        let place = |index: usize| self.order.iter().position(|&at| at == index);
        self.log
            .versions()
            .is_some_and(|(one, other)| match (place(one), place(other)) {
                (Some(one), Some(other)) => other < one,
                (None, Some(_)) => true,
                _ => false,
            })
    }

    /// Whether the id of a message delivered last was taken before.
    fn is_second_version(&self, last: usize) -> bool {
        let before = self
            .order
            .split_last()
            .map_or(&[][..], |(_, before)| before);
        before
            .iter()
            .any(|&index| self.log.id(index) == self.log.id(last))
    }

    fn ask_model(&self) -> Expected {
        let mut model = Model::new(self.model, tern_model::Limits::default());
        let records = self.model.records();
        let facts = records.iter().take(self.facts);
        let messages = self
            .order
            .iter()
            .filter_map(|index| records.get(self.facts + index));
        for record in facts.chain(messages) {
            model.step(record);
        }
        let json = model.view();
        let value = serde_json::from_str(&json).unwrap_or_default();
        Expected { json, value }
    }

    fn parting(&self, core: String, model: String) -> Box<Parting> {
        let lines = self.log.lines();
        let begin = lines.iter().take(1 + self.facts);
        let messages = self
            .order
            .iter()
            .filter_map(|index| lines.get(1 + self.facts + index));
        Box::new(Parting {
            lines: begin.chain(messages).cloned().collect(),
            core,
            model,
        })
    }
}
