//! `tern graph` as its users meet it.

use std::process::Command;

use crate::common::{
    HOSTILE, Ran, ack, command, conditional, deliver, document, file, finish, garden, request_body,
    request_for, revise, tern, tern_on,
};
use serde_json::Value;

fn graph(arguments: &[&str], log: &str) -> Ran {
    let name = file(log);
    let mut all = vec!["graph"];
    all.extend(arguments);
    all.push(&name);
    tern(&all)
}

/// Whether Graphviz is there. Without it a test leaves out the pictures and says so; where
/// everything must be tested (CI=true) that is a failure.
fn graphviz(left_out: &str) -> bool {
    let there = Command::new("dot").arg("-V").output().is_ok();
    if !there {
        // The handle itself: the harness captures what macros print in a test that passes.
        let _ = std::io::Write::write_all(
            &mut std::io::stderr(),
            format!("LEFT OUT, since Graphviz (`dot`) is not installed: {left_out}\n").as_bytes(),
        );
        assert!(
            std::env::var("CI").as_deref() != Ok("true"),
            "CI needs Graphviz"
        );
    }
    there
}

/// A log in which everything that people write is hostile.
fn hostile() -> String {
    let evil = "</text><script>alert(1)</script>&lt; \"; end \\\" \\N {{x}} | --> ]]>";
    let id = HOSTILE.replace('\0', "");
    document(&[
        deliver(request_for(&id, evil)),
        deliver(conditional("ben:1", &id)),
        deliver(revise("ana:2", &id, &id, request_body(evil, &[]))),
        deliver(revise("ana:3", &id, &id, Value::Null)),
        deliver(ack("ben:2", "ana:\"unknown\"</svg>")),
    ])
}

/// The quoted strings of a DOT text, and what stands between them.
fn quoted(dot: &str) -> (Vec<String>, String) {
    let (mut strings, mut rest, mut inside) = (Vec::new(), String::new(), None);
    let mut characters = dot.chars();
    while let Some(character) = characters.next() {
        match (&mut inside, character) {
            (None, '"') => inside = Some(String::new()),
            (None, other) => rest.push(other),
            (Some(text), '\\') => {
                text.push('\\');
                text.extend(characters.next());
            }
            (Some(_), '"') => strings.extend(inside.take()),
            (Some(text), other) => text.push(other),
        }
    }
    assert_eq!(inside, None, "a string that does not end");
    (strings, rest)
}

/// S4.01, S4.03, S3.02: references are edges, a conflict is marked, what waits for an unknown id is
/// dashed.
#[test]
fn dot_shows_references_conflicts_and_what_waits() {
    let ran = graph(&[], &document(&garden()));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let line = |needle: &str| {
        ran.out
            .lines()
            .find(|line| line.contains(needle))
            .unwrap_or_else(|| panic!("{needle}"))
    };
    assert!(line("COMMIT ben:1").contains("shape=box, peripheries=2"));
    assert!(line("✓ REQUEST ana:1").contains("≠ revisions compete"));
    assert!(line("? unknown ana:9").contains("dashed"));
    assert!(line("… ACK ben:3").contains("dashed"));
    assert_eq!(ran.out.matches("previous ≠").count(), 2);
    assert!(line("[label=\"target\", style=dashed]").contains("->"));
    // What was refused is in no view and in no graph.
    assert!(!ran.out.contains("ana:6"));
}

/// S4.01: `--revisions` keeps to the chains.
#[test]
fn revisions_alone() {
    let ran = graph(&["--revisions"], &document(&garden()));
    assert!(
        !ran.out.contains("ben:1") && !ran.out.contains("ana:9"),
        "{}",
        ran.out
    );
    assert_eq!(ran.out.matches(" -> ").count(), 4, "{}", ran.out);
}

/// S3.01: `--of` keeps what a message leads to and what leads to it, `--within` the near ones.
#[test]
fn a_part_of_the_graph() {
    let log = document(&garden());
    let ran = graph(&["--of", "ana:4"], &log);
    for (id, there) in [
        ("ana:1", true),
        ("ana:2", true),
        ("ben:1", false),
        ("ana:3", false),
    ] {
        assert_eq!(
            ran.out.contains(&format!(" {id}\\n")),
            there,
            "{id} {}",
            ran.out
        );
    }
    let ran = graph(&["--of", "ana:1", "--within", "0"], &log);
    assert!(!ran.out.contains("->"), "{}", ran.out);
    let ran = graph(&["--of", "ana:9"], &log);
    assert!(ran.out.contains("ben:3"), "{}", ran.out);
    let ran = graph(&["--of", "zoe:1"], &log);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
}

/// T3.12: no id and no word ends a label of DOT, or is read as an escape or a character reference.
#[test]
fn dot_escapes_everything() {
    let ran = graph(&[], &hostile());
    assert_eq!(ran.code, 0);
    let (strings, rest) = quoted(&ran.out);
    assert!(!rest.contains("script") && !rest.contains("ana"), "{rest}");
    assert_eq!(rest.matches("->").count(), 4, "{rest}");
    for text in strings {
        // Only our own line breaks, doubled backslashes and quotes are escapes.
        let left = text
            .replace("\\\\", "")
            .replace("\\\"", "")
            .replace("\\n", "");
        assert!(
            !left.contains('\\') && !left.contains('<') && !left.contains('>'),
            "{text}"
        );
        let ours = ["&amp;", "&lt;", "&gt;"];
        assert_eq!(
            text.matches('&').count(),
            ours.iter()
                .map(|one| text.matches(one).count())
                .sum::<usize>()
        );
        assert!(!text.chars().any(char::is_control), "{text:?}");
    }
}

/// T3.12: nor one of Mermaid, be it read as Mermaid, Markdown or HTML.
#[test]
fn mermaid_escapes_everything() {
    let ran = graph(&["--format", "mermaid"], &hostile());
    assert_eq!(ran.code, 0);
    for line in ran.out.lines().filter(|line| line.starts_with("  n")) {
        assert_eq!(line.matches('"').count(), 2, "{line}");
        let label = line.split('"').nth(1).unwrap().replace("<br/>", "");
        let forbidden = |c: char| "<>&\"`{}[]()|\\%$*_~".contains(c) || c.is_control();
        assert!(!label.contains(forbidden), "{label}");
        for (at, _) in label.match_indices('#') {
            let digits = label[at + 1..].split(';').next().unwrap();
            assert!(digits.chars().all(|c| c.is_ascii_digit()), "{label}");
        }
    }
    assert!(ran.out.starts_with("flowchart BT\n"));
}

/// T3.12: nor one of SVG. Everything that is drawn is text.
#[test]
fn svg_escapes_everything() {
    if !graphviz("that hostile words stay text in a picture") {
        return;
    }
    for log in [hostile(), document(&garden()), document(&[])] {
        let ran = graph(&["--format", "svg"], &log);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.out.contains("<svg") && ran.out.trim_end().ends_with("</svg>"));
        assert_eq!(ran.out.matches("</svg>").count(), 1);
        let tags = ran
            .out
            .split('<')
            .skip(1)
            .map(|tag| tag.split([' ', '>', '\n']).next().unwrap());
        let known = [
            "?xml", "!DOCTYPE", "!--", "svg", "g", "title", "polygon", "polyline", "path",
            "ellipse", "text", "a",
        ];
        for tag in tags {
            assert!(known.contains(&tag.trim_start_matches('/')), "<{tag}");
        }
    }
}

/// Every act is drawn, and DOT that Graphviz refuses is no DOT.
#[test]
fn graphviz_reads_our_dot() {
    if !graphviz("that Graphviz reads the DOT of hostile messages") {
        return;
    }
    let name = file(&graph(&[], &hostile()).out);
    let output = Command::new("dot")
        .args(["-Tplain", &name])
        .output()
        .unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
}

/// Without Graphviz SVG ends with 2 and a way out; the other formats need nothing.
#[test]
fn svg_without_graphviz_says_what_is_missing() {
    let name = file(document(&garden()));
    let mut without = command(&["graph", "--format", "svg", &name]);
    without.env("PATH", "/nonexistent");
    let ran = finish(without, b"");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(
        ran.err.contains("install Graphviz") && ran.err.contains("--format dot"),
        "{}",
        ran.err
    );
}

/// A picture of thousands of messages is refused with a hint, before Graphviz is asked; DOT is not.
#[test]
fn a_graph_too_large_for_a_picture_is_refused() {
    let records: Vec<Value> = std::iter::once(deliver(request_for("ana:1", "water")))
        .chain((0..2_500).map(|number| deliver(ack(&format!("ben:{number}"), "ana:1"))))
        .collect();
    let log = document(&records);
    let ran = graph(&["--format", "svg"], &log);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("2501 nodes") && ran.err.contains("--of"),
        "{}",
        ran.err
    );
    let ran = graph(&["--format", "svg", "--of", "ana:1"], &log);
    assert!(ran.code == 2 && ran.err.contains("--within"), "{}", ran.err);
    assert_eq!(graph(&[], &log).out.matches(" -> ").count(), 2_500);
    let ran = graph(&["--format", "mermaid"], &log);
    assert!(ran.code == 0 && ran.err.contains("maxEdges"), "{}", ran.err);
}

/// S3.04: messages that refer to each other or to themselves are drawn like any others.
#[test]
fn cycles_are_drawn() {
    let log = document(&[
        deliver(ack("ana:1", "ana:1")),
        deliver(ack("ana:2", "ben:2")),
        deliver(ack("ben:2", "ana:2")),
    ]);
    let ran = graph(&["--of", "ana:1"], &log);
    assert!(ran.out.contains("n0 -> n0"), "{}", ran.out);
    assert_eq!(graph(&[], &log).out.matches(" -> ").count(), 3);
    if graphviz("that cycles are drawn") {
        assert_eq!(graph(&["--format", "svg"], &log).code, 0);
    }
}

/// S8.02: a broken document ends with 2 and the number of the line.
#[test]
fn a_broken_document_ends_with_its_line() {
    let ran = graph(&[], &format!("{}\n", document(&garden())));
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(
        ran.err.contains("document_blank_line") && ran.err.contains("jsonl:10:"),
        "{}",
        ran.err
    );
}

/// S8.12: bare messages are drawn, and it is said that nobody verified their senders.
#[test]
fn bare_messages_are_marked_unverified() {
    let bare = format!("{}\n", request_for("ana:1", "water"));
    let ran = tern_on(bare, &["graph", "-"]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("not verified"));
}

/// S3.01, T4.18: the graph as data names each message once, with what it refers to and what competes.
#[test]
fn s3_01_the_graph_as_data() {
    let graph = tern(&[
        "graph",
        "--json",
        &crate::common::example("late-conflict.jsonl"),
    ])
    .json();
    let ids: Vec<&str> = graph["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| node["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids.len(), 5);
    let competing: Vec<&str> = graph["edges"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|edge| edge["competes"] == true)
        .map(|edge| edge["from"].as_str().unwrap())
        .collect();
    assert_eq!(competing, ["dispatcher:2", "dispatcher:3"]);
    tern(&["graph", "--json", "--format", "dot", "-"]).exits(2);
}
