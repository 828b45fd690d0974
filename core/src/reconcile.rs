//! Started actions that the history speaks against, whichever came first (semantics §6).

use alloc::collections::{BTreeMap, BTreeSet};

use crate::reduce::{Ix, State};

/// The cause of an action whose commitment is not an accepted COMMIT.
pub(crate) const NOT_ACCEPTED: &str = "not_accepted";

/// A started action and what speaks against it.
pub(crate) struct Entry<'s> {
    pub(crate) commitment: Ix,
    pub(crate) action: &'s str,
    pub(crate) causes: BTreeSet<&'static str>,
}

impl State {
    /// Every started action with a cause that no `reconciled` fact names for it.
    pub(crate) fn to_reconcile(&self) -> impl Iterator<Item = Entry<'_>> {
        // Many actions may be started on one commitment, and many commitments be on one request.
        let mut of_commitments: BTreeMap<Ix, BTreeSet<&'static str>> = BTreeMap::new();
        let mut of_requests = BTreeMap::new();
        self.local.started().filter_map(move |started| {
            let (commitment, action) = started;
            let causes = of_commitments
                .entry(*commitment)
                .or_insert_with(|| match self.promise(*commitment) {
                    None => [NOT_ACCEPTED].into_iter().collect(),
                    Some(promise) => {
                        let request = of_requests
                            .entry(promise.request)
                            .or_insert_with(|| self.request_reasons(promise.request));
                        let own = self.commitment_reasons(promise);
                        let reasons = request.iter().chain(&own);
                        reasons.map(|reason| reason.code.as_str()).collect()
                    }
                });
            let mut causes = causes.clone();
            causes.retain(|cause| !self.local.is_reconciled(started, cause));
            (!causes.is_empty()).then_some(Entry {
                commitment: *commitment,
                action,
                causes,
            })
        })
    }
}
