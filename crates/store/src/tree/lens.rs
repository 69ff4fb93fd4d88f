//! What a thread looks through at the states of one form: all that the common case
//! needs, side by side.

use super::diff::BLOCK;
use super::layouts::{FORMS, Shape};
use super::word::Word;
use std::sync::Arc;

/// A leaf, where it is read and where its number goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot<W> {
    /// Of the bytes that a leaf can have.
    pub(super) mask: u64,
    /// The bits that stand for later bytes of the first block.
    pub(super) later: u64,
    /// The bits of a word that other numbers have.
    pub(super) others: W,
    /// Where the leaf begins in a state.
    pub(super) start: u32,
    /// Eight bytes are loaded from here…
    pub(super) at: u32,
    /// …and these many bits are before the leaf.
    pub(super) skip: u8,
    /// Where the number goes in a word.
    pub(super) shift: u8,
    /// Where the leaf ends in a state.
    pub(super) end: u32,
    pub(super) dictionary: u32,
    /// The largest number that fits.
    pub(super) limit: u32,
}

/// A form of a layout.
#[derive(Debug)]
pub(super) struct Lens<W> {
    pub(super) shape: Arc<Shape>,
    /// Length of the states.
    pub(super) len: usize,
    pub(super) form: usize,
    /// Whether words hold the numbers of leaves, and not of pairs.
    pub(super) is_flat: bool,
    /// For each leaf; fields are only there in flat ones.
    pub(super) spots: Box<[Spot<W>]>,
    /// If states are short, words flat, and this is the first form: what makes words quickly.
    pub(super) short: Option<Short>,
}

/// Where the leaves of a state of one block lie, a bit for each byte.
#[derive(Debug)]
pub(super) struct Short {
    /// The bytes of the state.
    pub(super) bytes: u64,
    /// Those of the prefix.
    pub(super) prefix: u64,
    /// The leaf of each byte, if it has one.
    pub(super) leaf_of: [u8; BLOCK],
}

impl Short {
    fn new(shape: &Shape) -> Option<Self> {
        let below = |len: usize| if len < BLOCK { (1 << len) - 1 } else { u64::MAX };
        if shape.len > BLOCK {
            return None;
        }
        let leaf = |at: usize| shape.leaf_of.get(at).map_or(0, |leaf| *leaf as u8);
        Some(Self {
            bytes: below(shape.len),
            prefix: below(shape.prefix.len()),
            leaf_of: std::array::from_fn(leaf),
        })
    }
}

/// The lenses of a thread.
#[derive(Debug, Default)]
pub(super) struct Lenses<W> {
    pub(super) all: Vec<Lens<W>>,
    /// One more than the place of the lens, for each shape and form.
    places: Vec<[u32; FORMS]>,
}

impl<W: Word> Lens<W> {
    fn new(shape: &Arc<Shape>, form: usize) -> Self {
        let packing = shape.form(form);
        let is_flat = packing.level == 0 && packing.number.is_some();
        let spot = |(at, leaf): (usize, &super::layouts::Leaf)| {
            let field = packing.fields.get(at).filter(|_| is_flat);
            Spot {
                mask: leaf.mask,
                later: u64::MAX.checked_shl(leaf.end).unwrap_or(0),
                others: field.map_or(W::NONE, |field| !field.bits::<W>()),
                start: leaf.start,
                at: leaf.at,
                skip: leaf.shift as u8,
                shift: field.map_or(0, |field| field.shift as u8),
                end: leaf.end,
                dictionary: leaf.dictionary.number,
                limit: field.map_or(u32::MAX, |field| field.mask()),
            }
        };
        let spots = shape.leaves.iter().enumerate().map(spot).collect();
        // Whether a word of a later form fits no earlier one takes more than that.
        let short = if is_flat && form == 0 { Short::new(shape) } else { None };
        Self { shape: Arc::clone(shape), len: shape.len, form, is_flat, spots, short }
    }
}

impl<W: Word> Lenses<W> {
    /// The place of the lens for a form.
    #[inline]
    pub(super) fn get(&mut self, shape: &Arc<Shape>, form: usize) -> usize {
        match self.places.get(shape.id as usize) {
            Some(places) if places[form] > 0 => places[form] as usize - 1,
            _ => self.add(shape, form),
        }
    }

    #[cold]
    fn add(&mut self, shape: &Arc<Shape>, form: usize) -> usize {
        let at = shape.id as usize;
        if self.places.len() <= at {
            self.places.resize(at + 1, [0; FORMS]);
        }
        self.all.push(Lens::new(shape, form));
        self.places[at][form] = self.all.len() as u32;
        self.all.len() - 1
    }
}

impl<W: Word> Spot<W> {
    /// The leaf's value in a (padded) state.
    #[inline]
    pub(super) fn value(&self, state: &[u8]) -> u64 {
        super::diff::eight_bytes(state, self.at as usize) >> self.skip & self.mask
    }

    /// `word` with this number, if it fits.
    #[inline]
    pub(super) fn put(&self, word: W, number: u32) -> Option<W> {
        let place = |number: u32| W::from(u64::from(number)) << u32::from(self.shift);
        let rest = word & !place(self.limit);
        (number <= self.limit).then_some(rest | place(number))
    }
}
