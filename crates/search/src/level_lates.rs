//! Violations, which count when their depth is reached and not when they are seen.

use crate::lineage::Origin;
use spinor_ts::{Depth, Violation};
use std::collections::BTreeMap;

/// The occurrences of one violation at one depth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Late {
    pub(crate) occurrences: u64,
    /// The one that is shown: parent and event of the violation itself.
    pub(crate) origin: Origin,
}

/// What one thread has seen, by depth.
#[derive(Debug, Default)]
pub(crate) struct Lates(BTreeMap<(Depth, Violation), Late>);

impl Lates {
    #[cold]
    pub(crate) fn push(&mut self, depth: Depth, violation: Violation, origin: Origin) {
        let late = Late { occurrences: 1, origin };
        self.0.entry((depth, violation)).and_modify(|late| late.occurrences += 1).or_insert(late);
    }

    pub(crate) fn next_depth(&self) -> Option<Depth> {
        self.0.keys().next().map(|(depth, _)| *depth)
    }

    /// Moves the violations up to `depth` to `all`.
    pub(crate) fn take(&mut self, depth: Depth, all: &mut BTreeMap<Violation, Late>) {
        while let Some(entry) = self.0.first_entry()
            && entry.key().0 <= depth
        {
            let ((_, violation), late) = entry.remove_entry();
            all.entry(violation)
                .and_modify(|known| {
                    known.occurrences += late.occurrences;
                    if late.origin.parent < known.origin.parent {
                        known.origin = late.origin;
                    }
                })
                .or_insert(late);
        }
    }
}
