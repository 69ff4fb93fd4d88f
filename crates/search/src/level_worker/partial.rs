//! States of which some moves are left out (see `later`).

use super::{Level, Place, Worker};
use crate::frontier::Chunk;
use crate::later::Undecided;
use spinor_store::Store;
use spinor_ts::{Event, EventKind, Expansion, TransitionSystem};

impl<T: TransitionSystem, S: Store> Worker<'_, '_, T, S> {
    /// Takes those events of a state that may be enough; gives those that are still to be taken,
    /// with the number of the first.
    pub(super) fn take_enough<'e>(
        &mut self,
        level: Level,
        chunk: &Chunk<S::Ref>,
        index: usize,
        expansion: &'e Expansion,
        keys: &mut std::slice::Iter<'_, S::Key>,
    ) -> (u32, &'e [Event]) {
        let position = chunk.first + index as u64;
        let (enough, rest) = expansion.events().split_at(expansion.enough as usize);
        self.notes.met.clear();
        self.take_events(level, position, expansion, (0, enough), keys);
        (expansion.enough, if self.is_rest_due(chunk, index) { rest } else { &[] })
    }

    /// Whether the rest of the events of a state is to be taken, given what came of the others. If that
    /// is to be decided later it is noted.
    pub(super) fn is_rest_due(&mut self, chunk: &Chunk<S::Ref>, index: usize) -> bool {
        let number = chunk.refs().get(index).copied().and_then(S::identity_of);
        match (self.notes.is_enough(number), number) {
            (Some(false), _) | (None, None) => true,
            (Some(true), _) => false,
            (None, Some(number)) => {
                let position = chunk.first + index as u64;
                let mut state = Vec::new();
                if self.hidden > 0 || S::with_identity(number).is_none() {
                    chunk.load(index, self.store, &mut self.local, self.hidden, &mut state);
                }
                self.notes.postpone(state, position, number);
                false
            }
        }
    }

    /// Takes the events of a state that had been left out.
    pub(crate) fn take_rest(&mut self, level: Level, undecided: &Undecided<S::Identity>) {
        if undecided.state.is_empty() && self.recall_rest(level, undecided) {
            return;
        }
        let mut place = Place::new();
        let state = self.bytes_of(undecided);
        self.store.set_origin(&mut self.local, &state[..state.len() - self.hidden]);
        self.system.expand(&state, &mut place.expansion);
        self.store.keys(&mut self.local, &place.expansion, self.hidden, &mut place.keys);
        let (enough, rest) = place.expansion.events().split_at(place.expansion.enough as usize);
        let successors = enough.iter().filter(|event| event.kind == EventKind::Successor);
        let mut keys = place.keys[successors.count()..].iter();
        let rest = (place.expansion.enough, rest);
        self.take_events(level, undecided.position, &place.expansion, rest, &mut keys);
    }

    /// The bytes of a state, hidden ones included.
    fn bytes_of(&mut self, undecided: &Undecided<S::Identity>) -> Vec<u8> {
        let mut bytes = undecided.state.clone();
        if bytes.is_empty()
            && let Some(state_ref) = undecided.number.and_then(S::with_identity)
        {
            self.store.load(&mut self.local, state_ref, &mut bytes);
        }
        bytes
    }

    /// Sees to it that the bytes of states that are not decided upon are known: their numbers will not tell any more.
    pub(super) fn keep_undecided(&mut self) {
        let mut undecided = std::mem::take(&mut self.notes.undecided);
        for one in &mut undecided.states {
            one.state = self.bytes_of(one);
        }
        self.notes.undecided = undecided;
    }

    #[inline]
    pub(super) fn note_later(&mut self, key: S::Key) {
        if self.leaves_out {
            self.notes.met.later::<S>(key);
        }
    }

    #[inline]
    pub(super) fn note_known(&mut self, key: S::Key) {
        if self.leaves_out {
            self.notes.met.known::<S>(key);
        }
    }
}
