//! Stateless search: the book's Figure 8.5.
//!
//! Only the states of the current run are remembered, to cut its cycles. Memory
//! does not grow with the number of states, time can grow exponentially.

use crate::SearchConfig;
use crate::closed::{Arrival, Closed, Handle};
use crate::descent::descend;
use crate::run::Run;
use hashbrown::HashTable;
use spinor_store::hash;
use spinor_ts::{Depth, Observer, Outcome, TransitionSystem};

/// Searches depth first without a visited set.
///
/// Figures: nothing is `stored`; `matched` are arrivals at a state of the current
/// run (and cuts at the bound); `transitions` are all arrivals, the initial one
/// included; `expanded` counts a state as often as it was entered.
pub fn stateless<T: TransitionSystem>(
    system: &mut T,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    descend(system, RunStates::default(), config, observer)
}

/// The states of the current run.
#[derive(Default)]
pub(crate) struct RunStates {
    keys: Vec<u8>,
    /// Where the keys end.
    ends: Vec<usize>,
    by_key: HashTable<Handle>,
    is_cut: bool,
}

impl RunStates {
    /// The state entered last.
    pub(crate) fn last(&self) -> &[u8] {
        self.ends.len().checked_sub(1).map_or(&[], |last| self.key(last as Handle))
    }

    fn key(&self, handle: Handle) -> &[u8] {
        key_of(&self.keys, &self.ends, handle)
    }

    fn contains(&self, key: &[u8], hash: u64) -> bool {
        self.by_key.find(hash, |handle| self.key(*handle) == key).is_some()
    }
}

fn key_of<'k>(keys: &'k [u8], ends: &[usize], handle: Handle) -> &'k [u8] {
    let index = handle as usize;
    let start = if index == 0 { 0 } else { ends[index - 1] };
    &keys[start..ends[index]]
}

impl Closed for RunStates {
    const STORES: bool = false;

    fn hash(&self, key: &[u8]) -> u64 {
        hash(key)
    }

    fn arrive(&mut self, key: &[u8], hash: u64, _depth: Depth) -> Arrival {
        if self.contains(key, hash) {
            return Arrival::Known;
        }
        let handle = self.ends.len() as Handle;
        self.keys.extend_from_slice(key);
        self.ends.push(self.keys.len());
        let rehash = |handle: &Handle| spinor_store::hash(key_of(&self.keys, &self.ends, *handle));
        self.by_key.insert_unique(hash, handle, rehash);
        Arrival::New(handle)
    }

    fn leave(&mut self) {
        let handle = self.ends.len() as Handle - 1;
        let hash = hash(self.key(handle));
        if let Ok(entry) = self.by_key.find_entry(hash, |other| *other == handle) {
            entry.remove();
        }
        self.ends.pop();
        self.keys.truncate(self.ends.last().copied().unwrap_or(0));
    }

    fn state(&self, handle: Handle, out: &mut Vec<u8>) {
        out.clear();
        out.extend_from_slice(self.key(handle));
    }

    fn cut_successor(&mut self, _from: Handle, key: &[u8]) {
        self.is_cut = self.is_cut || !self.contains(key, hash(key));
    }

    fn cut_violation(&mut self, _from: Handle) {
        self.is_cut = true;
    }

    fn is_cut<T: TransitionSystem>(&self, _: &mut T, _: &Run, _: bool) -> bool {
        self.is_cut
    }

    fn is_full(&self) -> bool {
        self.ends.len() > Handle::MAX as usize / 2
    }

    fn bytes_used(&self) -> (u64, u64) {
        let ends = self.ends.capacity() * size_of::<usize>();
        (0, (self.keys.capacity() + ends + self.by_key.allocation_size()) as u64)
    }
}
