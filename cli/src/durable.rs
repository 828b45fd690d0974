//! The durable log of `tern run --log`: log-document lines in a store (T1.30, T4.15).
//!
//! A store holds many logs, each named by the id of its context. A log begins with its `context`
//! record, but for that of the unverified context, which no record can declare.

use std::io::{self, Cursor, Read};
use std::path::Path;

use tern_core::Context;
use tern_core::log::Record;
use tern_store::{Expected, Log, Position, SqliteLog};

use crate::failure::Failure;
use crate::text::shown;

/// Whether a file that begins so is a store.
pub(crate) fn is_store(start: &[u8]) -> bool {
    start.starts_with(b"SQLite format 3\0")
}

/// A durable log, read as the lines of a log document.
pub(crate) struct Stored {
    log: SqliteLog,
    name: String,
    next: Position,
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
        let log = SqliteLog::open_read_only(path, &name)?;
        let end = log.head()?.position;
        if end == Position::START && name != Context::UNVERIFIED {
            return Err(Failure::usage(
                format!("log `{}` is empty", shown(&name)),
                "append something with `tern run --log` first",
            ));
        }
        Ok(Self {
            log,
            name,
            next: Position::START,
            end,
            lines: Cursor::default(),
        })
    }

    /// Stops after so many records, whatever is appended meanwhile.
    pub(crate) fn until(mut self, end: Position) -> Self {
        self.end = self.end.min(end);
        self
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
        let left = self.end.as_u64().saturating_sub(self.next.as_u64());
        let wanted = usize::try_from(left).map_or(PIECE, |left| left.min(PIECE));
        let records = self.log.read(self.next, wanted).map_err(io::Error::other)?;
        let mut lines = std::mem::take(&mut self.lines).into_inner();
        lines.clear();
        for record in records {
            self.next = record.position.after(1);
            lines.extend_from_slice(&record.bytes);
            lines.push(b'\n');
        }
        self.lines = Cursor::new(lines);
        self.lines.read(buffer)
    }
}

/// The name of the only log of a store.
fn only_log(path: &Path) -> Result<String, Failure> {
    let mut logs = SqliteLog::logs(path)?;
    match (logs.pop(), logs.is_empty()) {
        (Some((name, _)), true) => Ok(name),
        (None, _) => Err(Failure::usage(
            format!("{} holds no log", shown(&path.to_string_lossy())),
            "append something with `tern run --log` first",
        )),
        (Some((last, _)), false) => {
            let names: Vec<String> = logs.iter().map(|(name, _)| shown(name)).collect();
            Err(Failure::usage(
                format!("{} holds several logs", shown(&path.to_string_lossy())),
                format!(
                    "choose one with --name: {}, {}",
                    names.join(", "),
                    shown(&last)
                ),
            ))
        }
    }
}

/// The context of the log that new records are to go to, if it exists: the declared one's, the
/// named one, or the only one.
pub(crate) fn context_of(
    path: &Path,
    name: Option<&str>,
    declared: Option<&Context>,
) -> Result<Option<Context>, Failure> {
    if let (Some(name), Some(declared)) = (name, declared)
        && name != declared.id()
    {
        return Err(Failure::usage(
            format!("the input is of context `{}`", shown(declared.id())),
            format!("it cannot go to the log `{}`", shown(name)),
        ));
    }
    if !path.exists() {
        return Ok(None);
    }
    // A run that was killed may have left the file half made.
    SqliteLog::recover(path)?;
    let logs = SqliteLog::logs(path)?;
    let wanted = declared.map(Context::id).or(name);
    let name = match (wanted, logs.as_slice()) {
        (Some(wanted), logs) => logs
            .iter()
            .find(|(name, _)| name == wanted)
            .map(|(name, _)| name),
        (None, []) => None,
        (None, [(only, _)]) => Some(only),
        (None, _) => return only_log(path).map(|_| None),
    };
    let Some(name) = name else {
        return Ok(None);
    };
    if name == Context::UNVERIFIED {
        return Ok(Some(Context::unverified()));
    }
    let log = SqliteLog::open_read_only(path, name)?;
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

/// Appends record lines durably, the context first where the log is new. Gives the positions of
/// the first and after the last of them: nothing may be reported before this returns.
pub(crate) fn append(
    path: &Path,
    context: &Context,
    lines: &[Vec<u8>],
) -> Result<(Position, Position), Failure> {
    let mut log = SqliteLog::open(path, context.id())?;
    let opening = Record::Context(context.clone()).to_line();
    let lines: Vec<&[u8]> = lines.iter().map(Vec::as_slice).collect();
    loop {
        let head = log.head()?.position;
        let is_new = head == Position::START && context.is_verified();
        let mut batch: Vec<&[u8]> = Vec::with_capacity(lines.len() + 1);
        if is_new {
            batch.push(opening.trim_end().as_bytes());
        }
        batch.extend(&lines);
        match log.append(Expected::At(head), &batch) {
            Ok(end) => {
                let first = head.after(u64::from(is_new));
                return Ok((first, end.position));
            }
            // Somebody else appended meanwhile: what we append does not depend on it.
            Err(tern_store::Error::Conflict { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
