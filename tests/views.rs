//! What canonical views must be: in order, and in agreement with those of other receivers.
#![allow(clippy::indexing_slicing, reason = "of JSON, which gives null")]

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::kept::Ids;

/// In what two receivers differ on a commitment, which both of them block or one does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apart {
    /// Whether both have it.
    pub at_both: bool,
    /// `status`, `chain`, `request`, `request chain`, `progress`, `supersession`.
    pub what: Vec<&'static str>,
}

/// S7.02: what receivers agree on who keep the same versions, whichever came first: on what is
/// equivocal, on untainted ids, and on each commitment, unless it is blocked or absent at both. Gives the
/// commitments on which they differ.
///
/// # Errors
/// Where they do not agree.
pub fn agree(here: &Value, there: &Value, tainted: &Ids) -> Result<Vec<Apart>, String> {
    if here["equivocal"] != there["equivocal"] {
        return Err("S7.02: they disagree on what is equivocal".into());
    }
    if !keys(&here["messages"]).eq(keys(&there["messages"])) {
        return Err("S7.07: they disagree on what is identified".into());
    }
    for id in keys(&here["messages"]).filter(|id| !tainted.contains(*id)) {
        let (one, two) = (&here["messages"][id], &there["messages"][id]);
        if one != two {
            return Err(format!("S7.02: untainted `{id}` is {one} | {two}"));
        }
    }
    let mut commitments: Vec<&String> = keys(&here["commitments"]).collect();
    commitments.extend(keys(&there["commitments"]));
    commitments.sort();
    commitments.dedup();
    let mut apart = Vec::new();
    for id in commitments {
        let (one, two) = (standing(here, id), standing(there, id));
        if one == two {
            continue;
        }
        let has = |view: &Value| !view["commitments"][id].is_null();
        let is_safe =
            |view: &Value| !has(view) || view["commitments"][id]["readiness"] == "blocked";
        if !is_safe(here) || !is_safe(there) {
            return Err(format!(
                "S7.02: they disagree on the commitment `{id}`, and one of them does not block it: \
                 {one:?} | {two:?}"
            ));
        }
        let differs = one.keys().filter(|what| one[*what] != two[*what]);
        apart.push(Apart {
            at_both: has(here) && has(there),
            what: differs.copied().collect(),
        });
    }
    Ok(apart)
}

/// In what a commitment may differ only where it is blocked.
fn standing(view: &Value, id: &str) -> BTreeMap<&'static str, Value> {
    let commitment = &view["commitments"][id];
    let message = &view["messages"][id];
    let request = commitment["request"].as_str().unwrap_or_default();
    let progress = [
        "progress",
        "progress_cause",
        "candidates",
        "reactivation_attempts",
    ];
    let progress = progress.map(|field| commitment[field].clone());
    BTreeMap::from([
        ("status", json!([message["status"], message["act"]])),
        ("chain", view["chains"][id].clone()),
        ("request", commitment["request"].clone()),
        ("request chain", view["chains"][request].clone()),
        ("progress", json!(progress)),
        ("supersession", commitment["superseded_by"].clone()),
    ])
}

fn keys(map: &Value) -> impl Iterator<Item = &String> {
    map.as_object().into_iter().flat_map(|map| map.keys())
}

/// S7.06: every list, at any depth, grows strictly: it is in order and holds nothing twice.
///
/// # Errors
/// Where one does not.
pub fn in_order(value: &Value) -> Result<(), String> {
    match value {
        Value::Object(fields) => fields.values().try_for_each(in_order),
        Value::Array(items) => {
            for (one, other) in items.iter().zip(items.iter().skip(1)) {
                if compare(one, other) != Ordering::Less {
                    return Err(format!("S7.06: {one} stands before {other}"));
                }
            }
            items.iter().try_for_each(in_order)
        }
        _ => Ok(()),
    }
}

/// Texts by UTF-16, lists entry by entry, objects field by field in the order of the specification.
fn compare(one: &Value, other: &Value) -> Ordering {
    match (one, other) {
        (Value::String(one), Value::String(other)) => one.encode_utf16().cmp(other.encode_utf16()),
        (Value::Array(one), Value::Array(other)) => one
            .iter()
            .zip(other)
            .map(|(one, other)| compare(one, other))
            .find(|order| order.is_ne())
            .unwrap_or_else(|| one.len().cmp(&other.len())),
        (Value::Object(one), Value::Object(other)) => {
            ["by", "assessment", "commitment", "action", "causes"]
                .iter()
                .filter_map(|field| Some(compare(one.get(*field)?, other.get(*field)?)))
                .find(|order| order.is_ne())
                .unwrap_or(Ordering::Equal)
        }
        // Nothing else stands in a list; equal, so that it is found.
        _ => Ordering::Equal,
    }
}
