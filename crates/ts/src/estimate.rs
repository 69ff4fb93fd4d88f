//! How far it may be from a state to an error.

/// Estimates are not larger; so large a one means that no way is known.
pub const HOPELESS: u32 = 1 << 24;

/// A guess of the distance to the nearest error, for searches that prefer near states.
///
/// It is a function of the state. What it promises (never too large, never falling faster
/// than steps are made) is said by who makes it; no search relies on more than being asked
/// for it.
pub trait Estimate {
    /// Elementary steps from `state`, a whole one with its hidden bytes, to the nearest
    /// error: at most [`HOPELESS`].
    fn estimate(&mut self, state: &[u8]) -> u32;
}

/// Knows nothing: searches become blind ones.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blind;

impl Estimate for Blind {
    #[inline]
    fn estimate(&mut self, _state: &[u8]) -> u32 {
        0
    }
}

impl<E: Estimate + ?Sized> Estimate for Box<E> {
    #[inline]
    fn estimate(&mut self, state: &[u8]) -> u32 {
        (**self).estimate(state)
    }
}
