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

pub use local::TreeLocal;

use crate::concurrent::Table;
use crate::dictionary::Meter;
use crate::store::{Dependence, Insertion, Origins, Recall, Recalled, Store, Successors};
use grain::Grain;
use layouts::Numbered;
use mix::{mix, unmix};
use plan::Plan;
use spinor_ts::{Expansion, LayoutOf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Few, for large pages; more than one, so that growth does not copy everything at once.
const SEGMENTS: usize = 4;

/// A set of states that keeps 64 bits of each.
pub struct Tree {
    layout_of: LayoutOf,
    grain: Grain,
    table: Table,
    /// Layout and form of each packing, by its number.
    packings: [OnceLock<(u32, usize)>; word::PACKINGS],
    /// Numbers for layout and left half together.
    crown: Numbered,
    plan: Mutex<Plan>,
    meter: Arc<Meter>,
    /// Memory of the dictionaries when they were last cleared up.
    tidied: AtomicU64,
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
        let meter = Arc::new(Meter::default());
        let mut plan = Plan::new(&meter);
        let tree = Self {
            grain: Grain::of(&layout_of, sample, is_local),
            layout_of,
            table: Table::new(SEGMENTS),
            packings: [const { OnceLock::new() }; word::PACKINGS],
            crown: plan.dictionaries.add(),
            plan: Mutex::new(plan),
            meter,
            tidied: AtomicU64::new(0),
        };
        tree.prepare(sample);
        tree
    }

    /// Calls `visit` with every state, in no particular order. States that are added
    /// meanwhile may be missed.
    pub fn for_each_state(&self, mut visit: impl FnMut(&[u8])) {
        let mut local = self.local();
        self.table.for_each(|entry| visit(local.load(self, unmix(entry))));
    }

    /// The list of forms and whatever else is shared and changes.
    fn plan(&self) -> std::sync::MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Tree {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Tree").field("bytes", &self.bytes_used()).finish_non_exhaustive()
    }
}

impl Store for Tree {
    type Key = u64;
    type Ref = u64;
    type Local = TreeLocal;

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

    fn name(&self) -> &'static str {
        "tree"
    }

    fn set_alone(&self, is_alone: bool) {
        self.table.set_alone(is_alone);
    }

    fn local(&self) -> TreeLocal {
        TreeLocal::new()
    }

    #[inline]
    fn set_origin(&self, local: &mut TreeLocal, state: &[u8]) {
        let word = local.word(self, state);
        local.load(self, word);
    }

    #[inline]
    fn set_origin_keyed(&self, local: &mut TreeLocal, key: u64, state: &[u8]) {
        local.adopt(self, unmix(key), state);
    }

    #[inline]
    fn adopt(&self, local: &mut TreeLocal, state_ref: u64, state: &[u8]) {
        local.adopt(self, unmix(state_ref), state);
    }

    #[inline]
    fn load(&self, local: &mut TreeLocal, state: u64, out: &mut Vec<u8>) {
        let state = local.load(self, unmix(state));
        out.clear();
        out.extend_from_slice(state);
    }

    #[inline]
    fn load_key(&self, local: &mut TreeLocal, key: u64, out: &mut Vec<u8>) {
        self.load(local, key, out);
    }

    #[inline]
    fn key(&self, local: &mut TreeLocal, state: &[u8]) -> u64 {
        let key = mix(local.word(self, state));
        self.prefetch(key);
        key
    }

    #[inline]
    fn prefetch(&self, key: u64) {
        self.table.prefetch((key >> 32) as u32);
    }

    #[inline]
    fn insert(&self, _local: &mut TreeLocal, key: u64, _state: &[u8]) -> Insertion<u64> {
        if self.table.insert_key(key) { Insertion::New(key) } else { Insertion::Known }
    }

    #[inline]
    fn prefetch_fresh(&self, _keys: &[u64]) {}

    fn keys_many(
        &self,
        local: &mut TreeLocal,
        origins: &Origins<'_, u64>,
        successors: &Expansion,
        keys: &mut Vec<u64>,
    ) {
        local.keys_many(self, origins, successors, keys);
    }

    #[inline]
    fn recall(&self, local: &mut TreeLocal, states: &[u64], out: &mut Recall<u64>) -> Recalled {
        local.recall(self, states, out)
    }

    #[inline]
    fn look_ahead(&self, local: &mut TreeLocal, states: &[u64]) {
        local.look_ahead(states);
    }

    fn set_groups(&self, local: &mut TreeLocal, state: u64, anchors: Option<&[usize]>) {
        local.set_groups(self, state, anchors);
    }

    fn remember(
        &self,
        local: &mut TreeLocal,
        successors: &Expansion,
        dependence: Dependence<'_>,
        out: &mut Recall<u64>,
    ) {
        local.remember(self, successors, dependence, out);
    }

    #[inline]
    fn successors(&self, local: &mut TreeLocal, state: u64, out: &mut Successors<u64>) -> Recalled {
        local.successors(self, state, out)
    }

    fn learn(
        &self,
        local: &mut TreeLocal,
        group: usize,
        successors: &Expansion,
        dependence: Dependence<'_>,
    ) -> bool {
        local.learn(self, group, successors, dependence)
    }

    #[inline]
    fn insert_all(
        &self,
        _local: &mut TreeLocal,
        keys: &[u64],
        _successors: &Expansion,
        _hidden: usize,
        new: &mut Vec<(u32, u64)>,
    ) {
        self.table.insert_keys(keys, new, |key| key);
    }

    #[inline]
    fn insert_first(&self, _local: &mut TreeLocal, keys: &[u64]) -> Option<usize> {
        self.table.insert_first(keys)
    }

    #[inline]
    fn absent(&self, _local: &mut TreeLocal, keys: &[u64], out: &mut Vec<u32>) {
        self.table.absent(keys, out);
    }

    #[inline]
    fn contains(&self, _local: &mut TreeLocal, key: u64, _state: &[u8]) -> bool {
        self.table.contains_key(key)
    }

    fn quiesce(&self) {
        self.table.quiesce();
        // There may be thousands of dictionaries, and levels of a search may be short.
        let used = self.meter.bytes_used();
        let tidied = self.tidied.load(Ordering::Relaxed);
        if used > tidied + tidied / 4 {
            self.plan().dictionaries.iter().for_each(crate::dictionary::Dictionary::quiesce);
            self.crown.dictionary.quiesce();
            self.tidied.store(self.meter.bytes_used(), Ordering::Relaxed);
        }
    }

    fn bytes_used(&self) -> u64 {
        self.table.bytes_used() + self.meter.bytes_used()
    }

    #[inline]
    fn local_bytes(&self, local: &TreeLocal) -> u64 {
        local.memory.bytes as u64
    }

    fn is_nearly_full(&self) -> bool {
        self.meter.is_nearly_full()
    }
}
