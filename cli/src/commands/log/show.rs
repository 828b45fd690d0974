//! `tern log show`: the records as they stand there.

use clap::Args;
use serde_json::json;
use tern_store::{Log as _, Position, Records};

use super::{Stored, open};
use crate::failure::{Exit, Failure};
use crate::output::Report;
use crate::text::shown;

/// Print the records of a log, each with its position and the beginning of its link
///
/// Ends with an error at the first record that is not what was appended: `tern log verify` says more of it.
#[derive(Debug, Args)]
pub(super) struct Show {
    #[command(flatten)]
    stored: Stored,

    /// The position of the first record that is printed
    #[arg(long, value_name = "POSITION", default_value_t = 0)]
    from: u64,

    /// How many are printed at most
    #[arg(long, value_name = "N")]
    count: Option<u64>,

    /// Print a JSON object for each record, with the whole link; a record that is UTF-8 as a string, any other as
    /// `null` beside its length
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let names = self.stored.names()?;
        let [name] = &*names else {
            return Err(Failure::usage(
                format!(
                    "{} holds {} logs",
                    shown(&self.stored.file.to_string_lossy()),
                    names.len()
                ),
                "choose one with --name; `tern log verify` names them all",
            ));
        };
        let log = open(&self.stored.file, name)?;
        let mut report = Report::new(self.json);
        let most = self.count.unwrap_or(u64::MAX);
        let records = Records::new(&log, Position::new(self.from));
        for (_, record) in (0..most).zip(records) {
            let record = record?;
            let line = if self.json {
                let text = std::str::from_utf8(&record.bytes).ok();
                let object = json!({
                    "log": log.name(),
                    "position": record.position.as_u64(),
                    "link": record.link.to_string(),
                    "bytes": record.bytes.len(),
                    "record": text,
                });
                format!("{object}\n")
            } else {
                let link = record.link.to_string();
                let text = shown(&String::from_utf8_lossy(&record.bytes));
                let link = link.get(..12).unwrap_or_default();
                format!("{:>6} {link} {text}\n", record.position.as_u64())
            };
            report.add(&line, false)?;
        }
        report.finish("")?;
        Ok(Exit::Fine)
    }
}
