//! Whether two states answer alike, whatever is asked of them.

use std::collections::BTreeSet;

use tern_core::State;

/// The first thing in which two states differ, if there is one: position, what waits, the views, the order
/// of the commitments, and every answer about every id that either view mentions as a message, or that
/// `mentioned` names.
#[must_use]
pub fn difference(one: &State, other: &State, mentioned: &BTreeSet<String>) -> Option<String> {
    let parts = [
        ("position", one.position() == other.position()),
        ("what waits", one.pending() == other.pending()),
        ("the view", one.view() == other.view()),
        ("the digest", one.digest() == other.digest()),
        ("the local view", one.local_view() == other.local_view()),
        (
            "the order of the commitments",
            one.commitments().eq(other.commitments()),
        ),
    ];
    if let Some((part, _)) = parts.into_iter().find(|(_, same)| !same) {
        return Some(part.into());
    }
    if one.digest() != one.view().digest() {
        return Some("the digest and that of the view".into());
    }
    let view = one.view();
    let ids = view.messages.keys().map(|id| id.as_str());
    let ids: BTreeSet<&str> = ids.chain(mentioned.iter().map(String::as_str)).collect();
    for id in ids {
        let answers = [
            ("is it known", one.is_known(id) == other.is_known(id)),
            (
                "is it mentioned",
                one.is_mentioned(id) == other.is_mentioned(id),
            ),
            ("the message", one.message(id) == other.message(id)),
            ("the chain", one.chain(id) == other.chain(id)),
            ("the commitment", one.commitment(id) == other.commitment(id)),
            ("the action", one.action(id) == other.action(id)),
            ("what to follow", one.to_follow(id) == other.to_follow(id)),
            ("the explanation", one.explain(id) == other.explain(id)),
        ];
        if let Some((what, _)) = answers.into_iter().find(|(_, same)| !same) {
            return Some(format!("{what}, asked about `{id}`"));
        }
    }
    None
}

/// Every reference that a JSON text names: a string with a colon in it.
#[must_use]
pub fn references(text: &str) -> BTreeSet<String> {
    let strings = text.split('"').filter(|it| it.contains(':'));
    let ids = strings.filter(|it| !it.starts_with(':') && it.len() < 60);
    ids.map(str::to_owned).collect()
}
