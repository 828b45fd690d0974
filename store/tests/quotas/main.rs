//! Quotas: nobody fills more than their own, and what was refused stands on record.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

#[path = "../common/mod.rs"]
mod common;
mod records;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::thread;
use std::time::{Duration, SystemTime};

use common::{fresh, texts};
use tern_store::{
    Code, Delivery, Expected, Leases, Link, Principal, Quotas, Reason, Refusal, SqliteStore, Store,
    Usage, is_auxiliary,
};

fn open(path: &Path) -> Usage {
    let store = SqliteStore::new(path);
    Usage::open(store.open(Usage::LOG).unwrap()).unwrap()
}

fn at(second: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000 + second)
}

fn bytes(most: u64) -> Quotas {
    Quotas {
        bytes: Some(most),
        contexts: None,
    }
}

fn who(name: &str) -> Principal {
    Principal::from(Some(name))
}

fn deliveries<'a>(batch: &'a [(&'a str, &'a str)]) -> Vec<Delivery<'a>> {
    let delivery = |&(name, text): &(&'a str, &'a str)| Delivery {
        principal: Some(name),
        bytes: text.as_bytes(),
    };
    batch.iter().map(delivery).collect()
}

/// Reserves room for a batch in the log `log` and appends what is admitted, as a writer does.
fn write(
    path: &Path,
    usage: &mut Usage,
    quotas: &Quotas,
    log: &str,
    batch: &[(&str, &str)],
    now: SystemTime,
) -> Vec<Refusal> {
    let reserved = usage.reserve(quotas, log, &deliveries(batch), now).unwrap();
    assert_eq!(reserved.admitted.len(), batch.len());
    let admitted: Vec<String> = batch
        .iter()
        .zip(&reserved.admitted)
        .filter(|(_, admitted)| **admitted)
        .map(|((name, text), _)| format!("{name}|{text}"))
        .collect();
    let admitted: Vec<&[u8]> = admitted.iter().map(String::as_bytes).collect();
    let mut log = SqliteStore::new(path).open(log).unwrap();
    log.append(Expected::Any, &admitted).unwrap();
    reserved.refused
}

/// What each principal has in the logs of a store, in bytes and in logs.
fn filled(path: &Path) -> BTreeMap<String, (u64, BTreeSet<String>)> {
    let store = SqliteStore::new(path);
    let mut filled: BTreeMap<String, (u64, BTreeSet<String>)> = BTreeMap::new();
    for (name, _) in store.logs().unwrap() {
        if is_auxiliary(&name) {
            continue;
        }
        for text in texts(&*store.open(&name).unwrap()) {
            let (principal, text) = text.split_once('|').unwrap();
            let filled = filled.entry(principal.to_owned()).or_default();
            filled.0 += text.len() as u64;
            filled.1.insert(name.clone());
        }
    }
    filled
}

/// SHA-256 over texts, each with a newline: a link is SHA-256 over what comes first and what follows.
fn sha256(refused: &[&str]) -> String {
    let text: String = refused.iter().map(|text| format!("{text}\n")).collect();
    Link::start(&text).to_string()
}

/// Each delivery stands for itself: what does not fit is refused, what fits comes, and nobody pays for another.
#[test]
fn each_delivery_stands_for_itself() {
    let (_folder, path) = fresh();
    let mut usage = open(&path);
    let batch = [
        ("ana", "12345678"),
        ("ana", "9abc"),
        ("ben", "hello"),
        ("ana", "de"),
        ("ana", "f"),
    ];
    let reserved = usage
        .reserve(&bytes(10), "a", &deliveries(&batch), at(0))
        .unwrap();
    assert_eq!(reserved.admitted, [true, false, true, true, false]);
    let [refusal] = &*reserved.refused else {
        panic!("{:?}", reserved.refused);
    };
    assert_eq!(
        (refusal.deliveries, refusal.bytes, &*refusal.log),
        (2, 5, "a")
    );
    assert_eq!(
        (refusal.principal.clone(), refusal.reason),
        (who("ana"), Reason::Bytes)
    );
    assert!(refusal.recorded && refusal.code() == Code::OverQuota);
    assert_eq!(refusal.sha256, sha256(&["9abc", "f"]));
    // Whoever opens it later sees the same.
    let usage = open(&path);
    let ana = usage.spent(&who("ana")).unwrap();
    assert_eq!((ana.bytes, ana.contexts.len()), (10, 1));
    let refused = &ana.refused[&Reason::Bytes];
    assert_eq!(
        (refused.deliveries, refused.bytes, refused.records),
        (2, 5, 1)
    );
    assert_eq!((refused.last(), &refused.sha256), (at(0), &refusal.sha256));
    let ben = usage.spent(&who("ben")).unwrap();
    assert_eq!((ben.bytes, ben.refused.len()), (5, 0));
}

/// A principal speaks in so many logs of a store and no more; where it spoke it goes on. Nobody is one principal.
#[test]
fn contexts_are_counted_over_the_store() {
    let (_folder, path) = fresh();
    let mut usage = open(&path);
    let quotas = Quotas {
        bytes: None,
        contexts: Some(2),
    };
    for (log, name, refused) in [
        ("a", "ana", false),
        ("b", "ana", false),
        ("c", "ana", true),
        ("c", "ben", false),
        ("c", "ana", true),
        ("a", "ana", false),
        ("a", "", false),
        ("b", "", false),
        ("c", "", true),
    ] {
        let refusals = write(&path, &mut usage, &quotas, log, &[(name, "x")], at(0));
        assert_eq!(refusals.len(), usize::from(refused), "{log} {name}");
        assert!(refusals.iter().all(|it| it.reason == Reason::Contexts));
    }
    let none = Delivery {
        principal: None,
        bytes: b"x",
    };
    let reserved = usage.reserve(&quotas, "d", &[none], at(0)).unwrap();
    assert_eq!(reserved.admitted, [false]);
    assert_eq!(reserved.refused[0].principal, Principal::Nobody);
}

/// INVARIANT 4: writers at once never fill more than a quota together, and fill all of it.
#[test]
fn two_writers_at_once_never_exceed() {
    const QUOTA: u64 = 100;
    let (_folder, path) = fresh();
    drop(open(&path));
    thread::scope(|scope| {
        for writer in 0..4 {
            let path = &path;
            scope.spawn(move || {
                let mut usage = open(path);
                let quotas = Quotas {
                    bytes: Some(QUOTA),
                    contexts: Some(2),
                };
                for round in 0..15 {
                    let log = format!("log {}", (round + writer) % 3);
                    let batch = [("ana", "1234567"), ("ben", "12345"), ("ana", "1")];
                    write(path, &mut usage, &quotas, &log, &batch, at(round));
                }
            });
        }
    });
    let usage = open(&path);
    for (name, (bytes, logs)) in filled(&path) {
        assert_eq!((&*name, bytes, logs.len()), (&*name, QUOTA, 2));
        let spent = usage.spent(&who(&name)).unwrap();
        assert_eq!((spent.bytes, &spent.contexts), (bytes, &logs));
    }
}

/// A writer that dies between reservation and append leaves room that is counted, and never the other way.
#[test]
fn a_crash_counts_what_never_came() {
    let (_folder, path) = fresh();
    let mut usage = open(&path);
    let reserved = usage.reserve(&bytes(10), "a", &deliveries(&[("ana", "123456")]), at(0));
    assert_eq!(reserved.unwrap().admitted, [true]);
    drop(usage);
    let mut usage = open(&path);
    let batch = [("ana", "123456"), ("ana", "1234")];
    let refused = write(&path, &mut usage, &bytes(10), "a", &batch, at(0));
    assert_eq!(refused[0].bytes, 6);
    assert_eq!(filled(&path)["ana"].0, 4);
    assert_eq!(usage.spent(&who("ana")).unwrap().bytes, 10);
}

/// A delivery that no log takes reserves nothing for those beside it.
#[test]
fn what_no_log_takes_reserves_nothing() {
    let (_folder, path) = fresh();
    let mut usage = open(&path);
    let huge = "x".repeat(tern_store::MAX_RECORD_BYTES + 1);
    let batch = [("ben", "1"), ("ana", &*huge)];
    let failed = usage.reserve(&bytes(1 << 40), "a", &deliveries(&batch), at(0));
    assert_eq!(failed.unwrap_err().code(), Code::RecordTooLong);
    let failed = usage.reserve(&bytes(9), "a\0", &deliveries(&batch[..1]), at(0));
    assert_eq!(failed.unwrap_err().code(), Code::BadName);
    assert_eq!(usage.principals().count(), 0);
    // Where it is over the quota it is refused like any other.
    let refused = write(&path, &mut usage, &bytes(10), "a", &batch, at(0));
    assert_eq!((refused.len(), refused[0].deliveries), (1, 1));
}

/// Over random batches, quotas, logs and restarts: what a principal has appended is never more than its quota, is what is
/// counted, and does not depend on how the deliveries were cut into batches.
#[test]
fn at_random_nobody_has_more_than_their_quota() {
    let mut seed = 7_u64;
    let mut random = move |below: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % below
    };
    let text = "x".repeat(40);
    let (mut refused, mut admitted) = (0, 0);
    for _ in 0..8 {
        let quotas = Quotas {
            bytes: (random(4) > 0).then(|| random(200) as u64),
            contexts: (random(3) > 0).then(|| random(3) as u64),
        };
        let all: Vec<(&str, usize, &str)> = (0..40)
            .map(|_| {
                let name = ["ana", "ben", "cleo", ""][random(4)];
                (name, random(3), &text[..random(40)])
            })
            .collect();
        let ends = ["one", "two"].map(|_| {
            let (_folder, path) = fresh();
            let mut usage = open(&path);
            let mut rest = &all[..];
            while !rest.is_empty() {
                let log = rest[0].1;
                let most = rest.iter().take_while(|it| it.1 == log).count();
                let (batch, others) = rest.split_at(1 + random(most));
                rest = others;
                let batch: Vec<(&str, &str)> = batch.iter().map(|it| (it.0, it.2)).collect();
                let log = format!("log {log}");
                for refusal in write(&path, &mut usage, &quotas, &log, &batch, at(0)) {
                    refused += refusal.deliveries;
                }
                if random(5) == 0 {
                    usage = open(&path);
                }
            }
            let filled = filled(&path);
            for (name, (bytes, logs)) in &filled {
                let spent = usage.spent(&who(name)).unwrap();
                assert_eq!((spent.bytes, &spent.contexts), (*bytes, logs));
                assert!(quotas.bytes.is_none_or(|most| *bytes <= most));
                assert!(quotas.contexts.is_none_or(|most| logs.len() as u64 <= most));
                admitted += 1;
            }
            filled
        });
        assert_eq!(ends[0], ends[1]);
    }
    assert!(refused > 50 && admitted > 20, "{refused} {admitted}");
}

/// Only logs of leases and of usage are left out where logs are listed.
#[test]
fn auxiliary_logs_are_known_by_their_names() {
    assert!(is_auxiliary(Usage::LOG) && is_auxiliary(&Leases::log_of("a")));
    for name in ["usage", "\u{1}usage", "\u{1}", "", "a\u{1}usage\u{1}"] {
        assert!(!is_auxiliary(name), "{name:?}");
    }
}
