//! What a state tells of one id, at the cost of that id's own history: the entries of the canonical
//! view one by one, and questions cheaper than an entry.

use crate::reduce::{Ix, State};
use crate::view::{ChainView, CommitmentView, MessageView, RequestHistory};

impl State {
    /// Whether a message of this id was identified, be it accepted, pending or rejected. Costs one
    /// look-up.
    #[must_use]
    pub fn is_known(&self, id: &str) -> bool {
        self.known(id).is_some()
    }

    /// Whether anything names this id: a message of that id, a reference to it in an identified
    /// message, an impact or a local fact. Costs one look-up.
    ///
    /// An id that is mentioned and not known may be in use elsewhere.
    #[must_use]
    pub fn is_mentioned(&self, id: &str) -> bool {
        self.ids.find(id).is_some()
    }

    /// The entry of an identified message in the canonical view.
    #[must_use]
    pub fn message(&self, id: &str) -> Option<MessageView<'_>> {
        let ix = self.known(id)?;
        self.version(ix)
            .map(|version| self.message_view(ix, version))
    }

    /// The entry of an accepted message's chain in the canonical view, if it has one.
    #[must_use]
    pub fn chain(&self, id: &str) -> Option<ChainView<'_>> {
        let ix = self.known(id)?;
        self.accepted(ix)
            .and_then(|version| self.chain_view(ix, version))
    }

    /// The entry of an accepted COMMIT in the canonical view. Costs that commitment's own history.
    #[must_use]
    pub fn commitment(&self, id: &str) -> Option<CommitmentView<'_>> {
        let promise = self.promise(self.known(id)?)?;
        let request = RequestHistory::of(self, promise.request);
        Some(self.commitment_view(promise, &request))
    }

    /// The action that an accepted COMMIT undertakes, as its original body words it.
    #[must_use]
    pub fn action(&self, commitment: &str) -> Option<&str> {
        let ix = self.known(commitment)?;
        self.accepted(ix)?.terms().map(|terms| &*terms.action)
    }

    /// The ids of all accepted COMMITs, in the order in which anything first named them. Costs a
    /// look at every id.
    pub fn commitments(&self) -> impl Iterator<Item = &str> {
        self.all_ids()
            .filter(|&ix| self.promise(ix).is_some())
            .map(|ix| self.name(ix))
    }

    /// The id, if a message under it was identified.
    pub(crate) fn known(&self, id: &str) -> Option<Ix> {
        self.ids
            .find(id)
            .map(Ix)
            .filter(|&ix| self.version(ix).is_some())
    }
}
