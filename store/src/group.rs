//! Group commit: the batches of many threads in few transactions.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread::{self, JoinHandle};

use crate::log::check_records;
use crate::{Error, Expected, Log, MAX_RECORD_BYTES, Position};

/// A log that many threads append to. What they submit while a transaction is under way goes into the next one together,
/// so that a slow medium is waited for once and not once a batch.
///
/// Each batch stays what it was: all or none of it, its records one after the other, compared with what it expects in the
/// order in which batches were submitted. Clones append to the same log; the last one that is dropped waits until what was
/// submitted is appended. A thousand batches may wait; who submits more waits too.
///
/// ```
/// use tern_store::{Expected, Group, Position, SqliteStore, Store};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("thread.db");
/// let group = Group::new(SqliteStore::new(&path).open("design")?)?;
/// let first = group.submit(Expected::Any, vec![b"a".to_vec()]);
/// let second = group.submit(Expected::At(Position::new(1)), vec![b"b".to_vec(), b"c".to_vec()]);
/// assert_eq!(first.wait()?, Position::new(1));
/// assert_eq!(second.wait()?, Position::new(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Group(Arc<Writer>);

#[derive(Debug)]
struct Writer {
    /// None when it ends.
    jobs: Option<SyncSender<Job>>,
    thread: Option<JoinHandle<()>>,
    store: String,
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ended = thread.join();
        }
    }
}

/// A batch that was submitted. Whether it is appended does not depend on anybody waiting for it.
#[derive(Debug)]
#[must_use = "it is acknowledged only when `wait` says so"]
pub struct Ticket {
    answer: Receiver<Result<Position, Error>>,
    store: String,
}

#[derive(Debug)]
struct Job {
    expected: Expected,
    records: Vec<Vec<u8>>,
    answer: Sender<Result<Position, Error>>,
}

impl Job {
    /// Whoever gave up waiting misses the answer.
    fn reply(self, answer: Result<Position, Error>) {
        let _heard = self.answer.send(answer);
    }
}

impl Group {
    /// Starts the thread that appends.
    ///
    /// # Errors
    ///
    /// `store_io` where the system starts no thread.
    pub fn new(mut log: Box<dyn Log>) -> Result<Self, Error> {
        const WAITING: usize = 1000;
        let (jobs, queue) = mpsc::sync_channel(WAITING);
        let store = log.store().to_owned();
        let writer = thread::Builder::new().name("tern-group".into());
        let started = writer.spawn(move || {
            while let Ok(first) = queue.recv() {
                commit(&mut *log, gather(first, &queue));
            }
        });
        match started {
            Ok(thread) => Ok(Self(Arc::new(Writer {
                jobs: Some(jobs),
                thread: Some(thread),
                store,
            }))),
            Err(source) => Err(Error::Io {
                store,
                source: Box::new(source),
            }),
        }
    }

    /// Submits a batch and waits for it: [`Log::append`], but the answer is where the batch ends and not where the log
    /// does.
    ///
    /// # Errors
    ///
    /// Those of [`Log::append`].
    pub fn append(&self, expected: Expected, records: Vec<Vec<u8>>) -> Result<Position, Error> {
        self.submit(expected, records).wait()
    }

    /// Submits a batch. Those of one thread are appended in the order in which it submits them.
    pub fn submit(&self, expected: Expected, records: Vec<Vec<u8>>) -> Ticket {
        let (answer, ticket) = mpsc::channel();
        let job = Job {
            expected,
            records,
            answer,
        };
        let slices: Vec<&[u8]> = job.records.iter().map(Vec::as_slice).collect();
        match check_records(&slices, MAX_RECORD_BYTES) {
            Err(error) => job.reply(Err(error)),
            // Where the thread is gone, the answer says so.
            Ok(()) => drop(self.0.jobs.as_ref().map(|jobs| jobs.send(job))),
        }
        Ticket {
            answer: ticket,
            store: self.0.store.clone(),
        }
    }
}

impl Ticket {
    /// Waits until the batch is durable, and gives the position after its last record.
    ///
    /// # Errors
    ///
    /// Those of [`Log::append`]. After a failure that leaves open what the medium holds, that is so for every batch of the
    /// transaction: one of them is told the failure, the others `store_poisoned` with its sentence.
    pub fn wait(self) -> Result<Position, Error> {
        self.answer.recv().unwrap_or_else(|_| {
            Err(Error::Poisoned {
                store: self.store,
                cause: "the thread that appends ended".to_owned(),
            })
        })
    }
}

/// What is submitted by now, up to what one transaction should hold.
fn gather(first: Job, queue: &Receiver<Job>) -> Vec<Job> {
    const MOST_RECORDS: usize = 10_000;
    const MOST_BYTES: usize = 16 << 20;
    let size = |job: &Job| job.records.iter().map(Vec::len).sum::<usize>();
    let (mut records, mut bytes) = (first.records.len(), size(&first));
    let mut jobs = vec![first];
    while records < MOST_RECORDS
        && bytes < MOST_BYTES
        && let Ok(job) = queue.try_recv()
    {
        records += job.records.len();
        bytes += size(&job);
        jobs.push(job);
    }
    jobs
}

/// Appends the batches that fit one after the other, in one transaction, and answers all. INVARIANTS 3 and 4 are those of
/// the log: what is appended here is one batch of it.
fn commit(log: &mut dyn Log, jobs: Vec<Job>) {
    let are_all_any = jobs.iter().all(|job| job.expected == Expected::Any);
    loop {
        let (expected, fits) = if are_all_any {
            (Expected::Any, vec![Fits::Here; jobs.len()])
        } else {
            match log.head() {
                Ok(head) => (Expected::At(head.position), compare(head.position, &jobs)),
                Err(error) => return refuse(log.store(), jobs, error),
            }
        };
        let records: Vec<&[u8]> = jobs
            .iter()
            .zip(&fits)
            .filter(|(_, fits)| matches!(fits, Fits::Here))
            .flat_map(|(job, _)| job.records.iter().map(Vec::as_slice))
            .collect();
        let added = records.len() as u64;
        match log.append(expected, &records) {
            Ok(head) => {
                let begin = head.position.as_u64().saturating_sub(added);
                return acknowledge(jobs, fits, Position::new(begin));
            }
            // Another process was faster: what fits is another question now.
            Err(Error::Conflict { .. }) => {}
            Err(error) => return refuse(log.store(), jobs, error),
        }
    }
}

/// What becomes of a batch, if those before it are appended.
#[derive(Clone, Copy, Debug)]
enum Fits {
    Here,
    /// The log would end elsewhere.
    Not {
        expected: Position,
        found: Position,
    },
}

fn compare(head: Position, jobs: &[Job]) -> Vec<Fits> {
    let mut end = head;
    let fits = jobs.iter().map(|job| match job.expected {
        Expected::At(expected) if expected != end => Fits::Not {
            expected,
            found: end,
        },
        Expected::At(_) | Expected::Any => {
            end = end.after(job.records.len() as u64);
            Fits::Here
        }
    });
    fits.collect()
}

fn acknowledge(jobs: Vec<Job>, fits: Vec<Fits>, begin: Position) {
    let mut end = begin;
    for (job, fits) in jobs.into_iter().zip(fits) {
        match fits {
            Fits::Here => {
                end = end.after(job.records.len() as u64);
                job.reply(Ok(end));
            }
            Fits::Not { expected, found } => job.reply(Err(Error::Conflict { expected, found })),
        }
    }
}

/// Every batch of a transaction has the same fate.
fn refuse(store: &str, jobs: Vec<Job>, error: Error) {
    let mut jobs = jobs.into_iter();
    let first = jobs.next();
    for job in jobs {
        job.reply(Err(alike(store, &error)));
    }
    if let Some(first) = first {
        first.reply(Err(error));
    }
}

/// The same for another batch: what is a refusal for one is a refusal for all.
fn alike(store: &str, error: &Error) -> Error {
    match error {
        Error::Busy { store } => Error::Busy {
            store: store.clone(),
        },
        Error::ReadOnly { store } => Error::ReadOnly {
            store: store.clone(),
        },
        Error::Limit { store, what } => Error::Limit {
            store: store.clone(),
            what,
        },
        Error::Full { store } => Error::Full {
            store: store.clone(),
        },
        Error::Unreachable { store, source } => Error::Unreachable {
            store: store.clone(),
            source: source.to_string().into(),
        },
        Error::Poisoned { store, cause } => Error::Poisoned {
            store: store.clone(),
            cause: cause.clone(),
        },
        other => Error::Poisoned {
            store: store.to_owned(),
            cause: other.to_string(),
        },
    }
}
