//! One array of a segment: probing, filling, copying into a larger one.

use super::{EMPTY, FROZEN};
use crate::interleave::interleave;
use crate::prefetch::prefetch;
use crate::zeroed::{LARGE_PAGE, Zeroed};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

const WIDTH: usize = 8;
/// Lines that are copied in one go.
const CHUNK: usize = if cfg!(test) { 2 } else { 1024 };
/// Lines that are looked at for an estimate.
const SAMPLE: usize = 256;

/// Eight entries, one line of the cache.
#[derive(Debug)]
#[repr(C, align(64))]
struct Line {
    entries: [AtomicU64; WIDTH],
}

/// The lines of a segment.
#[derive(Debug)]
pub(super) struct Array {
    memory: Zeroed,
    len: usize,
    growth: Growth,
}

/// What insertions change, away from what all read.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Growth {
    /// Number of full lines.
    full: AtomicUsize,
    has_begun: AtomicBool,
    larger: AtomicPtr<Array>,
    /// Chunks taken and chunks copied.
    taken: AtomicUsize,
    copied: AtomicUsize,
    /// Entries that do not lie in the range of their chunk.
    strays: Mutex<Vec<u64>>,
}

/// Where a probe ended.
pub(super) enum Probe<'a> {
    /// At an accepted entry.
    Found(u64),
    /// At the first place that was empty or frozen.
    Vacant(Place<'a>),
    /// Nowhere: all places are taken.
    Full,
}

/// A place of an array.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    line: &'a Line,
    at: usize,
}

impl Array {
    pub(super) fn new(len: usize) -> Self {
        let memory = Zeroed::new(len * size_of::<Line>());
        Self { memory, len, growth: Growth::default() }
    }

    pub(super) fn bytes_used(&self) -> u64 {
        (self.memory.bytes() + size_of::<Self>()) as u64
    }

    /// Gives back the pages and says how much less [`bytes_used`](Self::bytes_used) is in fact.
    pub(super) fn release(&self) -> u64 {
        if self.memory.release() > 0 { self.memory.bytes() as u64 } else { 0 }
    }

    #[inline]
    fn lines(&self) -> &[Line] {
        // SAFETY: the memory holds `len` lines, aligned, and zeros are valid ones. It is
        // only ever used as lines of atomics.
        unsafe { std::slice::from_raw_parts(self.memory.start().cast().as_ptr(), self.len) }
    }

    #[inline]
    fn home(&self, rest: u32) -> usize {
        ((u64::from(rest) * self.len as u64) >> 32) as usize
    }

    #[inline]
    pub(super) fn prefetch(&self, rest: u32) {
        prefetch(&self.lines()[self.home(rest)]);
    }

    /// The first entry with this tag in its home line.
    #[inline]
    pub(super) fn first(&self, rest: u32, tag: u32) -> Option<u64> {
        let entries = self.lines()[self.home(rest)].read();
        let first = entries.tagged(tag).trailing_zeros() as usize;
        entries.0.get(first).copied().filter(|entry| *entry != EMPTY && *entry != FROZEN)
    }

    /// Probes for an entry that is its own key.
    #[inline]
    pub(super) fn probe_key(&self, rest: u32, key: u64) -> Probe<'_> {
        self.probe(rest, |entries| (entries.equal(key) != 0).then_some(key))
    }

    /// Probes for an entry with this tag that is accepted.
    #[inline]
    pub(super) fn probe_tag(
        &self,
        rest: u32,
        tag: u32,
        mut is_it: impl FnMut(u64) -> bool,
    ) -> Probe<'_> {
        self.probe(rest, |entries| {
            let mut candidates = entries.tagged(tag);
            while candidates != 0 {
                let entry = entries.0[candidates.trailing_zeros() as usize % WIDTH];
                if entry != EMPTY && entry != FROZEN && is_it(entry) {
                    return Some(entry);
                }
                candidates &= candidates - 1;
            }
            None
        })
    }

    #[inline]
    fn probe(&self, rest: u32, mut find: impl FnMut(&Entries) -> Option<u64>) -> Probe<'_> {
        let lines = self.lines();
        let home = self.home(rest);
        let mut index = home;
        loop {
            let line = &lines[index];
            // One look serves both questions: a place that was filled in between must not
            // be passed unseen.
            let entries = line.read();
            if let Some(entry) = find(&entries) {
                return Probe::Found(entry);
            }
            let vacant = entries.vacant();
            if vacant != 0 {
                return Probe::Vacant(Place { line, at: vacant.trailing_zeros() as usize });
            }
            index = if index + 1 == lines.len() { 0 } else { index + 1 };
            if index == home {
                return Probe::Full;
            }
        }
    }

    /// Fills a place and says whether the array is crowded now; or tells what is there.
    #[inline]
    pub(super) fn fill(&self, place: Place<'_>, entry: u64) -> Result<bool, u64> {
        interleave();
        let atomic = &place.line.entries[place.at];
        atomic.compare_exchange(EMPTY, entry, Ordering::Release, Ordering::Relaxed)?;
        Ok(place.at == WIDTH - 1 && self.count_full_line())
    }

    fn count_full_line(&self) -> bool {
        let full = self.growth.full.fetch_add(1, Ordering::Relaxed) + 1;
        full * 20 >= self.len * 11
    }

    pub(super) fn len_estimate(&self) -> u64 {
        let step = self.len.div_ceil(SAMPLE);
        let sample = self.lines().iter().step_by(step);
        let lines = sample.len() as u64;
        let entries: u64 = sample.map(|line| line.read().occupied() as u64).sum();
        entries * self.len as u64 / lines.max(1)
    }

    pub(super) fn for_each(&self, visit: &mut impl FnMut(u64)) {
        for line in self.lines() {
            let entries = line.read();
            entries.0[..entries.occupied()].iter().for_each(|entry| visit(*entry));
        }
    }

    /// The array that replaces this one, and whether it has been allocated by this call.
    pub(super) fn begin_growth(&self) -> (&Self, bool) {
        let Growth { has_begun, larger, .. } = &self.growth;
        interleave();
        let first = !has_begun.swap(true, Ordering::Relaxed);
        if first {
            let array = Box::into_raw(Box::new(Self::new(larger_len(self.len))));
            larger.store(array, Ordering::Release);
        }
        wait_until(|| !larger.load(Ordering::Relaxed).is_null());
        // SAFETY: it came from a box above and, like this array, is not freed before the table.
        (unsafe { &*larger.load(Ordering::Acquire) }, first)
    }

    /// Takes part in the copying. True for the thread that finishes it.
    pub(super) fn copy_into(&self, larger: &Self, bits: u32) -> bool {
        let chunks = self.len.div_ceil(CHUNK);
        loop {
            let chunk = self.growth.taken.fetch_add(1, Ordering::Relaxed);
            if chunk >= chunks {
                return false;
            }
            self.copy_chunk(chunk, larger, bits);
            interleave();
            if self.growth.copied.fetch_add(1, Ordering::AcqRel) + 1 == chunks {
                break;
            }
        }
        let mut strays = self.growth.strays.lock().unwrap_or_else(PoisonError::into_inner);
        let all = 0..larger.len;
        let mut full = 0;
        for stray in std::mem::take(&mut *strays) {
            let home = larger.home(rest(stray, bits));
            if !larger.put(home..all.end, stray, &mut full) {
                larger.put(all.clone(), stray, &mut full);
            }
        }
        larger.growth.full.fetch_add(full, Ordering::Relaxed);
        true
    }

    fn copy_chunk(&self, chunk: usize, larger: &Self, bits: u32) {
        let first = chunk * CHUNK;
        let end = (first + CHUNK).min(self.len);
        // Who belongs to one of these lines belongs to this chunk: both follow from the
        // tag in proportion. No other thread writes there for now.
        let own = (first * larger.len).div_ceil(self.len)..end * larger.len / self.len;
        let mut strays = Vec::new();
        let mut full = 0;
        for line in &self.lines()[first..end] {
            for place in &line.entries {
                let mut entry = place.load(Ordering::Acquire);
                if entry == EMPTY {
                    interleave();
                    let (success, failure) = (Ordering::Relaxed, Ordering::Acquire);
                    match place.compare_exchange(EMPTY, FROZEN, success, failure) {
                        // Nothing is behind it, nor ever will be.
                        Ok(_) => break,
                        Err(filled) => entry = filled,
                    }
                }
                let home = larger.home(rest(entry, bits));
                if !(own.contains(&home) && larger.put(home..own.end, entry, &mut full)) {
                    strays.push(entry);
                }
            }
        }
        larger.growth.full.fetch_add(full, Ordering::Relaxed);
        if !strays.is_empty() {
            let mut all = self.growth.strays.lock().unwrap_or_else(PoisonError::into_inner);
            all.append(&mut strays);
        }
    }

    /// Puts an entry into the first of these lines with an empty place, if there is one.
    /// No other thread may write to these lines.
    #[inline]
    fn put(&self, lines: std::ops::Range<usize>, entry: u64, full: &mut usize) -> bool {
        for line in &self.lines()[lines] {
            for (at, place) in line.entries.iter().enumerate() {
                if place.load(Ordering::Relaxed) == EMPTY {
                    place.store(entry, Ordering::Relaxed);
                    *full += usize::from(at == WIDTH - 1);
                    return true;
                }
            }
        }
        false
    }
}

/// An entry's tag without the bits that choose the segment.
fn rest(entry: u64, bits: u32) -> u32 {
    ((entry << bits) >> 32) as u32
}

/// Small arrays double, large ones grow by a half, in whole large pages.
fn larger_len(len: usize) -> usize {
    let page = LARGE_PAGE / size_of::<Line>();
    let larger = if len < 64 { len * 2 } else { len + len / 2 };
    if larger * 4 < page * 3 { larger } else { larger.next_multiple_of(page) }
}

impl Line {
    #[inline]
    fn read(&self) -> Entries {
        Entries(std::array::from_fn(|at| self.entries[at].load(Ordering::Acquire)))
    }
}

/// What one look at a line has shown.
struct Entries([u64; WIDTH]);

impl Entries {
    /// A bit for each entry that equals `key`.
    #[inline]
    fn equal(&self, key: u64) -> u32 {
        self.bits(|entry| entry == key)
    }

    /// A bit for each entry with this tag, and perhaps for vacant ones.
    #[inline]
    fn tagged(&self, tag: u32) -> u32 {
        self.bits(|entry| (entry >> 32) as u32 == tag)
    }

    /// A bit for each entry that is empty or frozen.
    #[inline]
    fn vacant(&self) -> u32 {
        self.bits(|entry| entry.wrapping_add(1) <= 1)
    }

    fn occupied(&self) -> usize {
        self.vacant().trailing_zeros().min(WIDTH as u32) as usize
    }

    #[inline]
    fn bits(&self, is: impl Fn(u64) -> bool) -> u32 {
        let entries = self.0.iter().enumerate();
        entries.fold(0, |bits, (at, entry)| bits | u32::from(is(*entry)) << at)
    }
}

/// Waits for another thread.
pub(super) fn wait_until(is_so: impl Fn() -> bool) {
    let mut tries = 0_u32;
    while !is_so() {
        tries += 1;
        if tries < 100 { std::hint::spin_loop() } else { std::thread::yield_now() }
    }
}
