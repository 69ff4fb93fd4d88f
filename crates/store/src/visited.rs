//! What every visited set offers.

/// Number of a stored state; states are numbered from zero in order of insertion.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct StateId(pub u32);

impl StateId {
    /// A visited set holds at most this many states. Searches stop before.
    pub const MAX_STATES: u64 = u32::MAX as u64;

    /// The id as an index of a side table.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Answer of [`Visited::insert`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inserted {
    /// The state's number.
    pub id: StateId,
    /// Whether the state was not there before.
    pub is_new: bool,
}

/// A set of states that numbers its members.
///
/// Most of the time of an insertion goes into waiting for memory. Who has several
/// states to insert calls [`hash`](Self::hash) and [`prefetch`](Self::prefetch) for
/// all of them, then [`prefetch_state`](Self::prefetch_state) for all of them, then
/// [`insert_hashed`](Self::insert_hashed): so they wait together.
pub trait Visited {
    /// The hash to be given along with `key`.
    #[inline]
    fn hash(&self, key: &[u8]) -> u64 {
        crate::hash(key)
    }

    /// Adds a state unless it is there already.
    ///
    /// # Panics
    /// The set holds [`StateId::MAX_STATES`] states already.
    #[inline]
    fn insert(&mut self, key: &[u8]) -> Inserted {
        self.insert_hashed(key, self.hash(key))
    }

    /// Adds a state unless it is there already, given its hash.
    ///
    /// # Panics
    /// The set holds [`StateId::MAX_STATES`] states already.
    fn insert_hashed(&mut self, key: &[u8], hash: u64) -> Inserted;

    /// Looks for a state without adding it.
    fn find(&self, key: &[u8]) -> Option<StateId>;

    /// Replaces the contents of `out` by the bytes of a stored state.
    fn get(&self, id: StateId, out: &mut Vec<u8>);

    /// Fetches what an insertion looks at first.
    #[inline]
    fn prefetch(&self, _hash: u64) {}

    /// Fetches what an insertion looks at next, once the first has arrived.
    #[inline]
    fn prefetch_state(&self, _hash: u64) {}

    /// Number of stored states.
    fn len(&self) -> u64;

    /// Whether nothing is stored.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Memory allocated.
    fn bytes_used(&self) -> u64;
}
