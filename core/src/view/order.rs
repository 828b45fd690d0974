//! A view in and out of serde. What is read is held to the order that a canonical view has (S7.06):
//! so what is written, and its digest, is canonical wherever a view came from.

use core::cmp::Ordering;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::{VERSION, View};
use crate::wire::utf16_cmp;

impl Serialize for View<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // The derived writer, which stands beside this one because of `serde(remote)`.
        Self::serialize(self, serializer)
    }
}

/// Refuses a view of which some list is out of order or holds something twice (S7.06). The keys of
/// a map may come in any order.
impl<'de> Deserialize<'de> for View<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let view = Self::deserialize(deserializer)?;
        if view.tern_view != VERSION {
            let other = &view.tern_view;
            return Err(D::Error::custom(alloc::format!(
                "this is a view of version `{other}`, not of `{VERSION}`"
            )));
        }
        match view.disorder() {
            None => Ok(view),
            Some(list) => Err(D::Error::custom(alloc::format!(
                "a list under `{list}` is out of order or repeats (S7.06)"
            ))),
        }
    }
}

impl View<'_> {
    /// A field under which some list is not strictly in order.
    fn disorder(&self) -> Option<&'static str> {
        let commitments = self.commitments.values().all(|commitment| {
            let lists = [
                &commitment.candidates,
                &commitment.disputed_by,
                &commitment.offers,
                &commitment.reactivation_attempts,
                &commitment.reports,
                &commitment.request_changed_by,
                &commitment.superseded_by,
            ];
            // The words of both enums are ASCII, so their order is that of UTF-16.
            lists.into_iter().all(|list| rises(list))
                && rises_by(&commitment.annotations, |one, other| {
                    one.as_str().cmp(other.as_str())
                })
                && rises_by(&commitment.blocked_by, |one, other| {
                    one.as_str().cmp(other.as_str())
                })
        });
        let checks = [
            (
                "acknowledged",
                self.acknowledged.values().all(|list| rises(list)),
            ),
            (
                "chains",
                self.chains.values().all(|chain| {
                    rises(&chain.competing) && rises(&chain.pending) && rises(&chain.revisions)
                }),
            ),
            ("commitments", commitments),
            (
                "cycles",
                rises(&self.cycles) && self.cycles.iter().all(|cycle| rises(cycle)),
            ),
            ("equivocal", self.equivocal.values().all(|list| rises(list))),
            (
                "impacts",
                self.impacts.values().all(|list| {
                    rises_by(list, |one, other| {
                        let assessment =
                            |impact: &super::ImpactView<'_>| impact.assessment.as_str();
                        (&one.by, assessment(one)).cmp(&(&other.by, assessment(other)))
                    })
                }),
            ),
            (
                "messages",
                self.messages
                    .values()
                    .flat_map(|message| &message.waiting_for)
                    .all(|list| rises(list)),
            ),
            (
                "proposals",
                self.proposals
                    .values()
                    .all(|proposal| rises(&proposal.declined_by)),
            ),
            (
                "reconcile",
                rises_by(&self.reconcile, |one, other| {
                    (&one.commitment, &one.action).cmp(&(&other.commitment, &other.action))
                }) && self
                    .reconcile
                    .iter()
                    .all(|entry| rises_by(&entry.causes, |one, other| utf16_cmp(one, other))),
            ),
            (
                "requests",
                self.requests
                    .values()
                    .all(|request| rises(&request.committed_by) && rises(&request.declined_by)),
            ),
        ];
        checks
            .into_iter()
            .find_map(|(field, in_order)| (!in_order).then_some(field))
    }
}

/// Whether each entry is greater than the one before.
fn rises<T: Ord>(list: &[T]) -> bool {
    rises_by(list, T::cmp)
}

fn rises_by<T>(list: &[T], order: impl Fn(&T, &T) -> Ordering) -> bool {
    list.is_sorted_by(|one, other| order(one, other).is_lt())
}
