//! Some bits of a word, side by side.

#![allow(unsafe_code)]

/// A way to do it.
pub(super) trait Extract {
    /// The bits of `word` that `mask` has, moved together at the low end.
    fn extract(word: u64, mask: u64) -> u64;
}

/// Bit by bit.
#[derive(Debug)]
pub(super) struct Plain;

impl Extract for Plain {
    #[inline]
    fn extract(word: u64, mask: u64) -> u64 {
        let (mut left, mut bits, mut at) = (mask, 0, 0);
        while left != 0 {
            bits |= (word >> left.trailing_zeros() & 1) << at;
            left &= left - 1;
            at += 1;
        }
        bits
    }
}

/// By one instruction; to be used where the processor has it.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[derive(Debug)]
pub(super) struct Quick;

#[cfg(all(target_arch = "x86_64", not(miri)))]
impl Quick {
    /// Whether the processor has it.
    #[inline(always)]
    pub(super) fn is_there() -> bool {
        std::is_x86_feature_detected!("bmi2")
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
impl Extract for Quick {
    #[inline(always)]
    fn extract(word: u64, mask: u64) -> u64 {
        // SAFETY: who uses this has asked whether the processor has the instruction.
        unsafe { std::arch::x86_64::_pext_u64(word, mask) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_agree() {
        let mut random = fastrand::Rng::with_seed(8);
        assert_eq!(Plain::extract(0b1011_0110, 0b0111_0010), 0b0111);
        assert_eq!(Plain::extract(u64::MAX, 0), 0);
        assert_eq!(Plain::extract(5, u64::MAX), 5);
        for _ in 0..1000 {
            let (word, mask) = (random.u64(..), random.u64(..) & random.u64(..));
            let plain = Plain::extract(word, mask);
            assert!(plain.count_ones() == (word & mask).count_ones());
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            if Quick::is_there() {
                assert_eq!(Quick::extract(word, mask), plain);
            }
        }
    }
}
