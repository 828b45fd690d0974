//! The durable log of `tern run --log`: log-document lines in a store (T1.30, T4.15).
//!
//! A store holds many logs, each named by the id of its context. A log begins with its `context`
//! record, but for that of the unverified context, which no record can declare.

use std::io::{self, Cursor, Read};
use std::path::Path;

use tern_core::Context;
use tern_core::log::Record;
use tern_store::{Chain, Expected, Head, Log, Position, SqliteLog};

use crate::failure::Failure;
use crate::text::shown;

/// Whether a file that begins so is a store.
pub(crate) fn is_store(start: &[u8]) -> bool {
    const MAGIC: &[u8] = b"SQLite format 3\0";
    // A database that was cut off within these bytes is a broken store and no bare message.
    start.starts_with(MAGIC) || (start.len() > 6 && MAGIC.starts_with(start))
}

/// A durable log, read as the lines of a log document.
pub(crate) struct Stored {
    log: SqliteLog,
    /// The file, safe to print.
    file: String,
    name: String,
    /// What was read is what was appended.
    read: Chain,
    end: Position,
    lines: Cursor<Vec<u8>>,
}

impl Stored {
    /// Opens the named log, or the only one.
    pub(crate) fn open(path: &Path, name: Option<&str>) -> Result<Self, Failure> {
        let name = match name {
            Some(name) => name.to_string(),
            None => only_log(path)?,
        };
        let log = match SqliteLog::open_read_only(path, &name) {
            Err(tern_store::Error::NoSuchLog { .. }) => return Err(no_log(&name, &logs(path)?)),
            opened => opened?,
        };
        let end = log.head()?.position;
        if end == Position::START && name != Context::UNVERIFIED {
            return Err(Failure::usage(
                format!("log `{}` is empty", shown(&name)),
                "append something with `tern run --log` first",
            ));
        }
        Ok(Self {
            read: Chain::from(Head::start(&name)),
            log,
            file: shown(&path.to_string_lossy()),
            name,
            end,
            lines: Cursor::default(),
        })
    }

    /// Stops after so many records, whatever is appended meanwhile.
    pub(crate) fn until(mut self, end: Position) -> Self {
        self.end = self.end.min(end);
        self
    }

    /// The file, safe to print.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    /// The context, where no record declares it.
    pub(crate) fn context(&self) -> Option<Context> {
        (self.name == Context::UNVERIFIED).then(Context::unverified)
    }
}

impl Read for Stored {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        const PIECE: usize = 256;
        let read = self.lines.read(buffer)?;
        if read > 0 || buffer.is_empty() {
            return Ok(read);
        }
        let next = self.read.head().position;
        let left = self.end.as_u64().saturating_sub(next.as_u64());
        let wanted = usize::try_from(left).map_or(PIECE, |left| left.min(PIECE));
        let records = self.log.read(next, wanted).map_err(io::Error::other)?;
        let mut lines = std::mem::take(&mut self.lines).into_inner();
        lines.clear();
        for record in records {
            let store = self.log.store();
            self.read.check(store, &record).map_err(io::Error::other)?;
            // Other programs may have kept the newline of the line.
            lines.extend_from_slice(record.bytes.strip_suffix(b"\n").unwrap_or(&record.bytes));
            lines.push(b'\n');
        }
        self.lines = Cursor::new(lines);
        self.lines.read(buffer)
    }
}

/// The logs of a store that hold anything, by name. A run that failed may have left an empty one.
fn logs(path: &Path) -> Result<Vec<String>, Failure> {
    let logs = SqliteLog::logs(path)?;
    let filled = logs
        .into_iter()
        .filter(|(_, head)| head.position > Position::START);
    Ok(filled.map(|(name, _)| name).collect())
}

/// The name of the only log of a store.
fn only_log(path: &Path) -> Result<String, Failure> {
    let file = shown(&path.to_string_lossy());
    match logs(path)?.as_slice() {
        [name] => Ok(name.clone()),
        [] => Err(Failure::usage(
            format!("{file} holds no log"),
            "append something with `tern run --log` first",
        )),
        names => Err(Failure::usage(
            format!("{file} holds several logs"),
            format!("choose one with --name: {}", list(names)),
        )),
    }
}

/// The failure where a store has no log of that name.
pub(crate) fn no_log(wanted: &str, logs: &[String]) -> Failure {
    Failure::usage(
        format!("there is no log `{}`", shown(wanted)),
        match logs {
            [] => "give a log document, or --context, to begin one".to_string(),
            logs => format!("the logs are: {}", list(logs)),
        },
    )
}

fn list(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| shown(name)).collect();
    names.join(", ")
}

/// The context of the log that new records are to go to, if it exists: the declared one's, the
/// named one, or the only one.
pub(crate) fn context_of(
    path: &Path,
    name: Option<&str>,
    declared: Option<&Context>,
) -> Result<Option<Context>, Failure> {
    if path == Path::new("-") {
        return Err(Failure::usage(
            "a durable log is a file",
            "name the database after --log; `-` is standard input",
        ));
    }
    if let (Some(name), Some(declared)) = (name, declared)
        && name != declared.id()
    {
        return Err(Failure::usage(
            format!("the input is of context `{}`", shown(declared.id())),
            format!("it cannot go to the log `{}`", shown(name)),
        ));
    }
    let logs = if path.exists() {
        // A run that was killed may have left the file half made.
        SqliteLog::recover(path)?;
        logs(path)?
    } else {
        Vec::new()
    };
    let name = match (declared.map(Context::id).or(name), logs.as_slice()) {
        (Some(wanted), logs) if logs.iter().any(|name| name == wanted) => wanted,
        // A context that the input declares, or the unverified one, begins a log of its own.
        (None, []) | (Some(Context::UNVERIFIED), _) => return Ok(None),
        (Some(_), _) if declared.is_some() => return Ok(None),
        (Some(wanted), logs) => return Err(no_log(wanted, logs)),
        (None, [only]) => only,
        (None, _) => return only_log(path).map(|_| None),
    };
    let log = SqliteLog::open_read_only(path, name)?;
    first_context(&log, name)
}

/// The context that a log stands under; none while it is empty.
fn first_context(log: &SqliteLog, name: &str) -> Result<Option<Context>, Failure> {
    if name == Context::UNVERIFIED {
        return Ok(Some(Context::unverified()));
    }
    let first = log.read(Position::START, 1)?;
    match first.first().map(|record| Record::read(&record.bytes)) {
        Some(Ok(Record::Context(context))) => Ok(Some(context)),
        None => Ok(None),
        Some(_) => Err(Failure::usage(
            format!("log `{}` does not begin with its context", shown(name)),
            "this program did not write it",
        )),
    }
}

/// What came of an append.
pub(crate) struct Appended {
    /// The position of the first record that was appended, the context aside.
    pub(crate) first: Position,
    /// The position after the last.
    pub(crate) end: Position,
}

/// Appends record lines durably, the context first where the log is new. Nothing may be reported
/// before this returns (T1.30).
pub(crate) fn append(
    path: &Path,
    context: &Context,
    lines: &[Vec<u8>],
) -> Result<Appended, Failure> {
    let mut log = SqliteLog::open(path, context.id())?;
    let opening = Record::Context(context.clone()).to_line();
    let lines: Vec<&[u8]> = lines.iter().map(Vec::as_slice).collect();
    loop {
        // The head first: if somebody begins the log after this, the append conflicts.
        let head = log.head()?.position;
        // Whoever began the log meanwhile may have bound the names otherwise.
        let begun = first_context(&log, context.id())?;
        if let Some(begun) = &begun
            && begun != context
        {
            return Err(Failure::usage(
                format!(
                    "log `{}` binds its participants otherwise than the input",
                    shown(context.id())
                ),
                "a context never changes: give the input another context id (document_second_context)",
            ));
        }
        let is_new = head == Position::START && context.is_verified();
        let mut batch: Vec<&[u8]> = Vec::with_capacity(lines.len() + 1);
        if is_new {
            batch.push(opening.trim_end().as_bytes());
        }
        batch.extend(&lines);
        match log.append(Expected::At(head), &batch) {
            Ok(end) => {
                return Ok(Appended {
                    first: head.after(u64::from(is_new)),
                    end: end.position,
                });
            }
            // Somebody else appended between: look again.
            Err(tern_store::Error::Conflict { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
