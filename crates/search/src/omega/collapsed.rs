//! Numbers for states that are kept as tuples of the numbers of their components.

use super::Numbering;
use super::numbering::RESERVE;
use spinor_store::{Collapser, CollapserLocal, ExactStore, StateId, Visited};
use spinor_ts::LayoutOf;

/// A numbering that keeps the components of states once.
#[derive(Debug)]
pub struct CollapsedStates {
    layouts: Layouts,
    collapser: Collapser,
    local: CollapserLocal,
    tuples: ExactStore,
    tuple: Vec<u8>,
}

struct Layouts(LayoutOf);

impl std::fmt::Debug for Layouts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Layouts")
    }
}

impl CollapsedStates {
    /// An empty one for states of these layouts.
    #[must_use]
    pub fn new(layouts: LayoutOf) -> Self {
        let collapser = Collapser::new(LayoutOf::clone(&layouts));
        let local = collapser.local();
        let tuples = ExactStore::new();
        Self { layouts: Layouts(layouts), collapser, local, tuples, tuple: Vec::new() }
    }
}

impl Numbering for CollapsedStates {
    type Key = u64;

    const KEY_IS_STATE: bool = false;

    fn fresh(&self) -> Self {
        Self::new(LayoutOf::clone(&self.layouts.0))
    }

    fn set_origin(&mut self, _state: &[u8]) {}

    fn set_origin_keyed(&mut self, _key: u64, _state: &[u8]) {}

    /// The hash of the tuple.
    fn key(&mut self, state: &[u8]) -> u64 {
        self.collapser.encode(&mut self.local, state, &mut self.tuple);
        let hash = self.tuples.hash(&self.tuple);
        self.tuples.prefetch(hash);
        hash
    }

    fn prefetch(&self, key: u64) {
        self.tuples.prefetch_state(key);
    }

    fn find(&mut self, _key: u64, state: &[u8]) -> Option<u32> {
        self.collapser.encode(&mut self.local, state, &mut self.tuple);
        self.tuples.find(&self.tuple).map(|id| id.0)
    }

    fn insert(&mut self, key: u64, state: &[u8]) -> (u32, bool) {
        self.collapser.encode(&mut self.local, state, &mut self.tuple);
        let inserted = self.tuples.insert_hashed(&self.tuple, key);
        (inserted.id.0, inserted.is_new)
    }

    fn load_key(&mut self, _key: u64, _out: &mut Vec<u8>) {
        unreachable!("keys are hashes");
    }

    fn keep_states(&mut self) {}

    fn load(&mut self, number: u32, out: &mut Vec<u8>) {
        self.tuples.get(StateId(number), &mut self.tuple);
        self.collapser.decode(&mut self.local, &self.tuple, out);
    }

    fn tidy(&self) {
        self.collapser.quiesce();
    }

    fn is_nearly_full(&self) -> bool {
        self.tuples.len() + RESERVE > StateId::MAX_STATES || self.collapser.is_nearly_full()
    }

    fn bytes_used(&self) -> u64 {
        self.tuples.bytes_used() + self.collapser.bytes_used()
    }
}
