//! A program whose own labels say which runs are accepting.

use crate::components::{self, Place};
use spinor_exec::{Exec, accepts_inside_atomic};
use spinor_program::Automaton;
use spinor_ts::{
    Component, EventKind, Expansion, Label, OmegaSystem, TransitionSystem, Violation, ViolationKind,
};

/// A system in which a state is accepting if some process, or the never claim that the
/// engine runs, is at an `accept` label.
pub struct Marked<T> {
    system: T,
    judge: Exec,
    violation: Violation,
    /// Moves can be accepting that begin in states that are not.
    passes_labels: bool,
    /// By location of the claim, if there is one and only it has `accept` labels.
    places: Option<Vec<Place>>,
}

impl<T: TransitionSystem> Marked<T> {
    /// `judge` knows the labels; its options are those of `system`.
    #[must_use]
    pub fn new(system: T, judge: Exec, violation: Violation, claim: Option<&Automaton>) -> Self {
        let passes_labels = accepts_inside_atomic(judge.program());
        let places = claim.map(components::of_claim);
        Marked { system, judge, violation, passes_labels, places }
    }

    /// How many events a state has, and how many of them are the system's.
    pub(crate) fn count_events(&mut self, state: &[u8]) -> (usize, usize) {
        let mut expansion = Expansion::new();
        self.system.expand(state, &mut expansion);
        let of_system = expansion.events().len();
        self.expand(state, &mut expansion);
        (expansion.events().len(), of_system)
    }

    /// The system.
    pub fn system(&self) -> &T {
        &self.system
    }
}

impl<T: TransitionSystem> TransitionSystem for Marked<T> {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        self.system.initial()
    }

    fn hidden_bytes(&self) -> usize {
        self.system.hidden_bytes()
    }

    fn lies_outside(&self, state: &[u8]) -> bool {
        let Some(places) = &self.places else { return false };
        places[self.judge.claim_location(state)].is_outside
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        self.system.expand(state, out);
        let is_accepting = self.judge.is_accepting(state);
        let accepting = u32::from(is_accepting);
        let rests = |kind| matches!(kind, EventKind::Violation(v) if v.kind == ViolationKind::InvalidEndState);
        let is_at_rest = out.events().iter().all(|e| rests(e.kind));
        let has_claim = self.judge.has_claim();
        if is_at_rest && is_accepting && !has_claim && self.judge.process_count(state) > 0 {
            // A run that ends goes on for ever where it is. A claim sees to that itself.
            out.push_successor(state, 1);
        }
        let events = out.events().len();
        let labels = out.labels_mut();
        labels.resize(events, Label::default());
        labels.iter_mut().for_each(|label| label.accepting |= accepting);
    }
}

impl<T: TransitionSystem> OmegaSystem for Marked<T> {
    fn acceptance_sets(&self) -> u32 {
        1
    }

    fn is_state_based(&self) -> bool {
        !self.passes_labels
    }

    fn cycle_violation(&self) -> Violation {
        self.violation
    }

    fn component(&self, state: &[u8]) -> Component {
        let Some(places) = &self.places else { return Component::default() };
        places[self.judge.claim_location(state)].component
    }
}
