//! Two logs side by side: contexts, messages, local facts and views.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tern_core::log::Record;
use tern_core::view::View;
use tern_core::wire::{Digest, Json, JsonOptions};
use tern_core::{Context, Event, State};

use crate::failure::Failure;
use crate::input::{Source, new_state};
use crate::look::{Difference, differences, raw};

/// One log, reduced.
pub(super) struct Side {
    pub(super) state: State,
    /// Each local fact as its record. They are a set (S6.01).
    facts: BTreeSet<String>,
}

impl Side {
    /// Reads a log to its end. Deliveries are not kept.
    pub(super) fn read(source: &Source) -> Result<Self, Failure> {
        let mut state: Option<State> = None;
        let mut facts = BTreeSet::new();
        let context = source.each(|item| {
            let state = state.get_or_insert_with(|| new_state(item.context));
            state.apply(&item.event);
            if let Event::Fact(_) = item.event {
                facts.insert(Record::Event(item.event).to_line().trim_end().into());
            }
            Ok(())
        })?;
        let state = state.unwrap_or_else(|| new_state(&context));
        Ok(Self { state, facts })
    }
}

/// Everything in which two logs differ.
#[derive(Serialize)]
pub(super) struct Comparison {
    /// Nothing below differs.
    pub(super) equal: bool,
    /// Whether the canonical views are the same.
    pub(super) digests_agree: bool,
    pub(super) digests: Both<Digest>,
    pub(super) contexts: Contexts,
    pub(super) messages: Messages,
    pub(super) facts: Only<Box<RawValue>>,
    /// Where the views differ, section by section.
    pub(super) view: Vec<Entry>,
}

#[derive(Serialize)]
pub(super) struct Both<T> {
    pub(super) a: T,
    pub(super) b: T,
}

/// What only one side has.
#[derive(Serialize)]
pub(super) struct Only<T> {
    pub(super) only_a: Vec<T>,
    pub(super) only_b: Vec<T>,
}

#[derive(Serialize)]
pub(super) struct Contexts {
    pub(super) agree: bool,
    pub(super) ids: Both<String>,
    /// Participants that the two bind differently.
    pub(super) participants: Vec<Binding>,
}

#[derive(Serialize)]
pub(super) struct Binding {
    pub(super) name: String,
    #[serde(flatten)]
    pub(super) principals: Both<Option<String>>,
}

#[derive(Serialize)]
pub(super) struct Messages {
    #[serde(flatten)]
    pub(super) lacking: Only<Known>,
    /// Ids that both know, with other contents or another first content.
    pub(super) other_content: Vec<Other>,
}

#[derive(Serialize)]
pub(super) struct Known {
    pub(super) id: String,
    pub(super) digests: Vec<Digest>,
}

#[derive(Serialize)]
pub(super) struct Other {
    pub(super) id: String,
    /// The content that came first: the message.
    pub(super) first: Both<Digest>,
    /// All kept contents.
    pub(super) kept: Both<Vec<Digest>>,
}

/// One entry of a section of the views.
#[derive(Serialize)]
pub(super) struct Entry {
    pub(super) section: String,
    /// The key of a map, or none where the section is a list or a single value.
    pub(super) id: Option<String>,
    #[serde(flatten)]
    pub(super) values: Both<Option<Value>>,
    /// Of two values that are there: where they differ.
    pub(super) differences: Vec<Difference>,
}

/// Compares two logs.
pub(super) fn compare(sides: &[Side; 2]) -> Comparison {
    let [a, b] = sides;
    let views = [a.state.view(), b.state.view()];
    let [one, other] = &views;
    let digests = Both {
        a: one.digest(),
        b: other.digest(),
    };
    let facts = Only {
        only_a: only(&a.facts, &b.facts),
        only_b: only(&b.facts, &a.facts),
    };
    let contexts = contexts(a.state.context(), b.state.context());
    let digests_agree = digests.a == digests.b;
    let agree = digests_agree && contexts.agree;
    Comparison {
        equal: agree && facts.only_a.is_empty() && facts.only_b.is_empty(),
        digests_agree,
        messages: messages(one, other),
        view: if digests_agree {
            Vec::new()
        } else {
            entries(one, other)
        },
        digests,
        contexts,
        facts,
    }
}

fn only(facts: &BTreeSet<String>, other: &BTreeSet<String>) -> Vec<Box<RawValue>> {
    facts
        .difference(other)
        .filter_map(|line| raw(line))
        .collect()
}

fn contexts(a: &Context, b: &Context) -> Contexts {
    let bound = |context: &Context| -> BTreeMap<String, String> {
        let pairs = context.participants();
        pairs
            .map(|(name, principal)| (name.into(), principal.into()))
            .collect()
    };
    let (one, other) = (bound(a), bound(b));
    let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    let participants: Vec<Binding> = names
        .into_iter()
        .filter(|&name| one.get(name) != other.get(name))
        .map(|name| Binding {
            name: name.clone(),
            principals: Both {
                a: one.get(name).cloned(),
                b: other.get(name).cloned(),
            },
        })
        .collect();
    Contexts {
        agree: a.id() == b.id() && participants.is_empty(),
        ids: Both {
            a: a.id().into(),
            b: b.id().into(),
        },
        participants,
    }
}

fn kept(view: &View<'_>) -> BTreeMap<String, (Digest, Vec<Digest>)> {
    view.messages
        .iter()
        .map(|(id, message)| {
            let all = view.equivocal.get(id);
            let all = all.cloned().unwrap_or_else(|| vec![message.digest]);
            (id.to_string(), (message.digest, all))
        })
        .collect()
}

fn messages(one: &View<'_>, other: &View<'_>) -> Messages {
    let (one, other) = (kept(one), kept(other));
    type Kept = BTreeMap<String, (Digest, Vec<Digest>)>;
    let lacking = |has: &Kept, lacks: &Kept| -> Vec<Known> {
        has.iter()
            .filter(|(id, _)| !lacks.contains_key(*id))
            .map(|(id, (_, digests))| Known {
                id: id.clone(),
                digests: digests.clone(),
            })
            .collect()
    };
    let other_content = one.iter().filter_map(|(id, (first, all))| {
        let (other_first, other_all) = other.get(id)?;
        (first != other_first || all != other_all).then(|| Other {
            id: id.clone(),
            first: Both {
                a: *first,
                b: *other_first,
            },
            kept: Both {
                a: all.clone(),
                b: other_all.clone(),
            },
        })
    });
    Messages {
        other_content: other_content.collect(),
        lacking: Only {
            only_a: lacking(&one, &other),
            only_b: lacking(&other, &one),
        },
    }
}

/// Where two views differ. A view holds no numbers, so nothing is lost on the way through JSON.
fn entries(one: &View<'_>, other: &View<'_>) -> Vec<Entry> {
    let sections = |view: &View<'_>| match serde_json::to_value(view) {
        Ok(Value::Object(sections)) => sections,
        _ => serde_json::Map::new(),
    };
    let mut found = Vec::new();
    let mut others = sections(other);
    for (section, one) in sections(one) {
        let other = others.remove(&section).unwrap_or_default();
        match (by_action(one), by_action(other)) {
            (Value::Object(one), Value::Object(mut other)) => {
                for (id, one) in one {
                    let other = other.remove(&id);
                    push(&mut found, &section, Some(id), Some(one), other);
                }
                for (id, other) in other {
                    push(&mut found, &section, Some(id), None, Some(other));
                }
            }
            (Value::Array(one), Value::Array(other)) => {
                let texts = |list: &[Value]| -> BTreeSet<String> {
                    list.iter().map(Value::to_string).collect()
                };
                let (here, there) = (texts(&one), texts(&other));
                for item in one {
                    if !there.contains(&item.to_string()) {
                        push(&mut found, &section, None, Some(item), None);
                    }
                }
                for item in other {
                    if !here.contains(&item.to_string()) {
                        push(&mut found, &section, None, None, Some(item));
                    }
                }
            }
            (Value::Object(one), Value::Array(_)) => {
                for (id, one) in one {
                    push(&mut found, &section, Some(id), Some(one), None);
                }
            }
            (Value::Array(_), Value::Object(other)) => {
                for (id, other) in other {
                    push(&mut found, &section, Some(id), None, Some(other));
                }
            }
            (one, other) => push(&mut found, &section, None, Some(one), Some(other)),
        }
    }
    found
}

/// A list of started actions as a map, so that what became of one is told in one entry.
fn by_action(section: Value) -> Value {
    let key = |item: &Value| {
        let field = |name| item.get(name).and_then(Value::as_str);
        Some(format!("{} {}", field("commitment")?, field("action")?))
    };
    match section {
        Value::Array(items)
            if !items.is_empty() && items.iter().all(|item| key(item).is_some()) =>
        {
            let pairs = items
                .into_iter()
                .filter_map(|item| Some((key(&item)?, item)));
            Value::Object(pairs.collect())
        }
        other => other,
    }
}

fn push(
    found: &mut Vec<Entry>,
    section: &str,
    id: Option<String>,
    a: Option<Value>,
    b: Option<Value>,
) {
    if a == b {
        return;
    }
    let texts = [&a, &b].map(|side| side.as_ref().map(Value::to_string).unwrap_or_default());
    let [one, other] = &texts;
    let read = |text| Json::read(text, JsonOptions::STRICT);
    let differences = match (read(one.as_bytes()), read(other.as_bytes())) {
        (Ok(one), Ok(other)) => differences(Some(one.root()), Some(other.root())),
        _ => Vec::new(),
    };
    found.push(Entry {
        section: section.into(),
        id,
        values: Both { a, b },
        differences,
    });
}
