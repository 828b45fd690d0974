//! Running the command of an action, while its lease is kept up.

use std::ffi::OsString;
use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::actions::Action;
use crate::failure::Failure;
use crate::text::shown;

/// How a command ended.
pub(super) enum Ended {
    Well,
    /// In words.
    Badly(String),
    /// Somebody else has the action now, and the command was killed.
    Lost,
    /// This worker was asked to stop, and the command was killed.
    Stopped,
}

/// Runs a command to its end. `renew` is asked every `period` whether the action is still this worker's.
pub(super) fn execute(
    command: &[OsString],
    action: &Action,
    attempt: u64,
    input: &str,
    stop: &AtomicBool,
    period: Duration,
    mut renew: impl FnMut() -> Result<bool, Failure>,
) -> Result<Ended, Failure> {
    let Some((program, arguments)) = command.split_first() else {
        return Ok(Ended::Badly("there is no command".to_owned()));
    };
    let started = Command::new(program)
        .args(arguments)
        .env("TERN_KEY", &action.key)
        .env("TERN_COMMITMENT", &action.commitment)
        .env("TERN_ACTION", &action.action)
        .env("TERN_CONTEXT", &action.context)
        .env("TERN_ATTEMPT", attempt.to_string())
        .stdin(Stdio::piped())
        // What this program prints is for whoever watches the workers.
        .stdout(std::io::stderr())
        .spawn();
    let mut child = match started {
        Ok(child) => child,
        // Who cannot run the command at all had better not try each action.
        Err(error) => return Err(Failure::io(&shown(&program.to_string_lossy()), error)),
    };
    if let Some(mut stdin) = child.stdin.take() {
        let input = input.to_owned();
        // A command that does not read must not hold this up.
        std::thread::spawn(move || {
            let _read = stdin.write_all(input.as_bytes());
        });
    }
    let mut renewed = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(Ended::Well),
            Ok(Some(status)) => return Ok(Ended::Badly(status.to_string())),
            Ok(None) => {}
            Err(error) => {
                kill(&mut child);
                return Ok(Ended::Badly(error.to_string()));
            }
        }
        if stop.load(Ordering::SeqCst) {
            kill(&mut child);
            return Ok(Ended::Stopped);
        }
        if renewed.elapsed() >= period {
            match renew() {
                Ok(true) => renewed = Instant::now(),
                Ok(false) => {
                    kill(&mut child);
                    return Ok(Ended::Lost);
                }
                Err(failure) => {
                    kill(&mut child);
                    return Err(failure);
                }
            }
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn kill(child: &mut Child) {
    let _gone = child.kill();
    let _reaped = child.wait();
}
