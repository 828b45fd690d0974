//! The local view: what one receiver can add to the canonical view. It depends on the order in
//! which things arrived, so it is never part of a digest (S7.01).

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::Id;
use crate::commitment::Progress;
use crate::message::Timestamp;
use crate::reduce::{State, Version};

/// What this receiver knows beyond the canonical view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct LocalView<'a> {
    /// The version of this shape. Its presence marks the view as local.
    pub tern_local_view: Cow<'a, str>,
    /// The id of the identity context.
    pub context: Cow<'a, str>,
    /// Whether senders were verified against the context.
    pub senders_verified: bool,
    /// Events applied, refused deliveries included.
    pub events: u64,
    /// When each message came and settled.
    pub arrivals: BTreeMap<Id<'a>, Arrival>,
    /// Open promises whose deadline lies before the latest clock. A past deadline blocks nothing.
    pub overdue: Vec<Overdue<'a>>,
}

/// Positions in the log, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Arrival {
    /// Of the delivery that identified the message.
    pub arrived: u32,
    /// Of the delivery that settled it; none while it waits.
    pub settled: Option<u32>,
}

/// A promise whose deadline has passed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Overdue<'a> {
    /// The COMMIT.
    pub commitment: Id<'a>,
    /// Its deadline as written.
    pub due: Cow<'a, str>,
}

impl State {
    /// What this receiver can add to the canonical view.
    #[must_use]
    pub fn local_view(&self) -> LocalView<'_> {
        let known = || self.all_ids().filter(|&ix| self.version(ix).is_some());
        let arrivals = known().map(|ix| {
            let (arrived, settled) = self.positions(ix);
            let settled = (settled > 0).then_some(settled);
            (self.name(ix).into(), Arrival { arrived, settled })
        });
        let overdue = known().filter_map(|ix| {
            let due = self.accepted(ix).and_then(Version::terms)?.due.as_deref()?;
            let now = self.local.now()?;
            let past = Timestamp::new(due).is_ok_and(|due| due.instant() < *now);
            let open = || {
                let progress = self.assess(ix).progress;
                !matches!(progress, Progress::Fulfilled | Progress::Failed)
            };
            (past && open()).then(|| Overdue {
                commitment: self.name(ix).into(),
                due: Cow::Borrowed(due),
            })
        });
        let mut overdue: Vec<Overdue<'_>> = overdue.collect();
        overdue.sort_unstable_by(|one, other| one.commitment.cmp(&other.commitment));
        LocalView {
            tern_local_view: Cow::Borrowed("0.1"),
            context: Cow::Borrowed(self.context.id()),
            senders_verified: self.context.is_verified(),
            events: self.position(),
            arrivals: arrivals.collect(),
            overdue,
        }
    }
}
