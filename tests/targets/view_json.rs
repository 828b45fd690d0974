//! The canonical view as JSON.

use std::sync::OnceLock;

use serde_json::Value;
use tern_conformance::shown::shown;
use tern_core::wire::{self, Digest, Json, JsonOptions};
use tern_core::{Limits, Log, State, View};

use super::log;
use crate::schema;
use crate::views::in_order;

/// The view of the log that grows out of the input, at the end and after as many events as its first
/// byte says (of a document, after each): it has the shape of its schema, every list in order and without repeats (S7.06),
/// canonical JSON (S7.03), and reads back as itself (S7.05).
///
/// # Panics
/// Where it does not.
pub fn view_json(data: &[u8]) {
    let input = log::of(data);
    let Ok(log) = Log::read(&input.document) else {
        return;
    };
    let some = input
        .choice
        .map(|choice| usize::from(choice) * log.events().len() / 256);
    let mut state = State::new(log.context().clone(), Limits::default());
    for (at, event) in log.events().iter().enumerate() {
        if some.is_none_or(|some| some == at) {
            look(&state.view(), at, &input.document);
        }
        state.apply(event);
    }
    look(&state.view(), log.events().len(), &input.document);
}

fn look(view: &View<'_>, events: usize, document: &[u8]) {
    let json = view.to_canonical_json();
    if let Err(why) = check(view, &json) {
        panic!("{why}, after {events} events:\n{json}\n{}", shown(document));
    }
}

fn check(view: &View<'_>, json: &str) -> Result<(), String> {
    let read = Json::read(json.as_bytes(), JsonOptions::STRICT)
        .map_err(|finding| format!("S7.03: a view is no JSON: {finding}"))?;
    if wire::canonical(read.root()) != json {
        return Err("S7.03: a view is not written as canonical JSON".into());
    }
    if view.digest() != Digest::of(json.as_bytes()) {
        return Err("S7.05: a view has another digest".into());
    }
    let value: Value =
        serde_json::from_str(json).map_err(|error| format!("S7.03: a view is no JSON: {error}"))?;
    let mut errors = validator().iter_errors(&value);
    if let Some(error) = errors.next() {
        let place = error.instance_path();
        return Err(format!("S7.06: {place} is against the schema: {error}"));
    }
    in_order(&value)?;
    match serde_json::from_str::<View<'_>>(json) {
        Ok(back) if back == *view => Ok(()),
        Ok(_) => Err("S7.05: a view is read back as another one".into()),
        Err(error) => Err(format!("S7.05: a view is not read back: {error}")),
    }
}

fn validator() -> &'static jsonschema::Validator {
    static VALIDATOR: OnceLock<jsonschema::Validator> = OnceLock::new();
    VALIDATOR.get_or_init(|| schema::validator("view"))
}
