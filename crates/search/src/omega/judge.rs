//! Which cycles are wanted, and whether a lasso is what it claims to be.

use spinor_ts::{
    Depth, EventKind, Expansion, Fairness, FoundError, Label, OmegaSystem, TransitionSystem,
};
use std::fmt;

/// All that counts of the moves of a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Tally {
    accepting: u32,
    moved: u64,
    /// Processes that could move somewhere.
    enabled: u64,
    /// Processes that could not move somewhere.
    idle: u64,
}

impl Tally {
    /// Adds a move from a state in which the processes of `enabled` can move.
    pub(crate) fn add(&mut self, label: Label, enabled: u64) {
        self.accepting |= label.accepting;
        self.moved |= label.movers;
        self.enabled |= enabled;
        self.idle |= !enabled;
    }
}

/// What a cycle still lacks.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Lack {
    accepting: u32,
    processes: u64,
    /// Whether it helps that such a process cannot move.
    by_idling: bool,
}

impl Lack {
    pub(crate) fn is_nothing(self) -> bool {
        self.accepting == 0 && self.processes == 0
    }

    /// Whether a move makes it less.
    pub(crate) fn is_met_by(self, label: Label, enabled: u64) -> bool {
        let idle = if self.by_idling { !enabled } else { 0 };
        self.accepting & label.accepting != 0 || self.processes & (label.movers | idle) != 0
    }
}

/// Acceptance and fairness.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judge {
    /// All acceptance sets.
    pub(crate) goal: u32,
    pub(crate) fairness: Fairness,
}

impl Judge {
    pub(crate) fn new<T: OmegaSystem>(system: &T, fairness: Fairness) -> Self {
        Self { goal: goal(system.acceptance_sets()), fairness }
    }

    pub(crate) fn lack(&self, tally: Tally) -> Lack {
        let processes = match self.fairness {
            Fairness::None => 0,
            Fairness::Weak => !(tally.moved | tally.idle),
            Fairness::Strong => tally.enabled & !tally.moved,
        };
        let by_idling = self.fairness == Fairness::Weak;
        Lack { accepting: self.goal & !tally.accepting, processes, by_idling }
    }
}

/// All of so many acceptance sets.
pub(crate) fn goal(sets: u32) -> u32 {
    u32::MAX.checked_shr(u32::BITS - sets.min(u32::BITS)).unwrap_or(0)
}

/// A run that ends in a cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lasso {
    pub(crate) path: Vec<u32>,
    pub(crate) cycle_start: usize,
    /// Elementary steps.
    pub(crate) length: Depth,
}

/// What is wrong with a lasso.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LassoFlaw {
    /// It is not said where the cycle begins, or there is none.
    NoCycle,
    /// The initial state cannot be built.
    NoInitialState,
    /// There is no successor with the number that the path has at this place.
    NoSuchEvent(usize),
    /// The last event does not return to the state before the cycle.
    NotClosed,
    /// The length is not that of the path.
    WrongLength,
    /// The cycle has no move of this acceptance set.
    NotAccepting(u32),
    /// The cycle is not fair to this process.
    Unfair(u32),
}

impl fmt::Display for LassoFlaw {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCycle => write!(out, "the path has no cycle"),
            Self::NoInitialState => write!(out, "there is no initial state"),
            Self::NoSuchEvent(at) => write!(out, "event {at} of the path does not exist"),
            Self::NotClosed => write!(out, "the cycle does not return to its first state"),
            Self::WrongLength => write!(out, "the path has another length"),
            Self::NotAccepting(set) => write!(out, "acceptance set {set} is not met"),
            Self::Unfair(process) => write!(out, "the cycle is not fair to process {process}"),
        }
    }
}

impl std::error::Error for LassoFlaw {}

/// Follows the lasso of an error and judges its cycle by the definitions of acceptance
/// and fairness.
///
/// # Errors
/// It is not a run of the system, or not one that is wanted.
pub fn check_lasso<T: OmegaSystem>(
    system: &mut T,
    error: &FoundError,
    fairness: Fairness,
) -> Result<(), LassoFlaw> {
    let cycle_start = error.cycle_start.ok_or(LassoFlaw::NoCycle)?;
    if cycle_start >= error.path.len() {
        return Err(LassoFlaw::NoCycle);
    }
    let judge = Judge::new(system, fairness);
    let hidden = system.hidden_bytes();
    let mut expansion = Expansion::new();
    let mut state = system.initial().map_err(|_| LassoFlaw::NoInitialState)?;
    let (mut length, mut tally, mut start) = (0, Tally::default(), Vec::new());
    for (at, event) in error.path.iter().enumerate() {
        if at == cycle_start {
            start = state[..state.len() - hidden].to_vec();
        }
        let (label, enabled) = follow(system, &mut state, *event as usize, &mut expansion)
            .map(|(label, enabled, steps)| {
                length += Depth::from(steps);
                (label, enabled)
            })
            .ok_or(LassoFlaw::NoSuchEvent(at))?;
        if at >= cycle_start {
            tally.add(label, enabled);
        }
    }
    if state[..state.len() - hidden] != start {
        return Err(LassoFlaw::NotClosed);
    }
    if length != error.length {
        return Err(LassoFlaw::WrongLength);
    }
    let lack = judge.lack(tally);
    if lack.accepting != 0 {
        return Err(LassoFlaw::NotAccepting(lack.accepting.trailing_zeros()));
    }
    if lack.processes != 0 {
        return Err(LassoFlaw::Unfair(lack.processes.trailing_zeros()));
    }
    Ok(())
}

/// Replaces a state by a successor: the label of the move, who could move, its steps.
pub(crate) fn follow<T: TransitionSystem>(
    system: &mut T,
    state: &mut Vec<u8>,
    event: usize,
    expansion: &mut Expansion,
) -> Option<(Label, u64, u32)> {
    system.expand(state, expansion);
    let found = *expansion.events().get(event)?;
    if found.kind != EventKind::Successor {
        return None;
    }
    state.clear();
    state.extend_from_slice(expansion.state(&found));
    Some((label_of(expansion, event), expansion.enabled, found.steps))
}

/// The label of an event.
#[inline]
pub(crate) fn label_of(expansion: &Expansion, event: usize) -> Label {
    expansion.labels().get(event).copied().unwrap_or_default()
}
