//! Mermaid, for Markdown.

use std::fmt::Write as _;

use tern_core::message::Act;

use super::marks;
use super::model::{Edge, Graph, Node, Standing};

/// Mermaid draws no more than so many edges unless its page is configured otherwise.
const MANY_EDGES: usize = 500;

/// The graph. Nodes have numbers for names, so that no id can be anything but a label.
pub(super) fn write(graph: &Graph) -> String {
    if graph.edges.len() > MANY_EDGES {
        anstream::eprintln!(
            "note: Mermaid draws at most {MANY_EDGES} edges by default, and this graph has {}: \
             set `maxEdges`, or use `--of`",
            graph.edges.len()
        );
    }
    // Writing to a string cannot fail.
    let mut out = String::from("flowchart BT\n");
    for (index, node) in graph.nodes.iter().enumerate() {
        let (open, close) = shape(node.act);
        let label: Vec<String> = node.lines.iter().map(|line| escaped(line)).collect();
        let _ = writeln!(
            out,
            "  n{index}{open}\"{}\"{close}:::{}",
            label.join("<br/>"),
            class(node)
        );
    }
    for (index, edge) in graph.edges.iter().enumerate() {
        let (arrow, sign) = arrow(edge);
        let fields = edge.fields.join(", ");
        let _ = writeln!(
            out,
            "  n{} {arrow}|\"{fields}{sign}\"| n{}",
            edge.from, edge.to
        );
        if edge.competes {
            let _ = writeln!(out, "  linkStyle {index} stroke:{}", marks::ALARM);
        }
    }
    for (name, standing) in [
        ("accepted", Standing::Accepted),
        ("pending", Standing::Pending),
        ("rejected", Standing::Rejected),
        ("unknown", Standing::Unknown),
    ] {
        let (fill, stroke) = marks::colours(standing);
        let dashes = match standing {
            Standing::Pending | Standing::Unknown => ",stroke-dasharray:5 5",
            Standing::Accepted | Standing::Rejected => "",
        };
        let _ = writeln!(
            out,
            "  classDef {name} fill:{fill},stroke:{stroke},color:#111{dashes}"
        );
        let alarm = marks::ALARM;
        let _ = writeln!(
            out,
            "  classDef {name}Alarm fill:{fill},stroke:{alarm},color:#111,stroke-width:3px{dashes}"
        );
    }
    out
}

fn class(node: &Node) -> String {
    let name = match node.standing {
        Standing::Accepted => "accepted",
        Standing::Pending => "pending",
        Standing::Rejected => "rejected",
        Standing::Unknown => "unknown",
    };
    format!("{name}{}", if node.alarm { "Alarm" } else { "" })
}

fn shape(act: Option<Act>) -> (&'static str, &'static str) {
    match act {
        None | Some(Act::Ask) => ("([", "])"),
        Some(Act::Tell) => ("[", "]"),
        Some(Act::Propose) => ("[/", "/]"),
        Some(Act::Request) => (">", "]"),
        Some(Act::Commit) => ("[[", "]]"),
        Some(Act::Report) => ("[(", ")]"),
        Some(Act::Challenge) => ("{", "}"),
        Some(Act::Revise) => ("{{", "}}"),
        Some(Act::Decline) => ("[\\", "/]"),
        Some(Act::Ack) => ("(", ")"),
    }
}

fn arrow(edge: &Edge) -> (&'static str, &'static str) {
    match edge {
        Edge { competes: true, .. } => ("==>", " ≠"),
        Edge {
            to_unknown: true, ..
        }
        | Edge { gates: false, .. } => ("-.->", ""),
        _ => ("-->", ""),
    }
}

/// A text inside a quoted label. Whatever Mermaid, Markdown or HTML could read is written as a
/// character reference, of which Mermaid's begin with `#`.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii_punctuation() && !matches!(character, ':' | ',' | '.' | '-') {
            // Writing to a string cannot fail.
            let _ = write!(out, "#{};", u32::from(character));
        } else {
            out.push(character);
        }
    }
    out
}
