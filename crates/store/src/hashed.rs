//! Keys of more than 64 bits, of which a set keeps a hash of 64.
//!
//! Two keys with the same hash are taken for one: among n states that happens n² / 2^65 times. Moves may
//! [sleep](crate::tree) as long as next to nothing was missed, as in a set of [bits](crate::bitstate).

use crate::Loss;
use crate::key_set::{KeyPlaces, KeySet};
use crate::store::Insertion;
use crate::tree::Word;
use std::marker::PhantomData;

/// So many missed states do not matter.
const NEGLIGIBLE: f64 = 0.01;

/// The hashes of keys `K`, in a set of words of 64 bits.
#[derive(Debug)]
pub struct Hashed<V, K> {
    hashes: V,
    keys: PhantomData<fn(K)>,
}

/// What a thread has for itself.
#[derive(Debug)]
pub struct HashedLocal<L> {
    hashes: L,
    batch: Vec<u64>,
    new: Vec<(u32, u64)>,
}

/// Where hashes are looked for.
#[derive(Clone, Copy, Debug)]
pub struct HashedPlaces<P>(P);

impl<K: Word, P: KeyPlaces<u64>> KeyPlaces<K> for HashedPlaces<P> {
    #[inline(always)]
    fn prefetch(self, key: K) {
        self.0.prefetch(hash(key));
    }

    #[inline(always)]
    fn prefetch_all(self, key: K) {
        self.0.prefetch_all(hash(key));
    }
}

/// None of the two values that a table reserves: their neighbours stand in for them.
#[inline(always)]
fn hash(key: impl Word) -> u64 {
    key.digest().clamp(1, u64::MAX - 1)
}

impl<V, K> Hashed<V, K> {
    /// Of an empty set.
    #[must_use]
    pub fn new(hashes: V) -> Self {
        Self { hashes, keys: PhantomData }
    }
}

/// How many pairs of so many states have the same hash.
fn collisions(states: f64) -> f64 {
    states * (states - 1.0).max(0.0) / 2.0 * (-64_f64).exp2()
}

impl<K: Word, V: KeySet<Key = u64>> KeySet for Hashed<V, K> {
    type Key = K;
    type Local = HashedLocal<V::Local>;
    type Places<'a>
        = HashedPlaces<V::Places<'a>>
    where
        Self: 'a;

    const NAME: &'static str = V::NAME;
    const FOLLOWS: bool = V::FOLLOWS;

    fn local(&self) -> Self::Local {
        HashedLocal { hashes: self.hashes.local(), batch: Vec::new(), new: Vec::new() }
    }

    fn set_alone(&self, is_alone: bool) {
        self.hashes.set_alone(is_alone);
    }

    #[inline]
    fn lets_sleep(&self) -> bool {
        // A table has more bytes than this for each state.
        let most = self.hashes.bytes_used() as f64 / 8.0;
        self.hashes.lets_sleep() && collisions(most) < NEGLIGIBLE
    }

    #[inline]
    fn set_origin(&self, local: &mut Self::Local, key: K) {
        self.hashes.set_origin(&mut local.hashes, hash(key));
    }

    #[inline(always)]
    fn reach(&self, local: &mut Self::Local, key: K) {
        self.hashes.reach(&mut local.hashes, hash(key));
    }

    #[inline]
    fn follows_origin(&self, local: &Self::Local) -> bool {
        self.hashes.follows_origin(&local.hashes)
    }

    #[inline]
    fn follows_any(&self, keys: &[K]) -> bool {
        V::FOLLOWS && keys.iter().any(|key| self.hashes.follows_any(&[hash(*key)]))
    }

    #[inline]
    fn places(&self) -> Self::Places<'_> {
        HashedPlaces(self.hashes.places())
    }

    #[inline]
    fn insert_key(&self, local: &mut Self::Local, key: K) -> Insertion<K> {
        match self.hashes.insert_key(&mut local.hashes, hash(key)) {
            Insertion::New(_) => Insertion::New(key),
            Insertion::Known => Insertion::Known,
        }
    }

    #[inline]
    fn insert_keys(&self, local: &mut Self::Local, keys: &[K], new: &mut Vec<(u32, K)>) {
        let HashedLocal { hashes, batch, new: found } = local;
        batch.clear();
        batch.extend(keys.iter().map(|key| hash(*key)));
        found.clear();
        self.hashes.insert_keys(hashes, batch, found);
        new.extend(found.iter().map(|(number, _)| (*number, keys[*number as usize])));
    }

    #[inline]
    fn contains_key(&self, key: K) -> bool {
        self.hashes.contains_key(hash(key))
    }

    fn quiesce(&self) {
        self.hashes.quiesce();
    }

    fn bytes_used(&self) -> u64 {
        self.hashes.bytes_used()
    }

    fn is_young(&self) -> bool {
        self.hashes.is_young()
    }

    fn loss(&self, stored: u64) -> Option<Loss> {
        let expected_omitted = collisions(stored as f64);
        let table = Loss { expected_omitted, hidden_factor: 1.0, hash_factor: None };
        // Bits count equal hashes among what they miss.
        Some(self.hashes.loss(stored).unwrap_or(table))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::concurrent::Table;
    use crate::{Bitstate, Words, stress};
    use spinor_ts::{Layout, LayoutOf, Quad};
    use std::collections::HashSet;
    use std::sync::Arc;

    /// Parts of two bytes behind a prefix of one.
    fn layout_of() -> LayoutOf {
        Arc::new(|state: &[u8]| {
            let prefix = 1.min(state.len());
            let mut ends: Vec<usize> = (prefix..state.len()).step_by(2).skip(1).collect();
            ends.push(state.len());
            Layout { prefix, ends, seams: Vec::new() }
        })
    }

    fn table<K: Word>() -> Words<Hashed<Table, K>> {
        Words::with(Hashed::new(Table::new(4)), layout_of(), &[], || false)
    }

    fn bits<K: Word>() -> Words<Hashed<Bitstate, K>> {
        Words::with(Hashed::new(Bitstate::new(1 << 26, 3)), layout_of(), &[], || false)
    }

    #[test]
    fn equals_a_map() {
        stress::equals_a_map(table::<u128>);
        stress::equals_a_map(bits::<u128>);
    }

    #[test]
    fn threads_agree() {
        stress::threads_agree(table::<u128>);
        stress::threads_agree(bits::<u128>);
        stress::threads_agree(table::<Quad>);
    }

    /// As many as chance has it share the upper 32 bits of their hashes, whatever bits tell words apart.
    #[test]
    fn hashes_are_as_good_as_random() {
        for shifts in [[0, 20, 40], [0, 63, 110], [57, 63, 100], [30, 61, 112], [1, 17, 64]] {
            let words = (0..1 << 18).map(|n: u128| {
                (1 << 124)
                    | (n & 63) << shifts[0]
                    | (n >> 6 & 63) << shifts[1] ^ (n >> 12) << shifts[2]
            });
            let hashes: Vec<u64> = words.map(|word| hash(word.mix())).collect();
            assert_eq!(hashes.iter().collect::<HashSet<_>>().len(), hashes.len());
            for half in [0, 32] {
                let some: HashSet<u32> = hashes.iter().map(|hash| (hash >> half) as u32).collect();
                let shared = hashes.len() - some.len();
                // 2^36 / 2^33 = 8 are expected.
                assert!(shared < 32, "{shifts:?} {half}: {shared}");
            }
        }
    }

    #[test]
    fn says_what_it_expects_to_miss() {
        let set: Hashed<Table, u128> = Hashed::new(Table::new(4));
        let omitted = |stored| set.loss(stored).expect("it is lossy").expected_omitted;
        assert!(omitted(0) == 0.0 && omitted(1) == 0.0);
        // Of 2^33 states, 2^65 pairs share 2^64 hashes.
        assert!((omitted(1 << 33) - 2.0).abs() < 1e-6);
        assert!(set.lets_sleep());
    }
}
