//! Byte strings in blocks, each filled by one thread.
//!
//! A [`Number`] is block and slot, sixteen bits each: so a string is found through a
//! directory that never moves, and no table of offsets is needed. A slot is some bytes
//! wide, a power of two that the block's first string decides. The length is kept in
//! front of the string.
//!
//! A block belongs to one [`Writer`] at a time, who gives it back when it is dropped. A number
//! may be used by other threads once it has been handed on in a way that makes
//! writes visible (release and acquire), and strings that were handed on stay.

#![allow(unsafe_code)]

use crate::prefetch::prefetch_at;
use crate::zeroed::Zeroed;
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Where a string is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Number(pub(crate) u32);

const SLOTS: usize = 1 << 16;
/// One less than a number can say, so that no number is `u32::MAX`.
const BLOCKS: usize = (1 << 16) - 1;
/// The first block; each is twice as large as the one before, up to a full one.
const FIRST_BYTES: usize = 16 << 10;
/// Blocks of long strings have fewer slots.
const LONG_BYTES: usize = 4 << 20;
/// Memory is asked for in slabs of this size once there is much, for large pages.
const SLAB_BYTES: usize = 8 << 20;
/// Length that is followed by a longer one.
const LONG: u8 = u8::MAX;
const LONG_PREFIX: usize = 1 + size_of::<u32>();
/// Addresses are aligned to lines of the cache; below that the slot's width is kept.
const WIDTH_BITS: usize = 63;

/// Strings by number.
#[derive(Debug)]
pub(crate) struct Blocks {
    /// An [`AtomicPtr`] per block: its address plus the binary logarithm of its slot's width.
    directory: Zeroed,
    count: AtomicUsize,
    bytes: AtomicU64,
    pool: Mutex<Pool>,
}

#[derive(Debug, Default)]
struct Pool {
    slabs: Vec<Zeroed>,
    /// What is left of the last slab: a place in it.
    used: usize,
    /// Blocks given back with room in them.
    open: Vec<Open>,
}

/// A block that is being filled.
#[derive(Debug)]
struct Open {
    start: *mut u8,
    block: usize,
    /// Next slot and number of slots.
    next: usize,
    slots: usize,
    width: u32,
}

// SAFETY: an open block is written by its owner only, whichever thread that is.
unsafe impl Send for Open {}

/// What a thread needs to add strings.
#[derive(Debug)]
pub(crate) struct Writer {
    blocks: Arc<Blocks>,
    open: Option<Open>,
}

impl Blocks {
    pub(crate) fn new() -> Self {
        Self {
            directory: Zeroed::new(BLOCKS * size_of::<AtomicPtr<u8>>()),
            count: AtomicUsize::new(0),
            bytes: AtomicU64::new(0),
            pool: Mutex::default(),
        }
    }

    pub(crate) fn bytes_used(&self) -> u64 {
        let directory = self.count.load(Ordering::Relaxed) * size_of::<AtomicPtr<u8>>();
        self.bytes.load(Ordering::Relaxed) + directory as u64
    }

    /// Whether few blocks are left.
    pub(crate) fn are_nearly_used_up(&self) -> bool {
        self.count.load(Ordering::Relaxed) >= BLOCKS / 16 * 15
    }

    #[inline]
    fn directory(&self) -> &[AtomicPtr<u8>] {
        // SAFETY: allocated for so many, aligned, and zeros are null pointers.
        unsafe { std::slice::from_raw_parts(self.directory.start().cast().as_ptr(), BLOCKS) }
    }

    /// Where the string with this number, prefix first, begins.
    #[inline]
    fn address(&self, number: Number) -> *const u8 {
        let block = self.directory()[number.0 as usize >> 16].load(Ordering::Relaxed);
        let width = block.addr() & WIDTH_BITS;
        assert!(!block.is_null(), "a number of these blocks");
        let slot = number.0 as usize % SLOTS;
        block.map_addr(|address| address & !WIDTH_BITS).wrapping_add(slot << width)
    }

    /// The string with this number, which a [`Writer`] of these blocks must have returned.
    #[inline]
    pub(crate) fn get(&self, number: Number) -> &[u8] {
        let start = self.address(number);
        // SAFETY: `Number`s are made by `Writer::write` only, after a prefix and the string
        // were written there. They stay as they are: only who has withdrawn a number
        // that nobody else was told writes there again. Blocks are not freed before `self`.
        unsafe {
            match *start {
                LONG => {
                    let length = start.add(1).cast::<u32>().read_unaligned();
                    std::slice::from_raw_parts(start.add(LONG_PREFIX), length as usize)
                }
                length => std::slice::from_raw_parts(start.add(1), length as usize),
            }
        }
    }

    #[inline]
    pub(crate) fn prefetch(&self, number: Number) {
        let start = self.address(number);
        prefetch_at(start);
        // A string of ordinary length reaches into the next line at most.
        prefetch_at(start.wrapping_add(48));
    }

    #[cold]
    fn open(&self, needed: usize) -> Open {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |open: &Open| (open.slots - open.next) << open.width >= needed;
        if let Some(at) = pool.open.iter().position(fits) {
            return pool.open.swap_remove(at);
        }
        let block = self.count.load(Ordering::Relaxed);
        assert!(block < BLOCKS, "the store is full");
        // Wider slots waste more, but more fits into a block: the later the wider.
        let width = (needed / 16).max(4).ilog2() + (block >> 14) as u32;
        let full = (SLOTS << width).min(LONG_BYTES).max(needed.next_multiple_of(64));
        let bytes = if block < 8 { full.min(FIRST_BYTES << block).max(needed) } else { full };
        let bytes = bytes.next_multiple_of((1 << width).max(64));
        let start = pool.allocate(bytes, block);
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        let marked = start.map_addr(|address| address | width as usize);
        self.directory()[block].store(marked, Ordering::Relaxed);
        self.count.store(block + 1, Ordering::Relaxed);
        Open { start, block, next: 0, slots: (bytes >> width).min(SLOTS), width }
    }
}

impl Pool {
    fn allocate(&mut self, bytes: usize, block: usize) -> *mut u8 {
        let left = self.slabs.last().map_or(0, |slab| slab.bytes() - self.used);
        if left < bytes {
            let slab = if block < 16 { bytes } else { bytes.max(SLAB_BYTES) };
            self.slabs.push(Zeroed::new(slab));
            self.used = 0;
        }
        let slab = self.slabs.last().expect("one was added");
        let start = slab.start().as_ptr().wrapping_add(self.used);
        self.used += bytes;
        start
    }
}

impl Writer {
    pub(crate) fn new(blocks: &Arc<Blocks>) -> Self {
        Self { blocks: Arc::clone(blocks), open: None }
    }

    /// Writes a string and returns its number. Until [`keep`](Self::keep) is called the
    /// next string is written to the same place.
    #[inline]
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Number {
        let prefix = if bytes.len() < LONG as usize { 1 } else { LONG_PREFIX };
        let needed = prefix + bytes.len();
        let open = match &mut self.open {
            Some(open) if (open.slots - open.next) << open.width >= needed => open,
            _ => self.next_block(needed),
        };
        let start = open.start.wrapping_add(open.next << open.width);
        // SAFETY: the open block has `needed` bytes from here on, and they are this
        // writer's: no number was kept for them.
        unsafe {
            if prefix == 1 {
                start.write(bytes.len() as u8);
            } else {
                let length = u32::try_from(bytes.len()).expect("a state is less than 4 GB");
                start.write(LONG);
                start.add(1).cast::<u32>().write_unaligned(length);
            }
            start.add(prefix).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
        Number((open.block << 16 | open.next) as u32)
    }

    /// Keeps the string that was written last, given its length. Nobody must have been told its
    /// number otherwise.
    #[inline]
    pub(crate) fn keep(&mut self, length: usize) {
        if let Some(open) = &mut self.open {
            let prefix = if length < LONG as usize { 1 } else { LONG_PREFIX };
            open.next += (prefix + length).div_ceil(1 << open.width);
        }
    }

    #[cold]
    fn next_block(&mut self, needed: usize) -> &mut Open {
        // What is left of a block is too little for this string and given up.
        self.open.insert(self.blocks.open(needed))
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if let Some(open) = self.open.take() {
            let mut pool = self.blocks.pool.lock().unwrap_or_else(PoisonError::into_inner);
            pool.open.push(open);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lengths: impl Iterator<Item = usize>) -> f64 {
        let mut random = fastrand::Rng::with_seed(3);
        let blocks = Arc::new(Blocks::new());
        let mut writer = Writer::new(&blocks);
        let mut expected: Vec<(Number, Vec<u8>)> = Vec::new();
        for length in lengths {
            let bytes: Vec<u8> = (0..length).map(|_| random.u8(..)).collect();
            if random.u8(..4) == 0 {
                // Withdrawn.
                writer.write(&vec![1; length + random.usize(..2)]);
            }
            let number = writer.write(&bytes);
            writer.keep(length);
            expected.push((number, bytes));
            if random.u8(..200) == 0 {
                writer = Writer::new(&blocks);
            }
        }
        for (number, bytes) in &expected {
            assert_eq!(blocks.get(*number), bytes);
        }
        blocks.bytes_used() as f64 / expected.len() as f64
    }

    #[test]
    fn strings_come_back() {
        let per_string = check((0..300_000).map(|_| 20));
        assert!((24.0..26.0).contains(&per_string), "{per_string}");
        check((0..20_000).map(|_| 0));
        let mut random = fastrand::Rng::with_seed(4);
        check((0..40_000).map(|_| random.usize(..30)));
        check([254, 255, 256, 0, 1, 254, 255].into_iter());
        check(0..3_000);
        check((0..100).map(|index| 100_000 + index));
        check((0..3).map(|_| 9 << 20));
    }
}
