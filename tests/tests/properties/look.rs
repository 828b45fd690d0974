//! Logs and views as the properties look at them.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use tern_core::{Code, Context, Event, Limits, Log, Outcome, State, Verdict};
pub(crate) use tern_tests::kept::{Ids, Kept, is_refused, said};

use crate::harness::Trial;

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

    /// What is kept of it.
    pub(crate) fn kept(&self) -> Kept {
        Kept::of(self.state(), &self.events)
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

pub(crate) fn code_of(outcome: &Outcome) -> Option<Code> {
    outcome
        .verdict
        .rejection()
        .map(|rejection| rejection.code())
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
