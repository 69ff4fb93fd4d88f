//! Sleep sets of depth one: moves that need not be made because the same states are reached in another order.
//!
//! Let `y` be a state, `h` a group with a move to `x`, and `g < h` a group with moves in `y`, such that neither of
//! both turns over bits that the other looks at. Then `g` has the same moves in `x`, and each of them leads to a state that
//! `h` reaches from a successor of `y` by `g`: `g` *sleeps* in `x`, if `x` is first reached from `y` by this move.
//!
//! # Why no state is missed in a search level by level
//!
//! By induction on the distance `d` of a state `s` from the initial one: all nearer states are found, each on the level of its distance.
//! Suppose all moves from the states at distance `d - 1` to `s` are left out, and take one of these, from `x` by a group `g`, with the
//! highest number `g`. It sleeps because `x` was first reached from some `y` by an `h > g`; `y` is at distance `d - 2`, since levels are
//! distances. So `g` leads from `y` to some `z`, and `h` from `z` to `s`. `z` is at distance `d - 1`, for `s` would be nearer otherwise,
//! and the move from `z` to `s` has the number `h > g`: a contradiction.
//!
//! That is a matter of one step only: what slept in `y` may be made in `x`. Nothing has to be kept with visited states, and it does not matter which
//! of several threads finds a state first. Groups have the same order in all states of a layout, and moves that are recalled stay in it. Moves that sleep are
//! counted where they are left out. A group without moves may sleep as well: it has none after the move either.

use super::extract::{Extract, LANES, WORDS};

/// Where states have more groups, none of them sleeps.
pub(super) const SLEEPERS: usize = WORDS;

/// The groups of a state.
#[derive(Debug)]
pub(super) struct Sleepers {
    /// Bits that a group looks at,
    looks: [u64; SLEEPERS],
    /// and those that its moves turn over.
    turns: [u64; SLEEPERS],
}

impl Sleepers {
    pub(super) fn new() -> Self {
        Self { looks: [0; SLEEPERS], turns: [0; SLEEPERS] }
    }

    /// Sets what a group looks at and what its moves turn over.
    #[inline(always)]
    pub(super) fn set(&mut self, group: usize, looks: u64, turns: u64) {
        self.looks[group % SLEEPERS] = looks;
        self.turns[group % SLEEPERS] = turns;
    }

    /// All bits that the first `count` turn over.
    pub(super) fn turned(&self, count: usize) -> u64 {
        self.turns[..count].iter().fold(0, |all, turns| all | turns)
    }

    /// Those that sleep after a move of a group that turns over some bits.
    #[inline(always)]
    pub(super) fn after<E: Extract>(&self, group: usize, turn: u64) -> u32 {
        let looks = self.looks[group % SLEEPERS];
        let before = !(u32::MAX << (group % SLEEPERS));
        let (first, second) = (self.looks.as_chunks().0, self.turns.as_chunks().0);
        let mut bits = E::disjoint(&first[0], &second[0], turn, looks);
        if group > LANES {
            bits |= E::disjoint_behind([&self.looks, &self.turns], group, turn, looks);
        }
        bits & before
    }
}
