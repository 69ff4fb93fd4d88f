//! How the states of one layout are cut into leaves.

use super::diff::{SHORTEST, eight_bytes};
use super::direct::Direct;
use super::grain::LEAF;
use super::packing::Packing;
use crate::dictionary::{Dictionary, Meter};
use spinor_ts::WordField;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// Packings that one layout can have, the wide form included.
pub(super) const FORMS: usize = 8;

/// What stands in `leaf_of` for a byte of the prefix.
const NO_LEAF: u32 = u32::MAX;

/// A piece of a state with numbers of its own.
#[derive(Debug)]
pub(super) struct Leaf {
    /// From here eight bytes are loaded; no state is too short for that.
    pub(super) at: u32,
    /// Bits below the leaf in what was loaded.
    pub(super) shift: u32,
    pub(super) mask: u64,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) dictionary: Numbered,
}

/// A dictionary, and what tells it apart from others.
#[derive(Clone, Debug)]
pub(super) struct Numbered {
    pub(super) number: u32,
    pub(super) dictionary: Arc<Dictionary>,
}

/// States of one length with one prefix.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) id: u32,
    pub(super) len: usize,
    pub(super) prefix: Box<[u8]>,
    pub(super) leaves: Box<[Leaf]>,
    /// The leaf of each byte; none has the number that bytes of the prefix have here.
    pub(super) leaf_of: Box<[u32]>,
    /// Dictionaries of the pairs on level 1, 2, …; made when they are first needed.
    pairs: OnceLock<Box<[Box<[Numbered]>]>>,
    /// Filled from the first on, never changed.
    pub(super) forms: [OnceLock<Packing>; FORMS],
}

impl Leaf {
    fn new(start: usize, end: usize, padded: usize, dictionary: Numbered) -> Self {
        let at = start.min(padded - LEAF);
        Self {
            at: at as u32,
            shift: 8 * (start - at) as u32,
            mask: u64::MAX >> (8 * (LEAF - (end - start))),
            start: start as u32,
            end: end as u32,
            dictionary,
        }
    }

    /// The leaf's value in a (padded) state.
    #[inline]
    pub(super) fn value(&self, state: &[u8]) -> u64 {
        eight_bytes(state, self.at as usize) >> self.shift & self.mask
    }

    /// Bits that its values have.
    pub(super) fn bits(&self) -> u32 {
        8 * (self.end - self.start)
    }
}

impl Shape {
    /// Length of a state with what is appended to short ones.
    #[inline]
    pub(super) fn padded(&self) -> usize {
        self.len.max(SHORTEST)
    }

    /// The first level with two nodes or fewer.
    pub(super) fn top(&self) -> usize {
        let mut nodes = self.leaves.len();
        let mut level = 0;
        while nodes > 2 {
            nodes = nodes.div_ceil(2);
            level += 1;
        }
        level
    }

    /// The dictionaries of the pairs on levels from 1 on.
    ///
    /// # Panics
    /// No form of this layout has a level.
    #[inline]
    pub(super) fn pairs(&self, level: usize) -> &[Numbered] {
        &self.pairs.get().expect("made before a form that needs them")[level - 1]
    }

    /// Makes sure that there are dictionaries for pairs.
    pub(super) fn need_pairs(&self, dictionaries: &mut Dictionaries) {
        self.pairs.get_or_init(|| {
            let mut nodes = self.leaves.len();
            let mut levels = Vec::new();
            for level in 1..=self.top() {
                let pairs = (0..nodes / 2).map(|at| dictionaries.get(level, at)).collect();
                levels.push(pairs);
                nodes = nodes.div_ceil(2);
            }
            levels.into()
        });
    }

    /// The forms that there are, in order.
    #[inline]
    pub(super) fn forms(&self) -> impl Iterator<Item = &Packing> {
        self.forms.iter().map_while(OnceLock::get)
    }

    /// The form at a place where there is one.
    #[inline]
    pub(super) fn form(&self, at: usize) -> &Packing {
        self.forms[at].get().expect("a form that a state has")
    }

    /// Whether a state is of this layout.
    #[inline]
    pub(super) fn is_of(&self, state: &[u8]) -> bool {
        state.len() == self.len && state.starts_with(&self.prefix)
    }
}

/// All dictionaries: one for each position in the trees.
#[derive(Debug, Default)]
pub(super) struct Dictionaries {
    levels: Vec<Vec<Numbered>>,
    count: u32,
    meter: Arc<Meter>,
}

impl Dictionaries {
    pub(super) fn new(meter: &Arc<Meter>) -> Self {
        Self { meter: Arc::clone(meter), ..Self::default() }
    }

    /// That of the node `at` on a level; leaves are level 0.
    pub(super) fn get(&mut self, level: usize, at: usize) -> Numbered {
        if self.levels.len() <= level {
            self.levels.resize_with(level + 1, Vec::new);
        }
        while self.levels[level].len() <= at {
            let new = self.add();
            self.levels[level].push(new);
        }
        self.levels[level][at].clone()
    }

    /// One more, whose numbers are what stands in words for the values of a cell.
    fn add_direct(&mut self, field: &WordField) -> Numbered {
        self.count += 1;
        let mask = u64::MAX >> (u64::BITS - 8 * u32::from(field.cell.bytes));
        let (base, values) = (field.base.cast_unsigned(), field.cell.values.clone());
        let dictionary = Dictionary::direct(&self.meter, base, mask, values);
        Numbered { number: self.count, dictionary: Arc::new(dictionary) }
    }

    /// One more, outside of the trees.
    pub(super) fn add(&mut self) -> Numbered {
        self.count += 1;
        Numbered { number: self.count, dictionary: Arc::new(Dictionary::new(&self.meter)) }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Dictionary> {
        self.levels.iter().flatten().map(|numbered| &*numbered.dictionary)
    }
}

/// All layouts met so far.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    pub(super) all: Vec<Arc<Shape>>,
    known: HashMap<(usize, Box<[u8]>), u32>,
}

impl Shapes {
    /// The shape of a state with a prefix of this length, whose leaves end here, unless it is the one
    /// whose cells are `direct`.
    pub(super) fn get(
        &mut self,
        state: &[u8],
        prefix: usize,
        ends: &[usize],
        direct: Option<&Direct>,
        dictionaries: &mut Dictionaries,
    ) -> Arc<Shape> {
        let prefix: Box<[u8]> = state[..prefix.min(state.len())].into();
        let key = (state.len(), prefix);
        if let Some(id) = self.known.get(&key) {
            return Arc::clone(&self.all[*id as usize]);
        }
        let id = self.all.len() as u32;
        let direct = direct.filter(|direct| direct.is_of(state.len(), &key.1));
        let leaves = match direct {
            Some(direct) => direct_leaves(direct, dictionaries),
            None => cut_leaves(state.len(), key.1.len(), ends, dictionaries),
        };
        let shape = Arc::new(make(id, state.len(), &key.1, leaves));
        self.known.insert(key, id);
        self.all.push(Arc::clone(&shape));
        shape
    }
}

/// A leaf for each cell, with numbers of its own.
fn direct_leaves(direct: &Direct, dictionaries: &mut Dictionaries) -> Vec<Leaf> {
    let padded = direct.layout.state.len().max(SHORTEST);
    let leaf = |field: &WordField| {
        let (start, bytes) = (field.cell.start, field.cell.bytes);
        let dictionary = dictionaries.add_direct(field);
        Leaf::new(start, start + usize::from(bytes), padded, dictionary)
    };
    direct.layout.fields.iter().map(leaf).collect()
}

fn cut_leaves(
    len: usize,
    prefix: usize,
    ends: &[usize],
    dictionaries: &mut Dictionaries,
) -> Vec<Leaf> {
    let padded = len.max(SHORTEST);
    let mut start = prefix;
    let leaf = |(at, end): (usize, usize)| {
        let leaf = Leaf::new(start, end, padded, dictionaries.get(0, at));
        start = end;
        leaf
    };
    cut(prefix, len, ends).into_iter().enumerate().map(leaf).collect()
}

fn make(id: u32, len: usize, prefix: &[u8], leaves: Vec<Leaf>) -> Shape {
    let mut leaf_of = vec![NO_LEAF; len.max(SHORTEST)];
    for (at, leaf) in leaves.iter().enumerate() {
        leaf_of[leaf.start as usize..leaf.end as usize].fill(at as u32);
    }
    Shape {
        id,
        len,
        prefix: prefix.into(),
        leaves: leaves.into(),
        leaf_of: leaf_of.into(),
        pairs: OnceLock::new(),
        forms: [const { OnceLock::new() }; FORMS],
    }
}

/// Where the leaves of a state end: at the ends of its parts, and every eight bytes
/// in a longer part.
fn cut(prefix: usize, len: usize, ends: &[usize]) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut start = prefix;
    for end in ends.iter().copied().filter(|end| *end <= len).chain([len]) {
        while start < end {
            start = end.min(start + LEAF);
            cuts.push(start);
        }
    }
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_cut_into_leaves() {
        assert_eq!(cut(1, 1, &[1]), [0_usize; 0]);
        assert_eq!(cut(1, 2, &[2]), [2]);
        assert_eq!(cut(0, 15, &[12, 15]), [8, 12, 15]);
        assert_eq!(cut(3, 21, &[5, 21]), [5, 13, 21]);
    }

    #[test]
    fn ends_out_of_order_do_no_harm() {
        assert_eq!(cut(2, 9, &[7, 4, 300, 1]), [7, 9]);
        assert_eq!(cut(0, 5, &[]), [5]);
    }

    #[test]
    fn leaves_are_read_at_the_end_of_short_states() {
        let meter = Arc::new(Meter::default());
        let mut dictionaries = Dictionaries::new(&meter);
        let mut shapes = Shapes::default();
        let state: Vec<u8> = (1..=19).collect();
        let shape = shapes.get(&state, 1, &[3, 14, 19], None, &mut dictionaries);
        let values: Vec<u64> = shape.leaves.iter().map(|leaf| leaf.value(&state)).collect();
        assert_eq!(values, [0x0302, 0x0b0a_0908_0706_0504, 0x0e_0d0c, 0x13_1211_100f]);
        assert_eq!(shape.leaf_of[..4], [NO_LEAF, 0, 0, 1]);
        assert_eq!(shape.leaf_of[18], 3);
        assert!(Arc::ptr_eq(&shape, &shapes.get(&state, 1, &[3, 14, 19], None, &mut dictionaries)));
    }
}
