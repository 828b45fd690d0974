//! Where messages come from: a file, standard input, or the durable log of an earlier run.

mod beginning;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, IsTerminal as _, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use tern_core::log::{self, Delivery, Input, Line, Reader, Record, RecordError};
use tern_core::{Context, Event, Finding, HashKey, Limits, Outcome, State};

use self::beginning::Beginning;
use crate::durable::{self, Stored};
use crate::failure::Failure;
use crate::text::shown;

/// What a command reads.
#[derive(Clone, Debug, Args)]
pub(crate) struct Source {
    /// A log document, a file of bare messages, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) channel: Channel,
}

/// How bare messages came in.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Channel {
    /// A file whose first record is the `context` to read under, so that senders are verified
    #[arg(long, value_name = "FILE")]
    pub(crate) context: Option<PathBuf>,

    /// The principal that the channel of bare messages authenticated
    #[arg(long, value_name = "PRINCIPAL", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) principal: Option<String>,

    /// Which log of a database that holds several
    #[arg(long, value_name = "CONTEXT")]
    pub(crate) name: Option<String>,
}

/// Where a delivery stands in its input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    /// The line in which it begins, counted from 1.
    pub(crate) line: u64,
    /// Whether it is wrapped in a record: then its own lines are not those of the file.
    is_record: bool,
}

impl Origin {
    /// A message that stands for itself.
    pub(crate) fn bare(line: u64) -> Self {
        Self {
            line,
            is_record: false,
        }
    }

    /// The line of the file in which a finding stands.
    pub(crate) fn line_of(self, finding: &Finding) -> u64 {
        if self.is_record {
            self.line
        } else {
            self.line + u64::from(finding.line) - 1
        }
    }
}

/// What an input says before its events.
pub(crate) struct Declared<'d> {
    /// The context that it stands under, if it is known.
    pub(crate) context: Option<&'d Context>,
    /// The record in which it says so itself.
    pub(crate) record: Option<&'d [u8]>,
}

/// One event of an input.
pub(crate) struct Item<'i> {
    /// The context that it stands under.
    pub(crate) context: &'i Context,
    /// Where it stands.
    pub(crate) origin: Origin,
    /// The line itself, where it is a record of a log document.
    pub(crate) record: Option<&'i [u8]>,
    /// The event.
    pub(crate) event: Event<'i>,
}

impl Source {
    /// Hands over each event of the input, in order. Gives the context.
    pub(crate) fn each(
        &self,
        each: impl FnMut(Item<'_>) -> Result<(), Failure>,
    ) -> Result<Context, Failure> {
        self.channel.read(&self.file, each)
    }

    /// The same, each event with what `work` makes of it. The work is done by several threads where the input is long.
    pub(crate) fn each_with<T: Send>(
        &self,
        work: impl Fn(&Event<'_>) -> T + Sync,
        each: impl FnMut(Item<'_>, T) -> Result<(), Failure>,
    ) -> Result<Context, Failure> {
        self.channel.read_with(&self.file, work, each)
    }

    /// Applies everything to a state; `each` sees every delivery with its outcome.
    pub(crate) fn reduce(
        &self,
        mut each: impl FnMut(u64, &Event<'_>, Outcome),
    ) -> Result<State, Failure> {
        let mut state: Option<State> = None;
        let context = self.each(|item| {
            let state = state.get_or_insert_with(|| new_state(item.context));
            if let Some(outcome) = state.apply(&item.event) {
                each(item.origin.line, &item.event, outcome);
            }
            Ok(())
        })?;
        Ok(state.unwrap_or_else(|| new_state(&context)))
    }
}

impl Channel {
    /// Hands over each event of a file.
    pub(crate) fn read(
        &self,
        file: &Path,
        mut each: impl FnMut(Item<'_>) -> Result<(), Failure>,
    ) -> Result<Context, Failure> {
        self.read_with(file, |_| (), |item, ()| each(item))
    }

    fn read_with<T: Send>(
        &self,
        file: &Path,
        work: impl Fn(&Event<'_>) -> T + Sync,
        each: impl FnMut(Item<'_>, T) -> Result<(), Failure>,
    ) -> Result<Context, Failure> {
        let given = self.given()?;
        let lines = Lines::open(file, self.name.as_deref())?;
        if self.name.is_some() && !lines.is_stored {
            return Err(Failure::usage(
                format!("{} is no database, and holds no log by name", lines.name),
                "leave out --name, or name the database that `tern run --log` made",
            ));
        }
        lines.each(given, self.principal.as_deref(), |_| Ok(None), work, each)
    }

    /// The same for a file that is to be appended to a durable log, which the name is that of.
    /// `resume` is asked, with what the input declares, for the context of the log.
    pub(crate) fn read_to_append(
        &self,
        file: &Path,
        resume: impl FnOnce(Declared<'_>) -> Result<Option<Context>, Failure>,
        mut each: impl FnMut(Item<'_>) -> Result<(), Failure>,
    ) -> Result<Context, Failure> {
        let given = self.given()?;
        let lines = Lines::open(file, self.name.as_deref())?;
        let each = |item: Item<'_>, ()| each(item);
        lines.each(given, self.principal.as_deref(), resume, |_| (), each)
    }

    fn given(&self) -> Result<Option<Context>, Failure> {
        self.context.as_deref().map(read_context).transpose()
    }
}

/// Hands over each event of a durable log. The line of the first record is 1.
pub(crate) fn each_stored(
    log: Stored,
    mut each: impl FnMut(Item<'_>) -> Result<(), Failure>,
) -> Result<Context, Failure> {
    let context = log.context();
    let each = |item: Item<'_>, ()| each(item);
    Lines::stored(log).each(None, None, |_| Ok(context), |_| (), each)
}

/// A state for this process.
pub(crate) fn new_state(context: &Context) -> State {
    State::with_hash_key(context.clone(), Limits::default(), hash_key())
}

/// A secret for the hash tables of a state, since senders choose the ids.
pub(crate) fn hash_key() -> HashKey {
    use std::hash::{BuildHasher as _, RandomState};
    let secret = RandomState::new();
    HashKey(secret.hash_one(0_u8), secret.hash_one(1_u8))
}

/// Says, where it is so, that nobody verified who the senders are.
pub(crate) fn warn_unverified(context: &Context, json: bool) {
    if context.is_verified() {
        return;
    }
    let sentence = "senders were not verified: each message is taken at its word";
    if json {
        let beside = serde_json::json!({"senders_verified": false, "note": sentence});
        anstream::eprintln!("{beside}");
    } else {
        anstream::eprintln!("note: {sentence}");
    }
}

/// The context in the first record of a file.
pub(crate) fn read_context(path: &Path) -> Result<Context, Failure> {
    let mut lines = Lines::open(path, None)?;
    let mut batch = Batch::default();
    lines.next(&mut batch)?;
    if let Some(line) = batch.lines().first()
        && let Ok(Record::Context(context)) = Record::read(line)
    {
        return Ok(context);
    }
    Err(Failure::usage(
        format!("{}: its first line is no `context` record", lines.name),
        r#"write {"context":{"id":"…","participants":{"name":"principal"}}}"#,
    ))
}

/// An input, line by line. The memory it takes is that of its longest line, but for a bare input
/// that may be one object: it is held until it ends or can no longer be one (R-05).
struct Lines {
    name: String,
    reader: Box<dyn BufRead>,
    /// How many bytes of lines are taken at once.
    at_once: usize,
    progress: ProgressBar,
    /// Whether it is a durable log.
    is_stored: bool,
    /// The context of a durable log that has no record for it: the unverified one.
    stored: Option<Context>,
}

impl Lines {
    fn open(path: &Path, log: Option<&str>) -> Result<Self, Failure> {
        if durable::is_address(path) {
            return Stored::open(&*durable::store(path)?, log).map(Self::stored);
        }
        let (name, size, at_once, reader): (_, _, _, Box<dyn BufRead>) = if path == Path::new("-") {
            (
                "standard input".to_string(),
                None,
                // What comes later must not hold up what is there.
                1,
                Box::new(io::stdin().lock()),
            )
        } else {
            let name = shown(&path.to_string_lossy());
            let file = File::open(path).map_err(|error| Failure::io(&name, error))?;
            let size = file.metadata().map_or(0, |data| data.len());
            let mut reader = BufReader::with_capacity(1 << 16, file);
            let start = reader
                .fill_buf()
                .map_err(|error| Failure::io(&name, error))?;
            if durable::is_store(start) {
                // Closed before SQLite opens it: closing a second descriptor drops SQLite's locks.
                drop(reader);
                return Stored::open(&*durable::store(path)?, log).map(Self::stored);
            }
            let at_once = if size > 0 { AT_ONCE } else { 1 };
            (name, Some(size), at_once, Box::new(reader))
        };
        Ok(Self {
            name,
            reader,
            at_once,
            progress: progress(size),
            is_stored: false,
            stored: None,
        })
    }

    /// The lines of a durable log.
    fn stored(log: Stored) -> Self {
        let context = log.context();
        Self {
            name: log.place().to_owned(),
            reader: Box::new(BufReader::with_capacity(1 << 16, log)),
            at_once: AT_ONCE,
            progress: progress(None),
            is_stored: true,
            stored: context,
        }
    }

    /// Adds the next lines, each without its newline, and says whether there were any. What came before a failure is
    /// there all the same.
    fn next(&mut self, batch: &mut Batch) -> Result<bool, Failure> {
        while batch.bytes.len() + batch.ends.len() < self.at_once {
            let read = read_line(&mut self.reader, &mut batch.bytes);
            let read = read.map_err(|error| Failure::io(&self.name, error))?;
            if read == 0 {
                break;
            }
            self.progress.inc(read as u64);
            batch.bytes.pop_if(|last| *last == b'\n');
            batch.end_line();
        }
        Ok(!batch.ends.is_empty())
    }

    /// Puts bytes back in front of what is still to be read.
    fn put_back(&mut self, bytes: Vec<u8>) {
        let rest = std::mem::replace(&mut self.reader, Box::new(io::empty()));
        self.reader = Box::new(Cursor::new(bytes).chain(rest));
    }

    /// Reads everything as a document, as one message over several lines or as a message a line.
    fn each<T: Send>(
        mut self,
        given: Option<Context>,
        principal: Option<&str>,
        resume: impl FnOnce(Declared<'_>) -> Result<Option<Context>, Failure>,
        work: impl Fn(&Event<'_>) -> T + Sync,
        mut each: impl FnMut(Item<'_>, T) -> Result<(), Failure>,
    ) -> Result<Context, Failure> {
        let mut first = Vec::new();
        read_line(&mut self.reader, &mut first).map_err(|error| Failure::io(&self.name, error))?;
        let input = if log::begins_document(&first) {
            Input::Document
        } else {
            Input::Bare
        };
        // What the input itself stands under: the context that it declares, or that of a stored log
        // which no record can declare.
        let (own, record) = match Record::read(&first) {
            Ok(Record::Context(context)) if input == Input::Document => (
                Some(context),
                Some(first.strip_suffix(b"\n").unwrap_or(&first)),
            ),
            _ => (self.stored.take(), None),
        };
        let resumed = resume(Declared {
            context: own.as_ref().or(given.as_ref()),
            record,
        })?;
        let stands = resumed.as_ref().or(own.as_ref());
        if let (Some(given), Some(stands)) = (&given, stands)
            && given != stands
        {
            return Err(Failure::usage(
                format!(
                    "{} stands under the context `{}`, and --context gives another one",
                    self.name,
                    shown(stands.id())
                ),
                "a context never changes (S8.06): leave --context away, or begin another log",
            ));
        }
        self.put_back(first);
        let unverified = own.filter(|own| !own.is_verified());
        let mut reader = match resumed.or(given).or(unverified) {
            Some(context) => Reader::resume(input, context),
            None => Reader::new(input),
        };
        if input == Input::Bare
            && let Some(message) = self.whole_message()?
        {
            self.take(
                &Batch::of(message),
                &mut reader,
                principal,
                &work,
                &mut each,
            )?;
        }
        let mut batch = Batch::default();
        loop {
            batch.clear();
            let more = self.next(&mut batch);
            self.take(&batch, &mut reader, principal, &work, &mut each)?;
            if !more? {
                break;
            }
        }
        self.progress.finish_and_clear();
        reader.context().cloned().ok_or_else(|| {
            Failure::usage(
                format!("{}: the document has no context", self.name),
                "begin it with a `context` record",
            )
        })
    }

    /// Reads the lines of a batch, by as many threads as there are processors where they are many, and hands over their events
    /// in order.
    fn take<T: Send>(
        &self,
        batch: &Batch,
        reader: &mut Reader,
        principal: Option<&str>,
        work: &(impl Fn(&Event<'_>) -> T + Sync),
        each: &mut impl FnMut(Item<'_>, T) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let lines = batch.lines();
        let input = reader.input();
        let read: Vec<_> = match lines.as_slice() {
            few @ ([] | [_]) => few
                .iter()
                .map(|line| read_alone(input, line, work))
                .collect(),
            many => many
                .par_iter()
                .map(|line| read_alone(input, line, work))
                .collect(),
        };
        for (line, (record, made)) in lines.into_iter().zip(read) {
            let placed = match record {
                Some(record) => reader.place(line, record),
                None => reader.read(line),
            };
            let placed = placed.map_err(|error| {
                self.progress.finish_and_clear();
                Failure::Document {
                    name: self.name.clone(),
                    line: line.to_vec(),
                    error: Box::new(error),
                }
            })?;
            let (Line::Event(mut event), Some(made), Some(context)) =
                (placed, made, reader.context())
            else {
                continue;
            };
            let record = (input == Input::Document).then_some(line);
            if let (Event::Deliver(delivery), Some(principal)) = (&mut event, principal)
                && record.is_none()
            {
                delivery.principal = Some(principal.into());
            }
            let item = Item {
                context,
                origin: Origin {
                    line: reader.line(),
                    is_record: record.is_some(),
                },
                record,
                event,
            };
            each(item, made)?;
        }
        Ok(())
    }

    /// The whole of a bare input, if it is one object, over several lines or among blank ones
    /// (R-05). Reads on only while what it holds can be the beginning of one.
    fn whole_message(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        let mut beginning = Beginning::new();
        let mut seen = Vec::new();
        let is_over = loop {
            let piece = match self.reader.fill_buf() {
                Ok(piece) => piece,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(Failure::io(&self.name, error)),
            };
            let goes_on = beginning.goes_on(piece);
            let read = piece.len();
            if seen.len() as u64 + read as u64 > LONGEST {
                let error = io::Error::other("one message over several lines is longer than 1 GiB");
                return Err(Failure::io(&self.name, error));
            }
            seen.extend_from_slice(piece);
            self.reader.consume(read);
            if read == 0 || !goes_on {
                break read == 0;
            }
        };
        if is_over && log::is_one_object(&seen) {
            seen.pop_if(|last| *last == b'\n');
            return Ok(Some(seen));
        }
        self.put_back(seen);
        Ok(None)
    }
}

/// What a line says by itself, where it is a record, and what is made of its event.
fn read_alone<'l, T>(
    input: Input,
    line: &'l [u8],
    work: &impl Fn(&Event<'_>) -> T,
) -> (Option<Result<Record<'l>, RecordError>>, Option<T>) {
    if input == Input::Bare {
        return (None, Some(work(&Event::Deliver(Delivery::new(line, None)))));
    }
    let record = Record::read(line);
    let made = match &record {
        Ok(Record::Event(event)) => Some(work(event)),
        Ok(Record::Context(_)) | Err(_) => None,
    };
    (Some(record), made)
}

/// Lines that are read together, without their newlines.
#[derive(Default)]
struct Batch {
    bytes: Vec<u8>,
    /// Where each of them ends.
    ends: Vec<usize>,
}

impl Batch {
    /// One line.
    fn of(line: Vec<u8>) -> Self {
        let ends = vec![line.len()];
        Self { bytes: line, ends }
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    fn end_line(&mut self) {
        self.ends.push(self.bytes.len());
    }

    fn lines(&self) -> Vec<&[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let lines = starts.zip(&self.ends);
        lines
            .map(|(start, end)| self.bytes.get(start..*end).unwrap_or_default())
            .collect()
    }
}

/// So many bytes of a file are read before its lines are shared out.
const AT_ONCE: usize = 1 << 20;

/// More than this is not held in memory, of a line or of a message over several.
const LONGEST: u64 = 1 << 30;

/// Reads to the end of a line. A line may be much longer than a message may be, but an input that
/// never ends is an error and not the end of memory.
fn read_line(reader: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    let read = reader.take(LONGEST).read_until(b'\n', line)?;
    if read as u64 == LONGEST {
        return Err(io::Error::other("a line is longer than 1 GiB"));
    }
    Ok(read)
}

/// A bar on a terminal, for input that is long enough to wait for.
fn progress(size: Option<u64>) -> ProgressBar {
    const LONG: u64 = 16 << 20;
    let Some(size) = size.filter(|&size| size >= LONG && io::stderr().is_terminal()) else {
        return ProgressBar::hidden();
    };
    let bar = ProgressBar::new(size);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes} {eta}") {
        bar.set_style(style);
    }
    bar
}

#[cfg(test)]
mod tests;
