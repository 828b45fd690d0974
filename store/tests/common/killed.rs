//! Processes that append until they are killed, and what has to be there afterwards (INVARIANTS 1 to 3).
#![allow(dead_code, reason = "each test file uses some of it")]

use std::collections::HashSet;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::Child;
use std::time::SystemTime;

use tern_store::{Expected, Store};

use crate::common::{child, texts};

/// How many rounds to run.
pub(crate) fn rounds(usual: u32) -> u32 {
    std::env::var("TERN_KILL_ROUNDS").map_or(usual, |rounds| rounds.parse().unwrap())
}

/// Processes that append to the log `a`.
pub(crate) struct Writers(Vec<Child>);

impl Writers {
    /// The test binary needs an ignored test `child_appends_until_killed`. One of so many batches is large.
    pub(crate) fn start(address: &str, round: u32, writers: usize, large: u32) -> Self {
        let start = |writer| {
            child("child_appends_until_killed", Path::new(address))
                .env("WRITER", format!("{round}.{writer}"))
                .env("LARGE", large.to_string())
                .stderr(std::process::Stdio::null())
                .spawn()
                .unwrap()
        };
        Self((0..writers).map(start).collect())
    }

    /// What they were acknowledged until they were killed.
    pub(crate) fn kill(mut self) -> Vec<(usize, String)> {
        for child in &mut self.0 {
            child.kill().unwrap();
        }
        let mut acknowledged = Vec::new();
        for mut child in self.0 {
            child.wait().unwrap();
            let mut said = String::new();
            let mut out = child.stdout.take().unwrap();
            out.read_to_string(&mut said).unwrap();
            // a line that was cut is no acknowledgement
            for line in said
                .split_inclusive('\n')
                .filter_map(|line| line.strip_prefix("ack ")?.strip_suffix('\n'))
            {
                let (position, record) = line.split_once(' ').unwrap();
                acknowledged.push((position.parse().unwrap(), record.to_owned()));
            }
        }
        acknowledged
    }
}

/// What is known to be in the log.
pub(crate) struct Claims {
    random: u32,
    acknowledged: Vec<(usize, String)>,
    before: Vec<String>,
}

impl Claims {
    pub(crate) fn new() -> Self {
        let seed = SystemTime::UNIX_EPOCH.elapsed().unwrap().subsec_nanos() | 1;
        println!("seed {seed}");
        Self {
            random: seed,
            acknowledged: Vec::new(),
            before: Vec::new(),
        }
    }

    pub(crate) fn random(&mut self) -> u32 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 17;
        self.random ^= self.random << 5;
        self.random
    }

    pub(crate) fn note(&mut self, acknowledged: Vec<(usize, String)>) {
        self.acknowledged.extend(acknowledged);
    }

    /// Every acknowledged record is at its position, none is there twice, no batch in part, and what was there once is
    /// there still.
    pub(crate) fn check(&mut self, store: &dyn Store, round: u32) {
        // the first look is sometimes a reader's, which may not repair anything
        if round % 2 == 1 {
            assert!(texts(&*store.open_read_only("a").unwrap()).starts_with(&self.before));
        }
        let all = texts(&*store.open("a").unwrap());
        assert!(all.starts_with(&self.before), "the history was changed");
        for (position, record) in &self.acknowledged {
            assert_eq!(all.get(*position), Some(record), "acknowledged and lost");
        }
        let distinct: HashSet<&String> = all.iter().collect();
        assert_eq!(distinct.len(), all.len(), "a record is there twice");
        check_batches(&all);
        self.before = all;
    }

    /// How many records were acknowledged.
    pub(crate) fn acknowledged(&self) -> usize {
        self.acknowledged.len()
    }

    pub(crate) fn expect_many(&self) {
        let (acknowledged, all) = (self.acknowledged.len(), self.before.len());
        assert!(
            acknowledged > 20,
            "only {acknowledged} appends in all rounds"
        );
        println!("{acknowledged} acknowledged of {all}");
    }
}

/// INVARIANT 3: a batch of n records is there whole, its records named `writer batch part/n`.
fn check_batches(all: &[String]) {
    let mut rest = all;
    while let Some(first) = rest.first() {
        let (name, parts) = first.rsplit_once(' ').unwrap();
        let size: usize = parts.strip_prefix("0/").unwrap().parse().unwrap();
        let batch: Vec<String> = (0..size)
            .map(|part| format!("{name} {part}/{size}"))
            .collect();
        assert_eq!(rest.get(..size), Some(batch.as_slice()));
        rest = &rest[size..];
    }
}

/// The role of a writer.
pub(crate) fn append_until_killed(store: &dyn Store) {
    let number = |name: &str| std::env::var(name).map(|number| number.parse::<u64>().unwrap());
    let writer = std::env::var("WRITER").unwrap();
    let (batches, large) = (
        number("BATCHES").unwrap_or(u64::MAX),
        number("LARGE").unwrap_or(50),
    );
    let mut log = store.open("a").unwrap();
    let mut out = std::io::stdout();
    for batch in 0..batches {
        // now and then one that does not fit into SQLite's cache
        let size = if batch % large == large - 1 {
            20_000
        } else {
            1 + batch % 4
        };
        let records: Vec<String> = (0..size)
            .map(|part| format!("{writer} {batch} {part}/{size}"))
            .collect();
        let bytes: Vec<&[u8]> = records.iter().map(String::as_bytes).collect();
        let head = log.append(Expected::Any, &bytes).unwrap().position.as_u64();
        let mut lines = String::new();
        for (position, record) in (head - size..).zip(&records) {
            lines += &format!("ack {position} {record}\n");
        }
        // a pipe that is full is one that nobody reads yet: say less, for not saying is allowed
        if size < 10 {
            out.write_all(lines.as_bytes()).unwrap();
            out.flush().unwrap();
        }
    }
}
