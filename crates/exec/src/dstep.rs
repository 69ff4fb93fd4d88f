//! `d_step`: a deterministic sequence that runs to its end in one step.
//!
//! At each choice the first executable option is taken. Only the first
//! statement may block; it may also be the receiving half of a rendezvous.

use crate::eval::Context;
use crate::exec::Exec;
use crate::fault::Fault;
use crate::lineup::Lineup;
use crate::prepared::Act;
use crate::step::{Attempt, Effect, Try};
use spinor_program::{Action, DStep, LocId, StmtId, Transition};

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
        inner: &DStep,
        effect: &mut Effect,
    ) -> Result<Attempt, Fault> {
        // In order, so an `else` is reached only if it is due.
        let try_ = Try { moved: false, ..try_ };
        for transition in &inner.locations[inner.start.index()] {
            match self.perform(cx, try_, transition.statement, effect)? {
                Attempt::Blocked => {}
                Attempt::Done => {
                    self.executed[id.index()].set(true);
                    let act = &self.prepared.acts[transition.statement.index()];
                    let lineup = self.lineup_of_next(cx.lineup, act, effect);
                    return self.finish(cx, lineup, inner, transition.target, effect);
                }
                Attempt::Offered => return Err(Fault::DStepRendezvous),
            }
        }
        Ok(Attempt::Blocked)
    }

    /// The steps inside a `d_step` that process `pid` executes in `state`, each with the state
    /// after it.
    #[must_use]
    pub fn inside_d_step(&self, state: &[u8], pid: usize, id: StmtId) -> Vec<(StmtId, Vec<u8>)> {
        let mut steps = Vec::new();
        let Action::DStep(inner) = &self.program.statement(id).action else { return steps };
        let (mut at, mut state) = (inner.start, state.to_vec());
        while at != inner.exit && (steps.len() as u64) < PATIENCE {
            let mut effect = Effect { next: state.clone(), ..Effect::default() };
            let cx = self.context(self.lineup(&state), &state, Some(pid), false);
            let Ok(taken) = self.one_step(&cx, &inner.locations[at.index()], &mut effect) else {
                break;
            };
            at = taken.target;
            state = effect.next;
            steps.push((taken.statement, state.clone()));
        }
        steps
    }

    /// All steps but the first, from location `at` on, in the next state.
    fn finish<'a>(
        &'a self,
        cx: &Context<'_>,
        mut lineup: &'a Lineup,
        inner: &DStep,
        mut at: LocId,
        effect: &mut Effect,
    ) -> Result<Attempt, Fault> {
        let mut steps = 0;
        let mut seen: Option<(LocId, Vec<u8>)> = None;
        let mut next_mark = PATIENCE;
        while at != inner.exit {
            steps += 1;
            // Brent: compare with a state remembered at growing distances.
            if seen.as_ref().is_some_and(|(loc, bytes)| *loc == at && *bytes == effect.next) {
                return Err(Fault::DStepEndless);
            }
            if steps == TOO_MANY {
                self.given_up.set(Some(GIVEN_UP));
                return Ok(Attempt::Blocked);
            }
            if steps == next_mark {
                seen = Some((at, effect.next.clone()));
                next_mark *= 2;
            }
            let cx = self.context(lineup, cx.state, cx.pid, cx.timeout);
            let taken = self.one_step(&cx, &inner.locations[at.index()], effect)?;
            let act = &self.prepared.acts[taken.statement.index()];
            lineup = self.lineup_of_next(lineup, act, effect);
            at = taken.target;
        }
        Ok(Attempt::Done)
    }

    /// The processes after a statement that was executed in a state of `lineup`.
    #[inline]
    fn lineup_of_next<'a>(&'a self, lineup: &'a Lineup, act: &Act, effect: &Effect) -> &'a Lineup {
        if act.is_simple() { lineup } else { self.lineup_after(lineup, &effect.next) }
    }

    /// Executes the first executable transition in the next state (`cx` is of its
    /// lineup, its state is another) and says which it was.
    fn one_step<'t>(
        &self,
        cx: &Context<'_>,
        transitions: &'t [Transition],
        effect: &mut Effect,
    ) -> Result<&'t Transition, Fault> {
        for transition in transitions {
            let id = transition.statement;
            let act = &self.prepared.acts[id.index()];
            if act.is_simple() {
                if self.holds(cx, act, false, &effect.next)? {
                    self.apply(cx, act, &mut effect.next)?;
                    self.executed[id.index()].set(true);
                    return Ok(transition);
                }
                continue;
            }
            let mut state = self.spare.take();
            std::mem::swap(&mut state, &mut effect.next);
            let result = {
                let cx = Context { state: &state, ..*cx };
                self.perform(&cx, Try { moved: false, offer: None }, id, effect)
            };
            if result == Ok(Attempt::Blocked) {
                std::mem::swap(&mut state, &mut effect.next);
            }
            self.spare.replace(state);
            match result? {
                Attempt::Blocked => {}
                Attempt::Done => return Ok(transition),
                Attempt::Offered => return Err(Fault::DStepRendezvous),
            }
        }
        Err(Fault::DStepBlocks)
    }
}
