//! The table of acts: every field of every object, there and not there, right and wrong.

use crate::support::{self, Row, found, message};
use serde_json::{Value, json};
use tern_core::Code;

/// Every field of an object at `path` takes its value and no bad one, is missed exactly when it is
/// required, and has no other beside it.
fn check(whole: &Value, path: &str, rows: &[Row]) {
    let with = |change: &dyn Fn(&mut serde_json::Map<String, Value>)| {
        let mut whole = whole.clone();
        change(whole.pointer_mut(path).unwrap().as_object_mut().unwrap());
        found(&whole.to_string())
    };
    assert_eq!(with(&|_| ()), [], "{whole}");
    for Row {
        name,
        value,
        required,
        bad,
    } in rows
    {
        let pointer = format!("{path}/{name}");
        let there = with(&|object| drop(object.insert((*name).into(), value.clone())));
        assert_eq!(there, [], "{pointer} is {value}");

        let missing = with(&|object| drop(object.remove(*name)));
        let expected = required.then(|| (Code::MissingField, pointer.clone()));
        assert_eq!(
            missing,
            expected.into_iter().collect::<Vec<_>>(),
            "without {pointer}"
        );

        for (value, code) in bad {
            let wrong = with(&|object| drop(object.insert((*name).into(), value.clone())));
            let at_entry = *code == Code::RepeatedRecipient;
            let pointer = if at_entry {
                format!("{pointer}/2")
            } else {
                pointer.clone()
            };
            assert_eq!(wrong, [(*code, pointer)], "{name} is {value}");
        }
    }
    for other in ["", "Action", "x~/y"] {
        let escaped = other.replace('~', "~0").replace('/', "~1");
        assert_eq!(
            with(&|object| drop(object.insert(other.into(), json!(null)))),
            [(Code::UnknownField, format!("{path}/{escaped}"))]
        );
    }
}

fn body(rows: &[Row]) -> Value {
    let required = rows.iter().filter(|row| row.required);
    Value::Object(
        required
            .map(|row| (row.name.into(), row.value.clone()))
            .collect(),
    )
}

/// A-ENVELOPE, T1.11, T1.12, T1.13, T1.14, T1.18, T1.19, T3.08, S1.01, S1.02, A-REFERENCE, R-06
#[test]
fn a_envelope_takes_its_fields_and_no_other() {
    check(&support::ack(), "", &support::envelope());
}

/// A-ASK, A-TELL, A-PROPOSE, A-REQUEST, A-COMMIT, A-REPORT, A-CHALLENGE, A-REVISE, A-DECLINE,
/// A-ACK, T1.10, T1.14, T2.01, T2.02, T2.03, T2.04, T2.05, T2.06, S2.10, S2.11
#[test]
fn a_bodies_take_their_fields_and_no_other() {
    let acts = support::acts();
    assert_eq!(acts.len(), 10);
    for (act, rows) in acts {
        check(&message(act, &body(&rows)), "/body", &rows);
    }
}

/// A-CLAIM, A-IMPACT, A-EVIDENCE, T3.01, T3.02, T3.03, T3.08, T4.36, T1.26
#[test]
fn a_parts_take_their_fields_and_no_other() {
    for (path, whole, rows) in support::parts() {
        check(&whole, path, &rows);
    }
}

/// S1.02: claims, impacts and evidence objects carry no extensions.
#[test]
fn s1_02_parts_carry_no_extensions() {
    for (path, mut whole, _) in support::parts() {
        whole.pointer_mut(path).unwrap()["extensions"] = json!({});
        let pointer = format!("{path}/extensions");
        assert_eq!(found(&whole.to_string()), [(Code::UnknownField, pointer)]);
    }
}

/// A-CLAIM, A-CHALLENGE, A-COMMIT, A-PROPOSE, A-REQUEST: what lists hold is judged, each entry.
#[test]
fn a_entries_of_lists_are_judged_each() {
    let mut cases = vec![
        (
            "TELL",
            "/body/claims",
            json!([3, support::claim(), null]),
            vec![(0, Code::WrongType), (2, Code::WrongType)],
        ),
        (
            "CHALLENGE",
            "/body/support",
            json!(["ev:a", "ev:", 1]),
            vec![(1, Code::BadEvidenceReference), (2, Code::WrongType)],
        ),
        (
            "COMMIT",
            "/body/conditions",
            json!(["", "a"]),
            vec![(0, Code::EmptyText)],
        ),
        (
            "PROPOSE",
            "/body/constraints",
            json!(["a", "a", ""]),
            vec![(2, Code::EmptyText)],
        ),
        (
            "REQUEST",
            "/body/constraints",
            json!([[]]),
            vec![(0, Code::WrongType)],
        ),
        (
            "REVISE",
            "/body/impact",
            json!([[], {}]),
            vec![(0, Code::WrongType)],
        ),
        (
            "ACK",
            "/to",
            json!(["a", "", null, "a"]),
            vec![
                (1, Code::EmptyText),
                (2, Code::WrongType),
                (3, Code::RepeatedRecipient),
            ],
        ),
        (
            "ACK",
            "/evidence",
            json!([support::evidence(), "ev:log"]),
            vec![(1, Code::WrongType)],
        ),
    ];
    for (act, path, list, expected) in &mut cases {
        let (_, rows) = support::acts()
            .into_iter()
            .find(|(name, _)| name == act)
            .unwrap();
        let mut whole = message(act, &body(&rows));
        if *path == "/evidence" {
            whole["evidence"] = json!(null);
        }
        *whole.pointer_mut(path).unwrap() = list.clone();
        let expected: Vec<_> = expected
            .iter()
            .map(|(index, code)| (*code, format!("{path}/{index}")))
            .collect();
        let entries = |(_, pointer): &(Code, String)| {
            pointer.matches('/').count() == path.matches('/').count() + 1
        };
        let found: Vec<_> = found(&whole.to_string())
            .into_iter()
            .filter(entries)
            .collect();
        assert_eq!(found, expected, "{whole}");
    }
}

/// T2.05, T2.06, T3.02, T3.03, T4.14, T4.36, S2.11: all words, and no other.
#[test]
fn s2_11_words_are_those_of_the_table() {
    let claim = |field: &str, word: &str| {
        let mut claim = support::claim();
        claim[field] = json!(word);
        message("TELL", &json!({"claims": [claim]}))
    };
    let of = |act: &str, field: &str, word: &str| {
        let (_, rows) = support::acts()
            .into_iter()
            .find(|(name, _)| *name == act)
            .unwrap();
        let mut body = body(&rows);
        body[field] = json!(word);
        message(act, &body)
    };
    let impact = |word: &str| {
        let (_, mut whole, _) = support::parts().into_iter().nth(1).unwrap();
        whole["body"]["impact"][0]["assessment"] = json!(word);
        whole
    };
    type Words<'w> = (&'w dyn Fn(&str) -> Value, &'w [&'w str]);
    let words: [Words<'_>; 5] = [
        (
            &|word| claim("basis", word),
            &["observed", "inferred", "reported", "assumed"],
        ),
        (
            &|word| claim("confidence", word),
            &["low", "medium", "high", "unspecified"],
        ),
        (
            &|word| of("REPORT", "state", word),
            &["active", "blocked", "fulfilled", "failed"],
        ),
        (
            &|word| of("CHALLENGE", "kind", word),
            &["factual", "inference", "scope", "feasibility", "authority"],
        ),
        (&impact, &["paused", "unaffected", "awaiting_instruction"]),
    ];
    let all = words.iter().flat_map(|(_, words)| *words);
    for (make, words) in &words {
        for word in all
            .clone()
            .chain(&["withdraw", "true", "observed ", "Observed"])
        {
            let codes: Vec<_> = found(&make(word).to_string())
                .into_iter()
                .map(|(code, _)| code)
                .collect();
            let expected = if words.contains(word) {
                vec![]
            } else {
                vec![Code::UnknownValue]
            };
            assert_eq!(codes, expected, "{word}");
        }
    }
}
