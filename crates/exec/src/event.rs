//! `trace` and `notrace`: an automaton that watches sends and receives.

use crate::eval::Context;
use crate::exec::Exec;
use crate::fault::{Fault, violation};
use crate::shape::{location, set_location};
use crate::step::Effect;
use spinor_program::{Action, LocId, Place, ReceiveField, StmtId};
use spinor_ts::ViolationKind;

impl Exec {
    /// Moves the trace declaration along with a send or receive of `message`.
    pub(crate) fn watch(
        &self,
        cx: &Context<'_>,
        id: StmtId,
        is_send: bool,
        channel: usize,
        message: &[i32],
        effect: &mut Effect,
    ) -> Result<(), Fault> {
        let Some(trace) = self.program.trace.as_ref().filter(|_| self.is_watched()) else {
            return Ok(());
        };
        let cx = self.context(cx.lineup, cx.state, None, false);
        let names = |place: &Place| cx.channel_number(place).is_ok_and(|n| n == channel);
        let watched = if is_send { &trace.sends } else { &trace.receives };
        if !watched.iter().any(names) {
            return Ok(());
        }
        let at = location(&trace.body, cx.state, cx.lineup.shape.event);
        let automaton = &trace.body.automaton;
        let mut target: Option<LocId> = None;
        if at != automaton.end {
            for t in &automaton.locations[at.index()].transitions {
                let fits = match &self.program.statement(t.statement).action {
                    Action::Send(send) if is_send && names(&send.channel) => {
                        // A variable stands for any value, a constant for itself.
                        let mut fits = true;
                        for (e, &have) in send.args.iter().zip(message) {
                            if let spinor_program::Expr::Const(want) = e {
                                fits &= *want == have;
                            }
                        }
                        fits
                    }
                    Action::Receive(receive) if !is_send && names(&receive.channel) => {
                        let mut fits = true;
                        for (field, &have) in receive.args.iter().zip(message) {
                            if let ReceiveField::Match(e) = field {
                                fits &= cx.eval(e)? == have;
                            }
                        }
                        fits
                    }
                    _ => false,
                };
                if fits && target.is_some() {
                    return Err(Fault::TraceNondeterminism);
                }
                if fits {
                    target = Some(t.target);
                }
            }
        }
        // After its first mismatch a `notrace` has nothing more to say.
        let to = target.unwrap_or(if trace.negated { automaton.end } else { at });
        set_location(&trace.body, &mut effect.next, cx.lineup.shape.event, to);
        let violated = if trace.negated { target == Some(automaton.end) } else { target.is_none() };
        if violated {
            effect.violations.push(violation(ViolationKind::TraceViolated, Some(id), None));
        }
        Ok(())
    }
}
