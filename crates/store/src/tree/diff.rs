//! Which bytes of two strings differ.

#![allow(unsafe_code)]

/// No string is shorter than this for [`differences`].
pub(super) const SHORTEST: usize = 16;
/// Bytes that one mask covers.
pub(super) const BLOCK: usize = 64;

/// A bit for each of the (up to 64) bytes from `base` on in which two strings of equal
/// length differ.
///
/// # Panics
/// The strings are shorter than [`SHORTEST`], of different lengths, or end before `base`.
#[inline]
pub(super) fn differences(a: &[u8], b: &[u8], base: usize) -> u64 {
    let len = a.len();
    assert!(b.len() == len && len >= SHORTEST && base < len);
    let mut mask = 0;
    let mut at = base;
    let end = len.min(base + BLOCK);
    while at + SHORTEST <= end {
        mask |= lanes(a, b, at) << (at - base);
        at += SHORTEST;
    }
    if at < end {
        // The last lanes end with the string and may begin before the block.
        let last = len - SHORTEST;
        let lanes = lanes(a, b, last);
        mask |= if last >= base { lanes << (last - base) } else { lanes >> (base - last) };
    }
    mask
}

/// The same for strings of one block, from their beginning.
#[inline]
pub(super) fn differences_in_block(a: &[u8], b: &[u8]) -> u64 {
    let len = a.len();
    assert!(b.len() == len && (SHORTEST..=BLOCK).contains(&len));
    let last = len - SHORTEST;
    let mut mask = lanes(a, b, last) << last;
    let mut at = 0;
    while at < last {
        mask |= lanes(a, b, at) << at;
        at += SHORTEST;
    }
    mask
}

/// Eight bytes as a number, the first one lowest.
///
/// # Panics
/// There are not as many.
#[inline]
pub(super) fn eight_bytes(state: &[u8], at: usize) -> u64 {
    let bytes = state[at..at + 8].try_into().expect("eight bytes");
    u64::from_le_bytes(bytes)
}

/// A bit for each of the 16 bytes from `at` on that differ.
#[cfg(target_arch = "x86_64")]
#[inline]
fn lanes(a: &[u8], b: &[u8], at: usize) -> u64 {
    use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8};
    debug_assert!(at + SHORTEST <= a.len() && a.len() == b.len());
    // SAFETY: the callers see to it that 16 bytes from `at` on lie within both; the
    // instructions belong to every processor of this kind, loads need no alignment.
    let equal = unsafe {
        let a = _mm_loadu_si128(a.as_ptr().add(at).cast());
        let b = _mm_loadu_si128(b.as_ptr().add(at).cast());
        _mm_movemask_epi8(_mm_cmpeq_epi8(a, b))
    };
    u64::from(!equal as u16)
}

/// A bit for each of the 16 bytes from `at` on that differ.
#[cfg(not(target_arch = "x86_64"))]
fn lanes(a: &[u8], b: &[u8], at: usize) -> u64 {
    let pairs = a[at..at + SHORTEST].iter().zip(&b[at..at + SHORTEST]).enumerate();
    pairs.fold(0, |mask, (lane, (a, b))| mask | u64::from(a != b) << lane)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_every_difference() {
        let mut random = fastrand::Rng::with_seed(8);
        for _ in 0..2000 {
            let len = random.usize(SHORTEST..200);
            let a: Vec<u8> = (0..len).map(|_| random.u8(..)).collect();
            let mut b = a.clone();
            for _ in 0..random.usize(..4) {
                b[random.usize(..len)] ^= 1 << random.u32(..8);
            }
            if len <= BLOCK {
                assert_eq!(differences_in_block(&a, &b), differences(&a, &b, 0));
            }
            for base in (0..len).step_by(BLOCK) {
                let mask = differences(&a, &b, base);
                for bit in 0..BLOCK {
                    let differ = a.get(base + bit) != b.get(base + bit);
                    assert_eq!(mask >> bit & 1 == 1, differ, "byte {bit} from {base} of {len}");
                }
            }
        }
    }
}
