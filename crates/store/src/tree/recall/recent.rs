//! Successors that were there a moment ago.

#![allow(unsafe_code)]

use super::Visited;
use super::ahead::Raw;
use crate::key_set::{KeyPlaces, KeySet};
use crate::store::{Arrival, Recall};
use crate::tree::word::Word;

/// Binary logarithm of the number of words that are taken for recent ones.
const RECENT_BITS: u32 = 13;
const RECENT: usize = 1 << RECENT_BITS;
/// Lower bits of a key do not count for its place.
const SPREAD: u32 = 24;

/// Keys that were given to the search lately. Two moves of different processes lead to the same state in
/// either order, and mostly the second one comes soon after the first: so about half of all successors
/// are found here.
#[derive(Debug)]
pub(super) struct Recent<W> {
    keys: Box<[W; RECENT]>,
    /// How many were looked for so far, and how many were there.
    all: u64,
    there: u64,
}

/// So many tell whether it is worth the time.
const ENOUGH: u64 = 1 << 15;
/// One of so many has to be there.
const PART: u64 = 64;

impl<W: Word> Recent<W> {
    pub(super) fn new() -> Self {
        // No key is 0.
        Self { keys: Box::new([W::NONE; RECENT]), all: 0, there: 0 }
    }

    /// Whether it is worth the time to look.
    fn is_worthwhile(&self) -> bool {
        self.all < ENOUGH || self.there * PART >= self.all
    }

    /// Whether a key was not there lately; it is now.
    #[inline(always)]
    fn is_new(&mut self, key: W) -> bool {
        let place = &mut self.keys[(key.spread() >> SPREAD) as usize % RECENT];
        std::mem::replace(place, key) != key
    }

    /// Makes keys of successors of these states, but for those that were there lately.
    #[inline(always)]
    pub(super) fn finish<V: KeySet<Key = W>>(
        &mut self,
        visited: Visited<'_, V>,
        refs: &[W],
        raw: &[Raw<W>],
        out: &mut Recall<W>,
    ) {
        let Visited { set, local } = visited;
        if V::FOLLOWS {
            if set.follows_any(refs) {
                self.finish_followed(Visited { set, local }, refs, raw, out);
                return;
            }
            refs.first().iter().for_each(|state| set.set_origin(local, **state));
        }
        if self.is_worthwhile() {
            self.finish_all::<true, V>(Visited { set, local }, raw, out);
        } else {
            self.finish_all::<false, V>(Visited { set, local }, raw, out);
        }
    }

    /// The same where nothing is followed; `LOOKS` whether they were there lately.
    #[inline(always)]
    fn finish_all<const LOOKS: bool, V: KeySet<Key = W>>(
        &mut self,
        Visited { set, local }: Visited<'_, V>,
        raw: &[Raw<W>],
        out: &mut Recall<W>,
    ) {
        let Recall { keys, arrivals, start, .. } = out;
        let before = keys.len();
        let mut kept = before;
        debug_assert!(arrivals.len() == kept);
        keys.reserve(raw.len());
        arrivals.reserve(raw.len());
        let (words, ways) = (keys.as_mut_ptr(), arrivals.as_mut_ptr());
        let places = set.places();
        for Raw { word, arrival } in raw {
            let key = word.mix();
            places.prefetch_all(key);
            if V::FOLLOWS {
                set.reach(local, key);
            }
            // SAFETY: there is room for all.
            unsafe {
                words.add(kept).write(key);
                ways.add(kept).write(*arrival);
            }
            kept += usize::from(!LOOKS || self.is_new(key));
        }
        // SAFETY: as many have been written.
        unsafe {
            keys.set_len(kept);
            arrivals.set_len(kept);
        }
        *start = kept;
        if LOOKS {
            self.all += raw.len() as u64;
            self.there += (raw.len() - (kept - before)) as u64;
        }
    }

    /// The same if the set follows the ways of some of the states: of these nothing is left out.
    #[cold]
    fn finish_followed<V: KeySet<Key = W>>(
        &mut self,
        visited: Visited<'_, V>,
        refs: &[W],
        raw: &[Raw<W>],
        out: &mut Recall<W>,
    ) {
        let Visited { set, local } = visited;
        let places = set.places();
        let mut origin = None;
        for Raw { word, arrival } in raw {
            let state = arrival.state();
            if origin.replace(state) != Some(state) {
                set.set_origin(local, refs[state as usize]);
            }
            let key = word.mix();
            places.prefetch_all(key);
            set.reach(local, key);
            if self.is_new(key) || set.follows_origin(local) {
                out.keys.push(key);
                out.arrivals.push(*arrival);
            }
        }
        out.start = out.keys.len();
    }

    /// Makes keys of the words of the state at hand, which is `origin`, and leaves out those that were there lately.
    pub(super) fn finish_state<V: KeySet<Key = W>>(
        &mut self,
        visited: Visited<'_, V>,
        origin: W,
        out: &mut Recall<W>,
    ) {
        let Visited { set, local } = visited;
        let (start, end) = (out.start, out.keys.len());
        let state = out.ends.len();
        let mut kept = start;
        let places = set.places();
        set.set_origin(local, origin);
        for at in start..end {
            let word = out.keys[at];
            let key = word.mix();
            places.prefetch(key);
            set.reach(local, key);
            out.keys[kept] = key;
            #[cfg(debug_assertions)]
            out.all.push(key);
            if self.is_new(key) || set.follows_origin(local) {
                out.arrivals.push(Arrival::new(state, (at - start) as u32));
                kept += 1;
            }
        }
        out.keys.truncate(kept);
        out.end_state(end - start);
    }
}
