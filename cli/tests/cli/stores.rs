//! The same commands on every kind of store. Servers are started by the tests; what is not installed is left out, and said.

#[path = "../../../store/tests/common/nats_server.rs"]
mod nats_server;
#[path = "../../../store/tests/common/postgres_server.rs"]
mod postgres_server;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

use self::nats_server::NatsServer;
use self::postgres_server::postgres;
use crate::common::{Folder, ask, commit, deliver, document, request};

/// A database in which nothing is yet.
pub(crate) fn in_postgres() -> Option<String> {
    Some(postgres()?.fresh())
}

/// A stream in which nothing is yet.
pub(crate) fn in_nats() -> Option<String> {
    static SERVER: OnceLock<NatsServer> = OnceLock::new();
    static STREAMS: AtomicU32 = AtomicU32::new(0);
    if !nats_server::is_here() {
        return None;
    }
    let server = SERVER.get_or_init(NatsServer::start);
    let number = STREAMS.fetch_add(1, Ordering::Relaxed);
    Some(server.address(&format!("S{number}")))
}

/// A fresh store of each kind, by its address.
fn fresh() -> Vec<String> {
    let file = Some("t.db".to_owned());
    [file, in_postgres(), in_nats()]
        .into_iter()
        .flatten()
        .collect()
}

fn some() -> String {
    let mut records: Vec<Value> = (1..=40)
        .map(|it| deliver(ask(&format!("ana:{it}"), "?")))
        .collect();
    records.push(deliver(request("ana:41")));
    records.push(deliver(commit("ben:1", "ana:41")));
    document(&records)
}

/// T4.15, S7.01: on every kind of store a log is appended, run, verified, signed, exported and followed to the same end.
#[test]
fn t4_15_each_kind_of_store_keeps_the_same_log() {
    let folder = Folder::new();
    folder.write("log", some());
    folder.write("more", document(&[deliver(ask("ana:50", "?"))]));
    let mut ends = Vec::new();
    for (number, store) in fresh().iter().enumerate() {
        let tern = |arguments: &[&str]| {
            let ran = folder.tern(arguments);
            ran.exits(0);
            ran
        };
        let missing = folder.tern(&["log", "verify", store]);
        missing.exits(2);
        assert!(missing.err.contains("store_missing"), "{}", missing.err);
        tern(&["log", "append", store, "log"]);
        let key = format!("key{number}");
        let signed = tern(&["log", "checkpoint", store, "--key", &key, "--new-key"]);
        folder.write("signed", &signed.out);
        let view = tern(&["run", "--log", store, "--json", "more"]).out;
        assert_eq!(tern(&["run", "--json", store]).out, view);
        let digest = tern(&["digest", store]).out;
        let public = format!("{key}.pub");
        let verify = [
            "log",
            "verify",
            store,
            "--key",
            &public,
            "--checkpoint",
            "signed",
        ];
        let verified = tern(&verify).out;
        assert!(verified.contains("44 records, whole"), "{verified}");
        let exported = tern(&["log", "export", store]).out;
        let followed = tern(&["log", "follow", store, "--count", "44", "--json"]).lines();
        let followed: Vec<&str> = followed
            .iter()
            .map(|it| it["record"].as_str().unwrap())
            .collect();
        assert!(exported.lines().eq(followed));
        let stats = tern(&["log", "stats", store, "--json"]).json();
        assert_eq!(
            stats["promise"]["process_killed"],
            "everything acknowledged is kept"
        );
        let shown = stats["store"].as_str().unwrap();
        assert!(!shown.contains("secret"), "{shown}");
        ends.push((view, digest, verified, exported));
    }
    println!("{} kinds of store", ends.len());
    assert!(ends.windows(2).all(|it| it[0] == it[1]));
}

/// T4.15: a log that goes from store to store comes back the same to the byte.
#[test]
fn t4_15_logs_go_from_store_to_store() {
    let folder = Folder::new();
    folder.write("log", some());
    folder.tern(&["log", "append", "first.db", "log"]).exits(0);
    let mut way = vec!["first.db".to_owned()];
    way.extend(fresh());
    way.push("last.db".to_owned());
    for (from, to) in way.iter().zip(&way[1..]) {
        let ran = folder.tern(&["log", "copy", from, to]);
        assert!(
            ran.exits(0)
                .starts_with("garden: 43 records copied, 0 there before"),
            "{}",
            ran.out
        );
        let ran = folder.tern(&["log", "copy", from, to]);
        assert!(
            ran.exits(0)
                .starts_with("garden: 0 records copied, 43 there before"),
            "{}",
            ran.out
        );
    }
    let export = |store: &str| {
        let ran = folder.tern(&["log", "export", store, "--json"]);
        ran.exits(0);
        ran.bytes
    };
    assert_eq!(export("first.db"), export("last.db"));
}

/// What cannot be reached is said with its address, without its password, and nothing waits for ever.
#[test]
fn what_cannot_be_reached_is_said() {
    let folder = Folder::new();
    folder.write("log", some());
    for address in [
        "postgres://ann:secret@127.0.0.1:1/tern",
        "nats://ann:secret@127.0.0.1:1/TERN",
    ] {
        for command in [
            &["log", "append", address, "log"][..],
            &["run", "--log", address, "log"],
            &["log", "verify", address],
            &["run", address],
            &["log", "follow", address],
            &[
                "work", address, "--as", "ben", "--worker", "w", "--", "true",
            ],
        ] {
            let ran = folder.tern(command);
            ran.exits(2);
            assert!(
                ran.err.contains("store_unreachable"),
                "{command:?}: {}",
                ran.err
            );
            assert!(
                ran.err.contains("127.0.0.1:1") && !ran.err.contains("secret"),
                "{}",
                ran.err
            );
        }
    }
}

/// T1.30, S7.01: appends killed at random moments. Whatever was acknowledged is there once and whole, and what the log comes to
/// is what a clean run over its records comes to.
#[test]
fn t1_30_killed_appends_leave_the_log_of_a_clean_run() {
    let rounds: u32 = std::env::var("TERN_KILL_ROUNDS").map_or(6, |rounds| rounds.parse().unwrap());
    let seed = std::time::SystemTime::UNIX_EPOCH
        .elapsed()
        .unwrap()
        .subsec_nanos()
        | 1;
    println!("seed {seed}");
    let mut random = seed;
    for store in fresh() {
        let folder = Folder::new();
        let (mut acknowledged, mut batches) = (Vec::new(), 0);
        for round in 0..rounds {
            let mut appends: Vec<_> = [0, 1]
                .map(|_| {
                    batches += 1;
                    let records: Vec<Value> = (0..3)
                        .map(|part| deliver(ask(&format!("ana:{batches}.{part}"), "?")))
                        .collect();
                    let file = format!("{batches}.jsonl");
                    folder.write(&file, document(&records));
                    let mut append = folder.command(&["log", "append", &store, &file]);
                    let quiet = std::process::Stdio::null;
                    (
                        batches,
                        append.stdout(quiet()).stderr(quiet()).spawn().unwrap(),
                    )
                })
                .into();
            random ^= random << 13;
            random ^= random >> 17;
            random ^= random << 5;
            // Long enough for some to be over, on a busy machine too.
            let most = 120 + 40 * (acknowledged.len() < batches as usize / 4) as u32 * round;
            std::thread::sleep(std::time::Duration::from_millis(u64::from(random % most)));
            for (batch, append) in &mut appends {
                let _over = append.kill();
                if append.wait().unwrap().success() {
                    acknowledged.push(*batch);
                }
            }
        }
        let last = document(&[deliver(ask("ana:last", "?"))]);
        folder.write("last", last);
        folder.tern(&["log", "append", &store, "last"]).exits(0);
        let export = folder.tern(&["log", "export", &store]).exits(0).to_owned();
        let ids: Vec<&str> = export
            .lines()
            .filter_map(|line| line.split("\"id\":\"ana:").nth(1)?.split('"').next())
            .collect();
        let mut found = std::collections::BTreeSet::new();
        let (last, batched) = ids.split_last().unwrap();
        assert_eq!(*last, "last");
        for batch in batched.chunks(3) {
            let number: u32 = batch[0].split('.').next().unwrap().parse().unwrap();
            let whole: Vec<String> = (0..3).map(|part| format!("{number}.{part}")).collect();
            assert_eq!(batch, whole, "{store}");
            assert!(
                found.insert(number),
                "{store}: batch {number} is there twice"
            );
        }
        let lost: Vec<_> = acknowledged
            .iter()
            .filter(|it| !found.contains(it))
            .collect();
        assert!(lost.is_empty(), "{store}: acknowledged and lost: {lost:?}");
        assert!(
            rounds < 20 || !acknowledged.is_empty(),
            "{store}: none was over in time"
        );
        println!(
            "{store}: {} acknowledged of {batches}, {} there",
            acknowledged.len(),
            found.len()
        );
        folder.write("export", &export);
        assert_eq!(folder.digest(&store), folder.digest("export"));
        folder.tern(&["log", "verify", &store]).exits(0);
    }
}

/// T4.15: on every kind of store a principal's quota holds also where several append at the same time, what is over it is on
/// record, and nobody else is stopped.
#[test]
fn t4_15_each_kind_of_store_keeps_quotas() {
    const QUOTA: u64 = 10_000;
    let folder = Folder::new();
    let flood = |number: u32| {
        let mut records: Vec<Value> = (0..100)
            .map(|it| deliver(ask(&format!("ana:{number}.{it}"), "how far?")))
            .collect();
        records.push(deliver(ask(&format!("ben:{number}"), "who floods?")));
        document(&records)
    };
    for number in 0..4 {
        folder.write(&format!("flood{number}"), flood(number));
    }
    for store in fresh() {
        let children: Vec<_> = (0..4)
            .map(|number| {
                let file = format!("flood{number}");
                let quota = QUOTA.to_string();
                let append = [
                    "log",
                    "append",
                    &store,
                    &file,
                    "--json",
                    "--quota-bytes",
                    &quota,
                ];
                let mut append = folder.command(&append);
                append.stdout(std::process::Stdio::piped()).spawn().unwrap()
            })
            .collect();
        let mut refused = 0;
        for child in children {
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(1), "{store}");
            let said: Value = serde_json::from_slice(&output.stdout).unwrap();
            let [ana] = said["refused"].as_array().unwrap().as_slice() else {
                panic!("{store}: {said}");
            };
            assert_eq!(ana["principal"], "key:ana", "{store}");
            refused += ana["deliveries"].as_u64().unwrap();
        }
        let export = folder.tern(&["log", "export", &store]).exits(0).to_owned();
        let of = |name: &str| -> Vec<&str> {
            let key = format!("\"{name}\"");
            export
                .lines()
                .skip(1)
                .filter(|it| it.contains(&key))
                .collect()
        };
        let (ana, ben) = (of("key:ana"), of("key:ben"));
        assert_eq!((ana.len() as u64 + refused, ben.len()), (400, 4), "{store}");
        let bytes: usize = ana.iter().map(|line| line.len()).sum();
        assert!(
            bytes as u64 <= QUOTA && bytes as u64 > QUOTA - 1000,
            "{store}: {bytes}"
        );
        let stats = folder.tern(&["log", "stats", &store, "--json"]);
        stats.exits(0);
        let used = &stats.json()["usage"][0];
        assert_eq!(
            (&used["principal"], &used["bytes"]),
            (&"key:ana".into(), &bytes.into()),
            "{store}"
        );
        assert!(
            used["refused"][0]["deliveries"].as_u64().unwrap() > 0,
            "{store}: {used}"
        );
    }
}
