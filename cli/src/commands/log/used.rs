//! What each principal has filled of a store, and what was refused.

use jiff::Timestamp;
use serde_json::{Value, json};
use tern_store::{Refused, Store, Usage};

use crate::durable::{deliveries, principal};
use crate::failure::Failure;
use crate::text::{count, shown};

/// The usage of a store, if any stands on record.
pub(super) fn used(store: &dyn Store) -> Result<Option<Usage>, Failure> {
    let is_there = store.logs()?.iter().any(|(name, _)| name == Usage::LOG);
    if !is_there {
        return Ok(None);
    }
    Ok(Some(Usage::open(store.open_read_only(Usage::LOG)?)?))
}

/// What was used and refused, in words.
pub(super) fn text(usage: &Usage) -> String {
    let mut text = "used by principals, as far as quotas were in use:\n".to_owned();
    for (who, spent) in usage.principals() {
        text.push_str(&format!(
            "  {}: {} bytes in {}\n",
            principal(who),
            spent.bytes,
            count(spent.contexts.len(), "context")
        ));
        for (reason, refused) in &spent.refused {
            text.push_str(&format!(
                "    refused for too many {}: {}, {} bytes, in {}\n    last at {} for {}: sha256 {}\n",
                reason.as_str(),
                deliveries(refused.deliveries),
                refused.bytes,
                count(
                    usize::try_from(refused.records).unwrap_or(usize::MAX),
                    "record"
                ),
                at(refused),
                shown(&refused.log),
                shown(&refused.sha256)
            ));
        }
    }
    text
}

/// What was used and refused, as data.
pub(super) fn objects(usage: &Usage) -> Value {
    let principals = usage.principals().map(|(who, spent)| {
        let refused = spent.refused.iter().map(|(reason, refused)| {
            json!({
                "reason": reason,
                "deliveries": refused.deliveries,
                "bytes": refused.bytes,
                "records": refused.records,
                "last": {"at": at(refused), "log": refused.log, "sha256": refused.sha256},
            })
        });
        json!({
            "principal": who,
            "bytes": spent.bytes,
            "contexts": spent.contexts.len(),
            "refused": refused.collect::<Vec<_>>(),
        })
    });
    principals.collect()
}

/// A time that no calendar has is not told.
fn at(refused: &Refused) -> String {
    let time = Timestamp::try_from(refused.last());
    time.map_or_else(|_| "an unknown time".to_owned(), |time| time.to_string())
}
