//! Why something stands as it does: each rule that applied, the messages that decided it and the
//! clause. For people; what is said here may be reworded, the codes and clauses may not.

mod answers;
mod rules;
mod topic;

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;
pub use topic::Topic;

use crate::commitment::{Cause, Progress, Promise};
use crate::message::Act;
use crate::reduce::{Ix, Link, State, Status};
use crate::revision::ChainState;
use crate::wire::sentence;
use crate::wire::utf16_cmp;

/// Everything that can be said about one id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Explanation {
    /// The id.
    pub id: String,
    /// Its act, if it is known.
    pub act: Option<Act>,
    /// What holds of it, the most general first.
    pub findings: Vec<Ruling>,
    /// The REVISEs that compete, in UTF-16 order, where its chain is conflicted.
    pub competing: Vec<String>,
}

/// One rule that applied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Ruling {
    /// What it is about.
    pub topic: Topic,
    /// The stable code, where the rule has one.
    pub code: Option<&'static str>,
    /// The clause of `spec/clauses.toml`.
    pub clause: &'static str,
    /// What holds, in one sentence.
    pub sentence: String,
    /// The messages that decided it, in UTF-16 order.
    pub because: Vec<String>,
    /// What would change it, if anything can.
    pub remedy: Option<&'static str>,
}

impl State {
    /// Why a message, and the promise that it may make, stands as it does. None for an id that
    /// nothing mentions.
    #[must_use]
    pub fn explain(&self, id: &str) -> Option<Explanation> {
        let ix = Ix(self.ids.find(id)?);
        let mut findings = Vec::new();
        self.explain_status(ix, &mut findings);
        let mut competing = Vec::new();
        if self.is_accepted(ix) {
            self.explain_rules(ix, &mut findings);
            self.explain_chain(ix, &mut findings, &mut competing);
            self.explain_part(ix, &mut findings);
            self.explain_answers(ix, &mut findings);
            if let Some(promise) = self.promise(ix) {
                self.explain_promise(promise, &mut findings);
            }
        }
        self.explain_reconcile(ix, &mut findings);
        for ruling in &mut findings {
            ruling.sentence = sentence(&ruling.sentence);
        }
        Some(Explanation {
            id: id.to_string(),
            act: self.act(ix),
            findings,
            competing,
        })
    }

    fn names(&self, list: impl IntoIterator<Item = Ix>) -> Vec<String> {
        let mut names: Vec<String> = list
            .into_iter()
            .map(|ix| self.name(ix).to_string())
            .collect();
        // As the view beside it orders them.
        names.sort_unstable_by(|one, other| utf16_cmp(one, other));
        names.dedup();
        names
    }

    fn explain_status(&self, ix: Ix, findings: &mut Vec<Ruling>) {
        let id = self.name(ix);
        let mut status = |code, clause, sentence, because, remedy| {
            findings.push(Ruling {
                topic: Topic::Status,
                code,
                clause,
                sentence,
                because,
                remedy,
            });
        };
        match self.status(ix) {
            Status::Unknown => {
                let waiting = self.names(self.linked(ix, Link::Gates));
                status(
                    None,
                    "S3.02",
                    format!("`{id}` is referred to, but no message of that id has arrived"),
                    waiting,
                    Some("deliver it"),
                );
            }
            Status::Pending { .. } => {
                let waiting = self.names(self.waiting_for(ix));
                match self.is_in_cycle(ix) {
                    true => status(
                        None,
                        "S3.04",
                        format!("`{id}` waits in a cycle of references and stays pending for ever"),
                        waiting,
                        Some("its author says it again under a fresh id"),
                    ),
                    false => status(
                        None,
                        "S3.02",
                        format!(
                            "`{id}` is pending: what it refers to is unknown or pending itself"
                        ),
                        waiting,
                        Some("deliver what it waits for"),
                    ),
                }
            }
            Status::Accepted { .. } => status(
                None,
                "S3.02",
                format!("`{id}` is accepted: everything it refers to is settled and no rule fails"),
                self.names(self.gates(ix).iter()),
                None,
            ),
            Status::Rejected(code) => {
                let failure = self.judge(ix).err();
                let sentence =
                    failure.map_or_else(String::new, |failure| self.failure_sentence(ix, failure));
                status(
                    Some(code.as_str()),
                    code.clause(),
                    format!("`{id}` is rejected: {sentence}"),
                    self.names(failure.map(|failure| failure.other)),
                    Some(code.hint()),
                );
            }
        }
        if self.is_equivocal(ix) {
            let versions = self.versions(ix).count();
            findings.push(Ruling {
                topic: Topic::Equivocal,
                code: Some("id_conflict"),
                clause: crate::Code::IdConflict.clause(),
                sentence: format!(
                    "`{id}` was used for {versions} different contents; the first one stays the message"
                ),
                because: Vec::new(),
                remedy: None,
            });
        } else if self.is_tainted(ix) {
            findings.push(Ruling {
                topic: Topic::Tainted,
                code: None,
                clause: "R-15",
                sentence: format!("`{id}` rests on an id with several contents"),
                because: self.names(self.gates(ix).iter().filter(|&gate| self.is_tainted(gate))),
                remedy: None,
            });
        }
    }

    fn explain_chain(&self, ix: Ix, findings: &mut Vec<Ruling>, competing: &mut Vec<String>) {
        let id = self.name(ix);
        let mut chain = |clause, sentence, because, remedy| {
            findings.push(Ruling {
                topic: Topic::Chain,
                code: None,
                clause,
                sentence,
                because,
                remedy,
            });
        };
        let head = self.revisions.head(ix);
        match self.revisions.state(ix) {
            ChainState::Original => {}
            ChainState::Replaced => chain(
                "S4.02",
                format!(
                    "`{id}` was replaced; its content is that of `{}`",
                    self.name(head)
                ),
                self.names(
                    self.revisions
                        .chain(ix)
                        .into_iter()
                        .flat_map(|chain| chain.undisputed()),
                ),
                None,
            ),
            ChainState::Withdrawn => chain(
                "S4.02",
                format!(
                    "`{id}` was withdrawn by `{}`; its history stays",
                    self.name(head)
                ),
                self.names([head]),
                None,
            ),
            ChainState::Conflicted { competing: found } => {
                *competing = self.names(found);
                chain(
                    "S4.03",
                    format!(
                        "{} revisions compete after `{}`: it has no effective content, and none wins by arriving first",
                        competing.len(),
                        self.name(head),
                    ),
                    competing.clone(),
                    Some("nothing clears it: say it again in a fresh message"),
                );
            }
        }
        let pending = self.names(self.known_pending(ix));
        if !pending.is_empty() {
            findings.push(Ruling {
                topic: Topic::Chain,
                code: None,
                clause: "R-09",
                sentence: format!("a revision of `{id}` by its author is known and waits"),
                because: pending,
                remedy: Some("deliver what it waits for"),
            });
        }
    }

    fn explain_promise(&self, promise: Promise, findings: &mut Vec<Ruling>) {
        let id = self.name(promise.commitment);
        let (by, requester) = (
            self.participants.name(promise.by),
            self.participants.name(promise.requester),
        );
        findings.push(Ruling {
            topic: Topic::Promise,
            code: None,
            clause: "A-COMMIT",
            sentence: format!(
                "`{by}` undertook this to `{requester}`; it permits nothing by itself"
            ),
            because: self.names([promise.request]),
            remedy: None,
        });
        let assessment = self.assess(promise.commitment);
        let (clause, sentence) = progress_sentence(assessment.progress, assessment.cause);
        findings.push(Ruling {
            topic: Topic::Progress,
            code: None,
            clause,
            sentence: sentence.into(),
            because: self.names(assessment.because.iter().copied()),
            remedy: None,
        });
        if !assessment.reactivation_attempts.is_empty() {
            findings.push(Ruling {
                topic: Topic::Progress,
                code: None,
                clause: "S5.07",
                sentence: "a later report tries to reopen a terminal state, which changes nothing"
                    .into(),
                because: self.names(assessment.reactivation_attempts.iter().copied()),
                remedy: Some("renewed work needs a fresh REQUEST and COMMIT"),
            });
        }
        let offers = self.names(self.offers(promise.commitment));
        if !offers.is_empty() {
            findings.push(Ruling {
                topic: Topic::Offer,
                code: None,
                clause: "S5.11",
                sentence: "its author offers other terms; the original terms stay outstanding"
                    .into(),
                because: offers,
                remedy: Some(
                    "the requester sends a REQUEST that replaces it, then its author a COMMIT",
                ),
            });
        }
        let changed =
            self.names(self.unknown_to(promise.commitment, &self.revisions_of(promise.request)));
        if !changed.is_empty() {
            findings.push(Ruling {
                topic: Topic::Request,
                code: None,
                clause: "R-14",
                sentence: "the request was revised without the commitment knowing; its terms stay"
                    .into(),
                because: changed,
                remedy: None,
            });
        }
        let disputed = self.names(self.disputed_by(promise.commitment));
        if !disputed.is_empty() {
            findings.push(Ruling {
                topic: Topic::Dispute,
                code: None,
                clause: "S5.10",
                sentence: "it is disputed, which blocks nothing by itself".into(),
                because: disputed,
                remedy: None,
            });
        }
        let reasons = self.reasons(promise, &assessment);
        if reasons.is_empty() {
            findings.push(Ruling {
                topic: Topic::Ready,
                code: None,
                clause: "S6.02",
                sentence: format!("nothing blocks `{id}`: it may be acted on"),
                because: Vec::new(),
                remedy: None,
            });
        }
        for reason in reasons {
            let detail = if reason.detail.is_empty() {
                String::new()
            } else {
                format!(": {}", reason.detail)
            };
            findings.push(Ruling {
                topic: Topic::Blocked,
                code: Some(reason.code.as_str()),
                clause: reason.code.clause(),
                sentence: format!("{}{detail}", reason.code.sentence()),
                because: self.names(reason.because),
                remedy: Some(reason.code.hint()),
            });
        }
    }
}

fn progress_sentence(progress: Progress, cause: Option<Cause>) -> (&'static str, &'static str) {
    match (progress, cause) {
        (Progress::None, _) => ("S5.06", "its author has reported nothing that stands"),
        (Progress::Active, _) => ("S5.06", "its author reports it active"),
        (Progress::Blocked, _) => ("S5.06", "its author reports it blocked"),
        (Progress::Fulfilled, _) => (
            "S5.04",
            "its author reports it fulfilled: an assessment, not a verified fact",
        ),
        (Progress::Failed, _) => ("S5.04", "its author reports it failed"),
        (Progress::Unresolved, Some(Cause::Contradictory)) => (
            "S5.04",
            "it is reported both fulfilled and failed, so its progress is unresolved",
        ),
        (Progress::Unresolved, Some(Cause::Conflict)) => (
            "S5.05",
            "a report of it is in conflict and no later report knows of that: unresolved",
        ),
        (Progress::Unresolved, Some(Cause::Invalidated)) => (
            "S5.05",
            "a terminal report was taken back and no later report knows of that: unresolved",
        ),
        (Progress::Unresolved, _) => (
            "S5.06",
            "its last reports differ and neither knew of the other: unresolved",
        ),
    }
}
