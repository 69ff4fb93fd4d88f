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
use super::group::{AT_HAND, has_rest, longest};
use super::single::{GROUPS, Single};
use super::{Form, Memory, Remembered, fields_of, number_at};
use crate::key_set::{KeyPlaces, KeySet};
use crate::store::{Dependence, Recalled, Survey};
use crate::tree::codec::Codec;
use crate::tree::lens::Lenses;
use crate::tree::local::TreeLocal;
use crate::tree::mix::{mix, unmix};
use crate::tree::word::{Kind, kind};
use spinor_ts::{EventKind, Expansion};
use std::ops::Range;

/// Values of an anchor's field for which it is kept where a group stands.
const STATIONS: usize = 1 << 16;

/// Where the groups of states of one form stand, by group and value of its anchor's field.
#[derive(Debug, Default)]
pub(super) struct Stations(Vec<Vec<Station>>);

/// Where one group stands.
#[derive(Clone, Copy, Debug)]
struct Station {
    /// The bits of the fields that count, and what they are.
    looks: u64,
    value: u64,
    number: u32,
}

/// Not that of any word: one without a head has a value of 0 there.
const NO_STATION: Station = Station { looks: 0, value: 1, number: 0 };

impl Stations {
    #[inline(always)]
    fn get(&self, group: usize, anchor: usize, word: u64) -> Option<&Station> {
        let station = self.0.get(group)?.get(anchor)?;
        (word & station.looks == station.value).then_some(station)
    }

    /// Says where a group stands. False if that is too much.
    fn set(&mut self, group: usize, anchor: usize, station: Station) -> bool {
        if anchor >= STATIONS {
            return false;
        }
        if self.0.len() <= group {
            self.0.resize(group + 1, Vec::new());
        }
        let of_group = &mut self.0[group];
        if of_group.len() <= anchor {
            of_group.resize(anchor + 1, NO_STATION);
        }
        of_group[anchor] = station;
        true
    }
}

/// The state that was looked at last.
#[derive(Debug, Default)]
pub(super) struct Surveyor {
    pub(super) single: Single,
    pub(super) survey: Survey,
}

impl Memory {
    /// As [`Store::survey`](crate::Store::survey).
    #[inline(always)]
    fn survey<E: Extract>(&mut self, state: u64) -> Recalled {
        let word = unmix(state);
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
        let Surveyor { single, survey } = &mut self.surveyor;
        if let Some(group) = single.find::<E>(groups, packing, word) {
            let is_anchored = groups[group].is_known::<E>(word);
            return Recalled::Group { group, is_anchored };
        }
        if survey.stations.len() != groups.len() {
            survey.stations.resize(groups.len(), 0);
            survey.events.resize(groups.len(), 0);
        }
        while single.renewed != 0 {
            let at = single.renewed.trailing_zeros() as usize;
            let Some(station) = form.stations.get(at, groups[at].anchor(word), word) else {
                return Recalled::Station { group: at };
            };
            single.looks[at] |= station.looks;
            survey.stations[at] = station.number;
            survey.events[at] = single.slots[at].count() as u32;
            single.renewed &= single.renewed - 1;
        }
        survey.active = single.movers;
        if survey.active == 0 {
            return Recalled::Whole;
        }
        Recalled::All
    }

    /// As [`Store::moves_of`](crate::Store::moves_of).
    #[inline(always)]
    fn moves_of<V: KeySet>(
        &self,
        visited: &V,
        lenses: &Lenses,
        mut chosen: u64,
        keys: &mut Vec<u64>,
    ) -> bool {
        let Surveyor { single, .. } = &self.surveyor;
        let Some(form) = self.form_at_hand() else { return false };
        let (first, word) = (keys.len(), single.word);
        let mut turned = 0;
        while chosen != 0 {
            let at = chosen.trailing_zeros() as usize;
            chosen &= chosen - 1;
            let slot = &single.slots[at];
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
                    turned |= turn;
                    keys.push(word ^ turn);
                }
            }
        }
        if !form.keeps_all_of(lenses, word, turned, &keys[first..]) {
            keys.truncate(first);
            return false;
        }
        let places = visited.places();
        for key in &mut keys[first..] {
            *key = mix(*key);
            places.prefetch_all(*key);
        }
        true
    }

    /// The form of the state that was looked at last.
    #[inline(always)]
    fn form_at_hand(&self) -> Option<&Form> {
        let packing = self.surveyor.single.packing?;
        match &self.forms[usize::from(packing)] {
            Remembered::Groups(form) => Some(form),
            _ => None,
        }
    }
}

impl Form {
    /// Whether some successors of a word, which turn over some of these bits, are of its form, or, as they were made, of another.
    #[inline(always)]
    fn keeps_all_of(&self, lenses: &Lenses, word: u64, turned: u64, words: &[u64]) -> bool {
        let is_kept = |next: &u64| (next ^ word) & self.head != 0 || self.has(lenses, *next);
        self.is_first() || self.keeps(word, turned) || words.iter().all(is_kept)
    }
}

impl TreeLocal {
    /// As [`Store::survey`](crate::Store::survey).
    #[inline]
    pub(in crate::tree) fn survey(&mut self, state: u64) -> Recalled {
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
        let single = &self.memory.surveyor.single;
        let deepest = single.slots.iter().fold(0, |most, slot| slot.figures.max(most));
        (single.atomic_steps, longest(deepest))
    }

    /// As [`Store::moves_of`](crate::Store::moves_of).
    #[inline]
    pub(in crate::tree) fn moves_of<V: KeySet>(
        &self,
        visited: &V,
        chosen: u64,
        keys: &mut Vec<u64>,
    ) -> bool {
        self.memory.moves_of(visited, &self.lenses, chosen, keys)
    }

    /// As [`Store::station_in`](crate::Store::station_in).
    #[inline]
    pub(in crate::tree) fn station_in(&self, key: u64, group: usize) -> Option<u32> {
        let word = unmix(key);
        let form = self.memory.form_at_hand()?;
        if (word ^ self.memory.surveyor.single.word) & form.head != 0 {
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
        let word = self.memory.surveyor.single.word;
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

    /// As [`Store::learn_moves`](crate::Store::learn_moves).
    pub(in crate::tree) fn learn_moves(
        &mut self,
        codec: &Codec,
        group: usize,
        successors: &Expansion,
        dependence: Dependence<'_>,
    ) -> bool {
        let events = successors.events().iter().filter(|e| e.kind == EventKind::Successor);
        let words: Vec<u64> =
            events.map(|event| self.word(codec, successors.state(event))).collect();
        self.file(group, &words, successors, dependence, false)
            || self.memory.surveyor.single.keep(group, self.origin.word, &words, successors)
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
impl Memory {
    /// The same where the processor can extract bits.
    #[target_feature(enable = "avx2,bmi2")]
    fn survey_quickly(&mut self, state: u64) -> Recalled {
        self.survey::<Quick>(state)
    }
}
