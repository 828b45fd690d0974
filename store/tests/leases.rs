//! Leases: one holder at a time, whoever dies, and whoever is late.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod common;

use std::collections::HashSet;
use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, SystemTime};

use common::fresh;
use tern_store::{Code, Expected, Leases, Outcome, SqliteStore, Store};

const SECOND: Duration = Duration::from_secs(1);

fn open(path: &Path) -> Leases {
    let store = SqliteStore::new(path);
    Leases::open(store.open(&Leases::log_of("a")).unwrap()).unwrap()
}

fn at(second: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000 + second)
}

/// A lease is over at its end and not before, and the note stays.
#[test]
fn a_lease_ends_with_its_time() {
    let (_folder, path) = fresh();
    let (mut one, mut two) = (open(&path), open(&path));
    let lease = one.take("x", "one", at(0), 10 * SECOND).unwrap().unwrap();
    assert_eq!((lease.attempt, &*lease.note), (1, ""));
    assert_eq!(two.take("x", "two", at(9), SECOND).unwrap(), None);
    assert_eq!(one.take("x", "one", at(9), SECOND).unwrap(), None);
    assert!(
        two.take("y", "two", at(9), Duration::MAX)
            .unwrap()
            .is_some()
    );
    assert!(one.renew(&lease, at(5), 10 * SECOND, Some("half")).unwrap());
    assert_eq!(two.take("x", "two", at(14), SECOND).unwrap(), None);
    let taken = two.take("x", "two", at(15), SECOND).unwrap().unwrap();
    assert_eq!((taken.attempt, &*taken.note), (2, "half"));
    assert!(taken.token > lease.token);
    // Whoever comes back late learns that it is lost, and changes nothing.
    assert!(
        !one.renew(&lease, at(15), 90 * SECOND, Some("late"))
            .unwrap()
    );
    assert!(!one.release(&lease, at(15), "late", Outcome::Done).unwrap());
    assert!(!one.holds(&lease) && two.holds(&taken));
    let found = one.resource("x").unwrap();
    assert_eq!(
        (&*found.holder, found.until, &*found.note),
        ("two", at(16), "half")
    );
}

/// A lease that was given back is free from the time on that its holder named.
#[test]
fn a_released_lease_is_free_when_it_says() {
    let (_folder, path) = fresh();
    let (mut one, mut two) = (open(&path), open(&path));
    let lease = one.take("x", "one", at(0), 10 * SECOND).unwrap().unwrap();
    assert!(
        one.release(&lease, at(5), "failed", Outcome::Failed)
            .unwrap()
    );
    assert!(
        !one.release(&lease, at(5), "again", Outcome::Failed)
            .unwrap()
    );
    assert_eq!(two.take("x", "two", at(4), SECOND).unwrap(), None);
    let taken = two.take("x", "two", at(5), SECOND).unwrap().unwrap();
    assert_eq!(&*taken.note, "failed");
    assert_eq!(taken.until, at(6));
    assert_eq!(two.resource("x").unwrap().failures, 1);
    // It is not given back, and that counts too; what is done does not.
    let third = two.take("x", "three", at(6), SECOND).unwrap().unwrap();
    assert_eq!(two.resource("x").unwrap().failures, 2);
    assert!(two.release(&third, at(6), "", Outcome::Done).unwrap());
    assert_eq!(two.resource("x").unwrap().failures, 2);
    // Nobody takes anything for longer than a day.
    let long = two.take("x", "two", at(7), Duration::MAX).unwrap().unwrap();
    assert_eq!(long.until, at(7) + Leases::LONGEST);
}

/// Of many that want the same at the same time one gets it, each time.
#[test]
fn of_many_one_gets_it() {
    let (_folder, path) = fresh();
    drop(open(&path));
    let won = Mutex::new(HashSet::new());
    thread::scope(|scope| {
        for holder in 0..4 {
            let (path, won) = (&path, &won);
            scope.spawn(move || {
                let mut leases = open(path);
                for round in 0..20 {
                    let resource = format!("{round}");
                    let holder = format!("{holder}");
                    if let Some(lease) = leases.take(&resource, &holder, at(0), SECOND).unwrap() {
                        assert!(won.lock().unwrap().insert(resource), "two have it");
                        assert_eq!(lease.attempt, 1);
                    }
                }
            });
        }
    });
    assert_eq!(won.lock().unwrap().len(), 20);
    assert_eq!(open(&path).resources().count(), 20);
}

/// Records that are against the rules change nothing; what is no lease at all is damage.
#[test]
fn what_is_against_the_rules_changes_nothing() {
    let (_folder, path) = fresh();
    let mut one = open(&path);
    let lease = one.take("x", "one", at(0), 10 * SECOND).unwrap().unwrap();
    let before = one.resource("x").cloned();
    let mut log = SqliteStore::new(&path).open(&Leases::log_of("a")).unwrap();
    for record in [
        r#"{"take":{"resource":"x","holder":"thief","at":1000009000,"until":9000000000}}"#,
        r#"{"renew":{"resource":"x","token":7,"until":9000000000,"note":"thief"}}"#,
        r#"{"release":{"resource":"x","token":7,"not_before":0,"note":"thief"}}"#,
        r#"{"release":{"resource":"unknown","token":0,"not_before":0,"note":""}}"#,
        r#"{"renew":{"resource":"x","token":0,"until":0}}"#,
    ] {
        log.append(Expected::Any, &[record.as_bytes()]).unwrap();
        one.look().unwrap();
        assert_eq!(one.resource("x").cloned(), before, "{record}");
    }
    assert!(one.holds(&lease));
    for time in ["18446744073709551615", "0"] {
        let record =
            format!(r#"{{"take":{{"resource":"{time}","holder":"h","at":0,"until":{time}}}}}"#);
        log.append(Expected::Any, &[record.as_bytes()]).unwrap();
        one.look().unwrap();
    }
    log.append(Expected::Any, &[b"{}"]).unwrap();
    // It is not forgotten.
    for _ in 0..2 {
        assert_eq!(one.look().unwrap_err().code(), Code::Corrupt);
    }
}
