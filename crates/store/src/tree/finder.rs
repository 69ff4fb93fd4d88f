//! Finds the shape of a state.

use super::layouts::Shape;
use crate::hash::hash;
use std::sync::Arc;

/// Slots of a [`Finder`] at first, a power of two.
const SLOTS: usize = 1 << 8;

/// The shapes that a thread knows.
#[derive(Debug)]
pub(super) struct Finder {
    /// By their numbers.
    pub(super) shapes: Vec<Arc<Shape>>,
    /// Lengths of states with lengths of prefixes.
    lengths: Vec<(usize, usize)>,
    /// The shape last met for a hash of length and prefix.
    slots: Box<[u32]>,
}

impl Finder {
    pub(super) fn new() -> Self {
        Self { shapes: Vec::new(), lengths: Vec::new(), slots: vec![0; SLOTS].into() }
    }

    /// A known shape that is the state's.
    #[inline]
    pub(super) fn find(&mut self, state: &[u8]) -> Option<usize> {
        for (len, prefix) in &self.lengths {
            if *len == state.len() {
                let slot = self.slot(*len, &state[..*prefix]);
                let shape = self.slots[slot] as usize;
                if self.shapes.get(shape).is_some_and(|shape| shape.is_of(state)) {
                    return Some(shape);
                }
            }
        }
        let found = self.shapes.iter().position(|shape| shape.is_of(state))?;
        let slot = self.slot(state.len(), &self.shapes[found].prefix);
        self.slots[slot] = found as u32;
        Some(found)
    }

    pub(super) fn learn(&mut self, shapes: &[Arc<Shape>]) {
        for shape in &shapes[self.shapes.len()..] {
            let lengths = (shape.len, shape.prefix.len());
            if !self.lengths.contains(&lengths) {
                self.lengths.push(lengths);
            }
            self.shapes.push(Arc::clone(shape));
        }
        let slots = self.slots.len().max(self.shapes.len().next_power_of_two() * 8);
        self.slots = vec![0; slots].into();
        for shape in &self.shapes {
            let slot = self.slot(shape.len, &shape.prefix);
            self.slots[slot] = shape.id;
        }
    }

    #[inline]
    fn slot(&self, len: usize, prefix: &[u8]) -> usize {
        (hash(prefix) as usize).wrapping_add(len) & (self.slots.len() - 1)
    }
}
