//! Running the real `tern` on files of the test's own making.
#![allow(dead_code, reason = "each test file uses its part")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that fails should fail loudly"
)]

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// What a run of `tern` came to.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) bytes: Vec<u8>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs `tern` with nothing on standard input.
pub(crate) fn tern(arguments: &[&str]) -> Ran {
    tern_on(b"", arguments)
}

/// Runs `tern` with these bytes on standard input.
pub(crate) fn tern_on(input: &[u8], arguments: &[&str]) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tern"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A command that needs no input may end before it is written.
    let writer = std::thread::spawn(move || stdin.write_all(&input).is_ok());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Ran {
        code: output.status.code().unwrap(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
        bytes: output.stdout,
    }
}

/// A file with these contents; each call has its own.
pub(crate) fn file(contents: impl AsRef<[u8]>) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("by-hand-{}-{number}.jsonl", std::process::id());
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, contents).unwrap();
    path.to_str().unwrap().to_string()
}

/// A message by `id`'s sender to everybody, with `body` as JSON.
pub(crate) fn message(id: &str, reply: &str, act: &str, body: &str) -> String {
    let from = id.split(':').next().unwrap();
    let to = if from == "ana" { "ben" } else { "ana" };
    let reply = match reply {
        "" => "null".to_string(),
        _ => format!("\"{reply}\""),
    };
    format!(
        r#"{{"tern":"0.1","id":"{id}","from":"{from}","to":["{to}"],"thread":"garden","reply":{reply},"act":"{act}","body":{body}}}"#
    )
}

/// A log document that binds ana and ben, with these messages delivered by their own principals.
pub(crate) fn log(messages: &[String]) -> String {
    let mut out = String::from(
        "{\"context\":{\"id\":\"garden\",\"participants\":{\"ana\":\"key:a\",\"ben\":\"key:b\",\"cleo\":\"key:c\"}}}\n",
    );
    for message in messages {
        let value: serde_json::Value = serde_json::from_str(message).unwrap();
        let key = &value["from"].as_str().unwrap()[..1];
        out.push_str(&format!(
            "{{\"deliver\":{{\"principal\":\"key:{key}\",\"message\":{message}}}}}\n"
        ));
    }
    out
}

pub(crate) fn request(id: &str) -> String {
    message(
        id,
        "",
        "REQUEST",
        r#"{"action":"Water bed 4.","done_when":"It is wet.","constraints":[],"authority_ref":null}"#,
    )
}

pub(crate) fn commit(id: &str, request: &str) -> String {
    let body = format!(
        r#"{{"request":"{request}","action":"Water bed 4.","deliverable":"A wet bed.","done_when":"It is wet.","due":null,"conditions":[],"authority_ref":null}}"#
    );
    message(id, request, "COMMIT", &body)
}

pub(crate) fn report_body(commitment: &str, state: &str) -> String {
    format!(
        r#"{{"commitment":"{commitment}","state":"{state}","claims":[{{"text":"So it is.","basis":"observed","confidence":"high","scope":"Bed 4.","evidence":["ev:photo"],"alternatives":[]}}]}}"#
    )
}

pub(crate) fn report(id: &str, reply: &str, commitment: &str, state: &str) -> String {
    message(id, reply, "REPORT", &report_body(commitment, state))
}

/// A REVISE; `replacement` is `null` for a withdrawal.
pub(crate) fn revise(id: &str, target: &str, previous: &str, replacement: &str) -> String {
    let mode = if replacement == "null" {
        "withdraw"
    } else {
        "replace"
    };
    let body = format!(
        r#"{{"target":"{target}","previous":"{previous}","mode":"{mode}","reason":"It was wrong.","replacement":{replacement},"impact":[]}}"#
    );
    message(id, previous, "REVISE", &body)
}

/// The outcomes of all deliveries of a log document.
pub(crate) fn outcomes(log: &str) -> Vec<serde_json::Value> {
    let ran = tern_on(log.as_bytes(), &["run", "--outcomes", "--json", "-"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    ran.out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The canonical view of a log document.
pub(crate) fn view(log: &str) -> serde_json::Value {
    let ran = tern_on(log.as_bytes(), &["run", "--json", "-"]);
    serde_json::from_str(&ran.out).unwrap()
}
