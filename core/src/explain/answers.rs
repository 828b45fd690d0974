//! What others said of a message, the part it plays for others, and what was acted on too early.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Ruling, Topic};
use crate::message::Act;
use crate::reduce::{Ix, Link, State};
use crate::revision::ChainState;

impl State {
    /// The part that a REVISE plays in its chain, and a REPORT in its commitment's progress.
    pub(super) fn explain_part(&self, ix: Ix, findings: &mut Vec<Ruling>) {
        let Some(version) = self.version(ix) else {
            return;
        };
        let ruling = |topic, clause, sentence, because| Ruling {
            topic,
            code: None,
            clause,
            sentence,
            because,
            remedy: None,
        };
        if let Some(revision) = version.revision() {
            let target = revision.target;
            let name = self.name(target);
            let is_step = self
                .revisions
                .chain(target)
                .is_some_and(|chain| chain.undisputed().any(|step| step == ix));
            let mut rivals = match self.revisions.state(target) {
                ChainState::Conflicted { competing } => competing,
                _ => Vec::new(),
            };
            findings.push(if is_step {
                let sentence = format!("it is an undisputed step in the chain of `{name}`");
                ruling(Topic::Revision, "S4.01", sentence, self.names([target]))
            } else if rivals.contains(&ix) {
                rivals.retain(|&rival| rival != ix);
                let sentence =
                    format!("it competes in the chain of `{name}`: none wins by arriving first");
                ruling(Topic::Revision, "S4.03", sentence, self.names(rivals))
            } else {
                let sentence =
                    format!("it hangs below a fork in the chain of `{name}` and decides nothing");
                ruling(Topic::Revision, "S4.03", sentence, self.names(rivals))
            });
        }
        if let Some((commitment, _)) = version.report() {
            let sentence = match self.effective_assessment(ix) {
                Some(state) => format!(
                    "its assessment of `{}` is `{}`",
                    self.name(commitment),
                    state.as_str()
                ),
                None => format!(
                    "it gives no assessment of `{}`: withdrawn, in conflict, or of an id with several contents",
                    self.name(commitment)
                ),
            };
            let chain = self.revisions.chain(ix).into_iter();
            let because = self.names(chain.flat_map(|chain| chain.accepted().iter().copied()));
            findings.push(ruling(Topic::Assessment, "S5.02", sentence, because));
        }
    }

    /// Who promised, declined, acknowledged, disputed or assessed it. All of it is on record; none
    /// of it decides by itself.
    pub(super) fn explain_answers(&self, ix: Ix, findings: &mut Vec<Ruling>) {
        let mut answer = |topic, clause, sentence: &str, because: Vec<String>| {
            if !because.is_empty() {
                findings.push(Ruling {
                    topic,
                    code: None,
                    clause,
                    sentence: sentence.to_owned(),
                    because,
                    remedy: None,
                });
            }
        };
        answer(
            Topic::Answer,
            "T2.12",
            "somebody undertook it, each for themselves",
            self.names(self.accepted_on(ix, Link::Commit)),
        );
        answer(
            Topic::Answer,
            "A-DECLINE",
            "somebody declined it, each for themselves",
            self.names(self.accepted_on(ix, Link::Decline)),
        );
        answer(
            Topic::Answer,
            "T2.09",
            "it was received, which is no agreement",
            self.names(self.accepted_on(ix, Link::Ack)),
        );
        if self.act(ix) != Some(Act::Commit) {
            // Of a commitment the dispute is wider (S5.10), and told with the promise.
            answer(
                Topic::Dispute,
                "A-CHALLENGE",
                "it is disputed, which overwrites nothing",
                self.names(self.accepted_on(ix, Link::Challenge)),
            );
        }
    }

    /// Actions that were started on this id and that the history speaks against.
    pub(super) fn explain_reconcile(&self, ix: Ix, findings: &mut Vec<Ruling>) {
        for entry in self.to_reconcile().filter(|entry| entry.commitment == ix) {
            let causes: Vec<&str> = entry.causes.into_iter().collect();
            findings.push(Ruling {
                topic: Topic::Reconcile,
                code: None,
                clause: "S6.23",
                sentence: format!(
                    "action `{}` was started, and this speaks against it: {}",
                    entry.action,
                    causes.join(", ")
                ),
                because: Vec::new(),
                remedy: Some(
                    "settle with everybody concerned what to do about it, then record `reconciled`",
                ),
            });
        }
    }
}
