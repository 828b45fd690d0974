//! §8 Revision chains.

use crate::json::Object;
use crate::references::Picture;
use crate::shape::{Message, is_revisable};

/// The chain of a message.
pub(crate) struct Chain<'a> {
    pub state: &'static str,
    pub head: &'a str,
    /// The effective body; none if withdrawn or conflicted.
    pub content: Option<&'a Object>,
    /// The successors of the head, if there are several.
    pub competing: Vec<&'a str>,
    /// The undisputed steps, in order.
    pub steps: Vec<&'a Message>,
    /// All accepted REVISEs of the target, below a fork too.
    pub revisions: Vec<&'a Message>,
    /// The known pending REVISEs of the target.
    pub pending: Vec<&'a str>,
}

impl<'a> Picture<'a> {
    /// S4.01-S4.03: the chain of an accepted message.
    pub(crate) fn chain(&self, target: &'a Message) -> Chain<'a> {
        let revises = |message: &&Message| message.names("REVISE", "target", &target.id);
        let revisions: Vec<&Message> = self.accepted("REVISE").filter(revises).collect();
        // by the target's author; one by anybody else counts for nothing.
        let pending = self.pending().filter(revises);
        let pending = pending.filter(|m| m.from == target.from && is_revisable(&target.act));
        let mut chain = Chain {
            state: "original",
            head: &target.id,
            content: Some(&target.body),
            competing: Vec::new(),
            steps: Vec::new(),
            pending: pending.map(|message| message.id.as_str()).collect(),
            revisions,
        };
        loop {
            let follows = |message: &&&Message| message.field("previous") == Some(chain.head);
            let successors = chain.revisions.iter().filter(follows).copied();
            let successors: Vec<&'a Message> = successors.collect();
            match successors.as_slice() {
                [] => return chain,
                [step] => {
                    chain.head = &step.id;
                    chain.content = step.replacement();
                    let replaced = chain.content.is_some();
                    chain.state = if replaced { "replaced" } else { "withdrawn" };
                    chain.steps.push(step);
                }
                _ => {
                    // S4.03: none is effective, whichever arrived first (T4.18).
                    chain.state = "conflicted";
                    chain.content = None;
                    chain.competing = successors.iter().map(|m| m.id.as_str()).collect();
                    return chain;
                }
            }
        }
    }
}
