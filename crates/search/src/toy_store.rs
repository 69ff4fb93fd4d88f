//! A visited set that is simple and strict.

use spinor_store::{Insertion, Loss, Store};
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Keys are numbers of byte strings. `KEPT`: 0: nothing is given back, 1: states of
/// the set are, 2: any key is. Counts as lossy if nothing is given back.
#[derive(Default)]
pub(crate) struct ToyStore<const KEPT: usize>(Mutex<Tables>);

#[derive(Default)]
pub(crate) struct Tables {
    strings: Vec<Vec<u8>>,
    numbers: HashMap<Vec<u8>, u64>,
    stored: HashSet<u64>,
}

impl<const KEPT: usize> ToyStore<KEPT> {
    pub(crate) fn tables(&self) -> MutexGuard<'_, Tables> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bytes of all states of the set.
    pub(crate) fn states(&self) -> Vec<Vec<u8>> {
        let tables = self.tables();
        tables.stored.iter().map(|number| tables.strings[*number as usize].clone()).collect()
    }

    fn check(tables: &Tables, key: u64, state: &[u8]) {
        assert!(KEPT == 2 || tables.strings[key as usize] == state, "wrong bytes for a key");
    }
}

impl<const KEPT: usize> Store for ToyStore<KEPT> {
    type Key = u64;
    type Ref = u64;
    /// The origin.
    type Local = Option<Vec<u8>>;
    type Identity = u64;
    const KEY_IS_STATE: bool = KEPT == 2;
    const KEEPS_STATES: bool = KEPT >= 1;

    fn identity(key: u64) -> Option<u64> {
        (KEPT == 2).then_some(key)
    }

    fn identity_of(state: u64) -> Option<u64> {
        (KEPT == 2).then_some(state)
    }

    fn name(&self) -> &'static str {
        "toy"
    }

    fn local(&self) -> Self::Local {
        None
    }

    fn set_origin(&self, local: &mut Self::Local, state: &[u8]) {
        *local = Some(state.to_vec());
    }

    fn load(&self, local: &mut Self::Local, state: u64, out: &mut Vec<u8>) {
        assert!(KEPT >= 1 && self.tables().stored.contains(&state));
        out.clone_from(&self.tables().strings[state as usize]);
        *local = Some(out.clone());
    }

    fn load_key(&self, local: &mut Self::Local, key: u64, out: &mut Vec<u8>) {
        assert!(KEPT == 2);
        out.clone_from(&self.tables().strings[key as usize]);
        *local = Some(out.clone());
    }

    fn key(&self, local: &mut Self::Local, state: &[u8]) -> u64 {
        assert!(local.is_some(), "keys need an origin");
        let tables = &mut *self.tables();
        let next = tables.strings.len() as u64;
        let number = *tables.numbers.entry(state.to_vec()).or_insert(next);
        if number == next {
            tables.strings.push(state.to_vec());
        }
        number
    }

    fn insert(&self, _: &mut Self::Local, key: u64, state: &[u8]) -> Insertion<u64> {
        let tables = &mut *self.tables();
        Self::check(tables, key, state);
        if tables.stored.insert(key) { Insertion::New(key) } else { Insertion::Known }
    }

    fn contains(&self, _: &mut Self::Local, key: u64, state: &[u8]) -> bool {
        let tables = self.tables();
        Self::check(&tables, key, state);
        tables.stored.contains(&key)
    }

    fn bytes_used(&self) -> u64 {
        self.tables().stored.len() as u64 * 40
    }

    fn loss(&self, stored: u64) -> Option<Loss> {
        let loss = Loss {
            expected_omitted: stored as f64 / 10.0,
            hidden_factor: 1.0,
            hash_factor: Some(7.0),
        };
        (KEPT == 0).then_some(loss)
    }
}
