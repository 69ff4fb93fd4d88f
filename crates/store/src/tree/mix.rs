//! From words to table entries and back.
//!
//! Words are numbers packed side by side: their upper bits hardly differ. Entries are
//! filed by their upper half, so a word is stirred first, by a bijection: the entry
//! still is the state.
//!
//! A table reserves two values. The last step, an exclusive or, is chosen so that only
//! words that no packing makes would be turned into them.
//!
//! Words of 126 bits become two halves of 63, the upper one stirred together with what the lower one gives. Each gets
//! a bit more at its end, so none is zero, and the first half of an entry is never one of the even numbers that
//! a table reserves. In the same way words of 252 bits become four quarters, of which the last one is stirred with what the others give.

use super::word::is_possible;
use spinor_ts::Quad;

const FIRST: u64 = 0xd6e8_feb8_6659_fd93;
const SECOND: u64 = 0xa076_1d64_78bd_642f;
const FIRST_INVERSE: u64 = inverse(FIRST);
const SECOND_INVERSE: u64 = inverse(SECOND);
const LAST: u64 = last();

/// The entry of a word.
#[inline]
pub(super) fn mix(word: u64) -> u64 {
    stir(word) ^ LAST
}

/// The word of an entry.
#[inline]
pub(super) fn unmix(entry: u64) -> u64 {
    unstir(entry ^ LAST)
}

/// Bits of a long word.
pub(super) const LONG: u32 = 2 * HALF;
const HALF: u32 = 63;
const LOWER: u64 = (1 << HALF) - 1;
const THIRD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The entry of a long word.
#[inline(always)]
pub(super) fn mix_long(word: u128) -> u128 {
    debug_assert!(word >> LONG == 0);
    let lower = word as u64 & LOWER;
    let upper = (word >> HALF) as u64 ^ twist(lower);
    let upper = (upper ^ (upper >> 32)).wrapping_mul(FIRST) & LOWER;
    // The bit that is too much is shifted out.
    let upper = (upper ^ (upper >> 29)).wrapping_mul(SECOND) << 1 | 1;
    u128::from(upper) << 64 | u128::from(lower << 1 | 1)
}

/// The long word of an entry.
#[inline(always)]
pub(super) fn unmix_long(entry: u128) -> u128 {
    let lower = entry as u64 >> 1;
    let upper = ((entry >> 64) as u64 >> 1).wrapping_mul(SECOND_INVERSE) & LOWER;
    let upper = (upper ^ (upper >> 29) ^ (upper >> 58)).wrapping_mul(FIRST_INVERSE) & LOWER;
    let upper = upper ^ (upper >> 32) ^ twist(lower);
    u128::from(upper) << HALF | u128::from(lower)
}

/// Bits of a word of four quarters.
pub(super) const QUAD: u32 = 4 * HALF;

/// Its entry; the quarter that is stirred comes first.
#[inline(always)]
pub(super) fn mix_quad(word: Quad) -> Quad {
    debug_assert!(word >> QUAD == Quad::NONE);
    let [a, b, c, d] = word.0;
    let (b, c, d) = (a >> 63 | b << 1, b >> 62 | c << 2, c >> 61 | d << 3);
    let (a, b, c, d) = (a & LOWER, b & LOWER, c & LOWER, d & LOWER);
    let last = d ^ twists([a, b, c]);
    let last = (last ^ (last >> 32)).wrapping_mul(FIRST) & LOWER;
    let last = (last ^ (last >> 29)).wrapping_mul(SECOND) << 1 | 1;
    Quad([last, a << 1 | 1, b << 1 | 1, c << 1 | 1])
}

/// The word of such an entry.
#[inline(always)]
pub(super) fn unmix_quad(entry: Quad) -> Quad {
    let [last, a, b, c] = entry.0;
    let (last, a, b, c) = (last >> 1, a >> 1, b >> 1, c >> 1);
    let last = last.wrapping_mul(SECOND_INVERSE) & LOWER;
    let last = (last ^ (last >> 29) ^ (last >> 58)).wrapping_mul(FIRST_INVERSE) & LOWER;
    let d = last ^ (last >> 32) ^ twists([a, b, c]);
    Quad([a | b << 63, b >> 1 | c << 62, c >> 2 | d << 61, d >> 3])
}

/// 64 bits that depend on 128, and are as good as random if the first half is.
#[inline(always)]
pub(super) fn digest([stirred, other]: [u64; 2]) -> u64 {
    let product = u128::from(stirred ^ THIRD) * u128::from(other ^ FIRST);
    // Also where a factor is zero.
    (product >> 64) as u64 ^ product as u64 ^ stirred
}

/// 63 bits that depend on three quarters.
#[inline(always)]
fn twists([a, b, c]: [u64; 3]) -> u64 {
    // Each by a number of its own, so that they do not cancel out.
    let product = a.wrapping_mul(THIRD) ^ b.wrapping_mul(FIRST).rotate_left(21);
    let product = product.wrapping_add(c.wrapping_mul(SECOND).rotate_left(42));
    (product ^ product >> 32) & LOWER
}

/// 63 bits that depend on the lower half of a word.
#[inline(always)]
fn twist(lower: u64) -> u64 {
    let product = lower.wrapping_mul(THIRD);
    (product ^ product >> 32) & LOWER
}

const fn stir(word: u64) -> u64 {
    let word = (word ^ (word >> 32)).wrapping_mul(FIRST);
    (word ^ (word >> 29)).wrapping_mul(SECOND)
}

const fn unstir(word: u64) -> u64 {
    let word = word.wrapping_mul(SECOND_INVERSE);
    let word = (word ^ (word >> 29) ^ (word >> 58)).wrapping_mul(FIRST_INVERSE);
    word ^ (word >> 32)
}

/// The inverse of an odd number modulo 2^64: each round doubles the right digits.
const fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    let mut round = 0;
    while round < 6 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
        round += 1;
    }
    inverse
}

/// `last ^ 0` and `last ^ u64::MAX` both come from impossible words.
const fn last() -> u64 {
    let mut word = 0;
    while is_possible(word) || is_possible(unstir(!stir(word))) {
        word += 1;
    }
    stir(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comes_back() {
        let mut random = fastrand::Rng::with_seed(3);
        for word in [0, 1, u64::MAX, 1 << 63].into_iter().chain((0..1000).map(|_| random.u64(..))) {
            assert_eq!(unmix(mix(word)), word);
        }
    }

    #[test]
    fn long_ones_as_well() {
        use crate::concurrent::Entry;
        let mut random = fastrand::Rng::with_seed(2);
        let all = u128::MAX >> (128 - LONG);
        let some = [0, 1, all, all << 1 & all, 1 << 62, 1 << 63, 1 << 64, 1 << 125, 1 << 124];
        for word in some.into_iter().chain((0..1000).map(|_| random.u128(..) & all)) {
            assert_eq!(unmix_long(mix_long(word)), word);
            assert!(mix_long(word).is_possible());
        }
    }

    #[test]
    fn and_the_longest() {
        use crate::concurrent::Entry;
        let mut random = fastrand::Rng::with_seed(5);
        let all = Quad::ALL >> (Quad::BITS - QUAD);
        let bits = (0..QUAD).map(|bit| Quad::from(1_u64) << bit);
        let some: Vec<Quad> = [Quad::NONE, all].into_iter().chain(bits).collect();
        let any = (0..1000).map(|_| Quad([(); 4].map(|()| random.u64(..))) & all);
        for word in some.into_iter().chain(any) {
            assert_eq!(unmix_quad(mix_quad(word)), word);
            assert!(mix_quad(word).is_possible());
        }
    }

    #[test]
    fn reserved_entries_are_no_states() {
        assert!(!is_possible(unmix(0)) && !is_possible(unmix(u64::MAX)));
    }

    #[test]
    fn spreads_neighbours() {
        let mut buckets = [0_u32; 256];
        for (a, b, c) in (0..65_536_u64).map(|n| (n & 15, n >> 4 & 63, n >> 10)) {
            let word = 1 << 62 | a << 55 | b << 30 | c;
            buckets[(mix(word) >> 56) as usize] += 1;
        }
        assert!(buckets.iter().all(|count| (150..370).contains(count)), "{buckets:?}");
    }

    #[test]
    fn spreads_long_neighbours() {
        for shifts in [[0, 20, 40], [0, 63, 110], [60, 64, 100], [30, 61, 112], [1, 17, 64]] {
            let mut buckets = [0_u32; 256];
            for (a, b, c) in (0..65_536_u128).map(|n| (n & 31, n >> 5 & 31, n >> 10)) {
                let word = 1 << 124 | a << shifts[0] | b << shifts[1] ^ c << shifts[2];
                buckets[(mix_long(word) >> 120) as usize] += 1;
            }
            assert!(buckets.iter().all(|count| (150..370).contains(count)), "{buckets:?}");
        }
    }

    #[test]
    fn spreads_the_longest_neighbours() {
        let shifts = [[0, 20, 40], [0, 63, 110], [60, 130, 200], [30, 161, 240], [1, 64, 127]];
        for shifts in shifts.into_iter().chain([[64, 128, 192], [0, 124, 188], [62, 125, 187]]) {
            let mut buckets = [0_u32; 256];
            for (a, b, c) in (0..65_536_u64).map(|n| (n & 31, n >> 5 & 31, n >> 10)) {
                let [a, b, c] = [(a, 0), (b, 1), (c, 2)].map(|(n, at)| Quad::from(n) << shifts[at]);
                let word = Quad::from(1_u64) << 250 | a | b ^ c;
                buckets[(mix_quad(word).0[0] >> 56) as usize] += 1;
            }
            assert!(
                buckets.iter().all(|count| (150..370).contains(count)),
                "{shifts:?} {buckets:?}"
            );
        }
    }
}
