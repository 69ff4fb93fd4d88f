//! One word at a time, each mostly a neighbour of the one before: only groups that look at a bit in which both differ are looked up
//! again.
//!
//! # Why it is the same
//!
//! The bits that a group looks at in a word include its anchor's field and the deciders. So they are the same bits in every word that agrees
//! with it there, and what was found for the one holds for the other: both have the same moves. What is kept of it is a copy, so it does not matter
//! if it is filed elsewhere later on, but for what lies in the group's rest: a group that is changed is looked up again.
//!
//! What a group does may depend on anything, or lead to another form. It is kept for the word at hand then, as if the group looked at
//! everything.

use super::extract::{Extract, LANES};
use super::group::{AT_HAND, Filed, Group, LONG, MANY_STEPS, Slot, figures};
use crate::prefetch::prefetch_at;
use crate::tree::word::Word;
use spinor_ts::Expansion;
use std::mem::MaybeUninit;

/// States with more groups are expanded as a whole.
pub(super) const GROUPS: usize = u64::BITS as usize;

/// Where the groups are filed that are wanted.
pub(super) type Places<W> = [MaybeUninit<Filed<W>>; GROUPS];

/// None of them.
pub(super) const fn no_places<W>() -> Places<W> {
    [const { MaybeUninit::uninit() }; GROUPS]
}

/// The word looked at last, and what its groups look at.
#[derive(Debug, Default)]
pub(super) struct Neighbour<W> {
    /// None if nothing is known.
    packing: Option<u8>,
    pub word: W,
    /// Bits that groups look at, in whole blocks of [`LANES`].
    pub looks: Vec<W>,
    /// Groups of which is not known what they do, one bit each.
    pub pending: u64,
    /// All groups.
    all: u64,
}

impl<W: Word> Neighbour<W> {
    /// Knows nothing from now on.
    pub fn forget(&mut self) {
        self.packing = None;
    }

    /// What a group does is filed elsewhere now.
    pub fn forget_group(&mut self, group: usize) {
        self.pending |= 1_u64.checked_shl(group as u32).unwrap_or(0) & self.all;
    }

    /// The form of the word, if there is one.
    #[inline(always)]
    pub fn packing(&self) -> Option<usize> {
        self.packing.map(usize::from)
    }

    /// Whether words of a form with so many groups follow on from the last one. If not, it begins anew with them.
    #[inline(always)]
    pub fn goes_on(&mut self, packing: usize, groups: usize) -> bool {
        let goes_on = self.packing == Some(packing as u8);
        if !goes_on {
            self.begin(packing, groups);
        }
        goes_on
    }

    #[cold]
    fn begin(&mut self, packing: usize, groups: usize) {
        self.packing = Some(packing as u8);
        self.looks.clear();
        self.looks.resize(groups.next_multiple_of(LANES), W::NONE);
        self.all = u64::MAX.checked_shr((GROUPS - groups) as u32).unwrap_or(0);
        self.pending = self.all;
    }

    /// The groups that look at one of these bits.
    #[inline(always)]
    pub fn touched<E: Extract>(&self, bits: W) -> u64 {
        let mut others = 0;
        for (at, looks) in self.looks.as_chunks().0.iter().enumerate() {
            others |= u64::from(W::disjoint::<E>(looks, looks, bits, W::NONE)) << (at * LANES);
        }
        !others & self.all
    }

    /// Goes over to another word: finds where the groups are filed of which is not known what they do to it.
    #[inline(always)]
    pub fn turn_to<E: Extract>(&mut self, groups: &[Group<W>], word: W, places: &mut Places<W>) {
        self.pending |= self.touched::<E>(self.word ^ word);
        self.word = word;
        let mut wanted = self.pending;
        // Where one is filed does not depend on the others: all are on their way before one is looked at.
        while wanted != 0 {
            let at = wanted.trailing_zeros() as usize;
            let (filed, looks) = groups[at].finder().filed::<E>(word);
            prefetch_at(filed.address());
            places[at].write(filed);
            self.looks[at] = looks;
            wanted &= wanted - 1;
        }
    }

    /// What is kept for the word at hand because it cannot be filed: a group leads to these words. `None` if that is too much.
    pub fn slot_at_hand(
        &self,
        group: usize,
        word: W,
        words: &[W],
        successors: &Expansion,
    ) -> Option<Slot<W>> {
        let (deepest, inner_steps) = (u64::from(successors.deepest), successors.atomic_steps);
        let is_short = words.len() <= AT_HAND && deepest < LONG && inner_steps < MANY_STEPS;
        let is_at_hand = self.packing.is_some() && self.word == word && self.all >> group & 1 != 0;
        if !is_short || !is_at_hand {
            return None;
        }
        let turn = |at: usize| words.get(at).map_or(W::NONE, |next| *next ^ word);
        let figures = figures(words.len() as u64, inner_steps, false, deepest);
        Some(Slot { key: word, turns: [turn(0), turn(1)], figures })
    }
}
