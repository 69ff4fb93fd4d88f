//! What the processes do on the cycle of a lasso.

use serde::Serialize;
use spinor_exec::{Actor, ReplayedStep};

/// The cycle of an infinite run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cycle {
    /// So many steps lead to it; the steps after them repeat for ever.
    pub start: usize,
    /// What the processes do on it.
    pub processes: Vec<OnCycle>,
}

/// A process on a cycle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OnCycle {
    /// Name of its proctype.
    pub name: String,
    /// Its number.
    pub pid: usize,
    /// Whether it takes a step.
    pub moves: bool,
    /// In how many of the states of the cycle it can move.
    pub enabled_in: usize,
    /// How many states the cycle has.
    pub states: usize,
}

impl OnCycle {
    /// In words: `moves`, `never enabled`, …
    #[must_use]
    pub fn describe(&self) -> String {
        let OnCycle { moves, enabled_in, states, .. } = *self;
        match enabled_in {
            _ if moves => "moves".to_owned(),
            0 => "cannot move".to_owned(),
            n if n == states => "could always move, but never does".to_owned(),
            n => format!("could move in {n} of {states} states, but never does"),
        }
    }
}

/// Notes who moves and who could on the states of a cycle.
#[derive(Default)]
pub(crate) struct Watcher {
    moved: u64,
    enabled: Vec<u64>,
}

impl Watcher {
    /// A move of the cycle from a state in which some processes can move.
    pub fn note(&mut self, enabled: u64, steps: &[ReplayedStep]) {
        self.enabled.push(enabled);
        for step in steps {
            if let Actor::Process(pid) = step.actor {
                self.moved |= 1_u64.checked_shl(pid as u32).unwrap_or(0);
            }
        }
    }

    /// What process `pid` does.
    pub fn process(&self, pid: usize, name: String) -> OnCycle {
        let bit = 1_u64.checked_shl(pid as u32).unwrap_or(0);
        OnCycle {
            name,
            pid,
            moves: self.moved & bit != 0,
            enabled_in: self.enabled.iter().filter(|e| *e & bit != 0).count(),
            states: self.enabled.len(),
        }
    }
}
