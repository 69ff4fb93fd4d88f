//! Distances to one given state.

use crate::distance::{FAR, Table, to_locations};
use spinor_exec::{Exec, Look};
use spinor_program::Program;

/// The sum of the distances of the processes to where they are in the target.
#[derive(Debug)]
pub(crate) struct Control {
    /// By pid: proctype and distances.
    goals: Vec<(usize, Table)>,
}

impl Control {
    pub fn new(program: &Program, exec: &Exec, target: &[u8]) -> Self {
        let look = exec.look(target);
        let goal = |pid: usize| {
            let (proctype, goal) = (look.proctype(pid).index(), look.location(pid));
            (proctype, to_locations(&program.proctypes[proctype].automaton, |at| at == goal))
        };
        Control { goals: (0..look.processes()).map(goal).collect() }
    }

    pub fn cost(&self, look: &Look<'_>) -> u32 {
        let mut cost: u32 = 0;
        for (pid, (proctype, table)) in self.goals.iter().enumerate() {
            cost = cost.saturating_add(if pid >= look.processes() {
                1
            } else if look.proctype(pid).index() == *proctype {
                table[look.location(pid)]
            } else {
                // It has to end first.
                1
            });
        }
        let more = look.processes().saturating_sub(self.goals.len()) as u32;
        cost.saturating_add(more).min(FAR)
    }
}

/// The number of bits in which states differ.
#[derive(Debug)]
pub(crate) struct Hamming {
    target: Vec<u8>,
}

impl Hamming {
    pub fn new(target: &[u8]) -> Self {
        Hamming { target: target.to_vec() }
    }

    pub fn cost(&self, state: &[u8]) -> u32 {
        let pairs = state.iter().zip(&self.target);
        let differing: u32 = pairs.map(|(a, b)| (a ^ b).count_ones()).sum();
        let longer = state.len().abs_diff(self.target.len()) as u32;
        differing + 8 * longer
    }
}
