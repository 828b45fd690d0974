//! The same id once more: as a duplicate, as a replay, or with other content.

use std::rc::Rc;

use tern_core::message::Act;

use super::super::node::Node;
use super::super::post::{Mail, Principal, When};
use super::super::style::Style;
use super::super::world::{Known, World};
use super::Damage;
use super::references::{gating, set_reference};

pub(super) fn follow(damage: Damage, world: &mut World<'_, '_>, known: &Known) {
    // Mostly the message of just now, whose numbers were chosen for it; else one from long ago.
    let known = match world.dice.pick(&world.said).map(Rc::clone) {
        Some(old) if damage != Damage::RepeatNumbers && world.dice.chance(30) => old,
        _ => Rc::clone(known),
    };
    let mut style = Style::default();
    match damage {
        Damage::Repeat => {}
        Damage::RepeatReordered => style.reorder = true,
        Damage::RepeatSpaced => style.spaces = true,
        Damage::RepeatEscaped => style.escapes = true,
        Damage::RepeatNumbers => style.numbers = true,
        Damage::SpoofReplay => {
            replay(world, &known);
            return;
        }
        Damage::EquivocateText | Damage::EquivocateAct | Damage::EquivocateReference => {
            equivocate(damage, world, &known);
            return;
        }
        Damage::EquivocateMore => {
            let all = [
                Damage::EquivocateText,
                Damage::EquivocateAct,
                Damage::EquivocateReference,
            ];
            for _ in 0..world.dice.between(2, 4) {
                if let Some(damage) = world.dice.pick(&all) {
                    equivocate(*damage, world, &known);
                }
            }
            return;
        }
        _ => return,
    }
    style.seed = world.dice.word();
    let mut mail = Mail::from(&known.by.principal);
    mail.style = (damage != Damage::Repeat).then_some(style);
    mail.when = when(world);
    world.send(&known, mail);
}

/// The same id by another channel: refused at stage 4, whatever it says and whenever it comes.
fn replay(world: &mut World<'_, '_>, known: &Known) {
    let mut node = known.node.clone();
    if world.dice.chance(40) {
        let text = world.text();
        node.set("thread", text);
    }
    let mut mail = Mail::from(&known.by.principal);
    mail.principal = Principal::Of("key:mallory".into());
    mail.when = when(world);
    let form = world.dice.byte();
    world.post.send(&node, mail, form);
}

/// Another message under a known id, which may even come first.
fn equivocate(damage: Damage, world: &mut World<'_, '_>, known: &Known) {
    let mut node = known.node.clone();
    match damage {
        Damage::EquivocateAct => {
            let act = *world.dice.pick(Act::ALL).unwrap_or(&Act::Ack);
            let body = world.wild_body(act, Some(known));
            node.set("act", Node::word(act.as_str()));
            node.set("body", body);
        }
        Damage::EquivocateReference => {
            let paths = gating(&node);
            let other = world.some_reference();
            match world.dice.pick(&paths) {
                Some(path) => set_reference(&mut node, path, other),
                None => node.set("reply", other),
            }
        }
        _ => {
            let text = world.text();
            match text_key(known.act) {
                Some(key) => {
                    if let Some(body) = node.get_mut("body") {
                        body.set(key, text);
                    }
                }
                None => node.set("thread", text),
            }
        }
    }
    let mut mail = Mail::from(&known.by.principal);
    mail.when = when(world);
    let twice = world.dice.chance(25);
    let form = world.dice.byte();
    world.post.send(&node, mail, form);
    if twice {
        let mut mail = Mail::from(&known.by.principal);
        let seed = world.dice.word();
        mail.style = Some(Style {
            seed,
            reorder: true,
            ..Style::default()
        });
        world.post.send(&node, mail, 0);
    }
}

fn when(world: &mut World<'_, '_>) -> When {
    match world.dice.below(4) {
        0 => When::Now,
        1 => When::Early(world.dice.between(1, 10)),
        _ => When::Late(world.dice.between(1, 10)),
    }
}

/// A text that can be another one without any other change.
fn text_key(act: Act) -> Option<&'static str> {
    match act {
        Act::Ask => Some("question"),
        Act::Propose => Some("plan"),
        Act::Request | Act::Commit => Some("done_when"),
        Act::Report => Some("next"),
        Act::Challenge => Some("objection"),
        Act::Revise | Act::Decline => Some("reason"),
        Act::Tell | Act::Ack => None,
    }
}
