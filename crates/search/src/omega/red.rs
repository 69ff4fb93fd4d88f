//! The states that no second search needs to enter again.

use super::marking::again;
use spinor_store::{HashCompact, Store};
use std::sync::atomic::{AtomicBool, Ordering};

/// A set of keys of the store `S`.
pub(crate) struct Reds<S> {
    /// Where keys are states a set of them is exact. Hashes go to the same store, once more
    /// hashed.
    keys: HashCompact,
    /// The two keys that a table reserves.
    reserved: [AtomicBool; 2],
    of: std::marker::PhantomData<fn(S)>,
}

impl<S: Store<Key = u64>> Reds<S> {
    pub(crate) fn new() -> Self {
        const {
            assert!(S::KEY_IS_STATE || !S::KEEPS_STATES, "an exact store needs more than keys");
        }
        let reserved = [AtomicBool::new(false), AtomicBool::new(false)];
        Self { keys: HashCompact::new(), reserved, of: std::marker::PhantomData }
    }

    pub(crate) fn insert(&self, local: &mut S::Local, store: &S, key: u64) {
        if let Some(reserved) = self.reserved(key) {
            reserved.store(true, Ordering::Release);
        } else if S::KEY_IS_STATE {
            self.keys.insert(&mut (), key, &[]);
        } else {
            store.insert(local, again(key), &[]);
        }
    }

    pub(crate) fn contains(&self, local: &mut S::Local, store: &S, key: u64) -> bool {
        if let Some(reserved) = self.reserved(key) {
            reserved.load(Ordering::Acquire)
        } else if S::KEY_IS_STATE {
            self.keys.contains(&mut (), key, &[])
        } else {
            store.contains(local, again(key), &[])
        }
    }

    fn reserved(&self, key: u64) -> Option<&AtomicBool> {
        match key {
            0 => Some(&self.reserved[0]),
            u64::MAX => Some(&self.reserved[1]),
            _ => None,
        }
    }

    pub(crate) fn bytes_used(&self) -> u64 {
        self.keys.bytes_used()
    }

    pub(crate) fn quiesce(&self) {
        self.keys.quiesce();
    }
}
