//! Successors that were there a moment ago.

#![allow(unsafe_code)]

use super::super::mix::mix;
use crate::concurrent::Table;
use crate::store::Recall;

/// Binary logarithm of the number of words that are taken for recent ones.
const RECENT_BITS: u32 = 13;
const RECENT: usize = 1 << RECENT_BITS;
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// Words that were given to the search lately. Two moves of different processes lead to the same state in
/// either order, and mostly the second one comes soon after the first: so about half of all successors
/// are found here.
#[derive(Debug)]
pub(super) struct Recent(Box<[u64; RECENT]>);

impl Recent {
    pub(super) fn new() -> Self {
        // No word is 0.
        Self(Box::new([0; RECENT]))
    }

    /// Makes keys of the words of the state at hand, and leaves out those that were there lately.
    pub(super) fn finish_state(&mut self, table: &Table, out: &mut Recall<u64>) {
        let (start, end) = (out.start, out.keys.len());
        if !out.by_groups {
            self.filter(out.successors(), start, out);
        }
        for key in &mut out.keys[start..] {
            *key = mix(*key);
            table.prefetch((*key >> 32) as u32);
        }
        out.end_state(end - start);
    }

    /// Leaves out those words from `start` on that were there lately, and numbers the others from `first`.
    #[inline(always)]
    pub(super) fn filter(&mut self, first: u32, start: usize, out: &mut Recall<u64>) {
        let end = out.keys.len();
        debug_assert!(out.numbers.len() == start);
        out.numbers.reserve(end - start);
        #[cfg(debug_assertions)]
        out.all.extend(out.keys[start..].iter().map(|word| mix(*word)));
        let (keys, numbers) = (out.keys.as_mut_ptr(), out.numbers.as_mut_ptr());
        let mut kept = start;
        for at in start..end {
            // SAFETY: as many words are there, and no more are kept than have been read.
            let word = unsafe { keys.add(at).read() };
            let hash = word.wrapping_mul(MULTIPLIER) >> (u64::BITS - RECENT_BITS);
            let place = &mut self.0[hash as usize % RECENT];
            // SAFETY: as above; there is room for as many numbers.
            unsafe {
                keys.add(kept).write(word);
                numbers.add(kept).write(first + (at - start) as u32);
            }
            kept += usize::from(*place != word);
            *place = word;
        }
        // SAFETY: all up to here have been written.
        unsafe {
            out.keys.set_len(kept);
            out.numbers.set_len(kept);
        }
    }
}
