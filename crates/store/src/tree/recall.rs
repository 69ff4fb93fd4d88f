//! Successors without states: what a group of moves did to a word once, it does again.
//!
//! The moves of a group depend on few fields of a word, those of its footprint, and change no
//! others. So what they do is remembered under the values of these fields, as the bits that they
//! turn over: for every word with the same values there the successors follow, and neither the
//! state nor its successors are put together.
//!
//! # Why it is the same
//!
//! 1. Which fields count is decided by one field, that of the group's anchor: the union of the
//!    footprints met so far with its value. It only grows. Something is remembered only after its own
//!    footprint was added, so the fields it is filed under include that footprint.
//! 2. Whoever finds it later has the same values in all fields that counted then (fields that were added
//!    since are zero in what it was filed under, and those that counted agree): its state agrees with
//!    the one it was learnt from in all bytes of the footprint. So it has the same moves.
//! 3. A successor belongs to the first form that it fits. If the form at hand is not the first
//!    of its layout, each successor is looked at for that.

#![allow(unsafe_code)]

mod group;

use super::Tree;
use super::lens::Lens;
use super::local::{TreeLocal, halves};
use super::mix::{mix, unmix};
use super::packing::Packing;
use super::word::{Kind, PACKINGS, kind};
use crate::prefetch::prefetch_at;
use crate::store::{Dependence, Recall, Recalled};
use group::{AT_HAND, Filed, Group, Slot};
use spinor_ts::{EventKind, Expansion, Footprint};

/// Values of an anchor for which something is remembered.
const ANCHORS: usize = 1 << 16;
/// Bytes from which on a thread keeps no more.
const MOST_BYTES: usize = 1 << 25;
/// Moves beyond the first two that a group keeps.
const MOST_REST: usize = 1 << 20;
/// Keys that are taken for recent ones.
const RECENT: usize = 1 << 13;

/// What a thread remembers, by packing.
#[derive(Debug)]
pub(super) struct Memory {
    forms: Vec<Remembered>,
    ahead: Ahead,
    recent: Recent,
    /// Something is filed elsewhere since anybody looked ahead.
    is_stale: bool,
    /// Memory of all groups, as far as it has grown.
    pub(super) bytes: usize,
}

/// Keys that were given to the search lately. Two moves of different processes lead to the same state in
/// either order, and mostly the second one comes soon after the first: so about half of all successors
/// are found here.
#[derive(Debug)]
struct Recent(Box<[u64]>);

impl Recent {
    /// Makes keys of the words of the state at hand, and leaves out those that were there lately.
    #[inline(always)]
    fn finish_state(&mut self, tree: &Tree, out: &mut Recall<u64>) {
        let first = out.successors();
        let (start, end) = (out.start, out.keys.len());
        if out.by_groups {
            for key in &mut out.keys[start..] {
                *key = mix(*key);
                tree.table.prefetch((*key >> 32) as u32);
            }
            out.end_state(end - start);
            return;
        }
        out.numbers.resize(end, 0);
        let mut kept = start;
        for at in start..end {
            let key = mix(out.keys[at]);
            #[cfg(debug_assertions)]
            out.all.push(key);
            let place = &mut self.0[(key >> 12) as usize % RECENT];
            let is_new = *place != key;
            *place = key;
            out.keys[kept] = key;
            out.numbers[kept] = first + (at - start) as u32;
            kept += usize::from(is_new);
            let line = tree.table.address((key >> 32) as u32);
            prefetch_at(if is_new { line } else { std::ptr::from_ref(place).cast() });
        }
        out.keys.truncate(kept);
        out.numbers.truncate(kept);
        out.end_state(end - start);
    }
}

/// Where the moves of states are filed that will be wanted soon.
#[derive(Debug, Default)]
struct Ahead {
    /// The states, and where what belongs to each begins.
    states: Vec<(u64, u32)>,
    filed: Vec<Filed>,
    /// For a state that nobody looked ahead for.
    single: Vec<Filed>,
}

#[derive(Debug)]
enum Remembered {
    Unknown,
    /// States of this form are to be expanded as a whole.
    Inseparable,
    Groups(Box<Form>),
}

/// What is remembered of the states of one form.
#[derive(Debug)]
struct Form {
    groups: Box<[Group]>,
    /// Place of the lens.
    lens: usize,
    /// The bits in front of the fields.
    head: u64,
    /// For each earlier form of the layout: a field of it that was too small lately.
    misfits: Vec<u32>,
}

impl Memory {
    pub(super) fn new() -> Self {
        Self {
            forms: (0..PACKINGS).map(|_| Remembered::Unknown).collect(),
            ahead: Ahead::default(),
            recent: Recent(vec![0; RECENT].into()),
            is_stale: true,
            bytes: 0,
        }
    }
}

impl TreeLocal {
    /// As [`Store::recall`](crate::Store::recall).
    #[inline]
    pub(super) fn recall(&mut self, tree: &Tree, refs: &[u64], out: &mut Recall<u64>) -> Recalled {
        let Self { memory, lenses, .. } = self;
        let Memory { forms, ahead, is_stale, recent, .. } = memory;
        while let Some(state) = refs.get(out.ends.len()) {
            let word = unmix(*state);
            let Kind::Packed(packing) = kind(word) else { return Recalled::Whole };
            let form = match &mut forms[packing] {
                Remembered::Groups(form) => &mut **form,
                Remembered::Inseparable => return Recalled::Whole,
                Remembered::Unknown => return Recalled::Unknown,
            };
            let groups = &form.groups;
            let filed = match ahead.states.get(out.ends.len()) {
                Some(&(other, at)) if other == *state && !*is_stale => {
                    &ahead.filed[at as usize..][..groups.len()]
                }
                _ => {
                    ahead.single.clear();
                    ahead.single.extend(groups.iter().map(|group| group.filed(word)));
                    &ahead.single
                }
            };
            let known = if form.misfits.is_empty() {
                known(groups, filed, word, out, |_| true)
            } else {
                let lens = &lenses.all[form.lens];
                let misfits = &mut form.misfits;
                known(groups, filed, word, out, |next| is_of_form(lens, misfits, next))
            };
            match known {
                Known::Group => {
                    let group = out.group;
                    let anchor = groups[group].anchor(word);
                    let is_anchored = groups[group].is_final.get(anchor) == Some(&true);
                    return Recalled::Group { group, is_anchored };
                }
                Known::Whole => return Recalled::Whole,
                Known::All => {}
            }
            if out.keys.len() == out.start {
                return Recalled::Whole;
            }
            recent.finish_state(tree, out);
        }
        Recalled::All
    }

    /// As [`Store::look_ahead`](crate::Store::look_ahead).
    #[inline]
    pub(super) fn look_ahead(&mut self, refs: &[u64]) {
        let Memory { forms, ahead: Ahead { states, filed, .. }, is_stale, .. } = &mut self.memory;
        states.clear();
        filed.clear();
        *is_stale = false;
        for state in refs {
            states.push((*state, filed.len() as u32));
            let word = unmix(*state);
            let Kind::Packed(packing) = kind(word) else { continue };
            let Remembered::Groups(form) = &forms[packing] else { continue };
            filed.extend(form.groups.iter().map(|group| {
                let at = group.filed(word);
                prefetch_at(group.pairs.as_ptr().wrapping_add(at.pair as usize).cast());
                at
            }));
        }
    }

    /// As [`Store::set_groups`](crate::Store::set_groups).
    pub(super) fn set_groups(&mut self, tree: &Tree, state: u64, anchors: Option<&[usize]>) {
        let word = unmix(state);
        let Kind::Packed(packing) = kind(word) else { return };
        let place = self.lens_of(tree, kind(word));
        let lens = &self.lenses.all[place];
        let form = lens.shape.form(lens.form);
        let group = |anchor: &usize| {
            let field = node_of(lens, form, *anchor).and_then(|node| form.fields.get(node));
            field.map_or_else(|| Group::new(0, 0), |f| Group::new(f.shift, u64::from(f.mask())))
        };
        self.memory.is_stale = true;
        self.memory.forms[packing] = match (anchors, form.head) {
            (Some(anchors), Some(_)) => Remembered::Groups(Box::new(Form {
                groups: anchors.iter().map(group).collect(),
                lens: place,
                head: !fields(form),
                misfits: vec![0; lens.form],
            })),
            _ => Remembered::Inseparable,
        };
    }

    /// As [`Store::remember`](crate::Store::remember); the state is the origin.
    pub(super) fn remember(
        &mut self,
        tree: &Tree,
        successors: &Expansion,
        dependence: Dependence<'_>,
        out: &mut Recall<u64>,
    ) {
        let first = out.keys.len();
        for event in successors.events().iter().filter(|e| e.kind == EventKind::Successor) {
            let word = self.word(tree, successors.state(event));
            out.keys.push(word);
        }
        out.own_atomic_steps += successors.atomic_steps;
        out.deepest = out.deepest.max(successors.deepest);
        let group = out.group;
        out.group += 1;
        if out.by_groups {
            out.group_ends.push(out.keys.len() as u32);
        }
        let word = self.origin.word;
        let Kind::Packed(packing) = kind(word) else { return };
        let Remembered::Groups(form) = &mut self.memory.forms[packing] else { return };
        let lens = &self.lenses.all[form.lens];
        let group = &mut form.groups[group];
        let anchor = group.anchor(word);
        match dependence {
            Dependence::AsKnown => {}
            Dependence::On(footprint) if anchor < ANCHORS => {
                if group.masks.len() <= anchor {
                    group.masks.resize(anchor + 1, 0);
                    group.is_final.resize(anchor + 1, false);
                }
                let own = form.head | group.limit << group.shift | fields_of(lens, footprint);
                let mask = &mut group.masks[anchor];
                self.memory.is_stale |= *mask | own != *mask;
                *mask |= own;
                group.is_final[anchor] = !footprint.varies();
            }
            Dependence::On(_) | Dependence::Unknown => return,
        }
        let mask = group.masks[anchor];
        let words = &out.keys[first..];
        let is_of_form = |next: &u64| (next ^ word) & form.head == 0;
        if !words.iter().all(is_of_form) {
            return;
        }
        let is_covered = words.iter().all(|next| (next ^ word) & !mask == 0);
        debug_assert!(is_covered, "a move changes more than its footprint");
        let (count, deepest) = (words.len() as u64, u64::from(successors.deepest));
        if !is_covered || count >= 1 << 16 || deepest >= 1 << 16 {
            return;
        }
        let turn = |at: usize| words.get(at).map_or(0, |next| next ^ word);
        let mut last = successors.atomic_steps;
        let may_grow = self.memory.bytes < MOST_BYTES;
        let before = group.bytes_used();
        if words.len() > AT_HAND {
            let is_full = group.rest.len() + words.len() > group.rest.capacity();
            if is_full && !may_grow || group.rest.len() + words.len() > MOST_REST {
                return;
            }
            last = group.rest.len() as u64;
            group.rest.push(successors.atomic_steps);
            group.rest.extend(words[AT_HAND..].iter().map(|next| next ^ word));
        }
        let figures = count | deepest << 16 | last << 32;
        let slot = Slot { key: word & mask, turns: [turn(0), turn(1)], figures };
        self.memory.is_stale |= group.remember(slot, may_grow);
        self.memory.bytes += group.bytes_used() - before;
    }
}

enum Known {
    All,
    Group,
    Whole,
}

/// Appends the successors of a word by all groups from that at hand on, as far as they are known and
/// accepted.
#[inline(always)]
fn known(
    groups: &[Group],
    filed: &[Filed],
    word: u64,
    out: &mut Recall<u64>,
    mut accept: impl FnMut(u64) -> bool,
) -> Known {
    out.keys.reserve(AT_HAND * groups.len());
    let mut keys = out.keys.as_mut_ptr();
    let before = out.keys.len();
    let mut len = before;
    let (mut deepest, mut atomic_steps) = (0, 0);
    let mut result = Known::All;
    let mut at = out.group;
    for (group, filed) in groups.iter().zip(filed).skip(at) {
        let Some(slot) = group.find(*filed) else {
            result = Known::Group;
            break;
        };
        // SAFETY: there is room for as many for this group and each after it.
        unsafe {
            // Both, however many there are.
            keys.add(len).write(word ^ slot.turns[0]);
            keys.add(len + 1).write(word ^ slot.turns[1]);
        }
        deepest = deepest.max(slot.deepest());
        at += 1;
        let count = slot.count();
        if count <= AT_HAND {
            len += count;
            atomic_steps += slot.last();
        } else {
            // SAFETY: as many have been written.
            unsafe { out.keys.set_len(len + AT_HAND) };
            let begin = slot.last() as usize;
            atomic_steps += group.rest[begin];
            let rest = &group.rest[begin + 1..][..count - AT_HAND];
            out.keys.extend(rest.iter().map(|turns| word ^ turns));
            out.keys.reserve(AT_HAND * (groups.len() - at));
            keys = out.keys.as_mut_ptr();
            len = out.keys.len();
        }
        if out.by_groups {
            out.group_ends.push(len as u32);
        }
    }
    // SAFETY: all up to here have been written.
    unsafe { out.keys.set_len(len) };
    out.probes += (at - out.group) as u64;
    out.group = at;
    out.deepest = out.deepest.max(deepest);
    out.own_atomic_steps += atomic_steps;
    if !out.keys[before..].iter().all(|next| accept(*next)) {
        return Known::Whole;
    }
    result
}

/// Whether a word that looks like one of a form is one: its state fits no earlier form.
fn is_of_form(lens: &Lens, misfits: &mut [u32], word: u64) -> bool {
    let form = lens.shape.form(lens.form);
    lens.shape.forms().zip(misfits).all(|(earlier, hint)| {
        let misfit = |at: usize| {
            let number = number_at(lens, form, word, earlier.level, at);
            !earlier.fields[at].fits(number)
        };
        if misfit(*hint as usize) {
            return true;
        }
        let other = (0..earlier.fields.len()).find(|at| misfit(*at));
        *hint = other.unwrap_or(0) as u32;
        other.is_some()
    })
}

/// The number of a node on a level no higher than that of a word's form.
fn number_at(lens: &Lens, form: &Packing, word: u64, level: usize, at: usize) -> u32 {
    let mut number = form.fields[at >> (form.level - level)].get(word);
    for below in (level..form.level).rev() {
        let at = at >> (below - level);
        if let Some(pair) = lens.shape.pairs(below + 1).get(at / 2) {
            let (left, right) = halves(pair.dictionary.value(number));
            number = if at & 1 == 0 { left } else { right };
        }
    }
    number
}

/// The node of a form's level that a byte belongs to, if it is not of the prefix.
fn node_of(lens: &Lens, form: &Packing, byte: usize) -> Option<usize> {
    let leaf = *lens.shape.leaf_of.get(byte)? as usize;
    (leaf < lens.shape.leaves.len()).then_some(leaf >> form.level)
}

/// The bits of all fields.
fn fields(form: &Packing) -> u64 {
    form.fields.iter().fold(0, |bits, field| bits | u64::from(field.mask()) << field.shift)
}

/// The bits of the fields that a footprint touches.
fn fields_of(lens: &Lens, footprint: &Footprint) -> u64 {
    let form = lens.shape.form(lens.form);
    let mut bits = 0;
    for range in footprint.ranges() {
        let mut byte = range.start;
        while byte < range.end {
            let leaf = lens.shape.leaf_of.get(byte).map_or(usize::MAX, |leaf| *leaf as usize);
            let Some(end) = lens.shape.leaves.get(leaf).map(|leaf| leaf.end as usize) else {
                byte += 1;
                continue;
            };
            if let Some(field) = form.fields.get(leaf >> form.level) {
                bits |= u64::from(field.mask()) << field.shift;
            }
            byte = end;
        }
    }
    bits
}
