//! What a thread has for itself.

use super::cache::Cache;
use super::codec::Codec;
use super::diff::{BLOCK, SHORTEST, differences, differences_in_block};
use super::finder::Finder;
use super::layouts::{FORMS, Shape};
use super::lens::{Lens, Lenses, Spot};
use super::origin::Origin;
use super::packing::Packing;
use super::recall::Memory;
use super::word::{self, Word};

/// A thread's part of a [`Codec`]: the origin, and what saves look-ups.
#[derive(Debug)]
pub(super) struct TreeLocal<W> {
    pub(super) finder: Finder,
    pub(super) cache: Cache,
    pub(super) origin: Origin<W>,
    pub(super) lenses: Lenses<W>,
    /// Whether the processor has long words and more ways to shift.
    pub(super) is_wide: bool,
    /// Places of the lenses for packings; where there is none, if it is not known yet.
    pub(super) lens_of_packing: [u32; word::PACKINGS],
    /// For a layout and each of its forms: a field that was too small lately.
    pub(super) misfits: Vec<[u32; FORMS]>,
    pub(super) memory: Memory<W>,
    /// The numbers of a state on each level.
    numbers: Numbers,
    /// Nodes in which a state differs from the origin, and their numbers.
    changes: Vec<(u32, u32)>,
}

/// The numbers of a state's nodes, level by level.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    levels: Vec<Vec<u32>>,
    /// How many levels are those of the state.
    valid: usize,
}

impl<W: Word> TreeLocal<W> {
    pub(super) fn new() -> Self {
        Self {
            finder: Finder::new(),
            cache: Cache::new(),
            origin: Origin::default(),
            lenses: Lenses::default(),
            is_wide: is_wide(),
            lens_of_packing: [u32::MAX; word::PACKINGS],
            misfits: Vec::new(),
            memory: Memory::new(),
            numbers: Numbers::default(),
            changes: Vec::new(),
        }
    }

    /// The word of a state, preferably one that differs little from the origin.
    #[inline]
    pub(super) fn word(&mut self, codec: &Codec<W>, state: &[u8]) -> W {
        match self.patched(codec, state) {
            Some(word) => word,
            None => self.computed(codec, state),
        }
    }

    /// The word of a state with the origin's layout and form, otherwise `None`.
    #[inline]
    fn patched(&mut self, codec: &Codec<W>, state: &[u8]) -> Option<W> {
        let lens = self.lenses.all.get(self.origin.lens)?;
        if state.len() != lens.len {
            return None;
        }
        let mut short = [0; SHORTEST];
        let state = padded(state, &mut short);
        if !lens.is_flat {
            return self.patched_tree(codec, state);
        }
        let mut word = self.origin.word;
        let cache = &mut self.cache;
        let fits = each_change(lens, self.origin.padded(state.len()), state, |at, spot| {
            let dictionary = || &*lens.shape.leaves[at].dictionary.dictionary;
            let number = cache.intern_in(spot.dictionary, spot.value(state), dictionary);
            let Some(with) = spot.put(word, number) else { return false };
            word = with;
            true
        });
        let fits = fits && (lens.form == 0 || self.misfits_earlier(word));
        fits.then_some(word)
    }

    /// Whether a word of the origin's flat form does not fit an earlier one.
    #[inline(never)]
    fn misfits_earlier(&self, word: W) -> bool {
        let lens = &self.lenses.all[self.origin.lens];
        let packing = lens.shape.form(lens.form);
        let misfits = &self.misfits[lens.shape.id as usize];
        lens.shape.forms().zip(misfits).take(lens.form).all(|(earlier, at)| {
            let at = *at as usize;
            !earlier.fields[at].fits(packing.fields[at].get(word))
        })
    }

    /// The same for a form of numbers of pairs.
    #[inline(never)]
    fn patched_tree(&mut self, codec: &Codec<W>, state: &[u8]) -> Option<W> {
        let Self { cache, origin, misfits, changes, lenses, .. } = self;
        let lens = lenses.all.get(origin.lens)?;
        let shape = &*lens.shape;
        let packing = shape.form(lens.form);
        changes.clear();
        let is_same_layout = each_change(lens, origin.padded(state.len()), state, |at, spot| {
            let number = cache.intern(&shape.leaves[at].dictionary, spot.value(state));
            changes.push((at as u32, number));
            true
        });
        if !is_same_layout {
            return None;
        }
        let misfits = misfits.get(shape.id as usize);
        let mut earlier = shape.forms().zip(misfits.into_iter().flatten()).take(lens.form);
        let mut next = earlier.next();
        for level in 0..=packing.level {
            if level > 0 {
                climb_changes(shape, level, &origin.levels[level - 1], changes, cache);
            }
            while let Some((form, at)) = next.filter(|(form, _)| form.level == level) {
                let change = changes.iter().find(|change| change.0 == *at);
                let number = change.map_or(origin.levels[level][*at as usize], |change| change.1);
                if form.fields[*at as usize].fits(number) {
                    return None;
                }
                next = earlier.next();
            }
        }
        if packing.number.is_none() {
            let number = |at: u32| {
                let change = changes.iter().find(|change| change.0 == at);
                let old = || origin.levels[packing.level].get(at as usize).copied().unwrap_or(0);
                change.map_or_else(old, |change| change.1)
            };
            return Some(wide(codec, shape, number(0), number(1), cache));
        }
        let mut word = origin.word;
        for (at, number) in changes {
            let field = packing.fields[*at as usize];
            word = field.set(word, *number);
            if !field.fits(*number) {
                return None;
            }
        }
        Some(word)
    }

    /// The word of any state.
    #[cold]
    fn computed(&mut self, codec: &Codec<W>, state: &[u8]) -> W {
        let at = self.shape_of(codec, state);
        self.climb(state, at, 0);
        let Self { finder, cache, numbers, .. } = self;
        let shape = &*finder.shapes[at];
        let mut seen = 0;
        loop {
            for form in shape.forms().skip(seen) {
                seen += 1;
                numbers.climb(shape, form.level, cache);
                if let Some(word) = pack(codec, shape, form, &numbers.levels[form.level], cache) {
                    return word;
                }
            }
            codec.add_form(shape, seen, |level| numbers.climb(shape, level, cache));
        }
    }

    /// The shape of a state.
    pub(super) fn shape_of(&mut self, codec: &Codec<W>, state: &[u8]) -> usize {
        match self.finder.find(state) {
            Some(shape) => shape,
            None => codec.learn(&mut self.finder, state),
        }
    }

    /// Makes the numbers of a state up to a level.
    pub(super) fn climb(&mut self, state: &[u8], shape: usize, level: usize) {
        let Self { finder, cache, numbers, .. } = self;
        let shape = &*finder.shapes[shape];
        let mut short = [0; SHORTEST];
        let state = padded(state, &mut short);
        let number =
            |leaf: &super::layouts::Leaf| cache.intern(&leaf.dictionary, leaf.value(state));
        numbers.start(shape.leaves.iter().map(number));
        numbers.climb(shape, level, cache);
    }
}

impl Numbers {
    fn start(&mut self, leaves: impl Iterator<Item = u32>) {
        if self.levels.is_empty() {
            self.levels.push(Vec::new());
        }
        self.levels[0].clear();
        self.levels[0].extend(leaves);
        self.valid = 1;
    }

    fn climb(&mut self, shape: &Shape, level: usize, cache: &mut Cache) {
        while self.valid <= level {
            if self.levels.len() == self.valid {
                self.levels.push(Vec::new());
            }
            let (below, above) = self.levels.split_at_mut(self.valid);
            let pairs = shape.pairs(self.valid);
            let node = |(at, children): (usize, &[u32])| match children {
                [left, right] => cache.intern(&pairs[at], pair(*left, *right)),
                promoted => promoted[0],
            };
            above[0].clear();
            above[0].extend(below[self.valid - 1].chunks(2).enumerate().map(node));
            self.valid += 1;
        }
    }
}

/// Replaces changed nodes by the changed nodes of the level above.
fn climb_changes(
    shape: &Shape,
    level: usize,
    children: &[u32],
    changes: &mut Vec<(u32, u32)>,
    cache: &mut Cache,
) {
    let pairs = shape.pairs(level);
    let (mut from, mut to) = (0, 0);
    while let Some(&(at, mut number)) = changes.get(from) {
        from += 1;
        if let Some(&other) = children.get(at as usize ^ 1) {
            let value = match changes.get(from) {
                Some(&(next, other)) if next == at ^ 1 => {
                    from += 1;
                    pair(number, other)
                }
                _ if at & 1 == 0 => pair(number, other),
                _ => pair(other, number),
            };
            number = cache.intern(&pairs[at as usize / 2], value);
        }
        changes[to] = (at / 2, number);
        to += 1;
    }
    changes.truncate(to);
}

/// The word in a form, if the numbers fit.
fn pack<W: Word>(
    codec: &Codec<W>,
    shape: &Shape,
    form: &Packing,
    numbers: &[u32],
    cache: &mut Cache,
) -> Option<W> {
    let number = |at| numbers.get(at).copied().unwrap_or(0);
    let Some(packing) = form.number else {
        return Some(wide(codec, shape, number(0), number(1), cache));
    };
    if form.misfit(numbers.iter().copied()).is_some() {
        return None;
    }
    let head = word::head(packing);
    Some(form.fields.iter().zip(numbers).fold(head, |word, (field, at)| field.set(word, *at)))
}

fn wide<W: Word>(codec: &Codec<W>, shape: &Shape, left: u32, right: u32, cache: &mut Cache) -> W {
    word::wide(cache.intern(&codec.crown, pair(left, shape.id)), right)
}

/// Two numbers as a value; [`halves`] takes it apart.
#[inline]
pub(super) fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) | u64::from(right) << 32
}

#[inline]
pub(super) fn halves(pair: u64) -> (u32, u32) {
    (pair as u32, (pair >> 32) as u32)
}

#[cfg(target_arch = "x86_64")]
fn is_wide() -> bool {
    std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2")
}

#[cfg(not(target_arch = "x86_64"))]
fn is_wide() -> bool {
    false
}

/// A state, with zeros appended if it is shorter than the shortest.
#[inline]
fn padded<'a>(state: &'a [u8], short: &'a mut [u8; SHORTEST]) -> &'a [u8] {
    if state.len() >= SHORTEST {
        return state;
    }
    short[..state.len()].copy_from_slice(state);
    short
}

/// Calls `visit` with every leaf in which `state` differs from `old`, in order, until it
/// returns false. False if that or if the layouts differ.
#[inline(always)]
fn each_change<W>(
    lens: &Lens<W>,
    old: &[u8],
    state: &[u8],
    mut visit: impl FnMut(usize, &Spot<W>) -> bool,
) -> bool {
    let leaf_of = &*lens.shape.leaf_of;
    if state.len() <= BLOCK {
        let mut mask = differences_in_block(state, old);
        while mask != 0 {
            let at = leaf_of[mask.trailing_zeros() as usize] as usize;
            // Bytes of the prefix have no leaf.
            let Some(spot) = lens.spots.get(at) else { return false };
            if !visit(at, spot) {
                return false;
            }
            mask &= spot.later;
        }
        return true;
    }
    let mut done = 0;
    for base in (0..state.len()).step_by(BLOCK) {
        let mut mask = after(differences(state, old, base), done, base);
        while mask != 0 {
            let at = leaf_of[base + mask.trailing_zeros() as usize] as usize;
            let Some(spot) = lens.spots.get(at) else { return false };
            if !visit(at, spot) {
                return false;
            }
            done = spot.end as usize;
            mask = after(mask, done, base);
        }
    }
    true
}

/// The bits of a mask that stand for bytes from `done` on.
#[inline(always)]
fn after(mask: u64, done: usize, base: usize) -> u64 {
    let bytes = done.saturating_sub(base);
    if bytes < BLOCK { mask & u64::MAX << bytes } else { 0 }
}
