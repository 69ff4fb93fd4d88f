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
mod direct;
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
use direct::Direct;
use local::TreeLocal;
use spinor_ts::{CellsOf, EventKind, Expansion, LayoutOf, Quad, WordLayout, WordMoves, WordUse};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
pub use word::Word;

/// A set of states as words, of which `V` keeps what was visited.
pub struct Words<V: KeySet> {
    codec: Codec<V::Key>,
    visited: V,
    /// Words stand for hashes.
    is_compact: bool,
    /// Counts as full as soon as words turn out to be too short, and says so here.
    gives_up: Option<Arc<AtomicBool>>,
}

/// A set of states that keeps 64 bits of each.
pub type Tree = Words<Table>;

/// A set of states that keeps 128 bits of each.
pub type LongTree = Words<Table<u128>>;

/// A set of states that keeps 256 bits of each.
pub type WideTree = Words<Table<Quad>>;

/// A thread's part of [`Words`].
#[derive(Debug)]
pub struct WordsLocal<L, W> {
    codec: TreeLocal<W>,
    visited: L,
}

/// The local part of [`Words`] over a set of keys.
type LocalOf<V> = WordsLocal<<V as KeySet>::Local, <V as KeySet>::Key>;

impl<W: Word> Words<Table<W>> {
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
        Self::with(Table::default(), layout_of, sample, is_local)
    }

    /// The same as [`direct`](Words::direct), if cells fit words.
    #[must_use]
    pub fn of_cells(
        layout_of: LayoutOf,
        cells_of: &CellsOf,
        sample: &[Vec<u8>],
        wanted: WordUse,
    ) -> Option<Self> {
        Self::direct(Table::default(), layout_of, cells_of, sample, wanted).ok()
    }

    /// Calls `visit` with every state, in no particular order. States that are added
    /// meanwhile may be missed.
    pub fn for_each_state(&self, mut visit: impl FnMut(&[u8])) {
        let mut local = TreeLocal::new();
        self.visited.for_each(|entry| visit(local.load(&self.codec, entry.unmix())));
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
        Self {
            codec: Codec::new(layout_of, sample, is_local, None),
            visited,
            is_compact: false,
            gives_up: None,
        }
    }

    /// The same for states whose cells fit words: these stand in words as they are, so that there may be
    /// [moves from word to word](spinor_ts::WordMoves). Gives the set of visited words back if they do not. `is_sure`: there has to be
    /// [room for all that is possible](WordLayout::is_sure), as far as it is known.
    ///
    /// # Errors
    /// The cells do not fit, or states of the sample have many layouts.
    pub fn direct(
        visited: V,
        layout_of: LayoutOf,
        cells_of: &CellsOf,
        sample: &[Vec<u8>],
        wanted: WordUse,
    ) -> Result<Self, V> {
        let Some(direct) = Direct::plan::<V::Key>(cells_of, &layout_of, sample, wanted) else {
            return Err(visited);
        };
        let codec = Codec::new(layout_of, sample, || false, Some(direct));
        Ok(Self { codec, visited, is_compact: false, gives_up: None })
    }

    /// The same as a hash-compact store: a word of 64 bits is a hash that no other state has.
    #[must_use]
    pub fn compact(self) -> Self {
        Self { is_compact: true, ..self }
    }

    /// The same, which counts as full if its words turn out to be too short soon: what is returned beside it says
    /// so, even when the store is gone. Somebody else should begin anew with longer ones then.
    #[must_use]
    pub fn replaceable(self) -> (Self, Arc<AtomicBool>) {
        let has_given_up = Arc::new(AtomicBool::new(false));
        (Self { gives_up: Some(Arc::clone(&has_given_up)), ..self }, has_given_up)
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

    /// Whether most states of a sample are numbers of leaves.
    #[must_use]
    pub fn fits(&self, sample: &[Vec<u8>]) -> bool {
        self.codec.fits(sample)
    }

    /// Whether parts of states are not cut as finely as they could be, because words are too short.
    #[must_use]
    pub fn is_coarse(&self) -> bool {
        self.codec.grain.is_coarse
    }

    /// Takes note of where states lead to; the keys are those of their successors.
    fn follow_many(
        &self,
        local: &mut LocalOf<V>,
        origins: &Origins<'_, V::Key>,
        successors: &Expansion,
        keys: &[V::Key],
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
    fn follow(&self, local: &mut LocalOf<V>, key: V::Key) {
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
    type Key = V::Key;
    type Ref = V::Key;
    type Local = LocalOf<V>;
    type Identity = V::Key;

    const KEY_IS_STATE: bool = true;
    const KEEPS_STATES: bool = true;
    const RECALLS: bool = true;

    #[inline]
    fn identity(key: V::Key) -> Option<V::Key> {
        Some(key)
    }

    #[inline]
    fn identity_of(state: V::Key) -> Option<V::Key> {
        Some(state)
    }

    #[inline]
    fn state_of(key: V::Key) -> Option<V::Key> {
        Some(key)
    }

    #[inline]
    fn with_identity(number: V::Key) -> Option<V::Key> {
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
        self.follow(local, word.mix());
    }

    #[inline]
    fn set_origin_keyed(&self, local: &mut Self::Local, key: V::Key, state: &[u8]) {
        local.codec.adopt(&self.codec, key.unmix(), state);
        self.follow(local, key);
    }

    #[inline]
    fn adopt(&self, local: &mut Self::Local, state_ref: V::Key, state: &[u8]) {
        local.codec.adopt(&self.codec, state_ref.unmix(), state);
        self.follow(local, state_ref);
    }

    #[inline]
    fn load(&self, local: &mut Self::Local, state: V::Key, out: &mut Vec<u8>) {
        self.follow(local, state);
        let state = local.codec.load(&self.codec, state.unmix());
        out.clear();
        out.extend_from_slice(state);
    }

    #[inline]
    fn load_key(&self, local: &mut Self::Local, key: V::Key, out: &mut Vec<u8>) {
        self.load(local, key, out);
    }

    #[inline]
    fn key(&self, local: &mut Self::Local, state: &[u8]) -> V::Key {
        let key = local.codec.word(&self.codec, state).mix();
        self.prefetch(key);
        if V::FOLLOWS {
            self.visited.reach(&mut local.visited, key);
        }
        key
    }

    #[inline]
    fn prefetch(&self, key: V::Key) {
        self.visited.places().prefetch(key);
    }

    #[inline]
    fn insert(&self, local: &mut Self::Local, key: V::Key, _state: &[u8]) -> Insertion<V::Key> {
        self.visited.insert_key(&mut local.visited, key)
    }

    #[inline]
    fn prefetch_fresh(&self, _keys: &[V::Key]) {}

    fn keys_many(
        &self,
        local: &mut Self::Local,
        origins: &Origins<'_, V::Key>,
        successors: &Expansion,
        keys: &mut Vec<V::Key>,
    ) {
        let first = keys.len();
        local.codec.words_many(&self.codec, origins, successors, keys);
        let places = self.visited.places();
        for key in &mut keys[first..] {
            *key = key.mix();
            places.prefetch(*key);
        }
        if V::FOLLOWS {
            self.follow_many(local, origins, successors, &keys[first..]);
        }
    }

    #[inline]
    fn recall(
        &self,
        local: &mut Self::Local,
        states: &[V::Key],
        out: &mut Recall<V::Key>,
    ) -> Recalled {
        local.codec.recall(&self.visited, &mut local.visited, states, out)
    }

    #[inline]
    fn look_ahead(&self, local: &mut Self::Local, states: &[V::Key]) {
        local.codec.look_ahead(states);
    }

    fn word_layout(&self) -> Option<&Arc<WordLayout>> {
        self.codec.direct.as_ref().map(|direct| &direct.layout)
    }

    fn is_awake(&self, local: &Self::Local) -> bool {
        local.codec.is_awake()
    }

    #[inline]
    fn expand_words(
        &self,
        local: &mut Self::Local,
        states: &[V::Key],
        moves: &mut dyn WordMoves,
        out: &mut Recall<V::Key>,
        whole: &mut Vec<usize>,
    ) {
        local.codec.expand_words(&self.visited, &mut local.visited, states, moves, out, whole);
    }

    #[inline]
    fn word_successors(
        &self,
        local: &mut Self::Local,
        state: V::Key,
        moves: &mut dyn WordMoves,
        out: &mut Successors<V::Key>,
    ) -> bool {
        local.codec.word_successors(&self.visited, state, moves, out)
    }

    fn set_groups(&self, local: &mut Self::Local, state: V::Key, anchors: Option<&[usize]>) {
        local.codec.set_groups(&self.codec, state, anchors);
    }

    fn remember(
        &self,
        local: &mut Self::Local,
        successors: &Expansion,
        dependence: Dependence<'_>,
        out: &mut Recall<V::Key>,
    ) {
        local.codec.remember(&self.codec, successors, dependence, out);
    }

    #[inline]
    fn successors(
        &self,
        local: &mut Self::Local,
        state: V::Key,
        out: &mut Successors<V::Key>,
    ) -> Recalled {
        local.codec.successors(&self.visited, state, out)
    }

    fn learn(
        &self,
        local: &mut Self::Local,
        group: usize,
        successors: &Expansion,
        dependence: Dependence<'_>,
        with_steps: bool,
    ) -> bool {
        local.codec.learn(&self.codec, group, successors, dependence, with_steps)
    }

    #[inline]
    fn survey(&self, local: &mut Self::Local, state: V::Key) -> Recalled {
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
    fn moves_of(&self, local: &Self::Local, chosen: u64, keys: &mut Vec<V::Key>) -> bool {
        local.codec.moves_of(&self.visited, chosen, keys)
    }

    #[inline]
    fn station_in(&self, local: &Self::Local, key: V::Key, group: usize) -> Option<u32> {
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

    #[inline]
    fn insert_all(
        &self,
        local: &mut Self::Local,
        keys: &[V::Key],
        _successors: &Expansion,
        _hidden: usize,
        new: &mut Vec<(u32, V::Key)>,
    ) {
        self.visited.insert_keys(&mut local.visited, keys, new);
    }

    #[inline]
    fn insert_first(&self, local: &mut Self::Local, keys: &[V::Key]) -> Option<usize> {
        self.visited.insert_first(&mut local.visited, keys)
    }

    #[inline]
    fn absent(&self, _local: &mut Self::Local, keys: &[V::Key], out: &mut Vec<u32>) {
        self.visited.absent(keys, out);
    }

    #[inline]
    fn contains(&self, _local: &mut Self::Local, key: V::Key, _state: &[u8]) -> bool {
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
        if let Some(gives_up) = &self.gives_up
            && self.codec.is_strained()
            && self.visited.is_young()
        {
            gives_up.store(true, Ordering::Relaxed);
            return true;
        }
        self.codec.is_nearly_full()
    }
}
