//! Servers that stop, restart, run out of room or end our connections: INVARIANT 5.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use tern_store::{Code, Expected, Position, Store as _};
use tokio::runtime::Runtime;
use tokio_postgres::{Client, NoTls};

use crate::common::texts;
use crate::postgres_server::{Postgres, database, postgres};
use crate::store_at;

/// Somebody else's connection.
pub(crate) struct Other(Runtime, Client);

impl Other {
    pub(crate) fn at(address: &str) -> Self {
        let runtime = Runtime::new().unwrap();
        let (client, connection) = runtime
            .block_on(tokio_postgres::connect(address, NoTls))
            .unwrap();
        runtime.spawn(connection);
        Self(runtime, client)
    }

    pub(crate) fn run(&self, statements: &str) {
        self.0.block_on(self.1.batch_execute(statements)).unwrap();
    }
}

const OURS: &str =
    "FROM pg_stat_activity WHERE application_name = 'tern-store' AND datname = current_database()";

/// A statement that is cancelled and a connection that is ended while an append waits: nothing was written, and the log
/// goes on.
#[test]
fn an_append_is_cancelled_before_it_writes() {
    let Some(server) = postgres() else { return };
    let address = server.fresh();
    let mut log = store_at(&address).open("a").unwrap();
    for (how, code) in [("cancel", Code::Busy), ("terminate", Code::Unreachable)] {
        let holder = Other::at(&address);
        holder.run("BEGIN; SELECT FROM tern.log FOR UPDATE");
        let appending = thread::spawn(move || {
            let error = log.append(Expected::Any, &[b"x"]).unwrap_err();
            (error, log)
        });
        let waiting = format!("SELECT count(*) {OURS} AND wait_event_type = 'Lock'");
        while server.sql(database(&address), &waiting) != "1" {
            thread::sleep(Duration::from_millis(5));
        }
        server.sql(
            database(&address),
            &format!("SELECT pg_{how}_backend(pid) {OURS} AND wait_event_type = 'Lock'"),
        );
        let (error, after) = appending.join().unwrap();
        assert_eq!(error.code(), code, "{error}");
        log = after;
        holder.run("COMMIT");
        assert_eq!(log.head().unwrap().position, Position::START);
    }
    log.append(Expected::Any, &[b"x"]).unwrap();
}

/// Connections that are ended and statements that are cancelled at random moments: who is not poisoned has written
/// nothing that was not acknowledged.
#[test]
fn appends_are_ended_at_random() {
    let Some(server) = postgres() else { return };
    let address = server.fresh();
    let store = store_at(&address);
    let mut log = store.open("a").unwrap();
    let other = address.clone();
    let ending = thread::spawn(move || {
        let other = Other::at(&other);
        for round in 0..60_u64 {
            thread::sleep(Duration::from_micros(5_000 + round * 7_919 % 23_000));
            let how = ["terminate", "cancel"][(round % 2) as usize];
            other.run(&format!(
                "SELECT pg_{how}_backend(pid) {OURS} AND state <> 'idle'"
            ));
        }
    });
    let (mut known, mut batch, mut poisoned, mut refused) = (log.head().unwrap(), 0_u64, 0, 0);
    let mut records = Vec::new();
    while !ending.is_finished() {
        batch += 1;
        let record = format!("{batch}");
        match log.append(Expected::At(known.position), &[record.as_bytes()]) {
            Ok(head) => {
                known = head;
                records.push(record);
            }
            Err(error) if error.code() == Code::Io => {
                poisoned += 1;
                let after = log.head();
                assert!(
                    after.is_err_and(|it| it.code() == Code::Poisoned),
                    "{error}"
                );
                drop(log);
                log = again(|| store.open("a"));
                let found = again(|| log.head());
                if found != known {
                    assert_eq!(
                        found,
                        tern_store::Head::new(
                            known.position.after(1),
                            known.link.then(record.as_bytes())
                        )
                    );
                    records.push(record);
                }
                known = found;
            }
            Err(error) => {
                assert!(
                    matches!(error.code(), Code::Unreachable | Code::Busy),
                    "{error}"
                );
                refused += 1;
                assert_eq!(again(|| log.head()), known, "{error}");
            }
        }
    }
    ending.join().unwrap();
    println!(
        "{} appended, {refused} refused, {poisoned} undecided",
        records.len()
    );
    assert_eq!(texts(&*again(|| store.open("a"))), records);
}

/// Reading may be ended too, but only so often.
fn again<T>(mut ask: impl FnMut() -> Result<T, tern_store::Error>) -> T {
    for _ in 0..1000 {
        thread::sleep(Duration::from_millis(10));
        match ask() {
            Ok(answer) => return answer,
            Err(error) => assert!(
                matches!(error.code(), Code::Unreachable | Code::Busy),
                "{error}"
            ),
        }
    }
    panic!("a thousand times");
}

/// A server that is started again under an open log: reading goes on, and so does appending, as nothing was on its way.
/// One that stops without a word is given up, and when it goes on so does the log.
#[test]
fn a_server_that_goes_and_comes() {
    let Some(server) = Postgres::start("") else {
        return;
    };
    let address = server.fresh();
    let patience = Duration::from_millis(300);
    let store = store_at(&address).with_patience(patience).unwrap();
    let mut log = store.open("a").unwrap();
    let follower = store.open_read_only("a").unwrap();
    let head = log.append(Expected::Any, &[b"x"]).unwrap();
    let following = thread::spawn(move || {
        again(|| follower.wait(Position::new(2), Duration::from_secs(120))).position
    });
    server.kill();
    for error in [
        log.head().unwrap_err(),
        log.read(Position::START, 1).unwrap_err(),
        log.append(Expected::Any, &[b"y"]).unwrap_err(),
        store.open("a").err().unwrap(),
        store.promise().unwrap_err(),
    ] {
        assert_eq!(error.code(), Code::Unreachable, "{error}");
    }
    server.start_again();
    assert_eq!(log.head().unwrap(), head);
    let head = log.append(Expected::At(head.position), &[b"y"]).unwrap();
    let pids = server.signal("-STOP");
    let begun = Instant::now();
    for error in [
        log.head().unwrap_err(),
        log.append(Expected::Any, &[b"z"]).unwrap_err(),
        store.logs().unwrap_err(),
    ] {
        assert_eq!(error.code(), Code::Unreachable, "{error}");
    }
    assert!(begun.elapsed() < 30 * patience);
    server.signal("-CONT");
    assert!(!pids.is_empty());
    // what waits in the server's socket is not the append: that would have been its second flight
    assert_eq!(again(|| log.head()), head);
    log.append(Expected::At(head.position), &[b"z"]).unwrap();
    assert!(following.join().unwrap() >= Position::new(3));
    assert_eq!(texts(&*log), ["x", "y", "z"]);
}

/// A disk of the tables that is full while the write-ahead log has room: refused, everything acknowledged is there, and
/// with room the same log goes on.
#[test]
fn a_full_disk_of_tables() {
    let folder = tempfile::tempdir().unwrap();
    let Some(_mounted) = Mounted::at(folder.path(), "60m") else {
        return;
    };
    let Some(server) = postgres() else { return };
    let ballast = folder.path().join("ballast");
    let tables = folder.path().join("tables");
    fs::create_dir(&tables).unwrap();
    // a folder of the server's user
    let data = server.sql("postgres", "SHOW data_directory");
    let owned = Command::new("chown")
        .arg(format!("--reference={data}"))
        .arg(&tables)
        .status();
    assert!(owned.unwrap().success());
    let pass = Command::new("chmod").arg("755").arg(folder.path()).status();
    assert!(pass.unwrap().success());
    let place = tables.display();
    server.sql(
        "postgres",
        &format!("CREATE TABLESPACE small LOCATION '{place}'"),
    );
    server.sql(
        "postgres",
        "CREATE DATABASE small TEMPLATE template0 TABLESPACE small",
    );
    let store = store_at(&server.address("small"));
    let mut log = store.open("a").unwrap();
    let mut acknowledged = log.append(Expected::Any, &[b"x"]).unwrap();
    fs::write(&ballast, vec![0; 20 << 20]).unwrap();
    for _ in 0..2 {
        let failure = loop {
            match log.append(Expected::At(acknowledged.position), &[&[1; 100_000]]) {
                Ok(head) => acknowledged = head,
                Err(error) => break error,
            }
            assert!(
                acknowledged.position < Position::new(1000),
                "it was never full"
            );
        };
        assert_eq!(failure.code(), Code::Full, "{failure}");
        assert_eq!(log.head().unwrap(), acknowledged);
    }
    fs::remove_file(&ballast).unwrap();
    let head = log
        .append(Expected::At(acknowledged.position), &[b"y"])
        .unwrap();
    let read = log.read(Position::START, 1000).unwrap();
    assert_eq!(read.len() as u64, head.position.as_u64());
    drop((log, store));
    server.sql("postgres", "DROP DATABASE small WITH (FORCE)");
    server.sql("postgres", "DROP TABLESPACE small");
}

/// A disk that is full, with the write-ahead log on it: everything acknowledged is there. Where it is refused, the same log
/// goes on with room.
#[test]
fn a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    let Some(_mounted) = Mounted::at(folder.path(), "200m") else {
        return;
    };
    let settings = "shared_buffers = '16MB'\nmax_wal_size = '64MB'\nmin_wal_size = '32MB'";
    let Some(server) = Postgres::start_in(Some(&folder.path().join("data")), settings) else {
        return;
    };
    let address = server.fresh();
    let mut log = store_at(&address).open("a").unwrap();
    // what fills the disk besides us, and can be removed
    let ballast = folder.path().join("ballast");
    let mut acknowledged = log.append(Expected::Any, &[&[0; 1000]]).unwrap();
    let left = || {
        let free = Command::new("df")
            .args(["--output=avail", "-k"])
            .arg(folder.path())
            .output();
        let free = String::from_utf8(free.unwrap().stdout).unwrap();
        free.lines()
            .last()
            .unwrap()
            .trim()
            .parse::<usize>()
            .unwrap()
    };
    fs::write(&ballast, vec![0; left().saturating_sub(2000) << 10]).unwrap();
    let failure = loop {
        match log.append(Expected::Any, &[&[1; 100_000]]) {
            Ok(head) => acknowledged = head,
            Err(error) => break error,
        }
        assert!(
            acknowledged.position < Position::new(10_000),
            "it was never full"
        );
    };
    println!("{failure}, after {}", acknowledged.position);
    // where the write-ahead log has no room the server goes down, and nobody knows what became of the last batch
    assert!(
        matches!(failure.code(), Code::Full | Code::Io | Code::Unreachable),
        "{failure}"
    );
    fs::remove_file(&ballast).unwrap();
    if failure.code() == Code::Full {
        assert_eq!(log.head().unwrap(), acknowledged);
        log.append(Expected::At(acknowledged.position), &[b"x"])
            .unwrap();
    }
    let found = again(|| store_at(&address).open("a")?.head());
    let extra = found.position.as_u64() - acknowledged.position.as_u64();
    assert!(extra <= 1);
    let log = store_at(&address).open("a").unwrap();
    let read = tern_store::Records::new(&*log, Position::START).map(Result::unwrap);
    assert_eq!(read.count() as u64, found.position.as_u64());
}

struct Mounted(std::path::PathBuf);

impl Mounted {
    /// A small disk; none, and a word about it, without the right to mount one.
    fn at(folder: &std::path::Path, size: &str) -> Option<Self> {
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={size}"), "none"])
            .arg(folder)
            .status();
        if mounted.is_ok_and(|status| status.success()) {
            return Some(Self(folder.to_owned()));
        }
        crate::postgres_server::leave_out("a full disk: no right to mount a file system here");
        None
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _gone = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}
