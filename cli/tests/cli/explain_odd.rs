//! `tern explain` of what is unknown, refused, hostile, broken or huge.

use crate::common::{
    HOSTILE, Ran, ack, conditional, deliver, document, file, garden, parsed, request_body,
    request_for, revise, tern, tern_on,
};
use serde_json::{Value, json};

fn explain(id: &str, log: &str) -> Ran {
    tern(&["explain", id, &file(log)])
}

fn explain_json(id: &str, log: &str) -> (i32, Value) {
    let ran = tern(&["explain", "--json", id, &file(log)]);
    (ran.code, ran.json())
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
    assert!(
        words.contains("error[principal_mismatch]") && words.contains("jsonl:8:"),
        "{words}"
    );
}

/// S2.10: so is one that is no message at all, by the id that it gives itself.
#[test]
fn a_misshapen_delivery_is_found_by_the_id_it_gives() {
    let mut broken = parsed(&request_for("ana:1", "water"));
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
    assert!(
        codes.contains(&"empty_text") && codes.contains(&"unknown_field"),
        "{codes:?}"
    );
}

/// S3.02: an unknown id ends with 2 and names who waits for it.
#[test]
fn an_unknown_id_names_who_refers_to_it() {
    let log = document(&garden());
    let (code, report) = explain_json("ana:9", &log);
    assert_eq!((code, &report["known"]), (2, &json!(false)));
    let by = &report["referred_by"][0];
    assert_eq!(
        (&by["id"], &by["field"], &by["waits"]),
        (&json!("ben:3"), &json!("target"), &json!(true))
    );
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
    for odd in [
        "",
        ":",
        "\u{1b}[2J",
        HOSTILE.trim_end_matches("]]>").split('\0').next().unwrap(),
    ] {
        let ran = explain(odd, &log);
        assert_eq!(ran.code, 2, "{odd:?}");
        assert!(
            !ran.err.contains('\u{1b}') && !ran.out.contains('\u{1b}'),
            "{odd:?}"
        );
    }
}

/// T3.12: what messages say is data; nothing in it reaches the terminal as a command.
#[test]
fn hostile_words_are_shown_escaped() {
    let id = HOSTILE.replace('\0', "");
    let evil = "\u{1b}]0;owned\u{7}\r\u{202e}\nerror: nothing";
    let mut first = parsed(&request_for(&id, evil));
    first["to"] = json!([evil, "ben"]);
    let log = document(&[
        deliver(first),
        deliver(conditional("ben:1", &id)),
        deliver(revise("ana:2", &id, &id, request_body(evil, &[evil]))),
        deliver(revise("ana:3", &id, &id, Value::Null)),
    ]);
    for id in [id.as_str(), "ben:1", "ana:2"] {
        let ran = explain(id, &log);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let is_safe =
            |c: char| c == '\n' || !(c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c));
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
    let bare = format!(
        "{}\n{}\n",
        request_for("ana:1", "water"),
        conditional("ben:1", "ana:1")
    );
    let ran = tern_on(&bare, &["explain", "ben:1", "-"]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("not verified") && ran.out.contains("not verified"));
}

/// S4.03, S3.02: a fork of thousands and thousands of waiting messages are explained in time that
/// does not explode, and briefly.
#[test]
fn huge_logs_are_explained_briefly() {
    let mut records = vec![deliver(request_for("ana:1", "water"))];
    for number in 0..2_000 {
        let body = request_body(&format!("water {number}"), &[]);
        records.push(deliver(revise(
            &format!("ana:r{number}"),
            "ana:1",
            "ana:1",
            body,
        )));
        records.push(deliver(ack(&format!("ben:w{number}"), "ana:missing")));
    }
    let log = document(&records);
    let ran = explain("ana:1", &log);
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("2000 revisions of `ana:1` compete") && ran.out.contains("more"));
    assert!(ran.out.len() < 20_000, "{} bytes", ran.out.len());
    let ran = explain("ana:missing", &log);
    assert_eq!(ran.code, 2);
    assert!(
        ran.out.len() < 20_000 && ran.err.contains("2000 references"),
        "{}",
        ran.err
    );
    let branches = explain_json("ana:1", &log).1["conflicts"][0]["branches"].clone();
    assert_eq!(branches.as_array().unwrap().len(), 2_000);
}
