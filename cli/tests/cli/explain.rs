//! `tern explain` as its users meet it.

use crate::common::{
    Ran, ack, command, conditional, deliver, document, file, finish, garden, message, request_body,
    request_for, revise, tern,
};
use serde_json::{Value, json};

fn explain(id: &str, log: &str) -> Ran {
    tern(&["explain", id, &file(log)])
}

fn explain_json(id: &str, log: &str) -> (i32, Value) {
    let ran = tern(&["explain", "--json", id, &file(log)]);
    (ran.code, ran.json())
}

fn ruling<'v>(report: &'v Value, topic: &str, clause: &str) -> &'v Value {
    report["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .find(|found| found["topic"] == topic && found["clause"] == clause)
        .unwrap_or_else(|| panic!("no {topic} under {clause} in {report:#}"))
}

/// S6.02, S6.03, S6.13, S6.20: each reason that blocks a promise, with what decided it and what
/// would clear it.
#[test]
fn a_blocked_promise_is_told_reason_by_reason() {
    let (code, report) = explain_json("ben:1", &document(&garden()));
    assert_eq!(code, 0);
    assert_eq!(
        report["commitment"]["blocked_by"],
        json!([
            "condition_unconfirmed",
            "no_authority",
            "request_conflicted"
        ])
    );
    for (clause, code) in [
        ("S6.03", "request_conflicted"),
        ("S6.13", "no_authority"),
        ("S6.20", "condition_unconfirmed"),
    ] {
        let found = ruling(&report, "blocked", clause);
        assert_eq!(found["code"], code);
        assert!(
            found["remedy"].is_string() && found["clause_text"].is_string(),
            "{found}"
        );
    }
    let because = &ruling(&report, "blocked", "S6.03")["because"];
    assert_eq!(because[0]["id"], "ana:2");
    assert_eq!(because[0]["line"], 4);
    assert!(
        because[0]["gloss"]
            .as_str()
            .unwrap()
            .contains("a new thought")
    );
    let conditions = report["conditions"].as_array().unwrap();
    let confirmed: Vec<_> = conditions.iter().map(|one| &one["confirmed"]).collect();
    assert_eq!(confirmed, [true, false]);
    assert_eq!(
        report["facts"],
        json!([{"confirm": {"commitment": "ben:1", "condition": 0}}])
    );
    let words = explain("ben:1", &document(&garden())).out;
    assert!(
        words.contains("clears it  nothing; agree on a fresh REQUEST and COMMIT"),
        "{words}"
    );
    assert!(words.contains("open       number 1: no rain"), "{words}");
}

/// S6.02: nothing blocks a promise that is permitted and confirmed.
#[test]
fn a_ready_promise_says_so() {
    let log = document(&[
        deliver(request_for("ana:1", "water")),
        deliver(conditional("ben:1", "ana:1")),
        json!({"permit": {"commitment": "ben:1"}}),
        json!({"confirm": {"commitment": "ben:1", "condition": 0}}),
        json!({"confirm": {"commitment": "ben:1", "condition": 1}}),
    ]);
    let (code, report) = explain_json("ben:1", &log);
    assert_eq!(
        (code, &report["commitment"]["readiness"]),
        (0, &json!("ready"))
    );
    ruling(&report, "ready", "S6.02");
}

/// S6.23: an action that was started too early is told, also of an id that is no promise.
#[test]
fn a_started_action_that_should_not_have_been_is_told() {
    let mut records = garden();
    records.push(json!({"start": {"commitment": "ben:1", "action": "water-1"}}));
    records.push(json!({"start": {"commitment": "ana:1", "action": "water-2"}}));
    let log = document(&records);
    let (_, report) = explain_json("ben:1", &log);
    let sentence = ruling(&report, "reconcile", "S6.23")["sentence"]
        .as_str()
        .unwrap();
    assert!(sentence.contains("request_conflicted"), "{sentence}");
    let (_, report) = explain_json("ana:1", &log);
    let sentence = ruling(&report, "reconcile", "S6.23")["sentence"]
        .as_str()
        .unwrap();
    assert!(sentence.contains("not_accepted"), "{sentence}");
}

/// S4.03: every branch of a conflict with its difference from the last undisputed content; what
/// hangs below decides nothing.
#[test]
fn a_conflict_is_told_branch_by_branch() {
    let log = document(&garden());
    let (code, report) = explain_json("ana:1", &log);
    assert_eq!(code, 0);
    let conflict = &report["conflicts"][0];
    assert_eq!(conflict["head"], "ana:1");
    assert_eq!(conflict["undisputed"]["action"], "water the beds");
    let [first, second] = conflict["branches"].as_array().unwrap().as_slice() else {
        panic!("two branches in {conflict:#}");
    };
    assert_eq!(
        first["differences"],
        json!([{"pointer": "/constraints/1", "before": null, "after": "before noon"}])
    );
    assert_eq!(first["below"], json!(["ana:4"]));
    assert_eq!(
        second["differences"],
        json!([{"pointer": "/action", "before": "water the beds", "after": "water the roses"}])
    );
    // The same conflict is shown with each revision and with the promise that rests on it.
    for id in ["ana:2", "ana:4", "ben:1"] {
        assert_eq!(&explain_json(id, &log).1["conflicts"][0], conflict, "{id}");
    }
    ruling(&explain_json("ana:2", &log).1, "revision", "S4.03");
    ruling(&explain_json("ana:4", &log).1, "revision", "S4.03");
}

/// S4.03: two columns where the terminal is wide enough, else one under the other; no line is wider
/// than the terminal.
#[test]
fn branches_stand_beside_each_other_where_there_is_room() {
    let log = file(document(&garden()));
    for (width, beside) in [("100", true), ("80", true), ("60", false)] {
        let mut narrow = command(&["explain", "ana:1", &log]);
        narrow.env("COLUMNS", width);
        let ran = finish(narrow, b"");
        let line = ran
            .out
            .lines()
            .find(|line| line.contains("ana:2 (line 4): replace"))
            .unwrap();
        assert_eq!(
            line.contains("ana:3 (line 5): replace"),
            beside,
            "{}",
            ran.out
        );
        let most = width.parse().unwrap();
        let long = ran.out.lines().find(|line| line.chars().count() > most);
        assert_eq!(long, None);
    }
}

/// R-02: numbers in `extensions` are compared exactly, beyond what a double holds.
#[test]
fn branches_that_differ_in_a_large_number_differ() {
    let mut records = vec![deliver(request_for("ana:1", "water"))];
    for (id, number) in [
        ("ana:2", "9007199254740993"),
        ("ana:3", "9007199254740992.0"),
    ] {
        let revise = revise(
            id,
            "ana:1",
            "ana:1",
            request_body("water", &["no sprinkler"]),
        );
        let text = revise.to_string().replacen(
            r#""replacement":{"#,
            &format!(r#""replacement":{{"extensions":{{"n":{number}}},"#),
            1,
        );
        records.push(json!({"deliver": {"principal": "key:ana", "text": text}}));
    }
    let out = tern(&["explain", "--json", "ana:1", &file(document(&records))]).out;
    assert!(out.contains(r#""after":{"n":9007199254740993}"#), "{out}");
    assert!(out.contains(r#""after":{"n":9007199254740992}"#), "{out}");
}

/// R-15, T1.28: the versions of an equivocal id and their difference.
#[test]
fn an_equivocal_id_is_told_version_by_version() {
    let log = document(&[
        deliver(request_for("ana:1", "water")),
        deliver(request_for("ana:1", "dig")),
        deliver(request_for("ana:1", "dig")),
        deliver(conditional("ben:1", "ana:1")),
    ]);
    let (code, report) = explain_json("ana:1", &log);
    assert_eq!(code, 0);
    let versions = report["versions"].as_array().unwrap();
    assert_eq!(versions.len(), 2);
    assert_eq!(versions[0]["differences"], json!([]));
    assert_eq!(
        versions[1]["differences"],
        json!([{"pointer": "/body/action", "before": "water", "after": "dig"}])
    );
    assert_eq!(report["deliveries"].as_array().unwrap().len(), 3);
    ruling(&explain_json("ben:1", &log).1, "tainted", "R-15");
}

/// S3.05, S3.06: a rejected message is told with the rule that failed and the message it failed on.
#[test]
fn a_rejected_message_is_told_with_the_rule_that_failed() {
    let log = document(&[
        deliver(ack("ana:1", "ben:1")),
        deliver(conditional("ben:1", "ana:2")),
        deliver(ack("ana:2", "ana:3")),
        deliver(request_for("ana:3", "water")),
    ]);
    let (code, report) = explain_json("ben:1", &log);
    assert_eq!(
        (code, &report["message"]["status"]),
        (0, &json!("rejected"))
    );
    let found = ruling(&report, "status", "T4.02");
    assert_eq!(
        (&found["code"], &found["because"][0]["id"]),
        (&json!("request_not_request"), &json!("ana:2"))
    );
    assert_eq!(
        explain_json("ana:1", &log).1["message"]["code"],
        "reference_rejected"
    );
}

/// S3.05: an accepted message is told with each row of the table that it passed.
#[test]
fn an_accepted_message_is_told_with_the_rules_it_passed() {
    let report = explain_json("ana:2", &document(&garden())).1;
    for clause in ["T4.13", "T4.16", "S3.08"] {
        ruling(&report, "rule", clause);
    }
    ruling(
        &explain_json("ben:1", &document(&garden())).1,
        "rule",
        "T4.02",
    );
}

/// S5.01, S5.02: a report is told with its assessment; T2.07 and S3.07 are what it passed.
#[test]
fn a_report_is_told_with_its_assessment() {
    let claim = json!({"text": "half of it", "basis": "observed", "confidence": "high",
        "scope": "today", "evidence": [], "alternatives": []});
    let mut records = garden();
    let body = json!({"commitment": "ben:1", "state": "active", "claims": [claim]});
    records.push(deliver(message("ben:4", "ben:1", "REPORT", body)));
    let report = explain_json("ben:4", &document(&records)).1;
    for (topic, clause) in [
        ("rule", "S3.07"),
        ("rule", "T2.07"),
        ("assessment", "S5.02"),
    ] {
        ruling(&report, topic, clause);
    }
    let promise = explain_json("ben:1", &document(&records)).1;
    assert_eq!(
        ruling(&promise, "progress", "S5.06")["because"][0]["id"],
        "ben:4"
    );
}
