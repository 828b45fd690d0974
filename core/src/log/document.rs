//! A log document or a file of bare messages, line by line (S8.01, S8.10).

use alloc::string::{String, ToString};
use core::fmt;

use super::record::{KEYS, RecordError};
use super::{Delivery, Event, Record};
use crate::DocumentCode;
use crate::context::Context;
use crate::wire::{Json, JsonOptions, Kind};

/// How a file is to be read: its first line decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// A log document: records, of which a broken one breaks the whole.
    Document,
    /// Messages without records. Senders are taken at their word.
    Bare,
}

/// Why a log document is refused as a whole: nothing of it is applied.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentError {
    /// The line, counted from 1.
    pub line: u64,
    /// What is wrong with it.
    pub error: RecordError,
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.error.message)
    }
}

impl core::error::Error for DocumentError {}

/// What one line of the input is: a record has a context or an event (S8.01), and nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// The context that opens the document, or the same one again.
    Context(Context),
    /// The next event.
    Event(Event<'a>),
}

/// Reads an input line by line. It holds no lines: feed it each without its newline.
#[derive(Clone, Debug)]
pub struct Reader {
    input: Input,
    line: u64,
    context: Option<Context>,
}

/// Whether the first line of a file makes it a log document: by the JSON grammar an object with a
/// record's key.
#[must_use]
pub fn begins_document(first_line: &[u8]) -> bool {
    Json::read(first_line, JsonOptions::GRAMMAR).is_ok_and(|json| {
        json.root().kind() == Kind::Object
            && json.root().entries().any(|(key, _, _)| KEYS.contains(&key))
    })
}

/// Whether bytes are, by the JSON grammar, one object, with white space around it or not. A bare
/// file of which this holds is one delivery, over however many lines.
#[must_use]
pub fn is_one_object(bytes: &[u8]) -> bool {
    Json::read(bytes, JsonOptions::GRAMMAR).is_ok_and(|json| json.root().kind() == Kind::Object)
}

impl Reader {
    /// A reader for input of that kind.
    #[must_use]
    pub fn new(input: Input) -> Self {
        let context = match input {
            Input::Document => None,
            Input::Bare => Some(Context::unverified()),
        };
        Self {
            input,
            line: 0,
            context,
        }
    }

    /// A reader that goes on in a log whose context is known.
    #[must_use]
    pub fn resume(input: Input, context: Context) -> Self {
        Self {
            input,
            line: 0,
            context: Some(context),
        }
    }

    /// The kind of input.
    #[must_use]
    pub fn input(&self) -> Input {
        self.input
    }

    /// The context, once it is known.
    #[must_use]
    pub fn context(&self) -> Option<&Context> {
        self.context.as_ref()
    }

    /// The number of the line read last, counted from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Reads the next line.
    ///
    /// # Errors
    /// In a document, whatever makes the line no record in its place. A bare line is always a
    /// delivery.
    pub fn read<'a>(&mut self, line: &'a [u8]) -> Result<Line<'a>, DocumentError> {
        if self.input == Input::Bare {
            self.line += 1;
            return Ok(Line::Event(Event::Deliver(Delivery::new(line, None))));
        }
        self.place(line, Record::read(line))
    }

    /// Takes the next line of a document, which was read by itself: what a record says hangs on nothing but its line, so that
    /// several threads may read lines, and one puts them in their place.
    ///
    /// # Errors
    /// As [`Reader::read`].
    pub fn place<'a>(
        &mut self,
        line: &'a [u8],
        record: Result<Record<'a>, RecordError>,
    ) -> Result<Line<'a>, DocumentError> {
        self.line += 1;
        let record = record.map_err(|error| self.fail(error))?;
        match (record, &self.context) {
            (Record::Event(_), None) => Err(self.fail(whole(
                DocumentCode::BeforeContext,
                line,
                "a record stands before the context".to_string(),
            ))),
            (Record::Event(event), Some(_)) => Ok(Line::Event(event)),
            (Record::Context(context), None) => {
                self.context = Some(context.clone());
                Ok(Line::Context(context))
            }
            (Record::Context(context), Some(first)) if context == *first => {
                Ok(Line::Context(context))
            }
            (Record::Context(context), Some(first)) => {
                let sentence = alloc::format!(
                    "the context is `{}` already, as the log binds it; this one is `{}` and differs",
                    first.id(),
                    context.id()
                );
                Err(self.fail(whole(DocumentCode::SecondContext, line, sentence)))
            }
        }
    }

    fn fail(&self, error: RecordError) -> DocumentError {
        DocumentError {
            line: self.line,
            error,
        }
    }
}

fn whole(code: DocumentCode, line: &[u8], message: String) -> RecordError {
    RecordError {
        code,
        pointer: String::new(),
        span: 0..line.len(),
        message,
    }
}
