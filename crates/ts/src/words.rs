//! States as words of bits, and moves that lead from word to word.
//!
//! A state consists of *cells*, numbers of a few bytes. Where all of them are small, a state is a word with a
//! [field](WordField) for each, and engines can make the words of its successors without putting states together.

use crate::Quad;
use std::sync::Arc;

/// A number in a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Its first byte; the lowest one comes first.
    pub start: usize,
    /// Bytes: one, two or four.
    pub bytes: u8,
    /// Least and greatest value that it can have.
    pub least: i64,
    /// See `least`.
    pub most: i64,
    /// What cells of one family hold is much the same: elements of an array.
    pub family: u32,
    /// All values that it can have, in ascending order, if these are known. They stand in words as places in this list.
    pub values: Option<Arc<[u32]>>,
    /// Values that it can have, in ascending order; there may be others, but then somebody was not careful.
    pub possible: Option<Arc<[u32]>>,
}

impl Cell {
    /// Its value in a state.
    #[must_use]
    pub fn value(&self, state: &[u8]) -> i64 {
        let bytes = &state[self.start..self.start + usize::from(self.bytes)];
        let raw = bytes.iter().rev().fold(0, |value: u64, byte| value << 8 | u64::from(*byte));
        let unused = 64 - 8 * u32::from(self.bytes);
        if self.least < 0 { (raw << unused).cast_signed() >> unused } else { raw.cast_signed() }
    }

    /// What stands in words for a value.
    #[must_use]
    pub fn number(&self, value: i64) -> i64 {
        let Some(values) = &self.values else { return value };
        // As it stands in the state.
        let value = value & (i64::MAX >> (63 - 8 * u32::from(self.bytes)));
        // Behind those of the list the others follow, in their order.
        match values.binary_search_by(|other| i64::from(*other).cmp(&value)) {
            Ok(place) => place as i64,
            Err(less) => values.len() as i64 + value - less as i64,
        }
    }

    /// Bits that are enough for all values.
    #[must_use]
    pub fn bits(&self) -> u32 {
        let range = self.values.as_ref().map_or(self.most - self.least, |v| v.len() as i64 - 1);
        u64::BITS - range.cast_unsigned().leading_zeros()
    }
}

/// Where a cell lies in words: so many bits from `shift` on hold its value, or [what stands for it](Cell::number), less `base`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WordField {
    /// The cell.
    pub cell: Cell,
    /// Where its bits begin; all are in the same 64.
    pub shift: u32,
    /// How many there are.
    pub width: u32,
    /// The least one that can be told.
    pub base: i64,
    /// It was not the same in all states that were looked at beforehand.
    pub varies: bool,
}

impl WordField {
    /// The greatest one that can be told.
    #[must_use]
    pub fn most(&self) -> i64 {
        self.base + (1 << self.width) - 1
    }
}

/// How states of one layout become words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WordLayout {
    /// One of them: bytes that no cell has are the same in all.
    pub state: Vec<u8>,
    /// For each cell, in the order of the state.
    pub fields: Vec<WordField>,
    /// Words have so many times 64 bits: one, two or four.
    pub limbs: usize,
    /// What they are good for.
    pub good_for: WordUse,
}

/// What words are good for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WordUse {
    /// There is room for all values that are known to be possible, not only for those of a sample.
    pub is_sure: bool,
    /// Groups may sleep: who makes moves has to tell [what they look at](WordSuccessors::looks). It need not where one group moves
    /// at a time, or nobody sleeps anyway.
    pub may_sleep: bool,
}

/// Says which cells a state of a layout has: all bytes but those of the layout's prefix belong to one.
pub type CellsOf = Arc<dyn Fn(&[u8]) -> Vec<Cell> + Send + Sync>;

/// Words that are looked at at once: [rows](WordSuccessors::looks) are as long as so many, or a multiple.
pub const WORD_LANES: usize = 4;

/// A successor.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WordSuccessor<W> {
    /// Its word.
    pub word: W,
    /// The group that leads to it.
    pub group: u32,
    /// Elementary steps to it.
    pub steps: u32,
}

/// What else is to be known of the expansion of some words, all together.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WordFigures {
    /// As in [`Expansion`](crate::Expansion).
    pub atomic_steps: u64,
    /// The same.
    pub deepest: u32,
}

/// The successors of some words, in the order of exploration, group by group. A group of moves is a process, or whatever else
/// moves by itself.
#[derive(Clone, Debug)]
pub struct WordSuccessors<W> {
    /// Groups of each state; none if nobody has to know of them.
    pub groups: usize,
    /// The successors of all states.
    pub all: Vec<WordSuccessor<W>>,
    /// For each state: where its successors end.
    pub ends: Vec<u32>,
    /// For each state a row with the bits that the moves of each group depend on or turn over: in a state that has the
    /// same there the group turns over the same bits.
    pub looks: Vec<W>,
    /// The same with the bits that they turn over, all together.
    pub turns: Vec<W>,
    /// The states that are to be expanded as a whole, in order. They have no successors here.
    pub whole: Vec<u32>,
    /// Figures of all other states.
    pub figures: WordFigures,
}

impl<W> Default for WordSuccessors<W> {
    fn default() -> Self {
        Self {
            groups: 0,
            all: Vec::new(),
            ends: Vec::new(),
            looks: Vec::new(),
            turns: Vec::new(),
            whole: Vec::new(),
            figures: WordFigures::default(),
        }
    }
}

impl<W> WordSuccessors<W> {
    /// Length of a row.
    #[must_use]
    pub fn row(&self) -> usize {
        self.groups.next_multiple_of(WORD_LANES)
    }
}

/// Moves from word to word. Bits of words that belong to no field stay as they are.
///
/// A state that errs, or does anything else than to lead to states that have words of this layout,
/// is to be expanded as a whole. Whatever is in `out` before is replaced.
pub trait WordMoves: Send {
    /// The successors of words of 64 bits.
    fn expand_short(&mut self, words: &[u64], out: &mut WordSuccessors<u64>);

    /// Of longer ones.
    fn expand_long(&mut self, words: &[u128], out: &mut WordSuccessors<u128>);

    /// Of the longest ones.
    fn expand_quad(&mut self, words: &[Quad], out: &mut WordSuccessors<Quad>);
}

/// What a system says when it is asked for [moves of words](crate::TransitionSystem::word_moves).
pub enum WordCode {
    /// There are none and will be none.
    Never,
    /// Not yet.
    Later,
    /// Here they are.
    Ready(Box<dyn WordMoves>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_a_list_come_first() {
        let values: Option<Arc<[u32]>> = Some([0, 3, 255].into());
        let cell = Cell {
            start: 1,
            bytes: 2,
            least: -32768,
            most: 32767,
            family: 0,
            values,
            possible: None,
        };
        assert_eq!([0, 3, 255].map(|value| cell.number(value)), [0, 1, 2]);
        assert_eq!([1, 2, 4, 256].map(|value| cell.number(value)), [3, 4, 5, 256]);
        assert_eq!(cell.number(-1), 65535, "behind all others");
        assert_eq!((cell.bits(), cell.value(&[9, 0xfe, 0xff])), (2, -2));
    }
}
