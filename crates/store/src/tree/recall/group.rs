//! What one group of moves did, by the fields that it looks at.

#![allow(unsafe_code)]

use super::extract::Extract;
use super::sleep::SLEEPERS;
use crate::tree::word::Word;

/// Pairs of slots of a group at first, and at most: both powers of two.
const FIRST_BITS: u32 = 5;
const LAST_BITS: u32 = 17;
/// Successors of a slot.
pub(super) const AT_HAND: usize = 2;
pub(super) const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
/// Values of an anchor's field for which something is remembered.
const ANCHORS: usize = 1 << 16;
/// Bits of deciders that one value of the anchor can have, and masks of a group.
const DECIDER_BITS: u32 = 12;
const MASKS: usize = 1 << 17;

/// Where the moves of a group are filed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filed<W> {
    /// The bits that count; 0 if that is not known.
    pub key: W,
    pair: *const Pair<W>,
}

// SAFETY: the address is only followed by who has the group at hand.
unsafe impl<W: Word> Send for Filed<W> {}

impl<W: Word> Default for Filed<W> {
    fn default() -> Self {
        Self { key: W::NONE, pair: std::ptr::null() }
    }
}

impl<W: Word> Filed<W> {
    /// Where it lies.
    #[inline(always)]
    pub fn address(self) -> *const u8 {
        self.pair.cast()
    }

    /// What is remembered there, for a place that was found since the group was last changed.
    ///
    /// # Safety
    /// It was, and the group outlives the result.
    #[inline(always)]
    pub unsafe fn find_fresh<'a>(self) -> Option<&'a Slot<W>> {
        // SAFETY: the caller's promise.
        let Pair([first, second]) = unsafe { &*self.pair };
        let slot = if first.key == self.key { first } else { second };
        (slot.key == self.key).then_some(slot)
    }
}

/// A part of a word.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Part<W> {
    /// All its bits.
    pub bits: W,
    /// Those, the lowest ones, that the numbers given so far need.
    pub used: W,
}

/// What is known of the states with one value in the anchor's field.
#[derive(Clone, Copy, Debug, Default)]
struct Anchor<W> {
    /// Some bits of the fields that decide which fields count.
    deciders: W,
    /// Place of the first mask; there is one for each value of the deciders. 0: nothing is known.
    masks: u32,
}

/// The memory of a group.
#[derive(Debug)]
pub(super) struct Group<W> {
    /// The field of the anchor.
    shift: u32,
    limit: u64,
    anchors: Vec<Anchor<W>>,
    /// For each of them the other bits of the fields that decide.
    rests: Vec<W>,
    /// The bits that count; the first one stands for nothing.
    masks: Vec<W>,
    is_final: Vec<bool>,
    pairs: Box<[Pair<W>]>,
    /// Bits of a hash that do not tell pairs apart.
    dropped: u32,
    used: usize,
    /// What does not fit into slots: steps inside atomic sequences, then the third successor and so on, then, if there is
    /// something to tell, the steps to each successor.
    pub rest: Vec<W>,
}

/// Finds out where the moves of a group are filed, of many states in a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finder<'a, W> {
    shift: u32,
    limit: u64,
    dropped: u32,
    anchors: &'a [Anchor<W>],
    masks: &'a [W],
    pairs: &'a [Pair<W>],
}

impl<W: Word> Finder<'_, W> {
    /// The place of the mask of a word.
    #[inline(always)]
    fn place_of_mask<E: Extract>(&self, word: W) -> usize {
        let at = ((word >> self.shift).low() & self.limit) as usize;
        let Some(anchor) = self.anchors.get(at) else { return 0 };
        anchor.masks as usize + word.extract::<E>(anchor.deciders) as usize
    }

    /// Where moves from a word are filed, and the bits that count.
    #[inline(always)]
    pub fn filed<E: Extract>(&self, word: W) -> (Filed<W>, W) {
        let place = self.place_of_mask::<E>(word);
        debug_assert!(place < self.masks.len());
        // SAFETY: the masks of an anchor are as many as its deciders have values, and are all there.
        let looks = unsafe { *self.masks.get_unchecked(place) };
        let key = word & looks;
        let pair = self.pairs.as_ptr().wrapping_add(pair(key, self.dropped));
        (Filed { key, pair }, looks)
    }
}

/// The pair of slots of a key; so many bits of its hash do not count.
#[inline(always)]
fn pair<W: Word>(key: W, dropped: u32) -> usize {
    (key.fold().wrapping_mul(MULTIPLIER) >> (dropped % u64::BITS)) as usize
}

/// A cache line, or two if words are long.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Pair<W>([Slot<W>; 2]);

#[derive(Clone, Copy, Debug)]
pub(super) struct Slot<W> {
    /// The bits that count.
    pub key: W,
    /// The bits that are turned over.
    pub turns: [W; AT_HAND],
    /// See [`figures`].
    pub figures: u64,
}

/// Bits for the number of successors in [`figures`], and for those of all groups together.
pub(super) const EVENT_BITS: u32 = 20;
/// So many successors are too many: those of all groups have to fit.
pub(super) const MANY_EVENTS: u64 = 1 << (EVENT_BITS - SLEEPERS.ilog2());
/// Bits for steps, and steps that are too many.
const STEP_BITS: u32 = 31;
pub(super) const MANY_STEPS: u64 = 1 << STEP_BITS;
/// There is a rest.
const REST: u64 = 1 << (EVENT_BITS + STEP_BITS);
/// In a rest, beside the steps inside atomic sequences: the steps to each successor are listed.
pub(super) const UNEVEN: u64 = 1 << 63;
const LONGEST_AT: u32 = EVENT_BITS + STEP_BITS + 1;
/// Chains of steps of this length are too long.
pub(super) const LONG: u64 = 1 << (u64::BITS - LONGEST_AT);

/// What is told of the moves of a group: from the lowest bits on the number of successors, the steps inside atomic sequences
/// (if there is a rest, where it begins), whether there is a rest, and the longest chain of steps. In a sum of such figures the number
/// of successors and the steps are right, in the largest of several the longest chain is.
pub(super) fn figures(events: u64, steps: u64, has_rest: bool, longest: u64) -> u64 {
    debug_assert!(events < MANY_EVENTS && steps < MANY_STEPS && longest < LONG);
    let rest = if has_rest { REST } else { 0 };
    events | steps << EVENT_BITS | rest | longest << LONGEST_AT
}

/// The number of successors.
#[inline(always)]
pub(super) fn events(figures: u64) -> u32 {
    figures as u32 & ((1 << EVENT_BITS) - 1)
}

/// The steps inside atomic sequences.
#[inline(always)]
pub(super) fn steps(figures: u64) -> u32 {
    (figures >> EVENT_BITS & (MANY_STEPS - 1)) as u32
}

/// Whether there is a rest.
#[inline(always)]
pub(super) fn has_rest(figures: u64) -> bool {
    figures & REST != 0
}

/// The longest chain of steps.
#[inline(always)]
pub(super) fn longest(figures: u64) -> u32 {
    (figures >> LONGEST_AT) as u32
}

impl<W: Word> Slot<W> {
    /// One with nothing in it.
    pub fn none() -> Self {
        Slot { key: no_key(), turns: [W::NONE; AT_HAND], figures: 0 }
    }

    #[inline(always)]
    pub fn count(&self) -> usize {
        events(self.figures) as usize
    }

    #[inline(always)]
    pub fn last(&self) -> u64 {
        u64::from(steps(self.figures))
    }
}

/// Not the key of anything, nor that of what is not known: words begin with something else.
#[inline(always)]
fn no_key<W: Word>() -> W {
    W::from(1)
}

impl<W: Word> Pair<W> {
    /// One with nothing in it.
    fn none() -> Self {
        Self([Slot::none(); 2])
    }
}

impl<W: Word> Group<W> {
    pub fn new(shift: u32, limit: u64) -> Self {
        Self {
            shift,
            limit,
            anchors: Vec::new(),
            rests: Vec::new(),
            masks: vec![W::NONE],
            is_final: vec![false],
            pairs: vec![Pair::none(); 1 << FIRST_BITS].into(),
            dropped: u64::BITS - FIRST_BITS,
            used: 0,
            rest: Vec::new(),
        }
    }

    /// The value of the anchor's field.
    #[inline(always)]
    pub fn anchor(&self, word: W) -> usize {
        ((word >> self.shift).low() & self.limit) as usize
    }

    /// The bits of the anchor's field.
    pub fn anchor_bits(&self) -> W {
        W::from(self.limit) << self.shift
    }

    #[inline(always)]
    fn pair(&self, key: W) -> usize {
        pair(key, self.dropped)
    }

    /// The place of the mask of a word.
    fn place_of_mask<E: Extract>(&self, word: W) -> usize {
        self.finder().place_of_mask::<E>(word)
    }

    /// What it takes to find where moves are filed.
    #[inline(always)]
    pub fn finder(&self) -> Finder<'_, W> {
        let Self { shift, limit, dropped, anchors, masks, pairs, .. } = self;
        Finder { shift: *shift, limit: *limit, dropped: *dropped, anchors, masks, pairs }
    }

    /// What is remembered under a key.
    #[inline(always)]
    pub fn find(&self, at: Filed<W>) -> Option<&Slot<W>> {
        let Pair([first, second]) = &self.pairs[self.pair(at.key)];
        let slot = if first.key == at.key { first } else { second };
        (slot.key == at.key).then_some(slot)
    }

    /// What moves of a slot turn over beyond the first two.
    #[inline(always)]
    pub fn rest(&self, slot: &Slot<W>) -> &[W] {
        if !has_rest(slot.figures) {
            return &[];
        }
        &self.rest[slot.last() as usize + 1..][..slot.count().saturating_sub(AT_HAND)]
    }

    /// The steps to each successor of a slot with a rest; nothing if all take as many as the longest chain.
    #[inline(always)]
    pub fn steps(&self, slot: &Slot<W>) -> &[W] {
        let (count, begin) = (slot.count(), slot.last() as usize);
        let listed = if self.rest[begin].low() & UNEVEN == 0 { 0 } else { count };
        &self.rest[begin + 1 + count.saturating_sub(AT_HAND)..][..listed]
    }

    /// Calls `visit` with what each move of a slot turns over, in order.
    #[cfg(debug_assertions)]
    pub fn each_turn(&self, slot: &Slot<W>, visit: impl FnMut(W)) {
        let at_hand = &slot.turns[..slot.count().min(AT_HAND)];
        at_hand.iter().chain(self.rest(slot)).copied().for_each(visit);
    }

    /// Steps inside atomic sequences of the moves of a slot.
    #[inline(always)]
    pub fn atomic_steps(&self, slot: &Slot<W>) -> u64 {
        if has_rest(slot.figures) { self.atomic_steps_of_rest(slot) } else { slot.last() }
    }

    /// Appends the successors of a word that a slot has no room for, and gives the steps inside atomic
    /// sequences.
    #[inline(never)]
    pub fn append_rest(&self, slot: &Slot<W>, word: W, out: &mut Vec<W>) -> u64 {
        out.extend(self.rest(slot).iter().map(|turns| word ^ *turns));
        self.atomic_steps_of_rest(slot)
    }

    #[inline(always)]
    fn atomic_steps_of_rest(&self, slot: &Slot<W>) -> u64 {
        self.rest[slot.last() as usize].low() & !UNEVEN
    }

    /// Whether the bits that count are known for good.
    pub fn is_known<E: Extract>(&self, word: W) -> bool {
        let rest = self.rests.get(self.anchor(word)).copied().unwrap_or(W::NONE);
        self.is_final[self.place_of_mask::<E>(word)] && word & rest == W::NONE
    }

    /// The bits that count for a word.
    pub fn mask<E: Extract>(&self, word: W) -> W {
        self.masks[self.place_of_mask::<E>(word)]
    }

    /// Adds bits that count for a word, if which ones they are depends on the deciders, and on something
    /// else if it varies. Says whether something is filed elsewhere now; `None` if it cannot be known.
    pub fn add_mask<E: Extract>(
        &mut self,
        word: W,
        bits: W,
        deciders: &[Part<W>],
        varies: bool,
    ) -> Option<bool> {
        let at = self.anchor(word);
        if at >= ANCHORS {
            return None;
        }
        if self.anchors.len() <= at {
            self.anchors.resize(at + 1, Anchor::default());
            self.rests.resize(at + 1, W::NONE);
        }
        let (mut anchor, mut rest) = (self.anchors[at], self.rests[at]);
        let mut is_other = anchor.masks == 0;
        for part in deciders {
            let known = anchor.deciders | rest;
            if part.bits & !known == W::NONE {
                continue;
            }
            let used = part.used & !known;
            if (anchor.deciders | used).count() <= DECIDER_BITS {
                anchor.deciders |= used;
            }
            rest = (rest | part.bits) & !anchor.deciders;
            is_other = true;
        }
        if is_other {
            let masks = 1 << anchor.deciders.count();
            if self.masks.len() + masks > MASKS {
                return None;
            }
            if anchor.masks != 0 {
                // What was filed under fewer deciders would be taken for something else.
                self.forget();
            }
            anchor.masks = self.masks.len() as u32;
            self.masks.resize(self.masks.len() + masks, W::NONE);
            self.is_final.resize(self.masks.len(), false);
            self.anchors[at] = anchor;
            self.rests[at] = rest;
        }
        let place = self.place_of_mask::<E>(word);
        // Equal keys have to belong to the same mask.
        let bits = bits | W::from(self.limit) << self.shift | anchor.deciders;
        let mask = &mut self.masks[place];
        is_other |= bits & !*mask != W::NONE;
        *mask |= bits;
        self.is_final[place] = !varies && word & rest == W::NONE;
        Some(is_other)
    }

    /// Forgets all moves.
    fn forget(&mut self) {
        self.pairs.fill(Pair::none());
        self.used = 0;
        self.rest.clear();
    }

    /// Memory of what is remembered.
    pub fn bytes_used(&self) -> usize {
        size_of_val(&*self.pairs)
            + (self.rest.capacity() + self.masks.capacity() + self.rests.capacity())
                * size_of::<W>()
            + self.anchors.capacity() * size_of::<Anchor<W>>()
    }

    /// Files something; says whether other things are filed elsewhere now.
    pub fn remember(&mut self, slot: Slot<W>, may_grow: bool) -> bool {
        let is_small = self.dropped > u64::BITS - LAST_BITS;
        let grows = may_grow && is_small && 2 * self.used > self.pairs.len();
        if grows {
            let old = std::mem::take(&mut self.pairs);
            self.pairs = vec![Pair::none(); 2 * old.len()].into();
            self.dropped -= 1;
            self.used = 0;
            let slots = old.iter().flat_map(|pair| pair.0).filter(|slot| slot.key != no_key());
            slots.for_each(|slot| self.put(slot));
        }
        self.put(slot);
        grows
    }

    /// Files something in the place of what is there, if need be.
    fn put(&mut self, slot: Slot<W>) {
        let at = self.pair(slot.key);
        let Pair([first, second]) = &mut self.pairs[at];
        let is_free = |place: &Slot<W>| place.key == no_key() || place.key == slot.key;
        self.used += usize::from(first.key == no_key() || second.key == no_key());
        if is_free(first) {
            *first = slot;
        } else if is_free(second) {
            *second = slot;
        } else {
            *second = std::mem::replace(first, slot);
        }
    }
}
