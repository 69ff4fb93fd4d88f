//! Dropping what no accepting run visits, and joining states with equal edges.

use rapidhash::RapidHashMap;

use crate::automaton::{Edge, Tgba};
use crate::scc::Components;

/// Keeps the states that are reached and from which a run can be accepting;
/// gives the old numbers of those that stay. The initial state always stays.
pub(crate) fn trim(automaton: &mut Tgba) -> Vec<usize> {
    let components = Components::new(automaton);
    let mut useful = vec![false; automaton.states.len()];
    // Successors come first, so one look at each component is enough.
    for (c, members) in components.members.iter().enumerate() {
        let alive = components.is_accepting(automaton, c)
            || members.iter().any(|&s| automaton.states[s].iter().any(|e| useful[e.target]));
        members.iter().for_each(|&s| useful[s] = alive);
    }
    let dead_start = !useful[automaton.initial];
    useful[automaton.initial] = true;
    let kept: Vec<usize> = (0..automaton.states.len()).filter(|&s| useful[s]).collect();
    if dead_start {
        automaton.states[automaton.initial].clear();
    }
    restrict(automaton, &kept);
    kept
}

/// Keeps the states in `kept`, in that order, and the edges between them.
pub(crate) fn restrict(automaton: &mut Tgba, kept: &[usize]) {
    let mut number = vec![usize::MAX; automaton.states.len()];
    kept.iter().enumerate().for_each(|(new, &old)| number[old] = new);
    let states = kept
        .iter()
        .map(|&s| {
            let edges = automaton.states[s].iter().filter(|e| number[e.target] != usize::MAX);
            edges.map(|e| Edge { target: number[e.target], ..*e }).collect()
        })
        .collect();
    automaton.states = states;
    automaton.initial = number[automaton.initial];
    automaton.normalise();
}

/// Numbers the states in breadth-first order; gives the old numbers.
pub(crate) fn renumber(automaton: &mut Tgba) -> Vec<usize> {
    let mut order = vec![automaton.initial];
    let mut seen = vec![false; automaton.states.len()];
    seen[automaton.initial] = true;
    let mut at = 0;
    while let Some(&s) = order.get(at) {
        at += 1;
        for e in &automaton.states[s] {
            if !std::mem::replace(&mut seen[e.target], true) {
                order.push(e.target);
            }
        }
    }
    restrict(automaton, &order);
    order
}

/// Joins states with the same edges until there are none: cheap, before simulation.
pub(crate) fn join_twins(automaton: &mut Tgba, steps: &mut u64) {
    while *steps > 0 {
        *steps = steps.saturating_sub(automaton.size().edges as u64);
        let mut first: RapidHashMap<&[Edge], usize> = RapidHashMap::default();
        let twin: Vec<usize> = automaton
            .states
            .iter()
            .enumerate()
            .map(|(s, edges)| *first.entry(edges.as_slice()).or_insert(s))
            .collect();
        let kept: Vec<usize> = (0..twin.len()).filter(|&s| twin[s] == s).collect();
        if kept.len() == twin.len() {
            return;
        }
        automaton.initial = twin[automaton.initial];
        automaton.states.iter_mut().flatten().for_each(|e| e.target = twin[e.target]);
        restrict(automaton, &kept);
    }
}
