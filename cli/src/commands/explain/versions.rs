//! The versions of an equivocal id: one id, several contents.

use serde::Serialize;
use tern_core::wire::{Digest, Json, JsonOptions, Limits, read};
use tern_core::{Delivery, Verdict};

use crate::gloss::gloss;
use crate::history::History;
use crate::look::{Difference, differences};

/// One kept version. The first one is the message.
#[derive(Serialize)]
pub(super) struct Version {
    pub(super) line: u64,
    pub(super) digest: Digest,
    pub(super) gloss: String,
    /// Against the first version, envelope included.
    pub(super) differences: Vec<Difference>,
}

/// The kept versions of an id, the first one first; none where there is only one.
pub(super) fn of(id: &str, history: &History) -> Vec<Version> {
    let Some((first, delivery)) = history.delivery(id) else {
        return Vec::new();
    };
    let mut versions: Vec<Version> = Vec::new();
    let later = history.outcomes.iter().filter(|delivered| {
        delivered.outcome.id.as_deref() == Some(id)
            && matches!(delivered.outcome.verdict, Verdict::IdConflict(_))
    });
    for delivered in std::iter::once(first).chain(later) {
        let Some(bytes) = history.bytes(delivered) else {
            continue;
        };
        let Ok(parsed) = read(bytes, &Limits::default()) else {
            continue;
        };
        if versions.iter().any(|kept| kept.digest == parsed.digest) {
            continue;
        }
        versions.push(Version {
            line: delivered.line,
            digest: parsed.digest,
            gloss: gloss(&parsed.message, super::GLOSS),
            differences: from_first(delivery, bytes),
        });
    }
    if versions.len() < 2 {
        Vec::new()
    } else {
        versions
    }
}

fn from_first(first: &Delivery<'_>, bytes: &[u8]) -> Vec<Difference> {
    let options = JsonOptions::default();
    match (
        Json::read(&first.bytes, options),
        Json::read(bytes, options),
    ) {
        (Ok(one), Ok(other)) => differences(Some(one.root()), Some(other.root())),
        _ => Vec::new(),
    }
}
