//! Choueka's construction: copies of the graph in place of several conditions.
//!
//! A state carries the number of its copy. In each copy but the last, one condition is
//! waited for: a move of some acceptance set, or fairness to some process, which is met by
//! a move that the process takes part in and by any move from a state in which it cannot
//! move. A move that meets the condition leads on, past all copies whose condition it meets
//! as well. States of the last copy are accepting; moves from there begin anew.
//!
//! Events keep their numbers, so a path of the copies is a path of the system.
//!
//! The book has a null move to the next copy where a process cannot move; here that is
//! part of the next move, which saves states and changes no verdict.

use super::judge::label_of;
use spinor_ts::{
    Component, ComponentClass, EventKind, Expansion, Fairness, Label, Layout, LayoutOf, MAX_MOVERS,
    OmegaSystem, TransitionSystem, Violation,
};
use std::sync::Arc;

/// A system as one with a single acceptance set of states.
pub(crate) struct Copies<'a, T> {
    pub(crate) system: &'a mut T,
    pub(crate) fairness: Fairness,
    sets: u32,
    /// Number of the last copy.
    last: u32,
    hidden_length: usize,
    events: Expansion,
    next: Vec<u8>,
}

/// Whether a search for cycles through accepting states needs copies: its states have one
/// more byte then, in front of the hidden ones.
pub fn needs_copies<T: OmegaSystem>(system: &T, fairness: Fairness) -> bool {
    let is_plain = match system.acceptance_sets() {
        0 => true,
        sets => sets == 1 && system.is_state_based(),
    };
    !is_plain || fairness != Fairness::None
}

/// The layout of states with the number of a copy.
#[must_use]
pub fn layout_of_copies(layout_of: LayoutOf) -> LayoutOf {
    Arc::new(move |state: &[u8]| {
        let Some((_, rest)) = state.split_last() else { return layout_of(state) };
        let Layout { prefix, mut ends, seams } = layout_of(rest);
        ends.push(state.len());
        Layout { prefix, ends, seams }
    })
}

impl<'a, T: OmegaSystem> Copies<'a, T> {
    /// Strong fairness cannot be had this way: it counts as none.
    pub(crate) fn new(system: &'a mut T, fairness: Fairness) -> Self {
        let sets = system.acceptance_sets();
        let processes = if fairness == Fairness::Weak { MAX_MOVERS as u32 } else { 0 };
        Self {
            fairness,
            sets,
            last: sets + processes,
            hidden_length: system.hidden_bytes(),
            system,
            events: Expansion::new(),
            next: Vec::new(),
        }
    }

    /// The copy that a move leads to.
    fn next_copy(&self, copy: u32, label: Label, enabled: u64) -> u8 {
        let mut next = if copy >= self.last { 0 } else { copy };
        let fair = label.movers | !enabled;
        let is_met = |copy: u32| match copy.checked_sub(self.sets) {
            None => label.accepting >> copy & 1 != 0,
            Some(process) => fair >> process & 1 != 0,
        };
        while next < self.last && is_met(next) {
            next += 1;
        }
        next as u8
    }
}

impl<T: OmegaSystem> TransitionSystem for Copies<'_, T> {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        let mut state = self.system.initial()?;
        state.insert(state.len() - self.hidden_length, 0);
        Ok(state)
    }

    fn hidden_bytes(&self) -> usize {
        self.hidden_length
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        out.clear();
        let at = state.len() - self.hidden_length - 1;
        let copy = u32::from(state[at]);
        self.next.clear();
        self.next.extend_from_slice(&state[..at]);
        self.next.extend_from_slice(&state[at + 1..]);
        self.system.expand(&self.next, &mut self.events);
        let events = &self.events;
        out.atomic_steps = events.atomic_steps;
        out.deepest = events.deepest;
        out.cut = events.cut;
        out.enabled = events.enabled;
        let accepting = u32::from(copy == self.last);
        for (number, event) in events.events().iter().enumerate() {
            let label = label_of(events, number);
            match event.kind {
                EventKind::Successor => {
                    let base = events.state(event);
                    let (visible, hidden) = base.split_at(base.len() - self.hidden_length);
                    let to = self.next_copy(copy, label, events.enabled);
                    self.next.clear();
                    self.next.extend_from_slice(visible);
                    self.next.push(to);
                    self.next.extend_from_slice(hidden);
                    out.push_successor(&self.next, event.steps);
                }
                EventKind::Violation(violation) => out.push_violation(violation, event.steps),
            }
            if out.labels().len() < out.events().len() {
                out.labels_mut().push(Label { accepting, movers: label.movers });
            }
        }
    }
}

impl<T: OmegaSystem> OmegaSystem for Copies<'_, T> {
    fn acceptance_sets(&self) -> u32 {
        1
    }

    fn is_state_based(&self) -> bool {
        true
    }

    fn cycle_violation(&self) -> Violation {
        self.system.cycle_violation()
    }

    fn component(&self, state: &[u8]) -> Component {
        let at = state.len() - self.hidden_length - 1;
        let base = [&state[..at], &state[at + 1..]].concat();
        let component = self.system.component(&base);
        let class = match component.class {
            // Not every cycle is fair.
            ComponentClass::FullyAccepting => ComponentClass::PartlyAccepting,
            class => class,
        };
        Component { class, ..component }
    }
}
