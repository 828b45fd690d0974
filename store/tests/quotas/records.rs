//! The log of usage itself: how it grows, what a name can do to it, and what it is worth when others wrote in it.

use std::path::Path;

use tern_store::{
    Code, Expected, Head, Position, Principal, Quotas, Reason, Refusal, SqliteStore, Store, Usage,
};

use crate::common::{fresh, texts};
use crate::{at, bytes, deliveries, open, who, write};

/// The records of the log of usage.
fn records(path: &Path) -> Vec<String> {
    texts(&*SqliteStore::new(path).open(Usage::LOG).unwrap())
}

fn write_only(usage: &mut Usage, quotas: &Quotas, batch: &[(&str, &str)]) -> Vec<Refusal> {
    let deliveries = deliveries(batch);
    let reserved = usage.reserve(quotas, "a", &deliveries, at(0));
    reserved.unwrap().refused
}

/// A flood leaves one record a minute, whatever is in it; what came between is counted by who refused it.
#[test]
fn records_of_refusals_do_not_grow_with_what_was_refused() {
    let (_folder, path) = fresh();
    let mut usage = open(&path);
    let long = "x".repeat(100_000);
    let flood = vec![("mallory", &*long); 100];
    let refuse = |usage: &mut Usage, second| {
        let refused = write(&path, usage, &bytes(10), "a", &flood, at(second));
        refused[0].recorded
    };
    assert!(refuse(&mut usage, 0));
    let first = records(&path);
    assert!(first.len() == 1 && first[0].len() < 300, "{first:?}");
    for second in 1..60 {
        assert!(!refuse(&mut usage, second));
    }
    // Another process knows as much.
    assert!(!refuse(&mut open(&path), 59));
    assert_eq!(records(&path), first);
    assert!(refuse(&mut usage, 60));
    assert_eq!(records(&path).len(), 2);
    let usage_now = open(&path);
    let refused = &usage_now.spent(&who("mallory")).unwrap().refused[&Reason::Bytes];
    // All but what the other process had in memory.
    assert_eq!(
        (refused.deliveries, refused.bytes, refused.records),
        (61 * 100, 61 * 100 * 100_000, 2)
    );
    // Another reason, another principal and a clock that was set back are recorded.
    let none = Quotas {
        bytes: None,
        contexts: Some(0),
    };
    let refused = write(&path, &mut usage, &none, "b", &[("mallory", "x")], at(61));
    assert!(refused[0].recorded && refused[0].reason == Reason::Contexts);
    assert!(write(&path, &mut usage, &bytes(0), "a", &[("eve", "x")], at(61))[0].recorded);
    assert!(refuse(&mut usage, 0));
    assert!(!refuse(&mut usage, 30));
}

/// Hostile names: long ones take no room and are not each other, nor anything that can be chosen.
#[test]
fn hostile_principals_are_bounded_and_apart() {
    let (_folder, path) = fresh();
    let mut usage = open(&path);
    let long = "é".repeat(500_000);
    let other = format!("{long}!");
    let looks_alike = who(&long).to_string();
    let json = serde_json_of(&who(&long));
    let names = [
        &*long,
        &*other,
        &*looks_alike,
        &*json,
        "null",
        "",
        "\u{1}usage\u{1}",
        "a\nb\u{202e}\u{1b}[2J\0",
    ];
    for name in names {
        let refused = write_only(&mut usage, &bytes(3), &[(name, "1234"), (name, "123")]);
        assert_eq!(refused.len(), 1);
    }
    let usage = open(&path);
    assert_eq!(usage.principals().count(), names.len());
    for name in names {
        assert_eq!(usage.spent(&who(name)).unwrap().bytes, 3);
    }
    let longest = records(&path).iter().map(String::len).max();
    assert!(longest < Some(1000), "{longest:?}");
    // As many principals as there are in one batch are reserved for at once.
    let many: Vec<String> = (0..2500).map(|it| format!("many {it}")).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|name| (&**name, "x")).collect();
    let before = records(&path).len();
    let mut usage = open(&path);
    assert_eq!(write_only(&mut usage, &bytes(3), &many), []);
    assert_eq!(records(&path).len(), before + 3);
}

/// As it stands in a record.
fn serde_json_of(principal: &Principal) -> String {
    let Principal::Long { start, sha256 } = principal else {
        panic!("{principal:?} is short");
    };
    format!(r#"{{"start":"{start}","sha256":"{sha256}"}}"#)
}

/// A snapshot saves reading; a wrong one is not used. A record that is none of usage is damage.
#[test]
fn a_snapshot_is_used_if_it_is_of_these_records() {
    let (_folder, path) = fresh();
    let reserve = r#"{"reserve":{"log":"a","shares":[{"principal":"ana","bytes":1}]}}"#;
    let mut log = SqliteStore::new(&path).open(Usage::LOG).unwrap();
    let head = log
        .append(Expected::Any, &[reserve.as_bytes(); 1200])
        .unwrap();
    let spent = |path: &Path| open(path).spent(&who("ana")).map(|it| it.bytes);
    assert_eq!(log.snapshot(Usage::SNAPSHOT).unwrap(), None);
    let mut usage = open(&path);
    write_only(&mut usage, &bytes(10_000), &[("ana", "1")]);
    let kept = log.snapshot(Usage::SNAPSHOT).unwrap().unwrap();
    assert_eq!(kept.head, log.head().unwrap());
    assert_eq!(spent(&path), Some(1201));
    // That it is used is seen by one that says something else, of this head.
    let text = String::from_utf8(kept.bytes.clone()).unwrap();
    let other = text.replace("1201", "7000").into_bytes();
    // As a program that is not ours could.
    let put = |head: Head, bytes: &[u8]| {
        let conn = rusqlite::Connection::open(&path).unwrap();
        let sql = "UPDATE snapshot SET position = ?1, link = ?2, bytes = ?3";
        let position = head.position.as_u64().cast_signed();
        let changed = conn.execute(sql, (position, head.link.as_bytes(), bytes));
        assert_eq!(changed, Ok(1));
    };
    put(kept.head, &other);
    assert_eq!(spent(&path), Some(7000));
    for wrong in [
        &b""[..],
        b"[]x",
        b"{}",
        b"\xff",
        br#"[["ana",{"bytes":-1,"contexts":[],"refused":{}}]]"#,
        br#"[["ana",{"bytes":7000}]]"#,
        br#"[["ana",{"bytes":1,"contexts":[],"refused":{"other":{}}}]]"#,
    ] {
        put(kept.head, wrong);
        assert_eq!(
            spent(&path),
            Some(1201),
            "{}",
            String::from_utf8_lossy(wrong)
        );
    }
    // Of other records: the link is not the one that stands there.
    put(Head::new(head.position, kept.head.link), &other);
    assert_eq!(spent(&path), Some(1201));
    put(Head::start(Usage::LOG), &other);
    assert_eq!(spent(&path), Some(1201));
    // What came after it is read.
    put(head, &text.replace("1201", "1200").into_bytes());
    assert_eq!(spent(&path), Some(1201));
    log.append(Expected::Any, &[b"{}"]).unwrap();
    let store = SqliteStore::new(&path);
    let failed = Usage::open(store.open(Usage::LOG).unwrap()).unwrap_err();
    assert_eq!(failed.code(), Code::Corrupt);
    assert!(log.read(Position::START, 1).unwrap().len() == 1);
}

/// Sums that no number holds stay at the greatest.
#[test]
fn sums_do_not_wrap() {
    let (_folder, path) = fresh();
    let mut log = SqliteStore::new(&path).open(Usage::LOG).unwrap();
    let most = u64::MAX;
    let reserve =
        format!(r#"{{"reserve":{{"log":"a","shares":[{{"principal":"ana","bytes":{most}}}]}}}}"#);
    let refuse = format!(
        r#"{{"refuse":{{"log":"a","principal":null,"reason":"bytes","deliveries":{most},"bytes":{most},"sha256":"","at":{most},"unrecorded":{{"deliveries":{most},"bytes":{most}}}}}}}"#
    );
    let lines = [reserve.as_bytes(), refuse.as_bytes()];
    log.append(Expected::Any, &[lines, lines].concat()).unwrap();
    let mut usage = open(&path);
    assert_eq!(usage.spent(&who("ana")).unwrap().bytes, most);
    let refused = &usage.spent(&Principal::Nobody).unwrap().refused[&Reason::Bytes];
    assert_eq!((refused.bytes, refused.records), (most, 2));
    assert!(refused.last() > at(0));
    let refused = write_only(&mut usage, &bytes(most), &[("ana", "x"), ("", "x")]);
    assert_eq!(refused.len(), 1);
}
