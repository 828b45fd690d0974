//! `tern log append`: what a file holds, durably.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use tern_store::Head;

use crate::durable::{self, Quota, Within, refusals_json, refusals_text};
use crate::failure::{Exit, Failure};
use crate::input::Channel;
use crate::output::{print, print_data};
use crate::text::{count, shown};

/// Append what a file holds to a durable log, all or none, and print where the log ends then
///
/// `tern run --log` does the same and shows what it comes to. Under a quota everything is appended but what is over it.
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

    #[command(flatten)]
    quota: Quota,

    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

impl Append {
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let store = durable::store(&self.store)?;
        let mut read = durable::read_to_append(&*store, &self.channel, &self.file)?;
        let Within { appended, refused } = self.quota.append(&*store, &mut read)?;
        let (malformed, first) = read.malformed();
        let (records, log) = (read.lines.len(), read.context.id().to_owned());
        let head = appended.map_or_else(|| Head::start(&log), |appended| appended.head);
        let written = if self.json {
            let mut object = json!({
                "log": log,
                "appended": records,
                "position": head.position.as_u64(),
                "link": head.link.to_string(),
                "malformed": malformed,
            });
            if let (false, Some(object)) = (self.quota.is_empty(), object.as_object_mut()) {
                object.insert("refused".to_owned(), refusals_json(&refused).into());
            }
            print_data(&format!("{object}\n"))
        } else {
            let malformed = match first {
                None => String::new(),
                Some(line) => format!(
                    "  {}, the first in line {line}: every reducer rejects such, and `tern check` says why\n",
                    match malformed {
                        1 => "1 delivery is no well-formed message".to_owned(),
                        many => format!("{many} deliveries are no well-formed messages"),
                    }
                ),
            };
            print(&format!(
                "{}: {} appended\n  head {}:{}\n{malformed}{}",
                shown(&log),
                count(records, "record"),
                head.position,
                head.link,
                refusals_text(&refused)
            ))
        };
        // Whoever only learns that this failed would append it again.
        let written = written.map_err(|failure| failure.after(durable::done(records, head)));
        Exit::found(!refused.is_empty()).once(written)
    }
}
