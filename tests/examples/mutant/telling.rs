//! Implementations that come to what is right, and say something else.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde_json::Value;
use tern_conformance::{Answer, Ask, Engine, EngineError, Outcome, View};
use tern_core::wire::{Digest, Json, JsonOptions, canonical};

use crate::document::deliveries;
use crate::tree::Tree;

/// A wrong teller: its name, the clause that it violates, what it does, and how; it sees the document.
pub(crate) type Teller = (
    &'static str,
    &'static str,
    &'static str,
    fn(&[u8], &mut Answer),
);

/// All of them.
#[rustfmt::skip]
pub(crate) const TELLERS: &[Teller] = &[
    ("digest-in-capitals", "S7.05", "digests are upper case", digest_in_capitals),
    ("digest-of-pretty-view", "S7.05", "the digest is that of the view as it is printed for people", digest_of_pretty_view),
    ("digest-of-line", "S7.05", "the digest is that of the view and a newline", digest_of_line),
    ("keys-by-code-point", "S7.03", "keys of the view are in the order of code points", keys_by_code_point),
    ("lists-by-code-point", "S7.06", "lists of the view are in the order of code points", lists_by_code_point),
    ("lists-by-number", "S7.06", "ids in lists are in the order of the numbers in them", lists_by_number),
    ("lists-as-they-came", "S7.06", "lists of the view are in the order of arrival", lists_as_they_came),
    ("empty-lists-left-out", "S7.06", "the view does not show empty lists", empty_lists_left_out),
    ("null-for-nothing", "S7.06", "the view shows null where a field has to be absent", null_for_nothing),
    ("rejected-left-out", "S7.07", "the view does not show rejected messages", rejected_left_out),
    ("one-code-for-all", "S2.15", "what is rejected for its references says `reference_rejected`", one_code_for_all),
    ("duplicates-accepted", "T1.27", "a duplicate is said to be accepted", duplicates_accepted),
    ("conflicts-rejected", "T1.28", "a conflict of ids is said to be rejected for its identity", conflicts_rejected),
    ("outcomes-at-the-end", "S3.02", "outcomes are told as they are at the end", outcomes_at_the_end),
    ("identity-first", "S2.02", "senders are looked up before shapes are", identity_first),
    ("last-outcome-missing", "S2.15", "the last delivery has no outcome", last_outcome_missing),
    ("lines-from-zero", "S8.02", "the line at fault is counted from 0", lines_from_zero),
    ("last-line-refused", "S8.02", "a broken document is refused for its last line", last_line_refused),
];

/// The core, told wrong.
pub(crate) struct Telling<E> {
    pub(crate) engine: E,
    pub(crate) tell: fn(&[u8], &mut Answer),
}

impl<E: Engine> Engine for Telling<E> {
    fn name(&self) -> &str {
        self.engine.name()
    }

    fn run(&mut self, document: &[u8], ask: Ask) -> Result<Answer, EngineError> {
        let mut answer = self.engine.run(document, ask)?;
        (self.tell)(document, &mut answer);
        Ok(answer)
    }
}

fn each_view(answer: &mut Answer, change: impl Fn(&mut View)) {
    if let Answer::Read(reading) = answer {
        reading.views.iter_mut().for_each(change);
    }
}

fn each_outcome(answer: &mut Answer, change: impl Fn(usize, &mut Outcome)) {
    if let Answer::Read(reading) = answer {
        let outcomes = reading.outcomes.iter_mut().enumerate();
        outcomes.for_each(|(index, outcome)| change(index, outcome));
    }
}

/// A view that is another one, with the digest that fits it.
fn each_value(answer: &mut Answer, change: impl Fn(&mut Value)) {
    each_view(answer, |view| {
        let mut value: Value = serde_json::from_str(&view.json).unwrap_or_default();
        change(&mut value);
        let text = value.to_string();
        if let Ok(json) = Json::read(text.as_bytes(), JsonOptions::STRICT) {
            view.json = canonical(json.root());
            view.digest = Digest::of(view.json.as_bytes()).to_string();
        }
    });
}

fn each_list(value: &mut Value, change: &dyn Fn(&mut Vec<Value>)) {
    match value {
        Value::Array(items) => {
            items.iter_mut().for_each(|item| each_list(item, change));
            change(items);
        }
        Value::Object(fields) => fields.values_mut().for_each(|it| each_list(it, change)),
        _ => {}
    }
}

fn digest_in_capitals(_: &[u8], answer: &mut Answer) {
    each_view(answer, |view| view.digest = view.digest.to_uppercase());
}

fn digest_of(answer: &mut Answer, text: fn(&str) -> String) {
    each_view(answer, |view| {
        view.digest = Digest::of(text(&view.json).as_bytes()).to_string();
    });
}

fn digest_of_pretty_view(_: &[u8], answer: &mut Answer) {
    digest_of(answer, |json| {
        let value: Value = serde_json::from_str(json).unwrap_or_default();
        serde_json::to_string_pretty(&value).unwrap_or_default()
    });
}

fn digest_of_line(_: &[u8], answer: &mut Answer) {
    digest_of(answer, |json| format!("{json}\n"));
}

/// As a map of strings does it whose order is that of UTF-8.
fn keys_by_code_point(_: &[u8], answer: &mut Answer) {
    digest_of(answer, |json| {
        let value: Value = serde_json::from_str(json).unwrap_or_default();
        value.to_string()
    });
}

fn lists_by_code_point(_: &[u8], answer: &mut Answer) {
    each_value(answer, |view| {
        each_list(view, &|items| {
            items.sort_by(|one, other| match (one, other) {
                (Value::String(one), Value::String(other)) => one.cmp(other),
                _ => Ordering::Equal,
            });
        });
    });
}

fn lists_by_number(_: &[u8], answer: &mut Answer) {
    each_value(answer, |view| {
        each_list(view, &|items| {
            items.sort_by_key(|item| {
                let id = item.as_str().unwrap_or_default();
                let (name, number) = id.rsplit_once(':').unwrap_or((id, ""));
                (name.to_owned(), number.parse::<u64>().unwrap_or_default())
            });
        });
    });
}

fn lists_as_they_came(document: &[u8], answer: &mut Answer) {
    let mut came = BTreeMap::new();
    for (place, message) in deliveries(document).iter().enumerate() {
        let id = message.as_ref().and_then(|it| it.get("id")?.text());
        came.entry(id.unwrap_or_default().to_owned())
            .or_insert(place);
    }
    each_value(answer, |view| {
        each_list(view, &|items| {
            items.sort_by_key(|it| it.as_str().and_then(|id| came.get(id)));
        });
    });
}

fn empty_lists_left_out(_: &[u8], answer: &mut Answer) {
    fn drop(value: &mut Value) {
        if let Value::Object(fields) = value {
            fields.retain(|_, it| it.as_array().is_none_or(|items| !items.is_empty()));
            fields.values_mut().for_each(drop);
        }
    }
    each_value(answer, drop);
}

fn null_for_nothing(_: &[u8], answer: &mut Answer) {
    each_value(answer, |view| {
        for (key, field) in [("requests", "replaces"), ("commitments", "progress_cause")] {
            let map = view.get_mut(key).and_then(Value::as_object_mut);
            for entry in map.into_iter().flat_map(|it| it.values_mut()) {
                if let Some(entry) = entry.as_object_mut() {
                    entry.entry(field).or_insert(Value::Null);
                }
            }
        }
    });
}

fn rejected_left_out(_: &[u8], answer: &mut Answer) {
    each_value(answer, |view| {
        if let Some(Value::Object(messages)) = view.get_mut("messages") {
            messages.retain(|_, it| it.get("status") != Some(&Value::from("rejected")));
        }
    });
}

fn one_code_for_all(_: &[u8], answer: &mut Answer) {
    each_outcome(answer, |_, outcome| {
        if let Outcome::Rejected { class, code } = outcome
            && class == "reference"
        {
            *code = "reference_rejected".into();
        }
    });
}

fn duplicates_accepted(_: &[u8], answer: &mut Answer) {
    each_outcome(answer, |_, outcome| {
        if *outcome == Outcome::Duplicate {
            *outcome = Outcome::Accepted;
        }
    });
}

fn conflicts_rejected(_: &[u8], answer: &mut Answer) {
    each_outcome(answer, |_, outcome| {
        if *outcome == Outcome::IdConflict {
            *outcome = Outcome::Rejected {
                class: "identity".into(),
                code: "id_conflict".into(),
            };
        }
    });
}

fn outcomes_at_the_end(document: &[u8], answer: &mut Answer) {
    let view = answer.view().map(|view| serde_json::from_str(&view.json));
    let view: Value = view.and_then(Result::ok).unwrap_or_default();
    let delivered = deliveries(document);
    each_outcome(answer, |index, outcome| {
        let message = delivered.get(index).and_then(Option::as_ref);
        let id = message.and_then(|it| it.get("id")?.text());
        let entry = view.get("messages").and_then(|it| it.get(id?));
        let text = |key| entry.and_then(|it| it.get(key)?.as_str());
        match (&outcome, text("status")) {
            (Outcome::Pending, Some("accepted")) => *outcome = Outcome::Accepted,
            (Outcome::Pending, Some("rejected")) => {
                *outcome = Outcome::Rejected {
                    class: "reference".into(),
                    code: text("code").unwrap_or_default().to_owned().into(),
                };
            }
            _ => {}
        }
    });
}

fn identity_first(document: &[u8], answer: &mut Answer) {
    let first = document.split(|it| *it == b'\n').next();
    let context = first.and_then(Tree::strict);
    let names = context
        .as_ref()
        .and_then(|it| it.get("context")?.get("participants"));
    let delivered = deliveries(document);
    each_outcome(answer, |index, outcome| {
        let message = delivered.get(index).and_then(Option::as_ref);
        let from = message.and_then(|it| it.get("from")?.text());
        let is_unbound = from.is_some_and(|from| names.is_some_and(|it| it.get(from).is_none()));
        if let Outcome::Rejected { class, code } = outcome
            && class == "shape"
            && is_unbound
        {
            *class = "identity".into();
            *code = "sender_unbound".into();
        }
    });
}

fn last_outcome_missing(_: &[u8], answer: &mut Answer) {
    if let Answer::Read(reading) = answer {
        reading.outcomes.pop();
    }
}

fn lines_from_zero(_: &[u8], answer: &mut Answer) {
    if let Answer::Refused { line } = answer {
        *line = line.saturating_sub(1);
    }
}

fn last_line_refused(document: &[u8], answer: &mut Answer) {
    if let Answer::Refused { line } = answer {
        let ended = document.strip_suffix(b"\n").unwrap_or(document);
        *line = ended.split(|it| *it == b'\n').count();
    }
}
