//! SVG, drawn by Graphviz from our DOT.
//!
//! The layout crates that were tried do not stand hostile graphs: layout-rs 0.1.3 panics on an empty
//! graph and needs many seconds for a fork of a hundred, rust-sugiyama 0.4.0 panics on a message that refers
//! to itself and does not end on some graphs of twelve nodes.

use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::dot;
use super::model::Graph;
use crate::failure::Failure;
use crate::text::short;

/// Beyond this nobody finds anything in a picture.
const MOST_NODES: usize = 2_000;
const MOST_EDGES: usize = 6_000;
/// Graphviz can take for ever over a dense graph.
const PATIENCE: Duration = Duration::from_secs(60);

/// Draws the graph.
pub(super) fn draw(graph: &Graph, is_part: bool) -> Result<String, Failure> {
    let (nodes, edges) = (graph.nodes.len(), graph.edges.len());
    if nodes > MOST_NODES || edges > MOST_EDGES {
        return Err(Failure::usage(
            format!(
                "{nodes} nodes and {edges} edges are too many for one picture; \
                 at most {MOST_NODES} and {MOST_EDGES} are drawn"
            ),
            narrower(is_part),
        ));
    }
    let mut child = Command::new("dot")
        .args(["-Tsvg", "-q"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| {
            Failure::usage(
                format!("SVG is drawn by Graphviz, and `dot` cannot be started: {error}"),
                "install Graphviz, or use `--format dot` or `--format mermaid`",
            )
        })?;
    let answer = converse(&mut child, dot::write(graph));
    if answer.is_none() {
        // It may have ended in between.
        let _ = child.kill();
    }
    let status = child.wait().map_err(|error| Failure::io("dot", error))?;
    match answer {
        None => Err(Failure::usage(
            format!(
                "Graphviz did not draw this within {} seconds",
                PATIENCE.as_secs()
            ),
            narrower(is_part),
        )),
        Some((svg, _)) if status.success() => Ok(String::from_utf8_lossy(&svg).into_owned()),
        Some((_, said)) => Err(Failure::usage(
            format!(
                "Graphviz failed: {}",
                short(String::from_utf8_lossy(&said).trim(), 300)
            ),
            "use `--format dot` or `--format mermaid`",
        )),
    }
}

fn narrower(is_part: bool) -> &'static str {
    if is_part {
        "show less of it with `--within STEPS`, or use `--format dot`"
    } else {
        "show a part of it with `--of ID`, or use `--format dot`"
    }
}

/// Writes to the process and reads what it answers and complains, all at once; none if it takes
/// too long.
fn converse(child: &mut Child, input: String) -> Option<(Vec<u8>, Vec<u8>)> {
    let (answer, answered) = mpsc::channel();
    let mut stdin = child.stdin.take()?;
    let mut stdout = child.stdout.take()?;
    let mut stderr = child.stderr.take()?;
    thread::spawn(move || {
        // If it stops reading, its status says why.
        let _ = stdin.write_all(input.as_bytes());
    });
    let complaints = thread::spawn(move || {
        let mut said = Vec::new();
        let _ = stderr.read_to_end(&mut said);
        said
    });
    thread::spawn(move || {
        let mut svg = Vec::new();
        let _ = stdout.read_to_end(&mut svg);
        let said = complaints.join().unwrap_or_default();
        // Nobody listens any more once patience has ended.
        let _ = answer.send((svg, said));
    });
    answered.recv_timeout(PATIENCE).ok()
}
