//! Byte strings by number, packed one after the other.
//!
//! A chunk holds a fixed number of strings, so a number tells its chunk. As long
//! as all strings of a chunk are equally long, which is the common case, nothing
//! but the strings is kept; else four bytes per string.

use crate::huge::advise;
use crate::prefetch::prefetch;

const MAX_SHIFT: u32 = 18;
const MIN_SHIFT: u32 = 4;
/// A chunk is about this large at most, judged by the first string.
const CHUNK_BYTES: usize = 16 << 20;

/// An append-only list of byte strings.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    chunks: Vec<Chunk>,
    /// Binary logarithm of the number of strings per chunk.
    shift: u32,
    len: usize,
    allocated: usize,
}

#[derive(Debug)]
struct Chunk {
    bytes: Vec<u8>,
    lengths: Lengths,
}

/// Where the strings of a chunk lie.
#[derive(Debug)]
enum Lengths {
    /// All are this long.
    Same(usize),
    Ends(Vec<u32>),
    /// For a chunk of more than 4 GB.
    FarEnds(Vec<usize>),
}

impl Arena {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn bytes_used(&self) -> u64 {
        (self.allocated + self.chunks.capacity() * size_of::<Chunk>()) as u64
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> &[u8] {
        let chunk = &self.chunks[index >> self.shift];
        chunk.get(index & ((1 << self.shift) - 1))
    }

    #[inline]
    pub(crate) fn prefetch(&self, index: usize) {
        let chunk = &self.chunks[index >> self.shift];
        // For strings of varying length their ends would have to be there already.
        if let Lengths::Same(length) = chunk.lengths {
            let within = index & ((1 << self.shift) - 1);
            if let [first, .., last] = &chunk.bytes[within * length..][..length] {
                prefetch(first);
                prefetch(last);
            }
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, key: &[u8]) {
        let at = self.len >> self.shift;
        if at == self.chunks.len() {
            self.add_chunk(key.len());
        }
        let within = self.len & ((1 << self.shift) - 1);
        let chunk = self.chunks.last_mut().expect("a chunk was added");
        let before = chunk.capacity();
        chunk.push(within, key);
        if chunk.capacity() != before {
            self.allocated += chunk.capacity() - before;
            advise(&chunk.bytes);
        }
        self.len += 1;
    }

    #[cold]
    fn add_chunk(&mut self, length: usize) {
        // Chunks resemble their predecessors; the first one is the small model's.
        let expected = self.chunks.last().map_or(0, |chunk| chunk.bytes.len());
        if self.chunks.is_empty() {
            self.shift = (CHUNK_BYTES / length.max(1)).max(1).ilog2().clamp(MIN_SHIFT, MAX_SHIFT);
        }
        let bytes = Vec::with_capacity(expected);
        advise(&bytes);
        self.allocated += bytes.capacity();
        self.chunks.push(Chunk { bytes, lengths: Lengths::Same(length) });
    }
}

impl Chunk {
    #[inline]
    fn get(&self, index: usize) -> &[u8] {
        match &self.lengths {
            Lengths::Same(length) => &self.bytes[index * length..][..*length],
            Lengths::Ends(ends) => {
                let start = if index == 0 { 0 } else { ends[index - 1] };
                &self.bytes[start as usize..ends[index] as usize]
            }
            Lengths::FarEnds(ends) => {
                let start = if index == 0 { 0 } else { ends[index - 1] };
                &self.bytes[start..ends[index]]
            }
        }
    }

    #[inline]
    fn push(&mut self, index: usize, key: &[u8]) {
        self.bytes.extend_from_slice(key);
        if !matches!(self.lengths, Lengths::Same(length) if length == key.len()) {
            self.push_end(index, self.bytes.len());
        }
    }

    fn push_end(&mut self, index: usize, end: usize) {
        if let Lengths::Same(length) = self.lengths {
            let ends = (1..=index).map(|count| count * length);
            self.lengths = if end <= u32::MAX as usize {
                Lengths::Ends(ends.map(|end| end as u32).collect())
            } else {
                Lengths::FarEnds(ends.collect())
            };
        }
        match &mut self.lengths {
            Lengths::Same(_) => unreachable!("replaced above"),
            Lengths::FarEnds(ends) => ends.push(end),
            Lengths::Ends(ends) => match u32::try_from(end) {
                Ok(end) => ends.push(end),
                Err(_) => {
                    let near = ends.iter().map(|end| *end as usize);
                    self.lengths = Lengths::FarEnds(near.chain([end]).collect());
                }
            },
        }
    }

    #[inline]
    fn capacity(&self) -> usize {
        let lengths = match &self.lengths {
            Lengths::Same(_) => 0,
            Lengths::Ends(ends) => ends.capacity() * size_of::<u32>(),
            Lengths::FarEnds(ends) => ends.capacity() * size_of::<usize>(),
        };
        self.bytes.capacity() + lengths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lengths: impl Iterator<Item = usize>) {
        let mut random = fastrand::Rng::with_seed(3);
        let mut arena = Arena::default();
        let mut expected: Vec<Vec<u8>> = Vec::new();
        for length in lengths {
            let key: Vec<u8> = (0..length).map(|_| random.u8(..)).collect();
            arena.push(&key);
            expected.push(key);
        }
        assert_eq!(arena.len(), expected.len());
        for (index, key) in expected.iter().enumerate() {
            assert_eq!(arena.get(index), key);
        }
        let content: usize = expected.iter().map(Vec::len).sum();
        assert!(arena.bytes_used() >= content as u64);
    }

    #[test]
    fn equal_lengths() {
        check((0..40_000).map(|_| 9));
        check((0..20_000).map(|_| 0));
    }

    #[test]
    fn lengths_that_change() {
        let mut random = fastrand::Rng::with_seed(4);
        check((0..40_000).map(|_| random.usize(..30)));
        check((0..40_000).map(|index| if index == 20_000 { 3 } else { 8 }));
        check([0, 5, 0, 1].into_iter());
    }

    #[test]
    fn more_than_four_gigabytes() {
        let far = 5_000_000_000;
        for first in [Lengths::Same(7), Lengths::Ends(vec![7, 14])] {
            let mut chunk = Chunk { bytes: Vec::new(), lengths: first };
            chunk.push_end(2, far);
            chunk.push_end(3, far + 1);
            let Lengths::FarEnds(ends) = chunk.lengths else { panic!("{:?}", chunk.lengths) };
            assert_eq!(ends, [7, 14, far, far + 1]);
        }
    }

    #[test]
    fn long_strings() {
        check((0..100).map(|index| 100_000 + index));
        check((0..3).map(|_| 9 << 20));
    }
}
