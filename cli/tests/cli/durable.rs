//! `tern run --log`: a log that lasts.

use std::io::Read as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{Folder, ask, commit, context, deliver, document, request};

/// T1.30, T4.15: with `--log` everything is durable before it is reported, and a later run goes on
/// from there, to the same view as one file would give.
#[test]
fn t1_30_a_durable_log_goes_on() {
    let folder = Folder::new();
    let parts = [
        deliver(commit("ben:1", "ana:1")),
        deliver(request("ana:1")),
        deliver(request("ana:1")),
        json!({"permit": {"commitment": "ben:1"}}),
    ];
    folder.write("whole", document(&parts));
    for (number, part) in parts.iter().enumerate() {
        // Only the first part needs to say its context again.
        let opening = if number == 2 {
            String::new()
        } else {
            context()
        };
        folder.write("part", format!("{opening}{part}\n"));
        let ran = folder.tern(&["run", "--log", "x.db", "--outcomes", "--json", "part"]);
        ran.exits(0);
        assert_eq!(
            ran.lines().len(),
            usize::from(number < 3),
            "only what is new is reported"
        );
    }
    let whole = folder.tern(&["run", "--json", "whole"]);
    assert_eq!(
        folder.tern(&["run", "--json", "--log", "x.db"]).out,
        whole.out
    );
    assert_eq!(folder.tern(&["run", "--json", "x.db"]).out, whole.out);
    assert_eq!(folder.digest("x.db"), folder.digest("whole"));
    let at = folder.tern(&["run", "--json", "--at", "2", "x.db"]);
    assert_eq!(
        at.out,
        folder.tern(&["run", "--json", "--at", "2", "whole"]).out
    );
}

/// S8.06, R-03: a store holds a log for each context; another binding under the same name is
/// refused and nothing of it is kept.
#[test]
fn s8_06_one_log_a_context() {
    let folder = Folder::new();
    folder.write("one", document(&[deliver(request("ana:1"))]));
    folder.write(
        "two",
        document(&[deliver(request("ana:2"))]).replacen("garden", "hall", 1),
    );
    folder.write(
        "bad",
        document(&[deliver(request("ana:3"))]).replace("key:ben", "key:x"),
    );
    folder.write("bare", format!("{}\n", ask("cleo:1", "?")));
    for part in ["one", "two"] {
        folder.tern(&["run", "--log", "x.db", part]).exits(0);
    }
    let ran = folder.tern(&["run", "--log", "x.db", "bad"]);
    ran.exits(2);
    assert!(ran.err.contains("document_second_context"), "{}", ran.err);
    let several = folder.tern(&["run", "x.db"]);
    several.exits(2);
    assert!(
        several.err.contains("hall") && several.err.contains("garden"),
        "{}",
        several.err
    );
    assert_eq!(
        folder
            .tern(&["run", "--name", "hall", "--json", "x.db"])
            .fine()
            .json()["context"],
        "hall"
    );
    // Bare messages need to know which log is theirs.
    folder.tern(&["run", "--log", "x.db", "bare"]).exits(2);
    folder.tern(&["run", "--log", "y.db", "bare"]).exits(0);
    folder.tern(&["run", "--log", "y.db", "bare"]).exits(0);
    let view = folder.tern(&["run", "--json", "y.db"]).fine().json();
    assert_eq!(view["context"], "unverified");
    assert_eq!(view["messages"].as_object().unwrap().len(), 1);
}

/// T1.30: a file that is no store is left alone.
#[test]
fn t1_30_foreign_files_are_left_alone() {
    let folder = Folder::new();
    folder.write("log", document(&[deliver(request("ana:1"))]));
    folder.write("notes.txt", "my notes\n");
    folder.tern(&["run", "--log", "notes.txt", "log"]).exits(2);
    assert_eq!(
        std::fs::read(folder.path("notes.txt")).unwrap(),
        b"my notes\n"
    );
}

/// T1.30, T4.15: killed at any moment, a run leaves a log of whole batches, and going on from it
/// ends at the view of an undisturbed run. Some are killed at the first byte of their report, which
/// must not be lost; the others at some moment of the time that a run takes.
#[test]
fn t1_30_killed_runs_lose_nothing_reported() {
    let folder = Folder::new();
    let all: Vec<Value> = (0..40)
        .map(|n| deliver(ask(&format!("ana:{n}"), "how far?")))
        .collect();
    folder.write("all", document(&all));
    folder.write("part", document(&all[..1]));
    let start = Instant::now();
    folder.tern(&["run", "--log", "x.db", "part"]).exits(0);
    let undisturbed = start.elapsed();
    let mut seed = 3_u64;
    let mut moment = move || -> Duration {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        undisturbed.mul_f64((seed >> 40) as f64 / (1_u64 << 24) as f64)
    };
    let (mut reported, mut silent) = (0, 0);
    for (number, record) in all.iter().enumerate().skip(1) {
        folder.write("part", document(std::slice::from_ref(record)));
        let mut child = folder
            .command(&["run", "--log", "x.db", "--outcomes", "--json", "part"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut report = child.stdout.take().unwrap();
        let mut first = Vec::new();
        match number {
            // Before anything can have happened, for once.
            1 => {}
            _ if number % 2 == 1 => std::thread::sleep(moment()),
            _ => {
                report.by_ref().take(1).read_to_end(&mut first).unwrap();
                assert!(!first.is_empty(), "the run ended without a report");
            }
        }
        child.kill().unwrap();
        child.wait().unwrap();
        report.read_to_end(&mut first).unwrap();
        if first.is_empty() {
            silent += 1;
            continue;
        }
        reported += 1;
        let view = folder.tern(&["run", "--json", "x.db"]).fine().json();
        let kept = view["messages"].get(format!("ana:{number}"));
        assert!(kept.is_some(), "reported and lost");
    }
    println!("{reported} runs had reported when they were killed, {silent} had not");
    assert!(reported > 0 && silent > 0, "{reported} {silent}");
    folder.tern(&["run", "--log", "x.db", "all"]).exits(0);
    assert_eq!(folder.digest("x.db"), folder.digest("all"));
}

/// T1.30: two runs at once end in one total order that holds both.
#[test]
fn t1_30_two_runs_at_once() {
    let folder = Folder::new();
    for who in ["ana", "ben"] {
        let records: Vec<Value> = (0..200)
            .map(|n| deliver(ask(&format!("{who}:{n}"), "?")))
            .collect();
        folder.write(who, document(&records));
    }
    let mut children: Vec<_> = ["ana", "ben", "ana", "ben"]
        .map(|who| {
            folder
                .command(&["run", "--log", "x.db", "--json", who])
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        })
        .into();
    assert!(
        children
            .iter_mut()
            .all(|child| child.wait().unwrap().success())
    );
    let view = folder.tern(&["run", "--json", "x.db"]).fine().json();
    assert_eq!(view["messages"].as_object().unwrap().len(), 400);
}
