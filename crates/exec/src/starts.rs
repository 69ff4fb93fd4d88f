//! Conditions and assignments that start processes.

use crate::eval::Context;
use crate::exec::Exec;
use crate::fault::Fault;
use crate::step::Effect;
use spinor_program::{Action, Expr, Run, StmtId};

impl Exec {
    /// Whether the statement, which contains a `run`, is executable; if so, it is done.
    pub(crate) fn perform_starting(
        &self,
        cx: &Context<'_>,
        id: StmtId,
        effect: &mut Effect,
    ) -> Result<bool, Fault> {
        effect.copy(cx);
        match &self.program.statement(id).action {
            Action::Condition(e) => Ok(self.run_and_eval(cx, e, &mut effect.next)? != 0),
            Action::Assign(pairs) => {
                for (place, e) in pairs {
                    let value = self.run_and_eval(cx, e, &mut effect.next)?;
                    let next = &mut effect.next;
                    let lineup = self.lineup(next);
                    let at = self.context(lineup, next, cx.pid, cx.timeout).locate(place)?;
                    if let Some(at) = at {
                        place.scalar.store(next, at, value);
                    }
                }
                Ok(true)
            }
            _ => unreachable!("only these start processes"),
        }
    }

    /// Starts the process that `e` asks for and evaluates `e` then.
    fn run_and_eval(&self, cx: &Context<'_>, e: &Expr, next: &mut Vec<u8>) -> Result<i32, Fault> {
        let Some(run) = find_run(e) else { return cx.eval(e) };
        let args = run.args.iter().map(|a| cx.eval(a)).collect::<Result<Vec<_>, _>>()?;
        let priority = run.priority.as_ref().map_or(Ok(1), |p| cx.eval(p))?;
        if !(1..=255).contains(&priority) {
            return Err(Fault::PriorityRange);
        }
        let pid = self.start(next, run.proctype, &args, priority)?;
        let cx = self.context(self.lineup(next), next, cx.pid, cx.timeout);
        Context { run_value: pid as i32, ..cx }.eval(e)
    }
}

/// The `run` in an expression.
pub(crate) fn find_run(e: &Expr) -> Option<&Run> {
    match e {
        Expr::Run(run) => Some(run),
        Expr::Unary(_, a) => find_run(a),
        Expr::Binary(_, a, b) => find_run(a).or_else(|| find_run(b)),
        Expr::Conditional(c, a, b) => find_run(c).or_else(|| find_run(a)).or_else(|| find_run(b)),
        _ => None,
    }
}
