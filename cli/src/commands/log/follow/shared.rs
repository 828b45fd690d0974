//! Logs that several workers share: one at a time follows each, by leases in the store itself.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use tern_store::{Head, Lease, Leases, Outcome, Store};

use super::Mine;
use crate::commands::log::noted::HeadArgument;
use crate::failure::Failure;

/// What a worker has of the logs of its group.
pub(super) struct Shared {
    leases: Leases,
    worker: String,
    time: Duration,
    /// Says to the others that this worker is there.
    presence: Option<Held>,
    logs: BTreeMap<String, Held>,
}

/// A lease, and what there is to note with it.
struct Held {
    lease: Lease,
    /// Up to where the log was printed.
    head: Option<Head>,
    renewed: SystemTime,
}

/// What is leased: the presence of a worker, or a log.
const WORKER: &str = "worker ";
const LOG: &str = "log ";

impl Shared {
    pub(super) fn open(
        store: &dyn Store,
        group: &str,
        worker: &str,
        time: Duration,
    ) -> Result<Self, Failure> {
        let log = store.open(&Leases::log_of(&format!("\u{1}group {group}")))?;
        Ok(Self {
            leases: Leases::open(log)?,
            worker: worker.to_owned(),
            time,
            presence: None,
            logs: BTreeMap::new(),
        })
    }

    /// The logs that are this worker's now, with what is noted of each: its part of all, so that each worker that shows
    /// itself has as many as any other, but for one.
    pub(super) fn share(&mut self, names: &[String]) -> Result<Vec<Mine>, Failure> {
        self.show()?;
        let now = SystemTime::now();
        let workers = self
            .leases
            .resources()
            .filter(|(name, it)| name.starts_with(WORKER) && !it.released && it.until > now)
            .count();
        let part = names.len().div_ceil(workers.max(1));
        while self.logs.len() > part
            && let Some((_, held)) = self.logs.pop_last()
        {
            self.give_back(&held)?;
        }
        for name in names {
            if self.logs.len() >= part {
                break;
            }
            if !self.logs.contains_key(name)
                && let Some(held) = self.take(&format!("{LOG}{name}"))?
            {
                self.logs.insert(name.clone(), held);
            }
        }
        let mine = self.logs.iter();
        Ok(mine
            .map(|(name, held)| (name.clone(), Some(held.lease.token), held.head))
            .collect())
    }

    /// Says that this worker is there, if it is time to say so again.
    fn show(&mut self) -> Result<(), Failure> {
        let name = format!("{WORKER}{}", self.worker);
        if let Some(mut held) = self.presence.take()
            && self.renews(&mut held)?
        {
            self.presence = Some(held);
            return Ok(());
        }
        self.leases.look()?;
        self.presence = self.take(&name)?;
        Ok(())
    }

    /// Whether a log is still this worker's to print.
    pub(super) fn keeps(&mut self, name: &str) -> Result<bool, Failure> {
        let Some(mut held) = self.logs.remove(name) else {
            return Ok(false);
        };
        let keeps = self.renews(&mut held)?;
        if keeps {
            self.logs.insert(name.to_owned(), held);
        }
        Ok(keeps)
    }

    /// What was printed of a log: noted in the store with the next renewal.
    pub(super) fn note(&mut self, name: &str, head: Head) {
        if let Some(held) = self.logs.get_mut(name) {
            held.head = Some(head);
        }
    }

    /// Gives back everything, so that nobody has to wait for its time.
    pub(super) fn leave(&mut self) -> Result<(), Failure> {
        while let Some((_, held)) = self.logs.pop_first() {
            self.give_back(&held)?;
        }
        if let Some(held) = self.presence.take() {
            let now = SystemTime::now();
            self.leases.release(&held.lease, now, "", Outcome::Done)?;
        }
        Ok(())
    }

    fn give_back(&mut self, held: &Held) -> Result<(), Failure> {
        let note = held.note();
        let now = SystemTime::now();
        self.leases
            .release(&held.lease, now, &note, Outcome::Done)?;
        Ok(())
    }

    fn take(&mut self, resource: &str) -> Result<Option<Held>, Failure> {
        let now = SystemTime::now();
        let lease = self.leases.take(resource, &self.worker, now, self.time)?;
        Ok(lease.map(|lease| Held {
            head: lease.note.parse().ok().map(|HeadArgument(head)| head),
            lease,
            renewed: now,
        }))
    }

    /// Renews a lease if a third of its time is over. No, if it is lost.
    fn renews(&mut self, held: &mut Held) -> Result<bool, Failure> {
        // The time of day goes on while a machine sleeps; where it was set back, it is time too.
        let now = SystemTime::now();
        let since = now.duration_since(held.renewed);
        if since.is_ok_and(|since| since < self.time / 3) {
            return Ok(true);
        }
        held.renewed = now;
        let note = held.note();
        Ok(self
            .leases
            .renew(&held.lease, now, self.time, Some(&note))?)
    }
}

impl Held {
    fn note(&self) -> String {
        let head = self
            .head
            .map(|head| format!("{}:{}", head.position, head.link));
        head.unwrap_or_default()
    }
}
