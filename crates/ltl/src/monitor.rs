//! Automata made ready to run beside a system.
//!
//! The edges of each state are found through a decision tree over the atoms, so
//! that the moves for one valuation cost a few branches. Trees that would become
//! too large stop early; what is left of a guard is then looked at edge by edge.

#[cfg(test)]
mod tests;

use rapidhash::RapidHashMap;

use crate::automaton::{Buchi, Edge, Marks, Tgba};
use crate::bdd::{Bdd, Label};
use crate::classify::{Strength, component_strength};
use crate::scc::Components;

/// Atoms that a valuation has room for.
pub const MAX_ATOMS: usize = u64::BITS as usize;
/// Nodes of all decision trees together.
const MAX_NODES: usize = 1 << 16;
/// Marks a node as a leaf.
const LEAF: u32 = u32::MAX;

/// What cycles there are in the component of a state (Edelkamp, Lluch Lafuente & Leue 2001).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cycles {
    /// None that accepts ("N").
    NonAccepting,
    /// All accept ("F").
    FullyAccepting,
    /// Some do, some do not ("P").
    PartiallyAccepting,
}

/// A step of the automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The state it leads to.
    pub target: u32,
    /// The acceptance sets it belongs to; of a state-based automaton: 1 if the
    /// state it leaves is accepting.
    pub marks: Marks,
}

/// Why an automaton cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MonitorError {
    /// More atoms than bits.
    #[error("{0} atoms are too many, there may be {MAX_ATOMS}")]
    TooManyAtoms(usize),
    /// A guard speaks of an atom that was not given.
    #[error("the automaton has an atom `{0}` that is not among those given")]
    UnknownAtom(String),
}

/// An automaton that runs in step with a system.
///
/// A valuation is a word in which bit `i` tells whether atom `i` of the list
/// given to [`Monitor::new`] is true. In the product, the automaton in state `q`
/// beside a system in state `s` may take the moves for the valuation of `s`. A
/// run is accepting if it takes moves of each acceptance set again and again.
#[derive(Clone, Debug)]
pub struct Monitor {
    initial: u32,
    sets: u32,
    all_marks: Marks,
    strength: Strength,
    is_deterministic: bool,
    used: u64,
    states: Vec<State>,
    nodes: Vec<Node>,
    moves: Vec<Guarded>,
    /// For what the trees leave open; variables are those of the automaton.
    bdd: Bdd,
    /// The bit of each variable.
    bits: Vec<u32>,
    is_state_based: bool,
}

#[derive(Clone, Copy, Debug)]
struct State {
    tree: u32,
    component: u32,
    cycles: Cycles,
    strength: Option<Strength>,
    is_universal: bool,
    is_accepting: bool,
}

/// A test of one bit, or a leaf with a range of moves.
#[derive(Clone, Copy, Debug)]
struct Node {
    bit: u32,
    low: u32,
    high: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Guarded {
    step: Move,
    rest: Label,
}

impl Monitor {
    /// Makes a generalised automaton ready; `atoms` gives the bits of valuations.
    ///
    /// # Errors
    /// There are too many atoms, or one of the automaton's is missing.
    pub fn new<A: AsRef<str>>(automaton: &Tgba, atoms: &[A]) -> Result<Monitor, MonitorError> {
        Self::prepare(automaton, atoms, None, MAX_NODES)
    }

    /// Makes a state-based automaton ready. It has one acceptance set.
    ///
    /// # Errors
    /// There are too many atoms, or one of the automaton's is missing.
    pub fn of_buchi<A: AsRef<str>>(buchi: &Buchi, atoms: &[A]) -> Result<Monitor, MonitorError> {
        Self::prepare(buchi.as_tgba(), atoms, Some(buchi), MAX_NODES)
    }

    fn prepare<A: AsRef<str>>(
        automaton: &Tgba,
        atoms: &[A],
        buchi: Option<&Buchi>,
        max_nodes: usize,
    ) -> Result<Monitor, MonitorError> {
        if atoms.len() > MAX_ATOMS {
            return Err(MonitorError::TooManyAtoms(atoms.len()));
        }
        let bit = |name: &String| {
            let at = atoms.iter().position(|a| a.as_ref() == name);
            at.map(|at| at as u32).ok_or_else(|| MonitorError::UnknownAtom(name.clone()))
        };
        let bits = automaton.atoms.iter().map(bit).collect::<Result<Vec<u32>, _>>()?;
        let mut forest = Forest::new(automaton, &bits, max_nodes);
        let trees: Vec<u32> = automaton.states.iter().map(|edges| forest.plant(edges)).collect();
        let Forest { nodes, moves, .. } = forest;
        let tested = nodes.iter().filter(|n| n.bit != LEAF).fold(0, |m, n| m | 1 << n.bit);
        let used = moves.iter().fold(tested, |m, g| m | mentioned(&automaton.bdd, g.rest, &bits));

        let components = Components::new(automaton);
        let strengths = component_strength(automaton, &components);
        let universal = universal(automaton, &components, &strengths);
        let states = trees.into_iter().enumerate().map(|(s, tree)| {
            let component = components.of[s];
            let strength = component.and_then(|c| strengths[c]);
            State {
                tree,
                component: component.map_or(u32::MAX, |c| c as u32),
                cycles: match strength {
                    None => Cycles::NonAccepting,
                    Some(Strength::Strong) => Cycles::PartiallyAccepting,
                    Some(Strength::Terminal | Strength::Weak) => Cycles::FullyAccepting,
                },
                strength,
                is_universal: universal[s],
                is_accepting: buchi.is_some_and(|b| b.is_accepting(s)),
            }
        });
        Ok(Monitor {
            initial: automaton.initial as u32,
            sets: automaton.sets,
            all_marks: automaton.all_marks(),
            strength: strengths.iter().flatten().copied().max().unwrap_or(Strength::Terminal),
            is_deterministic: automaton.is_deterministic(),
            used,
            states: states.collect(),
            nodes,
            moves,
            bdd: automaton.bdd.clone(),
            bits,
            is_state_based: buchi.is_some(),
        })
    }

    /// The state where runs begin.
    pub fn initial(&self) -> u32 {
        self.initial
    }

    /// How many states there are; they are numbered from 0.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Always false: there is an initial state.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// How many acceptance sets there are, at most 64.
    pub fn sets(&self) -> u32 {
        self.sets
    }

    /// All acceptance sets at once; 0 if every infinite run accepts.
    pub fn all_marks(&self) -> Marks {
        self.all_marks
    }

    /// The bits of a valuation that matter.
    pub fn used_atoms(&self) -> u64 {
        self.used
    }

    /// Whether no state has two moves for one valuation.
    pub fn is_deterministic(&self) -> bool {
        self.is_deterministic
    }

    /// Whether it was made of an automaton with accepting states.
    pub fn is_state_based(&self) -> bool {
        self.is_state_based
    }

    /// What a search for accepting runs must do.
    pub fn strength(&self) -> Strength {
        self.strength
    }

    /// The moves out of `state` under a valuation.
    #[inline]
    pub fn moves(&self, state: u32, valuation: u64) -> Moves<'_> {
        let mut node = self.nodes[self.states[state as usize].tree as usize];
        while node.bit != LEAF {
            let next = if valuation >> node.bit & 1 == 1 { node.high } else { node.low };
            node = self.nodes[next as usize];
        }
        let open = self.moves[node.low as usize..node.high as usize].iter();
        Moves { open, monitor: self, valuation }
    }

    /// The strongly connected component of `state`. Components are numbered from
    /// 0, and moves lead to components of the same or a smaller number.
    pub fn component(&self, state: u32) -> u32 {
        self.states[state as usize].component
    }

    /// What cycles there are in the component of `state`.
    pub fn cycles(&self, state: u32) -> Cycles {
        self.states[state as usize].cycles
    }

    /// The strength of the component of `state`; `None` if it does not accept.
    pub fn component_strength(&self, state: u32) -> Option<Strength> {
        self.states[state as usize].strength
    }

    /// Whether the automaton accepts from `state` whatever comes: a violation
    /// is certain as soon as this state is reached. May be false where it
    /// would take a determinisation to tell.
    pub fn is_universal(&self, state: u32) -> bool {
        self.states[state as usize].is_universal
    }

    /// Whether `state` is accepting, in a state-based automaton; false otherwise.
    pub fn is_accepting(&self, state: u32) -> bool {
        self.states[state as usize].is_accepting
    }
}

/// The moves for one valuation; made by [`Monitor::moves`].
#[derive(Clone, Debug)]
pub struct Moves<'a> {
    open: std::slice::Iter<'a, Guarded>,
    monitor: &'a Monitor,
    valuation: u64,
}

impl Iterator for Moves<'_> {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let Moves { open, monitor, valuation } = self;
        let is_open = |rest: Label| {
            rest == Label::TRUE
                || monitor.bdd.eval(rest, |v| *valuation >> monitor.bits[v as usize] & 1 == 1)
        };
        open.find(|g| is_open(g.rest)).map(|g| g.step)
    }
}

/// Decision trees under construction; equal ones are shared.
struct Forest<'a> {
    bdd: &'a Bdd,
    bits: &'a [u32],
    max_nodes: usize,
    nodes: Vec<Node>,
    moves: Vec<Guarded>,
    known: RapidHashMap<Vec<Guarded>, u32>,
}

impl<'a> Forest<'a> {
    fn new(automaton: &'a Tgba, bits: &'a [u32], max_nodes: usize) -> Self {
        Forest {
            bdd: &automaton.bdd,
            bits,
            max_nodes,
            nodes: Vec::new(),
            moves: Vec::new(),
            known: RapidHashMap::default(),
        }
    }

    /// The tree that tells these edges apart.
    fn plant(&mut self, edges: &[Edge]) -> u32 {
        let guarded = edges.iter().map(|e| {
            let step = Move { target: e.target as u32, marks: e.marks };
            Guarded { step, rest: e.label }
        });
        self.grow(guarded.collect())
    }

    /// Recursive, by at most as many levels as there are atoms.
    fn grow(&mut self, edges: Vec<Guarded>) -> u32 {
        if let Some(&known) = self.known.get(&edges) {
            return known;
        }
        let first = edges.iter().map(|g| self.bdd.top(g.rest)).min().unwrap_or(u32::MAX);
        let node = if first == u32::MAX || self.nodes.len() >= self.max_nodes {
            let start = self.moves.len() as u32;
            self.moves.extend(&edges);
            Node { bit: LEAF, low: start, high: self.moves.len() as u32 }
        } else {
            let low = self.under(&edges, first, false);
            let high = self.under(&edges, first, true);
            Node { bit: self.bits[first as usize], low: self.grow(low), high: self.grow(high) }
        };
        self.nodes.push(node);
        let index = self.nodes.len() as u32 - 1;
        self.known.insert(edges, index);
        index
    }

    /// The edges that are left when variable `var` has this value.
    fn under(&self, edges: &[Guarded], var: u32, value: bool) -> Vec<Guarded> {
        let rest = |g: &Guarded| match (self.bdd.top(g.rest) == var, value) {
            (false, _) => g.rest,
            (true, false) => self.bdd.low(g.rest),
            (true, true) => self.bdd.high(g.rest),
        };
        let left = edges.iter().map(|g| Guarded { rest: rest(g), ..*g });
        left.filter(|g| g.rest != Label::FALSE).collect()
    }
}

/// The bits that `label` depends on.
fn mentioned(bdd: &Bdd, label: Label, bits: &[u32]) -> u64 {
    let (mut found, mut todo, mut seen) = (0, vec![label], RapidHashMap::default());
    while let Some(label) = todo.pop() {
        if !label.is_constant() && seen.insert(label, ()).is_none() {
            found |= 1 << bits[bdd.top(label) as usize];
            todo.extend([bdd.low(label), bdd.high(label)]);
        }
    }
    found
}

/// The states from which everything is accepted, as far as terminal components
/// and steps that cannot but lead there tell.
fn universal(
    automaton: &Tgba,
    components: &Components,
    strengths: &[Option<Strength>],
) -> Vec<bool> {
    let is_terminal =
        |s: usize| components.of[s].is_some_and(|c| strengths[c] == Some(Strength::Terminal));
    let mut found: Vec<bool> = (0..automaton.states.len()).map(is_terminal).collect();
    let mut bdd = automaton.bdd.clone();
    // Successors come first, so that most is found in one round.
    let order: Vec<usize> = components.members.iter().flatten().copied().collect();
    loop {
        let before = found.iter().filter(|&&u| u).count();
        for &s in &order {
            if !found[s] {
                let sure = automaton.states[s].iter().filter(|e| found[e.target]);
                found[s] = sure.fold(Label::FALSE, |all, e| bdd.or(all, e.label)) == Label::TRUE;
            }
        }
        if found.iter().filter(|&&u| u).count() == before {
            return found;
        }
    }
}
