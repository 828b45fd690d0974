//! A vector for each distinct shape of view that a few small messages come to.

use std::collections::BTreeMap;

use serde_json::Value;
use tern_conformance::engine::Model;
use tern_conformance::mixer::hash;
use tern_conformance::protocol::Fate;
use tern_conformance::scope::{Checked, Look, Scope, SmallLog, enumerate, enumerate_equivocal};
use tern_conformance::vector::{
    Check, Expect, File, Level, Line, Orders, Read, Side, Vector, level_of,
};
use tern_conformance::{Ask, Engine as _};

/// Goes through all logs of up to three messages, and of two ids of which one has two versions, and takes the
/// first of each shape. Where core and model differ on any of them: how.
pub(crate) fn shapes() -> Result<File, Vec<String>> {
    let (mut checked, mut partings) = (Checked::default(), Vec::new());
    let mut take = |log: &SmallLog| {
        if let Err(parting) = checked.check(log, Look::GivenOrder) {
            partings.push(parting.to_string());
        }
    };
    for messages in 1..=3 {
        enumerate(messages, Scope::Any, (0, 1), &mut take);
    }
    for ids in 1..=2 {
        enumerate_equivocal(ids, Scope::Any, (0, 1), &mut take);
    }
    if !partings.is_empty() {
        return Err(partings);
    }
    let mut vectors: Vec<Vector> = checked
        .shapes
        .iter()
        .map(|(shape, log)| {
            let none = || vec![format!("the model makes nothing of: {shape}")];
            vector(shape, log).ok_or_else(none)
        })
        .collect::<Result<_, _>>()?;
    vectors.sort_by(|one, other| one.id.cmp(&other.id));
    Ok(File {
        title: "Every distinct shape of view that up to three small messages come to".to_owned(),
        vectors,
    })
}

fn vector(shape: &str, log: &SmallLog) -> Option<Vector> {
    let lines = log.lines();
    let document = lines.join(&b'\n');
    let answer = Model::default().run(&document, Ask::ViewAtEnd).ok()?;
    let view: Value = serde_json::from_str(&answer.view()?.json).ok()?;
    let mut places = BTreeMap::new();
    for (of, fields) in [
        ("messages", &["status", "code"][..]),
        ("chains", &["state"]),
        ("commitments", &["progress", "readiness", "blocked_by"]),
    ] {
        let entries = view.get(of).and_then(Value::as_object);
        for (id, entry) in entries.into_iter().flatten() {
            for field in fields {
                if let Some(value) = entry.get(*field) {
                    let id = id.replace('~', "~0").replace('/', "~1");
                    places.insert(format!("/{of}/{id}/{field}"), value.clone());
                }
            }
        }
    }
    let is_honest = log.versions().is_none();
    let check = |clause: &str| Check {
        clause: clause.to_owned(),
        level: Level::Reading,
        side: Side::Applies,
    };
    let title = if shape.is_empty() {
        "everything is accepted, and that is all".to_owned()
    } else {
        shape.chars().take(190).collect()
    };
    Some(Vector {
        id: format!("shape-{:016x}", hash(&document)),
        hash: String::new(),
        title,
        level: level_of(&view).max(2),
        checks: vec![check(if is_honest { "S7.01" } else { "S7.02" })],
        log: lines
            .iter()
            .map(|line| serde_json::from_slice(line).ok().map(Line::Record))
            .collect::<Option<_>>()?,
        open_end: false,
        orders: if is_honest {
            Orders::All
        } else {
            Orders::Given
        },
        expect: Expect::Read(Read {
            outcomes: answer.outcomes().iter().map(Fate::from).collect(),
            view: places,
            absent: Vec::new(),
            digest: String::new(),
        }),
    })
}
