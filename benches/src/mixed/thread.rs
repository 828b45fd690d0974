//! What can be referred to in a thread: the last few things of each kind.

use std::collections::VecDeque;

use crate::random::Random;

/// The last few things, the newest last.
#[derive(Clone, Debug)]
pub(super) struct Recent<T> {
    items: VecDeque<T>,
    most: usize,
}

impl<T: Clone> Recent<T> {
    pub(super) const fn new(most: usize) -> Self {
        Self {
            items: VecDeque::new(),
            most,
        }
    }

    pub(super) fn push(&mut self, item: T) {
        if self.items.len() == self.most {
            self.items.pop_front();
        }
        self.items.push_back(item);
    }

    pub(super) fn last(&self) -> Option<&T> {
        self.items.back()
    }

    /// Any of them, the newer ones more often.
    pub(super) fn draw(&self, random: &mut Random) -> Option<T> {
        let len = self.items.len();
        let back = random.below(len).min(random.below(len));
        self.items.get(len.checked_sub(1 + back)?).cloned()
    }

    pub(super) fn find(&mut self, same: impl Fn(&T) -> bool) -> Option<&mut T> {
        self.items.iter_mut().find(|item| same(item))
    }

    pub(super) fn forget(&mut self, same: impl Fn(&T) -> bool) {
        self.items.retain(|item| !same(item));
    }
}

/// A message that others may refer to.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub(super) id: String,
    pub(super) act: &'static str,
    pub(super) by: usize,
    /// Of a COMMIT its request, of a REPORT its commitment.
    pub(super) on: String,
    /// Of a commitment the last report on it, of what can be revised the last revision.
    pub(super) last: String,
    /// Of a commitment: who asked.
    pub(super) requester: usize,
}

#[derive(Debug)]
pub(super) struct Thread {
    pub(super) name: String,
    pub(super) said: Recent<Said>,
    pub(super) asked: Recent<Said>,
    pub(super) proposed: Recent<Said>,
    pub(super) promised: Recent<Said>,
    pub(super) revisable: Recent<Said>,
}

/// One of each kind, where there is one.
#[derive(Debug)]
pub(super) struct Drawn {
    pub(super) said: Option<Said>,
    pub(super) asked: Option<Said>,
    pub(super) proposed: Option<Said>,
    pub(super) promised: Option<Said>,
    pub(super) revisable: Option<Said>,
}

impl Thread {
    pub(super) fn new(name: String) -> Self {
        Self {
            name,
            said: Recent::new(48),
            asked: Recent::new(24),
            proposed: Recent::new(12),
            promised: Recent::new(24),
            revisable: Recent::new(24),
        }
    }

    pub(super) fn draw(&self, random: &mut Random) -> Drawn {
        Drawn {
            said: self.said.draw(random),
            asked: self.asked.draw(random),
            proposed: self.proposed.draw(random),
            promised: self.promised.draw(random),
            revisable: self.revisable.draw(random),
        }
    }

    /// A message goes where later ones look for it.
    pub(super) fn remember(&mut self, said: Said) {
        match said.act {
            "REQUEST" => self.asked.push(said.clone()),
            "PROPOSE" => self.proposed.push(said.clone()),
            "COMMIT" => self.promised.push(said.clone()),
            "REPORT" => {
                if let Some(promised) = self.promised.find(|other| other.id == said.on) {
                    promised.last.clone_from(&said.id);
                }
            }
            "REVISE" => {
                if let Some(revised) = self.revisable.find(|other| other.id == said.on) {
                    revised.last.clone_from(&said.id);
                }
            }
            _ => {}
        }
        if matches!(
            said.act,
            "TELL" | "PROPOSE" | "REQUEST" | "COMMIT" | "REPORT"
        ) {
            self.revisable.push(said.clone());
        }
        self.said.push(said);
    }
}
