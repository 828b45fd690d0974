//! Engines that fail are found, like engines that differ.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "tests")]

use std::io;

use tern_conformance::differ::{self, Difference};
use tern_conformance::engine::{Core, Model, TernCommand};
use tern_conformance::generate::Preset;
use tern_conformance::hunt::hunt;
use tern_conformance::{Answer, Ask, Census, Engine, EngineError, generate};

/// The core, but for a log with a WITHDRAW in it.
struct Fails(fn() -> EngineError);

impl Engine for Fails {
    fn name(&self) -> &'static str {
        "failing"
    }

    fn run(&mut self, document: &[u8], ask: Ask) -> Result<Answer, EngineError> {
        let fails = String::from_utf8_lossy(document).contains(r#""withdraw""#);
        if fails {
            Err((self.0)())
        } else {
            Core::default().run(document, ask)
        }
    }
}

fn panics() -> EngineError {
    panic!("no withdrawals\u{1b}[2J")
}

/// T1.34: an engine that panics is found, with the smallest log on which it does.
#[test]
fn t1_34_an_engine_that_panics_is_found() {
    let preset = Preset::named("forks").unwrap();
    let scenarios = (0..20).map(|seed| generate::seeded(seed, preset));
    let mut census = Census::new();
    let found = hunt(
        &mut Fails(panics),
        &mut Model::default(),
        Ask::ViewAfterEach,
        scenarios,
        &mut census,
    );
    let found = found.unwrap().unwrap();
    let text = found.to_string();
    println!("{text}");
    let Difference::Failure {
        left: Some(left),
        right: None,
    } = &found.difference
    else {
        panic!("{text}");
    };
    assert!(left.contains("no withdrawals"));
    assert!(text.starts_with("failing | model differ: a failure: "));
    // T3.12: what an engine says does nothing to a terminal.
    assert!(!text.contains('\u{1b}'));
    assert_eq!(
        found.smallest.lines().len(),
        2,
        "the context and the REVISE"
    );
}

/// What could not be run says nothing about any log.
#[test]
fn an_engine_that_cannot_be_run_ends_the_hunt() {
    let cannot = || EngineError::Io {
        engine: "failing".into(),
        source: io::Error::other("gone"),
    };
    let preset = Preset::named("forks").unwrap();
    let scenarios = (0..20).map(|seed| generate::seeded(seed, preset));
    let found = hunt(
        &mut Fails(cannot),
        &mut Model::default(),
        Ask::ViewAfterEach,
        scenarios,
        &mut Census::new(),
    );
    assert!(matches!(found, Err(EngineError::Io { .. })));
}

/// An error names the command that it is about, and a command that ends badly is a difference.
#[test]
fn errors_name_the_command() {
    let document = generate::seeded(1, Preset::named("forks").unwrap()).document();
    let mut missing = TernCommand::new("nowhere/tern");
    let error = missing.run(&document, Ask::ViewAtEnd).unwrap_err();
    assert!(error.to_string().contains("nowhere/tern"), "{error}");

    let mut bad = TernCommand::new("false");
    let found = differ::compare(&mut bad, &mut Core::default(), &document, Ask::ViewAtEnd);
    let found = found.unwrap().unwrap().to_string();
    assert!(
        found.contains("false") && found.ends_with("| answered"),
        "{found}"
    );
}
