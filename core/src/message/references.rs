//! What a message refers to, and waits for (S3.01).

use super::{Body, Change, Content, Message, Reference};

/// A reference that gates: the message waits until what it names is settled (S3.01).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Gate<'m, 'a> {
    /// Where it stands in the message (RFC 6901).
    pub pointer: &'static str,
    /// The message that it names.
    pub to: &'m Reference<'a>,
}

impl<'a> Message<'a> {
    /// The references that gate whatever the state: `reply`, then those of the body in the order of
    /// the table of acts. At most three; two may name the same message.
    ///
    /// ```
    /// use tern_core::wire::{Limits, read};
    /// let bytes = br#"{"tern": "0.1", "id": "a:3", "from": "a", "to": ["b"], "thread": "t",
    ///     "reply": "b:2", "act": "ASK", "body": {"question": "Which?", "about": "b:1"}}"#;
    /// let parsed = read(bytes, &Limits::default()).unwrap();
    /// let gates: Vec<_> = parsed.message.references().map(|gate| (gate.pointer, gate.to.as_str())).collect();
    /// assert_eq!(gates, [("/reply", "b:2"), ("/body/about", "b:1")]);
    /// ```
    pub fn references(&self) -> impl Iterator<Item = Gate<'_, 'a>> {
        let reply = self.reply.as_ref().map(|to| Gate {
            pointer: "/reply",
            to,
        });
        reply.into_iter().chain(self.body.references())
    }
}

impl<'a> Body<'a> {
    /// The references of the body that gate whatever the state, the most telling first: of a REVISE
    /// the target comes before what it follows.
    pub fn references(&self) -> impl Iterator<Item = Gate<'_, 'a>> {
        let gate = |pointer, to| Some(Gate { pointer, to });
        let target = "/body/target";
        let [first, second] = match self {
            Self::Ask(ask) => [
                ask.about.as_ref().and_then(|to| gate("/body/about", to)),
                None,
            ],
            Self::Content(content) => {
                let pointer = match content {
                    Content::Tell(_) | Content::Propose(_) => "/body",
                    Content::Request(_) => "/body/replaces",
                    Content::Commit(_) => "/body/request",
                    Content::Report(_) => "/body/commitment",
                };
                [content.reference().and_then(|to| gate(pointer, to)), None]
            }
            Self::Challenge(challenge) => [gate(target, &challenge.target), None],
            Self::Revise(revise) => [
                gate(target, &revise.target),
                gate("/body/previous", &revise.previous),
            ],
            Self::Decline(decline) => [gate(target, &decline.target), None],
            Self::Ack(ack) => [gate(target, &ack.target), None],
        };
        first.into_iter().chain(second)
    }

    /// The reference inside the `replacement` of a REVISE. It gates from the moment that the target
    /// is known, provided that the replacement has the shape of the target's act (S3.01): so only a
    /// state can tell.
    #[must_use]
    pub fn reference_of_replacement(&self) -> Option<Gate<'_, 'a>> {
        let Self::Revise(revise) = self else {
            return None;
        };
        let Change::Replace(replacement) = &revise.change else {
            return None;
        };
        let content = replacement.content()?;
        let pointer = match content {
            Content::Tell(_) | Content::Propose(_) => "/body/replacement",
            Content::Request(_) => "/body/replacement/replaces",
            Content::Commit(_) => "/body/replacement/request",
            Content::Report(_) => "/body/replacement/commitment",
        };
        content.reference().map(|to| Gate { pointer, to })
    }
}

impl<'a> Content<'a> {
    /// Its own reference: `replaces`, `request` or `commitment`. No content has more than one.
    #[must_use]
    pub const fn reference(&self) -> Option<&Reference<'a>> {
        match self {
            Self::Tell(_) | Self::Propose(_) => None,
            Self::Request(request) => request.replaces.as_ref(),
            Self::Commit(commit) => Some(&commit.request),
            Self::Report(report) => Some(&report.commitment),
        }
    }
}
