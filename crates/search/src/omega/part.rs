//! A part of the state graph that is generated as it is asked for, and kept.

use super::Numbering;
use super::judge::label_of;
use hashbrown::HashMap;
use spinor_ts::{EventKind, Expansion, Label, TransitionSystem};

/// Tells whether cycles may go through a state, given without its hidden bytes.
pub(crate) type Members<'a> = Box<dyn FnMut(&[u8]) -> bool + 'a>;

/// A move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) target: u32,
    /// Number of the event in the source.
    pub(crate) event: u32,
    kind: u32,
}

/// What many moves have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Kind {
    pub(crate) accepting: u32,
    pub(crate) movers: u64,
    /// Who can move in the source.
    pub(crate) enabled: u64,
    pub(crate) steps: u32,
}

impl Kind {
    pub(crate) fn label(&self) -> Label {
        Label { accepting: self.accepting, movers: self.movers }
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    first: usize,
    /// Number of edges, or that they are not known yet.
    count: u32,
    is_member: bool,
}

const UNKNOWN: u32 = u32::MAX;

/// Nodes are numbered as they are met. A node has the hidden bytes of the run by which
/// it was met first.
pub(crate) struct Part<'a, T, N> {
    pub(crate) system: &'a mut T,
    numbering: N,
    hidden_length: usize,
    hidden: Vec<u8>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    kinds: Vec<Kind>,
    kind_numbers: HashMap<Kind, u32>,
    is_member: Members<'a>,
    state: Vec<u8>,
    expansion: Expansion,
}

impl<'a, T: TransitionSystem, N: Numbering> Part<'a, T, N> {
    /// An empty one. `numbering` is fresh.
    pub(crate) fn new(system: &'a mut T, numbering: N, is_member: Members<'a>) -> Self {
        Self {
            hidden_length: system.hidden_bytes(),
            system,
            numbering,
            hidden: Vec::new(),
            nodes: Vec::new(),
            edges: Vec::new(),
            kinds: Vec::new(),
            kind_numbers: HashMap::new(),
            is_member,
            state: Vec::new(),
            expansion: Expansion::new(),
        }
    }

    /// The node of a state that is not reached by an edge.
    pub(crate) fn node(&mut self, state: &[u8]) -> u32 {
        self.numbering.set_origin(&state[..state.len() - self.hidden_length]);
        self.enter(state)
    }

    fn enter(&mut self, state: &[u8]) -> u32 {
        let (visible, hidden) = state.split_at(state.len() - self.hidden_length);
        let key = self.numbering.key(visible);
        let (number, is_new) = self.numbering.insert(key, visible);
        if is_new {
            self.hidden.extend_from_slice(hidden);
            let is_member = (self.is_member)(visible);
            self.nodes.push(Node { first: 0, count: UNKNOWN, is_member });
        }
        number
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn is_member(&self, node: u32) -> bool {
        self.nodes[node as usize].is_member
    }

    pub(crate) fn edge(&self, edge: usize) -> Edge {
        self.edges[edge]
    }

    pub(crate) fn kind(&self, edge: &Edge) -> &Kind {
        &self.kinds[edge.kind as usize]
    }

    /// The numbers of the edges of a node.
    pub(crate) fn edges(&mut self, node: u32) -> std::ops::Range<usize> {
        let known = self.nodes[node as usize];
        if known.count != UNKNOWN {
            return known.first..known.first + known.count as usize;
        }
        let mut state = std::mem::take(&mut self.state);
        let mut expansion = std::mem::take(&mut self.expansion);
        self.numbering.load(node, &mut state);
        let at = node as usize * self.hidden_length;
        state.extend_from_slice(&self.hidden[at..at + self.hidden_length]);
        self.system.expand(&state, &mut expansion);
        let first = self.edges.len();
        for (number, event) in expansion.events().iter().enumerate() {
            if event.kind != EventKind::Successor {
                continue;
            }
            let Label { accepting, movers } = label_of(&expansion, number);
            let kind = Kind { accepting, movers, enabled: expansion.enabled, steps: event.steps };
            let kind = self.kind_number(kind);
            let target = self.enter(expansion.state(event));
            self.edges.push(Edge { target, event: number as u32, kind });
        }
        (self.state, self.expansion) = (state, expansion);
        let node = &mut self.nodes[node as usize];
        (node.first, node.count) = (first, (self.edges.len() - first) as u32);
        first..self.edges.len()
    }

    fn kind_number(&mut self, kind: Kind) -> u32 {
        let next = self.kinds.len() as u32;
        let number = *self.kind_numbers.entry(kind).or_insert(next);
        if number == next {
            self.kinds.push(kind);
        }
        number
    }

    /// The state of a node with its hidden bytes.
    pub(crate) fn state(&mut self, node: u32, out: &mut Vec<u8>) {
        self.numbering.load(node, out);
        let at = node as usize * self.hidden_length;
        out.extend_from_slice(&self.hidden[at..at + self.hidden_length]);
    }

    pub(crate) fn has_hidden(&self) -> bool {
        self.hidden_length > 0
    }
}
