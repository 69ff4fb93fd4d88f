//! How the numbers of a layout's nodes share the bits of a word.

use super::layouts::Shape;
use super::word::{Word, field_bits};

/// Where a number lies in a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Field {
    pub(super) shift: u32,
    pub(super) width: u32,
}

impl Field {
    #[inline]
    pub(super) fn fits(self, number: u32) -> bool {
        u64::from(number) >> self.width == 0
    }

    #[inline]
    pub(super) fn get<W: Word>(self, word: W) -> u32 {
        (word >> self.shift).low() as u32 & self.mask()
    }

    /// `word` with another number, which must fit.
    #[inline]
    pub(super) fn set<W: Word>(self, word: W, number: u32) -> W {
        word & !self.bits::<W>() | W::from(u64::from(number)) << self.shift
    }

    /// The bits that it has of a word.
    #[inline]
    pub(super) fn bits<W: Word>(self) -> W {
        W::from(u64::from(self.mask())) << self.shift
    }

    /// The largest number that fits.
    #[inline]
    pub(super) fn mask(self) -> u32 {
        ((1_u64 << self.width) - 1) as u32
    }
}

/// A form of the states of a layout.
#[derive(Debug)]
pub(super) struct Packing {
    /// The level of the tree whose nodes are packed; 0 are the leaves.
    pub(super) level: usize,
    /// What words begin with, `None` for the wide form.
    pub(super) number: Option<usize>,
    /// A field for each node of the level; none in the wide form.
    pub(super) fields: Box<[Field]>,
}

impl Packing {
    /// The form that takes everything.
    pub(super) fn wide(level: usize) -> Self {
        Self { level, number: None, fields: Box::default() }
    }

    /// A field whose number is too large.
    pub(super) fn misfit(&self, numbers: impl Iterator<Item = u32>) -> Option<usize> {
        self.fields.iter().zip(numbers).position(|(field, number)| !field.fits(number))
    }
}

/// What is known of a node's numbers.
#[derive(Clone, Copy, Debug)]
struct Need {
    /// For the numbers given so far.
    bits: u32,
    /// No number will ever need more.
    limit: u32,
    /// How much more will be needed, in comparison.
    growth: f64,
    is_growing: bool,
}

/// A search doubles a sample of states so many times, or some more.
const DOUBLINGS: f64 = 6.0;
/// Bits for what a sample does not show at all.
const SPARE: f64 = 4.0;

impl Need {
    /// Bits after a search that is much larger than the sample.
    fn later(&self) -> f64 {
        let growth = if self.is_growing { DOUBLINGS * self.growth } else { 0.0 };
        (f64::from(self.bits) + growth).min(f64::from(self.limit))
    }

    /// Bits without which nothing more can come.
    fn least(&self) -> u32 {
        (self.bits + u32::from(self.is_growing)).min(self.limit)
    }
}

/// A packing with the given number for a level, if what is known leaves room for more.
pub(super) fn plan<W: Word>(shape: &Shape, level: usize, number: usize) -> Option<Packing> {
    let widths = deal(&needs(shape, level), field_bits::<W>(number))?;
    let mut shift = 0;
    let fields = widths.into_iter().map(|width| {
        let field = Field { shift: if width == 0 { 0 } else { shift }, width };
        shift += width;
        field
    });
    Some(Packing { level, number: Some(number), fields: fields.collect() })
}

/// Whether a packing of leaves with the given number has room for what numbers become if they go on growing, and for some
/// bits more.
pub(super) fn has_room<W: Word>(shape: &Shape, number: usize) -> bool {
    let bits = field_bits::<W>(number);
    let wanted: f64 = needs(shape, 0).iter().map(Need::later).sum();
    wanted + SPARE <= f64::from(bits)
}

fn needs(shape: &Shape, level: usize) -> Vec<Need> {
    let leaf = |leaf: &super::layouts::Leaf| need(&leaf.dictionary.dictionary, leaf.bits().min(32));
    let mut needs: Vec<Need> = shape.leaves.iter().map(leaf).collect();
    for level in 1..=level {
        let pairs = shape.pairs(level);
        let pair = |(at, children): (usize, &[Need])| match children {
            [left, right] => {
                let below = left.limit + right.limit;
                let own = need(&pairs[at].dictionary, below.min(32));
                if own.bits == 0 && !own.is_growing {
                    // Nothing known yet: at least as many as the larger half, and then some.
                    let growth = left.growth + right.growth + f64::from(left.bits.min(right.bits));
                    Need { bits: left.bits.max(right.bits), growth, ..own }
                } else {
                    own
                }
            }
            other => other[0],
        };
        needs = needs.chunks(2).enumerate().map(pair).collect();
    }
    needs
}

fn need(dictionary: &crate::dictionary::Dictionary, limit: u32) -> Need {
    let len = dictionary.len();
    let marked = dictionary.marked();
    let bits = len.saturating_sub(1).checked_ilog2().map_or(0, |log| log + 1);
    let mut growth = 0.1 + ((f64::from(len) + 1.0) / (f64::from(marked) + 1.0)).log2();
    if len <= 1 {
        growth = 0.02 * f64::from(limit);
    }
    Need { bits: bits.min(limit), limit, growth, is_growing: len > marked.max(1) }
}

/// Widths that use up all bits, if they are enough and whatever grows can go on growing.
fn deal(needs: &[Need], bits: u32) -> Option<Vec<u32>> {
    let mut widths: Vec<u32> = Vec::with_capacity(needs.len());
    let mut left = bits;
    for need in needs {
        let width = need.least();
        left = left.checked_sub(width)?;
        widths.push(width);
    }
    for _ in 0..left {
        let claim = |(width, need): (&u32, &Need)| need.growth / f64::from(width - need.bits + 1);
        let claims = widths.iter().zip(needs).map(claim).enumerate();
        let open = claims.filter(|(at, _)| widths[*at] < needs[*at].limit);
        let Some((at, _)) = open.max_by(|(_, a), (_, b)| a.total_cmp(b)) else { break };
        widths[at] += 1;
    }
    Some(widths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_keep_their_numbers() {
        keep_their_numbers(1_u64 << 62, 32);
        keep_their_numbers(1_u128 << 124, 32);
        keep_their_numbers(1_u128 << 124, 62);
        keep_their_numbers(1_u128 << 124, 120);
    }

    fn keep_their_numbers<W: Word>(word: W, shift: u32) {
        let (a, b) = (Field { shift: 0, width: 32 }, Field { shift, width: 3 });
        let word = b.set(a.set(word, u32::MAX), 5);
        assert_eq!((a.get(word), b.get(word)), (u32::MAX, 5));
        assert_eq!(a.get(a.set(word, 7)), 7);
        assert!(a.fits(u32::MAX) && b.fits(7) && !b.fits(8));
        let none = Field { shift: 0, width: 0 };
        assert!(none.fits(0) && !none.fits(1));
        assert_eq!(none.set(word, 0), word);
    }

    #[test]
    fn bits_go_to_what_grows() {
        let need = |bits, growth| Need { bits, limit: 16, growth, is_growing: growth > 0.5 };
        let widths = deal(&[need(4, 1.0), need(4, 0.1), need(0, 0.1)], 24).unwrap();
        assert_eq!(widths.iter().sum::<u32>(), 24);
        assert!(widths[0] > widths[1] && widths[1] > 4 && widths[2] > 0, "{widths:?}");
        assert_eq!(deal(&[need(4, 0.1), need(4, 0.1)], 62), Some(vec![16, 16]));
        assert_eq!(deal(&[need(4, 1.0), need(4, 1.0)], 9), None);
        assert_eq!(deal(&[need(4, 0.1), need(4, 0.1)], 8), Some(vec![4, 4]));
        assert_eq!(deal(&[], 57), Some(vec![]));
    }
}
