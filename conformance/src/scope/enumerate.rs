//! All small logs, one of each class.

use super::{Kind, NEVER, SmallLog, SmallMessage};

/// Which logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Messages refer to any message of the log, themselves included, and to one that never comes.
    Any,
    /// Messages refer to any message of the log, themselves included.
    Closed,
    /// Messages refer to messages of the log without cycles, so that none waits for ever.
    Acyclic,
}

/// Calls `each` for one log of each class of `size` messages. Two logs are of one class when
/// renaming ids and participants makes one into the other.
///
/// Of the choices of kinds it takes every `shares`th, beginning with number `share`, so that threads can
/// divide the work.
pub fn enumerate(
    size: usize,
    scope: Scope,
    (share, shares): (usize, usize),
    each: &mut impl FnMut(&SmallLog),
) {
    let mut casts = Vec::new();
    choose_casts(size, &mut Vec::new(), &mut casts);
    for cast in casts.iter().skip(share).step_by(shares.max(1)) {
        refer(cast, scope, &mut Vec::new(), each);
    }
}

/// Calls `each` for the same logs with a second version of each of their messages in turn. Such a log
/// has `size` ids.
pub fn enumerate_equivocal(
    size: usize,
    scope: Scope,
    share: (usize, usize),
    each: &mut impl FnMut(&SmallLog),
) {
    // What a version refers to may close a cycle.
    let versions = match scope {
        Scope::Acyclic => Scope::Closed,
        Scope::Any | Scope::Closed => scope,
    };
    enumerate(size, scope, share, &mut |log| {
        for of in 0..size {
            for kind in Kind::ALL {
                for references in choices(kind, size, versions) {
                    if let Some(log) = log.with_version(of, kind, references) {
                        each(&log);
                    }
                }
            }
        }
    });
}

/// All references that a message of this kind can make in a log of so many.
fn choices(kind: Kind, size: usize, scope: Scope) -> impl Iterator<Item = [u8; 2]> {
    let size = u8::try_from(size).unwrap_or(NEVER);
    let never = (scope == Scope::Any).then_some(NEVER);
    let others: Vec<u8> = (0..size).chain(never).collect();
    let none = vec![0];
    let (first, second) = match kind.references() {
        0 => (none.clone(), none),
        1 => (others, none),
        _ => (others.clone(), others),
    };
    first
        .into_iter()
        .flat_map(move |a| second.clone().into_iter().map(move |b| [a, b]))
}

/// Kind and author of a message.
type Role = (Kind, u8);

/// All choices of roles in ascending order; of two that differ by exchanging the participants, the
/// lesser.
fn choose_casts(size: usize, chosen: &mut Vec<Role>, casts: &mut Vec<Vec<Role>>) {
    if chosen.len() == size {
        let mut exchanged: Vec<Role> = chosen.iter().map(|&(kind, by)| (kind, 1 - by)).collect();
        exchanged.sort_unstable();
        if *chosen <= exchanged {
            casts.push(chosen.clone());
        }
        return;
    }
    for kind in Kind::ALL {
        for author in [0, 1] {
            if chosen.last().is_none_or(|last| *last <= (kind, author)) {
                chosen.push((kind, author));
                choose_casts(size, chosen, casts);
                chosen.pop();
            }
        }
    }
}

/// All references among these roles.
fn refer(
    cast: &[Role],
    scope: Scope,
    so_far: &mut Vec<SmallMessage>,
    each: &mut impl FnMut(&SmallLog),
) {
    let Some(&(kind, author)) = cast.get(so_far.len()) else {
        if scope == Scope::Acyclic && has_cycle(so_far) {
            return;
        }
        if is_least(so_far) {
            each(&SmallLog::new(so_far.clone()));
        }
        return;
    };
    for references in choices(kind, cast.len(), scope) {
        so_far.push(SmallMessage {
            kind,
            author,
            references,
        });
        refer(cast, scope, so_far, each);
        so_far.pop();
    }
}

fn used(message: &SmallMessage) -> impl Iterator<Item = usize> + '_ {
    let count = message.kind.references();
    message
        .references
        .iter()
        .take(count)
        .map(|&to| usize::from(to))
}

/// Whether messages wait for each other: some are left when those whose references are all gone go.
fn has_cycle(messages: &[SmallMessage]) -> bool {
    let mut left: Vec<usize> = (0..messages.len()).collect();
    loop {
        let before = left.len();
        let still = left.clone();
        left.retain(|&index| {
            messages
                .get(index)
                .is_some_and(|message| used(message).any(|to| still.contains(&to)))
        });
        if left.is_empty() || left.len() == before {
            return !left.is_empty();
        }
    }
}

/// Whether no renaming that keeps the roles where they are gives a lesser log.
fn is_least(messages: &[SmallMessage]) -> bool {
    let mut order: Vec<usize> = (0..messages.len()).collect();
    every_permutation(&mut order, 0, &mut |order| {
        [false, true].iter().all(|&exchange| {
            let renamed = renamed(order, exchange, messages);
            let roles_stay = renamed.iter().map(role).eq(messages.iter().map(role));
            !roles_stay || renamed.as_slice() >= messages
        })
    })
}

fn role(message: &SmallMessage) -> Role {
    (message.kind, message.author)
}

/// The log when the message at `order[i]` comes to place `i`, with the participants exchanged or not.
fn renamed(order: &[usize], exchange: bool, messages: &[SmallMessage]) -> Vec<SmallMessage> {
    let place = |old: u8| {
        let found = order.iter().position(|&at| at == usize::from(old));
        found
            .and_then(|place| u8::try_from(place).ok())
            .unwrap_or(old)
    };
    let moved = order.iter().filter_map(|&from| messages.get(from));
    moved
        .map(|message| {
            let mut references = message.references;
            for reference in references.iter_mut().take(message.kind.references()) {
                *reference = place(*reference);
            }
            SmallMessage {
                kind: message.kind,
                author: if exchange {
                    1 - message.author
                } else {
                    message.author
                },
                references,
            }
        })
        .collect()
}

/// Whether `holds` of every order of the list. Puts the list back as it was.
pub(super) fn every_permutation(
    list: &mut [usize],
    from: usize,
    holds: &mut impl FnMut(&[usize]) -> bool,
) -> bool {
    if from + 1 >= list.len() {
        return holds(list);
    }
    for other in from..list.len() {
        list.swap(from, other);
        let all = every_permutation(list, from + 1, holds);
        list.swap(from, other);
        if !all {
            return false;
        }
    }
    true
}
