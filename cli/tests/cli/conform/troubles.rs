//! Implementations that are not there, say nothing, say too much, end or hang.

use super::{Fake, ONE};
use crate::common::{Folder, Ran, tern};

/// A command that cannot be asked: wrong usage, said plainly, and with what to look at.
#[track_caller]
fn cannot(ran: &Ran, parts: &[&str]) {
    assert_eq!(ran.exits(2), "");
    assert!(ran.err.starts_with("error: "), "{}", ran.err);
    assert!(ran.err.contains("\n  hint: "), "{}", ran.err);
    for part in parts {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
}

#[test]
fn no_such_command() {
    for way in [&["--filter", ONE][..], &["--smoke"], &["--explain", ONE]] {
        let ran = tern(&[&["conform"], way, &["--", "./no-such-tern"]].concat());
        cannot(
            &ran,
            &["`./no-such-tern` cannot be started: ", "executable"],
        );
        assert!(!ran.err.contains("protocol"), "{}", ran.err);
    }
    // All in one word, as a shell would not do it.
    let ran = tern(&["conform", "--smoke", "--", "python3 my_tern.py"]);
    cannot(&ran, &["cannot be started", "words of their own"]);
}

#[test]
#[cfg(unix)]
fn not_executable() {
    let folder = Folder::new();
    folder.write("my-tern", "#!/bin/sh\n");
    let ran = folder.tern(&["conform", "--", "./my-tern"]);
    cannot(
        &ran,
        &["cannot be started: Permission denied", "executable"],
    );
}

/// It ends before it said who it is: what it wrote on standard error is shown, and stays within its lines.
#[test]
fn ends_at_once() {
    let Some(fake) = Fake::script("import sys\nsys.exit('first\\nerror: no licence')") else {
        return;
    };
    for way in [&[][..], &["--smoke"], &["--explain", ONE]] {
        let ran = fake.conform(way);
        assert_eq!(ran.code, 2);
        let parts = [
            "`python3` did not answer `hello`: it ended",
            "exit status: 1",
        ];
        for part in parts {
            assert!(ran.err.contains(part), "{}", ran.err);
        }
        assert!(
            ran.err.contains("first\n    error: no licence"),
            "{}",
            ran.err
        );
    }
}

/// It says nothing, as one does that does not flush.
#[test]
fn says_nothing() {
    let Some(fake) = Fake::script("import sys\nfor line in sys.stdin.buffer: pass") else {
        return;
    };
    let ran = fake.conform(&["--timeout", "1"]);
    cannot(
        &ran,
        &[
            "no reply within 1000 ms",
            "flushed",
            "--smoke -- python3 fake.py",
        ],
    );
}

/// What it says first is no `hello`.
#[test]
fn garbage_at_first() {
    let say = |line: &str| {
        let line = serde_json::json!(line);
        Fake::script(&format!(
            "import sys\nfor line in sys.stdin: print({line}, flush=True)"
        ))
    };
    let hello = r#"{"seq":1,"is":"hello","protocol":1,"spec":"0.1","implementation":"i","version":"v","language":"l","capabilities":[]}"#;
    for (line, part) in [
        (
            "Welcome!\u{1b}[2J".to_owned(),
            "a line that is no reply (no strict JSON",
        ),
        ("[1]".to_owned(), "no JSON object"),
        (r#"{"is":"hello"}"#.to_owned(), "no `seq`"),
        (
            r#"{"seq":1,"is":"result","outcomes":[]}"#.to_owned(),
            "`hello` was answered with `result`",
        ),
        (
            hello.replace(":[]", ":[],\"colour\":1"),
            "unknown field `colour`",
        ),
        (
            hello.replace("[]", "[\"magic\"]"),
            "unknown variant `magic`",
        ),
        (
            hello.replace("\"protocol\":1", "\"protocol\":2"),
            "version 2 of the protocol, and was asked in version 1",
        ),
        (
            hello.replace("0.1", "0.2"),
            "it implements `0.2` of the specification, and the vectors are about `0.1`",
        ),
        (
            hello.replace("[]", "[\"view\",\"view\"]"),
            "a list with something twice",
        ),
        (
            hello.replace("\"i\"", &format!("\"{}\"", "i".repeat(201))),
            "`implementation` has more than 200 characters",
        ),
        (
            r#"{"seq":1,"is":"unsupported","why":"too new"}"#.to_owned(),
            "it cannot be asked: too new",
        ),
        (
            hello.replace("\"seq\":1", "\"seq\":7"),
            "request 1 was answered with `seq` 7",
        ),
    ] {
        let Some(fake) = say(&line) else { return };
        let ran = fake.conform(&["--filter", ONE]);
        cannot(
            &ran,
            &[
                part,
                "is the reply to `hello`, with every field as spec/protocol.md",
            ],
        );
        assert!(!ran.err.contains('\u{1b}'), "{:?}", ran.err);
    }
}

/// Each trouble of one vector is told as what it is, and is over with the next, for which there is a new process.
#[test]
fn troubles_of_one_vector() {
    let broken = "if asked and b'\"body\\\\\":{}' in line: ";
    for (doing, verdict, part) in [
        (
            "sys.exit('Trace:\\n  x\\nValueError: bad')",
            "crash",
            "ValueError: bad; it ended before its time (exit status: 1)",
        ),
        (
            "os._exit(0)",
            "crash",
            "it ended before its time (exit status: 0)",
        ),
        ("time.sleep(600)", "timeout", "no reply within 6000 ms"),
        (
            "print('oops', flush=True)",
            "fail",
            "a line that is no reply",
        ),
        (
            "reply = {'seq': reply['seq'] + 1, 'is': 'error', 'why': ''}",
            "fail",
            "was answered with `seq`",
        ),
        (
            "reply = {'seq': reply['seq'], 'is': 'error', 'why': 'too hard'}",
            "fail",
            "`error`: too hard",
        ),
        (
            "reply = {'seq': reply['seq'], 'is': 'unsupported', 'why': 'no'}",
            "fail",
            "of what it declared",
        ),
        (
            "reply = {'seq': reply['seq'], 'is': 'result', 'colour': 1}",
            "fail",
            "unknown field `colour`",
        ),
        (
            "reply = {'seq': reply['seq'], 'is': 'result'}",
            "fail",
            "a result with neither `refused` nor `outcomes`",
        ),
        (
            "reply = {'seq': reply['seq'], 'is': 'result', 'refused': 2}",
            "fail",
            "a document was refused",
        ),
    ] {
        let Some(fake) = Fake::editing(&format!("{broken}{doing}")) else {
            return;
        };
        let timeout = if verdict == "timeout" { "6" } else { "60" };
        let ran = fake.conform(&[
            "--filter",
            "shape-ack-",
            "--jobs",
            "1",
            "--timeout",
            timeout,
        ]);
        let out = ran.exits(1);
        assert!(out.contains(&format!("✗ 1 {verdict}: ")), "{doing}: {out}");
        assert!(out.contains(part), "{doing}: {out}");
        assert!(
            out.contains(ONE) && out.contains(&format!("1 {verdict};")),
            "{doing}: {out}"
        );
        let explained = fake.conform(&["--explain", ONE, "--timeout", timeout]);
        let explained = explained.exits(1);
        assert!(
            explained.contains(&format!("  ✗ {verdict}\n")),
            "{doing}: {explained}"
        );
    }
}

/// What takes too much memory is ended.
#[test]
#[cfg(target_os = "linux")]
fn too_much_memory() {
    let edit = "if asked:\n    much = b'x' * (400 << 20)\n    time.sleep(600)";
    let Some(fake) = Fake::editing(edit) else {
        return;
    };
    let ran = fake.conform(&["--filter", ONE, "--memory", "300", "--timeout", "60"]);
    let out = ran.exits(1);
    assert!(
        out.contains("crash: ended by the runner: it held "),
        "{out}"
    );
}

/// Whoever keeps something from one document to the next is found out.
#[test]
fn remembers() {
    let edit = "
if asked > 1 and os.path.exists('seen'):
    for it in outcomes: it.update(outcome='duplicate')
open('seen', 'a').close() if asked > 20 else None";
    let Some(fake) = Fake::editing(edit) else {
        return;
    };
    let ran = fake.conform(&["--filter", "shape-", "--level", "1", "--jobs", "1"]);
    assert!(ran.exits(1).contains("fail"), "{}", ran.out);
    // The last documents are asked about again at the end: here everything was right at first.
    let edit = "
count = int(open('count').read()) if os.path.exists('count') else 0
open('count', 'w').write(str(count + (request['do'] == 'run')))
if count >= 3:
    for it in outcomes: it.update(outcome='duplicate')";
    let Some(fake) = Fake::editing(edit) else {
        return;
    };
    let ran = fake.conform(&["--filter", "shape-ack-", "--jobs", "1"]);
    let out = ran.exits(1);
    // A single vector is asked about twice by one process, too.
    let alone =
        "if asked > 1: reply = {'seq': reply['seq'], 'is': 'error', 'why': 'once is enough'}";
    if let Some(fake) = Fake::editing(alone) {
        let ran = fake.conform(&["--explain", ONE]);
        assert!(ran.exits(1).contains("once is enough"), "{}", ran.out);
    }
    assert!(
        out.contains("fail: after other documents; it was right before: a line that is no reply"),
        "{out}"
    );
}

/// `--jobs 1` is one process at a time.
#[test]
fn one_at_a_time() {
    let alone = "
if hello:
    if os.path.exists('here'): open('two', 'w').close()
    open('here', 'w').close()";
    let Some(fake) = Fake::with(alone, "os.remove('here')") else {
        return;
    };
    let ran = fake.conform(&["--filter", "shape-ack", "--jobs", "1"]);
    ran.exits(0);
    assert!(!fake.0.path("two").exists());
}

/// What an implementation does not do is never green: it is `unsupported`, and the exit code is 1.
#[test]
fn what_is_not_declared_is_not_passed() {
    for (capabilities, filter, part) in [
        (
            "[]",
            ONE,
            "? 1 unsupported: its outcomes are right, but it tells neither view nor digest",
        ),
        ("['bare']", ONE, "? 1 unsupported: its outcomes are right"),
        (
            "['view', 'digest']",
            "document-bare-one-line",
            "? 2 unsupported: it does not read files of bare",
        ),
        (
            "['view', 'bare']",
            "S7.05",
            "unsupported: its view is right, but only a digest shows",
        ),
    ] {
        let Some(fake) =
            Fake::editing(&format!("if hello: hello['capabilities'] = {capabilities}"))
        else {
            return;
        };
        let ran = fake.conform(&["--filter", filter]);
        let out = ran.exits(1);
        assert!(out.contains(part), "{capabilities}: {out}");
        assert!(!out.contains("✓"), "{capabilities}: {out}");
    }
    // Refusing a broken document needs none of them, and a digest shows all of the view.
    for (capabilities, filter) in [("[]", "document-base64-newline"), ("['digest']", ONE)] {
        let Some(fake) =
            Fake::editing(&format!("if hello: hello['capabilities'] = {capabilities}"))
        else {
            return;
        };
        fake.conform(&["--filter", filter]).exits(0);
    }
    // Wrong outcomes are wrong whatever is declared.
    let edit =
        "if hello: hello['capabilities'] = []\nfor it in outcomes: it.update(outcome='accepted')";
    let Some(fake) = Fake::editing(edit) else {
        return;
    };
    let ran = fake.conform(&["--filter", ONE]);
    assert!(ran.exits(1).contains("✗ 1 fail: "), "{}", ran.out);
}

/// What the runner cannot do is its own fault, and said to be; yet nothing is known then, so it is no pass. A baseline
/// may list it.
#[test]
#[cfg(unix)]
fn harness_errors() {
    use std::os::unix::fs::PermissionsExt as _;
    let Some(fake) = Fake::editing("if asked: sys.exit('gone')") else {
        return;
    };
    let script = fake.0.path("my-tern");
    let write = || {
        fake.0.write(
            "my-tern",
            "#!/bin/sh\nrm -f my-tern\nexec python3 fake.py\n",
        );
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&script, mode).unwrap();
    };
    let ask = |arguments: &[&str]| {
        write();
        let first = ["conform", "--filter", "shape-ack-", "--jobs", "1"];
        fake.0
            .tern(&[&first, arguments, &["--", "./my-tern"]].concat())
    };
    let ran = ask(&["--write-baseline", "known.txt"]);
    let out = ran.exits(1);
    assert!(out.contains("✗ 1 crash: gone; it ended before"), "{out}");
    assert!(
        out.contains(" harness error: `./my-tern` cannot be started: "),
        "{out}"
    );
    let written = std::fs::read_to_string(fake.0.path("known.txt")).unwrap();
    assert!(written.contains("\nharness error shape-ack-"), "{written}");
    assert!(
        ask(&["--baseline", "known.txt"])
            .exits(0)
            .contains("as the baseline says")
    );
    let ran = ask(&["--report", "junit"]);
    assert!(
        ran.exits(1).contains("<error type=\"harness error\">"),
        "{}",
        ran.out
    );
}

/// How it stops is told like anything else that is not as it should be.
#[test]
fn an_end_that_is_wrong_is_told() {
    let Some(fake) = Fake::with("pass", "sys.exit(3)") else {
        return;
    };
    let ran = fake.conform(&["--filter", ONE]);
    let out = ran.exits(1);
    let told = "✗ `stop`: crash\n        it ended before its time (exit status: 3)";
    assert!(out.contains(told), "{out}");
}

/// Who interrupts the runner does not leave behind what it asked, nor what that started.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_all() {
    let spins = "
import json, os, subprocess, sys, time
line = sys.stdin.readline()
child = subprocess.Popen(['sleep', '600'])
with open('started', 'w') as file: file.write(f'{os.getpid()} {child.pid}')
time.sleep(600)
";
    for signal in ["INT", "TERM", "HUP"] {
        let Some(fake) = Fake::script(spins) else {
            return;
        };
        fake.0.write("old.txt", "old");
        let mut command = fake.command(&[
            "--filter",
            ONE,
            "--timeout",
            "500",
            "--output",
            "new.txt",
            "--write-baseline",
            "old.txt",
        ]);
        let mut runner = command.spawn().unwrap();
        let path = fake.0.path("started");
        let started = loop {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            if text.contains(' ') {
                break text;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        };
        let kill = |arguments: &[&str]| {
            let status = std::process::Command::new("kill").args(arguments).status();
            status.unwrap().success()
        };
        assert!(kill(&["-s", signal, &runner.id().to_string()]));
        assert_eq!(runner.wait().unwrap().code(), Some(130), "{signal}");
        let gone = |process: &str| {
            let stat = std::fs::read_to_string(format!("/proc/{process}/stat"));
            stat.map_or(true, |stat| stat.contains(") Z "))
        };
        // What would have been written is not there, not even empty; what was there is.
        assert!(!fake.0.path("new.txt").exists(), "{signal}");
        let old = std::fs::read_to_string(fake.0.path("old.txt")).unwrap();
        assert_eq!(old, "old", "{signal}");
        for process in started.split(' ') {
            let mut is_gone = gone(process);
            for _ in 0..200 {
                std::thread::sleep(std::time::Duration::from_millis(10));
                is_gone = is_gone || gone(process);
            }
            assert!(is_gone, "{signal}: {process} still runs");
        }
    }
}

/// A file in two roles would be lost.
#[test]
fn a_file_in_two_roles_is_refused() {
    let Some(fake) = Fake::editing("pass") else {
        return;
    };
    fake.0.write("known", "");
    fake.0.write("report.json", "{}");
    std::fs::hard_link(fake.0.path("report.json"), fake.0.path("hard")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("new", fake.0.path("soft")).unwrap();
    #[cfg(not(unix))]
    std::fs::hard_link(fake.0.path("report.json"), fake.0.path("soft")).unwrap();
    for arguments in [
        &["--baseline", "known", "--output", "known"][..],
        &["--output", "both", "--write-baseline", "both"],
        &["--output", "both", "--write-baseline", "./both"],
        // The implementation itself, and what is the same file under another name.
        &["--output", "fake.py"],
        &["--write-baseline", "fake.py"],
        &["--output", "report.json", "--write-baseline", "hard"],
        &["--output", "new", "--write-baseline", "soft"],
        &[
            "--report",
            "html",
            "--beside",
            "report.json",
            "--output",
            "report.json",
        ],
        &[
            "--report",
            "html",
            "--beside",
            "report.json",
            "--write-baseline",
            "report.json",
        ],
    ] {
        let ran = fake.conform(arguments);
        ran.exits(2);
        assert!(ran.err.contains("would lose what is in it"), "{}", ran.err);
    }
    let kept = std::fs::read_to_string(fake.0.path("report.json")).unwrap();
    assert_eq!(kept, "{}");
    assert!(!fake.0.path("both").exists());
    fake.conform(&[
        "--filter",
        ONE,
        "--baseline",
        "known",
        "--write-baseline",
        "known",
    ])
    .exits(0);
}
