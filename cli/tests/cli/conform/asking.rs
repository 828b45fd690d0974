//! Who is asked about what, and how that is told.

use serde_json::Value;

use super::{Fake, ONE, conform_tern, without_time};
use crate::common::{Folder, finish, tern};

/// Each answers right about every vector: the exit code is 0 and nothing is red.
#[test]
fn tern_itself_conforms() {
    let ran = conform_tern(&[]);
    let out = ran.exits(0);
    assert!(out.starts_with("tern core 0.1"), "{out}");
    for level in 1..=5 {
        assert!(out.contains(&format!("✓ level {level}: ")), "{out}");
    }
    assert!(!out.contains('✗') && !out.contains("fail"), "{out}");
    assert_eq!(ran.err, "");
}

/// The model does, too, as far as it is asked here.
#[test]
fn the_model_conforms() {
    let ran = tern(&[
        "conform",
        "--level",
        "1",
        "--",
        env!("CARGO_BIN_EXE_tern"),
        "adapter",
        "--engine",
        "model",
    ]);
    let out = ran.exits(0);
    assert!(out.starts_with("tern model 0.1"), "{out}");
    // One level is done: the next is offered.
    assert!(out.contains("next: tern conform --level 2 -- "), "{out}");
}

/// A list has a line for each vector, and `--level` and `--filter` choose among them, in whatever case.
#[test]
fn lists() {
    let all = tern(&["conform", "--list"]);
    let all: Vec<&str> = all.exits(0).lines().collect();
    assert!(all.len() > 1000, "{}", all.len());
    let first = tern(&["conform", "--list", "--level", "1"]);
    let first: Vec<&str> = first.exits(0).lines().collect();
    assert!(first.len() > 100 && first.len() < all.len());
    assert!(first.iter().all(|it| it.starts_with("1 ")));
    let forks = tern(&["conform", "--list", "--filter", "ACK-Missing"]);
    let forks = forks.exits(0);
    assert!(forks.lines().count() == 1 && forks.contains(ONE), "{forks}");
    // A clause, too.
    let clause = tern(&["conform", "--list", "--filter", "a-ack"]);
    assert!(clause.exits(0).contains(ONE));
    // Nobody is asked, even where somebody is named.
    tern(&["conform", "--list", "--", "/nowhere/at/all"]).exits(0);
}

/// Tools get the same as JSON, with what they need to choose.
#[test]
fn lists_for_tools() {
    let ran = tern(&["conform", "--list", "--report", "json", "--level", "2"]);
    ran.exits(0);
    let list = ran.json();
    assert_eq!(list["spec"], "0.1");
    let vectors = list["vectors"].as_array().unwrap();
    let lines = tern(&["conform", "--list", "--level", "2"])
        .out
        .lines()
        .count();
    assert_eq!(vectors.len(), lines);
    let one = vectors.iter().find(|it| it["id"] == ONE).unwrap();
    assert_eq!(one["file"], "shape");
    assert_eq!(one["level"], 1);
    assert_eq!(one["bare"], false);
    assert_eq!(one["hash"].as_str().unwrap().len(), 64);
    let clauses: Vec<&str> = one["clauses"]
        .as_array()
        .unwrap()
        .iter()
        .map(text)
        .collect();
    assert_eq!(clauses, ["A-ACK", "T2.02"]);
    for form in ["junit", "html"] {
        let ran = tern(&["conform", "--list", "--report", form]);
        ran.exits(2);
        assert!(ran.err.contains("a list is text or JSON"), "{}", ran.err);
    }
    let folder = Folder::new();
    let ran = folder.tern(&[
        "conform",
        "--list",
        "--report",
        "json",
        "--output",
        "list.json",
    ]);
    assert_eq!(ran.exits(0), "");
    let written = std::fs::read_to_string(folder.path("list.json")).unwrap();
    assert!(serde_json::from_str::<Value>(&written).is_ok());
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// What is asked wrongly is no finding.
#[test]
fn wrong_usage() {
    for arguments in [
        &["conform"][..],
        &["conform", "--level", "6", "--list"],
        &["conform", "--level", "0", "--list"],
        &["conform", "--jobs", "0", "--", "x"],
        &["conform", "--timeout", "0", "--", "x"],
        &["conform", "--report", "pdf", "--", "x"],
        &["conform", "--list", "--smoke", "--", "x"],
        &["conform", "--explain", ONE, "--smoke", "--", "x"],
        &["conform", "--explain", ONE, "--report", "json", "--", "x"],
        &["conform", "--smoke", "--baseline", "f", "--", "x"],
        &["conform", "--list", "--write-baseline", "f"],
    ] {
        let ran = tern(arguments);
        ran.exits(2);
        assert!(ran.err.contains("error: "), "{}", ran.err);
    }
    let ran = tern(&["conform", "--filter", "no such thing", "--list"]);
    ran.exits(2);
    assert!(ran.err.contains("no vector is chosen"), "{}", ran.err);
    let ran = conform_tern(&["--filter", ONE, "--beside", "f"]);
    ran.exits(2);
    assert!(ran.err.contains("add `--report html`"), "{}", ran.err);
}

/// What stands behind `--` is not ours: it does not make our errors JSON.
#[test]
fn the_arguments_of_others_are_theirs() {
    let ran = tern(&["conform", "--", "/nowhere/at/all", "--json"]);
    ran.exits(2);
    assert!(ran.err.starts_with("error: `/nowhere"), "{}", ran.err);
}

/// One cause that shows in many vectors is told once, with how many, some names and the clauses.
#[test]
fn one_cause_is_told_once() {
    let edit = "for it in outcomes:\n    if it.get('class') == 'shape': it['class'] = 'syntax'";
    let Some(fake) = Fake::editing(edit) else {
        return;
    };
    let ran = fake.conform(&["--level", "1", "--filter", "missing"]);
    let out = ran.exits(1);
    let causes = out
        .lines()
        .filter(|it| it.starts_with('✗') && !it.contains("level"));
    let causes: Vec<&str> = causes.collect();
    assert_eq!(causes.len(), 1, "{out}");
    assert!(
        causes[0].ends_with(" fail: a delivery was `rejected, syntax`, and not `rejected, shape`"),
        "{out}"
    );
    assert!(out.contains("        delivery 1: expected rejected, shape, told rejected, syntax"));
    assert!(
        out.contains("    … and ") && out.contains("    about T2.02 ("),
        "{out}"
    );
    assert!(out.lines().count() < 20, "{out}");
    assert!(out.contains("in words: tern conform --explain "), "{out}");
    assert!(out.contains(" -- python3 fake.py\n"), "{out}");
}

/// Long values are cut; `--explain` has the whole.
#[test]
fn long_values_are_cut() {
    let edit = "if 'view' in reply: reply['view']['messages'] = {'x' * 3000: 1}";
    let Some(fake) = Fake::editing(edit) else {
        return;
    };
    let out = fake.conform(&["--filter", ONE]).exits(1).to_owned();
    assert!(out.contains("the view has another `/messages`"), "{out}");
    assert!(
        out.contains('…') && out.lines().all(|it| it.chars().count() < 200),
        "{out}"
    );
    let out = fake.conform(&["--explain", ONE]).exits(1).to_owned();
    assert!(out.contains(&"x".repeat(3000)), "{out}");
}

/// Names are data: a terminal does nothing of what they say, and they begin no line of ours.
#[test]
fn hostile_names() {
    let edit =
        "if hello: hello.update(implementation='\\x1b[2J\\n✓ all is well\\u202e', version='\\x07')";
    let Some(fake) = Fake::editing(edit) else {
        return;
    };
    for arguments in [&["--filter", ONE][..], &["--explain", ONE]] {
        let out = fake.conform(arguments).exits(0).to_owned();
        assert!(!out.contains(['\u{1b}', '\u{202e}', '\u{7}']), "{out:?}");
        assert!(!out.contains("\n✓ all is well"), "{out}");
    }
}

/// Colours come where they are wished, and never into a file.
#[test]
fn colours() {
    let folder = Folder::new();
    let tern = env!("CARGO_BIN_EXE_tern");
    let coloured = |arguments: &[&str]| {
        let all = [
            &["conform", "--filter", ONE],
            arguments,
            &["--", tern, "adapter"],
        ]
        .concat();
        let mut command = folder.command(&all);
        command.env_remove("NO_COLOR").env("CLICOLOR_FORCE", "1");
        finish(command, b"")
    };
    assert!(coloured(&[]).exits(0).contains('\u{1b}'));
    assert_eq!(coloured(&["--output", "report.txt"]).exits(0), "");
    let written = std::fs::read_to_string(folder.path("report.txt")).unwrap();
    assert!(written.contains("✓ level 1: 1 of 1") && !written.contains('\u{1b}'));
    let plain = conform_tern(&["--filter", ONE]);
    assert_eq!(without_time(&written), without_time(plain.exits(0)));
}

/// `spec/protocol.md`: what is no request is answered with `error` under its own `seq`, if it has one, and stops
/// nothing; a version that is not spoken is said.
#[test]
fn the_adapter_says_what_it_does_not_take() {
    let requests = "{\"seq\":4,\"do\":\"dance\"}\nnonsense\n\
        {\"seq\":5,\"do\":\"hello\",\"protocol\":2,\"spec\":\"0.1\"}\n\
        {\"seq\":6,\"do\":\"run\",\"document\":\"\",\"answer\":[]}\n{\"seq\":7,\"do\":\"stop\"}\n";
    let ran = crate::common::tern_on(requests, &["adapter"]);
    ran.exits(0);
    let replies = ran.lines();
    let said: Vec<(u64, &str)> = replies
        .iter()
        .map(|it| (it["seq"].as_u64().unwrap(), it["is"].as_str().unwrap()))
        .collect();
    let right = [
        (4, "error"),
        (0, "error"),
        (5, "unsupported"),
        (6, "result"),
    ];
    assert_eq!(said, right);
}
