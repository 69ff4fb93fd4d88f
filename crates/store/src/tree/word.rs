//! The 64 bits that stand for a state.
//!
//! ```text
//!  1 crown:31 right:32      wide: the two halves of a tree of pairs
//!  01 fields:62             the first packing, that of the most frequent layout
//!  00 number:5 fields:57    any other packing; number 0 is not used
//! ```

/// Number of packings that words can tell apart.
pub(super) const PACKINGS: usize = 32;

const WIDE: u64 = 1 << 63;
const FIRST: u64 = 1 << 62;
const FIELDS: u32 = 57;

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

/// What `word` begins with.
#[inline]
pub(super) fn kind(word: u64) -> Kind {
    if word & WIDE != 0 {
        Kind::Wide((word >> 32) as u32 & !(1 << 31), word as u32)
    } else if word & FIRST != 0 {
        Kind::Packed(0)
    } else {
        Kind::Packed((word >> FIELDS) as usize)
    }
}

/// Whether words are of one packing that differ from this one in some of these bits, and in no others.
#[inline]
pub(super) fn has_one_form(word: u64, other: u64) -> bool {
    let head = if word & FIRST == 0 { u64::MAX << FIELDS } else { WIDE | FIRST };
    (word & WIDE | other & head) == 0
}

/// The bits in front of the fields of a packing, and how many are left for these.
pub(super) fn head(packing: usize) -> (u64, u32) {
    if packing == 0 { (FIRST, FIELDS + 5) } else { ((packing as u64) << FIELDS, FIELDS) }
}

/// The word of a state in the wide form.
#[inline]
pub(super) fn wide(crown: u32, right: u32) -> u64 {
    WIDE | u64::from(crown) << 32 | u64::from(right)
}

/// Whether there may be states with this word.
pub(super) const fn is_possible(word: u64) -> bool {
    word >> FIELDS != 0
}
