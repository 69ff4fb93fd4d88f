//! One state at a time, in a search depth first: what its groups do, with the steps of each move ([`neighbour`](super::neighbour) says why that
//! is known).

#![allow(unsafe_code)]

use super::extract::Extract;
use super::extract::Plain;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::extract::Quick;
use super::group::{AT_HAND, Group, Slot, has_rest, longest};
use super::neighbour::{GROUPS, Neighbour, no_places};
use super::{Form, Memory, Remembered};
use crate::key_set::{KeyPlaces, KeySet};
use crate::prefetch::prefetch_at;
use crate::store::{Recalled, Successors};
use crate::tree::lens::Lenses;
use crate::tree::local::TreeLocal;
use crate::tree::word::{Kind, Word, kind};
use spinor_ts::Expansion;

/// What the groups of the state before did.
#[derive(Debug, Default)]
pub(super) struct Single<W> {
    pub near: Neighbour<W>,
    slots: Vec<Slot<W>>,
    /// Their steps inside atomic sequences.
    inner_steps: Vec<u64>,
    /// Groups of which there is something to tell, one bit each.
    active: u64,
    /// Successors of all groups, and steps inside atomic sequences.
    events: usize,
    atomic_steps: u64,
}

impl<W: Word> Single<W> {
    /// Begins anew with states that have so many groups.
    #[cold]
    fn begin(&mut self, groups: usize) {
        self.slots.clear();
        self.slots.resize(groups, Slot::none());
        self.inner_steps.clear();
        self.inner_steps.resize(groups, 0);
        (self.active, self.events, self.atomic_steps) = (0, 0, 0);
    }

    /// Finds what all groups do to a word. `None` if that is known, otherwise some group of which it is not.
    #[inline(always)]
    fn find<E: Extract>(&mut self, groups: &[Group<W>], packing: usize, word: W) -> Option<usize> {
        if !self.near.goes_on(packing, groups.len()) {
            self.begin(groups.len());
        }
        let mut places = no_places();
        self.near.turn_to::<E>(groups, word, &mut places);
        while self.near.pending != 0 {
            let at = self.near.pending.trailing_zeros() as usize;
            // SAFETY: it was found just now, and the group has not changed since.
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
        self.near.pending &= !(1 << at);
    }

    /// Keeps for the word at hand what cannot be filed: a group leads to these words. False if that is too much.
    pub fn keep(&mut self, group: usize, word: W, words: &[W], successors: &Expansion) -> bool {
        let is_even = successors.events().iter().all(|event| event.steps == successors.deepest);
        let slot = self.near.slot_at_hand(group, word, words, successors);
        let Some(slot) = slot.filter(|_| is_even) else { return false };
        self.put(group, slot, successors.atomic_steps);
        self.near.looks[group] = W::ALL;
        true
    }

    /// Fetches what is filed for a word that is likely to come next.
    #[inline(always)]
    fn fetch<E: Extract>(&self, groups: &[Group<W>], word: W) {
        let mut touched = self.near.touched::<E>(self.near.word ^ word);
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
