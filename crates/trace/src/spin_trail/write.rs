//! Runs as trails of SPIN.

use super::{Body, SpinStep, SpinTrail, bodies};
use crate::{Move, ReplayError, Run, View};
use spinor_exec::{Actor, ReplayedStep};
use spinor_ts::{EventKind, TransitionSystem};

impl SpinTrail {
    /// The trail of a run. The automaton of a formula is not in it: its statements are SPIN's.
    ///
    /// # Errors
    /// The run is none of this model.
    pub fn of_run(view: &mut View<'_>, run: &Run) -> Result<Self, ReplayError> {
        let claim = view.claim.and_then(|claim| {
            bodies(&view.program).iter().position(|body| *body == Body::Claim(claim))
        });
        let mut trail = SpinTrail { claim, ..SpinTrail::default() };
        let Ok(mut state) = view.exec.initial() else { return Ok(trail) };
        for (number, &step) in run.moves.iter().enumerate() {
            if run.cycle_start == Some(number) {
                trail.cycle_start = Some(trail.steps.len());
            }
            let Move::Event(event) = step else { continue };
            let missing = ReplayError::at(number + 1);
            let (steps, expansion) = view.exec.replay(&state, event).ok_or(missing)?;
            trail.steps.extend(steps.iter().map(|step| line(view, step)));
            let happened = &expansion.events()[event as usize];
            if happened.kind != EventKind::Successor && number + 1 < run.moves.len() {
                return Err(ReplayError::at(number + 2));
            }
            state = expansion.state(happened).to_vec();
        }
        Ok(trail)
    }
}

/// The line of a step.
pub(super) fn line(view: &View<'_>, step: &ReplayedStep) -> SpinStep {
    let first = usize::from(view.claim.is_some());
    SpinStep {
        slot: match step.actor {
            Actor::Process(pid) => pid + first,
            Actor::Claim => 0,
        },
        id: view.program.statement(step.statement).trail_id,
    }
}
