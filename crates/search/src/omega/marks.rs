//! What the moves of a component add up to.

use spinor_ts::Label;

/// A set of marks: those of one move, or of all moves of a component so far.
///
/// Small, as there is one for each move that waits.
pub(crate) trait Marks: Copy + Default {
    /// Those of a move from a state in which the processes of `enabled` can move.
    fn of(label: Label, enabled: u64) -> Self;

    fn union(self, other: Self) -> Self;

    /// The acceptance sets among them.
    fn accepting(self) -> u32;

    /// Whether a run through all these moves again and again is a wanted one. `goal`
    /// are all acceptance sets.
    fn is_complete(self, goal: u32) -> bool;

    /// Processes to which a component as a whole is not strongly fair.
    fn starving(self) -> u64 {
        0
    }
}

/// Acceptance sets only.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Plain(u32);

impl Marks for Plain {
    #[inline]
    fn of(label: Label, _enabled: u64) -> Self {
        Self(label.accepting)
    }

    #[inline]
    fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline]
    fn accepting(self) -> u32 {
        self.0
    }

    #[inline]
    fn is_complete(self, goal: u32) -> bool {
        self.0 & goal == goal
    }
}

/// A set of processes that can be kept without padding.
#[derive(Clone, Copy, Default, Debug)]
struct Processes([u32; 2]);

impl Processes {
    #[inline]
    fn new(bits: u64) -> Self {
        Self([bits as u32, (bits >> 32) as u32])
    }

    #[inline]
    fn bits(self) -> u64 {
        u64::from(self.0[1]) << 32 | u64::from(self.0[0])
    }

    #[inline]
    fn union(self, other: Self) -> Self {
        Self::new(self.bits() | other.bits())
    }
}

/// For weak fairness: every process has a set of its own to which the moves belong that it
/// takes part in, and all moves from states where it cannot move.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct WeaklyFair {
    accepting: u32,
    fair: Processes,
}

impl Marks for WeaklyFair {
    #[inline]
    fn of(label: Label, enabled: u64) -> Self {
        Self { accepting: label.accepting, fair: Processes::new(label.movers | !enabled) }
    }

    #[inline]
    fn union(self, other: Self) -> Self {
        Self { accepting: self.accepting | other.accepting, fair: self.fair.union(other.fair) }
    }

    #[inline]
    fn accepting(self) -> u32 {
        self.accepting
    }

    #[inline]
    fn is_complete(self, goal: u32) -> bool {
        self.accepting & goal == goal && self.fair.bits() == u64::MAX
    }
}

/// For strong fairness: which processes move, and which can.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct StronglyFair {
    accepting: u32,
    moved: Processes,
    enabled: Processes,
}

impl Marks for StronglyFair {
    #[inline]
    fn of(label: Label, enabled: u64) -> Self {
        Self {
            accepting: label.accepting,
            moved: Processes::new(label.movers),
            enabled: Processes::new(enabled),
        }
    }

    #[inline]
    fn union(self, other: Self) -> Self {
        Self {
            accepting: self.accepting | other.accepting,
            moved: self.moved.union(other.moved),
            enabled: self.enabled.union(other.enabled),
        }
    }

    #[inline]
    fn accepting(self) -> u32 {
        self.accepting
    }

    #[inline]
    fn is_complete(self, goal: u32) -> bool {
        self.accepting & goal == goal && self.starving() == 0
    }

    #[inline]
    fn starving(self) -> u64 {
        self.enabled.bits() & !self.moved.bits()
    }
}
