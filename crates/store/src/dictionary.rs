//! Dense numbers for 64-bit values.
//!
//! Values lie in chunks that never move, each twice as long as the one before; an index
//! maps hashes of values to numbers. Threads share it without locks: a number is taken,
//! its value written, and then published by the index entry that refers to it. Who
//! loses a race for a value leaves the number to the next one, so numbers are dense up to
//! a few.

#![allow(unsafe_code)]

use crate::concurrent::{Found, Table};
use crate::zeroed::Zeroed;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Binary logarithm of the length of the first chunk.
const FIRST_BITS: u32 = 6;
const FIRST: u32 = 1 << FIRST_BITS;
/// Numbers stay below this.
const LIMIT: u32 = 1 << 31;
const CHUNKS: usize = (32 - FIRST_BITS) as usize;
/// From here on a dictionary calls itself nearly full.
const NEARLY: u32 = LIMIT - (LIMIT >> 3);

/// What the dictionaries of a store have in common.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    bytes: AtomicU64,
    /// The largest number of values in one dictionary, about.
    longest: AtomicU32,
}

impl Meter {
    /// Memory of all dictionaries.
    pub(crate) fn bytes_used(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Whether one of them has little room left.
    pub(crate) fn is_nearly_full(&self) -> bool {
        self.longest.load(Ordering::Relaxed) >= NEARLY
    }
}

/// A bijection between values and numbers.
#[derive(Debug)]
pub(crate) struct Dictionary {
    /// Pointers into `memory`.
    chunks: [AtomicPtr<AtomicU64>; CHUNKS],
    index: Table,
    next: AtomicU32,
    /// One more than a number that was taken and not used, or 0.
    spare: AtomicU32,
    /// Length when it was last asked about growth.
    marked: AtomicU32,
    /// Bytes of this dictionary that the meter knows of.
    metered: AtomicU64,
    meter: Arc<Meter>,
    memory: Mutex<Vec<Zeroed>>,
    direct: Option<Direct>,
}

/// Numbers that are values, counted from some value on: nothing has to be kept of them.
#[derive(Debug)]
struct Direct {
    base: u64,
    /// The bits that values have, 32 at most.
    mask: u64,
    /// Those that have the first numbers.
    first: Option<Arc<[u32]>>,
}

impl Direct {
    #[inline]
    fn value(&self, number: u32) -> u64 {
        let counted = u64::from(number).wrapping_add(self.base);
        let Some(first) = &self.first else { return counted & self.mask };
        let counted = counted & u64::from(u32::MAX);
        let Some(others) = counted.checked_sub(first.len() as u64) else {
            return u64::from(first[counted as usize]);
        };
        // Behind the list the others follow, in their order.
        first.iter().fold(others, |value, listed| value + u64::from(u64::from(*listed) <= value))
    }

    fn number(&self, value: u64) -> u32 {
        let Some(first) = &self.first else {
            return (value.wrapping_sub(self.base) & self.mask) as u32;
        };
        let counted = match first.binary_search_by(|v| u64::from(*v).cmp(&value)) {
            Ok(place) => place as u64,
            Err(less) => first.len() as u64 + value - less as u64,
        };
        counted.wrapping_sub(self.base) as u32
    }
}

impl Dictionary {
    pub(crate) fn new(meter: &Arc<Meter>) -> Self {
        let dictionary = Self {
            chunks: [const { AtomicPtr::new(std::ptr::null_mut()) }; CHUNKS],
            index: Table::new(1),
            next: AtomicU32::new(0),
            spare: AtomicU32::new(0),
            marked: AtomicU32::new(0),
            metered: AtomicU64::new(0),
            meter: Arc::clone(meter),
            memory: Mutex::default(),
            direct: None,
        };
        dictionary.measure();
        dictionary
    }

    /// One for values with these bits, the lowest 32 at most, whose numbers count from `base` on, or are places
    /// in a list of the `first` ones.
    pub(crate) fn direct(
        meter: &Arc<Meter>,
        base: u64,
        mask: u64,
        first: Option<Arc<[u32]>>,
    ) -> Self {
        debug_assert!(mask <= u64::from(u32::MAX) && (mask + 1).is_power_of_two());
        Self { direct: Some(Direct { base, mask, first }), ..Self::new(meter) }
    }

    /// One more than the largest number given so far.
    pub(crate) fn len(&self) -> u32 {
        self.next.load(Ordering::Relaxed).min(LIMIT)
    }

    /// Length at the last call of [`mark`](Self::mark).
    pub(crate) fn marked(&self) -> u32 {
        self.marked.load(Ordering::Relaxed)
    }

    /// Remembers the length.
    pub(crate) fn mark(&self) {
        self.marked.store(self.len(), Ordering::Relaxed);
    }

    /// The value of a number that [`intern`](Self::intern) has given.
    #[inline]
    pub(crate) fn value(&self, number: u32) -> u64 {
        if let Some(direct) = &self.direct {
            return direct.value(number);
        }
        let (chunk, at) = place(number);
        let start = self.chunks[chunk].load(Ordering::Acquire);
        if start.is_null() {
            return 0;
        }
        // SAFETY: a chunk that is there is as long as `place` takes it to be, and is
        // freed with the dictionary only.
        unsafe { &*start.add(at) }.load(Ordering::Relaxed)
    }

    /// The number of a value.
    ///
    /// Beyond two thousand million values it gives a wrong one; the meter warns
    /// long before.
    #[inline]
    pub(crate) fn intern(&self, value: u64) -> u32 {
        if let Some(direct) = &self.direct {
            let number = direct.number(value);
            self.next.fetch_max(number.saturating_add(1), Ordering::Relaxed);
            return number;
        }
        let tag = tag(value);
        let is_it = |entry: u64| self.value(entry as u32 - 1) == value;
        let found = match self.index.find(tag, is_it) {
            Some(entry) => entry,
            None => self.add(value, tag),
        };
        found as u32 - 1
    }

    #[cold]
    fn add(&self, value: u64, tag: u32) -> u64 {
        let is_it = |entry: u64| self.value(entry as u32 - 1) == value;
        let make = || u64::from(tag) << 32 | u64::from(self.take(value) + 1);
        match self.index.find_or_insert(tag, is_it, make) {
            Found::At(entry) => entry,
            Found::Added(entry) => {
                let number = entry as u32 - 1;
                if number.is_power_of_two() || number.is_multiple_of(4096) {
                    self.measure();
                }
                entry
            }
            Found::Lost { at, made } => {
                self.spare.store(made as u32, Ordering::Release);
                at
            }
        }
    }

    /// A number that nobody else has, with its value written.
    fn take(&self, value: u64) -> u32 {
        // Acquire: what the former owner has written comes before what we write.
        let number = match self.spare.swap(0, Ordering::Acquire) {
            0 => self.next.fetch_add(1, Ordering::Relaxed),
            spare => spare - 1,
        };
        if number >= LIMIT - 1 {
            // Many more calls must not overflow the counter.
            self.next.store(LIMIT, Ordering::Relaxed);
        }
        let number = number.min(LIMIT - 1);
        let (chunk, at) = place(number);
        let mut start = self.chunks[chunk].load(Ordering::Acquire);
        if start.is_null() {
            start = self.add_chunk(chunk);
        }
        // SAFETY: as in `value`.
        unsafe { &*start.add(at) }.store(value, Ordering::Relaxed);
        number
    }

    #[cold]
    fn add_chunk(&self, chunk: usize) -> *mut AtomicU64 {
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let start = self.chunks[chunk].load(Ordering::Acquire);
        if !start.is_null() {
            return start;
        }
        let bytes = size_of::<AtomicU64>() << (FIRST_BITS as usize + chunk);
        let piece = Zeroed::new(bytes);
        let start = piece.start().cast::<AtomicU64>().as_ptr();
        memory.push(piece);
        self.chunks[chunk].store(start, Ordering::Release);
        start
    }

    /// Tells the meter how much there is now.
    #[cold]
    fn measure(&self) {
        let len = if self.direct.is_some() { 0 } else { self.len() };
        // Chunks in use; of the last one, the pages.
        let bytes = size_of::<Self>() as u64
            + self.index.bytes_used()
            + u64::from(len.max(FIRST)) * size_of::<u64>() as u64;
        let before = self.metered.swap(bytes, Ordering::Relaxed);
        // Wrapping: the sum of all differences is right whatever their order.
        self.meter.bytes.fetch_add(bytes.wrapping_sub(before), Ordering::Relaxed);
        self.meter.longest.fetch_max(len, Ordering::Relaxed);
    }

    /// Frees what growth has replaced, while no thread is inside.
    pub(crate) fn quiesce(&self) {
        self.index.quiesce();
        self.measure();
    }
}

/// Chunk of a number, and where in it.
#[inline]
fn place(number: u32) -> (usize, usize) {
    let shifted = number + FIRST;
    let bits = shifted.ilog2();
    ((bits - FIRST_BITS) as usize, (shifted - (1 << bits)) as usize)
}

/// Where the index files a value.
#[inline]
fn tag(value: u64) -> u32 {
    let mixed = (value ^ (value >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn direct_numbers_are_values() {
        let meter = Arc::new(Meter::default());
        let dictionary = Dictionary::direct(&meter, 0xfffe, 0xffff, None);
        for (value, number) in [(0xfffe, 0), (0xffff, 1), (0, 2), (7, 9), (0xfffd, 0xffff)] {
            assert_eq!(dictionary.intern(value), number);
            assert_eq!(dictionary.value(number), value);
        }
        assert_eq!(dictionary.len(), 0x1_0000);
        dictionary.quiesce();
        assert!(!meter.is_nearly_full() && meter.bytes_used() < 10_000);
        let wide = Dictionary::direct(&meter, 1, u64::from(u32::MAX), None);
        assert_eq!(wide.value(wide.intern(0)), 0);
        let listed = Dictionary::direct(&meter, 0, 0xff, Some([3, 7, 200].into()));
        let numbers: Vec<u32> = (0..=255).map(|value| listed.intern(value)).collect();
        assert_eq!([numbers[3], numbers[7], numbers[200], numbers[0]], [0, 1, 2, 3]);
        assert!((0..=255).all(|value| listed.value(numbers[value as usize]) == value));
        let later = Dictionary::direct(&meter, 2, 0xff, Some([3, 7, 200].into()));
        assert_eq!((later.intern(200), later.value(0)), (0, 200));
        assert!((0..=255).all(|value| later.value(later.intern(value)) == value));
        let wide = Dictionary::direct(&meter, 0, u64::from(u32::MAX), Some([0, 5, 6].into()));
        let all = (0..9).chain(u64::from(u32::MAX) - 9..=u64::from(u32::MAX));
        let numbers: std::collections::BTreeSet<u32> =
            all.clone().map(|v| wide.intern(v)).collect();
        assert_eq!(numbers.len(), 19);
        assert!(all.into_iter().all(|value| wide.value(wide.intern(value)) == value));
    }

    #[test]
    fn numbers_are_dense_and_lead_back() {
        let mut random = fastrand::Rng::with_seed(2);
        let meter = Arc::new(Meter::default());
        let dictionary = Dictionary::new(&meter);
        let mut known = HashMap::new();
        for _ in 0..100_000 {
            let value = random.u64(..) >> random.u32(40..64);
            let next = known.len() as u32;
            let expected = *known.entry(value).or_insert(next);
            assert_eq!(dictionary.intern(value), expected);
            assert_eq!(dictionary.value(expected), value);
        }
        assert_eq!(dictionary.len() as usize, known.len());
        let bytes = meter.bytes_used() / known.len() as u64;
        assert!((16..64).contains(&bytes), "{bytes}");
        assert!(!meter.is_nearly_full());
    }

    #[test]
    fn places_fill_the_chunks() {
        let mut expected = (0, 0);
        for number in 0..10_000 {
            assert_eq!(place(number), expected, "{number}");
            expected.1 += 1;
            if expected.1 == (FIRST as usize) << expected.0 {
                expected = (expected.0 + 1, 0);
            }
        }
        assert!(place(LIMIT - 1).0 < CHUNKS);
    }

    #[test]
    fn threads_agree() {
        let meter = Arc::new(Meter::default());
        let dictionary = Dictionary::new(&meter);
        let seen: Vec<Vec<u32>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|thread| {
                    let dictionary = &dictionary;
                    scope.spawn(move || {
                        let mut order: Vec<u64> = (0..5000).collect();
                        fastrand::Rng::with_seed(thread).shuffle(&mut order);
                        let mut numbers = vec![0; order.len()];
                        for value in order {
                            let number = dictionary.intern(value * value);
                            assert_eq!(dictionary.value(number), value * value);
                            numbers[value as usize] = number;
                        }
                        numbers
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(seen.windows(2).all(|pair| pair[0] == pair[1]));
        let mut numbers = seen[0].clone();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), 5000);
        assert!(dictionary.len() < 5000 + 64, "{} numbers for 5000 values", dictionary.len());
    }
}
