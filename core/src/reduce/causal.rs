//! Who knew of whom: m ≺ n when n reaches m by following gating references (semantics §5, R-13).
//!
//! INVARIANT (order): an accepted message settled after everything it refers to, so its `order` is
//! greater than theirs, and a walk back may stop below the least order it looks for.

use alloc::collections::{BTreeMap, BTreeSet, BinaryHeap};
use alloc::vec::Vec;

use super::State;
use super::ids::Ix;
use super::record::Status;

impl State {
    pub(crate) fn order(&self, ix: Ix) -> Option<u32> {
        match self.status(ix) {
            Status::Accepted { order } => Some(order),
            _ => None,
        }
    }

    /// Those of `among` that some message of `from` knew of. All are accepted.
    ///
    /// Costs what lies between the oldest of `among` and the newest of `from`, and less where
    /// `enough` of them are found early.
    pub(crate) fn known_to(
        &self,
        from: impl IntoIterator<Item = Ix>,
        among: &BTreeSet<Ix>,
        enough: usize,
    ) -> BTreeSet<Ix> {
        let mut found = BTreeSet::new();
        let Some(oldest) = among.iter().filter_map(|&ix| self.order(ix)).min() else {
            return found;
        };
        let mut queued = BTreeSet::new();
        let mut queue = BinaryHeap::new();
        for ix in from {
            self.queue_references(ix, oldest, &mut queued, &mut queue);
        }
        // Newest first: a message is looked at after everything that could refer to it.
        while let Some((_, ix)) = queue.pop() {
            if among.contains(&ix) {
                found.insert(ix);
                if found.len() >= enough {
                    break;
                }
            }
            self.queue_references(ix, oldest, &mut queued, &mut queue);
        }
        found
    }

    fn queue_references(
        &self,
        ix: Ix,
        oldest: u32,
        queued: &mut BTreeSet<Ix>,
        queue: &mut BinaryHeap<(u32, Ix)>,
    ) {
        for gate in self.gates(ix).iter() {
            if let Some(order) = self.order(gate)
                && order >= oldest
                && queued.insert(gate)
            {
                queue.push((order, gate));
            }
        }
    }

    /// Those of `set` that no other of `set` knew of.
    pub(crate) fn causally_last(&self, set: &BTreeSet<Ix>) -> BTreeSet<Ix> {
        // The newest in the order of settling is known to none, so all the others are enough.
        let enough = set.len().saturating_sub(1);
        if enough == 0 {
            return set.clone();
        }
        let known = self.known_to(set.iter().copied(), set, enough);
        set.difference(&known).copied().collect()
    }

    /// Those of `set` that knew of some message of `earlier`.
    pub(crate) fn knowing_any(&self, set: &BTreeSet<Ix>, earlier: &BTreeSet<Ix>) -> Vec<Ix> {
        let Some(oldest) = earlier.iter().filter_map(|&ix| self.order(ix)).min() else {
            return Vec::new();
        };
        // Everything between, oldest first: each knows if it refers to an earlier one or to one
        // that knows.
        let mut queued = BTreeSet::new();
        let mut queue = BinaryHeap::new();
        let mut between = BTreeSet::new();
        for &ix in set {
            if let Some(order) = self.order(ix) {
                between.insert((order, ix));
            }
            self.queue_references(ix, oldest, &mut queued, &mut queue);
        }
        while let Some((order, ix)) = queue.pop() {
            between.insert((order, ix));
            self.queue_references(ix, oldest, &mut queued, &mut queue);
        }
        let mut knows: BTreeMap<Ix, bool> = BTreeMap::new();
        for (_, ix) in between {
            let knowing = self
                .gates(ix)
                .iter()
                .any(|gate| earlier.contains(&gate) || knows.get(&gate).copied().unwrap_or(false));
            knows.insert(ix, knowing);
        }
        set.iter()
            .copied()
            .filter(|ix| knows.get(ix).copied().unwrap_or(false))
            .collect()
    }
}
