//! Keys of the successors of a short state: the common case, made straight.
//!
//! A successor is compared with its parent, all bytes at once; what differs is looked up and
//! put into the parent's word. Nothing of the parent is copied.

#![allow(unsafe_code)]

use super::Tree;
use super::cache::Cache;
use super::diff::BLOCK;
use super::lens::{Lens, Short};
use super::local::TreeLocal;
use super::mix::mix;
use super::word::{Kind, kind};
use spinor_ts::{EventKind, Expansion, PADDING, Padded};

const _: () = assert!(PADDING >= BLOCK, "the first block of a padded state can be read");

impl TreeLocal {
    /// Appends the keys of the successors of the state with this word and asks for the memory
    /// where they will be looked up. False, and nothing done, if it is no state of
    /// the common kind.
    #[inline]
    pub(super) fn keys_of_short(
        &mut self,
        tree: &Tree,
        word: u64,
        state: Padded<'_>,
        successors: &Expansion,
        keys: &mut Vec<u64>,
    ) -> bool {
        let parent = Parent { local: self, word, state };
        let events = successors.events();
        let done = parent.keys(tree, successors, keys);
        done == events.len() || self.rest_of_keys(tree, word, state, successors, done, keys)
    }

    /// The same if only the first `done` keys are there.
    #[cold]
    fn rest_of_keys(
        &mut self,
        tree: &Tree,
        word: u64,
        state: Padded<'_>,
        successors: &Expansion,
        done: usize,
        keys: &mut Vec<u64>,
    ) -> bool {
        let Kind::Packed(packing) = kind(word) else { return false };
        if self.lens_of_packing[packing] as usize >= self.lenses.all.len() {
            let at = self.lens_of(tree, kind(word));
            self.lens_of_packing[packing] = at as u32;
        }
        let lens = &self.lenses.all[self.lens_of_packing[packing] as usize];
        if lens.short.is_none() || lens.len != state.len() {
            return false;
        }
        let events = &successors.events()[done..];
        keys.reserve(events.len());
        self.adopt(tree, word, state.state());
        for event in events {
            if event.kind == EventKind::Successor {
                let key = mix(self.word(tree, successors.state(event)));
                tree.table.prefetch((key >> 32) as u32);
                keys.push(key);
            }
        }
        true
    }
}

/// A state whose successors get their keys.
struct Parent<'a> {
    local: &'a TreeLocal,
    word: u64,
    state: Padded<'a>,
}

impl Parent<'_> {
    /// Appends the keys of successors as long as they are of the common kind, there is room for
    /// them, and their parts were seen lately. Says how many these are.
    #[inline]
    fn keys(&self, tree: &Tree, successors: &Expansion, keys: &mut Vec<u64>) -> usize {
        #[cfg(target_arch = "x86_64")]
        if self.local.is_wide {
            // SAFETY: the processor has these instructions.
            return unsafe { self.keys_wide(tree, successors, keys) };
        }
        self.keys_plain(tree, successors, keys)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn keys_wide(&self, tree: &Tree, successors: &Expansion, keys: &mut Vec<u64>) -> usize {
        self.each(tree, successors, keys)
    }

    #[inline(never)]
    fn keys_plain(&self, tree: &Tree, successors: &Expansion, keys: &mut Vec<u64>) -> usize {
        self.each(tree, successors, keys)
    }

    /// It calls nothing, so that all that is needed stays in registers.
    #[inline(always)]
    fn each(&self, tree: &Tree, successors: &Expansion, keys: &mut Vec<u64>) -> usize {
        let &Parent { local, word, state } = self;
        let Kind::Packed(packing) = kind(word) else { return 0 };
        let place = local.lens_of_packing[packing] as usize;
        let Some(lens) = local.lenses.all.get(place) else { return 0 };
        let Some(short) = &lens.short else { return 0 };
        let events = successors.events();
        let bytes = successors.bytes();
        // A state that begins no later has enough behind it.
        let Some(latest) = bytes.len().checked_sub(lens.len + PADDING) else { return 0 };
        let first = keys.len();
        let spare = keys.spare_capacity_mut();
        if lens.len != state.len() || spare.len() < events.len() {
            return 0;
        }
        let parent = Block::at(state.bytes());
        let mut done = 0;
        for (event, place) in events.iter().zip(&mut *spare) {
            let start = event.start();
            if event.kind != EventKind::Successor || event.len() != lens.len || start > latest {
                break;
            }
            // SAFETY: `latest` is within the bytes.
            let next = unsafe { bytes.get_unchecked(start..) };
            let changed = parent.differences(next, lens.len) & short.bytes;
            let Some(word) = patch(lens, short, &local.cache, word, next, changed) else { break };
            place.write(word);
            done += 1;
        }
        for place in &mut spare[..done] {
            // SAFETY: so many have been written.
            let word = unsafe { place.assume_init() };
            let key = mix(word);
            place.write(key);
            tree.table.prefetch((key >> 32) as u32);
        }
        // SAFETY: as above.
        unsafe { keys.set_len(first + done) };
        done
    }
}

/// The word of a state that differs from one with `word` in the bytes `changed`, if it is
/// of the same layout and form and its parts were seen lately. The state is padded.
#[inline(always)]
fn patch(
    lens: &Lens,
    short: &Short,
    cache: &Cache,
    mut word: u64,
    state: &[u8],
    mut changed: u64,
) -> Option<u64> {
    if changed & short.prefix != 0 {
        return None;
    }
    while changed != 0 {
        let at = short.leaf_of[changed.trailing_zeros() as usize % BLOCK] as usize;
        debug_assert!(at < lens.spots.len());
        // SAFETY: a byte of the state that is not of the prefix is of a leaf.
        let spot = unsafe { lens.spots.get_unchecked(at) };
        debug_assert!(spot.start as usize + size_of::<u64>() <= state.len());
        // SAFETY: a leaf begins in the state, which is padded.
        let bytes =
            unsafe { state.as_ptr().add(spot.start as usize).cast::<[u8; 8]>().read_unaligned() };
        let value = u64::from_le_bytes(bytes) & spot.mask;
        let number = cache.find(spot.dictionary, value)?;
        if number > spot.limit {
            return None;
        }
        word = word & spot.others | u64::from(number) << spot.shift;
        changed &= spot.later;
    }
    Some(word)
}

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m128i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8};

/// The first block of a padded state.
#[cfg(target_arch = "x86_64")]
struct Block([__m128i; 4]);

#[cfg(target_arch = "x86_64")]
impl Block {
    #[inline(always)]
    fn at(state: &[u8]) -> Self {
        Self(std::array::from_fn(|lane| Self::lane(state, lane)))
    }

    #[inline(always)]
    fn lane(state: &[u8], lane: usize) -> __m128i {
        debug_assert!(state.len() >= BLOCK);
        // SAFETY: within the first block of a padded state; loads need no alignment.
        unsafe { _mm_loadu_si128(state.as_ptr().add(16 * (lane % 4)).cast()) }
    }

    /// A bit for each byte in which another state differs; those beyond `len` mean nothing.
    #[inline(always)]
    fn differences(&self, other: &[u8], len: usize) -> u64 {
        let lanes = |lane: usize| {
            let other = Self::lane(other, lane);
            // SAFETY: the instructions belong to every processor of this kind.
            let equal = unsafe { _mm_movemask_epi8(_mm_cmpeq_epi8(self.0[lane], other)) };
            u64::from(equal.cast_unsigned())
        };
        let low = lanes(0) | lanes(1) << 16;
        if len <= 32 {
            return !low;
        }
        !(low | lanes(2) << 32 | lanes(3) << 48)
    }
}

/// The first block of a padded state.
#[cfg(not(target_arch = "x86_64"))]
struct Block<'a>(&'a [u8]);

#[cfg(not(target_arch = "x86_64"))]
impl<'a> Block<'a> {
    fn at(state: &'a [u8]) -> Self {
        Self(state)
    }

    /// A bit for each byte in which another state differs; those beyond `len` mean nothing.
    fn differences(&self, other: &[u8], len: usize) -> u64 {
        let pairs = self.0.iter().zip(other).take(len.min(BLOCK)).enumerate();
        pairs.fold(0, |mask, (at, (a, b))| mask | u64::from(a != b) << at)
    }
}
