//! Bringing the records of one log into another, in order, as often as it takes.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal as _};
use tern_store::{Error, Expected, Head, Log, Position, Records};

use crate::failure::Failure;
use crate::text::{count, shown};

/// So much goes into one transaction.
const MOST_RECORDS: usize = 1000;
const MOST_BYTES: usize = 4 << 20;

/// What came of it.
pub(super) struct Transferred {
    /// Where the log ends now.
    pub(super) head: Head,
    /// How many of the records were there before, or appended by somebody else meanwhile.
    pub(super) found: u64,
    /// How many were appended.
    pub(super) appended: u64,
}

/// Brings `records` into `log`, which may hold a beginning of them already: whoever was stopped goes on where they were, and
/// two who bring the same at once bring it once. Nothing is appended to a log that holds something else.
pub(super) fn transfer(
    log: &mut dyn Log,
    records: impl Iterator<Item = Result<Vec<u8>, Failure>>,
    bar: &ProgressBar,
) -> Result<Transferred, Failure> {
    let mut records = records.inspect(|record| {
        bar.inc(record.as_ref().map_or(0, |record| record.len() as u64 + 1));
    });
    let mut head = compare(log, &mut records)?;
    let mut appended = 0;
    match bring(log, records, &mut head, &mut appended) {
        Ok(()) => Ok(Transferred {
            head,
            found: head.position.as_u64() - appended,
            appended,
        }),
        Err(failure) => Err(failure.after((appended > 0).then(|| {
            format!(
                "{} appended before that, up to {}:{} of log `{}`; where the cause is removed, the same again goes on from there",
                records_of(appended),
                head.position,
                head.link,
                shown(log.name()),
            )
        }))),
    }
}

/// So many records, in words.
pub(super) fn records_of(number: u64) -> String {
    count(usize::try_from(number).unwrap_or(usize::MAX), "record")
}

/// Appends the records at `head`, which goes with them, and counts those that nobody else appended meanwhile.
fn bring(
    log: &mut dyn Log,
    records: impl Iterator<Item = Result<Vec<u8>, Failure>>,
    head: &mut Head,
    appended: &mut u64,
) -> Result<(), Failure> {
    let (mut batch, mut bytes, mut last) = (Vec::new(), 0, Whose::Ours);
    for record in records {
        let record = record?;
        bytes += record.len();
        batch.push(record);
        if batch.len() >= MOST_RECORDS || bytes >= MOST_BYTES {
            last = append(log, &batch, head, appended)?;
            (batch, bytes) = (Vec::new(), 0);
        }
    }
    if !batch.is_empty() {
        last = append(log, &batch, head, appended)?;
    }
    // Somebody else brought the end of this before: then nothing may stand behind it, as if they had been first. Behind an end
    // of our own anybody may have gone on.
    if last == Whose::Theirs && log.head()?.position > head.position {
        return Err(differs(
            log,
            head.position,
            "goes on beyond what is brought",
        ));
    }
    Ok(())
}

/// By whom the end of a batch was appended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Ours,
    Theirs,
}

/// Whether the log holds a beginning of the records. Gives where it ends, and leaves the rest of them.
fn compare(
    log: &dyn Log,
    records: &mut impl Iterator<Item = Result<Vec<u8>, Failure>>,
) -> Result<Head, Failure> {
    let mut there = Records::new(log, Position::START);
    for mine in there.by_ref() {
        let mine = mine?;
        match records.next().transpose()? {
            Some(other) if other == mine.bytes => {}
            Some(_) => return Err(differs(log, mine.position, "holds another record")),
            None => {
                return Err(differs(
                    log,
                    mine.position,
                    "goes on beyond what is brought",
                ));
            }
        }
    }
    Ok(there.head().unwrap_or_else(|| Head::start(log.name())))
}

fn differs(log: &dyn Log, position: Position, how: &str) -> Failure {
    Failure::coded(
        "log_differs",
        format!(
            "log `{}` of {} {how} at position {position}",
            shown(log.name()),
            shown(log.store())
        ),
        "a log is only ever continued: name a store that holds a beginning of this, or nothing of that name",
    )
}

/// Appends a batch at `head`, but for what somebody else appends of it at the same time.
fn append(
    log: &mut dyn Log,
    mut batch: &[Vec<u8>],
    head: &mut Head,
    appended: &mut u64,
) -> Result<Whose, Failure> {
    let mut last = Whose::Ours;
    while !batch.is_empty() {
        let records: Vec<&[u8]> = batch.iter().map(Vec::as_slice).collect();
        match log.append(Expected::At(head.position), &records) {
            Ok(after) => {
                *head = after;
                *appended += records.len() as u64;
                return Ok(Whose::Ours);
            }
            Err(Error::Conflict { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        let mut theirs = Records::after(&*log, *head);
        while let Some((mine, rest)) = batch.split_first() {
            let Some(their) = theirs.next().transpose()? else {
                break;
            };
            if their.bytes != *mine {
                return Err(differs(log, their.position, "holds another record"));
            }
            *head = Head::new(their.position.after(1), their.link);
            (batch, last) = (rest, Whose::Theirs);
        }
    }
    Ok(last)
}

/// A bar on a terminal; of bytes where their number is known, else of what was done.
pub(super) fn bar(bytes: Option<u64>) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let (bar, template) = match bytes {
        Some(bytes) => (
            ProgressBar::new(bytes),
            "{bar:40} {bytes}/{total_bytes} {bytes_per_sec} {eta}",
        ),
        None => (
            ProgressBar::new_spinner(),
            "{spinner} {bytes} {bytes_per_sec} {elapsed}",
        ),
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
