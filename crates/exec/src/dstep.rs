//! `d_step`: a deterministic sequence that runs to its end in one step.
//!
//! At each choice the first executable option is taken. Only the first
//! statement may block; it may also be the receiving half of a rendezvous.

use crate::exec::Exec;
use crate::fault::Fault;
use crate::step::{Attempt, Try};
use spinor_program::{Action, DStep, LocId, StmtId};
use spinor_ts::Violation;

/// Inner steps after which the search for a cycle begins.
const PATIENCE: u64 = 4096;

/// Inner steps after which a `d_step` is given up: it may count for ever, and
/// nobody can stop it.
const TOO_MANY: u64 = 1 << 24;

/// What is said then.
const GIVEN_UP: &str = "a d_step of more than sixteen million steps was cut";

impl Exec {
    pub(crate) fn d_step(
        &self,
        try_: Try<'_>,
        id: StmtId,
        inner: &DStep,
        next: &mut Vec<u8>,
        violations: &mut Vec<Violation>,
    ) -> Result<Attempt, Fault> {
        let Some(first) = self.first_executable(try_, inner, inner.start, next, violations)? else {
            return Ok(Attempt::Blocked);
        };
        self.executed[id.index()].set(true);
        let mut at = first;
        let mut state = Vec::new();
        let mut steps = 0;
        let mut seen: Option<(LocId, Vec<u8>)> = None;
        let mut next_mark = PATIENCE;
        while at != inner.exit {
            std::mem::swap(&mut state, next);
            steps += 1;
            // Brent: compare with a state remembered at growing distances.
            if seen.as_ref().is_some_and(|(loc, bytes)| *loc == at && *bytes == state) {
                return Err(Fault::DStepEndless);
            }
            if steps == TOO_MANY {
                self.given_up.set(Some(GIVEN_UP));
                return Ok(Attempt::Blocked);
            }
            if steps == next_mark {
                seen = Some((at, state.clone()));
                next_mark *= 2;
            }
            let shape = self.shape(&state);
            let try_ = Try { state: &state, shape: &shape, offer: None, moved: false, ..try_ };
            match self.first_executable(try_, inner, at, next, violations)? {
                Some(target) => at = target,
                None => return Err(Fault::DStepBlocks),
            }
        }
        Ok(Attempt::Done)
    }

    /// Executes the first executable transition; returns where it leads.
    fn first_executable(
        &self,
        try_: Try<'_>,
        inner: &DStep,
        at: LocId,
        next: &mut Vec<u8>,
        violations: &mut Vec<Violation>,
    ) -> Result<Option<LocId>, Fault> {
        for transition in &inner.locations[at.index()] {
            let id = transition.statement;
            // In order, so an `else` is reached only if it is due.
            let is_else = matches!(self.program.statement(id).action, Action::Else);
            let try_ = Try { moved: try_.moved && !is_else, ..try_ };
            match self.perform(try_, id, next, violations)? {
                Attempt::Blocked => {}
                Attempt::Done => return Ok(Some(transition.target)),
                Attempt::Offered(_) => return Err(Fault::DStepRendezvous),
            }
        }
        Ok(None)
    }
}
