//! What a message refers to, field by field (A-REFERENCE).

use tern_core::Message;
use tern_core::message::{Body, Change, Content};

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
    let mut found = Vec::new();
    let mut note = |field, to: &'m str, gates| found.push(Mention { field, to, gates });
    if let Some(reply) = &message.reply {
        note("reply", reply.as_str(), true);
    }
    match &message.body {
        Body::Ask(ask) => {
            if let Some(about) = &ask.about {
                note("about", about.as_str(), true);
            }
        }
        Body::Content(content) => {
            if let Some((field, to)) = of_content(content) {
                note(field, to, true);
            }
        }
        Body::Challenge(challenge) => note("target", challenge.target.as_str(), true),
        Body::Revise(revise) => {
            note("target", revise.target.as_str(), true);
            note("previous", revise.previous.as_str(), true);
            if let Change::Replace(replacement) = &revise.change
                && let Some(content) = replacement.content()
            {
                let field = match content {
                    Content::Request(_) => "replacement/replaces",
                    Content::Commit(_) => "replacement/request",
                    _ => "replacement/commitment",
                };
                if let Some((_, to)) = of_content(content) {
                    note(field, to, true);
                }
            }
            for impact in &revise.impact {
                note("impact", impact.commitment.as_str(), false);
            }
        }
        Body::Decline(decline) => note("target", decline.target.as_str(), true),
        Body::Ack(ack) => note("target", ack.target.as_str(), true),
    }
    found
}

fn of_content<'m>(content: &'m Content<'_>) -> Option<(&'static str, &'m str)> {
    match content {
        Content::Tell(_) | Content::Propose(_) => None,
        Content::Request(request) => {
            let replaced = request.replaces.as_ref()?;
            Some(("replaces", replaced.as_str()))
        }
        Content::Commit(commit) => Some(("request", commit.request.as_str())),
        Content::Report(report) => Some(("commitment", report.commitment.as_str())),
    }
}
