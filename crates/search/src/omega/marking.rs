//! What a nested search remembers of states.
//!
//! Whether the first search has met a state, whether the second has, and which
//! states are on the way of the first one, accepting or not.

use super::Numbering;
use super::key_map::KeyMap;
use crate::run::note_loss;
use spinor_store::Store;
use spinor_ts::{Incomplete, Stats};

/// What is known of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// The first search has not met it.
    Unknown,
    /// It is on the way of the first search.
    OnTheWay {
        /// Whether it is accepting.
        is_accepting: bool,
    },
    /// The first search has met it, the second has not.
    Once,
    /// Both searches have met it.
    Twice,
}

/// A set of states with marks for a nested search. Operations are as in [`Numbering`].
pub trait Marking {
    /// A state on its way to the set.
    type Key: Copy + Default;

    /// Whether a key alone gives its state back.
    const KEY_IS_STATE: bool;

    /// Says that keys asked for from now on are those of successors of `state`.
    fn set_origin(&mut self, state: &[u8]);

    /// The same where the key of `state` is at hand.
    fn set_origin_keyed(&mut self, key: Self::Key, state: &[u8]);

    /// The key of a successor of the origin.
    fn key(&mut self, state: &[u8]) -> Self::Key;

    /// Fetches what a look-up reads.
    fn prefetch(&self, key: Self::Key);

    /// Replaces the contents of `out` by the state of a key and makes it the origin.
    ///
    /// # Panics
    /// Keys are no states.
    fn load_key(&mut self, key: Self::Key, out: &mut Vec<u8>);

    /// What is known of a state.
    fn look(&mut self, key: Self::Key, state: &[u8]) -> Look;

    /// The first search meets a state: whether it is new.
    fn meet(&mut self, key: Self::Key, state: &[u8]) -> bool;

    /// The second search meets a state that the first one knows: whether it is new to it.
    fn meet_again(&mut self, key: Self::Key, state: &[u8]) -> bool;

    /// The first search enters a state.
    fn enter(&mut self, key: Self::Key, state: &[u8], is_accepting: bool);

    /// The first search leaves a state.
    fn leave(&mut self, key: Self::Key, state: &[u8]);

    /// Gives back memory that is not needed any more. To be called now and then.
    fn tidy(&self) {}

    /// Whether there is no room for many more states.
    fn is_nearly_full(&self) -> bool;

    /// Memory of the visited set.
    fn bytes_used(&self) -> u64;

    /// Enters what may have been missed in the figures.
    fn note_loss(&self, stats: &mut Stats) -> Option<Incomplete>;
}

/// Bits by number.
#[derive(Debug, Default)]
struct Bits(Vec<u64>);

impl Bits {
    #[inline]
    fn contains(&self, number: u32) -> bool {
        let word = self.0.get(number as usize / 64);
        word.is_some_and(|word| word >> (number % 64) & 1 != 0)
    }

    #[inline]
    fn set(&mut self, number: u32, value: bool) {
        let at = number as usize / 64;
        if at >= self.0.len() {
            self.0.resize(at + 1, 0);
        }
        let bit = 1 << (number % 64);
        let word = &mut self.0[at];
        *word = if value { *word | bit } else { *word & !bit };
    }
}

/// Marks in side tables of a numbering.
#[derive(Debug)]
pub struct NumberedMarks<N> {
    states: N,
    on_the_way: Bits,
    accepting: Bits,
    again: Bits,
}

impl<N: Numbering> NumberedMarks<N> {
    /// None yet; `states` has to be empty.
    pub fn new(states: N) -> Self {
        let [on_the_way, accepting, again] = [const { Bits(Vec::new()) }; 3];
        Self { states, on_the_way, accepting, again }
    }
}

impl<N: Numbering> Marking for NumberedMarks<N> {
    type Key = N::Key;

    const KEY_IS_STATE: bool = N::KEY_IS_STATE;

    #[inline]
    fn set_origin(&mut self, state: &[u8]) {
        self.states.set_origin(state);
    }

    #[inline]
    fn set_origin_keyed(&mut self, key: N::Key, state: &[u8]) {
        self.states.set_origin_keyed(key, state);
    }

    #[inline]
    fn key(&mut self, state: &[u8]) -> N::Key {
        self.states.key(state)
    }

    #[inline]
    fn prefetch(&self, key: N::Key) {
        self.states.prefetch(key);
    }

    #[inline]
    fn load_key(&mut self, key: N::Key, out: &mut Vec<u8>) {
        self.states.load_key(key, out);
    }

    #[inline]
    fn look(&mut self, key: N::Key, state: &[u8]) -> Look {
        let Some(number) = self.states.find(key, state) else { return Look::Unknown };
        if self.on_the_way.contains(number) {
            Look::OnTheWay { is_accepting: self.accepting.contains(number) }
        } else if self.again.contains(number) {
            Look::Twice
        } else {
            Look::Once
        }
    }

    #[inline]
    fn meet(&mut self, key: N::Key, state: &[u8]) -> bool {
        self.states.insert(key, state).1
    }

    #[inline]
    fn meet_again(&mut self, key: N::Key, state: &[u8]) -> bool {
        // One that the first search does not know lies beyond a bound.
        let Some(number) = self.states.find(key, state) else { return false };
        let is_new = !self.again.contains(number);
        self.again.set(number, true);
        is_new
    }

    #[inline]
    fn enter(&mut self, key: N::Key, state: &[u8], is_accepting: bool) {
        if let Some(number) = self.states.find(key, state) {
            self.on_the_way.set(number, true);
            self.accepting.set(number, is_accepting);
        }
    }

    #[inline]
    fn leave(&mut self, key: N::Key, state: &[u8]) {
        if let Some(number) = self.states.find(key, state) {
            self.on_the_way.set(number, false);
        }
    }

    fn tidy(&self) {
        self.states.tidy();
    }

    fn is_nearly_full(&self) -> bool {
        self.states.is_nearly_full()
    }

    fn bytes_used(&self) -> u64 {
        let bits = [&self.on_the_way, &self.accepting, &self.again];
        let words: usize = bits.into_iter().map(|bits| bits.0.capacity()).sum();
        self.states.bytes_used() + words as u64 * 8
    }

    fn note_loss(&self, stats: &mut Stats) -> Option<Incomplete> {
        self.states.note_loss(stats)
    }
}

/// Marks in a store that only knows hashes: a second hash stands for the second search,
/// and only the states on the way are in a table.
pub struct HashedMarks<'s, S: Store> {
    store: &'s S,
    local: S::Local,
    on_the_way: KeyMap<bool>,
}

impl<'s, S: Store<Key = u64>> HashedMarks<'s, S> {
    /// None yet; `store` has to be empty.
    #[must_use]
    pub fn new(store: &'s S) -> Self {
        const {
            assert!(!S::KEY_IS_STATE && !S::KEEPS_STATES, "keys that are hashes and no more");
        }
        Self { store, local: store.local(), on_the_way: KeyMap::default() }
    }
}

/// The hash that stands for the second search (a bijection that leaves no hash as it is
/// but one).
#[inline]
pub(crate) fn again(key: u64) -> u64 {
    let mixed = (key ^ key >> 31).wrapping_mul(0x9fb2_1c65_1e98_df25);
    (mixed ^ mixed >> 29).clamp(1, u64::MAX - 1)
}

impl<S: Store<Key = u64>> Marking for HashedMarks<'_, S> {
    type Key = u64;

    const KEY_IS_STATE: bool = false;

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
        self.store.prefetch(key);
    }

    fn load_key(&mut self, _key: u64, _out: &mut Vec<u8>) {
        unreachable!("keys are hashes");
    }

    #[inline]
    fn look(&mut self, key: u64, state: &[u8]) -> Look {
        if !self.store.contains(&mut self.local, key, state) {
            Look::Unknown
        } else if let Some(is_accepting) = self.on_the_way.get(&key) {
            Look::OnTheWay { is_accepting: *is_accepting }
        } else if self.store.contains(&mut self.local, again(key), state) {
            Look::Twice
        } else {
            Look::Once
        }
    }

    #[inline]
    fn meet(&mut self, key: u64, state: &[u8]) -> bool {
        is_new(&self.store.insert(&mut self.local, key, state))
    }

    #[inline]
    fn meet_again(&mut self, key: u64, state: &[u8]) -> bool {
        is_new(&self.store.insert(&mut self.local, again(key), state))
    }

    #[inline]
    fn enter(&mut self, key: u64, _state: &[u8], is_accepting: bool) {
        self.on_the_way.insert(key, is_accepting);
    }

    #[inline]
    fn leave(&mut self, key: u64, _state: &[u8]) {
        self.on_the_way.remove(&key);
    }

    fn tidy(&self) {
        self.store.quiesce();
    }

    fn is_nearly_full(&self) -> bool {
        self.store.is_nearly_full()
    }

    fn bytes_used(&self) -> u64 {
        self.store.bytes_used() + self.on_the_way.allocation_size() as u64
    }

    fn note_loss(&self, stats: &mut Stats) -> Option<Incomplete> {
        note_loss(self.store, stats)
    }
}

fn is_new<R>(insertion: &spinor_store::Insertion<R>) -> bool {
    matches!(insertion, spinor_store::Insertion::New(_))
}
