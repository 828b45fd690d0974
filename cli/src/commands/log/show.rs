//! `tern log show`: the records as they stand there.

use clap::Args;
use serde_json::json;
use tern_store::{Position, Record, Records};

use super::Stored;
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
        let store = self.stored.store()?;
        let log = self.stored.log(&*store)?;
        let end = log.head()?.position;
        if Position::new(self.from) > end {
            return Err(Failure::usage(
                format!("--from {} is beyond the end of the log", self.from),
                format!("it ends at position {end}"),
            ));
        }
        let mut report = Report::new(self.json);
        let most = self.count.unwrap_or(u64::MAX);
        let records = Records::new(&*log, Position::new(self.from));
        for (_, record) in (0..most).zip(records) {
            let record = record?;
            let line = line(log.name(), &record, self.json);
            report.add(&line, false)?;
        }
        report.finish("")?;
        Ok(Exit::Fine)
    }
}

/// A record, for people or as data.
pub(super) fn line(log: &str, record: &Record, json: bool) -> String {
    let (position, link) = (record.position.as_u64(), record.link.to_string());
    if json {
        let text = std::str::from_utf8(&record.bytes).ok();
        let object = json!({
            "log": log,
            "position": position,
            "link": link,
            "bytes": record.bytes.len(),
            "record": text,
        });
        return format!("{object}\n");
    }
    let text = shown(&String::from_utf8_lossy(&record.bytes));
    let link = link.get(..12).unwrap_or_default();
    format!("{position:>6} {link} {text}\n")
}
