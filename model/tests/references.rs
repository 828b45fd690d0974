//! §6: pending, the rules and their codes, cycles.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use support::*;
use tern_model::Outcome;

fn statuses(lines: &[String], ids: &[&str]) -> Vec<String> {
    let view = view_in_any_order(lines);
    ids.iter().map(|id| status(&view, id)).collect()
}

// S3.01, S3.02, T1.32: every gating reference makes pending
#[test]
fn gating_references() {
    let lines = [
        tell("a:1", "x:1"),
        ask("a:2", "", "x:1"),
        commit("a:3", "x:1"),
        report("a:4", "", "x:1", "active"),
        challenge("a:5", "x:1"),
        revise("a:6", "x:1", "x:1", ""),
        decline("a:7", "x:1"),
        ack("a:8", "x:1"),
        replacing("a:9", "x:1"),
        revise("a:10", "a:11", "x:1", ""),
        tell("a:11", ""),
    ];
    let view = view_in_any_order(&lines);
    for n in 1..=10 {
        assert_eq!(
            at(&view, &["messages", &format!("a:{n}"), "waiting_for"]),
            r#"["x:1"]"#,
            "{n}"
        );
    }
    // Impacts, evidence and authority never gate.
    let free = revise("a:12", "a:11", "a:11", "").replace(
        r#""impact":[]"#,
        r#""impact":[{"commitment":"x:1","assessment":"paused","reason":"r"}]"#,
    );
    let authority = request("a:13").replace(r#""authority_ref":null"#, r#""authority_ref":"x:1""#);
    let cites = message("a:14", "TELL", "", &format!(r#"{{"claims":[{CITING}]}}"#));
    let got = statuses(
        &[tell("a:11", ""), free, authority, cites],
        &["a:12", "a:13", "a:14"],
    );
    assert_eq!(got, ["accepted", "accepted", "accepted"]);
}

// S3.05, T4.02, T4.25, T4.26, S3.07, T2.07, R-07, S3.09
#[test]
fn rules_of_original_bodies() {
    let other_thread = request("d:2").replace(r#""thread":"t""#, r#""thread":"u""#);
    let no_evidence = format!(r#"{{"commitment":"r:1","state":"fulfilled","claims":[{CLAIM}]}}"#);
    let some = format!(r#"{{"commitment":"r:1","state":"fulfilled","claims":[{CLAIM},{CITING}]}}"#);
    let lines = [
        request("d:1"),
        other_thread,
        tell("d:3", ""),
        propose("d:4"),
        commit("r:1", "d:1"),
        commit("r:2", "d:2"),
        commit("r:3", "d:3"),
        commit("r:4", "r:1"),
        commit("r:5", "d:1"), // R-16: a second one
        commit("d:5", "d:1"), // R-16: to a request of one's own
        replacing("d:6", "r:1"),
        replacing("d:7", "d:1"),
        replacing("a:1", "r:1"), // not the requester
        replacing("r:6", "r:1"),
        report("r:7", "", "r:1", "active"),
        report("r:8", "", "d:1", "active"),
        report("d:8", "", "r:1", "active"),
        message("r:9", "REPORT", "", &no_evidence),
        message("r:10", "REPORT", "", &some),
        decline("r:11", "d:1"),
        decline("r:12", "d:4"),
        decline("r:13", "d:3"),
        decline("r:14", "r:1"),
        ack("a:2", "r:9"), // T2.14 holds of valid messages only
        ack("a:3", "a:2"),
        ack("a:4", "r:11"),
        challenge("a:5", "a:4"),
        message(
            "r:15",
            "REPORT",
            "",
            &no_evidence.replace("fulfilled", "failed"),
        ),
    ];
    let view = view_in_any_order(&lines);
    let expected = [
        ("r:1", "accepted"),
        ("r:2", "request_other_thread"),
        ("r:3", "request_not_request"),
        ("r:4", "request_not_request"),
        ("r:5", "accepted"),
        ("d:5", "accepted"),
        ("d:6", "accepted"),
        ("d:7", "replaces_not_commit"),
        ("a:1", "replaces_other_requester"),
        ("r:6", "replaces_other_requester"),
        ("r:7", "accepted"),
        ("r:8", "commitment_not_commit"),
        ("d:8", "commitment_other_author"),
        ("r:9", "fulfilled_without_evidence"),
        ("r:10", "accepted"),
        ("r:11", "accepted"),
        ("r:12", "accepted"),
        ("r:13", "target_not_declinable"),
        ("r:14", "target_not_declinable"),
        ("a:2", "reference_rejected"),
        ("a:3", "reference_rejected"),
        ("a:4", "accepted"),
        ("a:5", "accepted"),
        ("r:15", "accepted"),
    ];
    for (id, code) in expected {
        assert_eq!(status(&view, id), code, "{id}");
    }
}

// S3.05: the first rule that fails gives the code
#[test]
fn the_first_rule_decides() {
    let both = message(
        "a:1",
        "REPORT",
        "",
        &format!(r#"{{"commitment":"d:1","state":"fulfilled","claims":[{CLAIM}]}}"#),
    );
    let rejected_reply = message("a:2", "COMMIT", "a:1", &commit_body("a:3", "", ""));
    let foreign = request("d:9").replace(r#""thread":"t""#, r#""thread":"u""#);
    let lines = [
        request("d:1"),
        tell("a:3", ""),
        both,
        rejected_reply,
        foreign,
        // Target of another author, and previous not in the chain: the author comes first.
        revise("a:4", "d:1", "a:3", "{}"),
        revise("d:2", "d:1", "a:3", "{}"),
        revise("d:3", "d:1", "d:1", "{}"),
    ];
    let got = statuses(&lines, &["a:1", "a:2", "a:4", "d:2", "d:3"]);
    assert_eq!(
        got,
        [
            "commitment_not_commit",
            "reference_rejected",
            "target_other_author",
            "previous_not_in_chain",
            "replacement_invalid"
        ]
    );
}

// T4.13, T4.16, S3.08, R-08
#[test]
fn rules_of_revisions() {
    let other_thread = request("d:2").replace(r#""thread":"t""#, r#""thread":"u""#);
    let uncited = format!(r#"{{"commitment":"r:1","state":"fulfilled","claims":[{CLAIM}]}}"#);
    let lines = [
        request("d:1"),
        other_thread,
        request("d:3"),
        tell("d:4", ""),
        ask("d:5", "", ""),
        commit("r:1", "d:1"),
        commit("r:2", "d:1"),
        commit("d:6", "d:1"),
        report("r:3", "", "r:1", "active"),
        revise("d:10", "d:5", "d:5", ""), // an ASK
        revise("d:11", "d:4", "d:4", TELL),
        revise("d:12", "d:11", "d:11", TELL), // never another REVISE
        revise("d:13", "d:4", "d:11", ""),
        revise("d:14", "d:1", "d:11", ""), // a REVISE of another target
        revise("a:1", "d:4", "d:4", ""),   // somebody else's
        revise("d:15", "d:4", "d:4", REQUEST), // another act's body
        revise("d:16", "d:1", "d:1", REQUEST),
        revise("r:10", "r:1", "r:1", &commit_body("d:3", "", "")), // R-08: another request
        revise("r:11", "r:1", "r:1", &commit_body("d:2", "", "")), // of another thread
        revise("r:12", "r:1", "r:1", &commit_body("d:4", "", "")),
        revise("r:13", "r:3", "r:3", &report_body("r:1", "blocked")),
        revise("r:14", "r:3", "r:3", &report_body("r:2", "blocked")),
        revise("r:15", "r:3", "r:3", &report_body("d:6", "blocked")),
        revise("r:16", "r:3", "r:3", &uncited),
        revise("d:17", "d:1", "d:1", &request_body("r:1")), // R-08: replaces may differ
        revise("d:18", "d:1", "d:1", &request_body("d:4")),
        revise("d:19", "d:1", "r:1", ""),
    ];
    let view = view_in_any_order(&lines);
    let expected = [
        ("d:10", "target_not_revisable"),
        ("d:11", "accepted"),
        ("d:12", "target_not_revisable"),
        ("d:13", "accepted"),
        ("d:14", "previous_not_in_chain"),
        ("a:1", "target_other_author"),
        ("d:15", "replacement_invalid"),
        ("d:16", "accepted"),
        ("r:10", "accepted"),
        ("r:11", "replacement_invalid"),
        ("r:12", "replacement_invalid"),
        ("r:13", "accepted"),
        ("r:14", "replacement_other_commitment"),
        ("r:15", "replacement_invalid"),
        ("r:16", "replacement_invalid"),
        // d:17 refers to r:1, which commits to d:1: no cycle, for references of a REVISE are its own.
        ("d:17", "accepted"),
        ("d:18", "replacement_invalid"),
        ("d:19", "previous_not_in_chain"),
    ];
    for (id, code) in expected {
        assert_eq!(status(&view, id), code, "{id}");
    }
}

// S3.02: hopeless, and still pending
#[test]
fn hopeless_and_still_pending() {
    let ack_d1 = ack("d:1", "d:0");
    let hopeless = message("r:1", "COMMIT", "d:9", &commit_body("d:1", "", ""));
    let mut lines = vec![tell("d:0", ""), ack_d1, hopeless];
    assert_eq!(statuses(&lines, &["r:1"]), ["pending"]);
    lines.push(tell("d:9", ""));
    assert_eq!(statuses(&lines, &["r:1"]), ["request_not_request"]);
    lines.pop();
    lines.push(commit("d:9", "d:0"));
    assert_eq!(statuses(&lines, &["r:1"]), ["reference_rejected"]);
    // A rejected reference does not settle the message as long as another one is open.
    let lines = [
        commit("d:1", "d:0"),
        tell("d:0", ""),
        ask("a:1", "d:1", "x:1"),
    ];
    assert_eq!(
        statuses(&lines, &["d:1", "a:1"]),
        ["request_not_request", "pending"]
    );
}

// S3.01: replacements gate late
#[test]
fn replacements_gate_late() {
    let late = revise("d:3", "d:2", "d:2", &request_body("r:7"));
    let waiting = |lines: &[String]| {
        let view = view_in_any_order(lines);
        at(&view, &["messages", "d:3", "waiting_for"]).to_string()
    };
    assert_eq!(waiting(std::slice::from_ref(&late)), r#"["d:2"]"#);
    assert_eq!(waiting(&[late.clone(), request("d:2")]), r#"["r:7"]"#);
    assert_eq!(
        statuses(&[late.clone(), tell("d:2", "")], &["d:3"]),
        ["replacement_invalid"]
    );
    // The target is known also when it is pending or rejected, or by somebody else.
    assert_eq!(
        waiting(&[late.clone(), replacing("d:2", "x:9")]),
        r#"["d:2","r:7"]"#
    );
    let rejected_target = [
        late.clone(),
        tell("x:9", ""),
        tell("a:9", ""),
        replacing("d:2", "a:9"),
    ];
    assert_eq!(waiting(&rejected_target), r#"["r:7"]"#);
    let foreign = revise("a:3", "d:2", "d:2", &request_body("r:7"));
    let view = view_in_any_order(&[request("d:2"), foreign]);
    assert_eq!(at(&view, &["messages", "a:3", "waiting_for"]), r#"["r:7"]"#);
    // Without the shape of a body of the target's act nothing gates.
    let unshaped = revise("d:3", "d:2", "d:2", r#"{"replaces":"r:7"}"#);
    assert_eq!(
        statuses(&[unshaped, request("d:2")], &["d:3"]),
        ["replacement_invalid"]
    );
    let acts = [
        revise("d:3", "d:2", "d:2", r#"{"question":"q","about":"x:1"}"#),
        ask("d:2", "", ""),
    ];
    assert_eq!(statuses(&acts, &["d:3"]), ["target_not_revisable"]);
}

// S3.04: cycles
#[test]
fn cycles() {
    let lines = [tell("a:1", "a:2"), tell("a:2", "a:1"), tell("b:1", "a:1")];
    let view = view_in_any_order(&lines);
    assert_eq!(at(&view, &["cycles"]), r#"[["a:1","a:2"]]"#);
    assert_eq!(status(&view, "b:1"), "pending");
    let lines = [
        tell("a:1", "a:1"),
        ask("d:1", "d:2", "d:3"),
        tell("d:2", "d:1"),
        tell("d:3", "d:1"),
        ask("b:1", "b:2", "d:1"),
        tell("b:2", "b:1"),
        ask("r:1", "b:1", "x:1"),
    ];
    let view = view_in_any_order(&lines);
    assert_eq!(
        at(&view, &["cycles"]),
        r#"[["a:1"],["b:1","b:2"],["d:1","d:2","d:3"]]"#
    );
    // A REVISE in a cycle with what its replacement names.
    let lines = [
        request("d:1"),
        message("r:1", "COMMIT", "d:2", &commit_body("d:1", "", "")),
        revise("d:2", "d:1", "d:1", &request_body("r:1")),
    ];
    let view = view_in_any_order(&lines);
    assert_eq!(at(&view, &["cycles"]), r#"[["d:2","r:1"]]"#);
}

// S7.06: cycles are compared entry by entry, in UTF-16 order
#[test]
fn cycles_in_utf16_order() {
    let lines = [
        tell("a:\u{fb33}", "a:\u{fb33}"),
        tell("a:😂", "a:😂"),
        tell("a:😂b", "a:z"),
        tell("a:z", "a:😂b"),
    ];
    let view = view_in_any_order(&lines);
    assert_eq!(
        at(&view, &["cycles"]),
        "[[\"a:z\",\"a:😂b\"],[\"a:😂\"],[\"a:\u{fb33}\"]]"
    );
}

// S3.03: a late delivery settles a whole tree
#[test]
fn release() {
    let lines: Vec<String> = (1..30)
        .map(|n| tell(&format!("a:{n}"), &format!("a:{}", n + 1)))
        .collect();
    let mut all = lines.clone();
    all.push(tell("a:30", ""));
    let got = outcomes(&all);
    assert!(got[..29].iter().all(|outcome| *outcome == Outcome::Pending));
    assert_eq!(got[29], Outcome::Accepted);
    let view = view(&all);
    assert!((1..=30).all(|n| status(&view, &format!("a:{n}")) == "accepted"));
}
