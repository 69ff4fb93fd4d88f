//! The table under all shared stores: a lock-free multimap that grows.
//!
//! Open addressing over 64-bit entries. The upper half of an entry, its tag,
//! decides where it belongs, in proportion: so an array grows by any factor
//! without a look at the keys, and what was in order stays in order. A probe begins
//! at the first of the eight entries of a line of the cache, goes on through the
//! line and through the lines after it. The table is cut into segments by the first bits of
//! the tag; each has its own array and grows on its own.
//!
//! # Why no entry is there twice
//!
//! 1. An entry of an array changes once: from empty to what was inserted, or from
//!    empty to frozen. All changes are compare-and-swaps from empty.
//! 2. Who inserts takes the first empty place in the order of its probe, having seen
//!    something else in all places before that, by 1 for good. So the places of a line
//!    fill from the first on, and no place behind a frozen one of the same line, nor any
//!    probe beyond it, is ever used.
//! 3. Let two threads insert what both accept as the same into one array, at
//!    different places of the common order of their probes. The one with the later place
//!    passed the earlier place when something was there, which was there for good:
//!    the other's entry. It would have been accepted. If a compare-and-swap fails the
//!    same place is looked at again, so this holds for it too.
//! 4. Growth freezes the first empty place of each line; after that the line cannot
//!    change (2). So all that was ever inserted into the old array is copied. The new
//!    array is published when all is copied, and is filled by others only after.
//!    Who meets a frozen place inserts nothing in the old array. So 3 holds across arrays.
//! 5. A look-up that ends at an empty or frozen place has seen the set as it was
//!    when the array was current: nothing was inserted anywhere between the
//!    freezing and the publication.
//!
//! # Who sees what
//!
//! An entry is inserted with release and read with acquire, so whatever it refers to
//! (bytes, a dictionary's value) is visible to who finds it. Copying reads with acquire
//! and hands on through the acquire-release counter of finished chunks and the
//! release of the array's address, read with acquire.
//!
//! # Growth
//!
//! Lines that became full are counted, which few insertions do; whoever fills one too
//! many begins to grow the segment. Threads that need the segment meanwhile take part in the
//! copying, chunk by chunk. A chunk of old lines corresponds to a range of new lines into which
//! only its own entries go; the few that were pushed across a border are put
//! aside and placed by the thread that finishes last.
//!
//! Where one thread has the table for itself, an array is grown in place: its pages become the first ones of
//! the larger array ([`Array::move_into`]).
//!
//! Replaced arrays stay mapped until the table is dropped, as a thread may still read
//! them; [`Table::quiesce`] gives their pages back.

#![allow(unsafe_code)]

mod array;
mod claimed;
mod entry;
mod line;
mod long;
mod quad;
#[cfg(test)]
mod tests;

use array::{Array, Pace, Probe};
use entry::Blocked;
pub use entry::Entry;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Few, for large pages; more than one, so that growth does not copy everything at once.
const SEGMENTS: usize = 4;
/// So many segments at most are bold. One alone is that of a dictionary, of which there are many.
const BOLD: usize = 4;

const EMPTY: u64 = 0;
const FROZEN: u64 = u64::MAX;

/// A multimap from tags to entries.
#[derive(Debug)]
pub struct Table<E: Entry = u64> {
    segments: Box<[Segment<E>]>,
    /// Binary logarithm of the number of segments.
    bits: u32,
    bytes: AtomicU64,
    /// One thread has it for itself.
    is_alone: AtomicBool,
    retired: Mutex<Retired<E>>,
}

/// A cache line each, so that growth of one does not slow down the others.
#[derive(Debug)]
#[repr(align(64))]
struct Segment<E: Entry> {
    /// From `Box::into_raw`. Valid until the table is dropped, as all its predecessors.
    array: AtomicPtr<Array<E>>,
}

/// Arrays that were replaced.
#[derive(Debug)]
struct Retired<E: Entry> {
    arrays: Vec<NonNull<Array<E>>>,
    /// How many of them have given back their pages.
    released: usize,
}

// SAFETY: the arrays belong to the table and are shared by atomics only.
unsafe impl<E: Entry> Send for Table<E> {}
// SAFETY: as above; the list of retired ones is under a mutex.
unsafe impl<E: Entry> Sync for Table<E> {}

/// Answer of [`Table::find_or_insert`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// This entry was there.
    At(u64),
    /// The entry that was made is there now.
    Added(u64),
    /// While the entry `made` was made another thread has added `at`.
    Lost {
        /// The entry in the table.
        at: u64,
        /// The entry that is not needed.
        made: u64,
    },
}

impl<E: Entry> Default for Table<E> {
    fn default() -> Self {
        Self::new(SEGMENTS)
    }
}

impl<E: Entry> Table<E> {
    /// An empty one with a power of two of segments. More segments grow in smaller
    /// steps; fewer ones make better use of large pages.
    pub(crate) fn new(segments: usize) -> Self {
        assert!(segments.is_power_of_two(), "the number of segments is a power of two");
        let first = || Box::into_raw(Box::new(Array::new(1)));
        let segment = |_| Segment { array: AtomicPtr::new(first()) };
        let segments: Box<[Segment<E>]> = (0..segments).map(segment).collect();
        let bytes = segments.iter().map(|segment| segment.current().bytes_used()).sum::<u64>()
            + size_of_val(&*segments) as u64;
        Self {
            bits: segments.len().ilog2(),
            segments,
            bytes: AtomicU64::new(bytes),
            is_alone: AtomicBool::new(false),
            retired: Mutex::new(Retired { arrays: Vec::new(), released: 0 }),
        }
    }

    /// Adds an entry that is its own key; false if it was there.
    #[inline]
    pub(crate) fn insert_key(&self, key: E) -> bool {
        debug_assert!(key.is_possible());
        let (segment, rest) = self.place(key.tag());
        let array = segment.current();
        let probe = array.probe_key(rest, key);
        self.complete(segment, array, rest, key, &probe)
    }

    /// Says whether one thread has the table for itself from now on: to swap in an entry costs more than to write it.
    pub(crate) fn set_alone(&self, is_alone: bool) {
        self.is_alone.store(is_alone, Ordering::Relaxed);
    }

    /// Adds an entry that is its own key after a first look for it.
    #[inline(always)]
    fn complete(
        &self,
        segment: &Segment<E>,
        array: &Array<E>,
        rest: u32,
        key: E,
        probe: &Probe<'_, E>,
    ) -> bool {
        match probe {
            Probe::Found(_) => false,
            Probe::Vacant(place) => match array.fill(*place, key) {
                Ok(false) => true,
                Ok(true) => {
                    self.grow(segment, array);
                    true
                }
                Err(_) => self.insert_again(segment, rest, key),
            },
            Probe::Full => self.insert_again(segment, rest, key),
        }
    }

    /// Adds an entry that is its own key when others are in the way.
    #[cold]
    fn insert_again(&self, segment: &Segment<E>, rest: u32, key: E) -> bool {
        loop {
            let array = segment.current();
            match array.probe_key(rest, key) {
                Probe::Found(_) => return false,
                Probe::Full => self.grow(segment, array),
                Probe::Vacant(place) => match array.fill(place, key) {
                    Ok(is_crowded) => {
                        if is_crowded {
                            self.grow(segment, array);
                        }
                        return true;
                    }
                    Err(Blocked::Frozen) => self.grow(segment, array),
                    Err(_) => {}
                },
            }
        }
    }

    /// Adds entries that are their own keys; appends the numbers of those that were not
    /// there, with what `of` makes of them.
    #[inline]
    pub(crate) fn insert_keys<R>(&self, keys: &[E], new: &mut Vec<(u32, R)>, of: impl Fn(E) -> R) {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if std::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has these instructions.
            unsafe {
                if self.is_alone.load(Ordering::Relaxed) {
                    self.insert_keys_alone(keys, new, of);
                } else {
                    self.insert_keys_wide(keys, new, of);
                }
            }
            return;
        }
        for (number, key) in (0..).zip(keys) {
            if self.insert_key(*key) {
                new.push((number, of(*key)));
            }
        }
    }

    /// The same with longer words.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[target_feature(enable = "avx2")]
    fn insert_keys_wide<R>(&self, keys: &[E], new: &mut Vec<(u32, R)>, of: impl Fn(E) -> R) {
        new.reserve(keys.len());
        let locator = self.locator();
        for (number, key) in (0..).zip(keys) {
            let (segment, rest) = locator.place(key.tag());
            let array = segment.current();
            let probe = array.probe_key_wide(rest, *key);
            if self.complete(segment, array, rest, *key, &probe) {
                new.push((number, of(*key)));
            }
        }
    }

    /// The same where no other thread writes. Whether an entry is there cannot be foretold, so nothing depends on
    /// it: it is written in any case, and its number is overwritten by the next one if it was there.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[target_feature(enable = "avx2")]
    fn insert_keys_alone<R>(&self, keys: &[E], new: &mut Vec<(u32, R)>, of: impl Fn(E) -> R) {
        new.reserve(keys.len());
        let (places, mut len) = (new.as_mut_ptr(), new.len());
        let locator = self.locator();
        for (number, key) in (0..).zip(keys) {
            let (segment, rest) = locator.place(key.tag());
            let array = segment.current();
            let written = array.write_key(rest, *key);
            // SAFETY: there is room for all keys.
            unsafe { places.add(len).write((number, of(*key))) };
            len += usize::from(written.is_new);
            if written.is_crowded {
                self.grow(segment, array);
            }
        }
        // SAFETY: as many have been written.
        unsafe { new.set_len(len) };
    }

    /// Adds the first of some entries, which are their own keys, that is not there; says which one it is.
    #[inline]
    pub(crate) fn insert_first(&self, keys: &[E]) -> Option<usize> {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if std::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has these instructions.
            return unsafe { self.insert_first_wide(keys) };
        }
        keys.iter().position(|key| self.insert_key(*key))
    }

    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[target_feature(enable = "avx2")]
    fn insert_first_wide(&self, keys: &[E]) -> Option<usize> {
        let locator = self.locator();
        let is_alone = self.is_alone.load(Ordering::Relaxed);
        for (number, key) in keys.iter().enumerate() {
            let (segment, rest) = locator.place(key.tag());
            let array = segment.current();
            let probe = array.probe_key_wide(rest, *key);
            if let (Probe::Vacant(place), true) = (&probe, is_alone) {
                if array.write(*place, *key) {
                    self.grow(segment, array);
                }
                return Some(number);
            }
            if self.complete(segment, array, rest, *key, &probe) {
                return Some(number);
            }
        }
        None
    }

    /// Appends the numbers of those among some entries, which are their own keys, that are not there.
    #[inline]
    pub(crate) fn absent(&self, keys: &[E], out: &mut Vec<u32>) {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if std::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has these instructions.
            unsafe { self.absent_wide(keys, out) };
            return;
        }
        out.extend((0..).zip(keys).filter(|(_, key)| !self.contains_key(**key)).map(|(at, _)| at));
    }

    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[target_feature(enable = "avx2")]
    fn absent_wide(&self, keys: &[E], out: &mut Vec<u32>) {
        out.reserve(keys.len());
        let locator = self.locator();
        let (places, mut len) = (out.as_mut_ptr(), out.len());
        for (number, key) in (0..).zip(keys) {
            let (segment, rest) = locator.place(key.tag());
            let is_there = matches!(segment.current().probe_key_wide(rest, *key), Probe::Found(_));
            // SAFETY: there is room for all.
            unsafe { places.add(len).write(number) };
            len += usize::from(!is_there);
        }
        // SAFETY: as many have been written.
        unsafe { out.set_len(len) };
    }

    /// Whether an entry that is its own key is there.
    #[inline]
    pub(crate) fn contains_key(&self, key: E) -> bool {
        let (segment, rest) = self.place(key.tag());
        matches!(segment.current().probe_key(rest, key), Probe::Found(_))
    }

    /// Tells where probes begin.
    #[inline]
    pub(crate) fn locator(&self) -> Locator<'_, E> {
        Locator { segments: &self.segments, bits: self.bits }
    }

    /// Gives back the pages of arrays that were replaced. To be called while no thread
    /// is inside an operation; otherwise an insertion may be lost.
    pub(crate) fn quiesce(&self) {
        let mut retired = self.retired.lock().unwrap_or_else(PoisonError::into_inner);
        let released = retired.released;
        for array in &retired.arrays[released..] {
            // SAFETY: retired arrays are valid until the table is dropped.
            let freed = unsafe { array.as_ref() }.release();
            self.bytes.fetch_sub(freed, Ordering::Relaxed);
        }
        retired.released = retired.arrays.len();
    }

    /// Memory allocated.
    pub(crate) fn bytes_used(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Calls `visit` for every entry, in no particular order. Entries that are added
    /// meanwhile may be missed.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(E)) {
        self.segments.iter().for_each(|segment| segment.current().for_each(&mut visit));
    }

    /// A tag's segment, and the rest of the tag, by which it is placed there.
    #[inline]
    fn place(&self, tag: u32) -> (&Segment<E>, u32) {
        self.locator().place(tag)
    }

    /// Replaces `array` by a larger one, or helps with that, and returns when it is done.
    #[cold]
    fn grow(&self, segment: &Segment<E>, array: &Array<E>) {
        let at = self.segments.iter().position(|other| std::ptr::eq(other, segment)).unwrap_or(0);
        let count = self.segments.len();
        let pace = Pace { stagger: at * 8 / count, is_bold: (2..=BOLD).contains(&count) };
        let (larger, allocated) = array.begin_growth(pace);
        if allocated {
            self.bytes.fetch_add(larger.bytes_used(), Ordering::Relaxed);
        }
        // SAFETY: nobody else uses the table, and who has called this looks for the array again.
        let is_moved = allocated
            && self.is_alone.load(Ordering::Relaxed)
            && unsafe { array.move_into(larger, self.bits) };
        if is_moved {
            self.bytes.fetch_sub(array.line_bytes(), Ordering::Relaxed);
        }
        if is_moved || array.copy_into(larger, self.bits) {
            let larger = std::ptr::from_ref(larger).cast_mut();
            segment.array.store(larger, Ordering::Release);
            let mut retired = self.retired.lock().unwrap_or_else(PoisonError::into_inner);
            retired.arrays.push(NonNull::from(array));
            return;
        }
        array::wait_until(|| !std::ptr::eq(segment.current(), array));
    }
}

/// Entries that stand for something else, which only the caller can tell.
impl Table {
    /// The first entry under `tag` that `is_it` accepts.
    #[inline]
    pub(crate) fn find(&self, tag: u32, is_it: impl FnMut(u64) -> bool) -> Option<u64> {
        let (segment, rest) = self.place(tag);
        match segment.current().probe_tag(rest, tag, is_it) {
            Probe::Found(entry) => Some(entry),
            Probe::Vacant(_) | Probe::Full => None,
        }
    }

    /// The entry under `tag` that `is_it` accepts, or the one that `make` gives, which
    /// is added. `make` is called once at most; its entry has `tag` as its upper half and
    /// is neither 0 nor `u64::MAX`.
    #[inline]
    pub(crate) fn find_or_insert(
        &self,
        tag: u32,
        mut is_it: impl FnMut(u64) -> bool,
        make: impl FnOnce() -> u64,
    ) -> Found {
        let (segment, rest) = self.place(tag);
        let mut make = Some(make);
        let mut made = EMPTY;
        loop {
            let array = segment.current();
            let place = match array.probe_tag(rest, tag, &mut is_it) {
                Probe::Found(at) if made == EMPTY => return Found::At(at),
                Probe::Found(at) => return Found::Lost { at, made },
                Probe::Full => {
                    self.grow(segment, array);
                    continue;
                }
                Probe::Vacant(place) => place,
            };
            if let Some(make) = make.take() {
                made = make();
                debug_assert!((made >> 32) as u32 == tag && made != EMPTY && made != FROZEN);
            }
            match array.fill(place, made) {
                Ok(is_crowded) => {
                    if is_crowded {
                        self.grow(segment, array);
                    }
                    return Found::Added(made);
                }
                // Somebody else was faster: look again, at that place too.
                Err(Blocked::Frozen) => self.grow(segment, array),
                Err(Blocked::Filled) => {}
            }
        }
    }

    /// Fetches the line where a probe for `tag` begins.
    #[inline]
    pub(crate) fn prefetch(&self, tag: u32) {
        let (segment, rest) = self.place(tag);
        segment.current().prefetch(rest);
    }

    /// The entry that a probe for `tag` most likely looks at first.
    #[inline]
    pub(crate) fn first(&self, tag: u32) -> Option<u64> {
        let (segment, rest) = self.place(tag);
        segment.current().first(rest, tag)
    }
}

/// Tells where probes begin, of many tags in a row.
#[derive(Debug)]
pub struct Locator<'a, E: Entry = u64> {
    segments: &'a [Segment<E>],
    bits: u32,
}

impl<E: Entry> Clone for Locator<'_, E> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: Entry> Copy for Locator<'_, E> {}

impl<'a, E: Entry> Locator<'a, E> {
    /// Where a probe for `tag` begins.
    #[inline]
    pub(crate) fn address(self, tag: u32) -> *const u8 {
        let (segment, rest) = self.place(tag);
        segment.current().address(rest)
    }

    /// A tag's segment, and the rest of the tag, by which it is placed there.
    #[inline]
    fn place(self, tag: u32) -> (&'a Segment<E>, u32) {
        let wide = u64::from(tag) << (self.bits % u32::BITS);
        let at = (wide >> 32) as usize;
        debug_assert!(at < self.segments.len());
        // SAFETY: a number of `bits` bits, and there are as many segments as these have.
        (unsafe { self.segments.get_unchecked(at) }, wide as u32)
    }
}

impl<E: Entry> Segment<E> {
    #[inline]
    fn current(&self) -> &Array<E> {
        // SAFETY: arrays are never freed before the table is dropped, which needs the
        // table for itself; a segment borrows from the table.
        unsafe { &*self.array.load(Ordering::Acquire) }
    }
}

impl<E: Entry> Drop for Table<E> {
    fn drop(&mut self) {
        let retired = self.retired.get_mut().unwrap_or_else(PoisonError::into_inner);
        let current = self.segments.iter_mut().map(|segment| *segment.array.get_mut());
        for array in current.chain(retired.arrays.drain(..).map(NonNull::as_ptr)) {
            // SAFETY: each array came from a box and is either current or retired.
            drop(unsafe { Box::from_raw(array) });
        }
    }
}
