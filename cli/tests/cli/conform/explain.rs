//! One vector in words.

use super::{Fake, ONE, conform_tern};
use crate::common::tern;

/// Without a command: what is delivered, what is right and by which clauses (A-ACK, T2.02).
#[test]
fn without_a_command() {
    let ran = tern(&["conform", "--explain", ONE]);
    let out = ran.exits(0);
    for part in [
        "shape-ack-missing (level 1)\nEvery field of an ACK is required",
        "\nwhat is delivered\n  1  the context: ana is key:ana, ben is key:ben\n     {\"context\":",
        "  2  delivery 1, by key:ana: no message, ",
        "\nwhat is right\n  delivery 1: rejected, shape\n  delivery 2: rejected, shape\n",
        "  view /messages: {}\n",
        "  the whole view: {\"acknowledged\":{},",
        "  its digest: 0d8ba9f5",
        "\nby which rules\n  A-ACK (MUST) applies\n      ",
        "  T2.02 (MUST) applies\n",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    // A clause on both sides is told once.
    let out = tern(&["conform", "--explain", "shape-ack-other-field"]).out;
    assert_eq!(
        out.matches("T1.14 (MUST) applies, and once comes near")
            .count(),
        1,
        "{out}"
    );
}

/// Local facts are told in words (S6.01, S8.01): one vector has a record of every name.
#[test]
fn every_fact_in_words() {
    let ran = tern(&["conform", "--explain", "document-every-record"]);
    let out = ran.exits(0);
    for (key, words) in [
        ("grant", "the grant "),
        ("revoke", " holds no longer"),
        ("permit", "local policy permits "),
        ("require_approval", "a person has to approve "),
        ("approve", " approved "),
        ("confirm", " holds (they are counted from 0)"),
        ("judge", " were judged against the request: "),
        ("evidence", " from a shared store: "),
        ("clock", "it is "),
        ("start", " has begun"),
        ("finish", " has ended"),
        ("reconciled", " these causes were dealt with: "),
    ] {
        let lines: Vec<&str> = out.lines().collect();
        let key = format!("{{\"{key}\":");
        let at = lines
            .iter()
            .position(|it| it.trim_start().starts_with(&key));
        let line = lines[at.unwrap_or_else(|| panic!("{key}: {out}")) - 1];
        assert!(
            line.contains("local fact: ") && line.contains(words),
            "{key}: {line}"
        );
    }
}

/// Documents of every kind: bare, broken, in all orders, without an end, of bytes.
#[test]
fn documents_of_every_kind() {
    for (id, part) in [
        ("document-bare-one-line", "  1  bare: "),
        (
            "document-base64-newline",
            "  the document is refused, for line ",
        ),
        ("document-bare-open-end", "  no newline at the end\n"),
    ] {
        let out = tern(&["conform", "--explain", id]).exits(0).to_owned();
        assert!(out.contains(part), "{id}: {out}");
    }
}

/// With a command that is right: 0, and it says so; wrong: 1, and expected against told.
#[test]
fn with_a_command() {
    let ran = conform_tern(&["--explain", ONE]);
    assert!(
        ran.exits(0)
            .ends_with("what tern core 0.1.0 says\n  ✓ pass\n"),
        "{}",
        ran.out
    );
    let edit = "
if outcomes: outcomes[0] = {'outcome': 'accepted'}
if 'view' in reply: reply['view']['messages'] = {'ana:1': {'status': 'accepted'}}";
    let Some(fake) = Fake::editing(edit) else {
        return;
    };
    let ran = fake.conform(&["--explain", ONE]);
    let out = ran.exits(1);
    for part in [
        "  ✗ fail\n  delivery 1\n    expected  rejected, shape\n    told      accepted\n",
        "  view /messages\n    expected  {}\n    told      {\"ana:1\":{\"status\":\"accepted\"}}\n",
        "    they differ first at view /messages/ana:1\n    expected  nothing\n    told      {\"status\":\"accepted\"}\n",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
}

/// A digest alone explains nothing: the view stands there to compare with.
#[test]
fn only_the_digest() {
    let edit = "
if hello: hello['capabilities'] = ['digest']
if 'digest' in reply: reply['digest'] = 'ab' * 32";
    let Some(fake) = Fake::editing(edit) else {
        return;
    };
    let ran = fake.conform(&["--explain", ONE]);
    let out = ran.exits(1);
    assert!(out.contains("  digest\n    expected  0d8ba9f5"), "{out}");
    assert!(out.contains("compare the view above with yours"), "{out}");
}

/// The order in which it went wrong is told.
#[test]
fn in_another_order() {
    let edit = "
seen = globals().get('seen', 0) + (request['do'] == 'run')
if seen == 2 and 'view' in reply: reply['view']['cycles'] = ['x']";
    let Some(fake) = Fake::editing(edit) else {
        return;
    };
    let ran = fake.conform(&["--explain", "chain-fork-below"]);
    let out = ran.exits(1);
    assert!(out.contains("then the same in every other order"), "{out}");
    assert!(out.contains("  with the lines in the order 1 2 "), "{out}");
}

/// The vector that the help names is there.
#[test]
fn of_the_help() {
    let help = tern(&["conform", "--help"]).out;
    let (_, id) = help.split_once("tern conform --explain ").unwrap();
    let id = id.split_whitespace().next().unwrap();
    tern(&["conform", "--explain", id]).exits(0);
}

/// An id that is none: what is probably meant, or where they are.
#[test]
fn unknown() {
    let ran = tern(&["conform", "--explain", "shape-ack-mising"]);
    assert_eq!(ran.exits(2), "");
    let right = "error: --explain: there is no vector `shape-ack-mising`\n  hint: probably `shape-ack-missing` or `shape-ask-missing`\n";
    assert_eq!(ran.err, right);
    let ran = tern(&["conform", "--explain", "nothing like it"]);
    ran.exits(2);
    assert!(
        ran.err
            .contains("hint: `tern conform --list` shows them all"),
        "{}",
        ran.err
    );
}
