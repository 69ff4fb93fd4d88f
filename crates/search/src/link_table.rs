//! A table from numbers of states to numbers of states, for many additions in a row.
//!
//! Numbers are places in a store, and well mixed or not: they are stirred. The place of an entry is asked for some entries
//! before it is needed, since waiting for memory is all that it takes.

use spinor_store::Distinct;

/// Entries at first, a power of two.
const FIRST: usize = 1 << 10;
/// How many additions ahead memory is asked for.
const AHEAD: usize = 12;
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// The table: open addressing, at most three quarters full.
#[derive(Debug)]
pub(crate) struct LinkTable<I> {
    /// A key and its value; a key that is zero is none.
    entries: Vec<(I, I)>,
    used: usize,
    /// The value of the key that is zero.
    zero: Option<I>,
}

impl<I> Default for LinkTable<I> {
    fn default() -> Self {
        Self { entries: Vec::new(), used: 0, zero: None }
    }
}

impl<I: Distinct> LinkTable<I> {
    #[inline]
    fn place(&self, key: I) -> usize {
        let last = self.entries.len().wrapping_sub(1);
        (key.bits().wrapping_mul(MULTIPLIER) >> 24) as usize & last
    }

    /// The place of a key, or the one where it would be. There is one that is free.
    #[inline]
    fn find(&self, key: I) -> usize {
        let last = self.entries.len() - 1;
        let mut at = self.place(key);
        loop {
            let (found, _) = self.entries[at & last];
            if found == key || found == I::ZERO {
                return at & last;
            }
            at += 1;
        }
    }

    /// The value of a key.
    #[inline]
    pub(crate) fn get(&self, key: I) -> Option<I> {
        if key == I::ZERO || self.entries.is_empty() {
            return self.zero.filter(|_| key == I::ZERO);
        }
        let (found, value) = self.entries[self.find(key)];
        (found == key).then_some(value)
    }

    /// Asks for the memory where a key is looked for.
    #[inline]
    pub(crate) fn prefetch(&self, key: I) {
        if let Some(place) = self.entries.get(self.place(key)) {
            spinor_store::prefetch(place);
        }
    }

    /// Gives a key a value.
    #[inline]
    pub(crate) fn insert(&mut self, key: I, value: I) {
        if key == I::ZERO {
            self.zero = Some(value);
            return;
        }
        if 4 * (self.used + 1) > 3 * self.entries.len() {
            self.grow(self.used + 1);
        }
        let at = self.find(key);
        self.used += usize::from(self.entries[at].0 == I::ZERO);
        self.entries[at] = (key, value);
    }

    /// The same for many.
    pub(crate) fn extend(&mut self, all: &[(I, I)]) {
        if 4 * (self.used + all.len()) > 3 * self.entries.len() {
            self.grow(self.used + all.len());
        }
        for (at, (key, value)) in all.iter().enumerate() {
            if let Some((later, _)) = all.get(at + AHEAD) {
                self.prefetch(*later);
            }
            self.insert(*key, *value);
        }
    }

    /// Makes room for so many.
    #[cold]
    fn grow(&mut self, wanted: usize) {
        let length = (2 * wanted).next_power_of_two().max(FIRST);
        let old = std::mem::replace(&mut self.entries, vec![(I::ZERO, I::ZERO); length]);
        for entry in old.into_iter().filter(|entry| entry.0 != I::ZERO) {
            let at = self.find(entry.0);
            self.entries[at] = entry;
        }
    }

    pub(crate) fn bytes_used(&self) -> u64 {
        size_of_val(&*self.entries) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn keeps_what_it_is_given() {
        let mut random = fastrand::Rng::with_seed(4);
        let (mut table, mut expected) = (LinkTable::<u64>::default(), HashMap::new());
        assert_eq!((table.get(0), table.get(5)), (None, None));
        for _ in 0..200 {
            let key = |random: &mut fastrand::Rng| random.u64(..3000) << (20 * random.u32(..3));
            let some: Vec<(u64, u64)> =
                (0..random.usize(..60)).map(|_| (key(&mut random), random.u64(..))).collect();
            table.extend(&some);
            expected.extend(some);
            let (one, value) = (key(&mut random), random.u64(..));
            table.insert(one, value);
            expected.insert(one, value);
            assert!(expected.iter().all(|(key, value)| table.get(*key) == Some(*value)));
        }
        assert!((0..3000).all(|key| table.get(key) == expected.get(&key).copied()));
    }
}
