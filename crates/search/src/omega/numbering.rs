//! States by dense numbers, for searches with side tables.

use crate::run::note_loss;
use spinor_store::{ChunkedVec, ExactStore, KeyNumbers, StateId, Store, Visited};
use spinor_ts::{Incomplete, Stats};

/// Room that is left before a numbering counts as full: one expansion has to fit.
pub(super) const RESERVE: u64 = 1 << 24;

/// A set of states that numbers them from zero in the order of their insertion.
///
/// Keys are of states without their hidden bytes. Who has several states makes
/// the keys of all of them first, then asks to prefetch, then looks them up: so memory is
/// waited for once.
pub trait Numbering {
    /// A state on its way to the set.
    type Key: Copy + Default;

    /// Whether a key alone gives its state back.
    const KEY_IS_STATE: bool;

    /// An empty one of the same kind that keeps its states.
    #[must_use]
    fn fresh(&self) -> Self;

    /// Says that keys asked for from now on are those of successors of `state`.
    fn set_origin(&mut self, state: &[u8]);

    /// The same where the key of `state` is at hand.
    fn set_origin_keyed(&mut self, key: Self::Key, state: &[u8]);

    /// The key of a successor of the origin.
    fn key(&mut self, state: &[u8]) -> Self::Key;

    /// Fetches what a look-up reads.
    fn prefetch(&self, key: Self::Key);

    /// The number of a state.
    fn find(&mut self, key: Self::Key, state: &[u8]) -> Option<u32>;

    /// The number of a state, and whether it was given just now.
    fn insert(&mut self, key: Self::Key, state: &[u8]) -> (u32, bool);

    /// Replaces the contents of `out` by the state of a key and makes it the origin.
    ///
    /// # Panics
    /// Keys are no states.
    fn load_key(&mut self, key: Self::Key, out: &mut Vec<u8>);

    /// Has to be called, while it is empty, if states are to be had by number.
    fn keep_states(&mut self);

    /// Replaces the contents of `out` by the state of a number and makes it the origin.
    ///
    /// # Panics
    /// States are not kept, or there is no such number.
    fn load(&mut self, number: u32, out: &mut Vec<u8>);

    /// Gives back memory that is not needed any more. To be called now and then.
    fn tidy(&self) {}

    /// Whether there is no room for many more states.
    fn is_nearly_full(&self) -> bool;

    /// Memory allocated.
    fn bytes_used(&self) -> u64;

    /// Enters what may have been missed in the figures.
    fn note_loss(&self, _stats: &mut Stats) -> Option<Incomplete> {
        None
    }
}

/// Numbers for the keys of a store; the store itself stays empty.
///
/// Exact if keys are states; else states with equal keys are taken for one.
pub struct KeyedStates<'s, S: Store> {
    store: &'s S,
    local: S::Local,
    numbers: KeyNumbers,
    kept: Kept,
}

enum Kept {
    Nothing,
    Keys(ChunkedVec<u64>),
    Bytes(ExactStore),
}

impl<'s, S: Store<Key = u64>> KeyedStates<'s, S> {
    /// An empty one.
    #[must_use]
    pub fn new(store: &'s S) -> Self {
        const {
            assert!(S::KEY_IS_STATE || !S::KEEPS_STATES, "an exact store needs more than keys");
        }
        Self { store, local: store.local(), numbers: KeyNumbers::new(), kept: Kept::Nothing }
    }
}

impl<S: Store> KeyedStates<'_, S> {
    /// Memory allocated beside the store.
    pub(super) fn numbers_bytes(&self) -> u64 {
        let kept = match &self.kept {
            Kept::Nothing => 0,
            Kept::Keys(keys) => keys.bytes_used(),
            Kept::Bytes(states) => states.bytes_used(),
        };
        self.numbers.bytes_used() + kept
    }
}

impl<S: Store<Key = u64>> Numbering for KeyedStates<'_, S> {
    type Key = u64;

    const KEY_IS_STATE: bool = S::KEY_IS_STATE;

    fn fresh(&self) -> Self {
        let mut fresh = Self::new(self.store);
        fresh.keep_states();
        fresh
    }

    #[inline]
    fn set_origin(&mut self, state: &[u8]) {
        self.store.set_origin(&mut self.local, state);
    }

    #[inline]
    fn set_origin_keyed(&mut self, key: u64, state: &[u8]) {
        self.store.set_origin_keyed(&mut self.local, key, state);
    }

    #[inline]
    fn key(&mut self, state: &[u8]) -> u64 {
        self.store.key(&mut self.local, state)
    }

    #[inline]
    fn prefetch(&self, key: u64) {
        self.numbers.prefetch(key);
    }

    #[inline]
    fn find(&mut self, key: u64, _state: &[u8]) -> Option<u32> {
        self.numbers.find(key)
    }

    #[inline]
    fn insert(&mut self, key: u64, state: &[u8]) -> (u32, bool) {
        let (number, is_new) = self.numbers.insert(key);
        if is_new {
            match &mut self.kept {
                Kept::Nothing => {}
                Kept::Keys(keys) => keys.push(key),
                Kept::Bytes(states) => {
                    states.insert(state);
                }
            }
        }
        (number, is_new)
    }

    #[inline]
    fn load_key(&mut self, key: u64, out: &mut Vec<u8>) {
        self.store.load_key(&mut self.local, key, out);
    }

    fn keep_states(&mut self) {
        debug_assert!(self.numbers.is_empty(), "nothing is missed");
        self.kept = if S::KEY_IS_STATE {
            Kept::Keys(ChunkedVec::new())
        } else {
            Kept::Bytes(ExactStore::new())
        };
    }

    fn load(&mut self, number: u32, out: &mut Vec<u8>) {
        match &self.kept {
            Kept::Nothing => unreachable!("states are not kept"),
            Kept::Keys(keys) => {
                self.store.load_key(&mut self.local, keys.get(number as usize), out);
            }
            Kept::Bytes(states) => states.get(StateId(number), out),
        }
    }

    fn tidy(&self) {
        self.store.quiesce();
    }

    fn is_nearly_full(&self) -> bool {
        self.store.is_nearly_full()
            || u64::from(self.numbers.len()) + RESERVE > u64::from(KeyNumbers::MAX_KEYS)
    }

    fn bytes_used(&self) -> u64 {
        self.store.bytes_used() + self.numbers_bytes()
    }

    fn note_loss(&self, stats: &mut Stats) -> Option<Incomplete> {
        note_loss(self.store, stats)
    }
}

/// Numbers for states that are kept in full.
#[derive(Debug, Default)]
pub struct ExactStates(ExactStore);

impl ExactStates {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Numbering for ExactStates {
    type Key = u64;

    const KEY_IS_STATE: bool = false;

    fn fresh(&self) -> Self {
        Self::new()
    }

    #[inline]
    fn set_origin(&mut self, _state: &[u8]) {}

    #[inline]
    fn set_origin_keyed(&mut self, _key: u64, _state: &[u8]) {}

    #[inline]
    fn key(&mut self, state: &[u8]) -> u64 {
        let hash = self.0.hash(state);
        self.0.prefetch(hash);
        hash
    }

    #[inline]
    fn prefetch(&self, key: u64) {
        self.0.prefetch_state(key);
    }

    #[inline]
    fn find(&mut self, _key: u64, state: &[u8]) -> Option<u32> {
        self.0.find(state).map(|id| id.0)
    }

    #[inline]
    fn insert(&mut self, key: u64, state: &[u8]) -> (u32, bool) {
        let inserted = self.0.insert_hashed(state, key);
        (inserted.id.0, inserted.is_new)
    }

    fn load_key(&mut self, _key: u64, _out: &mut Vec<u8>) {
        unreachable!("keys are hashes");
    }

    fn keep_states(&mut self) {}

    fn load(&mut self, number: u32, out: &mut Vec<u8>) {
        self.0.get(StateId(number), out);
    }

    fn is_nearly_full(&self) -> bool {
        self.0.len() + RESERVE > StateId::MAX_STATES
    }

    fn bytes_used(&self) -> u64 {
        self.0.bytes_used()
    }
}
