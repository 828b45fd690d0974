//! Running the real `tern`, on files that are gone after the test, and things to run it on.

mod garden;
mod messages;

use std::fmt;
use std::io::Write as _;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

pub(crate) use garden::{HOSTILE, conditional, garden};
pub(crate) use messages::{
    ack, ask, commit, context, deliver, document, log, message, parsed, report, report_body,
    request, request_body, request_for, revise,
};

/// What a run of `tern` came to.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    /// Standard output, byte for byte and as text.
    pub(crate) bytes: Vec<u8>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// Asserts the exit code; gives standard output.
    #[track_caller]
    pub(crate) fn exits(&self, code: i32) -> &str {
        assert_eq!(self.code, code, "out:\n{}\nerr:\n{}", self.out, self.err);
        &self.out
    }

    /// Asserts that nothing was found and nothing failed.
    #[track_caller]
    pub(crate) fn fine(&self) -> &Self {
        self.exits(0);
        self
    }

    /// Standard output as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).expect("one JSON value on standard output")
    }

    /// Standard output as one JSON value a line.
    #[track_caller]
    pub(crate) fn lines(&self) -> Vec<Value> {
        self.out
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    }
}

/// `tern`, without colours and 100 columns wide.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tern"));
    command
        .args(arguments)
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100");
    command
}

/// Runs `tern` with nothing on standard input.
pub(crate) fn tern(arguments: &[&str]) -> Ran {
    tern_on("", arguments)
}

/// Runs `tern` with this on standard input.
pub(crate) fn tern_on(input: impl AsRef<[u8]>, arguments: &[&str]) -> Ran {
    finish(command(arguments), input.as_ref())
}

/// Runs a command to its end, with this on standard input.
pub(crate) fn finish(mut command: Command, input: &[u8]) -> Ran {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A command that needs no input may end before it is written.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Ran {
        code: output.status.code().expect("an exit code, not a signal"),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
        bytes: output.stdout,
    }
}

/// A folder in which `tern` runs. It is removed in the end, whatever is in it.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command(arguments);
        command.current_dir(self.0.path());
        command
    }

    /// Runs `tern` with nothing on standard input.
    pub(crate) fn tern(&self, arguments: &[&str]) -> Ran {
        finish(self.command(arguments), b"")
    }

    /// The digest of the view of a file.
    pub(crate) fn digest(&self, file: &str) -> String {
        self.tern(&["digest", file]).exits(0).to_string()
    }
}

/// The path of a file that is there as long as this is.
pub(crate) struct File {
    path: String,
    _folder: tempfile::TempDir,
}

/// A file with these contents, named `log.jsonl`.
pub(crate) fn file(contents: impl AsRef<[u8]>) -> File {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    std::fs::write(&path, contents).unwrap();
    File {
        path: path.to_str().unwrap().to_string(),
        _folder: folder,
    }
}

impl Deref for File {
    type Target = str;

    fn deref(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)
    }
}

/// The path of an example of the project.
pub(crate) fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../examples")
        .join(name);
    path.to_str().unwrap().to_string()
}

/// The outcomes of all deliveries of a log document.
#[track_caller]
pub(crate) fn outcomes(log: &str) -> Vec<Value> {
    let ran = tern_on(log, &["run", "--outcomes", "--json", "-"]);
    ran.exits(0);
    ran.lines()
}

/// The canonical view of a log document.
#[track_caller]
pub(crate) fn view(log: &str) -> Value {
    let ran = tern_on(log, &["run", "--json", "-"]);
    ran.exits(0);
    ran.json()
}
