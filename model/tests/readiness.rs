//! §10 to §12: evidence, local facts, readiness, reconcile.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use support::*;

/// The blocking codes of r:1, which names this authority and these conditions.
fn blocked(authority: &str, conditions: &str, more: &[&str]) -> String {
    let mut lines = vec![
        request("d:1"),
        message(
            "r:1",
            "COMMIT",
            "",
            &commit_body("d:1", authority, conditions),
        ),
    ];
    lines.extend(more.iter().map(|line| line.to_string()));
    let view = view_in_any_order(&lines);
    let codes = of(&view, "r:1", "blocked_by").to_string();
    let ready = of(&view, "r:1", "readiness") == "\"ready\"";
    assert_eq!(ready, codes == "[]");
    codes.replace(['"', '[', ']'], "")
}

const PERMIT: &str = r#"{"permit":{"commitment":"r:1"}}"#;
const GRANT: &str = r#"{"grant":{"ref":"g","principal":"key:r"}}"#;

// S6.02, S6.13
#[test]
fn ready_with_a_permit() {
    assert_eq!(blocked("", "", &[]), "no_authority");
    assert_eq!(blocked("", "", &[PERMIT, PERMIT]), "");
    assert_eq!(
        blocked("", "", &[r#"{"permit":{"commitment":"r:2"}}"#]),
        "no_authority"
    );
    assert_eq!(blocked("", "", &[GRANT]), "no_authority"); // T5.03
}

// S6.14-S6.19
#[test]
fn grants() {
    assert_eq!(blocked("g", "", &[]), "grant_unknown");
    assert_eq!(blocked("g", "", &[PERMIT]), "grant_unknown");
    assert_eq!(blocked("g", "", &[GRANT]), "");
    assert_eq!(blocked("G", "", &[GRANT]), "grant_unknown");
    let revoke = r#"{"revoke":{"ref":"g"}}"#;
    assert_eq!(blocked("g", "", &[GRANT, revoke, GRANT]), "grant_revoked");
    assert_eq!(blocked("g", "", &[revoke]), "grant_revoked,grant_unknown");
    let other = r#"{"grant":{"ref":"g","principal":"key:d"}}"#;
    assert_eq!(blocked("g", "", &[other]), "grant_other_principal");
    assert_eq!(blocked("g", "", &[other, GRANT]), "grant_other_principal"); // each must suffice
    let actions =
        |list: &str| format!(r#"{{"grant":{{"ref":"g","principal":"key:r","actions":[{list}]}}}}"#);
    assert_eq!(blocked("g", "", &[&actions(r#""b","a""#)]), "");
    assert_eq!(blocked("g", "", &[&actions("")]), "grant_too_narrow");
    assert_eq!(
        blocked("g", "", &[&actions(r#""A","a ""#), GRANT, PERMIT]),
        "grant_too_narrow"
    );
}

// S6.18
#[test]
fn grants_and_the_clock() {
    let grant = r#"{"grant":{"ref":"g","principal":"key:r","not_before":"2026-01-01T00:00:00Z","expires":"2026-01-02T00:00:00Z"}}"#;
    let clock = |time: &str| format!(r#"{{"clock":"{time}"}}"#);
    let at_time = |time: &str| blocked("g", "", &[grant, &clock(time)]);
    assert_eq!(blocked("g", "", &[grant]), "clock_unknown");
    assert_eq!(at_time("2025-12-31T23:59:59.999Z"), "grant_not_yet_valid");
    assert_eq!(at_time("2025-12-31T23:59:60Z"), "grant_not_yet_valid");
    assert_eq!(at_time("2026-01-01T02:00:00+02:00"), "");
    assert_eq!(at_time("2026-01-01T23:59:59.9Z"), "");
    assert_eq!(at_time("2026-01-02T00:00:00Z"), "grant_expired");
    // The latest instant counts, whenever it was given.
    let clocks = [clock("2026-01-03T00:00:00Z"), clock("2026-01-01T12:00:00Z")];
    assert_eq!(
        blocked("g", "", &[grant, &clocks[0], &clocks[1]]),
        "grant_expired"
    );
    let open = r#"{"grant":{"ref":"g","principal":"key:r","not_before":"2026-01-01T00:00:00Z"}}"#;
    assert_eq!(blocked("g", "", &[open]), "clock_unknown");
    assert_eq!(
        blocked("g", "", &[open, &clock("2030-01-01T00:00:00Z")]),
        ""
    );
    let past = r#"{"grant":{"ref":"g","principal":"key:r","expires":"2020-01-01T00:00:00Z","not_before":"2026-01-01T00:00:00Z"}}"#;
    assert_eq!(
        blocked("g", "", &[past, &clock("2025-01-01T00:00:00Z")]),
        "grant_expired,grant_not_yet_valid"
    );
    // Another grant's bounds do not matter.
    let unrelated = past.replace(r#""ref":"g""#, r#""ref":"h""#);
    assert_eq!(blocked("g", "", &[GRANT, &unrelated]), "");
}

// S6.20
#[test]
fn approvals_and_conditions() {
    let require = r#"{"require_approval":{"commitment":"r:1"}}"#;
    let approve = r#"{"approve":{"commitment":"r:1","by":"anybody"}}"#;
    assert_eq!(blocked("", "", &[PERMIT, require]), "approval_missing");
    assert_eq!(blocked("", "", &[PERMIT, require, approve]), "");
    assert_eq!(blocked("", "", &[PERMIT, approve]), "");
    let confirm =
        |place: &str| format!(r#"{{"confirm":{{"commitment":"r:1","condition":{place}}}}}"#);
    let two = r#""x","y""#;
    assert_eq!(
        blocked("", two, &[PERMIT, &confirm("0")]),
        "condition_unconfirmed"
    );
    assert_eq!(
        blocked(
            "",
            two,
            &[PERMIT, &confirm("0"), &confirm("2"), &confirm("1e30")]
        ),
        "condition_unconfirmed"
    );
    assert_eq!(
        blocked("", two, &[PERMIT, &confirm("-0.0"), &confirm("10e-1")]),
        ""
    );
    assert_eq!(blocked("", "", &[PERMIT, &confirm("5")]), "");
    let eleven = [r#""x""#; 11].join(",");
    let all: Vec<String> = (0..11).map(|place| confirm(&place.to_string())).collect();
    let mut facts: Vec<&str> = all.iter().map(String::as_str).collect();
    facts.push(PERMIT);
    assert_eq!(blocked("", &eleven, &facts), "");
    facts.remove(10);
    assert_eq!(blocked("", &eleven, &facts), "condition_unconfirmed");
}

// S6.21, S5.10, T4.04
#[test]
fn judgements() {
    let judge = |terms: &str| format!(r#"{{"judge":{{"commitment":"r:1","terms":"{terms}"}}}}"#);
    assert_eq!(blocked("", "", &[PERMIT, &judge("satisfied")]), "");
    assert_eq!(
        blocked("", "", &[PERMIT, &judge("satisfied"), &judge("mismatch")]),
        "terms_mismatch"
    );
    assert_eq!(
        blocked("", "", &[PERMIT, &judge("ambiguous"), &judge("mismatch")]),
        "terms_ambiguous,terms_mismatch"
    );
    for (terms, expected) in [
        ("satisfied", "[]"),
        ("mismatch", r#"["disputed"]"#),
        ("ambiguous", r#"["disputed"]"#),
    ] {
        let view = view(&[request("d:1"), commit("r:1", "d:1"), judge(terms)]);
        assert_eq!(of(&view, "r:1", "annotations"), expected);
        assert_eq!(of(&view, "r:1", "disputed_by"), "[]");
    }
}

// S6.03, S6.04, S6.08
#[test]
fn chains_block() {
    let replace = |id: &str, previous: &str| revise(id, "d:1", previous, REQUEST);
    assert_eq!(blocked("", "", &[PERMIT, &replace("d:2", "d:1")]), ""); // S6.22
    assert_eq!(
        blocked("", "", &[PERMIT, &revise("d:2", "d:1", "d:1", "")]),
        "request_withdrawn"
    );
    assert_eq!(
        blocked(
            "",
            "",
            &[
                PERMIT,
                &revise("d:2", "d:1", "d:1", ""),
                &replace("d:3", "d:2")
            ]
        ),
        ""
    );
    assert_eq!(
        blocked(
            "",
            "",
            &[PERMIT, &replace("d:2", "d:1"), &replace("d:3", "d:1")]
        ),
        "request_conflicted"
    );
    assert_eq!(
        blocked("", "", &[PERMIT, &replace("d:2", "x:1")]),
        "request_revision_pending"
    );
    assert_eq!(
        blocked("", "", &[PERMIT, &revise("a:2", "d:1", "x:1", REQUEST)]),
        ""
    );
    let own = commit_body("d:1", "", "");
    let offer = |id: &str, previous: &str| revise(id, "r:1", previous, &own);
    assert_eq!(blocked("", "", &[PERMIT, &offer("r:2", "r:1")]), "");
    assert_eq!(
        blocked(
            "",
            "",
            &[PERMIT, &offer("r:2", "r:1"), &offer("r:3", "r:1")]
        ),
        "commitment_conflicted"
    );
    assert_eq!(
        blocked("", "", &[PERMIT, &offer("r:2", "x:1")]),
        "commitment_revision_pending"
    );
    assert_eq!(
        blocked("", "", &[PERMIT, &revise("r:2", "r:1", "r:1", "")]),
        "commitment_withdrawn"
    );
    // R-09: a pending revision blocks even if it can only be rejected.
    assert_eq!(
        blocked("", "", &[PERMIT, &revise("r:2", "r:1", "x:1", "{}")]),
        "commitment_revision_pending"
    );
}

// S6.07, S6.09
#[test]
fn supersession_blocks() {
    let new = replacing("d:2", "r:1");
    let waiting = message("r:2", "COMMIT", "x:1", &commit_body("d:2", "", ""));
    assert_eq!(blocked("", "", &[PERMIT, &new]), "");
    assert_eq!(
        blocked("", "", &[PERMIT, &new, &waiting]),
        "supersession_pending"
    );
    assert_eq!(blocked("", "", &[PERMIT, &waiting]), "");
    assert_eq!(
        blocked("", "", &[PERMIT, &new, &commit("r:2", "d:2")]),
        "superseded"
    );
    let pending = message("d:2", "REQUEST", "x:1", &request_body("r:1"));
    assert_eq!(
        blocked("", "", &[PERMIT, &pending, &commit("r:2", "d:2")]),
        "supersession_pending"
    );
    let foreign = message("a:2", "REQUEST", "x:1", &request_body("r:1"));
    assert_eq!(
        blocked("", "", &[PERMIT, &foreign, &commit("r:2", "a:2")]),
        ""
    );
    // The REQUEST may be rejected, and the COMMIT wait for something else.
    let rejected = message("d:2", "REQUEST", "d:8", &request_body("r:1"));
    let bad = commit("d:8", "r:1");
    assert_eq!(
        blocked("", "", &[PERMIT, &bad, &rejected, &waiting]),
        "supersession_pending"
    );
}

// S6.10, S6.11
#[test]
fn reports_block() {
    let report = |id: &str, reply: &str, state: &str| report(id, reply, "r:1", state);
    assert_eq!(blocked("", "", &[PERMIT, &report("r:2", "", "active")]), "");
    assert_eq!(
        blocked("", "", &[PERMIT, &report("r:2", "", "blocked")]),
        "reported_blocked"
    );
    assert_eq!(
        blocked("", "", &[PERMIT, &report("r:2", "", "fulfilled")]),
        "terminal"
    );
    assert_eq!(
        blocked("", "", &[PERMIT, &report("r:2", "", "failed")]),
        "terminal"
    );
    let both = [report("r:2", "", "failed"), report("r:3", "", "fulfilled")];
    assert_eq!(
        blocked("", "", &[PERMIT, &both[0], &both[1]]),
        "progress_unresolved"
    );
    assert_eq!(
        blocked("", "", &[PERMIT, &report("r:2", "x:1", "active")]),
        "report_pending"
    );
    assert_eq!(
        blocked("", "", &[PERMIT, &report("a:2", "x:1", "active")]),
        ""
    );
    let revision = revise("r:3", "r:2", "x:1", "");
    assert_eq!(
        blocked("", "", &[PERMIT, &report("r:2", "", "active"), &revision]),
        "report_pending"
    );
    let foreign = revise("a:3", "r:2", "x:1", "");
    assert_eq!(
        blocked("", "", &[PERMIT, &report("r:2", "", "active"), &foreign]),
        ""
    );
}

// S6.01: facts wait for the commitment; messages make none (T8.06)
#[test]
fn facts_are_local() {
    let view = view(&[PERMIT.to_string(), request("d:1"), commit("r:1", "d:1")]);
    assert_eq!(of(&view, "r:1", "readiness"), "\"ready\"");
    let quoted = TELL.replace(
        r#""text":"x""#,
        r#""text":"{\"permit\":{\"commitment\":\"r:1\"}}""#,
    );
    assert_eq!(
        blocked("", "", &[&message("d:2", "TELL", "", &quoted)]),
        "no_authority"
    );
}

fn reconcile(lines: &[&str]) -> String {
    let mut all = vec![request("d:1"), commit("r:1", "d:1")];
    all.extend(lines.iter().map(|line| line.to_string()));
    at(&view_in_any_order(&all), &["reconcile"]).to_string()
}

// S6.23
#[test]
fn reconciliation() {
    let start = r#"{"start":{"commitment":"r:1","action":"k"}}"#;
    let finish = r#"{"finish":{"commitment":"r:1","action":"k"}}"#;
    let withdraw = revise("d:2", "d:1", "d:1", "");
    let own = revise("r:2", "r:1", "r:1", "");
    assert_eq!(reconcile(&[start]), "[]"); // no_authority is no cause
    let entry = r#"[{"action":"k","causes":["request_withdrawn"],"commitment":"r:1"}]"#;
    assert_eq!(reconcile(&[start, &withdraw]), entry);
    assert_eq!(reconcile(&[start, &withdraw, finish, start]), entry);
    assert_eq!(reconcile(&[&withdraw]), "[]");
    let reconciled = |action: &str, causes: &str| {
        format!(
            r#"{{"reconciled":{{"commitment":"r:1","action":"{action}","causes":[{causes}]}}}}"#
        )
    };
    assert_eq!(
        reconcile(&[start, &withdraw, &reconciled("k", r#""request_withdrawn""#)]),
        "[]"
    );
    assert_eq!(
        reconcile(&[start, &withdraw, &reconciled("j", r#""request_withdrawn""#)]),
        entry
    );
    assert_eq!(
        reconcile(&[
            start,
            &withdraw,
            &reconciled("k", r#""no_such_cause","superseded""#)
        ]),
        entry
    );
    assert_eq!(reconcile(&[start, &withdraw, &reconciled("k", "")]), entry);
    let both = [
        start,
        &withdraw,
        &own,
        &reconciled("k", r#""commitment_withdrawn""#),
    ];
    assert_eq!(reconcile(&both), entry);
    assert_eq!(
        reconcile(&[start, &withdraw, &own]),
        r#"[{"action":"k","causes":["commitment_withdrawn","request_withdrawn"],"commitment":"r:1"}]"#
    );
    // Not an accepted COMMIT: unknown, another act, pending, rejected.
    for id in ["x:1", "d:1", "r:8", "r:9"] {
        let start = format!(r#"{{"start":{{"commitment":"{id}","action":"k"}}}}"#);
        let others = [start.as_str(), &commit("r:8", "x:2"), &commit("r:9", "r:1")];
        assert_eq!(
            reconcile(&others),
            format!(r#"[{{"action":"k","causes":["not_accepted"],"commitment":"{id}"}}]"#)
        );
    }
    let early = r#"{"reconciled":{"commitment":"x:1","action":"k","causes":["not_accepted"]}}"#;
    assert_eq!(
        reconcile(&[r#"{"start":{"commitment":"x:1","action":"k"}}"#, early]),
        "[]"
    );
}

// S7.06: entries in order of commitment, then action, by UTF-16
#[test]
fn reconcile_in_order() {
    let start = |id: &str, action: &str| {
        format!(r#"{{"start":{{"commitment":"{id}","action":"{action}"}}}}"#)
    };
    let lines = [
        start("x:\u{fb33}", "a"),
        start("x:😂", "\u{fb33}"),
        start("x:😂", "😂"),
        start("x:😂", "a"),
    ];
    let view = view_in_any_order(&lines);
    let entry = |id: &str, action: &str| {
        format!(r#"{{"action":"{action}","causes":["not_accepted"],"commitment":"{id}"}}"#)
    };
    let expected = [
        entry("x:😂", "a"),
        entry("x:😂", "😂"),
        entry("x:😂", "\u{fb33}"),
        entry("x:\u{fb33}", "a"),
    ];
    assert_eq!(
        at(&view, &["reconcile"]),
        format!("[{}]", expected.join(","))
    );
}

fn evidence(lines: &[String]) -> String {
    at(&view_in_any_order(lines), &["evidence"]).to_string()
}

fn object(id: &str, result: &str) -> String {
    format!(
        r#"{{"id":"{id}","source":"s","collected_at":"2026-12-01T06:00:00Z","method":"m","result":"{result}"}}"#
    )
}

// S5.13, S7.12, T3.09, T3.11, T3.14
#[test]
fn evidence_states() {
    let cites = |id: &str, ev: &str| {
        message(
            id,
            "TELL",
            "",
            &TELL.replace(r#""evidence":[]"#, &format!(r#""evidence":["{ev}"]"#)),
        )
    };
    let gives = |id: &str, objects: &str| {
        tell(id, "").replace(r#""act""#, &format!(r#""evidence":[{objects}],"act""#))
    };
    let store = |id: &str, result: &str| format!(r#"{{"evidence":{}}}"#, object(id, result));
    assert_eq!(
        evidence(&[cites("a:1", "ev:1")]),
        r#"{"ev:1":"inaccessible"}"#
    );
    assert_eq!(
        evidence(&[cites("a:1", "ev:1"), store("ev:1", "r"), store("ev:1", "r")]),
        r#"{"ev:1":"available"}"#
    );
    assert_eq!(
        evidence(&[store("ev:1", "r"), store("ev:1", "q")]),
        r#"{"ev:1":"contradictory"}"#
    );
    assert_eq!(
        evidence(&[gives("a:1", &object("ev:1", "r")), store("ev:1", "r")]),
        r#"{"ev:1":"available"}"#
    );
    assert_eq!(
        evidence(&[gives(
            "a:1",
            &format!("{},{}", object("ev:1", "r"), object("ev:1", "q"))
        )]),
        r#"{"ev:1":"contradictory"}"#
    );
    // Times of evidence are strings: the same instant written otherwise is another object.
    let other = object("ev:1", "r").replace("06:00:00Z", "06:00:00.0Z");
    assert_eq!(
        evidence(&[gives("a:1", &object("ev:1", "r")), gives("a:2", &other)]),
        r#"{"ev:1":"contradictory"}"#
    );
    // Pending and rejected messages cite and give.
    let pending = gives("a:1", &object("ev:1", "r")).replace(r#""reply":null"#, r#""reply":"x:1""#);
    assert_eq!(evidence(&[pending]), r#"{"ev:1":"available"}"#);
    let rejected = message("a:1", "REPORT", "", &report_body("d:1", "fulfilled"));
    assert_eq!(
        evidence(&[request("d:1"), rejected]),
        r#"{"ev:1":"inaccessible"}"#
    );
    let support =
        challenge("a:1", "x:1").replace(r#""support":[]"#, r#""support":["ev:2","ev:3"]"#);
    assert_eq!(
        evidence(&[support]),
        r#"{"ev:2":"inaccessible","ev:3":"inaccessible"}"#
    );
}

// S7.12: citations in replacements count under the condition of §6
#[test]
fn evidence_of_replacements() {
    let citing = format!(r#"{{"claims":[{CITING}]}}"#);
    let revision = revise("a:2", "a:1", "x:1", &citing);
    assert_eq!(evidence(std::slice::from_ref(&revision)), "{}"); // the target is unknown
    assert_eq!(
        evidence(&[revision.clone(), tell("a:1", "")]),
        r#"{"ev:1":"inaccessible"}"#
    );
    assert_eq!(
        evidence(&[revision.clone(), tell("a:1", "x:9")]),
        r#"{"ev:1":"inaccessible"}"#
    );
    assert_eq!(evidence(&[revision, request("a:1")]), "{}"); // not shaped like its body
    let extra = revise(
        "a:2",
        "a:1",
        "x:1",
        &citing.replace(r#"{"claims""#, r#"{"support":["ev:2"],"claims""#),
    );
    assert_eq!(evidence(&[extra, tell("a:1", "")]), "{}");
}

// R-15, S7.12: all versions give, the first alone cites
#[test]
fn evidence_of_versions() {
    let first = tell("a:1", "");
    let second = message("a:1", "TELL", "", &format!(r#"{{"claims":[{CITING}]}}"#)).replace(
        r#""act""#,
        &format!(r#""evidence":[{}],"act""#, object("ev:7", "r")),
    );
    let view = view(&[first, second]);
    assert_eq!(at(&view, &["evidence"]), r#"{"ev:7":"available"}"#);
}
