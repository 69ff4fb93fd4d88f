//! States as tuples of the numbers of their components.

use super::components::Components;
use crate::blocks::{Blocks, Writer};
use crate::equal::equal;
use spinor_ts::LayoutOf;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A longer component counts as several: the longer one is, the more often it is another one.
const LONGEST: usize = 8;

/// Writes states as tuples and reads them back. The tuple of a state never changes, and no other
/// state has the same.
pub struct Collapser {
    layouts: LayoutOf,
    strings: Arc<Blocks>,
    shared: Mutex<Shared>,
}

#[derive(Default)]
struct Shared {
    shapes: Vec<Arc<Shape>>,
    known: HashMap<(usize, Box<[u8]>), u32>,
    /// Memory of both, about.
    shape_bytes: u64,
    /// By the position of the component in states.
    tables: Vec<Arc<Components>>,
}

/// States of one length with one prefix.
struct Shape {
    number: u32,
    length: usize,
    prefix: Box<[u8]>,
    /// Where components end, and their values.
    parts: Box<[(usize, Arc<Components>)]>,
}

/// What a thread needs to write and read tuples.
pub struct CollapserLocal {
    shapes: Vec<Arc<Shape>>,
    writer: Writer,
    spares: Vec<Option<u32>>,
    /// The state written last, its shape and its numbers: the next one is much like it.
    last: Vec<u8>,
    last_shape: Option<Arc<Shape>>,
    numbers: Vec<u32>,
}

impl std::fmt::Debug for Collapser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Collapser").finish_non_exhaustive()
    }
}

impl std::fmt::Debug for CollapserLocal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CollapserLocal").finish_non_exhaustive()
    }
}

impl Shape {
    fn is_of(&self, state: &[u8]) -> bool {
        state.len() == self.length && state.starts_with(&self.prefix)
    }
}

impl Collapser {
    /// One for states of these layouts.
    #[must_use]
    pub fn new(layouts: LayoutOf) -> Self {
        Self { layouts, strings: Arc::new(Blocks::new()), shared: Mutex::default() }
    }

    /// A thread's own part.
    #[must_use]
    pub fn local(&self) -> CollapserLocal {
        CollapserLocal {
            shapes: Vec::new(),
            writer: Writer::new(&self.strings),
            spares: Vec::new(),
            last: Vec::new(),
            last_shape: None,
            numbers: Vec::new(),
        }
    }

    /// Replaces the contents of `out` by the tuple of a state.
    pub fn encode(&self, local: &mut CollapserLocal, state: &[u8], out: &mut Vec<u8>) {
        let is_like_last = local.last_shape.as_ref().is_some_and(|shape| shape.is_of(state));
        let shape = match &local.last_shape {
            Some(shape) if is_like_last => Arc::clone(shape),
            _ => self.shape_of(state),
        };
        if !is_like_last {
            local.numbers.clear();
            local.numbers.resize(shape.parts.len(), 0);
            local.spares.resize(local.spares.len().max(shape.parts.len()), None);
        }
        out.clear();
        push(out, shape.number);
        let mut start = shape.prefix.len();
        for (at, (end, components)) in shape.parts.iter().enumerate() {
            let part = &state[start..*end];
            if !is_like_last || !equal(part, &local.last[start..*end]) {
                let spare = &mut local.spares[at];
                local.numbers[at] =
                    components.number(&self.strings, &mut local.writer, spare, part);
            }
            push(out, local.numbers[at]);
            start = *end;
        }
        local.last.clear();
        local.last.extend_from_slice(state);
        local.last_shape = Some(shape);
    }

    /// Replaces the contents of `out` by the state of a tuple.
    pub fn decode(&self, local: &mut CollapserLocal, mut tuple: &[u8], out: &mut Vec<u8>) {
        let shape = self.shape(local, pop(&mut tuple));
        out.clear();
        out.extend_from_slice(&shape.prefix);
        for (_, components) in &shape.parts {
            out.extend_from_slice(components.get(&self.strings, pop(&mut tuple)));
        }
    }

    /// Whether a tuple is that of a state.
    #[inline]
    pub fn is_of(&self, local: &mut CollapserLocal, mut tuple: &[u8], state: &[u8]) -> bool {
        let shape = self.shape(local, pop(&mut tuple));
        if !shape.is_of(state) {
            return false;
        }
        let mut start = shape.prefix.len();
        shape.parts.iter().all(|(end, components)| {
            let part = &state[start..*end];
            start = *end;
            equal(components.get(&self.strings, pop(&mut tuple)), part)
        })
    }

    /// Memory of all tables of components.
    #[must_use]
    pub fn bytes_used(&self) -> u64 {
        let shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        let tables: u64 = shared.tables.iter().map(|table| table.bytes_used()).sum();
        self.strings.bytes_used() + tables + shared.shape_bytes
    }

    /// Whether many more states may be too many.
    #[must_use]
    pub fn is_nearly_full(&self) -> bool {
        let shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        self.strings.are_nearly_used_up() || shared.tables.iter().any(|t| t.is_nearly_full())
    }

    /// Gives back memory while no thread is inside.
    pub fn quiesce(&self) {
        let shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        shared.tables.iter().for_each(|table| table.quiesce());
    }

    /// The shape with a number.
    #[inline]
    fn shape<'l>(&self, local: &'l mut CollapserLocal, number: u32) -> &'l Shape {
        if number as usize >= local.shapes.len() {
            let shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            local.shapes.clone_from(&shared.shapes);
        }
        &local.shapes[number as usize]
    }

    #[cold]
    fn shape_of(&self, state: &[u8]) -> Arc<Shape> {
        let layout = (self.layouts)(state);
        let prefix = &state[..layout.prefix.min(state.len())];
        let shared = &mut *self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (state.len(), prefix.into());
        if let Some(number) = shared.known.get(&key) {
            return Arc::clone(&shared.shapes[*number as usize]);
        }
        let mut parts = Vec::new();
        let mut start = prefix.len();
        for end in
            layout.ends.iter().copied().filter(|end| *end <= state.len()).chain([state.len()])
        {
            while end > start {
                if shared.tables.len() == parts.len() {
                    shared.tables.push(Arc::new(Components::new()));
                }
                start = end.min(start + LONGEST);
                parts.push((start, Arc::clone(&shared.tables[parts.len()])));
            }
        }
        let number = shared.shapes.len() as u32;
        let shape = Arc::new(Shape {
            number,
            length: state.len(),
            prefix: prefix.into(),
            parts: parts.into(),
        });
        shared.shape_bytes += (16 * shape.parts.len() + 2 * prefix.len() + 200) as u64;
        shared.known.insert(key, number);
        shared.shapes.push(Arc::clone(&shape));
        shape
    }
}

/// Seven bits in a byte, the lowest first; the last byte has no eighth bit.
#[inline]
fn push(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a number from the front.
#[inline]
fn pop(bytes: &mut &[u8]) -> u32 {
    let (mut number, mut shift) = (0, 0);
    while let Some((byte, rest)) = bytes.split_first() {
        *bytes = rest;
        number |= u32::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            break;
        }
        shift += 7;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let numbers = [0, 1, 127, 128, 16_383, 16_384, u32::MAX >> 1, u32::MAX, 5];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|number| push(&mut bytes, *number));
        let mut rest = &bytes[..];
        assert!(numbers.iter().all(|number| pop(&mut rest) == *number));
        assert!(rest.is_empty());
    }
}
