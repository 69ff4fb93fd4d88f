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

//!
//! All that holds only if every state that is found is kept: a set that may miss states says when it no longer does
//! ([`KeySet::lets_sleep`](crate::key_set::KeySet::lets_sleep)), and then all moves are made.

#![allow(unsafe_code)]

use super::extract::{Extract, LANES};
use crate::tree::word::Word;

/// Where states have more groups, none of them sleeps.
pub(super) const SLEEPERS: usize = u32::BITS as usize;

/// The groups of a state, in whole blocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sleepers<'a, W> {
    /// Bits that a group looks at,
    pub(super) looks: &'a [W],
    /// and those that its moves turn over.
    pub(super) turns: &'a [W],
}

impl<W: Word> Sleepers<'_, W> {
    /// Those that sleep after a move of a group that turns over some bits.
    ///
    /// # Safety
    /// It is one of the groups.
    #[inline(always)]
    pub(super) unsafe fn after<E: Extract>(self, group: usize, turn: W) -> u32 {
        let Self { looks, turns } = self;
        let before = !(u32::MAX << (group % SLEEPERS));
        let (Some(first), Some(second)) = (looks.first_chunk(), turns.first_chunk()) else {
            return 0;
        };
        debug_assert!(group < looks.len());
        // SAFETY: the group is one of these.
        let own = unsafe { *looks.get_unchecked(group) };
        let mut bits = W::disjoint::<E>(first, second, turn, own);
        if group > LANES {
            bits |= E::disjoint_behind(looks, turns, group, [turn, own]);
        }
        bits & before
    }
}
