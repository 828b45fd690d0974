//! `tern conform`: can another implementation prove that it speaks Tern?

mod baseline;
mod explain;
mod fuzz;
mod list;
mod sink;
mod smoke;
mod text;
mod trouble;
mod words;

use std::collections::BTreeSet;
use std::io::Read as _;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, thread};

use clap::{Args, Subcommand, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use tern_conformance::protocol::SPEC;
use tern_conformance::report;
use tern_conformance::runner::{self, Plan, Program, Report};
use tern_conformance::shown::in_json;
use tern_conformance::vector::{self, Vector};

use self::baseline::Baseline;
use self::list::Filed;
use self::sink::Sink;
use self::trouble::cannot_ask;
use crate::failure::{Exit, Failure};
use crate::output::{print, print_data};
use crate::spec;
use crate::text::shown;

/// Ask an implementation about every test vector, and report how it did
///
/// The implementation is any command that answers lines of JSON: spec/protocol.md is the whole
/// protocol. It passes a vector, fails it, does not support what it needs, crashes, or does not
/// answer in time; only a pass is a pass. A harness error is a fault of the runner.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Conform {
    #[command(subcommand)]
    instead: Option<Instead>,

    /// Only the vectors up to this level: 1 one message, 2 references and identity, 3 chains, 4
    /// commitments, 5 readiness
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=5))]
    level: Option<u8>,

    /// Only the vectors whose id, title or checked clauses contain this text, in whatever case
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,

    /// List the vectors and ask nobody; with `--report json` for programs
    #[arg(long, conflicts_with_all = ["explain", "smoke", "baseline", "write_baseline", "beside"])]
    list: bool,

    /// Tell one vector in words: what happens, what is right and by which clause, and, where a command is
    /// given, what it says
    #[arg(long, value_name = "ID", conflicts_with_all = ["smoke", "baseline", "write_baseline", "report",
                                                         "output", "beside"])]
    explain: Option<String>,

    /// For first contact: ask about a few vectors, one after the other, and show every line that is sent
    #[arg(long, conflicts_with_all = ["baseline", "write_baseline", "report", "output", "beside"])]
    smoke: bool,

    /// What is known to go wrong: a line `VERDICT ID` for each vector. What is not as it says is a finding,
    /// be it that a listed vector passes
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Write the baseline that fits this run. With `--baseline`, what that says of vectors that were not asked
    /// about stays
    #[arg(long, value_name = "FILE")]
    write_baseline: Option<PathBuf>,

    /// The form of the report
    #[arg(long, value_enum, default_value_t = Form::Text)]
    report: Form,

    /// Write the report to a file
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// With `--report html`: reports of other implementations, as `--report json` wrote them, beside this one
    #[arg(long, value_name = "FILE")]
    beside: Vec<PathBuf>,

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
    #[arg(last = true, required_unless_present_any = ["list", "explain"])]
    command: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  tern conform --smoke -- ./my-tern            first contact: is anything understood?
  tern conform --level 1 -- ./my-tern          accept or reject one message
  tern conform -- ./my-tern --some-flag        everything
  tern conform --explain encoding-ask-right -- ./my-tern
                                               one vector in words
  tern conform --write-baseline known.txt -- ./my-tern
                                               from now on, `--baseline known.txt` finds changes
  tern conform --report html --output report.html -- ./my-tern
                                               one page for a browser
  tern conform --list --filter revision        which vectors there are
  tern conform -- tern adapter                 tern itself
  tern conform fuzz -- ./my-tern               random logs, against the reference model

Exit codes: 0 all passed, or as the baseline says; 1 not so; 2 wrong usage, or the command cannot be asked.";

#[derive(Debug, Subcommand)]
enum Instead {
    Fuzz(fuzz::Fuzz),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For people
    Text,
    /// For programs, and for `--beside`
    Json,
    /// For build servers
    Junit,
    /// One page that holds everything
    Html,
}

impl Conform {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        // Who stops us stops those that we ask, too. Where that cannot be arranged, they end with their input.
        let _arranged = ctrlc::set_handler(|| {
            runner::end_all();
            std::process::exit(130);
        });
        if let Some(Instead::Fuzz(fuzz)) = self.instead {
            return fuzz.run();
        }
        let files = vector::all().map_err(|why| Failure::usage(why, "this build is broken"))?;
        let all = files.iter().flat_map(|(name, file)| {
            let vectors = file.vectors.iter();
            vectors.map(move |vector| (*name, vector))
        });
        let all: Vec<Filed<'_>> = all.collect();
        let ids = all.iter().map(|(_, it)| &*it.id);
        let ids: BTreeSet<&str> = ids.chain([runner::STOP]).collect();
        if let Some(id) = &self.explain {
            let mut all = all.iter();
            let (_, vector) = all
                .find(|(_, it)| it.id == *id)
                .ok_or_else(|| baseline::unknown("--explain", id, &ids))?;
            let program = (!self.command.is_empty()).then(|| self.program());
            return explain::explain(vector, program.as_ref());
        }
        let mut chosen = all;
        chosen.retain(|(_, vector)| self.is_chosen(vector));
        if chosen.is_empty() {
            return Err(Failure::usage(
                "no vector is chosen",
                "`tern conform --list` shows them all",
            ));
        }
        if self.list {
            return self.list(&chosen);
        }
        let vectors: Vec<&Vector> = chosen.iter().map(|(_, vector)| *vector).collect();
        if self.smoke {
            return smoke::smoke(&self.program(), &vectors);
        }
        self.ask(&vectors, &ids)
    }

    fn list(&self, chosen: &[Filed<'_>]) -> Result<Exit, Failure> {
        let text = match self.report {
            Form::Text => list::text(chosen),
            Form::Json => list::json(chosen),
            Form::Junit | Form::Html => {
                return Err(Failure::usage(
                    "a list is text or JSON",
                    "`--list --report json` is for programs",
                ));
            }
        };
        match &self.output {
            Some(path) => Sink::open(path)?.write(&text)?,
            None => print_data(&text)?,
        }
        Ok(Exit::Fine)
    }

    fn is_chosen(&self, vector: &Vector) -> bool {
        let within = self.level.is_none_or(|level| vector.level <= level);
        let fits = self.filter.as_ref().is_none_or(|text| {
            let text = text.to_lowercase();
            let fits = |it: &str| it.to_lowercase().contains(&text);
            let clause = vector.checks.iter().any(|it| fits(&it.clause));
            clause || fits(&vector.id) || fits(&vector.title)
        });
        within && fits
    }

    fn program(&self) -> Program {
        program(&self.command, self.timeout, self.memory << 20)
    }

    /// No file is read and written, or written twice, in one run. Whatever is to be written is there by now.
    fn files_differ(&self) -> Result<(), Failure> {
        let same = |one: &Path, other: &Path| same_file::is_same_file(one, other).unwrap_or(false);
        let (output, fitted) = (self.output.as_deref(), self.write_baseline.as_deref());
        // A baseline may be written anew in its place.
        let baseline = self.baseline.as_deref();
        let words = self.command.iter().map(Path::new);
        let others: Vec<&Path> = words
            .chain(self.beside.iter().map(PathBuf::as_path))
            .collect();
        let is_lost = |path: &Path, more: [Option<&Path>; 2]| {
            let more = more.into_iter().flatten();
            others.iter().copied().chain(more).any(|it| same(path, it))
        };
        let report = output.filter(|it| is_lost(it, [fitted, baseline]));
        let fitted = fitted.filter(|it| is_lost(it, [None, None]));
        match report.or(fitted) {
            None => Ok(()),
            Some(path) => Err(Failure::usage(
                format!(
                    "`{}` would lose what is in it",
                    shown(&path.display().to_string())
                ),
                "each of `--output`, `--write-baseline`, `--baseline` and `--beside` takes a file of its own, which is not \
                 the implementation either; only a baseline may be written in place of the one that was read",
            )),
        }
    }

    fn ask(&self, vectors: &[&Vector], ids: &BTreeSet<&str>) -> Result<Exit, Failure> {
        if !self.beside.is_empty() && self.report != Form::Html {
            return Err(Failure::usage(
                "`--beside` is for a page on which reports stand side by side",
                "add `--report html`",
            ));
        }
        // What can be wrong with the files is found before anybody is asked.
        let mut output = self.output.as_deref().map(Sink::open).transpose()?;
        let fitted = self.write_baseline.as_deref();
        let mut fitted = fitted.map(Sink::open).transpose()?;
        self.files_differ()?;
        let baseline = self.baseline.as_deref();
        let baseline = baseline.map(|it| Baseline::load(it, ids)).transpose()?;
        let beside = self.beside.iter().map(|path| load(path));
        let beside: Vec<Report> = beside.collect::<Result<_, _>>()?;
        for sink in output.iter_mut().chain(&mut fitted) {
            sink.settle()?;
        }
        let plan = Plan {
            program: self.program(),
            jobs: jobs(self.jobs),
            longest: runner::LONGEST,
        };
        let progress = progress(vectors.len());
        let report = runner::run(&plan, vectors, &|_, _| progress.inc(1));
        progress.finish_and_clear();
        let report = report.map_err(|trouble| cannot_ask(&plan.program, &trouble))?;
        let findings = match &baseline {
            Some(baseline) => baseline.findings(&report),
            None => report::not_passed(&report),
        };
        if let Some(fitted) = fitted {
            let known = baseline.as_ref();
            fitted.write(&known.unwrap_or(&Baseline::default()).fitted(&report))?;
        }
        let text = match self.report {
            Form::Text => {
                let told = text::Told {
                    report: &report,
                    vectors,
                    findings: &findings,
                    has_baseline: baseline.is_some(),
                    program: &plan.program,
                    level: self.level,
                };
                told.text()
            }
            Form::Json => {
                let json = serde_json::to_string_pretty(&report)
                    .map_err(|error| Failure::io("the report", error.into()))?;
                in_json(&json) + "\n"
            }
            Form::Junit => {
                report::junit(&report, vectors).map_err(|error| Failure::io("the report", error))?
            }
            Form::Html => {
                let mut reports = vec![report];
                reports.extend(beside);
                report::html(&reports, vectors, &spec::entries())
            }
        };
        let written = match output {
            Some(output) if self.report == Form::Text => {
                output.write(&anstream::adapter::strip_str(&text).to_string())
            }
            Some(output) => output.write(&text),
            None if self.report == Form::Text => print(&text),
            None => print_data(&text),
        };
        Exit::found(!findings.is_empty()).once(written)
    }
}

/// The text of a file of a sensible size.
fn read(path: &Path) -> Result<String, Failure> {
    const MOST: u64 = 256 << 20;
    let name = path.display().to_string();
    let mut text = String::new();
    let read = fs::File::open(path).and_then(|file| file.take(MOST).read_to_string(&mut text));
    match read {
        Ok(read) if (read as u64) < MOST => Ok(text),
        Ok(_) => Err(Failure::usage(
            format!("`{}` does not end within 256 MiB", shown(&name)),
            "name a file that this program wrote",
        )),
        Err(error) => Err(Failure::io(&name, error)),
    }
}

fn load(path: &Path) -> Result<Report, Failure> {
    let name = path.display().to_string();
    let text = read(path)?;
    let report: Report = serde_json::from_str(&text).map_err(|error| {
        Failure::usage(
            format!("`{}` is no report: {error}", shown(&name)),
            "write one with `--report json`",
        )
    })?;
    if report.spec == SPEC {
        return Ok(report);
    }
    Err(Failure::usage(
        format!(
            "`{}` is about Tern {}, and this one about {SPEC}",
            shown(&name),
            shown(&report.spec)
        ),
        "only what was asked the same stands side by side",
    ))
}

/// The command that is asked, the seconds that a reply may take, and the bytes that it may hold.
fn program(command: &[String], timeout: u64, memory: u64) -> Program {
    let mut words = command.iter().cloned();
    Program {
        command: words.next().unwrap_or_default(),
        arguments: words.collect(),
        timeout: Duration::from_secs(timeout),
        memory,
    }
}

/// How many run at a time.
fn jobs(asked: Option<u16>) -> usize {
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    asked.map_or(processors, usize::from)
}

/// How many may run at a time.
const JOBS: i64 = 256;

/// Shown on standard error where that is a terminal.
fn progress(vectors: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} vectors");
    let bar = ProgressBar::new(vectors as u64);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
