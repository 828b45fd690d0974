//! How the derived parts look at the state.

use alloc::collections::BTreeSet;

use super::State;
use super::ids::Ix;
use super::record::{Facts, Link, Slot, Status, Version};
use crate::message::Act;

impl State {
    #[expect(
        clippy::indexing_slicing,
        reason = "INVARIANT: an `Ix` is made by `intern` of this state, which pushes its slot"
    )]
    fn slot(&self, ix: Ix) -> &Slot {
        &self.slots[ix.0 as usize]
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "INVARIANT: an `Ix` is made by `intern` of this state, which pushes its slot"
    )]
    pub(super) fn slot_mut(&mut self, ix: Ix) -> &mut Slot {
        &mut self.slots[ix.0 as usize]
    }

    /// Every id, known or only referred to.
    pub(crate) fn all_ids(&self) -> impl Iterator<Item = Ix> + use<> {
        (0..u32::try_from(self.slots.len()).unwrap_or(u32::MAX)).map(Ix)
    }

    /// The full id.
    pub(crate) fn name(&self, ix: Ix) -> &str {
        self.ids.name(ix.0)
    }

    /// The participant that the id's prefix names.
    pub(crate) fn sender(&self, ix: Ix) -> u32 {
        self.slot(ix).sender
    }

    /// The name of that participant.
    pub(crate) fn sender_name(&self, ix: Ix) -> &str {
        self.participants.name(self.sender(ix))
    }

    pub(crate) fn status(&self, ix: Ix) -> Status {
        self.slot(ix).status
    }

    /// *The* message of an id: the version that was identified first.
    pub(crate) fn version(&self, ix: Ix) -> Option<&Version> {
        self.slot(ix).version.as_ref()
    }

    /// Every kept version of an id, the first one first.
    pub(crate) fn versions(&self, ix: Ix) -> impl Iterator<Item = &Version> {
        let later = self.later_versions.get(&ix).into_iter().flatten();
        self.version(ix)
            .into_iter()
            .chain(later.map(|(_, version)| version))
    }

    pub(crate) fn is_equivocal(&self, ix: Ix) -> bool {
        self.later_versions.contains_key(&ix)
    }

    pub(crate) fn equivocal(&self) -> impl Iterator<Item = Ix> {
        self.later_versions.keys().copied()
    }

    pub(crate) fn is_tainted(&self, ix: Ix) -> bool {
        self.slot(ix).tainted
    }

    /// Positions in the log (1-based) of the events that identified and settled it; 0 for never.
    pub(crate) fn positions(&self, ix: Ix) -> (u32, u32) {
        let slot = self.slot(ix);
        (slot.arrived, slot.settled)
    }

    pub(crate) fn is_accepted(&self, ix: Ix) -> bool {
        matches!(self.status(ix), Status::Accepted { .. })
    }

    pub(crate) fn is_pending(&self, ix: Ix) -> bool {
        matches!(self.status(ix), Status::Pending { .. })
    }

    /// The message, where it is accepted.
    pub(crate) fn accepted(&self, ix: Ix) -> Option<&Version> {
        self.version(ix).filter(|_| self.is_accepted(ix))
    }

    pub(super) fn head(&self, to: Ix, kind: Link) -> u32 {
        self.slot(to)
            .links
            .get(kind as usize)
            .copied()
            .unwrap_or(u32::MAX)
    }

    /// The ids of which *some kept version* names `to` in that way, newest first.
    pub(crate) fn linked(&self, to: Ix, kind: Link) -> impl Iterator<Item = Ix> + '_ {
        self.links.iter(self.head(to, kind))
    }

    /// The accepted messages that name `to` in that way.
    pub(crate) fn accepted_on(&self, to: Ix, kind: Link) -> impl Iterator<Item = Ix> + '_ {
        self.linked(to, kind).filter(move |&from| {
            self.accepted(from)
                .is_some_and(|version| version.link() == Some((to, kind)))
        })
    }

    /// The pending messages that name `to` in that way.
    pub(crate) fn pending_on(&self, to: Ix, kind: Link) -> impl Iterator<Item = Ix> + '_ {
        self.linked(to, kind).filter(move |&from| {
            self.is_pending(from)
                && self
                    .version(from)
                    .is_some_and(|version| version.link() == Some((to, kind)))
        })
    }

    /// The gating references of a pending message that keep it so.
    pub(crate) fn waiting_for(&self, ix: Ix) -> impl Iterator<Item = Ix> {
        let gates = self.gates(ix);
        let waiting: alloc::vec::Vec<Ix> = gates
            .iter()
            .filter(|&gate| !self.status(gate).is_settled())
            .collect();
        waiting.into_iter()
    }

    /// Whether a pending message reaches itself over pending ones (S3.04). Costs what it reaches.
    pub(crate) fn is_in_cycle(&self, ix: Ix) -> bool {
        let mut seen = BTreeSet::new();
        let mut open = alloc::vec![ix];
        while let Some(next) = open.pop() {
            for gate in self.waiting_for(next).filter(|&gate| self.is_pending(gate)) {
                if gate == ix {
                    return true;
                }
                if seen.insert(gate) {
                    open.push(gate);
                }
            }
        }
        false
    }

    /// The act of a known message.
    pub(crate) fn act(&self, ix: Ix) -> Option<Act> {
        self.version(ix).map(Version::act)
    }
}

impl Version {
    /// The list that this version enters: whom it names, and as what.
    pub(crate) fn link(&self) -> Option<(Ix, Link)> {
        match &self.facts {
            Facts::Ask { .. } => None,
            Facts::Content(content) => {
                let kind = match content.act() {
                    Act::Request => Link::Replace,
                    Act::Report => Link::Report,
                    _ => return None,
                };
                content.reference().map(|to| (to, kind))
            }
            Facts::Commit(terms) => Some((terms.request, Link::Commit)),
            Facts::Challenge { target, .. } => Some((*target, Link::Challenge)),
            Facts::Revise(revision) => Some((revision.target, Link::Revise)),
            Facts::Decline { target } => Some((*target, Link::Decline)),
            Facts::Ack { target } => Some((*target, Link::Ack)),
        }
    }
}
