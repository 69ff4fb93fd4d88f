//! Which bits of a word each cell gets.

use spinor_ts::{Cell, WordField};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// A field for each cell, if there is room: in the first of some ways to plan them that works, and whether that is the surest one; no other one
/// is taken if that `is_wanted`.
pub(super) fn fields(
    cells: &[Cell],
    states: &[&[u8]],
    room: u32,
    is_wanted: bool,
) -> Option<(Vec<WordField>, bool)> {
    let seen: Vec<Seen> = cells.iter().map(|cell| Seen::of(cell, states)).collect();
    let ways = [(true, false), (true, true), (false, false), (false, true)];
    let is_sure = |way: &Way| way.all && !way.splits;
    let ways = ways.into_iter().map(|(all, splits)| Way { all, splits });
    let mut ways = ways.filter(|way| is_sure(way) || !is_wanted);
    ways.find_map(|way| Some((fields_by(way, cells, &seen, room)?, is_sure(&way))))
}

/// How fields are planned.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// For what is possible, as far as it is known, not only for what was seen.
    all: bool,
    /// What seems never to vary gets no bits.
    splits: bool,
}

fn fields_by(way: Way, cells: &[Cell], seen: &[Seen], room: u32) -> Option<Vec<WordField>> {
    let arrays: Vec<u32> = cells.iter().map(|cell| cell.family).collect();
    let mut cells = cells.to_vec();
    if way.splits {
        split_constants(&mut cells, seen);
    }
    let families = families(&cells, &arrays, seen, way.all);
    let plain = widths(&cells, &families, room);
    let has_grown = |cell: &Cell, widths: &HashMap<u32, u32>| {
        let (family, width) = (&families[&cell.family], widths[&cell.family]);
        !family.varies || width > family.width() || width >= limit_of(cell)
    };
    if let Some(widths) = &plain
        && cells.iter().all(|cell| has_grown(cell, widths))
    {
        return place(&cells, seen, &families, widths, room);
    }
    let listed = list_values(&cells, &arrays, seen, &families);
    let shorter = self::families(&listed, &arrays, seen, way.all);
    let fields = widths(&listed, &shorter, room)
        .and_then(|widths| place(&listed, seen, &shorter, &widths, room));
    fields.or_else(|| place(&cells, seen, &families, &plain?, room))
}

/// The values of a cell in a sample, in ascending order.
#[derive(Debug)]
struct Seen {
    values: Vec<i64>,
}

impl Seen {
    fn of(cell: &Cell, states: &[&[u8]]) -> Self {
        let mut values: Vec<i64> = states.iter().map(|state| cell.value(state)).collect();
        values.dedup();
        values.sort_unstable();
        values.dedup();
        Self { values }
    }

    fn is_constant(&self) -> bool {
        self.values.len() == 1
    }
}

/// What was seen of the cells of a family, or is possible.
#[derive(Clone, Copy, Debug)]
struct Family {
    least: i64,
    most: i64,
    varies: bool,
}

impl Family {
    /// Bits for what was seen: from zero on, if that is not much more.
    fn width(&self) -> u32 {
        if self.least >= 0 && self.varies { bits(self.most) } else { bits(self.most - self.least) }
    }
}

/// Values that are possible may take so many bits more than those that were seen.
const MORE: u32 = 2;

fn families(cells: &[Cell], arrays: &[u32], seen: &[Seen], all: bool) -> HashMap<u32, Family> {
    let mut families: HashMap<u32, Family> = HashMap::new();
    for ((cell, array), seen) in cells.iter().zip(arrays).zip(seen) {
        let numbers = seen.values.iter().map(|value| cell.number(*value));
        let least = numbers.clone().min().unwrap_or(0);
        let most = numbers.max().unwrap_or(0);
        let mut own = Family { least, most, varies: !seen.is_constant() };
        if let Some(most) = cell.possible.as_ref().and_then(|values| values.last())
            && all
            && own.varies
            && cell.values.is_none()
            && bits(i64::from(*most)) <= bits(own.most) + MORE
        {
            own.most = own.most.max(i64::from(*most));
        }
        if let Some(values) = cell.values.as_ref().filter(|_| cell.family == *array) {
            (own.least, own.most) = (0, own.most.max(values.len() as i64 - 1));
            own.varies |= values.len() > 1;
        }
        let all = families.entry(cell.family).or_insert(own);
        all.varies |= own.varies;
        (all.least, all.most) = (all.least.min(own.least), all.most.max(own.most));
    }
    families
}

/// Makes families of their own of those cells of a family that were never seen to vary and have values that no cell had that did:
/// they will not begin to, like the walls of a board. What only one cell has is no wall, but a piece that may move later.
fn split_constants(cells: &mut [Cell], seen: &[Seen]) {
    let mut varying: HashMap<u32, BTreeSet<i64>> = HashMap::new();
    let mut walls: HashMap<(u32, i64), usize> = HashMap::new();
    for (cell, seen) in cells.iter().zip(seen) {
        if seen.is_constant() {
            *walls.entry((cell.family, seen.values[0])).or_default() += 1;
        } else {
            varying.entry(cell.family).or_default().extend(&seen.values);
        }
    }
    let mut next = cells.iter().map(|cell| cell.family + 1).max().unwrap_or(0);
    for (cell, seen) in cells.iter_mut().zip(seen).filter(|(_, seen)| seen.is_constant()) {
        let others = varying.get(&cell.family);
        let is_wall = walls[&(cell.family, seen.values[0])] > 1;
        if is_wall && others.is_some_and(|others| !others.contains(&seen.values[0])) {
            cell.family = next;
            next += 1;
        }
    }
}

/// Values that a list may have that was not told but seen.
const SEEN: usize = 32;
/// A list has to spare so many bits.
const SPARED: u32 = 2;

/// Lists the values of arrays that have few of a wide range: all that they can have, or those that they were seen to have and some more
/// as far as there is room for their numbers. All elements of an array have the same list, be they of one family or not.
fn list_values(
    cells: &[Cell],
    arrays: &[u32],
    seen: &[Seen],
    families: &HashMap<u32, Family>,
) -> Vec<Cell> {
    #[derive(Default)]
    struct Values {
        seen: BTreeSet<i64>,
        possible: BTreeSet<i64>,
        widest: u32,
    }
    let mut cells = cells.to_vec();
    let mut all: HashMap<u32, Values> = HashMap::new();
    let unlisted =
        cells.iter().zip(arrays).zip(seen).filter(|((cell, _), _)| cell.values.is_none());
    for ((cell, array), seen) in unlisted {
        let values = all.entry(*array).or_default();
        values.seen.extend(&seen.values);
        let told = cell.possible.iter().flat_map(|told| told.iter().map(|value| i64::from(*value)));
        values.possible.extend(told);
        values.widest = values.widest.max(families[&cell.family].width());
    }
    for (array, Values { seen, possible, widest }) in all {
        let is_short = |values: &BTreeSet<i64>| {
            bits(values.len() as i64 - 1) + SPARED <= widest && values.first() >= Some(&0)
        };
        let list = if possible.is_superset(&seen) && is_short(&possible) {
            possible
        } else if seen.len() <= SEEN && is_short(&seen) {
            filled(seen)
        } else {
            continue;
        };
        let list: Arc<[u32]> = list.iter().map(|value| *value as u32).collect();
        for (cell, _) in cells.iter_mut().zip(arrays).filter(|(_, other)| **other == array) {
            cell.values = Some(Arc::clone(&list));
        }
    }
    cells
}

/// These values and some more, as far as there is room for their numbers.
fn filled(mut values: BTreeSet<i64>) -> BTreeSet<i64> {
    let width = bits(values.len() as i64 - 1);
    let more = (0..).filter(|value| !values.contains(value));
    let more: Vec<i64> = more.take((1 << width) - values.len()).collect();
    values.extend(more);
    values
}

fn bits(range: i64) -> u32 {
    u64::BITS - range.cast_unsigned().leading_zeros()
}

/// Bits beyond which a field need not grow.
fn limit_of(cell: &Cell) -> u32 {
    let possible = cell.possible.as_ref().filter(|_| cell.values.is_none());
    let most = possible.and_then(|values| values.last()).map(|most| bits(i64::from(*most)));
    cell.bits().min(32).min(most.unwrap_or(u32::MAX))
}

/// Bits for each family, if there is room for what was seen.
fn widths(cells: &[Cell], families: &HashMap<u32, Family>, room: u32) -> Option<HashMap<u32, u32>> {
    let mut members: HashMap<u32, (u32, u32)> = HashMap::new();
    for cell in cells {
        let (count, limit) = members.entry(cell.family).or_default();
        (*count, *limit) = (*count + 1, (*limit).max(limit_of(cell)));
    }
    let mut widths: HashMap<u32, u32> = HashMap::new();
    let mut left = room;
    for (family, (count, _)) in &members {
        let width = families[family].width();
        left = left.checked_sub(count * width)?;
        widths.insert(*family, width);
    }
    // What varied first, then what did not; those before that need the fewest bits.
    let mut order: Vec<u32> = members.keys().copied().collect();
    order.sort_unstable_by_key(|family| {
        (!families[family].varies, members[family].0 * widths[family], *family)
    });
    for round in 0..32 {
        let before = left;
        for family in &order {
            let (count, limit) = members[family];
            let width = widths.entry(*family).or_default();
            // An array that fits 64 bits goes on to, once it has a bit to spare.
            let splits = *width > families[family].width()
                && (count * *width..count * (*width + 1)).contains(&u64::BITS);
            if *width < limit && !splits && count <= left && (round > 1 || families[family].varies)
            {
                (*width, left) = (*width + 1, left - count);
            }
        }
        if left == before && round > 1 {
            break;
        }
    }
    Some(widths)
}

/// Puts the fields side by side, none across a border between 64 bits and, if there is room for that, no array either: then its elements are
/// a row.
fn place(
    cells: &[Cell],
    seen: &[Seen],
    families: &HashMap<u32, Family>,
    widths: &HashMap<u32, u32>,
    room: u32,
) -> Option<Vec<WordField>> {
    let shifts =
        shifts(cells, widths, room, true).or_else(|| shifts(cells, widths, room, false))?;
    let field = |((cell, seen), shift): ((&Cell, &Seen), u32)| {
        let family = &families[&cell.family];
        let width = widths[&cell.family];
        let span = (1_i64 << width) - 1;
        let (lowest, highest) = match &cell.values {
            Some(values) => (0, family.most.max(values.len() as i64 - 1)),
            None => (cell.least, cell.most),
        };
        let base = match family.least {
            // What a signed cell holds wraps: beyond its greatest value there is nothing to be told, or -1 would be 65535.
            0.. if family.most <= span && span <= highest => 0,
            least => least.min((highest - span).max(lowest)).max(family.most - span),
        };
        WordField { cell: cell.clone(), shift, width, base, varies: !seen.is_constant() }
    };
    Some(cells.iter().zip(seen).zip(shifts).map(field).collect())
}

/// Where the bits of each cell begin.
fn shifts(
    cells: &[Cell],
    widths: &HashMap<u32, u32>,
    room: u32,
    keeps_arrays: bool,
) -> Option<Vec<u32>> {
    // Neighbours that stay together, and their bits.
    let mut rows: Vec<(usize, usize, u32)> = Vec::new();
    let mut at = 0;
    while let Some(cell) = cells.get(at) {
        let width = widths[&cell.family];
        let alike = cells[at..].iter().take_while(|other| other.family == cell.family).count();
        let is_row = keeps_arrays && alike as u32 * width <= u64::BITS;
        let count = if is_row { alike } else { 1 };
        rows.push((at, count, count as u32 * width));
        at += count;
    }
    rows.sort_by_key(|(_, _, bits)| std::cmp::Reverse(*bits));
    // How much of each 64 bits is used.
    let mut used = vec![0; room.div_ceil(u64::BITS) as usize];
    let mut shifts = vec![0; cells.len()];
    for (at, count, bits) in rows.into_iter().filter(|(_, _, bits)| *bits > 0) {
        let has_room = |(limb, used): (usize, &u32)| {
            let first = limb as u32 * u64::BITS;
            used + bits <= (room - first).min(u64::BITS)
        };
        let limb = used.iter().enumerate().position(has_room)?;
        let first = limb as u32 * u64::BITS + used[limb];
        let width = bits / count as u32;
        shifts[at..at + count]
            .iter_mut()
            .zip(0..)
            .for_each(|(shift, n)| *shift = first + n * width);
        used[limb] += bits;
    }
    Some(shifts)
}
