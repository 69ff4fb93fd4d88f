//! Depth first over a set of bits, within a bound.

use crate::SearchConfig;
use crate::closed::{Arrival, Closed, Handle};
use crate::descent::descend;
use crate::run::{Run, note_loss};
use spinor_store::{Bitstate, BitstateLocal, Insertion, Store, hash};
use spinor_ts::{Depth, Observer, Outcome, TransitionSystem};

/// Searches depth first; a state is searched once, however deep it is met first.
pub(crate) fn bit_search<T: TransitionSystem>(
    system: &mut T,
    store: &Bitstate,
    seen: &mut dyn FnMut(u64),
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    let states = BitStates {
        store,
        local: store.local(),
        seen,
        keys: Vec::new(),
        ends: Vec::new(),
        is_cut: false,
    };
    let mut outcome = descend(system, states, config, observer);
    let loss = note_loss(store, &mut outcome.stats);
    outcome.incomplete.extend(loss);
    outcome
}

struct BitStates<'s> {
    store: &'s Bitstate,
    local: BitstateLocal,
    /// Is told the hash of every new state.
    seen: &'s mut dyn FnMut(u64),
    /// The states of the current run.
    keys: Vec<u8>,
    ends: Vec<usize>,
    is_cut: bool,
}

impl Closed for BitStates<'_> {
    const STORES: bool = true;

    fn hash(&self, key: &[u8]) -> u64 {
        hash(key)
    }

    fn prefetch(&self, hashes: &[u64]) {
        hashes.iter().for_each(|hash| self.store.prefetch_hash(*hash));
    }

    fn arrive(&mut self, key: &[u8], hash: u64, _depth: Depth) -> Arrival {
        match self.store.insert(&mut self.local, hash, &[]) {
            Insertion::Known => Arrival::Known,
            Insertion::New(()) => {
                (self.seen)(hash);
                let handle = self.ends.len() as Handle;
                self.keys.extend_from_slice(key);
                self.ends.push(self.keys.len());
                Arrival::New(handle)
            }
        }
    }

    fn leave(&mut self) {
        self.ends.pop();
        self.keys.truncate(self.ends.last().copied().unwrap_or(0));
    }

    fn state(&self, handle: Handle, out: &mut Vec<u8>) {
        let at = handle as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        out.clear();
        out.extend_from_slice(&self.keys[start..self.ends[at]]);
    }

    fn cut_successor(&mut self, _from: Handle, _key: &[u8]) {
        self.is_cut = true;
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
        let run = self.keys.capacity() + self.ends.capacity() * size_of::<usize>();
        (self.store.bytes_used(), run as u64)
    }
}
