//! DOT, the language of Graphviz.

use std::fmt::Write as _;

use tern_core::message::Act;

use super::marks;
use super::model::{Edge, Graph, Node, Standing};

/// The graph. Nodes have numbers for names, so that no id can be anything but a label.
pub(super) fn write(graph: &Graph) -> String {
    let mut out = String::from(
        "digraph tern {\n  rankdir=BT;\n  node [fontname=\"sans-serif\", fontsize=11, style=filled];\n  \
         edge [fontname=\"sans-serif\", fontsize=9];\n",
    );
    for (index, node) in graph.nodes.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  n{index} [{}];", attributes(node));
    }
    for edge in &graph.edges {
        let _ = writeln!(out, "  n{} -> n{} [{}];", edge.from, edge.to, line(edge));
    }
    out.push_str("}\n");
    out
}

fn attributes(node: &Node) -> String {
    let (fill, stroke) = marks::colours(node.standing);
    let (shape, peripheries) = match node.act {
        None | Some(Act::Ask) => ("ellipse", 1),
        Some(Act::Tell) => ("note", 1),
        Some(Act::Propose) => ("component", 1),
        Some(Act::Request) => ("house", 1),
        Some(Act::Commit) => ("box", 2),
        Some(Act::Report) => ("tab", 1),
        Some(Act::Challenge) => ("octagon", 1),
        Some(Act::Revise) => ("hexagon", 1),
        Some(Act::Decline) => ("invhouse", 1),
        Some(Act::Ack) => ("box", 1),
    };
    let dashes = match node.standing {
        Standing::Pending | Standing::Unknown => ",dashed",
        Standing::Accepted | Standing::Rejected => "",
    };
    let corners = if node.act == Some(Act::Ack) {
        ",rounded"
    } else {
        ""
    };
    let (stroke, width) = if node.alarm {
        (marks::ALARM, 3)
    } else {
        (stroke, 1)
    };
    let label: Vec<String> = node.lines.iter().map(|line| escaped(line)).collect();
    let title = node
        .lines
        .first()
        .map_or_else(String::new, |line| escaped(line));
    format!(
        "label=\"{}\", tooltip=\"{title}\", shape={shape}, peripheries={peripheries}, style=\"filled{dashes}{corners}\", \
         fillcolor=\"{fill}\", color=\"{stroke}\", penwidth={width}",
        label.join("\\n")
    )
}

fn line(edge: &Edge) -> String {
    let fields = edge.fields.join(", ");
    if edge.competes {
        let alarm = marks::ALARM;
        return format!(
            "label=\"{fields} ≠\", color=\"{alarm}\", fontcolor=\"{alarm}\", penwidth=2.5"
        );
    }
    let style = match (edge.to_unknown, edge.gates) {
        (true, _) => "dashed",
        (false, true) => "solid",
        (false, false) => "dotted",
    };
    format!("label=\"{fields}\", style={style}")
}

/// A text inside a quoted string. Graphviz reads backslashes and character references in labels.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            _ => out.push(character),
        }
    }
    out
}
