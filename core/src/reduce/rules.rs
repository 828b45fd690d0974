//! The table of rules (S3.05). It looks only at immutable facts: author, act, thread,
//! structure; so a verdict depends on the set of messages and not on their order.

use alloc::format;
use alloc::string::String;

use super::State;
use super::ids::Ix;
use super::record::{ContentFacts, Facts, Replacing, Revision, Status, Version};
use crate::Code;
use crate::message::{Act, Message, ReportState};
use crate::planted::{self, Fault};
use crate::wire::Rejection;

/// The first rule that failed, and what it failed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) code: Code,
    /// Where in the message.
    pub(crate) pointer: &'static str,
    /// The message that the rule looked at.
    pub(crate) other: Ix,
}

impl State {
    /// The verdict on a known message whose gating references are all settled.
    pub(crate) fn judge(&self, ix: Ix) -> Result<(), Failure> {
        let Some(version) = self.version(ix) else {
            return Ok(());
        };
        if let Some(other) = self
            .gates(ix)
            .iter()
            .find(|&gate| matches!(self.status(gate), Status::Rejected(_)))
        {
            return Err(Failure {
                code: Code::ReferenceRejected,
                pointer: self.pointer_to(version, other),
                other,
            });
        }
        match &version.facts {
            Facts::Ask { .. } | Facts::Challenge { .. } | Facts::Ack { .. } => Ok(()),
            Facts::Content(content) => {
                self.judge_content(*content, self.sender(ix), version.thread)
            }
            Facts::Commit(terms) => {
                let content = ContentFacts::Commit {
                    request: terms.request,
                };
                self.judge_content(content, self.sender(ix), version.thread)
            }
            Facts::Revise(revision) => self.judge_revision(revision, self.sender(ix)),
            Facts::Decline { target } => match self.act(*target) {
                Some(Act::Request | Act::Propose) => Ok(()),
                _ => fail(Code::TargetNotDeclinable, "/body/target", *target),
            },
        }
    }

    /// The rows of COMMIT, REQUEST and REPORT, for content by `author` in `thread`.
    fn judge_content(
        &self,
        content: ContentFacts,
        author: u32,
        thread: u32,
    ) -> Result<(), Failure> {
        match content {
            ContentFacts::Tell
            | ContentFacts::Propose
            | ContentFacts::Request { replaces: None } => Ok(()),
            ContentFacts::Commit { request } => match self.version(request) {
                Some(other) if other.act() == Act::Request => {
                    if other.thread == thread || planted::is(Fault::CrossThreadCommit) {
                        Ok(())
                    } else {
                        fail(Code::RequestOtherThread, "/body/request", request)
                    }
                }
                _ => fail(Code::RequestNotRequest, "/body/request", request),
            },
            ContentFacts::Request {
                replaces: Some(replaced),
            } => match self.version(replaced).and_then(Version::terms) {
                Some(terms) if self.sender(terms.request) == author => Ok(()),
                Some(_) => fail(Code::ReplacesOtherRequester, "/body/replaces", replaced),
                None => fail(Code::ReplacesNotCommit, "/body/replaces", replaced),
            },
            ContentFacts::Report {
                commitment,
                state,
                cites,
            } => {
                if self.act(commitment) != Some(Act::Commit) {
                    fail(Code::CommitmentNotCommit, "/body/commitment", commitment)
                } else if self.sender(commitment) != author {
                    fail(Code::CommitmentOtherAuthor, "/body/commitment", commitment)
                } else if state == ReportState::Fulfilled && !cites {
                    fail(Code::FulfilledWithoutEvidence, "/body/claims", commitment)
                } else {
                    Ok(())
                }
            }
        }
    }

    /// The rows of REVISE.
    fn judge_revision(&self, revision: &Revision, author: u32) -> Result<(), Failure> {
        let target = revision.target;
        let Some((version, original)) = self
            .version(target)
            .and_then(|version| Some((version, version.content()?)))
        else {
            return fail(Code::TargetNotRevisable, "/body/target", target);
        };
        if self.sender(target) != author && !planted::is(Fault::ReviseOfOthers) {
            return fail(Code::TargetOtherAuthor, "/body/target", target);
        }
        let previous = revision.previous;
        let in_chain = previous == target
            || self
                .version(previous)
                .and_then(Version::revision)
                .is_some_and(|before| before.target == target);
        if !in_chain {
            return fail(Code::PreviousNotInChain, "/body/previous", previous);
        }
        let replacement = match revision.change {
            Replacing::Withdraw => return Ok(()),
            Replacing::Replace(content) => content,
        };
        if planted::is(Fault::ReplacementUnchecked) {
            return Ok(());
        }
        let invalid = fail(Code::ReplacementInvalid, "/body/replacement", target);
        let Some(content) = replacement.filter(|content| content.act() == original.act()) else {
            return invalid;
        };
        if self
            .judge_content(content, self.sender(target), version.thread)
            .is_err()
        {
            return invalid;
        }
        match (content, original) {
            (
                ContentFacts::Report { commitment, .. },
                ContentFacts::Report {
                    commitment: before, ..
                },
            ) if commitment != before => fail(
                Code::ReplacementOtherCommitment,
                "/body/replacement/commitment",
                commitment,
            ),
            _ => Ok(()),
        }
    }

    /// The field of a message by which it names `other`.
    pub(crate) fn pointer_to(&self, version: &Version, other: Ix) -> &'static str {
        if version.reply == Some(other) {
            return "/reply";
        }
        match &version.facts {
            Facts::Ask { .. } => "/body/about",
            Facts::Content(content) => match content.act() {
                Act::Request => "/body/replaces",
                _ => "/body/commitment",
            },
            Facts::Commit(_) => "/body/request",
            Facts::Challenge { .. } | Facts::Decline { .. } | Facts::Ack { .. } => "/body/target",
            Facts::Revise(revision) if revision.target == other => "/body/target",
            Facts::Revise(revision) if revision.previous == other => "/body/previous",
            Facts::Revise(revision) => match self.gating_replacement(revision) {
                Some(ContentFacts::Request { .. }) => "/body/replacement/replaces",
                Some(ContentFacts::Commit { .. }) => "/body/replacement/request",
                Some(ContentFacts::Report { .. }) => "/body/replacement/commitment",
                _ => "/body/replacement",
            },
        }
    }

    /// Why a message was rejected at stage 6, in one sentence.
    pub(crate) fn failure_sentence(&self, ix: Ix, failure: Failure) -> String {
        let author = self.sender_name(ix);
        let other = self.name(failure.other);
        let other_author = self.sender_name(failure.other);
        let other_act = self.act(failure.other).map_or("unknown", Act::as_str);
        match failure.code {
            Code::ReferenceRejected => format!("`{other}` was rejected, so nothing can rest on it"),
            Code::RequestNotRequest => format!("`{other}` is {other_act}, not a REQUEST"),
            Code::RequestOtherThread => format!(
                "request `{other}` is in thread `{}`, not in `{}`",
                self.thread_name(failure.other),
                self.thread_name(ix),
            ),
            Code::ReplacesNotCommit | Code::CommitmentNotCommit => {
                format!("`{other}` is {other_act}, not a COMMIT")
            }
            Code::ReplacesOtherRequester => {
                let requester = self
                    .version(failure.other)
                    .and_then(Version::terms)
                    .map_or("another", |terms| self.sender_name(terms.request));
                format!(
                    "commitment `{other}` was requested by `{requester}`; `{author}` may not replace it"
                )
            }
            Code::CommitmentOtherAuthor => format!(
                "commitment `{other}` is by `{other_author}`; `{author}` may not report on it"
            ),
            Code::FulfilledWithoutEvidence => {
                format!("`{other}` is reported fulfilled, but no claim cites evidence")
            }
            Code::TargetNotRevisable => {
                format!("`{other}` is {other_act}, which cannot be revised")
            }
            Code::TargetOtherAuthor => {
                format!("`{other}` is by `{other_author}`; `{author}` may not revise it")
            }
            Code::PreviousNotInChain => {
                format!("`{other}` is neither the target nor a revision of it")
            }
            Code::ReplacementInvalid => {
                format!("the replacement could not stand as the {other_act} `{other}`")
            }
            Code::ReplacementOtherCommitment => {
                format!("the replacement reports on `{other}`, the target on another commitment")
            }
            Code::TargetNotDeclinable => {
                format!("`{other}` is {other_act}; only a REQUEST or a PROPOSE is declined")
            }
            other => format!("rejected as {other}"),
        }
    }

    pub(crate) fn thread_name(&self, ix: Ix) -> &str {
        self.version(ix)
            .map_or("", |version| self.threads.name(version.thread))
    }

    /// The rejection of a message that stage 6 settled, located in its bytes.
    pub(super) fn rejection(&self, ix: Ix, bytes: &[u8]) -> Rejection {
        // A rejected message fails the same rule whenever it is judged again: facts never change.
        let failure = self.judge(ix).err().unwrap_or(Failure {
            code: Code::ReferenceRejected,
            pointer: "",
            other: ix,
        });
        Rejection::locate(
            bytes,
            failure.code,
            failure.pointer,
            self.failure_sentence(ix, failure),
        )
    }

    pub(super) fn identity_sentence(
        &self,
        code: Code,
        message: &Message<'_>,
        principal: Option<&str>,
    ) -> (&'static str, String) {
        let from = message.from.as_str();
        let context = self.context.id();
        match code {
            Code::IdNotOfSender => (
                "/id",
                format!("id `{}` does not begin with `{from}:`", message.id),
            ),
            Code::SenderUnbound => (
                "/from",
                format!("context `{context}` binds no participant `{from}`"),
            ),
            Code::PrincipalMissing => (
                "/from",
                format!("`{from}` is bound to a principal, but the channel authenticated nobody"),
            ),
            _ => (
                "/from",
                format!(
                    "`{from}` is bound to `{}`, but the channel authenticated `{}`",
                    self.context.principal_of(from).unwrap_or_default(),
                    principal.unwrap_or_default(),
                ),
            ),
        }
    }
}

fn fail(code: Code, pointer: &'static str, other: Ix) -> Result<(), Failure> {
    Err(Failure {
        code,
        pointer,
        other,
    })
}
