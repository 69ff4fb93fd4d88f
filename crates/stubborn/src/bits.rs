//! Sets of small numbers.

/// A set of numbers below some bound that all sets of a kind share.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    /// Adds the numbers of a range.
    pub fn insert_range(&mut self, range: std::ops::Range<u32>) {
        let words = (range.end as usize).div_ceil(64);
        if self.0.len() < words {
            self.0.resize(words, 0);
        }
        for number in range {
            self.0[number as usize / 64] |= 1 << (number % 64);
        }
    }

    pub fn meets(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub fn add(&mut self, other: &Bits) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }
}

/// A set of channels, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) struct Channels([u64; 4]);

impl Channels {
    /// All of them.
    pub const ALL: Channels = Channels([u64::MAX; 4]);

    /// Those with this number or a higher one.
    pub fn from(number: usize) -> Channels {
        let word = |i: usize| match number.saturating_sub(64 * i) {
            low @ 0..64 => u64::MAX << low,
            _ => 0,
        };
        Channels(std::array::from_fn(word))
    }

    pub fn insert(&mut self, number: u8) {
        self.0[usize::from(number) / 64] |= 1 << (number % 64);
    }

    pub fn remove(&mut self, number: u8) {
        self.0[usize::from(number) / 64] &= !(1 << (number % 64));
    }

    /// The number, if there is exactly one.
    pub fn single(self) -> Option<u8> {
        let mut numbers = self.iter();
        numbers.next().filter(|_| numbers.next().is_none())
    }

    pub fn and(self, other: Channels) -> Channels {
        Channels(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    pub fn or(self, other: Channels) -> Channels {
        Channels(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    pub fn is_empty(self) -> bool {
        self.0 == [0; 4]
    }

    /// The numbers, ascending.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..=255).filter(move |&n: &u8| self.0[usize::from(n) / 64] >> (n % 64) & 1 != 0)
    }
}
