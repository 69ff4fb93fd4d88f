//! Keys of the successors of a short state: the common case, made straight.
//!
//! A successor is compared with its parent, all bytes at once; what differs is looked up and
//! put into the parent's word. Nothing of the parent is copied.

#![allow(unsafe_code)]

use super::cache::Cache;
use super::codec::Codec;
use super::diff::BLOCK;
use super::lens::{Lens, Short};
use super::local::TreeLocal;
use super::word::{Kind, Word, kind};
use crate::store::Origins;
use spinor_ts::{EventKind, Expansion, PADDING};

const _: () = assert!(PADDING >= BLOCK, "the first block of a padded state can be read");

impl<W: Word> TreeLocal<W> {
    /// Appends the words of the successors of several states.
    pub(super) fn words_many(
        &mut self,
        codec: &Codec<W>,
        origins: &Origins<'_, W>,
        successors: &Expansion,
        words: &mut Vec<W>,
    ) {
        words.reserve(successors.events().len());
        let mut at = At::default();
        let parents = origins.ends.len().min(origins.refs.len()).min(origins.states.len());
        loop {
            Common { local: self, origins, successors }.words(&mut at, words);
            if at.parent >= parents {
                break;
            }
            self.uncommon(codec, origins, successors, &mut at, words);
        }
    }

    /// Appends the word of an event that is not of the common kind, or has a part that was
    /// not seen lately; of all events of its origin if that is not of the common kind.
    #[cold]
    fn uncommon(
        &mut self,
        codec: &Codec<W>,
        origins: &Origins<'_, W>,
        successors: &Expansion,
        at: &mut At,
        words: &mut Vec<W>,
    ) {
        let (word, state) = (origins.refs[at.parent].unmix(), origins.states[at.parent].state());
        if self.origin.word != word {
            self.adopt(codec, word, state);
        }
        if let Kind::Packed(packing) = kind(word)
            && self.lens_of_packing[packing] as usize >= self.lenses.all.len()
        {
            self.lens_of_packing[packing] = self.lens_of(codec, kind(word)) as u32;
        }
        let is_common = self.lenses.all[self.origin.lens].short.is_some();
        let end = (origins.ends[at.parent] as usize).min(successors.events().len());
        while let Some(event) = successors.events()[..end].get(at.event) {
            if event.kind == EventKind::Successor {
                words.push(self.word(codec, successors.state(event)));
            }
            at.event += 1;
            if is_common {
                break;
            }
        }
        if at.event >= end {
            at.parent += 1;
        }
    }
}

/// The next event whose word is to be made.
#[derive(Default)]
struct At {
    /// Its origin.
    parent: usize,
    event: usize,
}

/// States whose successors get their words.
struct Common<'a, W> {
    local: &'a TreeLocal<W>,
    origins: &'a Origins<'a, W>,
    successors: &'a Expansion,
}

impl<W: Word> Common<'_, W> {
    /// Appends the words of events from `at` on as long as they are of the common kind and
    /// their parts were seen lately. There has to be room for one word per event.
    #[inline]
    fn words(&self, at: &mut At, words: &mut Vec<W>) {
        #[cfg(target_arch = "x86_64")]
        if self.local.is_wide {
            // SAFETY: the processor has these instructions.
            unsafe { self.words_wide(at, words) };
            return;
        }
        self.words_plain(at, words);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    fn words_wide(&self, at: &mut At, words: &mut Vec<W>) {
        self.each(at, words);
    }

    #[inline(never)]
    fn words_plain(&self, at: &mut At, words: &mut Vec<W>) {
        self.each(at, words);
    }

    /// It calls nothing, so that all that is needed stays in registers.
    #[inline(always)]
    fn each(&self, at: &mut At, words: &mut Vec<W>) {
        let &Common { local, origins, successors } = self;
        let parents = origins.refs.iter().zip(origins.states).zip(origins.ends);
        for ((state_ref, state), end) in parents.skip(at.parent) {
            let word = state_ref.unmix();
            let Kind::Packed(packing) = kind(word) else { return };
            let place = local.lens_of_packing[packing] as usize;
            let Some(lens) = local.lenses.all.get(place) else { return };
            let Some(short) = &lens.short else { return };
            let bytes = successors.bytes();
            // A state that begins no later has enough behind it.
            let Some(latest) = bytes.len().checked_sub(lens.len + PADDING) else { return };
            let Some(events) = successors.events().get(at.event..*end as usize) else { return };
            let spare = words.spare_capacity_mut();
            if lens.len != state.len() || spare.len() < events.len() {
                return;
            }
            let parent = Block::at(state.bytes());
            let mut done = 0;
            for (event, place) in events.iter().zip(spare) {
                let start = event.start();
                if event.kind != EventKind::Successor || event.len() != lens.len || start > latest {
                    break;
                }
                // SAFETY: `latest` is within the bytes.
                let next = unsafe { bytes.get_unchecked(start..) };
                let changed = parent.differences(next, lens.len) & short.bytes;
                let word = patch(lens, short, &local.cache, word, next, changed);
                let Some(word) = word else { break };
                place.write(word);
                done += 1;
            }
            // SAFETY: so many have been written behind those that were there.
            unsafe { words.set_len(words.len() + done) };
            at.event += done;
            if done < events.len() {
                return;
            }
            at.parent += 1;
        }
    }
}

/// The word of a state that differs from one with `word` in the bytes `changed`, if it is
/// of the same layout and form and its parts were seen lately. The state is padded.
#[inline(always)]
fn patch<W: Word>(
    lens: &Lens<W>,
    short: &Short,
    cache: &Cache,
    mut word: W,
    state: &[u8],
    mut changed: u64,
) -> Option<W> {
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
        word = word & spot.others | W::from(u64::from(number)) << u32::from(spot.shift);
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
