//! The state that others are compared with; from words back to states.

use super::codec::Codec;
use super::layouts::{FORMS, Shape};
use super::lens::Lens;
use super::local::{TreeLocal, halves};
use super::word::{Kind, Word, kind};

/// Leaves are written as whole words, whatever their length: room behind the last one.
const SLACK: usize = 8;

/// A state with all that is known of it.
#[derive(Debug)]
pub(super) struct Origin<W> {
    /// Place of the lens for its form; at first one where none is.
    pub(super) lens: usize,
    pub(super) word: W,
    /// Padded to the length that comparisons want, and [`SLACK`].
    bytes: Vec<u8>,
    /// Numbers of its nodes up to the level of its form, unless that is flat.
    pub(super) levels: Vec<Vec<u32>>,
}

impl<W: Word> Default for Origin<W> {
    fn default() -> Self {
        Self { lens: usize::MAX, word: W::NONE, bytes: Vec::new(), levels: Vec::new() }
    }
}

impl<W: Word> Origin<W> {
    /// The state with what is appended to short ones.
    #[inline]
    pub(super) fn padded(&self, len: usize) -> &[u8] {
        &self.bytes[..len]
    }

    /// Makes room for states of a shape. Their numbers will be all new.
    fn reshape(&mut self, shape: &Shape) {
        self.bytes.clear();
        self.bytes.resize(shape.padded() + SLACK, 0);
        self.bytes[..shape.prefix.len()].copy_from_slice(&shape.prefix);
    }

    /// Leaves from the word itself.
    #[inline]
    fn write_flat(&mut self, lens: &Lens<W>, word: W) {
        for (leaf, spot) in lens.shape.leaves.iter().zip(&lens.spots) {
            let number = (word >> u32::from(spot.shift)).low() as u32 & spot.limit;
            let value = leaf.dictionary.dictionary.value(number);
            let start = leaf.start as usize;
            // What is written too much is zero and overwritten by the next leaf.
            self.bytes[start..start + SLACK].copy_from_slice(&value.to_le_bytes());
        }
    }

    /// Leaves below the nodes that differ from those there are; below all nodes if these
    /// are of another form.
    fn write_tree(&mut self, lens: &Lens<W>, tops: impl Iterator<Item = u32>, all: bool) {
        let shape = &*lens.shape;
        let level = shape.form(lens.form).level;
        if all {
            self.levels.resize_with(self.levels.len().max(level + 1), Vec::new);
            let mut nodes = shape.leaves.len();
            for numbers in &mut self.levels[..=level] {
                numbers.clear();
                // No node has this number.
                numbers.resize(nodes, u32::MAX);
                nodes = nodes.div_ceil(2);
            }
        }
        for (at, number) in tops.enumerate() {
            self.write_node(shape, level, at, number);
        }
    }

    fn write_node(&mut self, shape: &Shape, level: usize, at: usize, number: u32) {
        let Some(old) = self.levels[level].get_mut(at) else { return };
        if *old == number {
            return;
        }
        *old = number;
        if level == 0 {
            let leaf = &shape.leaves[at];
            let value = leaf.dictionary.dictionary.value(number).to_le_bytes();
            let (start, end) = (leaf.start as usize, leaf.end as usize);
            self.bytes[start..end].copy_from_slice(&value[..end - start]);
        } else if let Some(pair) = shape.pairs(level).get(at) {
            let (left, right) = halves(pair.dictionary.value(number));
            self.write_node(shape, level - 1, 2 * at, left);
            self.write_node(shape, level - 1, 2 * at + 1, right);
        } else {
            self.write_node(shape, level - 1, 2 * at, number);
        }
    }
}

impl<W: Word> TreeLocal<W> {
    /// Makes the state of a word the origin and gives its bytes.
    #[inline]
    pub(super) fn load(&mut self, codec: &Codec<W>, word: W) -> &[u8] {
        let kind = kind(word);
        let at = self.lens_of(codec, kind);
        let (lens, origin) = (&self.lenses.all[at], &mut self.origin);
        let is_same = origin.lens == at;
        if !is_same {
            origin.reshape(&lens.shape);
            origin.lens = at;
        }
        origin.word = word;
        if lens.is_flat {
            origin.write_flat(lens, word);
        } else if let Kind::Wide(crown, right) = kind {
            let (left, _) = halves(codec.crown.dictionary.value(crown));
            origin.write_tree(lens, [left, right].into_iter(), !is_same);
        } else {
            let fields = &lens.shape.form(lens.form).fields;
            origin.write_tree(lens, fields.iter().map(|field| field.get(word)), !is_same);
        }
        if lens.form > 0 {
            self.find_misfits();
        }
        &self.origin.bytes[..self.lenses.all[at].len]
    }

    /// Makes the origin a state of which both word and bytes are known.
    #[inline]
    pub(super) fn adopt(&mut self, codec: &Codec<W>, word: W, state: &[u8]) {
        let at = self.lens_of(codec, kind(word));
        let (lens, origin) = (&self.lenses.all[at], &mut self.origin);
        if !lens.is_flat {
            self.load(codec, word);
            return;
        }
        if origin.lens != at {
            origin.reshape(&lens.shape);
            origin.lens = at;
        }
        origin.word = word;
        origin.bytes[..state.len()].copy_from_slice(state);
        if lens.form > 0 {
            self.find_misfits();
        }
    }

    /// The place of the lens for a kind of words.
    #[inline]
    pub(super) fn lens_of(&mut self, codec: &Codec<W>, kind: Kind) -> usize {
        let (shape, form) = match kind {
            Kind::Packed(number) => {
                let &(shape, form) = codec.packings[number].get().expect("a word of this store");
                (shape as usize, Some(form))
            }
            Kind::Wide(crown, _) => (halves(codec.crown.dictionary.value(crown)).1 as usize, None),
        };
        if shape >= self.finder.shapes.len() {
            self.finder.learn(&codec.plan().shapes.all);
        }
        let shape = &self.finder.shapes[shape];
        // The wide form is the last one.
        let form = form.unwrap_or_else(|| shape.forms().count() - 1);
        self.lenses.get(shape, form)
    }

    /// For each form before the origin's: a field that is too small for it.
    fn find_misfits(&mut self) {
        let Self { origin, misfits, lenses, .. } = self;
        let lens = &lenses.all[origin.lens];
        let shape = &*lens.shape;
        let at = shape.id as usize;
        if misfits.len() <= at {
            misfits.resize(at + 1, [0; FORMS]);
        }
        let packing = shape.form(lens.form);
        let number = |level: usize, at: usize| {
            if lens.is_flat {
                packing.fields[at].get(origin.word)
            } else {
                origin.levels[level][at]
            }
        };
        for (earlier, misfit) in shape.forms().zip(&mut misfits[at]).take(lens.form) {
            let at = *misfit as usize;
            let level = earlier.level;
            let is_one = earlier.fields.get(at).is_some_and(|field| !field.fits(number(level, at)));
            if !is_one {
                let numbers = (0..earlier.fields.len()).map(|at| number(level, at));
                let at = earlier.misfit(numbers).expect("its form is the first that it fits");
                *misfit = at as u32;
            }
        }
    }
}
