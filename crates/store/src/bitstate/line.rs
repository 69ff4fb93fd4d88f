//! One line of the cache as a set of hashes.
//!
//! As long as there are few, hashes are kept as such: the fewer there are, the more of each. When
//! there are too many for that the line becomes a Bloom filter of what was left of them.
//!
//! The lowest bits of the first word are the header. It says whether the line is a filter, and if not, how
//! many hashes there are, hence what the rest means. Its lowest bit is a lock for those
//! who write. Who reads takes no lock: if the first word is the same after reading as it was before, nothing
//! was written meanwhile, since numbers only rise (Boehm, "Can seqlocks get along with programming
//! language memory models?"). In a filter bits are only added, and all bits of a hash that are
//! set stay set, whoever has set them.

#![allow(unsafe_code)]

use crate::interleave::interleave;
use std::sync::atomic::{AtomicU64, Ordering, fence};

/// Words of a line.
const WORDS: usize = 8;
/// Bits of a line.
pub(super) const BITS: u64 = 64 * WORDS as u64;
/// Bits of the first word that are the header.
const HEADER: u32 = 16;
const LOCKED: u64 = 1;
const IS_FILTER: u64 = 2;
/// One hash more.
const ONE: u64 = 4;
/// Bits of the header of a filter.
const FILTER_HEADER: usize = 2;
/// Bits that can be set in a filter.
pub(super) const FILTER: usize = 64 * WORDS - FILTER_HEADER;

type Words = [u64; WORDS];

/// What a line is before it is a filter: hashes of some width, packed.
struct Level {
    /// Up to so many.
    most: usize,
    /// Bits of each.
    width: u32,
    /// The chance that one of them is the same as another one by accident: two to the power of that many bits, inverted.
    chance: f64,
    /// How many there are in a word, and in what is left of the first one.
    per_word: usize,
}

/// From few long to many short ones. Shorter ones than the last tell less than a filter.
const LEVELS: [Level; 4] = [
    Level { most: 7, width: 64, chance: 1.0 / (1_u128 << 64) as f64, per_word: 1 },
    Level { most: 15, width: 32, chance: 1.0 / (1_u128 << 32) as f64, per_word: 2 },
    Level { most: 23, width: 21, chance: 1.0 / (1_u128 << 21) as f64, per_word: 3 },
    Level { most: 31, width: 16, chance: 1.0 / (1_u128 << 16) as f64, per_word: 4 },
];

/// The level of so many hashes; `None` if they have to be a filter.
#[inline]
fn level_of(count: usize) -> Option<&'static Level> {
    // Seven places for each one in a word, and one less in the first word.
    LEVELS.get(count / 8)
}

/// The level of a line; `None` if it is a filter.
#[inline]
fn level(words: &Words) -> Option<&'static Level> {
    if words[0] & IS_FILTER == 0 { level_of(count(words)) } else { None }
}

impl Level {
    /// The part of a hash that is kept, which is never zero.
    #[inline]
    fn part(&self, hash: u64) -> u64 {
        (hash >> (u64::BITS - self.width)).max(1)
    }

    /// A word with a bit in each of so many places, the lowest.
    #[inline]
    fn lowest(&self, places: usize) -> u64 {
        (0..places).fold(0, |word, place| word | 1 << (place as u32 * self.width))
    }

    /// The word and the shift of a place.
    #[inline]
    fn place(&self, at: usize) -> (usize, u32) {
        let in_words = (WORDS - 1) * self.per_word;
        match at.checked_sub(in_words) {
            None => (1 + at / self.per_word, (at % self.per_word) as u32 * self.width),
            Some(rest) => (0, HEADER + rest as u32 * self.width),
        }
    }

    #[inline]
    fn get(&self, words: &Words, at: usize) -> u64 {
        let (word, shift) = self.place(at);
        words[word] >> shift & (u64::MAX >> (u64::BITS - self.width))
    }

    #[inline]
    fn put(&self, words: &mut Words, at: usize, part: u64) {
        let (word, shift) = self.place(at);
        words[word] |= part << shift;
    }

    #[inline]
    fn holds(&self, words: &Words, hash: u64) -> bool {
        let part = self.part(hash);
        if self.per_word == 1 {
            return words[1..].contains(&part);
        }
        // Whether some place is zero that is not to the left of another one that is.
        let has_zero = |word: u64, lowest: u64| {
            word.wrapping_sub(lowest) & !word & lowest << (self.width - 1) != 0
        };
        let all = self.lowest(self.per_word);
        let some = self.lowest(self.per_word - 1);
        let is_there =
            words[1..].iter().fold(false, |found, word| found | has_zero(word ^ (part * all), all));
        is_there | has_zero((words[0] >> HEADER) ^ (part * some), some)
    }
}

/// The bits of a hash in a filter. They depend on the part that the last level has kept.
#[inline]
fn places(hash: u64, functions: u32) -> impl Iterator<Item = (usize, u64)> {
    const FACTOR: u64 = 0xd6e8_feb8_6659_fd93;
    let [.., last] = &LEVELS;
    let mut mixed = last.part(hash).wrapping_mul(FACTOR);
    (0..functions).map(move |_| {
        mixed = (mixed ^ mixed >> 32).wrapping_mul(FACTOR);
        let place = ((mixed >> 32) * FILTER as u64) >> 32;
        let bit = place as usize + FILTER_HEADER;
        (bit / 64, 1 << (bit % 64))
    })
}

/// The chance that a filter with so many bits set seems to hold a hash that is new.
pub(super) fn chance(set: usize, functions: u32) -> f64 {
    let fill = (set as f64 / FILTER as f64).min(1.0 - 0.5 / FILTER as f64);
    let by_bits = fill.powf(f64::from(functions));
    // Of so many hashes one may be the same as far as it is kept.
    let [.., last] = &LEVELS;
    let hashes = -(-fill).ln_1p() * FILTER as f64 / f64::from(functions);
    let by_part = (hashes / f64::from(last.width).exp2()).min(0.5);
    by_bits + (1.0 - by_bits) * by_part
}

/// What was found out about a hash.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Added {
    /// It was there, or something was that cannot be told from it.
    Known,
    /// It was not. What the chance of [`Known`](Self::Known) was.
    New(Chance),
}

/// The chance that a new hash was taken for a known one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Chance {
    /// This.
    Hashes(f64),
    /// That of a filter with so many bits set.
    Filter(usize),
}

/// A line.
#[derive(Debug)]
#[repr(C, align(64))]
pub(super) struct Line([AtomicU64; WORDS]);

impl Line {
    /// Whether a hash seems to be there.
    #[inline]
    pub(super) fn holds(&self, hash: u64, functions: u32) -> bool {
        let mut tries = 0;
        loop {
            let header = self.0[0].load(Ordering::Acquire);
            if header & LOCKED == 0 {
                let words = self.words(header);
                interleave();
                fence(Ordering::Acquire);
                if self.0[0].load(Ordering::Relaxed) == header {
                    return holds(&words, hash, functions);
                }
            }
            pause(&mut tries);
        }
    }

    /// Adds a hash.
    #[inline]
    pub(super) fn add(&self, hash: u64, functions: u32) -> Added {
        if self.holds(hash, functions) {
            return Added::Known;
        }
        let header = self.lock();
        let mut words = self.words(header);
        if holds(&words, hash, functions) {
            self.0[0].store(header, Ordering::Release);
            return Added::Known;
        }
        let chance = add(&mut words, hash, functions);
        for (place, word) in self.0.iter().zip(words).skip(1) {
            place.store(word, Ordering::Relaxed);
        }
        interleave();
        self.0[0].store(words[0], Ordering::Release);
        Added::New(chance)
    }

    /// Adds a hash to a line that holds few of them, and adds what the chance was that it is missed to `chances`, in units of
    /// 2^-64. Whether it was not there; `None` if nothing was done because there are more.
    ///
    /// # Safety
    /// No other thread writes to the line meanwhile.
    #[inline(always)]
    pub(super) unsafe fn add_to_few(&self, hash: u64, chances: &mut u64) -> Option<bool> {
        let header = self.0[0].load(Ordering::Relaxed);
        let [level, ..] = &LEVELS;
        // Nothing but the number of hashes is in the first word.
        if header >= level.most as u64 * ONE || header & IS_FILTER != 0 {
            return None;
        }
        let count = (header / ONE) as usize % (WORDS - 1);
        let part = level.part(hash);
        // SAFETY: nobody writes to it, so it can be read as plain words.
        let words = unsafe { &*self.0.as_ptr().cast::<Words>() };
        let is_there = words[1..].iter().fold(false, |found, word| found | (*word == part));
        let new = u64::from(!is_there);
        // The place is empty, and stays so if the hash is there.
        self.0[1 + count].store(part * new, Ordering::Relaxed);
        self.0[0].store(header + ONE * new, Ordering::Relaxed);
        *chances += count as u64 * new;
        Some(!is_there)
    }

    /// The same while other threads may write to the line; `None`, too, if one of them does just now.
    #[inline(always)]
    pub(super) fn add_to_few_shared(&self, hash: u64, chances: &mut u64) -> Option<bool> {
        let header = self.0[0].load(Ordering::Acquire);
        let [level, ..] = &LEVELS;
        // Without the lock, too, nothing but the number of hashes is in the first word.
        if header >= level.most as u64 * ONE || header & (IS_FILTER | LOCKED) != 0 {
            return None;
        }
        let count = (header / ONE) as usize % (WORDS - 1);
        let part = level.part(hash);
        let words = self.words(header);
        interleave();
        if words[1..].iter().fold(false, |found, word| found | (*word == part)) {
            // Another word may have been written over by a line that was packed meanwhile.
            fence(Ordering::Acquire);
            return (self.0[0].load(Ordering::Relaxed) == header).then_some(false);
        }
        // Numbers only rise: with the same header as before the words are the same, too.
        let locked = header | LOCKED;
        self.0[0].compare_exchange(header, locked, Ordering::Acquire, Ordering::Relaxed).ok()?;
        // Nobody may see what is written now without the lock.
        fence(Ordering::Release);
        self.0[1 + count].store(part, Ordering::Relaxed);
        interleave();
        self.0[0].store(header + ONE, Ordering::Release);
        *chances += count as u64;
        Some(true)
    }

    /// Adds a hash.
    ///
    /// # Safety
    /// No other thread writes to the line meanwhile.
    pub(super) unsafe fn add_alone(&self, hash: u64, functions: u32) -> Added {
        let mut words = self.words(self.0[0].load(Ordering::Relaxed));
        if holds(&words, hash, functions) {
            return Added::Known;
        }
        let chance = add(&mut words, hash, functions);
        for (place, word) in self.0.iter().zip(words) {
            place.store(word, Ordering::Relaxed);
        }
        Added::New(chance)
    }

    /// Keeps other writers out; what the header was.
    #[inline]
    fn lock(&self) -> u64 {
        let mut tries = 0;
        loop {
            let header = self.0[0].fetch_or(LOCKED, Ordering::Acquire);
            if header & LOCKED == 0 {
                // Nobody may see what is written now without the lock.
                fence(Ordering::Release);
                return header;
            }
            pause(&mut tries);
        }
    }

    #[inline]
    fn words(&self, header: u64) -> Words {
        std::array::from_fn(|at| if at == 0 { header } else { self.0[at].load(Ordering::Relaxed) })
    }
}

/// Waits for who writes; not for long, unless that thread was put aside.
#[cold]
fn pause(tries: &mut u32) {
    *tries += 1;
    if *tries < 100 { std::hint::spin_loop() } else { std::thread::yield_now() }
}

/// The number of hashes of a line that is no filter.
#[inline]
fn count(words: &Words) -> usize {
    (words[0] % (1 << HEADER) / ONE) as usize
}

#[inline]
fn holds(words: &Words, hash: u64, functions: u32) -> bool {
    match level(words) {
        Some(level) => level.holds(words, hash),
        None => places(hash, functions).all(|(word, bit)| words[word] & bit != 0),
    }
}

/// Adds a hash that is not there.
#[inline]
fn add(words: &mut Words, hash: u64, functions: u32) -> Chance {
    let Some(before) = level(words) else {
        let set: u32 = words.iter().map(|word| word.count_ones()).sum();
        places(hash, functions).for_each(|(word, bit)| words[word] |= bit);
        return Chance::Filter(set as usize - 1);
    };
    let count = count(words);
    if count == before.most {
        convert(words, before, functions);
    }
    match level_of(count + 1) {
        Some(level) => {
            words[0] += ONE;
            level.put(words, count, level.part(hash));
        }
        None => places(hash, functions).for_each(|(word, bit)| words[word] |= bit),
    }
    Chance::Hashes(count as f64 * before.chance)
}

/// Makes room for one more than a level can hold.
#[cold]
fn convert(words: &mut Words, before: &Level, functions: u32) {
    let old = *words;
    *words = [0; WORDS];
    let after = level_of(before.most + 1);
    words[0] = if after.is_some() { old[0] % (1 << HEADER) } else { IS_FILTER };
    for at in 0..before.most {
        let hash = before.get(&old, at) << (u64::BITS - before.width);
        match after {
            Some(after) => after.put(words, at, after.part(hash)),
            None => places(hash, functions).for_each(|(word, bit)| words[word] |= bit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> Line {
        Line(std::array::from_fn(|_| AtomicU64::new(0)))
    }

    #[test]
    fn levels_fit() {
        for (at, level) in LEVELS.iter().enumerate() {
            let in_header = level.per_word - 1;
            assert_eq!(level.most, (WORDS - 1) * level.per_word + in_header);
            assert_eq!(level.most, 8 * at + 7);
            assert!(level.per_word as u32 * level.width <= 64);
            assert!(HEADER + in_header as u32 * level.width <= 64);
        }
    }

    #[test]
    fn nothing_is_forgotten() {
        let mut random = fastrand::Rng::with_seed(1);
        for round in 0..200_u64 {
            let line = line();
            // Some begin with zeros.
            let hashes: Vec<u64> = (0..100)
                .map(|_| random.u64(..) >> (random.u64(..) % (round + 1)).min(63))
                .collect();
            for (at, hash) in hashes.iter().enumerate() {
                line.add(*hash, 3);
                assert!(hashes[..=at].iter().all(|hash| line.holds(*hash, 3)));
                assert_eq!(line.add(*hash, 3), Added::Known);
            }
        }
    }

    #[test]
    fn what_is_not_there_is_seldom_found() {
        let mut random = fastrand::Rng::with_seed(2);
        let mut found = [0.0; 64];
        let mut expected = [0.0; 64];
        for _ in 0..4_000 {
            let line = line();
            for count in 0..64 {
                let chance = (0..50).filter(|_| line.holds(random.u64(..), 3)).count();
                found[count] += chance as f64 / 50.0;
                if let Added::New(was) = line.add(random.u64(..), 3) {
                    expected[count] += match was {
                        Chance::Hashes(chance) => chance,
                        Chance::Filter(set) => chance_of(set),
                    };
                }
            }
        }
        for count in 0..64 {
            let deviation: f64 = 0.1 * expected[count] + 2.0;
            assert!(
                (found[count] - expected[count]).abs() < deviation,
                "{count} {found:?} {expected:?}"
            );
        }
    }

    fn chance_of(set: usize) -> f64 {
        chance(set, 3)
    }
}
