//! Core's readers against the model's, and against serde_json.

use serde_json::error::Category;
use tern_conformance::shown::shown;
use tern_core::Code;
use tern_core::wire::{self, Digest, Json, JsonOptions, Kind, Value};

/// Any bytes as a message and as JSON. Core and model accept alike, reject with the same class and
/// come to the same canonical JSON (S2.03, S2.09, S2.10, S2.15, S7.03); what core takes for JSON
/// serde_json does too, and reads the same.
///
/// # Panics
/// Where this does not hold.
pub fn parse(data: &[u8]) {
    let (mut core, mut model) = (tern_core::Limits::default(), tern_model::Limits::default());
    as_message(data, &core, &model);
    // S2.06: limits that an input can reach.
    (core.max_bytes, core.max_depth) = (400, 3);
    (model.bytes, model.depth) = (400, 3);
    as_message(data, &core, &model);
    as_json(data);
}

fn as_message(data: &[u8], core: &tern_core::Limits, model: &tern_model::Limits) {
    let by_model = tern_model::check_message(data, model);
    match (wire::read(data, core), by_model) {
        (Ok(parsed), Ok(canonical)) => {
            let by_core = parsed.message.to_canonical_json();
            assert!(
                by_core == canonical,
                "S7.03: core and model write a message differently\n{by_core}\n{canonical}\nof {}",
                shown(data)
            );
            assert!(
                parsed.digest == Digest::of(canonical.as_bytes()),
                "S7.05: the digest is not that of the canonical JSON {canonical}\nof {}",
                shown(data)
            );
        }
        (Err(rejection), Err((class, code))) => assert!(
            rejection.class().as_str() == class,
            "S2.15: core rejects as {}, {}, and the model as {class}, {code}, of {}",
            rejection.class(),
            rejection.code(),
            shown(data)
        ),
        (Ok(_), Err((class, code))) => panic!(
            "S2.15: core accepts what the model rejects as {class}, {code}, under {core:?}: {}",
            shown(data)
        ),
        (Err(rejection), Ok(_)) => panic!(
            "S2.15: the model accepts what core rejects as {}, under {core:?}: {}",
            rejection.code(),
            shown(data)
        ),
    }
}

fn as_json(data: &[u8]) {
    let by_core = Json::read(data, JsonOptions::default());
    let by_model = tern_model::canonical_json(data, &tern_model::Limits::default());
    match (&by_core, by_model) {
        (Ok(json), Ok(canonical)) => {
            let by_core = wire::canonical(json.root());
            assert!(
                by_core == canonical,
                "S7.03: core and model write JSON differently\n{by_core}\n{canonical}\nof {}",
                shown(data)
            );
        }
        (Err(_), Err(_)) => {}
        (Ok(_), Err(code)) => panic!(
            "S2.03: core reads as JSON what the model refuses as {code}: {}",
            shown(data)
        ),
        (Err(finding), Ok(_)) => panic!(
            "S2.03: the model reads as JSON what core refuses as {}: {}",
            finding.code,
            shown(data)
        ),
    }
    match (by_core, serde_json::from_slice::<serde_json::Value>(data)) {
        (Ok(json), Ok(value)) => assert!(
            is_same(json.root(), &value),
            "T1.06: core and serde_json read JSON differently: {}",
            shown(data)
        ),
        (Ok(json), Err(error)) => assert!(
            serde_json_is_stricter(json.root(), &error),
            "T1.06: core reads what serde_json refuses ({error}): {}",
            shown(data)
        ),
        (Err(finding), Ok(value)) => {
            // What Tern forbids beyond the grammar, and the edge of the doubles, where serde_json
            // does not round exactly.
            let known = match finding.code {
                Code::DuplicateKey => true,
                Code::NumberOverflow => has_huge_number(&value),
                _ => false,
            };
            assert!(
                known,
                "S2.03: core refuses ({}) what serde_json reads: {}",
                finding.code,
                shown(data)
            );
            assert!(
                Json::read(data, JsonOptions::GRAMMAR).is_ok(),
                "T1.06: core refuses by the grammar what serde_json reads: {}",
                shown(data)
            );
        }
        (Err(_), Err(_)) => {}
    }
}

/// Strings, keys and structure are the same; a repeated key cannot be, for core refuses it.
fn is_same(core: Value<'_, '_>, other: &serde_json::Value) -> bool {
    match other {
        serde_json::Value::Null => core.kind() == Kind::Null,
        serde_json::Value::Bool(value) => core.as_bool() == Some(*value),
        serde_json::Value::String(text) => core.as_str() == Some(text),
        serde_json::Value::Number(number) => {
            let is_number = core.kind() == Kind::Number;
            let whole = core.as_number().and_then(|it| it.as_unsigned_integer());
            // S2.08: an integer that fits has its exact value.
            is_number && number.as_u64().is_none_or(|value| whole == Some(value))
        }
        serde_json::Value::Array(items) => {
            core.kind() == Kind::Array
                && core.items().count() == items.len()
                && core
                    .items()
                    .zip(items)
                    .all(|(one, other)| is_same(one, other))
        }
        serde_json::Value::Object(members) => {
            let same = |(key, _, value): (&str, _, Value<'_, '_>)| {
                members.get(key).is_some_and(|other| is_same(value, other))
            };
            core.kind() == Kind::Object
                && core.entries().count() == members.len()
                && core.entries().all(same)
        }
    }
}

/// serde_json takes 127 levels, and no number that its quick reading rounds to infinity.
fn serde_json_is_stricter(root: Value<'_, '_>, error: &serde_json::Error) -> bool {
    let reason = error.to_string();
    let is_edge = reason.starts_with("number out of range") && any_number(root, is_huge);
    let is_deep = reason.starts_with("recursion limit exceeded") && depth(root) == 128;
    error.classify() == Category::Syntax && (is_edge || is_deep)
}

/// Within the last part in ten to the fifteen below the greatest double.
fn is_huge(source: &str) -> bool {
    source
        .parse::<f64>()
        .is_ok_and(|number| number.abs() > f64::MAX * (1.0 - 1e-14))
}

fn has_huge_number(value: &serde_json::Value) -> bool {
    match value {
        serde_json::Value::Number(number) => number
            .as_f64()
            .is_some_and(|number| number.abs() > f64::MAX * (1.0 - 1e-14)),
        serde_json::Value::Array(items) => items.iter().any(has_huge_number),
        serde_json::Value::Object(members) => members.values().any(has_huge_number),
        _ => false,
    }
}

fn any_number(value: Value<'_, '_>, is_it: fn(&str) -> bool) -> bool {
    match value.kind() {
        Kind::Number => is_it(value.source()),
        Kind::Array => value.items().any(|item| any_number(item, is_it)),
        Kind::Object => value.entries().any(|(_, _, item)| any_number(item, is_it)),
        _ => false,
    }
}

fn depth(value: Value<'_, '_>) -> usize {
    let deepest = match value.kind() {
        Kind::Array => value.items().map(depth).max(),
        Kind::Object => value.entries().map(|(_, _, item)| depth(item)).max(),
        _ => return 0,
    };
    1 + deepest.unwrap_or(0)
}
