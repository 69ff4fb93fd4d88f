//! A system in step with the automaton of a formula.

mod batch;

use crate::Origin;
use crate::claim::{Claim, Progress};
use spinor_exec::{Exec, Proposition};
use spinor_ts::{
    Component, Event, EventKind, Expansion, Label, Layout, LayoutOf, OmegaSystem, Padded,
    TransitionSystem, Violation, ViolationKind,
};
use std::sync::Arc;

/// A system and a claim. A state is the visible bytes of the system's state, two bytes for
/// the state of the claim, and the hidden bytes of the system's state.
pub struct Product<T> {
    system: T,
    judge: Exec,
    claim: Arc<Claim>,
    propositions: Vec<Proposition>,
    hidden: usize,
    violation: Violation,
    /// What the system does in the state at hand.
    moves: Expansion,
    /// The system's state, put together.
    state: Vec<u8>,
    /// Where the moves of each of several states end.
    ends: Vec<u32>,
    /// Where the events of the last expansion come from, if somebody asked.
    origins: Option<Vec<Origin>>,
}

/// Bytes of the claim's state.
const CLAIM_BYTES: usize = 2;

impl<T: TransitionSystem> Product<T> {
    /// `judge` evaluates the propositions of the claim and runs the program without a claim,
    /// as `system` does.
    #[must_use]
    pub fn new(
        system: T,
        judge: Exec,
        claim: Arc<Claim>,
        propositions: Vec<Proposition>,
        violation: Violation,
    ) -> Self {
        let hidden = system.hidden_bytes();
        Product {
            system,
            judge,
            claim,
            propositions,
            hidden,
            violation,
            moves: Expansion::new(),
            state: Vec::new(),
            ends: Vec::new(),
            origins: None,
        }
    }

    /// The system.
    pub fn system(&self) -> &T {
        &self.system
    }

    /// The part of a product's state that is the system's.
    #[must_use]
    pub fn system_state(&self, state: &[u8]) -> Vec<u8> {
        let visible = self.visible(state);
        [&state[..visible], &state[visible + CLAIM_BYTES..]].concat()
    }

    /// Where the events of a state come from.
    pub(crate) fn origins(&mut self, state: &[u8]) -> Vec<Origin> {
        self.origins = Some(Vec::new());
        self.expand(state, &mut Expansion::new());
        self.origins.take().unwrap_or_default()
    }

    fn visible(&self, state: &[u8]) -> usize {
        state.len() - self.hidden - CLAIM_BYTES
    }

    fn claim_state(&self, state: &[u8]) -> u16 {
        let visible = self.visible(state);
        u16::from_le_bytes([state[visible], state[visible + 1]])
    }

    fn push(&mut self, out: &mut Expansion, state: &[u8], to: u16, event: ProductEvent) {
        let visible = state.len() - self.hidden;
        let (events, bytes) = out.raw_parts();
        let start = bytes.len() as u32;
        bytes.extend_from_slice(&state[..visible]);
        bytes.extend_from_slice(&to.to_le_bytes());
        bytes.extend_from_slice(&state[visible..]);
        events.push(Event::successor(event.steps, start, bytes.len() as u32));
        out.labels_mut().push(event.label);
        if let Some(origins) = &mut self.origins {
            origins.push(event.origin);
        }
    }

    fn push_violation(
        &mut self,
        out: &mut Expansion,
        violation: Violation,
        steps: u32,
        origin: Origin,
    ) {
        out.push_violation(violation, steps);
        out.labels_mut().push(Label::default());
        if let Some(origins) = &mut self.origins {
            origins.push(origin);
        }
    }

    /// All pairs of a move of the claim and a move of the system.
    fn combine(&mut self, state: &[u8], at: u16, moves: &Expansion, out: &mut Expansion) {
        let is_at_rest = is_at_rest(moves.events());
        let valuation = match self.judge.valuation(state, &self.propositions) {
            Ok(valuation) => valuation,
            Err(violation) => {
                self.push_violation(out, violation, 0, Origin::Claim);
                return;
            }
        };
        if is_at_rest && self.claim.about == Progress::NonProgress {
            return;
        }
        let claim = Arc::clone(&self.claim);
        let mut is_first = true;
        let mut is_over = false;
        for edge in claim.states[usize::from(at)].edges.iter().filter(|e| e.admits(valuation)) {
            if claim.states[usize::from(edge.target)].place.accepts_all {
                if !std::mem::replace(&mut is_over, true) {
                    self.push_violation(out, self.violation_at_once(), 0, Origin::Claim);
                }
                continue;
            }
            for (number, event) in moves.events().iter().enumerate() {
                let origin = Origin::System(number as u32);
                match event.kind {
                    EventKind::Successor => {
                        let movers = moves.labels().get(number).map_or(0, |l| l.movers);
                        let label = Label { accepting: edge.accepting, movers };
                        let event_of = ProductEvent { steps: event.steps, label, origin };
                        self.push(out, moves.state(event), edge.target, event_of);
                    }
                    EventKind::Violation(violation) if is_first => {
                        self.push_violation(out, violation, event.steps, origin);
                    }
                    EventKind::Violation(_) => {}
                }
            }
            is_first = false;
            if is_at_rest {
                let label = Label { accepting: edge.accepting, movers: 0 };
                let stutter = ProductEvent { steps: 1, label, origin: Origin::Stutter };
                self.push(out, state, edge.target, stutter);
            }
        }
    }

    fn violation_at_once(&self) -> Violation {
        Violation { kind: ViolationKind::ClaimViolated, site: self.violation.site }
    }
}

#[derive(Clone, Copy)]
struct ProductEvent {
    steps: u32,
    label: Label,
    origin: Origin,
}

impl<T: TransitionSystem> TransitionSystem for Product<T> {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        let state = self.system.initial()?;
        let visible = state.len() - self.hidden;
        let claim = self.claim.initial.to_le_bytes();
        Ok([&state[..visible], &claim, &state[visible..]].concat())
    }

    fn hidden_bytes(&self) -> usize {
        self.hidden
    }

    fn lies_outside(&self, state: &[u8]) -> bool {
        self.claim.states[usize::from(self.claim_state(state))].place.is_outside
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        out.clear();
        let visible = self.visible(state);
        let at = self.claim_state(state);
        if self.claim.states[usize::from(at)].place.accepts_all {
            // The formula is violated before anything happened.
            self.push_violation(out, self.violation_at_once(), 0, Origin::Claim);
            return;
        }
        let mut own = std::mem::take(&mut self.state);
        own.clear();
        own.extend_from_slice(&state[..visible]);
        own.extend_from_slice(&state[visible + CLAIM_BYTES..]);
        let mut moves = std::mem::take(&mut self.moves);
        self.system.expand(&own, &mut moves);
        out.atomic_steps = moves.atomic_steps;
        out.deepest = moves.deepest;
        out.cut = moves.cut;
        out.enabled = moves.enabled;
        self.combine(&own, at, &moves, out);
        self.state = own;
        self.moves = moves;
    }

    fn expand_many(&mut self, states: &[Padded<'_>], out: &mut Expansion, ends: &mut Vec<u32>) {
        self.expand_batch(states, out, ends);
    }
}

impl<T: TransitionSystem> OmegaSystem for Product<T> {
    fn acceptance_sets(&self) -> u32 {
        self.claim.sets
    }

    fn is_state_based(&self) -> bool {
        self.claim.is_state_based
    }

    fn cycle_violation(&self) -> Violation {
        self.violation
    }

    fn component(&self, state: &[u8]) -> Component {
        self.claim.states[usize::from(self.claim_state(state))].place.component
    }
}

/// Whether nothing moves any more.
fn is_at_rest(events: &[Event]) -> bool {
    let rests =
        |kind| matches!(kind, EventKind::Violation(v) if v.kind == ViolationKind::InvalidEndState);
    events.iter().all(|event| rests(event.kind))
}

/// The layout of a product's states: that of the system's, and the claim's state.
#[must_use]
pub fn layout_of(system: LayoutOf) -> LayoutOf {
    Arc::new(move |state| {
        let Layout { prefix, mut ends, seams } = system(&state[..state.len() - CLAIM_BYTES]);
        ends.push(state.len());
        Layout { prefix, ends, seams }
    })
}
