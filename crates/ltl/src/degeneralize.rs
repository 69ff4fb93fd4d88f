//! From generalised to plain Büchi automata.
//!
//! Copies of a state count through the acceptance sets: at level `i` the sets
//! before `i` have been met, at the last level the state is accepting and the
//! count begins anew. A state whose edges inside its component all carry a set
//! takes it on arrival. Levels matter only within one component: a run enters
//! at a level that already exists, components that cannot accept have one
//! level, and those in which all cycles accept have only the last.
//! Babiak et al., "Compositional approach to suspension" (2013), section 5.

use rapidhash::RapidHashMap;

use crate::automaton::{Buchi, Edge, Marks, Tgba};
use crate::reduce;
use crate::scc::Components;

/// More orders of the sets than this are not tried.
const MAX_ORDERS: usize = 24;
/// Larger automata are degeneralised in one order only.
const MAX_TRIED_EDGES: usize = 2_000;
/// Steps of the reductions of all results.
const STEPS: u64 = 4_000_000;

/// The smallest Büchi automaton found for the language of `automaton`.
pub fn degeneralize(automaton: &Tgba) -> Buchi {
    let components = Components::new(automaton);
    let mut best: Option<Buchi> = None;
    let mut steps = STEPS;
    for order in orders(automaton.sets, automaton.size().edges) {
        for is_cached in [true, false] {
            let mut buchi = Unfolding::new(automaton, &components, &order, is_cached).run();
            reduce::reduce_buchi(&mut buchi, &mut steps);
            if best.as_ref().is_none_or(|b| buchi.size() < b.size()) {
                best = Some(buchi);
            }
            if automaton.sets == 0 {
                break;
            }
        }
        if steps == 0 {
            break;
        }
    }
    let mut best = best.expect("at least one order");
    best.inner.compact();
    best
}

/// The orders of the sets to try.
fn orders(sets: u32, edges: usize) -> Vec<Vec<u32>> {
    let first: Vec<u32> = (0..sets).collect();
    if edges > MAX_TRIED_EDGES {
        return vec![first];
    }
    let mut orders = vec![Vec::new()];
    for set in 0..sets {
        let longer = orders.iter().flat_map(|o: &Vec<u32>| {
            (0..=o.len()).map(move |at| {
                let mut o = o.clone();
                o.insert(at, set);
                o
            })
        });
        orders = longer.take(MAX_ORDERS).collect();
    }
    orders
}

struct Unfolding<'a> {
    automaton: &'a Tgba,
    components: &'a Components,
    order: &'a [u32],
    /// Enter components at a level that exists already.
    is_cached: bool,
    /// Marks on all edges of a state inside its component.
    common: Vec<Marks>,
    is_accepting: Vec<bool>,
    number: RapidHashMap<(usize, usize), usize>,
    first_level: RapidHashMap<usize, usize>,
    todo: Vec<(usize, usize)>,
}

impl<'a> Unfolding<'a> {
    fn new(
        automaton: &'a Tgba,
        components: &'a Components,
        order: &'a [u32],
        is_cached: bool,
    ) -> Self {
        let all = automaton.all_marks();
        let common = automaton.states.iter().enumerate().map(|(s, edges)| {
            edges.iter().filter(|e| components.same(s, e.target)).fold(all, |m, e| m & e.marks)
        });
        Unfolding {
            automaton,
            components,
            order,
            is_cached,
            common: common.collect(),
            is_accepting: (0..components.members.len())
                .map(|c| components.is_accepting(automaton, c))
                .collect(),
            number: RapidHashMap::default(),
            first_level: RapidHashMap::default(),
            todo: Vec::new(),
        }
    }

    fn run(mut self) -> Buchi {
        let last = self.order.len();
        let level = self.enter(self.automaton.initial);
        self.state(self.automaton.initial, level);
        let (mut states, mut accepting) = (Vec::new(), Vec::new());
        while states.len() < self.todo.len() {
            let (s, level) = self.todo[states.len()];
            let is_final = level == last && self.can_accept(s);
            let mut edges = Vec::with_capacity(self.automaton.states[s].len());
            for e in &self.automaton.states[s] {
                let level = if self.components.same(s, e.target) {
                    let from = if level == last { 0 } else { level };
                    self.arrive(e.target, self.advance(from, e.marks))
                } else {
                    self.enter(e.target)
                };
                let target = self.state(e.target, level);
                edges.push(Edge { target, marks: u64::from(is_final), label: e.label });
            }
            states.push(edges);
            accepting.push(is_final);
        }
        let mut inner = Tgba {
            atoms: self.automaton.atoms.clone(),
            bdd: self.automaton.bdd.clone(),
            initial: 0,
            states,
            sets: 1,
        };
        inner.normalise();
        Buchi { inner, accepting }
    }

    fn can_accept(&self, s: usize) -> bool {
        self.components.of[s].is_some_and(|c| self.is_accepting[c])
    }

    fn advance(&self, mut level: usize, marks: Marks) -> usize {
        while level < self.order.len() && marks >> self.order[level] & 1 == 1 {
            level += 1;
        }
        level
    }

    fn arrive(&self, s: usize, level: usize) -> usize {
        if self.can_accept(s) { self.advance(level, self.common[s]) } else { 0 }
    }

    fn enter(&self, s: usize) -> usize {
        match self.first_level.get(&s) {
            Some(&level) if self.is_cached => level,
            _ => self.arrive(s, 0),
        }
    }

    fn state(&mut self, s: usize, level: usize) -> usize {
        self.first_level.entry(s).or_insert(level);
        *self.number.entry((s, level)).or_insert_with(|| {
            self.todo.push((s, level));
            self.todo.len() - 1
        })
    }
}
