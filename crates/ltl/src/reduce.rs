//! Smaller automata for the same language.
//!
//! Each pass keeps the language; the passes are repeated until none helps.

pub(crate) mod jumps;
pub(crate) mod marks;
pub(crate) mod simulation;
pub(crate) mod trim;

use crate::automaton::{Buchi, Size, Tgba};
use crate::scc::Components;

use simulation::Relation;

/// What the marks of edges between components say: they never matter, so each
/// choice may let simulation find more.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fill {
    None,
    All,
}

/// Nodes that one round may add to the labels' table. A round that needs more is undone.
const ROOM: usize = 200_000;

/// Reduces a generalised automaton in place.
pub(crate) fn reduce(automaton: &mut Tgba, steps: &mut u64) {
    trim::trim(automaton);
    trim::join_twins(automaton, steps);
    let mut before = (Size::default(), 0);
    while before != (automaton.size(), automaton.sets) && *steps > 0 {
        before = (automaton.size(), automaton.sets);
        let backup = automaton.clone();
        automaton.compact_with_room(ROOM);
        for fill in [Fill::None, Fill::All] {
            marks::clean(automaton, fill);
            trim::join_twins(automaton, steps);
            pass(automaton, None, steps);
        }
        marks::clean(automaton, Fill::None);
        marks::compress(automaton);
        if automaton.bdd.is_exhausted() {
            *automaton = backup;
            break;
        }
    }
    automaton.compact();
    marks::clean(automaton, Fill::None);
    marks::compress(automaton);
    trim::renumber(automaton);
}

/// One round of direct and reverse simulation.
fn pass(automaton: &mut Tgba, accepting: Option<&mut Vec<bool>>, steps: &mut u64) {
    let mut colours = accepting;
    if let Some(relation) = Relation::direct(automaton, steps) {
        let kept = relation.merge_forward(automaton);
        let relation = relation.project(&kept);
        retain_colours(&mut colours, &kept);
        relation.prune_forward(automaton, steps);
        trim_coloured(automaton, &mut colours);
    }
    if let Some(relation) =
        Relation::reverse(automaton, colours.as_deref().map(Vec::as_slice), steps)
    {
        let kept = relation.merge_backward(automaton);
        let relation = relation.project(&kept);
        retain_colours(&mut colours, &kept);
        relation.prune_backward(automaton, steps);
        trim_coloured(automaton, &mut colours);
    }
}

fn retain_colours(colours: &mut Option<&mut Vec<bool>>, kept: &[usize]) {
    if let Some(colours) = colours {
        **colours = kept.iter().map(|&s| colours[s]).collect();
    }
}

fn trim_coloured(automaton: &mut Tgba, colours: &mut Option<&mut Vec<bool>>) {
    let kept = trim::trim(automaton);
    retain_colours(colours, &kept);
}

/// Reduces a Büchi automaton in place.
pub(crate) fn reduce_buchi(buchi: &mut Buchi, steps: &mut u64) {
    let mut before = Size::default();
    while before != buchi.size() && *steps > 0 {
        before = buchi.size();
        let backup = buchi.clone();
        buchi.inner.compact_with_room(ROOM);
        for fill in [Fill::None, Fill::All] {
            clean_states(buchi, fill);
            pass(&mut buchi.inner, Some(&mut buchi.accepting), steps);
        }
        if buchi.inner.bdd.is_exhausted() {
            *buchi = backup;
            break;
        }
    }
    buchi.inner.compact();
    clean_states(buchi, Fill::None);
    let order = trim::renumber(&mut buchi.inner);
    buchi.accepting = order.iter().map(|&s| buchi.accepting[s]).collect();
}

/// Sets acceptance where it does not matter, and the marks to match.
fn clean_states(buchi: &mut Buchi, fill: Fill) {
    let components = Components::new(&buchi.inner);
    for (c, members) in components.members.iter().enumerate() {
        let value = match components.marks(&buchi.inner, c) {
            None => fill == Fill::All,
            Some(0) => false,
            Some(_) if components.is_fully_accepting(&buchi.inner, c) => true,
            Some(_) => continue,
        };
        members.iter().for_each(|&s| buchi.accepting[s] = value);
    }
    for (edges, &accepting) in buchi.inner.states.iter_mut().zip(&buchi.accepting) {
        edges.iter_mut().for_each(|e| e.marks = u64::from(accepting));
    }
    buchi.inner.normalise();
}
