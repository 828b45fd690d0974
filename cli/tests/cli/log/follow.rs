//! `tern log follow`: each record as it comes, also where several workers share the logs and some of them die.

use std::collections::BTreeMap;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::Value;

use super::{append, stored};
use crate::common::{Folder, ask, deliver, document};
use crate::stores::{in_nats, in_postgres};

/// T4.15: what was there and what comes, in order, each once.
#[test]
fn each_record_as_it_comes() {
    let folder = stored(2);
    let mut following = folder.command(&["log", "follow", "t.db", "--json", "--count", "6"]);
    let following = following.stdout(Stdio::piped()).spawn().unwrap();
    append(&folder, 2..3);
    append(&folder, 3..5);
    let output = following.wait_with_output().unwrap();
    assert!(output.status.success());
    let lines = String::from_utf8(output.stdout).unwrap();
    let positions: Vec<u64> = lines
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["position"]
                .as_u64()
                .unwrap()
        })
        .collect();
    assert_eq!(positions, [0, 1, 2, 3, 4, 5]);
    let ran = folder.tern(&["log", "follow", "t.db", "--from", "4", "--idle", "0"]);
    assert_eq!(ran.exits(0).lines().count(), 2);
}

/// Three workers share six logs; one is killed, one stops without dying. Every record is printed, those of a log in order,
/// and two workers never have a log at the same time but for what the lost ones had not noted.
#[test]
fn workers_share_and_take_over() {
    workers_share(Some("t.db".to_owned()));
}

#[test]
fn workers_share_and_take_over_in_postgres() {
    workers_share(in_postgres());
}

#[test]
fn workers_share_and_take_over_in_nats() {
    workers_share(in_nats());
}

fn workers_share(store: Option<String>) {
    const LOGS: usize = 6;
    let Some(store) = store else { return };
    let store = store.as_str();
    let folder = Folder::new();
    let write = |round: usize| {
        for log in 0..LOGS {
            let number = 3 * round;
            let records: Vec<_> = (number..number + 3)
                .map(|it| deliver(ask(&format!("ana:{}", it + 1), "?")))
                .collect();
            let text = document(&records).replacen("garden", &format!("g{log}"), 1);
            folder.write("log", text);
            folder.tern(&["log", "append", store, "log"]).exits(0);
        }
    };
    write(0);
    let worker = |name: &str| -> Child {
        let out = std::fs::File::create(folder.path(name)).unwrap();
        let arguments = [
            "log", "follow", store, "--json", "--group", "g", "--lease", "2", "--worker", name,
        ];
        folder.command(&arguments).stdout(out).spawn().unwrap()
    };
    let mut workers = ["a", "b", "c"].map(worker);
    let pause = || std::thread::sleep(Duration::from_millis(1500));
    pause();
    write(1);
    pause();
    workers[0].kill().unwrap();
    let stopped = workers[1].id().to_string();
    let signal = |signal: &str| {
        let sent = std::process::Command::new("kill")
            .args([signal, &stopped])
            .status();
        assert!(sent.unwrap().success());
    };
    signal("-STOP");
    write(2);
    // Long enough for the leases of both to end.
    std::thread::sleep(Duration::from_secs(6));
    signal("-CONT");
    write(3);
    std::thread::sleep(Duration::from_secs(4));
    for worker in &mut workers[1..] {
        let pid = worker.id().to_string();
        std::process::Command::new("kill")
            .args(["-TERM", &pid])
            .status()
            .unwrap();
        assert!(worker.wait().unwrap().success());
    }
    workers[0].wait().unwrap();
    let mut printed: BTreeMap<String, BTreeMap<u64, usize>> = BTreeMap::new();
    let mut logs_of = BTreeMap::new();
    for name in ["a", "b", "c"] {
        let text = std::fs::read_to_string(folder.path(name)).unwrap();
        let mut last: BTreeMap<String, u64> = BTreeMap::new();
        // A line that was cut by the end of its worker is none.
        for line in text
            .split_inclusive('\n')
            .filter(|line| line.ends_with('\n'))
        {
            let line: Value = serde_json::from_str(line).unwrap();
            let (log, position) = (
                line["log"].as_str().unwrap(),
                line["position"].as_u64().unwrap(),
            );
            // Whoever takes a log over goes on where its worker was, not where itself was once; within one tenure nothing
            // is printed twice.
            let before = last.insert(log.to_owned(), position);
            assert_ne!(
                before,
                Some(position),
                "{name} printed a record of {log} twice"
            );
            *printed
                .entry(log.to_owned())
                .or_default()
                .entry(position)
                .or_default() += 1;
        }
        logs_of.insert(name, last.len());
    }
    println!("logs of each worker: {logs_of:?}");
    let mut twice = 0;
    for log in 0..LOGS {
        let printed = &printed[&format!("g{log}")];
        let positions: Vec<u64> = printed.keys().copied().collect();
        assert_eq!(positions, (0..13).collect::<Vec<u64>>(), "log g{log}");
        twice += printed.values().filter(|&&times| times > 1).count();
    }
    println!("{twice} of {} records were printed twice", LOGS * 13);
    // What two lost workers had not noted, and not more.
    assert!(twice <= LOGS * 13 / 2, "{twice} were printed twice");
    assert!(
        logs_of.values().filter(|&&logs| logs > 0).count() >= 2,
        "{logs_of:?}"
    );
}
