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
pub(super) struct Recent<W>(Box<[W; RECENT]>);

impl<W: Word> Recent<W> {
    pub(super) fn new() -> Self {
        // No key is 0.
        Self(Box::new([W::NONE; RECENT]))
    }

    /// Whether a key was not there lately; it is now.
    #[inline(always)]
    fn is_new(&mut self, key: W) -> bool {
        let place = &mut self.0[(key.spread() >> SPREAD) as usize % RECENT];
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
        let Recall { keys, arrivals, start, .. } = out;
        let mut kept = keys.len();
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
            kept += usize::from(self.is_new(key));
        }
        // SAFETY: as many have been written.
        unsafe {
            keys.set_len(kept);
            arrivals.set_len(kept);
        }
        *start = kept;
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
