//! Bits for the keys of words, which come in batches.
//!
//! # Moves that sleep
//!
//! A move is left out if the same state is reached in another order of moves
//! ([`sleep`](crate::tree) sets): from a state that was found, as long as none was missed. If one was, what only that other order
//! leads to is missed with it. So moves sleep only until [`NEGLIGIBLE`] states are expected to have been missed; from then on
//! all moves are made. States of a level are all found before the first of them is expanded, so whoever is relied on
//! was counted by then. What that small number hides is measured as ever, on the moves that are made.

use super::line::{Added, Chance};
use super::{Bitstate, BitstateLocal};
use crate::key_set::{KeyPlaces, KeySet};
use crate::store::{Insertion, Loss, Store};
use std::sync::atomic::Ordering;

/// So many missed states do not matter.
const NEGLIGIBLE: f64 = 0.01;

/// Where the lines of keys are.
#[derive(Clone, Copy, Debug)]
pub struct Lines<'a>(&'a Bitstate);

impl KeyPlaces<u64> for Lines<'_> {
    #[inline(always)]
    fn prefetch(self, key: u64) {
        self.0.prefetch_hash(key);
    }
}

impl KeySet for Bitstate {
    type Key = u64;
    type Local = BitstateLocal;
    type Places<'a> = Lines<'a>;

    const NAME: &'static str = "bitstate";
    const FOLLOWS: bool = true;

    fn local(&self) -> BitstateLocal {
        Store::local(self)
    }

    fn set_alone(&self, is_alone: bool) {
        self.is_alone.store(is_alone, Ordering::Relaxed);
    }

    #[inline]
    fn lets_sleep(&self) -> bool {
        !self.has_missed.load(Ordering::Relaxed)
    }

    #[inline]
    fn set_origin(&self, local: &mut BitstateLocal, key: u64) {
        self.shadows.set_origin(&mut local.trace, key);
    }

    #[inline(always)]
    fn reach(&self, local: &mut BitstateLocal, key: u64) {
        self.arrivals.note(key);
        self.shadows.reach(&mut local.trace, key);
    }

    #[inline]
    fn follows_origin(&self, local: &BitstateLocal) -> bool {
        local.trace.is_shaded()
    }

    #[inline]
    fn follows_any(&self, keys: &[u64]) -> bool {
        keys.iter().any(|key| self.shadows.holds(*key))
    }

    #[inline]
    fn places(&self) -> Lines<'_> {
        Lines(self)
    }

    #[inline]
    fn insert_key(&self, local: &mut BitstateLocal, key: u64) -> Insertion<u64> {
        let is_new = self.add(local, key);
        self.look_at_losses(local);
        if is_new { Insertion::New(key) } else { Insertion::Known }
    }

    #[inline]
    fn insert_keys(&self, local: &mut BitstateLocal, keys: &[u64], new: &mut Vec<(u32, u64)>) {
        if local.trace.waits() {
            for (number, key) in (0..).zip(keys) {
                if self.add(local, *key) {
                    new.push((number, *key));
                }
            }
        } else if self.is_alone.load(Ordering::Relaxed) {
            self.insert_alone(local, keys, new);
        } else {
            self.insert_each::<true>(local, keys, new);
        }
        self.look_at_losses(local);
    }

    #[inline]
    fn contains_key(&self, key: u64) -> bool {
        let (line, hash) = self.line(key);
        line.holds(hash, self.functions)
    }

    fn bytes_used(&self) -> u64 {
        Store::bytes_used(self)
    }

    fn is_young(&self) -> bool {
        self.arrivals.are_few()
    }

    fn loss(&self, stored: u64) -> Option<Loss> {
        Store::loss(self, stored)
    }
}

impl Bitstate {
    /// Adds keys while no other thread does, and nothing is waited for.
    fn insert_alone(&self, local: &mut BitstateLocal, keys: &[u64], new: &mut Vec<(u32, u64)>) {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if std::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has these instructions.
            unsafe { self.insert_alone_wide(local, keys, new) };
            return;
        }
        self.insert_each::<false>(local, keys, new);
    }

    /// The same with longer words.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[target_feature(enable = "avx2")]
    fn insert_alone_wide(
        &self,
        local: &mut BitstateLocal,
        keys: &[u64],
        new: &mut Vec<(u32, u64)>,
    ) {
        self.insert_each::<false>(local, keys, new);
    }

    /// Adds keys while nothing is waited for, `SHARED` with other threads.
    ///
    /// Whether a key is there cannot be foretold, so nothing depends on it: its number is overwritten by the
    /// next one if it was there.
    #[inline(always)]
    fn insert_each<const SHARED: bool>(
        &self,
        local: &mut BitstateLocal,
        keys: &[u64],
        new: &mut Vec<(u32, u64)>,
    ) {
        let before = new.len();
        new.reserve(keys.len());
        let (places, mut len) = (new.as_mut_ptr(), before);
        // Of lines with few hashes, in units that are too small to matter one by one.
        let mut few = 0;
        let (mut odds, mut chances) = (0.0, 0.0);
        for (number, key) in (0..).zip(keys) {
            let (line, hash) = self.line(*key);
            // SAFETY: there is room for all keys.
            unsafe { places.add(len).write((number, *key)) };
            let is_new = if SHARED {
                line.add_to_few_shared(hash, &mut few)
            } else {
                // SAFETY: no other thread writes.
                unsafe { line.add_to_few(hash, &mut few) }
            };
            len += usize::from(is_new.unwrap_or_else(|| {
                let added = if SHARED {
                    line.add(hash, self.functions)
                } else {
                    // SAFETY: as above.
                    unsafe { line.add_alone(hash, self.functions) }
                };
                let Added::New(chance) = added else { return false };
                let chance = self.chance(chance);
                chances += chance;
                odds += chance / (1.0 - chance);
                true
            }));
        }
        // SAFETY: as many have been written.
        unsafe { new.set_len(len) };
        let few = few as f64 * (-64_f64).exp2();
        local.missed.add(odds + few);
        let hashes = new[before..].iter().map(|(_, key)| *key);
        self.shadows.found_all(&mut local.trace, hashes, chances + few);
    }

    /// The chance as a number.
    #[inline]
    pub(super) fn chance(&self, chance: Chance) -> f64 {
        match chance {
            Chance::Hashes(chance) => chance,
            Chance::Filter(set) => self.chances[set],
        }
    }

    /// Moves sleep no longer once something was missed.
    #[inline]
    fn look_at_losses(&self, local: &BitstateLocal) {
        if local.missed.get() > NEGLIGIBLE {
            self.has_missed.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Words, stress};
    use spinor_ts::{Expansion, Layout, LayoutOf};
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

    fn words(bits: u64, functions: u32, seed: u64) -> Words<Bitstate> {
        Words::with(Bitstate::seeded(bits, functions, seed), layout_of(), &[], || false)
    }

    #[test]
    fn equals_a_map() {
        stress::equals_a_map(|| words(1 << 26, 5, 0));
        stress::equals_a_map(|| words(1 << 26, 3, 7));
    }

    #[test]
    fn threads_agree() {
        stress::threads_agree(|| words(1 << 26, 3, 0));
    }

    #[test]
    fn threads_agree_in_crowded_lines() {
        stress::threads_agree(|| words(1 << 14, 12, 0));
    }

    /// A state with this number: two small parts and a larger one, as in a model.
    fn state(number: u64) -> [u8; 7] {
        let [low, high, ..] = (number >> 6).to_le_bytes();
        [1, (number & 7) as u8, 0, (number >> 3 & 7) as u8, 0, low, high]
    }

    /// Whether keys are new does not depend on whether they come one by one or in batches, nor on whether one thread is alone.
    #[test]
    fn batches_find_the_same() {
        let mut random = fastrand::Rng::with_seed(4);
        for (bits, functions) in [(1 << 22, 3), (1 << 16, 3), (1 << 13, 1), (512, 2)] {
            let stores = [(); 3].map(|()| words(bits, functions, 0));
            stores[2].set_alone(true);
            let mut locals: Vec<_> = stores.iter().map(Store::local).collect();
            for _ in 0..2_000 {
                let states: Vec<_> =
                    (0..random.usize(..30)).map(|_| state(random.u64(..20_000))).collect();
                let found: Vec<Vec<(u32, u64)>> = stores
                    .iter()
                    .zip(&mut locals)
                    .enumerate()
                    .map(|(at, (store, local))| {
                        let keys: Vec<u64> =
                            states.iter().map(|state| store.key(local, state)).collect();
                        let mut new = Vec::new();
                        if at == 0 {
                            let each = (0..).zip(&keys);
                            let is_new = |key: u64, local: &mut _| {
                                store.insert(local, key, &[]) == Insertion::New(key)
                            };
                            new.extend(
                                each.filter(|(_, key)| is_new(**key, local))
                                    .map(|(number, key)| (number, *key)),
                            );
                        } else {
                            store.insert_all(local, &keys, &Expansion::new(), 0, &mut new);
                        }
                        assert!(keys.iter().all(|key| store.contains(local, *key, &[])));
                        new
                    })
                    .collect();
                // Numbers of parts, hence keys, are the same everywhere.
                assert!(found[0] == found[1] && found[0] == found[2]);
            }
            let losses = stores
                .each_ref()
                .map(|store| Store::loss(store, 1).map(|loss| loss.expected_omitted));
            let [Some(one), Some(batch), Some(alone)] = losses else { panic!("they are lossy") };
            assert!(
                (one - batch).abs() <= 1e-9 * one && (one - alone).abs() <= 1e-9 * one,
                "{losses:?}"
            );
        }
    }

    #[test]
    fn loses_as_many_as_it_says() {
        const STATES: u64 = 1 << 18;
        for (bits, functions) in [(1 << 22, 3), (1 << 21, 2), (1 << 20, 3)] {
            for seed in [0, 1, 77] {
                let store = words(bits, functions, seed);
                store.set_alone(seed == 1);
                let mut local = store.local();
                let mut new = Vec::new();
                for first in (0..STATES).step_by(64) {
                    let keys: Vec<u64> = (first..first + 64)
                        .map(|number| store.key(&mut local, &state(number)))
                        .collect();
                    store.insert_all(&mut local, &keys, &Expansion::new(), 0, &mut new);
                }
                let omitted = (STATES - new.len() as u64) as f64;
                let loss = Store::loss(&store, new.len() as u64).expect("it is lossy");
                let expected = loss.expected_omitted;
                let deviation = 5.0 * expected.sqrt() + 0.02 * expected;
                assert!(
                    (omitted - expected).abs() < deviation,
                    "{bits} {seed}: {omitted} {expected}"
                );
                assert!(!store.into_visited().lets_sleep());
            }
        }
    }

    /// Threads that add the same keys in batches at the same time, in a hundred random ways: in lines that hold few of them, and in
    /// lines that become filters meanwhile.
    #[test]
    fn threads_agree_in_batches() {
        const THREADS: u64 = 8;
        for seed in 0..100 {
            let mut random = fastrand::Rng::with_seed(seed);
            let keys: Vec<u64> = (0..400).map(|_| random.u64(1..)).collect();
            let set = Bitstate::new(if seed % 2 == 0 { 1 << 16 } else { 1 << 13 }, 12);
            let start = std::sync::Barrier::new(THREADS as usize);
            let work = |thread: u64| {
                let mut random = fastrand::Rng::with_seed(seed * THREADS + thread);
                fastrand::seed(seed * THREADS + thread);
                let mut local = KeySet::local(&set);
                let mut won = Vec::new();
                start.wait();
                for _ in 0..40 {
                    let batch: Vec<u64> =
                        (0..random.usize(..40)).map(|_| keys[random.usize(..keys.len())]).collect();
                    let mut new = Vec::new();
                    set.insert_keys(&mut local, &batch, &mut new);
                    assert!(new.iter().all(|(at, key)| batch[*at as usize] == *key));
                    assert!(batch.iter().all(|key| set.contains_key(*key)));
                    won.extend(new.into_iter().map(|(_, key)| key));
                }
                won
            };
            let won: Vec<u64> = std::thread::scope(|scope| {
                let work = &work;
                let threads: Vec<_> =
                    (0..THREADS).map(|thread| scope.spawn(move || work(thread))).collect();
                threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
            });
            let once: std::collections::HashSet<&u64> = won.iter().collect();
            assert_eq!(once.len(), won.len(), "{seed}: new for two threads");
            let there = keys.iter().filter(|key| set.contains_key(**key)).count();
            // It may take a key for another one.
            let loss = KeySet::loss(&set, won.len() as u64).expect("it is lossy");
            let missed = (there - won.len()) as f64;
            assert!(missed <= 3.0 + 4.0 * loss.expected_omitted, "{seed}: {missed} {loss:?}");
        }
    }

    #[test]
    fn moves_sleep_while_nothing_is_missed() {
        let store = words(1 << 26, 3, 0);
        let mut local = store.local();
        for number in 0..10_000 {
            let key = store.key(&mut local, &state(number));
            assert_eq!(store.insert(&mut local, key, &[]), Insertion::New(key));
        }
        assert!(Store::loss(&store, 10_000).expect("it is lossy").expected_omitted < 1e-6);
        assert!(store.into_visited().lets_sleep());
    }
}
