//! Quotas: how much of a store each principal may fill, decided by the order of a log of its own.

mod decision;
mod principal;

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use self::decision::{Count, Event, decide};
pub use self::principal::Principal;
use crate::leases::{Held, millis, time};
use crate::log::check_name;
use crate::{Chain, Error, Expected, Head, Leases, Log, Position, Record, Snapshot};

/// How much of a whole store each principal may fill. What is not given is not bounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quotas {
    /// The bytes of its deliveries in all logs.
    pub bytes: Option<u64>,
    /// In how many logs it may speak.
    pub contexts: Option<u64>,
}

impl Quotas {
    /// Whether nothing is bounded.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_none() && self.contexts.is_none()
    }
}

/// Something that is to be appended, and whom the channel authenticated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivery<'a> {
    /// The authenticated principal. All without one are counted as one.
    pub principal: Option<&'a str>,
    /// The record, to the byte.
    pub bytes: &'a [u8],
}

/// What each principal has filled of a store, and what was refused. Any number of processes may share one store: together
/// they never append more than a quota, as long as each reserves before it appends.
///
/// It is the state of one log in that store. Room is reserved by a record *before* the append that it is for, at just the state
/// in which it was decided. A writer that dies in between leaves room that is counted and was never filled; nothing is ever
/// filled and not counted. Only what was reserved is known here: not what came while no quotas were used.
///
/// What was refused is recorded: one record for a batch and a principal, whose size does not depend on how much it was. Of the
/// refusals of a principal for one reason that come less than a minute after the last recorded one, none is
/// recorded; they are counted in memory, and the count stands in the next record of the same writer, if there is one. Without that a
/// flood of small batches would fill the store with records of its own refusal.
///
/// ```
/// use std::time::SystemTime;
/// use tern_store::{Delivery, Expected, Quotas, SqliteStore, Store, Usage};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("thread.db");
/// let store = SqliteStore::new(&path);
/// let mut usage = Usage::open(store.open(Usage::LOG)?)?;
/// let quotas = Quotas { bytes: Some(10), contexts: None };
/// let batch = [("ana", "12345678"), ("ana", "9abc"), ("ben", "hello")];
/// let deliveries = batch.map(|(who, text)| Delivery { principal: Some(who), bytes: text.as_bytes() });
///
/// let reserved = usage.reserve(&quotas, "design", &deliveries, SystemTime::now())?;
/// assert_eq!(reserved.admitted, [true, false, true]);
/// assert_eq!((reserved.refused[0].bytes, reserved.refused[0].recorded), (4, true));
/// store.open("design")?.append(Expected::Any, &[b"12345678", b"hello"])?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Usage {
    log: Held,
    read: Chain,
    principals: Principals,
    /// What was refused and not recorded.
    unrecorded: BTreeMap<(Principal, Reason), Count>,
    /// Up to where there is a snapshot.
    kept: Position,
}

type Principals = BTreeMap<Principal, Spent>;

/// What a principal has filled, and what was refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Spent {
    /// The bytes that were reserved for its deliveries.
    pub bytes: u64,
    /// The logs in which it spoke.
    pub contexts: BTreeSet<String>,
    /// What was refused, by the reason.
    pub refused: BTreeMap<Reason, Refused>,
}

/// What stands on record of the refusals of a principal for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Refused {
    /// How many deliveries.
    pub deliveries: u64,
    /// How many bytes were in them.
    pub bytes: u64,
    /// How many records say so.
    pub records: u64,
    /// The log that the last recorded batch was for.
    pub log: String,
    /// The SHA-256 of the last recorded batch, as in [`Refusal::sha256`].
    pub sha256: String,
    /// When that was, in milliseconds since 1970, by the clock of who refused.
    at: u64,
}

impl Refused {
    /// When the last recorded batch was refused, by the clock of who refused it. Whole milliseconds.
    #[must_use]
    pub fn last(&self) -> SystemTime {
        time(self.at)
    }
}

/// Which quota it would be over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Reason {
    /// [`Quotas::bytes`].
    Bytes,
    /// [`Quotas::contexts`].
    Contexts,
}

impl Reason {
    /// Its name in records.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Contexts => "contexts",
        }
    }
}

/// What was refused of one principal in a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// Whose deliveries.
    pub principal: Principal,
    /// Which quota they would be over.
    pub reason: Reason,
    /// The log that they were for.
    pub log: String,
    /// How many they are.
    pub deliveries: u64,
    /// How many bytes are in them.
    pub bytes: u64,
    /// SHA-256 over the refused deliveries in order, each followed by a newline, in hexadecimal: who has them can show that it
    /// was these. That tells them apart as long as none of them holds a newline, which no line of a log document does.
    pub sha256: String,
    /// Whether it stands on record. If not, one of less than a minute before does.
    pub recorded: bool,
}

impl Refusal {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> crate::Code {
        crate::Code::OverQuota
    }
}

/// A batch for which room was reserved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reserved {
    /// Of each delivery, in order, whether it may be appended. No other may.
    pub admitted: Vec<bool>,
    /// What may not, by principal.
    pub refused: Vec<Refusal>,
}

/// Whether a log of that name is of leases or of usage, and no log of anybody's records.
#[must_use]
pub fn is_auxiliary(name: &str) -> bool {
    Leases::is_log(name) || Usage::is_log(name)
}

impl Usage {
    /// The name of the log of usage of a store. It begins with U+0001.
    pub const LOG: &str = "\u{1}usage\u{1}";

    /// What its snapshots are kept as, with the version of what reads them.
    pub const SNAPSHOT: &str = "tern-usage/1";

    /// After so many records that no snapshot holds, a new one is worth its place.
    const WORTH: u64 = 1000;

    /// Of one principal for one reason, so many milliseconds lie between two recorded refusals.
    const APART: u64 = 60_000;

    /// Whether a log of that name is one of usage.
    #[must_use]
    pub fn is_log(name: &str) -> bool {
        name.starts_with(Self::LOG)
    }

    /// Reads what stands on record, from the last snapshot on if there is one of these records.
    ///
    /// # Errors
    ///
    /// Those of [`Log::read`]; `store_broken_chain`; `store_corrupt` where a record is none of usage.
    pub fn open(log: Box<dyn Log>) -> Result<Self, Error> {
        let (head, principals) = match restored(&*log)? {
            Some(restored) => restored,
            None => (Head::start(log.name()), BTreeMap::new()),
        };
        let mut usage = Self {
            log: Held(log),
            read: Chain::from(head),
            principals,
            unrecorded: BTreeMap::new(),
            kept: head.position,
        };
        usage.look()?;
        Ok(usage)
    }

    /// Reads what others wrote meanwhile.
    ///
    /// # Errors
    ///
    /// Those of [`Usage::open`].
    pub fn look(&mut self) -> Result<(), Error> {
        const PIECE: usize = 256;
        loop {
            let records = self.log.0.read(self.read.head().position, PIECE)?;
            if records.is_empty() {
                return Ok(());
            }
            for record in records {
                self.read.check(self.log.0.store(), &record)?;
                self.apply(&record)?;
            }
        }
    }

    /// What stands on record of a principal, as of the last look.
    #[must_use]
    pub fn spent(&self, principal: &Principal) -> Option<&Spent> {
        self.principals.get(principal)
    }

    /// All principals of whom something stands on record, sorted, as of the last look.
    pub fn principals(&self) -> impl Iterator<Item = (&Principal, &Spent)> {
        self.principals.iter()
    }

    /// Reserves room in the log `log` for those deliveries that are within the quotas, and records what is refused. What is
    /// admitted may be appended once when it returns, the rest may not.
    ///
    /// # Errors
    ///
    /// Those of [`Usage::open`] and [`Log::append`]; `store_record_too_long` for a delivery that no log takes, of which
    /// nothing is reserved. `store_bad_name` for a log that cannot be. After any error nothing may be appended; it may be counted.
    pub fn reserve(
        &mut self,
        quotas: &Quotas,
        log: &str,
        deliveries: &[Delivery<'_>],
        now: SystemTime,
    ) -> Result<Reserved, Error> {
        check_name(log)?;
        loop {
            self.look()?;
            let decided = decide(self, quotas, log, deliveries, now)?;
            let lines: Result<Vec<_>, _> = decided.events.iter().map(serde_json::to_vec).collect();
            let lines = lines.map_err(|error| Error::Io {
                store: self.log.0.store().to_owned(),
                source: Box::new(error),
            })?;
            let lines: Vec<&[u8]> = lines.iter().map(Vec::as_slice).collect();
            // INVARIANT 4: others who reserved meanwhile make it conflict, and it is decided again.
            let here = Expected::At(self.read.head().position);
            match self.log.0.append(here, &lines) {
                Ok(_) => {}
                Err(Error::Conflict { .. }) => continue,
                Err(error) => return Err(error),
            }
            self.look()?;
            self.count(&decided.refused);
            self.keep();
            return Ok(Reserved {
                admitted: decided.admitted,
                refused: decided.refused,
            });
        }
    }

    /// Keeps in mind what was not recorded.
    fn count(&mut self, refused: &[Refusal]) {
        for refusal in refused {
            let key = (refusal.principal.clone(), refusal.reason);
            if refusal.recorded {
                self.unrecorded.remove(&key);
            } else {
                let count = self.unrecorded.entry(key).or_default();
                count.add(refusal.deliveries, refusal.bytes);
            }
        }
    }

    fn unrecorded(&self, principal: &Principal, reason: Reason) -> Count {
        let key = (principal.clone(), reason);
        self.unrecorded.get(&key).copied().unwrap_or_default()
    }

    /// Whether the last recorded refusal is long enough ago. A clock that was set back makes one be recorded.
    fn is_worth_recording(&self, principal: &Principal, reason: Reason, now: SystemTime) -> bool {
        let last = self
            .spent(principal)
            .and_then(|spent| spent.refused.get(&reason));
        last.is_none_or(|last| millis(now).abs_diff(last.at) >= Self::APART)
    }

    /// What a record changes.
    fn apply(&mut self, record: &Record) -> Result<(), Error> {
        let event = serde_json::from_slice(&record.bytes).map_err(|error| Error::Corrupt {
            store: self.log.0.store().to_owned(),
            why: format!(
                "the record at position {} is none of usage: {error}",
                record.position
            ),
        })?;
        match event {
            Event::Reserve { log, shares } => {
                for share in shares {
                    let spent = self.principals.entry(share.principal).or_default();
                    spent.bytes = spent.bytes.saturating_add(share.bytes);
                    spent.contexts.insert(log.clone());
                }
            }
            Event::Refuse {
                log,
                principal,
                reason,
                deliveries,
                bytes,
                sha256,
                at,
                unrecorded,
            } => {
                let spent = self.principals.entry(principal).or_default();
                let before = spent.refused.get(&reason);
                let mut all = before.map_or_else(Count::default, |before| Count {
                    deliveries: before.deliveries,
                    bytes: before.bytes,
                });
                all.add(deliveries, bytes);
                all.add(unrecorded.deliveries, unrecorded.bytes);
                let refused = Refused {
                    deliveries: all.deliveries,
                    bytes: all.bytes,
                    records: before.map_or(0, |before| before.records).saturating_add(1),
                    log,
                    sha256,
                    at,
                };
                spent.refused.insert(reason, refused);
            }
        }
        Ok(())
    }

    /// Keeps a snapshot if it is worth it. It is a cache: that it could not be kept changes nothing of what was reserved. A log
    /// that fails for good says so again the next time.
    fn keep(&mut self) {
        let head = self.read.head();
        let new = head.position.as_u64().saturating_sub(self.kept.as_u64());
        if new < Self::WORTH {
            return;
        }
        let principals: Vec<(&Principal, &Spent)> = self.principals.iter().collect();
        if let Ok(bytes) = serde_json::to_vec(&principals) {
            let snapshot = Snapshot::new(Self::SNAPSHOT, head, bytes);
            let _is_a_cache = self.log.0.put_snapshot(&snapshot);
        }
        self.kept = head.position;
    }
}

/// The kept snapshot, if there is one of the records of this log that can be read.
fn restored(log: &dyn Log) -> Result<Option<(Head, Principals)>, Error> {
    let Some(Snapshot { head, bytes, .. }) = log.snapshot(Usage::SNAPSHOT)? else {
        return Ok(None);
    };
    let Some(last) = head.position.as_u64().checked_sub(1) else {
        return Ok(None);
    };
    let last = log.read(Position::new(last), 1)?;
    if last.first().map(|record| record.link) != Some(head.link) {
        return Ok(None);
    }
    let principals: Option<Vec<(Principal, Spent)>> = serde_json::from_slice(&bytes).ok();
    Ok(principals.map(|principals| (head, principals.into_iter().collect())))
}
