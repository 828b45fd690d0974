//! A vector out of a log on which an implementation is wrong.

use std::collections::BTreeMap;

use serde_json::Value;

use tern_core::Code;

use super::{Check, Expect, Level, Line, Orders, Read, Refused, Side, Vector};
use crate::differ::Difference;
use crate::engine::{Answer, Ask, Engine as _, Model, Outcome};
use crate::mixer::hash;
use crate::protocol::{Bytes, Fate};

impl Vector {
    /// A vector of a log that was found, with what the reference model says of it. The clause is that of the code
    /// that one of the two gave, or the one on views or documents in general: a person has to name the right ones.
    ///
    /// None where the model itself fails on it.
    #[must_use]
    pub fn found(document: &[u8], difference: &Difference) -> Option<Self> {
        let answer = Model::default().run(document, Ask::ViewAtEnd).ok()?;
        let (body, open_end) = match document.strip_suffix(b"\n") {
            Some(body) => (body, false),
            None => (document, true),
        };
        let mut vector = Self {
            id: format!("found-{:016x}", hash(document)),
            hash: String::new(),
            title: format!("Found by comparing: {}", short(&difference.to_string())),
            level: level(&answer),
            checks: vec![check(difference, &answer)],
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

/// What the difference is about.
fn check(difference: &Difference, right: &Answer) -> Check {
    let of_code = |outcome: Option<&Outcome>| match outcome {
        Some(Outcome::Rejected { code, .. }) => Code::from_name(code).map(Code::clause),
        _ => None,
    };
    let (clause, side) = match difference {
        Difference::Outcome { delivery, left, .. } => {
            let right = delivery
                .checked_sub(1)
                .and_then(|index| right.outcomes().get(index));
            match (of_code(right), of_code(Some(left))) {
                (Some(clause), _) => (clause, Side::Applies),
                (None, Some(clause)) => (clause, Side::Spares),
                (None, None) => ("S2.15", Side::Applies),
            }
        }
        Difference::Refusal { .. } => ("S8.02", Side::Applies),
        Difference::Digest { .. } => ("S7.05", Side::Applies),
        Difference::Failure { .. } | Difference::Count { .. } => ("S2.15", Side::Applies),
        Difference::View { .. } => ("S7.01", Side::Applies),
    };
    Check {
        clause: clause.to_owned(),
        level: Level::Reading,
        side,
    }
}

/// How much it takes, by what comes of it.
fn level(answer: &Answer) -> u8 {
    let view = answer.view();
    let view = view.and_then(|view| serde_json::from_str::<Value>(&view.json).ok());
    match view {
        Some(view) => super::level_of(&view).max(if answer.outcomes().len() > 1 { 2 } else { 1 }),
        None => 1,
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
