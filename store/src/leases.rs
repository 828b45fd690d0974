//! Leases: who may work on what, and until when, decided by the order of a log of its own.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::{Chain, Error, Expected, Head, Log, Position, Record};

/// The leases of a log, and what is left of those that ended. Any number of processes may share one log of leases; each
/// resource has at most one holder at a time, as far as the clocks of the holders agree.
///
/// A lease is taken, kept up and given back by records, so that it survives whoever holds it: after its time it can be
/// taken by somebody else. Time comes in from outside, and who holds what is a function of the records alone.
///
/// ```
/// use std::time::{Duration, SystemTime};
/// use tern_store::{Leases, Outcome, SqliteStore, Store};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("thread.db");
/// let store = SqliteStore::new(&path);
/// let mut mine = Leases::open(store.open(&Leases::log_of("design"))?)?;
/// let mut others = Leases::open(store.open(&Leases::log_of("design"))?)?;
/// let (now, minute) = (SystemTime::now(), Duration::from_secs(60));
///
/// let lease = mine.take("print", "worker 1", now, minute)?.expect("nobody has it");
/// assert_eq!(others.take("print", "worker 2", now, minute)?, None);
/// assert!(mine.release(&lease, now, "printed", Outcome::Done)?);
/// assert_eq!(others.take("print", "worker 2", now, minute)?.expect("free again").attempt, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Leases {
    log: Held,
    read: Chain,
    resources: BTreeMap<String, Resource>,
}

/// A log that is used for nothing else.
pub(crate) struct Held(pub(crate) Box<dyn Log>);

impl std::fmt::Debug for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Log").field(&self.0.name()).finish()
    }
}

/// What stands on record of a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resource {
    /// Who has it, or had it last.
    pub holder: String,
    /// The record that took it: the token of the lease.
    pub token: Position,
    /// Not before this time somebody else may take it. Whole milliseconds.
    pub until: SystemTime,
    /// Whether its holder gave it back.
    pub released: bool,
    /// How often it was taken.
    pub attempts: u64,
    /// How often that came to nothing: its holder said so, or did not come back.
    pub failures: u64,
    /// What holders left, last.
    pub note: String,
}

/// A lease that was taken. It holds until its time is over, whether or not somebody thinks that they have it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lease {
    /// What it is on.
    pub resource: String,
    /// The record that took it. Later leases of the resource have greater tokens: whoever guards something can refuse the
    /// lesser.
    pub token: Position,
    /// The how many-th of the resource it is, from 1 on.
    pub attempt: u64,
    /// What the holder before left.
    pub note: String,
    /// When it ends, unless it is renewed. An append can take long: whoever was given a lease looks at the clock again.
    pub until: SystemTime,
}

/// How a lease is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// What it was taken for is done, or was not begun.
    Done,
    /// It came to nothing.
    Failed,
}

/// A record of a log of leases. Times are milliseconds since 1970, UTC.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Event {
    Take {
        resource: String,
        holder: String,
        at: u64,
        until: u64,
    },
    Renew {
        resource: String,
        token: u64,
        until: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    Release {
        resource: String,
        token: u64,
        not_before: u64,
        note: String,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        failed: bool,
    },
}

impl Leases {
    const PREFIX: &str = "\u{1}leases\u{1}";

    /// The longest time for which a lease can be taken or renewed: a day.
    pub const LONGEST: Duration = Duration::from_secs(86_400);

    /// The name of the log of leases that belongs to the log `name`. It begins with U+0001.
    #[must_use]
    pub fn log_of(name: &str) -> String {
        format!("{}{name}", Self::PREFIX)
    }

    /// Whether a log of that name is one of leases, and no log of anybody's records.
    #[must_use]
    pub fn is_log(name: &str) -> bool {
        name.starts_with(Self::PREFIX)
    }

    /// Reads what stands on record.
    ///
    /// # Errors
    ///
    /// Those of [`Log::read`]; `store_broken_chain`; `store_corrupt` where a record is no lease.
    pub fn open(log: Box<dyn Log>) -> Result<Self, Error> {
        let read = Chain::from(Head::start(log.name()));
        let mut leases = Self {
            log: Held(log),
            read,
            resources: BTreeMap::new(),
        };
        leases.look()?;
        Ok(leases)
    }

    /// Reads what others wrote meanwhile.
    ///
    /// # Errors
    ///
    /// Those of [`Leases::open`].
    pub fn look(&mut self) -> Result<(), Error> {
        const PIECE: usize = 256;
        loop {
            let records = self.log.0.read(self.read.head().position, PIECE)?;
            if records.is_empty() {
                return Ok(());
            }
            for record in records {
                let mut read = self.read;
                read.check(self.log.0.store(), &record)?;
                // Behind a record that is no lease nothing is known: it is met again.
                self.apply(&record)?;
                self.read = read;
            }
        }
    }

    /// What stands on record of a resource, as of the last look.
    #[must_use]
    pub fn resource(&self, resource: &str) -> Option<&Resource> {
        self.resources.get(resource)
    }

    /// All resources that were ever taken, sorted, as of the last look.
    pub fn resources(&self) -> impl Iterator<Item = (&str, &Resource)> {
        self.resources
            .iter()
            .map(|(name, resource)| (name.as_str(), resource))
    }

    /// Takes the resource for `time` from `now` on, a day at most, if nobody has it. Durable when it returns.
    ///
    /// # Errors
    ///
    /// Those of [`Leases::open`] and [`Log::append`].
    pub fn take(
        &mut self,
        resource: &str,
        holder: &str,
        now: SystemTime,
        time: Duration,
    ) -> Result<Option<Lease>, Error> {
        let at = millis(now);
        self.decide(|leases| {
            let before = leases.resources.get(resource);
            let is_free = before.is_none_or(|before| millis(before.until) <= at);
            is_free.then(|| {
                let event = Event::Take {
                    resource: resource.to_owned(),
                    holder: holder.to_owned(),
                    at,
                    until: after(now, time),
                };
                let lease = Lease {
                    resource: resource.to_owned(),
                    token: leases.read.head().position,
                    attempt: before.map_or(0, |before| before.attempts) + 1,
                    note: before.map_or(String::new(), |before| before.note.clone()),
                    until: self::time(after(now, time)),
                };
                (event, lease)
            })
        })
    }

    /// Makes a lease end not before `time` from `now`, a day at most, and leaves a note if one is given. No, if it was lost meanwhile:
    /// then somebody else may have the resource, and whoever held it has to stop.
    ///
    /// # Errors
    ///
    /// Those of [`Leases::take`].
    pub fn renew(
        &mut self,
        lease: &Lease,
        now: SystemTime,
        time: Duration,
        note: Option<&str>,
    ) -> Result<bool, Error> {
        let renewed = self.decide(|leases| {
            leases.holds(lease).then(|| {
                let event = Event::Renew {
                    resource: lease.resource.clone(),
                    token: lease.token.as_u64(),
                    until: after(now, time),
                    note: note.map(str::to_owned),
                };
                (event, ())
            })
        })?;
        Ok(renewed.is_some())
    }

    /// Gives a lease back, with a note for whoever takes the resource next, not before `not_before`. No, if it was lost
    /// meanwhile.
    ///
    /// # Errors
    ///
    /// Those of [`Leases::take`].
    pub fn release(
        &mut self,
        lease: &Lease,
        not_before: SystemTime,
        note: &str,
        outcome: Outcome,
    ) -> Result<bool, Error> {
        let released = self.decide(|leases| {
            leases.holds(lease).then(|| {
                let event = Event::Release {
                    resource: lease.resource.clone(),
                    token: lease.token.as_u64(),
                    not_before: millis(not_before),
                    note: note.to_owned(),
                    failed: outcome == Outcome::Failed,
                };
                (event, ())
            })
        })?;
        Ok(released.is_some())
    }

    /// Whether nobody took the resource since, as of the last look.
    #[must_use]
    pub fn holds(&self, lease: &Lease) -> bool {
        self.resources
            .get(&lease.resource)
            .is_some_and(|it| it.token == lease.token && !it.released)
    }

    /// Appends what `decision` makes of the state, at just this state: if others were faster, it decides again.
    fn decide<T>(
        &mut self,
        decision: impl Fn(&Self) -> Option<(Event, T)>,
    ) -> Result<Option<T>, Error> {
        loop {
            self.look()?;
            let Some((event, decided)) = decision(self) else {
                return Ok(None);
            };
            let line = serde_json::to_vec(&event).map_err(|error| Error::Io {
                store: self.log.0.store().to_owned(),
                source: Box::new(error),
            })?;
            let here = Expected::At(self.read.head().position);
            match self.log.0.append(here, &[&line]) {
                Ok(_) => {
                    self.look()?;
                    return Ok(Some(decided));
                }
                Err(Error::Conflict { .. }) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// What a record changes. One that is against the rules changes nothing: the records before it decide.
    fn apply(&mut self, record: &Record) -> Result<(), Error> {
        let event = serde_json::from_slice(&record.bytes).map_err(|error| Error::Corrupt {
            store: self.log.0.store().to_owned(),
            why: format!(
                "the record at position {} is no lease: {error}",
                record.position
            ),
        })?;
        match event {
            Event::Take {
                resource,
                holder,
                at,
                until,
            } => {
                let before = self.resources.get(&resource);
                if before.is_some_and(|before| millis(before.until) > at) {
                    return Ok(());
                }
                // Whoever did not give it back did not come back.
                let failures = before.map_or(0, |it| it.failures + u64::from(!it.released));
                let taken = Resource {
                    failures,
                    holder,
                    token: record.position,
                    until: time(until),
                    released: false,
                    attempts: before.map_or(0, |before| before.attempts) + 1,
                    note: before.map_or(String::new(), |before| before.note.clone()),
                };
                self.resources.insert(resource, taken);
            }
            Event::Renew {
                resource,
                token,
                until,
                note,
            } => {
                if let Some(held) = self.held(&resource, token) {
                    held.until = held.until.max(time(until));
                    held.note = note.unwrap_or_else(|| std::mem::take(&mut held.note));
                }
            }
            Event::Release {
                resource,
                token,
                not_before,
                note,
                failed,
            } => {
                if let Some(held) = self.held(&resource, token) {
                    held.until = time(not_before);
                    held.released = true;
                    held.failures += u64::from(failed);
                    held.note = note;
                }
            }
        }
        Ok(())
    }

    fn held(&mut self, resource: &str, token: u64) -> Option<&mut Resource> {
        self.resources
            .get_mut(resource)
            .filter(|it| it.token.as_u64() == token && !it.released)
    }
}

/// Milliseconds since 1970. What is before it is at it.
pub(crate) fn millis(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// The millisecond so long after a time.
fn after(now: SystemTime, time: Duration) -> u64 {
    let time = u64::try_from(time.min(Leases::LONGEST).as_millis()).unwrap_or(u64::MAX);
    millis(now).saturating_add(time)
}

/// The time so many milliseconds after 1970, or the last that can be told.
pub(crate) fn time(millis: u64) -> SystemTime {
    const FAR: Duration = Duration::from_secs(1 << 38);
    UNIX_EPOCH + Duration::from_millis(millis).min(FAR)
}
