//! References that do not bear what rests on them (S3.05, S3.06), and forks.

use std::rc::Rc;

use tern_core::message::Act;

use super::super::node::Node;
use super::super::post::{Mail, Principal};
use super::super::world::{Hope, Known, Said, World};
use super::Damage;
use super::way::suffix;

/// A path to a gating reference.
pub(super) type Path = &'static [&'static str];

const GATING: &[Path] = &[
    &["reply"],
    &["body", "about"],
    &["body", "request"],
    &["body", "commitment"],
    &["body", "target"],
    &["body", "previous"],
    &["body", "replaces"],
    &["body", "replacement", "request"],
    &["body", "replacement", "commitment"],
    &["body", "replacement", "replaces"],
];

/// The gating references that a message has, or could have.
pub(super) fn gating(node: &Node) -> Vec<Path> {
    let has = |path: &&Path| node.at(path).is_some();
    GATING.iter().copied().filter(|path| has(&path)).collect()
}

/// Puts a reference at the end of a path.
pub(super) fn set_reference(node: &mut Node, path: Path, reference: Node) {
    if let Some(place) = node.at_mut(path) {
        *place = reference;
    }
}

pub(super) fn strike(
    damage: Damage,
    world: &mut World<'_, '_>,
    said: &mut Said,
    mail: &mut Mail,
) -> Option<Hope> {
    match damage {
        Damage::ForkChain => (said.act == Act::Revise).then_some(Hope::Sound),
        Damage::ReferUnknown => {
            let unknown = match world.dice.below(4) {
                0 => Node::word("zoe:404"),
                1 => Node::word("ev:1"),
                2 => Node::from(format!("{}x", said.id)),
                _ => Node::from(format!("{}:404", said.by.name)),
            };
            misdirect(world, said, unknown, 60);
            Some(Hope::Waiting)
        }
        Damage::ReferPending => {
            let other = pick(world, |other| other.hope == Hope::Waiting)?;
            misdirect(world, said, Node::Shared(Rc::clone(&other.id)), 60);
            Some(Hope::Waiting)
        }
        Damage::ReferRejected => {
            let other = pick(world, |other| other.hope == Hope::Rejected)?;
            misdirect(world, said, Node::Shared(Rc::clone(&other.id)), 50);
            Some(Hope::Rejected)
        }
        Damage::ReferOtherAct => {
            let mut paths = gating(&said.node);
            paths.retain(|path| !matches!(path, [.., "reply"] | [.., "about"]));
            let path = *world.dice.pick(&paths)?;
            let act = right_act(path, said)?;
            let other = pick(world, |other| other.hope == Hope::Sound && other.act != act)?;
            let reference = Node::Shared(Rc::clone(&other.id));
            set_reference(&mut said.node, path, reference);
            Some(Hope::Rejected)
        }
        Damage::CrossThreads => {
            let threads: Vec<&Rc<str>> = world
                .threads
                .iter()
                .filter(|thread| **thread != said.thread)
                .collect();
            let other = world.dice.pick(&threads);
            let other = other.map_or_else(|| "elsewhere".into(), |thread| Rc::clone(thread));
            said.node.set("thread", Node::Shared(Rc::clone(&other)));
            said.thread = other;
            let is_bound = said.act == Act::Commit;
            Some(if is_bound {
                Hope::Rejected
            } else {
                Hope::Sound
            })
        }
        Damage::WrongAuthor => {
            let matters = match said.act {
                Act::Report | Act::Revise => true,
                Act::Request => said.subject.is_some(),
                _ => false,
            };
            let other = world.other(&said.by);
            if !matters || other.name == said.by.name {
                return None;
            }
            let id: Rc<str> = format!("{}:{}", other.name, suffix(&said.id)).into();
            said.node.set("id", Node::Shared(Rc::clone(&id)));
            said.node.set("from", Node::Shared(Rc::clone(&other.name)));
            mail.principal = Principal::Of(Rc::clone(&other.principal));
            said.id = id;
            said.by = other;
            Some(Hope::Rejected)
        }
        Damage::Uncite => uncite(said),
        Damage::ReplacementForeign => {
            let replacement = said.node.at_mut(&["body", "replacement"])?;
            if !matches!(replacement, Node::Object(_)) {
                return None;
            }
            let act = world.dice.pick(Act::ALL)?;
            *replacement = match world.dice.below(3) {
                0 => Node::Object(Vec::new()),
                _ => world.wild_body(*act, None),
            };
            Some(Hope::Rejected)
        }
        Damage::ReplacementOtherCommitment => {
            let path: Path = &["body", "replacement", "commitment"];
            said.node.at(path)?;
            let target = Rc::clone(said.subject.as_ref()?);
            let commitment = Rc::clone(target.subject.as_ref()?);
            let other = world.all(|other| {
                other.act == Act::Commit
                    && other.by.name == said.by.name
                    && other.id != commitment.id
            });
            let other = match other.first() {
                Some(other) => Rc::clone(other),
                None => {
                    let request = world.request();
                    world.commit(&Rc::clone(&said.by), &request)
                }
            };
            set_reference(&mut said.node, path, Node::Shared(Rc::clone(&other.id)));
            Some(Hope::Rejected)
        }
        Damage::OtherChain => {
            if said.act != Act::Revise {
                return None;
            }
            let target = Rc::clone(said.subject.as_ref()?);
            let other = pick(world, |other| match &other.subject {
                Some(subject) => other.act == Act::Revise && !Rc::ptr_eq(subject, &target),
                None => other.act == Act::Tell && other.id != target.id,
            })?;
            let path: Path = &["body", "previous"];
            set_reference(&mut said.node, path, Node::Shared(Rc::clone(&other.id)));
            Some(Hope::Rejected)
        }
        _ => None,
    }
}

/// A second revision of the same `previous`.
pub(super) fn fork(world: &mut World<'_, '_>, known: &Known) {
    if let (Some(target), Some(previous)) = (&known.subject, &known.previous) {
        let state = world.dice.chance(20).then_some("withdraw");
        world.revise(target, previous, state);
    }
}

/// Replaces one reference: `reply` in so many of a hundred cases, else any.
fn misdirect(world: &mut World<'_, '_>, said: &mut Said, reference: Node, reply: u8) {
    let paths = gating(&said.node);
    let path = if world.dice.chance(reply) {
        None
    } else {
        world.dice.pick(&paths)
    };
    match path {
        Some(path) => set_reference(&mut said.node, path, reference),
        None => said.node.set("reply", reference),
    }
}

fn pick(world: &mut World<'_, '_>, fits: impl Fn(&Said) -> bool) -> Option<Known> {
    let found: Vec<&Known> = world.said.iter().filter(|said| fits(said)).collect();
    world.dice.pick(&found).map(|known| Rc::clone(known))
}

/// The act that a reference should lead to.
fn right_act(path: Path, said: &Said) -> Option<Act> {
    match path.last().copied()? {
        "request" => Some(Act::Request),
        "commitment" | "replaces" => Some(Act::Commit),
        "previous" => Some(Act::Revise),
        _ => match said.act {
            // Anything may be challenged and acknowledged.
            Act::Challenge | Act::Ack => None,
            Act::Decline => Some(Act::Request),
            _ => said.subject.as_ref().map(|subject| subject.act),
        },
    }
}

/// Says `fulfilled` and takes all evidence out of the claims.
fn uncite(said: &mut Said) -> Option<Hope> {
    if said.act != Act::Report {
        return None;
    }
    let body = said.node.get_mut("body")?;
    body.set("state", Node::word("fulfilled"));
    if let Some(Node::List(claims)) = body.get_mut("claims") {
        for claim in claims {
            claim.set("evidence", Node::List(Vec::new()));
        }
    }
    Some(Hope::Rejected)
}
