//! Successors several steps away, which wait for their level.
//!
//! Until then a shorter run to them may turn up, so they are not stored yet. Most
//! are a few steps away: their lists are found by the depth modulo [`NEAR`].

use crate::frontier::{Keep, Parts};
use crate::lineage::Origin;
use spinor_ts::Depth;
use std::collections::BTreeMap;

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
    fn is_full(&self, capacity: usize) -> bool {
        self.entries.len() >= capacity || self.parts.is_full()
    }

    pub(crate) fn bytes_used(&self) -> u64 {
        self.parts.bytes_used() + (self.entries.capacity() * size_of::<(K, Origin)>()) as u64
    }
}

/// All candidates that one thread has found, by depth.
#[derive(Debug)]
pub(crate) struct Waiting<K> {
    keep: Keep,
    /// Candidates of a full list.
    capacity: usize,
    /// Lists of the depths after the current one; the last list of each is being filled.
    near: Vec<Vec<Candidates<K>>>,
    /// Bit `depth % NEAR` is set if there are some in `near`.
    occupied: u64,
    far: BTreeMap<Depth, Vec<Candidates<K>>>,
    /// Memory of all lists that were ever filled here.
    filled_bytes: u64,
}

impl<K: Copy> Waiting<K> {
    pub(crate) fn new(keep: Keep, capacity: usize) -> Self {
        let near = (0..NEAR).map(|_| Vec::new()).collect();
        Self { keep, capacity, near, occupied: 0, far: BTreeMap::new(), filled_bytes: 0 }
    }

    /// Adds a candidate for the level at `depth`, found in an earlier one at depth `now`.
    #[inline]
    pub(crate) fn push(&mut self, now: Depth, depth: Depth, key: K, origin: Origin, state: &[u8]) {
        let lists = if depth - now < NEAR {
            self.occupied |= 1 << (depth % NEAR);
            &mut self.near[(depth % NEAR) as usize]
        } else {
            self.far.entry(depth).or_default()
        };
        match lists.last_mut() {
            Some(list) if !list.is_full(self.capacity) => list.push(key, origin, state),
            last => {
                self.filled_bytes += last.map_or(0, |list| list.bytes_used());
                let mut list = Candidates::new(self.keep);
                list.push(key, origin, state);
                lists.push(list);
            }
        }
    }

    /// The least depth at which a candidate waits; `now` is the depth of the last level.
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

    /// Moves the candidates of `depth` to the end of `level`. None may wait at a
    /// lesser depth.
    pub(crate) fn take(&mut self, depth: Depth, level: &mut Vec<Candidates<K>>) {
        self.occupied &= !(1 << (depth % NEAR));
        let near = &mut self.near[(depth % NEAR) as usize];
        let mut far = self.far.remove(&depth).unwrap_or_default();
        for lists in [near, &mut far] {
            self.filled_bytes += lists.last().map_or(0, Candidates::bytes_used);
            level.append(lists);
        }
    }

    /// Moves all candidates out.
    pub(crate) fn take_all(&mut self, now: Depth) -> Vec<(Depth, Vec<Candidates<K>>)> {
        let mut all = Vec::new();
        let mut last = now;
        while let Some(depth) = self.next_depth(last) {
            let mut lists = Vec::new();
            self.take(depth, &mut lists);
            all.push((depth, lists));
            last = depth;
        }
        all
    }

    /// Memory of the lists that were ever filled here, taken or not.
    pub(crate) fn filled_bytes(&self) -> u64 {
        self.filled_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_deep_come_first() {
        let mut random = fastrand::Rng::with_seed(3);
        let mut waiting = Waiting::new(Keep::Whole, 5);
        let mut expected: BTreeMap<Depth, Vec<u64>> = BTreeMap::new();
        let mut now = 0;
        let mut count = 0;
        for _ in 0..2000 {
            for _ in 0..random.u32(..40) {
                let far = if random.u32(..9) == 0 { 500 } else { 70 };
                let depth = now + random.u64(1..far);
                let origin = Origin { parent: count, event: 7 };
                waiting.push(now, depth, count, origin, &count.to_le_bytes());
                expected.entry(depth).or_default().push(count);
                count += 1;
            }
            let next = waiting.next_depth(now);
            assert_eq!(next, expected.keys().next().copied());
            // Sometimes there is a level between.
            now = next.map_or(now + 1, |depth| if random.bool() { depth } else { now + 1 });
            let mut lists = Vec::new();
            waiting.take(now, &mut lists);
            let mut found: Vec<u64> = Vec::new();
            for list in &lists {
                for (key, origin, state) in (0..list.len()).map(|index| list.get(index)) {
                    assert_eq!((origin.parent, state), (key, &key.to_le_bytes()[..]));
                    found.push(key);
                }
            }
            found.sort_unstable();
            assert_eq!(found, expected.remove(&now).unwrap_or_default());
        }
        assert!(count > 10_000);
        let rest: Vec<_> = waiting.take_all(now).into_iter().map(|(depth, _)| depth).collect();
        assert!(rest.into_iter().eq(expected.into_keys()));
    }
}
