//! The system in step with a never claim.
//!
//! The claim moves first, then the system; if the system cannot move, it
//! repeats its state, so that finite runs go on for ever. `timeout` holds in
//! the claim exactly where no process can move.

use crate::fault::violation;
use crate::frame::Buffers;
use crate::replay::{Actor, Recorder, Silent, StepKind};
use crate::shape::location;
use crate::step::{Attempt, Try};
use crate::walk::Walk;
use spinor_program::{Action, LocId};
use spinor_ts::{Expansion, ViolationKind};
use std::collections::HashSet;

/// Steps inside atomic sequences of the claim after which states already met are not
/// walked again: a sequence may turn in circles.
const MANY: u64 = 1 << 17;
/// Steps after which the claim is given up: it may count for ever.
const TOO_MANY: u64 = 1 << 20;
/// What is said then.
const GIVEN_UP: &str = "an atomic sequence of the claim of more than a million steps was cut";

/// A state that the claim has moved to.
struct Arrival<T> {
    state: Vec<u8>,
    atomic: bool,
    steps: u32,
    trail: T,
}

impl<R: Recorder> Walk<'_, R> {
    pub fn with_claim(&mut self, claim: usize, state: &[u8]) {
        let timeout = self.exec.program.uses_timeout && !self.can_move(state);
        let mut arrivals = Vec::new();
        self.claim_step(claim, state, timeout, 0, R::Trail::default(), &mut arrivals);
        // Claims may have atomic sequences; the next path is taken last-in first-out.
        let mut work = Vec::new();
        let mut walked = 0_u64;
        let mut seen = HashSet::new();
        loop {
            for Arrival { state, atomic, steps, trail } in arrivals.drain(..).rev() {
                if atomic && work.len() < 1 << 16 {
                    walked += 1;
                    if walked > TOO_MANY {
                        self.out.cut = Some(GIVEN_UP);
                    } else if walked <= MANY || seen.insert(state.clone()) {
                        work.push((state, steps, trail));
                    }
                } else if !self.system(self.exec.lineup(&state), &state, steps, trail) {
                    self.push_successor(&state, steps, trail);
                }
            }
            let Some((state, steps, trail)) = work.pop() else { return };
            self.claim_step(claim, &state, timeout, steps, trail, &mut arrivals);
        }
    }

    /// Whether some process can move without `timeout`.
    fn can_move(&self, state: &[u8]) -> bool {
        let (mut scratch, mut silent) = (Expansion::new(), Silent);
        let mut buffers = Buffers::default();
        let mut walk = Walk::new(self.exec, &mut scratch, &mut silent, &mut buffers);
        walk.processes(self.exec.lineup(state), state, false, 0, ())
    }

    fn claim_step(
        &mut self,
        claim: usize,
        state: &[u8],
        timeout: bool,
        steps: u32,
        trail: R::Trail,
        arrivals: &mut Vec<Arrival<R::Trail>>,
    ) {
        let exec = self.exec;
        let process = &exec.program.claims[claim];
        let lineup = exec.lineup(state);
        let cx = exec.context(lineup, state, None, timeout);
        let at = location(process, state, lineup.claim);
        let mut escape = LocId(0);
        let mut moved = false;
        for transition in &process.automaton.locations[at.index()].transitions {
            if escape != LocId(0) && transition.escape != escape {
                break;
            }
            let plan = &exec.prepared.plans[transition.statement.index()];
            if !exec.restricts_moves && plan.is_due(&cx, moved) == Some(false) {
                continue;
            }
            let effect = &mut self.buffers.effect;
            let attempt = exec.attempt(&cx, Try { moved, offer: None }, transition, effect);
            let done = attempt == Attempt::Done;
            let after = if done { effect.next.as_slice() } else { state };
            let id = transition.statement;
            let trail = self.recorder.extend(trail, Actor::Claim, id, StepKind::Step, after);
            self.push_violations(steps + 1, trail);
            if !done {
                continue;
            }
            moved = true;
            escape = transition.escape;
            let ends = matches!(exec.program.statement(id).action, Action::Terminate)
                || process.automaton.locations[transition.target.index()].is_end;
            if ends {
                let ended = violation(ViolationKind::ClaimViolated, Some(id), None);
                self.push_violation(ended, steps + 1, trail);
                continue;
            }
            let state = self.buffers.effect.next.clone();
            arrivals.push(Arrival { state, atomic: transition.atomic, steps: steps + 1, trail });
        }
    }
}
