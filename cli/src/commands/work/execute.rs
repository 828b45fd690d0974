//! Running the command of an action, while its lease is kept up.

use std::ffi::OsString;
use std::io::{self, Seek as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, SystemTime};

use super::actions::Action;
use crate::failure::Failure;
use crate::text::shown;

/// How a command ended.
pub(super) enum Ended {
    Well,
    /// In words.
    Badly(String),
    /// Somebody else may have the action now, and the command was killed.
    Lost,
    /// This worker was asked to stop, and the command was killed.
    Stopped,
}

/// What became of renewing a lease.
pub(super) enum Renewed {
    /// It ends then.
    Until(SystemTime),
    /// Somebody else has it.
    Lost,
    /// It is not known; there may be time for another try.
    Failed,
}

/// Runs a command to its end, or until the lease is over: at `until`, unless `renew` says otherwise, which is asked every
/// `period` in a thread of its own, since it may take long.
pub(super) fn execute(
    command: &[OsString],
    action: &Action,
    attempt: u64,
    input: String,
    stop: &AtomicBool,
    (until, period): (SystemTime, Duration),
    mut renew: impl FnMut() -> Renewed + Send,
) -> Result<Ended, Failure> {
    let mut child = start(command, action, attempt, &input)?;
    // None when it is lost.
    let until = Mutex::new(Some(until));
    let (ended, has_ended) = mpsc::channel::<()>();
    let until = &until;
    thread::scope(|scope| {
        let renewing = thread::Builder::new().spawn_scoped(scope, move || {
            // Whatever comes of it: a lease that is not renewed ends by itself.
            while let Err(RecvTimeoutError::Timeout) = has_ended.recv_timeout(period) {
                let renewed = renew();
                if let Ok(mut until) = until.lock() {
                    match renewed {
                        Renewed::Until(later) => *until = until.map(|_| later),
                        Renewed::Lost => *until = None,
                        Renewed::Failed => {}
                    }
                }
            }
        });
        let is_over = || {
            let until = until.lock().ok().and_then(|until| *until);
            until.is_none_or(|until| SystemTime::now() >= until)
        };
        let how = watch(&mut child, stop, is_over);
        drop(ended);
        drop(renewing);
        Ok(how)
    })
}

/// Starts the command in a process group of its own, so that nothing of it is left when it is killed, and what a terminal sends
/// to this program is not sent to it.
fn start(
    command: &[OsString],
    action: &Action,
    attempt: u64,
    input: &str,
) -> Result<Child, Failure> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(Failure::usage("there is no command", "write it after `--`"));
    };
    let mut command = Command::new(program);
    command
        .args(arguments)
        // Nothing that a sender worded: that is on standard input, where it can be anything.
        .env("TERN_KEY", &action.key)
        .env("TERN_ATTEMPT", attempt.to_string())
        .stdin(given(input).map_err(|error| Failure::io(&no_input(), error))?)
        // What this program prints is for whoever watches the workers.
        .stdout(io::stderr());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    // Who cannot run the command at all had better not try each action.
    command
        .spawn()
        .map_err(|error| Failure::io(&shown(&program.to_string_lossy()), error))
}

/// Whether there is room for an input.
pub(super) fn expect_input() -> Result<(), Failure> {
    match given("") {
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::io(&no_input(), error)),
    }
}

fn no_input() -> String {
    format!(
        "a file for the command's standard input in {}",
        std::env::temp_dir().display()
    )
}

/// The whole input, there before the command begins: through a pipe, a worker that is killed would leave it a part.
fn given(input: &str) -> io::Result<Stdio> {
    let mut file = tempfile::tempfile()?;
    file.write_all(input.as_bytes())?;
    file.rewind()?;
    Ok(file.into())
}

fn watch(child: &mut Child, stop: &AtomicBool, is_over: impl Fn() -> bool) -> Ended {
    loop {
        // Asked first: a command that ends because this program is stopped did not end by itself.
        if stop.load(Ordering::SeqCst) {
            kill(child);
            return Ended::Stopped;
        }
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ended::Well,
            Ok(Some(status)) => return Ended::Badly(status.to_string()),
            Ok(None) => {}
            Err(error) => {
                kill(child);
                return Ended::Badly(error.to_string());
            }
        }
        if is_over() {
            kill(child);
            return Ended::Lost;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// Kills the command and what it started, as far as that stayed in its group.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        if let Some(group) = group {
            let _gone = kill_process_group(group, Signal::KILL);
        }
    }
    let _gone = child.kill();
    let _reaped = child.wait();
}
