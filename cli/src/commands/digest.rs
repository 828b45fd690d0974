//! `tern digest`: what two receivers compare.

use clap::Args;

use crate::failure::{Exit, Failure};
use crate::input::{Source, warn_unverified};
use crate::output::print_data;

/// Print the digest of the canonical view
///
/// Equal sets of messages and local facts have equal digests, in whatever order they arrived and
/// in whatever implementation.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tern digest log.jsonl                      64 hexadecimal digits
  tern digest --json thread.db               with the context and the number of events")]
pub(crate) struct Digest {
    #[command(flatten)]
    source: Source,

    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

impl Digest {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let state = self.source.reduce(|_, _, _| {})?;
        warn_unverified(state.context(), self.json);
        let digest = state.view().digest();
        if self.json {
            let object = serde_json::json!({
                "context": state.context().id(),
                "events": state.position(),
                "digest": digest,
            });
            print_data(&format!("{object}\n"))?;
        } else {
            print_data(&format!("{digest}\n"))?;
        }
        Ok(Exit::Fine)
    }
}
