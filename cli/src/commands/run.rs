//! `tern run`: deliver everything and show what it comes to.

use clap::Args;

use crate::failure::{Exit, Failure};
use crate::input::{Source, warn_unverified};
use crate::output::{outcome_json, print};

/// Deliver every message and show the state that they imply
#[derive(Debug, Args)]
pub(crate) struct Run {
    #[command(flatten)]
    source: Source,

    /// Print the canonical view, or one JSON object a delivery with `--outcomes`
    #[arg(long)]
    json: bool,

    /// Show what became of each delivery
    #[arg(long)]
    outcomes: bool,
}

impl Run {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let mut out = String::new();
        let mut delivery = 0;
        let state = self.source.reduce(|line, _, outcome| {
            delivery += 1;
            if self.outcomes {
                out.push_str(&outcome_json(delivery, line, &outcome).to_string());
                out.push('\n');
            }
        })?;
        warn_unverified(state.context(), self.json);
        if !self.outcomes {
            out.push_str(&state.view().to_canonical_json());
            out.push('\n');
        }
        print(&out)?;
        Ok(Exit::Fine)
    }
}
