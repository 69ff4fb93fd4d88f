//! Distances inside process automata: how many steps of its own a process needs at least.
//!
//! The paper's D_i. Every step counts one, also inside atomic sequences; a `d_step` is one. A step
//! of one process is no step of another, so distances of different processes add up to a lower
//! bound.

use crate::actions::runs_of;
use spinor_program::{Automaton, Program, Transition};
use std::sync::Arc;

/// No way.
pub(crate) const FAR: u32 = spinor_ts::HOPELESS;

/// Steps from each location.
pub(crate) type Table = Arc<[u32]>;

/// Steps from each location of an automaton to the nearest one for which `is_goal` holds.
pub(crate) fn to_locations(automaton: &Automaton, is_goal: impl Fn(usize) -> bool) -> Table {
    let count = automaton.locations.len();
    let mut distances = vec![FAR; count];
    let mut level: Vec<usize> = (0..count).filter(|at| is_goal(*at)).collect();
    level.iter().for_each(|at| distances[*at] = 0);
    let mut sources: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (from, location) in automaton.locations.iter().enumerate() {
        for transition in &location.transitions {
            if let Some(list) = sources.get_mut(transition.target.index()) {
                list.push(from);
            }
        }
    }
    let mut distance = 0;
    while !level.is_empty() {
        distance += 1;
        let mut next = Vec::new();
        for from in level.iter().flat_map(|at| &sources[*at]) {
            if distances[*from] == FAR {
                distances[*from] = distance;
                next.push(*from);
            }
        }
        level = next;
    }
    distances.into()
}

/// Steps from each location of each proctype until some process, the one itself or one that it
/// starts, has executed a transition for which `is_goal` holds, that step included.
pub(crate) fn to_steps(
    program: &Program,
    is_goal: impl Fn(usize, &Transition) -> bool,
) -> Vec<Table> {
    let mut tables: Vec<Vec<u32>> =
        program.proctypes.iter().map(|p| vec![FAR; p.automaton.locations.len()]).collect();
    loop {
        let mut is_changed = false;
        for (proctype, process) in program.proctypes.iter().enumerate() {
            // Backwards, as most steps lead forwards.
            for (at, location) in process.automaton.locations.iter().enumerate().rev() {
                let best = location.transitions.iter().map(|t| {
                    if is_goal(proctype, t) {
                        return 1;
                    }
                    let started = runs_of(program, t.statement).map(|started| {
                        let start = program.proctypes[started.index()].automaton.start;
                        tables[started.index()].get(start.index()).copied().unwrap_or(FAR)
                    });
                    let own = tables[proctype].get(t.target.index()).copied().unwrap_or(FAR);
                    let least = started.fold(own, u32::min);
                    least.saturating_add(1).min(FAR)
                });
                let best = best.min().unwrap_or(FAR);
                if best < tables[proctype][at] {
                    tables[proctype][at] = best;
                    is_changed = true;
                }
            }
        }
        if !is_changed {
            return tables.into_iter().map(Arc::from).collect();
        }
    }
}
