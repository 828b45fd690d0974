//! Who knew of whom: m ≺ n when n reaches m by following gating references (S5.01, R-13).
//!
//! INVARIANT (order): an accepted message settled after everything it refers to, so its `order` is
//! greater than theirs, and a walk back may stop below the least order it looks for.
//!
//! A walk costs the crossings between strands that lie in its window, each looked at once.

use alloc::collections::btree_map::Entry;
use alloc::collections::{BTreeMap, BTreeSet, BinaryHeap};
use alloc::vec::Vec;

use super::State;
use super::ids::Ix;
use super::record::Status;
use super::strands::Place;

/// A walk back in time, newest first.
///
/// INVARIANT (walk): all begins are visited before the first step, and a step visits only what is older. So
/// of each strand the last member that is reached comes first, and a strand is entered once.
struct Walk<'s> {
    state: &'s State,
    /// Nothing older is looked at.
    oldest: u32,
    /// The last member reached of each strand: all before it are reached too.
    reached: BTreeMap<u32, u32>,
    queue: BinaryHeap<(u32, Ix)>,
}

/// Messages that are looked for, by their places.
#[derive(Debug)]
pub(crate) struct Sought {
    places: BTreeMap<(u32, u32), Ix>,
    oldest: u32,
}

impl<'s> Walk<'s> {
    fn new(state: &'s State, oldest: u32) -> Self {
        Self {
            state,
            oldest,
            reached: BTreeMap::new(),
            queue: BinaryHeap::new(),
        }
    }

    fn visit(&mut self, ix: Ix) {
        if let Some(order) = self.state.order(ix)
            && order >= self.oldest
        {
            self.queue.push((order, ix));
        }
    }

    fn visit_references(&mut self, ix: Ix) {
        for gate in self.state.gates(ix).iter() {
            self.visit(gate);
        }
    }

    /// The last member that is reached of the next strand; `crossing` is told of each crossing up to there.
    fn next(&mut self, mut crossing: impl FnMut(u32, Ix)) -> Option<Place> {
        loop {
            let (_, ix) = self.queue.pop()?;
            let Some(place) = self.state.strands.place(ix) else {
                continue;
            };
            let Entry::Vacant(reached) = self.reached.entry(place.strand) else {
                continue;
            };
            reached.insert(place.at);
            let state = self.state;
            for member in state.strands.crossings(place) {
                let Some(order) = state.order(member).filter(|&order| order >= self.oldest) else {
                    break;
                };
                crossing(order, member);
                for gate in state.gates(member).iter() {
                    let is_reached = |it: Place| self.reached.contains_key(&it.strand);
                    if !state.strands.place(gate).is_some_and(is_reached) {
                        self.visit(gate);
                    }
                }
            }
            return Some(place);
        }
    }
}

/// Marks that spread along strands: of each strand the places from which on more marks hold.
#[derive(Default)]
struct Spread(BTreeMap<u32, Vec<(u32, u64)>>);

impl Spread {
    fn at(&self, place: Place) -> u64 {
        let Some(steps) = self.0.get(&place.strand) else {
            return 0;
        };
        let before = steps.partition_point(|&(from, _)| from <= place.at);
        before
            .checked_sub(1)
            .and_then(|last| steps.get(last))
            .map_or(0, |&(_, marks)| marks)
    }

    /// Adds marks from a place on. Places of a strand come in their order.
    fn add(&mut self, place: Place, marks: u64) {
        let steps = self.0.entry(place.strand).or_default();
        let before = steps.last().map_or(0, |&(_, marks)| marks);
        let all = before | marks;
        if all != before {
            steps.push((place.at, all));
        }
    }
}

impl State {
    pub(crate) fn order(&self, ix: Ix) -> Option<u32> {
        match self.status(ix) {
            Status::Accepted { order } => Some(order),
            _ => None,
        }
    }

    /// Gives a newly accepted message its place: behind the newest of its references that is the
    /// last of its strand.
    pub(super) fn weave(&mut self, ix: Ix) {
        let gates = self.gates(ix);
        let behind = gates
            .iter()
            .filter(|&gate| self.strands.is_last(gate))
            .max_by_key(|&gate| self.order(gate));
        let place = self.strands.add(ix, behind);
        self.strands.refer(place, ix, gates.iter());
    }

    fn oldest(&self, set: impl IntoIterator<Item = Ix>) -> Option<u32> {
        set.into_iter().filter_map(|ix| self.order(ix)).min()
    }

    /// Makes ready to look for accepted messages.
    pub(crate) fn seek(&self, set: impl IntoIterator<Item = Ix>) -> Sought {
        let mut sought = Sought {
            places: BTreeMap::new(),
            oldest: u32::MAX,
        };
        for ix in set {
            if let (Some(place), Some(order)) = (self.strands.place(ix), self.order(ix)) {
                sought.places.insert((place.strand, place.at), ix);
                sought.oldest = sought.oldest.min(order);
            }
        }
        sought
    }

    /// Those of `among` that some message of `from` knew of; it stops when `enough` are found. All
    /// are accepted.
    pub(crate) fn known_to(
        &self,
        from: impl IntoIterator<Item = Ix>,
        among: &BTreeSet<Ix>,
        enough: usize,
    ) -> BTreeSet<Ix> {
        let sought = self.seek(among.iter().copied());
        let mut found = BTreeSet::new();
        let mut walk = Walk::new(self, sought.oldest);
        from.into_iter().for_each(|ix| walk.visit_references(ix));
        let enough = enough.min(sought.places.len());
        while found.len() < enough {
            let Some(Place { strand, at }) = walk.next(|_, _| {}) else {
                break;
            };
            let places = sought.places.range((strand, 0)..=(strand, at));
            found.extend(places.map(|(_, &ix)| ix));
        }
        found
    }

    /// Those sought that an accepted message did not know of. Costs its walk, the strands on which
    /// they stand and what it gives.
    pub(crate) fn unknown_to(&self, ix: Ix, sought: &Sought) -> Vec<Ix> {
        let mut walk = Walk::new(self, sought.oldest);
        walk.visit_references(ix);
        while walk.next(|_, _| {}).is_some() {}
        let mut unknown = Vec::new();
        let mut next = sought.places.keys().next().copied();
        while let Some((strand, first)) = next {
            let from = match walk.reached.get(&strand) {
                Some(&reached) => reached + 1,
                None => first,
            };
            let places = sought.places.range((strand, from)..=(strand, u32::MAX));
            unknown.extend(places.map(|(_, &ix)| ix));
            let after = strand.checked_add(1);
            next = after
                .and_then(|after| sought.places.range((after, 0)..).next())
                .map(|(&key, _)| key);
        }
        unknown
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
        let knowledge = self.knowledge(set, &marks);
        let knows_any = |ix: &Ix| knowledge.get(ix).is_some_and(|&marks| marks > 0);
        set.iter().copied().filter(knows_any).collect()
    }

    /// Those of `set` that knew of every message of `earlier`.
    ///
    /// Walks as often as `set` has members, or once for every 64 of `earlier`, whichever is less.
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
            let marks: BTreeMap<Ix, u64> = (0..64)
                .zip(&mut rest)
                .map(|(bit, ix)| (ix, 1 << bit))
                .collect();
            let knowledge = self.knowledge(&set, &marks);
            let all = marks.values().fold(0, |all, mark| all | mark);
            set.retain(|ix| knowledge.get(ix) == Some(&all));
        }
        set
    }

    /// The marks of those messages of `earlier` that each of `set` knew of.
    fn knowledge(&self, set: &BTreeSet<Ix>, earlier: &BTreeMap<Ix, u64>) -> BTreeMap<Ix, u64> {
        let Some(oldest) = self.oldest(earlier.keys().copied()) else {
            return BTreeMap::new();
        };
        // Where knowledge comes from, oldest first: the marked messages and the crossings.
        let mut sources: BTreeSet<(u32, Ix)> = earlier
            .keys()
            .filter_map(|&ix| self.order(ix).map(|order| (order, ix)))
            .collect();
        let mut walk = Walk::new(self, oldest);
        set.iter().for_each(|&ix| walk.visit(ix));
        while walk
            .next(|order, ix| {
                sources.insert((order, ix));
            })
            .is_some()
        {}
        let mark = |ix: Ix| earlier.get(&ix).copied().unwrap_or(0);
        let mut spread = Spread::default();
        for (_, ix) in sources {
            let Some(place) = self.strands.place(ix) else {
                continue;
            };
            let heard = self.gates(ix).iter().fold(0, |heard, gate| {
                let there = self.strands.place(gate).map_or(0, |place| spread.at(place));
                heard | mark(gate) | there
            });
            spread.add(place, heard);
            // Whoever comes after a marked message on its strand knows of it.
            let after = Place {
                strand: place.strand,
                at: place.at + 1,
            };
            spread.add(after, mark(ix));
        }
        set.iter()
            .filter_map(|&ix| Some((ix, spread.at(self.strands.place(ix)?))))
            .collect()
    }
}
