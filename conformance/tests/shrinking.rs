//! What is made small still shows what it showed, and nothing else is left.
#![allow(clippy::unwrap_used, missing_docs, reason = "tests")]

use tern_conformance::engine::Core;
use tern_conformance::generate::{self, Preset};
use tern_conformance::shrink::shrink;
use tern_conformance::{Ask, Engine as _};

/// S4.03: a conflict needs a target and two revisions of it, and a REPORT needs its COMMIT, which
/// needs its REQUEST: six lines with the context, however long the log was.
#[test]
fn a_conflict_in_a_long_chain_becomes_a_few_messages() {
    let chains = Preset::all()
        .iter()
        .find(|preset| preset.name() == "chains")
        .unwrap();
    let conflicted = |lines: &[Vec<u8>]| {
        let answer = Core::default()
            .run(&lines.join(&b'\n'), Ask::ViewAtEnd)
            .unwrap();
        answer
            .view()
            .is_some_and(|view| view.json.contains(r#""state":"conflicted""#))
    };
    let mut tried = 0;
    for seed in 0..20 {
        let scenario = generate::seeded(seed, chains);
        if !conflicted(scenario.lines()) {
            continue;
        }
        tried += 1;
        let smallest = shrink(scenario.lines(), conflicted);
        assert!(conflicted(&smallest));
        assert!(
            smallest.len() <= 6,
            "seed {seed}: {} of {} lines are left\n{}",
            smallest.len(),
            scenario.lines().len(),
            String::from_utf8_lossy(&smallest.join(&b'\n'))
        );
    }
    assert!(tried >= 5, "{tried} logs had a conflict");
}
