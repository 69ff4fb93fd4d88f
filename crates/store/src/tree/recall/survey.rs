//! What the groups of a state could do, before it is said which of them do it: how many moves each has and where it
//! stands. Only the moves of those that are chosen become successors.
//!
//! Where a group stands is a number of the system's for some bytes of a state, those of the anchor among them. It is kept for each value
//! of the anchor's field, with the values that the fields of the other bytes had: mostly these never change.

#![allow(unsafe_code)]

use super::extract::Extract;
use super::extract::Plain;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::extract::Quick;
use super::group::{AT_HAND, MULTIPLIER, Slot, has_rest, longest};
use super::neighbour::{GROUPS, Neighbour, no_places};
use super::{Form, Memory, Remembered, fields_of, number_at};
use crate::key_set::{KeyPlaces, KeySet};
use crate::store::{Recalled, Survey};
use crate::tree::lens::Lenses;
use crate::tree::local::TreeLocal;
use crate::tree::word::{Kind, Word, kind};
use spinor_ts::Expansion;
use std::ops::Range;

/// Values of an anchor's field for which it is kept where a group stands.
const STATIONS: usize = 1 << 16;

/// Where the groups of states of one form stand, by group and value of its anchor's field.
#[derive(Debug)]
pub(super) struct Stations<W>(Vec<Vec<Station<W>>>);

impl<W> Default for Stations<W> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// Where one group stands.
#[derive(Clone, Copy, Debug)]
struct Station<W> {
    /// The bits of the fields that count, and what they are.
    looks: W,
    value: W,
    number: u32,
}

impl<W: Word> Station<W> {
    /// Not that of any word: without bits that count there are none that are set.
    fn none() -> Self {
        Self { looks: W::NONE, value: W::from(1), number: 0 }
    }
}

impl<W: Word> Stations<W> {
    #[inline(always)]
    fn get(&self, group: usize, anchor: usize, word: W) -> Option<&Station<W>> {
        let station = self.0.get(group)?.get(anchor)?;
        (word & station.looks == station.value).then_some(station)
    }

    /// Says where a group stands. False if that is too much.
    fn set(&mut self, group: usize, anchor: usize, station: Station<W>) -> bool {
        if anchor >= STATIONS {
            return false;
        }
        if self.0.len() <= group {
            self.0.resize(group + 1, Vec::new());
        }
        let of_group = &mut self.0[group];
        if of_group.len() <= anchor {
            of_group.resize(anchor + 1, Station::none());
        }
        of_group[anchor] = station;
        true
    }
}

/// What the groups of the state do that was looked at last, and where they stand; without the steps of moves.
#[derive(Debug, Default)]
pub(super) struct Surveyor<W> {
    /// Where a group stands depends on bits as well: it looks at these, too.
    pub near: Neighbour<W>,
    slots: Vec<Slot<W>>,
    /// Groups whose slots were kept for the word at hand alone.
    kept: u64,
    survey: Survey,
}

/// What a seat adds to the sum of a survey.
#[inline(always)]
fn share(group: usize, seat: u64) -> u64 {
    let stirred = (seat ^ (group as u64) << 58).wrapping_mul(MULTIPLIER);
    (stirred ^ stirred >> 29).wrapping_mul(MULTIPLIER)
}

impl<W: Word> Surveyor<W> {
    /// Begins anew with states that have so many groups.
    #[cold]
    fn begin(&mut self, groups: usize) {
        self.slots.clear();
        self.slots.resize(groups, Slot::none());
        self.survey.seats.clear();
        self.survey.seats.resize(groups, 0);
        self.survey.hash = (0..groups).fold(0, |sum: u64, at| sum.wrapping_add(share(at, 0)));
        (self.survey.active, self.kept) = (0, 0);
    }

    /// Finds what all groups do to a word and where they stand. If that is not known, says what is wanted.
    #[inline(always)]
    fn find<E: Extract>(&mut self, form: &Form<W>, packing: usize, word: W) -> Recalled {
        let groups = &*form.groups;
        if !self.near.goes_on(packing, groups.len()) {
            self.begin(groups.len());
        }
        if self.near.word != word {
            self.kept = 0;
        }
        let mut places = no_places();
        self.near.turn_to::<E>(groups, word, &mut places);
        while self.near.pending != 0 {
            let at = self.near.pending.trailing_zeros() as usize;
            let group = &groups[at];
            let bit = 1 << at;
            let slot = if self.kept & bit != 0 {
                self.near.looks[at] = W::ALL;
                self.slots[at]
            } else {
                // SAFETY: it was found just now, and the group has not changed since.
                match unsafe { places[at].assume_init().find_fresh() } {
                    Some(slot) => *slot,
                    None => {
                        let is_anchored = group.is_known::<E>(word);
                        return Recalled::Group { group: at, is_anchored };
                    }
                }
            };
            let Some(station) = form.stations.get(at, group.anchor(word), word) else {
                return Recalled::Station { group: at };
            };
            self.near.looks[at] |= station.looks;
            self.slots[at] = slot;
            let seat = u64::from(station.number) << 32 | slot.count() as u64;
            let old = std::mem::replace(&mut self.survey.seats[at], seat);
            if old != seat {
                let hash = self.survey.hash.wrapping_sub(share(at, old));
                self.survey.hash = hash.wrapping_add(share(at, seat));
                let others = self.survey.active & !bit;
                self.survey.active = others | if slot.count() == 0 { 0 } else { bit };
            }
            self.near.pending &= self.near.pending - 1;
        }
        if self.survey.active == 0 { Recalled::Whole } else { Recalled::All }
    }

    /// Keeps for the word at hand what cannot be filed: a group leads to these words. False if that is too much.
    pub fn keep(&mut self, group: usize, word: W, words: &[W], successors: &Expansion) -> bool {
        let Some(slot) = self.near.slot_at_hand(group, word, words, successors) else {
            return false;
        };
        self.slots[group] = slot;
        self.kept |= 1 << group;
        self.near.pending |= 1 << group;
        true
    }
}

impl<W: Word> Memory<W> {
    /// As [`Store::survey`](crate::Store::survey).
    #[inline(always)]
    fn survey<E: Extract>(&mut self, state: W) -> Recalled {
        let word = state.unmix();
        let Kind::Packed(packing) = kind(word) else { return Recalled::Whole };
        let form = match &self.forms[packing] {
            Remembered::Groups(form) => &**form,
            Remembered::Inseparable => return Recalled::Whole,
            Remembered::Unknown => return Recalled::Unknown,
        };
        if form.groups.len() > GROUPS {
            return Recalled::Whole;
        }
        self.surveyor.find::<E>(form, packing, word)
    }

    /// As [`Store::moves_of`](crate::Store::moves_of).
    #[inline(always)]
    fn moves_of<V: KeySet<Key = W>>(
        &self,
        visited: &V,
        lenses: &Lenses<W>,
        mut chosen: u64,
        keys: &mut Vec<W>,
    ) -> bool {
        let Surveyor { slots, near, .. } = &self.surveyor;
        let Some(form) = self.form_at_hand() else { return false };
        let (first, word) = (keys.len(), near.word);
        let mut turned = W::NONE;
        while chosen != 0 {
            let at = chosen.trailing_zeros() as usize;
            chosen &= chosen - 1;
            let slot = &slots[at];
            let [one, two] = slot.turns;
            let count = slot.count();
            turned |= one | two;
            if count > 0 {
                keys.push(word ^ one);
            }
            if count > 1 {
                keys.push(word ^ two);
            }
            if has_rest(slot.figures) && count > AT_HAND {
                for turn in form.groups[at].rest(slot) {
                    turned |= *turn;
                    keys.push(word ^ *turn);
                }
            }
        }
        if !form.keeps_all_of(lenses, word, turned, &keys[first..]) {
            keys.truncate(first);
            return false;
        }
        let places = visited.places();
        for key in &mut keys[first..] {
            *key = key.mix();
            places.prefetch_all(*key);
        }
        true
    }

    /// The form of the state that was looked at last.
    #[inline(always)]
    fn form_at_hand(&self) -> Option<&Form<W>> {
        match &self.forms[self.surveyor.near.packing()?] {
            Remembered::Groups(form) => Some(form),
            _ => None,
        }
    }
}

impl<W: Word> Form<W> {
    /// Whether some successors of a word, which turn over some of these bits, are of its form, or, as they were made, of another.
    #[inline(always)]
    fn keeps_all_of(&self, lenses: &Lenses<W>, word: W, turned: W, words: &[W]) -> bool {
        let is_kept = |next: &W| (*next ^ word) & self.head != W::NONE || self.has(lenses, *next);
        self.is_first() || self.keeps(word, turned) || words.iter().all(is_kept)
    }
}

impl<W: Word> TreeLocal<W> {
    /// As [`Store::survey`](crate::Store::survey).
    #[inline]
    pub(in crate::tree) fn survey(&mut self, state: W) -> Recalled {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if Quick::is_there() {
            // SAFETY: the processor has these instructions.
            return unsafe { self.memory.survey_quickly(state) };
        }
        self.memory.survey::<Plain>(state)
    }

    /// As [`Store::surveyed`](crate::Store::surveyed).
    #[inline]
    pub(in crate::tree) fn surveyed(&self) -> &Survey {
        &self.memory.surveyor.survey
    }

    /// As [`Store::figures_of_survey`](crate::Store::figures_of_survey).
    #[inline]
    pub(in crate::tree) fn figures_of_survey(&self) -> (u64, u32) {
        let Some(form) = self.memory.form_at_hand() else { return (0, 0) };
        let (mut steps, mut deepest) = (0, 0);
        for (group, slot) in form.groups.iter().zip(&self.memory.surveyor.slots) {
            steps += group.atomic_steps(slot);
            deepest = slot.figures.max(deepest);
        }
        (steps, longest(deepest))
    }

    /// As [`Store::moves_of`](crate::Store::moves_of).
    #[inline]
    pub(in crate::tree) fn moves_of<V: KeySet<Key = W>>(
        &self,
        visited: &V,
        chosen: u64,
        keys: &mut Vec<W>,
    ) -> bool {
        self.memory.moves_of(visited, &self.lenses, chosen, keys)
    }

    /// As [`Store::station_in`](crate::Store::station_in).
    #[inline]
    pub(in crate::tree) fn station_in(&self, key: W, group: usize) -> Option<u32> {
        let word = key.unmix();
        let form = self.memory.form_at_hand()?;
        if (word ^ self.memory.surveyor.near.word) & form.head != W::NONE {
            return None;
        }
        let anchor = form.groups.get(group)?.anchor(word);
        form.stations.get(group, anchor, word).map(|station| station.number)
    }

    /// As [`Store::set_station`](crate::Store::set_station); the state is the origin.
    pub(in crate::tree) fn set_station(
        &mut self,
        group: usize,
        station: u32,
        bytes: &[Range<usize>],
    ) -> bool {
        let word = self.origin.word;
        let Kind::Packed(packing) = kind(word) else { return false };
        let Remembered::Groups(form) = &mut self.memory.forms[packing] else { return false };
        let Some(of_group) = form.groups.get(group) else { return false };
        let looks =
            form.head | of_group.anchor_bits() | fields_of(&self.lenses.all[form.lens], bytes);
        let station = Station { looks, value: word & looks, number: station };
        form.stations.set(group, of_group.anchor(word), station)
    }

    /// As [`Store::peek`](crate::Store::peek).
    pub(in crate::tree) fn peek(&self, bytes: Range<usize>) -> u32 {
        let Some(at_hand) = self.memory.form_at_hand() else { return 0 };
        let lens = &self.lenses.all[at_hand.lens];
        let form = lens.shape.form(lens.form);
        let word = self.memory.surveyor.near.word;
        let byte = |at: usize| {
            let leaf = lens.shape.leaf_of[at] as usize;
            let Some(of_leaf) = lens.shape.leaves.get(leaf) else {
                return u32::from(lens.shape.prefix[at]);
            };
            let value = of_leaf.dictionary.dictionary.value(number_at(lens, form, word, 0, leaf));
            (value >> (8 * (at as u32 - of_leaf.start))) as u32 & 0xff
        };
        bytes.rev().fold(0, |value, at| value << 8 | byte(at))
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
impl<W: Word> Memory<W> {
    /// The same where the processor can extract bits.
    #[target_feature(enable = "avx2,bmi2,popcnt")]
    fn survey_quickly(&mut self, state: W) -> Recalled {
        self.survey::<Quick>(state)
    }
}
