//! `tern log copy`: the same logs in another store.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use tern_store::{Position, Records};

use super::Stored;
use super::transfer::{Transferred, bar, records_of, transfer};
use crate::durable;
use crate::failure::{Exit, Failure};
use crate::output::{print, print_data};
use crate::text::shown;

/// Copy logs to another store, of whatever kind, byte for byte
///
/// Every record is verified as it is read, and at the end both logs have the same link at the same position, which no two
/// histories have. A log that holds a beginning of the other is continued, so a copy that was stopped is just made again;
/// nothing is appended to a log that holds something else. Leases and snapshots stay behind: stop the workers of a log first.
#[derive(Debug, Args)]
pub(super) struct Copy {
    #[command(flatten)]
    from: Stored,

    /// The address of the other store
    #[arg(value_name = "TO")]
    to: PathBuf,

    /// Print a JSON object for each log
    #[arg(long)]
    json: bool,
}

impl Copy {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let (from, to) = (self.from.store()?, durable::store(&self.to)?);
        let names = self.from.names(&*from)?;
        to.prepare()?;
        for name in names {
            let source = from.open_read_only(&name)?;
            let mut target = to.open(&name)?;
            let mut records = Records::new(&*source, Position::START);
            let bytes = records.by_ref().map(|record| Ok(record?.bytes));
            let progress = bar(None);
            let done = transfer(&mut *target, bytes, &progress)?;
            progress.finish_and_clear();
            let Transferred {
                head,
                found,
                appended,
            } = done;
            let read = records.head().unwrap_or(head);
            if read != head || target.head()? != head {
                return Err(Failure::usage(
                    format!(
                        "the copy of log `{}` ends at {}:{}, and the log at {}:{}",
                        shown(&name),
                        head.position,
                        head.link,
                        read.position,
                        read.link
                    ),
                    "verify both stores with `tern log verify`",
                ));
            }
            if self.json {
                let object = json!({
                    "log": name,
                    "position": head.position.as_u64(),
                    "link": head.link.to_string(),
                    "found": found,
                    "appended": appended,
                });
                print_data(&format!("{object}\n"))?;
            } else {
                print(&format!(
                    "{}: {} copied, {} there before\n  head {}:{}\n",
                    shown(&name),
                    records_of(appended),
                    found,
                    head.position,
                    head.link
                ))?;
            }
        }
        Ok(Exit::Fine)
    }
}
