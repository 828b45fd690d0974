//! The lint of the test vectors finds each way in which they can be wrong, and the tool keeps only what is right.
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

use tern_conformance::protocol;
use tern_conformance::vector::{Expect, File, Level, Line, Orders, Read, Vector, all};
use tern_tests::lint::{Folder, answered, judged, keep};
use tern_tests::{clauses, root};

fn vectors() -> Vec<Vector> {
    let files = all().unwrap();
    files
        .into_iter()
        .flat_map(|(_, file)| file.vectors)
        .collect()
}

fn find(id: &str) -> Vector {
    vectors().into_iter().find(|it| it.id == id).unwrap()
}

fn read(vector: &mut Vector) -> &mut Read {
    match &mut vector.expect {
        Expect::Read(read) => read,
        Expect::Refused(_) => panic!("{}: refused", vector.id),
    }
}

/// Each way in which a vector can be wrong by itself is found.
#[test]
fn what_is_wrong_with_a_vector_is_found() {
    let clauses = clauses();
    let finds = |base: &str, change: &dyn Fn(&mut Vector), what: &str| {
        let mut vector = find(base);
        change(&mut vector);
        vector.hash = vector.content_hash().unwrap();
        let found = judged(&vector, &clauses);
        assert!(
            found.iter().any(|it| it.contains(what)),
            "{what}: {found:?}"
        );
    };
    let text = |text: &str| Line::Exact(protocol::Bytes(text.as_bytes().to_vec()));
    let absent =
        |pointer: &'static str| move |it: &mut Vector| read(it).absent = vec![pointer.to_owned()];
    finds("chain-fork", &|it| it.id = "stop".to_owned(), "`stop`");
    finds("chain-fork", &|it| it.checks.reverse(), "not in order");
    finds(
        "chain-fork",
        &|it| it.checks[0].level = Level::MAY,
        "of level",
    );
    finds(
        "chain-fork",
        &|it| it.checks[0].clause = "S9.99".to_owned(),
        "no clause",
    );
    finds(
        "document-blank-line",
        &|it| it.log.push(text("{}\n")),
        "a newline",
    );
    finds(
        "document-empty-file",
        &|it| it.open_end = true,
        "no line whose end",
    );
    let placeless = |it: &mut Vector| {
        (read(it).view, read(it).absent) = (BTreeMap::new(), Vec::new());
    };
    finds("chain-fork", &placeless, "names no place");
    // In another order the second version comes first.
    finds(
        "commitment-in-a-second-version",
        &|it| it.orders = Orders::All,
        "so the order matters",
    );
    finds(
        "document-blank-line",
        &|it| it.orders = Orders::All,
        "in any order",
    );
    finds(
        "chain-fork",
        &|it| read(it).digest = "0".repeat(64),
        "digest: expected",
    );
    finds(
        "chain-fork",
        &absent("/mesages/ana:1"),
        "what it would be part of",
    );
    finds(
        "chain-fork",
        &absent("/messages/zoe:1/code"),
        "what it would be part of",
    );
    finds("chain-fork", &absent("/messages"), "told");
    let other_code = |it: &mut Vector| {
        let rejected = read(it).outcomes.iter_mut().find(|it| it.code.is_some());
        rejected.unwrap().code = Some("too_long".to_owned());
    };
    finds("document-newline-only", &other_code, "and it gives");
    let mut vector = find("chain-fork");
    vector.title.push('!');
    assert_eq!(
        judged(&vector, &clauses),
        ["its hash is not that of its content"]
    );
}

/// S7.02: a vector that is right in the order given and wrong in another one is wrong.
#[test]
fn another_order_is_judged_too() {
    let mut vector = find("commitment-in-a-second-version");
    vector.orders = Orders::All;
    let given: Vec<usize> = (0..vector.log.len()).collect();
    assert!(vector.orders().len() > 1 && vector.orders()[0] == given);
    let found = answered(&vector);
    assert!(!found.is_empty());
    for it in &found {
        assert!(it.contains("lines in the order"), "{it}");
    }
}

/// Each way in which vectors can be wrong beside each other is found.
#[test]
fn what_is_wrong_together_is_found() {
    let finds = |change: &dyn Fn(&mut Folder), what: &str| {
        let mut folder = Folder::read(&root().join("spec/vectors")).unwrap();
        change(&mut folder);
        let found = folder.together();
        assert!(
            found.iter().any(|it| it.contains(what)),
            "{what}: {found:?}"
        );
    };
    fn chains(folder: &mut Folder) -> &mut Vec<Vector> {
        &mut folder.files.get_mut("chains").unwrap().0.vectors
    }
    finds(&|it| chains(it).reverse(), "not in order");
    finds(&|it| drop(chains(it).pop()), "it is gone");
    finds(
        &|it| chains(it)[0].id = "a-new-one".to_owned(),
        "not in ids.txt",
    );
    let retire = |folder: &mut Folder, id: &str| {
        folder.retired.insert(id.to_owned(), "a reason".to_owned());
    };
    finds(&|it| retire(it, "chain-fork"), "was given up");
    finds(&|it| retire(it, "never-there"), "never there");
    let copy = |it: &mut Folder| {
        let mut copy = chains(it)[0].clone();
        copy.id = "zz-copy".to_owned();
        chains(it).push(copy);
    };
    finds(&copy, "the scenario of");
    finds(&|it| chains(it)[1].id = chains(it)[0].id.clone(), "too");
}

/// The tool writes nothing where anything is wrong, and what it wrote it leaves as it is.
#[test]
fn the_tool_keeps_only_what_is_right() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mut vector = find("chain-fork");
    vector.orders = Orders::Given;
    vector.checks.reverse();
    vector.checks[0].level = Level::MAY;
    vector.hash.clear();
    read(&mut vector).digest.clear();
    let mut other = vector.clone();
    other.id = "a-wrong-one".to_owned();
    other
        .log
        .push(find("document-blank-line").log.swap_remove(0));
    let file = |vectors: &[&Vector]| File {
        title: "Some".to_owned(),
        vectors: vectors.iter().map(|it| (*it).clone()).collect(),
    };
    fs::write(at("retired.json"), r#"{"retired": {}}"#).unwrap();
    fs::write(at("ids.txt"), "chain-fork\n").unwrap();
    let keep = || keep(folder.path(), &BTreeSet::new(), None, &clauses()).unwrap();

    let wrong = file(&[&vector, &other]).to_text();
    fs::write(at("some.json"), &wrong).unwrap();
    let (count, found) = keep();
    assert!(count == 2 && !found.is_empty());
    assert_eq!(fs::read_to_string(at("some.json")).unwrap(), wrong);
    assert_eq!(fs::read_to_string(at("ids.txt")).unwrap(), "chain-fork\n");

    fs::write(at("some.json"), file(&[&vector]).to_text()).unwrap();
    assert_eq!(keep(), (1, Vec::new()));
    let written = fs::read_to_string(at("some.json")).unwrap();
    let kept: File = serde_json::from_str(&written).unwrap();
    assert!(judged(&kept.vectors[0], &clauses()).is_empty());
    assert_eq!(keep(), (1, Vec::new()));
    assert_eq!(fs::read_to_string(at("some.json")).unwrap(), written);
}
