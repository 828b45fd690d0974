//! How a snapshot looks at a state, and how it makes one (see `snapshot`): by the reducer itself, to which
//! every kept version arrives again.
//!
//! INVARIANT (restore): what versions imply (statuses, lists, counts, strands, chains, taint) is
//! derived here and never read, so that it is consistent whatever a snapshot says of the versions.

use alloc::vec::Vec;

use super::State;
use super::ids::Ix;
use super::record::Version;
use crate::wire::Limits;

impl State {
    /// The limits that it was made under.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Every kept version with the position of the event that brought it, in the order of the log.
    pub(crate) fn by_arrival(&self) -> Vec<(u32, Ix, &Version)> {
        let first = self.all_ids().filter_map(|ix| {
            let version = self.version(ix)?;
            Some((self.positions(ix).0, ix, version))
        });
        let later = self.later_versions.iter().flat_map(|(&ix, later)| {
            let later = later.iter();
            later.map(move |(position, version)| (*position, ix, version))
        });
        let mut all: Vec<_> = first.chain(later).collect();
        // No event brings two versions.
        all.sort_unstable_by_key(|&(position, ix, _)| (position, ix));
        all
    }

    /// A kept version arrives again, by the event at that position. Its numbers are those of this state;
    /// none where the reducer would not have kept it there.
    pub(crate) fn arrive(&mut self, position: u32, ix: Ix, version: Version) -> Option<()> {
        self.go_on_to(position.checked_sub(1)?)?;
        self.position = position;
        let may_speak = !self.context.is_verified()
            || self.context.principal_of(self.sender_name(ix)).is_some();
        if !may_speak {
            return None;
        }
        if self.version(ix).is_none() {
            let _settled = self.enter_first(ix, version);
            let of_sender = self.pending_of.get(self.sender(ix) as usize);
            let within = self.pending <= self.limits.max_pending
                && of_sender.is_none_or(|&count| count <= self.limits.max_pending_per_sender);
            return within.then_some(());
        }
        let is_new = self.versions(ix).all(|kept| kept.digest != version.digest);
        if !is_new || self.versions(ix).count() >= self.limits.max_versions {
            return None;
        }
        self.enter_later(ix, version);
        Some(())
    }

    /// So many events were applied, of which the last ones kept no version; none if more were.
    pub(crate) fn go_on_to(&mut self, position: u32) -> Option<()> {
        (self.position <= position).then(|| self.position = position)
    }

    /// Makes room for so many ids.
    pub(crate) fn reserve_ids(&mut self, count: usize) {
        self.slots.reserve(count);
        self.ids.reserve(count);
    }
}
