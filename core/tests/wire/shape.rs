//! Stage 2, and what of stage 3 is not a row of a table.

use crate::support::{self, ack, claim, found, message, rejection};
use serde_json::{Value, json};
use tern_core::message::{Act, Body, Change, Content, RawObject, Replacement};
use tern_core::wire::{Digest, Limits, read};
use tern_core::{Class, Code};

/// T1.16, S2.09: another version is all that is found, whatever else is wrong.
#[test]
fn t1_16_unsupported_version() {
    for version in [
        json!("0.2"),
        json!("0.1 "),
        json!(""),
        json!(0.1),
        json!(null),
        json!(["0.1"]),
    ] {
        let mut whole = ack();
        whole["tern"] = version.clone();
        whole["surprise"] = json!(1);
        let rejection = rejection(&whole.to_string());
        assert_eq!(
            (rejection.class(), rejection.code()),
            (Class::Version, Code::UnsupportedVersion)
        );
        assert_eq!(
            support::pairs(&rejection),
            [(Code::UnsupportedVersion, "/tern".into())]
        );
    }
    assert_eq!(found(&ack().to_string().replace("0.1", r"\u0030.1")), []);
}

/// S2.09: without a version it is the shape that is wrong.
#[test]
fn s2_09_missing_version() {
    let mut whole = ack();
    whole.as_object_mut().unwrap().remove("tern");
    let rejection = rejection(&whole.to_string());
    assert_eq!(
        (rejection.class(), rejection.code()),
        (Class::Shape, Code::MissingField)
    );
    assert_eq!(
        support::pairs(&rejection),
        [(Code::MissingField, "/tern".into())]
    );
}

/// T8.02, T2.01, T1.09: ten acts, in capitals; with another one the body is an object and no more
/// is said about it.
#[test]
fn t8_02_unknown_act() {
    for act in ["ask", "Ask", "ASK ", "", "QUERY", "ACK\u{0}"] {
        let whole = message(act, &json!({"anything": null}));
        assert_eq!(
            found(&whole.to_string()),
            [(Code::UnknownAct, "/act".into())],
            "{act}"
        );
    }
    for act in [json!(1), json!(null), json!(["ACK"])] {
        let mut whole = ack();
        whole["act"] = act;
        whole["body"] = json!({"anything": null});
        assert_eq!(
            found(&whole.to_string()),
            [(Code::WrongType, "/act".into())]
        );
    }
    let whole = message("QUERY", &json!("what"));
    assert_eq!(
        found(&whole.to_string()),
        [
            (Code::UnknownAct, "/act".into()),
            (Code::WrongType, "/body".into())
        ]
    );
    let mut whole = ack();
    whole.as_object_mut().unwrap().remove("act");
    assert_eq!(
        found(&whole.to_string()),
        [(Code::MissingField, "/act".into())]
    );
}

/// T1.11: `body` is an object and required, whatever the act.
#[test]
fn t1_11_body_is_an_object() {
    for (act, _) in support::acts() {
        for body in [json!(null), json!([]), json!("a"), json!(1)] {
            let whole = message(act, &body);
            assert_eq!(
                found(&whole.to_string()),
                [(Code::WrongType, "/body".into())]
            );
        }
        let mut whole = message(act, &json!({}));
        whole.as_object_mut().unwrap().remove("body");
        assert_eq!(
            found(&whole.to_string()),
            [(Code::MissingField, "/body".into())]
        );
    }
}

/// S2.10, T1.10: every independent failure is found, in the order of the text.
#[test]
fn s2_10_all_failures_are_found() {
    let text = r#"{
        "tern": "0.1", "id": 7, "form": "drafter", "from": "a:b",
        "to": ["x", "", "x", 3], "reply": "nobody", "act": "REPORT",
        "body": {
            "commitment": "reviewer:", "state": "done",
            "claims": [{"text": "", "basis": "seen", "confidence": "certain", "evidence": ["log"],
                        "alternatives": null, "source": 1}],
            "next": null
        },
        "evidence": [{"id": "ev:", "collected_at": "now"}],
        "extensions": []
    }"#;
    let expected = [
        (Code::MissingField, "/thread"),
        (Code::WrongType, "/id"),
        (Code::UnknownField, "/form"),
        (Code::ColonInSender, "/from"),
        (Code::EmptyText, "/to/1"),
        (Code::RepeatedRecipient, "/to/2"),
        (Code::WrongType, "/to/3"),
        (Code::BadReference, "/reply"),
        (Code::BadReference, "/body/commitment"),
        (Code::UnknownValue, "/body/state"),
        (Code::MissingField, "/body/claims/0/scope"),
        (Code::EmptyText, "/body/claims/0/text"),
        (Code::UnknownValue, "/body/claims/0/basis"),
        (Code::UnknownValue, "/body/claims/0/confidence"),
        (Code::BadEvidenceReference, "/body/claims/0/evidence/0"),
        (Code::WrongType, "/body/claims/0/alternatives"),
        (Code::UnknownField, "/body/claims/0/source"),
        (Code::WrongType, "/body/next"),
        (Code::MissingField, "/evidence/0/source"),
        (Code::MissingField, "/evidence/0/method"),
        (Code::MissingField, "/evidence/0/result"),
        (Code::BadEvidenceReference, "/evidence/0/id"),
        (Code::BadTimestamp, "/evidence/0/collected_at"),
        (Code::WrongType, "/extensions"),
    ];
    assert_eq!(
        found(text),
        expected.map(|(code, pointer)| (code, pointer.to_owned()))
    );
    // The code of the whole is the first in the order of the rules, not of the text.
    assert_eq!(rejection(text).code(), Code::MissingField);
    let later = message("ASK", &json!({"question": "", "extra": 1})).to_string();
    assert_eq!(rejection(&later).code(), Code::UnknownField);
}

/// R-06: recipients may be anybody: the sender, and names with colons.
#[test]
fn r_06_recipients_are_free() {
    let mut whole = ack();
    whole["to"] = json!(["drafter", "a:b", " ", "é", "e\u{301}"]);
    assert_eq!(found(&whole.to_string()), []);
}

fn revise(mode: &Value, replacement: &Value) -> String {
    let body = json!({
        "target": "drafter:0", "previous": "drafter:0", "mode": mode, "reason": "Wrong.",
        "replacement": replacement, "impact": [],
    });
    message("REVISE", &body).to_string()
}

/// T4.14, S2.10: `replacement` fits `mode`.
#[test]
fn t4_14_replacement_fits_the_mode() {
    let (replace, withdraw) = (json!("replace"), json!("withdraw"));
    let mismatch = [(Code::ReplacementMismatch, "/body/replacement".to_owned())];
    assert_eq!(found(&revise(&replace, &json!({}))), []);
    assert_eq!(found(&revise(&withdraw, &json!(null))), []);
    for other in [json!(null), json!([]), json!("a"), json!(1), json!(true)] {
        assert_eq!(found(&revise(&replace, &other)), mismatch);
    }
    for other in [json!({}), json!([]), json!(""), json!(false)] {
        assert_eq!(found(&revise(&withdraw, &other)), mismatch);
    }
    // With no valid mode, only what no mode allows is found besides.
    let mode = (Code::UnknownValue, "/body/mode".to_owned());
    for either in [json!(null), json!({})] {
        assert_eq!(
            found(&revise(&json!("drop"), &either)),
            std::slice::from_ref(&mode)
        );
    }
    assert_eq!(
        found(&revise(&json!("drop"), &json!("a"))),
        [mode, (Code::WrongType, "/body/replacement".into())]
    );
}

/// What the reader makes of a replacement: the act whose body it has the shape of.
fn classified(replacement: &Value) -> Option<Act> {
    let text = revise(&json!("replace"), replacement);
    let parsed = read(text.as_bytes(), &Limits::default()).unwrap();
    assert_eq!(
        parsed.content,
        Some(Digest::of(replacement_canonical(&text).as_bytes()))
    );
    let Body::Revise(revise) = parsed.message.body else {
        panic!("not a REVISE")
    };
    match revise.change {
        Change::Replace(found) => {
            // Whoever makes one of the same object by hand comes to the same (R-02).
            let object = RawObject::new(replacement.to_string()).unwrap();
            assert_eq!(found, Replacement::read(object));
            found.content().map(Content::act)
        }
        Change::Withdraw => panic!("not a replacement"),
    }
}

fn replacement_canonical(text: &str) -> String {
    use tern_core::wire::{Json, JsonOptions, canonical};
    let json = Json::read(text.as_bytes(), JsonOptions::default()).unwrap();
    canonical(json.root().get("body").unwrap().get("replacement").unwrap())
}

/// S2.10, T4.14, S3.01: a replacement is classified and never judged.
#[test]
fn s2_10_replacements_are_classified() {
    for (act, rows) in support::acts() {
        let act = Act::from_name(act).unwrap();
        let revisable = matches!(
            act,
            Act::Tell | Act::Propose | Act::Request | Act::Commit | Act::Report
        );
        let expected = revisable.then_some(act);
        let whole: Value = rows
            .iter()
            .map(|row| (row.name.to_owned(), row.value.clone()))
            .collect();
        assert_eq!(classified(&whole), expected, "{act}");
        for row in &rows {
            let mut less = whole.clone();
            less.as_object_mut().unwrap().remove(row.name);
            assert_eq!(
                classified(&less),
                expected.filter(|_| !row.required),
                "{act} {}",
                row.name
            );
            for (bad, _) in &row.bad {
                let mut wrong = whole.clone();
                wrong[row.name] = bad.clone();
                assert_eq!(classified(&wrong), None, "{act} {} {bad}", row.name);
            }
        }
        let mut more = whole.clone();
        more["surplus"] = json!(1);
        assert_eq!(classified(&more), None);
    }
    assert_eq!(classified(&json!({})), None);
    let mut claim = claim();
    claim["basis"] = json!("guessed");
    assert_eq!(classified(&json!({"claims": [claim]})), None);
}

/// S7.05, R-02: the digests of content and evidence.
#[test]
fn s7_05_digests_of_parts() {
    let mut whole = message("TELL", &json!({"claims": [claim()]}));
    whole["evidence"] = json!([support::evidence(), support::evidence()]);
    let text = whole.to_string();
    let parsed = read(text.as_bytes(), &Limits::default()).unwrap();
    // serde_json sorts keys, and there is neither a number nor an escape in these.
    let digest = |value: &Value| Digest::of(value.to_string().as_bytes());
    assert_eq!(parsed.digest, digest(&whole));
    assert_eq!(parsed.content, Some(digest(&whole["body"])));
    assert_eq!(
        parsed.evidence,
        [digest(&support::evidence()), digest(&support::evidence())]
    );

    for (act, rows) in support::acts() {
        let required = rows.iter().filter(|row| row.required);
        let body: Value = required
            .map(|row| (row.name.to_owned(), row.value.clone()))
            .collect();
        let text = message(act, &body).to_string();
        let parsed = read(text.as_bytes(), &Limits::default()).unwrap();
        let has_content = matches!(parsed.message.body, Body::Content(_));
        assert_eq!(parsed.content, has_content.then(|| digest(&body)), "{act}");
        assert_eq!(parsed.message.act().as_str(), act);
        assert!(parsed.evidence.is_empty() && parsed.message.evidence.is_none());
    }
}

/// T4.11, T4.12: which states end a commitment.
#[test]
fn t4_12_terminal_states() {
    use tern_core::message::ReportState;
    let terminal: Vec<_> = ReportState::ALL
        .iter()
        .filter(|state| state.is_terminal())
        .map(|state| state.as_str())
        .collect();
    assert_eq!(terminal, ["fulfilled", "failed"]);
}

/// S2.10: the parts of a message arrive as written.
#[test]
fn s2_10_values_arrive_as_written() {
    let text = message("COMMIT", &json!({
        "request": "reviewer:a:b", "action": "Read.", "deliverable": "A list.", "done_when": "Sent.",
        "due": "2026-11-30t12:00:00.50z", "conditions": ["It compiles."], "authority_ref": "g-7",
        "extensions": {"n": 1},
    })).to_string();
    let parsed = read(text.as_bytes(), &Limits::default()).unwrap();
    let Body::Content(Content::Commit(commit)) = &parsed.message.body else {
        panic!("not a COMMIT")
    };
    assert_eq!(
        (commit.request.sender(), commit.request.suffix()),
        ("reviewer", "a:b")
    );
    assert_eq!(
        commit.due.as_ref().unwrap().as_str(),
        "2026-11-30t12:00:00.50z"
    );
    assert_eq!(commit.authority_ref.as_ref().unwrap().as_str(), "g-7");
    assert_eq!(commit.extensions.as_ref().unwrap().as_str(), "{\"n\":1}");
    assert_eq!(parsed.message.from.as_str(), "drafter");
    assert_eq!(
        parsed
            .message
            .to
            .iter()
            .map(|name| name.as_str())
            .collect::<Vec<_>>(),
        ["reviewer"]
    );
    assert_eq!(parsed.message.reply, None);
}

/// S3.01: the gating references of every act stand where their pointers say, and none is left out.
#[test]
fn s3_01_references_stand_where_they_say() {
    const GATING: [&str; 7] = [
        "reply",
        "about",
        "request",
        "commitment",
        "target",
        "previous",
        "replaces",
    ];
    let mut seen = std::collections::BTreeSet::new();
    for (act, rows) in support::acts() {
        let body: Value = rows
            .iter()
            .map(|row| (row.name.to_owned(), row.value.clone()))
            .collect();
        let mut message = message(act, &body);
        message["reply"] = json!("reviewer:0");
        let parsed = read(message.to_string().as_bytes(), &Limits::default())
            .unwrap()
            .message
            .into_owned();
        let found: Vec<&str> = parsed.references().map(|gate| gate.pointer).collect();
        for gate in parsed.references() {
            assert_eq!(message.pointer(gate.pointer).unwrap(), gate.to.as_str());
        }
        let expected: Vec<String> = GATING
            .iter()
            .flat_map(|field| [format!("/{field}"), format!("/body/{field}")])
            .filter(|pointer| message.pointer(pointer).is_some_and(Value::is_string))
            .collect();
        assert_eq!(found.len(), expected.len(), "{found:?} {expected:?}");
        assert!(
            found
                .iter()
                .all(|one| expected.iter().any(|two| one == two))
        );
        seen.extend(found);
        let own = found_in_replacement(&body);
        let inside = ["request", "commitment", "replaces"]
            .into_iter()
            .find(|field| body.get(*field).is_some_and(Value::is_string));
        assert_eq!(
            own,
            inside.map(|field| format!("/body/replacement/{field}")),
            "{act}"
        );
    }
    assert_eq!(seen.len(), GATING.len());
}

/// Where the reference of a replacement stands, if it has one.
fn found_in_replacement(replacement: &Value) -> Option<String> {
    let text = revise(&json!("replace"), replacement);
    let message = read(text.as_bytes(), &Limits::default()).unwrap().message;
    let gate = message.body.reference_of_replacement()?;
    let whole: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(whole.pointer(gate.pointer).unwrap(), gate.to.as_str());
    Some(gate.pointer.to_owned())
}
