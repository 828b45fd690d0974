//! §2 and §3: what stages 2 and 3 refuse.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use support::*;
use tern_model::{Limits, check_message};

fn check(text: &str) -> Result<String, (&'static str, &'static str)> {
    check_message(text.as_bytes(), &Limits::default())
}

fn accepts(text: &str) {
    assert!(check(text).is_ok(), "{text}: {:?}", check(text));
}

fn refuses(text: &str, code: &'static str) {
    assert_eq!(check(text), Err(("shape", code)), "{text}");
}

/// A message with one part of its text replaced, which must stand there exactly once.
fn with(text: &str, part: &str, by: &str) -> String {
    assert_eq!(text.matches(part).count(), 1, "{part} in {text}");
    text.replace(part, by)
}

// A-ASK, A-TELL, A-PROPOSE, A-REQUEST, A-COMMIT, A-REPORT, A-CHALLENGE, A-REVISE, A-DECLINE, A-ACK
fn all_acts() -> Vec<String> {
    let full = r#"{"request":"a:1","action":"a","deliverable":"d","done_when":"w","due":"2026-12-01T06:00:00Z","conditions":["c"],"authority_ref":"g"}"#;
    let impact = r#"{"target":"a:1","previous":"a:1","mode":"withdraw","reason":"r","replacement":null,"impact":[{"commitment":"z:z","assessment":"paused","reason":"r"}]}"#;
    vec![
        ask("a:2", "", ""),
        ask("a:2", "a:1", "a:1"),
        tell("a:2", ""),
        propose("a:2"),
        request("a:2"),
        replacing("a:2", "a:1"),
        commit("a:2", "a:1"),
        message("a:2", "COMMIT", "", full),
        report("a:2", "", "a:1", "blocked"),
        message(
            "a:2",
            "REPORT",
            "",
            &format!(
                r#"{{"commitment":"a:1","state":"failed","claims":[{CLAIM},{CITING}],"next":"n"}}"#
            ),
        ),
        challenge("a:2", "a:1"),
        revise("a:2", "a:1", "a:1", ""),
        revise("a:2", "a:1", "a:1", "{}"),
        message("a:2", "REVISE", "", impact),
        decline("a:2", "a:1"),
        message(
            "a:2",
            "DECLINE",
            "",
            r#"{"target":"a:1","reason":"r","alternative":"x"}"#,
        ),
        ack("a:2", "a:1"),
    ]
}

// T2.02: each required field; T1.14: no other; S1.02: extensions in the envelope and in bodies
#[test]
fn every_act_has_its_fields() {
    for text in all_acts() {
        accepts(&text);
        let act = text
            .split(r#""act":""#)
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap();
        let (envelope, body) = text.split_once(r#""body":{"#).unwrap();
        refuses(
            &format!(r#"{envelope}"body":{{"other":1,{body}"#),
            "unknown_field",
        );
        refuses(
            &format!(r#"{envelope}"other":1,"body":{{{body}"#),
            "unknown_field",
        );
        accepts(&format!(
            r#"{envelope}"body":{{"extensions":{{"other":[1,null,{{}}]}},{body}"#
        ));
        accepts(&format!(
            r#"{envelope}"extensions":{{"tern":"9","id":7}},"body":{{{body}"#
        ));
        refuses(
            &format!(r#"{envelope}"body":{{"extensions":null,{body}"#),
            "wrong_type",
        );
        refuses(
            &format!(r#"{envelope}"extensions":[],"body":{{{body}"#),
            "wrong_type",
        );
        // Each field of the body, made absent by another name, and made null.
        for field in body_fields(&format!("{{{body}")) {
            let optional = ["about", "next", "alternative", "replaces"].contains(&field.as_str());
            let renamed = body.replacen(&format!("\"{field}\":"), "\"extensions\":{},\"_\":", 1);
            let code = if optional {
                "unknown_field"
            } else {
                "missing_field"
            };
            refuses(&format!(r#"{envelope}"body":{{{renamed}"#), code);
            let nullable = ["due", "authority_ref"].contains(&field.as_str());
            let whole = format!("{{{}", body.strip_suffix('}').unwrap());
            let part = at(&whole, &[&field]).to_string();
            let nulled = body.replacen(
                &format!("\"{field}\":{part}"),
                &format!("\"{field}\":null"),
                1,
            );
            let nulled = format!(r#"{envelope}"body":{{{nulled}"#);
            match field.as_str() {
                _ if nullable => accepts(&nulled),
                "replacement" => assert_eq!(check(&nulled).is_ok(), part == "null"),
                _ => refuses(&nulled, "wrong_type"),
            }
        }
        assert!(
            [
                "ASK",
                "TELL",
                "PROPOSE",
                "REQUEST",
                "COMMIT",
                "REPORT",
                "CHALLENGE",
                "REVISE",
                "DECLINE",
                "ACK"
            ]
            .contains(&act)
        );
    }
}

fn body_fields(body: &str) -> Vec<String> {
    let names = "question about claims plan success constraints action done_when authority_ref replaces request deliverable due \
                 conditions commitment state next target kind objection support resolution_test previous mode reason replacement impact alternative";
    let body = body.strip_suffix('}').unwrap_or(body);
    names
        .split_whitespace()
        .filter(|name| !at(body, &[name]).is_empty())
        .map(String::from)
        .collect()
}

// A-ENVELOPE, T1.11-T1.13, T1.18, T1.19
#[test]
fn the_envelope() {
    let text = tell("a:2", "");
    for field in ["tern", "id", "from", "to", "thread", "reply", "act", "body"] {
        let renamed = with(&text, &format!("\"{field}\":"), &format!("\"x{field}\":"));
        refuses(&renamed, "missing_field");
    }
    let cases = [
        (r#""id":"a:2""#, r#""id":"a""#, "bad_reference"),
        (r#""id":"a:2""#, r#""id":":2""#, "bad_reference"),
        (r#""id":"a:2""#, r#""id":"a:""#, "bad_reference"),
        (r#""id":"a:2""#, r#""id":"""#, "bad_reference"),
        (r#""id":"a:2""#, r#""id":7"#, "wrong_type"),
        (r#""from":"a""#, r#""from":"a:b""#, "colon_in_sender"),
        (r#""to":["all"]"#, r#""to":[]"#, "empty_list"),
        (
            r#""to":["all"]"#,
            r#""to":["x","y","x"]"#,
            "repeated_recipient",
        ),
        (r#""to":["all"]"#, r#""to":[""]"#, "empty_text"),
        (r#""to":["all"]"#, r#""to":"all""#, "wrong_type"),
        (r#""to":["all"]"#, r#""to":[null]"#, "wrong_type"),
        (r#""thread":"t""#, r#""thread":"""#, "empty_text"),
        (r#""reply":null"#, r#""reply":"x""#, "bad_reference"),
        (r#""reply":null"#, r#""reply":false"#, "wrong_type"),
        (r#""act":"TELL""#, r#""act":"tell""#, "unknown_act"), // T8.02, T1.09
        (r#""act":"TELL""#, r#""act":"RESOLVE""#, "unknown_act"),
        (r#""act":"TELL""#, r#""act":["TELL"]"#, "wrong_type"),
    ];
    for (part, by, code) in cases {
        refuses(&with(&text, part, by), code);
    }
    assert_eq!(
        check(&with(&text, r#""from":"a""#, r#""from":"""#))
            .unwrap_err()
            .0,
        "shape"
    );
    // T2.01: one act, whose body is that of the act
    refuses(
        &with(&text, r#""act":"TELL""#, r#""act":"ASK""#),
        "missing_field",
    );
    let empty = message("a:2", "TELL", "", "[]");
    refuses(&empty, "wrong_type");
    // A-REFERENCE: the suffix may be anything; R-06: any recipients; S1.01: white space counts
    for (part, by) in [
        (r#""id":"a:2""#, r#""id":"a:::\n ""#),
        (r#""id":"a:2""#, r#""id":" :x""#),
        (r#""to":["all"]"#, r#""to":["a","x:y"," ","A"]"#),
        (r#""reply":null"#, r#""reply":"ev:1""#),
        (r#""thread":"t""#, r#""thread":" ""#),
    ] {
        accepts(&with(&text, part, by));
    }
}

// T1.16, S2.09: version before shape
#[test]
fn the_version_comes_first() {
    let version = Err(("version", "unsupported_version"));
    assert_eq!(check(r#"{"tern":"0.2"}"#), version);
    assert_eq!(check(r#"{"tern":0.1,"id":"a"}"#), version);
    assert_eq!(check(r#"{"tern":null}"#), version);
    assert_eq!(check(r#"{"tern":"0.1 "}"#), version);
    assert_eq!(check(r#"{"tern":{}}"#), version);
    refuses("{}", "missing_field");
    refuses(r#"{"Tern":"0.2"}"#, "missing_field");
    accepts(&with(&tell("a:1", ""), r#""0.1""#, r#""0\u002e1""#));
}

// T1.02, S2.03: the class syntax
#[test]
fn a_message_is_an_object() {
    for text in [
        "[]",
        "1",
        "\"x\"",
        "null",
        "",
        "{",
        "{}{}",
        r#"{"tern":"0.1","tern":"0.1"}"#,
    ] {
        assert_eq!(check(text).unwrap_err().0, "syntax", "{text}");
    }
    let limits = Limits {
        depth: 5,
        ..Limits::default()
    };
    // Levels: message, body, claims, claim, evidence.
    assert!(check_message(tell("a:1", "").as_bytes(), &limits).is_ok());
    let shallow = Limits {
        depth: 4,
        ..Limits::default()
    };
    assert_eq!(
        check_message(tell("a:1", "").as_bytes(), &shallow),
        Err(("syntax", "too_deep"))
    );
    let text = tell("a:1", "");
    let tight = Limits {
        bytes: text.len(),
        ..Limits::default()
    };
    assert!(check_message(text.as_bytes(), &tight).is_ok());
    assert_eq!(
        check_message(format!("{text} ").as_bytes(), &tight),
        Err(("syntax", "too_long"))
    );
}

// A-CLAIM, T3.01-T3.03, S1.02: no extensions in claims
#[test]
fn claims() {
    let text = tell("a:1", "");
    let cases = [
        (r#""text":"x""#, r#""text":"""#, "empty_text"),
        (
            r#""basis":"observed""#,
            r#""basis":"Observed""#,
            "unknown_value",
        ), // S2.11
        (
            r#""basis":"observed""#,
            r#""basis":"observed/inferred""#,
            "unknown_value",
        ),
        (r#""basis":"observed""#, r#""basis":"""#, "unknown_value"),
        (
            r#""confidence":"high""#,
            r#""confidence":0.9"#,
            "wrong_type",
        ), // T3.04
        (r#""scope":"s","#, "", "missing_field"), // T3.05
        (
            r#""evidence":[]"#,
            r#""evidence":["x:1"]"#,
            "bad_evidence_reference",
        ), // T1.26
        (
            r#""evidence":[]"#,
            r#""evidence":["ev:"]"#,
            "bad_evidence_reference",
        ),
        (
            r#""evidence":[]"#,
            r#""evidence":["EV:1"]"#,
            "bad_evidence_reference",
        ),
        (r#""evidence":[]"#, r#""evidence":null"#, "wrong_type"),
        (
            r#""alternatives":[]"#,
            r#""alternatives":[""]"#,
            "empty_text",
        ),
        (
            r#""alternatives":[]"#,
            r#""alternatives":[],"extensions":{}"#,
            "unknown_field",
        ),
        (r#""claims":["#, r#""claims":[[],"#, "wrong_type"),
    ];
    for (part, by, code) in cases {
        refuses(&with(&text, part, by), code);
    }
    refuses(
        &message("a:1", "TELL", "", r#"{"claims":[]}"#),
        "empty_list",
    );
    accepts(&with(
        &text,
        r#""evidence":[]"#,
        r#""evidence":["ev::","ev:é","ev:1","ev:1"]"#,
    ));
    for word in ["inferred", "reported", "assumed"] {
        accepts(&with(&text, "observed", word));
    }
    for word in ["low", "medium", "unspecified"] {
        accepts(&with(&text, r#""high""#, &format!("\"{word}\"")));
    }
}

// A-EVIDENCE, T3.08
#[test]
fn evidence() {
    let object = r#"{"id":"ev:1","source":"s","collected_at":"2026-12-01T06:00:00Z","method":"m","result":"r"}"#;
    let text = with(
        &tell("a:1", ""),
        r#""act""#,
        &format!(r#""evidence":[{object},{object}],"act""#),
    );
    accepts(&text);
    accepts(&text.replacen(&format!("{object},{object}"), "", 1));
    let one = |by: &str| text.replacen(&format!("{object},{object}"), by, 1);
    refuses(
        &one(&object.replace("ev:1", "a:1")),
        "bad_evidence_reference",
    );
    refuses(
        &one(&object.replace("06:00:00Z", "06:00:60Z")),
        "bad_timestamp",
    );
    refuses(
        &one(&object.replace(r#""source":"s","#, "")),
        "missing_field",
    );
    refuses(
        &one(&object.replace(r#""result":"r""#, r#""result":"r","extensions":{}"#)),
        "unknown_field",
    );
    refuses(&one("1"), "wrong_type");
    refuses(
        &text.replacen(&format!("[{object},{object}]"), object, 1),
        "wrong_type",
    );
    refuses(
        &text.replacen(&format!("[{object},{object}]"), "null", 1),
        "wrong_type",
    );
}

// T4.14: replacement and mode; S2.10: its contents are not looked at
#[test]
fn replacements() {
    let replace = |replacement: &str| {
        let text = revise("a:2", "a:1", "a:1", "");
        let text = with(&text, "withdraw", "replace");
        with(
            &text,
            r#""replacement":null"#,
            &format!(r#""replacement":{replacement}"#),
        )
    };
    accepts(&replace("{}"));
    accepts(&replace(r#"{"anything":[1]}"#));
    refuses(&replace("null"), "replacement_mismatch");
    refuses(&replace("[]"), "wrong_type");
    let withdraw = with(
        &revise("a:2", "a:1", "a:1", "{}"),
        "replace\"",
        "withdraw\"",
    );
    refuses(&withdraw, "replacement_mismatch");
    let text = revise("a:2", "a:1", "a:1", "");
    refuses(&with(&text, "withdraw", "merge"), "unknown_value");
    let impact = |by: &str| with(&text, r#""impact":[]"#, &format!(r#""impact":[{by}]"#));
    accepts(&impact(
        r#"{"commitment":"x:1","assessment":"unaffected","reason":"r"}"#,
    )); // A-IMPACT
    accepts(&impact(
        r#"{"commitment":"x:1","assessment":"awaiting_instruction","reason":"r"}"#,
    ));
    refuses(
        &impact(r#"{"commitment":"x","assessment":"paused","reason":"r"}"#),
        "bad_reference",
    );
    refuses(
        &impact(r#"{"commitment":"x:1","assessment":"cancelled","reason":"r"}"#),
        "unknown_value",
    );
    refuses(
        &impact(r#"{"commitment":"x:1","assessment":"paused"}"#),
        "missing_field",
    );
    refuses(
        &impact(r#"{"commitment":"x:1","assessment":"paused","reason":"r","extensions":{}}"#),
        "unknown_field",
    );
}

// T2.05, T2.06, A-COMMIT: words and times of bodies
#[test]
fn words_of_bodies() {
    for state in ["active", "blocked", "fulfilled", "failed"] {
        accepts(&message(
            "a:2",
            "REPORT",
            "",
            &format!(r#"{{"commitment":"a:1","state":"{state}","claims":[{CLAIM}]}}"#),
        ));
    }
    refuses(&report("a:2", "", "a:1", "withdrawn"), "unknown_value"); // T4.31
    let text = challenge("a:2", "a:1");
    for kind in ["factual", "inference", "feasibility", "authority"] {
        accepts(&with(&text, r#""scope""#, &format!("\"{kind}\"")));
    }
    refuses(&with(&text, r#""scope""#, r#""moral""#), "unknown_value");
    let text = commit("a:2", "a:1");
    refuses(
        &with(&text, r#""due":null"#, r#""due":"tomorrow""#),
        "bad_timestamp",
    );
    refuses(
        &with(&text, r#""due":null"#, r#""due":"""#),
        "bad_timestamp",
    );
    refuses(&with(&text, r#""due":null"#, r#""due":5"#), "wrong_type");
    refuses(
        &with(&text, r#""authority_ref":null"#, r#""authority_ref":"""#),
        "empty_text",
    );
    refuses(
        &with(&text, r#""conditions":[]"#, r#""conditions":["a",""]"#),
        "empty_text",
    );
}
