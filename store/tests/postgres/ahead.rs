//! What is read ahead of a reader.

use std::thread;
use std::time::{Duration, Instant};

use tern_store::{Expected, Position, Record, Records, Store as _};

use crate::postgres_server::{database, postgres};
use crate::store_at;
use crate::trouble::Other;

/// Who goes while something is read ahead leaves no connection behind on which a result is still to come.
#[test]
fn a_connection_on_which_something_comes_is_not_used_again() {
    let Some(server) = postgres() else { return };
    let address = server.fresh();
    let store = store_at(&address);
    let mut log = store.open("a").unwrap();
    log.append(Expected::Any, &[&b"x"[..]; 16_000]).unwrap();
    drop(log);
    let log = store.open_read_only("a").unwrap();
    // from the seventh read on less than half of what was read ahead is left
    for from in 0..7 {
        assert_eq!(log.read(Position::new(from * 400), 400).unwrap().len(), 400);
    }
    let holder = Other::at(&address);
    holder.run("BEGIN; LOCK TABLE tern.record");
    let waiting = "SELECT coalesce(max(pid), 0) FROM pg_stat_activity WHERE application_name = 'tern-store' \
         AND datname = current_database() AND wait_event_type = 'Lock'";
    assert_eq!(log.read(Position::new(2800), 400).unwrap().len(), 400);
    let begun = Instant::now();
    let pid = loop {
        let pid = server.sql(database(&address), waiting);
        if pid != "0" {
            break pid;
        }
        assert!(begun.elapsed() < Duration::from_secs(5), "nothing is read");
    };
    drop(log);
    holder.run("COMMIT");
    let there = format!("SELECT count(*) FROM pg_stat_activity WHERE pid = {pid}");
    let begun = Instant::now();
    while server.sql(database(&address), &there) != "0" {
        assert!(begun.elapsed() < Duration::from_secs(5), "it is kept");
        thread::sleep(Duration::from_millis(20));
    }
    let log = store.open_read_only("a").unwrap();
    assert_eq!(log.read(Position::START, 20_000).unwrap().len(), 16_000);
}

/// Long records behind many short ones, read in pieces of every length.
#[test]
fn long_records_among_short_ones() {
    let Some(server) = postgres() else { return };
    let mut log = store_at(&server.fresh()).open("a").unwrap();
    let records: Vec<Vec<u8>> = (0..3000_usize)
        .map(|number| match number % 700 {
            699 => vec![7; 3 << 20],
            698 => vec![8; 17 << 10],
            _ => number.to_string().into_bytes(),
        })
        .collect();
    let batch: Vec<&[u8]> = records.iter().map(Vec::as_slice).collect();
    log.append(Expected::Any, &batch).unwrap();
    for piece in [1, 10, 64, 1000] {
        let (mut found, mut from): (Vec<Record>, _) = (Vec::new(), Position::START);
        loop {
            let read = log.read(from, piece).unwrap();
            if read.is_empty() {
                break;
            }
            from = from.after(read.len() as u64);
            found.extend(read);
        }
        assert!(found.iter().map(|it| &it.bytes).eq(&records), "{piece}");
    }
    let scanned = Records::new(&*log, Position::START).map(|it| it.unwrap().bytes);
    assert!(scanned.eq(records));
}
