//! Letting go of the state that a view was made of.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::{
    ChainView, ChallengeView, CommitmentView, Id, ImpactView, MessageView, ProposalView,
    ReconcileView, RequestView, View,
};

impl View<'_> {
    /// The same view, borrowing nothing: it can be kept while the state goes on.
    ///
    /// ```
    /// use tern_core::{Context, Delivery, Limits, State};
    /// let mut state = State::new(Context::unverified(), Limits::default());
    /// let before = state.view().into_owned();
    /// let _ = state.deliver(&Delivery::new(b"not a message".as_slice(), None));
    /// assert_eq!(state.view(), before);
    /// ```
    #[must_use]
    pub fn into_owned(self) -> View<'static> {
        View {
            acknowledged: map(self.acknowledged, ids),
            chains: map(self.chains, ChainView::into_owned),
            challenges: map(self.challenges, ChallengeView::into_owned),
            commitments: map(self.commitments, CommitmentView::into_owned),
            context: text(self.context),
            cycles: self.cycles.into_iter().map(ids).collect(),
            equivocal: map(self.equivocal, |digests| digests),
            evidence: map(self.evidence, |status| status),
            impacts: map(self.impacts, |impacts| {
                impacts.into_iter().map(ImpactView::into_owned).collect()
            }),
            messages: map(self.messages, MessageView::into_owned),
            proposals: map(self.proposals, ProposalView::into_owned),
            reconcile: self
                .reconcile
                .into_iter()
                .map(ReconcileView::into_owned)
                .collect(),
            requests: map(self.requests, RequestView::into_owned),
            tern_view: text(self.tern_view),
        }
    }
}

impl MessageView<'_> {
    /// The same entry, borrowing nothing.
    #[must_use]
    pub fn into_owned(self) -> MessageView<'static> {
        MessageView {
            act: self.act,
            code: self.code,
            digest: self.digest,
            from: text(self.from),
            status: self.status,
            thread: text(self.thread),
            waiting_for: self.waiting_for.map(ids),
        }
    }
}

impl ChainView<'_> {
    /// The same entry, borrowing nothing.
    #[must_use]
    pub fn into_owned(self) -> ChainView<'static> {
        ChainView {
            competing: ids(self.competing),
            content: self.content,
            head: self.head.into_owned(),
            pending: ids(self.pending),
            revisions: ids(self.revisions),
            state: self.state,
        }
    }
}

impl RequestView<'_> {
    /// The same entry, borrowing nothing.
    #[must_use]
    pub fn into_owned(self) -> RequestView<'static> {
        RequestView {
            committed_by: ids(self.committed_by),
            declined_by: ids(self.declined_by),
            replaces: self.replaces.map(Id::into_owned),
        }
    }
}

impl ProposalView<'_> {
    /// The same entry, borrowing nothing.
    #[must_use]
    pub fn into_owned(self) -> ProposalView<'static> {
        ProposalView {
            declined_by: ids(self.declined_by),
        }
    }
}

impl CommitmentView<'_> {
    /// The same entry, borrowing nothing.
    #[must_use]
    pub fn into_owned(self) -> CommitmentView<'static> {
        CommitmentView {
            annotations: self.annotations,
            blocked_by: self.blocked_by,
            by: text(self.by),
            candidates: ids(self.candidates),
            disputed_by: ids(self.disputed_by),
            due: self.due.map(text),
            offers: ids(self.offers),
            progress: self.progress,
            progress_cause: self.progress_cause,
            reactivation_attempts: ids(self.reactivation_attempts),
            readiness: self.readiness,
            reports: ids(self.reports),
            request: self.request.into_owned(),
            request_changed_by: ids(self.request_changed_by),
            requester: text(self.requester),
            superseded_by: ids(self.superseded_by),
        }
    }
}

impl ChallengeView<'_> {
    /// The same entry, borrowing nothing.
    #[must_use]
    pub fn into_owned(self) -> ChallengeView<'static> {
        ChallengeView {
            kind: self.kind,
            target: self.target.into_owned(),
        }
    }
}

impl ImpactView<'_> {
    /// The same entry, borrowing nothing.
    #[must_use]
    pub fn into_owned(self) -> ImpactView<'static> {
        ImpactView {
            assessment: self.assessment,
            by: self.by.into_owned(),
        }
    }
}

impl ReconcileView<'_> {
    /// The same entry, borrowing nothing.
    #[must_use]
    pub fn into_owned(self) -> ReconcileView<'static> {
        ReconcileView {
            action: self.action.into_owned(),
            causes: self.causes.into_iter().map(text).collect(),
            commitment: self.commitment.into_owned(),
        }
    }
}

fn text(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

fn ids(list: Vec<Id<'_>>) -> Vec<Id<'static>> {
    list.into_iter().map(Id::into_owned).collect()
}

fn map<T, U>(
    entries: BTreeMap<Id<'_>, T>,
    mut each: impl FnMut(T) -> U,
) -> BTreeMap<Id<'static>, U> {
    entries
        .into_iter()
        .map(|(id, entry)| (id.into_owned(), each(entry)))
        .collect()
}
