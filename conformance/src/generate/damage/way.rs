//! On the way: lost, late, early, or from somebody else.

use std::rc::Rc;

use super::super::node::Node;
use super::super::post::{Mail, Principal, When};
use super::super::world::{Hope, Said, World};
use super::Damage;

pub(super) fn strike(
    damage: Damage,
    world: &mut World<'_, '_>,
    said: &mut Said,
    mail: &mut Mail,
) -> Option<Hope> {
    match damage {
        Damage::Drop => mail.when = When::Never,
        Damage::Late => {
            mail.when = When::Late(world.dice.between(1, 12));
            return Some(Hope::Sound);
        }
        Damage::Early => {
            mail.when = When::Early(world.dice.between(1, 12));
            return Some(Hope::Sound);
        }
        Damage::RepeatNumbers => {
            // There must be a number to write otherwise.
            let number =
                world
                    .dice
                    .one(&["1", "0", "-1.50", "1e300", "1e-999999", "9007199254740993"]);
            let extensions = Node::object([("n", Node::Raw(number.into()))]);
            said.node.set("extensions", extensions);
            return Some(Hope::Sound);
        }
        Damage::SpoofPrincipal => {
            let other = world.other(&said.by);
            let principal = if other.principal == said.by.principal {
                "key:mallory".into()
            } else {
                Rc::clone(&other.principal)
            };
            mail.principal = Principal::Of(principal);
        }
        Damage::SpoofNobody => {
            mail.principal = if world.dice.chance(50) {
                Principal::Null
            } else {
                Principal::Absent
            };
        }
        Damage::SpoofUnbound => {
            let name = world.dice.one(&["mallory", "Ana", "ana\u{200b}", "anaa"]);
            if world.people.iter().any(|person| *person.name == *name) {
                return None;
            }
            let id = format!("{name}:{}", suffix(&said.id));
            said.node.set("from", Node::word(name));
            said.node.set("id", Node::from(id));
        }
        Damage::SpoofPrefix => {
            let name = Rc::clone(&world.other(&said.by).name);
            if name == said.by.name {
                return None;
            }
            let id = if world.dice.chance(30) {
                // The name goes on, or begins the other one.
                format!("{}x:{}", said.by.name, suffix(&said.id))
            } else {
                format!("{name}:{}", suffix(&said.id))
            };
            said.node.set("id", Node::from(id));
        }
        _ => return Some(Hope::Sound),
    }
    Some(Hope::Lost)
}

/// An id without its sender.
pub(super) fn suffix(id: &str) -> &str {
    id.split_once(':').map_or("1", |(_, suffix)| suffix)
}
