//! Simplifying acceptance component by component.

use super::Fill;
use crate::automaton::{Marks, Tgba};
use crate::scc::Components;

/// Gives edges the marks that say the same most simply.
///
/// Between components and in ones that cannot accept, marks mean nothing. Where
/// every cycle meets a set, or every edge of another set is in it, the set is
/// put on all edges.
pub(crate) fn clean(automaton: &mut Tgba, fill: Fill) {
    let all = automaton.all_marks();
    let components = Components::new(automaton);
    let outside = if fill == Fill::All { all } else { 0 };
    // `None` for components that cannot accept.
    let implied: Vec<Option<Marks>> = (0..components.members.len())
        .map(|c| {
            components.is_accepting(automaton, c).then(|| implied_sets(automaton, &components, c))
        })
        .collect();
    for (s, edges) in automaton.states.iter_mut().enumerate() {
        let Some(c) = components.of[s] else { continue };
        for e in edges {
            e.marks = match implied[c] {
                _ if !components.same(s, e.target) => outside,
                Some(implied) => e.marks | implied,
                None => 0,
            };
        }
    }
    automaton.normalise();
}

/// The sets of component `c` that need not be watched.
fn implied_sets(automaton: &Tgba, components: &Components, c: usize) -> Marks {
    let mut implied: Marks = 0;
    for set in 0..automaton.sets {
        if components.all_cycles_meet(automaton, c, set) {
            implied |= 1 << set;
        }
    }
    for set in 0..automaton.sets {
        let by_other = (0..automaton.sets).any(|other| {
            other != set
                && implied >> other & 1 == 0
                && components.inner(automaton, c).all(|(_, m)| m >> other & 1 <= m >> set & 1)
        });
        if by_other {
            implied |= 1 << set;
        }
    }
    implied
}

/// Numbers the sets anew in each component, so that as few as possible remain.
pub(crate) fn compress(automaton: &mut Tgba) {
    let components = Components::new(automaton);
    let all = automaton.all_marks();
    let mut watched: Vec<Vec<u32>> = Vec::new();
    let mut needs_one = false;
    for c in 0..components.members.len() {
        let accepting = components.is_accepting(automaton, c);
        needs_one |= !accepting && components.marks(automaton, c).is_some();
        let everywhere = components.inner(automaton, c).fold(all, |m, (_, e)| m & e);
        let sets = if accepting { 0..automaton.sets } else { 0..0 };
        watched.push(sets.filter(|set| everywhere >> set & 1 == 0).collect());
    }
    let sets = watched.iter().map(Vec::len).max().unwrap_or(0).max(usize::from(needs_one));
    let full: Marks = if sets >= 64 { Marks::MAX } else { (1 << sets) - 1 };
    let accepting: Vec<bool> =
        (0..watched.len()).map(|c| components.is_accepting(automaton, c)).collect();
    for (s, edges) in automaton.states.iter_mut().enumerate() {
        let Some(c) = components.of[s] else { continue };
        for e in edges {
            e.marks = if !components.same(s, e.target) || !accepting[c] {
                0
            } else {
                let is_lacking = |set: u32| e.marks >> set & 1 == 0;
                let lacking = watched[c].iter().enumerate().filter(|(_, set)| is_lacking(**set));
                lacking.fold(full, |m, (i, _)| m & !(1 << i))
            };
        }
    }
    automaton.sets = sets as u32;
    automaton.normalise();
}
