//! The stack of a depth-first search.
//!
//! One array for both: the states on the way are *open* entries, above each of them
//! lie its untried events, the next one on top. The events that lead from one open
//! entry to the next are the path.
//!
//! What a store's key does not tell of a state (all of it, or its hidden bytes)
//! lies in a second array, in the same order.
//!
//! Beyond a limit the older half is *shed*: open entries go to the `deep` stack, their
//! untried events are given up, to be generated again on return. Of their bytes only
//! those of every [`SPACING`]th entry are kept: the states between are reached from
//! there by the events of the path.
//!
//! Invariants
//! - An entry's untried events have larger numbers than the entry above them that is
//!   open, or than those tried.
//! - `near` begins with an open entry.
//! - The length of `deep` is a multiple of `SPACING` whenever entries return from it.

use spinor_store::ChunkedVec;
use spinor_ts::{Path, Violation};

/// Of so many deep entries one keeps its bytes.
pub(crate) const SPACING: usize = 16;

/// What an entry is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A successor that was not tried yet.
    Untried = 0,
    /// A state on the way.
    Open = 1,
    /// A state on the way whose untried events were given up.
    Shed = 2,
    /// A violation that was not reported yet.
    Violation = 3,
}

/// An event of a state on the way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<K> {
    pub(crate) key: K,
    /// Its number among the events of its origin.
    pub(crate) number: u32,
    /// How long a step it is.
    pub(crate) steps: u32,
    /// How many events it has in turn, if it is open.
    pub(crate) events: u32,
    /// Number of bytes kept for it, and its kind.
    tag: u32,
}

impl<K: Copy> Entry<K> {
    #[inline]
    pub(crate) fn new(kind: Kind, key: K, number: u32, steps: u32) -> Self {
        Self { key, number, steps, events: 0, tag: kind as u32 }
    }

    #[inline]
    pub(crate) fn kind(&self) -> Kind {
        match self.tag & 3 {
            0 => Kind::Untried,
            1 => Kind::Open,
            2 => Kind::Shed,
            _ => Kind::Violation,
        }
    }

    #[inline]
    pub(crate) fn set_kind(&mut self, kind: Kind) {
        self.tag = self.tag & !3 | kind as u32;
    }

    #[inline]
    pub(crate) fn length(&self) -> usize {
        (self.tag >> 2) as usize
    }

    #[inline]
    fn set_length(&mut self, length: usize) {
        self.tag = (length as u32) << 2 | self.tag & 3;
    }

    fn is_on_the_way(&self) -> bool {
        matches!(self.kind(), Kind::Open | Kind::Shed)
    }
}

/// The stack.
#[derive(Debug)]
pub(crate) struct Stack<K> {
    near: Vec<Entry<K>>,
    near_bytes: Vec<u8>,
    /// The violations among the entries of `near`.
    violations: Vec<Violation>,
    deep: ChunkedVec<Entry<K>>,
    deep_bytes: Vec<u8>,
    limit: usize,
    /// Size at which to shed next.
    shed_at: usize,
}

impl<K: Copy> Stack<K> {
    /// An empty one; `limit` is the size of its upper part.
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            near: Vec::new(),
            near_bytes: Vec::new(),
            violations: Vec::new(),
            deep: ChunkedVec::new(),
            deep_bytes: Vec::new(),
            limit,
            shed_at: limit,
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, entry: Entry<K>) {
        self.near.push(entry);
    }

    /// Adds an entry along with what its key does not tell.
    #[inline]
    pub(crate) fn push_with(&mut self, mut entry: Entry<K>, bytes: &[u8]) {
        entry.set_length(bytes.len());
        self.near_bytes.extend_from_slice(bytes);
        self.near.push(entry);
    }

    pub(crate) fn push_violation(&mut self, entry: Entry<K>, violation: Violation) {
        self.violations.push(violation);
        self.near.push(entry);
    }

    /// Takes the top entry of the upper part. Its bytes or its violation have to be
    /// dropped, too.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Entry<K>> {
        self.near.pop()
    }

    /// The entry with so many above it in the upper part.
    #[inline]
    pub(crate) fn below(&self, above: usize) -> Option<&Entry<K>> {
        self.near.get(self.near.len().wrapping_sub(above + 1))
    }

    /// The bytes of the entry taken last.
    #[inline]
    pub(crate) fn bytes(&self, entry: &Entry<K>) -> &[u8] {
        &self.near_bytes[self.near_bytes.len() - entry.length()..]
    }

    #[inline]
    pub(crate) fn drop_bytes(&mut self, entry: &Entry<K>) {
        self.near_bytes.truncate(self.near_bytes.len() - entry.length());
    }

    pub(crate) fn pop_violation(&mut self) -> Option<Violation> {
        self.violations.pop()
    }

    #[inline]
    fn size(&self) -> usize {
        self.near.len() * size_of::<Entry<K>>() + self.near_bytes.len()
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
        let on_the_way = |index: &usize| self.near[*index].is_on_the_way();
        let half = self.near.len() / 2;
        let above = (half..self.near.len()).find(on_the_way);
        let cut = above.or_else(|| (0..half).rev().find(on_the_way)).unwrap_or(0);
        let (mut at, mut violations) = (0, 0);
        let mut last = None;
        for index in 0..cut {
            let mut entry = self.near[index];
            let end = at + entry.length();
            match entry.kind() {
                Kind::Open | Kind::Shed => {
                    last = Some(self.deep.len());
                    if self.deep.len().is_multiple_of(SPACING) {
                        self.deep_bytes.extend_from_slice(&self.near_bytes[at..end]);
                    } else {
                        entry.set_length(0);
                    }
                    self.deep.push(entry);
                }
                kind => {
                    violations += usize::from(kind == Kind::Violation);
                    let owner = last.expect("the upper part begins with an open entry");
                    let mut entry = self.deep.get(owner);
                    entry.set_kind(Kind::Shed);
                    self.deep.set(owner, entry);
                }
            }
            at = end;
        }
        self.near.drain(..cut);
        self.near_bytes.drain(..at);
        self.violations.drain(..violations);
        // Where one state has more events than fit, this is not tried at each entry.
        self.shed_at = self.limit.max(self.size() + self.size() / 2);
    }

    /// Takes the upmost group of deep entries, lowest first, into `out`; the first one
    /// has its bytes, to be asked for with [`Self::take_deep_bytes`].
    pub(crate) fn take_deep(&mut self, out: &mut Vec<Entry<K>>) {
        out.clear();
        while let Some(entry) = self.deep.pop() {
            out.push(entry);
            if self.deep.len().is_multiple_of(SPACING) {
                break;
            }
        }
        out.reverse();
    }

    /// The bytes of the first entry that was taken last.
    pub(crate) fn take_deep_bytes(&mut self, entry: &Entry<K>) -> Vec<u8> {
        self.deep_bytes.split_off(self.deep_bytes.len() - entry.length())
    }

    /// The events from the initial state, which is the lowest entry, to the top one.
    pub(crate) fn path(&self) -> Path {
        let near = self.near.iter().copied().filter(Entry::is_on_the_way);
        self.deep.iter().chain(near).skip(1).map(|entry| entry.number).collect()
    }

    /// Memory allocated.
    pub(crate) fn bytes_used(&self) -> u64 {
        let near = self.near.capacity() * size_of::<Entry<K>>() + self.near_bytes.capacity();
        (near + self.deep_bytes.capacity()) as u64 + self.deep.bytes_used()
    }
}
