//! Quotas on what goes to durable logs: what is over them is refused, recorded and said, and everything else is appended.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::SystemTime;

use clap::Args;
use serde_json::{Value, json};
use tern_store::{Delivery, Error, Position, Principal, Quotas, Reason, Refusal, Store, Usage};

use super::{Appended, ToAppend, append, expect_nameable};
use crate::failure::Failure;
use crate::gloss;

/// How much of a durable store each principal may fill.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Quota {
    /// Refuse deliveries of a principal who would have more than N bytes in the logs of the store
    ///
    /// What is refused is not appended, but said, recorded with its SHA-256 (once a minute for each principal), and makes the
    /// exit code 1; everything else is appended. Deliveries without a principal count as those of one. Only what is appended with one of these two options
    /// is counted, and only they are held against it: give them each time.
    #[arg(long, value_name = "N")]
    quota_bytes: Option<u64>,

    /// Refuse deliveries of a principal who would speak in more than N logs of the store
    ///
    /// As with --quota-bytes.
    #[arg(long, value_name = "N")]
    quota_contexts: Option<u64>,
}

impl Quota {
    /// Whether none is given.
    pub(crate) fn is_empty(self) -> bool {
        self.quotas().is_empty()
    }

    fn quotas(self) -> Quotas {
        Quotas {
            bytes: self.quota_bytes,
            contexts: self.quota_contexts,
        }
    }

    /// Appends what is within the quotas, and takes the rest out of `read`: both its lines and where they stood in the input.
    pub(crate) fn append(self, store: &dyn Store, read: &mut ToAppend) -> Result<Within, Failure> {
        let refused = if self.is_empty() {
            Vec::new()
        } else {
            self.refuse(store, read)?
        };
        // A context of which everything was refused is not begun: its record would be what nobody is held to.
        let appended = if read.lines.is_empty() && !refused.is_empty() {
            found(store, read.context.id())?
        } else {
            Some(append(store, read)?)
        };
        Ok(Within { appended, refused })
    }

    /// Reserves room for the deliveries and leaves only those that got it.
    fn refuse(self, store: &dyn Store, read: &mut ToAppend) -> Result<Vec<Refusal>, Failure> {
        // What cannot be appended has to be known before anything is reserved for it.
        expect_nameable(read.context.id())?;
        let delivered = read.lines.iter().zip(&read.sources);
        let deliveries: Vec<Delivery<'_>> = delivered
            .filter_map(|(line, source)| match source {
                Source::Receiver => None,
                Source::Channel(principal) => Some(Delivery {
                    principal: principal.as_deref(),
                    bytes: line,
                }),
            })
            .collect();
        if deliveries.is_empty() {
            return Ok(Vec::new());
        }
        let mut usage = Usage::open(store.open(Usage::LOG)?)?;
        let log = read.context.id();
        let reserved = usage.reserve(&self.quotas(), log, &deliveries, SystemTime::now())?;
        let mut admitted = reserved.admitted.into_iter();
        let kept: Vec<bool> = read
            .sources
            .iter()
            .map(|source| match source {
                Source::Receiver => true,
                Source::Channel(_) => admitted.next().unwrap_or(false),
            })
            .collect();
        keep_only(&mut read.lines, &kept);
        keep_only(&mut read.origins, &kept);
        keep_only(&mut read.sources, &kept);
        Ok(reserved.refused)
    }
}

/// What came of an append under quotas.
pub(crate) struct Within {
    /// Where it went; nowhere, if everything was refused and there is nothing in that log.
    pub(crate) appended: Option<Appended>,
    /// What was refused, by principal.
    pub(crate) refused: Vec<Refusal>,
}

/// Whom the record of a line is of.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// A local fact: it is the receiver's own and never counts.
    Receiver,
    /// A delivery, and the principal of its channel.
    Channel(Option<Rc<str>>),
}

/// The log as it is, if it holds anything.
fn found(store: &dyn Store, name: &str) -> Result<Option<Appended>, Failure> {
    let head = match store.open_read_only(name) {
        Err(Error::NoSuchLog { .. }) => return Ok(None),
        opened => opened?.head()?,
    };
    Ok((head.position > Position::START).then_some(Appended {
        first: head.position,
        head,
    }))
}

fn keep_only<T>(all: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    all.retain(|_| kept.next().is_some_and(|&kept| kept));
}

/// What was refused, in words.
pub(crate) fn refusals_text(refused: &[Refusal]) -> String {
    let mut text = String::new();
    for refusal in refused {
        let code = refusal.code();
        let deliveries = deliveries(refusal.deliveries);
        text.push_str(&format!(
            "refused[{code}]: {deliveries} of {}, {} bytes: {}\n  sha256 {}{}\n",
            principal(&refusal.principal),
            refusal.bytes,
            match refusal.reason {
                Reason::Contexts => "one context too many",
                _ => "too many bytes",
            },
            refusal.sha256,
            match refusal.recorded {
                true => "",
                false => ", not recorded: another refusal was, less than a minute before",
            }
        ));
    }
    if let Some(refusal) = refused.first() {
        text.push_str(&format!("  hint: {}\n", refusal.code().hint()));
    }
    text
}

/// `1 delivery`, `2 deliveries`.
pub(crate) fn deliveries(number: u64) -> String {
    match number {
        1 => "1 delivery".to_owned(),
        many => format!("{many} deliveries"),
    }
}

/// What was refused, as data.
pub(crate) fn refusals_json(refused: &[Refusal]) -> Vec<Value> {
    let refused = refused.iter().map(|refusal| {
        json!({
            "code": refusal.code().as_str(),
            "hint": refusal.code().hint(),
            "principal": refusal.principal,
            "reason": refusal.reason,
            "log": refusal.log,
            "deliveries": refusal.deliveries,
            "bytes": refusal.bytes,
            "sha256": refusal.sha256,
            "recorded": refusal.recorded,
        })
    });
    refused.collect()
}

/// A principal, safe to print.
pub(crate) fn principal(principal: &Principal) -> String {
    const LONGEST: usize = 160;
    match principal {
        Principal::Nobody => "nobody (no principal)".to_owned(),
        named => gloss::name(&named.to_string(), LONGEST),
    }
}

/// The principals of an input, each kept once.
#[derive(Default)]
pub(super) struct Principals(BTreeSet<Rc<str>>);

impl Principals {
    pub(super) fn source(&mut self, principal: Option<&str>) -> Source {
        Source::Channel(principal.map(|name| match self.0.get(name) {
            Some(known) => Rc::clone(known),
            None => {
                let new: Rc<str> = name.into();
                self.0.insert(Rc::clone(&new));
                new
            }
        }))
    }
}
