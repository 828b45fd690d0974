//! Asks an implementation about every vector, many at a time, and says how it did.

mod foreign;
mod group;
mod pipes;
mod process;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

pub use self::foreign::Foreign;
pub use self::group::end_all;
pub use self::process::{Program, Trouble};

use self::process::{Process, word};
use crate::mixer::Mixer;
use crate::protocol::{Ask, Bytes, Capability, Hello, Part, Say, Told};
use crate::vector::{Check, Mismatch, Vector, kept};

/// How an implementation did in one vector.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// It told everything right.
    Pass,
    /// It told something wrong, or what is no reply.
    Fail {
        /// What.
        wrong: Vec<Mismatch>,
        /// The order of the lines in which it did; none if that is the order given.
        order: Option<Vec<usize>>,
    },
    /// It does not do that, so nothing is known.
    Unsupported {
        /// Why.
        why: String,
    },
    /// It ended, or had to be ended for its memory.
    Crash {
        /// How.
        what: String,
    },
    /// It did not answer in time.
    Timeout {
        /// How long it had, in milliseconds.
        after: u64,
        /// Whether it was not even asked, after [`PATIENCE`] others in a row to which it did not answer.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        unasked: bool,
    },
    /// The runner could not do its part: nobody is to blame but us.
    HarnessError {
        /// What failed.
        what: String,
    },
}

impl Verdict {
    /// In a word.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail { .. } => "fail",
            Self::Unsupported { .. } => "unsupported",
            Self::Crash { .. } => "crash",
            Self::Timeout { .. } => "timeout",
            Self::HarnessError { .. } => "harness error",
        }
    }

    fn fails(at: &str, told: String) -> Self {
        Self::Fail {
            wrong: vec![Mismatch {
                at: at.to_owned(),
                expected: None,
                told: Some(kept(told)),
            }],
            order: None,
        }
    }

    /// Of a vector that was passed, and not when it was asked about again. What is our fault stays our fault.
    fn after_others(self) -> Self {
        match self {
            Self::Fail { .. } | Self::Unsupported { .. } => {
                let told = format!(
                    "{}, after other documents; it was right before",
                    self.word()
                );
                Self::fails("the same again", told)
            }
            other => other,
        }
    }
}

impl From<Trouble> for Verdict {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Crash { what } => Self::Crash { what },
            Trouble::Timeout { after } => Self::Timeout {
                after,
                unasked: false,
            },
            Trouble::Garbage { what } => Self::fails("reply", what),
            Trouble::Harness { what } => Self::HarnessError { what },
        }
    }
}

/// How an implementation did.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Who it says it is.
    pub implementation: Hello,
    /// The verdicts, by the ids of the vectors; and under [`STOP`], if it does not end as it is told to.
    pub verdicts: BTreeMap<String, Verdict>,
    /// How many times it was asked to read a document.
    pub runs: u64,
    /// How long all of it took, in milliseconds.
    pub took: u64,
}

impl Report {
    /// How many verdicts there are of each kind, by their words.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<&'static str, usize> {
        let mut counts = BTreeMap::new();
        for verdict in self.verdicts.values() {
            *counts.entry(verdict.word()).or_default() += 1;
        }
        counts
    }
}

/// How to go about it.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What is asked.
    pub program: Program,
    /// How many of it run at a time.
    pub jobs: usize,
}

/// Where a report says that an implementation does not end, or not well, when it is told to stop. It is no vector's id.
pub const STOP: &str = "stop";

/// After so many vectors in a row to which a process and those after it did not answer, the thread that asks gives
/// up: one that answers nothing would take ten seconds for each of some thousands.
pub const PATIENCE: usize = 10;

/// Of how many vectors, once they are done, some are asked again, in another order and by one process: an
/// implementation that keeps something from run to run answers otherwise.
const ASKED_AGAIN: usize = 100;

/// Asks about each vector. `done` is called after each.
///
/// # Errors
/// Where the implementation cannot be started, or does not say who it is.
pub fn run(
    plan: &Plan,
    vectors: &[&Vector],
    done: &(dyn Fn(&Vector, &Verdict) + Sync),
) -> Result<Report, Trouble> {
    let start = Instant::now();
    // Who is it? If it does not say so, nothing else is asked.
    let (process, hello) = Process::start(&plan.program)?;
    let first = Mutex::new(Some(process));
    let (next, runs) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let verdicts = Mutex::new(BTreeMap::new());
    let asker = |process| Asker {
        program: &plan.program,
        hello: &hello,
        process,
        runs: &runs,
        silent: 0,
        recorded: Vec::new(),
    };
    let judged = |id: &str, verdict| {
        let mut verdicts = verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        verdicts.insert(id.to_owned(), verdict);
    };
    let stop = |mut asker: Asker<'_>| {
        if let Some(process) = asker.process.take()
            && let Err(trouble) = process.stop()
        {
            judged(STOP, trouble.into());
        }
    };
    let work = || {
        let process = first.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut asker = asker(process);
        while let Some(vector) = vectors.get(next.fetch_add(1, Ordering::Relaxed)) {
            let verdict = asker.verdict(vector);
            done(vector, &verdict);
            judged(&vector.id, verdict);
        }
        stop(asker);
    };
    thread::scope(|scope| {
        for _ in 1..plan.jobs {
            // Where no more threads are to be had, there are fewer.
            let _fewer = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    let mut again = asker(None);
    for vector in some_again(vectors) {
        let known = verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        let first = known.get(&vector.id).cloned();
        drop(known);
        // What went wrong the first time is known, and may take long.
        if first != Some(Verdict::Pass) {
            continue;
        }
        let verdict = again.verdict(vector);
        if verdict != Verdict::Pass {
            judged(&vector.id, verdict.after_others());
        }
    }
    stop(again);
    let verdicts = verdicts
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    Ok(Report {
        implementation: hello.clone(),
        verdicts,
        runs: runs.load(Ordering::Relaxed) as u64,
        took: u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX),
    })
}

/// The entries on how a view is written and hashed. A view is compared as a value, so that the digest alone
/// shows that they are kept.
const WRITTEN: [&str; 3] = ["S7.03", "S7.04", "S7.05"];

/// Asks one process about one vector after the other, and shows every line that is sent, as it comes. Ends with
/// the first vector that the process does not survive.
///
/// # Errors
/// Where the implementation cannot be started, or does not say who it is.
pub fn transcript(
    program: &Program,
    vectors: &[&Vector],
    show: &mut dyn FnMut(&str),
) -> Result<Transcript, Trouble> {
    let mut process = Process::spawn(program)?;
    process.record();
    let hello = process.hello();
    process.take_recorded().iter().for_each(|line| show(line));
    let hello = hello?;
    let runs = AtomicUsize::new(0);
    let mut asker = Asker {
        program,
        hello: &hello,
        process: Some(process),
        runs: &runs,
        silent: 0,
        recorded: Vec::new(),
    };
    let mut verdicts = Vec::new();
    for vector in vectors {
        verdicts.push(asker.verdict(vector));
        asker.recorded.drain(..).for_each(|line| show(&line));
        if asker.process.is_none() {
            break;
        }
    }
    let stop = asker.process.take().map(|process| {
        show(&format!("> {}", process.stop_line()));
        process.stop()
    });
    Ok(Transcript { verdicts, stop })
}

/// What a conversation came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    /// The verdicts, of as many vectors as the process survived and the one that it did not.
    pub verdicts: Vec<Verdict>,
    /// How it took `stop`; none where it was gone before.
    pub stop: Option<Result<(), Trouble>>,
}

/// Some of the vectors, in an order of their own, the same each time.
fn some_again<'v>(vectors: &[&'v Vector]) -> Vec<&'v Vector> {
    let mut again = vectors.to_vec();
    let mut dice = Mixer::new(0);
    dice.shuffle(&mut again);
    again.truncate(ASKED_AGAIN);
    again
}

/// Asks about one vector after the other, with a new process where one was lost.
struct Asker<'a> {
    program: &'a Program,
    hello: &'a Hello,
    process: Option<Process>,
    runs: &'a AtomicUsize,
    /// How many vectors in a row had no reply.
    silent: usize,
    /// The lines of processes that record them.
    recorded: Vec<String>,
}

impl Asker<'_> {
    fn verdict(&mut self, vector: &Vector) -> Verdict {
        if self.silent >= PATIENCE {
            return Verdict::Timeout {
                after: self.program.timeout_millis(),
                unasked: true,
            };
        }
        let verdict = self.asked(vector);
        match verdict {
            Verdict::Timeout { .. } => self.silent += 1,
            _ => self.silent = 0,
        }
        verdict
    }

    fn asked(&mut self, vector: &Vector) -> Verdict {
        let can = |capability| self.hello.capabilities.contains(&capability);
        if vector.is_bare() && !can(Capability::Bare) {
            return Verdict::Unsupported {
                why: "it does not read files of bare messages".to_owned(),
            };
        }
        let mut parts = BTreeSet::new();
        parts.extend(can(Capability::View).then_some(Part::View));
        parts.extend(can(Capability::Digest).then_some(Part::Digest));
        for (rank, order) in vector.orders().into_iter().enumerate() {
            let told = match self.told(vector.document(&order), &parts) {
                Ok(told) => told,
                Err(verdict) => return verdict,
            };
            let wrong = vector.judge(&told, &order, &parts);
            if !wrong.is_empty() {
                let wrong = wrong.into_iter().map(Mismatch::kept).collect();
                let order = (rank > 0).then_some(order);
                return Verdict::Fail { wrong, order };
            }
        }
        if parts.is_empty() && !vector.is_refused() {
            return Verdict::Unsupported {
                why: "its outcomes are right, but it tells neither view nor digest".to_owned(),
            };
        }
        let written = |check: &Check| WRITTEN.contains(&check.clause.as_str());
        if !parts.contains(&Part::Digest) && vector.checks.iter().any(written) {
            return Verdict::Unsupported {
                why: "its view is right, but only a digest shows how it writes it".to_owned(),
            };
        }
        Verdict::Pass
    }

    fn told(&mut self, document: Vec<u8>, parts: &BTreeSet<Part>) -> Result<Told, Verdict> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => Process::start(self.program)?.0,
        };
        self.runs.fetch_add(1, Ordering::Relaxed);
        let ask = Ask::Run {
            document: Bytes(document),
            answer: parts.clone(),
        };
        let said = process.ask(&ask);
        self.recorded.extend(process.take_recorded());
        let say = said?;
        self.process = Some(process);
        match say {
            Say::Result(told) => Ok(told),
            Say::Unsupported { why } => Err(Verdict::fails(
                "reply",
                format!("`unsupported`, of what it declared that it can do: {why}"),
            )),
            Say::Error { why } => Err(Verdict::fails("reply", format!("`error`: {why}"))),
            hello @ Say::Hello(_) => Err(Verdict::fails("reply", word(&hello).to_owned())),
        }
    }
}

/// How long a reply may take, where nothing is said.
pub const TIMEOUT: Duration = Duration::from_secs(10);

/// How much memory it may hold, where nothing is said: 2 GiB.
pub const MEMORY: u64 = 2 << 30;
