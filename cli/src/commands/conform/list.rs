//! Which vectors there are.

use serde_json::json;
use tern_conformance::protocol::SPEC;
use tern_conformance::vector::Vector;

/// A vector with the name of its file.
pub(super) type Filed<'f> = (&'static str, &'f Vector);

/// A line for each vector: level, id, title.
pub(super) fn text(vectors: &[Filed<'_>]) -> String {
    let width = vectors.iter().map(|(_, it)| it.id.len()).max().unwrap_or(0);
    let lines = vectors.iter().map(|(_, vector)| {
        let Vector {
            id, level, title, ..
        } = vector;
        format!("{level} {id:<width$}  {title}\n")
    });
    lines.collect()
}

/// One JSON object for tools, with a line for each vector.
pub(super) fn json(vectors: &[Filed<'_>]) -> String {
    let lines = vectors.iter().map(|(file, vector)| {
        let object = json!({
            "id": vector.id,
            "file": file,
            "level": vector.level,
            "title": vector.title,
            "clauses": vector.clauses(),
            "bare": vector.is_bare(),
            "orders": vector.orders,
            "hash": vector.hash,
        });
        object.to_string()
    });
    let lines: Vec<String> = lines.collect();
    format!(
        "{{\"spec\":{},\"vectors\":[\n{}\n]}}\n",
        json!(SPEC),
        lines.join(",\n")
    )
}
