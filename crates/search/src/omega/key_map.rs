//! Tables by keys that are spread evenly as they are.

use hashbrown::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

pub(crate) type KeyMap<V> = HashMap<u64, V, BuildHasherDefault<KeyHasher>>;
pub(crate) type KeySet = HashSet<u64, BuildHasherDefault<KeyHasher>>;

/// Takes a key for its hash.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    #[inline]
    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn write(&mut self, bytes: &[u8]) {
        // Not used for keys.
        bytes.iter().for_each(|byte| self.0 = self.0.wrapping_mul(31).wrapping_add((*byte).into()));
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}
