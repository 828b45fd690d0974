//! Which rows of the rule table (S3.05) an accepted message passed, and on what.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Ruling, Topic};
use crate::Code;
use crate::message::ReportState;
use crate::reduce::{Facts, Ix, Replacing, Revision, State, Version};

impl State {
    /// One ruling for each row that looked at this accepted message.
    pub(super) fn explain_rules(&self, ix: Ix, findings: &mut Vec<Ruling>) {
        let Some(version) = self.version(ix) else {
            return;
        };
        let mut passed = |clause, sentence: String, looked_at: Ix| {
            findings.push(Ruling {
                topic: Topic::Rule,
                code: None,
                clause,
                sentence,
                because: self.names([looked_at]),
                remedy: None,
            });
        };
        if let Some(terms) = version.terms() {
            passed(
                Code::RequestNotRequest.clause(),
                format!(
                    "it commits to `{}`, a REQUEST of its own thread",
                    self.name(terms.request)
                ),
                terms.request,
            );
        }
        if let Some(replaced) = version.replaces() {
            let name = self.name(replaced);
            passed(
                Code::ReplacesNotCommit.clause(),
                format!("`{name}`, which it replaces, is a COMMIT"),
                replaced,
            );
            passed(
                Code::ReplacesOtherRequester.clause(),
                format!("`{name}` answers a REQUEST by the same author"),
                replaced,
            );
        }
        if let Some((commitment, state)) = version.report() {
            let name = self.name(commitment);
            passed(
                Code::CommitmentNotCommit.clause(),
                format!("`{name}`, which it reports on, is a COMMIT"),
                commitment,
            );
            passed(
                Code::CommitmentOtherAuthor.clause(),
                format!("`{name}` is its author's own"),
                commitment,
            );
            if state == ReportState::Fulfilled {
                passed(
                    "R-07",
                    "it reports fulfilled, and some claim of it cites evidence".into(),
                    ix,
                );
            }
        }
        if let Some(revision) = version.revision() {
            self.explain_revision_rules(revision, passed);
        } else if let Facts::Decline { target } = &version.facts {
            passed(
                Code::TargetNotDeclinable.clause(),
                format!("`{}` can be declined", self.name(*target)),
                *target,
            );
        }
    }

    fn explain_revision_rules(
        &self,
        revision: &Revision,
        mut passed: impl FnMut(&'static str, String, Ix),
    ) {
        let target = self.name(revision.target);
        passed(
            Code::TargetOtherAuthor.clause(),
            format!("`{target}` is its author's own, and of an act that can be revised"),
            revision.target,
        );
        let place = if revision.previous == revision.target {
            "it revises the original".into()
        } else {
            format!(
                "it follows `{}`, a REVISE of the same target",
                self.name(revision.previous)
            )
        };
        passed(Code::PreviousNotInChain.clause(), place, revision.previous);
        if matches!(revision.change, Replacing::Replace(_)) {
            passed(
                Code::ReplacementInvalid.clause(),
                format!("its replacement could stand as the body of `{target}`"),
                revision.target,
            );
            if let Some((commitment, _)) = self.version(revision.target).and_then(Version::report) {
                passed(
                    Code::ReplacementOtherCommitment.clause(),
                    "its replacement reports on the same commitment".into(),
                    commitment,
                );
            }
        }
    }
}
