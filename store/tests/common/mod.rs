//! What several test files need: a folder, simple records, and this test binary as a child.
#![allow(dead_code, reason = "each test file uses some of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;
use tern_store::{Log, Position, Records};

/// A folder that vanishes with the test, and a path in it where nothing is yet.
pub(crate) fn fresh() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("thread.db");
    (folder, path)
}

/// All records as text, after checking that their positions have no gap.
pub(crate) fn texts(log: &dyn Log) -> Vec<String> {
    let mut texts = Vec::new();
    for record in Records::new(log, Position::START) {
        let record = record.unwrap();
        assert_eq!(
            record.position,
            Position::new(texts.len() as u64),
            "a gap or a repetition"
        );
        texts.push(String::from_utf8(record.bytes).unwrap());
    }
    assert_eq!(
        log.head().unwrap().position,
        Position::new(texts.len() as u64)
    );
    texts
}

/// This test binary again, to run nothing but the test `role`, with the store at `path`.
pub(crate) fn child(role: &str, path: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    as_child(&mut command, role, path);
    command
}

/// The same after a preparation by the shell, such as a limit; `$0` is the folder of the store.
/// `sh` is the shell and what goes before it.
pub(crate) fn child_after(sh: &[&str], preparation: &str, role: &str, path: &Path) -> Command {
    let mut command = Command::new(sh[0]);
    command
        .args(&sh[1..])
        .arg("-c")
        .arg(format!("{preparation}; exec \"$@\""));
    command
        .arg(path.parent().unwrap())
        .arg(std::env::current_exe().unwrap());
    as_child(&mut command, role, path);
    command
}

/// Makes a command that starts this test binary run one role.
pub(crate) fn as_child(command: &mut Command, role: &str, path: &Path) {
    command
        .args(["--exact", role, "--nocapture", "--include-ignored"])
        .env("TERN_STORE_CHILD", path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
}

/// In a child: the path of the store. Elsewhere: nothing, so that a role is an empty test.
pub(crate) fn role() -> Option<PathBuf> {
    std::env::var_os("TERN_STORE_CHILD").map(PathBuf::from)
}

/// Runs a child to its end and expects it to succeed.
pub(crate) fn succeed(mut command: Command) {
    let output = command.stderr(Stdio::piped()).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    assert!(
        output.status.success(),
        "the child failed:\n{}",
        String::from_utf8_lossy(&said)
    );
}

/// Whether this process can mount a file system of its own (root, with the right to).
pub(crate) fn can_mount() -> bool {
    let probe = "mount -t tmpfs -o size=64k none /mnt";
    let run = Command::new("unshare")
        .args(["-m", "sh", "-c", probe])
        .stderr(Stdio::null())
        .status();
    let can = run.is_ok_and(|status| status.success());
    if !can {
        // The handle itself: the harness captures what macros print in a test that passes.
        let _ = std::io::Write::write_all(
            &mut std::io::stderr(),
            b"LEFT OUT: no right to mount a file system here\n",
        );
    }
    can
}
