//! One state at a time, each mostly a neighbour of the one before: what a group does to a word it does to
//! the next one as well, unless that differs in bits that the group looks at. Only the other groups are looked up.
//!
//! # Why it is the same
//!
//! The bits that a group looks at in a word include its anchor's field and the deciders. So they are the same bits in every word that agrees
//! with it there, and what was found for the one holds for the other: both have the same moves. What is kept here is a copy, so it does not matter
//! if it is filed elsewhere later on, but for what lies in the group's rest: a group that is changed is looked up again.
//!
//! What a group does may depend on anything, or lead to another form. It is kept for the word at hand then, as if the group looked at
//! everything.

#![allow(unsafe_code)]

use super::extract::Plain;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::extract::Quick;
use super::extract::{Extract, LANES};
use super::group::{AT_HAND, Group, LONG, MANY_STEPS, Slot, figures, has_rest, longest};
use super::{Form, Memory, Remembered};
use crate::key_set::{KeyPlaces, KeySet};
use crate::prefetch::prefetch_at;
use crate::store::{Dependence, Recalled, Successors};
use crate::tree::codec::Codec;
use crate::tree::lens::Lenses;
use crate::tree::local::TreeLocal;
use crate::tree::word::{Kind, Word, kind};
use spinor_ts::Expansion;
use std::mem::MaybeUninit;

/// States with more groups are expanded as a whole.
pub(super) const GROUPS: usize = u64::BITS as usize;

/// What the groups of the state before did.
#[derive(Debug, Default)]
pub(super) struct Single<W> {
    /// None if nothing is known.
    packing: Option<u8>,
    word: W,
    /// Bits that groups look at, in whole blocks of [`LANES`].
    looks: Vec<W>,
    slots: Vec<Slot<W>>,
    /// Their steps inside atomic sequences.
    inner_steps: Vec<u64>,
    /// Groups of which there is something to tell, one bit each.
    active: u64,
    /// Groups of which is not known what they do.
    pending: u64,
    /// All groups.
    all: u64,
    /// Successors of all groups, and steps inside atomic sequences.
    events: usize,
    atomic_steps: u64,
}

impl<W: Word> Single<W> {
    /// Knows nothing from now on.
    pub(super) fn forget(&mut self) {
        self.packing = None;
    }

    /// What a group does is filed elsewhere now.
    pub(super) fn forget_group(&mut self, group: usize) {
        if group < GROUPS {
            self.pending |= 1 << group;
        }
    }

    /// Begins anew with a state of a form.
    #[cold]
    fn begin(&mut self, groups: usize) {
        self.looks.clear();
        self.looks.resize(groups.next_multiple_of(LANES), W::NONE);
        self.slots.clear();
        self.slots.resize(groups, Slot::none());
        self.inner_steps.clear();
        self.inner_steps.resize(groups, 0);
        (self.active, self.events, self.atomic_steps) = (0, 0, 0);
        self.all = u64::MAX.checked_shr((GROUPS - groups) as u32).unwrap_or(0);
        self.pending = self.all;
    }

    /// The groups that look at one of these bits.
    #[inline(always)]
    fn touched<E: Extract>(&self, bits: W) -> u64 {
        let mut others = 0;
        for (at, looks) in self.looks.as_chunks().0.iter().enumerate() {
            others |= u64::from(W::disjoint::<E>(looks, looks, bits, W::NONE)) << (at * LANES);
        }
        !others & self.all
    }

    /// Finds what all groups do to a word. `None` if that is known, otherwise some group of which it is not.
    #[inline(always)]
    fn find<E: Extract>(&mut self, groups: &[Group<W>], packing: usize, word: W) -> Option<usize> {
        if self.packing != Some(packing as u8) {
            self.begin(groups.len());
            self.packing = Some(packing as u8);
        }
        self.pending |= self.touched::<E>(self.word ^ word);
        self.word = word;
        let mut wanted = self.pending;
        // Where one is filed does not depend on the others: all are on their way before one is looked at.
        let mut places = [const { MaybeUninit::uninit() }; GROUPS];
        while wanted != 0 {
            let at = wanted.trailing_zeros() as usize;
            let (filed, looks) = groups[at].finder().filed::<E>(word);
            prefetch_at(filed.address());
            places[at].write(filed);
            self.looks[at] = looks;
            wanted &= wanted - 1;
        }
        while self.pending != 0 {
            let at = self.pending.trailing_zeros() as usize;
            // SAFETY: it was found above, and the group has not changed since.
            let slot = unsafe { places[at].assume_init().find_fresh() };
            let Some(slot) = slot else { return Some(at) };
            self.put(at, *slot, groups[at].atomic_steps(slot));
        }
        None
    }

    /// A group does this.
    #[inline(always)]
    fn put(&mut self, at: usize, slot: Slot<W>, inner_steps: u64) {
        let old = std::mem::replace(&mut self.slots[at], slot);
        let old_steps = std::mem::replace(&mut self.inner_steps[at], inner_steps);
        self.events = self.events + slot.count() - old.count();
        self.atomic_steps = self.atomic_steps + inner_steps - old_steps;
        self.active = self.active & !(1 << at) | u64::from(slot.figures != 0) << at;
        self.pending &= !(1 << at);
    }

    /// Keeps for the word at hand what cannot be filed: a group leads to these words. False if that is too much.
    fn keep(&mut self, group: usize, word: W, words: &[W], successors: &Expansion) -> bool {
        let (deepest, inner_steps) = (u64::from(successors.deepest), successors.atomic_steps);
        let is_even = successors.events().iter().all(|event| event.steps == successors.deepest);
        let is_short = words.len() <= AT_HAND && deepest < LONG && inner_steps < MANY_STEPS;
        let is_at_hand = self.packing.is_some() && self.word == word && group < self.slots.len();
        if !is_even || !is_short || !is_at_hand {
            return false;
        }
        let turn = |at: usize| words.get(at).map_or(W::NONE, |next| *next ^ word);
        let figures = figures(words.len() as u64, inner_steps, false, deepest);
        self.put(group, Slot { key: word, turns: [turn(0), turn(1)], figures }, inner_steps);
        self.looks[group] = W::ALL;
        true
    }

    /// Fetches what is filed for a word that is likely to come next.
    #[inline(always)]
    fn fetch<E: Extract>(&self, groups: &[Group<W>], word: W) {
        let mut touched = self.touched::<E>(self.word ^ word);
        while touched != 0 {
            let group = &groups[touched.trailing_zeros() as usize];
            prefetch_at(group.finder().filed::<E>(word).0.address());
            touched &= touched - 1;
        }
    }
}

impl<W: Word> Memory<W> {
    /// As [`Store::successors`](crate::Store::successors).
    #[inline(always)]
    fn successors<E: Extract, V: KeySet<Key = W>>(
        &mut self,
        visited: &V,
        lenses: &Lenses<W>,
        state: W,
        out: &mut Successors<W>,
    ) -> Recalled {
        let word = state.unmix();
        let Kind::Packed(packing) = kind(word) else { return Recalled::Whole };
        let form = match &self.forms[packing] {
            Remembered::Groups(form) => &**form,
            Remembered::Inseparable => return Recalled::Whole,
            Remembered::Unknown => return Recalled::Unknown,
        };
        let groups = &*form.groups;
        if groups.len() > GROUPS {
            return Recalled::Whole;
        }
        if let Some(group) = self.single.find::<E>(groups, packing, word) {
            let is_anchored = groups[group].is_known::<E>(word);
            return Recalled::Group { group, is_anchored };
        }
        out.groups = groups.len() as u32;
        let turned = self.single.write(groups, word, out);
        if out.keys.is_empty() && !out.takes_ends || !form.keeps_words(lenses, word, turned, out) {
            return Recalled::Whole;
        }
        let first = out.keys.first().copied().unwrap_or(word);
        let places = visited.places();
        for key in &mut out.keys {
            *key = key.mix();
            places.prefetch_all(*key);
        }
        if (first ^ word) & form.head == W::NONE {
            self.single.fetch::<E>(groups, first);
        }
        Recalled::All
    }
}

impl<W: Word> Single<W> {
    /// Writes the words of all successors of the word at hand, and gives the bits that moves turn over.
    #[inline(always)]
    fn write(&self, groups: &[Group<W>], word: W, out: &mut Successors<W>) -> W {
        let Successors { keys, steps, .. } = out;
        keys.clear();
        steps.clear();
        // Two are written for each group, however many there are.
        let room = self.events + AT_HAND;
        keys.reserve(room);
        steps.reserve(room);
        let mut writer = Writer { words: keys.as_mut_ptr(), steps: steps.as_mut_ptr(), len: 0 };
        let (mut deepest, mut turned) = (0, W::NONE);
        let mut active = self.active;
        while active != 0 {
            let at = active.trailing_zeros() as usize;
            active &= active - 1;
            let slot = &self.slots[at];
            let [one, two] = slot.turns;
            turned |= one | two;
            deepest = deepest.max(slot.figures);
            let length = longest(slot.figures);
            // SAFETY: there is room for all successors of all groups and for two more.
            unsafe {
                writer.put(0, word ^ one, length);
                writer.put(1, word ^ two, length);
                if has_rest(slot.figures) {
                    turned |= writer.put_rest(&groups[at], slot, word);
                }
            }
            writer.len += slot.count();
        }
        debug_assert_eq!(writer.len, self.events);
        // SAFETY: all up to here have been written.
        unsafe {
            keys.set_len(self.events);
            steps.set_len(self.events);
        }
        out.deepest = longest(deepest);
        out.atomic_steps = self.atomic_steps;
        turned
    }
}

/// Writes successors of a word.
struct Writer<W> {
    words: *mut W,
    steps: *mut u32,
    /// Those before the group at hand.
    len: usize,
}

impl<W: Word> Writer<W> {
    /// Writes a successor by the group at hand.
    ///
    /// # Safety
    /// There is room.
    #[inline(always)]
    unsafe fn put(&mut self, at: usize, word: W, steps: u32) {
        // SAFETY: the caller's promise.
        unsafe {
            self.words.add(self.len + at).write(word);
            self.steps.add(self.len + at).write(steps);
        }
    }

    /// Writes those successors by a group that a slot has no room for, and gives the bits that these turn over.
    ///
    /// # Safety
    /// There is room.
    #[inline(never)]
    unsafe fn put_rest(&mut self, group: &Group<W>, slot: &Slot<W>, word: W) -> W {
        let length = longest(slot.figures);
        let mut turned = W::NONE;
        for (at, turn) in (AT_HAND..).zip(group.rest(slot)) {
            turned |= *turn;
            // SAFETY: the caller's promise.
            unsafe { self.put(at, word ^ *turn, length) };
        }
        for (at, steps) in group.steps(slot).iter().enumerate() {
            // SAFETY: the caller's promise.
            unsafe { self.steps.add(self.len + at).write(steps.low() as u32) };
        }
        turned
    }
}

impl<W: Word> Form<W> {
    /// Whether all successors of a word, which turn over some of these bits, are of its form, or, as they were made, of another.
    #[inline(always)]
    fn keeps_words(&self, lenses: &Lenses<W>, word: W, turned: W, out: &Successors<W>) -> bool {
        self.is_first()
            || self.keeps(word, turned)
            || out.keys.iter().all(|next| {
                let is_other = (*next ^ word) & self.head != W::NONE;
                is_other || self.has(lenses, *next)
            })
    }
}

impl<W: Word> TreeLocal<W> {
    /// As [`Store::successors`](crate::Store::successors).
    #[inline]
    pub(in crate::tree) fn successors<V: KeySet<Key = W>>(
        &mut self,
        visited: &V,
        state: W,
        out: &mut Successors<W>,
    ) -> Recalled {
        let Self { memory, lenses, .. } = self;
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if Quick::is_there() {
            // SAFETY: the processor has these instructions.
            return unsafe { memory.successors_quickly(visited, lenses, state, out) };
        }
        memory.successors::<Plain, V>(visited, lenses, state, out)
    }

    /// As [`Store::learn`](crate::Store::learn).
    pub(in crate::tree) fn learn(
        &mut self,
        codec: &Codec<W>,
        group: usize,
        successors: &Expansion,
        dependence: Dependence<'_>,
    ) -> bool {
        let events = successors.events().iter();
        let words: Vec<W> = events.map(|event| self.word(codec, successors.state(event))).collect();
        self.file(group, &words, successors, dependence, true)
            || self.memory.single.keep(group, self.origin.word, &words, successors)
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
impl<W: Word> Memory<W> {
    /// The same where the processor can extract bits.
    #[target_feature(enable = "avx2,bmi2,popcnt")]
    fn successors_quickly<V: KeySet<Key = W>>(
        &mut self,
        visited: &V,
        lenses: &Lenses<W>,
        state: W,
        out: &mut Successors<W>,
    ) -> Recalled {
        self.successors::<Quick, V>(visited, lenses, state, out)
    }
}
