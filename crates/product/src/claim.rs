//! Automata in the form in which they are run.

use crate::components::{self, Place};
use spinor_ltl::{Bdd, Buchi, Label, Tgba};
use spinor_ts::{Component, ComponentClass};

/// What a claim is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// A formula: finite runs go on in their last state.
    Formula,
    /// Progress: a run that ends is not one without progress.
    NonProgress,
}

/// A generalised Büchi automaton whose labels are tested on valuations of 64 propositions.
#[derive(Clone, Debug)]
pub struct Claim {
    pub(crate) initial: u16,
    pub(crate) states: Vec<ClaimState>,
    pub(crate) sets: u32,
    pub(crate) is_state_based: bool,
    pub(crate) about: Progress,
}

#[derive(Clone, Debug)]
pub(crate) struct ClaimState {
    pub edges: Vec<ClaimEdge>,
    pub place: Place,
}

#[derive(Clone, Debug)]
pub(crate) struct ClaimEdge {
    guard: Guard,
    pub accepting: u32,
    pub target: u16,
}

#[derive(Clone, Debug)]
enum Guard {
    Always,
    /// One of the cubes holds.
    Cubes(Vec<Cube>),
}

/// A conjunction: the propositions it looks at, and those of them that must hold.
#[derive(Clone, Copy, Debug)]
struct Cube {
    cares: u64,
    holds: u64,
}

impl ClaimEdge {
    #[inline]
    pub fn admits(&self, valuation: u64) -> bool {
        match &self.guard {
            Guard::Always => true,
            Guard::Cubes(cubes) => cubes.iter().any(|c| valuation & c.cares == c.holds),
        }
    }
}

impl Claim {
    /// The claim of a generalised automaton. Proposition `number(name)` stands for an atom.
    ///
    /// Returns `None` if the automaton is too large to be run: more than 65,536 states or
    /// 32 acceptance sets.
    #[must_use]
    pub fn of_tgba(automaton: &Tgba, number: impl Fn(&str) -> u32) -> Option<Self> {
        Claim::new(automaton, false, number)
    }

    /// The claim of an automaton with accepting states.
    #[must_use]
    pub fn of_buchi(automaton: &Buchi, number: impl Fn(&str) -> u32) -> Option<Self> {
        Claim::new(automaton.as_tgba(), true, number)
    }

    fn new(automaton: &Tgba, is_state_based: bool, number: impl Fn(&str) -> u32) -> Option<Self> {
        if automaton.sets > 32 {
            return None;
        }
        let numbers: Vec<u32> = automaton.atoms.iter().map(|name| number(name)).collect();
        let mut bdd = automaton.bdd.clone();
        let mut states = Vec::with_capacity(automaton.states.len());
        for (edges, place) in automaton.states.iter().zip(components::of_tgba(automaton)) {
            let mut run = Vec::with_capacity(edges.len());
            for edge in edges {
                run.push(ClaimEdge {
                    guard: guard(&mut bdd, edge.label, &numbers),
                    accepting: edge.marks as u32,
                    target: u16::try_from(edge.target).ok()?,
                });
            }
            states.push(ClaimState { edges: run, place });
        }
        let initial = u16::try_from(automaton.initial).ok()?;
        let about = Progress::Formula;
        Some(Claim { initial, states, sets: automaton.sets, is_state_based, about })
    }

    /// The claim that accepts runs on which proposition 0, "no progress", holds from some
    /// state on.
    #[must_use]
    pub fn non_progress() -> Self {
        let np = || Guard::Cubes(vec![Cube { cares: 1, holds: 1 }]);
        let edge = |guard, accepting, target| ClaimEdge { guard, accepting, target };
        let place = |number, class| Place {
            component: Component { number, class },
            accepts_all: false,
            is_outside: class == ComponentClass::NonAccepting,
        };
        let waiting = ClaimState {
            edges: vec![edge(np(), 0, 1), edge(Guard::Always, 0, 0)],
            place: place(1, ComponentClass::NonAccepting),
        };
        let stuck = ClaimState {
            edges: vec![edge(np(), 1, 1)],
            place: place(0, ComponentClass::FullyAccepting),
        };
        Claim {
            initial: 0,
            states: vec![waiting, stuck],
            sets: 1,
            is_state_based: true,
            about: Progress::NonProgress,
        }
    }

    /// Number of states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Always false: there is an initial state.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The edges of a state: cubes of literals (a proposition, and whether it holds) of which one has
    /// to hold, and the state they lead to.
    pub fn edges(&self, state: usize) -> impl Iterator<Item = (Vec<Vec<(u32, bool)>>, usize)> {
        let literals = |cube: &Cube| {
            let all = (0..64).filter(|bit| cube.cares >> bit & 1 != 0);
            all.map(|bit| (bit, cube.holds >> bit & 1 != 0)).collect()
        };
        self.states[state].edges.iter().map(move |edge| {
            let cubes = match &edge.guard {
                Guard::Always => vec![Vec::new()],
                Guard::Cubes(cubes) => cubes.iter().map(literals).collect(),
            };
            (cubes, usize::from(edge.target))
        })
    }

    /// Whether every run from a state on is accepted.
    #[must_use]
    pub fn accepts_all(&self, state: usize) -> bool {
        self.states[state].place.accepts_all
    }

    /// Whether some cycle through the component of a state may be accepting.
    #[must_use]
    pub fn may_accept(&self, state: usize) -> bool {
        self.states[state].place.component.class != ComponentClass::NonAccepting
    }

    /// Whether reaching a state is all that violations need.
    #[must_use]
    pub fn is_reachability(&self) -> bool {
        let cyclic = |state: &ClaimState| {
            let Place { component, accepts_all, .. } = state.place;
            component.class != ComponentClass::NonAccepting && !accepts_all
        };
        !self.states.iter().any(cyclic)
    }
}

fn guard(bdd: &mut Bdd, label: Label, numbers: &[u32]) -> Guard {
    if label == Label::TRUE {
        return Guard::Always;
    }
    let cubes = bdd.cubes(label).into_iter().map(|literals| {
        let mut cube = Cube { cares: 0, holds: 0 };
        for (atom, value) in literals {
            let bit = 1 << numbers[atom as usize];
            cube.cares |= bit;
            cube.holds |= if value { bit } else { 0 };
        }
        cube
    });
    Guard::Cubes(cubes.collect())
}
