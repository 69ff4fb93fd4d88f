//! Which forms the layouts have.

use super::codec::Codec;
use super::finder::Finder;
use super::layouts::{Dictionaries, FORMS, Shape, Shapes};
use super::local::TreeLocal;
use super::packing::{self, Packing};
use super::word::{PACKINGS, Word};
use crate::dictionary::Meter;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Layouts of the sample that get a packing at once; the others' numbers are for later.
const PLANNED: usize = PACKINGS / 2;
/// Packings of one level that a layout can have before it goes up.
const PER_LEVEL: usize = 3;

/// What is shared and changes.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) shapes: Shapes,
    pub(super) dictionaries: Dictionaries,
    /// Packings so far.
    packings: usize,
}

impl Plan {
    pub(super) fn new(meter: &Arc<Meter>) -> Self {
        Self { shapes: Shapes::default(), dictionaries: Dictionaries::new(meter), packings: 0 }
    }
}

impl<W: Word> Codec<W> {
    /// Fills dictionaries from the sample and gives its layouts their first packings.
    pub(super) fn prepare(&self, sample: &[Vec<u8>]) {
        let mut local = TreeLocal::<W>::new();
        let mut states: Vec<Vec<&[u8]>> = Vec::new();
        for (at, state) in sample.iter().enumerate() {
            let shape = local.shape_of(self, state);
            states.resize_with(states.len().max(shape + 1), Vec::new);
            states[shape].push(state);
            local.climb(state, shape, 0);
            if at == sample.len() / 2 {
                self.plan().dictionaries.iter().for_each(crate::dictionary::Dictionary::mark);
            }
        }
        let mut order: Vec<usize> = (0..states.len()).collect();
        let is_direct = |shape: &usize| {
            let shape = &local.finder.shapes[*shape];
            self.direct.as_ref().is_some_and(|direct| direct.is_of(shape.len, &shape.prefix))
        };
        order.sort_by_key(|shape| (!is_direct(shape), std::cmp::Reverse(states[*shape].len())));
        for shape in order.into_iter().take(PLANNED) {
            self.prepare_shape(&mut local, shape, &states[shape]);
        }
    }

    fn prepare_shape(&self, local: &mut TreeLocal<W>, at: usize, states: &[&[u8]]) {
        let shape = Arc::clone(&local.finder.shapes[at]);
        for level in 0..=shape.top() {
            if level > 0 {
                shape.need_pairs(&mut self.plan().dictionaries);
                for (count, state) in states.iter().enumerate() {
                    local.climb(state, at, level);
                    if count == states.len() / 2 {
                        shape.pairs(level).iter().for_each(|pair| pair.dictionary.mark());
                    }
                }
            }
            if self.add_packing(&mut self.plan(), &shape, level) {
                return;
            }
        }
    }

    /// Appends a form that the state in question fits; `climb` makes its numbers up to a level.
    /// Does nothing if others have appended to the `seen` ones meanwhile.
    #[cold]
    pub(super) fn add_form(&self, shape: &Shape, seen: usize, climb: impl FnMut(usize)) {
        let mut plan = self.plan();
        let forms = shape.forms().count();
        if forms > seen {
            return;
        }
        self.append_form(&mut plan, shape, climb);
        // Cells that are direct have moves in their first form only.
        let is_good =
            |form: &Packing| form.level == 0 && form.number.is_some() && self.direct.is_none();
        let is_first = self.packings[0].get().is_some_and(|(first, _)| *first == shape.id);
        if is_first && !shape.forms().last().is_some_and(is_good) {
            self.strain.store(true, Ordering::Relaxed);
        }
    }

    fn append_form(&self, plan: &mut Plan, shape: &Shape, mut climb: impl FnMut(usize)) {
        let forms = shape.forms().count();
        let lowest = shape.forms().last().map_or(0, |form| form.level);
        let tried = shape.forms().filter(|form| form.level == lowest).count();
        for level in lowest..=shape.top() {
            if (level == lowest && tried >= PER_LEVEL) || forms + 1 >= FORMS {
                continue;
            }
            if level > 0 {
                shape.need_pairs(&mut plan.dictionaries);
                // The numbers of this state have to be among those that the packing is made for.
                climb(level);
            }
            if self.add_packing(plan, shape, level) {
                for leaf in &shape.leaves {
                    leaf.dictionary.dictionary.mark();
                }
                for level in 1..=level {
                    shape.pairs(level).iter().for_each(|pair| pair.dictionary.mark());
                }
                return;
            }
        }
        shape.need_pairs(&mut plan.dictionaries);
        let is_new = shape.forms[forms].set(Packing::wide(shape.top())).is_ok();
        debug_assert!(is_new, "forms are appended under the lock");
    }

    fn add_packing(&self, plan: &mut Plan, shape: &Shape, level: usize) -> bool {
        let number = plan.packings;
        let at = shape.forms().count();
        let (Some(number_place), Some(place)) = (self.packings.get(number), shape.forms.get(at))
        else {
            return false;
        };
        let direct = self.direct.as_ref().filter(|_| number == 0);
        let direct = direct.and_then(|direct| direct.packing(shape));
        let Some(packing) = direct.or_else(|| packing::plan::<W>(shape, level, number)) else {
            return false;
        };
        plan.packings += 1;
        // First what words lead to, then the words.
        let is_new = number_place.set((shape.id, at)).is_ok() && place.set(packing).is_ok();
        debug_assert!(is_new, "forms are appended under the lock");
        true
    }

    /// The shape of a state that `finder` does not know; makes all shapes known to it.
    #[cold]
    pub(super) fn learn(&self, finder: &mut Finder, state: &[u8]) -> usize {
        let layout = (self.layout_of)(state);
        let plan = &mut *self.plan();
        let ends = self.grain.ends(&layout);
        let Plan { shapes, dictionaries, .. } = plan;
        let direct = self.direct.as_ref();
        let shape = shapes.get(state, layout.prefix, &ends, direct, dictionaries);
        finder.learn(&plan.shapes.all);
        shape.id as usize
    }
}
