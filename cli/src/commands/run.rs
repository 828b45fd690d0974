//! `tern run`: deliver everything and show what it comes to.

use std::path::{Path, PathBuf};

use clap::Args;
use tern_core::{Context, Outcome, State};
use tern_store::{Position, Refusal};

use crate::board;
use crate::durable::{self, Quota, Restored, Stored, Within};
use crate::failure::{Exit, Failure};
use crate::gloss;
use crate::input::{Channel, Item, Origin, each_stored, new_state, warn_unverified};
use crate::output::{Report, outcome_json, print, print_json};
use crate::text::{count, shown};

/// Deliver every message and show the state that they imply
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tern run examples/review.jsonl             a status board
  tern run --json log.jsonl                  the canonical view, on one line
  tern run --outcomes log.jsonl              what became of each delivery
  tern run --at 5 log.jsonl                  the state after five events
  tern run --log thread.db new.jsonl         append durably, and go on from there
  tern run --log thread.db                   the state of a durable log
  tern run --strict log.jsonl                exit code 1 if anything in it needs an answer")]
pub(crate) struct Run {
    /// A log document, a file of bare messages, or `-` for standard input
    #[arg(value_name = "FILE", required_unless_present = "log")]
    file: Option<PathBuf>,

    #[command(flatten)]
    channel: Channel,

    /// Append everything to this database before anything is reported, and go on from what it holds
    ///
    /// A log document need not say again what context the log stands under. Where a snapshot of the state is kept, the run
    /// goes on from it; whether the records before it are what was appended is the question of `tern log verify`.
    #[arg(long, value_name = "DATABASE")]
    log: Option<PathBuf>,

    #[command(flatten)]
    quota: Quota,

    /// Show the state after the first N events (deliveries and local facts) of FILE
    #[arg(long, value_name = "N")]
    at: Option<u64>,

    /// Show what became of each delivery
    #[arg(long)]
    outcomes: bool,

    /// With --json, print the local view: order of arrival, and deadlines that have passed
    #[arg(long, requires = "json", conflicts_with = "outcomes")]
    local: bool,

    /// Exit with 1 if a delivery was refused or rejected, or if a conflict, an equivocal id or an
    /// action to reconcile waits for somebody's answer
    #[arg(long)]
    strict: bool,

    /// Print JSON: the canonical view on one line, or one object a delivery with `--outcomes`
    #[arg(long)]
    json: bool,
}

/// The state so far, and what there is to say of each delivery.
struct Running {
    state: Option<State>,
    /// What became of each delivery, where that is asked for.
    outcomes: Option<Report>,
    /// For the board.
    arrivals: board::Arrivals,
    deliveries: u64,
    failures: bool,
    /// Whether anything was over a quota.
    refused: bool,
    /// What to say of what was appended, if nothing else can be said.
    done: Option<String>,
    json: bool,
    /// Whether the input may turn out to be too short for `--at`.
    at: bool,
}

impl Run {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        if let (Some(_), Some(log)) = (self.at, &self.log) {
            return Err(Failure::usage(
                "--at looks back, and --log goes on from the end",
                format!(
                    "to look back into the log, read it like a file: tern run --at N {}",
                    shown(&log.to_string_lossy())
                ),
            ));
        }
        if !self.quota.is_empty() && (self.log.is_none() || self.file.is_none()) {
            return Err(Failure::usage(
                "--quota-bytes and --quota-contexts say what of an input goes to a durable log",
                "name a FILE, and a DATABASE with --log",
            ));
        }
        let mut running = Running {
            state: None,
            outcomes: self.outcomes.then(|| Report::new(self.json)),
            arrivals: board::Arrivals::default(),
            deliveries: 0,
            failures: false,
            refused: false,
            done: None,
            json: self.json,
            at: self.at.is_some(),
        };
        let context = match (&self.log, &self.file) {
            (Some(log), file) => self.run_durably(log, file.as_deref(), &mut running),
            (None, Some(file)) => self.channel.read(file, |item| {
                if self.wants(&running) {
                    running.apply(&item, Some(item.origin))?;
                }
                Ok(())
            }),
            (None, None) => {
                return Err(Failure::usage("nothing to read", "name a file, or --log"));
            }
        };
        let context = match context {
            Ok(context) => context,
            // A report may end early, and what was found by then counts.
            Err(failure) => {
                let found = running.refused || self.strict && running.failures;
                return Exit::found(found).once(Err(failure));
            }
        };
        self.is_reached(&running)?;
        self.show(&context, running)
    }

    /// Whether the log is as long as `--at` says.
    fn is_reached(&self, running: &Running) -> Result<(), Failure> {
        let events = running.state.as_ref().map_or(0, State::position);
        match self.at {
            Some(at) if at > events => Err(Failure::usage(
                format!("--at {at} is beyond the end of the log"),
                format!(
                    "it has {}",
                    count(usize::try_from(events).unwrap_or(usize::MAX), "event")
                ),
            )),
            _ => Ok(()),
        }
    }

    /// Whether `--at` asks for a further event.
    fn wants(&self, running: &Running) -> bool {
        let events = running.state.as_ref().map_or(0, State::position);
        self.at.is_none_or(|at| events < at)
    }

    /// Appends the input to a durable log, then works out the state of the log. Only the deliveries
    /// of this input are reported one by one.
    fn run_durably(
        &self,
        path: &Path,
        file: Option<&Path>,
        running: &mut Running,
    ) -> Result<Context, Failure> {
        let store = durable::store(path)?;
        let name = self.channel.name.as_deref();
        let Some(file) = file else {
            if self.channel.context.is_some() || self.channel.principal.is_some() {
                return Err(Failure::usage(
                    "--context and --principal say how an input came in, and there is none",
                    "name a FILE, or leave them away",
                ));
            }
            let mut stored = Stored::open(&*store, name)?;
            // What became of each delivery is in no snapshot.
            if self.json && !self.outcomes && !self.strict {
                let end = stored.end();
                (stored, _) = running.restart(stored, end)?;
            }
            return replay(stored, None, running);
        };
        let mut read = durable::read_to_append(&*store, &self.channel, file)?;
        let Within { appended, refused } = self.quota.append(&*store, &mut read)?;
        running.refuse(&refused);
        let durable::ToAppend {
            context,
            lines,
            origins,
            ..
        } = read;
        let records = lines.len();
        drop(lines);
        // Of a log that holds nothing there is nothing to go on from.
        let Some(durable::Appended { first, head }) = appended else {
            return Ok(context);
        };
        let mut reduce = || {
            let stored = Stored::open(&*store, Some(context.id()))?.until(head.position);
            let (stored, start) = running.restart(stored, first)?;
            let line = first.as_u64().saturating_sub(start.as_u64()) + 1;
            let context = replay(stored, Some((line, &origins)), running)?;
            Ok((context, start))
        };
        let (context, start) =
            reduce().map_err(|failure: Failure| failure.after(durable::done(records, head)))?;
        running.done = durable::done(records, head);
        if let Some(state) = &running.state {
            durable::keep(&*store, state, head, start, running.json);
        }
        Ok(context)
    }

    fn show(&self, context: &Context, mut running: Running) -> Result<Exit, Failure> {
        let done = running.done.take();
        let state = running
            .state
            .unwrap_or_else(|| begin(context, running.json));
        let findings = running.refused
            || self.strict && (running.failures || board::needs_attention(&state.view()));
        let shown = if let Some(report) = running.outcomes {
            report.finish("")
        } else if self.local {
            print_json(&state.local_view())
        } else if self.json {
            // A view serializes to its canonical JSON (S7.03).
            print_json(&state.view())
        } else {
            let view = state.view();
            print(&board::render(&state, &view, &running.arrivals))
        };
        let shown = shown.map_err(|failure| failure.after(done));
        Exit::found(findings).once(shown)
    }
}

/// Applies a durable log. Where `new` is given, its records from that line on came from an input,
/// and only they are reported one by one, as where they stand there.
fn replay(
    stored: Stored,
    new: Option<(u64, &[Origin])>,
    running: &mut Running,
) -> Result<Context, Failure> {
    each_stored(stored, |item| {
        let origin = match new {
            None => Some(item.origin),
            Some((first, origins)) => item
                .origin
                .line
                .checked_sub(first)
                .and_then(|index| origins.get(usize::try_from(index).ok()?))
                .copied(),
        };
        running.apply(&item, origin)
    })
}

/// The empty state. Says first, where it is so, that nobody verifies who the senders are.
fn begin(context: &Context, json: bool) -> State {
    warn_unverified(context, json);
    new_state(context)
}

impl Running {
    /// Goes on from the snapshot of a log, if it has one that can be used and is not beyond `first`, from where on each
    /// record counts. Gives the rest of the log, and where it begins.
    fn restart(&mut self, stored: Stored, first: Position) -> Result<(Stored, Position), Failure> {
        let log = stored.log();
        let Some(context) = durable::first_context(log)? else {
            return Ok((stored, Position::START));
        };
        let restored = durable::restore(log, &context, self.json)?;
        let Some(Restored { state, head }) = restored.filter(|it| it.head.position <= first) else {
            return Ok((stored, Position::START));
        };
        warn_unverified(&context, self.json);
        self.state = Some(state);
        Ok((stored.after(head, context), head.position))
    }

    /// Says what was over a quota. It stands beside the report, whose form is that of the language.
    fn refuse(&mut self, refused: &[Refusal]) {
        if refused.is_empty() {
            return;
        }
        self.refused = true;
        if self.json {
            let refused = durable::refusals_json(refused);
            anstream::eprintln!("{}", serde_json::json!({"refused": refused}));
        } else {
            anstream::eprint!("{}", durable::refusals_text(refused));
        }
    }

    /// Takes an event; `origin` is None for one that was in the durable log before.
    fn apply(&mut self, item: &Item<'_>, origin: Option<Origin>) -> Result<(), Failure> {
        let state = self
            .state
            .get_or_insert_with(|| begin(item.context, self.json));
        let (Some(outcome), Some(origin)) = (state.apply(&item.event), origin) else {
            return Ok(());
        };
        self.deliveries += 1;
        self.failures |= outcome.verdict.rejection().is_some();
        if let Some(report) = &mut self.outcomes {
            let part = if self.json {
                outcome_json(self.deliveries, origin, &outcome).to_string()
            } else {
                outcome_line(origin.line, &outcome)
            };
            return report.add(&format!("{part}\n"), self.at || item.record.is_some());
        }
        self.arrivals.note(origin.line, &outcome);
        Ok(())
    }
}

/// What became of a delivery, in one line.
fn outcome_line(line: u64, outcome: &Outcome) -> String {
    let id = outcome
        .id
        .as_deref()
        .map_or_else(|| "(no message)".into(), quoted);
    let mut out = format!("{line:>6}  {:<11} {id}", outcome.verdict.as_str());
    match &outcome.verdict {
        tern_core::Verdict::Pending { waiting_for } => {
            let ids: Vec<String> = waiting_for.iter().map(|id| quoted(id)).collect();
            out.push_str(&format!("  waits for {}", ids.join(", ")));
        }
        verdict => {
            if let Some(rejection) = verdict.rejection() {
                let code = rejection.code();
                out.push_str(&format!("  {code}: {}", shown(board::sentence(rejection))));
            }
        }
    }
    for released in &outcome.released {
        let status = released.code.map_or("accepted", tern_core::Code::as_str);
        out.push_str(&format!(
            "\n          releases {}: {status}",
            quoted(&released.id)
        ));
    }
    out
}

/// An id, quoted where it could be mistaken for the rest of the line.
fn quoted(id: &str) -> String {
    const LONGEST: usize = 120;
    gloss::name(id, LONGEST)
}
