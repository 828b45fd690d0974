//! Servers that are stopped, killed, full, or do not let us in. INVARIANT 5.

use std::path::Path;
use std::time::{Duration, Instant};

use async_nats::rustls::crypto::CryptoProvider;
use tern_store::{
    Code, Expected, Head, Kept, MAX_RECORD_BYTES, Position, Records, Snapshot, Store as _,
};

use crate::common::{child, role, succeed, texts};
use crate::nats_server::{self, NatsServer};
use crate::{at, open};

/// A server that is stopped under an append and goes on soon: the append is acknowledged, and there once, however often it
/// was published meanwhile.
#[test]
fn an_append_outlasts_a_server_that_is_stopped() {
    if !nats_server::is_here() {
        return;
    }
    let server = NatsServer::start();
    let mut log = open(&server.address("TERN"), "a");
    log.append(Expected::Any, &[b"before"]).unwrap();
    server.signal("STOP");
    let appending = std::thread::spawn(move || {
        let begun = Instant::now();
        let head = log.append(Expected::At(Position::new(1)), &[b"under", b"it"]);
        (head.unwrap(), begun.elapsed(), log)
    });
    // longer than one answer may take
    std::thread::sleep(Duration::from_secs(5));
    server.signal("CONT");
    let (head, took, mut log) = appending.join().unwrap();
    assert!(
        took > Duration::from_secs(4),
        "it was not stopped: {took:?}"
    );
    assert_eq!(head.position, Position::new(3));
    log.append(Expected::At(head.position), &[b"after"])
        .unwrap();
    assert_eq!(texts(&*log), ["before", "under", "it", "after"]);
}

/// Whoever lists the logs while others begin some finds each once, and all that were there before.
#[test]
fn logs_are_listed_once_while_others_begin() {
    if !nats_server::is_here() {
        return;
    }
    let server = NatsServer::start();
    for round in 0..3 {
        let address = server.address(&format!("ROUND{round}"));
        let store = at(&address);
        let mut first = open(&address, "z");
        first.append(Expected::Any, &[b"x"]).unwrap();
        let beginning = std::thread::spawn(move || {
            // each before those that are there already, so that they move on
            for name in ('a'..='y').rev().map(String::from) {
                let mut log = open(&address, &name);
                log.append(Expected::Any, &[b"x"]).unwrap();
                first.append(Expected::Any, &[b"y"]).unwrap();
            }
        });
        let mut before = vec!["z".to_owned()];
        while !beginning.is_finished() {
            let listed = store.logs().unwrap().into_iter().map(|it| it.0);
            let listed: Vec<String> = listed.collect();
            assert!(listed.windows(2).all(|it| it[0] < it[1]), "{listed:?}");
            assert!(
                before.iter().all(|it| listed.contains(it)),
                "{listed:?} after {before:?}"
            );
            before = listed;
        }
        beginning.join().unwrap();
    }
}

/// One that is stopped for longer than the patience: the log answers nothing more, and what is there is seen when it is
/// opened again.
#[test]
fn an_append_without_an_answer_poisons() {
    if !nats_server::is_here() {
        return;
    }
    let server = NatsServer::start();
    let address = server.address("TERN");
    let mut log = open(&address, "a");
    log.append(Expected::Any, &[b"before"]).unwrap();
    server.signal("STOP");
    let error = log.append(Expected::Any, &[b"under it"]).unwrap_err();
    assert_eq!(error.code(), Code::Unreachable, "{error}");
    server.signal("CONT");
    for error in [
        log.head().unwrap_err(),
        log.read(Position::START, 1).unwrap_err(),
        log.append(Expected::Any, &[b"x"]).unwrap_err(),
        log.wait(Position::START, Duration::ZERO).unwrap_err(),
        log.snapshot("state/1").unwrap_err(),
    ] {
        assert_eq!(error.code(), Code::Poisoned, "{error}");
    }
    let mut log = open(&address, "a");
    let again = log.append(Expected::At(Position::new(1)), &[b"under it"]);
    assert!(again.is_ok() || again.unwrap_err().code() == Code::Conflict);
    assert_eq!(texts(&*log), ["before", "under it"]);
}

/// A read, a scan that was begun, a wait and an append go on after the server was killed and started again.
#[test]
fn a_log_goes_on_after_a_restart() {
    if !nats_server::is_here() {
        return;
    }
    let mut server = NatsServer::start();
    let address = server.address("TERN");
    let mut log = open(&address, "a");
    let records: Vec<String> = (0..3000).map(|it| it.to_string()).collect();
    for batch in records.chunks(3) {
        let batch: Vec<&[u8]> = batch.iter().map(String::as_bytes).collect();
        log.append(Expected::Any, &batch).unwrap();
    }
    let scanned = open(&address, "a");
    let mut scan = Records::new(&*scanned, Position::START);
    let mut found: Vec<_> = scan.by_ref().take(700).map(Result::unwrap).collect();
    let waiting = open(&address, "a");
    let waiting = std::thread::spawn(move || {
        let head = waiting.wait(Position::new(3000), Duration::from_secs(60));
        head.unwrap().position
    });
    std::thread::sleep(Duration::from_millis(100));
    server.kill();
    std::thread::sleep(Duration::from_millis(100));
    server.start_again();
    found.extend(scan.map(Result::unwrap));
    let found = found.into_iter().map(|it| String::from_utf8(it.bytes));
    assert!(found.map(Result::unwrap).eq(records));
    assert_eq!(log.read(Position::new(2998), 10).unwrap().len(), 2);
    log.append(Expected::At(Position::new(3000)), &[b"x"])
        .unwrap();
    assert_eq!(waiting.join().unwrap(), Position::new(3001));
}

#[test]
fn servers_that_do_not_let_us_in_are_unreachable() {
    if !nats_server::is_here() {
        return;
    }
    let users = "jetstream: {}\nauthorization { user: ann, password: secret }";
    let locked = NatsServer::with(users);
    let plain = NatsServer::with("");
    let (locked, plain) = (locked.port, (plain.port, plain));
    let nobody = nats_server::free_port();
    for address in [
        format!("nats://127.0.0.1:{nobody}/TERN"),
        format!("nats://127.0.0.1:{locked}/TERN"),
        format!("nats://ann:hidden@127.0.0.1:{locked}/TERN"),
        format!("nats://hidden@127.0.0.1:{locked}/TERN"),
        // without JetStream
        format!("nats://127.0.0.1:{}/TERN", plain.0),
        // without TLS
        format!("tls://127.0.0.1:{}/TERN", plain.0),
    ] {
        let store = at(&address);
        for error in [
            store.open("a").err().unwrap(),
            store.prepare().unwrap_err(),
            store.logs().unwrap_err(),
        ] {
            assert_eq!(error.code(), Code::Unreachable, "{address}: {error}");
            let said = format!("{error} {error:?} {store:?}");
            assert!(!said.contains("hidden"), "{said}");
        }
    }
}

#[test]
fn who_has_the_password_is_let_in() {
    if !nats_server::is_here() {
        return;
    }
    let users = "jetstream: {}\nauthorization { user: ann, password: \"s@c/et\" }";
    let server = NatsServer::with(users);
    let address = format!("nats://ann:s%40c%2fet@127.0.0.1:{}/TERN", server.port);
    let mut log = open(&address, "a");
    log.append(Expected::Any, &[b"x"]).unwrap();
    let said = format!("{:?} {}", at(&address), log.store());
    assert!(!said.contains("s%40c"), "{said}");
    let server = NatsServer::with("jetstream: {}\nauthorization { token: tok }");
    open(&format!("nats://tok@127.0.0.1:{}", server.port), "a");
}

/// `tls://` with a certificate that the system trusts, and with one that it does not.
#[test]
fn a_certificate_must_be_trusted() {
    if !nats_server::is_here() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [certificate, key] = ["certificate.pem", "key.pem"].map(|name| folder.path().join(name));
    let made = std::process::Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
        ])
        .args(["-nodes", "-days", "2", "-subj", "/CN=localhost"])
        .args(["-addext", "subjectAltName=IP:127.0.0.1"])
        .args(["-addext", "basicConstraints=critical,CA:FALSE"])
        .arg("-out")
        .arg(&certificate)
        .arg("-keyout")
        .arg(&key)
        .output();
    if !made.is_ok_and(|made| made.status.success()) {
        let _ = std::io::Write::write_all(&mut std::io::stderr(), b"LEFT OUT: no openssl here\n");
        return;
    }
    let [certificate, key] = [certificate.display(), key.display()];
    let server = NatsServer::with(&format!(
        "jetstream: {}\ntls {{ cert_file: \"{certificate}\", key_file: \"{key}\" }}",
        "{}"
    ));
    let address = server.address("TERN").replace("nats://", "tls://");
    let error = at(&address).open("a").err().unwrap();
    assert_eq!(error.code(), Code::Unreachable, "{error}");
    let mut trusting = child("trouble::child_trusts", Path::new(&address));
    trusting.env("SSL_CERT_FILE", certificate.to_string());
    succeed(trusting);
}

#[test]
#[ignore = "a role of another test"]
fn child_trusts() {
    let Some(address) = role() else { return };
    let mut log = open(address.to_str().unwrap(), "a");
    log.append(Expected::Any, &[b"x"]).unwrap();
    assert_eq!(texts(&*log), ["x"]);
    // what the program that we are part of chooses is not hindered
    let chosen = CryptoProvider::get_default();
    assert!(chosen.is_none());
}

/// The server has no room: what was acknowledged is there, and nothing else.
#[test]
fn a_full_server_keeps_what_it_acknowledged() {
    if !nats_server::is_here() {
        return;
    }
    let server = NatsServer::with("jetstream: { max_file_store: 3MB }");
    let address = server.address("TERN");
    let mut log = open(&address, "a");
    let mut acknowledged = 0;
    let error = loop {
        match log.append(Expected::Any, &[&[7; 100_000]]) {
            Ok(_) => acknowledged += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(error.code(), Code::Full, "{error}");
    assert!((10..40).contains(&acknowledged), "{acknowledged}");
    assert_eq!(log.head().unwrap_err().code(), Code::Poisoned);
    let log = open(&address, "a");
    assert_eq!(
        Records::new(&*log, Position::START).flatten().count(),
        acknowledged
    );
}

/// A batch that does not fit into one message is one all the same; the longest record is one, a longer one is refused.
#[test]
fn records_of_every_length() {
    if !nats_server::is_here() {
        return;
    }
    let server = NatsServer::start();
    let address = server.address("TERN");
    let mut log = open(&address, "a");
    let lengths = [MAX_RECORD_BYTES, 0, 1 << 20, (1 << 20) - 600, 3 << 20, 5];
    let records: Vec<Vec<u8>> = (0..)
        .zip(lengths)
        .map(|(byte, length)| vec![byte; length])
        .collect();
    let batch: Vec<&[u8]> = records.iter().map(Vec::as_slice).collect();
    log.append(Expected::Any, &[b"small"]).unwrap();
    log.append(Expected::At(Position::new(1)), &batch).unwrap();
    log.append(Expected::Any, &[&records[2]]).unwrap();
    let long = vec![0; MAX_RECORD_BYTES + 1];
    let error = log.append(Expected::Any, &[b"x", &long]).unwrap_err();
    assert_eq!(error.code(), Code::RecordTooLong);
    let log = open(&address, "a");
    let read: Vec<Vec<u8>> = Records::new(&*log, Position::START)
        .map(|record| record.unwrap().bytes)
        .collect();
    assert!(read[0] == b"small" && read[1..7] == records && read[7] == records[2]);
    assert_eq!(log.read(Position::new(6), 1).unwrap()[0].bytes, [5; 5]);
    // a snapshot of many parts, in place of one
    let mut log = log;
    let head = log.head().unwrap();
    for byte in 0..3 {
        let snapshot = Snapshot::new("state/1", head, vec![byte; 20 << 20]);
        log.put_snapshot(&snapshot).unwrap();
        let kept = log.snapshot("state/1").unwrap();
        eprintln!(
            "{:?}",
            kept.as_ref()
                .map(|it| (it.bytes.len(), it.bytes[0], it.head))
        );
        assert!(kept == Some(snapshot), "{byte}");
    }
    let state = crate::bare(server.port, async |context| {
        let stream = context.get_stream("TERN_snapshots").await.unwrap();
        stream.cached_info().state.clone()
    });
    assert!(state.bytes < 30 << 20, "old ones are left: {state:?}");
}

/// A server that takes only short messages is refused, and with the least that is taken everything fits.
#[test]
fn a_server_with_short_messages() {
    if !nats_server::is_here() {
        return;
    }
    let server = NatsServer::with("jetstream: {}\nmax_payload: 4095");
    let store = at(&server.address("TERN"));
    let error = store.open("a").err().unwrap();
    assert_eq!(error.code(), Code::Unreachable, "{error}");
    assert!(format!("{error} {error:?}").contains("4095"), "{error:?}");
    let server = NatsServer::with("jetstream: {}\nmax_payload: 4096");
    let address = server.address("TERN");
    let mut log = open(&address, &"n".repeat(1024));
    let records: Vec<Vec<u8>> = [0, 10_000, 3600, 1, 100_000]
        .map(|length| vec![7; length])
        .to_vec();
    let batch: Vec<&[u8]> = records.iter().map(Vec::as_slice).collect();
    log.append(Expected::Any, &batch).unwrap();
    // it would have more parts than one message can name
    let error = log.append(Expected::Any, &[&vec![0; 4 << 20]]).unwrap_err();
    assert_eq!(error.code(), Code::Limit, "{error}");
    let head = log.append(Expected::Any, &[b"x"]).unwrap();
    let read: Vec<Vec<u8>> = Records::new(&*log, Position::START)
        .map(|record| record.unwrap().bytes)
        .collect();
    assert!(read[..5] == records && read[5] == b"x");
    let snapshot = Snapshot::new("state/1", head, vec![3; 50_000]);
    log.put_snapshot(&snapshot).unwrap();
    assert!(log.snapshot("state/1").unwrap() == Some(snapshot));
}

/// Positions are found in a log of many messages among those of others.
#[test]
fn every_position_is_found() {
    if !nats_server::is_here() {
        return;
    }
    let server = NatsServer::start();
    let address = server.address("TERN");
    let mut log = open(&address, "a");
    let mut other = open(&address, "b");
    for number in 0..300_u64 {
        let records = vec![number.to_be_bytes(); 1 + number as usize % 4];
        let batch: Vec<&[u8]> = records.iter().map(<[u8; 8]>::as_slice).collect();
        log.append(Expected::Any, &batch).unwrap();
        for _ in 0..number % 3 {
            other.append(Expected::Any, &[b"x"]).unwrap();
        }
    }
    let all = log.read(Position::START, 10_000).unwrap();
    let fresh = open(&address, "a");
    for from in (0..all.len()).rev().step_by(7) {
        let read = fresh.read(Position::new(from as u64), 3).unwrap();
        assert_eq!(read, all[from..all.len().min(from + 3)], "{from}");
        if from % 5 == 0 {
            let alone = open(&address, "a").read(Position::new(from as u64), 2);
            assert_eq!(alone.unwrap(), all[from..all.len().min(from + 2)], "{from}");
        }
    }
}

#[test]
fn what_is_promised_is_what_is_set() {
    if !nats_server::is_here() {
        return;
    }
    let server = NatsServer::start();
    let promise = at(&server.address("TERN")).promise().unwrap();
    let minutes = Kept::AllButTheLast(Duration::from_secs(120));
    assert_eq!(
        (promise.process_killed, promise.power_lost),
        (Kept::All, minutes)
    );
    assert_eq!(promise.machine_lost, Kept::Nothing);
    let more = at(&format!("{}?replicas=3", server.address("TERN")));
    let error = more.prepare().unwrap_err();
    assert_eq!(error.code(), Code::BadAddress, "{error}");
    // one that is there is left as it is
    open(&server.address("TERN"), "a");
    assert_eq!(more.open("a").unwrap().head().unwrap(), Head::start("a"));
    assert_eq!(more.promise().unwrap(), promise);
}
