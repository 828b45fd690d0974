//! The shape of a view: what it says, without saying of which ids or of how many.

use serde_json::{Map, Value};

/// The shape of a canonical view. Two views of one shape differ by names, digests and terms, by how
/// often something is so, and by the accepted messages that stand beside it.
#[must_use]
pub(super) fn of(view: &Value) -> String {
    let messages = view.get("messages").and_then(Value::as_object);
    let act = |id: &str| {
        let message = messages.and_then(|all| all.get(id));
        word(message.and_then(|it| it.get("act"))).to_owned()
    };
    let mut parts = Vec::new();
    let mut add = |name: &str, mut entries: Vec<String>| {
        if !entries.is_empty() {
            entries.sort_unstable();
            entries.dedup();
            parts.push(format!("{name}: {}", entries.join(", ")));
        }
    };
    let not_accepted = each(view, "messages", |_, it| {
        let status = it.get("code").or_else(|| it.get("status"));
        format!("{} {}", word(it.get("act")), word(status))
    });
    let not_accepted = not_accepted.into_iter();
    add(
        "messages",
        not_accepted
            .filter(|it| !it.ends_with(" accepted"))
            .collect(),
    );
    add("equivocal", each(view, "equivocal", |id, _| act(id)));
    let cycles = view.get("cycles").and_then(Value::as_array);
    let sizes = cycles.into_iter().flatten();
    add(
        "cycles",
        sizes.map(|it| count(Some(it)).to_string()).collect(),
    );
    add(
        "chains",
        each(view, "chains", |id, it| {
            let lengths = ["competing", "revisions", "pending"].map(|name| count(it.get(name)));
            format!("{} {} {lengths:?}", act(id), word(it.get("state")))
        }),
    );
    add(
        "commitments",
        each(view, "commitments", |_, it| {
            let lengths = [
                "reports",
                "candidates",
                "reactivation_attempts",
                "disputed_by",
                "superseded_by",
                "offers",
                "request_changed_by",
            ]
            .map(|name| count(it.get(name)));
            let progress = [it.get("progress"), it.get("progress_cause")].map(word);
            let lists = [it.get("annotations"), it.get("blocked_by")].map(text);
            format!("{progress:?} {lists:?} {lengths:?}")
        }),
    );
    add(
        "requests",
        each(view, "requests", |_, it| {
            let lengths = ["committed_by", "declined_by"].map(|name| count(it.get(name)));
            format!(
                "{lengths:?}{}",
                if it.get("replaces").is_some() {
                    " replacing"
                } else {
                    ""
                }
            )
        }),
    );
    add(
        "proposals",
        each(view, "proposals", |_, it| {
            count(it.get("declined_by")).to_string()
        }),
    );
    add(
        "acknowledged",
        each(view, "acknowledged", |id, it| {
            format!("{} {}", act(id), count(Some(it)))
        }),
    );
    parts.join("; ")
}

fn each(view: &Value, map: &str, say: impl Fn(&str, &Value) -> String) -> Vec<String> {
    let none = Map::new();
    let map = view.get(map).and_then(Value::as_object).unwrap_or(&none);
    map.iter().map(|(id, value)| say(id, value)).collect()
}

fn word(value: Option<&Value>) -> &str {
    value.and_then(Value::as_str).unwrap_or_default()
}

fn text(value: Option<&Value>) -> String {
    value.map(Value::to_string).unwrap_or_default()
}

/// None, one or several.
fn count(value: Option<&Value>) -> usize {
    value.and_then(Value::as_array).map_or(0, Vec::len).min(2)
}
