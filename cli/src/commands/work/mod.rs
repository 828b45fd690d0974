//! `tern work`: a command for each commitment that may be acted on.

mod actions;
mod execute;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use serde_json::{Value, json};
use tern_store::{Lease, Leases, Outcome};

use self::actions::{Action, Actions};
use self::execute::{Ended, Renewed, execute, expect_input};
use crate::durable;
use crate::failure::{Exit, Failure};
use crate::output::{print, print_data};
use crate::text::shown;

/// Run a command for each commitment of a participant that may be acted on
///
/// That an action begins is appended to the log before the command runs, at just the state in which nothing blocks the
/// commitment; that it ended, after the command ended well. The command is given an idempotency key, the same for the same
/// commitment whoever runs it and however often. A worker that dies leaves its lease, and after its time another worker runs
/// the command again, with the same key: what the command does has to be done once for each key, and this much cannot be
/// taken off it.
///
/// An action whose commitment is blocked by now is held back; `tern run` shows it under *reconcile*.
#[derive(Debug, Args)]
#[command(after_help = "\
The command finds TERN_KEY and TERN_ATTEMPT in its environment, and on standard input one line of JSON: `commitment`, `action`,
`context`, `key`, and `view`, the commitment as in the canonical view. Whatever senders worded is in there and nowhere else.

The clocks of workers have to agree, as far as a lease is long, and to be right where grants are bounded in time: each begin is
recorded with its time. A worker that is killed cannot kill its command, which may go on while another one runs it again.

Examples:
  tern work thread.db --as builder --worker w1 -- ./build.sh
  tern work postgres:///tern --as builder --worker w2 --drain -- ./build.sh

It ends when it is interrupted or terminated: then a command that still runs is killed, and its action is left to others.

Exit codes: 0 fine; 1 an action is held back, was given up or was killed with this worker, or, with --drain, is not ended when this
worker is asked to stop; 2 the log could not be used or a command not be run.")]
pub(crate) struct Work {
    /// The address of the store
    #[arg(value_name = "STORE")]
    store: PathBuf,

    /// The log: the id of its context
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Whose commitments are acted on
    #[arg(long = "as", value_name = "PARTICIPANT", value_parser = NonEmptyStringValueParser::new())]
    participant: String,

    /// The name of this worker, which no other one has
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    worker: String,

    /// After so many seconds without a sign of its worker, an action is taken by another one
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=86400))]
    lease: u64,

    /// A command that failed is run again after so many seconds, and later each time
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    retry: u64,

    /// An action is given up after it failed so often, or its worker did not come back
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    attempts: u64,

    /// End when there is nothing left to do
    #[arg(long)]
    drain: bool,

    /// Print a JSON object for each thing that happens
    #[arg(long)]
    json: bool,

    /// The command and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// What is said once of an action that is left alone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Left {
    HeldBack(Vec<String>),
    GivenUp,
}

impl Work {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let stop = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&stop);
        let _arranged = ctrlc::set_handler(move || asked.store(true, Ordering::SeqCst));
        // Nothing begins where it is known already that it could not be run.
        let command = self.find_command()?;
        let store = durable::store(&self.store)?;
        let name = match &self.name {
            Some(name) => name.clone(),
            None => durable::only_log(&*store)?,
        };
        // A log that is not there is not made here.
        drop(store.open_read_only(&name)?);
        let mut actions = Actions::open(store.open(&name)?, &self.participant)?;
        actions.expect_participant()?;
        let mut leases = Leases::open(store.open(&Leases::log_of(&name))?)?;
        let mut said: BTreeSet<(String, Left)> = BTreeSet::new();
        let mut left = BTreeSet::new();
        // Whether it was asked to stop, and its command with it.
        let mut was_cut_off = false;
        while !stop.load(Ordering::SeqCst) {
            actions.look()?;
            for begun in actions.begin(SystemTime::now)? {
                self.say("begun", &begun, &json!({}))?;
            }
            leases.look()?;
            let (mut waits, mut is_busy) = (false, false);
            left = BTreeSet::new();
            for (action, blocked) in actions.open_actions(SystemTime::now()) {
                let why = if !blocked.is_empty() {
                    Some(Left::HeldBack(blocked))
                } else if self.is_given_up(&leases, &action) {
                    Some(Left::GivenUp)
                } else {
                    None
                };
                if let Some(why) = why {
                    if said.insert((action.key.clone(), why.clone())) {
                        self.say_left(&action, &why)?;
                    }
                    left.insert((action.key, why));
                    continue;
                }
                let time = Duration::from_secs(self.lease);
                match leases.take(&action.key, &self.worker, SystemTime::now(), time)? {
                    None => waits = true,
                    Some(lease) => {
                        was_cut_off |=
                            self.act(&command, &mut actions, &mut leases, &action, &lease, &stop)?;
                        is_busy = true;
                        // Much may have been said meanwhile.
                        break;
                    }
                }
            }
            if is_busy {
                continue;
            }
            // What is free again can be held back again.
            said.retain(|it| left.contains(it));
            if self.drain && !waits {
                break;
            }
            actions.wait(Duration::from_secs(1))?;
        }
        if self.drain && stop.load(Ordering::SeqCst) {
            actions.look()?;
            was_cut_off |= !actions.open_actions(SystemTime::now()).is_empty();
        }
        Ok(Exit::found(was_cut_off || !left.is_empty()))
    }

    /// The command with the path of its program, and that there is room for what it is given. Whoever takes either away later
    /// finds its actions begun and not ended.
    fn find_command(&self) -> Result<Vec<OsString>, Failure> {
        let mut command = self.command.clone();
        if let Some(program) = command.first_mut() {
            *program = which::which(&*program).map(OsString::from).map_err(|_| {
                Failure::coded(
                    "no_command",
                    format!("{}: there is no such command", shown(&program.to_string_lossy())),
                    "name a program that can be executed, by its path or one of $PATH; nothing was begun",
                )
            })?;
        }
        expect_input()?;
        Ok(command)
    }
    fn is_given_up(&self, leases: &Leases, action: &Action) -> bool {
        leases.resource(&action.key).is_some_and(|resource| {
            resource.failures >= self.attempts && resource.until <= SystemTime::now()
        })
    }

    /// Runs the command under a lease, and appends that the action ended if it ended well. Gives whether the command was
    /// killed because this worker was asked to stop.
    fn act(
        &self,
        command: &[OsString],
        actions: &mut Actions,
        leases: &mut Leases,
        action: &Action,
        lease: &Lease,
        stop: &AtomicBool,
    ) -> Result<bool, Failure> {
        // Whoever had it before may have ended it since this worker looked, or something been said against it; and taking the
        // lease can have taken its time.
        actions.look()?;
        let now = SystemTime::now();
        if !actions.is_open(action)
            || !actions.blocked_by(action, now).is_empty()
            || now >= lease.until
        {
            leases.release(lease, now, "not begun", Outcome::Done)?;
            return Ok(false);
        }
        let attempt = lease.attempt;
        self.say("runs", action, &json!({"attempt": attempt}))?;
        let input = actions.input(action);
        let time = Duration::from_secs(self.lease);
        let renew = || {
            let now = SystemTime::now();
            match leases.renew(lease, now, time, None) {
                Ok(true) => Renewed::Until(now + time),
                Ok(false) => Renewed::Lost,
                Err(_) => Renewed::Failed,
            }
        };
        let keep = (lease.until, time / 3);
        let ended = match execute(command, action, attempt, input, stop, keep, renew) {
            Ok(ended) => ended,
            Err(failure) => {
                // That it was not run is what there is to say.
                let _told = leases.release(lease, SystemTime::now(), "not run", Outcome::Done);
                return Err(failure);
            }
        };
        let now = SystemTime::now();
        let was_stopped = matches!(ended, Ended::Stopped);
        match ended {
            Ended::Well => {
                actions.finish(action)?;
                let held = leases.release(lease, now, "ended", Outcome::Done)?;
                let more = match held {
                    true => json!({"attempt": attempt}),
                    false => json!({"attempt": attempt, "how": "its lease was lost meanwhile"}),
                };
                self.say("ended", action, &more)?;
            }
            Ended::Badly(how) => {
                let pause = self.retry.saturating_mul(attempt).min(86_400);
                let again = now + Duration::from_secs(pause);
                leases.release(lease, again, &how, Outcome::Failed)?;
                self.say("failed", action, &json!({"attempt": attempt, "how": how}))?;
            }
            Ended::Lost => self.say("lost", action, &json!({"attempt": attempt}))?,
            Ended::Stopped => {
                leases.release(lease, now, "stopped", Outcome::Done)?;
                self.say("stopped", action, &json!({"attempt": attempt}))?;
            }
        }
        Ok(was_stopped)
    }

    fn say_left(&self, action: &Action, left: &Left) -> Result<(), Failure> {
        match left {
            Left::HeldBack(causes) => self.say("held back", action, &json!({"blocked_by": causes})),
            Left::GivenUp => self.say("given up", action, &json!({"attempt": self.attempts})),
        }
    }

    /// Prints what happened to an action. Whoever closed the pipe does not stop the work.
    fn say(&self, what: &str, action: &Action, more: &Value) -> Result<(), Failure> {
        let written = if self.json {
            let mut object = json!({
                "event": what.replace(' ', "_"),
                "commitment": action.commitment,
                "key": action.key,
                "worker": self.worker,
            });
            if let (Some(object), Some(more)) = (object.as_object_mut(), more.as_object()) {
                object.extend(more.clone());
            }
            print_data(&format!("{object}\n"))
        } else {
            let mut line = format!("{what:<9} {}", shown(&action.commitment));
            for (name, value) in more.as_object().into_iter().flatten() {
                let value = match value {
                    Value::String(text) => shown(text),
                    Value::Array(all) => {
                        let all: Vec<&str> = all.iter().filter_map(Value::as_str).collect();
                        all.join(", ")
                    }
                    value => value.to_string(),
                };
                line.push_str(&format!("  {}: {value}", name.replace('_', " ")));
            }
            line.push('\n');
            print(&line)
        };
        match written {
            Err(failure) if failure.is_broken_pipe() => Ok(()),
            written => written,
        }
    }
}
