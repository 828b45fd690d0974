//! A damaged store: refused, or a beginning of what was written.

mod stores;

use std::cell::OnceCell;
use std::fs;
use std::path::PathBuf;

use arbitrary::Unstructured;
use tempfile::TempDir;
use tern_store::{Code, Error, Expected, Log, Position, Records, SqliteLog};

use self::stores::Store;

/// A store that tern-store wrote, cut, with bytes changed or rows removed as the input says. It is
/// opened for reading, for writing, or both: an error, or records that were written, from the first
/// on and without a gap (INVARIANTS 1, 2 and 7 of `store/DESIGN.md`), whatever was done. A changed byte inside the
/// database file may hide the last records, as DESIGN.md says, and so may a cut where a write-ahead log waits.
///
/// # Panics
/// Where something else is read.
pub fn log_reload(data: &[u8]) {
    let mut input = Unstructured::new(data);
    let damaged = Damaged::draw(&mut input).unwrap();
    let how: u8 = input.arbitrary().unwrap_or(0);
    thread_local! {
        static FOLDER: OnceCell<TempDir> = const { OnceCell::new() };
    }
    FOLDER.with(|folder| {
        let folder = folder.get_or_init(|| tempfile::tempdir().unwrap());
        let path = damaged.lay(folder);
        damaged.look(&path, how);
    });
}

/// What is in the folder, and what was done to it.
#[derive(Debug)]
struct Damaged {
    store: &'static Store,
    database: Vec<u8>,
    waiting: Vec<u8>,
    /// In words, for the report.
    done: Vec<String>,
    /// Whether the damage may hide the last records, or whole logs: bytes of the database file were changed, or it was cut while
    /// a write-ahead log waits, from which SQLite takes its length.
    is_silent: bool,
}

impl Damaged {
    fn draw(input: &mut Unstructured<'_>) -> arbitrary::Result<Self> {
        let stores = stores::all();
        let which: u8 = input.arbitrary()?;
        let mut store = &stores[usize::from(which) % stores.len()];
        let mut done = vec![format!("store `{}`", store.name)];
        if input.ratio(1, 4)? {
            let gap: u16 = input.arbitrary()?;
            let gap = &store.with_gaps()[usize::from(gap) % store.with_gaps().len()];
            (store, _) = (gap, done.push(format!("without {}", gap.name)));
        }
        let mut damaged = Self {
            store,
            database: store.database.clone(),
            waiting: store.waiting.clone(),
            done,
            is_silent: false,
        };
        let mut is_waiting_changed = false;
        for _ in 0..input.int_in_range(0..=3)? {
            let place: u32 = input.arbitrary()?;
            let place = usize::try_from(place).unwrap();
            match input.int_in_range(0..=6)? {
                0 => damaged.cut(false, place),
                1 => damaged.cut(true, place),
                // A checksum of the write-ahead log misses no single byte.
                2 if !is_waiting_changed => {
                    damaged.change(true, place, input.arbitrary()?);
                    is_waiting_changed = true;
                }
                3..=6 => damaged.change(false, place, input.arbitrary()?),
                _ => {}
            }
        }
        Ok(damaged)
    }

    fn file(&mut self, is_waiting: bool) -> (&mut Vec<u8>, &'static str) {
        if is_waiting {
            (&mut self.waiting, "write-ahead log")
        } else {
            (&mut self.database, "database")
        }
    }

    fn cut(&mut self, is_waiting: bool, place: usize) {
        let (file, name) = self.file(is_waiting);
        let length = place % (file.len() + 1);
        file.truncate(length);
        self.is_silent |= !is_waiting && !self.waiting.is_empty();
        self.done.push(format!("{name} cut to {length}"));
    }

    fn change(&mut self, is_waiting: bool, place: usize, change: u8) {
        let (file, name) = self.file(is_waiting);
        if file.is_empty() || change == 0 {
            return;
        }
        let place = place % file.len();
        file[place] ^= change;
        self.done.push(format!("{name} byte {place} ^ {change:#x}"));
        self.is_silent |= !is_waiting;
    }

    fn lay(&self, folder: &TempDir) -> PathBuf {
        let path = folder.path().join("log.db");
        fs::write(&path, &self.database).unwrap();
        for (suffix, bytes) in [
            ("-wal", self.waiting.as_slice()),
            ("-shm", &[]),
            ("-journal", &[]),
        ] {
            let beside = folder.path().join(format!("log.db{suffix}"));
            if bytes.is_empty() {
                let _ = fs::remove_file(beside);
            } else {
                fs::write(beside, bytes).unwrap();
            }
        }
        path
    }

    fn look(&self, path: &std::path::Path, how: u8) {
        let names = &self.store.logs;
        let (name, written) = &names[usize::from(how >> 2) % names.len()];
        if how & 1 == 0 {
            match SqliteLog::open_read_only(path, name) {
                Ok(log) => drop(self.read(&log, written)),
                Err(error) => self.is_expected(&error),
            }
            match SqliteLog::logs(path) {
                Ok(logs) => self.list(&logs),
                Err(error) => self.is_expected(&error),
            }
        }
        if how & 2 == 0 {
            let records = match SqliteLog::open(path, name) {
                Ok(mut log) => {
                    let Some(mut records) = self.read(&log, written) else {
                        return;
                    };
                    let head = Position::new(records.len() as u64);
                    match log.append(Expected::At(head), &[b"appended"]) {
                        Ok(_) => records.push(b"appended".to_vec()),
                        Err(error) => return self.is_expected(&error),
                    }
                    records
                }
                Err(error) => return self.is_expected(&error),
            };
            // What was acknowledged is there when the log is opened again.
            match SqliteLog::open(path, name) {
                Ok(log) => {
                    let again: Result<Vec<Vec<u8>>, Error> = Records::new(&log, Position::START)
                        .map(|record| record.map(|record| record.bytes))
                        .collect();
                    let same = again.as_ref().is_ok_and(|again| *again == records);
                    assert!(
                        same || self.is_silent,
                        "INVARIANT 3: an acknowledged record is not there: {self}"
                    );
                }
                Err(error) => assert!(
                    self.is_silent,
                    "INVARIANT 3: a log that was appended to is refused ({error}): {self}"
                ),
            }
        }
    }

    /// The records that the log has; none where reading them is refused.
    fn read(&self, log: &SqliteLog, written: &[Vec<u8>]) -> Option<Vec<Vec<u8>>> {
        let mut records = Vec::new();
        for record in Records::new(log, Position::START) {
            let record = match record {
                Ok(record) => record,
                Err(error) => {
                    self.is_expected(&error);
                    return None;
                }
            };
            assert!(
                record.position == Position::new(records.len() as u64),
                "INVARIANT 2: record {} has position {}: {self}",
                records.len(),
                record.position
            );
            records.push(record.bytes);
        }
        let is_beginning = written.starts_with(&records);
        assert!(
            is_beginning,
            "INVARIANT 1: what was read is not a beginning of what was written: {self}\n{}",
            shown(&records)
        );
        match log.head() {
            Ok(head) => assert!(
                head.position == Position::new(records.len() as u64) || self.is_silent,
                "INVARIANT 2: the head is at {}, and {} records are there: {self}",
                head.position,
                records.len()
            ),
            Err(error) => self.is_expected(&error),
        }
        Some(records)
    }

    fn list(&self, logs: &[(String, tern_store::Head)]) {
        for (name, _) in logs {
            assert!(
                self.is_silent || self.store.logs.iter().any(|(written, _)| written == name),
                "INVARIANT 1: the log {name:?} was never written: {self}"
            );
        }
    }

    /// An error says that the store is damaged, or is none, and not that somebody else is there.
    fn is_expected(&self, error: &Error) {
        let code = error.code();
        let is_about_damage = matches!(
            code,
            Code::NotALog
                | Code::NoSuchLog
                | Code::NeedsRecovery
                | Code::Corrupt
                | Code::BrokenChain
                | Code::Poisoned
        );
        assert!(
            is_about_damage || self.is_silent,
            "a damaged store is refused as {code} ({error}): {self}"
        );
    }
}

impl std::fmt::Display for Damaged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.done.join(", "))
    }
}

fn shown(records: &[Vec<u8>]) -> String {
    let lines = records.iter().map(|record| {
        let start = &record[..record.len().min(60)];
        format!("  {} bytes: {}", record.len(), start.escape_ascii())
    });
    lines.collect::<Vec<_>>().join("\n")
}
