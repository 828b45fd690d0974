//! `tern work`: what may be acted on is acted on, and nothing twice by a command that honours the key.

use std::collections::BTreeSet;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::common::{Folder, commit, deliver, document, request, revise};
use crate::stores::{in_nats, in_postgres};

/// A log in which `ben` promised so many things, all permitted.
fn promised(count: usize) -> Folder {
    promised_in("t.db", count)
}

fn promised_in(store: &str, count: usize) -> Folder {
    let folder = Folder::new();
    let records: Vec<Value> = (1..=count)
        .flat_map(|it| {
            let (request_id, id) = (format!("ana:{it}"), format!("ben:{it}"));
            [
                deliver(request(&request_id)),
                deliver(commit(&id, &request_id)),
                json!({"permit": {"commitment": id}}),
            ]
        })
        .collect();
    folder.write("log", document(&records));
    folder.tern(&["log", "append", store, "log"]).exits(0);
    folder
}

/// Reads which commitment it is about.
const COMMITMENT: &str =
    r#"commitment=$(grep -o '"commitment":"[^"]*"' | head -1 | cut -d'"' -f4)"#;

/// A command that does its work once for each key, by an atomic step: it makes a folder named by the key.
fn honouring(folder: &Folder, before: &str) -> String {
    std::fs::create_dir_all(folder.path("done")).unwrap();
    folder.write(
        "do.sh",
        format!(
            "{COMMITMENT}\necho \"$commitment\" >> tried\n{before}\n\
             mkdir \"done/$TERN_KEY\" 2>/dev/null && echo \"$commitment\" >> ledger\nexit 0\n"
        ),
    );
    "do.sh".to_owned()
}

fn work(worker: &str, more: &[&str], command: &[&str]) -> Vec<String> {
    work_in("t.db", worker, more, command)
}

fn work_in(store: &str, worker: &str, more: &[&str], command: &[&str]) -> Vec<String> {
    let own = ["work", store, "--as", "ben", "--worker", worker];
    [&own[..], more, &["--"], command]
        .concat()
        .into_iter()
        .map(str::to_owned)
        .collect()
}

fn run(folder: &Folder, worker: &str, more: &[&str], command: &[&str]) -> crate::common::Ran {
    run_in(folder, "t.db", worker, more, command)
}

fn run_in(
    folder: &Folder,
    store: &str,
    worker: &str,
    more: &[&str],
    command: &[&str],
) -> crate::common::Ran {
    let arguments = work_in(store, worker, more, command);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    folder.tern(&arguments)
}

fn lines(folder: &Folder, file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(folder.path(file)).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn append(folder: &Folder, records: &[Value]) {
    folder.write("more", document(records));
    folder.tern(&["log", "append", "t.db", "more"]).exits(0);
}

/// S6.02, T1.30: each commitment that may be acted on begins once, with the time at which that was decided, and ends.
#[test]
fn what_may_be_acted_on_is_acted_on_once() {
    let folder = promised(3);
    append(
        &folder,
        &[deliver(request("ana:4")), deliver(commit("ben:4", "ana:4"))],
    );
    let script = honouring(&folder, "");
    for _ in 0..2 {
        run(&folder, "w", &["--drain"], &["sh", &script]).exits(0);
    }
    let ledger = lines(&folder, "ledger");
    assert_eq!(ledger.iter().collect::<BTreeSet<_>>().len(), 3);
    assert_eq!(lines(&folder, "tried").len(), 3, "ben:4 is not permitted");
    let export = folder.tern(&["log", "export", "t.db"]).exits(0).to_owned();
    let of = |kind: &str| {
        export
            .lines()
            .filter(|line| line.starts_with(&format!("{{\"{kind}\"")))
            .count()
    };
    assert_eq!((of("start"), of("finish"), of("clock")), (3, 3, 1));
    let keys: BTreeSet<&str> = export
        .lines()
        .filter(|line| line.starts_with("{\"start\""))
        .map(|line| line.split("\"action\":").nth(1).unwrap())
        .collect();
    assert_eq!(keys.len(), 3);
    // A permission that comes later is found.
    append(&folder, &[json!({"permit": {"commitment": "ben:4"}})]);
    let ran = run(&folder, "w", &["--drain", "--json"], &["sh", &script]);
    ran.exits(0);
    let events: Vec<Value> = ran.lines().iter().map(|it| it["event"].clone()).collect();
    assert_eq!(events, ["begun", "runs", "ended"]);
    assert_eq!(lines(&folder, "ledger").len(), 4);
    folder.tern(&["log", "verify", "t.db"]).exits(0);
}

/// A command that fails is run again with the same key, later, and given up in the end: said, and exit code 1.
#[test]
fn what_fails_is_tried_again() {
    let folder = promised(1);
    let script = honouring(&folder, "[ \"$TERN_ATTEMPT\" -ge 3 ] || exit 7");
    let more = ["--drain", "--json", "--retry", "0"];
    let ran = run(&folder, "w", &more, &["sh", &script]);
    ran.exits(0);
    let failed: Vec<Value> = ran
        .lines()
        .into_iter()
        .filter(|it| it["event"] == "failed")
        .collect();
    assert_eq!(failed.len(), 2);
    assert!(failed[0]["how"].as_str().unwrap().contains('7'));
    assert_eq!(lines(&folder, "ledger"), ["ben:1"]);
    let folder = promised(1);
    let more = ["--drain", "--retry", "0", "--attempts", "2"];
    let ran = run(&folder, "w", &more, &["false"]);
    let out = ran.exits(1);
    assert_eq!(out.matches("failed").count(), 2, "{out}");
    assert!(out.contains("given up"), "{out}");
    // A command that is not there is no fault of the action: it is free at once.
    let folder = promised(1);
    let ran = run(&folder, "w", &["--drain"], &["nothing-of-that-name"]);
    ran.exits(2);
    assert!(ran.err.contains("nothing-of-that-name"), "{}", ran.err);
    run(&folder, "w", &["--drain"], &["true"]).exits(0);
}

/// S6.23: an action that began before something spoke against it is held back, and stands under *reconcile*.
#[test]
fn s6_23_what_is_blocked_later_is_held_back() {
    let folder = promised(2);
    // It begins, and its worker dies in it.
    let slow = format!("{COMMITMENT}; echo $commitment >> tried; exec sleep 5");
    let arguments = work("w", &["--lease", "1"], &["sh", "-c", &slow]);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut worker = folder
        .command(&arguments)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while lines(&folder, "tried").is_empty() {
        std::thread::sleep(Duration::from_millis(20));
    }
    worker.kill().unwrap();
    worker.wait().unwrap();
    let tried = lines(&folder, "tried")[0].clone();
    let request_id = tried.replace("ben", "ana");
    append(
        &folder,
        &[deliver(revise(
            "ana:9",
            &request_id,
            &request_id,
            Value::Null,
        ))],
    );
    std::thread::sleep(Duration::from_millis(1100));
    let script = honouring(&folder, "");
    let ran = run(&folder, "other", &["--drain", "--json"], &["sh", &script]);
    ran.exits(1);
    let held: Vec<Value> = ran
        .lines()
        .into_iter()
        .filter(|it| it["event"] == "held_back")
        .collect();
    assert_eq!(held.len(), 1);
    assert_eq!(held[0]["commitment"], tried.as_str());
    assert!(
        held[0]["blocked_by"]
            .to_string()
            .contains("request_withdrawn")
    );
    assert_eq!(lines(&folder, "ledger").len(), 1, "the other one is done");
    let view = folder.tern(&["run", "--json", "t.db"]).json();
    assert_eq!(view["reconcile"][0]["commitment"], tried.as_str());
    assert_eq!(view["reconcile"][0]["action"], held[0]["key"]);
}

/// What a participant promised is nobody else's to act on, begun or not.
#[test]
fn each_acts_on_their_own_promises() {
    let folder = promised(1);
    let script = honouring(&folder, "");
    let cleo = [
        "work", "t.db", "--as", "cleo", "--worker", "c", "--drain", "--", "sh", &script,
    ];
    folder.tern(&cleo).exits(0);
    assert_eq!(lines(&folder, "tried").len(), 0);
    // Begun by ben, and not ended.
    run(&folder, "w", &["--drain", "--attempts", "1"], &["false"]).exits(1);
    folder.tern(&cleo).exits(0);
    assert_eq!(lines(&folder, "tried").len(), 0);
    run(&folder, "w", &["--drain"], &["sh", &script]).exits(0);
    assert_eq!(lines(&folder, "ledger"), ["ben:1"]);
}

/// An action that somebody began with a key of their own is theirs.
#[test]
fn what_others_began_is_theirs() {
    let folder = promised(1);
    append(
        &folder,
        &[json!({"start": {"commitment": "ben:1", "action": "by hand"}})],
    );
    let script = honouring(&folder, "");
    run(&folder, "w", &["--drain"], &["sh", &script]).exits(0);
    assert_eq!(lines(&folder, "tried").len(), 0);
}

/// Whatever a sender words, the command gets it as it is, and other actions go on.
#[test]
fn hostile_words_stop_no_worker() {
    let folder = promised(1);
    let hostile =
        commit("ben:9", "ana:9").replace("Water bed 4.", "\\u0000$(touch pwned)\\n\\u001b[31m");
    let long = commit("ben:8", "ana:8").replace("Water bed 4.", &"x".repeat(300_000));
    append(
        &folder,
        &[
            deliver(request("ana:9")),
            deliver(hostile),
            json!({"permit": {"commitment": "ben:9"}}),
            deliver(request("ana:8")),
            deliver(long),
            json!({"permit": {"commitment": "ben:8"}}),
        ],
    );
    let script = honouring(&folder, "");
    let ran = run(&folder, "w", &["--drain"], &["sh", &script]);
    let out = ran.exits(0);
    assert!(!out.contains('\u{1b}') && !folder.path("pwned").exists());
    assert_eq!(lines(&folder, "ledger").len(), 3);
}

/// A worker that is asked to stop takes its command with it, and all that this started, and counts no failure.
#[test]
fn a_stopped_worker_leaves_nothing_running() {
    let folder = promised(1);
    let command = "sh -c 'sleep 1; echo late >> late' & echo on >> tried; wait";
    let arguments = work("w", &["--json"], &["sh", "-c", command]);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let worker = folder
        .command(&arguments)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    while lines(&folder, "tried").is_empty() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let pid = worker.id().to_string();
    let sent = std::process::Command::new("kill")
        .args(["-TERM", &pid])
        .status();
    assert!(sent.unwrap().success());
    let output = worker.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "its action is not ended");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.contains("\"stopped\"") && !said.contains("\"failed\""),
        "{said}"
    );
    std::thread::sleep(Duration::from_millis(1500));
    assert!(!folder.path("late").exists(), "it went on");
    run(&folder, "w", &["--drain", "--attempts", "1"], &["true"]).exits(0);
}

/// A command that is not there begins nothing; a worker that waits ends well when it is asked to, one that was to drain does not.
#[test]
fn nothing_begins_that_cannot_be_run() {
    let folder = promised(1);
    let before = folder.digest("t.db");
    for command in ["./none.sh", "no-such-command", ""] {
        let ran = run(&folder, "w", &["--drain"], &[command]);
        ran.exits(2);
        assert!(ran.err.contains("error[no_command]"), "{}", ran.err);
    }
    assert_eq!(folder.digest("t.db"), before);
    run(&folder, "w", &["--drain"], &["true"]).exits(0);
    for (more, code) in [(&["--lease", "30"][..], 0), (&["--drain"], 1)] {
        append(
            &folder,
            &[
                deliver(request(&format!("ana:{}", 7 + code))),
                deliver(commit(
                    &format!("ben:{}", 7 + code),
                    &format!("ana:{}", 7 + code),
                )),
                json!({"permit": {"commitment": format!("ben:{}", 7 + code)}}),
            ],
        );
        // Somebody else is at it, for as long as this takes.
        let other = work("other", &[], &["sleep", "60"]);
        let other: Vec<&str> = other.iter().map(String::as_str).collect();
        let mut other = folder
            .command(&other)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = std::io::BufReader::new(other.stdout.take().unwrap());
        let mut line = String::new();
        while !line.starts_with("runs") {
            line.clear();
            assert!(std::io::BufRead::read_line(&mut said, &mut line).unwrap() > 0);
        }
        let arguments = work("w", more, &["true"]);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut worker = folder.command(&arguments).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(700));
        let ended = |child: &mut Child| {
            let pid = child.id().to_string();
            let sent = std::process::Command::new("kill")
                .args(["-INT", &pid])
                .status();
            assert!(sent.unwrap().success());
            child.wait().unwrap().code()
        };
        assert_eq!(ended(&mut worker), Some(code), "{more:?}");
        assert_eq!(ended(&mut other), Some(1));
        run(&folder, "w", &["--drain"], &["true"]).exits(0);
    }
}

/// A command that outlives its lease, because its worker stood still, is killed, and somebody else runs it.
#[test]
fn a_lease_that_is_over_ends_the_command() {
    let folder = promised(1);
    let arguments = work(
        "slow",
        &["--lease", "1", "--json"],
        &["sh", "-c", "echo on >> tried; sleep 8; echo late >> late"],
    );
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut worker = folder
        .command(&arguments)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while lines(&folder, "tried").is_empty() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let pid = worker.id().to_string();
    let signal = |signal: &str| {
        let sent = std::process::Command::new("kill")
            .args([signal, &pid])
            .status();
        assert!(sent.unwrap().success());
    };
    signal("-STOP");
    std::thread::sleep(Duration::from_millis(1500));
    let script = honouring(&folder, "");
    run(&folder, "other", &["--drain"], &["sh", &script]).exits(0);
    signal("-CONT");
    std::thread::sleep(Duration::from_millis(500));
    signal("-TERM");
    worker.wait().unwrap();
    std::thread::sleep(Duration::from_millis(7000));
    assert!(!folder.path("late").exists(), "it went on without a lease");
    assert_eq!(lines(&folder, "ledger"), ["ben:1"]);
}

/// T1.30: workers killed at random moments. Nothing is done twice by a command that honours the key, nothing is lost, and
/// every action ends on record.
#[test]
fn t1_30_killed_workers_lose_nothing_and_do_nothing_twice() {
    killed_workers(Some("t.db".to_owned()));
}

#[test]
fn t1_30_killed_workers_on_postgres() {
    killed_workers(in_postgres());
}

#[test]
fn t1_30_killed_workers_on_nats() {
    killed_workers(in_nats());
}

fn killed_workers(store: Option<String>) {
    const PROMISES: usize = 12;
    let rounds: u32 = std::env::var("TERN_KILL_ROUNDS").map_or(6, |rounds| rounds.parse().unwrap());
    let Some(store) = store else { return };
    let folder = promised_in(&store, PROMISES);
    let script = honouring(&folder, "sleep 0.05");
    let seed = std::time::SystemTime::UNIX_EPOCH
        .elapsed()
        .unwrap()
        .subsec_nanos()
        | 1;
    println!("seed {seed}");
    let mut random = seed;
    let begin = |worker: &str| -> Child {
        let arguments = work_in(
            &store,
            worker,
            &["--lease", "1", "--attempts", "1000", "--retry", "0"],
            &["sh", &script],
        );
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        folder
            .command(&arguments)
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    for round in 0..rounds {
        let workers = ["a", "b"].map(|it| begin(&format!("{it}{round}")));
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        std::thread::sleep(Duration::from_millis(u64::from(random % 400)));
        for mut worker in workers {
            worker.kill().unwrap();
            worker.wait().unwrap();
        }
    }
    let ran = run_in(
        &folder,
        &store,
        "last",
        &["--drain", "--attempts", "1000"],
        &["sh", &script],
    );
    ran.exits(0);
    let ledger = lines(&folder, "ledger");
    let done: BTreeSet<&String> = ledger.iter().collect();
    assert_eq!(
        (done.len(), ledger.len()),
        (PROMISES, PROMISES),
        "{ledger:?}"
    );
    let export = folder.tern(&["log", "export", &store]).exits(0).to_owned();
    let of = |kind: &str| -> BTreeSet<String> {
        let lines = export
            .lines()
            .filter(|line| line.starts_with(&format!("{{\"{kind}\"")));
        lines.map(|line| line.replace(kind, "")).collect()
    };
    assert_eq!(of("start").len(), PROMISES);
    assert_eq!(of("start"), of("finish"));
    println!(
        "{} runs for {PROMISES} actions",
        lines(&folder, "tried").len()
    );
    folder.tern(&["log", "verify", &store]).exits(0);
    let view = folder.tern(&["run", "--json", &store]).json();
    assert_eq!(view["reconcile"], json!([]));
}

/// The example of README.md, to the letter.
#[test]
fn the_readme_shows_what_happens() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let section = readme.split("<!-- work -->").nth(1).unwrap();
    let section = section.split("<!-- end -->").next().unwrap();
    let block = |kind: &str| {
        let block = section.split(kind).nth(1).unwrap();
        block.split("```").next().unwrap().trim_start().to_owned()
    };
    let folder = Folder::new();
    let mut out = String::new();
    for line in block("```sh").lines() {
        let words: Vec<String> = line
            .split(' ')
            .map(|word| match word.starts_with("examples/") {
                true => root.join(word).to_str().unwrap().to_owned(),
                false => word.to_owned(),
            })
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        assert_eq!(words[0], "tern");
        out += folder.tern(&words[1..]).exits(0);
    }
    assert_eq!(out, block("```text"));
    let orders = std::fs::read_dir(folder.path("orders")).unwrap();
    assert_eq!(orders.count(), 1);
}
