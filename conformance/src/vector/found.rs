//! A vector out of a log on which an implementation is wrong.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Check, Expect, Level, Line, Orders, Read, Refused, Side, Vector, log};
use crate::differ::Difference;
use crate::engine::{Answer, Ask, Engine as _, Model};
use crate::mixer::hash;
use crate::protocol::{Bytes, Fate};

impl Vector {
    /// A vector of a log that was found, with what the reference model says of it. Its clauses have to be
    /// named by a person.
    ///
    /// None where the model itself fails on it.
    #[must_use]
    pub fn found(document: &[u8], difference: &Difference) -> Option<Self> {
        let answer = Model::default().run(document, Ask::ViewAtEnd).ok()?;
        let (body, open_end) = match document.strip_suffix(b"\n") {
            Some(body) => (body, false),
            None => (document, true),
        };
        let is_document = body
            .split(|byte| *byte == b'\n')
            .next()
            .is_some_and(log::begins_document);
        let clause = |clause: &str, level| Check {
            clause: clause.to_owned(),
            level,
            side: Side::Applies,
        };
        let mut vector = Self {
            id: format!("found-{:016x}", hash(document)),
            hash: String::new(),
            title: format!("Found by comparing: {}", short(&difference.to_string())),
            level: if is_document { 5 } else { 1 },
            checks: vec![clause("S7.01", Level::Reading)],
            log: body
                .split(|byte| *byte == b'\n')
                .map(|line| Line::Exact(Bytes(line.to_vec())))
                .collect(),
            open_end,
            orders: Orders::Given,
            expect: expected(&answer, difference),
        };
        vector.hash = vector.content_hash().ok()?;
        Some(vector)
    }
}

fn expected(answer: &Answer, difference: &Difference) -> Expect {
    let reading = match answer {
        Answer::Refused { line } => {
            return Expect::Refused(Refused {
                refused: u64::try_from(*line).unwrap_or(u64::MAX),
            });
        }
        Answer::Read(reading) => reading,
    };
    let view = reading.views.last();
    let value = view.and_then(|view| serde_json::from_str::<Value>(&view.json).ok());
    let (mut places, mut absent) = (BTreeMap::new(), Vec::new());
    if let Difference::View { pointer, .. } = difference
        && !pointer.is_empty()
    {
        match value.as_ref().and_then(|view| view.pointer(pointer)) {
            Some(there) => {
                places.insert(pointer.clone(), there.clone());
            }
            None => absent.push(pointer.clone()),
        }
    }
    Expect::Read(Read {
        outcomes: reading.outcomes.iter().map(Fate::from).collect(),
        view: places,
        absent,
        digest: view.map(|view| view.digest.clone()).unwrap_or_default(),
    })
}

/// What fits into a title.
fn short(text: &str) -> String {
    const MOST: usize = 160;
    text.chars().take(MOST).collect()
}
