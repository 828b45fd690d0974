//! kill -9 of writers and of the server, at random moments. INVARIANTS 1 to 3 and 7.
//!
//! `TERN_KILL_ROUNDS` says how many rounds: 10 if it does not.

use std::collections::HashSet;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::Child;

use tern_store::{Expected, Log, Position, Store as _};

use crate::common::{child, role, texts};
use crate::nats_server::{self, NatsServer};
use crate::{Random, at, open};

const WRITERS: usize = 3;
/// A new log is begun after so many rounds, or they would take ever longer to be read.
const ROUNDS_OF_A_LOG: u32 = 10;

pub(crate) fn rounds() -> u32 {
    std::env::var("TERN_KILL_ROUNDS").map_or(10, |rounds| rounds.parse().unwrap())
}

/// Every acknowledged record is there at its position, none twice, no gap, no half batch, the chain whole; and the store
/// that was left so is the one that the next round goes on with.
#[test]
fn nothing_acknowledged_is_lost() {
    if !nats_server::is_here() {
        return;
    }
    let mut server = NatsServer::start();
    let address = server.address("TERN");
    let mut random = Random::new();
    let mut seen = Seen::default();
    let mut acknowledged = 0;
    for round in 0..rounds() {
        if round % ROUNDS_OF_A_LOG == 0 {
            acknowledged += seen.acknowledged.len();
            seen = Seen::default();
        }
        let name = format!("log {}", round / ROUNDS_OF_A_LOG);
        let children: Vec<Child> = (0..WRITERS)
            .map(|writer| {
                child("kill::child_appends_until_killed", Path::new(&address))
                    .env("WRITER", format!("{round}.{writer}"))
                    .env("LOG", &name)
                    .spawn()
                    .unwrap()
            })
            .collect();
        // from before the log is there to some hundred appends
        random.pause(200);
        // the server, the writers, or the server and then the writers while it is away or just back
        if round % 3 != 1 {
            server.kill();
            if round % 3 == 2 {
                random.pause(100);
                seen.end(children);
                server.start_again();
            } else {
                random.pause(100);
                server.start_again();
                random.pause(300);
                seen.end(children);
            }
        } else {
            seen.end(children);
        }
        seen.check(&address, &name);
    }
    acknowledged += seen.acknowledged.len();
    assert!(
        acknowledged > 20,
        "only {acknowledged} appends in all rounds"
    );
    println!("{acknowledged} acknowledged");
}

/// What writers were told, and what a log held when it was read last.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) acknowledged: Vec<(usize, String)>,
    pub(crate) before: Vec<String>,
}

impl Seen {
    /// Kills writers and takes down what they were told.
    pub(crate) fn end(&mut self, mut children: Vec<Child>) {
        for child in &mut children {
            child.kill().unwrap();
        }
        for mut child in children {
            child.wait().unwrap();
            let mut said = String::new();
            child
                .stdout
                .take()
                .unwrap()
                .read_to_string(&mut said)
                .unwrap();
            // a line that was cut is no acknowledgement
            for line in said
                .split_inclusive('\n')
                .filter_map(|line| line.strip_prefix("ack ")?.strip_suffix('\n'))
            {
                let (position, record) = line.split_once(' ').unwrap();
                self.acknowledged
                    .push((position.parse().unwrap(), record.to_owned()));
            }
        }
    }

    pub(crate) fn check(&mut self, address: &str, name: &str) {
        let all = texts(&*open(address, name));
        assert!(all.starts_with(&self.before), "the history was changed");
        for (position, record) in &self.acknowledged {
            assert_eq!(all.get(*position), Some(record), "acknowledged and lost");
        }
        let different: HashSet<&String> = all.iter().collect();
        assert_eq!(different.len(), all.len(), "a record is there twice");
        check_batches(&all);
        self.before = all;
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

/// Appends batches until it is killed. A batch that failed is not tried again, for it may be there.
#[test]
#[ignore = "a role of another test"]
fn child_appends_until_killed() {
    let Some(address) = role() else { return };
    let address = address.to_str().unwrap();
    let (writer, name) = (
        std::env::var("WRITER").unwrap(),
        std::env::var("LOG").unwrap(),
    );
    let mut out = std::io::stdout();
    let mut log: Option<Box<dyn Log>> = None;
    for batch in 0_u64.. {
        // now and then one that does not fit into one message
        let size = if batch % 100 == 60 {
            20_000
        } else {
            1 + batch % 5
        };
        let records: Vec<String> = (0..size)
            .map(|part| format!("{writer} {batch} {part}/{size}"))
            .collect();
        let bytes: Vec<&[u8]> = records.iter().map(String::as_bytes).collect();
        let Some(open) = &mut log else {
            log = at(address).open(&name).ok();
            continue;
        };
        let expected = match batch % 4 {
            0 => match open.head() {
                Ok(head) => Expected::At(head.position),
                Err(_) => continue,
            },
            _ => Expected::Any,
        };
        let head = match open.append(expected, &bytes) {
            Ok(head) => head.position.as_u64(),
            Err(error) => {
                if error.code() != tern_store::Code::Conflict {
                    log = None;
                }
                continue;
            }
        };
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

/// INVARIANT 4: several processes append to one log, half of them where they believe it to end, and it has one order.
#[test]
fn processes_at_once_have_one_order() {
    if !nats_server::is_here() {
        return;
    }
    let server = NatsServer::start();
    let address = server.address("TERN");
    let children: Vec<Child> = (0..4)
        .map(|writer| {
            child("kill::child_appends_a_hundred", Path::new(&address))
                .env("WRITER", writer.to_string())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let all = texts(&*open(&address, "a"));
    assert_eq!(all.len(), 4 * 150);
    check_batches(&all);
    for writer in 0..4 {
        let own = all
            .iter()
            .filter(|it| it.starts_with(&format!("{writer} ")));
        let expected = (0..100).flat_map(|batch| {
            let size = 1 + batch % 2;
            (0..size).map(move |part| format!("{writer} {batch} {part}/{size}"))
        });
        assert!(own.eq(&expected.collect::<Vec<String>>()), "{writer}");
    }
}

#[test]
#[ignore = "a role of another test"]
fn child_appends_a_hundred() {
    let Some(address) = role() else { return };
    let writer: u64 = std::env::var("WRITER").unwrap().parse().unwrap();
    let mut log = open(address.to_str().unwrap(), "a");
    for batch in 0..100_u64 {
        let size = 1 + batch % 2;
        let records: Vec<String> = (0..size)
            .map(|part| format!("{writer} {batch} {part}/{size}"))
            .collect();
        let bytes: Vec<&[u8]> = records.iter().map(String::as_bytes).collect();
        let mut at = match writer % 2 {
            0 => Expected::Any,
            _ => Expected::At(Position::START),
        };
        while let Err(error) = log.append(at, &bytes) {
            match error {
                tern_store::Error::Conflict { found, .. } => at = Expected::At(found),
                error => panic!("{error}"),
            }
        }
    }
}
