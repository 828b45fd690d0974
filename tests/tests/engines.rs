//! The examples through every engine; and what the engines may not share.
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
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tern_conformance::engine::{Core, Model};
use tern_conformance::{Ask, Engine};
use tern_tests::root;

/// The engines in this process. `cli/tests` sets the command line beside them.
fn engines() -> Vec<Box<dyn Engine>> {
    vec![Box::new(Core::default()), Box::new(Model::default())]
}

/// S7.01, S7.05, S2.15: every engine comes to the expected view of every example.
#[test]
fn s7_01_every_engine_reaches_the_examples() {
    let mut examples = 0;
    for file in fs::read_dir(root().join("examples")).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|end| end != "jsonl") {
            continue;
        }
        let expected = fs::read_to_string(path.with_extension("view.json")).unwrap();
        let expected = canonical(&expected);
        for mut engine in engines() {
            let answer = engine
                .run(&fs::read(&path).unwrap(), Ask::ViewAtEnd)
                .unwrap();
            let view = answer.view().expect("an example is read");
            assert_eq!(view.json, expected, "{}: {}", engine.name(), path.display());
            let digest = tern_core::wire::Digest::of(expected.as_bytes()).to_string();
            assert_eq!(view.digest, digest, "{}", engine.name());
        }
        examples += 1;
    }
    println!("{examples} examples");
    assert!(examples >= 6);
}

/// The expected view stands there laid out for reading.
fn canonical(text: &str) -> String {
    let options = tern_core::wire::JsonOptions::STRICT;
    let json = tern_core::wire::Json::read(text.as_bytes(), options).unwrap();
    tern_core::wire::canonical(json.root())
}

/// The packages that a package is built from, itself included: no dependency of tests or of builds
/// but those of builds.
fn built_from(metadata: &Value, package: &str) -> BTreeSet<String> {
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap();
    let name_of: BTreeMap<&str, &str> = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|package| {
            (
                package["id"].as_str().unwrap(),
                package["name"].as_str().unwrap(),
            )
        })
        .collect();
    let start = name_of
        .iter()
        .find(|(_, name)| **name == package)
        .unwrap()
        .0;
    let (mut open, mut seen) = (vec![*start], BTreeSet::new());
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let node = nodes.iter().find(|node| node["id"] == id).unwrap();
        for dependency in node["deps"].as_array().unwrap() {
            let kinds = dependency["dep_kinds"].as_array().unwrap();
            if kinds.iter().any(|kind| kind["kind"] != "dev") {
                open.push(dependency["pkg"].as_str().unwrap());
            }
        }
    }
    seen.into_iter().map(|id| name_of[id].to_owned()).collect()
}

/// Libraries that core and model may both stand on, each with its reason. None of them decides what a
/// message means.
const IN_COMMON: [(&str, &str); 13] = [
    ("base64", "decodes the payload of a delivery, by a standard"),
    ("sha2", "SHA-256, by a standard"),
    ("digest", "of sha2: its traits"),
    ("block-buffer", "of sha2: cuts what is hashed into blocks"),
    ("crypto-common", "of sha2: sizes of blocks and outputs"),
    ("hybrid-array", "of sha2: arrays whose length is a type"),
    ("typenum", "of sha2: numbers as types"),
    (
        "const-oid",
        "of digest, which the store's signatures ask for names of hashes",
    ),
    (
        "ctutils",
        "of digest, as the store's clients of servers ask for it: compares secrets",
    ),
    ("cmov", "of ctutils: its instructions"),
    ("cfg-if", "of sha2: picks code by platform"),
    ("cpufeatures", "of sha2: asks what the processor can do"),
    (
        "libc",
        "of cpufeatures, on platforms where the system has to be asked",
    ),
];

/// The platform that this is built on.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.unwrap().to_owned()
}

/// S7.01: core and model are two opinions: neither is built from the other, the model from nothing of
/// ours, and they have no library in common that reads, compares or decides.
#[test]
fn s7_01_core_and_model_share_nothing_that_decides() {
    // Of this platform alone: what others need is not on a machine that has built only this.
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .args(["--filter-platform", &host()])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let (core, model) = (
        built_from(&metadata, "tern-core"),
        built_from(&metadata, "tern-model"),
    );
    println!("core: {core:?}\nmodel: {model:?}");
    let ours = |of: &BTreeSet<String>| -> Vec<String> {
        of.iter()
            .filter(|name| name.starts_with("tern"))
            .cloned()
            .collect()
    };
    assert_eq!(ours(&core), ["tern-core"]);
    assert_eq!(ours(&model), ["tern-model"]);
    let allowed: BTreeSet<String> = IN_COMMON
        .iter()
        .map(|(name, _)| (*name).to_owned())
        .collect();
    assert!(IN_COMMON.iter().all(|(_, reason)| !reason.is_empty()));
    // Cargo tells of all platforms at once.
    let common: BTreeSet<String> = core.intersection(&model).cloned().collect();
    let more: Vec<&String> = common.difference(&allowed).collect();
    assert!(more.is_empty(), "core and model share {more:?}");
    assert!(common.contains("sha2") && common.contains("base64"));
}

/// a second opinion is worth something when it is short enough to be read against the
/// specification.
#[test]
fn r_02_the_model_is_small() {
    let (model, core) = (lines_of("model/src"), lines_of("core/src"));
    println!("model: {model} lines, core: {core} lines");
    assert!(model > 500, "the model is not there: {model}");
    assert!(
        model * 5 < core,
        "the model has {model} lines, a fifth of the core is {}",
        core / 5
    );
}

fn lines_of(folder: &str) -> usize {
    let mut open = vec![root().join(folder)];
    let mut lines = 0;
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(
                fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        } else if is_rust(&path) {
            lines += fs::read_to_string(&path).unwrap().lines().count();
        }
    }
    lines
}

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}
