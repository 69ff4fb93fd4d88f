//! States of a level that are at hand as bytes, expanded several at a time.
//!
//! All their successors go to one expansion: what has to be prepared or looked up is so
//! once for many of them, and each store sees a long list of keys.

use crate::frontier::{Chunk, SHORT};
use crate::level_worker::{BATCH, LARGE, Level, Watch, Worker};
use crate::lineage::Origin;
use spinor_store::{Origins, Store};
use spinor_ts::{Expansion, PADDING, Padded, TransitionSystem};

/// The memory for it, used over and over.
pub(crate) struct Batch<S: Store> {
    expansion: Expansion,
    /// Where the events of each state end.
    ends: Vec<u32>,
    keys: Vec<S::Key>,
    /// The new ones among the successors.
    new: Vec<(u32, S::Ref)>,
    /// States that were not at hand.
    loaded: Vec<u8>,
}

impl<S: Store> Batch<S> {
    pub(crate) fn new() -> Self {
        Self {
            expansion: Expansion::new(),
            ends: Vec::new(),
            keys: Vec::new(),
            new: Vec::new(),
            loaded: Vec::new(),
        }
    }
}

impl<T: TransitionSystem, S: Store> Worker<'_, '_, T, S> {
    /// Expands the next states of a chunk and takes their events. Says how many states these
    /// are, none if the work is to be left; `None` if the next one is not at hand.
    #[inline]
    pub(crate) fn expand_kept(
        &mut self,
        level: Level,
        chunk: &Chunk<S::Ref>,
        watch: &mut impl Watch,
    ) -> Option<usize> {
        if self.hidden > 0 || self.leaves_out {
            return None;
        }
        let Some(first) = chunk.kept(chunk.next) else {
            return self.expand_loaded(level, chunk, watch);
        };
        let mut states = [first; BATCH];
        let mut count = 0;
        let mut longest = 0;
        for place in &mut states[..BATCH.min(chunk.len() - chunk.next)] {
            let Some(state) = chunk.kept(chunk.next + count) else { break };
            if !watch.goes_on() {
                break;
            }
            longest = longest.max(state.len());
            *place = state;
            count += 1;
        }
        let states = &states[..count];
        if !states.is_empty() {
            count = self.expand_states(level, chunk, states, longest);
        }
        Some(count)
    }

    /// The same for short states that were not kept.
    fn expand_loaded(
        &mut self,
        level: Level,
        chunk: &Chunk<S::Ref>,
        watch: &mut impl Watch,
    ) -> Option<usize> {
        if !S::KEY_IS_STATE {
            return None;
        }
        let mut bytes = std::mem::take(&mut self.kept.loaded);
        let mut ends = [0; BATCH];
        let (mut count, mut longest) = (0, 0);
        bytes.clear();
        for place in &mut ends[..BATCH.min(chunk.len() - chunk.next)] {
            let index = chunk.next + count;
            if chunk.kept(index).is_some() || !watch.goes_on() {
                break;
            }
            chunk.load(index, self.store, &mut self.local, 0, &mut self.state);
            longest = longest.max(self.state.len());
            bytes.extend_from_slice(&self.state);
            *place = bytes.len();
            count += 1;
        }
        bytes.resize(bytes.len() + PADDING, 0);
        let mut done = Some(count);
        let starts = std::iter::once(0).chain(ends);
        let state = |(start, end): (usize, usize)| Padded::new(&bytes[start..], end - start);
        if longest > SHORT {
            done = None;
        } else if let Some(first) = state((0, ends[0])).filter(|_| count > 0) {
            let mut states = [first; BATCH];
            let all = starts.zip(ends).take(count).filter_map(state);
            states.iter_mut().zip(all).for_each(|(place, state)| *place = state);
            done = Some(self.expand_states(level, chunk, &states[..count], longest));
        }
        self.kept.loaded = bytes;
        done
    }

    fn expand_states(
        &mut self,
        level: Level,
        chunk: &Chunk<S::Ref>,
        states: &[Padded<'_>],
        longest: usize,
    ) -> usize {
        let Batch { expansion, ends, keys, .. } = &mut self.kept;
        self.system.expand_many(states, expansion, ends);
        keys.clear();
        let refs = &chunk.refs()[chunk.next..];
        let origins = Origins { refs, states, ends };
        self.store.keys_many(&mut self.local, &origins, expansion, keys);
        self.store.prefetch_fresh(keys);
        let count = ends.len();
        let batch = std::mem::replace(&mut self.kept, Batch::new());
        self.count(level, count, longest, &batch.expansion);
        let parent = chunk.first + chunk.next as u64;
        let Expansion { is_plain, only_successors, .. } = batch.expansion;
        let is_next = is_plain || only_successors && self.config.by_moves;
        self.kept = if is_next && level.depth < level.bound {
            self.take_plain(parent, batch)
        } else {
            self.take_mixed(level, parent, batch)
        };
        if self.kept.expansion.bytes_used() > LARGE {
            self.kept = Batch::new();
        }
        count
    }

    /// Takes events that are all successors of the next level.
    fn take_plain(&mut self, parent: u64, mut batch: Batch<S>) -> Batch<S> {
        let Batch { expansion, ends, keys, new, .. } = &mut batch;
        new.clear();
        self.store.insert_all(&mut self.local, keys, expansion, 0, new);
        self.counts.stored += new.len() as u64;
        self.counts.matched += (keys.len() - new.len()) as u64;
        let Self { system, config, lineage, frontier, aside, board, .. } = self;
        let mut ends = ends.iter().copied();
        let mut parent = parent;
        let (mut begin, mut end) = (0, ends.next().unwrap_or(0));
        for (number, state_ref) in new {
            while *number >= end {
                (begin, end) = (end, ends.next().unwrap_or(u32::MAX));
                parent += 1;
            }
            let origin = Origin { parent, event: *number - begin };
            let event = &expansion.events()[*number as usize];
            if config.only_outside && !system.lies_outside(expansion.state(event)) {
                aside.push((*state_ref, origin));
                continue;
            }
            let position = lineage.push(&board.blocks, origin);
            match expansion.padded(event) {
                Some(state) => frontier.push_padded(position, *state_ref, state),
                None => frontier.push(position, *state_ref, expansion.state(event)),
            }
        }
        batch
    }

    /// Takes events of all kinds.
    fn take_mixed(&mut self, level: Level, parent: u64, batch: Batch<S>) -> Batch<S> {
        let Batch { expansion, ends, keys, .. } = &batch;
        let mut keys = keys.iter();
        let mut begin = 0;
        for (parent, end) in (parent..).zip(ends) {
            let end = *end as usize;
            let events = &expansion.events()[begin..end];
            self.take_events(level, parent, expansion, (0, events), &mut keys);
            begin = end;
        }
        batch
    }
}
