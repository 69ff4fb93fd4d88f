//! Runs as lists of moves.

use spinor_ts::Violation;

/// One move of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// Event of this number in the state at hand.
    Event(u32),
    /// Nothing can move any more: the state is repeated.
    Stutter,
}

/// A run of a model, perhaps an infinite one.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Run {
    /// From the initial state on.
    pub moves: Vec<Move>,
    /// So many moves lead to the state that the last move returns to.
    pub cycle_start: Option<usize>,
    /// What is wrong with the run, if its last move is not the violation itself.
    pub violation: Option<Violation>,
}

impl Run {
    /// The run that takes these events; the last one is its violation.
    #[must_use]
    pub fn of_events(events: &[u32]) -> Self {
        let moves = events.iter().map(|&event| Move::Event(event)).collect();
        Run { moves, ..Run::default() }
    }
}
