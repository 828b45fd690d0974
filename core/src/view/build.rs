//! From a state to its canonical view.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use super::{
    Annotation, ChainStatus, ChainView, ChallengeView, CommitmentView, Id, ImpactView,
    MessageStatus, MessageView, ProposalView, Readiness, ReconcileView, RequestView, View,
};
use crate::Block;
use crate::commitment::Promise;
use crate::local::Judgement;
use crate::message::Act;
use crate::reduce::{Ix, Link, Sought, State, Status, Version};
use crate::revision::ChainState;
use crate::wire::Digest;

/// What the commitments on one request have in common, worked out once for all of them: anybody
/// can make both long.
pub(crate) struct RequestHistory {
    blocks: Vec<Block>,
    revisions: Sought,
}

impl RequestHistory {
    pub(crate) fn of(state: &State, request: Ix) -> Self {
        let reasons = state.request_reasons(request);
        Self {
            blocks: reasons.into_iter().map(|reason| reason.code).collect(),
            revisions: state.revisions_of(request),
        }
    }
}

impl State {
    /// The canonical view: a function of the set of identified messages and local facts (S7.01).
    ///
    /// Order plays a part in two places only: where an id has several contents, the one that came
    /// first stays the message (R-15, S7.02), and a quota refuses what comes when it is full.
    #[must_use]
    pub fn view(&self) -> View<'_> {
        let mut view = View {
            acknowledged: BTreeMap::new(),
            challenges: BTreeMap::new(),
            chains: BTreeMap::new(),
            commitments: BTreeMap::new(),
            context: Cow::Borrowed(self.context.id()),
            cycles: self.cycles(),
            equivocal: BTreeMap::new(),
            evidence: self
                .evidence
                .iter()
                .map(|(id, status)| (id.into(), status))
                .collect(),
            impacts: BTreeMap::new(),
            messages: BTreeMap::new(),
            proposals: BTreeMap::new(),
            reconcile: self.reconcile_view(),
            requests: BTreeMap::new(),
            tern_view: Cow::Borrowed(super::VERSION),
        };
        for ix in self.equivocal() {
            view.equivocal.insert(self.id(ix), self.kept_digests(ix));
        }
        let mut requests = BTreeMap::new();
        for ix in self.all_ids() {
            if let Some(version) = self.version(ix) {
                view.messages
                    .insert(self.id(ix), self.message_view(ix, version));
                if self.is_accepted(ix) {
                    self.view_accepted(ix, version, &mut requests, &mut view);
                }
            }
        }
        view.impacts.values_mut().for_each(sort_impacts);
        view
    }

    /// The entries that an accepted message has beyond `messages`.
    fn view_accepted<'s>(
        &'s self,
        ix: Ix,
        version: &Version,
        requests: &mut BTreeMap<Ix, RequestHistory>,
        view: &mut View<'s>,
    ) {
        if let Some(chain) = self.chain_view(ix, version) {
            view.chains.insert(self.id(ix), chain);
        }
        let acknowledged = self.acknowledged_view(ix);
        if !acknowledged.is_empty() {
            view.acknowledged.insert(self.id(ix), acknowledged);
        }
        match version.act() {
            Act::Request => {
                view.requests
                    .insert(self.id(ix), self.request_view(ix, version));
            }
            Act::Propose => {
                view.proposals.insert(self.id(ix), self.proposal_view(ix));
            }
            Act::Commit => {
                if let Some(promise) = self.promise(ix) {
                    let request = requests
                        .entry(promise.request)
                        .or_insert_with(|| RequestHistory::of(self, promise.request));
                    let commitment = self.commitment_view(promise, request);
                    view.commitments.insert(self.id(ix), commitment);
                }
            }
            Act::Challenge => {
                if let Some(challenge) = self.challenge_view(version) {
                    view.challenges.insert(self.id(ix), challenge);
                }
            }
            Act::Revise => {
                let impacts = version
                    .revision()
                    .into_iter()
                    .flat_map(|revision| &revision.impact);
                for &(commitment, assessment) in impacts {
                    let named = view.impacts.entry(self.id(commitment)).or_default();
                    let by = self.id(ix);
                    named.push(ImpactView { assessment, by });
                }
            }
            Act::Ask | Act::Tell | Act::Report | Act::Decline | Act::Ack => {}
        }
    }

    /// Who acknowledged an accepted message.
    pub(super) fn acknowledged_view(&self, ix: Ix) -> Vec<Id<'_>> {
        let acks = self.accepted_on(ix, Link::Ack);
        Id::sorted(acks.map(|ack| self.sender_name(ack)))
    }

    pub(super) fn request_view(&self, ix: Ix, version: &Version) -> RequestView<'_> {
        RequestView {
            committed_by: self.ids(self.accepted_on(ix, Link::Commit)),
            declined_by: self.ids(self.accepted_on(ix, Link::Decline)),
            replaces: version.replaces().map(|replaced| self.id(replaced)),
        }
    }

    pub(super) fn proposal_view(&self, ix: Ix) -> ProposalView<'_> {
        ProposalView {
            declined_by: self.ids(self.accepted_on(ix, Link::Decline)),
        }
    }

    pub(super) fn challenge_view(&self, version: &Version) -> Option<ChallengeView<'_>> {
        let (target, kind) = version.challenge()?;
        let target = self.id(target);
        Some(ChallengeView { kind, target })
    }

    /// The digests of the versions of an equivocal id.
    pub(super) fn kept_digests(&self, ix: Ix) -> Vec<Digest> {
        let mut digests: Vec<Digest> = self.versions(ix).map(|kept| kept.digest).collect();
        digests.sort_unstable();
        digests
    }

    pub(crate) fn message_view(&self, ix: Ix, version: &Version) -> MessageView<'_> {
        let (status, code) = match self.status(ix) {
            Status::Accepted { .. } => (MessageStatus::Accepted, None),
            Status::Rejected(code) => (MessageStatus::Rejected, Some(code)),
            Status::Pending { .. } | Status::Unknown => (MessageStatus::Pending, None),
        };
        MessageView {
            act: version.act(),
            code,
            digest: version.digest,
            from: Cow::Borrowed(self.sender_name(ix)),
            status,
            thread: Cow::Borrowed(self.thread_name(ix)),
            waiting_for: (status == MessageStatus::Pending).then(|| self.ids(self.waiting_for(ix))),
        }
    }

    /// The chain of an accepted message that has a revision or a known pending one.
    pub(crate) fn chain_view(&self, target: Ix, version: &Version) -> Option<ChainView<'_>> {
        let pending = self.ids(self.known_pending(target));
        let chain = self.revisions.chain(target);
        if pending.is_empty() && chain.is_none() {
            return None;
        }
        let head = self.revisions.head(target);
        let (state, competing) = match self.revisions.state(target) {
            ChainState::Original => (ChainStatus::Original, Vec::new()),
            ChainState::Replaced => (ChainStatus::Replaced, Vec::new()),
            ChainState::Withdrawn => (ChainStatus::Withdrawn, Vec::new()),
            ChainState::Conflicted { competing } => (ChainStatus::Conflicted, competing),
        };
        let content = match state {
            ChainStatus::Original => version.content,
            ChainStatus::Replaced => self.version(head).and_then(|step| step.content),
            ChainStatus::Withdrawn | ChainStatus::Conflicted => None,
        };
        let accepted = chain.into_iter().flat_map(|chain| chain.accepted());
        Some(ChainView {
            competing: self.ids(competing),
            content,
            head: self.id(head),
            pending,
            revisions: self.ids(accepted.copied()),
            state,
        })
    }

    /// All that is derived of a promise.
    pub(crate) fn commitment_view(
        &self,
        promise: Promise,
        request: &RequestHistory,
    ) -> CommitmentView<'_> {
        let commitment = promise.commitment;
        let assessment = self.assess(commitment);
        let disputed_by = self.ids(self.disputed_by(commitment));
        let superseded_by = self.ids(self.superseded_by(promise));
        let withdrawn = self.revisions.withdrawal(commitment).is_some();
        let disputed = withdrawn
            || !disputed_by.is_empty()
            || [Judgement::Mismatch, Judgement::Ambiguous]
                .into_iter()
                .any(|judgement| self.local.is_judged(commitment, judgement));
        let annotations = [
            (disputed, Annotation::Disputed),
            (!superseded_by.is_empty(), Annotation::Superseded),
            (withdrawn, Annotation::Withdrawn),
        ];
        let own = self.reasons_beyond_request(promise, &assessment);
        let own = own.into_iter().map(|reason| reason.code);
        let mut blocked_by: Vec<Block> = request.blocks.iter().copied().chain(own).collect();
        blocked_by.sort_unstable_by_key(|code| code.as_str());
        blocked_by.dedup();
        let terms = self.version(commitment).and_then(Version::terms);
        #[cfg(feature = "planted-faults")]
        let terms = self.terms_in_force(commitment).or(terms); // Fault::OfferReplacesTerms
        CommitmentView {
            annotations: annotations
                .into_iter()
                .filter_map(|(holds, annotation)| holds.then_some(annotation))
                .collect(),
            by: Cow::Borrowed(self.participants.name(promise.by)),
            candidates: self.ids(assessment.candidates),
            disputed_by,
            due: terms
                .and_then(|terms| terms.due.as_deref())
                .map(Cow::Borrowed),
            offers: self.ids(self.offers(commitment)),
            progress: assessment.progress,
            progress_cause: assessment.cause,
            reactivation_attempts: self.ids(assessment.reactivation_attempts),
            readiness: if blocked_by.is_empty() {
                Readiness::Ready
            } else {
                Readiness::Blocked
            },
            blocked_by,
            reports: self.ids(self.accepted_on(commitment, Link::Report)),
            request: self.id(promise.request),
            request_changed_by: self.ids(self.unknown_to(commitment, &request.revisions)),
            requester: Cow::Borrowed(self.participants.name(promise.requester)),
            superseded_by,
        }
    }

    pub(super) fn reconcile_view(&self) -> Vec<ReconcileView<'_>> {
        let mut entries: Vec<ReconcileView<'_>> = self
            .to_reconcile()
            .map(|entry| ReconcileView {
                action: entry.action.into(),
                // Sorted by `str`, which is the order of UTF-16 for these words.
                causes: entry.causes.into_iter().map(Cow::Borrowed).collect(),
                commitment: self.id(entry.commitment),
            })
            .collect();
        entries.sort_unstable_by(|one, other| {
            (&one.commitment, &one.action).cmp(&(&other.commitment, &other.action))
        });
        entries
    }

    /// The strongly connected components of more than one among the pending messages, and those
    /// that refer to themselves.
    pub(crate) fn cycles(&self) -> Vec<Vec<Id<'_>>> {
        let mut graph: DiGraph<Ix, ()> = DiGraph::new();
        let mut nodes = BTreeMap::new();
        if self.pending() == 0 {
            return Vec::new();
        }
        for ix in self.all_ids().filter(|&ix| self.is_pending(ix)) {
            nodes.insert(ix, graph.add_node(ix));
        }
        for (&ix, &node) in &nodes {
            for gate in self.gates(ix).iter() {
                if let Some(&other) = nodes.get(&gate) {
                    graph.add_edge(node, other, ());
                }
            }
        }
        let mut cycles: Vec<Vec<Id<'_>>> = kosaraju_scc(&graph)
            .into_iter()
            .filter(|component| match component.as_slice() {
                [alone] => graph.contains_edge(*alone, *alone),
                _ => true,
            })
            .map(|component| {
                self.ids(
                    component
                        .iter()
                        .filter_map(|&node| graph.node_weight(node).copied()),
                )
            })
            .collect();
        cycles.sort_unstable();
        cycles
    }

    pub(super) fn id(&self, ix: Ix) -> Id<'_> {
        self.name(ix).into()
    }

    fn ids(&self, list: impl IntoIterator<Item = Ix>) -> Vec<Id<'_>> {
        Id::sorted(list.into_iter().map(|ix| self.name(ix)))
    }
}

/// Puts what is said of one commitment in order, without repeats.
pub(super) fn sort_impacts(impacts: &mut Vec<ImpactView<'_>>) {
    impacts.sort_unstable_by(|one, other| {
        let key = |impact: &ImpactView<'_>| impact.assessment.as_str();
        one.by.cmp(&other.by).then_with(|| key(one).cmp(key(other)))
    });
    impacts.dedup();
}
