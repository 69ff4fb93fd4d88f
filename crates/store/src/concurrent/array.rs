//! One array of a segment: probing, filling, copying into a larger one.

#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::entry::WideGlance;
use super::entry::{Blocked, Cells, Entry, Glance};
use crate::interleave::interleave;
use crate::prefetch::prefetch;
use crate::zeroed::{LARGE_PAGE, Zeroed};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Lines after the first growth.
const FIRST: usize = 8;
/// Larger arrays grow by a half, smaller ones by their length: then less is copied and cleared, but more is empty.
const LARGE: usize = (1 << 26) / LINE;
/// Lines of a large page.
const PAGE: usize = LARGE_PAGE / LINE;
/// Lines up to which a bold segment takes small pages.
const SHORT: usize = PAGE / 16;
/// Bytes of a line, whatever the entries are.
const LINE: usize = 64;
/// Lines that are copied in one go.
const CHUNK: usize = if cfg!(test) { 2 } else { 1024 };

/// The lines of a segment.
#[derive(Debug)]
pub(super) struct Array<E: Entry> {
    memory: Zeroed,
    len: usize,
    growth: Growth<E>,
}

/// What insertions change, away from what all read.
#[derive(Debug)]
#[repr(align(64))]
struct Growth<E: Entry> {
    /// Number of full lines.
    full: AtomicUsize,
    has_begun: AtomicBool,
    larger: AtomicPtr<Array<E>>,
    /// Chunks taken and chunks copied.
    taken: AtomicUsize,
    copied: AtomicUsize,
    /// Entries that do not lie in the range of their chunk.
    strays: Mutex<Vec<E>>,
}

impl<E: Entry> Default for Growth<E> {
    fn default() -> Self {
        Self {
            full: AtomicUsize::new(0),
            has_begun: AtomicBool::new(false),
            larger: AtomicPtr::default(),
            taken: AtomicUsize::new(0),
            copied: AtomicUsize::new(0),
            strays: Mutex::default(),
        }
    }
}

/// A look at a line, in either way.
type Look<E> = <<E as Entry>::Line as Cells<E>>::Look;
#[cfg(all(target_arch = "x86_64", not(miri)))]
type WideLook<E> = <<E as Entry>::Line as Cells<E>>::WideLook;

/// Where a probe ended.
pub(super) enum Probe<'a, E: Entry> {
    /// At an accepted entry.
    Found(E),
    /// At the first place that was empty or frozen.
    Vacant(Place<'a, E>),
    /// Nowhere: all places are taken.
    Full,
}

/// What has become of a key.
pub(super) struct Written {
    pub(super) is_new: bool,
    pub(super) is_crowded: bool,
}

/// A place of an array.
pub(super) struct Place<'a, E: Entry> {
    line: &'a E::Line,
    at: usize,
}

impl<E: Entry> Clone for Place<'_, E> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: Entry> Copy for Place<'_, E> {}

impl<E: Entry> Array<E> {
    pub(super) fn new(len: usize) -> Self {
        const { assert!(size_of::<E::Line>() == LINE && align_of::<E::Line>() == LINE) };
        let memory = Zeroed::new(len * LINE);
        Self { memory, len, growth: Growth::default() }
    }

    pub(super) fn bytes_used(&self) -> u64 {
        (self.memory.bytes() + size_of::<Self>()) as u64
    }

    /// Memory of the lines.
    pub(super) fn line_bytes(&self) -> u64 {
        self.memory.bytes() as u64
    }

    /// Gives back the pages and says how much less [`bytes_used`](Self::bytes_used) is in fact.
    pub(super) fn release(&self) -> u64 {
        if self.memory.release() > 0 { self.line_bytes() } else { 0 }
    }

    #[inline]
    fn lines(&self) -> &[E::Line] {
        // SAFETY: the memory holds `len` lines, aligned, and zeros are valid ones. It is
        // only ever used as lines of atomics.
        unsafe { std::slice::from_raw_parts(self.memory.start().cast().as_ptr(), self.len) }
    }

    #[inline]
    fn home(&self, rest: u32) -> usize {
        ((u64::from(rest) * self.len as u64) >> 32) as usize
    }

    /// The line where probes begin.
    #[inline]
    fn home_line(&self, rest: u32) -> &E::Line {
        let home = self.home(rest);
        debug_assert!(home < self.len);
        // SAFETY: `rest` is below 2^32, so its home is below the length.
        unsafe { self.lines().get_unchecked(home) }
    }

    #[inline]
    pub(super) fn prefetch(&self, rest: u32) {
        prefetch(self.home_line(rest));
    }

    /// The line where probes begin.
    #[inline]
    pub(super) fn address(&self, rest: u32) -> *const u8 {
        std::ptr::from_ref(self.home_line(rest)).cast()
    }

    /// Probes for an entry that is its own key.
    #[inline]
    pub(super) fn probe_key(&self, rest: u32, key: E) -> Probe<'_, E> {
        self.probe(rest, |line, look| look.has(line, key).then_some(key))
    }

    /// The same with longer words.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn probe_key_wide(&self, rest: u32, key: E) -> Probe<'_, E> {
        let home = self.home(rest);
        let mut index = home;
        loop {
            debug_assert!(index < self.len);
            // SAFETY: a home, or one further, is below the length.
            let line = unsafe { self.lines().get_unchecked(index) };
            let look = WideLook::<E>::at(line);
            if look.has(line, key) {
                return Probe::Found(key);
            }
            if let Some(at) = look.first_vacant() {
                return Probe::Vacant(Place { line, at });
            }
            index = if index + 1 == self.len { 0 } else { index + 1 };
            if index == home {
                return Probe::Full;
            }
        }
    }

    #[inline]
    fn probe(
        &self,
        rest: u32,
        mut find: impl FnMut(&E::Line, &Look<E>) -> Option<E>,
    ) -> Probe<'_, E> {
        let lines = self.lines();
        let home = self.home(rest);
        let mut index = home;
        loop {
            let line = &lines[index];
            // One look serves both questions: a place that is filled in between must not
            // be passed unseen.
            let look = Look::<E>::at(line);
            if let Some(entry) = find(line, &look) {
                return Probe::Found(entry);
            }
            if let Some(at) = look.first_vacant() {
                return Probe::Vacant(Place { line, at });
            }
            index = if index + 1 == lines.len() { 0 } else { index + 1 };
            if index == home {
                return Probe::Full;
            }
        }
    }

    /// Fills a place and says whether the array is crowded now; or why it cannot be.
    #[inline]
    pub(super) fn fill(&self, place: Place<'_, E>, entry: E) -> Result<bool, Blocked> {
        interleave();
        place.line.fill(place.at, entry)?;
        Ok(place.at == E::Line::WIDTH - 1 && self.count_full_line())
    }

    /// Fills a place that is empty and says whether the array is crowded now. No other thread may write, and no line may be frozen.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[inline]
    pub(super) fn write(&self, place: Place<'_, E>, entry: E) -> bool {
        place.line.put(place.at, entry);
        place.at == E::Line::WIDTH - 1 && self.count_own_full_line()
    }

    /// Writes an entry that is its own key where it is, or else to the first empty place. No other thread may write, and
    /// no line may be frozen.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn write_key(&self, rest: u32, key: E) -> Written {
        let mut index = self.home(rest);
        loop {
            debug_assert!(index < self.len);
            // SAFETY: a home, or one further, is below the length.
            let line = unsafe { self.lines().get_unchecked(index) };
            let look = WideLook::<E>::at(line);
            // A line is filled from its first entry on: what is empty comes after what is not.
            let (equal, empty) = look.equal_and_empty(key);
            let at = (equal | empty).trailing_zeros() as usize;
            if at < E::Line::WIDTH {
                line.put(at, key);
                let is_new = equal == 0;
                let is_crowded = at == E::Line::WIDTH - 1 && is_new && self.count_own_full_line();
                return Written { is_new, is_crowded };
            }
            // There is room somewhere: a crowded array grows before it is full.
            index = if index + 1 == self.len { 0 } else { index + 1 };
        }
    }

    fn count_full_line(&self) -> bool {
        self.is_crowded_by(self.growth.full.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// The same where no other thread writes.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[inline]
    fn count_own_full_line(&self) -> bool {
        // PERF: a locked addition waits for all that is still to be written.
        let full = self.growth.full.load(Ordering::Relaxed) + 1;
        self.growth.full.store(full, Ordering::Relaxed);
        self.is_crowded_by(full)
    }

    /// Whether so many full lines are too many.
    #[inline]
    fn is_crowded_by(&self, full: usize) -> bool {
        // Memory counts more than the second line that an absent one then often costs.
        full * 20 >= self.len * 11
    }

    pub(super) fn for_each(&self, visit: &mut impl FnMut(E)) {
        self.lines().iter().for_each(|line| line.for_each(&mut *visit));
    }

    /// The array that replaces this one, and whether it has been allocated by this call.
    pub(super) fn begin_growth(&self, pace: Pace) -> (&Self, bool) {
        let Growth { has_begun, larger, .. } = &self.growth;
        interleave();
        let first = !has_begun.swap(true, Ordering::Relaxed);
        if first {
            let array = Box::into_raw(Box::new(Self::new(larger_len(self.len, pace))));
            larger.store(array, Ordering::Release);
        }
        wait_until(|| !larger.load(Ordering::Relaxed).is_null());
        // SAFETY: it came from a box above and, like this array, is not freed before the table.
        (unsafe { &*larger.load(Ordering::Acquire) }, first)
    }

    /// Moves all entries into the array that replaces this one, in place: its pages are taken over, and entries are spread out from the
    /// last line on, since none belongs further forward than before. Less memory is touched than by copying. False if it cannot be
    /// done.
    ///
    /// # Safety
    /// No other thread uses the table, and nobody uses this array if it was done.
    pub(super) unsafe fn move_into(&self, larger: &Self, bits: u32) -> bool {
        // SAFETY: the larger one was not used yet; otherwise the caller's promise.
        if !unsafe { self.memory.move_to(&larger.memory) } {
            return false;
        }
        // To look at a line that was just written would mean to wait for it.
        let mut used = vec![0_u8; larger.len];
        // Lines before the one at hand are still as they were.
        let mut strays = Vec::new();
        let lines = larger.lines();
        for (at, line) in lines[..self.len].iter().enumerate().rev() {
            line.take(|entry| {
                let home = larger.home(rest(entry, bits));
                let mut to = home;
                while used.get(to).is_some_and(|used| usize::from(*used) == E::Line::WIDTH) {
                    to += 1;
                }
                match used.get_mut(to).filter(|_| home >= at) {
                    None => strays.push(entry),
                    Some(used) => {
                        lines[to].put(usize::from(*used), entry);
                        *used += 1;
                    }
                }
            });
        }
        let full = used.iter().filter(|used| usize::from(**used) == E::Line::WIDTH).count();
        larger.growth.full.fetch_add(full, Ordering::Relaxed);
        strays.into_iter().for_each(|stray| larger.put(stray, bits));
        true
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
        std::mem::take(&mut *strays).into_iter().for_each(|stray| larger.put(stray, bits));
        true
    }

    fn copy_chunk(&self, chunk: usize, larger: &Self, bits: u32) {
        let first = chunk * CHUNK;
        let end = (first + CHUNK).min(self.len);
        // Who belongs to one of these lines belongs to this chunk: both follow from the
        // tag in proportion. No other thread writes there for now.
        let own = (first * larger.len).div_ceil(self.len)..end * larger.len / self.len;
        let lines = larger.lines().get(own.clone()).unwrap_or_default();
        let mut used = vec![0_u8; lines.len()];
        let mut strays = Vec::new();
        for line in &self.lines()[first..end] {
            line.freeze(|entry| {
                let mut at = larger.home(rest(entry, bits)).wrapping_sub(own.start);
                while used.get(at).is_some_and(|used| usize::from(*used) == E::Line::WIDTH) {
                    at += 1;
                }
                match used.get_mut(at) {
                    None => strays.push(entry),
                    Some(used) => {
                        lines[at].put(usize::from(*used), entry);
                        *used += 1;
                    }
                }
            });
        }
        let full = used.iter().filter(|used| usize::from(**used) == E::Line::WIDTH).count();
        larger.growth.full.fetch_add(full, Ordering::Relaxed);
        if !strays.is_empty() {
            let mut all = self.growth.strays.lock().unwrap_or_else(PoisonError::into_inner);
            all.append(&mut strays);
        }
    }

    /// Adds an entry. No other thread may write to the array.
    fn put(&self, entry: E, bits: u32) {
        match self.probe(rest(entry, bits), |_, _| None) {
            Probe::Vacant(place) => {
                let filled = self.fill(place, entry);
                debug_assert!(filled.is_ok(), "nobody else writes");
            }
            Probe::Found(_) | Probe::Full => unreachable!("the larger array has room for all"),
        }
    }
}

/// Entries that are looked up by their tags.
impl Array<u64> {
    /// The first entry with this tag in its home line.
    #[inline]
    pub(super) fn first(&self, rest: u32, tag: u32) -> Option<u64> {
        let line = self.home_line(rest);
        let tagged = Look::<u64>::at(line).tagged(tag);
        if tagged.is_none() { None } else { line.get(tagged.first()) }
    }

    /// Probes for an entry with this tag that is accepted.
    #[inline]
    pub(super) fn probe_tag(
        &self,
        rest: u32,
        tag: u32,
        mut is_it: impl FnMut(u64) -> bool,
    ) -> Probe<'_, u64> {
        self.probe(rest, |line, look| {
            let mut candidates = look.tagged(tag);
            while !candidates.is_none() {
                // A place that was vacant may have been filled with any tag by now.
                let entry =
                    line.get(candidates.first()).filter(|entry| entry >> 32 == u64::from(tag));
                if let Some(entry) = entry.filter(|entry| is_it(*entry)) {
                    return Some(entry);
                }
                candidates = candidates.without_first();
            }
            None
        })
    }
}

/// An entry's tag without the bits that choose the segment.
fn rest<E: Entry>(entry: E, bits: u32) -> u32 {
    // As for a probe, which knows the tag alone: what follows it must not count.
    (u64::from(entry.tag()) << bits) as u32
}

/// How a segment grows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Its place among eighths of the table.
    pub(super) stagger: usize,
    /// There are few: each soon gets a large page of its own. To touch small ones for the first time costs ten times as much, byte by byte.
    pub(super) is_bold: bool,
}

/// Segments have different lengths so that they grow at different times; long ones fill
/// whole large pages: what is left over would be small ones, which cost a search a tenth
/// of its time.
pub(super) fn larger_len(len: usize, pace: Pace) -> usize {
    let Pace { stagger, is_bold } = pace;
    if len >= LARGE {
        return (len + len / 2).next_multiple_of(PAGE);
    }
    // From the first length on, not from that at hand: if what is rounded up were doubled, segments would soon be of one length.
    let mut larger = FIRST + stagger % FIRST;
    while larger <= len {
        larger *= 2;
    }
    if larger < PAGE && !(is_bold && larger > SHORT) {
        larger
    } else {
        larger.next_multiple_of(PAGE)
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
