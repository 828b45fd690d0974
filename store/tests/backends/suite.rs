//! The promises of a log, whatever keeps it. Each function is given a store in which nothing is yet.

use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use tern_store::{
    Code, Error, Expected, Head, Link, Log, Position, READ_BYTES, Record, Records, Snapshot, Store,
};

fn all(log: &dyn Log) -> Vec<Record> {
    Records::new(log, Position::START)
        .map(Result::unwrap)
        .collect()
}

fn texts(log: &dyn Log) -> Vec<String> {
    let text = |record: Record| String::from_utf8(record.bytes).unwrap();
    all(log).into_iter().map(text).collect()
}

/// Where a log of these records ends.
fn head_of(name: &str, records: &[&[u8]]) -> Head {
    let link = records
        .iter()
        .fold(Link::start(name), |link, record| link.then(record));
    Head::new(Position::new(records.len() as u64), link)
}

pub(crate) fn an_empty_store_has_no_logs(store: &dyn Store) {
    store.prepare().unwrap();
    assert_eq!(store.logs().unwrap(), []);
    store.prepare().unwrap();
}

/// INVARIANTS 1 and 2: records come back in order, to the byte, with their positions.
pub(crate) fn reads_back_what_was_appended(store: &dyn Store) {
    let mut log = store.open("a").unwrap();
    assert_eq!((log.store(), log.name()), (store.address(), "a"));
    assert_eq!(log.head().unwrap(), Head::start("a"));
    assert_eq!(log.read(Position::START, 10).unwrap(), []);
    let all_bytes: Vec<u8> = (0..=255).collect();
    let batch: [&[u8]; 4] = [b"", &all_bytes, b"\0", b""];
    let head = log.append(Expected::Any, &batch).unwrap();
    assert_eq!(head, head_of("a", &batch));
    assert_eq!(log.append(Expected::Any, &[]).unwrap(), head);
    let records = log.read(Position::START, 10).unwrap();
    let bytes: Vec<&[u8]> = records.iter().map(|record| &*record.bytes).collect();
    assert_eq!(bytes, batch);
    assert_eq!(log.read(Position::new(1), 1).unwrap(), records[1..2]);
    assert_eq!(
        log.read(Position::new(3), usize::MAX).unwrap(),
        records[3..]
    );
    for beyond in [4, 5, 1 << 40, u64::MAX] {
        assert_eq!(log.read(Position::new(beyond), 10).unwrap(), []);
    }
    assert_eq!(log.read(Position::START, 0).unwrap(), []);
}

/// INVARIANT 4: an append at a head that has moved changes nothing, and the log goes on.
pub(crate) fn a_stale_expectation_is_a_conflict(store: &dyn Store) {
    let mut log = store.open("a").unwrap();
    log.append(Expected::At(Position::START), &[b"x"]).unwrap();
    for (wrong, records) in [
        (0, &[&b"y"[..]][..]),
        (2, &[b"y"]),
        (u64::MAX, &[b"y"]),
        (0, &[]),
    ] {
        let expected = Position::new(wrong);
        let error = log.append(Expected::At(expected), records).unwrap_err();
        assert!(
            matches!(error, Error::Conflict { expected: it, found }
                if it == expected && found == Position::new(1)),
            "{error}"
        );
    }
    let here = Expected::At(Position::new(1));
    assert_eq!(log.append(here, &[]).unwrap().position, Position::new(1));
    log.append(here, &[b"z"]).unwrap();
    assert_eq!(texts(&*log), ["x", "z"]);
}

/// INVARIANT 4: of two that expect the same head one appends, the other learns where it is now.
pub(crate) fn two_that_expect_the_same_head(store: &dyn Store) {
    let mut first = store.open("a").unwrap();
    let mut second = store.open("a").unwrap();
    first
        .append(Expected::At(Position::START), &[b"1"])
        .unwrap();
    let error = second
        .append(Expected::At(Position::START), &[b"2"])
        .unwrap_err();
    assert!(matches!(error, Error::Conflict { found, .. } if found == Position::new(1)));
    assert_eq!(second.head().unwrap().position, Position::new(1));
    second
        .append(Expected::At(Position::new(1)), &[b"2"])
        .unwrap();
    second.append(Expected::Any, &[b"3"]).unwrap();
    first.append(Expected::Any, &[b"4"]).unwrap();
    assert_eq!(texts(&*first), ["1", "2", "3", "4"]);
    assert_eq!(texts(&*second), ["1", "2", "3", "4"]);
}

/// INVARIANT 3: a batch with one record that is refused leaves nothing, and the log goes on.
pub(crate) fn a_batch_with_a_refused_record_leaves_nothing(store: &dyn Store) {
    let mut log = store.open("a").unwrap();
    let long = vec![7; tern_store::MAX_RECORD_BYTES + 1];
    let error = log.append(Expected::Any, &[b"x", &long, b"y"]).unwrap_err();
    assert!(matches!(error, Error::RecordTooLong { index: 1, .. }));
    assert_eq!(log.head().unwrap().position, Position::START);
    log.append(Expected::Any, &[b"x"]).unwrap();
    assert_eq!(texts(&*log), ["x"]);
}

/// An answer is bounded in bytes and says its end by being empty, not by being short.
pub(crate) fn answers_are_bounded(store: &dyn Store) {
    let mut log = store.open("a").unwrap();
    let records: Vec<Vec<u8>> = (0..160).map(|byte| vec![byte; 512 << 10]).collect();
    for record in &records {
        log.append(Expected::Any, &[record]).unwrap();
    }
    let first = log.read(Position::START, 1000).unwrap();
    let bytes: usize = first.iter().map(|record| record.bytes.len()).sum();
    assert!(
        !first.is_empty() && bytes < READ_BYTES + (512 << 10),
        "{bytes}"
    );
    let read: Vec<Vec<u8>> = all(&*log).into_iter().map(|it| it.bytes).collect();
    assert!(read == records);
}

/// INVARIANT 3: a batch is one, also where it is large.
pub(crate) fn a_large_batch_is_one(store: &dyn Store) {
    let mut log = store.open("a").unwrap();
    let records: Vec<[u8; 8]> = (0..20_000_u64).map(u64::to_be_bytes).collect();
    let batch: Vec<&[u8]> = records.iter().map(<[u8; 8]>::as_slice).collect();
    let head = log.append(Expected::Any, &batch).unwrap();
    assert_eq!(head, head_of("a", &batch));
    let read = all(&*log);
    assert!(read.iter().map(|it| &*it.bytes).eq(batch));
}

/// A store holds many logs, and none sees another's records.
pub(crate) fn logs_are_apart(store: &dyn Store) {
    let long = "l".repeat(1024);
    let names = [
        "a",
        "A",
        "a ",
        "ä",
        "a\u{308}",
        "' OR 1=1 --",
        "\n",
        "%",
        ">",
        "*",
        "a.b",
        "a.",
        &long,
    ];
    for (count, name) in names.iter().enumerate() {
        let mut log = store.open(name).unwrap();
        for record in 0..count {
            let record = format!("{count} {record}");
            log.append(Expected::Any, &[record.as_bytes()]).unwrap();
        }
    }
    let mut first = store.open("a").unwrap();
    first
        .append(Expected::At(Position::START), &[b"late"])
        .unwrap();
    let mut expected: Vec<(String, Head)> = (0..)
        .zip(names)
        .map(|(count, name)| {
            let records: Vec<String> = (0..count).map(|it| format!("{count} {it}")).collect();
            let records: Vec<&[u8]> = records.iter().map(String::as_bytes).collect();
            (name.to_owned(), head_of(name, &records))
        })
        .collect();
    expected[0].1 = head_of("a", &[b"late"]);
    expected.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(store.logs().unwrap(), expected);
    assert_eq!(texts(&*store.open("a ").unwrap()), ["2 0", "2 1"]);
}

/// Names that no log can have.
pub(crate) fn bad_names_are_refused(store: &dyn Store) {
    for name in ["", "a\0b", &"x".repeat(1025)] {
        for opened in [store.open(name), store.open_read_only(name)] {
            let error = opened.err().unwrap();
            assert_eq!(error.code(), Code::BadName);
            assert!(error.to_string().len() < 200);
        }
    }
}

/// Looking creates nothing.
pub(crate) fn a_reader_creates_nothing(store: &dyn Store) {
    let missing = store.open_read_only("a").err().unwrap();
    assert_eq!(missing.code(), Code::Missing, "{missing}");
    assert_eq!(store.logs().unwrap_err().code(), Code::Missing);
    store.open("b").unwrap();
    let missing = store.open_read_only("a").err().unwrap();
    assert_eq!(missing.code(), Code::NoSuchLog);
    assert_eq!(store.logs().unwrap(), [("b".to_owned(), Head::start("b"))]);
}

pub(crate) fn a_reader_cannot_append(store: &dyn Store) {
    let mut log = store.open("a").unwrap();
    let head = log.append(Expected::Any, &[b"x"]).unwrap();
    let mut reader = store.open_read_only("a").unwrap();
    for records in [&[&b"y"[..]][..], &[]] {
        let error = reader.append(Expected::Any, records).unwrap_err();
        assert_eq!(error.code(), Code::ReadOnly);
    }
    let snapshot = Snapshot::new("test/1", head, vec![1]);
    let error = reader.put_snapshot(&snapshot).unwrap_err();
    assert_eq!(error.code(), Code::ReadOnly);
    assert_eq!(texts(&*reader), ["x"]);
}

/// INVARIANT 7: the links are those of the records, however they were appended.
pub(crate) fn the_chain_is_that_of_the_records(store: &dyn Store) {
    let mut log = store.open("a").unwrap();
    let records: Vec<String> = (0..1000).map(|it| format!("record {it}")).collect();
    for batch in records.chunks(7) {
        let batch: Vec<&[u8]> = batch.iter().map(String::as_bytes).collect();
        log.append(Expected::Any, &batch).unwrap();
    }
    let records: Vec<&[u8]> = records.iter().map(String::as_bytes).collect();
    let head = head_of("a", &records);
    assert_eq!(log.head().unwrap(), head);
    let mut read = Records::new(&*log, Position::new(300));
    assert_eq!(read.by_ref().map(Result::unwrap).count(), 700);
    assert_eq!(read.head(), Some(head));
    let known = head_of("a", &records[..300]);
    assert_eq!(Records::after(&*log, known).flatten().count(), 700);
    let other = Head::new(known.position, Link::start("b"));
    let error = Records::after(&*log, other).next().unwrap().unwrap_err();
    assert_eq!(error.code(), Code::BrokenChain);
}

/// Whoever follows a log learns of an append of somebody else.
pub(crate) fn waiting_ends_with_an_append(store: &dyn Store) {
    let mut log = store.open("a").unwrap();
    let reader = store.open_read_only("a").unwrap();
    let waiting = thread::spawn(move || {
        let head = reader.wait(Position::START, Duration::from_secs(60));
        (head.unwrap(), reader)
    });
    thread::sleep(Duration::from_millis(200));
    let head = log.append(Expected::Any, &[b"x", b"y"]).unwrap();
    let (seen, reader) = waiting.join().unwrap();
    assert_eq!(seen, head);
    let begun = Instant::now();
    let minute = Duration::from_secs(60);
    assert_eq!(reader.wait(Position::new(1), minute).unwrap(), head);
    assert!(begun.elapsed() < minute, "it is there already");
}

pub(crate) fn waiting_ends_with_the_patience(store: &dyn Store) {
    let mut log = store.open("a").unwrap();
    let head = log.append(Expected::Any, &[b"x"]).unwrap();
    let patience = Duration::from_millis(50);
    let begun = Instant::now();
    assert_eq!(log.wait(Position::new(1), patience).unwrap(), head);
    assert_eq!(log.wait(Position::new(7), patience).unwrap(), head);
    assert!(begun.elapsed() >= 2 * patience);
    assert_eq!(log.wait(Position::new(7), Duration::ZERO).unwrap(), head);
}

/// A snapshot is kept for each kind of each log, the last that was put.
pub(crate) fn snapshots_are_kept_by_kind(store: &dyn Store) {
    let mut log = store.open("a").unwrap();
    assert_eq!(log.snapshot("state/1").unwrap(), None);
    let empty = Snapshot::new("state/1", Head::start("a"), Vec::new());
    log.put_snapshot(&empty).unwrap();
    assert_eq!(log.snapshot("state/1").unwrap(), Some(empty));
    let first = log.append(Expected::Any, &[b"x"]).unwrap();
    let second = log.append(Expected::Any, &[b"y"]).unwrap();
    let large: Vec<u8> = (0..3_000_000_u32).map(|it| it as u8).collect();
    for (kind, head, bytes) in [
        ("state/1", second, large),
        ("state/2", second, vec![2]),
        ("state/1", first, vec![0; 9]),
    ] {
        let snapshot = Snapshot::new(kind, head, bytes);
        log.put_snapshot(&snapshot).unwrap();
        assert_eq!(log.snapshot(kind).unwrap().as_ref(), Some(&snapshot));
        let reader = store.open_read_only("a").unwrap();
        assert_eq!(reader.snapshot(kind).unwrap(), Some(snapshot));
    }
    assert_eq!(log.snapshot("state/2").unwrap().unwrap().bytes, [2]);
    assert_eq!(store.open("b").unwrap().snapshot("state/1").unwrap(), None);
    assert_eq!(store.logs().unwrap().len(), 2);
    assert_eq!(texts(&*log), ["x", "y"]);
}

pub(crate) fn bad_snapshots_are_refused(store: &dyn Store) {
    let mut log = store.open("a").unwrap();
    let head = log.append(Expected::Any, &[b"x"]).unwrap();
    let long = "k".repeat(65);
    for kind in ["", "a b", "ä", "a\0", "*", &long] {
        let error = log.put_snapshot(&Snapshot::new(kind, head, vec![1]));
        assert_eq!(error.unwrap_err().code(), Code::BadSnapshot, "{kind}");
        assert_eq!(log.snapshot(kind).unwrap(), None);
    }
    for elsewhere in [
        Head::new(Position::new(2), head.link),
        Head::new(Position::new(1), Link::start("a")),
        Head::new(Position::new(u64::MAX), head.link),
        Head::start("b"),
    ] {
        let error = log.put_snapshot(&Snapshot::new("state/1", elsewhere, vec![1]));
        assert_eq!(error.unwrap_err().code(), Code::BadSnapshot);
    }
    assert_eq!(log.snapshot("state/1").unwrap(), None);
    log.append(Expected::At(head.position), &[b"y"]).unwrap();
}

/// INVARIANTS 3 and 4: writers at once, each with a log value of its own: every batch is there once and whole, and those
/// of a writer in the order in which it appended them.
pub(crate) fn writers_at_once_have_one_order(store: &dyn Store) {
    const WRITERS: usize = 4;
    const BATCHES: usize = 25;
    let begin = Barrier::new(WRITERS);
    store.prepare().unwrap();
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let begin = &begin;
            scope.spawn(move || {
                begin.wait();
                let mut log = store.open("a").unwrap();
                for batch in 0..BATCHES {
                    let records: Vec<String> = (0..=batch % 3)
                        .map(|part| format!("{writer} {batch} {part}"))
                        .collect();
                    let bytes: Vec<&[u8]> = records.iter().map(String::as_bytes).collect();
                    loop {
                        let expected = match batch % 2 {
                            0 => Expected::Any,
                            _ => Expected::At(log.head().unwrap().position),
                        };
                        match log.append(expected, &bytes) {
                            Ok(head) => {
                                let first = head.position.as_u64() - bytes.len() as u64;
                                let there = log.read(Position::new(first), bytes.len()).unwrap();
                                assert!(there.iter().map(|it| &*it.bytes).eq(bytes));
                                break;
                            }
                            Err(Error::Conflict { .. }) => {}
                            Err(error) => panic!("{error}"),
                        }
                    }
                }
            });
        }
    });
    let mut found = texts(&*store.open_read_only("a").unwrap());
    let mut expected = Vec::new();
    for writer in 0..WRITERS {
        let own: Vec<&String> = found
            .iter()
            .filter(|it| it.starts_with(&format!("{writer} ")))
            .collect();
        let appended: Vec<String> = (0..BATCHES)
            .flat_map(|batch| (0..=batch % 3).map(move |it| format!("{writer} {batch} {it}")))
            .collect();
        assert!(own.into_iter().eq(&appended));
        expected.extend(appended);
    }
    for batch in found.split(|it| it.ends_with(" 0")) {
        assert!(batch.windows(2).all(|it| it[0] < it[1]));
    }
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}

/// What one was acknowledged, every other one sees from then on, also one that had it open before.
pub(crate) fn what_was_acknowledged_is_there_for_others(store: &dyn Store) {
    let mut log = store.open("a").unwrap();
    let reader = store.open_read_only("a").unwrap();
    for round in 0..50_u64 {
        let head = log.append(Expected::Any, &[&round.to_be_bytes()]).unwrap();
        assert_eq!(reader.head().unwrap(), head);
        let read = reader.read(Position::new(round), 10).unwrap();
        assert_eq!(read.len(), 1);
        assert_eq!(read[0].bytes, round.to_be_bytes());
    }
}
