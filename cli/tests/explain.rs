//! `tern explain` as its users meet it.

mod logs;

use logs::{
    HOSTILE, ack, commit, deliver, document, file, garden, message, replace, request,
    request_body, tern, tern_with,
};
use serde_json::{Value, json};

fn explain(id: &str, log: &str) -> logs::Ran {
    tern(&["explain", id, &file(log)], None)
}

fn explain_json(id: &str, log: &str) -> (i32, Value) {
    let ran = tern(&["explain", "--json", id, &file(log)], None);
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
        json!(["condition_unconfirmed", "no_authority", "request_conflicted"])
    );
    for (clause, code) in [
        ("S6.03", "request_conflicted"),
        ("S6.13", "no_authority"),
        ("S6.20", "condition_unconfirmed"),
    ] {
        let found = ruling(&report, "blocked", clause);
        assert_eq!(found["code"], code);
        assert!(found["remedy"].is_string() && found["clause_text"].is_string(), "{found}");
    }
    let because = &ruling(&report, "blocked", "S6.03")["because"];
    assert_eq!(because[0]["id"], "ana:2");
    assert_eq!(because[0]["line"], 4);
    assert!(because[0]["gloss"].as_str().unwrap().contains("a new thought"));
    let conditions = report["conditions"].as_array().unwrap();
    let confirmed: Vec<_> = conditions.iter().map(|one| &one["confirmed"]).collect();
    assert_eq!(confirmed, [true, false]);
    assert_eq!(report["facts"], json!([{"confirm": {"commitment": "ben:1", "condition": 0}}]));
    let words = explain("ben:1", &document(&garden())).out;
    assert!(words.contains("clears it  nothing; agree on a fresh REQUEST and COMMIT"), "{words}");
    assert!(words.contains("open       number 1: no rain"), "{words}");
}

/// S6.02: nothing blocks a promise that is permitted and confirmed.
#[test]
fn a_ready_promise_says_so() {
    let log = document(&[
        deliver(request("ana:1", "water")),
        deliver(commit("ben:1", "ana:1")),
        json!({"permit": {"commitment": "ben:1"}}),
        json!({"confirm": {"commitment": "ben:1", "condition": 0}}),
        json!({"confirm": {"commitment": "ben:1", "condition": 1}}),
    ]);
    let (code, report) = explain_json("ben:1", &log);
    assert_eq!((code, &report["commitment"]["readiness"]), (0, &json!("ready")));
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
    let sentence = ruling(&report, "reconcile", "S6.23")["sentence"].as_str().unwrap();
    assert!(sentence.contains("request_conflicted"), "{sentence}");
    let (_, report) = explain_json("ana:1", &log);
    let sentence = ruling(&report, "reconcile", "S6.23")["sentence"].as_str().unwrap();
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
    let log = file(&document(&garden()));
    for (width, beside) in [("100", true), ("80", true), ("60", false)] {
        let ran = tern_with(&["explain", "ana:1", &log], None, |command| {
            command.env("COLUMNS", width);
        });
        let line = ran.out.lines().find(|line| line.contains("ana:2 (line 4): replace")).unwrap();
        assert_eq!(line.contains("ana:3 (line 5): replace"), beside, "{}", ran.out);
        let most = width.parse().unwrap();
        let long = ran.out.lines().find(|line| line.chars().count() > most);
        assert_eq!(long, None);
    }
}

/// R-02: numbers in `extensions` are compared exactly, beyond what a double holds.
#[test]
fn branches_that_differ_in_a_large_number_differ() {
    let mut records = vec![deliver(request("ana:1", "water"))];
    for (id, number) in [("ana:2", "9007199254740993"), ("ana:3", "9007199254740992.0")] {
        let revise = replace(id, "ana:1", "ana:1", request_body("water", &["no sprinkler"]));
        let text = revise.to_string().replacen(
            r#""replacement":{"#,
            &format!(r#""replacement":{{"extensions":{{"n":{number}}},"#),
            1,
        );
        records.push(json!({"deliver": {"principal": "key:ana", "text": text}}));
    }
    let out = tern(&["explain", "--json", "ana:1", &file(&document(&records))], None).out;
    assert!(out.contains(r#""after":{"n":9007199254740993}"#), "{out}");
    assert!(out.contains(r#""after":{"n":9007199254740992}"#), "{out}");
}

/// R-15, T1.28: the versions of an equivocal id and their difference.
#[test]
fn an_equivocal_id_is_told_version_by_version() {
    let log = document(&[
        deliver(request("ana:1", "water")),
        deliver(request("ana:1", "dig")),
        deliver(request("ana:1", "dig")),
        deliver(commit("ben:1", "ana:1")),
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

/// R-01, S2.12: an id that was only ever refused is explained by the finding and its line.
#[test]
fn a_refused_delivery_is_told_with_its_finding() {
    let log = document(&garden());
    let (code, report) = explain_json("ana:6", &log);
    assert_eq!((code, &report["known"]), (0, &json!(false)));
    assert_eq!(report["deliveries"][0]["code"], "principal_mismatch");
    assert_eq!(report["deliveries"][0]["findings"][0]["line"], 8);
    let words = explain("ana:6", &log).out;
    assert!(words.contains("error[principal_mismatch]") && words.contains("jsonl:8:"), "{words}");
}

/// S2.10: so is one that is no message at all, by the id that it gives itself.
#[test]
fn a_misshapen_delivery_is_found_by_the_id_it_gives() {
    let mut broken = request("ana:1", "water");
    broken["body"]["action"] = json!("");
    broken["zzz"] = json!(1);
    let (code, report) = explain_json("ana:1", &document(&[deliver(broken)]));
    assert_eq!(code, 0);
    let codes: Vec<_> = report["deliveries"][0]["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["code"].as_str().unwrap())
        .collect();
    assert!(codes.contains(&"empty_text") && codes.contains(&"unknown_field"), "{codes:?}");
}

/// S3.05, S3.06: a rejected message is told with the rule that failed and the message it failed on.
#[test]
fn a_rejected_message_is_told_with_the_rule_that_failed() {
    let log = document(&[deliver(ack("ana:1", "ben:1")), deliver(commit("ben:1", "ana:2")), deliver(ack("ana:2", "ana:3")), deliver(request("ana:3", "water"))]);
    let (code, report) = explain_json("ben:1", &log);
    assert_eq!((code, &report["message"]["status"]), (0, &json!("rejected")));
    let found = ruling(&report, "status", "T4.02");
    assert_eq!((&found["code"], &found["because"][0]["id"]), (&json!("request_not_request"), &json!("ana:2")));
    assert_eq!(explain_json("ana:1", &log).1["message"]["code"], "reference_rejected");
}

/// S3.05: an accepted message is told with each row of the table that it passed.
#[test]
fn an_accepted_message_is_told_with_the_rules_it_passed() {
    let report = explain_json("ana:2", &document(&garden())).1;
    for clause in ["T4.13", "T4.16", "S3.08"] {
        ruling(&report, "rule", clause);
    }
    ruling(&explain_json("ben:1", &document(&garden())).1, "rule", "T4.02");
}

/// S5.01, S5.02: a report is told with its assessment; T2.07 and S3.07 are what it passed.
#[test]
fn a_report_is_told_with_its_assessment() {
    let claim = json!({"text": "half of it", "basis": "observed", "confidence": "high",
        "scope": "today", "evidence": [], "alternatives": []});
    let mut records = garden();
    let body = json!({"commitment": "ben:1", "state": "active", "claims": [claim]});
    records.push(deliver(message("ben:4", "REPORT", json!("ben:1"), body)));
    let report = explain_json("ben:4", &document(&records)).1;
    for (topic, clause) in [("rule", "S3.07"), ("rule", "T2.07"), ("assessment", "S5.02")] {
        ruling(&report, topic, clause);
    }
    let promise = explain_json("ben:1", &document(&records)).1;
    assert_eq!(ruling(&promise, "progress", "S5.06")["because"][0]["id"], "ben:4");
}

/// S3.02: an unknown id ends with 2 and names who waits for it.
#[test]
fn an_unknown_id_names_who_refers_to_it() {
    let log = document(&garden());
    let (code, report) = explain_json("ana:9", &log);
    assert_eq!((code, &report["known"]), (2, &json!(false)));
    let by = &report["referred_by"][0];
    assert_eq!((&by["id"], &by["field"], &by["waits"]), (&json!("ben:3"), &json!("target"), &json!(true)));
    let ran = explain("ana:9", &log);
    assert_eq!(ran.code, 2);
    assert!(ran.out.contains("named by   ben:3 (line 7)"), "{}", ran.out);
}

/// T1.17: ids are exact; one that is not known ends with 2 and with those that are near.
#[test]
fn an_unknown_id_suggests_near_ones() {
    let log = document(&garden());
    let ran = explain("bem:1", &log);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("did you mean `ben:1`"), "{}", ran.err);
    let ran = explain("nobody:at-all-like-this", &log);
    assert_eq!(ran.code, 2);
    assert!(!ran.err.contains("did you mean"), "{}", ran.err);
    for odd in ["", ":", "\u{1b}[2J", HOSTILE.trim_end_matches("]]>").split('\0').next().unwrap()] {
        let ran = explain(odd, &log);
        assert_eq!(ran.code, 2, "{odd:?}");
        assert!(!ran.err.contains('\u{1b}') && !ran.out.contains('\u{1b}'), "{odd:?}");
    }
}

/// T3.12: what messages say is data; nothing in it reaches the terminal as a command.
#[test]
fn hostile_words_are_shown_escaped() {
    let id = HOSTILE.replace('\0', "");
    let evil = "\u{1b}]0;owned\u{7}\r\u{202e}\nerror: nothing";
    let mut first = request(&id, evil);
    first["to"] = json!([evil, "ben"]);
    let log = document(&[
        deliver(first),
        deliver(commit("ben:1", &id)),
        deliver(replace("ana:2", &id, &id, request_body(evil, &[evil]))),
        deliver(replace("ana:3", &id, &id, Value::Null)),
    ]);
    for id in [id.as_str(), "ben:1", "ana:2"] {
        let ran = explain(id, &log);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let is_safe = |c: char| c == '\n' || !(c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c));
        assert!(ran.out.chars().all(is_safe), "{:?}", ran.out);
        assert!(!ran.out.contains("\nerror: nothing"), "{}", ran.out);
    }
    assert_eq!(explain_json(&id, &log).1["id"], json!(id));
}

/// S8.02: a broken document ends with 2 and the number of the line; nothing is explained.
#[test]
fn a_broken_document_ends_with_its_line() {
    let mut log = document(&garden());
    log.push_str("{\"deliver\": 7}\n");
    let ran = explain("ana:1", &log);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("jsonl:10:"), "{}", ran.err);
}

/// S8.12: bare messages are explained, and it is said that nobody verified their senders.
#[test]
fn bare_messages_are_marked_unverified() {
    let bare = format!("{}\n{}\n", request("ana:1", "water"), commit("ben:1", "ana:1"));
    let ran = tern(&["explain", "ben:1", "-"], Some(&bare));
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("not verified") && ran.out.contains("not verified"));
}

/// S4.03, S3.02: a fork of thousands and thousands of waiting messages are explained in time that
/// does not explode, and briefly.
#[test]
fn huge_logs_are_explained_briefly() {
    let mut records = vec![deliver(request("ana:1", "water"))];
    for number in 0..2_000 {
        let body = request_body(&format!("water {number}"), &[]);
        records.push(deliver(replace(&format!("ana:r{number}"), "ana:1", "ana:1", body)));
        records.push(deliver(ack(&format!("ben:w{number}"), "ana:missing")));
    }
    let log = document(&records);
    let ran = explain("ana:1", &log);
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("2000 revisions of `ana:1` compete") && ran.out.contains("more"));
    assert!(ran.out.len() < 20_000, "{} bytes", ran.out.len());
    let ran = explain("ana:missing", &log);
    assert_eq!(ran.code, 2);
    assert!(ran.out.len() < 20_000 && ran.err.contains("2000 references"), "{}", ran.err);
    let branches = explain_json("ana:1", &log).1["conflicts"][0]["branches"].clone();
    assert_eq!(branches.as_array().unwrap().len(), 2_000);
}
