//! A hash of short byte strings, for tables inside this crate.

use std::hash::{BuildHasherDefault, Hasher};

/// An odd number without structure.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// Hash of `bytes`.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let mut words = bytes.chunks_exact(8);
    let mut h = MIX ^ bytes.len() as u64;
    for word in &mut words {
        h = fold(h, u64::from_le_bytes(word.try_into().expect("eight bytes")));
    }
    let mut last = [0; 8];
    last[..words.remainder().len()].copy_from_slice(words.remainder());
    fold(h, u64::from_le_bytes(last))
}

fn fold(h: u64, word: u64) -> u64 {
    let product = u128::from(h ^ word ^ MIX) * u128::from(MIX);
    product as u64 ^ (product >> 64) as u64
}

/// The same for maps of the standard library.
#[derive(Default)]
pub(crate) struct ByteHasher(u64);

impl Hasher for ByteHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = fold(self.0, hash(bytes));
    }

    fn write_usize(&mut self, n: usize) {
        self.0 = fold(self.0, n as u64);
    }
}

/// Builds [`ByteHasher`]s.
pub(crate) type BuildByteHasher = BuildHasherDefault<ByteHasher>;
