//! The protocol between runner and implementation: page, schema and reader say the same (`spec/protocol.md`).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    reason = "tests"
)]

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use tern_conformance::engine::Core;
use tern_conformance::protocol::{self, Part};
use tern_conformance::serve::serve;
use tern_conformance::vector::{Vector, all};
use tern_tests::root;
use tern_tests::schema::validator;

fn vectors() -> Vec<Vector> {
    let files = all().unwrap();
    files
        .into_iter()
        .flat_map(|(_, file)| file.vectors)
        .collect()
}

fn valid(schema: &jsonschema::Validator, line: &str) {
    let value: Value = serde_json::from_str(line).unwrap();
    let wrong = schema.iter_errors(&value).next().map(|it| it.to_string());
    assert!(wrong.is_none(), "{line}: {wrong:?}");
}

/// The schema takes what is said in both directions about every vector.
#[test]
fn what_is_said_is_as_the_schema_says() {
    let schema = validator("protocol");
    let valid = |line: &str| valid(&schema, line);
    for vector in vectors() {
        let given: Vec<usize> = (0..vector.log.len()).collect();
        let ask = protocol::Request::Run {
            document: protocol::Bytes(vector.document(&given)),
            answer: BTreeSet::from([Part::View, Part::Digest]),
        };
        let request = protocol::write_request(1, &ask);
        valid(&request);
        let mut replies = Vec::new();
        let mut requests = request.into_bytes();
        requests.push(b'\n');
        serve(&mut Core::default(), &*requests, &mut replies).unwrap();
        let reply = String::from_utf8(replies).unwrap();
        valid(reply.trim_end());
        assert!(protocol::read_reply(reply.trim_end().as_bytes()).is_ok());
    }
}

/// Reader and schema refuse the same lines.
#[test]
fn what_the_schema_refuses_is_not_read() {
    let schema = validator("protocol");
    let hello = r#"{"seq":1,"is":"hello","protocol":1,"spec":"0.1","implementation":"i","version":"v","language":"l","capabilities":["view"]}"#;
    valid(&schema, hello);
    let long = "x".repeat(201);
    for wrong in [
        hello.replace(r#"["view"]"#, r#"["view","view"]"#),
        hello.replace(r#"["view"]"#, r#"["magic"]"#),
        hello.replace(r#""v""#, &format!("\"{long}\"")),
        hello.replace(r#","version":"v""#, ""),
        hello.replace(r#""v""#, r#""""#),
    ] {
        let value: Value = serde_json::from_str(&wrong).unwrap();
        assert!(!schema.is_valid(&value), "{wrong}");
        assert!(protocol::read_reply(wrong.as_bytes()).is_err(), "{wrong}");
    }
    let run = r#"{"seq":1,"do":"run","document":"","answer":["view","view"]}"#;
    assert!(!schema.is_valid(&serde_json::from_str(run).unwrap()));
    assert!(protocol::read_request(run.as_bytes()).is_err());
    for wrong in [
        r#"{"seq":1,"do":"run","document":{"base64":"@@@"},"answer":[]}"#,
        r#"{"seq":1,"do":"run","document":{"base64":"YR=="},"answer":[]}"#,
        r#"{"seq":1,"do":"run","document":{"base64":"YQ==","x":1},"answer":[]}"#,
        r#"{"seq":1,"do":"run","document":null,"answer":[]}"#,
        r#"{"seq":1,"do":"run","document":""}"#,
        r#"{"seq":1,"do":"stop","why":""}"#,
        r#"{"seq":-1,"do":"stop"}"#,
        r#"{"seq":1,"do":"hello","protocol":1}"#,
        r#"{"seq":1,"do":"dance"}"#,
        r#"{"do":"stop"}"#,
    ] {
        assert!(
            !schema.is_valid(&serde_json::from_str(wrong).unwrap()),
            "{wrong}"
        );
        assert!(protocol::read_request(wrong.as_bytes()).is_err(), "{wrong}");
    }
}

/// The transcript of the page is as the schema says, is read, and its results are those of the core.
#[test]
fn the_transcript_is_true() {
    let schema = validator("protocol");
    let page = fs::read_to_string(root().join("spec/protocol.md")).unwrap();
    let transcript = page
        .split("```text\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    let joined = transcript.replace("\n   ", "");
    let lines: Vec<&str> = joined.lines().collect();
    assert!(lines.len() >= 7);
    let requests = lines.iter().filter_map(|it| it.strip_prefix("> "));
    let requests = requests.collect::<Vec<_>>().join("\n") + "\n";
    let mut replies = Vec::new();
    serve(&mut Core::default(), requests.as_bytes(), &mut replies).unwrap();
    let read = |line: &str| serde_json::from_str::<Value>(line).unwrap();
    let replies = String::from_utf8(replies).unwrap();
    let real: Vec<Value> = replies.lines().map(read).collect();
    let shown: Vec<Value> = lines
        .iter()
        .filter_map(|it| Some(read(it.strip_prefix("< ")?)))
        .collect();
    assert_eq!(shown.len(), real.len());
    for (shown, real) in shown
        .iter()
        .zip(&real)
        .filter(|(it, _)| it["is"] == "result")
    {
        assert_eq!(shown, real);
    }
    for line in lines {
        let (who, line) = line.split_at(2);
        valid(&schema, line);
        let is_read = match who {
            "> " => protocol::read_request(line.as_bytes()).is_ok(),
            _ => protocol::read_reply(line.as_bytes()).is_ok(),
        };
        assert!(is_read, "{line}");
    }
}
