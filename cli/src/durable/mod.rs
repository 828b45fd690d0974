//! The durable log of `tern run --log`: log-document lines in a store (T1.30, T4.15).
//!
//! A store holds many logs, each named by the id of its context. A log begins with its `context`
//! record, but for that of the unverified context, which no record can declare.

mod lines;
mod quota;
mod restart;

use std::path::Path;

use tern_core::log::Record;
use tern_core::{Context, Event, Limits, wire};
use tern_store::{Address, Expected, Head, Log, Position, Store, is_auxiliary};

pub(crate) use self::lines::Stored;
pub(crate) use self::quota::{Quota, Within, deliveries, principal, refusals_json, refusals_text};
pub(crate) use self::restart::{Restored, SNAPSHOT, keep, restore};
use crate::failure::Failure;
use crate::input::{Channel, Origin};
use crate::text::{count, shown};

/// Whether a file that begins so is a store.
pub(crate) fn is_store(start: &[u8]) -> bool {
    const MAGIC: &[u8] = b"SQLite format 3\0";
    // A database that was cut off within these bytes is a broken store and no bare message.
    start.starts_with(MAGIC) || (start.len() > 6 && MAGIC.starts_with(start))
}

/// Whether an argument is the address of a store and not just a path, which may be anything.
pub(crate) fn is_address(argument: &Path) -> bool {
    argument
        .to_str()
        .is_some_and(|text| Address::is_server(text) || text.starts_with("sqlite:"))
}

/// The store at an address, or in a file.
pub(crate) fn store(at: &Path) -> Result<Box<dyn Store>, Failure> {
    if at == Path::new("-") {
        return Err(Failure::usage(
            "a durable log is a file or on a server",
            "name its address; `-` is standard input",
        ));
    }
    let address = match at.to_str() {
        Some(text) => text.parse()?,
        None => Address::Sqlite(at.to_owned()),
    };
    Ok(tern_store::connect(&address)?)
}

/// The logs of a store that hold anything, by name. A run that failed may have left an empty one, and leases and usage are
/// no log of anybody's records.
pub(crate) fn filled_logs(store: &dyn Store) -> Result<Vec<(String, Head)>, Failure> {
    let mut logs = store.logs()?;
    logs.retain(|(name, head)| head.position > Position::START && !is_auxiliary(name));
    Ok(logs)
}

fn names(store: &dyn Store) -> Result<Vec<String>, Failure> {
    let logs = filled_logs(store)?;
    Ok(logs.into_iter().map(|(name, _)| name).collect())
}

/// The name of the only log of a store.
pub(crate) fn only_log(store: &dyn Store) -> Result<String, Failure> {
    let file = shown(store.address());
    match names(store)?.as_slice() {
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
    Failure::coded(
        tern_store::Code::NoSuchLog.as_str(),
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

/// A record as a line of a log document, if it is one: other programs may have kept the newline of the line, and JSON has
/// room for more of them.
pub(crate) fn line_of(record: &[u8]) -> Option<&[u8]> {
    let line = record.strip_suffix(b"\n").unwrap_or(record);
    (!line.contains(&b'\n')).then_some(line)
}

/// The failure where a record is no line.
pub(crate) fn no_line(log: &str, position: Position) -> Failure {
    Failure::usage(
        format!(
            "the record at position {position} of log `{}` is no line of a log document",
            shown(log)
        ),
        "this program did not write it; `tern log show` shows what stands there",
    )
}

/// An input that is to go to a durable log.
pub(crate) struct ToAppend {
    /// That of the log.
    pub(crate) context: Context,
    /// The record that declares it, where the input has one.
    opening: Option<Vec<u8>>,
    /// Its records, but for that of the context.
    pub(crate) lines: Vec<Vec<u8>>,
    /// Where each of them stands in the input.
    pub(crate) origins: Vec<Origin>,
    /// Whom each of them is of.
    sources: Vec<quota::Source>,
}

impl ToAppend {
    /// How many of the deliveries are no messages, and in which line of the input the first of them stands. They are
    /// evidence of what came in, and rejected by every reducer.
    pub(crate) fn malformed(&self) -> (usize, Option<u64>) {
        let limits = Limits::default();
        let is_malformed = |line: &[u8]| match Record::read(line) {
            Ok(Record::Event(Event::Deliver(delivery))) => {
                wire::message(&delivery.bytes, &limits).is_err()
            }
            _ => false,
        };
        let mut malformed = self
            .lines
            .iter()
            .zip(&self.origins)
            .filter(|(line, _)| is_malformed(line))
            .map(|(_, origin)| origin.line);
        let first = malformed.next();
        (usize::from(first.is_some()) + malformed.count(), first)
    }
}

/// Reads a whole input before any of it is appended: a broken one leaves nothing behind.
pub(crate) fn read_to_append(
    store: &dyn Store,
    channel: &Channel,
    file: &Path,
) -> Result<ToAppend, Failure> {
    let (mut lines, mut origins, mut sources) = (Vec::new(), Vec::new(), Vec::new());
    let mut opening = None;
    let mut principals = quota::Principals::default();
    let name = channel.name.as_deref();
    let context = channel.read_to_append(
        file,
        |declared| {
            opening = declared.record.map(<[u8]>::to_vec);
            context_of(store, name, declared.context)
        },
        |item| {
            origins.push(item.origin);
            sources.push(match &item.event {
                Event::Deliver(delivery) => principals.source(delivery.principal.as_deref()),
                Event::Fact(_) => quota::Source::Receiver,
            });
            lines.push(match item.record {
                Some(record) => record.to_vec(),
                None => {
                    let line = Record::Event(item.event).to_line();
                    line.trim_end().as_bytes().to_vec()
                }
            });
            Ok(())
        },
    )?;
    Ok(ToAppend {
        context,
        opening,
        lines,
        origins,
        sources,
    })
}

/// The context of the log that new records are to go to, if it exists: the declared one's, the
/// named one, or the only one.
fn context_of(
    store: &dyn Store,
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
    let logs = match names(store) {
        Ok(logs) => logs,
        Err(Failure::Store(tern_store::Error::Missing { .. })) => Vec::new(),
        // A run that was killed may have left it half made.
        Err(_) => {
            store.prepare()?;
            names(store)?
        }
    };
    let name = match (declared.map(Context::id).or(name), logs.as_slice()) {
        (Some(wanted), logs) if logs.iter().any(|name| name == wanted) => wanted,
        // A context that the input declares, or the unverified one, begins a log of its own.
        (None, []) | (Some(Context::UNVERIFIED), _) => return Ok(None),
        (Some(_), _) if declared.is_some() => return Ok(None),
        (Some(wanted), logs) => return Err(no_log(wanted, logs)),
        (None, [only]) => only,
        (None, _) => return only_log(store).map(|_| None),
    };
    let log = store.open_read_only(name)?;
    first_context(&*log)
}

/// The context that a log stands under; none while it is empty.
pub(crate) fn first_context(log: &dyn Log) -> Result<Option<Context>, Failure> {
    let name = log.name();
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

/// Whether a context of that id can have a log: not under the names of what this program keeps for itself.
pub(crate) fn expect_nameable(id: &str) -> Result<(), Failure> {
    if !is_auxiliary(id) {
        return Ok(());
    }
    Err(Failure::usage(
        "a context of that name cannot have a durable log",
        "logs whose names begin so hold leases or usage: give the context another id",
    ))
}

/// What to say to whoever only learns that something failed after an append, and would append it again.
pub(crate) fn done(records: usize, head: Head) -> Option<String> {
    let records = (records > 0).then(|| count(records, "record"))?;
    let Head { position, link, .. } = head;
    Some(format!(
        "{records} appended before that, and the log ends at {position}:{link}: do not append it again"
    ))
}

/// What came of an append.
pub(crate) struct Appended {
    /// The position of the first record that was appended, the context aside.
    pub(crate) first: Position,
    /// Where the log ended then.
    pub(crate) head: Head,
}

/// Appends record lines durably, the context first where the log is new. Nothing may be reported
/// before this returns (T1.30).
fn append(store: &dyn Store, read: &ToAppend) -> Result<Appended, Failure> {
    let context = &read.context;
    expect_nameable(context.id())?;
    let mut log = store.open(context.id())?;
    // As it was written, so that whoever brings the same file into another store has the same log there.
    let opening = match &read.opening {
        Some(line) => line.clone(),
        None => {
            let line = Record::Context(context.clone()).to_line();
            line.trim_end().as_bytes().to_vec()
        }
    };
    let lines: Vec<&[u8]> = read.lines.iter().map(Vec::as_slice).collect();
    loop {
        // The head first: if somebody begins the log after this, the append conflicts.
        let head = log.head()?.position;
        // Whoever began the log meanwhile may have bound the names otherwise.
        let begun = first_context(&*log)?;
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
            batch.push(&opening);
        }
        batch.extend(&lines);
        match log.append(Expected::At(head), &batch) {
            Ok(after) => {
                return Ok(Appended {
                    first: head.after(u64::from(is_new)),
                    head: after,
                });
            }
            // Somebody else appended between: look again.
            Err(tern_store::Error::Conflict { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
