//! §8 Revision chains.

use crate::json::Object;
use crate::references::Picture;
use crate::shape::{Message, REVISABLE, is_one_of};

/// The chain of an accepted message.
pub(crate) struct Chain<'a> {
    pub target: &'a Message,
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

impl<'a> Chain<'a> {
    /// The target and all its accepted revisions.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &'a str> {
        let messages = [self.target].into_iter().chain(self.revisions.clone());
        messages.map(|message| message.id.as_str())
    }
}

impl<'a> Picture<'a> {
    /// S4.01-S4.03: walks from the target as long as there is one successor and not more.
    pub(crate) fn chain(&self, target: &'a Message) -> Chain<'a> {
        let revises = |m: &&Message| m.field("target") == Some(&target.id);
        // one by anybody else counts for nothing.
        let pending = self.pending().filter(|m| m.act == "REVISE").filter(revises);
        let is_revisable = is_one_of(&target.act, REVISABLE);
        let known = pending.filter(|m| m.from == target.from && is_revisable);
        let mut chain = Chain {
            target,
            state: "original",
            head: &target.id,
            content: Some(&target.body),
            competing: Vec::new(),
            steps: Vec::new(),
            revisions: self.accepted("REVISE").filter(revises).collect(),
            pending: known.map(|m| m.id.as_str()).collect(),
        };
        loop {
            let mut successors = chain.revisions.clone();
            successors.retain(|m| m.field("previous") == Some(chain.head));
            if let [step] = successors.as_slice() {
                chain.head = &step.id;
                chain.content = step.replacement();
                let replaced = chain.content.is_some();
                chain.state = if replaced { "replaced" } else { "withdrawn" };
                chain.steps.push(step);
                continue;
            }
            if !successors.is_empty() {
                // S4.03: none is effective, whichever arrived first (T4.18).
                chain.state = "conflicted";
                chain.content = None;
                chain.competing = successors.iter().map(|m| m.id.as_str()).collect();
            }
            return chain;
        }
    }
}
