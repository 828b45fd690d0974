//! Started actions that the history speaks against, whichever came first (semantics §6).

use alloc::collections::BTreeSet;

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
        self.local.started().filter_map(|started| {
            let (commitment, action) = started;
            let mut causes: BTreeSet<&'static str> = match self.promise(*commitment) {
                None => [NOT_ACCEPTED].into_iter().collect(),
                Some(promise) => self
                    .history_reasons(promise)
                    .into_iter()
                    .map(|reason| reason.code.as_str())
                    .collect(),
            };
            causes.retain(|cause| !self.local.is_reconciled(started, cause));
            (!causes.is_empty()).then_some(Entry {
                commitment: *commitment,
                action,
                causes,
            })
        })
    }
}
