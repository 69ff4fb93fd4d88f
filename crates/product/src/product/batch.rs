//! The moves of several states at once: without labels, and with room behind each state.

use super::{CLAIM_BYTES, Product, is_at_rest};
use crate::claim::{ClaimEdge, Progress};
use spinor_ts::{Event, EventKind, Expansion, PADDING, Padded, TransitionSystem, one_by_one};
use std::sync::Arc;

/// States handed to the system in one go.
const GROUP: usize = 16;
/// Longest successor that is copied as a block.
const SHORT: usize = 64;
/// Bytes of successors beyond which the rest is left out.
const MAX_BYTES: usize = 1 << 30;
/// What is said then.
const TOO_LARGE: &str = "a state has too many large successors, some were left out";

impl<T: TransitionSystem> Product<T> {
    /// As [`TransitionSystem::expand_many`]; the events are those of `expand`, in its order.
    pub(super) fn expand_batch(
        &mut self,
        states: &[Padded<'_>],
        out: &mut Expansion,
        ends: &mut Vec<u32>,
    ) {
        let Some(group) = self.own_states(states) else {
            one_by_one(states, out, ends, |state, out| self.expand(state.state(), out));
            return;
        };
        out.clear();
        out.only_successors = true;
        ends.clear();
        let mut moves = std::mem::take(&mut self.moves);
        let mut move_ends = std::mem::take(&mut self.ends);
        let count = states.len().min(GROUP);
        self.system.expand_many(&group[..count], &mut moves, &mut move_ends);
        out.atomic_steps = moves.atomic_steps;
        out.deepest = moves.deepest;
        out.cut = moves.cut;
        out.is_plain = moves.is_plain;
        let mut used = 0;
        let mut first = 0;
        for ((state, own), end) in states.iter().zip(&group).zip(&move_ends) {
            let events = &moves.events()[first..*end as usize];
            let at = self.claim_state(state.state());
            self.pair(own.state(), at, &moves, events, out, &mut used);
            ends.push(out.events().len() as u32);
            first = *end as usize;
        }
        out.raw_parts().1.resize(used + PADDING, 0);
        self.moves = moves;
        self.ends = move_ends;
    }

    /// The system's part of the states, if it can be read where it lies and none of them is
    /// special.
    fn own_states<'s>(&self, states: &[Padded<'s>]) -> Option<[Padded<'s>; GROUP]> {
        let first = *states.first()?;
        if self.hidden > 0 || self.origins.is_some() {
            return None;
        }
        let mut own = [first; GROUP];
        for (place, state) in own.iter_mut().zip(states) {
            if self.accepts_all(self.claim_state(state.state())) {
                return None;
            }
            *place = Padded::new(state.bytes(), state.len() - CLAIM_BYTES)?;
        }
        Some(own)
    }

    fn accepts_all(&self, at: u16) -> bool {
        self.claim.states[usize::from(at)].place.accepts_all
    }

    /// All pairs of a move of the claim and one of the system's `events`. The states of `out`
    /// fill its bytes up to `used`.
    fn pair(
        &mut self,
        state: &[u8],
        at: u16,
        moves: &Expansion,
        events: &[Event],
        out: &mut Expansion,
        used: &mut usize,
    ) {
        let is_at_rest = is_at_rest(events);
        let valuation = match self.judge.valuation(state, &self.propositions) {
            Ok(valuation) => valuation,
            Err(violation) => {
                out.push_violation(violation, 0);
                (out.is_plain, out.only_successors) = (false, false);
                return;
            }
        };
        if is_at_rest && self.claim.about == Progress::NonProgress {
            return;
        }
        let claim = Arc::clone(&self.claim);
        let (mut is_first, mut is_over) = (true, false);
        for edge in claim.states[usize::from(at)].edges.iter().filter(|e| e.admits(valuation)) {
            if self.accepts_all(edge.target) {
                if !std::mem::replace(&mut is_over, true) {
                    out.push_violation(self.violation_at_once(), 0);
                    (out.is_plain, out.only_successors) = (false, false);
                }
                continue;
            }
            if *used > MAX_BYTES {
                out.cut = Some(TOO_LARGE);
                break;
            }
            for event in events {
                match event.kind {
                    EventKind::Successor => push(out, used, moves, event, edge),
                    EventKind::Violation(violation) if is_first => {
                        out.push_violation(violation, event.steps);
                        (out.is_plain, out.only_successors) = (false, false);
                    }
                    EventKind::Violation(_) => {}
                }
            }
            is_first = false;
            if is_at_rest {
                let end = write(out.raw_parts().1, *used, state, edge.target);
                out.raw_parts().0.push(Event::successor(1, *used as u32, end as u32));
                *used = end;
            }
        }
    }
}

/// Adds a move of both.
#[inline]
fn push(out: &mut Expansion, used: &mut usize, moves: &Expansion, event: &Event, edge: &ClaimEdge) {
    let (events, bytes) = out.raw_parts();
    let len = event.len();
    let block: Option<&[u8; SHORT]> =
        moves.bytes().get(event.start()..).and_then(|rest| rest.first_chunk());
    let end = match block.filter(|_| len <= SHORT) {
        Some(block) => {
            let room = *used + SHORT + CLAIM_BYTES;
            if bytes.len() < room {
                bytes.resize(2 * room, 0);
            }
            // One copy of a constant length: what is too much is overwritten by the next one.
            bytes[*used..*used + SHORT].copy_from_slice(block);
            let end = *used + len;
            bytes[end..end + CLAIM_BYTES].copy_from_slice(&edge.target.to_le_bytes());
            end + CLAIM_BYTES
        }
        None => write(bytes, *used, moves.state(event), edge.target),
    };
    events.push(Event::successor(event.steps, *used as u32, end as u32));
    *used = end;
}

/// Writes a state of both at `used`; where it ends.
fn write(bytes: &mut Vec<u8>, used: usize, state: &[u8], at: u16) -> usize {
    bytes.truncate(used);
    bytes.extend_from_slice(state);
    bytes.extend_from_slice(&at.to_le_bytes());
    bytes.len()
}
