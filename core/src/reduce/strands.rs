//! The accepted messages as strands: paths along gating references. Every message stands on one.
//!
//! INVARIANT (strand): each member but the first refers to the member before it. So whoever knows
//! of a member knows of all members before it, and a walk back need only look at *crossings*, the
//! members that lead further into another strand than those before them. A conversation in which everybody answers the last message
//! is one strand without crossings, however long.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::ids::Ix;

/// Where a message stands: on which strand, and how many members come before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) strand: u32,
    pub(super) at: u32,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Strands {
    /// By `Ix`; none for what is not accepted.
    places: Vec<Option<Place>>,
    /// By strand: how many members it has.
    lengths: Vec<u32>,
    /// Members that refer further into another strand than any before them, by strand and place.
    crossings: BTreeMap<(u32, u32), Ix>,
    /// How far a strand refers into another: the place of the last member it names there.
    named: BTreeMap<(u32, u32), u32>,
}

impl Strands {
    pub(super) fn place(&self, ix: Ix) -> Option<Place> {
        self.places.get(ix.0 as usize).copied().flatten()
    }

    /// Whether the message is the last member of its strand.
    pub(super) fn is_last(&self, ix: Ix) -> bool {
        self.place(ix).is_some_and(|place| {
            let length = self.lengths.get(place.strand as usize);
            length.is_some_and(|&length| length == place.at + 1)
        })
    }

    /// Adds a message behind the last member of a strand, or as the first of a new one.
    pub(super) fn add(&mut self, ix: Ix, behind: Option<Ix>) -> Place {
        let place = match behind.and_then(|last| self.place(last)) {
            Some(last) => Place {
                strand: last.strand,
                at: last.at + 1,
            },
            None => {
                // INVARIANT: no more strands than ids, which are fewer than 2^32.
                let strand = u32::try_from(self.lengths.len()).unwrap_or(u32::MAX);
                self.lengths.push(0);
                Place { strand, at: 0 }
            }
        };
        if let Some(length) = self.lengths.get_mut(place.strand as usize) {
            *length = place.at + 1;
        }
        let index = ix.0 as usize;
        if self.places.len() <= index {
            self.places.resize(index + 1, None);
        }
        if let Some(slot) = self.places.get_mut(index) {
            *slot = Some(place);
        }
        place
    }

    /// Notes what else the member at a place refers to. It is a crossing only if that leads further
    /// into another strand than its strand has referred before: else whoever knows of it knows of
    /// that already.
    pub(super) fn refer(&mut self, place: Place, ix: Ix, others: impl IntoIterator<Item = Ix>) {
        for other in others {
            let Some(other) = self
                .place(other)
                .filter(|other| other.strand != place.strand)
            else {
                continue;
            };
            let named = self.named.entry((place.strand, other.strand));
            let mut further = false;
            named
                .and_modify(|at| {
                    further = *at < other.at;
                    *at = (*at).max(other.at);
                })
                .or_insert_with(|| {
                    further = true;
                    other.at
                });
            if further {
                self.crossings.insert((place.strand, place.at), ix);
            }
        }
    }

    /// The crossings of a strand up to a place, the last first.
    pub(super) fn crossings(&self, to: Place) -> impl Iterator<Item = Ix> {
        self.crossings
            .range((to.strand, 0)..=(to.strand, to.at))
            .rev()
            .map(|(_, &ix)| ix)
    }
}

#[cfg(test)]
#[path = "strands_tests.rs"]
mod tests;
