//! Successors without states: what a group of moves did to a word once, it does again.
//!
//! The moves of a group depend on few fields of a word, those of its footprint, and change no
//! others. So what they do is remembered under the values of these fields, as the bits that they
//! turn over: for every word with the same values there the successors follow, and neither the
//! state nor its successors are put together.
//!
//! # Why it is the same
//!
//! 1. Which fields count is decided by the field of the group's anchor and, for each of its values, by some bits of
//!    other fields, the deciders: it is the union of the footprints met so far with the same values there. It
//!    only grows, unless all is forgotten because there are more deciders. Something is remembered only after its own
//!    footprint was added, so the fields it is filed under include that footprint.
//! 2. The anchor's field and the deciders always count: so what is filed under equal bits was filed by the same
//!    union, as it was then.
//! 3. Whoever finds it later has the same values in all fields that counted then (fields that were added
//!    since are zero in what it was filed under, and those that counted agree): its state agrees with
//!    the one it was learnt from in all bytes of the footprint. So it has the same moves.
//! 4. A successor belongs to the first form that it fits. If the form at hand is not the first
//!    of its layout, each successor is looked at for that.

#![allow(unsafe_code)]

mod ahead;
mod direct;
mod extract;
mod group;
mod neighbour;
mod recent;
mod single;
mod sleep;
mod survey;

use super::codec::Codec;
use super::lens::{Lens, Lenses};
use super::local::{TreeLocal, halves};
use super::packing::Packing;
use super::word::{Kind, PACKINGS, Word, kind};
use crate::key_set::KeySet;
use crate::store::{Dependence, Recall, Recalled};
use ahead::Ahead;
use extract::Plain;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use extract::Quick;
pub use extract::{Extract, LANES};
use group::{
    AT_HAND, Filed, Group, LONG, MANY_EVENTS, MANY_STEPS, Part, Slot, UNEVEN, figures, has_rest,
    longest,
};
use recent::Recent;
use single::Single;
use spinor_ts::{Event, EventKind, Expansion};
use std::cell::Cell;
use std::ops::Range;
use survey::{Stations, Surveyor};

/// Bytes from which on a thread keeps no more.
const MOST_BYTES: usize = 1 << 25;
/// Moves beyond the first two that a group keeps.
const MOST_REST: usize = 1 << 20;

/// What a thread remembers, by packing.
#[derive(Debug)]
pub(super) struct Memory<W> {
    forms: Vec<Remembered<W>>,
    ahead: Ahead<W>,
    single: Single<W>,
    surveyor: Surveyor<W>,
    recent: Recent<W>,
    direct: direct::Direct<W>,
    /// Memory of all groups, as far as it has grown.
    pub(super) bytes: usize,
}

/// The set of visited keys, and a thread's part of it.
struct Visited<'a, V: KeySet> {
    set: &'a V,
    local: &'a mut V::Local,
}

#[derive(Debug)]
enum Remembered<W> {
    Unknown,
    /// States of this form are to be expanded as a whole.
    Inseparable,
    Groups(Box<Form<W>>),
}

/// What is remembered of the states of one form.
#[derive(Debug)]
struct Form<W> {
    groups: Box<[Group<W>]>,
    /// Place of the lens.
    lens: usize,
    /// The bits in front of the fields.
    head: W,
    /// For each earlier form of the layout that packs the same nodes: bits of which a word of this form has one at least, since
    /// some number did not fit there.
    excess: Vec<W>,
    /// For each form before these: a field of it that was too small lately.
    misfits: Vec<Cell<u32>>,
    /// Where groups stand.
    stations: Stations<W>,
}

impl<W: Word> Memory<W> {
    pub(super) fn new() -> Self {
        Self {
            forms: (0..PACKINGS).map(|_| Remembered::Unknown).collect(),
            ahead: Ahead::default(),
            single: Single::default(),
            surveyor: Surveyor::default(),
            recent: Recent::new(),
            direct: direct::Direct::default(),
            bytes: 0,
        }
    }

    /// As [`Store::recall`](crate::Store::recall).
    #[inline(always)]
    fn recall<E: Extract, V: KeySet<Key = W>>(
        &mut self,
        visited: &V,
        local: &mut V::Local,
        lenses: &Lenses<W>,
        refs: &[W],
        out: &mut Recall<W>,
    ) -> Recalled {
        let Memory { forms, ahead, recent, .. } = self;
        while out.ends.len() < refs.len() {
            if !ahead.is_stale && out.group == 0 {
                let table = Visited { set: visited, local: &mut *local };
                ahead.take::<E, V>(forms, lenses, recent, table, refs, out);
            }
            let Some(state) = refs.get(out.ends.len()) else { break };
            let word = state.unmix();
            let Kind::Packed(packing) = kind(word) else { return Recalled::Whole };
            let form = match &forms[packing] {
                Remembered::Groups(form) => &**form,
                Remembered::Inseparable => return Recalled::Whole,
                Remembered::Unknown => return Recalled::Unknown,
            };
            let groups = &*form.groups;
            let filed = ahead.filed::<E>(groups, out.ends.len(), *state, word);
            let known = if form.is_first() {
                known(groups, filed, word, out, |_| true)
            } else {
                known(groups, filed, word, out, |next| form.has(lenses, next))
            };
            match known {
                Known::Group => {
                    let group = out.group;
                    let is_anchored = groups[group].is_known::<E>(word);
                    return Recalled::Group { group, is_anchored };
                }
                Known::Whole => return Recalled::Whole,
                Known::All => {}
            }
            if out.keys.len() == out.start {
                return Recalled::Whole;
            }
            recent.finish_state(Visited { set: visited, local: &mut *local }, *state, out);
        }
        Recalled::All
    }

    /// As [`Store::look_ahead`](crate::Store::look_ahead).
    #[inline(always)]
    fn look_ahead<E: Extract>(&mut self, refs: &[W]) {
        self.ahead.look::<E>(&self.forms, refs);
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
impl<W: Word> Memory<W> {
    /// The same where the processor can extract bits.
    #[target_feature(enable = "avx2,bmi2,popcnt")]
    fn recall_quickly<V: KeySet<Key = W>>(
        &mut self,
        visited: &V,
        local: &mut V::Local,
        lenses: &Lenses<W>,
        refs: &[W],
        out: &mut Recall<W>,
    ) -> Recalled {
        self.recall::<Quick, V>(visited, local, lenses, refs, out)
    }

    #[target_feature(enable = "avx2,bmi2,popcnt")]
    fn look_ahead_quickly(&mut self, refs: &[W]) {
        self.look_ahead::<Quick>(refs);
    }
}

impl<W: Word> TreeLocal<W> {
    /// As [`Store::recall`](crate::Store::recall).
    #[inline]
    pub(super) fn recall<V: KeySet<Key = W>>(
        &mut self,
        visited: &V,
        local: &mut V::Local,
        refs: &[W],
        out: &mut Recall<W>,
    ) -> Recalled {
        let Self { memory, lenses, .. } = self;
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if Quick::is_there() {
            // SAFETY: the processor has these instructions.
            return unsafe { memory.recall_quickly(visited, local, lenses, refs, out) };
        }
        memory.recall::<Plain, V>(visited, local, lenses, refs, out)
    }

    /// As [`Store::look_ahead`](crate::Store::look_ahead).
    #[inline]
    pub(super) fn look_ahead(&mut self, refs: &[W]) {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if Quick::is_there() {
            // SAFETY: the processor has these instructions.
            unsafe { self.memory.look_ahead_quickly(refs) };
            return;
        }
        self.memory.look_ahead::<Plain>(refs);
    }

    /// As [`Store::set_groups`](crate::Store::set_groups).
    pub(super) fn set_groups(&mut self, codec: &Codec<W>, state: W, anchors: Option<&[usize]>) {
        let word = state.unmix();
        let Kind::Packed(packing) = kind(word) else { return };
        let place = self.lens_of(codec, kind(word));
        let lens = &self.lenses.all[place];
        let form = lens.shape.form(lens.form);
        let group = |anchor: &usize| {
            let field = node_of(lens, form, *anchor).and_then(|node| form.fields.get(node));
            field.map_or_else(|| Group::new(0, 0), |f| Group::new(f.shift, u64::from(f.mask())))
        };
        self.memory.ahead.is_stale = true;
        self.memory.single.near.forget();
        self.memory.surveyor.near.forget();
        self.memory.forms[packing] = match (anchors, form.number) {
            (Some(anchors), Some(_)) => Remembered::Groups(Box::new(Form {
                groups: anchors.iter().map(group).collect(),
                lens: place,
                head: !fields::<W>(form),
                excess: excess(lens, form),
                misfits: vec![Cell::new(0); lower(lens, form)],
                stations: Stations::default(),
            })),
            _ => Remembered::Inseparable,
        };
    }

    /// As [`Store::remember`](crate::Store::remember); the state is the origin.
    pub(super) fn remember(
        &mut self,
        codec: &Codec<W>,
        successors: &Expansion,
        dependence: Dependence<'_>,
        out: &mut Recall<W>,
    ) {
        let first = out.keys.len();
        for event in successors.events().iter().filter(|e| e.kind == EventKind::Successor) {
            let word = self.word(codec, successors.state(event));
            out.keys.push(word);
        }
        out.own_atomic_steps += successors.atomic_steps;
        out.deepest = out.deepest.max(successors.deepest);
        let group = out.group;
        out.group += 1;
        self.file(group, &out.keys[first..], successors, dependence, false);
    }

    /// As [`Store::learn`](crate::Store::learn); the state is the origin.
    pub(super) fn learn(
        &mut self,
        codec: &Codec<W>,
        group: usize,
        successors: &Expansion,
        dependence: Dependence<'_>,
        with_steps: bool,
    ) -> bool {
        let events = successors.events().iter().filter(|e| e.kind == EventKind::Successor);
        let words: Vec<W> = events.map(|event| self.word(codec, successors.state(event))).collect();
        let word = self.origin.word;
        self.file(group, &words, successors, dependence, with_steps)
            || if with_steps {
                self.memory.single.keep(group, word, &words, successors)
            } else {
                self.memory.surveyor.keep(group, word, &words, successors)
            }
    }

    /// Remembers what a group does to the origin: these words come of it. With the steps of each move, if they are wanted. False if that
    /// cannot be.
    fn file(
        &mut self,
        group: usize,
        words: &[W],
        successors: &Expansion,
        dependence: Dependence<'_>,
        with_steps: bool,
    ) -> bool {
        self.memory.single.near.forget_group(group);
        self.memory.surveyor.near.forget_group(group);
        let word = self.origin.word;
        let Kind::Packed(packing) = kind(word) else { return false };
        let Remembered::Groups(form) = &mut self.memory.forms[packing] else { return false };
        let lens = &self.lenses.all[form.lens];
        let group = &mut form.groups[group];
        match dependence {
            Dependence::AsKnown => {}
            Dependence::On(footprint) => {
                let own = form.head | fields_of(lens, footprint.ranges());
                let deciders: Vec<Part<W>> =
                    footprint.deciders().iter().map(|range| part_of(lens, range)).collect();
                let added = group.add_mask::<Plain>(word, own, &deciders, footprint.varies());
                let Some(is_stale) = added else { return false };
                self.memory.ahead.is_stale |= is_stale;
            }
            Dependence::Unknown => return false,
        }
        let mask = group.mask::<Plain>(word);
        let is_of_form = |next: &W| (*next ^ word) & form.head == W::NONE;
        if !words.iter().all(is_of_form) {
            return false;
        }
        let is_covered = words.iter().all(|next| (*next ^ word) & !mask == W::NONE);
        debug_assert!(is_covered, "a move changes more than its footprint");
        let (count, deepest) = (words.len() as u64, u64::from(successors.deepest));
        if !is_covered || count >= MANY_EVENTS || deepest >= LONG {
            return false;
        }
        let turn = |at: usize| words.get(at).map_or(W::NONE, |next| *next ^ word);
        let mut last = successors.atomic_steps;
        let may_grow = self.memory.bytes < MOST_BYTES;
        let before = group.bytes_used();
        let is_even = |event: &Event| event.steps == successors.deepest;
        let is_uneven = with_steps && !successors.events().iter().all(is_even);
        let has_rest = words.len() > AT_HAND || is_uneven;
        if has_rest {
            let more = 1 + if is_uneven { 2 * words.len() } else { words.len() };
            let is_full = group.rest.len() + more > group.rest.capacity();
            if is_full && !may_grow || group.rest.len() + more > MOST_REST {
                return false;
            }
            last = group.rest.len() as u64;
            let uneven = if is_uneven { UNEVEN } else { 0 };
            group.rest.push(W::from(successors.atomic_steps | uneven));
            group.rest.extend(words.iter().skip(AT_HAND).map(|next| *next ^ word));
            if is_uneven {
                let steps = successors.events().iter().map(|event| u64::from(event.steps));
                group.rest.extend(steps.map(W::from));
            }
        }
        if last >= MANY_STEPS {
            return false;
        }
        let figures = figures(count, last, has_rest, deepest);
        let slot = Slot { key: word & mask, turns: [turn(0), turn(1)], figures };
        self.memory.ahead.is_stale |= group.remember(slot, may_grow);
        self.memory.bytes += group.bytes_used() - before;
        true
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
fn known<W: Word>(
    groups: &[Group<W>],
    filed: &[Filed<W>],
    word: W,
    out: &mut Recall<W>,
    mut accept: impl FnMut(W) -> bool,
) -> Known {
    out.keys.reserve(AT_HAND * groups.len());
    let before = out.keys.len();
    let mut keys = out.keys.as_mut_ptr();
    let mut len = before;
    let mut atomic_steps = 0;
    let mut deepest = 0;
    let mut result = Known::All;
    let first = out.group;
    let mut at = first;
    for (group, filed) in groups[first..].iter().zip(&filed[first..]) {
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
        deepest = deepest.max(slot.figures);
        at += 1;
        if !has_rest(slot.figures) {
            len += slot.count();
            atomic_steps += slot.last();
        } else {
            // SAFETY: as many have been written.
            unsafe { out.keys.set_len(len + slot.count().min(AT_HAND)) };
            atomic_steps += group.append_rest(slot, word, &mut out.keys);
            out.keys.reserve(AT_HAND * (groups.len() - at));
            keys = out.keys.as_mut_ptr();
            len = out.keys.len();
        }
    }
    // SAFETY: all up to here have been written.
    unsafe { out.keys.set_len(len) };
    out.probes += (at - first) as u64;
    out.group = at;
    out.deepest = out.deepest.max(longest(deepest));
    out.own_atomic_steps += atomic_steps;
    if !out.keys[before..].iter().all(|next| accept(*next)) {
        return Known::Whole;
    }
    result
}

impl<W: Word> Form<W> {
    /// Whether there is no earlier form.
    #[inline(always)]
    fn is_first(&self) -> bool {
        self.misfits.is_empty() && self.excess.is_empty()
    }

    /// Whether the word of a state of this form is of this form still, whatever happens to some bits: what did not fit
    /// earlier forms is elsewhere.
    #[inline(always)]
    fn keeps(&self, word: W, turned: W) -> bool {
        self.misfits.is_empty() && self.excess.iter().all(|bits| word & !turned & *bits != W::NONE)
    }

    /// Whether a word that looks like one of this form is one: its state fits no earlier form.
    fn has(&self, lenses: &Lenses<W>, word: W) -> bool {
        if self.excess.iter().any(|bits| word & *bits == W::NONE) {
            return false;
        }
        let lens = &lenses.all[self.lens];
        let form = lens.shape.form(lens.form);
        lens.shape.forms().zip(&self.misfits).all(|(earlier, hint)| {
            let misfit = |at: usize| {
                let number = number_at(lens, form, word, earlier.level, at);
                !earlier.fields[at].fits(number)
            };
            if misfit(hint.get() as usize) {
                return true;
            }
            let other = (0..earlier.fields.len()).find(|at| misfit(*at));
            hint.set(other.unwrap_or(0) as u32);
            other.is_some()
        })
    }
}

/// Forms of a layout on a lower level: the first ones.
fn lower<W>(lens: &Lens<W>, form: &Packing) -> usize {
    lens.shape.forms().take_while(|earlier| earlier.level < form.level).count()
}

/// For each form of the same level before this one, the bits that numbers have in this one and do not have there.
fn excess<W: Word>(lens: &Lens<W>, form: &Packing) -> Vec<W> {
    let forms = lens.shape.forms().take(lens.form).skip(lower(lens, form));
    let bits = |earlier: &Packing| {
        let fields = form.fields.iter().zip(&earlier.fields);
        fields.fold(W::NONE, |bits, (own, other)| {
            let more = u64::from(own.mask()) & !u64::from(other.mask());
            bits | W::from(more) << own.shift
        })
    };
    forms.map(bits).collect()
}

/// The number of a node on a level no higher than that of a word's form.
fn number_at<W: Word>(lens: &Lens<W>, form: &Packing, word: W, level: usize, at: usize) -> u32 {
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
fn node_of<W>(lens: &Lens<W>, form: &Packing, byte: usize) -> Option<usize> {
    let leaf = *lens.shape.leaf_of.get(byte)? as usize;
    (leaf < lens.shape.leaves.len()).then_some(leaf >> form.level)
}

/// The bits of all fields.
fn fields<W: Word>(form: &Packing) -> W {
    form.fields.iter().fold(W::NONE, |bits, field| bits | field.bits())
}

/// Calls `visit` with the nodes of a form's level that some bytes belong to.
fn each_node<W>(lens: &Lens<W>, bytes: &Range<usize>, mut visit: impl FnMut(usize)) {
    let form = lens.shape.form(lens.form);
    let mut byte = bytes.start;
    while byte < bytes.end {
        let leaf = lens.shape.leaf_of.get(byte).map_or(usize::MAX, |leaf| *leaf as usize);
        let Some(end) = lens.shape.leaves.get(leaf).map(|leaf| leaf.end as usize) else {
            byte += 1;
            continue;
        };
        visit(leaf >> form.level);
        byte = end;
    }
}

/// The bits of the fields that a footprint touches.
fn fields_of<W: Word>(lens: &Lens<W>, ranges: &[Range<usize>]) -> W {
    let form = lens.shape.form(lens.form);
    let mut bits = W::NONE;
    for range in ranges {
        each_node(lens, range, |node| {
            bits |= form.fields.get(node).map_or(W::NONE, |field| field.bits());
        });
    }
    bits
}

/// The part of a word that some bytes decide.
fn part_of<W: Word>(lens: &Lens<W>, bytes: &Range<usize>) -> Part<W> {
    let form = lens.shape.form(lens.form);
    let mut part = Part::default();
    each_node(lens, bytes, |node| {
        let Some(field) = form.fields.get(node) else { return };
        let dictionary = match form.level {
            0 => Some(&lens.shape.leaves[node].dictionary),
            level => lens.shape.pairs(level).get(node),
        };
        let last = dictionary.map_or(u32::MAX, |numbered| numbered.dictionary.len());
        // Some more will come.
        let used = u32::MAX.checked_shr(last.leading_zeros()).unwrap_or(0) & field.mask();
        part.bits |= field.bits();
        part.used |= W::from(u64::from(used)) << field.shift;
    });
    part
}
