//! The questions, asked through a real pseudo terminal that python3 opens.

use std::process::Command;

use crate::common::{commit, file, log, request};

/// Runs `tern` with standard input and standard error on a pseudo terminal and standard output on a
/// pipe; answers each prompt with the next line. Prints the exit code, standard output and what the
/// terminal showed.
const DRIVER: &str = r#"
import json, os, pty, select, subprocess, sys, time
answers = json.loads(sys.argv[1])
master, slave = pty.openpty()
child = subprocess.Popen(sys.argv[2:], stdin=slave, stderr=slave, stdout=subprocess.PIPE)
os.close(slave)
shown, asked, end = b"", 0, time.time() + 30
while time.time() < end:
    if not select.select([master], [], [], 0.05)[0]:
        if child.poll() is not None:
            break
        continue
    try:
        part = os.read(master, 4096)
    except OSError:
        break
    if not part:
        break
    shown += part
    if shown.endswith(b": ") and asked < len(answers):
        os.write(master, answers[asked].encode())
        asked += 1
out = child.stdout.read().decode()
print(json.dumps({"code": child.wait(), "out": out, "shown": shown.decode(), "asked": asked}))
"#;

struct Talk {
    code: i64,
    out: String,
    shown: String,
}

/// Talks to `tern`; None where there is no python3 to open a terminal.
fn talk(arguments: &[&str], answers: &[&str]) -> Option<Talk> {
    let output = Command::new("python3")
        .arg("-c")
        .arg(DRIVER)
        .arg(serde_json::to_string(answers).unwrap())
        .arg(env!("CARGO_BIN_EXE_tern"))
        .args(arguments)
        .env("NO_COLOR", "1")
        .output();
    let Ok(output) = output else {
        eprintln!("no python3 here: the questions are not tested");
        return None;
    };
    let stdout = String::from_utf8(output.stdout).unwrap();
    let result: serde_json::Value = serde_json::from_str(&stdout)
        .unwrap_or_else(|_| panic!("{stdout}{}", String::from_utf8_lossy(&output.stderr)));
    assert_eq!(result["asked"], answers.len(), "{result}");
    Some(Talk {
        code: result["code"].as_i64().unwrap(),
        out: result["out"].as_str().unwrap().to_string(),
        shown: result["shown"].as_str().unwrap().to_string(),
    })
}

/// Everything is asked for, without a log: what is required until it is right, what is optional once
/// (A-CLAIM, S2.11, T2.04).
#[test]
fn everything_is_asked() {
    let answers = [
        "ana\n",
        "It leaks.\n",
        "seen\n",
        "observed\n",
        "high\n",
        "Bed 4.\n",
        "photo\n",
        "ev:photo\n",
        "\n",
        "garden\n",
        "ben\n",
        "ana1\n",
        "ana:1\n",
    ];
    let Some(talk) = talk(&["new", "tell"], &answers) else {
        return;
    };
    assert_eq!(talk.code, 0, "{}", talk.shown);
    assert_eq!(
        talk.out,
        concat!(
            r#"{"tern":"0.1","id":"ana:1","from":"ana","to":["ben"],"thread":"garden","reply":null,"act":"TELL","#,
            r#""body":{"claims":[{"text":"It leaks.","basis":"observed","confidence":"high","scope":"Bed 4.","#,
            r#""evidence":["ev:photo"],"alternatives":[]}]}}"#,
            "\n"
        )
    );
    for words in [
        "who speaks: ",
        "how it is known (observed, inferred, reported, assumed): ",
        "  one of observed, inferred, reported, assumed",
        "bad_evidence_reference",
        "evidence that it cites (ev:…), one a line, empty to end: ",
        "bad_reference",
    ] {
        assert!(talk.shown.contains(words), "{words}: {}", talk.shown);
    }
}

/// With a log only what it cannot know is asked for; the message that is answered is shown, and its
/// words cannot disturb the terminal (T4.02, T5.07).
#[test]
fn a_log_answers_for_itself() {
    let hostile = request("ana:1").replace("Water bed 4.", "Water\\u001b[31m bed 4.");
    let path = file(log(&[hostile]));
    let arguments = [
        "new",
        "commit",
        "--in",
        &path,
        "--from",
        "ben",
        "--request",
        "ana:1",
        "--done-when",
        "It is wet.",
    ];
    let answers = [
        "Water it.\n",
        "A wet bed.\n",
        "soon\n",
        "2026-05-01T18:00:00Z\n",
        "It is open.\n",
        "\n",
    ];
    let Some(talk) = talk(&arguments, &answers) else {
        return;
    };
    assert_eq!(talk.code, 0, "{}", talk.shown);
    let message: serde_json::Value = serde_json::from_str(&talk.out).unwrap();
    assert_eq!(message["id"], "ben:1");
    assert_eq!(message["body"]["due"], "2026-05-01T18:00:00Z");
    assert_eq!(
        message["body"]["conditions"],
        serde_json::json!(["It is open."])
    );
    assert!(
        talk.shown
            .contains(r"ana → ben | REQUEST | Water\u{1b}[31m bed 4."),
        "{}",
        talk.shown
    );
    assert!(!talk.shown.contains('\u{1b}'), "{:?}", talk.shown);
    assert!(talk.shown.contains("bad_timestamp"), "{}", talk.shown);
}

/// Who gives everything is asked nothing.
#[test]
fn nothing_to_ask() {
    let path = file(log(&[request("ana:1"), commit("ben:1", "ana:1")]));
    let Some(talk) = talk(
        &[
            "new", "ack", "--in", &path, "--from", "ana", "--target", "ben:1",
        ],
        &[],
    ) else {
        return;
    };
    assert_eq!((talk.code, talk.shown.as_str()), (0, ""));
    assert!(talk.out.contains(r#""act":"ACK""#));
}

/// Who goes away in the middle gets no message, and is told what is missing (T2.13).
#[test]
fn the_end_of_the_terminal() {
    let Some(talk) = talk(&["new", "decline", "--from", "ana"], &["ben:1\n", "\u{4}"]) else {
        return;
    };
    assert_eq!((talk.code, talk.out.as_str()), (2, ""));
    assert!(
        talk.shown
            .contains("missing: --reason TEXT, --thread TEXT, --to NAME, --id ID"),
        "{}",
        talk.shown
    );
}
