//! Tells the processor what will be read soon.
//!
//! A prefetch differs from a read in that nothing waits for it: with plain reads
//! the processor stalls once it has too many unfinished instructions in its books.

#![allow(unsafe_code)]

/// Asks for the cache line where `place` begins.
#[inline]
pub fn prefetch<T>(place: &T) {
    prefetch_at(std::ptr::from_ref(place).cast());
}

/// Asks for the cache line of an address, whatever it is.
#[inline]
pub(crate) fn prefetch_at(place: *const u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no effect but on the caches, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
