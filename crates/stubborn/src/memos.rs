//! Choices that were made before, by where all groups stand and how many events each has.

use spinor_ts::Seats;
use std::collections::HashMap;

/// Entries for each number of groups, a power of two.
const ENTRIES: usize = 1 << 13;
/// What an entry begins with: its sum, the choice, and the number of its conditions, or [`NONE`].
const HEAD: usize = 3;
const NONE: u64 = u64::MAX;
/// Lists of conditions that are told apart.
const MOST_CONDITIONS: usize = 1 << 12;

/// What is remembered; each entry gives way to the next one with its number.
#[derive(Debug, Default)]
pub(crate) struct Memos {
    /// By number of groups.
    tables: Vec<Vec<u64>>,
    /// Lists of conditions that were looked at, and whether they held; the choices are the same as long as they do.
    conditions: Vec<Vec<(u16, bool)>>,
    numbers: HashMap<Vec<(u16, bool)>, usize>,
}

#[inline]
fn place(hash: u64, groups: usize) -> usize {
    (hash >> (u64::BITS - ENTRIES.trailing_zeros())) as usize * (HEAD + groups)
}

impl Memos {
    /// The choice that was made where all groups stood so and had as many events, and what it depends on beside that.
    #[inline]
    pub fn get(&self, seats: &Seats<'_>) -> Option<(u64, &[(u16, bool)])> {
        let table = self.tables.get(seats.all.len()).filter(|table| !table.is_empty())?;
        let entry = &table[place(seats.hash, seats.all.len())..][..HEAD + seats.all.len()];
        let (head, all) = entry.split_at(HEAD);
        let is_same = |(known, seat): (&u64, &u64)| known == seat;
        if head[0] != seats.hash || head[2] == NONE || !all.iter().zip(seats.all).all(is_same) {
            return None;
        }
        Some((head[1], &self.conditions[head[2] as usize]))
    }

    /// Remembers a choice.
    pub fn put(&mut self, seats: &Seats<'_>, chosen: u64, conditions: &[(u16, bool)]) {
        let count = seats.all.len();
        let known = self.numbers.get(conditions).copied();
        let number = known.unwrap_or(self.conditions.len());
        if number >= MOST_CONDITIONS {
            return;
        }
        if known.is_none() {
            self.conditions.push(conditions.to_vec());
            self.numbers.insert(conditions.to_vec(), number);
        }
        if self.tables.len() <= count {
            self.tables.resize(count + 1, Vec::new());
        }
        let table = &mut self.tables[count];
        if table.is_empty() {
            table.resize(ENTRIES * (HEAD + count), NONE);
        }
        let entry = &mut table[place(seats.hash, count)..][..HEAD + count];
        entry[..HEAD].copy_from_slice(&[seats.hash, chosen, number as u64]);
        entry[HEAD..].copy_from_slice(seats.all);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_equal_seats_are_found() {
        let mut memos = Memos::default();
        let seats = |all: &'static [u64], hash: u64| Seats { all, hash, active: 3 };
        let first = seats(&[1, 2], 7);
        assert_eq!(memos.get(&first), None);
        memos.put(&first, 1, &[]);
        assert_eq!(memos.get(&first), Some((1, &[][..])));
        assert_eq!(memos.get(&seats(&[1, 3], 7)), None, "the same sum");
        assert_eq!(memos.get(&seats(&[1, 2, 0], 7)), None);
        memos.put(&seats(&[1, 3], 7), u64::MAX, &[(4, true)]);
        assert_eq!(memos.get(&first), None, "it gave way");
        assert_eq!(memos.get(&seats(&[1, 3], 7)), Some((u64::MAX, &[(4, true)][..])));
    }
}
