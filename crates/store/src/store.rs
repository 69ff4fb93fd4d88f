//! What every shared visited set offers.
//!
//! A search with several threads has one [`Store`] and, per thread, a `Local` with
//! whatever that thread need not share (caches, memory set aside for its
//! insertions, counters). Operations take both.
//!
//! Most of the time of an insertion is waiting for memory. So it has two halves:
//! [`key`](Store::key) computes all that can be computed and asks for the memory
//! that will be looked at; [`insert`](Store::insert) looks at it. Who has several
//! states makes the keys of all of them first.

use spinor_ts::{EventKind, Expansion, Footprint, Padded, Quad, WordLayout, WordMoves};
use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

/// Answer of [`Store::insert`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Insertion<R> {
    /// The state was not there: this stands for it from now on.
    New(R),
    /// The state was there (or, in a lossy store, is taken for one that was).
    Known,
}

/// What a lossy store may have missed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Loss {
    /// Expected number of states that were taken for another one.
    pub expected_omitted: f64,
    /// How many states are not met when one is missed, itself and those that only it leads to, as far as a
    /// look at arrivals can tell.
    pub hidden_factor: f64,
    /// Bits of the store per stored state, if it is a set of bits.
    pub hash_factor: Option<f64>,
}

/// States whose successors lie in one expansion.
#[derive(Clone, Copy, Debug)]
pub struct Origins<'a, R> {
    /// What stands for them in the store.
    pub refs: &'a [R],
    /// Their bytes.
    pub states: &'a [Padded<'a>],
    /// For each, where its events end among those of the expansion.
    pub ends: &'a [u32],
}

/// A successor that is not left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrival {
    /// 8 bits: which of the states it belongs to, 24 bits: its number among the successors of that.
    place: u32,
    /// The groups that sleep in it if this is how it is reached first, one bit each: their moves need not be
    /// made, since a search level by level comes to the same states in another way.
    pub sleep: u32,
}

impl Arrival {
    /// Successors that can be told apart.
    pub(crate) const EVENTS: u32 = 1 << 24;

    /// A successor of the state with this number.
    #[inline(always)]
    pub(crate) fn new(state: usize, event: u32) -> Self {
        debug_assert!(state < 1 << 8 && event < Self::EVENTS);
        Self { place: (state as u32) << 24 | event, sleep: 0 }
    }

    /// One that comes so much later.
    #[inline(always)]
    pub(crate) fn later(self, events: u32) -> Self {
        Self { place: self.place + events, ..self }
    }

    /// The same of the next state.
    #[inline(always)]
    pub(crate) fn next_state(self) -> Self {
        Self { place: self.place.wrapping_add(Self::EVENTS), ..self }
    }

    /// The same one, in which some groups sleep.
    #[inline(always)]
    pub(crate) fn asleep(self, sleep: u32) -> Self {
        Self { sleep, ..self }
    }

    /// Which of the states it belongs to.
    #[inline]
    #[must_use]
    pub fn state(self) -> u32 {
        self.place >> 24
    }

    /// Its number among the successors of that.
    #[inline]
    #[must_use]
    pub fn event(self) -> u32 {
        self.place & (Self::EVENTS - 1)
    }
}

/// Successors that a store knows from the moves of others.
#[derive(Clone, Debug)]
pub struct Recall<K> {
    /// The keys of the successors of states that are done, without some that were there just before.
    pub keys: Vec<K>,
    /// Which of all successors these are.
    pub arrivals: Vec<Arrival>,
    /// For each state that is wanted the groups that sleep in it, one bit each; none if there is no entry.
    pub sleeping: Vec<u32>,
    /// Where the successors of each state that is done end among all.
    pub ends: Vec<u32>,
    /// All keys, for a check.
    #[cfg(debug_assertions)]
    pub all: Vec<K>,
    /// Takes states without successors as well.
    pub takes_ends: bool,
    /// Steps inside atomic sequences.
    pub atomic_steps: u64,
    /// Steps of the longest chain that was tried.
    pub deepest: u32,
    /// Groups that were known.
    pub probes: u64,
    /// Where the successors of the state at hand begin.
    pub(crate) start: usize,
    /// Steps inside atomic sequences so far, of the state at hand.
    pub(crate) own_atomic_steps: u64,
    /// Its next group.
    pub(crate) group: usize,
}

impl<K> Default for Recall<K> {
    fn default() -> Self {
        Self {
            keys: Vec::new(),
            arrivals: Vec::new(),
            sleeping: Vec::new(),
            ends: Vec::new(),
            #[cfg(debug_assertions)]
            all: Vec::new(),
            takes_ends: false,
            atomic_steps: 0,
            deepest: 0,
            probes: 0,
            start: 0,
            own_atomic_steps: 0,
            group: 0,
        }
    }
}

impl<K> Recall<K> {
    /// Forgets everything, keeps the memory.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.arrivals.clear();
        self.sleeping.clear();
        self.ends.clear();
        #[cfg(debug_assertions)]
        self.all.clear();
        (self.atomic_steps, self.deepest, self.probes) = (0, 0, 0);
        (self.start, self.own_atomic_steps, self.group) = (0, 0, 0);
    }

    /// Successors of the states that are done.
    #[must_use]
    pub fn successors(&self) -> u32 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Goes on to the next state; that at hand has so many successors.
    pub(crate) fn end_state(&mut self, successors: usize) {
        self.start = self.keys.len();
        self.ends.push(self.successors() + successors as u32);
        self.atomic_steps += std::mem::take(&mut self.own_atomic_steps);
        self.group = 0;
    }

    /// Leaves out the successors of the state at hand: somebody else makes them.
    pub fn skip_state(&mut self) {
        self.keys.truncate(self.start);
        self.own_atomic_steps = 0;
        self.end_state(0);
    }
}

/// The successors of one state, known from the moves of others.
#[derive(Clone, Debug)]
pub struct Successors<K> {
    /// Their keys, in order.
    pub keys: Vec<K>,
    /// Elementary steps to each of them.
    pub steps: Vec<u32>,
    /// Steps inside atomic sequences.
    pub atomic_steps: u64,
    /// Steps of the longest chain that was tried.
    pub deepest: u32,
    /// Groups that can be told apart.
    pub groups: u32,
    /// There may be none at all.
    pub takes_ends: bool,
}

impl<K> Default for Successors<K> {
    fn default() -> Self {
        let (keys, steps) = (Vec::new(), Vec::new());
        Self { keys, steps, atomic_steps: 0, deepest: 0, groups: 0, takes_ends: false }
    }
}

/// What the groups of a state could do.
#[derive(Clone, Default, Debug)]
pub struct Survey {
    /// For each group where it stands, in the words of the system, and how many moves it has: the upper and the lower half.
    pub seats: Vec<u64>,
    /// A sum of numbers that belong to the seats, each at its place.
    pub hash: u64,
    /// The groups that have moves, one bit each.
    pub active: u64,
}

impl Survey {
    /// How many moves a group has.
    #[inline]
    #[must_use]
    pub fn events(&self, group: usize) -> u32 {
        self.seats[group] as u32
    }
}

/// What [`Store::recall`] wants next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recalled {
    /// Nothing: all states are done.
    All,
    /// The groups of states like the one at hand, by [`Store::set_groups`].
    Unknown,
    /// The moves of a group of the state at hand, by [`Store::remember`].
    Group {
        /// Its number.
        group: usize,
        /// What they depend on is known.
        is_anchored: bool,
    },
    /// Where a group of the state stands, by [`Store::set_station`].
    Station {
        /// Its number.
        group: usize,
    },
    /// The state at hand has to be expanded as a whole.
    Whole,
}

/// What the moves of a group depend on.
#[derive(Clone, Copy, Debug)]
pub enum Dependence<'a> {
    /// What is known of its anchor.
    AsKnown,
    /// These bytes.
    On(&'a Footprint),
    /// Everything.
    Unknown,
}

/// What tells states of a store apart.
pub trait Distinct: Copy + Ord + Debug + Send + Sync + 'static {
    /// One that is not special, except for tables.
    const ZERO: Self;

    /// 64 bits by which most differ.
    fn bits(self) -> u64;
}

impl Distinct for () {
    const ZERO: () = ();

    fn bits(self) -> u64 {
        0
    }
}

impl Distinct for u64 {
    const ZERO: u64 = 0;

    #[inline(always)]
    fn bits(self) -> u64 {
        self
    }
}

impl Distinct for u128 {
    const ZERO: u128 = 0;

    #[inline(always)]
    fn bits(self) -> u64 {
        (self >> 64) as u64 ^ self as u64
    }
}

impl Distinct for Quad {
    const ZERO: Quad = Quad::NONE;

    #[inline(always)]
    fn bits(self) -> u64 {
        self.0.into_iter().fold(0, |all, limb| all ^ limb)
    }
}

/// A set of states shared by threads.
///
/// Keys are states without their hidden bytes.
pub trait Store: Sync {
    /// A state on its way to the set.
    type Key: Copy + Send;
    /// A state of the set.
    type Ref: Copy + Send;
    /// What a thread has for itself.
    type Local: Send;
    /// What tells states of this set apart, if keys do.
    type Identity: Distinct;

    /// Whether a `Key` alone, inserted or not, gives its state back. `Ref` is the
    /// same as `Key` then.
    const KEY_IS_STATE: bool;
    /// Whether a `Ref` gives its state back. If not, a frontier has to keep the bytes.
    const KEEPS_STATES: bool;
    /// Whether the store can [recall](Self::recall) successors.
    const RECALLS: bool = false;

    /// What no other state of this set has, if keys tell states apart.
    #[inline]
    fn identity(_key: Self::Key) -> Option<Self::Identity> {
        None
    }

    /// The same for a state of the set.
    #[inline]
    fn identity_of(_state: Self::Ref) -> Option<Self::Identity> {
        None
    }

    /// The state of a key, be it in the set or not, if keys are states.
    #[inline]
    fn state_of(_key: Self::Key) -> Option<Self::Ref> {
        None
    }

    /// The state of the set with this [number](Self::identity_of), if numbers tell.
    #[inline]
    fn with_identity(_number: Self::Identity) -> Option<Self::Ref> {
        None
    }

    /// As on the command line.
    fn name(&self) -> &'static str;

    /// A thread's own part.
    fn local(&self) -> Self::Local;

    /// Says whether one thread has the store for itself from now on.
    fn set_alone(&self, _is_alone: bool) {}

    /// Says that the states given to [`key`](Self::key) from now on are successors of
    /// `state` and differ little from it.
    fn set_origin(&self, local: &mut Self::Local, state: &[u8]);

    /// The same for a state whose key, just made, is at hand: that saves work.
    #[inline]
    fn set_origin_keyed(&self, local: &mut Self::Local, _key: Self::Key, state: &[u8]) {
        self.set_origin(local, state);
    }

    /// The same for a state of the set.
    #[inline]
    fn adopt(&self, local: &mut Self::Local, _state_ref: Self::Ref, state: &[u8]) {
        self.set_origin(local, state);
    }

    /// Replaces the contents of `out` by the bytes of a state and makes it the origin.
    ///
    /// # Panics
    /// The store does not keep states.
    fn load(&self, local: &mut Self::Local, state: Self::Ref, out: &mut Vec<u8>);

    /// The same for a key that is a state.
    ///
    /// # Panics
    /// Keys of this store are no states.
    fn load_key(&self, local: &mut Self::Local, key: Self::Key, out: &mut Vec<u8>);

    /// The key of a successor of the origin. Fetches what [`insert`](Self::insert)
    /// looks at first.
    fn key(&self, local: &mut Self::Local, state: &[u8]) -> Self::Key;

    /// Fetches what [`insert`](Self::insert) looks at next, once the first has arrived.
    #[inline]
    fn prefetch(&self, _key: Self::Key) {}

    /// The same for keys that were made just now.
    #[inline]
    fn prefetch_fresh(&self, keys: &[Self::Key]) {
        keys.iter().for_each(|key| self.prefetch(*key));
    }

    /// Appends the keys of all successors of the origin, in their order, to `keys`. Of each
    /// successor the last `hidden` bytes do not count.
    #[inline]
    fn keys(
        &self,
        local: &mut Self::Local,
        successors: &Expansion,
        hidden: usize,
        keys: &mut Vec<Self::Key>,
    ) {
        for event in successors.events() {
            if event.kind == EventKind::Successor {
                let state = successors.state(event);
                keys.push(self.key(local, &state[..state.len() - hidden]));
            }
        }
    }

    /// The same for the successors of several states of the set, given without hidden bytes,
    /// of which there are none. `ends` says of each state where its events end among all.
    /// Afterwards some of them is the origin, or none.
    #[inline]
    fn keys_many(
        &self,
        local: &mut Self::Local,
        origins: &Origins<'_, Self::Ref>,
        successors: &Expansion,
        keys: &mut Vec<Self::Key>,
    ) {
        let mut first = 0;
        for ((state_ref, state), end) in origins.refs.iter().zip(origins.states).zip(origins.ends) {
            self.adopt(local, *state_ref, state.state());
            let events = successors.events().get(first..*end as usize).unwrap_or_default();
            for event in events.iter().filter(|event| event.kind == EventKind::Successor) {
                keys.push(self.key(local, successors.state(event)));
            }
            first = *end as usize;
        }
    }

    /// Appends the keys of the successors of states as far as these are known from what groups of moves did to
    /// others before. The state at hand is the one after those that are done. The order of
    /// successors is that of the groups.
    fn recall(
        &self,
        _local: &mut Self::Local,
        _states: &[Self::Ref],
        _out: &mut Recall<Self::Key>,
    ) -> Recalled {
        Recalled::Whole
    }

    /// Says what groups of moves states like this one have, if any.
    fn set_groups(&self, _local: &mut Self::Local, _state: Self::Ref, _anchors: Option<&[usize]>) {}

    /// Says that these states are the next ones whose successors will be [recalled](Self::recall).
    fn look_ahead(&self, _local: &mut Self::Local, _states: &[Self::Ref]) {}

    /// Takes the successors of the state at hand, which is the origin, by its next group, and remembers
    /// them if it is known what they depend on.
    fn remember(
        &self,
        _local: &mut Self::Local,
        _successors: &Expansion,
        _dependence: Dependence<'_>,
        _out: &mut Recall<Self::Key>,
    ) {
    }

    /// Replaces `out` by the successors of one state, with their steps, if all of them are known from what groups of moves
    /// did to others before. The groups that are wanted otherwise are to be [learnt](Self::learn). Fetches what
    /// [`insert`](Self::insert) looks at.
    fn successors(
        &self,
        _local: &mut Self::Local,
        _state: Self::Key,
        _out: &mut Successors<Self::Key>,
    ) -> Recalled {
        Recalled::Whole
    }

    /// How states become words, if there may be moves from word to word.
    fn word_layout(&self) -> Option<&Arc<WordLayout>> {
        None
    }

    /// Whether so few moves slept after [`expand_words`](Self::expand_words) that nobody needs to be told what they look at.
    fn is_awake(&self, _local: &Self::Local) -> bool {
        false
    }

    /// Makes the keys of the successors of some states by moves from word to word, as [`recall`](Self::recall) does with what
    /// it knows; only where there is a [layout](Self::word_layout). Appends to `whole` which states are to be expanded as a whole.
    fn expand_words(
        &self,
        _local: &mut Self::Local,
        _states: &[Self::Ref],
        _moves: &mut dyn WordMoves,
        _out: &mut Recall<Self::Key>,
        _whole: &mut Vec<usize>,
    ) {
    }

    /// The same for one state, with all its successors. False if it is to be expanded as a whole.
    fn word_successors(
        &self,
        _local: &mut Self::Local,
        _state: Self::Key,
        _moves: &mut dyn WordMoves,
        _out: &mut Successors<Self::Key>,
    ) -> bool {
        false
    }

    /// Remembers the successors of the origin by a group, with their steps for [`successors`](Self::successors), without for a
    /// [survey](Self::survey). False if that cannot be: the state is to be expanded as a whole.
    fn learn(
        &self,
        _local: &mut Self::Local,
        _group: usize,
        _successors: &Expansion,
        _dependence: Dependence<'_>,
        _with_steps: bool,
    ) -> bool {
        false
    }

    /// Finds out what the groups of one state could do, and where they stand, as far as that is known. The state need not be in
    /// the set if keys are states. What is wanted otherwise is to be [learnt](Self::learn), without steps.
    fn survey(&self, _local: &mut Self::Local, _state: Self::Ref) -> Recalled {
        Recalled::Whole
    }

    /// What the last [survey](Self::survey) that found all has found.
    fn surveyed<'l>(&self, _local: &'l Self::Local) -> Option<&'l Survey> {
        None
    }

    /// Steps inside atomic sequences, and of the longest chain that was tried, of the state surveyed last.
    fn figures_of_survey(&self, _local: &Self::Local) -> (u64, u32) {
        (0, 0)
    }

    /// Appends the keys of the successors by some groups, one bit each, of the state surveyed last. Fetches what
    /// [`insert_all`](Self::insert_all) looks at. False if it cannot be: the state is to be expanded as a whole.
    fn moves_of(&self, _local: &Self::Local, _groups: u64, _keys: &mut Vec<Self::Key>) -> bool {
        false
    }

    /// Where a group stands after a move of the state surveyed last, which leads to this key, if that is known.
    fn station_in(&self, _local: &Self::Local, _key: Self::Key, _group: usize) -> Option<u32> {
        None
    }

    /// Says where a group of the origin stands, and on which bytes that depends. False if that cannot be kept.
    fn set_station(
        &self,
        _local: &mut Self::Local,
        _group: usize,
        _station: u32,
        _bytes: &[Range<usize>],
    ) -> bool {
        false
    }

    /// The value of some bytes, the lowest one first, of the state surveyed last.
    fn peek(&self, _local: &Self::Local, _bytes: Range<usize>) -> u32 {
        0
    }

    /// Adds the successors with these keys, one for each event, unless they are there.
    /// Appends the numbers of those that were not.
    #[inline]
    fn insert_all(
        &self,
        local: &mut Self::Local,
        keys: &[Self::Key],
        successors: &Expansion,
        hidden: usize,
        new: &mut Vec<(u32, Self::Ref)>,
    ) {
        for (number, (key, event)) in (0..).zip(keys.iter().zip(successors.events())) {
            let state = successors.state(event);
            let state = &state[..state.len() - hidden];
            if let Insertion::New(state_ref) = self.insert(local, *key, state) {
                new.push((number, state_ref));
            }
        }
    }

    /// Adds a state unless it is there. `state` are its bytes; they are not looked at
    /// (and may be empty) if keys are states.
    fn insert(&self, local: &mut Self::Local, key: Self::Key, state: &[u8])
    -> Insertion<Self::Ref>;

    /// Adds the first of these keys that is not there, if keys are states, and says which one it is.
    #[inline]
    fn insert_first(&self, local: &mut Self::Local, keys: &[Self::Key]) -> Option<usize> {
        keys.iter().position(|key| matches!(self.insert(local, *key, &[]), Insertion::New(_)))
    }

    /// Appends the numbers of those among these keys that are not there, if keys are states.
    #[inline]
    fn absent(&self, local: &mut Self::Local, keys: &[Self::Key], out: &mut Vec<u32>) {
        let is_absent = |(_, key): &(u32, &Self::Key)| !self.contains(local, **key, &[]);
        out.extend((0..).zip(keys).filter(is_absent).map(|(number, _)| number));
    }

    /// Whether a state is there.
    fn contains(&self, local: &mut Self::Local, key: Self::Key, state: &[u8]) -> bool;

    /// To be called now and then while no thread is inside an operation: memory that
    /// growth has replaced is given back.
    fn quiesce(&self) {}

    /// Memory allocated. Constant time.
    fn bytes_used(&self) -> u64;

    /// Memory of a thread's own part, as far as it grows.
    fn local_bytes(&self, _local: &Self::Local) -> u64 {
        0
    }

    /// What a lossy store may have missed, given how many states it has stored; `None`
    /// if it is exact.
    fn loss(&self, _stored: u64) -> Option<Loss> {
        None
    }

    /// Whether the set can take many more states.
    fn is_nearly_full(&self) -> bool {
        false
    }
}
