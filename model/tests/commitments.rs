//! §9: progress, annotations, offers.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use support::*;

/// The commitment r:1 of r to d:1 of d, and these lines.
fn k(more: &[String]) -> String {
    let mut lines = vec![request("d:1"), commit("r:1", "d:1")];
    lines.extend_from_slice(more);
    view_in_any_order(&lines)
}

fn progress(view: &str) -> String {
    let cause = of(view, "r:1", "progress_cause");
    let state = of(view, "r:1", "progress");
    format!("{state} {cause}")
        .replace('"', "")
        .trim()
        .to_string()
}

// S5.03-S5.07: the first table of §9
#[test]
fn u_and_causality() {
    let lines = [
        report("r:2", "r:1", "r:1", "active"),
        report("r:3", "r:2", "r:1", "fulfilled"),
        report("r:4", "r:3", "r:1", "active"),
        revise("r:5", "r:3", "r:3", ""),
        report("r:6", "", "r:1", "blocked"),
        report("r:7", "r:5", "r:1", "active"),
    ];
    let expected = [
        "none",
        "active",
        "fulfilled",
        "fulfilled",
        "unresolved invalidated",
        "unresolved invalidated",
        "active",
    ];
    for (count, expected) in expected.iter().enumerate() {
        let view = k(&lines[..count]);
        assert_eq!(progress(&view), *expected, "{count}");
        let attempts = if count == 3 { r#"["r:4"]"# } else { "[]" };
        assert_eq!(
            of(&view, "r:1", "reactivation_attempts"),
            attempts,
            "{count}"
        );
        assert_eq!(of(&view, "r:1", "candidates"), "[]");
    }
}

// S5.03, S5.05: answering a fork
#[test]
fn answering_a_fork() {
    let mut lines = vec![
        report("r:2", "", "r:1", "blocked"),
        revise("r:3", "r:2", "r:2", &report_body("r:1", "active")),
        revise("r:4", "r:2", "r:2", &report_body("r:1", "active")),
    ];
    assert_eq!(progress(&k(&lines)), "unresolved conflict");
    lines.push(report("r:7", "r:3", "r:1", "active"));
    assert_eq!(progress(&k(&lines)), "unresolved conflict");
    lines.push(ask("r:5", "r:3", "r:4"));
    lines.push(report("r:6", "r:5", "r:1", "active"));
    assert_eq!(progress(&k(&lines)), "active");
}

// S5.06: concurrent
#[test]
fn concurrent() {
    let mut lines = vec![
        report("r:2", "r:1", "r:1", "active"),
        report("r:3", "r:1", "r:1", "blocked"),
    ];
    let view = k(&lines);
    assert_eq!(progress(&view), "unresolved concurrent");
    assert_eq!(of(&view, "r:1", "candidates"), r#"["r:2","r:3"]"#);
    lines.push(report("r:4", "r:2", "r:1", "blocked")); // after one of them: the last ones agree
    assert_eq!(progress(&k(&lines)), "blocked");
    lines.push(report("r:5", "r:3", "r:1", "active"));
    let view = k(&lines);
    assert_eq!(of(&view, "r:1", "candidates"), r#"["r:4","r:5"]"#);
    lines.push(ask("a:1", "r:4", "r:5")); // anybody's message can tie them together
    lines.push(report("r:6", "a:1", "r:1", "active"));
    assert_eq!(progress(&k(&lines)), "active");
}

// S5.04: contradictory; U does not matter; S5.07: attempts also then
#[test]
fn contradictory() {
    let mut lines = vec![
        report("r:2", "", "r:1", "fulfilled"),
        report("r:3", "r:2", "r:1", "failed"),
        report("r:4", "r:3", "r:1", "blocked"),
        report("r:5", "r:1", "r:1", "blocked"),
    ];
    let view = k(&lines);
    assert_eq!(progress(&view), "unresolved contradictory");
    assert_eq!(of(&view, "r:1", "candidates"), r#"["r:2","r:3"]"#);
    assert_eq!(of(&view, "r:1", "reactivation_attempts"), r#"["r:4"]"#);
    lines.push(revise("r:6", "r:3", "r:3", ""));
    assert_eq!(progress(&k(&lines)), "fulfilled"); // r:6 is in U, and r:2 still decides
    lines.push(report("r:7", "", "r:1", "fulfilled"));
    assert_eq!(progress(&k(&lines)), "fulfilled");
}

// S5.02, T4.33: revisions of a REPORT change the assessment
#[test]
fn revised_reports() {
    let body = |state: &str| report_body("r:1", state);
    let terminal = report("r:2", "", "r:1", "fulfilled");
    let one = |replacement: &str| {
        progress(&k(&[
            terminal.clone(),
            revise("r:3", "r:2", "r:2", replacement),
        ]))
    };
    assert_eq!(one(&body("failed")), "failed"); // terminal to terminal is not in U
    assert_eq!(one(&body("fulfilled")), "fulfilled");
    assert_eq!(one(&body("active")), "unresolved invalidated");
    assert_eq!(one(""), "unresolved invalidated");
    let open = report("r:2", "", "r:1", "blocked");
    let one = |replacement: &str| {
        progress(&k(&[
            open.clone(),
            revise("r:3", "r:2", "r:2", replacement),
        ]))
    };
    assert_eq!(one(&body("failed")), "failed");
    assert_eq!(one(&body("active")), "active");
    assert_eq!(one(""), "none"); // what was not terminal unsettles nothing
    // Withdrawn and made terminal again: rule 1 decides.
    let lines = [
        terminal.clone(),
        revise("r:3", "r:2", "r:2", ""),
        revise("r:4", "r:2", "r:3", &body("failed")),
    ];
    assert_eq!(progress(&k(&lines)), "failed");
    // Down and down again: the first step alone unsettles.
    let lines = [
        terminal.clone(),
        revise("r:3", "r:2", "r:2", &body("active")),
        revise("r:4", "r:2", "r:3", &body("blocked")),
        report("r:5", "r:3", "r:1", "active"),
    ];
    assert_eq!(progress(&k(&lines)), "active");
    // A revised report keeps the place of its own message: r:5 is after r:2, which now says active.
    let lines = [
        report("r:2", "r:1", "r:1", "blocked"),
        report("r:5", "r:2", "r:1", "blocked"),
        revise("r:3", "r:2", "r:2", &body("active")),
    ];
    assert_eq!(progress(&k(&lines)), "blocked");
}

// S5.03: an invalidating step before a fork counts, one below it does not
#[test]
fn undisputed_steps_before_a_fork() {
    let body = |state: &str| report_body("r:1", state);
    let lines = [
        report("r:2", "", "r:1", "fulfilled"),
        revise("r:3", "r:2", "r:2", &body("active")),
        revise("r:4", "r:2", "r:3", &body("fulfilled")),
        revise("r:5", "r:2", "r:3", ""),
        revise("r:6", "r:2", "r:4", ""),
        ask("r:7", "r:4", "r:5"),
        report("r:8", "r:7", "r:1", "blocked"),
    ];
    // U is r:4 and r:5 (conflict) and r:3 (invalidated); r:6 hangs below the fork.
    assert_eq!(progress(&k(&lines[..6])), "unresolved conflict");
    assert_eq!(progress(&k(&lines)), "blocked");
}

// S5.02, S5.03: equivocal reports and revisions
#[test]
fn equivocal_reports() {
    let base = [request("d:1"), commit("r:1", "d:1")];
    let with = |more: &[String]| view(&[&base[..], more].concat());
    let twice = [
        report("r:2", "", "r:1", "fulfilled"),
        report("r:2", "", "r:1", "failed"),
    ];
    let equivocal = with(&twice);
    assert_eq!(progress(&equivocal), "unresolved conflict");
    assert_eq!(of(&equivocal, "r:1", "reports"), r#"["r:2"]"#);
    // A report after it counts; it is tainted, but not equivocal.
    let after = [&twice[..], &[report("r:3", "r:2", "r:1", "active")]].concat();
    assert_eq!(progress(&with(&after)), "active");
    // An equivocal accepted revision, also below a fork, takes the assessment away.
    let body = report_body("r:1", "active");
    let fork = [
        report("r:2", "", "r:1", "fulfilled"),
        revise("r:3", "r:2", "r:2", &body),
        revise("r:4", "r:2", "r:2", &body),
        revise("r:5", "r:2", "r:4", &body),
        tell("r:5", ""),
        ask("r:6", "r:3", "r:4"),
        report("r:7", "r:6", "r:1", "active"),
    ];
    assert_eq!(progress(&with(&fork)), "unresolved conflict"); // r:5 is in U too
    let mut answered = fork.to_vec();
    answered.push(ask("r:8", "r:7", "r:5"));
    answered.push(report("r:9", "r:8", "r:1", "active"));
    assert_eq!(progress(&with(&answered)), "active");
    // A linear chain with an equivocal step that does not invalidate.
    let linear = [
        report("r:2", "", "r:1", "active"),
        revise("r:3", "r:2", "r:2", &body),
        tell("r:3", ""),
    ];
    assert_eq!(progress(&with(&linear)), "unresolved conflict");
}

// S5.08, T4.30, R-11: withdrawn
#[test]
fn withdrawn() {
    let body = commit_body("d:1", "", "");
    let view = k(&[
        revise("r:2", "r:1", "r:1", ""),
        revise("r:3", "r:1", "r:2", &body),
    ]);
    assert_eq!(
        of(&view, "r:1", "annotations"),
        r#"["disputed","withdrawn"]"#
    );
    assert_eq!(of(&view, "r:1", "disputed_by"), "[]");
    assert_eq!(of(&view, "r:1", "offers"), r#"["r:3"]"#);
    assert_eq!(
        of(&view, "r:1", "blocked_by"),
        r#"["commitment_withdrawn","no_authority"]"#
    );
    assert_eq!(at(&view, &["chains", "r:1", "state"]), "\"replaced\"");
    // A withdrawal that competes is disputed, and withdraws nothing.
    let view = k(&[
        revise("r:2", "r:1", "r:1", ""),
        revise("r:3", "r:1", "r:1", &body),
    ]);
    assert_eq!(of(&view, "r:1", "annotations"), "[]");
    assert_eq!(of(&view, "r:1", "offers"), r#"["r:3"]"#); // S5.11: below a fork too
    assert_eq!(
        of(&view, "r:1", "blocked_by"),
        r#"["commitment_conflicted","no_authority"]"#
    );
}

// S5.09, T4.27: superseded
#[test]
fn superseded() {
    let mut lines = vec![replacing("d:2", "r:1")];
    assert_eq!(of(&k(&lines), "r:1", "annotations"), "[]"); // a REQUEST alone supersedes nothing
    lines.push(commit("a:1", "d:2"));
    assert_eq!(of(&k(&lines), "r:1", "superseded_by"), "[]"); // nor does somebody else's COMMIT
    lines.push(commit("r:2", "d:2"));
    lines.push(revise("r:3", "r:2", "r:2", "")); // its later fate does not matter
    lines.push(revise("d:3", "d:2", "d:2", REQUEST));
    let view = k(&lines);
    assert_eq!(of(&view, "r:1", "superseded_by"), r#"["r:2"]"#);
    assert_eq!(of(&view, "r:1", "annotations"), r#"["superseded"]"#);
    assert_eq!(at(&view, &["requests", "d:2", "replaces"]), "\"r:1\"");
    // R-08: a replacement that names `replaces` links nothing.
    let view = k(&[
        request("d:2"),
        revise("d:3", "d:2", "d:2", &request_body("r:1")),
        commit("r:2", "d:2"),
    ]);
    assert_eq!(of(&view, "r:1", "superseded_by"), "[]");
}

// S5.10: disputed
#[test]
fn disputed() {
    let lines = [
        report("r:2", "", "r:1", "active"),
        revise("r:3", "r:2", "r:2", &report_body("r:1", "blocked")),
        revise("r:4", "r:1", "r:1", &commit_body("d:1", "", "")),
        revise("d:2", "d:1", "d:1", REQUEST),
        commit("r:9", "d:1"),
    ];
    let by = |target: &str| {
        let view = k(&[&lines[..], &[challenge("a:1", target)]].concat());
        assert_eq!(of(&view, "r:9", "disputed_by"), "[]");
        let annotated = of(&view, "r:1", "annotations") == r#"["disputed"]"#;
        assert_eq!(annotated, of(&view, "r:1", "disputed_by") == r#"["a:1"]"#);
        annotated
    };
    for target in ["r:1", "r:2", "r:3", "r:4"] {
        assert!(by(target), "{target}");
    }
    assert!(!by("d:1"));
    assert!(!by("d:2"));
    // A pending CHALLENGE disputes nothing, nor does one of a CHALLENGE.
    let view = k(&[message(
        "a:1",
        "CHALLENGE",
        "x:1",
        r#"{"target":"r:1","kind":"scope","objection":"o","support":[],"resolution_test":"t"}"#,
    )]);
    assert_eq!(of(&view, "r:1", "annotations"), "[]");
}

// R-14, T4.23: revisions of the request that the commitment does not follow
#[test]
fn changes_of_the_request() {
    let lines = [
        request("d:1"),
        revise("d:2", "d:1", "d:1", REQUEST),
        message("r:1", "COMMIT", "d:2", &commit_body("d:1", "", "")),
        commit("r:2", "d:1"),
        revise("d:3", "d:1", "d:2", ""),
    ];
    let view = view_in_any_order(&lines);
    assert_eq!(of(&view, "r:1", "request_changed_by"), r#"["d:3"]"#);
    assert_eq!(of(&view, "r:2", "request_changed_by"), r#"["d:2","d:3"]"#);
    assert_eq!(
        of(&view, "r:1", "blocked_by"),
        r#"["no_authority","request_withdrawn"]"#
    );
}

// S5.12, T8.05, T2.11: nothing but an accepted COMMIT is a commitment; S7.10: its fields
#[test]
fn what_is_a_commitment() {
    let due = commit_body("d:1", "", "")
        .replace(r#""due":null"#, r#""due":"2026-12-01T06:00:00.50+01:00""#);
    let lines = [
        request("d:1"),
        propose("d:2"),
        ask("d:3", "", ""),
        ack("r:3", "d:1"),
        commit("r:4", "x:1"),
        message("r:1", "COMMIT", "", &due),
    ];
    let view = view_in_any_order(&lines);
    assert_eq!(
        at(&view, &["commitments"]),
        r#"{"r:1":{"annotations":[],"blocked_by":["no_authority"],"by":"r","candidates":[],"disputed_by":[],"due":"2026-12-01T06:00:00.50+01:00","offers":[],"progress":"none","reactivation_attempts":[],"readiness":"blocked","reports":[],"request":"d:1","request_changed_by":[],"requester":"d","superseded_by":[]}}"#
    );
}
