//! `d_step`: a deterministic sequence that runs to its end in one step.
//!
//! At each choice the first executable option is taken. Only the first
//! statement may block; it may also be the receiving half of a rendezvous.

use crate::eval::Context;
use crate::exec::Exec;
use crate::fault::Fault;
use crate::prepared::Act;
use crate::step::{Attempt, Effect, Try};
use spinor_program::{Action, DStep, LocId, StmtId};

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
        cx: &Context<'_>,
        try_: Try<'_>,
        id: StmtId,
        effect: &mut Effect,
    ) -> Result<Attempt, Fault> {
        let Action::DStep(inner) = &self.program.statement(id).action else {
            unreachable!("the act of a d_step")
        };
        let Some(first) = self.first_executable(cx, try_, inner, inner.start, effect)? else {
            return Ok(Attempt::Blocked);
        };
        self.executed[id.index()].set(true);
        let mut spare = self.spare.take();
        let result = self.finish(cx, inner, first, &mut spare, effect);
        self.spare.replace(spare);
        result
    }

    /// All steps but the first; `state` is room for the state at hand.
    fn finish(
        &self,
        cx: &Context<'_>,
        inner: &DStep,
        first: LocId,
        state: &mut Vec<u8>,
        effect: &mut Effect,
    ) -> Result<Attempt, Fault> {
        let mut at = first;
        let mut lineup = cx.lineup;
        let mut steps = 0;
        let mut seen: Option<(LocId, Vec<u8>)> = None;
        let mut next_mark = PATIENCE;
        while at != inner.exit {
            std::mem::swap(state, &mut effect.next);
            steps += 1;
            // Brent: compare with a state remembered at growing distances.
            if seen.as_ref().is_some_and(|(loc, bytes)| *loc == at && bytes == state) {
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
            lineup = self.lineup_after(lineup, state);
            let cx = self.context(lineup, state, cx.pid, cx.timeout);
            let try_ = Try { moved: false, offer: None };
            match self.first_executable(&cx, try_, inner, at, effect)? {
                Some(target) => at = target,
                None => return Err(Fault::DStepBlocks),
            }
        }
        Ok(Attempt::Done)
    }

    /// Executes the first executable transition; returns where it leads.
    fn first_executable(
        &self,
        cx: &Context<'_>,
        try_: Try<'_>,
        inner: &DStep,
        at: LocId,
        effect: &mut Effect,
    ) -> Result<Option<LocId>, Fault> {
        for transition in &inner.locations[at.index()] {
            let id = transition.statement;
            // In order, so an `else` is reached only if it is due.
            let is_else = matches!(self.prepared.acts[id.index()], Act::Else);
            let try_ = Try { moved: try_.moved && !is_else, ..try_ };
            match self.perform(cx, try_, id, effect)? {
                Attempt::Blocked => {}
                Attempt::Done => return Ok(Some(transition.target)),
                Attempt::Offered => return Err(Fault::DStepRendezvous),
            }
        }
        Ok(None)
    }
}
