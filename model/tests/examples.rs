//! The log documents of `examples/`, each with its expected view (S7.01).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};
use tern_model::{Document, Limits, Model, canonical_json};

/// The folder of examples: beside the crate.
fn logs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let entries = fs::read_dir(folder).expect("a folder of examples");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut logs: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|e| e == "jsonl"))
        .collect();
    logs.sort();
    logs
}

// S7.01, S7.03, S7.06
#[test]
fn every_example_gives_its_view() {
    let logs = logs();
    assert!(logs.len() >= 6, "examples are missing");
    for path in logs {
        let document = Document::read(&fs::read(&path).unwrap()).unwrap();
        let mut model = Model::new(&document, Limits::default());
        for record in document.records() {
            assert_eq!(model.step(record).is_some(), record.is_delivery());
        }
        let expected = fs::read(path.with_extension("view.json")).unwrap();
        let expected = canonical_json(&expected, &Limits::default()).unwrap();
        assert_eq!(model.view(), expected, "{}", path.display());
        assert_eq!(model.digest().len(), 64);
    }
}

// S7.01: the view does not depend on the order in which messages and facts come.
#[test]
fn every_order_gives_the_same_view() {
    for path in logs() {
        let document = Document::read(&fs::read(&path).unwrap()).unwrap();
        let mut forward = Model::new(&document, Limits::default());
        document
            .records()
            .iter()
            .for_each(|record| _ = forward.step(record));
        let mut backward = Model::new(&document, Limits::default());
        document
            .records()
            .iter()
            .rev()
            .for_each(|record| _ = backward.step(record));
        assert_eq!(forward.view(), backward.view(), "{}", path.display());
    }
}
