//! States that cast shadows, and those that lie in them.
//!
//! Shadows are nested: if a caster lies in the shadow of another one, so does its own shadow. So the casters are a
//! forest, and a state belongs to the innermost caster above it. A state with ways from two places belongs to the
//! innermost caster above both; one with a way from outside of all shadows belongs to none and is forgotten. A new state belongs where the first way to it comes from;
//! further ways can only move it up, and with it what it leads to. After all ways were seen everything is where it belongs
//! (Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm).

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// At first one state of so many casts a shadow.
pub(super) const FIRST_MASK: u64 = (1 << 6) - 1;
/// States that are kept.
const MOST: usize = 1 << 12;
/// A shadow of more states than these is not followed.
const LARGE: u32 = 1 << 10;

/// Bits that decide whether a state is in the sample.
#[inline]
pub(super) fn sample(hash: u64, seed: u64) -> u64 {
    (hash ^ hash >> 32).wrapping_mul(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1) >> 32
}

/// Takes a hash for what it is.
#[derive(Clone, Copy, Default, Debug)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

type Hashes = HashSet<u64, BuildHasherDefault<AsIs>>;

/// A caster's number.
type Number = u32;

#[derive(Debug)]
struct Node {
    /// The innermost caster above it.
    above: Option<Number>,
    /// Its number, if it casts a shadow.
    own: Option<Number>,
    /// States of shadows that it leads to.
    next: Vec<u64>,
}

#[derive(Debug)]
struct Caster {
    hash: u64,
    /// The chance that it was missed, in proportion to that it was not.
    weight: f64,
    above: Option<Number>,
    /// States that belong to it.
    members: u32,
    is_there: bool,
    is_large: bool,
}

#[derive(Debug)]
pub(super) struct Forest {
    nodes: HashMap<u64, Node, BuildHasherDefault<AsIs>>,
    casters: Vec<Caster>,
    /// How many of them are there.
    count: usize,
    mask: u64,
    /// Some shadow has become too large.
    overflows: bool,
}

impl Default for Forest {
    fn default() -> Self {
        Self {
            nodes: HashMap::default(),
            casters: Vec::new(),
            count: 0,
            mask: FIRST_MASK,
            overflows: false,
        }
    }
}

impl Forest {
    pub(super) fn holds(&self, hash: u64) -> bool {
        self.nodes.contains_key(&hash)
    }

    pub(super) fn hashes(&self) -> impl Iterator<Item = u64> {
        self.nodes.keys().copied()
    }

    pub(super) fn casters(&self) -> usize {
        self.count
    }

    pub(super) fn is_crowded(&self) -> bool {
        self.nodes.len() > MOST || self.overflows
    }

    /// Where the successors of a state belong, as far as it is concerned.
    fn inside(&self, hash: u64) -> Option<Number> {
        let node = self.nodes.get(&hash)?;
        node.own.or(node.above)
    }

    /// The innermost caster above both.
    fn common(&self, one: Option<Number>, other: Option<Number>) -> Option<Number> {
        if one == other {
            return one;
        }
        let chain: Vec<Number> = self.chain(one).collect();
        self.chain(other).find(|number| chain.contains(number))
    }

    /// A caster and those above it.
    fn chain(&self, from: Option<Number>) -> impl Iterator<Item = Number> {
        std::iter::successors(from, |number| self.casters[*number as usize].above)
    }

    /// Adds a new state with ways from these, all inside of shadows, or from elsewhere if there are none. With a
    /// weight it casts a shadow. Whether there was reason to add it.
    pub(super) fn add(&mut self, hash: u64, origins: &[u64], weight: Option<f64>) -> bool {
        let mut above = origins.first().and_then(|origin| self.inside(*origin));
        for origin in origins {
            above = self.common(above, self.inside(*origin));
        }
        if self.holds(hash) || above.is_none() && weight.is_none() {
            return false;
        }
        let own = weight.map(|weight| {
            let number = self.casters.len() as Number;
            let caster =
                Caster { hash, weight, above, members: 0, is_there: true, is_large: false };
            self.casters.push(caster);
            self.count += 1;
            number
        });
        self.nodes.insert(hash, Node { above, own, next: Vec::new() });
        self.join(above);
        for origin in origins {
            if let Some(node) = self.nodes.get_mut(origin) {
                node.next.push(hash);
            }
        }
        true
    }

    fn join(&mut self, number: Option<Number>) {
        let Some(number) = number else { return };
        let caster = &mut self.casters[number as usize];
        caster.members += 1;
        if caster.members > LARGE && !caster.is_large {
            caster.is_large = true;
            self.overflows = true;
        }
    }

    /// There is a way to a state, from inside of a shadow or from elsewhere. Whether the state is here.
    pub(super) fn connect(&mut self, origin: Option<u64>, to: u64) -> bool {
        if !self.holds(to) {
            return false;
        }
        let inside = origin.and_then(|origin| self.inside(origin));
        if let Some(node) = origin.and_then(|origin| self.nodes.get_mut(&origin))
            && !node.next.contains(&to)
        {
            node.next.push(to);
        }
        if self.raise(inside, to) {
            self.spread(to);
        }
        true
    }

    /// Moves a state up to where it belongs with one more way to it. Whether it moved.
    fn raise(&mut self, inside: Option<Number>, to: u64) -> bool {
        let Some(node) = self.nodes.get(&to) else { return false };
        let (before, own) = (node.above, node.own);
        let above = self.common(before, inside);
        if above == before {
            return false;
        }
        if let Some(node) = self.nodes.get_mut(&to) {
            node.above = above;
        }
        if let Some(own) = own {
            self.casters[own as usize].above = above;
        }
        if let Some(before) = before {
            self.casters[before as usize].members -= 1;
        }
        self.join(above);
        true
    }

    /// A state was moved: so is what it leads to.
    fn spread(&mut self, moved: u64) {
        let mut work = vec![moved];
        while let Some(hash) = work.pop() {
            let is_caster = self.nodes.get(&hash).is_some_and(|node| node.own.is_some());
            // If a caster moves, so does the border of its whole shadow.
            let members = if is_caster { self.shadow(hash) } else { vec![hash] };
            for member in members {
                let inside = self.inside(member);
                let next = self.nodes.get(&member).map_or_else(Vec::new, |node| node.next.clone());
                work.extend(next.into_iter().filter(|to| self.raise(inside, *to)));
                if inside.is_none() {
                    self.nodes.remove(&member);
                }
            }
        }
    }

    /// A caster and all states in its shadow.
    fn shadow(&self, caster: u64) -> Vec<u64> {
        let own = self.inside(caster);
        let mut members = vec![caster];
        let mut seen = Hashes::from_iter([caster]);
        let mut at = 0;
        while let Some(member) = members.get(at) {
            let next = self.nodes.get(member).map_or(&[][..], |node| &node.next);
            let inner = next.iter().copied().filter(|to| {
                let above = self.nodes.get(to).and_then(|node| node.above);
                self.chain(above).any(|number| Some(number) == own) && seen.insert(*to)
            });
            let inner: Vec<u64> = inner.collect();
            members.extend(inner);
            at += 1;
        }
        members
    }

    /// Gives up casters that are too large, and half of all if that is not enough. The bits that are zero in
    /// the sample now.
    pub(super) fn thin_out(&mut self, seed: u64) -> u64 {
        self.overflows = false;
        if self.nodes.len() > MOST {
            self.mask = self.mask << 1 | 1;
        }
        for caster in &mut self.casters {
            let is_in_sample = sample(caster.hash, seed) & self.mask == 0;
            if caster.is_there && (caster.is_large || !is_in_sample) {
                caster.is_there = false;
                self.count -= 1;
            }
        }
        let stays = |casters: &[Caster], from: Option<Number>| {
            let mut at = from;
            while let Some(number) = at
                && !casters[number as usize].is_there
            {
                at = casters[number as usize].above;
            }
            at
        };
        for number in 0..self.casters.len() {
            self.casters[number].above = stays(&self.casters, self.casters[number].above);
            self.casters[number].members = 0;
        }
        let casters = &mut self.casters;
        self.nodes.retain(|_, node| {
            node.above = stays(casters, node.above);
            node.own = node.own.filter(|own| casters[*own as usize].is_there);
            if let Some(above) = node.above {
                casters[above as usize].members += 1;
            }
            node.above.is_some() || node.own.is_some()
        });
        let there: Hashes = self.hashes().collect();
        self.nodes.values_mut().for_each(|node| node.next.retain(|to| there.contains(to)));
        self.mask
    }

    /// The mean size of shadows, casters included, weighted.
    pub(super) fn mean(&self) -> f64 {
        let there = self.casters.iter().filter(|caster| caster.is_there);
        let weights: f64 = there.map(|caster| caster.weight).sum();
        let mut states = weights;
        for node in self.nodes.values() {
            for number in self.chain(node.above) {
                states += self.casters[number as usize].weight;
            }
        }
        if weights > 0.0 { states / weights } else { 1.0 }
    }
}

#[cfg(test)]
mod tests;
