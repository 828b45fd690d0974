//! §13: a view that is read from JSON is held to the order of a canonical view.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tern_core::View;

use crate::common::{
    Chat, ack, ask, challenge, commit, decline, propose, replace, report, request, request_body,
    tell,
};

/// A chat in which every list of the view has something, and most have two entries.
fn full() -> Chat {
    let mut chat = Chat::deal();
    chat.ok(replace("a:2", "a:1", "a:1", request_body()).body(
        "impact",
        json!([
            {"commitment": "b:1", "assessment": "paused", "reason": "r"},
            {"commitment": "b:1", "assessment": "unaffected", "reason": "r"},
        ]),
    ));
    chat.ok(replace("a:3", "a:1", "a:1", request_body()));
    chat.ok(commit("b:2", "a:1"));
    chat.ok(decline("b:3", "a:1")).ok(decline("b:4", "a:1"));
    chat.ok(propose("a:4"))
        .ok(decline("b:5", "a:4"))
        .ok(decline("b:6", "a:4"));
    chat.ok(ack("b:7", "a:1")).ok(ack("a:5", "a:1"));
    for (id, state) in [("b:8", "active"), ("b:9", "blocked")] {
        chat.ok(report(id, "b:1", state).reply("b:1"));
    }
    chat.ok(challenge("a:6", "b:1")).ok(challenge("a:7", "b:1"));
    for id in ["b:a", "b:b"] {
        chat.ok(replace(id, "b:1", "b:1", commit("b:x", "a:1").body_value()));
    }
    chat.ok(request("a:8").body("replaces", json!("b:1")))
        .ok(commit("b:c", "a:8"))
        .ok(commit("b:d", "a:8"));
    for id in ["a:9", "a:a"] {
        chat.wait(replace(id, "a:1", "a:1", request_body()).reply("c:1"));
    }
    chat.wait(ask("c:2").reply("c:3").body("about", json!("c:4")))
        .wait(ask("c:3").reply("c:2"))
        .wait(ask("c:5").reply("c:5"));
    chat.ok(tell("c:6")).conflict(tell("c:6").otherwise());
    for key in ["one", "two"] {
        chat.fact(&json!({"start": {"commitment": "b:1", "action": key}}));
    }
    // b:e is fulfilled; b:f and b:g try to reopen it.
    chat.ok(commit("b:e", "a:8"));
    chat.ok(report("b:f", "b:e", "fulfilled").citing(&["ev:1"]));
    for id in ["b:g", "b:h"] {
        chat.ok(report(id, "b:e", "active").reply("b:f"));
    }
    chat
}

/// Every pointer to a list, with its length.
fn lists(value: &Value) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), value)];
    while let Some((pointer, value)) = open.pop() {
        match value {
            Value::Array(items) => {
                found.push((pointer.clone(), items.len()));
                for (index, item) in items.iter().enumerate() {
                    open.push((format!("{pointer}/{index}"), item));
                }
            }
            Value::Object(fields) => {
                for (key, field) in fields {
                    open.push((format!("{pointer}/{key}"), field));
                }
            }
            _ => {}
        }
    }
    found
}

fn reads(view: &Value) -> bool {
    let text = view.to_string();
    serde_json::from_str::<View<'_>>(&text).is_ok()
}

/// S7.06: a list that is out of order or holds something twice makes no view, whichever list.
#[test]
fn s7_06_views_out_of_order_are_not_read() {
    let view = full().view();
    assert!(reads(&view));
    let mut reversed = BTreeSet::new();
    for (pointer, length) in lists(&view) {
        if length > 0 {
            let mut twice = view.clone();
            let list = twice.pointer_mut(&pointer).unwrap().as_array_mut().unwrap();
            let last = list.last().unwrap().clone();
            list.push(last);
            assert!(!reads(&twice), "{pointer} repeats");
        }
        if length > 1 {
            let mut back = view.clone();
            let list = back.pointer_mut(&pointer).unwrap().as_array_mut().unwrap();
            list.reverse();
            assert!(!reads(&back), "{pointer} out of order");
            let field = pointer.rsplit('/').find(|token| token.len() > 3);
            reversed.insert(field.unwrap().to_owned());
        }
    }
    let expected = [
        "acknowledged",
        "annotations",
        "blocked_by",
        "candidates",
        "causes",
        "committed_by",
        "competing",
        "cycles",
        "declined_by",
        "disputed_by",
        "equivocal",
        "impacts",
        "offers",
        "pending",
        "reactivation_attempts",
        "reconcile",
        "reports",
        "request_changed_by",
        "revisions",
        "superseded_by",
        "waiting_for",
    ];
    assert_eq!(reversed, expected.map(str::to_owned).into());
}
