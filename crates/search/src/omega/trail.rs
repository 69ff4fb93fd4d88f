//! The stack of a depth-first search that looks for cycles.
//!
//! The states on the way are *open* entries; above each of them lie its moves that were
//! not tried yet, the next one on top. What a key does not tell of a state lies in a
//! second array, in the same order.

use spinor_store::ChunkedVec;
use spinor_ts::Path;

const OPEN: u32 = 1 << 31;

/// A move, and the state it leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<K, M> {
    pub(crate) key: K,
    /// Number of the event; and whether the state it leads to is on the way.
    event: u32,
    /// How long a step it is.
    pub(crate) steps: u32,
    pub(crate) marks: M,
}

impl<K, M> Entry<K, M> {
    #[inline]
    pub(crate) fn untried(key: K, event: usize, steps: u32, marks: M) -> Self {
        Self { key, event: event as u32 & !OPEN, steps, marks }
    }

    #[inline]
    pub(crate) fn open(self) -> Self {
        Self { event: self.event | OPEN, ..self }
    }

    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        self.event & OPEN != 0
    }

    #[inline]
    pub(crate) fn event(&self) -> u32 {
        self.event & !OPEN
    }
}

/// The stack.
#[derive(Debug)]
pub(crate) struct Trail<K, M> {
    entries: ChunkedVec<Entry<K, M>>,
    bytes: Vec<u8>,
    keeps_bytes: bool,
}

impl<K: Copy, M: Copy> Trail<K, M> {
    /// An empty one; `keeps_bytes`: whether keys do not tell everything.
    pub(crate) fn new(keeps_bytes: bool) -> Self {
        Self { entries: ChunkedVec::new(), bytes: Vec::new(), keeps_bytes }
    }

    /// Adds an entry along with what its key does not tell.
    #[inline]
    pub(crate) fn push(&mut self, entry: Entry<K, M>, bytes: &[u8]) {
        if self.keeps_bytes {
            self.bytes.extend_from_slice(bytes);
            self.bytes.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
        }
        self.entries.push(entry);
    }

    /// Takes the top entry. Its bytes have to be dropped, too.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Entry<K, M>> {
        self.entries.pop()
    }

    #[inline]
    pub(crate) fn top(&mut self) -> Option<&Entry<K, M>> {
        self.entries.last_mut().map(|entry| &*entry)
    }

    /// The bytes of the entry taken last.
    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        let (length, end) = self.last_length();
        &self.bytes[end - length..end]
    }

    #[inline]
    pub(crate) fn drop_bytes(&mut self) {
        let (length, end) = self.last_length();
        self.bytes.truncate(end - length);
    }

    #[inline]
    fn last_length(&self) -> (usize, usize) {
        match self.bytes.split_last_chunk::<4>() {
            Some((rest, length)) if self.keeps_bytes => {
                (u32::from_le_bytes(*length) as usize, rest.len())
            }
            _ => (0, self.bytes.len()),
        }
    }

    /// Number of entries.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The events from the initial state, which is the lowest entry, to the top one.
    pub(crate) fn path(&self) -> Path {
        self.path_to(self.len())
    }

    /// The events to the state on the way that is entry `position`.
    pub(crate) fn path_to(&self, position: usize) -> Path {
        let open = self.entries.iter().take(position + 1).filter(Entry::is_open);
        open.skip(1).map(|entry| entry.event()).collect()
    }

    /// Memory allocated.
    pub(crate) fn bytes_used(&self) -> u64 {
        self.entries.bytes_used() + self.bytes.capacity() as u64
    }
}
