//! Logs to test on, and the program run on them.
#![allow(dead_code, reason = "each test binary uses a part")]

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

/// What the program did.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).expect("JSON on standard output")
    }
}

/// Runs `tern`, with a fixed width, and standard input where it is given.
pub(crate) fn tern(arguments: &[&str], input: Option<&str>) -> Ran {
    tern_with(arguments, input, |command| {
        command.env("COLUMNS", "100");
    })
}

pub(crate) fn tern_with(
    arguments: &[&str],
    input: Option<&str>,
    set: impl FnOnce(&mut Command),
) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tern"));
    command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    set(&mut command);
    let mut child = command.spawn().expect("tern starts");
    let mut stdin = child.stdin.take().expect("its input");
    let input = input.unwrap_or_default().to_string();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().expect("tern ends");
    writer.join().expect("the writer ends");
    Ran {
        code: output.status.code().expect("a status, not a signal"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// A file with this content.
pub(crate) fn file(content: &str) -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("{}-{number}.jsonl", std::process::id());
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).expect("a temporary file");
    path.to_str().expect("a printable path").into()
}

/// A log document: the context of `ana` and `ben`, then these records.
pub(crate) fn document(records: &[Value]) -> String {
    let context =
        json!({"context": {"id": "garden", "participants": {"ana": "key:ana", "ben": "key:ben"}}});
    std::iter::once(&context)
        .chain(records)
        .map(|record| format!("{record}\n"))
        .collect()
}

/// A delivery over the channel of its sender.
pub(crate) fn deliver(message: Value) -> Value {
    let from = message["from"].as_str().expect("a sender");
    json!({"deliver": {"principal": format!("key:{from}"), "message": message}})
}

pub(crate) fn message(id: &str, act: &str, reply: Value, body: Value) -> Value {
    let from = id.split(':').next().expect("a sender");
    json!({
        "tern": "0.1", "id": id, "from": from, "to": ["all"], "thread": "beds",
        "reply": reply, "act": act, "body": body,
    })
}

pub(crate) fn request(id: &str, action: &str) -> Value {
    message(
        id,
        "REQUEST",
        Value::Null,
        request_body(action, &["no sprinkler"]),
    )
}

pub(crate) fn request_body(action: &str, constraints: &[&str]) -> Value {
    json!({
        "action": action, "done_when": "wet", "constraints": constraints, "authority_ref": null,
    })
}

pub(crate) fn commit(id: &str, request: &str) -> Value {
    let body = json!({
        "request": request, "action": "water", "deliverable": "wet beds", "done_when": "wet",
        "due": null, "conditions": ["the hose is there", "no rain"], "authority_ref": null,
    });
    message(id, "COMMIT", json!(request), body)
}

pub(crate) fn replace(id: &str, target: &str, previous: &str, replacement: Value) -> Value {
    let mode = if replacement.is_null() {
        "withdraw"
    } else {
        "replace"
    };
    let body = json!({
        "target": target, "previous": previous, "mode": mode, "reason": "a new thought",
        "replacement": replacement, "impact": [],
    });
    message(id, "REVISE", json!(previous), body)
}

pub(crate) fn ack(id: &str, target: &str) -> Value {
    message(id, "ACK", Value::Null, json!({"target": target}))
}

/// A promise on a request whose revisions compete, a message that waits for `ana:9`, and a spoofed
/// one.
pub(crate) fn garden() -> Vec<Value> {
    vec![
        deliver(request("ana:1", "water the beds")),
        deliver(commit("ben:1", "ana:1")),
        deliver(replace(
            "ana:2",
            "ana:1",
            "ana:1",
            request_body("water the beds", &["no sprinkler", "before noon"]),
        )),
        deliver(replace(
            "ana:3",
            "ana:1",
            "ana:1",
            request_body("water the roses", &["no sprinkler"]),
        )),
        deliver(replace("ana:4", "ana:1", "ana:2", Value::Null)),
        deliver(ack("ben:3", "ana:9")),
        json!({"deliver": {"principal": "key:mallory", "message": ack("ana:6", "ben:1")}}),
        json!({"confirm": {"commitment": "ben:1", "condition": 0}}),
    ]
}

/// An id that is hostile to terminals, DOT, Mermaid, HTML and XML at once.
pub(crate) const HOSTILE: &str = "ana:\"]; x -> y [label=\"<script>alert('&amp;')</script>\"\n--> %%{init}%% `#35;`\\N\u{1b}[31m\u{202e}\u{0}]]>";
