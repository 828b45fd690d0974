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
use crate::protocol::{Bytes, Capability, Hello, Part, Reply, Request, SPEC, Told};
use crate::vector::{self, Check, Mismatch, Place, Vector};

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
        /// What it had written: of a line without a newline, and on standard error.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        said: String,
        /// Whether it was not even asked, since there were [`PATIENCE`] others in a row to which it did not answer.
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
    /// The words of all, in the order in which they are counted.
    pub const WORDS: [&str; 6] = [
        "pass",
        "fail",
        "unsupported",
        "crash",
        "timeout",
        "harness error",
    ];

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

    fn fails(at: Place, told: String) -> Self {
        Self::Fail {
            wrong: vec![Mismatch::told(at, told)],
            order: None,
        }
    }

    /// Of a vector that was passed, when it was asked about again. What is our fault stays our fault.
    fn after_others(self) -> Self {
        const WHEN: &str = "after other documents; it was right before";
        match self {
            Self::Pass => Self::Pass,
            Self::HarnessError { what } => Self::HarnessError {
                what: format!("asked again: {what}"),
            },
            Self::Fail { ref wrong, .. } if wrong.iter().any(|it| it.at == Place::Hello) => self,
            Self::Fail { wrong, order } => Self::Fail {
                wrong: [Mismatch::told(Place::Again, WHEN.to_owned())]
                    .into_iter()
                    .chain(wrong)
                    .collect(),
                order,
            },
            Self::Unsupported { why } => {
                Self::fails(Place::Again, format!("unsupported, {WHEN}: {why}"))
            }
            // That may happen at any time.
            Self::Crash { .. } | Self::Timeout { .. } => self,
        }
    }

    /// Of several verdicts on the same, the worst counts; what is our fault is better than what is not.
    const fn rank(&self) -> u8 {
        match self {
            Self::Pass => 0,
            Self::HarnessError { .. } => 1,
            Self::Unsupported { .. } => 2,
            Self::Timeout { .. } => 3,
            Self::Crash { .. } => 4,
            Self::Fail { .. } => 5,
        }
    }

    /// With the beginnings of texts that are longer than so many bytes.
    fn cut(self, longest: usize) -> Self {
        let cut = |text| vector::cut(text, longest);
        match self {
            Self::Pass => Self::Pass,
            Self::Fail { wrong, order } => Self::Fail {
                wrong: wrong.into_iter().map(|it| it.cut(longest)).collect(),
                order,
            },
            Self::Unsupported { why } => Self::Unsupported { why: cut(why) },
            Self::Crash { what } => Self::Crash { what: cut(what) },
            Self::Timeout {
                after,
                said,
                unasked,
            } => Self::Timeout {
                after,
                said: cut(said),
                unasked,
            },
            Self::HarnessError { what } => Self::HarnessError { what: cut(what) },
        }
    }
}

impl From<Trouble> for Verdict {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Crash { what } => Self::Crash { what },
            Trouble::Timeout { after, said } => Self::Timeout {
                after,
                said,
                unasked: false,
            },
            Trouble::Garbage { what } => Self::fails(Place::Reply, what),
            Trouble::NotStarted { what } | Trouble::Harness { what } => Self::HarnessError { what },
        }
    }
}

/// How an implementation did.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The revision of the specification that the vectors check.
    pub spec: String,
    /// Which vectors were asked about: SHA-256, in lower hex, over their ids and hashes. Two reports can be compared
    /// where it is the same.
    pub vectors: String,
    /// Who it says it is.
    pub implementation: Hello,
    /// The verdicts, by the ids of the vectors.
    pub verdicts: BTreeMap<String, Verdict>,
    /// How it takes it when it is told to stop: of several processes the worst. None where none lived to hear it.
    pub stop: Option<Verdict>,
    /// How many times it was asked to read a document.
    pub runs: u64,
    /// How long all of it took, in milliseconds.
    pub took: u64,
}

impl Report {
    /// The verdicts, by the ids of the vectors, and at last that under [`STOP`].
    pub fn cases(&self) -> impl Iterator<Item = (&str, &Verdict)> {
        let stop = self.stop.iter().map(|it| (STOP, it));
        let verdicts = self.verdicts.iter();
        verdicts.map(|(id, it)| (&**id, it)).chain(stop)
    }

    /// How many verdicts there are of each kind, by their words. That it stops well is none of the passes.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<&'static str, usize> {
        let mut counts = BTreeMap::new();
        for (id, verdict) in self.cases() {
            if id != STOP || *verdict != Verdict::Pass {
                *counts.entry(verdict.word()).or_default() += 1;
            }
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
    /// How many bytes of a text that it tells the report keeps: it can be as long as it likes.
    pub longest: usize,
}

/// How many bytes of a text a report keeps, where nothing is said.
pub const LONGEST: usize = 2000;

/// Where a report says how an implementation stops. It is no vector's id.
pub const STOP: &str = "stop";

/// After so many requests in a row that were not answered, the thread that asks gives up: one that answers nothing
/// would take ten seconds for each of some thousand vectors.
pub const PATIENCE: usize = 10;

/// How often vectors are asked about again, once all are done, in another order and by one process: an implementation
/// that keeps something from run to run answers otherwise.
const AGAIN_MOST: usize = 100;

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
    let stopped: Mutex<Option<Verdict>> = Mutex::new(None);
    let asker = |process| Asker::new(&plan.program, &hello, process, &runs);
    let judged = |vector: &Vector, verdict: Verdict| {
        done(vector, &verdict);
        let mut verdicts = verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        verdicts.insert(vector.id.clone(), verdict.cut(plan.longest));
    };
    let stop = |mut asker: Asker<'_>| {
        let Some(process) = asker.process.take() else {
            return;
        };
        let verdict = process
            .stop()
            .map_or_else(Verdict::from, |()| Verdict::Pass);
        let verdict = verdict.cut(plan.longest);
        let mut stopped = stopped.lock().unwrap_or_else(PoisonError::into_inner);
        if stopped.as_ref().is_none_or(|it| it.rank() < verdict.rank()) {
            *stopped = Some(verdict);
        }
    };
    let work = || {
        let process = first.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut asker = asker(process);
        // Who gives up leaves what is left to the others.
        while asker.silent < PATIENCE
            && let Some(vector) = vectors.get(next.fetch_add(1, Ordering::Relaxed))
        {
            let verdict = asker.verdict(vector);
            judged(vector, verdict);
        }
        stop(asker);
    };
    thread::scope(|scope| {
        for _ in 1..plan.jobs.min(vectors.len()) {
            // Where no more threads are to be had, there are fewer.
            let _fewer = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    for vector in vectors.iter().skip(next.load(Ordering::Relaxed)) {
        let verdict = Verdict::Timeout {
            after: plan.program.timeout_millis(),
            said: String::new(),
            unasked: true,
        };
        judged(vector, verdict);
    }
    let mut verdicts = verdicts
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let mut again = asker(None);
    for vector in some_again(vectors) {
        // What went wrong the first time is known, and may take long.
        if verdicts.get(&vector.id) == Some(&Verdict::Pass) {
            let verdict = again.verdict(vector).after_others();
            verdicts.insert(vector.id.clone(), verdict.cut(plan.longest));
        }
    }
    stop(again);
    Ok(Report {
        spec: SPEC.to_owned(),
        vectors: vector::digest(vectors),
        implementation: hello.clone(),
        verdicts,
        stop: stopped.into_inner().unwrap_or_else(PoisonError::into_inner),
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
    let mut asker = Asker::new(program, &hello, Some(process), &runs);
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

/// Some of the vectors, in an order of their own, the same each time; of a few, each twice.
fn some_again<'v>(vectors: &[&'v Vector]) -> Vec<&'v Vector> {
    let mut again = vectors.to_vec();
    let mut dice = Mixer::new(0);
    dice.shuffle(&mut again);
    let most = AGAIN_MOST.min(2 * again.len());
    again.into_iter().cycle().take(most).collect()
}

/// Asks about one vector after the other, with a new process where one was lost.
struct Asker<'a> {
    program: &'a Program,
    hello: &'a Hello,
    process: Option<Process>,
    runs: &'a AtomicUsize,
    /// How many requests in a row had no reply.
    silent: usize,
    /// The lines of processes that record them.
    recorded: Vec<String>,
}

impl<'a> Asker<'a> {
    const fn new(
        program: &'a Program,
        hello: &'a Hello,
        process: Option<Process>,
        runs: &'a AtomicUsize,
    ) -> Self {
        Self {
            program,
            hello,
            process,
            runs,
            silent: 0,
            recorded: Vec::new(),
        }
    }

    fn verdict(&mut self, vector: &Vector) -> Verdict {
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
            None => self.started_again()?,
        };
        self.runs.fetch_add(1, Ordering::Relaxed);
        let ask = Request::Run {
            document: Bytes(document),
            answer: parts.clone(),
        };
        let said = process.ask(&ask);
        self.recorded.extend(process.take_recorded());
        match said {
            Err(Trouble::Timeout { .. }) => self.silent += 1,
            _ => self.silent = 0,
        }
        let say = said?;
        self.process = Some(process);
        match say {
            Reply::Result(told) => Ok(told),
            // What it did not declare, it need not do.
            Reply::Unsupported { why } if parts.is_empty() => Err(Verdict::Unsupported { why }),
            Reply::Unsupported { why } => Err(Verdict::fails(
                Place::Reply,
                format!("`unsupported`, of what it declared that it can do: {why}"),
            )),
            Reply::Error { why } => Err(Verdict::fails(Place::Reply, format!("`error`: {why}"))),
            hello @ Reply::Hello(_) => Err(Verdict::fails(Place::Reply, word(&hello).to_owned())),
        }
    }

    /// A new process, which has to be the same implementation.
    fn started_again(&self) -> Result<Process, Verdict> {
        let (process, hello) = Process::start(self.program)?;
        if hello == *self.hello {
            return Ok(process);
        }
        let told = "a later process says another `hello`".to_owned();
        Err(Verdict::fails(Place::Hello, told))
    }
}

/// How long a reply may take, where nothing is said.
pub const TIMEOUT: Duration = Duration::from_secs(10);

/// How much memory it may hold, where nothing is said: 2 GiB.
pub const MEMORY: u64 = 2 << 30;
