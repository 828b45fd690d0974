//! Logs and views as the properties look at them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use tern_core::message::{Body, Change};
use tern_core::{Class, Code, Context, Event, Limits, Log, Outcome, State, Verdict, wire};

use crate::harness::Trial;

pub(crate) type Ids = BTreeSet<String>;
pub(crate) type Events = Vec<Event<'static>>;

/// A log that could be read.
pub(crate) struct Read {
    pub(crate) context: Context,
    pub(crate) events: Events,
}

impl Trial<'_> {
    /// The bytes of the log.
    pub(crate) fn document(&self) -> Vec<u8> {
        self.scenario.with_lines(self.lines.to_vec()).document()
    }

    /// The log, unless it is refused as a whole.
    pub(crate) fn read(&self) -> Option<Read> {
        Log::read(&self.document()).ok().map(|log| Read {
            context: log.context().clone(),
            events: log.events().to_vec(),
        })
    }
}

impl Read {
    pub(crate) fn state(&self) -> State {
        State::new(self.context.clone(), Limits::default())
    }

    /// The state after these events, and what each delivery was answered with.
    pub(crate) fn after<'e>(
        &self,
        events: impl IntoIterator<Item = &'e Event<'static>>,
    ) -> (State, Vec<Outcome>) {
        let mut state = self.state();
        let events = events.into_iter();
        let outcomes = events.filter_map(|event| state.apply(event)).collect();
        (state, outcomes)
    }

    /// The canonical view after these events.
    pub(crate) fn canonical<'e>(
        &self,
        events: impl IntoIterator<Item = &'e Event<'static>>,
    ) -> String {
        self.after(events).0.view().to_canonical_json()
    }

    /// The log without the deliveries that would make an id equivocal.
    pub(crate) fn honest(&self) -> Self {
        let mut state = self.state();
        let mut honest = self.events.clone();
        honest.retain(|event| {
            let outcome = state.apply(event);
            !outcome.is_some_and(|it| matches!(it.verdict, Verdict::IdConflict(_)))
        });
        Self {
            context: self.context.clone(),
            events: honest,
        }
    }

    /// Each event with the views before and after it.
    pub(crate) fn each_step(
        &self,
        mut step: impl FnMut(&Step<'_>) -> Result<(), String>,
    ) -> Result<(), String> {
        let mut state = self.state();
        let mut before = view(&state);
        for (index, event) in self.events.iter().enumerate() {
            let outcome = state.apply(event);
            let after = view(&state);
            step(&Step {
                event,
                outcome: outcome.as_ref(),
                before: &before,
                after: &after,
            })
            .map_err(|reason| format!("event {}: {reason}", index + 1))?;
            before = after;
        }
        Ok(())
    }
}

/// An event and what it changed.
pub(crate) struct Step<'s> {
    pub(crate) event: &'s Event<'static>,
    pub(crate) outcome: Option<&'s Outcome>,
    pub(crate) before: &'s Value,
    pub(crate) after: &'s Value,
}

impl Step<'_> {
    pub(crate) fn is_fact(&self) -> bool {
        matches!(self.event, Event::Fact(_))
    }

    /// Ids that settled as accepted in this step.
    pub(crate) fn newly_accepted(&self) -> Ids {
        let was = |id: &str| status(self.before, id) == "accepted";
        ids(&self.after["messages"])
            .into_iter()
            .filter(|id| status(self.after, id) == "accepted" && !was(id))
            .collect()
    }
}

pub(crate) fn view(state: &State) -> Value {
    serde_json::to_value(state.view()).unwrap()
}

pub(crate) fn map<'v>(view: &'v Value, section: &str) -> &'v Map<String, Value> {
    view[section].as_object().unwrap()
}

pub(crate) fn ids(map: &Value) -> Ids {
    map.as_object().unwrap().keys().cloned().collect()
}

/// The texts of a list; none where there is no list.
pub(crate) fn texts(list: &Value) -> BTreeSet<&str> {
    let items = list.as_array().into_iter().flatten();
    items.map(|item| item.as_str().unwrap()).collect()
}

/// `accepted`, `pending`, `rejected`; empty for an unknown id.
pub(crate) fn status<'v>(view: &'v Value, id: &str) -> &'v str {
    let message = view["messages"].get(id);
    message.map_or("", |message| message["status"].as_str().unwrap())
}

/// Whether stages 1 to 4 refused a delivery.
pub(crate) fn is_refused(outcome: &Outcome) -> bool {
    let class = code_of(outcome).map(Code::class);
    class.is_some_and(|class| {
        [Class::Syntax, Class::Version, Class::Shape, Class::Identity].contains(&class)
    })
}

pub(crate) fn code_of(outcome: &Outcome) -> Option<Code> {
    outcome
        .verdict
        .rejection()
        .map(|rejection| rejection.code())
}

/// A version of a message that was kept.
#[derive(Clone)]
pub(crate) struct Version {
    pub(crate) act: String,
    pub(crate) from: String,
    pub(crate) body: Value,
    /// What it refers to, without what stands in a replacement.
    references: Ids,
    /// Of a REVISE whose replacement has the shape of a body: target, act of the body, reference.
    replacement: Option<(String, String, Option<String>)>,
}

/// All identified messages: the first version of an id comes first.
pub(crate) struct Kept(pub(crate) BTreeMap<String, Vec<Version>>);

impl Kept {
    pub(crate) fn of(log: &Read) -> Self {
        let mut state = log.state();
        let mut kept: BTreeMap<String, Vec<Version>> = BTreeMap::new();
        for event in &log.events {
            let outcome = state.apply(event);
            if let (Some(outcome), Event::Deliver(delivery)) = (outcome, event)
                && !is_refused(&outcome)
                && outcome.verdict.as_str() != "duplicate"
            {
                let (id, version) = read_version(&delivery.bytes);
                kept.entry(id).or_default().push(version);
            }
        }
        Self(kept)
    }

    pub(crate) fn first(&self, id: &str) -> Option<&Version> {
        self.0.get(id).map(|versions| &versions[0])
    }

    /// S3.01: what a version waits for.
    pub(crate) fn gates(&self, version: &Version) -> Ids {
        let mut gates = version.references.clone();
        if let Some((target, act, Some(reference))) = &version.replacement
            && self.first(target).is_some_and(|target| target.act == *act)
        {
            gates.insert(reference.clone());
        }
        gates
    }

    ///
    pub(crate) fn tainted(&self, equivocal: Ids) -> Ids {
        let mut tainted = equivocal;
        loop {
            let rests = |version: &Version| !self.gates(version).is_disjoint(&tainted);
            let more: Ids = (self.0.iter())
                .filter(|(id, versions)| !tainted.contains(*id) && versions.iter().any(rests))
                .map(|(id, _)| id.clone())
                .collect();
            if more.is_empty() {
                return tainted;
            }
            tainted.extend(more);
        }
    }

    /// S5.01: everything that is causally before a message.
    pub(crate) fn past(&self, id: &str) -> Ids {
        let mut past = Ids::new();
        let mut open = vec![id.to_owned()];
        while let Some(id) = open.pop() {
            let Some(version) = self.first(&id) else {
                continue;
            };
            for gate in self.gates(version) {
                if past.insert(gate.clone()) {
                    open.push(gate);
                }
            }
        }
        past
    }
}

/// The id and what counts of a message that the reader accepts.
fn read_version(bytes: &[u8]) -> (String, Version) {
    let parsed = wire::read(bytes, &Limits::default()).unwrap();
    let message = parsed.message;
    let mut replacement = None;
    if let Body::Revise(revise) = &message.body
        && let Change::Replace(replaced) = &revise.change
        && let Some(content) = replaced.content()
    {
        replacement = Some((
            revise.target.as_str().to_owned(),
            content.act().as_str().to_owned(),
            content.reference().map(|it| it.as_str().to_owned()),
        ));
    }
    let value: Value = serde_json::from_str(&message.to_canonical_json()).unwrap_or_default();
    let version = Version {
        act: message.act().as_str().to_owned(),
        from: message.from.as_str().to_owned(),
        body: value["body"].clone(),
        references: message
            .references()
            .map(|it| it.to.as_str().to_owned())
            .collect(),
        replacement,
    };
    (message.id.as_str().to_owned(), version)
}

/// The message of a delivery, where it can be read at all.
pub(crate) fn said(event: &Event<'static>) -> Option<(String, Version)> {
    match event {
        Event::Deliver(delivery) => {
            wire::read(&delivery.bytes, &Limits::default()).ok()?;
            Some(read_version(&delivery.bytes))
        }
        Event::Fact(_) => None,
    }
}

/// Holds, or not for this reason.
macro_rules! holds {
    ($condition:expr, $($reason:tt)+) => {
        if !$condition {
            return Err(format!($($reason)+));
        }
    };
}
pub(crate) use holds;
