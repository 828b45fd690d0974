//! `tern diff`: why two receivers disagree.

mod page;
mod sides;

use std::path::{Path, PathBuf};

use clap::Args;

use crate::failure::{Exit, Failure};
use crate::input::{Channel, Source, warn_unverified};
use crate::output::{print, print_data};
use crate::text::shown;

const EXAMPLES: &str = "\
Examples:
  tern diff mine.jsonl theirs.jsonl        what they differ in, section by section
  tern diff thread.db - < theirs.jsonl     a durable log against standard input
  tern diff --json mine.jsonl theirs.jsonl | jq .messages

Exit codes: 0 equal, 1 different, 2 wrong usage, unreadable input or a broken log document.";

/// Show where two logs differ, and which messages each lacks
///
/// Equal sets of messages and local facts come to equal views, whatever the order. Where the views
/// differ, one side lacks something that the other has, or saw another content first under an id
/// that was used twice.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Diff {
    /// One log: a log document, bare messages, or `-` for standard input
    #[arg(value_name = "A")]
    a: PathBuf,

    /// The other log
    #[arg(value_name = "B")]
    b: PathBuf,

    #[command(flatten)]
    channel: Channel,

    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

impl Diff {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        if self.a == Path::new("-") && self.b == Path::new("-") {
            return Err(Failure::usage(
                "standard input can be one side only",
                "give a file for the other side",
            ));
        }
        let names = [&self.a, &self.b].map(|path| shown(&path.to_string_lossy()));
        let read = |file: PathBuf| {
            let channel = self.channel.clone();
            sides::Side::read(&Source { file, channel })
        };
        let sides = [read(self.a)?, read(self.b)?];
        // Once, though both may be so.
        if let Some(side) = sides
            .iter()
            .find(|side| !side.state.context().is_verified())
        {
            warn_unverified(side.state.context(), self.json);
        }
        let comparison = sides::compare(&sides);
        let written = if self.json {
            let line = serde_json::to_string(&comparison)
                .map_err(|error| Failure::usage(error.to_string(), "this is a bug of `tern`"))?;
            print_data(&format!("{line}\n"))
        } else {
            print(&page::of(&comparison, &names))
        };
        Exit::found(!comparison.equal).once(written)
    }
}
