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
use tern_conformance::protocol;
use tern_conformance::vector::{Expect, FILES, File, Line, Orders, Side, Vector, all, retired};
use tern_conformance::{Ask, Engine};
use tern_core::{Block, Class, Code};
use tern_tests::coverage::{coverage, gaps};
use tern_tests::lint::{Folder, judged};
use tern_tests::schema::{schema, validator};
use tern_tests::{clauses, root, shared_out};

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

/// S2.15, S7.01: nothing is wrong with any vector by itself. Core and model say what it expects in each of its orders;
/// codes that are only for orientation are those of the core; `lint` lists the rest.
#[test]
fn nothing_is_wrong_with_any_vector() {
    let clauses = clauses();
    let vectors = vectors();
    let found = shared_out(|share, shares| {
        let mine = vectors.iter().skip(share).step_by(shares);
        let judge = |vector: &Vector| -> Vec<String> {
            let found = judged(vector, &clauses);
            found
                .iter()
                .map(|it| format!("{}: {it}", vector.id))
                .collect()
        };
        mine.flat_map(judge).collect::<Vec<_>>()
    });
    let found = found.concat();
    assert!(found.is_empty(), "{}", found.join("\n"));
    let in_all = vectors.iter().filter(|it| it.orders == Orders::All).count();
    println!("{} vectors, {in_all} in every order", vectors.len());
    assert!(vectors.len() >= 400 && in_all >= 100);
}

/// Ids are unique, sorted, never used again and never lost; no scenario stands there twice.
#[test]
fn nothing_is_wrong_with_the_vectors_together() {
    let folder = Folder::read(&root().join("spec/vectors")).unwrap();
    let wrong = folder.together();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(folder.retired, retired().unwrap());
    let ids = fs::read_to_string(root().join("spec/vectors/ids.txt")).unwrap();
    assert_eq!(ids, folder.ids_text(), "ids.txt is sorted");
    println!(
        "{} ids, {} of them given up",
        folder.ids.len(),
        folder.retired.len()
    );
}

/// An object with `base64` is bytes or an error, and never a record; a line holds no newline. The schema agrees.
#[test]
fn lines_are_bytes_or_records() {
    let schema = validator("vectors");
    let mut file: Value = serde_json::from_str(FILES[0].1).unwrap();
    let mut reads = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        file["vectors"][0]["log"][1] = line.clone();
        let read = serde_json::from_value::<Line>(line.clone()).ok();
        let read = read.filter(|it| !it.bytes().contains(&b'\n'));
        assert_eq!(schema.is_valid(&file), read.is_some(), "{line}");
        read
    };
    for right in [
        r#""""#,
        r#""text""#,
        r#"{"base64": "/w=="}"#,
        r#"{"base64": ""}"#,
    ] {
        assert!(matches!(reads(right), Some(Line::Exact(_))), "{right}");
    }
    for right in [
        "{}",
        r#"{"deliver": {"base64": "@@@"}}"#,
        r#"{"Base64": "@@@"}"#,
    ] {
        assert!(matches!(reads(right), Some(Line::Record(_))), "{right}");
    }
    for wrong in [
        r#"{"base64": "@@@"}"#,
        r#"{"base64": "/w"}"#,
        r#"{"base64": "/x=="}"#,
        r#"{"base64": 7}"#,
        r#"{"base64": null}"#,
        r#"{"base64": "/w==", "more": 1}"#,
        r#""two\nlines""#,
        "7",
        "null",
        "[]",
    ] {
        assert_eq!(reads(wrong), None, "{wrong}");
    }
}

/// Each line of a vector ends with a newline, but for the last where the end is open; no line, no newline.
#[test]
fn documents_are_lines_with_their_newlines() {
    let mut all = vectors().into_iter();
    let mut vector = all.find(|it| it.id == "chain-fork").unwrap();
    let document = |log: &[&str], open_end: bool, vector: &mut Vector| {
        let line = |it: &&str| Line::Exact(protocol::Bytes(it.as_bytes().to_vec()));
        (vector.log, vector.open_end) = (log.iter().map(line).collect(), open_end);
        let given: Vec<usize> = (0..log.len()).collect();
        String::from_utf8(vector.document(&given)).unwrap()
    };
    assert_eq!(document(&[], false, &mut vector), "");
    assert_eq!(document(&[""], false, &mut vector), "\n");
    assert_eq!(document(&[""], true, &mut vector), "");
    assert_eq!(document(&["a", "b"], false, &mut vector), "a\nb\n");
    assert_eq!(document(&["a", "b"], true, &mut vector), "a\nb");
}

/// Every clause is checked from both sides, or `uncovered.toml` says why not; levels are those of the clauses.
#[test]
fn every_clause_is_checked_from_both_sides() {
    let clauses = clauses();
    let mut left_out = BTreeMap::new();
    for gap in gaps().unwrap() {
        assert!(gap.reason.len() > 10, "{}: {}", gap.clause, gap.reason);
        assert!(!gap.sides.is_empty(), "{}: from no side", gap.clause);
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

/// What stands at the places of a value, by their paths.
fn leaves<'v>(at: &str, value: &'v Value, found: &mut Vec<(String, &'v Value)>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                let key = key.replace('~', "~0").replace('/', "~1");
                leaves(&format!("{at}/{key}"), value, found);
            }
        }
        Value::Array(items) => {
            let each = |(index, it)| leaves(&format!("{at}/{index}"), it, found);
            items.iter().enumerate().for_each(each);
        }
        _ => found.push((at.to_owned(), value)),
    }
}

/// Where the view holds a word by which implementations are compared; none for any other place.
fn place_of_words(path: &str) -> Option<&'static str> {
    let parts: Vec<&str> = path.split('/').skip(1).collect();
    match parts[..] {
        ["messages", _, "code"] => Some("code"),
        ["commitments", _, "blocked_by", _] => Some("block"),
        ["commitments", _, "progress_cause"] => Some("progress"),
        ["reconcile", _, "causes", _] => Some("reconcile"),
        _ => None,
    }
}

/// S2.15, S6.02, S5.04-S5.06, S6.23: each word by which implementations are compared is expected at a place at which
/// they are: the codes of the classes `reference` and `limit` as outcomes, those of `reference` in the view, too; every
/// class; blocking codes in `blocked_by`, causes where causes stand.
///
/// Nothing is shown here of codes at stages 1 to 4: an implementation may give others, so no vector can tell that it
/// gives the right ones. What a vector says of them is what the core gives (`nothing_is_wrong_with_any_vector`). Nor of
/// the codes of broken documents, of which only the line is told. Nor of `too_many_pending` and
/// `too_many_pending_of_sender`, which take 100,000 and 10,000 messages: core and model are compared under lower limits.
#[test]
fn every_word_that_is_compared_is_expected_at_its_place() {
    let mut expected: BTreeSet<(&str, String)> = BTreeSet::new();
    for vector in vectors() {
        let Expect::Read(read) = &vector.expect else {
            continue;
        };
        for fate in &read.outcomes {
            let Some(class) = &fate.class else { continue };
            expected.insert(("class", class.clone()));
            if ["reference", "limit"].contains(&&**class) {
                expected.extend(fate.code.clone().map(|code| ("outcome", code)));
            }
        }
        let mut found = Vec::new();
        for (pointer, value) in &read.view {
            leaves(pointer, value, &mut found);
        }
        for (path, value) in found {
            let word = value.as_str().map(str::to_owned);
            expected.extend(place_of_words(&path).zip(word));
        }
    }
    let heavy = [Code::TooManyPending, Code::TooManyPendingOfSender];
    let compared = |it: &&Code| matches!(it.class(), Class::Reference | Class::Limit);
    let codes = Code::ALL.iter().filter(compared);
    let codes = codes.filter(|it| !heavy.contains(it));
    let outcomes = codes.clone().map(|it| ("outcome", it.as_str()));
    let in_view = codes.filter(|it| it.class() == Class::Reference);
    let in_view = in_view.map(|it| ("code", it.as_str()));
    // A conflict of ids is an outcome of its own.
    let classes = Class::ALL.iter().filter(|it| **it != Class::IdConflict);
    let classes = classes.map(|it| ("class", it.as_str()));
    let blocks = Block::ALL.iter().map(|it| ("block", it.as_str()));
    let progress = ["conflict", "invalidated", "contradictory", "concurrent"];
    let progress = progress.map(|it| ("progress", it));
    let schema = schema("view");
    let reconcile = schema["$defs"]["reconcile_code"]["enum"]
        .as_array()
        .unwrap();
    let reconcile = reconcile
        .iter()
        .map(|it| ("reconcile", it.as_str().unwrap()));
    let missing: Vec<(&str, &str)> = outcomes
        .chain(in_view)
        .chain(classes)
        .chain(blocks)
        .chain(progress)
        .chain(reconcile)
        .filter(|(place, word)| !expected.contains(&(*place, (*word).to_owned())))
        .collect();
    assert!(missing.is_empty(), "never expected: {missing:?}");
}

/// A word in a key, or at another place, is not expected.
#[test]
fn words_count_at_their_places_alone() {
    let view = serde_json::json!({"messages": {"terminal": {"code": "c"}}, "evidence": {"superseded": []}});
    let mut found = Vec::new();
    leaves("", &view, &mut found);
    let places: Vec<_> = found
        .iter()
        .map(|(path, it)| (place_of_words(path), *it))
        .collect();
    assert_eq!(places, [(Some("code"), &Value::from("c"))]);
    assert_eq!(
        place_of_words("/commitments/a:1/blocked_by/0"),
        Some("block")
    );
    assert_eq!(place_of_words("/commitments/a:1/code"), None);
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
