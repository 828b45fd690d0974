//! May a commitment be acted on, and every reason why not (S6.02).

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::Block;
use crate::commitment::{Assessment, Progress, Promise};
use crate::local::{Granted, Judgement};
use crate::message::Text;
use crate::reduce::{Ix, Link, State, Terms, Version};

/// One reason why a commitment may not be acted on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reason {
    pub(crate) code: Block,
    /// The messages that decided it; none where local facts did.
    pub(crate) because: Vec<Ix>,
    /// What there is to say beyond the messages.
    pub(crate) detail: String,
}

impl State {
    /// Every reason that blocks the commitment; empty where it is ready.
    pub(crate) fn reasons(&self, promise: Promise, assessment: &Assessment) -> Vec<Reason> {
        let mut reasons = self.request_reasons(promise.request);
        reasons.extend(self.reasons_beyond_request(promise, assessment));
        reasons
    }

    /// Those that lie not in the history of its request.
    pub(crate) fn reasons_beyond_request(
        &self,
        promise: Promise,
        assessment: &Assessment,
    ) -> Vec<Reason> {
        let mut reasons = self.commitment_reasons(promise);
        self.progress_reasons(promise, assessment, &mut reasons);
        let terms = self.version(promise.commitment).and_then(Version::terms);
        #[cfg(feature = "planted-faults")]
        let terms = self.terms_in_force(promise.commitment).or(terms); // Fault::OfferReplacesTerms
        if let Some(terms) = terms {
            self.authority_reasons(promise, terms, &mut reasons);
            self.local_reasons(promise, terms, &mut reasons);
        }
        reasons
    }

    /// The reasons in the history of a request. They block every commitment on it, and ask for
    /// reconciliation when they show after an action was started.
    pub(crate) fn request_reasons(&self, request: Ix) -> Vec<Reason> {
        let mut reasons = Vec::new();
        let mut block = |code, because| block(&mut reasons, code, because);
        block(Block::RequestConflicted, self.competing(request));
        block(
            Block::RequestRevisionPending,
            self.known_pending(request).collect(),
        );
        block(Block::RequestEquivocal, self.tainted_at(request));
        if self.revisions.ends_withdrawn(request) {
            block(Block::RequestWithdrawn, vec![self.revisions.head(request)]);
        }
        reasons
    }

    /// The same of the commitment itself.
    pub(crate) fn commitment_reasons(&self, promise: Promise) -> Vec<Reason> {
        let mut reasons = Vec::new();
        let commitment = promise.commitment;
        let mut block = |code, because| block(&mut reasons, code, because);
        block(Block::CommitmentConflicted, self.competing(commitment));
        block(
            Block::CommitmentRevisionPending,
            self.known_pending(commitment).collect(),
        );
        let mut equivocal = self.tainted_at(commitment);
        equivocal.extend(self.tainted_supersessions(promise));
        block(Block::CommitmentEquivocal, equivocal);
        block(
            Block::SupersessionPending,
            self.pending_supersessions(promise),
        );
        if let Some(step) = self.revisions.withdrawal(commitment) {
            block(Block::CommitmentWithdrawn, vec![step]);
        }
        block(Block::Superseded, self.superseded_by(promise));
        reasons
    }

    /// The competing successors of a conflicted chain.
    fn competing(&self, target: Ix) -> Vec<Ix> {
        if self.revisions.is_conflicted(target) {
            let head = self.revisions.head(target);
            self.revisions.successors(head).collect()
        } else {
            Vec::new()
        }
    }

    /// Pending REVISEs of a message by its own author, where it can be revised at all.
    pub(crate) fn known_pending(&self, target: Ix) -> impl Iterator<Item = Ix> + '_ {
        let revisable = self
            .version(target)
            .is_some_and(|version| version.content().is_some());
        self.pending_on(target, Link::Revise)
            .filter(move |&revise| revisable && self.sender(revise) == self.sender(target))
    }

    /// The id itself if it is tainted, and tainted ids with a version that revises it by its author.
    fn tainted_at(&self, target: Ix) -> Vec<Ix> {
        let revisions = self
            .linked(target, Link::Revise)
            .filter(|&revise| self.sender(revise) == self.sender(target));
        core::iter::once(target)
            .chain(revisions)
            .filter(|&ix| self.is_tainted(ix))
            .collect()
    }

    /// Tainted ids of an exchange that might supersede the commitment: a COMMIT version by its
    /// author that names a request with a REQUEST version by its requester that replaces it.
    fn tainted_supersessions(&self, promise: Promise) -> Vec<Ix> {
        let mut tainted = Vec::new();
        for request in self.linked(promise.commitment, Link::Replace) {
            if self.sender(request) != promise.requester {
                continue;
            }
            for commit in self.linked(request, Link::Commit) {
                if self.sender(commit) == promise.by {
                    tainted.extend(
                        [request, commit]
                            .into_iter()
                            .filter(|&ix| self.is_tainted(ix)),
                    );
                }
            }
        }
        tainted
    }

    /// Pending COMMITs by its author on an identified REQUEST by its requester that replaces it.
    fn pending_supersessions(&self, promise: Promise) -> Vec<Ix> {
        self.linked(promise.commitment, Link::Replace)
            .filter(|&request| {
                self.sender(request) == promise.requester
                    && self.version(request).and_then(Version::replaces) == Some(promise.commitment)
            })
            .flat_map(|request| self.pending_on(request, Link::Commit))
            .filter(|&commit| self.sender(commit) == promise.by)
            .collect()
    }

    fn progress_reasons(
        &self,
        promise: Promise,
        assessment: &Assessment,
        reasons: &mut Vec<Reason>,
    ) {
        let code = match assessment.progress {
            Progress::Fulfilled | Progress::Failed => Some(Block::Terminal),
            Progress::Blocked => Some(Block::ReportedBlocked),
            Progress::Unresolved => Some(Block::ProgressUnresolved),
            Progress::None | Progress::Active => None,
        };
        reasons.extend(code.map(|code| Reason {
            code,
            because: assessment.because.clone(),
            detail: String::new(),
        }));
        let mut pending: Vec<Ix> = self
            .pending_on(promise.commitment, Link::Report)
            .filter(|&report| self.sender(report) == promise.by)
            .collect();
        let mut tainted = Vec::new();
        for report in self.linked(promise.commitment, Link::Report) {
            if self.sender(report) != promise.by {
                continue;
            }
            let is_accepted_report = self
                .accepted(report)
                .and_then(Version::report)
                .is_some_and(|(commitment, _)| commitment == promise.commitment);
            if is_accepted_report {
                pending.extend(self.known_pending(report));
            }
            tainted.extend(self.tainted_at(report));
        }
        for (code, because) in [
            (Block::ReportPending, pending),
            (Block::ReportEquivocal, tainted),
        ] {
            if !because.is_empty() {
                reasons.push(Reason {
                    code,
                    because,
                    detail: String::new(),
                });
            }
        }
    }

    /// Grants and permits. Only local facts are looked at: no message can make one (T5.03).
    fn authority_reasons(&self, promise: Promise, terms: &Terms, reasons: &mut Vec<Reason>) {
        let mut block = |code, detail: String| {
            reasons.push(Reason {
                code,
                because: Vec::new(),
                detail,
            });
        };
        let Some(reference) = terms.authority_ref.as_deref() else {
            if !self.local.is_permitted(promise.commitment) {
                block(
                    Block::NoAuthority,
                    "it names no grant, and no local permit names it".into(),
                );
            }
            return;
        };
        if self.local.is_revoked(reference) {
            block(Block::GrantRevoked, format!("grant `{reference}`"));
        }
        let Some(granted) = self.local.granted(reference) else {
            block(Block::GrantUnknown, format!("grant `{reference}`"));
            return;
        };
        let principal = self
            .context
            .principal_of(self.participants.name(promise.by));
        for code in self.insufficiencies(granted, terms, principal) {
            block(code, format!("grant `{reference}`"));
        }
    }

    /// What the grant records under one reference lack. All must suffice.
    fn insufficiencies(
        &self,
        granted: &Granted,
        terms: &Terms,
        principal: Option<&str>,
    ) -> impl Iterator<Item = Block> {
        let now = self.local.now();
        let Granted {
            not_before,
            expires,
            ..
        } = granted;
        let bounded = not_before.is_some() || expires.is_some();
        let early = matches!((now, not_before), (Some(now), Some(from)) if now < from);
        let late = matches!((now, expires), (Some(now), Some(until)) if now >= until);
        let narrow = granted
            .actions
            .as_ref()
            .is_some_and(|actions| !actions.contains(&*terms.action));
        let same = principal.is_some() && principal == granted.principal.as_ref().map(Text::as_str);
        [
            (!same, Block::GrantOtherPrincipal),
            (narrow, Block::GrantTooNarrow),
            (early, Block::GrantNotYetValid),
            (late, Block::GrantExpired),
            (bounded && now.is_none(), Block::ClockUnknown),
        ]
        .into_iter()
        .filter_map(|(holds, code)| holds.then_some(code))
    }

    /// Approvals, conditions and judgements.
    fn local_reasons(&self, promise: Promise, terms: &Terms, reasons: &mut Vec<Reason>) {
        let commitment = promise.commitment;
        let mut block = |code, detail: String| {
            reasons.push(Reason {
                code,
                because: Vec::new(),
                detail,
            });
        };
        if self.local.lacks_approval(commitment) {
            block(
                Block::ApprovalMissing,
                "an approval is required and none is on record".into(),
            );
        }
        if let Some((unconfirmed, first)) = self.local.unconfirmed(commitment, terms.conditions) {
            block(
                Block::ConditionUnconfirmed,
                format!(
                    "{unconfirmed} of {} conditions, the first is number {first}",
                    terms.conditions
                ),
            );
        }
        for (judgement, code) in [
            (Judgement::Mismatch, Block::TermsMismatch),
            (Judgement::Ambiguous, Block::TermsAmbiguous),
        ] {
            if self.local.is_judged(commitment, judgement) {
                block(code, "by a local judge".into());
            }
        }
    }
}

/// A reason that messages give, if there are any.
fn block(reasons: &mut Vec<Reason>, code: Block, because: Vec<Ix>) {
    if !because.is_empty() {
        reasons.push(Reason {
            code,
            because,
            detail: String::new(),
        });
    }
}
