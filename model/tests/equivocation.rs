//! §7: versions, taint, and what is blocked by them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use support::*;
use tern_model::Outcome;

fn blocked(view: &str, k: &str) -> String {
    of(view, k, "blocked_by").to_string()
}

fn doubt(view: &str, k: &str) -> (bool, bool, bool) {
    let codes = blocked(view, k);
    let has = |code: &str| codes.contains(&format!("\"{code}\""));
    (
        has("request_equivocal"),
        has("commitment_equivocal"),
        has("report_equivocal"),
    )
}

// R-15, S6.05, S6.06: the example of §7
#[test]
fn the_example() {
    let other = request("d:1").replace(r#""action":"a""#, r#""action":"b""#);
    let lines = [
        request("d:1"),
        commit("r:1", "d:1"),
        ack("r:2", "r:1"),
        other,
    ];
    assert_eq!(outcomes(&lines)[3], Outcome::IdConflict);
    let view = view(&lines);
    assert_eq!(
        blocked(&view, "r:1"),
        r#"["commitment_equivocal","no_authority","request_equivocal"]"#
    );
    for id in ["d:1", "r:1", "r:2"] {
        assert_eq!(status(&view, id), "accepted");
    }
    assert_eq!(at(&view, &["equivocal", "d:1"]).len(), 2 * 66 + 3);
    assert_eq!(at(&view, &["equivocal", "r:1"]), "");
}

// R-15: the digests of all versions, in order; the first version is the message
#[test]
fn versions_are_listed() {
    let (one, two) = (tell("a:1", ""), ask("a:1", "", ""));
    let (forward, backward) = (view(&[&one, &two]), view(&[&two, &one]));
    assert_eq!(at(&forward, &["equivocal"]), at(&backward, &["equivocal"])); // S7.02
    assert_eq!(at(&forward, &["messages", "a:1", "act"]), "\"TELL\"");
    assert_eq!(at(&backward, &["messages", "a:1", "act"]), "\"ASK\"");
}

// R-15: a later version taints by its own references
#[test]
fn later_versions_taint() {
    // The second version of r:9 reports on r:1; the first has nothing to do with it.
    let lines = [
        request("d:1"),
        commit("r:1", "d:1"),
        tell("r:9", ""),
        report("r:9", "", "r:1", "active"),
    ];
    assert_eq!(doubt(&view(&lines), "r:1"), (false, false, true)); // S6.12
    // b:1 is tainted, for its second version refers to the equivocal a:1; r:1 refers to b:1.
    let lines = [
        request("d:1"),
        tell("a:1", ""),
        ask("a:1", "", ""),
        tell("b:1", ""),
        tell("b:1", "a:1"),
        message("r:1", "COMMIT", "b:1", &commit_body("d:1", "", "")),
        commit("r:2", "d:1"),
    ];
    let view = view(&lines);
    assert_eq!(doubt(&view, "r:1"), (false, true, false));
    assert_eq!(doubt(&view, "r:2"), (false, false, false));
}

// R-15: whether a replacement gates is decided by the first version of its target
#[test]
fn gating_by_the_first_version_of_the_target() {
    // d:4 revises d:1 and names the equivocal a:1 in its replacement, which has the form of a REQUEST.
    let base = |first: String, later: String| {
        let lines = [
            first,
            later,
            request("d:2"),
            commit("r:1", "d:2"),
            tell("a:1", ""),
            ask("a:1", "", ""),
            revise("d:4", "d:1", "d:1", &request_body("a:1")),
            message("r:2", "COMMIT", "d:1", &commit_body("d:2", "", "")),
            revise("d:5", "d:2", "d:4", ""),
        ];
        view(&lines)
    };
    // d:1 is equivocal in both, so d:4 and d:5 are tainted in both; but only as a REQUEST it gates.
    let request_first = base(request("d:1"), tell("d:1", ""));
    assert_eq!(status(&request_first, "d:4"), "replacement_invalid");
    assert_eq!(
        at(&request_first, &["messages", "d:5", "code"]),
        "\"reference_rejected\""
    );
    let tell_first = base(tell("d:1", ""), request("d:1"));
    assert_eq!(status(&tell_first, "d:4"), "replacement_invalid");
    for view in [request_first, tell_first] {
        // In d:5 the requester revises d:2, the request of both.
        assert_eq!(doubt(&view, "r:1"), (true, false, false));
        assert_eq!(doubt(&view, "r:2"), (true, true, false));
    }
}

// R-15: a gating replacement taints
#[test]
fn a_replacement_taints() {
    let with = |replaces: &str| {
        let lines = [
            request("d:1"),
            commit("r:1", "d:1"),
            tell("a:1", ""),
            ask("a:1", "", ""),
            revise("d:4", "d:1", "d:1", &request_body(replaces)),
        ];
        doubt(&view(&lines), "r:1")
    };
    assert_eq!(with("a:1"), (true, false, false));
    assert_eq!(with("r:1"), (false, false, false));
    // Not shaped like a body of its target's act, it does not gate.
    let lines = [
        request("d:1"),
        commit("r:1", "d:1"),
        tell("a:1", ""),
        ask("a:1", "", ""),
        revise("d:4", "d:1", "d:1", r#"{"replaces":"a:1"}"#),
    ];
    assert_eq!(doubt(&view(&lines), "r:1"), (false, false, false));
}

// S6.05: the requester revises the request in a version of a tainted id
#[test]
fn request_equivocal() {
    let lines = [
        request("d:1"),
        commit("r:1", "d:1"),
        revise("d:2", "d:1", "d:1", REQUEST),
        revise("d:2", "d:1", "d:1", ""),
    ];
    assert_eq!(doubt(&view(&lines), "r:1"), (true, false, false));
    // Also where the REVISE is a later version; and not where somebody else revises.
    let later = [
        request("d:1"),
        commit("r:1", "d:1"),
        tell("d:2", ""),
        revise("d:2", "d:1", "d:1", ""),
    ];
    assert_eq!(doubt(&view(&later), "r:1"), (true, false, false));
    let foreign = [
        request("d:1"),
        commit("r:1", "d:1"),
        tell("a:2", ""),
        revise("a:2", "d:1", "d:1", ""),
    ];
    assert_eq!(doubt(&view(&foreign), "r:1"), (false, false, false));
    // Also where the REVISE is pending or rejected.
    let pending = [
        request("d:1"),
        commit("r:1", "d:1"),
        tell("d:2", "x:1"),
        revise("d:2", "d:1", "x:2", ""),
    ];
    assert_eq!(doubt(&view(&pending), "r:1"), (true, false, false));
}

// S6.06: its author revises it in a version of a tainted id
#[test]
fn commitment_equivocal_by_revision() {
    let lines = [
        request("d:1"),
        commit("r:1", "d:1"),
        tell("r:2", ""),
        revise("r:2", "r:1", "r:1", ""),
    ];
    assert_eq!(doubt(&view(&lines), "r:1"), (false, true, false));
}

// S6.06: superseded in a version of a tainted id
#[test]
fn commitment_equivocal_by_supersession() {
    let base = vec![request("d:1"), commit("r:1", "d:1")];
    let with = |more: &[String]| {
        let mut lines = base.clone();
        lines.extend_from_slice(more);
        doubt(&view(&lines), "r:1")
    };
    // The later version of d:2 replaces r:1, and r commits to d:2.
    assert!(
        with(&[
            request("d:2"),
            replacing("d:2", "r:1"),
            commit("r:2", "d:2")
        ])
        .1
    );
    // Nobody commits to it.
    assert!(!with(&[request("d:2"), replacing("d:2", "r:1")]).1);
    // Somebody else commits to it.
    assert!(
        !with(&[
            request("d:2"),
            replacing("d:2", "r:1"),
            commit("a:2", "d:2")
        ])
        .1
    );
    // The later version of r:2 is the COMMIT.
    assert!(
        with(&[
            replacing("d:2", "r:1"),
            tell("r:2", ""),
            commit("r:2", "d:2")
        ])
        .1
    );
    // A REQUEST by somebody else that replaces r:1 counts for nothing.
    assert!(
        !with(&[
            replacing("a:2", "r:1"),
            tell("r:2", ""),
            commit("r:2", "a:2")
        ])
        .1
    );
    // Without any taint it is superseded, not equivocal.
    assert!(!with(&[replacing("d:2", "r:1"), commit("r:2", "d:2")]).1);
}

// S6.12: reports in tainted ids, and revisions of what is a report in some version
#[test]
fn report_equivocal() {
    let base = vec![
        request("d:1"),
        commit("r:1", "d:1"),
        report("r:2", "", "r:1", "active"),
    ];
    let with = |more: &[String]| {
        let mut lines = base.clone();
        lines.extend_from_slice(more);
        doubt(&view(&lines), "r:1").2
    };
    assert!(!with(&[tell("r:3", ""), ask("r:3", "", "")]));
    assert!(with(&[report("r:2", "", "r:1", "blocked")]));
    assert!(with(&[tell("r:3", ""), revise("r:3", "r:2", "r:2", "")]));
    assert!(!with(&[tell("a:3", ""), revise("a:3", "r:2", "r:2", "")]));
    // r:4 is a REPORT only in its later version; r:5 revises it and is tainted by it.
    assert!(with(&[
        tell("r:4", ""),
        report("r:4", "", "r:1", "active"),
        revise("r:5", "r:4", "r:4", TELL)
    ]));
    // A tainted report of somebody else, and one on another commitment, count for nothing.
    assert!(!with(&[
        tell("a:3", ""),
        report("a:3", "", "r:1", "active")
    ]));
    assert!(!with(&[
        commit("r:7", "d:1"),
        tell("r:3", ""),
        report("r:3", "", "r:7", "active")
    ]));
}

// R-15: statuses come from the first versions alone; nothing clears an equivocation
#[test]
fn nothing_clears_it() {
    let lines = [
        tell("a:1", ""),
        tell("a:1", "x:1"),
        tell("a:2", "a:1"),
        revise("a:3", "a:1", "a:1", ""),
    ];
    let view = view(&lines);
    assert_eq!(status(&view, "a:1"), "accepted");
    assert_eq!(status(&view, "a:2"), "accepted");
    assert_ne!(at(&view, &["equivocal", "a:1"]), "");
}
