//! `tern completions`, and the help of the commands for people who write.

use crate::common::tern;

const ACTS: [&str; 10] = [
    "ask",
    "tell",
    "propose",
    "request",
    "commit",
    "report",
    "challenge",
    "revise",
    "decline",
    "ack",
];

/// Every shell gets a script that knows the commands and the ten acts (T2.01).
#[test]
fn every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = tern(&["completions", shell]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{shell}");
        for word in ["check", "gloss", "conform", "adapter", "completions"]
            .iter()
            .chain(&ACTS)
        {
            assert!(ran.out.contains(word), "{shell} does not know {word}");
        }
    }
    assert_eq!(tern(&["completions", "cmd.exe"]).code, 2);
}

/// Where the words of a field are few, a shell offers them (S2.11).
#[test]
fn vocabularies() {
    let script = tern(&["completions", "zsh"]).out;
    assert!(script.contains("observed inferred reported assumed"));
    assert!(script.contains("active blocked fulfilled failed"));
}

/// What `tern conform` can be told is completed, and the help of `tern` leads to it.
#[test]
fn conform_is_found() {
    let script = tern(&["completions", "bash"]).out;
    for option in ["--write-baseline", "--smoke", "--explain", "--beside"] {
        assert!(script.contains(option), "{option}");
    }
    assert!(script.contains("text json junit html"));
    let help = tern(&["--help"]).out;
    assert!(help.contains("tern conform -- ./my-tern"), "{help}");
}

/// A shell takes its script.
#[test]
fn bash_reads_it() {
    let script = tern(&["completions", "bash"]).out;
    let Ok(mut bash) = std::process::Command::new("bash")
        .arg("-n")
        .stdin(std::process::Stdio::piped())
        .spawn()
    else {
        return;
    };
    std::io::Write::write_all(&mut bash.stdin.take().unwrap(), script.as_bytes()).unwrap();
    assert!(bash.wait().unwrap().success());
}

/// Every command that writes shows examples, each act too, and there are ten (T2.01, T8.02).
#[test]
fn help_has_examples() {
    for command in ["fmt", "gloss", "new", "conform", "adapter", "completions"] {
        let ran = tern(&[command, "--help"]);
        assert_eq!(ran.code, 0);
        assert!(
            ran.out.contains("Examples:\n  tern "),
            "{command}: {}",
            ran.out
        );
    }
    for act in ACTS {
        let ran = tern(&["new", act, "--help"]);
        assert!(
            ran.out.contains(&format!("  tern new {act} ")),
            "{act}: {}",
            ran.out
        );
    }
    assert_eq!(tern(&["new", "promise"]).code, 2);
}
