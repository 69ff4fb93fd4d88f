//! When a statement is executable, and what it does.

use crate::channel::Message;
use crate::eval::Context;
use crate::exec::Exec;
use crate::fault::{Fault, violation};
use crate::lineup::Lineup;
use crate::prepared::Act;
use crate::shape::set_location;
use spinor_program::{Action, LocId, StmtId, Transition};
use spinor_ts::{Violation, ViolationKind};

/// A message that a rendezvous send offers; somebody must take it at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Offer {
    pub channel: usize,
    pub message: Message,
    pub sender: usize,
}

/// What came of trying a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attempt {
    /// Not executable.
    Blocked,
    /// Executed; the new state is complete.
    Done,
    /// The first half of a rendezvous.
    Offered,
}

/// When a statement is tried.
#[derive(Clone, Copy)]
pub(crate) struct Try<'a> {
    /// Some transition of the process was executed in this state.
    pub moved: bool,
    /// A rendezvous waits for its receiver.
    pub offer: Option<&'a Offer>,
}

/// What an attempt leaves behind.
#[derive(Debug, Default)]
pub(crate) struct Effect {
    /// The state after it, unless it is blocked.
    pub next: Vec<u8>,
    /// What went wrong.
    pub violations: Vec<Violation>,
    /// The message, if one is offered.
    pub offer: Offer,
}

impl Effect {
    /// The next state is the one at hand, to begin with.
    #[inline]
    pub fn copy(&mut self, cx: &Context<'_>) {
        self.next.clear();
        self.next.extend_from_slice(cx.state);
    }
}

impl Exec {
    /// Tries a transition. Violations do not always stop a step.
    #[inline]
    pub(crate) fn attempt(
        &self,
        cx: &Context<'_>,
        try_: Try<'_>,
        transition: &Transition,
        effect: &mut Effect,
    ) -> Attempt {
        let id = transition.statement;
        let result = self.perform(cx, try_, id, effect);
        if result.is_err() || !self.faults.borrow().is_empty() {
            self.report(id, result.err(), effect);
        }
        let attempt = result.unwrap_or(Attempt::Blocked);
        if attempt != Attempt::Blocked {
            self.conclude(cx, transition, &mut effect.next);
        }
        attempt
    }

    /// Makes violations of the errors of a statement.
    #[cold]
    fn report(&self, id: StmtId, fault: Option<Fault>, effect: &mut Effect) {
        for fault in self.faults.borrow_mut().drain(..).chain(fault) {
            effect.violations.push(self.runtime(Some(id), fault));
        }
    }

    /// Moves the process on and remembers that it moved.
    #[inline]
    fn conclude(&self, cx: &Context<'_>, transition: &Transition, next: &mut [u8]) {
        // If the length changed, a process came or went.
        let same = next.len() == cx.state.len();
        let lineup = if same { cx.lineup } else { self.lineup(next) };
        self.advance(lineup, cx.pid, transition, next);
    }

    /// Moves a process, or the claim, on in a state of `lineup`.
    #[inline(always)]
    pub(crate) fn advance(
        &self,
        lineup: &Lineup,
        pid: Option<usize>,
        transition: &Transition,
        next: &mut [u8],
    ) {
        let moves = transition.target != LocId(0);
        match pid {
            Some(pid) => {
                if let Some(seat) = lineup.seats.get(pid).filter(|_| moves) {
                    seat.set_location(next, transition.target);
                }
                if self.program.uses_last {
                    next[lineup.shape.last] = pid as u8;
                }
            }
            None => {
                if let Some(claim) = self.options.claim.filter(|_| moves) {
                    let claim = &self.program.claims[claim];
                    set_location(claim, next, lineup.claim, transition.target);
                }
            }
        }
    }

    /// Guard and effect of a statement, location aside.
    #[inline]
    pub(crate) fn perform(
        &self,
        cx: &Context<'_>,
        try_: Try<'_>,
        id: StmtId,
        effect: &mut Effect,
    ) -> Result<Attempt, Fault> {
        let act = &self.prepared.acts[id.index()];
        if try_.offer.is_some() && !act.may_accept() {
            return Ok(Attempt::Blocked);
        }
        match act {
            Act::Skip | Act::Else | Act::Condition(_) | Act::Assign(_) => {
                if !self.holds(cx, act, try_.moved, cx.state)? {
                    return Ok(Attempt::Blocked);
                }
                effect.copy(cx);
                self.apply(cx, act, &mut effect.next)?;
            }
            Act::Send(send) => return self.send(cx, id, send, effect),
            Act::Receive(receive) => {
                if !self.receive(cx, try_.offer, id, receive, effect)? {
                    return Ok(Attempt::Blocked);
                }
            }
            Act::Assert(e) => {
                if e.value(cx)? == 0 {
                    let failed = violation(ViolationKind::Assertion, Some(id), None);
                    effect.violations.push(failed);
                }
                effect.copy(cx);
            }
            Act::Terminate => match cx.pid {
                Some(pid) if pid + 1 < cx.lineup.seats.len() => return Ok(Attempt::Blocked),
                Some(_) => {
                    effect.copy(cx);
                    self.terminate(&mut effect.next, &cx.lineup.shape);
                }
                None => effect.copy(cx),
            },
            Act::C(code) => {
                if self.perform_c(cx, id, *code, effect)? == Attempt::Blocked {
                    return Ok(Attempt::Blocked);
                }
            }
            Act::DStep(act) => return self.d_step(cx, try_, id, &act.inner, effect),
            Act::Starts => {
                if !self.perform_starting(cx, id, effect)? {
                    return Ok(Attempt::Blocked);
                }
            }
            Act::Rare => self.perform_rare(cx, id, effect)?,
        }
        self.executed[id.index()].set(true);
        Ok(Attempt::Done)
    }

    /// Whether a [simple](Act::is_simple) statement is executable in `state`, which
    /// has the processes of the one at hand.
    #[inline]
    pub(crate) fn holds(
        &self,
        cx: &Context<'_>,
        act: &Act,
        moved: bool,
        state: &[u8],
    ) -> Result<bool, Fault> {
        match act {
            Act::Condition(e) => Ok(e.value_in(cx, state)? != 0),
            Act::Else => Ok(!moved),
            _ => Ok(true),
        }
    }

    /// What a [simple](Act::is_simple) statement does, in place.
    #[inline]
    pub(crate) fn apply(&self, cx: &Context<'_>, act: &Act, state: &mut [u8]) -> Result<(), Fault> {
        if let Act::Assign(pairs) = act {
            for (spot, e) in pairs {
                let value = e.value_in(cx, state)?;
                spot.store(cx, state, value)?;
            }
        }
        Ok(())
    }

    /// Statements that never block and are not worth preparing.
    fn perform_rare(&self, cx: &Context<'_>, id: StmtId, effect: &mut Effect) -> Result<(), Fault> {
        match &self.program.statement(id).action {
            Action::Print(_, args) => {
                for e in args {
                    cx.eval(e)?;
                }
                effect.copy(cx);
            }
            Action::PrintMtype(e) => {
                cx.eval(e)?;
                effect.copy(cx);
            }
            Action::SetPriority(pid, value) => {
                let (pid, value) = (cx.eval(pid)?, cx.eval(value)?);
                effect.copy(cx);
                self.set_priority(cx, pid, value, &mut effect.next)?;
            }
            _ => unreachable!("all others are prepared"),
        }
        Ok(())
    }

    fn set_priority(
        &self,
        cx: &Context<'_>,
        pid: i32,
        value: i32,
        next: &mut [u8],
    ) -> Result<(), Fault> {
        let pid = usize::try_from(pid).ok();
        let Some(seat) = pid.and_then(|pid| cx.lineup.seats.get(pid)) else {
            return Ok(());
        };
        if !(1..=255).contains(&value) {
            return Err(Fault::PriorityRange);
        }
        let process = &self.program.proctypes[seat.proctype.index()];
        next[seat.offset + process.priority_offset as usize] = value as u8;
        Ok(())
    }
}
