//! The specification against the code: clauses, codes and schemas belong together.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    reason = "tests"
)]

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tern_core::{Block, Class, Code, DocumentCode, Limits, Log};
use tern_tests::named::{cited, sources, tests_by_clause};
use tern_tests::schema::validator;
use tern_tests::{EXAMPLES, clauses, example};

/// Every code of the core, named as `spec/clauses.toml` names it, with the clause it cites.
fn codes() -> BTreeMap<String, &'static str> {
    let classes = Class::ALL
        .iter()
        .map(|code| (format!("class:{code}"), code.clause()));
    let codes = Code::ALL
        .iter()
        .map(|code| (code.to_string(), code.clause()));
    let blocks = Block::ALL
        .iter()
        .map(|code| (code.to_string(), code.clause()));
    let documents = DocumentCode::ALL
        .iter()
        .map(|code| (code.to_string(), code.clause()));
    classes
        .chain(codes)
        .chain(blocks)
        .chain(documents)
        .collect()
}

/// S2.15, T8.01: every code cites the one clause that lists it, and no clause lists a code that is not there.
#[test]
fn every_code_has_its_clause() {
    let mut listed = BTreeMap::new();
    for entry in clauses() {
        for code in entry.codes {
            let before = listed.insert(code.clone(), entry.id.clone());
            assert_eq!(before, None, "{code} stands in two entries");
        }
    }
    let cited: BTreeMap<String, String> = codes()
        .into_iter()
        .map(|(code, clause)| (code, clause.to_string()))
        .collect();
    assert_eq!(cited, listed);
}

/// Ids are unique, and every entry that another reads exists.
#[test]
fn every_id_is_unique_and_every_reference_resolves() {
    let entries = clauses();
    let ids: BTreeSet<&str> = entries.iter().map(|entry| entry.id.as_str()).collect();
    assert_eq!(ids.len(), entries.len());
    for entry in &entries {
        for from in &entry.from {
            assert!(
                ids.contains(from.as_str()),
                "{} reads {from}, which is not there",
                entry.id
            );
        }
        if let Some(reason) = &entry.unchecked {
            assert!(
                !reason.is_empty(),
                "{} is unchecked without a reason",
                entry.id
            );
        }
    }
}

/// Every clause is named by at least one test, or says why no test can observe it.
#[test]
fn every_clause_is_named_by_a_test() {
    let named = tests_by_clause().unwrap();
    let missing: Vec<String> = clauses()
        .into_iter()
        .filter(|entry| entry.unchecked.is_none() && !named.contains_key(&entry.id))
        .map(|entry| format!("{}: {}", entry.id, entry.text))
        .collect();
    assert!(missing.is_empty(), "no test names\n{}", missing.join("\n"));
}

fn valid(validator: &jsonschema::Validator, value: &Value) -> Result<(), String> {
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors.join("\n"))
    }
}

/// S8.05, S7.06, A-ENVELOPE: the schemas accept every record, message and view of the examples.
#[test]
fn s8_05_the_schemas_accept_the_examples() {
    let (document, message, view) = (
        validator("log-document"),
        validator("message"),
        validator("view"),
    );
    for name in EXAMPLES {
        for line in example(name).lines() {
            let record: Value = serde_json::from_str(line).unwrap();
            valid(&document, &record).unwrap_or_else(|error| panic!("{name}: {line}\n{error}"));
            if let Some(delivered) = record.pointer("/deliver/message") {
                let accepted =
                    tern_core::wire::read(delivered.to_string().as_bytes(), &Limits::default())
                        .is_ok();
                assert_eq!(
                    valid(&message, delivered).is_ok(),
                    accepted,
                    "{name}: {line}"
                );
            }
        }
        let (state, _) = Log::read(example(name).as_bytes())
            .unwrap()
            .state_at(usize::MAX, &Limits::default());
        let shown: Value = serde_json::from_str(&state.view().to_canonical_json()).unwrap();
        valid(&view, &shown).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

/// S2.10, T2.02: the schema of a message and the strict reader agree on broken messages: each field
/// of each example is left out, made null, emptied and mistyped in turn.
#[test]
fn s2_10_the_message_schema_agrees_with_the_reader() {
    let schema = validator("message");
    let mut cases = 0;
    let mut refused = 0;
    for name in EXAMPLES {
        for line in example(name).lines() {
            let record: Value = serde_json::from_str(line).unwrap();
            let Some(message) = record.pointer("/deliver/message") else {
                continue;
            };
            for pointer in pointers(message) {
                for change in [
                    None,
                    Some(json!(null)),
                    Some(json!("")),
                    Some(json!([])),
                    Some(json!(7)),
                    Some(json!({})),
                ] {
                    let mut broken = message.clone();
                    apply(&mut broken, &pointer, change);
                    let text = broken.to_string();
                    let read = tern_core::wire::read(text.as_bytes(), &Limits::default());
                    // The schema takes a whole message; the prefix of the id is stage 4's.
                    assert_eq!(
                        valid(&schema, &broken).is_ok(),
                        read.is_ok(),
                        "{pointer} of {broken}\n{read:?}"
                    );
                    cases += 1;
                    refused += u32::from(read.is_err());
                }
            }
        }
    }
    println!("{cases} messages, {refused} refused by both");
    assert!(cases > 1000 && refused > 800);
}

/// Every pointer into a message but those inside a replacement, whose content is not judged alone.
fn pointers(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), value)];
    while let Some((pointer, value)) = open.pop() {
        match value {
            Value::Object(object) => {
                for (key, value) in object {
                    let inside = format!("{pointer}/{key}");
                    found.push(inside.clone());
                    if key != "replacement" {
                        open.push((inside, value));
                    }
                }
            }
            Value::Array(array) => {
                for (index, value) in array.iter().enumerate() {
                    let inside = format!("{pointer}/{index}");
                    found.push(inside.clone());
                    open.push((inside, value));
                }
            }
            _ => {}
        }
    }
    found
}

fn apply(value: &mut Value, pointer: &str, change: Option<Value>) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = value.pointer_mut(parent).unwrap();
    match (parent, change) {
        (Value::Object(object), None) => {
            object.remove(key);
        }
        (Value::Object(object), Some(change)) => {
            object.insert(key.to_string(), change);
        }
        (Value::Array(array), None) => {
            array.remove(key.parse::<usize>().unwrap());
        }
        (Value::Array(array), Some(change)) => array[key.parse::<usize>().unwrap()] = change,
        _ => unreachable!(),
    }
}

/// The sources cite clauses that are there, tests and their helpers included, and no document that is not.
#[test]
fn comments_cite_clauses_that_exist() {
    let known: BTreeSet<String> = clauses().into_iter().map(|entry| entry.id).collect();
    let (mut citations, mut unknown) = (0, Vec::new());
    for (path, text) in sources().unwrap() {
        for (index, line) in text.lines().enumerate() {
            let Some((_, comment)) = line.split_once("//") else {
                continue;
            };
            let place = format!("{}:{}: {line}", path.display(), index + 1);
            assert!(!comment.contains("semantics §"), "{place}");
            for id in cited(comment) {
                if !known.contains(&id) {
                    unknown.push(format!("{id} is no clause: {place}"));
                }
                citations += 1;
            }
        }
    }
    println!("{citations} citations");
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
    assert!(citations > 1000, "{citations}");
}
