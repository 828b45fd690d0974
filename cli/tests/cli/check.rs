//! `tern check`.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::common::{Folder, ask, command, deliver, document, parsed, request, tern_on};

/// T1.05, S2.10: `check` reports every finding with line, caret, clause and hint, and counts codes.
#[test]
fn s2_10_check_reports_all_findings() {
    let folder = Folder::new();
    let mut broken = parsed(&request("ana:1"));
    broken["to"] = json!(["b", "b"]);
    broken["body"]["done_wen"] = json!("typo");
    broken["body"].as_object_mut().unwrap().remove("done_when");
    folder.write(
        "bare",
        format!(
            "{}\n{broken}\n{{\"a\":1,\"\\u0061\":2}}\n",
            ask("ana:2", "fine?")
        ),
    );
    let ran = folder.tern(&["check", "bare"]);
    let out = ran.exits(1);
    for word in [
        "error[repeated_recipient]",
        "error[unknown_field]",
        "error[missing_field]",
        "error[duplicate_key]",
        "--> bare:2:",
        "--> bare:3:8",
        "^",
        "clause T1.05",
        "help:",
        "3 messages: 1 well formed, 2 not",
    ] {
        assert!(out.contains(word), "{word}\n{out}");
    }
    let lines = folder.tern(&["check", "--json", "bare"]).lines();
    let last = lines.last().unwrap();
    assert_eq!(
        (&last["messages"], &last["refused"]),
        (&json!(3), &json!(2))
    );
    assert_eq!(lines.len(), 5);
    folder.write("fine", format!("{}\n", ask("ana:2", "fine?")));
    folder.tern(&["check", "fine"]).exits(0);
}

/// Many reports of broken messages, far more than any buffer or pipe holds.
fn much() -> String {
    "{\"tern\":\"0.2\"}\n".repeat(5_000)
}

/// The two commands that report message by message.
const REPORTS: [&[&str]; 5] = [
    &["check", "-"],
    &["check", "--json", "-"],
    &["run", "--outcomes", "-"],
    &["run", "--outcomes", "--json", "-"],
    &["run", "--outcomes", "--strict", "-"],
];

/// S8.11: what is said of bare messages is said before the input ends.
#[test]
fn s8_11_reports_of_bare_messages_come_as_they_are_made() {
    for arguments in REPORTS {
        let mut child = command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || {
            stdin.write_all(much().as_bytes()).unwrap();
            stdin
        });
        let mut first = [0];
        child
            .stdout
            .as_mut()
            .unwrap()
            .read_exact(&mut first)
            .unwrap();
        // The report is not awaited in vain: its beginning is there, and the input is open still.
        let rest = std::thread::spawn(move || child.wait_with_output().unwrap());
        drop(writer.join().unwrap());
        assert!(!rest.join().unwrap().stdout.is_empty(), "{arguments:?}");
    }
}

/// S8.02: of a document nothing is said before its end is known, however much there is to say.
#[test]
fn s8_02_nothing_is_said_of_a_document_that_breaks_late() {
    let bad = deliver(json!({"tern": "0.2", "from": "ana"}));
    let sound = document(&vec![bad; 5_000]);
    let broken = format!("{sound}{{}}\n");
    for arguments in REPORTS {
        let ran = tern_on(&broken, arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.err.contains(":5002:"), "{}", ran.err);
        let ran = tern_on(&sound, arguments);
        assert!(ran.code < 2 && ran.out.len() > 200_000, "{arguments:?}");
    }
}

/// Who has seen enough and closes the pipe ends the report quietly, with the verdict on what was read by then; a full
/// disk is a failure.
#[test]
fn the_end_of_standard_output() {
    for input in [much(), document(&vec![deliver(request("ana:1")); 5_000])] {
        for arguments in REPORTS {
            let folder = Folder::new();
            folder.write("input", &input);
            let run = |out: Stdio| {
                let child = folder
                    .command(arguments)
                    .stdin(File::open(folder.path("input")).unwrap())
                    .stdout(out)
                    .stderr(Stdio::piped())
                    .spawn();
                let output = child.unwrap().wait_with_output().unwrap();
                (
                    output.status.code(),
                    String::from_utf8(output.stderr).unwrap(),
                )
            };
            let (whole, _) = run(Stdio::null());
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            let (code, err) = run(writer.into());
            assert_eq!(code, whole, "{arguments:?}: {err}");
            assert!(!err.contains("error") && !err.contains("panic"), "{err}");
            #[cfg(target_os = "linux")]
            {
                let full = File::options().write(true).open("/dev/full").unwrap();
                let (code, err) = run(full.into());
                assert_eq!(code, Some(2), "{arguments:?}: {err}");
                assert!(
                    err.contains("error") && err.contains("standard output"),
                    "{err}"
                );
            }
        }
    }
}

/// A closed pipe hides no verdict of the commands that say all at once, either.
#[test]
fn a_closed_pipe_hides_no_verdict() {
    let folder = Folder::new();
    folder.write("one", document(&[deliver(request("ana:1"))]));
    folder.write("other", document(&[deliver(request("ana:2"))]));
    folder.write("spaced", "{ }\n");
    folder.write("broken", "{\n{}\n");
    for arguments in [
        &["diff", "one", "other"][..],
        &["diff", "--json", "one", "other"],
        &["fmt", "--check", "spaced"],
        &["fmt", "broken"],
    ] {
        let whole = folder.tern(arguments).code;
        assert_eq!(whole, 1, "{arguments:?}");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = folder.command(arguments);
        let status = command.stdout(writer).stderr(Stdio::null()).status();
        assert_eq!(status.unwrap().code(), Some(whole), "{arguments:?}");
    }
}

/// S2.10: thousands of findings in one long line cost no scan of the line for each of them.
#[test]
fn s2_10_many_findings_in_a_long_line() {
    let fields: Vec<String> = (0..10_000)
        .map(|number| format!("\"é{number}\":\"{}\"", "水".repeat(27)))
        .collect();
    let line = format!("{{{}}}", fields.join(","));
    assert!(
        line.len() > 900_000 && line.len() < 1 << 20,
        "{}",
        line.len()
    );
    let start = Instant::now();
    let ran = tern_on(&line, &["check", "-"]);
    let elapsed = start.elapsed();
    assert!(ran.exits(1).matches("error[unknown_field]").count() > 9_000);
    assert!(!ran.out.contains('\u{fffd}'), "a character was cut");
    assert!(elapsed < Duration::from_secs(20), "{elapsed:?}");
}

/// S2.10: of a message with more findings than are listed, the rest is counted and not forgotten.
#[test]
fn s2_10_findings_that_are_not_listed_are_counted() {
    let fields: Vec<String> = (0..12_000).map(|n| format!("\"x{n}\":1")).collect();
    let message = format!("{{{}}}\n", fields.join(","));
    let ran = tern_on(&message, &["check", "--json", "-"]);
    let last = ran.lines().pop().unwrap();
    assert!(last["omitted"].as_u64().unwrap() >= 2_000, "{last}");
    let ran = tern_on(&message, &["check", "-"]);
    assert!(ran.exits(1).contains("not listed"), "it says so");
}

/// What several threads read says the same as what one reads line by line: a file and standard input, a log document and bare
/// messages, sound and broken, larger than what is read at once.
#[test]
fn a_long_input_is_checked_in_order() {
    const LINES: usize = 12_000;
    let text = "x".repeat(400);
    let message = |number: usize| match number % 5 {
        0 => ask(&format!("ana:{number}"), "").to_string(),
        1 => format!("{{\"number\":{number}"),
        _ => ask(&format!("ana:{number}"), &text).to_string(),
    };
    let bare: String = (0..LINES).map(|number| message(number) + "\n").collect();
    let records: Vec<_> = (0..LINES)
        .filter(|number| number % 5 != 1)
        .map(|number| {
            deliver(ask(
                &format!("ana:{number}"),
                if number % 7 == 0 { "" } else { &text },
            ))
        })
        .collect();
    let whole = document(&records);
    let broken = format!("{whole}{{}}\n{whole}");
    assert!(bare.len() > 3 << 20 && whole.len() > 3 << 20);
    for input in [bare, whole, broken] {
        let folder = Folder::new();
        folder.write("input", &input);
        for more in [&[][..], &["--json"]] {
            let by_file = folder.tern(&[&["check", "input"], more].concat());
            let by_line = tern_on(&input, &[&["check", "-"], more].concat());
            assert_eq!(by_file.code, by_line.code);
            let name = |text: &str| {
                text.replace("standard input", "input")
                    .replace("--> -:", "--> input:")
                    .replace("-: ", "input: ")
            };
            assert!(name(&by_file.out) == name(&by_line.out), "{}", input.len());
            assert_eq!(name(&by_file.err), name(&by_line.err));
        }
    }
}
