//! Rings of references, which wait for themselves for ever (S3.04).

use std::rc::Rc;

use tern_core::message::Act;

use super::super::node::Node;
use super::super::world::{Draft, Hope, Known, Said, World};
use super::references::{gating, set_reference};
use super::{Damage, Harm};

/// Makes a message refer to itself, or to what is still to come.
pub(super) fn open(damage: Damage, world: &mut World<'_, '_>, said: &mut Said) -> Option<Harm> {
    let mut harm = Harm::of(damage);
    let paths = gating(&said.node);
    let path = if damage == Damage::CycleReplacement {
        paths
            .into_iter()
            .find(|path| path.contains(&"replacement"))?
    } else {
        world.dice.pick(&paths).copied()?
    };
    if damage == Damage::CycleSelf {
        set_reference(&mut said.node, path, Node::Shared(Rc::clone(&said.id)));
        return Some(harm);
    }
    let more = match damage {
        Damage::CycleThree => 2,
        // The replacement may close the ring by naming its own message.
        Damage::CycleReplacement if world.dice.chance(40) => 0,
        _ => 1,
    };
    for _ in 0..more {
        let by = world.person();
        harm.ids.push(world.fresh_id(&by));
    }
    let first = harm.ids.first().unwrap_or(&said.id);
    set_reference(&mut said.node, path, Node::Shared(Rc::clone(first)));
    Some(harm)
}

/// Says what was promised, the last of it referring back.
pub(super) fn close(world: &mut World<'_, '_>, ids: &[Rc<str>], known: &Known) {
    let nexts = ids.iter().skip(1).chain([&known.id]);
    for (id, next) in ids.iter().zip(nexts) {
        let Some(by) = sender(world, id) else {
            return;
        };
        let target = Node::Shared(Rc::clone(next));
        let (act, body) = match world.dice.below(3) {
            0 => (Act::Ack, Node::object([("target", target)])),
            1 => {
                let body = Node::object([("question", world.text()), ("about", target)]);
                (Act::Ask, body)
            }
            _ => {
                // A request that waits for the commitment it would replace.
                let mut body = world.wild_body(Act::Request, None);
                body.set("replaces", target);
                (Act::Request, body)
            }
        };
        let mut draft = Draft::new(&by, &known.thread, act, body);
        draft.hope = Hope::Waiting;
        world.say_as(Rc::clone(id), draft);
    }
}

fn sender(world: &World<'_, '_>, id: &str) -> Option<Rc<super::super::world::Person>> {
    let name = id.split_once(':').map(|(name, _)| name)?;
    let found = world.people.iter().find(|person| *person.name == *name);
    found.map(Rc::clone)
}
