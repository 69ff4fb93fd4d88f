//! Runs with few preemptions.
//!
//! A preemption is a move of another process while the one that moved last could go on. States
//! carry, in front of their hidden bytes, who moved last and how many preemptions there
//! were; a move beyond the bound is left out, and the expansion says so. M. Musuvathi, S. Qadeer,
//! "Iterative context bounding" (2007).

use spinor_ts::{EventKind, Expansion, TransitionSystem, Violation};

/// What expansions say where something was left out.
const CUT: &str = "runs with more preemptions than `--context-bound` allows were left out";

/// Bytes that states have more.
const EXTRA: usize = 2;

/// A system of which only runs with few preemptions are looked at. Events need labels.
#[derive(Debug)]
pub struct ContextBounded<T> {
    system: T,
    bound: u8,
    hidden: usize,
    state: Vec<u8>,
    events: Expansion,
    /// By event: its number among all of the system.
    origins: Vec<u32>,
}

impl<T: TransitionSystem> ContextBounded<T> {
    /// The runs of a system that labels its events, with at most `bound` preemptions.
    pub fn new(system: T, bound: u8) -> Self {
        Self {
            hidden: system.hidden_bytes(),
            system,
            bound: bound.min(u8::MAX - 1),
            state: Vec::new(),
            events: Expansion::new(),
            origins: Vec::new(),
        }
    }

    /// The system.
    pub fn system(&self) -> &T {
        &self.system
    }

    /// The number that an event of a state has among all events of the system.
    pub fn origin(&mut self, state: &[u8], event: u32) -> Option<u32> {
        self.expand(state, &mut Expansion::new());
        self.origins.get(event as usize).copied()
    }

    /// A state of the system with what is known of the run.
    fn extend(&self, state: &[u8], last: u8, used: u8, out: &mut Vec<u8>) {
        let (visible, hidden) = state.split_at(state.len() - self.hidden);
        out.clear();
        out.extend_from_slice(visible);
        out.extend_from_slice(&[last, used]);
        out.extend_from_slice(hidden);
    }
}

impl<T: TransitionSystem> TransitionSystem for ContextBounded<T> {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        let state = self.system.initial()?;
        let mut extended = Vec::new();
        self.extend(&state, 0, 0, &mut extended);
        Ok(extended)
    }

    fn hidden_bytes(&self) -> usize {
        self.hidden
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        let (visible, hidden) = state.split_at(state.len() - self.hidden);
        let (visible, extra) = visible.split_at(visible.len() - EXTRA);
        let (last, used) = (extra[0], extra[1]);
        self.state.clear();
        self.state.extend_from_slice(visible);
        self.state.extend_from_slice(hidden);
        let mut events = std::mem::take(&mut self.events);
        self.system.expand(&self.state, &mut events);
        out.clear();
        out.atomic_steps = events.atomic_steps;
        out.deepest = events.deepest;
        out.cut = events.cut;
        self.origins.clear();
        let last_bit = u64::from(last).checked_sub(1).map_or(0, |pid| 1_u64 << (pid % 64));
        let mut next = std::mem::take(&mut self.state);
        for (number, event) in (0..).zip(events.events()) {
            let movers = events.labels().get(number as usize).map_or(0, |label| label.movers);
            let is_other = movers != 0 && movers & last_bit == 0;
            let is_preemption = is_other && events.enabled & last_bit != 0;
            let used = used + u8::from(is_preemption);
            if used > self.bound {
                out.cut = out.cut.or(Some(CUT));
                continue;
            }
            self.origins.push(number);
            match event.kind {
                EventKind::Violation(violation) => out.push_violation(violation, event.steps),
                EventKind::Successor => {
                    let last = if is_other { movers.trailing_zeros() as u8 + 1 } else { last };
                    self.extend(events.state(event), last, used, &mut next);
                    out.push_successor(&next, event.steps);
                }
            }
        }
        self.state = next;
        self.events = events;
    }
}
