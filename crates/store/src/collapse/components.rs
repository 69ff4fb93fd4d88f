//! Byte strings with dense numbers, for threads together.

use crate::blocks::{Blocks, Number, Writer};
use crate::concurrent::{Found, Table};
use crate::equal::equal;
use crate::hash::hash;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Strings of one kind are few: growth in small steps is not needed.
const SEGMENTS: usize = 2;
/// Places in the first piece of the list; each piece is twice as large as the one before.
const FIRST: u32 = 64;
const PIECES: usize = 26;

/// The values that one component of states has had. The strings themselves lie in blocks that
/// several of these share.
#[derive(Debug)]
pub(super) struct Components {
    table: Table,
    /// By number: where the string is. Written before a number is told to anybody.
    places: [OnceLock<Box<[AtomicU32]>>; PIECES],
    next: AtomicU32,
    listed: AtomicU64,
}

impl Components {
    pub(super) fn new() -> Self {
        Self {
            table: Table::new(SEGMENTS),
            places: [const { OnceLock::new() }; PIECES],
            next: AtomicU32::new(0),
            listed: AtomicU64::new(0),
        }
    }

    /// The string with a number that was given.
    #[inline]
    pub(super) fn get<'b>(&self, strings: &'b Blocks, number: u32) -> &'b [u8] {
        let (piece, at) = place_of(number);
        let places = self.places[piece].get().expect("a number that was given");
        strings.get(Number(places[at].load(Ordering::Relaxed)))
    }

    /// The number of a string. `spare` is a number that this thread has taken and not used.
    pub(super) fn number(
        &self,
        strings: &Blocks,
        writer: &mut Writer,
        spare: &mut Option<u32>,
        string: &[u8],
    ) -> u32 {
        let tag = (hash(string) >> 32) as u32;
        let is_it = |entry: u64| equal(self.get(strings, entry as u32 - 1), string);
        let make = || {
            let number = spare.take().unwrap_or_else(|| self.next.fetch_add(1, Ordering::Relaxed));
            self.list(number, writer.write(string));
            u64::from(tag) << 32 | (u64::from(number) + 1)
        };
        match self.table.find_or_insert(tag, is_it, make) {
            Found::At(entry) => entry as u32 - 1,
            Found::Added(entry) => {
                writer.keep(string.len());
                entry as u32 - 1
            }
            Found::Lost { at, made } => {
                *spare = Some(made as u32 - 1);
                at as u32 - 1
            }
        }
    }

    fn list(&self, number: u32, place: Number) {
        let (piece, at) = place_of(number);
        let places = self.places[piece].get_or_init(|| {
            let length = (FIRST as usize) << piece;
            self.listed.fetch_add(length as u64 * 4, Ordering::Relaxed);
            (0..length).map(|_| AtomicU32::new(0)).collect()
        });
        places[at].store(place.0, Ordering::Relaxed);
    }

    pub(super) fn quiesce(&self) {
        self.table.quiesce();
    }

    pub(super) fn bytes_used(&self) -> u64 {
        self.table.bytes_used() + self.listed.load(Ordering::Relaxed)
    }

    /// Whether numbers may run out.
    pub(super) fn is_nearly_full(&self) -> bool {
        self.next.load(Ordering::Relaxed) > 1 << 30
    }
}

/// The piece of a number and its place in it.
#[inline]
fn place_of(number: u32) -> (usize, usize) {
    let shifted = number + FIRST;
    let piece = shifted.ilog2() - FIRST.ilog2();
    (piece as usize, (shifted - (FIRST << piece)) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn places_are_all_different() {
        let mut expected = (0, 0);
        for number in 0..100_000 {
            assert_eq!(place_of(number), expected);
            expected.1 += 1;
            if expected.1 == (FIRST as usize) << expected.0 {
                expected = (expected.0 + 1, 0);
            }
        }
        assert!(place_of(1 << 31).0 < PIECES);
    }

    #[test]
    fn numbers_are_dense_and_give_strings_back() {
        let strings = Arc::new(Blocks::new());
        let mut writer = Writer::new(&strings);
        let components = Components::new();
        let mut spare = None;
        for number in (0..10_000_u32).chain(0..10_000) {
            let string = number.to_be_bytes();
            assert_eq!(components.number(&strings, &mut writer, &mut spare, &string), number);
            assert_eq!(components.get(&strings, number), string);
        }
    }
}
