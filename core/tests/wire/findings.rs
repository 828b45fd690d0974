//! What findings say and where they point: for people, so not compared between implementations.

use crate::support::{ack, message, rejection};
use serde_json::json;
use tern_core::Code;
use tern_core::wire::{Finding, Limits, read};

fn only(text: &str) -> Finding {
    let rejection = rejection(text);
    assert_eq!(rejection.findings().len(), 1, "{:?}", rejection.findings());
    rejection.findings()[0].clone()
}

/// S2.10: the span is that of the value; of an absent field, that of the object that lacks it.
#[test]
fn s2_10_findings_have_places() {
    let text = "{\n  \"tern\": \"0.1\", \"id\": \"é:1\", \"from\": \"é\", \"to\": [\"b\"],\n\
                  \"thread\": \"ü\", \"reply\": 3, \"act\": \"ASK\",\n\t\"body\": { \"que/stion\": \"\" }\n}";
    let rejection = rejection(text);
    let places: Vec<_> = rejection
        .findings()
        .iter()
        .map(|finding| {
            let source = &text[finding.span.clone()];
            (
                finding.pointer.as_str(),
                source,
                finding.line,
                finding.column,
            )
        })
        .collect();
    assert_eq!(
        places,
        [
            ("/reply", "3", 3, 25),
            ("/body/question", "{ \"que/stion\": \"\" }", 4, 10),
            ("/body/que~1stion", "\"que/stion\"", 4, 12),
        ]
    );
}

/// T1.06: where a text stops being JSON, in characters from 1.
#[test]
fn t1_06_syntax_has_places() {
    let finding = only("{\"ä\": [1, 2,\r\n  {\"b\": tru}]}");
    assert_eq!(
        (finding.line, finding.column, finding.pointer.as_str()),
        (2, 9, "/ä/2/b")
    );
    assert_eq!(finding.message, "expected a value; found `t`");
    let finding = only("{\"a\": 1");
    assert_eq!((finding.line, finding.column, finding.span), (1, 8, 7..7));
    assert_eq!(
        finding.message,
        "expected a comma or `}`; found the end of the text"
    );
}

/// The sentence and the hint of one thing that is wrong with an acceptable message.
fn said(pointer: &str, value: serde_json::Value) -> (String, String) {
    let mut whole = message(
        "TELL",
        &json!({"claims": [{
            "text": "It holds.", "basis": "observed", "confidence": "high", "scope": "The draft.",
            "evidence": [], "alternatives": [],
        }]}),
    );
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    whole.pointer_mut(parent).unwrap()[key] = value;
    let finding = only(&whole.to_string());
    (finding.message, finding.hint)
}

/// S2.11, T1.14, T8.02: the sentences, to the word.
#[test]
fn s2_11_sentences() {
    let claim = |field: &str, value| said(&format!("/body/claims/0/{field}"), value);
    assert_eq!(
        claim("confidence", json!("certain")).0,
        "`confidence` is `certain`; it must be low, medium, high or unspecified"
    );
    assert_eq!(
        claim("scope", json!("")).0,
        "`scope` is empty; it must be a string of at least one character"
    );
    assert_eq!(
        claim("evidence", json!(["log"])).0,
        "`evidence[0]` is `log`; it must be an evidence reference `ev:suffix`"
    );
    assert_eq!(
        claim("alternatives", json!(null)).0,
        "`alternatives` is null; it must be an array"
    );
    assert_eq!(
        said("/from", json!("a:b")).0,
        "`from` is `a:b`; it must be a name without a colon"
    );
    assert_eq!(
        said("/to", json!([])).0,
        "`to` is empty; it must have at least one entry"
    );
    assert_eq!(said("/to", json!(["x", "x"])).0, "`to[1]` is `x` again");
    assert_eq!(
        said("/reply", json!(7)).0,
        "`reply` is a number; it must be a message reference `sender:suffix`"
    );
    assert_eq!(
        said("/tern", json!("1")).0,
        "`tern` is `1`; it must be `0.1`"
    );
    assert_eq!(
        said("/tern", json!(0.1)).0,
        "`tern` is a number; it must be the string `0.1`"
    );
    assert_eq!(
        said("/body/claim", json!([])),
        (
            "`claim` is not a field of the body of a TELL".into(),
            "did you mean `claims`?".into()
        )
    );
    let mut whole = ack();
    whole.as_object_mut().unwrap().remove("thread");
    assert_eq!(only(&whole.to_string()).message, "`thread` is missing");
    let revise = json!({
        "target": "drafter:0", "previous": "drafter:0", "mode": "replace", "reason": "Wrong.",
        "replacement": null, "impact": [],
    });
    assert_eq!(
        only(&message("REVISE", &revise).to_string()).message,
        "`replacement` is null; with mode `replace` it must be an object"
    );
    assert_eq!(
        only("[]").message,
        "the message is an array; it must be an object"
    );
}

/// T1.14, S2.11, T8.02: near words are suggested, far ones are not.
#[test]
fn t1_14_near_names_are_suggested() {
    let hint = |act: &str| only(&message(act, &json!({})).to_string()).hint;
    for (wrote, meant) in [
        ("ask", "ASK"),
        ("Commit", "COMMIT"),
        ("COMIT", "COMMIT"),
        ("REQEUST", "REQUEST"),
        ("DECLIEN", "DECLINE"),
        ("PROPSE ", "PROPOSE"),
    ] {
        assert_eq!(hint(wrote), format!("did you mean `{meant}`?"), "{wrote}");
    }
    for wrote in ["", "QUERY", "A", "DO", "OK", &"ASK".repeat(1000), "ДОКЛАД"] {
        assert_eq!(hint(wrote), Code::UnknownAct.hint(), "{wrote}");
    }
    let field = |name: &str| said(&format!("/{name}"), json!(1)).1;
    assert_eq!(field("evidnce"), "did you mean `evidence`?");
    assert_eq!(field("extension"), "did you mean `extensions`?");
    assert_eq!(field("Evidence"), "did you mean `evidence`?");
    assert_eq!(field("priority"), Code::UnknownField.hint());
    assert_eq!(
        said("/body/claims/0/basis", json!("observe")).1,
        "did you mean `observed`?"
    );
}

/// T3.12: what a message says is quoted, shortened and harmless to a terminal.
#[test]
fn t3_12_input_is_quoted_harmlessly() {
    let (sentence, _) = said("/reply", json!("\u{1b}[2J\u{202e}x\n"));
    assert_eq!(
        sentence,
        "`reply` is `\\u{1b}[2J\\u{202e}x\\n`; it must be a message reference `sender:suffix`"
    );
    let (sentence, _) = said("/reply", json!("é".repeat(500)));
    assert_eq!(
        sentence,
        format!(
            "`reply` is `{}…`; it must be a message reference `sender:suffix`",
            "é".repeat(60)
        )
    );
    let finding = only(&ack().to_string().replace("\"to\"", "\"\\u001b\":0,\"to\""));
    assert!(!finding.to_string().contains('\u{1b}'), "{finding}");
    assert_eq!(finding.pointer, "/\u{1b}");
}

/// S2.15: how findings and rejections are shown and written.
#[test]
fn s2_15_findings_are_shown_and_written() {
    let text = message("ASK", &json!({"about": 1})).to_string();
    let rejection = read(text.as_bytes(), &Limits::default()).unwrap_err();
    assert_eq!(
        rejection.to_string(),
        "`question` is missing (missing_field at 1:21, /body/question) and 1 more"
    );
    let written = serde_json::to_value(&rejection.findings()[0]).unwrap();
    assert_eq!(written["code"], "missing_field");
    assert_eq!(written["span"], json!({"start": 20, "end": 31}));
    assert_eq!(written["hint"], "add the field");
    let error: &dyn core::error::Error = &rejection;
    assert!(error.source().is_none());
}
