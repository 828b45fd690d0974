//! Messages to start from, and readers that say what they found.

use serde_json::{Value, json};
use tern_core::Code;
use tern_core::wire::{Limits, Rejection, read};

/// What the reader finds in a text, as code and pointer, in the order of the text.
pub(crate) fn found(text: &str) -> Vec<(Code, String)> {
    match read(text.as_bytes(), &Limits::default()) {
        Ok(_) => Vec::new(),
        Err(rejection) => pairs(&rejection),
    }
}

pub(crate) fn pairs(rejection: &Rejection) -> Vec<(Code, String)> {
    let findings = rejection.findings().iter();
    findings
        .map(|finding| (finding.code, finding.pointer.clone()))
        .collect()
}

/// The rejection of a text that must be rejected.
pub(crate) fn rejection(text: &str) -> Rejection {
    match read(text.as_bytes(), &Limits::default()) {
        Ok(parsed) => panic!("accepted: {parsed:?}"),
        Err(rejection) => rejection,
    }
}

/// A valid envelope around a body.
pub(crate) fn message(act: &str, body: &Value) -> Value {
    json!({
        "tern": "0.1", "id": "drafter:1", "from": "drafter", "to": ["reviewer"],
        "thread": "design", "reply": null, "act": act, "body": body,
    })
}

/// A valid message of the fewest fields.
pub(crate) fn ack() -> Value {
    message("ACK", &json!({"target": "reviewer:1"}))
}

pub(crate) fn claim() -> Value {
    json!({
        "text": "It holds.", "basis": "observed", "confidence": "high", "scope": "The draft.",
        "evidence": ["ev:log"], "alternatives": ["It was cached."],
    })
}

pub(crate) fn evidence() -> Value {
    json!({
        "id": "ev:log", "source": "The build.", "collected_at": "2026-11-30T12:00:00Z",
        "method": "Read.", "result": "Green.",
    })
}

pub(crate) fn impact() -> Value {
    json!({"commitment": "reviewer:1", "assessment": "paused", "reason": "It changes."})
}

/// A field of a table: where it is, whether it must be there, and which values it does not take.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) value: Value,
    pub(crate) required: bool,
    pub(crate) bad: Vec<(Value, Code)>,
}

fn row(name: &'static str, value: Value, bad: Vec<(Value, Code)>) -> Row {
    Row {
        name,
        value,
        required: true,
        bad,
    }
}

impl Row {
    fn optional(self) -> Self {
        Self {
            required: false,
            ..self
        }
    }
}

fn wrong(values: &[Value]) -> Vec<(Value, Code)> {
    values
        .iter()
        .map(|value| (value.clone(), Code::WrongType))
        .collect()
}

fn not_a_string() -> Vec<(Value, Code)> {
    wrong(&[
        json!(null),
        json!(true),
        json!(0),
        json!([]),
        json!({}),
        json!(["a"]),
    ])
}

fn text(name: &'static str) -> Row {
    let mut bad = not_a_string();
    bad.push((json!(""), Code::EmptyText));
    row(name, json!(" "), bad)
}

fn or_null(mut of: Row) -> Row {
    of.bad.retain(|(value, _)| !value.is_null());
    of
}

fn reference(name: &'static str) -> Row {
    let mut bad = not_a_string();
    bad.extend(["", "a", ":", "a:", ":a", "::a"].map(|text| (json!(text), Code::BadReference)));
    row(name, json!("a b::c"), bad)
}

fn time(name: &'static str) -> Row {
    let mut bad = not_a_string();
    bad.extend(["", "tomorrow", "2026-11-30"].map(|text| (json!(text), Code::BadTimestamp)));
    row(name, json!("2026-11-30T12:00:00Z"), bad)
}

fn evidence_ref(name: &'static str) -> Row {
    let mut bad = not_a_string();
    bad.extend(["", "ev:", "EV:a", "log"].map(|text| (json!(text), Code::BadEvidenceReference)));
    row(name, json!("ev::"), bad)
}

fn word(name: &'static str, value: &str) -> Row {
    let mut bad = not_a_string();
    let mut capital = value.to_owned();
    capital[..1].make_ascii_uppercase();
    bad.extend(
        [String::new(), capital, format!("{value} ")].map(|text| (json!(text), Code::UnknownValue)),
    );
    row(name, json!(value), bad)
}

fn list(name: &'static str, value: Value) -> Row {
    let bad = wrong(&[
        json!(null),
        json!(true),
        json!("a"),
        json!({}),
        json!({"0": "a"}),
    ]);
    row(name, value, bad)
}

fn list_of_some(name: &'static str, value: Value) -> Row {
    let mut list = list(name, value);
    list.bad.push((json!([]), Code::EmptyList));
    list
}

fn extensions() -> Row {
    let bad = wrong(&[json!(null), json!("a"), json!([]), json!([{}])]);
    row("extensions", json!({"anything": {"goes": [null, ""]}}), bad).optional()
}

/// The table of acts: each act with its fields.
pub(crate) fn acts() -> Vec<(&'static str, Vec<Row>)> {
    let constraints = || list("constraints", json!([]));
    let authority_ref = || or_null(text("authority_ref"));
    let claims = || list_of_some("claims", json!([claim(), claim()]));
    let mut acts = vec![
        ("ASK", vec![text("question"), reference("about").optional()]),
        ("TELL", vec![claims()]),
        (
            "PROPOSE",
            vec![text("plan"), text("success"), constraints()],
        ),
        (
            "REQUEST",
            vec![
                text("action"),
                text("done_when"),
                constraints(),
                authority_ref(),
                reference("replaces").optional(),
            ],
        ),
        (
            "COMMIT",
            vec![
                reference("request"),
                text("action"),
                text("deliverable"),
                text("done_when"),
                or_null(time("due")),
                list("conditions", json!([])),
                authority_ref(),
            ],
        ),
        (
            "REPORT",
            vec![
                reference("commitment"),
                word("state", "blocked"),
                claims(),
                text("next").optional(),
            ],
        ),
        (
            "CHALLENGE",
            vec![
                reference("target"),
                word("kind", "scope"),
                text("objection"),
                list("support", json!([])),
                text("resolution_test"),
            ],
        ),
        (
            "REVISE",
            vec![
                reference("target"),
                reference("previous"),
                // A wrong mode leaves the replacement unjudged; the mode that does not fit it is
                // tested apart.
                word("mode", "withdraw"),
                text("reason"),
                row(
                    "replacement",
                    json!(null),
                    vec![(json!({}), Code::ReplacementMismatch)],
                ),
                list("impact", json!([impact()])),
            ],
        ),
        (
            "DECLINE",
            vec![
                reference("target"),
                text("reason"),
                text("alternative").optional(),
            ],
        ),
        ("ACK", vec![reference("target")]),
    ];
    acts.iter_mut()
        .for_each(|(_, rows)| rows.push(extensions()));
    acts
}

/// The envelope, but for its act and body.
pub(crate) fn envelope() -> Vec<Row> {
    let mut from = text("from");
    from.value = json!("drafter");
    from.bad.push((json!("a:b"), Code::ColonInSender));
    let mut to = list_of_some("to", json!(["reviewer", "a:b", "drafter"]));
    to.bad
        .push((json!(["a", "b", "a"]), Code::RepeatedRecipient));
    vec![
        reference("id"),
        from,
        to,
        text("thread"),
        or_null(reference("reply")),
        list("evidence", json!([evidence(), evidence()])).optional(),
        extensions(),
    ]
}

/// The objects that occur in lists: a path to one in a message, the message, and its fields.
pub(crate) fn parts() -> Vec<(&'static str, Value, Vec<Row>)> {
    let in_tell = message("TELL", &json!({"claims": [claim()]}));
    let in_revise = message(
        "REVISE",
        &json!({
            "target": "drafter:0", "previous": "drafter:0", "mode": "withdraw", "reason": "Wrong.",
            "replacement": null, "impact": [impact()],
        }),
    );
    let mut in_envelope = ack();
    in_envelope["evidence"] = json!([evidence()]);
    vec![
        (
            "/body/claims/0",
            in_tell,
            vec![
                text("text"),
                word("basis", "assumed"),
                word("confidence", "unspecified"),
                text("scope"),
                list("evidence", json!([])),
                list("alternatives", json!([])),
            ],
        ),
        (
            "/body/impact/0",
            in_revise,
            vec![
                reference("commitment"),
                word("assessment", "awaiting_instruction"),
                text("reason"),
            ],
        ),
        (
            "/evidence/0",
            in_envelope,
            vec![
                evidence_ref("id"),
                text("source"),
                time("collected_at"),
                text("method"),
                text("result"),
            ],
        ),
    ]
}
