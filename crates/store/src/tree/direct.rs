//! States whose cells stand in words as they are: no dictionary has to be asked, so engines can compute with words.
//!
//! The most frequent layout of a sample gets a field for each cell, as wide as the values seen and, as far as there is room, wider. Such a field
//! is a leaf like others, whose dictionary counts values from the least one on. What does not fit belongs to the
//! layout's other forms, as always.

mod fields;

use super::layouts::Shape;
use super::packing::{Field, Packing};
use super::word::{Word, field_bits};
use spinor_ts::{CellsOf, LayoutOf, WordField, WordLayout, WordUse};
use std::collections::HashMap;
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
        wanted: WordUse,
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
        let (fields, is_sure) = fields::fields(&cells, &states, room, wanted.is_sure)?;
        let limbs = W::BITS.div_ceil(u64::BITS) as usize;
        let good_for = WordUse { is_sure, ..wanted };
        let layout = WordLayout { state: first.to_vec(), fields, limbs, good_for };
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

#[cfg(test)]
mod tests {
    use super::*;
    use spinor_ts::{Cell, Layout, Quad};
    use std::collections::BTreeSet;

    fn plan(cells: Vec<Cell>, sample: &[Vec<u8>]) -> Option<Direct> {
        let layout_of: LayoutOf =
            Arc::new(|state| Layout { prefix: 1, ends: vec![state.len()], seams: Vec::new() });
        let cells_of: CellsOf = Arc::new(move |_| cells.clone());
        Direct::plan::<u64>(&cells_of, &layout_of, sample, WordUse::default())
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
        let mut fields: Vec<&WordField> =
            direct.layout.fields.iter().filter(|field| field.width > 0).collect();
        fields.sort_by_key(|field| field.shift);
        assert!(fields.iter().all(|field| field.shift + field.width <= 62));
        assert!(fields.windows(2).all(|f| f[0].shift + f[0].width <= f[1].shift), "{fields:?}");
        assert!(direct.is_of(6, &[9]) && !direct.is_of(6, &[8]) && !direct.is_of(7, &[9]));
    }

    #[test]
    fn arrays_lie_within_64_bits() {
        // Three arrays of twelve numbers up to 12, each with a number behind it.
        let start = |array: usize| 1 + 13 * array;
        let array = |n: usize| {
            let own = (0..12).map(move |at| cell(start(n) + at, 1, (0, 255), 2 * n as u32));
            own.chain([cell(start(n) + 12, 1, (0, 255), 2 * n as u32 + 1)])
        };
        let cells: Vec<Cell> = (0..3).flat_map(array).collect();
        let sample: Vec<Vec<u8>> = (0..13_u8)
            .map(|n| (0..40).map(|at| if at == 0 { 1 } else { (n + at) % 13 }).collect())
            .collect();
        let layout_of: LayoutOf =
            Arc::new(|state| Layout { prefix: 1, ends: vec![state.len()], seams: Vec::new() });
        let cells_of: CellsOf = Arc::new(move |_| cells.clone());
        assert!(Direct::plan::<u128>(&cells_of, &layout_of, &sample, WordUse::default()).is_none());
        let sure = WordUse { is_sure: true, may_sleep: false };
        let direct = Direct::plan::<Quad>(&cells_of, &layout_of, &sample, sure).unwrap();
        let fields = &direct.layout.fields;
        for own in fields.chunks(13).map(|own| &own[..12]) {
            assert!(own.iter().all(|field| field.shift / 64 == own[0].shift / 64), "{own:?}");
            assert!(own.windows(2).all(|f| f[0].shift + f[0].width == f[1].shift), "{own:?}");
        }
        let mut bits = BTreeSet::new();
        for field in fields {
            assert!(field.shift / 64 == (field.shift + field.width - 1) / 64);
            assert!((field.shift..field.shift + field.width).all(|bit| bits.insert(bit)));
        }
        assert!(bits.last() < Some(&250) && direct.layout.limbs == 4);
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
