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
use tern_store::{Lease, Leases};

use self::actions::{Action, Actions};
use self::execute::{Ended, execute};
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
The command finds in its environment: TERN_KEY, TERN_COMMITMENT, TERN_ACTION, TERN_CONTEXT, TERN_ATTEMPT, and on standard input
the commitment as one line of JSON, as in the canonical view.

Examples:
  tern work thread.db --as builder --worker w1 -- ./build.sh
  tern work postgres:///tern --as builder --worker w2 --drain -- ./build.sh

Exit codes: 0 fine, 1 an action is held back or was given up, 2 the log could not be used.")]
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

    /// An action is given up after it was begun so many times
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
        let store = durable::store(&self.store)?;
        let name = match &self.name {
            Some(name) => name.clone(),
            None => durable::only_log(&*store)?,
        };
        // A log that is not there is not made here.
        drop(store.open_read_only(&name)?);
        let mut actions = Actions::open(store.open(&name)?, &self.participant)?;
        let mut leases = Leases::open(store.open(&Leases::log_of(&name))?)?;
        let mut said: BTreeSet<(String, Left)> = BTreeSet::new();
        while !stop.load(Ordering::SeqCst) {
            actions.look()?;
            for begun in actions.begin(SystemTime::now())? {
                self.say("begun", &begun, &json!({}))?;
            }
            leases.look()?;
            let (mut waits, mut is_busy) = (false, false);
            let open: Vec<Action> = actions.open_actions().collect();
            for action in open {
                let blocked = actions.blocked_by(&action, SystemTime::now());
                let left = if !blocked.is_empty() {
                    Some(Left::HeldBack(blocked))
                } else if self.is_given_up(&leases, &action) {
                    Some(Left::GivenUp)
                } else {
                    None
                };
                if let Some(left) = left {
                    if said.insert((action.key.clone(), left.clone())) {
                        self.say_left(&action, &left)?;
                    }
                    continue;
                }
                if stop.load(Ordering::SeqCst) {
                    break;
                }
                let time = Duration::from_secs(self.lease);
                match leases.take(&action.key, &self.worker, SystemTime::now(), time)? {
                    None => waits = true,
                    Some(lease) => {
                        self.act(&mut actions, &mut leases, &action, &lease, &stop)?;
                        is_busy = true;
                        // Much may have been said meanwhile.
                        break;
                    }
                }
            }
            if is_busy {
                continue;
            }
            if self.drain && !waits {
                break;
            }
            actions.wait(Duration::from_millis(200))?;
        }
        Ok(Exit::found(!said.is_empty()))
    }

    fn is_given_up(&self, leases: &Leases, action: &Action) -> bool {
        leases.resource(&action.key).is_some_and(|resource| {
            resource.attempts >= self.attempts && resource.until <= SystemTime::now()
        })
    }

    /// Runs the command under a lease, and appends that the action ended if it ended well.
    fn act(
        &self,
        actions: &mut Actions,
        leases: &mut Leases,
        action: &Action,
        lease: &Lease,
        stop: &AtomicBool,
    ) -> Result<(), Failure> {
        // Whoever had it before may have ended it since this worker looked.
        actions.look()?;
        if !actions.is_open(action) {
            leases.release(lease, SystemTime::now(), "ended")?;
            return Ok(());
        }
        let attempt = lease.attempt;
        self.say("runs", action, &json!({"attempt": attempt}))?;
        let input = actions.input(action);
        let time = Duration::from_secs(self.lease);
        let renew = || Ok(leases.renew(lease, SystemTime::now(), time, None)?);
        let ended = execute(
            &self.command,
            action,
            attempt,
            &input,
            stop,
            time / 3,
            renew,
        );
        let ended = match ended {
            Ok(ended) => ended,
            Err(failure) => {
                leases.release(lease, SystemTime::now(), "not run")?;
                return Err(failure);
            }
        };
        match ended {
            Ended::Well => {
                actions.finish(action)?;
                leases.release(lease, SystemTime::now(), "ended")?;
                self.say("ended", action, &json!({"attempt": attempt}))
            }
            Ended::Badly(how) => {
                let pause = self.retry.saturating_mul(attempt);
                let again = SystemTime::now() + Duration::from_secs(pause.min(86_400));
                leases.release(lease, again, &how)?;
                self.say("failed", action, &json!({"attempt": attempt, "how": how}))
            }
            Ended::Lost => self.say("lost", action, &json!({"attempt": attempt})),
            Ended::Stopped => {
                leases.release(lease, SystemTime::now(), "stopped")?;
                self.say("stopped", action, &json!({"attempt": attempt}))
            }
        }
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
