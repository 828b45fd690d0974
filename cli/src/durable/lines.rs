//! A durable log, read as the lines of a log document.

use std::io::{self, Cursor, Read};

use tern_core::Context;
use tern_store::{Head, Log, Position, Records, Store};

use super::{names, no_log, only_log};
use crate::failure::Failure;
use crate::text::shown;

/// A durable log, read as the lines of a log document. What is read is what was appended.
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
    failed: Option<tern_store::Error>,
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

    /// Stops after so many records, whatever is appended meanwhile.
    pub(crate) fn until(mut self, end: Position) -> Self {
        self.end = self.end.min(end);
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

impl Read for Stored {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(error) = self.failed.take() {
            return Err(io::Error::other(error));
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
            let record = match self.records.next() {
                None => break,
                Some(Err(error)) if read == 0 => return Err(io::Error::other(error)),
                Some(Err(error)) => {
                    self.failed = Some(error);
                    break;
                }
                Some(Ok(record)) => record,
            };
            self.next = record.position.after(1);
            let mut line = record.bytes;
            // Other programs may have kept the newline of the line.
            if line.last() != Some(&b'\n') {
                line.push(b'\n');
            }
            self.line = Cursor::new(line);
        }
        Ok(read)
    }
}
