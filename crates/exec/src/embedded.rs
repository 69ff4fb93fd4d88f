//! Embedded C: the interpreter's calls of it.

use crate::eval::Context;
use crate::exec::Exec;
use crate::fault::{Fault, violation};
use crate::lineup::Lineup;
use crate::step::{Attempt, Effect};
use spinor_program::expr::{CodeId, ProctypeId};
use spinor_program::{CBases, CFault, CInstance, Program, StmtId};
use spinor_ts::ViolationKind;

/// The C code of a program, if it has any that can be called.
pub(crate) fn instance(program: &Program) -> Option<Box<dyn CInstance>> {
    program.embedded.as_ref()?.library.as_ref()?.instance().ok()
}

impl Context<'_> {
    /// Where C finds things in the state at hand.
    fn c_bases(&self) -> CBases {
        let [globals, frame, hidden, _] = self.bases;
        let last = match self.exec.program.uses_last {
            true => u32::from(self.state[self.lineup.shape.last]),
            false => 0,
        };
        let pid = self.pid.unwrap_or(0) as u32;
        let who = pid | (self.lineup.seats.len() as u32) << 8 | last << 16;
        CBases { globals, frame, hidden, who }
    }

    /// The value of a `c_expr`.
    pub fn c_value(&self, code: CodeId) -> Result<i32, Fault> {
        let c = self.exec.c.as_ref().ok_or(Fault::CMissing)?;
        c.evaluate(code, self.state, self.c_bases()).map_err(fault_of)
    }
}

impl Exec {
    /// Runs a `c_code` in the next state.
    pub(crate) fn perform_c(
        &self,
        cx: &Context<'_>,
        id: StmtId,
        code: CodeId,
        effect: &mut Effect,
    ) -> Result<Attempt, Fault> {
        let c = self.c.as_ref().ok_or(Fault::CMissing)?;
        effect.copy(cx);
        match c.execute(code, &mut effect.next, cx.c_bases()) {
            Ok(()) => Ok(Attempt::Done),
            Err(CFault::Assertion) => {
                let fault = Some(Fault::CAssertion);
                effect.violations.push(violation(ViolationKind::Assertion, Some(id), fault));
                Ok(Attempt::Blocked)
            }
            Err(fault) => Err(fault_of(fault)),
        }
    }

    /// Gives the C state of the globals, or of a new process, its first value.
    pub(crate) fn initialise_c(
        &self,
        state: &mut [u8],
        lineup: &Lineup,
        process: Option<(usize, ProctypeId)>,
    ) -> Result<(), Fault> {
        let library = self.program.embedded.as_ref().and_then(|e| e.library.as_ref());
        let is_due = library.is_some_and(|library| match process {
            Some((_, proctype)) => library.initialises(proctype),
            None => library.initialises_globals(),
        });
        if !is_due {
            return Ok(());
        }
        let c = self.c.as_ref().ok_or(Fault::CMissing)?;
        let at = self.context(lineup, state, process.map(|(pid, _)| pid), false).c_bases();
        c.initialise(process.map(|(_, proctype)| proctype), state, at).map_err(fault_of)
    }

    /// What a `c_code` prints when process `pid` executes it in `state`.
    #[must_use]
    pub fn c_output(&self, state: &[u8], pid: Option<usize>, code: CodeId) -> String {
        let Some(c) = &self.c else { return String::new() };
        let at = self.context(self.lineup(state), state, pid, false).c_bases();
        c.output(code, state, at)
    }
}

fn fault_of(fault: CFault) -> Fault {
    match fault {
        CFault::Precondition => Fault::CPrecondition,
        CFault::Assertion => Fault::CAssertion,
        CFault::Memory => Fault::CMemory,
        CFault::Arithmetic => Fault::CArithmetic,
        CFault::Abort => Fault::CAbort,
        CFault::Exit => Fault::CExit,
        CFault::Endless => Fault::CEndless,
    }
}
