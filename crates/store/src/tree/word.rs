//! The bits that stand for a state: 64, 126 of 128, or 252 of 256.
//!
//! ```text
//!  1 … crown:31 right:32    wide: the two halves of a tree of pairs
//!  01 fields:62             the first packing, that of the most frequent layout
//!  00 number:5 fields:57    any other packing; number 0 is not used
//! ```
//!
//! Longer words have the same bits in front, and more for fields. One bit of each 64 is left to
//! the table that keeps them ([`mix`](super::mix)).

use super::mix;
use super::recall::{Extract, LANES};
use crate::concurrent::Entry;
use crate::store::Distinct;
use spinor_ts::{Quad, WORD_LANES, WordMoves, WordSuccessors};
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

const _: () = assert!(LANES == WORD_LANES, "rows are in whole blocks");

/// Number of packings that words can tell apart.
pub(super) const PACKINGS: usize = 32;
/// Bits for these numbers, and for what comes before them.
const NUMBER: u32 = PACKINGS.ilog2();
const FRONT: u32 = 2 + NUMBER;

/// Bits that stand for a state.
pub trait Word:
    Entry
    + Distinct
    + Default
    + Hash
    + From<u64>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitOrAssign
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// How many are used.
    const BITS: u32;
    /// No bit.
    const NONE: Self;
    /// All bits.
    const ALL: Self;

    /// The lowest 64 bits.
    fn low(self) -> u64;

    /// How many bits are set.
    fn count(self) -> u32;

    /// The entry of a word in a table, or whatever else is to look random: a bijection.
    fn mix(self) -> Self;

    /// The word of an entry.
    fn unmix(self) -> Self;

    /// 64 bits that depend on all of them.
    fn fold(self) -> u64;

    /// 64 bits of an entry, of which those in the middle tell entries apart.
    fn spread(self) -> u64;

    /// 64 bits of an entry that are as good as random.
    fn digest(self) -> u64;

    /// The bits that `mask` has, moved together at the low end: no more than 64.
    fn extract<E: Extract>(self, mask: Self) -> u64;

    /// A bit for each place where neither `first` and `a` nor `second` and `b` have a bit in common.
    fn disjoint<E: Extract>(first: &[Self; LANES], second: &[Self; LANES], a: Self, b: Self)
    -> u32;

    /// Makes moves from these words, as [`WordMoves`] says.
    fn expand(moves: &mut dyn WordMoves, words: &[Self], out: &mut WordSuccessors<Self>);
}

impl Word for u64 {
    const BITS: u32 = u64::BITS;
    const NONE: u64 = 0;
    const ALL: u64 = u64::MAX;

    #[inline(always)]
    fn low(self) -> u64 {
        self
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline(always)]
    fn mix(self) -> u64 {
        mix::mix(self)
    }

    #[inline(always)]
    fn unmix(self) -> u64 {
        mix::unmix(self)
    }

    #[inline(always)]
    fn fold(self) -> u64 {
        self ^ self >> 32
    }

    #[inline(always)]
    fn spread(self) -> u64 {
        self
    }

    #[inline(always)]
    fn digest(self) -> u64 {
        self
    }

    #[inline(always)]
    fn extract<E: Extract>(self, mask: u64) -> u64 {
        E::extract(self, mask)
    }

    #[inline(always)]
    fn disjoint<E: Extract>(first: &[u64; LANES], second: &[u64; LANES], a: u64, b: u64) -> u32 {
        E::disjoint(first, second, a, b)
    }

    #[inline]
    fn expand(moves: &mut dyn WordMoves, words: &[u64], out: &mut WordSuccessors<u64>) {
        moves.expand_short(words, out);
    }
}

impl Word for u128 {
    const BITS: u32 = mix::LONG;
    const NONE: u128 = 0;
    const ALL: u128 = u128::MAX;

    #[inline(always)]
    fn low(self) -> u64 {
        self as u64
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline(always)]
    fn mix(self) -> u128 {
        mix::mix_long(self)
    }

    #[inline(always)]
    fn unmix(self) -> u128 {
        mix::unmix_long(self)
    }

    #[inline(always)]
    fn fold(self) -> u64 {
        // The halves must not cancel out: fields in both may change alike.
        let halves = self as u64 ^ ((self >> 64) as u64).rotate_left(21);
        halves ^ halves >> 32
    }

    #[inline(always)]
    fn spread(self) -> u64 {
        (self >> 64) as u64
    }

    #[inline(always)]
    fn digest(self) -> u64 {
        mix::digest([(self >> 64) as u64, self as u64])
    }

    #[inline(always)]
    fn extract<E: Extract>(self, mask: u128) -> u64 {
        let low = E::extract(self as u64, mask as u64);
        let high = E::extract((self >> 64) as u64, (mask >> 64) as u64);
        // Where the lower half of the mask is full the upper one has nothing.
        low | high.unbounded_shl((mask as u64).count_ones())
    }

    #[inline(always)]
    fn disjoint<E: Extract>(
        first: &[u128; LANES],
        second: &[u128; LANES],
        a: u128,
        b: u128,
    ) -> u32 {
        E::disjoint_long(first, second, a, b)
    }

    #[inline]
    fn expand(moves: &mut dyn WordMoves, words: &[u128], out: &mut WordSuccessors<u128>) {
        moves.expand_long(words, out);
    }
}

impl Word for Quad {
    const BITS: u32 = mix::QUAD;
    const NONE: Quad = Quad::NONE;
    const ALL: Quad = Quad::ALL;

    #[inline(always)]
    fn low(self) -> u64 {
        self.0[0]
    }

    #[inline(always)]
    fn count(self) -> u32 {
        let [a, b, c, d] = self.0;
        a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones()
    }

    #[inline(always)]
    fn mix(self) -> Quad {
        mix::mix_quad(self)
    }

    #[inline(always)]
    fn unmix(self) -> Quad {
        mix::unmix_quad(self)
    }

    #[inline(always)]
    fn fold(self) -> u64 {
        // As above.
        let [a, b, c, d] = self.0;
        let all = a ^ b.rotate_left(21) ^ c.rotate_left(42) ^ d.rotate_left(11);
        all ^ all >> 32
    }

    #[inline(always)]
    fn spread(self) -> u64 {
        self.0[0]
    }

    #[inline(always)]
    fn digest(self) -> u64 {
        let [last, a, b, c] = self.0;
        mix::digest([mix::digest([last, a]), mix::digest([b, c])])
    }

    #[inline(always)]
    fn extract<E: Extract>(self, mask: Quad) -> u64 {
        let (mut bits, mut count, mut at) = (0_u64, 0, 0);
        while at < mask.0.len() {
            // Where there are 64 bits the rest has nothing.
            bits |= E::extract(self.0[at], mask.0[at]).unbounded_shl(count);
            count += mask.0[at].count_ones();
            at += 1;
        }
        bits
    }

    #[inline(always)]
    fn disjoint<E: Extract>(
        first: &[Quad; LANES],
        second: &[Quad; LANES],
        a: Quad,
        b: Quad,
    ) -> u32 {
        E::disjoint_quad(first, second, a, b)
    }

    #[inline]
    fn expand(moves: &mut dyn WordMoves, words: &[Quad], out: &mut WordSuccessors<Quad>) {
        moves.expand_quad(words, out);
    }
}

/// What a word begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Number of its packing.
    Packed(usize),
    /// Crown and right half.
    Wide(u32, u32),
}

impl Kind {
    /// The packing, if it is not wide.
    #[inline]
    pub(super) fn packing(self) -> Option<usize> {
        match self {
            Kind::Packed(packing) => Some(packing),
            Kind::Wide(..) => None,
        }
    }
}

/// The bit of the wide form.
#[inline(always)]
fn wide_bit<W: Word>() -> W {
    W::from(1) << (W::BITS - 1)
}

/// The bit of the first packing.
#[inline(always)]
fn first_bit<W: Word>() -> W {
    W::from(1) << (W::BITS - 2)
}

/// What `word` begins with.
#[inline(always)]
pub(super) fn kind<W: Word>(word: W) -> Kind {
    if word & wide_bit() != W::NONE {
        Kind::Wide((word.low() >> 32) as u32 & !(1 << 31), word.low() as u32)
    } else if word & first_bit() != W::NONE {
        Kind::Packed(0)
    } else {
        Kind::Packed((word >> (W::BITS - FRONT)).low() as usize)
    }
}

/// Whether words are of one packing that differ from this one in some of these bits, and in no others.
#[inline(always)]
pub(super) fn has_one_form<W: Word>(word: W, other: W) -> bool {
    let (wide, first) = (wide_bit::<W>(), first_bit::<W>());
    let head = if word & first == W::NONE { W::ALL << (W::BITS - FRONT) } else { wide | first };
    (word & wide | other & head) == W::NONE
}

/// The bits in front of the fields of a packing.
pub(super) fn head<W: Word>(packing: usize) -> W {
    if packing == 0 { first_bit() } else { W::from(packing as u64) << (W::BITS - FRONT) }
}

/// How many bits of a word are left for the fields of a packing.
pub(super) fn field_bits<W: Word>(packing: usize) -> u32 {
    W::BITS - if packing == 0 { 2 } else { FRONT }
}

/// The word of a state in the wide form.
#[inline]
pub(super) fn wide<W: Word>(crown: u32, right: u32) -> W {
    wide_bit::<W>() | W::from(u64::from(crown) << 32 | u64::from(right))
}

/// Whether there may be states with this word of 64 bits.
pub(super) const fn is_possible(word: u64) -> bool {
    word >> (u64::BITS - FRONT) != 0
}
