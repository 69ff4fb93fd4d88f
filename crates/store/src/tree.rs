//! States as 64 bits: dictionaries for their parts, numbers packed side by side.
//!
//! A state is cut into *leaves* along its layout; a dictionary for each position gives dense
//! numbers to their values. A *form* of a layout says how the numbers become a
//! word of 64 bits: a *packing* gives each a field of some width; where leaves are too many,
//! neighbours are paired, a dictionary numbers the pairs, and the numbers of a higher level
//! are packed. The last form of a layout, *wide*, goes up to two numbers, which
//! always fit. The word, stirred by a bijection, is the entry of a table and all
//! that is kept of a state.
//!
//! # Why a state has one word
//!
//! 1. A dictionary gives one number to a value, for good. So leaves, and by induction
//!    pairs, have numbers that depend on the state only.
//! 2. Whether numbers fit the fields of a form does not change: forms are never changed.
//! 3. The forms of a layout are a list that is only appended to, and a state belongs to the first
//!    one in the list that it fits. A thread that finds one has looked at all before it: each
//!    thread sees a beginning of the list, and whatever is appended later comes
//!    behind. So threads that see less of the list find the same form or none.
//! 4. Who finds none takes the lock, looks again, and appends one. There is no other way to
//!    the wide form than that it is in the list: no thread uses it while another
//!    one adds a packing. It is the last, and fits everything.
//! 5. Words of different forms begin differently, or, if both are wide, have different crowns;
//!    words of one form give the numbers, these the leaves, and these with the
//!    layout's prefix the state. So different states have different words.
//!
//! The layout of a state depends on the state only, as `LayoutOf` promises.

mod cache;
mod codec;
mod diff;
mod finder;
mod grain;
mod layouts;
mod lens;
mod local;
mod mix;
mod origin;
mod packing;
mod plan;
mod recall;
mod short;
#[cfg(test)]
mod tests;
mod word;

use crate::concurrent::Table;
use crate::key_set::{KeyPlaces, KeySet};
use crate::store::{
    Dependence, Insertion, Loss, Origins, Recall, Recalled, Store, Successors, Survey,
};
use codec::Codec;
use local::TreeLocal;
use mix::{mix, unmix};
use spinor_ts::{EventKind, Expansion, LayoutOf};
use std::ops::Range;

/// Few, for large pages; more than one, so that growth does not copy everything at once.
const SEGMENTS: usize = 4;

/// A set of states as words, of which `V` keeps what was visited.
pub struct Words<V> {
    codec: Codec,
    visited: V,
    /// Words stand for hashes.
    is_compact: bool,
}

/// A set of states that keeps 64 bits of each.
pub type Tree = Words<Table>;

/// A thread's part of [`Words`].
#[derive(Debug)]
pub struct WordsLocal<L> {
    codec: TreeLocal,
    visited: L,
}

impl Tree {
    /// An empty one. What is in the `sample` (states as met on random walks, without their
    /// hidden bytes) decides which layouts and which parts get how many bits; none has
    /// to be in it.
    #[must_use]
    pub fn new(layout_of: LayoutOf, sample: &[Vec<u8>]) -> Self {
        Self::for_moves(layout_of, sample, || false)
    }

    /// The same; `is_local` is asked whether groups of moves look at small parts of states only.
    #[must_use]
    pub fn for_moves(
        layout_of: LayoutOf,
        sample: &[Vec<u8>],
        is_local: impl FnOnce() -> bool,
    ) -> Self {
        Self::with(Table::new(SEGMENTS), layout_of, sample, is_local)
    }

    /// The same as a hash-compact store: a word is a hash that no other state has.
    #[must_use]
    pub fn compact(self) -> Self {
        Self { is_compact: true, ..self }
    }

    /// Calls `visit` with every state, in no particular order. States that are added
    /// meanwhile may be missed.
    pub fn for_each_state(&self, mut visit: impl FnMut(&[u8])) {
        let mut local = TreeLocal::new();
        self.visited.for_each(|entry| visit(local.load(&self.codec, unmix(entry))));
    }
}

impl<V: KeySet> Words<V> {
    /// The same as [`Tree::for_moves`] with a set of visited words, which is empty.
    #[must_use]
    pub fn with(
        visited: V,
        layout_of: LayoutOf,
        sample: &[Vec<u8>],
        is_local: impl FnOnce() -> bool,
    ) -> Self {
        Self { codec: Codec::new(layout_of, sample, is_local), visited, is_compact: false }
    }

    /// The set of visited words.
    #[must_use]
    pub fn into_visited(self) -> V {
        self.visited
    }

    /// Whether most states of a sample are numbers of leaves, with some bits to spare: then dictionaries stay small,
    /// and moves can be recalled.
    #[must_use]
    pub fn suits(&self, sample: &[Vec<u8>]) -> bool {
        self.codec.suits(sample)
    }

    /// Takes note of where states lead to; the keys are those of their successors.
    fn follow_many(
        &self,
        local: &mut WordsLocal<V::Local>,
        origins: &Origins<'_, u64>,
        successors: &Expansion,
        keys: &[u64],
    ) {
        let mut keys = keys.iter();
        let mut first = 0;
        for (state_ref, end) in origins.refs.iter().zip(origins.ends) {
            self.follow(local, *state_ref);
            let events = successors.events().get(first..*end as usize).unwrap_or_default();
            let count = events.iter().filter(|event| event.kind == EventKind::Successor).count();
            for key in keys.by_ref().take(count) {
                self.visited.reach(&mut local.visited, *key);
            }
            first = *end as usize;
        }
    }

    /// Takes note of the origin.
    #[inline]
    fn follow(&self, local: &mut WordsLocal<V::Local>, key: u64) {
        if V::FOLLOWS {
            self.visited.set_origin(&mut local.visited, key);
        }
    }
}

impl<V: KeySet> std::fmt::Debug for Words<V> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Words").field("bytes", &self.bytes_used()).finish_non_exhaustive()
    }
}

impl<V: KeySet> Store for Words<V> {
    type Key = u64;
    type Ref = u64;
    type Local = WordsLocal<V::Local>;

    const KEY_IS_STATE: bool = true;
    const KEEPS_STATES: bool = true;
    const RECALLS: bool = true;

    #[inline]
    fn identity(key: u64) -> Option<u64> {
        Some(key)
    }

    #[inline]
    fn identity_of(state: u64) -> Option<u64> {
        Some(state)
    }

    #[inline]
    fn state_of(key: u64) -> Option<u64> {
        Some(key)
    }

    #[inline]
    fn with_identity(number: u64) -> Option<u64> {
        Some(number)
    }

    fn name(&self) -> &'static str {
        if self.is_compact { "hash-compact" } else { V::NAME }
    }

    fn set_alone(&self, is_alone: bool) {
        self.visited.set_alone(is_alone);
    }

    fn local(&self) -> Self::Local {
        WordsLocal { codec: TreeLocal::new(), visited: self.visited.local() }
    }

    #[inline]
    fn set_origin(&self, local: &mut Self::Local, state: &[u8]) {
        let word = local.codec.word(&self.codec, state);
        local.codec.load(&self.codec, word);
        self.follow(local, mix(word));
    }

    #[inline]
    fn set_origin_keyed(&self, local: &mut Self::Local, key: u64, state: &[u8]) {
        local.codec.adopt(&self.codec, unmix(key), state);
        self.follow(local, key);
    }

    #[inline]
    fn adopt(&self, local: &mut Self::Local, state_ref: u64, state: &[u8]) {
        local.codec.adopt(&self.codec, unmix(state_ref), state);
        self.follow(local, state_ref);
    }

    #[inline]
    fn load(&self, local: &mut Self::Local, state: u64, out: &mut Vec<u8>) {
        self.follow(local, state);
        let state = local.codec.load(&self.codec, unmix(state));
        out.clear();
        out.extend_from_slice(state);
    }

    #[inline]
    fn load_key(&self, local: &mut Self::Local, key: u64, out: &mut Vec<u8>) {
        self.load(local, key, out);
    }

    #[inline]
    fn key(&self, local: &mut Self::Local, state: &[u8]) -> u64 {
        let key = mix(local.codec.word(&self.codec, state));
        self.prefetch(key);
        if V::FOLLOWS {
            self.visited.reach(&mut local.visited, key);
        }
        key
    }

    #[inline]
    fn prefetch(&self, key: u64) {
        self.visited.places().prefetch(key);
    }

    #[inline]
    fn insert(&self, local: &mut Self::Local, key: u64, _state: &[u8]) -> Insertion<u64> {
        self.visited.insert_key(&mut local.visited, key)
    }

    #[inline]
    fn prefetch_fresh(&self, _keys: &[u64]) {}

    fn keys_many(
        &self,
        local: &mut Self::Local,
        origins: &Origins<'_, u64>,
        successors: &Expansion,
        keys: &mut Vec<u64>,
    ) {
        let first = keys.len();
        local.codec.words_many(&self.codec, origins, successors, keys);
        let places = self.visited.places();
        for key in &mut keys[first..] {
            *key = mix(*key);
            places.prefetch(*key);
        }
        if V::FOLLOWS {
            self.follow_many(local, origins, successors, &keys[first..]);
        }
    }

    #[inline]
    fn recall(&self, local: &mut Self::Local, states: &[u64], out: &mut Recall<u64>) -> Recalled {
        local.codec.recall(&self.visited, &mut local.visited, states, out)
    }

    #[inline]
    fn look_ahead(&self, local: &mut Self::Local, states: &[u64]) {
        local.codec.look_ahead(states);
    }

    fn set_groups(&self, local: &mut Self::Local, state: u64, anchors: Option<&[usize]>) {
        local.codec.set_groups(&self.codec, state, anchors);
    }

    fn remember(
        &self,
        local: &mut Self::Local,
        successors: &Expansion,
        dependence: Dependence<'_>,
        out: &mut Recall<u64>,
    ) {
        local.codec.remember(&self.codec, successors, dependence, out);
    }

    #[inline]
    fn successors(
        &self,
        local: &mut Self::Local,
        state: u64,
        out: &mut Successors<u64>,
    ) -> Recalled {
        local.codec.successors(&self.visited, state, out)
    }

    fn learn(
        &self,
        local: &mut Self::Local,
        group: usize,
        successors: &Expansion,
        dependence: Dependence<'_>,
    ) -> bool {
        local.codec.learn(&self.codec, group, successors, dependence)
    }

    #[inline]
    fn survey(&self, local: &mut Self::Local, state: u64) -> Recalled {
        // A set that follows the ways of states wants to know all of them.
        if V::FOLLOWS { Recalled::Whole } else { local.codec.survey(state) }
    }

    #[inline]
    fn surveyed<'l>(&self, local: &'l Self::Local) -> Option<&'l Survey> {
        Some(local.codec.surveyed())
    }

    #[inline]
    fn figures_of_survey(&self, local: &Self::Local) -> (u64, u32) {
        local.codec.figures_of_survey()
    }

    #[inline]
    fn moves_of(&self, local: &Self::Local, chosen: u64, keys: &mut Vec<u64>) -> bool {
        local.codec.moves_of(&self.visited, chosen, keys)
    }

    #[inline]
    fn station_in(&self, local: &Self::Local, key: u64, group: usize) -> Option<u32> {
        local.codec.station_in(key, group)
    }

    fn set_station(
        &self,
        local: &mut Self::Local,
        group: usize,
        station: u32,
        bytes: &[Range<usize>],
    ) -> bool {
        local.codec.set_station(group, station, bytes)
    }

    fn peek(&self, local: &Self::Local, bytes: Range<usize>) -> u32 {
        local.codec.peek(bytes)
    }

    fn learn_moves(
        &self,
        local: &mut Self::Local,
        group: usize,
        successors: &Expansion,
        dependence: Dependence<'_>,
    ) -> bool {
        local.codec.learn_moves(&self.codec, group, successors, dependence)
    }

    #[inline]
    fn insert_all(
        &self,
        local: &mut Self::Local,
        keys: &[u64],
        _successors: &Expansion,
        _hidden: usize,
        new: &mut Vec<(u32, u64)>,
    ) {
        self.visited.insert_keys(&mut local.visited, keys, new);
    }

    #[inline]
    fn insert_first(&self, local: &mut Self::Local, keys: &[u64]) -> Option<usize> {
        self.visited.insert_first(&mut local.visited, keys)
    }

    #[inline]
    fn absent(&self, _local: &mut Self::Local, keys: &[u64], out: &mut Vec<u32>) {
        self.visited.absent(keys, out);
    }

    #[inline]
    fn contains(&self, _local: &mut Self::Local, key: u64, _state: &[u8]) -> bool {
        self.visited.contains_key(key)
    }

    fn quiesce(&self) {
        self.visited.quiesce();
        self.codec.quiesce();
    }

    fn bytes_used(&self) -> u64 {
        self.visited.bytes_used() + self.codec.bytes_used()
    }

    #[inline]
    fn local_bytes(&self, local: &Self::Local) -> u64 {
        local.codec.memory.bytes as u64
    }

    fn loss(&self, stored: u64) -> Option<Loss> {
        let none = Loss { expected_omitted: 0.0, hidden_factor: 1.0, hash_factor: None };
        self.visited.loss(stored).or(self.is_compact.then_some(none))
    }

    fn is_nearly_full(&self) -> bool {
        self.codec.is_nearly_full()
    }
}
