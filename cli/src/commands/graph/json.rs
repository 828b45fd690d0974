//! The graph as data.

use serde_json::{Value, json};

use super::model::{Graph, Standing};

/// Nodes and edges, in the order of the log.
pub(super) fn write(graph: &Graph) -> String {
    let id = |index: usize| graph.nodes.get(index).map(|node| node.id.as_str());
    let nodes: Vec<Value> = graph
        .nodes
        .iter()
        .map(|node| {
            let status = match node.standing {
                Standing::Accepted => "accepted",
                Standing::Pending => "pending",
                Standing::Rejected => "rejected",
                Standing::Unknown => "unknown",
            };
            json!({"id": node.id, "act": node.act, "status": status, "conflict": node.alarm})
        })
        .collect();
    let edges: Vec<Value> = graph
        .edges
        .iter()
        .map(|edge| {
            json!({"from": id(edge.from), "to": id(edge.to), "fields": edge.fields,
                   "gates": edge.gates, "competes": edge.competes})
        })
        .collect();
    format!("{}\n", json!({"nodes": nodes, "edges": edges}))
}
