//! The interpreter: a program and what it remembers between states.

use crate::embedded;
use crate::eval::Context;
use crate::fault::{Fault, violation};
use crate::footprint::Footprints;
use crate::frame::Buffers;
use crate::lineup::{Lineup, Lineups};
use crate::movers::Movement;
use crate::prepared::Prepared;
use crate::proposition::accepts_inside_atomic;
use crate::shape::{Parts, Shape};
use spinor_program::{CInstance, Expr, Program, StmtId};
use spinor_ts::{Violation, ViolationKind};
use std::cell::{Cell, OnceCell, RefCell};
use std::sync::Arc;

/// How the program is to be run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Run in step with this never claim.
    pub claim: Option<usize>,
    /// Ignore the `trace` or `notrace` declaration.
    pub no_trace: bool,
    /// Label every event with the processes that take part in it, and with whether it passes an
    /// `accept` label inside an atomic sequence.
    pub labels: bool,
    /// Say nothing of a state in which nothing moves and some process may not rest.
    pub ignore_deadlocks: bool,
}

/// An interpreter of a program, for one thread.
#[derive(Debug)]
pub struct Exec {
    pub(crate) program: Arc<Program>,
    pub(crate) options: Options,
    pub(crate) parts: Parts,
    pub(crate) prepared: Prepared,
    pub(crate) lineups: Lineups,
    /// Errors of the expressions evaluated since this was last emptied.
    pub(crate) faults: RefCell<Vec<Fault>>,
    /// Some process has a `provided` clause or a priority.
    pub(crate) restricts_moves: bool,
    /// Some `accept` label stands inside an atomic sequence.
    pub(crate) accepts_inside_atomic: bool,
    /// Statements that were executed.
    pub(crate) executed: Vec<Cell<bool>>,
    /// How many `enabled(…)` are being evaluated, one inside the other.
    pub(crate) asking: Cell<u32>,
    /// Why a step was given up since this was last emptied.
    pub(crate) given_up: Cell<Option<&'static str>>,
    /// Memory of walks, for the next one.
    pub(crate) buffers: RefCell<Buffers<()>>,
    /// The same for walks that label events.
    pub(crate) labelled_buffers: RefCell<Buffers<Movement>>,
    /// The same for `d_step`.
    pub(crate) spare: RefCell<Vec<u8>>,
    /// Embedded C, with memory of its own.
    pub(crate) c: Option<Box<dyn CInstance>>,
    footprints: OnceCell<Footprints>,
}

impl Exec {
    /// An interpreter of `program`.
    #[must_use]
    pub fn new(program: Arc<Program>, options: Options) -> Self {
        let parts = Parts::new(&program, options);
        let prepared = Prepared::new(&program);
        Exec {
            lineups: Lineups::new(&program, parts, &prepared),
            restricts_moves: program.uses_priority
                || program.proctypes.iter().any(|p| p.provided.is_some()),
            accepts_inside_atomic: accepts_inside_atomic(&program),
            executed: vec![Cell::new(false); program.statements.len()],
            asking: Cell::new(0),
            given_up: Cell::new(None),
            faults: RefCell::default(),
            buffers: RefCell::default(),
            labelled_buffers: RefCell::default(),
            spare: RefCell::default(),
            c: embedded::instance(&program),
            footprints: OnceCell::new(),
            prepared,
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
    pub fn shape(&self, state: &[u8]) -> Arc<Shape> {
        Arc::clone(&self.lineup(state).shape)
    }

    /// The value of an expression in a state, for process `pid`. 0 if it errs.
    #[must_use]
    pub fn evaluate(&self, state: &[u8], pid: Option<usize>, e: &Expr) -> i32 {
        let value = self.context(self.lineup(state), state, pid, false).eval(e).unwrap_or(0);
        self.faults.borrow_mut().clear();
        value
    }

    /// What is known of what moves depend on.
    pub(crate) fn footprints(&self) -> &Footprints {
        self.footprints.get_or_init(|| Footprints::new(&self.program))
    }

    /// The processes of a state and where things lie in it.
    pub(crate) fn lineup(&self, state: &[u8]) -> &Lineup {
        self.lineups.of(self, state)
    }

    /// The same, if it most likely did not change from one with the same processes.
    pub(crate) fn lineup_after<'a>(&'a self, old: &'a Lineup, state: &[u8]) -> &'a Lineup {
        if old.is_of(state) { old } else { self.lineup(state) }
    }

    #[inline]
    pub(crate) fn context<'a>(
        &'a self,
        lineup: &'a Lineup,
        state: &'a [u8],
        pid: Option<usize>,
        timeout: bool,
    ) -> Context<'a> {
        let frame = pid.map_or(lineup.claim, |pid| lineup.seats[pid].offset);
        let bases = [lineup.globals, frame, lineup.hidden, 0];
        Context { exec: self, lineup, state, pid, bases, timeout, run_value: 0 }
    }

    pub(crate) fn is_watched(&self) -> bool {
        self.parts.event_bytes > 0
    }

    pub(crate) fn runtime(&self, statement: Option<StmtId>, fault: Fault) -> Violation {
        violation(ViolationKind::Runtime, statement, Some(fault))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_interpreter_can_go_to_another_thread() {
        fn is_send<T: Send>() {}
        is_send::<super::Exec>();
    }
}
