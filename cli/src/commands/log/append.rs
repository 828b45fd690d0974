//! `tern log append`: what a file holds, durably.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::durable;
use crate::failure::{Exit, Failure};
use crate::input::Channel;
use crate::output::{print, print_data};
use crate::text::{count, shown};

/// Append what a file holds to a durable log, all or none, and print where the log ends then
///
/// `tern run --log` does the same and shows what it comes to.
#[derive(Debug, Args)]
pub(super) struct Append {
    /// The address of the store
    #[arg(value_name = "STORE")]
    store: PathBuf,

    /// A log document, a file of bare messages, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    channel: Channel,

    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

impl Append {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let store = durable::store(&self.store)?;
        let read = durable::read_to_append(&*store, &self.channel, &self.file)?;
        let (records, log) = (read.lines.len(), read.context.id().to_owned());
        let head = durable::append(&*store, &read.context, &read.lines)?.head;
        if self.json {
            let object = json!({
                "log": log,
                "appended": records,
                "position": head.position.as_u64(),
                "link": head.link.to_string(),
            });
            print_data(&format!("{object}\n"))?;
        } else {
            print(&format!(
                "{}: {} appended\n  head {}:{}\n",
                shown(&log),
                count(records, "record"),
                head.position,
                head.link
            ))?;
        }
        Ok(Exit::Fine)
    }
}
