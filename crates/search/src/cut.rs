//! What a depth bound hid.
//!
//! That runs were cut does not mean that anything was missed: the states beyond
//! may have been reached by shorter runs, before or after. So the states whose
//! events were cut are marked, a visit at a smaller depth begins without a mark,
//! and at the end the marked ones are looked at once more.

use spinor_store::{BitSet, StateId, Visited};
use spinor_ts::{EventKind, Expansion, TransitionSystem, Violation};

/// The states with events beyond the bound.
#[derive(Debug, Default)]
pub(crate) struct Cuts {
    marks: BitSet,
    is_certain: bool,
    /// Something was cut, hidden or not, even if it was reached by a shorter run later.
    ever: bool,
}

impl Cuts {
    /// Something is hidden, whatever follows.
    pub(crate) fn set_certain(&mut self) {
        self.is_certain = true;
        self.ever = true;
    }

    pub(crate) fn mark(&mut self, id: StateId) {
        self.marks.set(id);
        self.ever = true;
    }

    pub(crate) fn unmark(&mut self, id: StateId) {
        self.marks.clear(id);
    }

    pub(crate) fn bytes_used(&self) -> u64 {
        self.marks.bytes_used()
    }

    /// Whether anything was ever cut.
    pub(crate) fn ever(&self) -> bool {
        self.ever
    }

    /// Whether anything was cut, hidden or not.
    pub(crate) fn any(&self) -> bool {
        self.is_certain || !self.marks.is_empty()
    }

    /// Whether anything is hidden: a state not visited, or a violation that
    /// `is_beyond` the bound.
    pub(crate) fn hide<T: TransitionSystem, V: Visited>(
        &self,
        system: &mut T,
        visited: &V,
        is_beyond: impl Fn(StateId, Violation, u32) -> bool,
    ) -> bool {
        if self.is_certain || system.hidden_bytes() > 0 {
            // Without its hidden bytes a state cannot be expanded again.
            return self.any();
        }
        let mut state = Vec::new();
        let mut expansion = Expansion::new();
        self.marks.iter().any(|id| {
            visited.get(id, &mut state);
            system.expand(&state, &mut expansion);
            expansion.events().iter().any(|event| match event.kind {
                EventKind::Successor => visited.find(expansion.state(event)).is_none(),
                EventKind::Violation(violation) => is_beyond(id, violation, event.steps),
            })
        })
    }
}
