//! Transition-based generalised Büchi automata, and plain Büchi automata.

use rapidhash::RapidHashMap;

use crate::bdd::{Bdd, Label};

/// The acceptance sets an edge belongs to, one bit each.
pub type Marks = u64;

/// An edge of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// The state it leads to.
    pub target: usize,
    /// The acceptance sets it belongs to.
    pub marks: Marks,
    /// When it may be taken.
    pub label: Label,
}

/// A transition-based generalised Büchi automaton.
///
/// A run is accepting if it takes edges of each of the `sets` acceptance sets
/// again and again; with no sets every infinite run is.
#[derive(Clone, Debug)]
pub struct Tgba {
    /// The names of the atoms that labels speak of.
    pub atoms: Vec<String>,
    /// The table behind the labels.
    pub bdd: Bdd,
    /// The state where runs begin.
    pub initial: usize,
    /// The edges of each state.
    pub states: Vec<Vec<Edge>>,
    /// How many acceptance sets there are, at most 64.
    pub sets: u32,
}

/// A Büchi automaton with accepting states.
///
/// Kept as a [`Tgba`] of one set in which all edges of a state agree, so that
/// all algorithms apply to both.
#[derive(Clone, Debug)]
pub struct Buchi {
    pub(crate) inner: Tgba,
    pub(crate) accepting: Vec<bool>,
}

/// The size of an automaton; edges between the same states with the same marks count once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size {
    /// Number of states.
    pub states: usize,
    /// Number of edges.
    pub edges: usize,
}

impl Tgba {
    /// All acceptance sets at once.
    pub fn all_marks(&self) -> Marks {
        if self.sets == 64 { Marks::MAX } else { (1 << self.sets) - 1 }
    }

    /// Number of states and edges.
    pub fn size(&self) -> Size {
        Size { states: self.states.len(), edges: self.states.iter().map(Vec::len).sum() }
    }

    /// Whether no state has two edges for one valuation.
    pub fn is_deterministic(&self) -> bool {
        let mut bdd = self.bdd.clone();
        self.states.iter().all(|edges| {
            let mut seen = Label::FALSE;
            edges.iter().all(|e| {
                let apart = !bdd.meets(seen, e.label);
                seen = bdd.or(seen, e.label);
                apart
            })
        })
    }

    /// Whether each state has an edge for every valuation.
    pub fn is_complete(&self) -> bool {
        let mut bdd = self.bdd.clone();
        self.states.iter().all(|edges| {
            edges.iter().fold(Label::FALSE, |seen, e| bdd.or(seen, e.label)) == Label::TRUE
        })
    }

    /// Joins edges that differ in their label only, drops impossible ones, and sorts.
    pub(crate) fn normalise(&mut self) {
        for edges in &mut self.states {
            edges.sort_unstable();
            let mut joined: Vec<Edge> = Vec::with_capacity(edges.len());
            for e in edges.iter().filter(|e| e.label != Label::FALSE) {
                match joined.last_mut() {
                    Some(last) if (last.target, last.marks) == (e.target, e.marks) => {
                        last.label = self.bdd.or(last.label, e.label);
                    }
                    _ => joined.push(*e),
                }
            }
            *edges = joined;
        }
    }

    /// Moves the labels into a table without leftovers or limit.
    pub(crate) fn compact(&mut self) {
        self.move_labels(Bdd::default());
    }

    /// Moves the labels into a table in which work may take `room` nodes more.
    pub(crate) fn compact_with_room(&mut self, room: usize) {
        self.move_labels(Bdd::default());
        self.bdd.limit_to(room);
    }

    fn move_labels(&mut self, mut fresh: Bdd) {
        let mut done = RapidHashMap::default();
        for e in self.states.iter_mut().flatten() {
            e.label = self.bdd.copy_into(e.label, &mut fresh, &mut done);
        }
        self.bdd = fresh;
    }
}

impl Buchi {
    /// The names of the atoms that labels speak of.
    pub fn atoms(&self) -> &[String] {
        &self.inner.atoms
    }

    /// The table behind the labels.
    pub fn bdd(&self) -> &Bdd {
        &self.inner.bdd
    }

    /// The state where runs begin.
    pub fn initial(&self) -> usize {
        self.inner.initial
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.accepting.len()
    }

    /// Always false: there is an initial state.
    pub fn is_empty(&self) -> bool {
        self.accepting.is_empty()
    }

    /// Whether `state` is accepting.
    pub fn is_accepting(&self, state: usize) -> bool {
        self.accepting[state]
    }

    /// The edges out of `state`; their marks tell whether `state` is accepting.
    pub fn edges(&self, state: usize) -> &[Edge] {
        &self.inner.states[state]
    }

    /// The same automaton with one acceptance set on edges.
    pub fn as_tgba(&self) -> &Tgba {
        &self.inner
    }

    /// Number of states and edges.
    pub fn size(&self) -> Size {
        self.inner.size()
    }
}
