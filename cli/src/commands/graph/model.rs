//! The graph itself, before it is written in any language.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use tern_core::message::{Act, Body};
use tern_core::view::{ChainStatus, MessageStatus, View};

use super::marks;
use crate::gloss::words;
use crate::history::History;
use crate::look::references;

/// How many characters of its words stand in a node.
const WORDS: usize = 60;

/// Messages, and ids that are only named.
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
}

/// A message, or an id that is only named.
#[derive(Clone)]
pub(super) struct Node {
    pub(super) id: String,
    /// None for an id that no message has.
    pub(super) act: Option<Act>,
    pub(super) standing: Standing,
    /// Its words, one line each, not yet escaped for any language.
    pub(super) lines: Vec<String>,
    /// Its own chain is in conflict, or its id was used twice.
    pub(super) alarm: bool,
}

/// What colour and sign say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    Accepted,
    Pending,
    Rejected,
    Unknown,
}

/// All references from one message to another.
#[derive(Clone)]
pub(super) struct Edge {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) fields: Vec<&'static str>,
    /// A revision that competes, towards the head that it follows.
    pub(super) competes: bool,
    /// Towards an id that no message has.
    pub(super) to_unknown: bool,
    /// Whether the message waits for it, rather than just mentioning it.
    pub(super) gates: bool,
}

impl Graph {
    /// Everything, or what belongs to revision chains.
    pub(super) fn of(history: &History, revisions: bool) -> Self {
        let view = history.state.view();
        let competing = competing(&view);
        let mut builder = Builder::default();
        for id in history.ids() {
            let Some(message) = history.message(id) else {
                continue;
            };
            let is_revision = matches!(message.body, Body::Revise(_));
            if revisions && !is_revision {
                continue;
            }
            let from = builder.node(id);
            let mut fields: BTreeMap<&str, (Vec<&'static str>, bool)> = BTreeMap::new();
            let mut order = Vec::new();
            for mention in references(&message) {
                if revisions && !matches!(mention.field, "target" | "previous") {
                    continue;
                }
                let (named, gates) = fields.entry(mention.to).or_insert_with(|| {
                    order.push(mention.to);
                    (Vec::new(), false)
                });
                named.push(mention.field);
                *gates |= mention.gates;
            }
            for to in order {
                let Some((mut fields, gates)) = fields.remove(to) else {
                    continue;
                };
                fields.dedup();
                let competes = competing.contains(&(id, to));
                let to = builder.node(to);
                builder.edges.push(Edge {
                    from,
                    to,
                    fields,
                    competes,
                    to_unknown: false,
                    gates,
                });
            }
        }
        builder.finish(history, &view)
    }

    /// The part that leads to a node and that it leads to, no further than so many steps.
    pub(super) fn around(self, id: &str, within: Option<usize>) -> Option<Self> {
        let start = self.nodes.iter().position(|node| node.id == id)?;
        let ahead = reach(
            start,
            self.edges.iter().map(|edge| (edge.from, edge.to)),
            within,
        );
        let behind = reach(
            start,
            self.edges.iter().map(|edge| (edge.to, edge.from)),
            within,
        );
        let kept: BTreeSet<usize> = ahead.union(&behind).copied().collect();
        let renumbered: HashMap<usize, usize> = kept.iter().copied().zip(0..).collect();
        let nodes = kept
            .iter()
            .filter_map(|&index| self.nodes.get(index).cloned());
        let edges = self.edges.iter().filter_map(|edge| {
            let mut edge = edge.clone();
            edge.from = *renumbered.get(&edge.from)?;
            edge.to = *renumbered.get(&edge.to)?;
            Some(edge)
        });
        Some(Self {
            nodes: nodes.collect(),
            edges: edges.collect(),
        })
    }
}

/// What can be reached from a node along the pairs.
fn reach(
    start: usize,
    pairs: impl Iterator<Item = (usize, usize)>,
    within: Option<usize>,
) -> BTreeSet<usize> {
    let mut next: HashMap<usize, Vec<usize>> = HashMap::new();
    for (from, to) in pairs {
        next.entry(from).or_default().push(to);
    }
    let mut seen = BTreeSet::from([start]);
    let mut open = VecDeque::from([(start, 0)]);
    while let Some((node, steps)) = open.pop_front() {
        if within.is_some_and(|most| steps >= most) {
            continue;
        }
        for &to in next.get(&node).into_iter().flatten() {
            if seen.insert(to) {
                open.push_back((to, steps + 1));
            }
        }
    }
    seen
}

/// Each competing revision with the head that it follows.
fn competing<'v>(view: &'v View<'_>) -> BTreeSet<(&'v str, &'v str)> {
    view.chains
        .values()
        .filter(|chain| chain.state == ChainStatus::Conflicted)
        .flat_map(|chain| {
            let head = chain.head.as_str();
            chain.competing.iter().map(move |id| (id.as_str(), head))
        })
        .collect()
}

#[derive(Default)]
struct Builder {
    ids: Vec<String>,
    index: HashMap<String, usize>,
    edges: Vec<Edge>,
}

impl Builder {
    fn node(&mut self, id: &str) -> usize {
        if let Some(&index) = self.index.get(id) {
            return index;
        }
        let index = self.ids.len();
        self.ids.push(id.into());
        self.index.insert(id.into(), index);
        index
    }

    fn finish(self, history: &History, view: &View<'_>) -> Graph {
        let nodes: Vec<Node> = self
            .ids
            .into_iter()
            .map(|id| node(id, history, view))
            .collect();
        let mut edges = self.edges;
        for edge in &mut edges {
            edge.to_unknown = nodes
                .get(edge.to)
                .is_some_and(|node| node.standing == Standing::Unknown);
        }
        Graph { nodes, edges }
    }
}

fn node(id: String, history: &History, view: &View<'_>) -> Node {
    let key = tern_core::view::Id::from(id.as_str());
    let known = view.messages.get(&key);
    let standing = match known.map(|message| message.status) {
        None => Standing::Unknown,
        Some(MessageStatus::Accepted) => Standing::Accepted,
        Some(MessageStatus::Pending) => Standing::Pending,
        Some(MessageStatus::Rejected) => Standing::Rejected,
    };
    let equivocal = view.equivocal.contains_key(&key);
    let conflicted = view
        .chains
        .get(&key)
        .is_some_and(|chain| chain.state == ChainStatus::Conflicted);
    let act = known.map(|message| message.act);
    let mut lines = vec![marks::title(&id, act, standing)];
    lines.extend(history.message(&id).map(|message| words(&message, WORDS)));
    if let Some(code) = known.and_then(|message| message.code) {
        lines.push(format!("rejected: {code}"));
    }
    if let Some(promise) = view.commitments.get(&key) {
        lines.push(marks::promise(promise));
    }
    if let Some(chain) = view.chains.get(&key) {
        lines.push(marks::chain(chain.state));
    }
    if equivocal {
        lines.push("‼ one id, several contents".into());
    }
    Node {
        act,
        standing,
        lines,
        alarm: equivocal || conflicted,
        id,
    }
}
