//! Small systems whose answers are known otherwise.

use spinor_ts::{Depth, EventKind, Expansion, FoundError, TransitionSystem};
use spinor_ts::{Violation, ViolationKind};
use std::collections::{BTreeMap, BTreeSet};

/// Any system: searches need not be compiled for each.
pub(crate) type Behind<'a> = &'a mut (dyn TransitionSystem + Send);

/// Systems as such.
pub(crate) fn behind<T: TransitionSystem + Send>(systems: &mut [T]) -> Vec<Behind<'_>> {
    systems.iter_mut().map(|system| system as Behind<'_>).collect()
}

/// One event of an explicit graph.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Edge {
    To(u32, u32),
    Bad(Violation, u32),
}

/// A graph given by lists of events; the initial state is 0. States are encoded
/// with different lengths.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub(crate) edges: Vec<Vec<Edge>>,
    /// With hidden bytes: one byte that counts events and shifts their order.
    pub(crate) has_hidden: bool,
    pub(crate) fails_at_once: Option<Violation>,
}

pub(crate) fn bad(site: u32) -> Violation {
    Violation { kind: ViolationKind::Assertion, site }
}

impl Graph {
    pub(crate) fn new(edges: Vec<Vec<Edge>>) -> Self {
        Self { edges, ..Self::default() }
    }

    /// States 0, 1, … `length - 1` in a row.
    pub(crate) fn line(length: u32) -> Self {
        let edge = |state| if state + 1 < length { vec![Edge::To(state + 1, 1)] } else { vec![] };
        Self::new((0..length).map(edge).collect())
    }

    pub(crate) fn random(random: &mut fastrand::Rng, states: u32, max_steps: u32) -> Self {
        // Without a store every run is tried: few states, few runs.
        let degree = random.usize(1..if states > 8 { 7 } else { 4 });
        let risk = random.u32(..4);
        let edge = |random: &mut fastrand::Rng| {
            let steps = random.u32(1..=max_steps);
            if random.u32(..20) < risk {
                // Steps of 0: the state itself is bad.
                let violation = Violation {
                    kind: *random
                        .choice(&[ViolationKind::Assertion, ViolationKind::Runtime])
                        .expect("there are two"),
                    site: random.u32(..4),
                };
                Edge::Bad(violation, if random.bool() { 0 } else { steps })
            } else {
                Edge::To(random.u32(..states), steps)
            }
        };
        let mut list = || (0..random.usize(..=degree)).map(|_| edge(random)).collect();
        Self::new((0..states).map(|_| list()).collect())
    }

    /// The distance of every reachable state, by relaxation until nothing changes.
    pub(crate) fn distances(&self) -> BTreeMap<u32, Depth> {
        let mut distances = BTreeMap::from([(0, 0)]);
        loop {
            let before = distances.clone();
            for (state, distance) in &before {
                for edge in &self.edges[*state as usize] {
                    if let Edge::To(to, steps) = edge {
                        let found = distance + Depth::from(*steps);
                        let known = distances.entry(*to).or_insert(found);
                        *known = found.min(*known);
                    }
                }
            }
            if before == distances {
                return distances;
            }
        }
    }

    /// All violations that can be reached: the state's distance and the length.
    fn reachable_violations(&self) -> Vec<(Violation, Depth)> {
        let mut found = Vec::new();
        for (state, distance) in self.distances() {
            for edge in &self.edges[state as usize] {
                if let Edge::Bad(violation, steps) = edge {
                    found.push((*violation, distance + Depth::from(*steps)));
                }
            }
        }
        found
    }

    /// The length of the shortest run to each violation.
    pub(crate) fn shortest_errors(&self) -> BTreeMap<Violation, Depth> {
        let mut shortest = BTreeMap::new();
        for (violation, length) in self.reachable_violations() {
            let known = shortest.entry(violation).or_insert(length);
            *known = length.min(*known);
        }
        shortest
    }

    /// Whether runs of at most `bound` steps show everything there is.
    pub(crate) fn fits(&self, bound: Depth) -> bool {
        self.distances().values().all(|distance| *distance <= bound)
            && self.reachable_violations().iter().all(|(_, length)| *length <= bound)
    }

    pub(crate) fn transitions(&self) -> u64 {
        let to = |state: &u32| {
            self.edges[*state as usize].iter().filter(|edge| matches!(edge, Edge::To(..))).count()
        };
        1 + self.distances().keys().map(to).sum::<usize>() as u64
    }

    fn encode(&self, state: u32, hidden: u8) -> Vec<u8> {
        let mut bytes = state.to_le_bytes().to_vec();
        bytes.resize(4 + state as usize % 3, 0);
        if self.has_hidden {
            bytes.push(hidden);
        }
        bytes
    }
}

impl TransitionSystem for Graph {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        self.fails_at_once.map_or_else(|| Ok(self.encode(0, 0)), Err)
    }

    fn hidden_bytes(&self) -> usize {
        usize::from(self.has_hidden)
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        out.clear();
        let number = u32::from_le_bytes(state[..4].try_into().expect("four bytes"));
        let hidden = if self.has_hidden { state[state.len() - 1] } else { 0 };
        assert_eq!(state, self.encode(number, hidden), "not a state of this system");
        let edges = &self.edges[number as usize];
        for index in 0..edges.len() {
            match edges[(index + usize::from(hidden)) % edges.len()] {
                Edge::To(to, steps) => {
                    let next = self.encode(to, hidden.wrapping_add((index as u8).wrapping_add(1)));
                    out.push_successor(&next, steps);
                    out.deepest = out.deepest.max(steps);
                    out.atomic_steps += u64::from(steps) - 1;
                }
                Edge::Bad(violation, steps) => out.push_violation(violation, steps),
            }
        }
    }
}

/// Counters that are raised one at a time up to a maximum.
#[derive(Clone)]
pub(crate) struct Grid {
    pub(crate) counters: usize,
    pub(crate) max: u8,
}

impl TransitionSystem for Grid {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        Ok(vec![0; self.counters])
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        out.clear();
        let mut next = state.to_vec();
        for index in 0..self.counters {
            if state[index] < self.max {
                next[index] += 1;
                out.push_successor(&next, 1);
                out.deepest = 1;
                next[index] -= 1;
            }
        }
    }
}

/// Follows the path of an error and checks what it claims.
#[track_caller]
pub(crate) fn replay<T: TransitionSystem>(system: &mut T, error: &FoundError) {
    let mut state = system.initial().expect("the error lies behind the initial state");
    let mut expansion = Expansion::new();
    let mut length = 0;
    let (last, way) = error.path.split_last().expect("the violation is an event");
    for number in way {
        system.expand(&state, &mut expansion);
        let event = expansion.events()[*number as usize];
        assert_eq!(event.kind, EventKind::Successor);
        length += Depth::from(event.steps);
        state = expansion.state(&event).to_vec();
    }
    system.expand(&state, &mut expansion);
    let event = expansion.events()[*last as usize];
    assert_eq!(event.kind, EventKind::Violation(error.violation));
    assert_eq!(length + Depth::from(event.steps), error.length);
}

/// The violations of a list of errors, each of which has to be there once.
#[track_caller]
pub(crate) fn violations(errors: &[FoundError]) -> BTreeSet<Violation> {
    let set: BTreeSet<_> = errors.iter().map(|error| error.violation).collect();
    assert_eq!(set.len(), errors.len());
    set
}
