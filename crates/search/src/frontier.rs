//! The states of a level that wait to be expanded.
//!
//! They lie in chunks. A chunk is what a thread takes at a time, and its states have
//! consecutive positions in the lineage, so a state costs its reference only.

use spinor_store::Store;
use spinor_ts::{PADDING, Padded};

/// How finely work is divided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grain {
    /// States of a chunk: enough to make taking one cheap, few enough to share a level.
    pub(crate) chunk: usize,
    /// Candidates of a list, likewise.
    pub(crate) list: usize,
    /// A thread is not bothered for fewer states than this.
    pub(crate) share: usize,
}

impl Default for Grain {
    fn default() -> Self {
        Self { chunk: 256, list: 512, share: 512 }
    }
}

/// A chunk with so many bytes of states takes no more.
const CHUNK_BYTES: usize = 1 << 16;

/// States up to this length are short.
pub(crate) const SHORT: usize = 64;

/// What has to be kept of a state beside its key or reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Keep {
    Nothing,
    /// The whole of short states: to copy one is faster than to have it back from a store
    /// that has taken it apart.
    Short,
    /// The hidden bytes, of which there are so many.
    Hidden(usize),
    Whole,
}

impl Keep {
    /// `is_kept`: whether the store gives the state back, without its hidden bytes.
    pub(crate) fn new(is_kept: bool, hidden: usize) -> Self {
        match (is_kept, hidden) {
            (false, _) => Keep::Whole,
            (true, 0) => Keep::Nothing,
            (true, _) => Keep::Hidden(hidden),
        }
    }

    /// The same for a frontier of a store of which states are better kept if they are short.
    pub(crate) fn for_frontier<S: Store>(hidden: usize) -> Self {
        match Keep::new(S::KEEPS_STATES, hidden) {
            Keep::Nothing if S::KEY_IS_STATE => Keep::Short,
            keep => keep,
        }
    }

    /// The part of `state` that is kept.
    #[inline]
    fn part(self, state: &[u8]) -> &[u8] {
        match self {
            Keep::Nothing => &[],
            Keep::Short if state.len() > SHORT => &[],
            Keep::Short | Keep::Whole => state,
            Keep::Hidden(length) => &state[state.len() - length..],
        }
    }
}

/// The kept parts of states, in a row.
#[derive(Debug)]
pub(crate) struct Parts {
    keep: Keep,
    /// Padded, whatever is there.
    bytes: Vec<u8>,
    /// Length of what is there.
    used: usize,
    ends: Vec<u32>,
}

impl Parts {
    pub(crate) fn new(keep: Keep) -> Self {
        Self { keep, bytes: Vec::new(), used: 0, ends: Vec::new() }
    }

    /// Keeps what is to be kept of `state`, or of what was kept of it before.
    #[inline]
    pub(crate) fn push(&mut self, state: &[u8]) {
        if self.keep != Keep::Nothing {
            let part = self.keep.part(state);
            let end = self.used + part.len();
            if self.bytes.len() < end + PADDING {
                self.grow(part.len());
            }
            self.bytes[self.used..end].copy_from_slice(part);
            self.used = end;
            self.ends.push(end as u32);
        }
    }

    /// The same for a state that is kept whole.
    #[inline]
    pub(crate) fn push_padded(&mut self, state: Padded<'_>) {
        let len = state.len();
        if len > SHORT || !matches!(self.keep, Keep::Short | Keep::Whole) {
            self.push(state.state());
            return;
        }
        let end = self.used + len;
        if self.bytes.len() < end + PADDING {
            self.grow(len);
        }
        // One copy of a constant length: what is too much is overwritten by the next one.
        let (from, to) = (state.bytes().first_chunk(), self.bytes[self.used..].first_chunk_mut());
        if let (Some(from), Some(to)) = (from, to) {
            let _: &mut [u8; SHORT] = to;
            *to = *from;
        }
        self.used = end;
        self.ends.push(end as u32);
    }

    /// Makes room for a part of this length.
    #[cold]
    fn grow(&mut self, len: usize) {
        let least = self.used + len + PADDING;
        // Parts are mostly of one length.
        let whole = (self.ends.capacity().max(16) * len + PADDING).min(CHUNK_BYTES);
        self.bytes.resize(if self.used == 0 { least.max(whole) } else { least + least / 2 }, 0);
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> &[u8] {
        let (start, end) = self.range(index);
        &self.bytes[start..end]
    }

    #[inline(always)]
    fn range(&self, index: usize) -> (usize, usize) {
        if self.keep == Keep::Nothing {
            return (0, 0);
        }
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        (start as usize, self.ends[index] as usize)
    }

    /// A state that was kept whole, if it was.
    #[inline(always)]
    fn state(&self, index: usize) -> Option<Padded<'_>> {
        match self.keep {
            Keep::Short | Keep::Whole => {
                let (start, end) = self.range(index);
                if start == end {
                    return None;
                }
                Padded::new(&self.bytes[start..], end - start)
            }
            Keep::Nothing | Keep::Hidden(_) => None,
        }
    }

    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.used >= CHUNK_BYTES
    }

    pub(crate) fn bytes_used(&self) -> u64 {
        (self.bytes.capacity() + self.ends.capacity() * size_of::<u32>()) as u64
    }
}

/// States with consecutive positions.
#[derive(Debug)]
pub(crate) struct Chunk<R> {
    /// Position of the first state.
    pub(crate) first: u64,
    refs: Vec<R>,
    /// Groups of moves that sleep in the states, one bit each; in the last ones none.
    sleeping: Vec<u32>,
    parts: Parts,
    /// States before this one are expanded.
    pub(crate) next: usize,
}

impl<R: Copy> Chunk<R> {
    fn new(first: u64, keep: Keep, capacity: usize) -> Self {
        let mut parts = Parts::new(keep);
        if keep != Keep::Nothing {
            parts.ends.reserve_exact(capacity);
        }
        Self { first, refs: Vec::with_capacity(capacity), sleeping: Vec::new(), parts, next: 0 }
    }

    /// A state, if it is here as a whole.
    #[inline(always)]
    pub(crate) fn kept(&self, index: usize) -> Option<Padded<'_>> {
        self.parts.state(index)
    }

    /// The references of all states.
    #[inline]
    pub(crate) fn refs(&self) -> &[R] {
        &self.refs
    }

    /// The groups of moves that sleep in some of the states, as far as there are any.
    #[inline]
    pub(crate) fn sleeping(&self, first: usize, count: usize) -> &[u32] {
        let end = self.sleeping.len().min(first + count);
        &self.sleeping[first.min(end)..end]
    }

    pub(crate) fn len(&self) -> usize {
        self.refs.len()
    }

    pub(crate) fn bytes_used(&self) -> u64 {
        let sleeping = self.sleeping.capacity() * size_of::<u32>();
        self.parts.bytes_used() + (self.refs.capacity() * size_of::<R>() + sleeping) as u64
    }

    /// Replaces `out` by a state and makes it the origin of its successors.
    #[inline]
    pub(crate) fn load<S: Store<Ref = R>>(
        &self,
        index: usize,
        store: &S,
        local: &mut S::Local,
        hidden: usize,
        out: &mut Vec<u8>,
    ) {
        if self.parts.keep == Keep::Short && !self.parts.get(index).is_empty() {
            let state = self.parts.get(index);
            out.clear();
            out.extend_from_slice(state);
            store.adopt(local, self.refs[index], state);
        } else if S::KEEPS_STATES {
            store.load(local, self.refs[index], out);
            if hidden > 0 {
                out.extend_from_slice(self.parts.get(index));
            }
        } else {
            out.clear();
            out.extend_from_slice(self.parts.get(index));
            store.set_origin(local, &out[..out.len() - hidden]);
        }
    }
}

/// The states of the next level that one thread has found.
#[derive(Debug)]
pub(crate) struct Frontier<R> {
    open: Chunk<R>,
    full: Vec<Chunk<R>>,
    keep: Keep,
    /// States of a full chunk.
    capacity: usize,
    /// Memory of all chunks that were ever filled here.
    filled_bytes: u64,
}

impl<R: Copy> Frontier<R> {
    pub(crate) fn new(keep: Keep, capacity: usize) -> Self {
        let open = Chunk::new(0, keep, capacity);
        Self { open, full: Vec::new(), keep, capacity, filled_bytes: 0 }
    }

    /// From the next chunk on something else is kept of states.
    pub(crate) fn set_keep(&mut self, keep: Keep) {
        self.keep = keep;
    }

    /// Adds a state, given whole or as far as it has to be kept.
    #[inline]
    pub(crate) fn push(&mut self, position: u64, state_ref: R, state: &[u8]) {
        self.make_ready(position);
        self.open.refs.push(state_ref);
        self.open.parts.push(state);
    }

    /// Adds states with consecutive positions of which only the references are known, with the groups of moves that sleep in
    /// them.
    #[inline]
    pub(crate) fn extend<I>(
        &mut self,
        mut position: u64,
        mut states: &[I],
        of: impl Fn(&I) -> (R, u32),
    ) {
        while !states.is_empty() {
            self.make_ready(position);
            let Chunk { refs, sleeping, parts, .. } = &mut self.open;
            let count = states.len().min(self.capacity - refs.len());
            let (some, others) = states.split_at(count);
            if sleeping.capacity() < self.capacity {
                sleeping.reserve_exact(self.capacity - sleeping.len());
            }
            sleeping.resize(refs.len(), 0);
            refs.extend(some.iter().map(|state| of(state).0));
            sleeping.extend(some.iter().map(|state| of(state).1));
            if parts.keep != Keep::Nothing {
                some.iter().for_each(|_| parts.push(&[]));
            }
            (position, states) = (position + count as u64, others);
        }
    }

    /// The same for a whole state.
    #[inline]
    pub(crate) fn push_padded(&mut self, position: u64, state_ref: R, state: Padded<'_>) {
        self.make_ready(position);
        self.open.refs.push(state_ref);
        self.open.parts.push_padded(state);
    }

    /// Begins a chunk if the state at `position` does not belong to the open one.
    #[inline]
    fn make_ready(&mut self, position: u64) {
        let chunk = &self.open;
        let end = chunk.first + chunk.len() as u64;
        if position != end || chunk.len() == self.capacity || chunk.parts.is_full() {
            self.begin(position);
        }
    }

    /// Begins the chunk of the state at `position`.
    fn begin(&mut self, position: u64) {
        if self.open.len() == 0 {
            self.open.first = position;
        } else {
            let next = Chunk::new(position, self.keep, self.capacity);
            self.close(next);
        }
    }

    fn close(&mut self, next: Chunk<R>) {
        let chunk = std::mem::replace(&mut self.open, next);
        self.filled_bytes += chunk.bytes_used();
        self.full.push(chunk);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.full.is_empty() && self.open.len() == 0
    }

    /// Moves all chunks to the end of `level`.
    pub(crate) fn take(&mut self, level: &mut Vec<Chunk<R>>) {
        if self.open.len() > 0 {
            let next = Chunk::new(0, self.keep, self.capacity);
            self.close(next);
        }
        level.append(&mut self.full);
    }

    /// Memory of the chunks that were ever filled here, taken or not.
    pub(crate) fn filled_bytes(&self) -> u64 {
        self.filled_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_have_consecutive_positions() {
        let mut frontier = Frontier::new(Keep::Hidden(1), 256);
        let positions = (5..300).chain(1000..1002).chain([2000]);
        positions.clone().for_each(|p| frontier.push(p, p, &[0, p as u8]));
        let mut level = Vec::new();
        frontier.take(&mut level);
        assert!(frontier.is_empty());
        let lengths: Vec<_> = level.iter().map(|chunk| (chunk.first, chunk.len())).collect();
        assert_eq!(lengths, [(5, 256), (261, 39), (1000, 2), (2000, 1)]);
        let states = level.iter().flat_map(|c| (0..c.len()).map(|i| (c.refs[i], c.parts.get(i))));
        assert!(states.clone().map(|(position, _)| position).eq(positions));
        assert!(states.into_iter().all(|(position, part)| part == [position as u8]));
        assert_eq!(frontier.filled_bytes(), level.iter().map(Chunk::bytes_used).sum::<u64>());
    }

    #[test]
    fn large_states_make_short_chunks() {
        let mut frontier = Frontier::new(Keep::Whole, 256);
        (0..10).for_each(|position| frontier.push(position, (), &[1; 40_000]));
        let mut level = Vec::new();
        frontier.take(&mut level);
        assert!(level.iter().all(|chunk| chunk.len() == 2) && level.len() == 5);
        assert_eq!(level[3].parts.get(1).len(), 40_000);
    }
}
