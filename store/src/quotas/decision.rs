//! What a batch comes to under quotas: which deliveries may come, and what is written down of that.

use std::collections::BTreeMap;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{Delivery, Principal, Quotas, Reason, Refusal, Usage};
use crate::hex::hex;
use crate::leases::millis;
use crate::{Error, MAX_RECORD_BYTES};

/// A record of the log of usage. Times are milliseconds since 1970, UTC.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Event {
    /// Room for a batch that is about to be appended to the log of that name.
    Reserve { log: String, shares: Vec<Share> },
    /// What was refused of a batch for the log of that name.
    Refuse {
        log: String,
        principal: Principal,
        reason: Reason,
        deliveries: u64,
        bytes: u64,
        sha256: String,
        at: u64,
        /// What the same writer refused since its record before.
        unrecorded: Count,
    },
}

/// What one principal has of a reservation.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Share {
    pub(super) principal: Principal,
    pub(super) bytes: u64,
}

/// So many deliveries, and bytes in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Count {
    pub(super) deliveries: u64,
    pub(super) bytes: u64,
}

impl Count {
    pub(super) fn add(&mut self, deliveries: u64, bytes: u64) {
        self.deliveries = self.deliveries.saturating_add(deliveries);
        self.bytes = self.bytes.saturating_add(bytes);
    }
}

/// A batch, decided.
pub(super) struct Decision {
    pub(super) admitted: Vec<bool>,
    pub(super) refused: Vec<Refusal>,
    /// What is to be written down.
    pub(super) events: Vec<Event>,
}

/// What becomes of a principal in a batch.
struct Part {
    /// What it may have more.
    left: u64,
    may_speak: bool,
    share: Option<u64>,
    refused: Count,
    digest: Sha256,
}

/// So many shares stand in one record.
const SHARES: usize = 1000;

/// Decides a batch by the state of `usage`. Each delivery stands for itself, in order: what is refused does not depend on how
/// the deliveries were cut into batches.
pub(super) fn decide(
    usage: &Usage,
    quotas: &Quotas,
    log: &str,
    deliveries: &[Delivery<'_>],
    now: SystemTime,
) -> Result<Decision, Error> {
    // Of those that come in, by the name as it came: a long one is worked out once.
    let mut names: BTreeMap<Option<&str>, Principal> = BTreeMap::new();
    let mut parts: BTreeMap<Principal, Part> = BTreeMap::new();
    let mut admitted = Vec::with_capacity(deliveries.len());
    for (index, delivery) in deliveries.iter().enumerate() {
        let name = delivery.principal;
        let principal = &*names.entry(name).or_insert_with(|| Principal::from(name));
        let part = match parts.get_mut(principal) {
            Some(part) => part,
            None => parts
                .entry(principal.clone())
                .or_insert_with(|| Part::new(usage, quotas, log, principal)),
        };
        let is_admitted = part.take(delivery.bytes);
        if is_admitted && delivery.bytes.len() > MAX_RECORD_BYTES {
            return Err(Error::RecordTooLong {
                index,
                bytes: delivery.bytes.len(),
                limit: MAX_RECORD_BYTES,
            });
        }
        admitted.push(is_admitted);
    }
    let (mut refused, mut refusals, mut shares) = (Vec::new(), Vec::new(), Vec::new());
    for (principal, part) in parts {
        if let Some(bytes) = part.share {
            let principal = principal.clone();
            shares.push(Share { principal, bytes });
        }
        if part.refused.deliveries == 0 {
            continue;
        }
        let reason = match part.may_speak {
            true => Reason::Bytes,
            false => Reason::Contexts,
        };
        let refusal = Refusal {
            recorded: usage.is_worth_recording(&principal, reason, now),
            principal,
            reason,
            log: log.to_owned(),
            deliveries: part.refused.deliveries,
            bytes: part.refused.bytes,
            sha256: hex(&part.digest.finalize()),
        };
        if refusal.recorded {
            refusals.push(Event::Refuse {
                log: log.to_owned(),
                principal: refusal.principal.clone(),
                reason,
                deliveries: refusal.deliveries,
                bytes: refusal.bytes,
                sha256: refusal.sha256.clone(),
                at: millis(now),
                unrecorded: usage.unrecorded(&refusal.principal, reason),
            });
        }
        refused.push(refusal);
    }
    let mut events = Vec::new();
    while !shares.is_empty() {
        let rest = shares.split_off(shares.len().min(SHARES));
        events.push(Event::Reserve {
            log: log.to_owned(),
            shares,
        });
        shares = rest;
    }
    events.extend(refusals);
    Ok(Decision {
        admitted,
        refused,
        events,
    })
}

impl Part {
    fn new(usage: &Usage, quotas: &Quotas, log: &str, principal: &Principal) -> Self {
        let spent = usage.spent(principal);
        let bytes = spent.map_or(0, |spent| spent.bytes);
        let contexts = spent.map_or(0, |spent| spent.contexts.len() as u64);
        let has_spoken = spent.is_some_and(|spent| spent.contexts.contains(log));
        Self {
            left: quotas.bytes.unwrap_or(u64::MAX).saturating_sub(bytes),
            may_speak: has_spoken || quotas.contexts.is_none_or(|most| contexts < most),
            share: None,
            refused: Count::default(),
            digest: Sha256::new(),
        }
    }

    /// Whether a delivery may come. INVARIANT: what may come is never more than what is left.
    fn take(&mut self, delivery: &[u8]) -> bool {
        let bytes = delivery.len() as u64;
        if self.may_speak && bytes <= self.left {
            self.left -= bytes;
            let share = self.share.get_or_insert(0);
            *share = share.saturating_add(bytes);
            return true;
        }
        self.refused.add(1, bytes);
        self.digest.update(delivery);
        self.digest.update(b"\n");
        false
    }
}
