//! Infinite runs: which of them are errors.

use crate::{TransitionSystem, Violation};

/// What a move means for the infinite runs it is part of.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Label {
    /// Acceptance sets that the move belongs to, one bit each.
    pub accepting: u32,
    /// Processes that take part in it, one bit each by pid.
    pub movers: u64,
}

/// Most processes that labels can tell apart. A system with more of them cuts its
/// expansions where fairness matters.
pub const MAX_MOVERS: usize = 64;

/// Which infinite runs count as possible.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Fairness {
    /// All of them.
    #[default]
    None,
    /// Those in which every process that can always move from some point on moves
    /// again and again.
    Weak,
    /// Those in which every process that can move again and again does so.
    Strong,
}

impl Fairness {
    /// As on the command line and in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Fairness::None => "none",
            Fairness::Weak => "weak",
            Fairness::Strong => "strong",
        }
    }
}

/// What cycles of a component of a claim's automaton are like.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ComponentClass {
    /// No cycle is accepting (N).
    NonAccepting,
    /// Every cycle is accepting (F).
    FullyAccepting,
    /// Some are, some are not, or it is not known (P).
    #[default]
    PartlyAccepting,
}

/// A strongly connected component of a claim's automaton.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Component {
    /// States of products whose components differ in this lie on no common cycle.
    pub number: u32,
    /// Its cycles.
    pub class: ComponentClass,
}

/// A system whose infinite runs are judged: a run is wanted (as a counterexample) if it
/// has moves of each acceptance set again and again. With no set every infinite run is.
///
/// [`expand`](TransitionSystem::expand) gives every event a [`Label`] and sets
/// [`Expansion::enabled`](crate::Expansion::enabled).
pub trait OmegaSystem: TransitionSystem {
    /// Number of acceptance sets, at most 32.
    fn acceptance_sets(&self) -> u32;

    /// Whether all moves from one state belong to the same acceptance sets, so that
    /// these are rather sets of states.
    fn is_state_based(&self) -> bool;

    /// What a wanted run is reported as.
    fn cycle_violation(&self) -> Violation;

    /// The component of the claim that a state belongs to.
    fn component(&self, _state: &[u8]) -> Component {
        Component::default()
    }
}
