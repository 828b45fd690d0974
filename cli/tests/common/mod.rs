//! Running the real binary on files in a temporary folder.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub,
    reason = "tests; each file uses a part of it"
)]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// What a run of the binary came to.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// Asserts the exit code; gives standard output.
    #[track_caller]
    pub fn exits(&self, code: i32) -> &str {
        assert_eq!(self.code, code, "out:\n{}\nerr:\n{}", self.out, self.err);
        &self.out
    }

    /// Standard output as JSON, after exit code 0.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(self.exits(0)).expect("one JSON value")
    }

    /// Standard output as one JSON value a line.
    #[track_caller]
    pub fn lines(&self) -> Vec<Value> {
        self.out
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    }
}

/// A temporary folder in which the binary runs.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tern"));
        command
            .args(arguments)
            .current_dir(self.0.path())
            .env("NO_COLOR", "1");
        command
    }

    /// Runs the binary.
    pub fn tern(&self, arguments: &[&str]) -> Ran {
        self.tern_with(arguments, b"")
    }

    /// Runs the binary with standard input.
    pub fn tern_with(&self, arguments: &[&str], input: &[u8]) -> Ran {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        // A command that does not read its input closes it: that is no fault.
        let feeder = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let output = child.wait_with_output().unwrap();
        feeder.join().unwrap();
        Ran {
            code: output.status.code().expect("no signal"),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// An example of the project.
pub fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../examples")
        .join(name)
}

/// The context record of `a` and `b`.
pub fn context() -> String {
    format!(
        "{}\n",
        json!({"context": {"id": "room", "participants": {"a": "key:a", "b": "key:b"}}})
    )
}

/// A message of the thread `t`.
pub fn message(id: &str, reply: Option<&str>, act: &str, body: Value) -> Value {
    let from = id.split(':').next().unwrap();
    json!({"tern": "0.1", "id": id, "from": from, "to": ["a", "b"], "thread": "t",
           "reply": reply, "act": act, "body": body})
}

/// The same as a delivery over the channel of its sender.
pub fn deliver(message: &Value) -> String {
    let principal = format!("key:{}", message["from"].as_str().unwrap());
    format!(
        "{}\n",
        json!({"deliver": {"principal": principal, "message": message}})
    )
}

pub fn request(id: &str) -> Value {
    let body = json!({"action": "water the beds", "done_when": "wet", "constraints": [], "authority_ref": null});
    message(id, None, "REQUEST", body)
}

pub fn commit(id: &str, request: &str) -> Value {
    let body = json!({"request": request, "action": "water the beds", "deliverable": "wet beds",
                      "done_when": "wet", "due": null, "conditions": [], "authority_ref": null});
    message(id, Some(request), "COMMIT", body)
}

pub fn ask(id: &str, question: &str) -> Value {
    message(id, None, "ASK", json!({"question": question}))
}

/// A revision that withdraws.
pub fn withdraw(id: &str, target: &str, previous: &str) -> Value {
    let body = json!({"target": target, "previous": previous, "mode": "withdraw", "reason": "no more",
                      "replacement": null, "impact": []});
    message(id, None, "REVISE", body)
}
