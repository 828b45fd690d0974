//! Canonical JSON and digests.

use std::fmt::Debug;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use quickcheck::{Arbitrary, Gen};
use tern_conformance::Mixer;
use tern_core::wire::{Digest, Json, JsonOptions, canonical};

use super::check;
use super::numbers::{Spelling, of_model};
use crate::harness::scale;
use crate::rewrite;
use crate::tree::Tree;

/// Any JSON value, as text.
#[derive(Clone)]
struct Text(String);

impl Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Arbitrary for Text {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut out = String::new();
        let depth = 4;
        value(&mut out, g, depth);
        Self(out)
    }
}

const KEYS: [&str; 8] = [
    "a",
    "b",
    "aa",
    "\u{1f602}",
    "\u{fb33}",
    "",
    "\u{e9}",
    "e\u{301}",
];

fn value(out: &mut String, g: &mut Gen, depth: usize) {
    let mut dice = Mixer::new(u64::arbitrary(g));
    match dice.below(if depth == 0 { 4 } else { 7 }) {
        0 => out.push_str(["null", "true", "false"][dice.below(3)]),
        1 => out.push_str(&Spelling::arbitrary(g).0),
        2 => rewrite::text(out, &String::arbitrary(g), &mut dice),
        3 => rewrite::text(out, KEYS[dice.below(KEYS.len())], &mut dice),
        4 => {
            out.push('[');
            for index in 0..dice.below(4) {
                out.push_str(if index == 0 { "" } else { "," });
                value(out, g, depth - 1);
            }
            out.push(']');
        }
        _ => {
            let mut keys = KEYS.to_vec();
            dice.shuffle(&mut keys);
            keys.truncate(dice.below(5));
            out.push('{');
            for (index, key) in keys.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                rewrite::text(out, key, &mut dice);
                out.push(':');
                value(out, g, depth - 1);
            }
            out.push('}');
        }
    }
}

fn canonical_text(text: &str) -> String {
    let json = Json::read(text.as_bytes(), JsonOptions::STRICT);
    canonical(json.unwrap_or_else(|it| panic!("{text}: {it:?}")).root())
}

/// S7.03, S7.04, T1.08: canonical JSON is a fixpoint, and that of the model; the order of keys, white
/// space and spelling do not reach it.
#[test]
fn s7_03_canonical_json_is_idempotent() {
    fn idempotent(text: Text, choices: u64) -> bool {
        let once = canonical_text(&text.0);
        let other = rewrite::rewritten(text.0.as_bytes(), &mut Mixer::new(choices)).unwrap();
        let other = String::from_utf8(other).unwrap();
        canonical_text(&once) == once && of_model(&text.0) == once && canonical_text(&other) == once
    }
    check(
        "canonical JSON is idempotent",
        2500,
        idempotent as fn(Text, u64) -> bool,
    );
}

/// S7.05, R-02, T1.29: digests are equal exactly if the values are, by structure.
#[test]
fn s7_05_digests_are_equal_by_structure() {
    static EQUAL: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];
    fn equal(one: Text, two: Text, choices: u64) -> bool {
        let mut dice = Mixer::new(choices);
        let other = match dice.below(3) {
            0 => {
                String::from_utf8(rewrite::rewritten(one.0.as_bytes(), &mut dice).unwrap()).unwrap()
            }
            // A change at one place: mostly another value, sometimes the same.
            1 => one.0.replacen(
                ['1', '0', 'a', '\u{e9}'],
                ["2", "e\u{301}"][dice.below(2)],
                1,
            ),
            _ => two.0,
        };
        if Json::read(other.as_bytes(), JsonOptions::STRICT).is_err() {
            return true;
        }
        let equal = Tree::read(&one.0).unwrap() == Tree::read(&other).unwrap();
        EQUAL[usize::from(equal)].fetch_add(1, Relaxed);
        let digest = |text: &str| Digest::of(canonical_text(text).as_bytes());
        (digest(&one.0) == digest(&other)) == equal
    }
    check(
        "digests are equal by structure",
        4000,
        equal as fn(Text, Text, u64) -> bool,
    );
    let met = EQUAL.each_ref().map(|it| it.load(Relaxed));
    println!("  different {}, equal {}", met[0], met[1]);
    assert!(met.iter().all(|met| *met > 500) || scale() < 1.0);
}
