//! Implementations of Tern that are wrong on purpose, each in one way, for the test that `tern conform` notices.
//!
//! `mutant NAME` speaks the protocol of `spec/protocol.md`. Further arguments mean nothing; a test finds its processes
//! by them.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program that is run by hand"
)]

mod document;
mod reading;
mod talkers;
mod talking;
mod telling;
mod tree;
mod working;

use std::env;
use std::io::{self, stdin, stdout};
use std::process::ExitCode;

use tern_conformance::engine::Core;
use tern_conformance::serve::serve;
use tern_conformance::{Answer, Ask, Engine, EngineError};
use tern_core::planted::{Fault, plant};

use self::reading::READERS;
use self::talkers::{CHILDREN, SOUND, TALKERS};
use self::telling::{TELLERS, Telling};
use self::working::WORKERS;

const USAGE: &str = "\
usage: mutant NAME        answer as the implementation of this name
       mutant --list      all of them: name, clause, what is wrong";

fn main() -> ExitCode {
    let name = env::args().nth(1).unwrap_or_default();
    if name == "--list" {
        list();
        return ExitCode::SUCCESS;
    }
    match run(&name) {
        Some(Ok(())) => ExitCode::SUCCESS,
        Some(Err(error)) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
        None => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn list() {
    let planted =
        Fault::ALL.map(|it| (it.name(), it.clause(), "the fault of this name is planted"));
    let readers = READERS
        .iter()
        .map(|(name, clause, what, _)| (*name, *clause, *what));
    let tellers = TELLERS
        .iter()
        .map(|(name, clause, what, _)| (*name, *clause, *what));
    let workers = WORKERS
        .iter()
        .map(|(name, clause, what, _)| (*name, *clause, *what));
    let talkers = TALKERS.iter().chain(SOUND);
    let talkers = talkers.map(|(name, clause, what, _)| (*name, *clause, *what));
    let all = planted.into_iter().chain(readers).chain(tellers);
    for (name, clause, what) in all.chain(workers).chain(talkers) {
        println!("{name:<24} {clause:<9} {what}");
    }
}

/// Answers as the mutant of this name, if there is one.
fn run(name: &str) -> Option<io::Result<()>> {
    let mut talkers = TALKERS.iter().chain(SOUND).chain(CHILDREN);
    if let Some((.., talk)) = talkers.find(|it| it.0 == name) {
        talk();
        return Some(Ok(()));
    }
    let mut engine = engine(name)?;
    Some(serve(&mut *engine, stdin().lock(), stdout().lock()))
}

fn engine(name: &str) -> Option<Box<dyn Engine>> {
    if let Some(fault) = Fault::ALL.into_iter().find(|it| it.name() == name) {
        plant(Some(fault));
        return Some(Box::new(Core::default()));
    }
    if let Some((.., read)) = READERS.iter().find(|it| it.0 == name) {
        return Some(Box::new(Reading { read: *read }));
    }
    if let Some((.., tell)) = TELLERS.iter().find(|it| it.0 == name) {
        return Some(Box::new(Telling {
            engine: Core::default(),
            tell: *tell,
        }));
    }
    let (.., make) = WORKERS.iter().find(|it| it.0 == name)?;
    Some(make())
}

/// The core, which gets another document than there is.
struct Reading {
    read: fn(&[u8]) -> Vec<u8>,
}

impl Engine for Reading {
    fn name(&self) -> &'static str {
        "reading"
    }

    fn run(&mut self, document: &[u8], ask: Ask) -> Result<Answer, EngineError> {
        Core::default().run(&(self.read)(document), ask)
    }
}
