//! What is measured of tern-store: what the `tern log` commands do, in this process.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tern_core::log::{Input, Line, Reader};
use tern_core::{Context, Digest, HashKey, Limits, State};
use tern_store::{Expected, Head, Position, Records, Snapshot, Store};

use crate::table::clock;
use crate::{BATCH, LOG, file};

/// As many records as [`Records`] asks for at once.
const PIECE: usize = 256;
const KIND: &str = "bench/1";

/// Appends records that are in memory.
pub(crate) fn append(store: &dyn Store, lines: &[&[u8]], batch: usize) -> Duration {
    let mut log = store.open(LOG).unwrap();
    let (time, ()) = clock(|| {
        let mut head = log.head().unwrap();
        for batch in lines.chunks(batch) {
            let expected = Expected::At(head.position);
            head = log.append(expected, batch).unwrap();
        }
    });
    time
}

/// What `tern log import` does: reads the document line by line, each strictly, and appends.
pub(crate) fn import(store: &dyn Store, document: &Path) -> Duration {
    let (time, ()) = clock(|| {
        let mut log = store.open(LOG).unwrap();
        let mut reader = Reader::new(Input::Document);
        let mut lines = file::lines(document).peekable();
        let mut head = Head::start(LOG);
        while lines.peek().is_some() {
            let batch: Vec<Vec<u8>> = lines.by_ref().take(BATCH).collect();
            for line in &batch {
                reader.read(line).unwrap();
            }
            let batch: Vec<&[u8]> = batch.iter().map(Vec::as_slice).collect();
            let expected = Expected::At(head.position);
            head = log.append(expected, &batch).unwrap();
        }
    });
    time
}

/// Reads everything, each link checked.
pub(crate) fn verify(store: &dyn Store, expected: crate::Expected) -> Duration {
    let (time, ()) = clock(|| {
        let log = store.open_read_only(LOG).unwrap();
        let (mut records, mut bytes) = (0, 0);
        for record in Records::new(&*log, Position::START) {
            records += 1;
            bytes += record.unwrap().bytes.len();
        }
        expected.check(records, bytes);
    });
    time
}

/// Reads everything as it stands there.
pub(crate) fn read(store: &dyn Store, expected: crate::Expected) -> Duration {
    let (time, ()) = clock(|| {
        let log = store.open_read_only(LOG).unwrap();
        let (mut records, mut bytes) = (0, 0);
        loop {
            let piece = log.read(Position::new(records as u64), PIECE).unwrap();
            if piece.is_empty() {
                break;
            }
            records += piece.len();
            bytes += piece.iter().map(|record| record.bytes.len()).sum::<usize>();
        }
        expected.check(records, bytes);
    });
    time
}

/// The links alone, of records that are in memory.
pub(crate) fn hash(lines: &[&[u8]]) -> Duration {
    let (time, _link) = clock(|| {
        let link = Head::start(LOG).link;
        std::hint::black_box(lines.iter().fold(link, |link, line| link.then(line)))
    });
    time
}

/// A restart from the log alone, and what a snapshot of it is that was taken so many records before its end.
pub(crate) struct Replayed {
    pub(crate) time: Duration,
    pub(crate) digest: Digest,
    snapshot: Option<Snapshot>,
}

pub(crate) fn replay(store: &dyn Store, snapshot_at: u64) -> Replayed {
    let begun = Instant::now();
    let mut paused = Duration::ZERO;
    let log = store.open_read_only(LOG).unwrap();
    let mut records = Records::new(&*log, Position::START);
    let mut snapshot = None;
    let mut reduce = Reduce::new();
    while let Some(record) = records.next() {
        let record = record.unwrap();
        reduce.read(&record.bytes);
        if record.position.after(1) == Position::new(snapshot_at) {
            let (time, bytes) = clock(|| reduce.state.as_ref().unwrap().snapshot());
            let head = records.head().unwrap();
            snapshot = Some(Snapshot::new(KIND, head, bytes));
            paused += time;
        }
    }
    let digest = reduce.digest();
    Replayed {
        time: begun.elapsed() - paused,
        digest,
        snapshot,
    }
}

/// The same of a plain file that nobody checks.
pub(crate) fn replay_file(path: &Path) -> (Duration, Digest) {
    clock(|| {
        let mut reduce = Reduce::new();
        file::lines(path).for_each(|line| reduce.read(&line));
        reduce.digest()
    })
}

/// A restart from a snapshot.
pub(crate) struct Restarted {
    /// Until the snapshot was kept.
    pub(crate) put: Duration,
    pub(crate) bytes: usize,
    /// Of all of it.
    pub(crate) time: Duration,
    /// Of restoring the state from bytes that are read.
    pub(crate) restore: Duration,
}

/// Keeps the snapshot, and restarts from it.
pub(crate) fn restart(store: &dyn Store, replayed: &Replayed) -> Restarted {
    let snapshot = replayed.snapshot.as_ref().unwrap();
    let mut log = store.open(LOG).unwrap();
    let (put, ()) = clock(|| log.put_snapshot(snapshot).unwrap());
    drop(log);
    let begun = Instant::now();
    let log = store.open_read_only(LOG).unwrap();
    let first = log.read(Position::START, 1).unwrap();
    let mut reader = Reader::new(Input::Document);
    let context = match reader.read(&first[0].bytes) {
        Ok(Line::Context(context)) => context.clone(),
        _ => panic!("it begins with its context"),
    };
    let kept = log.snapshot(KIND).unwrap().unwrap();
    let limits = Limits::default();
    let key = HashKey::default();
    let (restore, state) = clock(|| State::restore(&kept.bytes, context.clone(), limits, key));
    let mut reduce = Reduce {
        reader: Reader::resume(Input::Document, context),
        state: Some(state.unwrap()),
    };
    for record in Records::after(&*log, kept.head) {
        reduce.read(&record.unwrap().bytes);
    }
    let digest = reduce.digest();
    let time = begun.elapsed();
    assert_eq!(digest, replayed.digest, "the same view");
    Restarted {
        put,
        bytes: kept.bytes.len(),
        time,
        restore,
    }
}

struct Reduce {
    reader: Reader,
    state: Option<State>,
}

impl Reduce {
    fn new() -> Self {
        Self {
            reader: Reader::new(Input::Document),
            state: None,
        }
    }

    fn read(&mut self, line: &[u8]) {
        let state = &mut self.state;
        match self.reader.read(line).unwrap() {
            Line::Context(context) => {
                let context: Context = context.clone();
                *state = Some(State::new(context, Limits::default()));
            }
            Line::Event(event) => {
                state.as_mut().unwrap().apply(&event);
            }
        }
    }

    fn digest(&self) -> Digest {
        self.state.as_ref().unwrap().view().digest()
    }
}

/// Runs the release binary beside this example, if it is built and knows this kind of store.
pub(crate) fn tern(arguments: &[&str]) -> Option<Duration> {
    let run = || -> io::Result<Option<Duration>> {
        let example = std::env::current_exe()?;
        let Some(tern) = example.ancestors().nth(2).map(|it| it.join("tern")) else {
            return Ok(None);
        };
        let mut command = Command::new(tern);
        command.args(arguments);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let begun = Instant::now();
        let is_fine = command.status()?.success();
        Ok(is_fine.then(|| begun.elapsed()))
    };
    run().ok().flatten()
}
