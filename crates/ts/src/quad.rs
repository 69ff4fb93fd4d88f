//! Words of 256 bits.

use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

/// Four times 64 bits, the lowest ones first.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Quad(pub [u64; 4]);

impl Quad {
    /// How many bits there are.
    pub const BITS: u32 = 256;

    /// No bit.
    pub const NONE: Quad = Quad([0; 4]);

    /// All bits.
    pub const ALL: Quad = Quad([u64::MAX; 4]);

    #[inline(always)]
    fn with(self, other: Quad, of: impl Fn(u64, u64) -> u64) -> Quad {
        // One by one: what is generic in the length of arrays is not always inlined.
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Quad([of(a, e), of(b, f), of(c, g), of(d, h)])
    }
}

impl Ord for Quad {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

impl PartialOrd for Quad {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl From<u64> for Quad {
    #[inline(always)]
    fn from(low: u64) -> Self {
        Quad([low, 0, 0, 0])
    }
}

impl From<u128> for Quad {
    #[inline(always)]
    fn from(low: u128) -> Self {
        Quad([low as u64, (low >> 64) as u64, 0, 0])
    }
}

impl BitAnd for Quad {
    type Output = Quad;

    #[inline(always)]
    fn bitand(self, other: Quad) -> Quad {
        self.with(other, |a, b| a & b)
    }
}

impl BitOr for Quad {
    type Output = Quad;

    #[inline(always)]
    fn bitor(self, other: Quad) -> Quad {
        self.with(other, |a, b| a | b)
    }
}

impl BitOrAssign for Quad {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Quad) {
        *self = *self | other;
    }
}

impl BitXor for Quad {
    type Output = Quad;

    #[inline(always)]
    fn bitxor(self, other: Quad) -> Quad {
        self.with(other, |a, b| a ^ b)
    }
}

impl Not for Quad {
    type Output = Quad;

    #[inline(always)]
    fn not(self) -> Quad {
        self ^ Quad::ALL
    }
}

impl Shl<u32> for Quad {
    type Output = Quad;

    /// By less than all bits.
    #[inline(always)]
    fn shl(self, by: u32) -> Quad {
        let (whole, part) = ((by / 64) as usize, by % 64);
        let at = |n: usize| n.checked_sub(whole).map_or(0, |n| self.0[n]);
        let limb = |n: usize| {
            let below = if n == 0 { 0 } else { at(n - 1) };
            at(n) << part | below.unbounded_shr(64 - part)
        };
        Quad([limb(0), limb(1), limb(2), limb(3)])
    }
}

impl Shr<u32> for Quad {
    type Output = Quad;

    /// By less than all bits.
    #[inline(always)]
    fn shr(self, by: u32) -> Quad {
        let (whole, part) = ((by / 64) as usize, by % 64);
        let at = |n: usize| self.0.get(n + whole).copied().unwrap_or(0);
        let limb = |n: usize| at(n) >> part | at(n + 1).unbounded_shl(64 - part);
        Quad([limb(0), limb(1), limb(2), limb(3)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_shorter_words_do() {
        let mut state = 7_u128;
        for round in 0..200_u32 {
            state = state.wrapping_mul(0x2545_f491_4f6c_dd1d_9e37_79b9_7f4a_7c15) ^ state >> 61;
            let (a, b) = (state, state.rotate_left(round));
            let (x, y) = (Quad::from(a), Quad::from(b));
            assert_eq!([x & y, x | y, x ^ y], [a & b, a | b, a ^ b].map(Quad::from));
            assert_eq!(x.cmp(&y), a.cmp(&b));
            let by = round % 128;
            assert_eq!(x >> by, Quad::from(a >> by));
            assert_eq!((x << 128) >> 128, x);
            assert_eq!((x << by << (128 - by)) >> 128, x);
            assert_eq!((x << 128) >> (128 - by) & Quad::from(u128::MAX), Quad::from(a << by));
            assert_eq!((x << 128) & Quad::from(u128::MAX), Quad::NONE);
            assert_eq!(!!x, x);
        }
        assert_eq!(Quad::ALL >> 255, Quad::from(1_u64));
    }
}
