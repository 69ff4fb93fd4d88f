//! Successors several steps away, which wait for their level.
//!
//! Until then a shorter run to them may turn up, so they are not stored yet. Most
//! are a few steps away: their lists are found by the depth modulo [`NEAR`].

use crate::frontier::{Keep, Parts};
use crate::lineage::Origin;
use spinor_ts::Depth;
use std::collections::BTreeMap;

/// Candidates of a list that a thread takes at a time.
const LIST: usize = 512;
/// Levels whose candidates are found without a search.
const NEAR: Depth = 64;

/// Candidates of one depth.
#[derive(Debug)]
pub(crate) struct Candidates<K> {
    entries: Vec<(K, Origin)>,
    parts: Parts,
    /// Those before this one are settled.
    pub(crate) next: usize,
}

impl<K: Copy> Candidates<K> {
    fn new(keep: Keep) -> Self {
        Self { entries: Vec::new(), parts: Parts::new(keep), next: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Key, origin and what was kept of the state.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> (K, Origin, &[u8]) {
        let (key, origin) = self.entries[index];
        (key, origin, self.parts.get(index))
    }

    #[inline]
    pub(crate) fn push(&mut self, key: K, origin: Origin, state: &[u8]) {
        self.entries.push((key, origin));
        self.parts.push(state);
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.entries.len() >= LIST || self.parts.is_full()
    }

    pub(crate) fn bytes_used(&self) -> u64 {
        self.parts.bytes_used() + (self.entries.capacity() * size_of::<(K, Origin)>()) as u64
    }
}

/// All candidates that one thread has found, by depth.
#[derive(Debug)]
pub(crate) struct Waiting<K> {
    keep: Keep,
    /// Lists of the depths after the current one; the last list of each is being filled.
    near: Vec<Vec<Candidates<K>>>,
    /// Bit `depth % NEAR` is set if there are some in `near`.
    occupied: u64,
    far: BTreeMap<Depth, Vec<Candidates<K>>>,
    /// Memory of all lists that were ever filled here.
    filled_bytes: u64,
}

impl<K: Copy> Waiting<K> {
    pub(crate) fn new(keep: Keep) -> Self {
        let near = (0..NEAR).map(|_| Vec::new()).collect();
        Self { keep, near, occupied: 0, far: BTreeMap::new(), filled_bytes: 0 }
    }

    /// Adds a candidate for the level at `depth`, found at depth `now`.
    #[inline]
    pub(crate) fn push(&mut self, now: Depth, depth: Depth, key: K, origin: Origin, state: &[u8]) {
        let lists = if depth - now < NEAR {
            self.occupied |= 1 << (depth % NEAR);
            &mut self.near[(depth % NEAR) as usize]
        } else {
            self.far.entry(depth).or_default()
        };
        match lists.last_mut() {
            Some(list) if !list.is_full() => list.push(key, origin, state),
            last => {
                self.filled_bytes += last.map_or(0, |list| list.bytes_used());
                let mut list = Candidates::new(self.keep);
                list.push(key, origin, state);
                lists.push(list);
            }
        }
    }

    /// The least depth after `now` at which a candidate waits. No level between may
    /// have been left out.
    pub(crate) fn next_depth(&self, now: Depth) -> Option<Depth> {
        let far = self.far.keys().next().copied();
        if self.occupied == 0 {
            return far;
        }
        let first = now + 1;
        let distance = self.occupied.rotate_right((first % NEAR) as u32).trailing_zeros();
        let near = first + Depth::from(distance);
        Some(far.map_or(near, |far| far.min(near)))
    }

    /// Moves the candidates of a depth, not more than [`NEAR`] after that of the last
    /// call, to the end of `level`.
    pub(crate) fn take(&mut self, now: Depth, depth: Depth, level: &mut Vec<Candidates<K>>) {
        let from = level.len();
        if depth - now <= NEAR {
            self.occupied &= !(1 << (depth % NEAR));
            level.append(&mut self.near[(depth % NEAR) as usize]);
            let last = level[from..].last();
            self.filled_bytes += last.map_or(0, Candidates::bytes_used);
        }
        if let Some(mut far) = self.far.remove(&depth) {
            self.filled_bytes += far.last().map_or(0, Candidates::bytes_used);
            level.append(&mut far);
        }
    }

    /// Moves all candidates out.
    pub(crate) fn take_all(&mut self, now: Depth) -> Vec<(Depth, Vec<Candidates<K>>)> {
        let mut all = Vec::new();
        let mut last = now;
        while let Some(depth) = self.next_depth(last) {
            let mut lists = Vec::new();
            self.take(last, depth, &mut lists);
            all.push((depth, lists));
            last = depth;
        }
        all
    }

    /// Memory of the lists that were ever filled here, taken or not, and roughly that
    /// of those being filled.
    pub(crate) fn filled_bytes(&self) -> u64 {
        self.filled_bytes
    }
}
