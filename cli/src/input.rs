//! Where messages come from: a file, standard input, or the durable log of an earlier run.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, IsTerminal as _, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use tern_core::log::{self, Input, Line, Reader, Record};
use tern_core::{Context, Event, HashKey, Limits, Log, Outcome, State};

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
    #[arg(long, value_name = "PRINCIPAL")]
    pub(crate) principal: Option<String>,
}

/// One event of an input.
pub(crate) struct Item<'i> {
    /// The context that it stands under.
    pub(crate) context: &'i Context,
    /// Its line, counted from 1.
    pub(crate) line: u64,
    /// The event.
    pub(crate) event: Event<'i>,
}

impl Source {
    /// Hands over each event of the input, in order. Gives the context.
    pub(crate) fn each(
        &self,
        each: impl FnMut(Item<'_>) -> Result<(), Failure>,
    ) -> Result<Context, Failure> {
        let context = self.channel.context.as_deref().map(read_context).transpose()?;
        let lines = Lines::open(&self.file)?;
        lines.each(context, self.channel.principal.as_deref(), each)
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
                each(item.line, &item.event, outcome);
            }
            Ok(())
        })?;
        Ok(state.unwrap_or_else(|| new_state(&context)))
    }

    /// Keeps everything, for commands that look back at messages.
    pub(crate) fn load(&self) -> Result<Log, Failure> {
        let mut events: Vec<Event<'static>> = Vec::new();
        let context = self.each(|item| {
            events.push(item.event.into_owned());
            Ok(())
        })?;
        let mut log = Log::new(context);
        events.into_iter().for_each(|event| log.push(event));
        Ok(log)
    }
}

/// A state for this process: its hash tables are keyed by a secret, since senders choose the ids.
pub(crate) fn new_state(context: &Context) -> State {
    use std::hash::{BuildHasher as _, RandomState};
    let secret = RandomState::new();
    let key = HashKey(secret.hash_one(0_u8), secret.hash_one(1_u8));
    State::with_hash_key(context.clone(), Limits::default(), key)
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
    let mut lines = Lines::open(path)?;
    if let Some(line) = lines.next()? {
        if let Ok(Record::Context(context)) = Record::read(line) {
            return Ok(context);
        }
    }
    Err(Failure::usage(
        format!("{}: its first line is no `context` record", lines.name),
        r#"write {"context":{"id":"…","participants":{"name":"principal"}}}"#,
    ))
}

/// An input, line by line. The memory it takes is that of its longest line.
struct Lines {
    name: String,
    reader: Box<dyn BufRead>,
    line: Vec<u8>,
    progress: ProgressBar,
}

impl Lines {
    fn open(path: &Path) -> Result<Self, Failure> {
        let (name, size, reader): (_, _, Box<dyn BufRead>) = if path == Path::new("-") {
            ("standard input".to_string(), None, Box::new(io::stdin().lock()))
        } else {
            let name = shown(&path.to_string_lossy());
            let file = File::open(path).map_err(|error| Failure::io(&name, error))?;
            let size = file.metadata().map_or(0, |data| data.len());
            let reader = BufReader::with_capacity(1 << 16, file);
            (name, Some(size), Box::new(reader))
        };
        Ok(Self {
            name,
            reader,
            line: Vec::new(),
            progress: progress(size),
        })
    }

    /// The next line without its newline.
    fn next(&mut self) -> Result<Option<&[u8]>, Failure> {
        self.line.clear();
        let read = self
            .reader
            .read_until(b'\n', &mut self.line)
            .map_err(|error| Failure::io(&self.name, error))?;
        if read == 0 {
            return Ok(None);
        }
        self.progress.inc(read as u64);
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
        }
        Ok(Some(&self.line))
    }

    /// Puts bytes back in front of what is still to be read.
    fn put_back(&mut self, bytes: Vec<u8>) {
        let rest = std::mem::replace(&mut self.reader, Box::new(io::empty()));
        self.reader = Box::new(Cursor::new(bytes).chain(rest));
    }

    /// Reads everything as a document, as one message over several lines or as a message a line.
    fn each(
        mut self,
        context: Option<Context>,
        principal: Option<&str>,
        mut each: impl FnMut(Item<'_>) -> Result<(), Failure>,
    ) -> Result<Context, Failure> {
        let mut first = Vec::new();
        self.reader
            .read_until(b'\n', &mut first)
            .map_err(|error| Failure::io(&self.name, error))?;
        let input = if log::begins_document(&first) {
            Input::Document
        } else {
            Input::Bare
        };
        self.put_back(first);
        let mut reader = match context {
            Some(context) => Reader::resume(input, context),
            None => Reader::new(input),
        };
        if input == Input::Bare {
            if let Some(message) = self.whole_message()? {
                self.line = message;
                self.read_line(&mut reader, principal, &mut each)?;
            }
        }
        while self.next()?.is_some() {
            self.read_line(&mut reader, principal, &mut each)?;
        }
        self.progress.finish_and_clear();
        reader.context().cloned().ok_or_else(|| {
            Failure::usage(
                format!("{}: the document has no context", self.name),
                "begin it with a `context` record",
            )
        })
    }

    fn read_line(
        &self,
        reader: &mut Reader,
        principal: Option<&str>,
        each: &mut impl FnMut(Item<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let line = reader.read(&self.line).map_err(|error| {
            self.progress.finish_and_clear();
            Failure::Document {
                name: self.name.clone(),
                line: self.line.clone(),
                error,
            }
        })?;
        let (Line::Event(mut event), Some(context)) = (line, reader.context()) else {
            return Ok(());
        };
        if let (Event::Deliver(delivery), Some(principal)) = (&mut event, principal) {
            if reader.input() == Input::Bare {
                delivery.principal = Some(principal.into());
            }
        }
        each(Item {
            context,
            line: reader.line(),
            event,
        })
    }

    /// The whole of a bare input, if it is one object over several lines (R-05).
    fn whole_message(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        let io = |error| Failure::io(&self.name, error);
        let mut seen = Vec::new();
        loop {
            let start = seen.len();
            if self.reader.read_until(b'\n', &mut seen).map_err(io)? == 0 {
                break;
            }
            let line = seen.get(start..).unwrap_or_default().trim_ascii();
            if line.is_empty() {
                continue;
            }
            // Only an object that its first line leaves open can go on in the next.
            if line.first() == Some(&b'{') && !log::is_one_object(line) {
                self.reader.read_to_end(&mut seen).map_err(io)?;
                if log::is_one_object(&seen) {
                    return Ok(Some(seen));
                }
            }
            break;
        }
        self.put_back(seen);
        Ok(None)
    }
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
