//! Which states are not in a finished component yet.
//!
//! States are numbered in the order of their discovery. When a component is finished, all
//! states from its root on are: so what is left is a list of ranges that changes
//! at its end only, and a bit per state answers questions.

/// A set of numbers that grows and shrinks at its end.
#[derive(Debug, Default)]
pub(crate) struct Live {
    bits: Vec<u64>,
    /// First number and the one after the last, ascending.
    ranges: Vec<(u32, u32)>,
}

impl Live {
    /// Adds a number larger than all that ever were there.
    #[inline]
    pub(crate) fn push(&mut self, number: u32) {
        let word = number as usize / 64;
        if word >= self.bits.len() {
            self.bits.resize(word + 1, 0);
        }
        self.bits[word] |= 1 << (number % 64);
        match self.ranges.last_mut() {
            Some((_, end)) if *end == number => *end += 1,
            _ => self.ranges.push((number, number + 1)),
        }
    }

    #[inline]
    pub(crate) fn contains(&self, number: u32) -> bool {
        self.bits[number as usize / 64] >> (number % 64) & 1 != 0
    }

    /// Removes all from `first` on.
    #[inline]
    pub(crate) fn truncate(&mut self, first: u32) {
        while let Some((start, end)) = self.ranges.pop() {
            let from = start.max(first);
            self.clear(from, end);
            if start < from {
                self.ranges.push((start, from));
                return;
            }
            if start == first {
                return;
            }
        }
    }

    #[inline]
    fn clear(&mut self, start: u32, end: u32) {
        if end - start == 1 {
            self.bits[start as usize / 64] &= !(1 << (start % 64));
            return;
        }
        let (first, last) = (start as usize / 64, (end - 1) as usize / 64);
        let above = u64::MAX << (start % 64);
        let below = u64::MAX >> (63 - (end - 1) % 64);
        if first == last {
            self.bits[first] &= !(above & below);
            return;
        }
        self.bits[first] &= !above;
        self.bits[first + 1..last].fill(0);
        self.bits[last] &= !below;
    }

    /// The numbers from `first` on, in order.
    pub(crate) fn from(&self, first: u32) -> Vec<u32> {
        let begin = self.ranges.partition_point(|(_, end)| *end <= first);
        let ranges = &self.ranges[begin..];
        ranges.iter().flat_map(|(start, end)| (*start).max(first)..*end).collect()
    }

    pub(crate) fn bytes_used(&self) -> u64 {
        (self.bits.capacity() * 8 + self.ranges.capacity() * 8) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn behaves_like_a_set() {
        let mut random = fastrand::Rng::with_seed(9);
        let mut live = Live::default();
        let mut expected = BTreeSet::new();
        for number in 0..6_000 {
            live.push(number);
            expected.insert(number);
            while random.u32(..100) < 20 {
                // Only numbers that are there are roots.
                let far = if random.bool() { 5 } else { 60 };
                let near = number.saturating_sub(random.u32(..far));
                let Some(root) = expected.range(near..).next().copied() else { continue };
                assert_eq!(live.from(root), expected.range(root..).copied().collect::<Vec<_>>());
                live.truncate(root);
                expected.split_off(&root);
                assert_eq!(live.from(0), expected.iter().copied().collect::<Vec<_>>());
            }
        }
        assert!((0..6_000).all(|number| live.contains(number) == expected.contains(&number)));
        assert!(live.ranges.len() > 3, "{:?}", live.ranges);
    }
}
