//! `tern conform fuzz`: random logs, an implementation against the reference model.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use tern_conformance::Ask;
use tern_conformance::differ::{self, Difference};
use tern_conformance::engine::{Engine as _, Model};
use tern_conformance::generate::{self, Preset, Scenario};
use tern_conformance::hunt::{Found, smallest};
use tern_conformance::protocol::Capability;
use tern_conformance::runner::{self, Foreign, Program, Trouble};
use tern_conformance::vector::{self, Vector};

use super::sink::Sink;
use super::text::call;
use super::trouble::cannot_ask;
use super::{JOBS, jobs, program};
use crate::failure::{Exit, Failure};
use crate::output::print;
use crate::text::shown;

/// Compare an implementation with the reference model over random logs
///
/// Each seed makes a log of each of fifteen kinds: negotiations, forks, equivocation, broken JSON. Where the
/// two first differ, it stops: the log is made as small as it still shows a like difference, and printed; with
/// `--write` it becomes a vector, whose clauses a person has to name.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tern conform fuzz -- ./my-tern                        a minute of random logs
  tern conform fuzz --seconds 3600 -- ./my-tern         an hour
  tern conform fuzz --first-seed 17 --seeds 1 -- ./my-tern
                                                        one seed again

Exit codes: 0 no difference, 1 one was found, 2 wrong usage, or the command cannot be asked.")]
pub(crate) struct Fuzz {
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60,
          value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    seconds: u64,

    /// Stop after so many seeds, however long it takes
    #[arg(long, value_name = "N", conflicts_with = "seconds", value_parser = clap::value_parser!(u64).range(1..))]
    seeds: Option<u64>,

    /// The first seed
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..1 << 63))]
    first_seed: u64,

    /// Write what is found as a file of vectors
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,

    /// How many of the implementation run at a time; as many as there are processors where nothing is said
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=JOBS))]
    jobs: Option<u16>,

    /// How long a reply may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = runner::TIMEOUT.as_secs(),
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    timeout: u64,

    /// How much memory the implementation may hold, in MiB (watched on Linux)
    #[arg(long, value_name = "MIB", default_value_t = runner::MEMORY >> 20,
          value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    memory: u64,

    /// The implementation: a command that speaks the protocol, and its arguments
    #[arg(last = true, required = true)]
    command: Vec<String>,
}

/// How long what is found is made small at most: where a reply is waited for in vain, each try takes long.
const MAKE_SMALL: Duration = Duration::from_secs(120);

/// What the searches share.
struct Search {
    program: Program,
    next: AtomicU64,
    /// The first seed that is not tried.
    end: u64,
    /// How long is searched, once it has said who it is; none where a number of seeds is.
    seconds: Option<Duration>,
    is_over: AtomicBool,
    logs: AtomicU64,
    bar: ProgressBar,
}

impl Fuzz {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let mut sink = self.write.as_deref().map(Sink::open).transpose()?;
        if let Some(sink) = &mut sink {
            sink.settle()?;
        }
        let search = Search {
            program: program(&self.command, self.timeout, self.memory << 20),
            next: AtomicU64::new(self.first_seed),
            end: self
                .seeds
                .map_or(u64::MAX, |seeds| self.first_seed.saturating_add(seeds)),
            seconds: self
                .seeds
                .is_none()
                .then(|| Duration::from_secs(self.seconds)),
            is_over: AtomicBool::new(false),
            logs: AtomicU64::new(0),
            bar: bar(),
        };
        let found = search.go(jobs(self.jobs));
        search.bar.finish_and_clear();
        let logs = search.logs.load(Ordering::Relaxed);
        let next = search.next.load(Ordering::Relaxed).min(search.end);
        let last = next.saturating_sub(1);
        let found = found?;
        if logs == 0 && found.is_none() {
            return Err(Failure::usage(
                "no log was tried: it took all the time to say who it is",
                "give it more time with `--seconds`, or a number of `--seeds`",
            ));
        }
        let Some(found) = found else {
            print(&format!(
                "{logs} logs of the seeds {} to {last}: no difference\n",
                self.first_seed
            ))?;
            return Ok(Exit::Fine);
        };
        let found = match found {
            Finding::Log(found) => found,
            Finding::Once(what) => return Exit::Findings.once(print(&what)),
        };
        let mut text = format!("{found}\n");
        if let Some(seed) = found.scenario.seed() {
            let mut options = String::new();
            if self.timeout != runner::TIMEOUT.as_secs() {
                options = format!(" --timeout {}", self.timeout);
            }
            text.push_str(&format!(
                "again: tern conform fuzz --first-seed {seed} --seeds 1{options} -- {}\n",
                call(&search.program)
            ));
        }
        if let (Some(sink), Some(path)) = (sink, &self.write) {
            sink.write(&file_of(&found).to_text())?;
            text.push_str(&format!(
                "written to {}\n",
                shown(&path.display().to_string())
            ));
        }
        Exit::Findings.once(print(&text))
    }
}

/// What a search comes upon.
enum Finding {
    /// A log on which the implementation differs.
    Log(Box<Found>),
    /// A difference that does not show again, in words.
    Once(String),
}

impl Search {
    /// The first difference that one of the searches finds.
    fn go(&self, jobs: usize) -> Result<Option<Finding>, Failure> {
        let results: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = (0..jobs).map(|_| scope.spawn(|| self.search())).collect();
            let results = threads.into_iter().map(|it| it.join());
            results
                .map(|it| {
                    it.unwrap_or_else(|_| {
                        Err(Failure::usage("a search panicked", "please report it"))
                    })
                })
                .collect()
        });
        let (mut found, mut failed) = (None, None);
        for result in results {
            match result {
                Ok(one) => found = found.or(one),
                Err(failure) => failed = failed.or(Some(failure)),
            }
        }
        match (found, failed) {
            (None, Some(failure)) => Err(failure),
            (found, failed) => {
                // What was found counts, whatever else went wrong.
                if let Some(failure) = failed {
                    let _beside = failure.report(false);
                }
                Ok(found)
            }
        }
    }

    fn search(&self) -> Result<Option<Finding>, Failure> {
        let cannot = |trouble: &Trouble| {
            self.is_over.store(true, Ordering::Relaxed);
            cannot_ask(&self.program, trouble)
        };
        let mut foreign =
            Foreign::start(self.program.clone()).map_err(|trouble| cannot(&trouble))?;
        let begun = Instant::now();
        let can_bare = foreign.hello().capabilities.contains(&Capability::Bare);
        let mut model = Model::default();
        loop {
            let is_late = self.seconds.is_some_and(|it| begun.elapsed() >= it);
            if is_late || self.is_over.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let seed = self.next.fetch_add(1, Ordering::Relaxed);
            if seed >= self.end {
                return Ok(None);
            }
            let scenarios = Preset::all()
                .iter()
                .map(|preset| generate::seeded(seed, preset));
            let scenarios = scenarios.filter(|it| {
                let first = it.lines().first().map_or(&[][..], Vec::as_slice);
                can_bare || tern_core::log::begins_document(first)
            });
            for scenario in scenarios {
                self.logs.fetch_add(1, Ordering::Relaxed);
                self.bar.inc(1);
                let document = scenario.document();
                match differ::compare(&mut foreign, &mut model, &document, Ask::ViewAtEnd) {
                    Ok(None) => {}
                    Ok(Some(first)) => {
                        self.is_over.store(true, Ordering::Relaxed);
                        return self.look_again(scenario, first, &mut model).map(Some);
                    }
                    Err(error) => {
                        let what = error.to_string();
                        return Err(cannot(&Trouble::Harness { what }));
                    }
                }
            }
        }
    }

    /// Asks a new process, and makes the log small if that differs, too.
    fn look_again(
        &self,
        scenario: Scenario,
        first: Difference,
        model: &mut Model,
    ) -> Result<Finding, Failure> {
        self.bar.suspend(|| {
            anstream::eprintln!(
                "{scenario}: {first}\nmade smaller, for {} s at most …",
                MAKE_SMALL.as_secs()
            );
        });
        let mut foreign = Foreign::start(self.program.clone())
            .map_err(|trouble| cannot_ask(&self.program, &trouble))?;
        let document = scenario.document();
        let again = differ::compare(&mut foreign, model, &document, Ask::ViewAtEnd);
        if !matches!(&again, Ok(Some(again)) if again.is_like(&first)) {
            return Ok(Finding::Once(format!(
                "{} | model differ: {first}\nwith {scenario}, after other documents: asked again, a new process does not \
                 differ, so it keeps something from one document to the next, or fails now and then\n",
                shown(foreign.name())
            )));
        }
        let until = Instant::now().checked_add(MAKE_SMALL);
        let found = smallest(&mut foreign, model, Ask::ViewAtEnd, scenario, first, until);
        Ok(Finding::Log(Box::new(found)))
    }
}

/// A file of vectors that holds what was found.
fn file_of(found: &Found) -> vector::File {
    let vector = Vector::found(&found.smallest.document(), &found.difference);
    vector::File {
        title: "Found by comparing with the reference model".to_owned(),
        vectors: vector.into_iter().collect(),
    }
}

/// Shown on standard error where that is a terminal.
fn bar() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    match ProgressStyle::with_template("{spinner} {pos} logs, {elapsed}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
