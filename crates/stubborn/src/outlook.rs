//! Who is in whose way, remembered by what the others may still do.
//!
//! Whether a process is in the way of another one depends on what the one does next and on all that the other may ever do. The latter changes
//! seldom: in a loop it is everywhere the same. So positions are sorted into classes, by what a process does next (*rows*) and by what it
//! may do later (*columns*); the columns of all processes together are an *outlook*, and under an outlook a row is looked up.

use crate::access::Access;
use crate::bits::Channels;
use crate::instance::Stop;
use std::collections::HashMap;

/// Rows that are remembered, a power of two.
const ROWS: usize = 1 << 13;
/// Outlooks that are told apart before all is forgotten.
const MOST_OUTLOOKS: usize = 1 << 16;
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// The classes of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) struct Class {
    /// What the process, which is told apart from others, does next.
    pub row: u32,
    /// What it may do later, and with whom it may move now.
    pub column: u32,
}

/// Finds equal ones.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    rows: HashMap<(usize, Access, Access), u32>,
    columns: HashMap<(Access, Channels, Channels), u32>,
}

impl Classes {
    /// The classes of a process that stops like that.
    pub fn of(&mut self, pid: usize, stop: &Stop) -> Class {
        let (rows, columns) = (self.rows.len() as u32, self.columns.len() as u32);
        let Stop { now, gate, future } = stop;
        let row = *self.rows.entry((pid, now.clone(), gate.clone())).or_insert(rows);
        let column = (future.clone(), now.calls, now.takes);
        Class { row, column: *self.columns.entry(column).or_insert(columns) }
    }
}

/// Who is in the way of a process.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Row {
    pub in_the_way: u64,
    /// Those with whom it may move together.
    pub partners: u64,
    /// Those who may be in the way, which depends on conditions.
    pub depends: u64,
}

/// The outlook of the state at hand, and the rows under this and others.
#[derive(Debug, Default)]
pub(crate) struct Outlook {
    /// By pid.
    columns: Vec<u32>,
    number: u32,
    /// A sum of numbers that belong to the columns.
    hash: u64,
    /// Outlooks by their sums, for a quick look.
    recent: Vec<Option<u32>>,
    all: Vec<Box<[u32]>>,
    numbers: HashMap<Box<[u32]>, u32>,
    rows: Vec<(u64, Row)>,
}

/// Not the key of any row.
const NO_ROW: u64 = u64::MAX;

fn share(pid: usize, column: u32) -> u64 {
    let stirred = ((pid as u64) << 32 | u64::from(column)).wrapping_add(1).wrapping_mul(MULTIPLIER);
    (stirred ^ stirred >> 29).wrapping_mul(MULTIPLIER)
}

impl Outlook {
    /// Another state is at hand, with these columns.
    pub fn set(&mut self, columns: impl ExactSizeIterator<Item = u32>) {
        let mut is_other = self.columns.len() != columns.len();
        if is_other {
            self.columns.clear();
            self.columns.resize(columns.len(), 0);
            let shares = (0..columns.len()).map(|pid| share(pid, 0));
            self.hash = shares.fold(0, u64::wrapping_add);
        }
        for (pid, (old, new)) in self.columns.iter_mut().zip(columns).enumerate() {
            if *old != new {
                is_other = true;
                self.hash = self.hash.wrapping_sub(share(pid, *old)).wrapping_add(share(pid, new));
                *old = new;
            }
        }
        if is_other {
            self.find();
        }
    }

    /// Finds the number of the columns at hand.
    fn find(&mut self) {
        if self.recent.is_empty() {
            self.recent.resize(ROWS, None);
            self.rows.resize(ROWS, (NO_ROW, Row::default()));
        }
        let place = (self.hash >> (u64::BITS - ROWS.trailing_zeros())) as usize;
        let known = self.recent[place].filter(|known| *self.all[*known as usize] == *self.columns);
        self.number = known.unwrap_or_else(|| self.number_of_columns());
        self.recent[place] = Some(self.number);
    }

    #[cold]
    fn number_of_columns(&mut self) -> u32 {
        if let Some(known) = self.numbers.get(&*self.columns) {
            return *known;
        }
        if self.all.len() >= MOST_OUTLOOKS {
            self.all.clear();
            self.numbers.clear();
            self.recent.fill(None);
            self.rows.fill((NO_ROW, Row::default()));
        }
        let number = self.all.len() as u32;
        self.all.push(self.columns.clone().into());
        self.numbers.insert(self.columns.clone().into(), number);
        number
    }

    /// The row of a process of some class that counts as if it could move, or as if it could not. `make` is
    /// asked if it is not remembered.
    #[inline]
    pub fn row(&mut self, class: u32, can_move: bool, make: impl FnOnce() -> Row) -> Row {
        let key = u64::from(self.number) << 32 | u64::from(class) << 1 | u64::from(can_move);
        let place = (key.wrapping_mul(MULTIPLIER) >> (u64::BITS - ROWS.trailing_zeros())) as usize;
        let (known, row) = &mut self.rows[place];
        if *known != key {
            (*known, *row) = (key, make());
        }
        *row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_belong_to_outlooks() {
        let mut outlook = Outlook::default();
        let row = |bits: u64| Row { in_the_way: bits, ..Row::default() };
        outlook.set([1, 2].into_iter());
        assert_eq!(outlook.row(0, true, || row(1)).in_the_way, 1);
        assert_eq!(outlook.row(0, false, || row(2)).in_the_way, 2);
        outlook.set([1, 3].into_iter());
        assert_eq!(outlook.row(0, true, || row(3)).in_the_way, 3);
        outlook.set([1, 2].into_iter());
        assert_eq!(outlook.row(0, true, || row(4)).in_the_way, 1);
        outlook.set([1, 2, 3].into_iter());
        assert_eq!(outlook.row(0, true, || row(5)).in_the_way, 5);
    }
}
