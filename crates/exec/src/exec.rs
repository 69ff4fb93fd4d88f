//! The interpreter: a program and what it remembers between states.

use crate::eval::Context;
use crate::fault::{Fault, violation};
use crate::shape::{Parts, Shape, Shapes};
use spinor_program::{Action, Expr, Program, StmtId};
use spinor_ts::{Violation, ViolationKind};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

/// How the program is to be run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Run in step with this never claim.
    pub claim: Option<usize>,
    /// Ignore the `trace` or `notrace` declaration.
    pub no_trace: bool,
}

/// An interpreter of a program.
#[derive(Debug)]
pub struct Exec {
    pub(crate) program: Arc<Program>,
    pub(crate) options: Options,
    pub(crate) parts: Parts,
    pub(crate) shapes: RefCell<Shapes>,
    /// Errors of the expressions evaluated since this was last emptied.
    pub(crate) faults: RefCell<Vec<Fault>>,
    /// Statements whose expression starts a process.
    pub(crate) starts_process: Vec<bool>,
    /// Some process has a `provided` clause or a priority.
    pub(crate) restricts_moves: bool,
    /// Statements that were executed.
    pub(crate) executed: Vec<Cell<bool>>,
    /// Why a step was given up since this was last emptied.
    pub(crate) given_up: Cell<Option<&'static str>>,
}

impl Exec {
    /// An interpreter of `program`.
    #[must_use]
    pub fn new(program: Arc<Program>, options: Options) -> Self {
        let starts = |action: &Action| {
            let mut found = false;
            action.walk(&mut |e| found |= matches!(e, Expr::Run(_)));
            found
        };
        let parts = Parts::new(&program, options);
        Exec {
            starts_process: program.statements.iter().map(|s| starts(&s.action)).collect(),
            restricts_moves: program.uses_priority
                || program.proctypes.iter().any(|p| p.provided.is_some()),
            executed: vec![Cell::new(false); program.statements.len()],
            given_up: Cell::new(None),
            shapes: RefCell::default(),
            faults: RefCell::default(),
            parts,
            options,
            program,
        }
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// Whether a statement was executed in some state expanded so far.
    #[must_use]
    pub fn was_executed(&self, statement: StmtId) -> bool {
        self.executed[statement.index()].get()
    }

    /// Where things lie in a state.
    #[must_use]
    pub fn shape(&self, state: &[u8]) -> Rc<Shape> {
        self.shapes.borrow_mut().of(&self.program, self.parts, state)
    }

    /// The value of an expression in a state, for process `pid`. 0 if it errs.
    #[must_use]
    pub fn evaluate(&self, state: &[u8], pid: Option<usize>, e: &Expr) -> i32 {
        let shape = self.shape(state);
        let value = self.context(&shape, state, pid, false).eval(e).unwrap_or(0);
        self.faults.borrow_mut().clear();
        value
    }

    pub(crate) fn context<'a>(
        &'a self,
        shape: &'a Shape,
        state: &'a [u8],
        pid: Option<usize>,
        timeout: bool,
    ) -> Context<'a> {
        Context {
            program: &self.program,
            shape,
            state,
            pid,
            frame: pid.map_or(shape.claim, |pid| shape.frames[pid].offset),
            timeout,
            run_value: 0,
            faults: &self.faults,
        }
    }

    pub(crate) fn is_watched(&self) -> bool {
        self.parts.event_bytes > 0
    }

    pub(crate) fn runtime(&self, statement: Option<StmtId>, fault: Fault) -> Violation {
        violation(ViolationKind::Runtime, statement, Some(fault))
    }
}
