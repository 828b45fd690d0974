//! Streams and messages of other programs. INVARIANTS 2, 6 and 7: never a wrong history without a word.

use async_nats::jetstream::stream::Config;
use tern_store::{Code, Expected, Link, Position, Records, Store as _};

use crate::nats_server::{self, NatsServer};
use crate::{at, bare, open};

/// INVARIANT 6: a stream that we did not make is left alone.
#[test]
fn a_stream_of_another_program_is_left_alone() {
    if !nats_server::is_here() {
        return;
    }
    let server = NatsServer::start();
    for (number, (description, code)) in [
        (None, Code::NotALog),
        (Some("orders"), Code::NotALog),
        (Some("tern-store, logs, version 0"), Code::NotALog),
        (Some("tern-store, logs, version x"), Code::NotALog),
        (Some("tern-store, logs, version 2"), Code::NewerSchema),
        // ours by its name, but it forgets
        (Some("tern-store, logs, version 1"), Code::NotALog),
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("S{number}");
        let config = Config {
            name: name.clone(),
            subjects: vec![format!("{name}.log.*"), format!("{name}.part")],
            description: description.map(str::to_owned),
            ..Config::default()
        };
        let made = bare(server.port, async |context| {
            context
                .create_stream(config)
                .await
                .unwrap()
                .cached_info()
                .clone()
        });
        let store = at(&server.address(&name));
        for error in [
            store.open("a").err().unwrap(),
            store.open_read_only("a").err().unwrap(),
            store.prepare().unwrap_err(),
            store.logs().unwrap_err(),
            store.promise().unwrap_err(),
        ] {
            assert_eq!(error.code(), code, "{description:?}: {error}");
        }
        let now = bare(server.port, async |context| {
            context
                .get_stream(&name)
                .await
                .unwrap()
                .cached_info()
                .clone()
        });
        assert_eq!((made.config, made.state), (now.config, now.state));
    }
}

/// A setting with which records would be forgotten is noticed; and the server lets nobody delete or purge.
#[test]
fn nothing_is_forgotten() {
    if !nats_server::is_here() {
        return;
    }
    let server = NatsServer::start();
    let address = server.address("TERN");
    open(&address, "a").append(Expected::Any, &[b"x"]).unwrap();
    bare(server.port, async |context| {
        let mut stream = context.get_stream("TERN").await.unwrap();
        assert!(stream.delete_message(2).await.is_err());
        assert!(stream.purge().await.is_err());
        let mut config = stream.info().await.unwrap().config.clone();
        config.max_age = std::time::Duration::from_secs(3600);
        context.update_stream(config).await.unwrap();
    });
    let error = at(&address).open("a").err().unwrap();
    assert_eq!(error.code(), Code::NotALog);
    assert!(error.to_string().contains("max_age"), "{error}");
    for (setting, bytes, message) in [
        ("max_bytes", 1 << 30, -1),
        ("max_msg_size", -1, 1 << 20),
        ("", -1, -1),
    ] {
        bare(server.port, async |context| {
            let mut stream = context.get_stream("TERN").await.unwrap();
            let mut config = stream.info().await.unwrap().config.clone();
            config.max_age = std::time::Duration::ZERO;
            (config.max_bytes, config.max_message_size) = (bytes, message);
            context.update_stream(config).await.unwrap();
        });
        match at(&address).open("a") {
            Ok(log) => assert!(setting.is_empty() && log.head().is_ok()),
            Err(error) => {
                assert_eq!(error.code(), Code::NotALog);
                assert!(error.to_string().contains(setting), "{error}");
            }
        }
    }
}

/// A message as it would be published by us.
fn frame(previous: u64, first: u64, after: Link, records: &[(Link, &[u8])]) -> Vec<u8> {
    let mut bytes = b"tern\x01\x01an id of 16 byte".to_vec();
    bytes.extend(previous.to_be_bytes());
    bytes.extend(first.to_be_bytes());
    bytes.extend((records.len() as u32).to_be_bytes());
    bytes.extend(after.as_bytes());
    for (link, record) in records {
        bytes.extend((record.len() as u32).to_be_bytes());
        bytes.extend(link.as_bytes());
        bytes.extend(*record);
    }
    bytes
}

#[test]
fn messages_of_other_programs_are_noticed() {
    if !nats_server::is_here() {
        return;
    }
    let server = NatsServer::start();
    let start = Link::start("a");
    let [one, two] = [start.then(b"1"), start.then(b"1").then(b"2")];
    let three = two.then(b"3");
    let good = frame(2, 2, three, &[(three, b"3")]);
    // kind 2: one part, which is another message
    let parts = [
        &b"tern\x01\x02an id of 16 byte"[..],
        &[0, 0, 0, 0, 0, 0, 0, 2].repeat(2),
        &[0, 0, 0, 1],
        three.as_bytes(),
        &[0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 100],
    ]
    .concat();
    let newer = [b"tern\x02", &good[5..]].concat();
    // what is published behind two records, what is wrong with the head then, and with a scan
    let (corrupt, broken) = (Some(Code::Corrupt), Some(Code::BrokenChain));
    for (number, (payload, head, scan)) in [
        (b"garbage".to_vec(), corrupt, corrupt),
        (Vec::new(), corrupt, corrupt),
        (good[..78].to_vec(), corrupt, corrupt),
        (newer, Some(Code::NewerSchema), Some(Code::NewerSchema)),
        // behind one that is not there
        (frame(7, 2, three, &[(three, b"3")]), corrupt, corrupt),
        // at other positions
        (frame(2, 3, three, &[(three, b"3")]), corrupt, corrupt),
        (frame(2, 1, three, &[(three, b"3")]), corrupt, corrupt),
        // with another link at its end
        (frame(2, 2, two, &[(three, b"3")]), corrupt, corrupt),
        (parts, None, corrupt),
        // a link that does not follow
        (frame(2, 2, one, &[(one, b"3")]), None, broken),
        (frame(2, 2, three, &[(three, b"x")]), None, broken),
        // late, so that they do not count
        (frame(1, 0, one, &[(one, b"1")]), None, None),
        (frame(1, 7, three, &[(three, b"3")]), None, None),
    ]
    .into_iter()
    .enumerate()
    {
        let stream = format!("S{number}");
        let address = server.address(&stream);
        let mut log = open(&address, "a");
        log.append(Expected::Any, &[b"1", b"2"]).unwrap();
        publish(&server, &format!("{stream}.log.a"), payload);
        let fresh = at(&address).open_read_only("a");
        for found in [log.head(), fresh.and_then(|log| log.head())] {
            let found = found.map(|head| head.position.as_u64());
            let expected = 2 + u64::from(scan.is_some());
            assert!(
                found.as_ref().map_or(true, |it| *it == expected),
                "{number}: {found:?}"
            );
            assert_eq!(found.err().map(|it| it.code()), head, "{number}");
        }
        let records = Records::new(&*log, Position::START);
        let read: Vec<_> = records.map_while(Result::ok).collect();
        assert!(read.len() <= 2, "{number}: {read:?}");
        let error = Records::new(&*log, Position::START).find_map(Result::err);
        assert_eq!(error.map(|it| it.code()), scan, "{number}");
        let appended = log.append(Expected::Any, &[b"3"]);
        assert_eq!(appended.err().map(|it| it.code()), head, "{number}");
        if head.is_some() {
            let error = log.append(Expected::Any, &[b"3"]).unwrap_err();
            assert_eq!(error.code(), Code::Poisoned, "{number}");
        }
    }
}

fn publish(server: &NatsServer, subject: &str, payload: Vec<u8>) {
    bare(server.port, async |context| {
        let sent = context.publish(subject.to_owned(), payload.into()).await;
        sent.unwrap().await.unwrap();
    });
}

/// A message in the middle that does not belong there stops whoever reads over it, although the head looks right.
#[test]
fn a_gap_is_noticed_in_the_middle_too() {
    if !nats_server::is_here() {
        return;
    }
    let server = NatsServer::start();
    let address = server.address("TERN");
    let mut log = open(&address, "a");
    for number in 0..20_u64 {
        log.append(Expected::Any, &[&number.to_be_bytes()]).unwrap();
    }
    let link = Link::start("b");
    let [ahead, next] = [link.then(b"1"), link.then(b"1").then(b"2")];
    publish(
        &server,
        "TERN.log.a",
        frame(21, 30, ahead, &[(ahead, b"1")]),
    );
    publish(&server, "TERN.log.a", frame(22, 31, next, &[(next, b"2")]));
    let log = open(&address, "a");
    assert_eq!(log.head().unwrap().position, Position::new(32));
    for from in [0, 5, 19, 20, 25, 29] {
        let read = log.read(Position::new(from), 100);
        assert_eq!(read.unwrap_err().code(), Code::Corrupt, "{from}");
    }
}

/// A cluster of nats-server 2.9 can store two that follow the same message: the first counts, for everybody.
#[test]
fn of_two_that_follow_the_same_message_the_first_counts() {
    if !nats_server::is_here() {
        return;
    }
    let server = NatsServer::start();
    let address = server.address("TERN");
    let mut log = open(&address, "a");
    let before = open(&address, "a");
    let mut link = Link::start("a");
    let mut expected = Vec::new();
    let mut last = 1;
    for number in 0..60 {
        let record = number.to_string();
        let faster = link.then(record.as_bytes());
        let late = link.then(b"late");
        let fork = frame(last, number, late, &[(late, b"late")]);
        if number % 3 == 0 {
            log.append(Expected::At(Position::new(number)), &[record.as_bytes()])
                .unwrap();
        } else {
            publish(
                &server,
                "TERN.log.a",
                frame(last, number, faster, &[(faster, record.as_bytes())]),
            );
        }
        last = bare(server.port, async |context| {
            context
                .get_stream("TERN")
                .await
                .unwrap()
                .cached_info()
                .state
                .last_sequence
        });
        for _ in 0..number % 2 {
            publish(&server, "TERN.log.a", fork.clone());
        }
        link = faster;
        expected.push(record);
        let head = open(&address, "a").head().unwrap();
        assert_eq!(
            (head.position, head.link),
            (Position::new(number + 1), link)
        );
        assert_eq!(log.head().unwrap(), head);
    }
    for log in [&*log, &*before, &*open(&address, "a")] {
        assert_eq!(crate::common::texts(log), expected);
        for from in [0, 1, 17, 30, 31, 58, 59] {
            let read = open(&address, "a").read(Position::new(from), 100).unwrap();
            assert_eq!(read.len() as u64, 60 - from);
            assert_eq!(read[0].bytes, from.to_string().as_bytes());
        }
    }
    let head = log.head().unwrap();
    assert_eq!(log.append(Expected::At(head.position), &[]).unwrap(), head);
    log.append(Expected::At(head.position), &[b"60"]).unwrap();
}

/// What stands on other subjects of the stream is no record, and what is no log's is told.
#[test]
fn parts_without_a_batch_are_nothing() {
    if !nats_server::is_here() {
        return;
    }
    let server = NatsServer::start();
    let address = server.address("TERN");
    let mut log = open(&address, "a");
    log.append(Expected::Any, &[b"1"]).unwrap();
    publish(&server, "TERN.part", b"left behind".to_vec());
    log.append(Expected::At(Position::new(1)), &[b"2"]).unwrap();
    assert_eq!(crate::common::texts(&*log), ["1", "2"]);
    assert_eq!(at(&address).logs().unwrap().len(), 1);
    publish(&server, "TERN.log.=zz", b"?".to_vec());
    let error = at(&address).logs().unwrap_err();
    assert_eq!(error.code(), Code::Corrupt, "{error}");
    assert_eq!(
        open(&address, "a").head().unwrap().position,
        Position::new(2)
    );
}

/// A stream that was deleted under an open log, and one that was made again: neither is taken for the log.
#[test]
fn a_stream_that_is_gone_is_noticed() {
    if !nats_server::is_here() {
        return;
    }
    let server = NatsServer::start();
    let address = server.address("TERN");
    let log = open(&address, "a");
    let mut writer = open(&address, "a");
    writer.append(Expected::Any, &[b"1", b"2"]).unwrap();
    log.head().unwrap();
    bare(server.port, async |context| {
        context.delete_stream("TERN").await.unwrap()
    });
    open(&address, "a")
        .append(Expected::Any, &[b"other"])
        .unwrap();
    open(&address, "a")
        .append(Expected::Any, &[b"other"])
        .unwrap();
    let found = log.read(Position::START, 10);
    assert!(
        found.is_err() || Records::new(&*log, Position::START).any(|it| it.is_err()),
        "{found:?}"
    );
    let error = writer.append(Expected::At(Position::new(2)), &[b"3"]);
    assert_eq!(error.unwrap_err().code(), Code::Corrupt);
}
