//! Trying the transitions of one process in one state.

use crate::eval::Context;
use crate::fault::Fault;
use crate::frame::{Frame, Unsettled};
use crate::plan::Plan;
use crate::replay::{Actor, Recorder, StepKind};
use crate::step::{Attempt, Effect, Try};
use crate::walk::Walk;
use spinor_program::{LocId, Transition};
use spinor_ts::{Event, Expansion};

/// Bytes of successors up to which there is certainly room for one more.
const IN_PLACE: usize = 1 << 27;

impl<'a, R: Recorder> Walk<'a, R> {
    /// Tries the transitions of a process until there are no more, or there is
    /// something to be [settled](Walk::settle).
    #[inline(always)]
    pub fn sweep(
        &mut self,
        cx: &Context<'_>,
        frame: &mut Frame<'a, R::Trail>,
    ) -> Option<Unsettled<'a, R::Trail>> {
        let exec = self.exec;
        let (pid, steps) = (frame.pid, frame.steps + 1);
        let effect = &mut self.buffers.effect;
        let deterministic = frame.lineup.seats[pid].deterministic;
        // Plans know nothing of these.
        let planned = !deterministic && !exec.restricts_moves && exec.given_up.get().is_none();
        for transition in &exec.prepared.moves[frame.next as usize..frame.last as usize] {
            // One executable escape pre-empts everything after it.
            if frame.escape != LocId(0) && transition.escape != frame.escape {
                break;
            }
            frame.next += 1;
            let plan = &exec.prepared.plans[transition.statement.index()];
            let due = if planned { plan.is_due(cx, frame.moved) } else { None };
            let attempt = match due {
                Some(false) => continue,
                Some(true) if transition.atomic && prepare_next(plan, cx, transition, effect) => {
                    Attempt::Done
                }
                Some(true)
                    if !transition.atomic
                        && push_planned(plan, cx, transition, self.out, steps) =>
                {
                    frame.moved = true;
                    frame.escape = transition.escape;
                    if R::RECORDS {
                        record_step(self.recorder, self.out, frame, transition);
                    }
                    continue;
                }
                _ => {
                    let try_ = Try { moved: frame.moved, offer: None };
                    exec.attempt(cx, try_, transition, effect)
                }
            };
            let blocked = attempt == Attempt::Blocked;
            if deterministic && frame.moved && !blocked {
                let fault = Fault::Nondeterminism;
                effect.violations.push(exec.runtime(Some(transition.statement), fault));
            }
            let erred = !effect.violations.is_empty() || exec.given_up.get().is_some();
            if blocked && !erred {
                continue;
            }
            let after = if blocked { cx.state } else { &effect.next };
            let (actor, id) = (Actor::Process(pid), transition.statement);
            let trail = self.recorder.extend(frame.trail, actor, id, StepKind::Step, after);
            if attempt == Attempt::Done && !erred && !transition.atomic {
                frame.moved = true;
                frame.escape = transition.escape;
                self.recorder.event(self.out.events().len(), trail);
                self.out.push_successor(&effect.next, steps);
                continue;
            }
            return Some(Unsettled { transition, attempt, trail });
        }
        frame.next = frame.last;
        None
    }
}

/// Carries out a plan in the next state of the effect; says whether that is done.
#[inline(always)]
fn prepare_next(
    plan: &Plan,
    cx: &Context<'_>,
    transition: &Transition,
    effect: &mut Effect,
) -> bool {
    effect.copy(cx);
    let done = plan.carry_out(cx, &mut effect.next).is_some();
    if done {
        cx.exec.advance(cx.lineup, cx.pid, transition, &mut effect.next);
    }
    done
}

/// Carries out a plan and makes an event of it; says whether that is done.
#[inline(always)]
fn push_planned(
    plan: &Plan,
    cx: &Context<'_>,
    transition: &Transition,
    out: &mut Expansion,
    steps: u32,
) -> bool {
    let (events, bytes) = out.raw_parts();
    let start = bytes.len();
    if start > IN_PLACE {
        return false;
    }
    bytes.extend_from_slice(cx.state);
    let next = &mut bytes[start..];
    if plan.carry_out(cx, next).is_none() {
        bytes.truncate(start);
        return false;
    }
    cx.exec.advance(cx.lineup, cx.pid, transition, next);
    events.push(Event::successor(steps, start as u32, bytes.len() as u32));
    true
}

/// Tells the recorder of the last event, which is a step of the process at hand.
fn record_step<R: Recorder>(
    recorder: &mut R,
    out: &Expansion,
    frame: &Frame<'_, R::Trail>,
    transition: &Transition,
) {
    let number = out.events().len() - 1;
    let (actor, id) = (Actor::Process(frame.pid), transition.statement);
    let state = out.state(&out.events()[number]);
    let trail = recorder.extend(frame.trail, actor, id, StepKind::Step, state);
    recorder.event(number, trail);
}
