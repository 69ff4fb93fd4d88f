//! States whose cells stand in words as they are: no dictionary has to be asked, so engines can compute with words.
//!
//! The most frequent layout of a sample gets a field for each cell, as wide as the values seen and, as far as there is room, wider. Such a field
//! is a leaf like others, whose dictionary counts values from the least one on. What does not fit belongs to the
//! layout's other forms, as always.

use super::layouts::Shape;
use super::packing::{Field, Packing};
use super::word::{Word, field_bits};
use spinor_ts::{Cell, CellsOf, LayoutOf, WordField, WordLayout};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// So many states of a sample should be of one layout.
const MOST: (usize, usize) = (9, 10);

/// The plan of the layout.
#[derive(Debug)]
pub(super) struct Direct {
    pub(super) layout: Arc<WordLayout>,
    prefix: usize,
}

impl Direct {
    /// For states like those of a sample, if their cells fit words.
    pub(super) fn plan<W: Word>(
        cells_of: &CellsOf,
        layout_of: &LayoutOf,
        sample: &[Vec<u8>],
    ) -> Option<Self> {
        let (states, prefix) = most_frequent(layout_of, sample)?;
        let first = *states.first()?;
        let cells = cells_of(first);
        let is_whole = cells.iter().try_fold(prefix, |end, cell| {
            (cell.start == end).then_some(end + usize::from(cell.bytes))
        });
        if is_whole != Some(first.len()) {
            return None;
        }
        let room = field_bits::<W>(0);
        let fields =
            fields(&cells, &states, true, room).or_else(|| fields(&cells, &states, false, room));
        let is_long = W::BITS > u64::BITS;
        let layout = WordLayout { state: first.to_vec(), fields: fields?, is_long };
        Some(Self { layout: Arc::new(layout), prefix })
    }

    /// Whether a state is of the layout.
    pub(super) fn is_of(&self, len: usize, prefix: &[u8]) -> bool {
        len == self.layout.state.len() && *prefix == self.layout.state[..self.prefix]
    }

    /// The first form of the layout, if that is the one.
    pub(super) fn packing(&self, shape: &Shape) -> Option<Packing> {
        if !self.is_of(shape.len, &shape.prefix) || shape.forms().next().is_some() {
            return None;
        }
        let field = |field: &WordField| Field { shift: field.shift, width: field.width };
        let fields = self.layout.fields.iter().map(field).collect();
        Some(Packing { level: 0, number: Some(0), fields })
    }
}

/// The states of the most frequent layout, if most are, and the length of their prefix.
fn most_frequent<'a>(
    layout_of: &LayoutOf,
    sample: &'a [Vec<u8>],
) -> Option<(Vec<&'a [u8]>, usize)> {
    let mut layouts: HashMap<(usize, &[u8]), Vec<&[u8]>> = HashMap::new();
    let mut last: Option<(usize, &[u8])> = None;
    for state in sample {
        let key = match last {
            Some((len, prefix)) if len == state.len() && state.starts_with(prefix) => (len, prefix),
            _ => (state.len(), &state[..layout_of(state).prefix]),
        };
        layouts.entry(key).or_default().push(state);
        last = Some(key);
    }
    let ((_, prefix), states) = layouts.into_iter().max_by_key(|(_, states)| states.len())?;
    let is_most = states.len() * MOST.1 > sample.len() * MOST.0;
    is_most.then_some((states, prefix.len()))
}

/// A field for each cell, if there is room: as wide as what was seen or, if `all` is wanted, as what is possible.
fn fields(cells: &[Cell], states: &[&[u8]], all: bool, room: u32) -> Option<Vec<WordField>> {
    let mut families = families(cells, states, all);
    let cells = split_constants(cells.to_vec(), states, &mut families);
    let plain = widths(&cells, &families, room);
    let has_grown = |cell: &Cell, widths: &HashMap<u32, u32>| {
        let (family, width) = (&families[&cell.family], widths[&cell.family]);
        !family.varies || width > family.width() || width >= limit_of(cell)
    };
    if let Some(widths) = &plain
        && cells.iter().all(|cell| has_grown(cell, widths))
    {
        return place(&cells, &families, widths, room);
    }
    let before = families.clone();
    let listed = list_values(cells.clone(), states, &mut families);
    let fields = widths(&listed, &families, room)
        .and_then(|widths| place(&listed, &families, &widths, room));
    fields.or_else(|| place(&cells, &before, &plain?, room))
}

/// What was seen of the cells of a family.
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

fn families(cells: &[Cell], states: &[&[u8]], all: bool) -> HashMap<u32, Family> {
    let mut families: HashMap<u32, Family> = HashMap::new();
    for cell in cells {
        let number = |state: &&[u8]| cell.number(cell.value(state));
        let first = number(&states[0]);
        let mut own = Family { least: first, most: first, varies: false };
        for value in states.iter().map(number) {
            own.varies |= value != first;
            (own.least, own.most) = (own.least.min(value), own.most.max(value));
        }
        if let Some(most) = cell.possible.as_ref().and_then(|values| values.last())
            && all
            && own.varies
            && bits(i64::from(*most)) <= bits(own.most) + MORE
        {
            own.most = own.most.max(i64::from(*most));
        }
        if let Some(values) = &cell.values {
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
/// they will not begin to, like the walls of a board.
fn split_constants(
    mut cells: Vec<Cell>,
    states: &[&[u8]],
    families: &mut HashMap<u32, Family>,
) -> Vec<Cell> {
    let number = |cell: &Cell, state: &&[u8]| cell.number(cell.value(state));
    let mut met: HashMap<u32, BTreeSet<i64>> = HashMap::new();
    let mut constant = vec![false; cells.len()];
    for (cell, constant) in cells.iter().zip(&mut constant) {
        let values: BTreeSet<i64> = states.iter().map(|state| number(cell, state)).collect();
        *constant = values.len() == 1;
        if values.len() > 1 {
            met.entry(cell.family).or_default().extend(values);
        }
    }
    let mut next = families.keys().max().map_or(0, |family| family + 1);
    for (cell, constant) in cells.iter_mut().zip(constant) {
        let value = number(cell, &states[0]);
        let varying = met.get(&cell.family);
        if constant && varying.is_some_and(|varying| !varying.contains(&value)) {
            families.insert(next, Family { least: value, most: value, varies: false });
            cell.family = next;
            next += 1;
        }
    }
    cells
}

/// Values that a list may have that was not told but seen.
const SEEN: usize = 32;
/// A list has to spare so many bits.
const SPARED: u32 = 2;

/// Lists the values of families that have few of a wide range: all that they can have, or those that they were seen to have and some more
/// as far as there is room for their numbers.
fn list_values(
    mut cells: Vec<Cell>,
    states: &[&[u8]],
    families: &mut HashMap<u32, Family>,
) -> Vec<Cell> {
    let mut met: HashMap<u32, BTreeSet<i64>> = HashMap::new();
    for cell in cells.iter().filter(|cell| cell.values.is_none()) {
        let values = states.iter().map(|state| cell.value(state));
        met.entry(cell.family).or_default().extend(values);
    }
    let mut possible: HashMap<u32, BTreeSet<i64>> = HashMap::new();
    for cell in &cells {
        if let Some(values) = &cell.possible {
            let values = values.iter().map(|value| i64::from(*value));
            possible.entry(cell.family).or_default().extend(values);
        }
    }
    for (family, seen) in met {
        let widest = bits(families[&family].most);
        let is_short = |values: &BTreeSet<i64>, spared: u32| {
            bits(values.len() as i64 - 1) + spared <= widest && values.first() >= Some(&0)
        };
        let told = possible.remove(&family);
        let told = told.filter(|told| told.is_superset(&seen) && is_short(told, SPARED));
        let list = match told {
            Some(told) => told,
            None if seen.len() <= SEEN && is_short(&seen, SPARED) => filled(seen),
            None => continue,
        };
        let list: Arc<[u32]> = list.iter().map(|value| *value as u32).collect();
        families.insert(family, Family { least: 0, most: list.len() as i64 - 1, varies: true });
        for cell in cells.iter_mut().filter(|cell| cell.family == family) {
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
            if *width < limit && count <= left && (round > 1 || families[family].varies) {
                (*width, left) = (*width + 1, left - count);
            }
        }
        if left == before && round > 1 {
            break;
        }
    }
    Some(widths)
}

/// Puts the fields side by side, none across the middle of a long word.
fn place(
    cells: &[Cell],
    families: &HashMap<u32, Family>,
    widths: &HashMap<u32, u32>,
    room: u32,
) -> Option<Vec<WordField>> {
    let mut shift = 0;
    let mut fields = Vec::with_capacity(cells.len());
    for cell in cells {
        let width = widths[&cell.family];
        if shift < u64::BITS && shift + width > u64::BITS {
            shift = u64::BITS;
        }
        let family = &families[&cell.family];
        let span = (1_i64 << width) - 1;
        let (lowest, highest) = match &cell.values {
            Some(values) => (0, family.most.max(values.len() as i64 - 1)),
            None => (cell.least, cell.most),
        };
        let base = match family.least {
            0.. if family.most <= span => 0,
            least => least.min((highest - span).max(lowest)).max(family.most - span),
        };
        fields.push(WordField {
            cell: cell.clone(),
            shift: if width == 0 { 0 } else { shift },
            width,
            base,
        });
        shift += width;
    }
    (shift <= room).then_some(fields)
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinor_ts::Layout;

    fn plan(cells: Vec<Cell>, sample: &[Vec<u8>]) -> Option<Direct> {
        let layout_of: LayoutOf =
            Arc::new(|state| Layout { prefix: 1, ends: vec![state.len()], seams: Vec::new() });
        let cells_of: CellsOf = Arc::new(move |_| cells.clone());
        Direct::plan::<u64>(&cells_of, &layout_of, sample)
    }

    fn cell(start: usize, bytes: u8, (least, most): (i64, i64), family: u32) -> Cell {
        Cell { start, bytes, least, most, family, values: None, possible: None }
    }

    #[test]
    fn fields_hold_what_was_seen() {
        let cells = vec![
            cell(1, 1, (0, 255), 0),
            cell(2, 1, (0, 255), 0),
            cell(3, 2, (-32768, 32767), 1),
            cell(5, 1, (0, 255), 2),
        ];
        let sample =
            [vec![9, 3, 7, 0xff, 0xff, 100], vec![9, 0, 1, 4, 0, 100], vec![9, 200, 1, 0, 0, 100]];
        let direct = plan(cells, &sample).unwrap();
        for state in &sample {
            for field in &direct.layout.fields {
                let value = field.cell.number(field.cell.value(state));
                assert!(field.base <= value && value <= field.most(), "{field:?} {value}");
            }
        }
        let fields: Vec<&WordField> =
            direct.layout.fields.iter().filter(|field| field.width > 0).collect();
        assert!(fields.iter().all(|field| field.shift + field.width <= 62));
        assert!(fields.windows(2).all(|f| f[0].shift + f[0].width <= f[1].shift), "{fields:?}");
        assert!(direct.is_of(6, &[9]) && !direct.is_of(6, &[8]) && !direct.is_of(7, &[9]));
    }

    #[test]
    fn what_is_not_covered_or_too_wide_has_no_plan() {
        let wide = |start: usize| cell(start, 4, (i64::from(i32::MIN), i64::from(i32::MAX)), 0);
        let sample = [vec![0; 13], vec![0xf0; 13]];
        let sample: Vec<Vec<u8>> = sample
            .map(|mut state: Vec<u8>| {
                state[0] = 1;
                state
            })
            .into();
        assert!(plan(vec![wide(1), wide(5), wide(9)], &sample).is_none());
        assert!(plan(vec![cell(1, 1, (0, 255), 0)], &[vec![1, 2, 3]]).is_none());
        assert!(
            plan(vec![cell(1, 1, (0, 255), 0), cell(2, 1, (0, 255), 0)], &[vec![1, 2, 3]])
                .is_some()
        );
    }
}
