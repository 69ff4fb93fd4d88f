//! The stack of a depth-first search that looks for cycles.
//!
//! The states on the way are *open* entries; above each of them lie its moves that were
//! not tried yet, the next one on top. What a key does not tell of a state lies in a
//! second array, in the same order.
//!
//! Beyond a limit the lower half is *shed*: open entries go to the `deep` stack, their
//! untried moves are given up, to be generated again on return.
//!
//! Invariant: `near` begins with an open entry.

use spinor_store::ChunkedVec;
use spinor_ts::Path;

const OPEN: u32 = 1 << 31;
const SHED: u32 = 1 << 30;
/// So many entries come back from the deep stack at once.
const GROUP: usize = 256;

/// A move, and the state it leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<K, M> {
    pub(crate) key: K,
    /// Number of the event; and whether the state it leads to is on the way, and whether
    /// moves of that state were given up.
    event: u32,
    /// How long a step it is.
    pub(crate) steps: u32,
    pub(crate) marks: M,
}

impl<K, M> Entry<K, M> {
    #[inline]
    pub(crate) fn untried(key: K, event: usize, steps: u32, marks: M) -> Self {
        debug_assert!(event < SHED as usize, "an expansion has less than 2^28 bytes");
        Self { key, event: event as u32, steps, marks }
    }

    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        self.event & OPEN != 0
    }

    /// Whether there are moves to be generated again.
    #[inline]
    pub(crate) fn is_shed(&self) -> bool {
        self.event & SHED != 0
    }

    #[inline]
    pub(crate) fn event(&self) -> u32 {
        self.event & !(OPEN | SHED)
    }
}

/// The stack.
#[derive(Debug)]
pub(crate) struct Trail<K, M> {
    near: Vec<Entry<K, M>>,
    near_bytes: Vec<u8>,
    deep: ChunkedVec<Entry<K, M>>,
    deep_bytes: Vec<u8>,
    keeps_bytes: bool,
    /// Number of states on the way.
    open: u32,
    limit: usize,
    /// Size at which to shed next.
    shed_at: usize,
}

impl<K: Copy, M: Copy> Trail<K, M> {
    /// An empty one; `keeps_bytes`: whether keys do not tell everything; `limit`: size of
    /// the upper part.
    pub(crate) fn new(keeps_bytes: bool, limit: usize) -> Self {
        Self {
            near: Vec::new(),
            near_bytes: Vec::new(),
            deep: ChunkedVec::new(),
            deep_bytes: Vec::new(),
            keeps_bytes,
            open: 0,
            limit,
            shed_at: limit,
        }
    }

    /// Adds a state on the way along with what its key does not tell.
    #[inline]
    pub(crate) fn push_open(&mut self, mut entry: Entry<K, M>, bytes: &[u8]) {
        entry.event = entry.event() | OPEN;
        self.open += 1;
        self.push(entry, bytes);
    }

    /// Adds a move of the upmost state on the way.
    #[inline]
    pub(crate) fn push(&mut self, entry: Entry<K, M>, bytes: &[u8]) {
        if self.keeps_bytes {
            self.near_bytes.extend_from_slice(bytes);
            self.near_bytes.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
        }
        self.near.push(entry);
    }

    /// Takes the top entry. Its bytes have to be dropped, too.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Entry<K, M>> {
        if self.near.is_empty() {
            self.surface();
        }
        let entry = self.near.pop()?;
        self.open -= u32::from(entry.is_open());
        Some(entry)
    }

    /// Removes all entries.
    pub(crate) fn clear(&mut self) {
        self.near.clear();
        self.near_bytes.clear();
        self.deep = ChunkedVec::new();
        self.deep_bytes.clear();
        self.open = 0;
    }

    /// The top entry, unless it is deep down.
    #[inline]
    pub(crate) fn top(&self) -> Option<&Entry<K, M>> {
        self.near.last()
    }

    /// The bytes of the entry taken last.
    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        let (length, end) = self.last_length();
        &self.near_bytes[end - length..end]
    }

    #[inline]
    pub(crate) fn drop_bytes(&mut self) {
        let (length, end) = self.last_length();
        self.near_bytes.truncate(end - length);
    }

    #[inline]
    fn last_length(&self) -> (usize, usize) {
        match self.near_bytes.split_last_chunk::<4>() {
            Some((rest, length)) if self.keeps_bytes => {
                (u32::from_le_bytes(*length) as usize, rest.len())
            }
            _ => (0, self.near_bytes.len()),
        }
    }

    /// Number of states on the way.
    #[inline]
    pub(crate) fn open(&self) -> u32 {
        self.open
    }

    #[inline]
    fn size(&self) -> usize {
        self.near.len() * size_of::<Entry<K, M>>() + self.near_bytes.len()
    }

    /// Sheds if the upper part is too large.
    #[inline]
    pub(crate) fn trim(&mut self) {
        if self.size() > self.shed_at {
            self.shed();
        }
    }

    #[cold]
    fn shed(&mut self) {
        let is_open = |index: &usize| self.near[*index].is_open();
        let half = self.near.len() / 2;
        let above = (half..self.near.len()).find(is_open);
        let cut = above.or_else(|| (0..half).rev().find(is_open)).unwrap_or(0);
        // Ends of the bytes are found from the top downwards.
        let mut ends = Vec::new();
        let mut end = self.near_bytes.len();
        for index in (0..self.near.len()).rev() {
            if index < cut {
                ends.push(end);
            }
            end -= self.length_before(end);
        }
        let (mut start, mut last) = (0, None);
        for (entry, end) in self.near.drain(..cut).zip(ends.iter().rev()) {
            if entry.is_open() {
                last = Some(self.deep.len());
                self.deep.push(entry);
                self.deep_bytes.extend_from_slice(&self.near_bytes[start..*end]);
            } else if let Some(owner) = last {
                let mut entry = self.deep.get(owner);
                entry.event |= SHED;
                self.deep.set(owner, entry);
            }
            start = *end;
        }
        self.near_bytes.drain(..start);
        // Where one state has more moves than fit, this is not tried at each entry.
        self.shed_at = self.limit.max(self.size() + self.size() / 2);
    }

    /// How many bytes the entry has whose bytes end at `end`.
    fn length_before(&self, end: usize) -> usize {
        match self.near_bytes[..end].last_chunk::<4>() {
            Some(length) if self.keeps_bytes => u32::from_le_bytes(*length) as usize + 4,
            _ => 0,
        }
    }

    /// Brings back entries from the deep stack.
    #[cold]
    fn surface(&mut self) {
        let mut start = self.deep_bytes.len();
        for _ in 0..GROUP {
            let Some(entry) = self.deep.pop() else { break };
            self.near.push(entry);
            if let Some(length) = self.deep_bytes[..start].last_chunk::<4>()
                && self.keeps_bytes
            {
                start -= u32::from_le_bytes(*length) as usize + 4;
            }
        }
        self.near.reverse();
        self.near_bytes.extend_from_slice(&self.deep_bytes[start..]);
        self.deep_bytes.truncate(start);
    }

    /// The events from the initial state, which is the lowest entry, to the top one.
    pub(crate) fn path(&self) -> Path {
        self.path_to(self.open)
    }

    /// The events to the state on the way that has `position` others below it.
    pub(crate) fn path_to(&self, position: u32) -> Path {
        let near = self.near.iter().copied().filter(Entry::is_open);
        let open = self.deep.iter().chain(near).take(position as usize + 1);
        open.skip(1).map(|entry| entry.event()).collect()
    }

    /// Memory allocated.
    pub(crate) fn bytes_used(&self) -> u64 {
        let near = self.near.capacity() * size_of::<Entry<K, M>>() + self.near_bytes.capacity();
        (near + self.deep_bytes.capacity()) as u64 + self.deep.bytes_used()
    }
}
