//! What a message refers to, field by field (A-REFERENCE).

use tern_core::Message;
use tern_core::message::Body;

/// One reference in a message.
pub(crate) struct Mention<'m> {
    /// The field, as people write it.
    pub(crate) field: &'static str,
    /// The id that it names.
    pub(crate) to: &'m str,
    /// Whether the message waits for it (S3.01). A reference inside a replacement counts as if it
    /// did; whether it really does depends on the target.
    pub(crate) gates: bool,
}

/// Every reference of a message to a message, in the order of the table of acts.
pub(crate) fn references<'m>(message: &'m Message<'_>) -> Vec<Mention<'m>> {
    let gates = message
        .references()
        .chain(message.body.reference_of_replacement());
    let mut found: Vec<Mention<'m>> = gates
        .map(|gate| Mention {
            field: field(gate.pointer),
            to: gate.to.as_str(),
            gates: true,
        })
        .collect();
    if let Body::Revise(revise) = &message.body {
        found.extend(revise.impact.iter().map(|impact| Mention {
            field: "impact",
            to: impact.commitment.as_str(),
            gates: false,
        }));
    }
    found
}

/// A pointer as people write it: the envelope and the body share no name.
fn field(pointer: &'static str) -> &'static str {
    pointer
        .strip_prefix("/body/")
        .or_else(|| pointer.strip_prefix('/'))
        .unwrap_or(pointer)
}
