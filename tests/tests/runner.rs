//! The runner survives whatever an implementation does: no case is lost, nothing hangs, no process is left, and what is
//! our fault is blamed on nobody.
#![allow(clippy::panic, clippy::unwrap_used, missing_docs, reason = "tests")]

use std::collections::BTreeMap;
use std::fs;
use std::sync::Mutex;
use std::time::Duration;

use tern_conformance::protocol::{Bytes, read_reply};
use tern_conformance::report::{html, junit};
use tern_conformance::runner::{LONGEST, PATIENCE, Plan, Program, Report, Trouble, Verdict, run};
use tern_conformance::vector::{Expect, Line, Orders, Refused, Vector, all};
use tern_tests::mutant::{mutant, processes, program};

/// One request each.
fn vectors() -> Vec<Vector> {
    let files = all().unwrap();
    let vectors = files.into_iter().flat_map(|(_, file)| file.vectors);
    let given = vectors.map(|vector| Vector {
        orders: Orders::Given,
        ..vector
    });
    given.collect()
}

fn plan(program: Program, jobs: usize) -> Plan {
    Plan {
        program,
        jobs,
        longest: LONGEST,
    }
}

fn ask(program: Program, jobs: usize, vectors: &[Vector]) -> Result<Report, Trouble> {
    let vectors: Vec<&Vector> = vectors.iter().collect();
    run(&plan(program, jobs), &vectors, &|_, _| {})
}

/// A shell script as an implementation, with a mark of its own.
fn script(script: &str) -> (Program, String) {
    let (mut program, mark) = program("none");
    let mutant = mutant().display().to_string();
    program.command = "sh".to_owned();
    program.arguments = vec!["-c".to_owned(), script.to_owned(), mutant, mark.clone()];
    program.timeout = Duration::from_secs(2);
    (program, mark)
}

/// A document of 3 MB, which no pipe holds.
fn large() -> Vector {
    let mut large = vectors().into_iter().find(Vector::is_refused).unwrap();
    large.id = "large".to_owned();
    let text = "x".repeat(3_000_000);
    large.log = vec![Line::Exact(Bytes(
        format!("{{\"context\":\"{text}\"}}").into_bytes(),
    ))];
    large.expect = Expect::Refused(Refused { refused: 1 });
    large
}

#[test]
fn a_large_document_is_read() {
    let (program, mark) = program("none");
    let report = ask(program, 1, &[large()]).unwrap();
    assert_eq!(report.verdicts.get("large"), Some(&Verdict::Pass));
    assert!(processes(&mark).is_empty());
}

/// It does not read while 3 MB are written: that is its timeout, and holds up nobody else.
#[test]
fn who_does_not_read_is_not_waited_for() {
    let (mut program, mark) = program("stops-reading");
    program.timeout = Duration::from_secs(1);
    let report = ask(program, 1, &[large()]).unwrap();
    assert_eq!(
        report.verdicts.get("large"),
        Some(&Verdict::Timeout {
            after: 1000,
            said: String::new(),
            unasked: false
        })
    );
    assert!(processes(&mark).is_empty());
}

/// It answers `hello` and nothing else: after some cases the rest is not asked about, and nothing is passed.
#[test]
fn who_answers_nothing_is_given_up() {
    let silent = r#"IFS= read -r line; printf '%s\n' "$line" | "$0" none "$1"; while IFS= read -r line; do :; done"#;
    let (mut program, mark) = script(silent);
    program.timeout = Duration::from_millis(200);
    let report = ask(program, 1, &vectors()).unwrap();
    let unasked = report
        .verdicts
        .values()
        .filter(|it| matches!(it, Verdict::Timeout { unasked: true, .. }));
    assert_eq!(unasked.count() + PATIENCE, vectors().len());
    assert_eq!(report.runs, PATIENCE as u64);
    assert_eq!(
        report.counts(),
        BTreeMap::from([("timeout", vectors().len())])
    );
    assert!(processes(&mark).is_empty());
}

/// It hangs now and then, and answers in between: all is asked.
#[test]
fn who_answers_in_between_is_not_given_up() {
    let slow = r#"n=0; while IFS= read -r line; do n=$((n+1)); [ $n -le 2 ] || exec sleep 600
        printf '%s\n' "$line" | "$0" none "$1"; done"#;
    let (mut program, _) = script(slow);
    program.timeout = Duration::from_secs(1);
    let few = vectors();
    let few = few.get(..2 * (PATIENCE + 2)).unwrap();
    let report = ask(program, 4, few).unwrap();
    let unasked = |it: &Verdict| matches!(it, Verdict::Timeout { unasked: true, .. });
    assert!(!report.verdicts.values().any(unasked), "{report:?}");
    assert!(report.counts().contains_key("pass"), "{report:?}");
}

/// Whatever it says at length, the report stays small: reasons, places of the view, outcomes, the line itself.
#[test]
fn what_is_said_at_length_is_cut() {
    let say = |reply: &str| {
        let python = format!(
            "import json, sys\nlong = 'y' * 5_000_000\nfor line in sys.stdin:\n    it = json.loads(line)\n    \
             if it['do'] == 'stop': break\n    seq = it['seq']\n    \
             reply = {reply} if it['do'] == 'run' else {{'seq': seq, 'is': 'hello', 'protocol': 1, 'spec': '0.1', \
             'implementation': 'i', 'version': 'v', 'language': 'l', 'capabilities': ['view', 'digest']}}\n    \
             print(json.dumps(reply), flush=True)"
        );
        let (mut program, _) = program("none");
        program.command = "python3".to_owned();
        program.arguments = vec!["-c".to_owned(), python];
        program
    };
    let read = vectors().into_iter().filter(|it| !it.is_refused());
    let one: Vec<Vector> = read.filter(|it| !it.is_bare()).take(1).collect();
    for reply in [
        "{'seq': seq, 'is': 'error', 'why': long}",
        "{'seq': seq, 'is': 'unsupported', 'why': long}",
        "{'seq': seq, 'is': long}",
        "{'seq': seq, 'is': 'result', long: 1}",
        "{'seq': seq, 'is': 'result', 'outcomes': [{'outcome': 'accepted'}] * 100_000, 'view': {}, 'digest': '0' * 64}",
        "{'seq': seq, 'is': 'result', 'outcomes': [], 'view': {'messages': {long: long}}, 'digest': '0' * 64}",
    ] {
        let report = ask(say(reply), 1, &one).unwrap();
        assert_eq!(report.counts(), BTreeMap::from([("fail", 1)]), "{reply}");
        let length = serde_json::to_string(&report).unwrap().len();
        assert!(length < 20_000, "{reply}: {length}");
    }
}

/// A reply that comes after its time is none, however right it is.
#[test]
fn a_late_reply_is_late() {
    let late = r#"IFS= read -r line; printf '%s\n' "$line" | "$0" none "$1"; IFS= read -r line; sleep 2
        printf '%s\n' "$line" | "$0" none "$1""#;
    let (mut program, _) = script(late);
    program.timeout = Duration::from_secs(1);
    let report = ask(program, 1, vectors().get(..1).unwrap()).unwrap();
    assert_eq!(report.counts(), BTreeMap::from([("timeout", 1)]));
}

/// What several processes share is held once: four that share 200 MiB do not hold 800.
#[test]
#[cfg(target_os = "linux")]
fn shared_memory_counts_in_parts() {
    let shares = r#"exec python3 -c '
import os, subprocess, sys, time
held = bytearray(os.urandom(1 << 20) * 200)
for _ in range(3):
    if os.fork() == 0: time.sleep(600)
behind = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
for line in sys.stdin.buffer:
    if b"\"stop\"" in line: sys.exit(0)
    behind.stdin.write(line); behind.stdin.flush()
    time.sleep(0.1)
    sys.stdout.buffer.write(behind.stdout.readline()); sys.stdout.buffer.flush()
' "$0" none "$1""#;
    for (mebibytes, word) in [(450, "pass"), (150, "crash")] {
        let (mut program, mark) = script(shares);
        program.timeout = Duration::from_secs(60);
        program.memory = mebibytes << 20;
        let report = ask(program, 1, vectors().get(..3).unwrap());
        let told = report.map(|it| it.verdicts.values().map(Verdict::word).collect::<Vec<_>>());
        let told = told.unwrap_or_else(|trouble| vec![Verdict::from(trouble).word()]);
        assert!(
            told.iter().all(|it| *it == word),
            "{mebibytes} MiB: {told:?}"
        );
        assert!(processes(&mark).is_empty());
    }
}

/// Without a newline there is no reply: what was written is told, and what it said on standard error.
#[test]
fn a_line_without_an_end_is_told() {
    let unended = r#"echo warming up >&2; IFS= read -r line; printf '%s\n' "$line" | "$0" none "$1"; IFS= read -r line
        printf '{"seq":2,'; exec sleep 600"#;
    let (mut program, mark) = script(unended);
    program.timeout = Duration::from_secs(2);
    let report = ask(program, 1, vectors().get(..1).unwrap()).unwrap();
    let Some(Verdict::Timeout { said, .. }) = report.verdicts.values().next() else {
        panic!("{report:?}");
    };
    for part in [
        "without a newline: `{\"seq\":2,`",
        "on standard error: warming up",
    ] {
        assert!(said.contains(part), "{said}");
    }
    assert!(processes(&mark).is_empty());
}

/// A process that is started later has to be the same implementation.
#[test]
fn another_hello_than_the_first_is_told() {
    let changes = r#"IFS= read -r line; printf '%s\n' "$line" | "$0" none "$1" |
        sed "s/\"version\":\"[^\"]*/\"version\":\"$$/"; IFS= read -r line; exit 1"#;
    let (program, _) = script(changes);
    let report = ask(program, 1, vectors().get(..3).unwrap()).unwrap();
    assert_eq!(report.counts(), BTreeMap::from([("crash", 1), ("fail", 2)]));
}

/// A child of what crashed holds the pipes: it is seen at once that it crashed, and the child is ended.
#[test]
fn a_child_that_holds_the_pipes_hides_no_crash() {
    let (mut program, mark) = program("leaves-a-child");
    program.timeout = Duration::from_secs(60);
    let report = ask(program, 1, vectors().get(..8).unwrap()).unwrap();
    // The 6th at first, and again the 6th and the 12th of those that are asked about twice more.
    assert_eq!(report.counts(), BTreeMap::from([("crash", 3), ("pass", 5)]));
    assert!(processes(&mark).is_empty());
}

/// It spoke before it was asked, in words that fit what comes next.
#[test]
fn an_answer_before_the_question_is_none() {
    let (program, _) = program("answers-ahead");
    let files = vectors();
    let refused: Vec<Vector> = files
        .into_iter()
        .filter(Vector::is_refused)
        .take(12)
        .collect();
    let report = ask(program, 1, &refused).unwrap();
    assert!(
        report.counts().contains_key("fail"),
        "{:?}",
        report.verdicts
    );
}

/// It ends after each third request: the next case is lost, and no other; its last words are told.
#[test]
fn who_ends_in_the_middle_loses_one_case() {
    let ends = r#"for n in 1 2 3; do IFS= read -r line; printf '%s\n' "$line"; done | "$0" none "$1"
        echo so long >&2; exit 7"#;
    let (program, mark) = script(ends);
    let report = ask(program, 1, vectors().get(..6).unwrap()).unwrap();
    let crashes = report.cases().filter_map(|(_, it)| match it {
        Verdict::Crash { what } => Some(what),
        _ => None,
    });
    let crashes: Vec<&String> = crashes.collect();
    // The 3rd and the 6th, again the 3rd and the 6th of those that are asked about twice more, and the `stop`.
    assert_eq!(report.counts(), BTreeMap::from([("crash", 5), ("pass", 2)]));
    assert_eq!(report.stop.as_ref().map(Verdict::word), Some("crash"));
    for what in crashes {
        assert!(
            what.contains("exit status: 7") && what.contains("so long"),
            "{what}"
        );
    }
    assert!(processes(&mark).is_empty());
}

/// A signal is named.
#[test]
fn a_signal_is_told() {
    let killed = r#"IFS= read -r line; printf '%s\n' "$line" | "$0" none "$1"; IFS= read -r line; kill -9 $$"#;
    let (program, mark) = script(killed);
    let report = ask(program, 1, vectors().get(..2).unwrap()).unwrap();
    let crash = report.verdicts.values().find(|it| **it != Verdict::Pass);
    assert!(
        matches!(crash, Some(Verdict::Crash { what }) if what.contains("signal: 9")),
        "{:?}",
        report.counts()
    );
    assert!(processes(&mark).is_empty());
}

/// One that answers at once is never waited for, and its memory is watched all the same.
#[test]
#[cfg(target_os = "linux")]
fn memory_is_watched_between_the_requests() {
    let (mut program, mark) = program("eats-memory");
    program.memory = 200 << 20;
    let report = ask(program, 1, vectors().get(..200).unwrap()).unwrap();
    let ended = report.verdicts.values().find(|it| **it != Verdict::Pass);
    assert!(
        matches!(ended, Some(Verdict::Crash { what }) if what.contains("MiB of memory")),
        "{ended:?}"
    );
    assert!(processes(&mark).is_empty());
}

/// The program vanishes while it is asked: whoever is to blame, it is not the implementation.
#[test]
fn what_cannot_be_started_again_is_not_blamed() {
    for name in ["none", "exits"] {
        let (mut program, _) = program(name);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mutant");
        if fs::hard_link(mutant(), &path).is_err() {
            fs::copy(mutant(), &path).unwrap();
        }
        program.command = path.display().to_string();
        let folder = Mutex::new(Some(folder));
        let vectors = vectors();
        let vectors: Vec<&Vector> = vectors.iter().take(60).collect();
        let report = run(&plan(program, 1), &vectors, &|_, _| {
            folder.lock().unwrap().take();
        });
        let report = report.unwrap();
        assert_eq!(report.verdicts.len(), 60);
        let counts = report.counts();
        assert!(counts.contains_key("harness error"), "{counts:?}");
        assert!(!counts.contains_key("fail"), "{counts:?}");
        let crashes = usize::from(name == "exits");
        assert_eq!(counts.get("crash").copied().unwrap_or_default(), crashes);
    }
}

#[test]
fn what_cannot_be_started_at_all_is_said() {
    let (mut program, _) = program("none");
    program.command = "/nowhere/at/all".to_owned();
    let trouble = ask(program, 3, &vectors()).unwrap_err();
    assert!(matches!(trouble, Trouble::NotStarted { .. }), "{trouble}");
}

/// Processes end in the middle, and eight are asked at a time: nothing is lost.
#[test]
fn many_at_a_time_lose_no_case() {
    let (program, mark) = program("exits");
    let vectors = vectors();
    let report = ask(program, 8, &vectors).unwrap();
    assert_eq!(report.verdicts.len(), vectors.len());
    assert!(
        report
            .verdicts
            .values()
            .all(|it| matches!(it.word(), "pass" | "crash"))
    );
    assert!(processes(&mark).is_empty());
}

/// How it stops is a case of its own, which every report shows.
#[test]
fn who_does_not_stop_is_told_in_every_report() {
    let (mut program, mark) = program("ignores-stop");
    program.timeout = Duration::from_secs(1);
    let vectors = vectors();
    let few: Vec<&Vector> = vectors.iter().take(3).collect();
    let report = run(&plan(program, 1), &few, &|_, _| {}).unwrap();
    let expected = BTreeMap::from([("pass", 3), ("timeout", 1)]);
    assert_eq!(report.counts(), expected);
    let junit = junit(&report, &few).unwrap();
    let case = r#"<testcase classname="protocol" name="stop">"#;
    assert!(junit.contains(case), "{junit}");
    let page = html(&[report], &few, &[]);
    assert!(page.contains("<code>stop</code>"), "{page}");
    assert!(processes(&mark).is_empty());
}

/// Results are read by the page of the protocol: which fields go together, and null is no value.
#[test]
fn results_keep_to_the_page() {
    let result = |rest: &str| read_reply(format!(r#"{{"seq":1,"is":"result",{rest}}}"#).as_bytes());
    for right in [
        r#""refused":1"#,
        r#""outcomes":[]"#,
        r#""outcomes":[{"outcome":"accepted"}],"view":{}"#,
        r#""outcomes":[{"outcome":"rejected","class":"shape","code":""}]"#,
    ] {
        assert!(result(right).is_ok(), "{right}");
    }
    for wrong in [
        r#""refused":0"#,
        r#""refused":null,"outcomes":[]"#,
        r#""refused":1,"outcomes":[]"#,
        r#""view":{}"#,
        r#""outcomes":null"#,
        r#""outcomes":[],"view":null"#,
        r#""outcomes":[],"view":"{}""#,
        r#""outcomes":[],"digest":null"#,
        r#""outcomes":[],"digest":"""#,
        r#""outcomes":[{"outcome":"fine"}]"#,
        r#""outcomes":[{"outcome":"rejected","class":"shape"}]"#,
        r#""outcomes":[{"outcome":"id_conflict","class":"id_conflict","code":"id_conflict"}]"#,
        r#""outcomes":[{"outcome":"accepted","code":null}]"#,
    ] {
        assert!(result(wrong).is_err(), "{wrong}");
    }
}
