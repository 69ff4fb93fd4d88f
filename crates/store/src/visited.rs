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
pub trait Visited {
    /// Adds a state unless it is there already.
    ///
    /// # Panics
    /// The set holds [`StateId::MAX_STATES`] states already.
    fn insert(&mut self, key: &[u8]) -> Inserted;

    /// Looks for a state without adding it.
    fn find(&self, key: &[u8]) -> Option<StateId>;

    /// Replaces the contents of `out` by the bytes of a stored state.
    fn get(&self, id: StateId, out: &mut Vec<u8>);

    /// Says that `key` will be asked for soon, so that it can be on its way from
    /// memory meanwhile.
    fn prefetch(&self, _key: &[u8]) {}

    /// Number of stored states.
    fn len(&self) -> u64;

    /// Whether nothing is stored.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Memory allocated.
    fn bytes_used(&self) -> u64;
}
