//! `tern graph`: who refers to what, and which revisions compete.

mod dot;
mod json;
mod marks;
mod mermaid;
mod model;
mod svg;

use clap::{Args, ValueEnum};

use crate::failure::{Exit, Failure};
use crate::history::History;
use crate::input::{Source, warn_unverified};
use crate::output::print_data;
use crate::text::shown;

const EXAMPLES: &str = "\
Examples:
  tern graph --format svg examples/review.jsonl > review.svg
  tern graph --format mermaid --of checker:1 examples/review.jsonl
  tern graph --revisions log.jsonl | dot -Tpdf > chains.pdf

The shape tells the act: ASK ellipse, TELL note, PROPOSE component, REQUEST house, COMMIT double
box, REPORT tab, CHALLENGE octagon, REVISE hexagon, DECLINE house upside down, ACK round box. The
colour and the sign tell the status: ✓ accepted, … pending, ✗ rejected, ? not known. An edge goes
from a message to what it refers to; it is dashed where that is not known, and red where revisions
compete. SVG needs Graphviz (`dot`) on this machine.";

/// How to write a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The language of Graphviz
    Dot,
    /// For Markdown
    Mermaid,
    /// A picture, drawn by Graphviz
    Svg,
}

/// Draw the references and revisions of a log as DOT, Mermaid or SVG
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Graph {
    #[command(flatten)]
    source: Source,

    /// What to write
    #[arg(long, value_enum, default_value = "dot")]
    format: Format,

    /// Write nodes and edges as JSON
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Only this message, what it leads to and what leads to it
    #[arg(long, value_name = "ID")]
    of: Option<String>,

    /// With `--of`: no further than so many steps
    #[arg(long, value_name = "STEPS", requires = "of")]
    within: Option<usize>,

    /// Only revision chains
    #[arg(long)]
    revisions: bool,
}

impl Graph {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let history = History::load(&self.source)?;
        warn_unverified(history.state.context(), self.json);
        let mut graph = model::Graph::of(&history, self.revisions);
        if let Some(id) = &self.of {
            graph = graph.around(id, self.within).ok_or_else(|| {
                Failure::usage(
                    format!("no message `{}` is known or named here", shown(id)),
                    "`tern explain` names ids that are near to it",
                )
            })?;
        }
        let drawn = match self.format {
            _ if self.json => json::write(&graph),
            Format::Dot => dot::write(&graph),
            Format::Mermaid => mermaid::write(&graph),
            Format::Svg => svg::draw(&graph, self.of.is_some())?,
        };
        print_data(&drawn)?;
        Ok(Exit::Fine)
    }
}
