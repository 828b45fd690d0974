//! The test vectors: well made, right by core and model, and about every rule.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    reason = "tests"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;
use tern_conformance::engine::{Core, Model};
use tern_conformance::protocol::{self, Part};
use tern_conformance::serve::told;
use tern_conformance::vector::{Expect, FILES, File, Orders, Side, Vector, all, retired};
use tern_conformance::{Ask, Engine};
use tern_core::{Block, Code};
use tern_tests::coverage::{coverage, gaps};
use tern_tests::schema::validator;
use tern_tests::{clauses, root};

fn files() -> Vec<(&'static str, File)> {
    all().unwrap()
}

fn vectors() -> Vec<Vector> {
    files()
        .into_iter()
        .flat_map(|(_, file)| file.vectors)
        .collect()
}

/// The files of the program are those of the folder, laid out as the tool lays them out, by their schema.
#[test]
fn the_files_are_well_made() {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(root().join("spec/vectors")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|it| it == "json") {
            names.insert(path.file_stem().unwrap().to_str().unwrap().to_owned());
        }
    }
    names.remove("retired");
    let built: BTreeSet<String> = FILES.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(
        built, names,
        "conformance/src/vector/files.rs lists the files"
    );
    assert!(FILES.is_sorted());
    let schema = validator("vectors");
    for (name, text) in FILES {
        let value: Value = serde_json::from_str(text).unwrap();
        let wrong: Vec<_> = schema.iter_errors(&value).collect();
        assert!(
            wrong.is_empty(),
            "{name}: {} at {}",
            wrong[0],
            wrong[0].instance_path()
        );
    }
    for (name, file) in files() {
        let text = fs::read_to_string(root().join(format!("spec/vectors/{name}.json"))).unwrap();
        assert!(
            file.to_text() == text,
            "{name}: write it anew with `cargo run -p tern-tests --example vectors`"
        );
    }
}

/// Ids are unique, sorted and never used again, and hashes are those of the contents.
#[test]
fn ids_and_hashes_hold() {
    let retired = retired().unwrap();
    let mut seen = BTreeSet::new();
    for (name, file) in files() {
        assert!(
            file.vectors.is_sorted_by(|one, other| one.id < other.id),
            "{name}"
        );
        for vector in &file.vectors {
            assert!(
                seen.insert(vector.id.clone()),
                "{} is there twice",
                vector.id
            );
            assert!(
                !retired.contains_key(&vector.id),
                "{} was given up",
                vector.id
            );
            assert_eq!(vector.content_hash().unwrap(), vector.hash, "{}", vector.id);
        }
    }
    println!("{} vectors, {} ids given up", seen.len(), retired.len());
    assert!(seen.len() >= 400);
}

/// S2.15, S7.01: core and model say of each vector, in each of its orders, what it expects.
#[test]
fn core_and_model_say_what_is_expected() {
    let parts = BTreeSet::from([Part::View, Part::Digest]);
    let (mut core, mut model) = (Core::default(), Model::default());
    let mut runs = 0;
    for vector in vectors() {
        for order in vector.orders() {
            let document = vector.document(&order);
            let engines: [&mut dyn Engine; 2] = [&mut core, &mut model];
            for engine in engines {
                let answer = engine.run(&document, Ask::ViewAtEnd).unwrap();
                let wrong = vector.judge(&told(&answer, &parts), &order, &parts);
                let name = engine.name();
                assert!(wrong.is_empty(), "{name}, {}: {}", vector.id, wrong[0]);
                runs += 1;
            }
        }
    }
    println!("{runs} runs");
}

/// Only what may be delivered in any order is: at most five records, and no id with two versions.
#[test]
fn all_orders_are_few_and_honest() {
    let mut with_orders = 0;
    for vector in vectors().iter().filter(|it| it.orders == Orders::All) {
        with_orders += 1;
        assert!((2..=6).contains(&vector.log.len()), "{}", vector.id);
        let Expect::Read(read) = &vector.expect else {
            panic!("{}: refused in every order", vector.id);
        };
        let equivocates = read.outcomes.iter().any(|it| it.outcome == "id_conflict");
        assert!(!equivocates && !vector.is_bare(), "{}", vector.id);
    }
    println!("{with_orders} in every order");
    assert!(with_orders >= 100);
}

/// Every clause is checked from both sides, or `uncovered.toml` says why not; levels are those of the clauses.
#[test]
fn every_clause_is_checked_from_both_sides() {
    let clauses = clauses();
    let mut left_out = BTreeMap::new();
    for gap in gaps().unwrap() {
        assert!(gap.reason.len() > 10, "{}: {}", gap.clause, gap.reason);
        let before = left_out.insert(gap.clause.clone(), gap.sides);
        assert!(before.is_none(), "{} stands there twice", gap.clause);
    }
    let mut sides: BTreeMap<&str, BTreeSet<Side>> = BTreeMap::new();
    let vectors = vectors();
    for vector in &vectors {
        for check in &vector.checks {
            let clause = clauses.iter().find(|it| it.id == check.clause);
            let clause = clause.unwrap_or_else(|| panic!("{}: {}", vector.id, check.clause));
            assert_eq!(clause.level, check.level, "{}: {}", vector.id, check.clause);
            sides.entry(&check.clause).or_default().insert(check.side);
        }
    }
    let both = BTreeSet::from([Side::Applies, Side::Spares]);
    let mut poor = Vec::new();
    for clause in &clauses {
        let seen = sides.remove(clause.id.as_str()).unwrap_or_default();
        let left = left_out.remove(&clause.id).unwrap_or_default();
        let needless: Vec<_> = seen.intersection(&left).collect();
        assert!(
            needless.is_empty(),
            "{} is covered: {needless:?}",
            clause.id
        );
        let missing: Vec<_> = both
            .iter()
            .filter(|it| !seen.contains(it) && !left.contains(it))
            .collect();
        if !missing.is_empty() {
            poor.push(format!("{} {missing:?}", clause.id));
        }
    }
    assert!(left_out.is_empty(), "no such clauses: {left_out:?}");
    assert!(poor.is_empty(), "not checked:\n{}", poor.join("\n"));
}

/// The page that says what checks each clause is as it would be made now.
#[test]
fn the_page_of_coverage_is_not_old() {
    let page = fs::read_to_string(root().join("spec/COVERAGE.md")).unwrap();
    let is_new = page == coverage().unwrap();
    assert!(
        is_new,
        "make it with `cargo run -p tern-tests --example vectors -- --coverage`"
    );
}

/// Every code that an implementation can be told apart by is expected somewhere.
#[test]
fn every_code_is_expected_somewhere() {
    let mut text = String::new();
    for vector in vectors() {
        if let Expect::Read(read) = &vector.expect {
            let view = serde_json::to_string(&read.view).unwrap();
            text.push_str(&view);
            text.push_str(&serde_json::to_string(&read.outcomes).unwrap());
        }
    }
    let is_there = |code: &str| text.contains(&format!("\"{code}\""));
    // Too many or too long for a vector; core and model are compared under other limits.
    let heavy = ["too_long", "too_many_pending", "too_many_pending_of_sender"];
    let codes = Code::ALL
        .iter()
        .map(|it| it.as_str())
        .filter(|it| !heavy.contains(it));
    let blocks = Block::ALL.iter().map(|it| it.as_str());
    let causes = ["conflict", "invalidated", "contradictory", "concurrent"];
    let missing: Vec<&str> = codes
        .chain(blocks)
        .chain(causes)
        .filter(|it| !is_there(it))
        .collect();
    assert!(missing.is_empty(), "never expected: {missing:?}");
}

/// The three messages of the archive are accepted where both of its participants speak for themselves.
#[test]
fn the_archive_is_accepted() {
    let Some(path) = tern_tests::outside_data("tern/archive.jsonl") else {
        return;
    };
    let messages = fs::read_to_string(path).unwrap();
    let context =
        r#"{"context":{"id":"archive","participants":{"reviewer":"key:r","drafter":"key:d"}}}"#;
    let mut document = format!("{context}\n");
    for message in messages.lines() {
        let is_reviewer = message.contains(r#""from":"reviewer""#);
        let principal = if is_reviewer { "key:r" } else { "key:d" };
        document.push_str(&format!(
            r#"{{"deliver":{{"principal":"{principal}","message":{message}}}}}"#
        ));
        document.push('\n');
    }
    let (mut core, mut model) = (Core::default(), Model::default());
    let engines: [&mut dyn Engine; 2] = [&mut core, &mut model];
    for engine in engines {
        let answer = engine.run(document.as_bytes(), Ask::ViewAtEnd).unwrap();
        let words: Vec<&str> = answer.outcomes().iter().map(|it| it.word()).collect();
        assert_eq!(words, ["accepted"; 3], "{}", engine.name());
    }
}

/// The protocol's schema takes what is said in both directions about every vector, and the transcript of its page.
#[test]
fn the_protocol_is_as_its_schema_says() {
    let schema = validator("protocol");
    let valid = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap();
        let wrong = schema.iter_errors(&value).next().map(|it| it.to_string());
        assert!(wrong.is_none(), "{line}: {wrong:?}");
    };
    for vector in vectors() {
        let given: Vec<usize> = (0..vector.log.len()).collect();
        let ask = protocol::Ask::Run {
            document: protocol::Bytes(vector.document(&given)),
            answer: BTreeSet::from([Part::View, Part::Digest]),
        };
        let request = protocol::write_request(1, &ask);
        valid(&request);
        let mut replies = Vec::new();
        let mut requests = request.into_bytes();
        requests.push(b'\n');
        tern_conformance::serve::serve(&mut Core::default(), &*requests, &mut replies).unwrap();
        let reply = String::from_utf8(replies).unwrap();
        valid(reply.trim_end());
        assert!(protocol::read_reply(reply.trim_end().as_bytes()).is_ok());
    }
    // What one of the two refuses, the other does.
    let hello = r#"{"seq":1,"is":"hello","protocol":1,"spec":"0.1","implementation":"i","version":"v","language":"l","capabilities":["view"]}"#;
    valid(hello);
    let long = "x".repeat(201);
    for wrong in [
        hello.replace(r#"["view"]"#, r#"["view","view"]"#),
        hello.replace(r#"["view"]"#, r#"["magic"]"#),
        hello.replace(r#""v""#, &format!("\"{long}\"")),
        hello.replace(r#","version":"v""#, ""),
    ] {
        let value: Value = serde_json::from_str(&wrong).unwrap();
        assert!(!schema.is_valid(&value), "{wrong}");
        assert!(protocol::read_reply(wrong.as_bytes()).is_err(), "{wrong}");
    }
    let run = r#"{"seq":1,"do":"run","document":"","answer":["view","view"]}"#;
    assert!(!schema.is_valid(&serde_json::from_str(run).unwrap()));
    assert!(protocol::read_request(run.as_bytes()).is_err());
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
    for line in lines {
        let (who, line) = line.split_at(2);
        valid(line);
        let is_read = match who {
            "> " => protocol::read_request(line.as_bytes()).is_ok(),
            _ => protocol::read_reply(line.as_bytes()).is_ok(),
        };
        assert!(is_read, "{line}");
    }
}
