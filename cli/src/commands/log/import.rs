//! `tern log import`: what was exported, in a store again.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::iter::Peekable;
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::ProgressBar;
use serde_json::json;
use tern_core::log::{self, Input, Line, Reader, begins_document};
use tern_core::{Context, Event};
use tern_store::{Chain, Head, Store};

use super::exported::Exported;
use super::transfer::{Transferred, bar, records_of, transfer};
use crate::durable;
use crate::failure::{Exit, Failure};
use crate::output::{print, print_data};
use crate::text::shown;

/// Bring a log document, or what `tern log export --json` wrote, into a store
///
/// Reads as it goes, in transactions of a thousand records, so that a file may be much larger than memory. Every record of a
/// log document is read strictly; every link that an export says is verified. A log that holds a beginning of the file is
/// continued, so an import that was stopped is just made again; nothing is appended to a log that holds something else.
#[derive(Debug, Args)]
pub(super) struct Import {
    /// The address of the store
    #[arg(value_name = "STORE")]
    store: PathBuf,

    /// What `tern log export` wrote, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Print a JSON object for each log
    #[arg(long)]
    json: bool,
}

/// A line of the file, counted from 1, without its newline.
type Numbered = Result<(u64, Vec<u8>), Failure>;

impl Import {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let store = durable::store(&self.store)?;
        let (lines, progress) = lines(&self.file)?;
        let mut lines = lines.peekable();
        let name = shown(&self.file.to_string_lossy());
        let is_document = match lines.peek() {
            None => {
                return Err(Failure::usage(
                    format!("{name} is empty"),
                    "name what `tern log export` wrote",
                ));
            }
            Some(first) => first.as_ref().is_ok_and(|(_, line)| begins_document(line)),
        };
        if is_document {
            let (log, records) = document(&name, &mut lines);
            self.bring(&*store, &log, records, &progress)?;
            return Ok(Exit::Fine);
        }
        while let Some(first) = lines.peek() {
            let log = match first {
                Ok((number, line)) => exported(&name, *number, line)?.log.into_owned(),
                // What cannot be read is said where it is read.
                Err(_) => String::from("?"),
            };
            let records = exported_records(&name, &log, &mut lines);
            self.bring(&*store, &log, records, &progress)?;
        }
        Ok(Exit::Fine)
    }

    /// Brings the records of one log, and says what came of it.
    fn bring(
        &self,
        store: &dyn Store,
        name: &str,
        mut records: impl Iterator<Item = Result<Vec<u8>, Failure>>,
        progress: &ProgressBar,
    ) -> Result<(), Failure> {
        // A first record that is refused begins no log.
        let Some(first) = records.next().transpose()? else {
            return Ok(());
        };
        durable::expect_nameable(name)?;
        let mut log = store.open(name)?;
        let records = std::iter::once(Ok(first)).chain(records);
        let Transferred {
            head,
            found,
            appended,
        } = transfer(&mut *log, records, progress)?;
        if self.json {
            let object = json!({
                "log": name,
                "position": head.position.as_u64(),
                "link": head.link.to_string(),
                "found": found,
                "appended": appended,
            });
            return print_data(&format!("{object}\n"));
        }
        print(&format!(
            "{}: {} imported, {found} there before\n  head {}:{}\n",
            shown(name),
            records_of(appended),
            head.position,
            head.link
        ))
    }
}

/// The lines of a file, as they are read.
fn lines(path: &Path) -> Result<(impl Iterator<Item = Numbered>, ProgressBar), Failure> {
    const LONGEST: u64 = 1 << 30;
    let name = shown(&path.to_string_lossy());
    let (mut input, size): (Box<dyn BufRead>, _) = if path == Path::new("-") {
        (Box::new(io::stdin().lock()), None)
    } else {
        let file = File::open(path).map_err(|error| Failure::io(&name, error))?;
        let size = file.metadata().ok().map(|data| data.len());
        (Box::new(BufReader::with_capacity(1 << 16, file)), size)
    };
    let progress = bar(size);
    let mut number = 0;
    let lines = std::iter::from_fn(move || {
        let mut line = Vec::new();
        let read = (&mut input).take(LONGEST).read_until(b'\n', &mut line);
        number += 1;
        match read {
            Ok(0) => None,
            Ok(read) if read as u64 == LONGEST => {
                let error = io::Error::other(format!("line {number} is longer than 1 GiB"));
                Some(Err(Failure::io(&name, error)))
            }
            Ok(_) => {
                if line.last() == Some(&b'\n') {
                    line.pop();
                }
                Some(Ok((number, line)))
            }
            Err(error) => Some(Err(Failure::io(&name, error))),
        }
    });
    Ok((lines, progress))
}

/// The records of a log document, read strictly, and the name of their log. A document without a context is that of
/// the unverified one, which no record can declare.
fn document<'l>(
    file: &'l str,
    lines: &'l mut Peekable<impl Iterator<Item = Numbered>>,
) -> (String, impl Iterator<Item = Result<Vec<u8>, Failure>> + 'l) {
    let declared = lines.peek().and_then(|first| {
        let (_, line) = first.as_ref().ok()?;
        match log::Record::read(line) {
            Ok(log::Record::Context(context)) => Some(context.id().to_owned()),
            _ => None,
        }
    });
    let (name, mut reader) = match declared {
        Some(id) => (id, Reader::new(Input::Document)),
        None => (
            Context::UNVERIFIED.to_owned(),
            Reader::resume(Input::Document, Context::unverified()),
        ),
    };
    let is_unverified = name == Context::UNVERIFIED;
    let records = lines.map(move |line| {
        let (_, line) = line?;
        match reader.read(&line) {
            Ok(Line::Event(Event::Deliver(delivery)))
                if is_unverified && delivery.principal.is_some() =>
            {
                Err(Failure::usage(
                    format!(
                        "{file}: a delivery names its principal, and no context stands before it"
                    ),
                    "the first line of a log document is its `context`: is it missing?",
                ))
            }
            Ok(_) => Ok(line),
            Err(error) => Err(Failure::Document {
                name: file.to_owned(),
                error: Box::new(error),
                line,
            }),
        }
    });
    (name, records)
}

/// The next records, as long as they are of the log `name`, each verified.
fn exported_records<'l>(
    file: &'l str,
    name: &'l str,
    lines: &'l mut Peekable<impl Iterator<Item = Numbered>>,
) -> impl Iterator<Item = Result<Vec<u8>, Failure>> + 'l {
    let mut chain = Chain::from(Head::start(name));
    std::iter::from_fn(move || {
        let is_of_it = |line: &Numbered| match line {
            Ok((number, line)) => exported(file, *number, line).is_ok_and(|it| it.log == name),
            Err(_) => true,
        };
        let line = match lines.next_if(is_of_it)? {
            Ok(line) => line,
            Err(failure) => return Some(Err(failure)),
        };
        let record = exported(file, line.0, &line.1).and_then(Exported::into_record);
        Some(record.and_then(|record| {
            chain.check(file, &record)?;
            Ok(record.bytes)
        }))
    })
}

fn exported<'l>(file: &str, number: u64, line: &'l [u8]) -> Result<Exported<'l>, Failure> {
    serde_json::from_slice(line).map_err(|error| {
        Failure::usage(
            format!("{file}:{number}: the line is no exported record: {error}"),
            "import a log document, or what `tern log export --json` wrote; deliver bare messages with `tern log append`",
        )
    })
}
