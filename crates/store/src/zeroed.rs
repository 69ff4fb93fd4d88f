//! Zeroed memory, in large pages where it is large.
//!
//! The system hands out zeroed pages when they are first touched, so a large array
//! costs nothing before it is used. Large ones are mapped directly and aligned to
//! large pages: an allocator would clear what it has recycled, and
//! alignment beyond its own makes it clear everything.

#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ptr::NonNull;

/// Arrays are aligned to lines of the cache.
const LINE: usize = 64;
/// From here on memory is mapped, so that it can be given back page by page.
const MAPPED: usize = 64 << 10;
/// From here on a mapping is aligned to large pages.
pub(crate) const LARGE_PAGE: usize = 2 << 20;

/// An owned piece of memory that was zero at first. It does not move.
#[derive(Debug)]
pub(crate) struct Zeroed {
    start: NonNull<u8>,
    bytes: usize,
    origin: Origin,
}

#[derive(Debug)]
enum Origin {
    Allocated,
    #[cfg(target_os = "linux")]
    Mapped(system::Mapping),
}

// SAFETY: the memory belongs to the value, wherever it goes.
unsafe impl Send for Zeroed {}
// SAFETY: through a shared reference only the address and the length can be had.
unsafe impl Sync for Zeroed {}

impl Zeroed {
    /// At least one byte, aligned to 64 bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        let bytes = bytes.max(1);
        #[cfg(target_os = "linux")]
        if bytes >= MAPPED {
            let mapping = system::Mapping::new(bytes, LARGE_PAGE);
            return Self { start: mapping.aligned, bytes, origin: Origin::Mapped(mapping) };
        }
        // SAFETY: the size is not zero.
        let start = NonNull::new(unsafe { alloc_zeroed(layout(bytes)) });
        // Whose allocator has a reserve has asked twice.
        let start = start.unwrap_or_else(|| handle_alloc_error(layout(bytes)));
        Self { start, bytes, origin: Origin::Allocated }
    }

    #[inline]
    pub(crate) fn start(&self) -> NonNull<u8> {
        self.start
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Gives the pages back to the system. The memory can still be read and written and
    /// is zero again. Returns how many bytes were given back.
    pub(crate) fn release(&self) -> usize {
        match &self.origin {
            Origin::Allocated => 0,
            #[cfg(target_os = "linux")]
            Origin::Mapped(mapping) => mapping.release(),
        }
    }

    /// Moves the pages, with what is in them, to the beginning of a larger piece of memory that was not used yet: neither are they
    /// copied nor are new ones cleared. False if that cannot be done; if it was, this memory is gone.
    ///
    /// # Safety
    /// After it was done nobody reads or writes this memory.
    pub(crate) unsafe fn move_to(&self, larger: &Self) -> bool {
        debug_assert!(self.bytes <= larger.bytes);
        match (&self.origin, &larger.origin) {
            #[cfg(target_os = "linux")]
            // SAFETY: the caller's promise.
            (Origin::Mapped(old), Origin::Mapped(new)) => unsafe { old.move_to(new, self.bytes) },
            _ => false,
        }
    }
}

impl Drop for Zeroed {
    fn drop(&mut self) {
        if matches!(self.origin, Origin::Allocated) {
            // SAFETY: allocated in `new` with the same layout.
            unsafe { dealloc(self.start.as_ptr(), layout(self.bytes)) }
        }
    }
}

fn layout(bytes: usize) -> Layout {
    Layout::from_size_align(bytes, LINE).expect("less than half of the address space")
}

#[cfg(target_os = "linux")]
mod system {
    use super::LARGE_PAGE;
    use crate::faults::refuses;
    use crate::reserve::{give_up, give_way};
    use std::alloc::{Layout, handle_alloc_error};
    use std::ptr::NonNull;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Private pages without a file.
    #[derive(Debug)]
    pub(super) struct Mapping {
        start: NonNull<libc::c_void>,
        length: usize,
        /// What was asked for begins here.
        pub(super) aligned: NonNull<u8>,
        /// The pages are elsewhere, and the addresses not ours any more.
        is_moved: AtomicBool,
    }

    impl Mapping {
        pub(super) fn new(bytes: usize, large: usize) -> Self {
            // Room to align what is at least half a large page; untouched pages cost nothing.
            let is_large = bytes >= large / 2;
            let length = if is_large { bytes + large } else { bytes };
            let rights = libc::PROT_READ | libc::PROT_WRITE;
            let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
            let map = || {
                if refuses(length) {
                    return libc::MAP_FAILED;
                }
                // SAFETY: a new mapping at an address of the system's choice.
                unsafe { libc::mmap(std::ptr::null_mut(), length, rights, kind, -1, 0) }
            };
            let mut start = map();
            if start == libc::MAP_FAILED && give_way() {
                start = map();
            }
            let failed = || handle_alloc_error(Layout::new::<u8>());
            if start == libc::MAP_FAILED {
                give_up();
                failed();
            }
            let start = NonNull::new(start).unwrap_or_else(failed);
            let mut aligned: NonNull<u8> = start.cast();
            if is_large {
                let skip = aligned.as_ptr().align_offset(large);
                // SAFETY: `skip` is less than `large`, by which the mapping is longer.
                aligned = unsafe { aligned.add(skip) };
                // SAFETY: the range lies in the mapping; advice changes no contents.
                unsafe { libc::madvise(aligned.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE) };
            }
            Self { start, length, aligned, is_moved: AtomicBool::new(false) }
        }

        /// As [`Zeroed::move_to`](super::Zeroed::move_to).
        ///
        /// # Safety
        /// As there.
        pub(super) unsafe fn move_to(&self, new: &Self, bytes: usize) -> bool {
            let from: *mut libc::c_void = self.aligned.as_ptr().cast();
            let to: *mut libc::c_void = new.aligned.as_ptr().cast();
            // Small pages would stay small.
            if !bytes.is_multiple_of(LARGE_PAGE) || self.is_moved.load(Ordering::Relaxed) {
                return false;
            }
            let how = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED;
            // SAFETY: both ranges are whole pages of mappings of ours, and different ones. What was in the new range is lost:
            // zeros.
            let moved = unsafe { libc::mremap(from, bytes, bytes, how, to) };
            if moved == libc::MAP_FAILED {
                return false;
            }
            self.is_moved.store(true, Ordering::Relaxed);
            // What the pages leave behind may be somebody else's by now: only what is before and after them is still ours.
            let before = from.addr() - self.start.addr().get();
            let after = self.length - before - bytes;
            // SAFETY: whole pages of the mapping, and the caller promises that nobody uses them.
            unsafe {
                if before > 0 {
                    libc::munmap(self.start.as_ptr(), before);
                }
                if after > 0 {
                    libc::munmap(from.byte_add(bytes), after);
                }
            }
            true
        }

        pub(super) fn release(&self) -> usize {
            if self.is_moved.load(Ordering::Relaxed) {
                return 0;
            }
            // SAFETY: the range is the whole mapping; private pages read as zero afterwards.
            let failed =
                unsafe { libc::madvise(self.start.as_ptr(), self.length, libc::MADV_DONTNEED) };
            if failed == 0 { self.length } else { 0 }
        }
    }

    impl Drop for Mapping {
        fn drop(&mut self) {
            if *self.is_moved.get_mut() {
                return;
            }
            // SAFETY: mapped in `new`, and nobody can refer to it any more.
            unsafe { libc::munmap(self.start.as_ptr(), self.length) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(memory: &mut Zeroed) -> &mut [u8] {
        // SAFETY: the memory is valid for its length and used by this test alone.
        unsafe { std::slice::from_raw_parts_mut(memory.start().as_ptr(), memory.bytes()) }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn pages_move_with_what_is_in_them() {
        let mut memory = Zeroed::new(2 * LARGE_PAGE);
        for round in 1..4 {
            let length = memory.bytes();
            bytes(&mut memory).fill(round);
            let mut larger = Zeroed::new(length + LARGE_PAGE);
            // SAFETY: the old one is not used afterwards.
            assert!(unsafe { memory.move_to(&larger) });
            assert_eq!(memory.release(), 0);
            let (old, new) = bytes(&mut larger).split_at(length);
            assert!(old.iter().all(|byte| *byte == round) && new.iter().all(|byte| *byte == 0));
            memory = larger;
        }
        // SAFETY: nothing is moved.
        assert!(!unsafe { Zeroed::new(LARGE_PAGE / 2).move_to(&memory) });
    }

    #[test]
    fn is_zero_and_aligned() {
        for length in [0, 1, 100, 5_000, MAPPED, LARGE_PAGE - 1, LARGE_PAGE, 3 * LARGE_PAGE + 77] {
            let mut memory = Zeroed::new(length);
            assert_eq!(memory.start().as_ptr().addr() % LINE, 0);
            assert_eq!(memory.bytes(), length.max(1));
            assert!(bytes(&mut memory).iter().all(|byte| *byte == 0));
            bytes(&mut memory).fill(7);
            if memory.release() > 0 {
                assert!(bytes(&mut memory).iter().all(|byte| *byte == 0));
            }
        }
    }
}
