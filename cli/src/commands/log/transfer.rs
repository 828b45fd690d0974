//! Bringing the records of one log into another, in order, as often as it takes.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal as _};
use tern_store::{Expected, Head, Log, Position, Records};

use crate::failure::Failure;
use crate::text::shown;

/// So much goes into one transaction.
const MOST_RECORDS: usize = 1000;
const MOST_BYTES: usize = 4 << 20;

/// What came of it.
pub(super) struct Transferred {
    /// Where the log ends now.
    pub(super) head: Head,
    /// How many of the records were there before.
    pub(super) found: u64,
    /// How many were appended.
    pub(super) appended: u64,
}

/// Brings `records` into `log`, which may hold a beginning of them already: whoever was stopped goes on where they were.
/// Nothing is appended to a log that holds something else.
pub(super) fn transfer(
    log: &mut dyn Log,
    records: impl Iterator<Item = Result<Vec<u8>, Failure>>,
    bar: &ProgressBar,
) -> Result<Transferred, Failure> {
    let mut records = records.inspect(|record| {
        bar.inc(record.as_ref().map_or(0, |record| record.len() as u64 + 1));
    });
    let found = compare(log, &mut records)?;
    let (mut head, mut batch, mut bytes) = (found, Vec::new(), 0);
    for record in records {
        let record = record?;
        bytes += record.len();
        batch.push(record);
        if batch.len() >= MOST_RECORDS || bytes >= MOST_BYTES {
            head = append(log, head, &batch)?;
            (batch, bytes) = (Vec::new(), 0);
        }
    }
    if !batch.is_empty() {
        head = append(log, head, &batch)?;
    }
    Ok(Transferred {
        head,
        found: found.position.as_u64(),
        appended: head.position.as_u64() - found.position.as_u64(),
    })
}

/// Whether the log holds a beginning of the records. Gives where it ends, and leaves the rest of them.
fn compare(
    log: &dyn Log,
    records: &mut impl Iterator<Item = Result<Vec<u8>, Failure>>,
) -> Result<Head, Failure> {
    let mut there = Records::new(log, Position::START);
    let differs = |position: Position, how: &str| {
        Failure::usage(
            format!(
                "log `{}` of {} {how} at position {position}",
                shown(log.name()),
                shown(log.store())
            ),
            "nothing was appended: a log is only ever continued",
        )
    };
    for mine in there.by_ref() {
        let mine = mine?;
        match records.next().transpose()? {
            Some(other) if other == mine.bytes => {}
            Some(_) => return Err(differs(mine.position, "holds another record")),
            None => return Err(differs(mine.position, "goes on beyond what is brought")),
        }
    }
    Ok(there.head().unwrap_or_else(|| Head::start(log.name())))
}

fn append(log: &mut dyn Log, head: Head, batch: &[Vec<u8>]) -> Result<Head, Failure> {
    let batch: Vec<&[u8]> = batch.iter().map(Vec::as_slice).collect();
    Ok(log.append(Expected::At(head.position), &batch)?)
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
