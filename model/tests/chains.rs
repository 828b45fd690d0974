//! §8: revision chains.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use support::*;

fn chain(lines: &[String], field: &str) -> String {
    at(&view_in_any_order(lines), &["chains", "d:1", field]).to_string()
}

// S4.01-S4.03: the example of §8
#[test]
fn the_example() {
    let replace = |id: &str, previous: &str| revise(id, "d:1", previous, TELL);
    let lines = [tell("d:1", ""), replace("d:2", "d:1")];
    assert_eq!(chain(&lines, "state"), "\"replaced\"");
    assert_eq!(chain(&lines, "head"), "\"d:2\"");
    let lines = [
        tell("d:1", ""),
        replace("d:2", "d:1"),
        revise("d:3", "d:1", "d:2", ""),
    ];
    assert_eq!(chain(&lines, "state"), "\"withdrawn\"");
    assert_eq!(chain(&lines, "head"), "\"d:3\"");
    assert_eq!(chain(&lines, "content"), "null");
    let mut lines = lines.to_vec();
    lines.push(replace("d:4", "d:2"));
    lines.push(replace("d:5", "d:4"));
    assert_eq!(
        at(&view_in_any_order(&lines), &["chains", "d:1"]),
        r#"{"competing":["d:3","d:4"],"content":null,"head":"d:2","pending":[],"revisions":["d:2","d:3","d:4","d:5"],"state":"conflicted"}"#
    );
    // Were d:4 still pending, the chain would be withdrawn with head d:3.
    let waiting = message(
        "d:4",
        "REVISE",
        "x:1",
        r#"{"target":"d:1","previous":"d:2","mode":"withdraw","reason":"r","replacement":null,"impact":[]}"#,
    );
    lines[3] = waiting;
    assert_eq!(
        at(&view_in_any_order(&lines), &["chains", "d:1"]),
        r#"{"competing":[],"content":null,"head":"d:3","pending":["d:4","d:5"],"revisions":["d:2","d:3"],"state":"withdrawn"}"#
    );
}

// R-10, T4.20: nothing clears a conflict
#[test]
fn nothing_clears_a_conflict() {
    let lines = [
        tell("d:1", ""),
        revise("d:2", "d:1", "d:1", TELL),
        revise("d:3", "d:1", "d:1", TELL),
        ack("a:1", "d:2"),
        revise("d:4", "d:1", "d:2", ""),
        revise("d:5", "d:1", "d:3", ""),
    ];
    assert_eq!(chain(&lines, "state"), "\"conflicted\"");
    assert_eq!(chain(&lines, "competing"), r#"["d:2","d:3"]"#);
}

// R-11: a withdraw may be followed by a replace
#[test]
fn a_replace_after_a_withdraw() {
    let lines = [
        tell("d:1", ""),
        revise("d:2", "d:1", "d:1", ""),
        revise("d:3", "d:1", "d:2", TELL),
    ];
    assert_eq!(chain(&lines, "state"), "\"replaced\"");
    assert_eq!(chain(&lines, "head"), "\"d:3\"");
    assert_eq!(chain(&lines, "content").len(), 66);
}

// R-09, S7.08: known pending revisions, and which chains are listed
#[test]
fn pending_revisions() {
    let lines = [tell("d:1", "")];
    assert_eq!(at(&view(&lines), &["chains"]), "{}");
    let lines = [
        tell("d:1", ""),
        revise("d:2", "d:1", "x:1", TELL),
        revise("a:2", "d:1", "x:1", TELL),
    ];
    let view = view_in_any_order(&lines);
    assert_eq!(at(&view, &["chains", "d:1", "pending"]), r#"["d:2"]"#);
    assert_eq!(at(&view, &["chains", "d:1", "state"]), "\"original\"");
    assert_eq!(at(&view, &["chains", "d:1", "head"]), "\"d:1\"");
    assert_eq!(at(&view, &["chains", "d:1", "content"]).len(), 66);
    // Somebody else's alone lists nothing; nor does one of an act that cannot be revised.
    let lines = [
        tell("d:1", ""),
        revise("a:2", "d:1", "x:1", TELL),
        ask("d:3", "", ""),
        revise("d:4", "d:3", "x:1", ""),
    ];
    assert_eq!(at(&view_in_any_order(&lines), &["chains"]), "{}");
    // A target that is not accepted has no chain.
    let lines = [tell("d:1", "x:1"), revise("d:2", "d:1", "d:1", TELL)];
    assert_eq!(at(&view_in_any_order(&lines), &["chains"]), "{}");
}

// S7.05: content is the digest of the body in effect
#[test]
fn content_is_the_body_in_effect() {
    let lines = [
        tell("d:1", ""),
        revise("d:2", "d:1", "x:1", TELL),
        revise("d:3", "d:1", "d:1", TELL),
    ];
    let replaced = chain(&lines, "content");
    let original = chain(&lines[..2], "content");
    assert_eq!(replaced, original); // equal bodies, equal digests
    let other = TELL.replace(r#""scope":"s""#, r#""scope":"other""#);
    let lines = [tell("d:1", ""), revise("d:2", "d:1", "d:1", &other)];
    assert_ne!(chain(&lines, "content"), original);
}
