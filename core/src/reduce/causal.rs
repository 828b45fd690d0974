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
        let mut newest = 0;
        for ix in from {
            newest = newest.max(self.order(ix).unwrap_or(0));
            self.queue_references(ix, oldest, &mut queued, &mut queue);
        }
        // Nobody knew of what settled later, so the walk need not go on in search of it.
        let earlier = among.iter().filter_map(|&ix| self.order(ix)).filter(|&order| order < newest);
        let enough = enough.min(earlier.count());
        if enough == 0 {
            return found;
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
            if let Some(order) = self.order(gate) {
                if order >= oldest && queued.insert(gate) {
                    queue.push((order, gate));
                }
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
        let marks = earlier.iter().map(|&ix| (ix, 1)).collect();
        let knows = self.knowledge(set, &marks);
        let knows_any = |ix: &Ix| knows.get(ix).is_some_and(|&mark| mark > 0);
        set.iter().copied().filter(knows_any).collect()
    }

    /// Those of `set` that knew of every message of `earlier`.
    ///
    /// Costs what lies between as often as `set` has members, or once for every 64 of `earlier`,
    /// whichever is less.
    pub(crate) fn knowing_all(
        &self,
        mut set: BTreeSet<Ix>,
        earlier: &BTreeSet<Ix>,
    ) -> BTreeSet<Ix> {
        if set.len() <= earlier.len().div_ceil(64) {
            set.retain(|&ix| self.known_to([ix], earlier, earlier.len()).len() == earlier.len());
            return set;
        }
        let mut rest = earlier.iter().copied().peekable();
        while rest.peek().is_some() && !set.is_empty() {
            let marks = (0..64).zip(&mut rest).map(|(bit, ix)| (ix, 1 << bit)).collect();
            let knows = self.knowledge(&set, &marks);
            let all = marks.values().fold(0, |all, mark| all | mark);
            set.retain(|ix| knows.get(ix) == Some(&all));
        }
        set
    }

    /// The marks of those messages of `earlier` that each of `set`, and each between, knew of.
    fn knowledge(&self, set: &BTreeSet<Ix>, earlier: &BTreeMap<Ix, u64>) -> BTreeMap<Ix, u64> {
        let Some(oldest) = earlier.keys().filter_map(|&ix| self.order(ix)).min() else {
            return BTreeMap::new();
        };
        // Everything between, oldest first: each knows what it refers to, and what that knows.
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
        let mut knows: BTreeMap<Ix, u64> = BTreeMap::new();
        for (_, ix) in between {
            let known = self.gates(ix).iter().fold(0, |known, gate| {
                let mark = |marks: &BTreeMap<Ix, u64>| marks.get(&gate).copied().unwrap_or(0);
                known | mark(earlier) | mark(&knows)
            });
            knows.insert(ix, known);
        }
        knows
    }
}
