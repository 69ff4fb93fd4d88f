//! The states met, and how they were reached.

use crate::limits::Memory;
use spinor_store::{ChunkedVec, DepthTable, ExactStore, StateId, Visited};
use spinor_ts::{Depth, Expansion, Path, TransitionSystem};

/// How a state was reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    pub(super) parent: StateId,
    pub(super) event: u32,
}

/// All states met, with the depth of a run to each.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) visited: ExactStore,
    origins: ChunkedVec<Origin>,
    pub(super) depths: DepthTable,
    hidden_length: usize,
    /// The hidden bytes of each state, as they were on the run to it.
    hidden: Vec<u8>,
}

/// What an arrival means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Met {
    /// The state is new.
    New(StateId),
    /// It is known, but this run to it is shorter.
    Shorter(StateId),
    /// It is known.
    Known,
}

impl Table {
    pub(super) fn new(hidden_length: usize) -> Self {
        Self { hidden_length, ..Self::default() }
    }

    pub(super) fn key<'s>(&self, state: &'s [u8]) -> &'s [u8] {
        &state[..state.len() - self.hidden_length]
    }

    #[inline]
    pub(super) fn hash(&self, state: &[u8]) -> u64 {
        let hash = self.visited.hash(self.key(state));
        self.visited.prefetch(hash);
        hash
    }

    /// A run arrives at a state. With `reopens`, a shorter run replaces the one known.
    #[inline]
    pub(super) fn arrive(
        &mut self,
        state: &[u8],
        hash: u64,
        depth: Depth,
        origin: Origin,
        reopens: bool,
    ) -> Met {
        let (key, hidden) = state.split_at(state.len() - self.hidden_length);
        let inserted = self.visited.insert_hashed(key, hash);
        let id = inserted.id;
        if inserted.is_new {
            self.origins.push(origin);
            self.depths.push(depth);
            self.hidden.extend_from_slice(hidden);
            return Met::New(id);
        }
        // What a run does may depend on its hidden bytes: then the first one stays.
        if !reopens || self.hidden_length > 0 || depth >= self.depths.get(id) {
            return Met::Known;
        }
        self.origins.set(id.index(), origin);
        self.depths.set(id, depth);
        Met::Shorter(id)
    }

    /// The whole state.
    #[inline]
    pub(super) fn load(&self, id: StateId, out: &mut Vec<u8>) {
        self.visited.get(id, out);
        let hidden = id.index() * self.hidden_length;
        out.extend_from_slice(&self.hidden[hidden..hidden + self.hidden_length]);
    }

    /// The run to event `event` of a state, and its length. The length is counted again: states
    /// on the way may have come nearer since.
    pub(super) fn run_to<T: TransitionSystem>(
        &self,
        system: &mut T,
        id: StateId,
        event: u32,
    ) -> (Path, Depth) {
        let mut path = self.run_to_state(id);
        path.push(event);
        let length = self.length(system, &path);
        (path, length)
    }

    /// Elementary steps of a run.
    pub(super) fn length<T: TransitionSystem>(&self, system: &mut T, path: &[u32]) -> Depth {
        let mut state = system.initial().expect("the search has started from it");
        let mut expansion = Expansion::new();
        let mut length = 0;
        for number in path {
            system.expand(&state, &mut expansion);
            let event = &expansion.events()[*number as usize];
            length += Depth::from(event.steps);
            state.clear();
            state.extend_from_slice(expansion.state(event));
        }
        length
    }

    /// The run to a state.
    pub(super) fn run_to_state(&self, id: StateId) -> Path {
        let mut path = Path::new();
        let mut at = id;
        while at != StateId(0) {
            let origin = self.origins.get(at.index());
            path.push(origin.event);
            at = origin.parent;
        }
        path.reverse();
        path
    }

    pub(super) fn memory(&self, rest: u64) -> Memory {
        let tables = self.origins.bytes_used() + self.depths.bytes_used();
        let rest = rest + tables + self.hidden.capacity() as u64;
        Memory { store: self.visited.bytes_used(), rest }
    }
}
