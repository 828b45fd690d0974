//! Revision chains: a forest of REVISEs on petgraph in which forks are found (S4.01).
//!
//! INVARIANT (chain): of every target, `undisputed` is the longest path from it on which each step
//! is the only accepted successor of the one before. An accepted REVISE lengthens it by one or cuts
//! it short where it forks, so keeping it costs no walk.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use petgraph::graph::{DiGraph, NodeIndex};

use crate::planted::{self, Fault};
use crate::reduce::Ix;

/// What a REVISE does to the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Replace,
    Withdraw,
}

/// All revision chains of a state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Revisions {
    /// An edge from each message to its accepted successors.
    forest: DiGraph<Node, ()>,
    nodes: BTreeMap<Ix, NodeIndex>,
    chains: BTreeMap<Ix, Chain>,
    /// What accepted ACKs name; only `Fault::AckClearsConflict` asks.
    #[cfg(feature = "planted-faults")]
    pub(crate) acknowledged: alloc::collections::BTreeSet<Ix>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    id: Ix,
    /// Steps from the target.
    depth: usize,
}

/// The accepted revisions of one target.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chain {
    /// The undisputed steps, first to last.
    undisputed: Vec<(Ix, Step)>,
    /// The first withdrawal on the path, counted in steps. Where a fork has cut the path short
    /// before it, it is undisputed no more, and no step takes its place: forks stay.
    withdrawn_at: Option<usize>,
    /// All accepted REVISEs, in order of settling.
    accepted: Vec<Ix>,
}

impl Chain {
    pub(crate) fn undisputed(&self) -> impl Iterator<Item = Ix> {
        self.undisputed.iter().map(|&(ix, _)| ix)
    }

    pub(crate) fn accepted(&self) -> &[Ix] {
        &self.accepted
    }
}

/// Where a chain stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ChainState {
    Original,
    Replaced,
    Withdrawn,
    /// Two or more successors of the head compete. Neither wins.
    Conflicted {
        competing: Vec<Ix>,
    },
}

impl Revisions {
    /// An accepted REVISE. `previous` is the target or an accepted REVISE of it, so it is there.
    pub(crate) fn accept(&mut self, target: Ix, previous: Ix, revise: Ix, step: Step) {
        let before = self.node(previous, 0);
        let depth = self.depth(before);
        let node = self.node(revise, depth + 1);
        self.forest.add_edge(before, node, ());
        let successors = self.forest.neighbors(before).take(3).count();

        let chain = self.chains.entry(target).or_default();
        chain.accepted.push(revise);
        let on_path = match depth.checked_sub(1) {
            None => true,
            Some(last) => chain
                .undisputed
                .get(last)
                .is_some_and(|&(ix, _)| ix == previous),
        };
        if !on_path {
            return;
        }
        if successors == 1 {
            if step == Step::Withdraw && chain.withdrawn_at.is_none() {
                chain.withdrawn_at = Some(depth);
            }
            chain.undisputed.push((revise, step));
        } else {
            chain.undisputed.truncate(depth);
            if planted::is(Fault::ForkLastWins) {
                let withdraws = step == Step::Withdraw;
                chain.withdrawn_at = chain.withdrawn_at.or(withdraws.then_some(depth));
                chain.undisputed.push((revise, step));
            }
        }
    }

    fn node(&mut self, ix: Ix, depth: usize) -> NodeIndex {
        let forest = &mut self.forest;
        *self
            .nodes
            .entry(ix)
            .or_insert_with(|| forest.add_node(Node { id: ix, depth }))
    }

    fn depth(&self, node: NodeIndex) -> usize {
        self.forest.node_weight(node).map_or(0, |node| node.depth)
    }

    /// The chain of a target that has accepted revisions.
    pub(crate) fn chain(&self, target: Ix) -> Option<&Chain> {
        self.chains.get(&target)
    }

    /// The last message that no fork puts in doubt: the target itself at least.
    pub(crate) fn head(&self, target: Ix) -> Ix {
        self.chain(target)
            .and_then(|chain| chain.undisputed.last())
            .map_or(target, |&(ix, _)| ix)
    }

    /// Where the chain of a target stands.
    pub(crate) fn state(&self, target: Ix) -> ChainState {
        let Some(chain) = self.chain(target) else {
            return ChainState::Original;
        };
        if self.is_conflicted(target) {
            let competing = self.successors(self.head(target)).collect();
            return ChainState::Conflicted { competing };
        }
        match chain.undisputed.last() {
            None => ChainState::Original,
            Some((_, Step::Replace)) => ChainState::Replaced,
            Some((_, Step::Withdraw)) => ChainState::Withdrawn,
        }
    }

    /// Whether successors of the head compete.
    pub(crate) fn is_conflicted(&self, target: Ix) -> bool {
        #[cfg(feature = "planted-faults")]
        if planted::is(Fault::AckClearsConflict) && self.is_acknowledged(target) {
            return false;
        }
        self.chain(target).is_some() && self.successors(self.head(target)).nth(1).is_some()
    }

    /// Whether the last undisputed step is a withdrawal and nothing competes after it.
    pub(crate) fn ends_withdrawn(&self, target: Ix) -> bool {
        let last = self.chain(target).and_then(|chain| chain.undisputed.last());
        matches!(last, Some((_, Step::Withdraw))) && !self.is_conflicted(target)
    }

    /// The first undisputed withdrawal of a target, whatever follows it (S5.08, R-11).
    pub(crate) fn withdrawal(&self, target: Ix) -> Option<Ix> {
        let chain = self.chain(target)?;
        chain.undisputed.get(chain.withdrawn_at?).map(|&(ix, _)| ix)
    }

    /// The accepted REVISEs whose `previous` is this message.
    pub(crate) fn successors(&self, ix: Ix) -> impl Iterator<Item = Ix> {
        self.nodes
            .get(&ix)
            .into_iter()
            .flat_map(|&node| self.forest.neighbors(node))
            .filter_map(|node| self.forest.node_weight(node))
            .map(|node| node.id)
    }
}
