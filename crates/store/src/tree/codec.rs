//! From states to words and back: all that threads share but the set of visited words.

use super::direct::Direct;
use super::grain::Grain;
use super::layouts::Numbered;
use super::lens::Lens;
use super::local::TreeLocal;
use super::packing;
use super::plan::Plan;
use super::word::{self, Kind, Word, kind};
use crate::dictionary::{Dictionary, Meter};
use spinor_ts::LayoutOf;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// So many states of a sample should fit well.
const MOST: (usize, usize) = (9, 10);

/// Layouts, their forms, and dictionaries.
pub(super) struct Codec<W> {
    pub(super) layout_of: LayoutOf,
    pub(super) grain: Grain,
    /// The layout whose cells stand in words as they are.
    pub(super) direct: Option<Direct>,
    /// Layout and form of each packing, by its number.
    pub(super) packings: [OnceLock<(u32, usize)>; word::PACKINGS],
    /// Numbers for layout and left half together.
    pub(super) crown: Numbered,
    plan: Mutex<Plan>,
    meter: Arc<Meter>,
    /// Memory of the dictionaries when they were last cleared up.
    tidied: AtomicU64,
    /// See [`is_strained`](Self::is_strained).
    pub(super) strain: AtomicBool,
    words: PhantomData<fn() -> W>,
}

impl<W: Word> Codec<W> {
    /// One for states like those of the `sample`.
    pub(super) fn new(
        layout_of: LayoutOf,
        sample: &[Vec<u8>],
        is_local: impl FnOnce() -> bool,
        direct: Option<Direct>,
    ) -> Self {
        let meter = Arc::new(Meter::default());
        let mut plan = Plan::new(&meter);
        let codec = Self {
            grain: Grain::of(&layout_of, sample, W::BITS, is_local),
            layout_of,
            direct,
            packings: [const { OnceLock::new() }; word::PACKINGS],
            crown: plan.dictionaries.add(),
            plan: Mutex::new(plan),
            meter,
            tidied: AtomicU64::new(0),
            strain: AtomicBool::default(),
            words: PhantomData,
        };
        codec.prepare(sample);
        codec
    }

    /// The list of forms and whatever else is shared and changes.
    pub(super) fn plan(&self) -> MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether most states of a sample are packed numbers of leaves, and bits are left for more of these.
    pub(super) fn suits(&self, sample: &[Vec<u8>]) -> bool {
        self.fits_most(sample, |lens, number| packing::has_room::<W>(&lens.shape, number))
    }

    /// The same, whether bits are left or not.
    pub(super) fn fits(&self, sample: &[Vec<u8>]) -> bool {
        self.fits_most(sample, |_, _| true)
    }

    fn fits_most(&self, sample: &[Vec<u8>], is_good: impl Fn(&Lens<W>, usize) -> bool) -> bool {
        let mut local = TreeLocal::new();
        let mut fitting = 0;
        // By packing, as soon as it is known.
        let mut is_fit = [None; word::PACKINGS];
        for state in sample {
            let word = local.word(self, state);
            let Kind::Packed(number) = kind(word) else { continue };
            let is_fit = is_fit[number].get_or_insert_with(|| {
                let at = local.lens_of(self, kind(word));
                let lens = &local.lenses.all[at];
                lens.is_flat && is_good(lens, number)
            });
            fitting += usize::from(*is_fit);
        }
        fitting * MOST.1 > sample.len() * MOST.0
    }

    /// Whether the most frequent states no longer fit forms of leaves, for want of bits.
    pub(super) fn is_strained(&self) -> bool {
        self.strain.load(Ordering::Relaxed)
    }

    /// As [`Store::quiesce`](crate::Store::quiesce).
    pub(super) fn quiesce(&self) {
        // There may be thousands of dictionaries, and levels of a search may be short.
        let used = self.meter.bytes_used();
        let tidied = self.tidied.load(Ordering::Relaxed);
        if used > tidied + tidied / 4 {
            self.plan().dictionaries.iter().for_each(Dictionary::quiesce);
            self.crown.dictionary.quiesce();
            self.tidied.store(self.meter.bytes_used(), Ordering::Relaxed);
        }
    }

    /// Memory of the dictionaries.
    pub(super) fn bytes_used(&self) -> u64 {
        self.meter.bytes_used()
    }

    /// Whether some dictionary cannot take many more values.
    pub(super) fn is_nearly_full(&self) -> bool {
        self.meter.is_nearly_full()
    }
}
