//! The digest of the canonical view without the view: entry after entry goes into the hash and is
//! forgotten, so that a long view takes no memory.
//!
//! INVARIANT (same): what is hashed is what [`View::to_canonical_json`](super::View::to_canonical_json)
//! writes, byte by byte: the sections in the order of their names, the entries in the order of
//! their ids.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use super::build::sort_impacts;
use super::{Id, ImpactView, RequestHistory, VERSION};
use crate::evidence::EvidenceStatus;
use crate::message::Act;
use crate::reduce::{Ix, Link, State, Version};
use crate::wire::{Digest, Hasher, write_string};

/// So many bytes wait before they are hashed.
const BUFFERED: usize = 1 << 14;

/// Canonical JSON on its way into the hash.
struct Sink {
    hasher: Hasher,
    buffer: String,
}

impl Sink {
    fn text(&mut self, text: &str) {
        self.buffer.push_str(text);
    }

    fn value<T: Serialize + ?Sized>(&mut self, value: &T) {
        // A view holds only strings, lists and maps with string keys, which always serialize.
        self.text(&serde_json::to_string(value).unwrap_or_default());
        if self.buffer.len() > BUFFERED {
            self.hasher.update(self.buffer.as_bytes());
            self.buffer.clear();
        }
    }

    /// A section that is a map.
    fn map<'s, T: Serialize>(
        &mut self,
        name: &str,
        entries: impl IntoIterator<Item = (Id<'s>, T)>,
    ) {
        write_string(&mut self.buffer, name);
        self.text(":{");
        let mut separator = "";
        for (id, entry) in entries {
            self.text(separator);
            write_string(&mut self.buffer, id.as_str());
            self.text(":");
            self.value(&entry);
            separator = ",";
        }
        self.text("},");
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) {
        write_string(&mut self.buffer, name);
        self.text(":");
        self.value(value);
    }

    fn finish(mut self) -> Digest {
        self.hasher.update(self.buffer.as_bytes());
        self.hasher.finish()
    }
}

/// An identified message, and in which sections it may have an entry.
struct Known<'s> {
    id: Id<'s>,
    ix: Ix,
    /// Its act, if it is accepted.
    act: Option<Act>,
    /// Some version of a message names it so.
    is_acknowledged: bool,
    is_revised: bool,
    is_equivocal: bool,
}

impl State {
    /// The digest of the canonical view (S7.05): that of [`State::view`], for less, as the view itself is
    /// never there.
    ///
    /// ```
    /// use tern_core::{Context, Limits, State};
    /// let state = State::new(Context::unverified(), Limits::default());
    /// assert_eq!(state.digest(), state.view().digest());
    /// ```
    #[must_use]
    pub fn digest(&self) -> Digest {
        let mut sink = Sink {
            hasher: Hasher::new(),
            buffer: String::with_capacity(2 * BUFFERED),
        };
        let known = self.known_in_order();
        // Only what has to be looked at is: the ids in their order lie all over the memory.
        let accepted = |is_wanted: fn(&Known<'_>) -> bool| {
            let known = known.iter().filter(move |it| is_wanted(it));
            known.filter_map(|it| Some((it.id.clone(), it.ix, self.accepted(it.ix)?)))
        };

        sink.text("{");
        let acknowledged = accepted(|it| it.is_acknowledged);
        let acknowledged = acknowledged.map(|(id, ix, _)| (id, self.acknowledged_view(ix)));
        sink.map(
            "acknowledged",
            acknowledged.filter(|(_, by)| !by.is_empty()),
        );
        let chains = accepted(|it| it.is_revised);
        let chains = chains.filter_map(|(id, ix, it)| Some((id, self.chain_view(ix, it)?)));
        sink.map("chains", chains);
        let challenges = accepted(|it| it.act == Some(Act::Challenge));
        let challenges = challenges.filter_map(|(id, _, it)| Some((id, self.challenge_view(it)?)));
        sink.map("challenges", challenges);
        let mut requests = BTreeMap::new();
        let commitments = accepted(|it| it.act == Some(Act::Commit)).filter_map(|(id, ix, _)| {
            let promise = self.promise(ix)?;
            let request = requests
                .entry(promise.request)
                .or_insert_with(|| RequestHistory::of(self, promise.request));
            Some((id, self.commitment_view(promise, request)))
        });
        sink.map("commitments", commitments);
        sink.field("context", self.context.id());
        sink.text(",");
        sink.field("cycles", &self.cycles());
        sink.text(",");
        let equivocal = known.iter().filter(|it| it.is_equivocal);
        let equivocal = equivocal.map(|it| (it.id.clone(), self.kept_digests(it.ix)));
        sink.map("equivocal", equivocal);
        let evidence = self.evidence.iter().map(|(id, status)| (id.into(), status));
        let mut evidence: Vec<(Id<'_>, EvidenceStatus)> = evidence.collect();
        evidence.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        sink.map("evidence", evidence);
        sink.map(
            "impacts",
            self.impacts_view(accepted(|it| it.act == Some(Act::Revise))),
        );
        let messages = known.iter().filter_map(|it| {
            let version = self.version(it.ix)?;
            Some((it.id.clone(), self.message_view(it.ix, version)))
        });
        sink.map("messages", messages);
        let proposals = accepted(|it| it.act == Some(Act::Propose))
            .map(|(id, ix, _)| (id, self.proposal_view(ix)));
        sink.map("proposals", proposals);
        sink.field("reconcile", &self.reconcile_view());
        sink.text(",");
        let requests = accepted(|it| it.act == Some(Act::Request))
            .map(|(id, ix, it)| (id, self.request_view(ix, it)));
        sink.map("requests", requests);
        sink.field("tern_view", VERSION);
        sink.text("}");
        sink.finish()
    }

    /// Every identified message, in the order of the view.
    fn known_in_order(&self) -> Vec<Known<'_>> {
        let known = self.all_ids().filter_map(|ix| {
            let version = self.version(ix)?;
            Some(Known {
                id: self.id(ix),
                ix,
                act: self.is_accepted(ix).then(|| version.act()),
                is_acknowledged: self.linked(ix, Link::Ack).next().is_some(),
                is_revised: self.linked(ix, Link::Revise).next().is_some(),
                is_equivocal: self.is_equivocal(ix),
            })
        });
        let mut known: Vec<Known<'_>> = known.collect();
        known.sort_unstable_by(|one, other| one.id.cmp(&other.id));
        known
    }

    /// What accepted REVISEs say of commitments, in order.
    fn impacts_view<'s>(
        &'s self,
        revises: impl Iterator<Item = (Id<'s>, Ix, &'s Version)>,
    ) -> BTreeMap<Id<'s>, Vec<ImpactView<'s>>> {
        let mut impacts: BTreeMap<Id<'s>, Vec<ImpactView<'s>>> = BTreeMap::new();
        for (by, _, version) in revises {
            let named = version.revision().into_iter().flat_map(|it| &it.impact);
            for &(commitment, assessment) in named {
                let by = by.clone();
                let named = impacts.entry(self.id(commitment)).or_default();
                named.push(ImpactView { assessment, by });
            }
        }
        impacts.values_mut().for_each(sort_impacts);
        impacts
    }
}
