//! `tern conform`: real processes that answer, well or badly, and what is made of it.

mod asking;
mod baseline;
mod browser;
mod explain;
mod fuzz;
mod newcomer;
mod reports;
mod smoke;
mod troubles;

use std::process::Command;

use crate::common::{Folder, Ran, finish};

/// The one vector that most tests ask about: an ACK is pending, and its second form is refused.
const ONE: &str = "shape-ack-missing";

/// An implementation: `tern adapter` behind a script that may edit what goes through.
const FAKE: &str = r#"
import json, os, subprocess, sys, time
behind = subprocess.Popen([TERN, "adapter"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
asked = 0
for line in sys.stdin.buffer:
    request = json.loads(line)
    if request["do"] == "stop":
        STOP
        break
    behind.stdin.write(line)
    behind.stdin.flush()
    reply = json.loads(behind.stdout.readline())
    hello = reply if reply["is"] == "hello" else {}
    outcomes = reply.get("outcomes", [])
    asked += request["do"] == "run"
    EDIT
    print(json.dumps(reply), flush=True)
"#;

/// A folder with an implementation in it, which is asked there.
struct Fake(Folder);

impl Fake {
    /// One that edits its replies: `reply`, its `outcomes`, and `hello`, which is empty later, can be changed.
    /// None where there is no Python; that is no excuse where everything has to be tested.
    fn editing(edit: &str) -> Option<Self> {
        Self::with(edit, "pass")
    }

    /// One that does something special at the end, too.
    fn with(edit: &str, stop: &str) -> Option<Self> {
        let lines = |code: &str, indent: &str| code.trim().replace('\n', &format!("\n{indent}"));
        let tern = serde_json::json!(env!("CARGO_BIN_EXE_tern")).to_string();
        let script = FAKE
            .replace("TERN", &tern)
            .replace("STOP", &lines(stop, "        "))
            .replace("EDIT", &lines(edit, "    "));
        Self::script(&script)
    }

    /// One that is this script.
    fn script(script: &str) -> Option<Self> {
        if !has_python() {
            return None;
        }
        let folder = Folder::new();
        folder.write("fake.py", script);
        Some(Self(folder))
    }

    /// Runs `tern conform` with these arguments on the implementation.
    fn conform(&self, arguments: &[&str]) -> Ran {
        finish(self.command(arguments), b"")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let all = [&["conform"], arguments, &["--", "python3", "fake.py"]].concat();
        self.0.command(&all)
    }
}

fn has_python() -> bool {
    let version = Command::new("python3").arg("--version").output();
    let there = version.is_ok_and(|it| it.status.success());
    if !there {
        assert!(
            std::env::var_os("CI").is_none(),
            "CI has no python3, and what it shows is not left out there"
        );
        println!("LEFT OUT: there is no python3");
    }
    there
}

/// Runs `tern conform` with these arguments on `tern adapter`.
fn conform_tern(arguments: &[&str]) -> Ran {
    let tern = env!("CARGO_BIN_EXE_tern");
    let all = [&["conform"], arguments, &["--", tern, "adapter"]].concat();
    crate::common::tern(&all)
}

/// What stands before the figures, which differ from run to run.
fn without_time(text: &str) -> String {
    let lines = text.lines().map(|line| match line.rsplit_once(" in ") {
        Some((before, time)) if time.ends_with(" s") => format!("{before} in … s\n"),
        _ => format!("{line}\n"),
    });
    lines.collect()
}
