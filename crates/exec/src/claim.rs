//! The system in step with a never claim.
//!
//! The claim moves first, then the system; if the system cannot move, it
//! repeats its state, so that finite runs go on for ever. `timeout` holds in
//! the claim exactly where no process can move.

use crate::expand::Walk;
use crate::fault::violation;
use crate::replay::{Actor, ReplayedStep, StepKind};
use crate::shape::location;
use crate::step::{Attempt, Try};
use spinor_program::{Action, LocId};
use spinor_ts::{Expansion, ViolationKind};

impl Walk<'_> {
    pub fn with_claim(&mut self, claim: usize, state: &[u8]) {
        let exec = self.exec;
        let timeout = exec.program.uses_timeout && !self.can_move(state);
        let mut work = vec![(state.to_vec(), 0, Vec::new())];
        while let Some((state, steps, trail)) = work.pop() {
            let arrivals = self.claim_step(claim, &state, timeout, steps, &trail);
            // Claims may have atomic sequences; the next path is taken last-in first-out.
            for (next, atomic, steps, trail) in arrivals.into_iter().rev() {
                if atomic && work.len() < 1 << 16 {
                    work.push((next, steps, trail));
                } else if !self.system(&next, steps, &trail) {
                    self.push_successor(&next, steps, &trail);
                }
            }
        }
    }

    /// Whether some process can move without `timeout`.
    fn can_move(&self, state: &[u8]) -> bool {
        let mut scratch = Expansion::new();
        let mut walk = Walk::silent(self.exec, &mut scratch);
        walk.without_timeout(state)
    }

    fn claim_step(
        &mut self,
        claim: usize,
        state: &[u8],
        timeout: bool,
        steps: u32,
        trail: &[ReplayedStep],
    ) -> Vec<(Vec<u8>, bool, u32, Vec<ReplayedStep>)> {
        let exec = self.exec;
        let shape = exec.shape(state);
        let process = &exec.program.claims[claim];
        let at = location(process, state, shape.claim);
        let mut arrivals = Vec::new();
        let mut escape = LocId(0);
        let mut moved = false;
        for transition in &process.automaton.locations[at.index()].transitions {
            if escape != LocId(0) && transition.escape != escape {
                break;
            }
            let try_ = Try { state, shape: &shape, pid: None, moved, timeout, offer: None };
            let mut next = Vec::new();
            let mut violations = Vec::new();
            let attempt = exec.attempt(try_, transition, &mut next, &mut violations);
            let done = matches!(attempt, Attempt::Done);
            let after = if done { next.as_slice() } else { state };
            let trail =
                self.extended_by(trail, Actor::Claim, transition.statement, StepKind::Step, after);
            for violation in violations {
                self.push_violation(violation, steps + 1, &trail);
            }
            if !done {
                continue;
            }
            moved = true;
            escape = transition.escape;
            let statement = exec.program.statement(transition.statement);
            let ends = matches!(statement.action, Action::Terminate)
                || process.automaton.locations[transition.target.index()].is_end;
            if ends {
                let id = transition.statement;
                let ended = violation(ViolationKind::ClaimViolated, Some(id), None);
                self.push_violation(ended, steps + 1, &trail);
                continue;
            }
            arrivals.push((next, transition.atomic, steps + 1, trail));
        }
        arrivals
    }
}
