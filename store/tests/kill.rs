//! kill -9 at random moments.
//!
//! T1.30: that something has been seen is durable before any side effect. INVARIANTS 1 to 3.
//! The first test checks the promise for a killed process. No test here cuts the power; the second
//! one checks that the system is asked to sync in time.
#![cfg(feature = "sqlite")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod common;
#[path = "common/killed.rs"]
mod killed;
#[path = "common/missing.rs"]
mod missing;

use std::process::{Command, Stdio};
use std::time::Duration;

use common::{as_child, fresh, role};
use killed::{Claims, Writers, append_until_killed, rounds};
use missing::leave_out;
use tern_store::SqliteStore;

/// Every acknowledged record is there at its position, none twice, no gap, no half batch; and
/// the store that was left so is the one that the next round goes on with.
#[test]
fn nothing_acknowledged_is_lost() {
    let (_folder, path) = fresh();
    let address = path.to_str().unwrap();
    let store = SqliteStore::new(&path);
    let mut claims = Claims::new();
    for round in 0..rounds(20) {
        // from before the file exists (round 0) to some hundred appends
        let writers = Writers::start(address, round, 2, 50);
        std::thread::sleep(Duration::from_micros(u64::from(claims.random() % 150_000)));
        claims.note(writers.kill());
        claims.check(&store, round);
    }
    claims.expect_many();
}

#[test]
#[ignore = "a role of another test"]
fn child_appends_until_killed() {
    let Some(path) = role() else { return };
    append_until_killed(&SqliteStore::new(&path));
}

/// T1.30 as far as the power is concerned: between the last write of an append and the word that
/// acknowledges it the system was asked to put the data on the medium. Watched with strace; says
/// so where it is left out.
#[test]
fn a_sync_comes_before_every_acknowledgement() {
    if Command::new("strace")
        .arg("-V")
        .stdout(Stdio::null())
        .status()
        .is_err()
    {
        leave_out("no strace here");
        return;
    }
    let (folder, path) = fresh();
    let trace = folder.path().join("trace");
    let watch = [
        "-f",
        "-o",
        trace.to_str().unwrap(),
        "-e",
        "trace=fsync,fdatasync,pwrite64,write",
    ];
    let mut command = Command::new("strace");
    command.args(watch).arg(std::env::current_exe().unwrap());
    as_child(&mut command, "child_appends_until_killed", &path);
    command.env("WRITER", "w").env("BATCHES", "20");
    let status = command.stdout(Stdio::null()).status().unwrap();
    let trace = std::fs::read_to_string(&trace).unwrap();
    if !status.success() && !trace.contains("ack ") {
        leave_out("no right to trace here");
        return;
    }
    let (mut acknowledged, mut unsynced, mut synced) = (0, false, false);
    for call in trace.lines() {
        if call.contains(" write(1, \"ack ") {
            assert!(
                synced && !unsynced,
                "acknowledged before it was synced: {call}"
            );
            (acknowledged, synced) = (acknowledged + 1, false);
        } else if call.contains(" pwrite64(") {
            unsynced = true;
        } else if call.contains("sync(") && call.ends_with("= 0") {
            (synced, unsynced) = (true, false);
        }
    }
    assert_eq!(acknowledged, 20);
}
