//! Every target over its seeds, on a stable compiler: what a fuzzer found stays found.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use tern_tests::root;
use tern_tests::targets::{self, Target};

/// Runs a target over its seeds, and fails with the names of those in which it finds something.
fn replay(name: &str) {
    let known = targets::ALL.iter().find(|(known, _)| *known == name);
    let (_, target): &(_, Target) = known.expect("the target exists");
    let seeds = files(&root().join("fuzz/seeds").join(name));
    assert!(!seeds.is_empty(), "{name} has no seeds");
    let mut found = Vec::new();
    for seed in &seeds {
        let bytes = fs::read(seed).unwrap();
        if catch_unwind(AssertUnwindSafe(|| target(&bytes))).is_err() {
            found.push(seed.display().to_string());
        }
    }
    // The handle itself: the harness captures what macros print in a test that passes.
    let line = format!("{name}: {} seeds replayed\n", seeds.len());
    let _ = std::io::stderr().write_all(line.as_bytes());
    assert!(found.is_empty(), "{name} fails on {}", found.join("\n"));
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// S2.03, S2.09, S2.10, S2.15: core and model read messages alike.
#[test]
fn parse() {
    replay("parse");
}

/// R-02, S7.03, S8.01: what is written reads as the same.
#[test]
fn parse_print() {
    replay("parse_print");
}

/// S2.15, S7.01, R-04: core and model reduce alike.
#[test]
fn reduce_diff() {
    replay("reduce_diff");
}

/// S3.03, S6.01, S7.01, S7.02, T1.27, R-01: order and repetition.
#[test]
fn reduce_order() {
    replay("reduce_order");
}

/// S8.02, S8.10, S8.11: core and model read files alike.
#[test]
fn reduce_bytes() {
    replay("reduce_bytes");
}

/// S7.03, S7.05, S7.06: the view as JSON.
#[test]
fn view_json() {
    replay("view_json");
}

/// T1.30: a damaged store is refused, or read as a beginning.
#[test]
fn log_reload() {
    replay("log_reload");
}

/// T1.34, S7.01: a forged snapshot is refused, or gives a state like any other.
#[test]
fn snapshot_restore() {
    replay("snapshot_restore");
}

/// A-TIME: core, model and jiff read times alike.
#[test]
fn timestamp() {
    replay("timestamp");
}

/// T8.01: every target is in `fuzz/Cargo.toml`, has its file there and is replayed here.
#[test]
fn every_target_is_everywhere() {
    let manifest = fs::read_to_string(root().join("fuzz/Cargo.toml")).unwrap();
    let manifest: toml::Value = toml::from_str(&manifest).unwrap();
    let bins = manifest.get("bin").and_then(toml::Value::as_array).unwrap();
    let name = |bin: &toml::Value| {
        bin.get("name")
            .and_then(toml::Value::as_str)
            .map(str::to_owned)
    };
    let built: BTreeSet<String> = bins.iter().filter_map(name).collect();
    let known: BTreeSet<String> = targets::ALL
        .iter()
        .map(|(name, _)| (*name).into())
        .collect();
    assert_eq!(built, known);
    let folder = |path: &str| -> BTreeSet<String> {
        let files = files(&root().join(path));
        let stem = |file: &PathBuf| file.file_stem().unwrap().to_string_lossy().into_owned();
        files.iter().map(stem).collect()
    };
    assert_eq!(folder("fuzz/fuzz_targets"), known);
    assert_eq!(folder("fuzz/seeds"), known);
    let tests = include_str!("fuzz_seeds.rs");
    for name in known {
        assert!(tests.contains(&format!("replay(\"{name}\")")), "{name}");
    }
}
