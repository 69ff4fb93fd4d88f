//! States with room to read behind them.

/// Bytes behind a [`Padded`] state.
pub const PADDING: usize = 64;

/// A state in memory that can be read in whole words: [`PADDING`] bytes behind it are
/// there, whatever they are.
#[derive(Clone, Copy, Debug)]
pub struct Padded<'a> {
    /// The state and at least `PADDING` bytes.
    bytes: &'a [u8],
    len: usize,
}

impl<'a> Padded<'a> {
    /// The state in the first `len` of the bytes, if enough of them follow.
    #[inline]
    #[must_use]
    pub fn new(bytes: &'a [u8], len: usize) -> Option<Self> {
        (bytes.len() >= PADDING && len <= bytes.len() - PADDING).then_some(Padded { bytes, len })
    }

    /// The state itself.
    #[inline]
    #[must_use]
    pub fn state(self) -> &'a [u8] {
        &self.bytes[..self.len]
    }

    /// The state and what is behind it, [`PADDING`] bytes at least.
    #[inline]
    #[must_use]
    pub fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// Length of the state.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        self.len
    }

    /// Whether the state has no bytes.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_has_to_be_there() {
        let bytes = [7; PADDING + 5];
        let state = Padded::new(&bytes, 5).expect("there is enough behind it");
        assert_eq!((state.state(), state.bytes().len()), (&[7; 5][..], PADDING + 5));
        assert!(Padded::new(&bytes, 6).is_none());
        assert!(Padded::new(&bytes[..PADDING - 1], 0).is_none());
        assert!(Padded::new(&bytes, usize::MAX).is_none());
    }
}
