//! The states that no second search needs to enter again.

use super::marking::again;
use spinor_store::{HashCompact, Store};

/// A set of keys of the store `S`.
pub(crate) struct Reds<S> {
    /// Where keys are states a set of them is exact. Hashes go to the same store, once more
    /// hashed.
    keys: HashCompact,
    of: std::marker::PhantomData<fn(S)>,
}

impl<S: Store<Key = u64>> Reds<S> {
    pub(crate) fn new() -> Self {
        const {
            assert!(S::KEY_IS_STATE || !S::KEEPS_STATES, "an exact store needs more than keys");
        }
        Self { keys: HashCompact::new(), of: std::marker::PhantomData }
    }

    pub(crate) fn insert(&self, local: &mut S::Local, store: &S, key: u64) {
        if S::KEY_IS_STATE {
            self.keys.insert(&mut (), key, &[]);
        } else {
            store.insert(local, again(key), &[]);
        }
    }

    pub(crate) fn contains(&self, local: &mut S::Local, store: &S, key: u64) -> bool {
        if S::KEY_IS_STATE {
            self.keys.contains(&mut (), key, &[])
        } else {
            store.contains(local, again(key), &[])
        }
    }

    pub(crate) fn bytes_used(&self) -> u64 {
        self.keys.bytes_used()
    }

    pub(crate) fn quiesce(&self) {
        self.keys.quiesce();
    }
}
