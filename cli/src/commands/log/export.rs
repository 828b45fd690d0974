//! `tern log export`: the log document that a log is, or everything that stands in a store.

use clap::Args;
use tern_store::{Position, Record, Records};

use super::Stored;
use super::exported::Exported;
use super::transfer::bar;
use crate::failure::{Exit, Failure};
use crate::output::Report;
use crate::text::shown;

/// Print the records of a log, a line each: the log document that every other command reads
///
/// With --json, a JSON object for each record of every log, with its link: what `tern log import` brings into another store
/// and verifies, also where a record is no line.
#[derive(Debug, Args)]
pub(super) struct Export {
    #[command(flatten)]
    stored: Stored,

    /// Print a JSON object for each record, with its position and its link
    #[arg(long)]
    json: bool,
}

impl Export {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let store = self.stored.store()?;
        let names = match self.json {
            true => self.stored.names(&*store)?,
            false => vec![self.stored.log(&*store)?.name().to_owned()],
        };
        let mut report = Report::new(true);
        let progress = bar(None);
        for name in names {
            let log = store.open_read_only(&name)?;
            for record in Records::new(&*log, Position::START) {
                let record = record?;
                progress.inc(record.bytes.len() as u64 + 1);
                if self.json {
                    let object = serde_json::to_string(&Exported::of(&name, &record));
                    let object = object.map_err(|error| Failure::io(&name, error.into()))?;
                    report.add(&format!("{object}\n"), false)?;
                } else {
                    report.add(&line(&name, record)?, false)?;
                }
            }
        }
        progress.finish_and_clear();
        report.finish("")?;
        Ok(Exit::Fine)
    }
}

fn line(name: &str, record: Record) -> Result<String, Failure> {
    let position = record.position;
    match String::from_utf8(record.bytes) {
        Ok(mut line) if !line.trim_end_matches('\n').contains('\n') => {
            if !line.ends_with('\n') {
                line.push('\n');
            }
            Ok(line)
        }
        _ => Err(Failure::usage(
            format!(
                "the record at position {position} of log `{}` is no line",
                shown(name)
            ),
            "export it with --json, which writes any bytes",
        )),
    }
}
