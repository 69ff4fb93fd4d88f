//! A vector in pieces of equal size.
//!
//! A plain vector needs three times its size for a moment whenever it grows,
//! which is what a search near its memory limit cannot afford.

const SHIFT: u32 = 14;
const CHUNK: usize = 1 << SHIFT;

/// A growable array (or stack) that never moves more than one piece of itself.
#[derive(Clone, Debug)]
pub struct ChunkedVec<T> {
    /// All but the last used one are full; those after it are empty spares.
    chunks: Vec<Vec<T>>,
    len: usize,
}

impl<T> Default for ChunkedVec<T> {
    fn default() -> Self {
        Self { chunks: Vec::new(), len: 0 }
    }
}

impl<T: Copy> ChunkedVec<T> {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Appends an element.
    #[inline]
    pub fn push(&mut self, value: T) {
        let at = self.len >> SHIFT;
        if at == self.chunks.len() {
            self.add_chunk();
        }
        self.chunks[at].push(value);
        self.len += 1;
    }

    /// Removes the last element; its memory is kept for the next one.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        self.chunks[self.len >> SHIFT].pop()
    }

    /// The last element.
    #[inline]
    pub fn last_mut(&mut self) -> Option<&mut T> {
        let last = self.len.checked_sub(1)?;
        self.chunks[last >> SHIFT].last_mut()
    }

    /// The element at `index`, which must exist.
    #[inline]
    #[must_use]
    pub fn get(&self, index: usize) -> T {
        self.chunks[index >> SHIFT][index & (CHUNK - 1)]
    }

    /// Changes the element at `index`, which must exist.
    #[inline]
    pub fn set(&mut self, index: usize, value: T) {
        self.chunks[index >> SHIFT][index & (CHUNK - 1)] = value;
    }

    /// The elements in order.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.chunks.iter().flatten().copied()
    }

    /// Memory allocated.
    #[must_use]
    pub fn bytes_used(&self) -> u64 {
        let first = self.chunks.first().map_or(0, Vec::capacity);
        let elements = first + self.chunks.len().saturating_sub(1) * CHUNK;
        (elements * size_of::<T>() + self.chunks.capacity() * size_of::<Vec<T>>()) as u64
    }

    #[cold]
    fn add_chunk(&mut self) {
        // The first one grows by itself, so that little things stay little.
        let capacity = if self.chunks.is_empty() { 0 } else { CHUNK };
        self.chunks.push(Vec::with_capacity(capacity));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behaves_like_a_vector() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut ours = ChunkedVec::new();
        let mut theirs = Vec::new();
        for step in 0..200_000_u32 {
            if random.u32(..10) < 3 + 5 * u32::from(step < 120_000) {
                ours.push(step);
                theirs.push(step);
            } else {
                assert_eq!(ours.pop(), theirs.pop());
            }
            assert_eq!(ours.last_mut().copied(), theirs.last().copied());
            if !theirs.is_empty() {
                let at = random.usize(..theirs.len());
                assert_eq!(ours.get(at), theirs[at]);
                ours.set(at, step ^ 7);
                theirs[at] = step ^ 7;
            }
        }
        assert_eq!(ours.len(), theirs.len());
        assert_eq!(ours.iter().collect::<Vec<_>>(), theirs);
    }

    #[test]
    fn reports_its_memory() {
        let mut numbers = ChunkedVec::new();
        assert_eq!(numbers.bytes_used(), 0);
        for number in 0..100_000_u32 {
            numbers.push(number);
        }
        let used = numbers.bytes_used();
        assert!((400_000..470_000).contains(&used), "{used}");
    }
}
