//! Entering a last component as late as possible.
//!
//! A state `w` that can wait guesses when to enter a component `A` for good, as the automaton
//! of `[]<>p && <>[]q` does. Any accepting run passes edges of each acceptance set in `A` again
//! and again, so it may as well wait in `w` until the next edge of one chosen set and join there.
//! The labels of the edges from `w` into `A` then shrink to those of the chosen set's edges: the
//! language is the same, states and edges are no more, and a product with a system enters `A`
//! in fewer places.

use std::collections::BTreeMap;

use crate::automaton::{Edge, Size, Tgba};
use crate::bdd::{Bdd, Label};
use crate::scc::Components;

/// Larger automata stay as they are.
const MAX_SIZE: Size = Size { states: 64, edges: 2_000 };

/// Shrinks the labels of edges into last components.
pub(crate) fn jump_late(automaton: &mut Tgba) {
    let Size { states, edges } = automaton.size();
    if states > MAX_SIZE.states || edges > MAX_SIZE.edges {
        return;
    }
    let components = Components::new(automaton);
    let mut bdd = std::mem::take(&mut automaton.bdd);
    for (c, members) in components.members.iter().enumerate() {
        let inside = |s: usize| components.of[s] == Some(c);
        let edges = || members.iter().flat_map(|&s| &automaton.states[s]);
        if edges().next().is_none() || !edges().all(|e| inside(e.target)) {
            continue;
        }
        let last = Last::new(edges().copied().collect(), automaton.sets, &mut bdd);
        for (w, edges) in automaton.states.iter_mut().enumerate().filter(|&(w, _)| !inside(w)) {
            if let Some(set) = last.choose(edges, w, &mut bdd) {
                edges.retain(|e| !inside(e.target));
                edges.extend(last.sets[set].iter().map(|(&t, &label)| edge(t, label)));
            }
        }
    }
    automaton.bdd = bdd;
    automaton.normalise();
}

/// The label under which each target is reached.
type Entries = BTreeMap<usize, Label>;

/// A component that no edge leaves.
struct Last {
    /// By its own edges.
    all: Entries,
    /// By those of each acceptance set.
    sets: Vec<Entries>,
}

impl Last {
    fn new(edges: Vec<Edge>, sets: u32, bdd: &mut Bdd) -> Self {
        let of_set = |set| edges.iter().filter(move |e| e.marks >> set & 1 == 1);
        Last {
            all: entries(bdd, edges.iter()),
            sets: (0..sets).map(|set| entries(bdd, of_set(set))).collect(),
        }
    }

    /// The acceptance set on which state `w` should enter, if that is less often than now.
    fn choose(&self, edges: &[Edge], w: usize, bdd: &mut Bdd) -> Option<usize> {
        let now = entries(bdd, edges.iter().filter(|e| self.all.contains_key(&e.target)));
        let waits = entries(bdd, edges.iter().filter(|e| e.target == w)).remove(&w)?;
        let never_stuck = |entries: &Entries, bdd: &mut Bdd| {
            entries.values().all(|&label| implies(bdd, label, waits))
        };
        if now.is_empty() || !never_stuck(&now, bdd) || !never_stuck(&self.all, bdd) {
            return None;
        }
        let mut least = share(&now, bdd);
        let mut best = None;
        for (set, jumps) in self.sets.iter().enumerate() {
            let is_possible = jumps.iter().all(|(target, &jump)| {
                now.get(target).is_some_and(|&label| implies(bdd, jump, label))
            });
            let size = share(jumps, bdd);
            if is_possible && size < least {
                (least, best) = (size, Some(set));
            }
        }
        best
    }
}

fn edge(target: usize, label: Label) -> Edge {
    // Marks outside components never matter.
    Edge { target, marks: 0, label }
}

fn entries<'a>(bdd: &mut Bdd, edges: impl Iterator<Item = &'a Edge>) -> Entries {
    let mut entries = Entries::new();
    for e in edges {
        let label = entries.entry(e.target).or_insert(Label::FALSE);
        *label = bdd.or(*label, e.label);
    }
    entries
}

/// How large a part of the valuations the labels admit, added up.
fn share(entries: &Entries, bdd: &Bdd) -> f64 {
    entries.values().map(|&label| bdd.share(label)).sum()
}

fn implies(bdd: &mut Bdd, f: Label, g: Label) -> bool {
    bdd.minus(f, g) == Label::FALSE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::reduce;
    use crate::word::Lasso;
    use crate::{Formula, Limits, parse};

    /// The reduced automaton before the pass, and after it.
    fn both(text: &str) -> (Formula, Tgba, Tgba) {
        let formula = parse(text).expect(text);
        let mut pool = crate::pool::Pool::new(100_000);
        let f = pool.import(&formula, true);
        let mut early = crate::tableau::build(&mut pool, f, &Limits::default()).expect(text);
        reduce(&mut early, &mut 1_000_000);
        let mut late = early.clone();
        jump_late(&mut late);
        (formula, early, late)
    }

    /// How often edges lead from one component into another.
    fn entering(automaton: &Tgba) -> f64 {
        let components = Components::new(automaton);
        let edges = automaton.states.iter().enumerate();
        let all = edges.flat_map(|(s, edges)| edges.iter().map(move |e| (s, e)));
        let between = all.filter(|(s, e)| !components.same(*s, e.target));
        between.map(|(_, e)| automaton.bdd.share(e.label)).sum()
    }

    #[test]
    fn the_language_stays_and_the_entries_shrink() {
        let mut rng = fastrand::Rng::with_seed(7);
        for text in [
            "[]<>p && <>[]q",
            "[]<>p && []<>r && <>[]!q",
            "<>([]<>(p && q) && []r)",
            "<>[](p -> <>q) && []<>p",
        ] {
            let (formula, early, late) = both(text);
            let atoms: Vec<&str> = late.atoms.iter().map(String::as_str).collect();
            for _ in 0..2_000 {
                let mut letters = |n: usize| (0..n).map(|_| rng.u64(..8)).collect();
                let word = Lasso { stem: letters(3), cycle: letters(3) };
                assert_eq!(late.accepts(&word), word.satisfies(&formula, &atoms), "{text}");
            }
            assert!(late.size() <= early.size(), "{text}");
            assert!(entering(&late) < entering(&early), "{text}");
        }
    }

    #[test]
    fn no_set_no_other_entry() {
        for text in ["<>[]p", "p U []q", "<>(p && []!q)", "r U ([]q && []<>p)"] {
            let (_, early, late) = both(text);
            assert_eq!(entering(&late), entering(&early), "{text}");
        }
    }
}
