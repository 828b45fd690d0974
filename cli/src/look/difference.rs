//! How two contents differ, field by field. Numbers are compared and shown exactly (R-02, S7.04).

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::value::RawValue;
use tern_core::wire::{Kind, Value, canonical};

/// One value that two contents do not share.
#[derive(Debug, Serialize)]
pub(crate) struct Difference {
    /// Where, as a JSON pointer. In lists of different length it counts within its own list.
    pub(crate) pointer: String,
    /// What stood there, as canonical JSON.
    #[serde(serialize_with = "json")]
    pub(crate) before: Option<String>,
    /// What stands there, as canonical JSON.
    #[serde(serialize_with = "json")]
    pub(crate) after: Option<String>,
}

fn json<S: serde::Serializer>(text: &Option<String>, serializer: S) -> Result<S::Ok, S::Error> {
    text.as_deref().and_then(raw).serialize(serializer)
}

/// A text that is JSON, to be written as it is.
pub(crate) fn raw(text: &str) -> Option<Box<RawValue>> {
    RawValue::from_string(text.into()).ok()
}

type Sides<'v> = (Option<Value<'v, 'v>>, Option<Value<'v, 'v>>);

/// What differs between two values, in the order of the first. Nothing recurses: values can be
/// deep.
pub(crate) fn differences<'v>(
    before: Option<Value<'v, 'v>>,
    after: Option<Value<'v, 'v>>,
) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut open: Vec<(String, Sides<'v>)> = vec![(String::new(), (before, after))];
    while let Some((pointer, (before, after))) = open.pop() {
        if let (Some(one), Some(other)) = (before, after) {
            match (one.kind(), other.kind()) {
                (Kind::Object, Kind::Object) => {
                    let fields = fields(one, other);
                    // The last pushed is the next looked at.
                    for (key, sides) in fields.into_iter().rev() {
                        open.push((format!("{pointer}/{}", token(key)), sides));
                    }
                    continue;
                }
                (Kind::Array, Kind::Array) => {
                    if one.items().count() == other.items().count() {
                        let items = one.items().zip(other.items()).enumerate();
                        let mut pairs: Vec<_> = items
                            .map(|(index, (one, other))| {
                                (format!("{pointer}/{index}"), (Some(one), Some(other)))
                            })
                            .collect();
                        pairs.reverse();
                        open.append(&mut pairs);
                    } else {
                        members(&pointer, one, other, &mut found);
                    }
                    continue;
                }
                _ => {}
            }
        }
        let (before, after) = (before.map(canonical), after.map(canonical));
        if before != after {
            found.push(Difference {
                pointer,
                before,
                after,
            });
        }
    }
    found
}

/// The fields of either object: those of the first in its order, then what the second adds.
fn fields<'v>(one: Value<'v, 'v>, other: Value<'v, 'v>) -> Vec<(&'v str, Sides<'v>)> {
    let mut rest: BTreeMap<&str, Value<'v, 'v>> = BTreeMap::new();
    for (key, _, value) in other.entries() {
        rest.entry(key).or_insert(value);
    }
    let mut all: Vec<(&str, Sides<'v>)> = one
        .entries()
        .map(|(key, _, value)| (key, (Some(value), rest.remove(key))))
        .collect();
    all.extend(
        rest.into_iter()
            .map(|(key, value)| (key, (None, Some(value)))),
    );
    all
}

/// What only one of two lists of different length has.
fn members(pointer: &str, one: Value<'_, '_>, other: Value<'_, '_>, found: &mut Vec<Difference>) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for item in other.items() {
        *counts.entry(canonical(item)).or_default() += 1;
    }
    for (index, item) in one.items().enumerate() {
        let text = canonical(item);
        match counts.get_mut(&text) {
            Some(left) if *left > 0 => *left -= 1,
            _ => found.push(Difference {
                pointer: format!("{pointer}/{index}"),
                before: Some(text),
                after: None,
            }),
        }
    }
    // What is left over of each text is new; which of equal entries does not matter.
    for (index, item) in other.items().enumerate() {
        let text = canonical(item);
        if let Some(left) = counts.get_mut(&text).filter(|left| **left > 0) {
            *left -= 1;
            found.push(Difference {
                pointer: format!("{pointer}/{index}"),
                before: None,
                after: Some(text),
            });
        }
    }
}

/// A step of a JSON pointer (RFC 6901).
fn token(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests;
