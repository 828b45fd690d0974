//! One field that is not what the tables say (stages 2 and 3), and odd ones that are.

use std::borrow::Cow;
use std::rc::Rc;

use tern_core::message::Act;

use super::super::node::{Node, Text};
use super::super::words;
use super::super::world::{Hope, Said, World};
use super::Damage;
use super::references::Path;

pub(super) fn strike(damage: Damage, world: &mut World<'_, '_>, said: &mut Said) -> Option<Hope> {
    match damage {
        Damage::RemoveField
        | Damage::NullField
        | Damage::EmptyField
        | Damage::WrongType
        | Damage::UnknownField => return break_field(damage, world, said),
        Damage::BadWord => bad_word(world, said)?,
        Damage::BadReference => bad_reference(world, said)?,
        Damage::BadEvidence => bad_evidence(world, said)?,
        Damage::BadTime => bad_time(world, said)?,
        Damage::ColonInFrom => {
            let name = format!("{}:1", said.by.name);
            said.node.set("id", Node::from(format!("{name}:1")));
            said.node.set("from", Node::from(name));
        }
        Damage::RepeatedRecipient => {
            let name = || Node::Shared(Rc::clone(&said.by.name));
            let list = match world.dice.below(3) {
                0 => vec![name(), Node::word("zoe"), name()],
                _ => vec![name(), name()],
            };
            said.node.set("to", Node::List(list));
        }
        Damage::ReplacementMismatch => {
            let replacement = said.node.at_mut(&["body", "replacement"])?;
            *replacement = match replacement {
                Node::Null => Node::Object(Vec::new()),
                _ => Node::Null,
            };
        }
        Damage::WrongVersion => {
            let version = world.dice.one(&[
                "\"0.2\"",
                "\"0.1 \"",
                "0.1",
                "null",
                "\"\"",
                "\"0.10\"",
                "[\"0.1\"]",
                "1",
            ]);
            said.node.set("tern", Node::Raw(version.into()));
            if world.dice.chance(30) {
                said.node.set("act", Node::word("GRANT"));
            }
        }
        damage => return odd(damage, world, said),
    }
    Some(Hope::Lost)
}

/// What is odd and valid.
fn odd(damage: Damage, world: &mut World<'_, '_>, said: &mut Said) -> Option<Hope> {
    match damage {
        Damage::HugeId => {
            let length = world.dice.one(&[255, 256, 1024, 4096, 6000]);
            let letter = world.dice.one(&["x", ":", "\u{1f602}", "\u{e9}"]);
            let id: Rc<str> = format!("{}{}", said.id, letter.repeat(length)).into();
            said.node.set("id", Node::Shared(Rc::clone(&id)));
            said.id = id;
        }
        Damage::HugeText => {
            let length = world.dice.one(&[300, 5000, 300, 20000]);
            let letter = world.dice.one(&["x", "\u{0}", "\u{1f602}", "\\"]);
            let path = some_text(said)?;
            *said.node.at_mut(path)? = Node::from(letter.repeat(length));
        }
        Damage::OddText => {
            let text = world.dice.one(words::ODD_TEXTS);
            let path = some_text(said)?;
            *said.node.at_mut(path)? = Node::word(text);
        }
        _ => {
            // The message is level 1, its body 2, the object in `extensions` 3.
            let deep = world.dice.one(&[125_usize, 126, 124, 127, 200, 5000]);
            let inner = world.dice.one(&["", "1", "{}", "[]"]);
            let text = format!("{}{inner}{}", "[".repeat(deep), "]".repeat(deep));
            let extensions = Node::object([("deep", Node::Raw(text.into()))]);
            said.node.get_mut("body")?.set("extensions", extensions);
            let levels = deep + if inner.len() == 2 { 4 } else { 3 };
            if levels > 128 {
                return Some(Hope::Lost);
            }
        }
    }
    Some(Hope::Sound)
}

/// A text of the body that may be any text.
fn some_text(said: &Said) -> Option<Path> {
    let paths: [Path; 8] = [
        &["body", "question"],
        &["body", "plan"],
        &["body", "done_when"],
        &["body", "objection"],
        &["body", "reason"],
        &["body", "next"],
        &["body", "deliverable"],
        &["thread"],
    ];
    // A COMMIT must stay in its thread.
    let fits = |path: &Path| said.node.at(path).is_some();
    paths
        .into_iter()
        .find(fits)
        .filter(|path| *path != ["thread"] || said.act == Act::Ack)
}

/// An object of a message, and what its being broken comes to.
fn some_object<'n>(world: &mut World<'_, '_>, node: &'n mut Node) -> Option<(&'n mut Node, Hope)> {
    let first = |node: &'n mut Node| match node {
        Node::List(items) => items.first_mut(),
        other => Some(other),
    };
    let path: Path = match world.dice.below(8) {
        0..=2 => return Some((node, Hope::Lost)),
        3..=4 => &["body"],
        5 => &["evidence"],
        6 => {
            let paths: [Path; 2] = [&["body", "replacement"], &["body", "impact"]];
            let path = *world.dice.pick(&paths)?;
            if matches!(path, [_, "replacement"]) {
                let replacement = node.at_mut(path)?;
                return Some((replacement, Hope::Rejected));
            }
            path
        }
        _ => &["body", "claims"],
    };
    let object = node.at_mut(path).and_then(first)?;
    Some((object, Hope::Lost))
}

fn break_field(damage: Damage, world: &mut World<'_, '_>, said: &mut Said) -> Option<Hope> {
    let act = said.act;
    let (object, hope) = some_object(world, &mut said.node)?;
    let Node::Object(entries) = object else {
        return None;
    };
    let at = world.dice.below(entries.len());
    if damage == Damage::UnknownField {
        let key = world
            .dice
            .one(&["note", "Act", "tern ", "grant", "", "replaces_", "\u{0}"]);
        if entries.iter().any(|(old, _)| old == key) {
            return None;
        }
        let value = world.dice.one(&["1", "null", "\"x\"", "{}"]);
        let entry: (Text, Node) = (Cow::Borrowed(key), Node::Raw(value.into()));
        entries.insert(at, entry);
        return Some(hope);
    }
    if damage == Damage::RemoveField {
        if at < entries.len() {
            entries.remove(at);
        }
        return Some(hope);
    }
    let (key, value) = entries.get_mut(at)?;
    let empty = match value {
        Node::List(_) => "[]",
        Node::Object(_) => "{}",
        _ => "\"\"",
    };
    let broken = match damage {
        Damage::NullField => "null",
        Damage::EmptyField => empty,
        _ => world
            .dice
            .one(&["1", "true", "[]", "{}", "\"1\"", "[\"x\"]", "[null]", "0.1"]),
    };
    *value = Node::Raw(broken.into());
    // A null `reply` and the like are valid; what they led to is gone all the same.
    let still_valid = broken == "null" && matches!(key.as_ref(), "reply" | "due" | "authority_ref");
    if still_valid && act != Act::Revise {
        return Some(Hope::Sound);
    }
    Some(hope)
}

fn bad_word(world: &mut World<'_, '_>, said: &mut Said) -> Option<()> {
    let word = Node::word(world.dice.one(words::BAD_WORDS));
    let paths: [Path; 4] = [
        &["body", "state"],
        &["body", "kind"],
        &["body", "mode"],
        &["act"],
    ];
    let inner = world.dice.chance(40);
    if inner && let Some(Node::List(claims)) = said.node.at_mut(&["body", "claims"]) {
        let key = world.dice.one(&["basis", "confidence"]);
        claims.first_mut()?.set(key, word);
        return Some(());
    }
    if inner && let Some(Node::List(impacts)) = said.node.at_mut(&["body", "impact"]) {
        impacts.push(Node::object([
            ("commitment", Node::word("ana:1")),
            ("assessment", word),
            ("reason", Node::word("x")),
        ]));
        return Some(());
    }
    let mut there: Vec<Path> = paths.to_vec();
    there.retain(|path| said.node.at(path).is_some());
    let path = world.dice.pick(&there)?;
    *said.node.at_mut(path)? = word;
    Some(())
}

fn bad_reference(world: &mut World<'_, '_>, said: &mut Said) -> Option<()> {
    let reference = Node::word(world.dice.one(words::BAD_REFERENCES));
    let mut paths = super::references::gating(&said.node);
    paths.retain(|path| path.len() < 3);
    paths.push(&["id"]);
    let path = world.dice.pick(&paths)?;
    *said.node.at_mut(path)? = reference;
    Some(())
}

fn bad_evidence(world: &mut World<'_, '_>, said: &mut Said) -> Option<()> {
    let reference = Node::word(world.dice.one(words::BAD_EVIDENCE));
    if let Some(support) = said.node.at_mut(&["body", "support"]) {
        *support = Node::List(vec![reference]);
    } else if let Some(Node::List(claims)) = said.node.at_mut(&["body", "claims"]) {
        claims
            .first_mut()?
            .set("evidence", Node::List(vec![reference]));
    } else {
        let mut evidence = world.evidence();
        evidence.set("id", reference);
        said.node.set("evidence", Node::List(vec![evidence]));
    }
    Some(())
}

fn bad_time(world: &mut World<'_, '_>, said: &mut Said) -> Option<()> {
    let time = Node::word(world.dice.one(words::BAD_TIMES));
    match said.node.at_mut(&["body", "due"]) {
        Some(due) => *due = time,
        None => {
            let mut evidence = world.evidence();
            evidence.set("collected_at", time);
            said.node.set("evidence", Node::List(vec![evidence]));
        }
    }
    Some(())
}
