//! A durable log, read as the lines of a log document.

use std::io::{self, Cursor, Read};

use tern_core::Context;
use tern_store::{Head, Log, Position, Records, Store};

use super::{line_of, names, no_log, only_log};
use crate::failure::Failure;
use crate::text::shown;

/// A durable log, read as the lines of a log document. What is read is what was appended; where it goes on after a snapshot,
/// what stands before that is not read.
pub(crate) struct Stored {
    records: Records<'static>,
    /// Where it is kept, safe to print.
    place: String,
    next: Position,
    end: Position,
    /// The context, where what is read begins after its record.
    given: Option<Context>,
    line: Cursor<Vec<u8>>,
    /// What comes after what was read.
    failed: Option<io::Error>,
}

impl Stored {
    /// Opens the named log, or the only one.
    pub(crate) fn open(store: &dyn Store, name: Option<&str>) -> Result<Self, Failure> {
        let name = match name {
            Some(name) => name.to_string(),
            None => only_log(store)?,
        };
        let log = match store.open_read_only(&name) {
            Err(tern_store::Error::NoSuchLog { .. }) => {
                return Err(no_log(&name, &names(store)?));
            }
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
            records: Records::owning(log, Position::START),
            place: shown(store.address()),
            next: Position::START,
            end,
            given: None,
            line: Cursor::default(),
            failed: None,
        })
    }

    /// Goes on after a head, up to which the state of `context` is known.
    pub(crate) fn after(self, head: Head, context: Context) -> Self {
        Self {
            records: self.records.restarted(head),
            next: head.position,
            given: Some(context),
            ..self
        }
    }

    /// Up to where it is read.
    pub(crate) fn end(&self) -> Position {
        self.end
    }

    /// The log itself.
    pub(crate) fn log(&self) -> &dyn Log {
        self.records.log()
    }

    /// Stops after so many records, whatever is appended meanwhile. They have to be there.
    pub(crate) fn until(mut self, end: Position) -> Self {
        self.end = end;
        self
    }

    /// Where it is kept, safe to print.
    pub(crate) fn place(&self) -> &str {
        &self.place
    }

    /// The context, where no record of what is read declares it.
    pub(crate) fn context(&self) -> Option<Context> {
        let is_unverified = self.log().name() == Context::UNVERIFIED;
        let given = self.given.clone();
        given.or_else(|| is_unverified.then(Context::unverified))
    }
}

impl Stored {
    /// The next record as a line with its newline. That a log ends before it was said to end is no end.
    fn next_line(&mut self) -> io::Result<Vec<u8>> {
        let record = match self.records.next() {
            Some(record) => record.map_err(io::Error::other)?,
            None => {
                return Err(io::Error::other(tern_store::Error::Corrupt {
                    store: self.place.clone(),
                    why: format!(
                        "its records end at position {}, and it had {} a moment before",
                        self.next, self.end
                    ),
                }));
            }
        };
        let Some(line) = line_of(&record.bytes) else {
            let (store, log) = (&self.place, shown(self.log().name()));
            return Err(io::Error::other(format!(
                "the record at position {} of log `{log}` in {store} is no line of a log document",
                record.position
            )));
        };
        self.next = record.position.after(1);
        Ok([line, b"\n"].concat())
    }
}

impl Read for Stored {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let mut read = 0;
        while read < buffer.len() {
            let rest = buffer.get_mut(read..).unwrap_or_default();
            let more = self.line.read(rest)?;
            read += more;
            if more > 0 {
                continue;
            }
            if self.next >= self.end {
                break;
            }
            match self.next_line() {
                Ok(line) => self.line = Cursor::new(line),
                Err(error) if read == 0 => return Err(error),
                Err(error) => {
                    self.failed = Some(error);
                    break;
                }
            }
        }
        Ok(read)
    }
}
