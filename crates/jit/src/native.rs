//! The driver of generated code: a transition system like the interpreter.
//!
//! Same events in the same order as `spinor_exec`: processes from the highest pid
//! down, `timeout` only when nothing else moves. What makes a state difficult (an
//! error of the model above all) is not tried here: the interpreter expands it.
#![allow(unsafe_code)]

use crate::abi::{self, BAIL, CONTINUES, Cx, MOVED, SLACK};
use crate::compile::{Code, CompileError, compile, no_clock, plain_thread};
use crate::events::Room;
use crate::helpers::{HELPERS, Service};
use crate::labels::Labels;
use crate::routines::Routines;
use crate::shapes::Shapes;
use crate::starts::Starts;
use crate::walk::{Walk, Written};
use crate::words::copy_whole_words;
use spinor_exec::{Exec, Options, accepts_inside_atomic};
use spinor_program::{Program, StmtId};
use spinor_ts::{
    Event, Expansion, Footprint, GroupMoves, MAX_MOVERS, Padded, TransitionSystem, Violation,
};
use std::sync::Arc;

/// The interpreter has to expand the state.
pub(crate) struct Bail;

/// A program run by its generated code. One per thread; the code is shared.
///
/// The states given to [`expand`](TransitionSystem::expand) have to be states of this
/// very program under these options: generated code trusts what is in them.
pub struct Native {
    pub(crate) cx: Cx,
    pub(crate) program: Arc<Program>,
    pub(crate) routines: Routines,
    pub(crate) shapes: Shapes,
    /// Number of the shape that `cx` describes.
    pub(crate) shape: usize,
    pub(crate) walk: Walk,
    pub(crate) tally: Tally,
    pub(crate) labels: Labels,
    pub(crate) claim: Option<crate::claim::Claim>,
    /// Nothing is to be said of deadlocks.
    ignores_deadlocks: bool,
    /// Some process has a `provided` clause or a priority.
    pub(crate) restricts_moves: bool,
    /// The state at hand, with slack behind it.
    state: Vec<u8>,
    pub(crate) service: Box<Service>,
    executed: Vec<u8>,
    /// Where `cx` lets the code of a rendezvous work.
    scratch: Vec<u8>,
    message: Vec<i32>,
    exec: Exec,
    pub(crate) expanded: u64,
    bails: u64,
    /// What the interpreter made of a state of a batch.
    pub(crate) single: Expansion,
    /// Keeps the functions alive.
    _code: Option<Arc<Code>>,
}

/// What an expansion says beside its events.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tally {
    pub atomic_steps: u64,
    pub deepest: u32,
    pub cut: Option<&'static str>,
}

// SAFETY: the pointers in `cx` and in the service's room lead to memory that the driver
// owns, to shapes that it owns, or, during `expand` alone, to the expansion at hand.
// Nothing of it is shared between threads; the code is immutable.
unsafe impl Send for Native {}

impl Native {
    /// Compiles a program and makes a driver of the code.
    ///
    /// # Errors
    /// There is no code generator for this machine, or it failed.
    pub fn compile(program: Arc<Program>, options: Options) -> Result<Self, CompileError> {
        let code = compile(&program, options, &HELPERS, plain_thread, no_clock)?;
        Ok(Native::new(program, options, Arc::new(code)))
    }

    /// A driver of code that was compiled from `program` with `options` and
    /// the helpers of this crate.
    #[must_use]
    pub fn new(program: Arc<Program>, options: Options, code: Arc<Code>) -> Self {
        let routines = Routines::of(&code);
        Native { _code: Some(code), ..Native::with_routines(program, options, routines) }
    }

    pub(crate) fn with_routines(
        program: Arc<Program>,
        options: Options,
        routines: Routines,
    ) -> Self {
        let fields = program.channel_types.iter().map(|c| c.fields.len()).max().unwrap_or(0);
        let starts = Starts::new(Arc::clone(&program), options);
        let shapes = Shapes::new(Arc::clone(&program), options, &routines);
        let mut cx = Cx::with_c(starts.c_entry());
        shapes.get(0).describe(&mut cx);
        Native {
            cx,
            shapes,
            shape: 0,
            walk: Walk::default(),
            tally: Tally::default(),
            labels: Labels::new(options.labels, accepts_inside_atomic(&program)),
            claim: options.claim.map(|_| crate::claim::Claim::default()),
            ignores_deadlocks: options.ignore_deadlocks,
            restricts_moves: program.uses_priority
                || program.proctypes.iter().any(|p| p.provided.is_some()),
            state: Vec::new(),
            service: Box::new(Service { room: Room::none(), starts }),
            executed: vec![0; program.statements.len() + SLACK],
            scratch: vec![0; 4096],
            message: vec![0; fields + 1],
            exec: Exec::new(Arc::clone(&program), options),
            expanded: 0,
            bails: 0,
            single: Expansion::new(),
            routines,
            program,
            _code: None,
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
        self.executed[statement.index()] != 0 || self.exec.was_executed(statement)
    }

    /// States expanded so far, and how many of them by the interpreter.
    #[must_use]
    pub fn expansions(&self) -> (u64, u64) {
        (self.expanded, self.bails)
    }

    /// Expands a state by generated code; `false` if it gave up.
    ///
    /// # Safety
    /// `state` is a state that `cx` describes, with slack behind it.
    #[inline]
    unsafe fn expand_natively(&mut self, state: *const u8, out: &mut Expansion) -> bool {
        let is_done = self.fill(out, |native| match native.claim {
            Some(_) => native.with_claim(state),
            None => native.alone(state),
        });
        // Whatever takes several steps has tried a chain of them.
        out.is_plain = is_done && self.tally.deepest == 0 && self.claim.is_none();
        is_done
    }

    /// Opens an expansion for what `make` writes, and closes it; `false` if that gave up.
    #[inline]
    fn fill(
        &mut self,
        out: &mut Expansion,
        make: impl FnOnce(&mut Self) -> Result<(), Bail>,
    ) -> bool {
        out.clear();
        let (events, bytes) = out.raw_parts();
        self.begin(events, bytes);
        self.tally = Tally::default();
        self.cx.chained = 0;
        if make(self).is_err() {
            self.labels.clear();
            self.walk.reset();
            return false;
        }
        self.tally.atomic_steps += self.cx.chained;
        if self.tally.atomic_steps > 0 {
            self.walk.forget_seen();
        }
        // SAFETY: the room was opened by `begin`, and `out` has not been touched since.
        unsafe { self.service.room.close(&self.cx) };
        out.atomic_steps = self.tally.atomic_steps;
        out.deepest = self.tally.deepest;
        out.cut = self.tally.cut;
        if self.labels.are_wanted {
            self.labels.give(out);
        }
        true
    }

    #[inline]
    pub(crate) fn begin(&mut self, events: &mut Vec<Event>, bytes: &mut Vec<u8>) {
        self.service.room = Room::open(events, bytes, &mut self.cx);
        self.cx.driver = (&raw mut *self.service).cast();
        self.cx.executed = self.executed.as_mut_ptr();
        self.cx.message = self.message.as_mut_ptr();
        self.cx.message_size = self.message.len();
        self.cx.scratch = self.scratch.as_mut_ptr();
        self.cx.scratch_size = self.scratch.len() - SLACK;
    }

    /// Makes `cx` describe a state; `false` if it cannot be one.
    #[inline]
    pub(crate) fn recognise(&mut self, state: &[u8]) -> bool {
        if !self.shapes.get(self.shape).begins(state) {
            let Some(&processes) = state.first() else { return false };
            let Some(header) = state.get(..self.shapes.header_bytes(processes)) else {
                return false;
            };
            let shape = self.shapes.with_header(&self.routines, header);
            self.enter_shape(shape);
        }
        self.cx.length == state.len()
    }

    /// Copies a state to where it has slack behind it.
    fn take_in(&mut self, state: &[u8]) -> *const u8 {
        if self.state.len() < state.len() + SLACK {
            self.state.resize(2 * state.len() + SLACK, 0);
        }
        copy_whole_words(state, &mut self.state);
        self.state.as_ptr()
    }

    #[cold]
    pub(crate) fn leave_to_interpreter(&mut self, state: &[u8], out: &mut Expansion) {
        self.bails += 1;
        self.exec.expand(state, out);
    }

    /// Makes `cx` describe the state at `state`.
    ///
    /// # Safety
    /// A state lies there with slack behind it.
    #[inline]
    pub(crate) unsafe fn enter(&mut self, state: *const u8) {
        // SAFETY: as promised.
        unsafe {
            if !self.shapes.get(self.shape).fits(state) {
                let header = self.shapes.header_bytes(*state);
                let header = std::slice::from_raw_parts(state, header);
                let shape = self.shapes.with_header(&self.routines, header);
                self.enter_shape(shape);
            }
        }
    }

    /// Makes `cx` describe states of a shape.
    #[cold]
    pub(crate) fn enter_shape(&mut self, shape: usize) {
        self.shape = shape;
        self.shapes.get(shape).describe(&mut self.cx);
        if self.scratch.len() < self.cx.length + SLACK {
            self.scratch.resize(2 * self.cx.length + SLACK, 0);
            self.cx.scratch = self.scratch.as_mut_ptr();
            self.cx.scratch_size = self.scratch.len() - SLACK;
        }
    }

    /// All that can happen without a claim.
    #[inline]
    pub(crate) fn alone(&mut self, state: *const u8) -> Result<(), Bail> {
        let moves = match self.routines.all {
            Some(all) => self.all_processes(all, state)?,
            None => self.processes(state, 0, false)?,
        };
        if moves {
            return Ok(());
        }
        self.at_rest(state)
    }

    /// Nothing moved: `timeout`, or the end of the run.
    #[cold]
    fn at_rest(&mut self, state: *const u8) -> Result<(), Bail> {
        if self.program.uses_timeout && self.processes(state, 0, true)? {
            return Ok(());
        }
        if self.ignores_deadlocks {
            return Ok(());
        }
        let shape = self.shapes.get(self.shape);
        // SAFETY: the state at hand, whose shape this is.
        let bytes = unsafe { std::slice::from_raw_parts(state, shape.length) };
        // A deadlock is an error of the model: the interpreter names it, and looks at channels.
        let may_rest = shape.frames.is_empty() || self.is_valid_end(bytes);
        if may_rest && !self.program.ends_empty { Ok(()) } else { Err(Bail) }
    }

    /// Whether every process may rest where it is.
    fn is_valid_end(&self, state: &[u8]) -> bool {
        let shape = self.shapes.get(self.shape);
        let location = |at: usize, bytes: u32| {
            let bytes = &state[at..at + bytes as usize];
            bytes.iter().rev().fold(0, |n, &b| n << 8 | usize::from(b))
        };
        let rests = shape.frames.iter().all(|frame| {
            let process = &self.program.proctypes[frame.proctype as usize];
            let at = location(frame.offset as usize, process.location_bytes);
            process.automaton.locations[at].is_end
        });
        // Without a watching trace declaration its location takes no bytes.
        let is_watched = shape.claim > shape.event;
        let trace = self.program.trace.as_ref().filter(|_| is_watched);
        let is_traced = trace.is_none_or(|trace| {
            let at = location(shape.event, trace.body.location_bytes);
            trace.body.automaton.locations[at].is_end
        });
        rests && is_traced
    }

    /// All moves of one process, without claims and priorities; `false` if the
    /// interpreter has to make them.
    fn expand_process(&mut self, state: &[u8], pid: usize, out: &mut Expansion) -> bool {
        let is_state = self.recognise(state);
        let own = self.take_in(state);
        let runner = self.shapes.get(self.shape).runners.get(pid).copied();
        let Some(runner) = runner.filter(|_| is_state) else { return false };
        self.fill(out, |native| {
            native.cx.timeout = 0;
            native.cx.offered = 0;
            let first = native.event_bytes();
            let cx = &raw mut native.cx;
            // SAFETY: the step function of the process's type, on a state with slack
            // that `cx` describes; the cursors stand in an open room.
            let flags = unsafe { abi::call(runner.step, cx, own, runner.frame, pid, &HELPERS) };
            if flags & BAIL != 0 {
                return Err(Bail);
            }
            native.tally.deepest = native.cx.offered;
            let movers = if native.labels.are_wanted { 1 << pid } else { 0 };
            native.follow(Written { first, steps: 0, flags, movers, passed: false })?;
            // An atomic sequence may lead nowhere.
            if native.labels.len() > 0 {
                native.labels.enable(movers);
            }
            Ok(())
        })
    }

    /// All moves of all processes in a state that `cx` describes, `steps` elementary
    /// steps after the expanded one. Says whether there are any.
    #[inline]
    pub(crate) fn processes(
        &mut self,
        state: *const u8,
        steps: u32,
        timeout: bool,
    ) -> Result<bool, Bail> {
        self.processes_after(0, state, steps, timeout)
    }

    /// The same without the first ones, which are the youngest.
    #[inline]
    pub(crate) fn processes_after(
        &mut self,
        skipped: usize,
        state: *const u8,
        steps: u32,
        timeout: bool,
    ) -> Result<bool, Bail> {
        let shape = self.shape;
        let runners = &raw const *self.shapes.get(shape).runners;
        // SAFETY: shapes are never removed, and their parts do not move.
        let runners = unsafe { &*runners };
        if self.labels.are_wanted && runners.len() > MAX_MOVERS {
            return Err(Bail);
        }
        self.cx.timeout = u32::from(timeout);
        self.cx.offered = 0;
        let mut all = 0;
        for (pid, runner) in runners.iter().enumerate().rev().skip(skipped) {
            if self.restricts_moves && !self.may_move(state, pid)? {
                continue;
            }
            // A number, not a pointer: the vector may move.
            let first = self.event_bytes();
            // SAFETY: the step function of the process's type, on a state with slack
            // that `cx` describes; the cursors stand in an open room.
            let flags = unsafe {
                abi::call(runner.step, &raw mut self.cx, state, runner.frame, pid, &HELPERS)
            };
            all |= flags;
            if flags & (BAIL | CONTINUES) != 0 || steps != 0 || self.labels.are_wanted {
                if flags & BAIL != 0 {
                    return Err(Bail);
                }
                self.tally.deepest = self.tally.deepest.max(steps + self.cx.offered);
                let movers = if self.labels.are_wanted { 1 << pid } else { 0 };
                let labelled = self.labels.len();
                self.follow(Written { first, steps, flags, movers, passed: false })?;
                // An atomic sequence may lead nowhere.
                if self.labels.len() > labelled {
                    self.labels.enable(movers);
                }
                if self.shape != shape {
                    self.enter_shape(shape);
                }
                self.cx.timeout = u32::from(timeout);
            }
        }
        if !runners.is_empty() {
            self.tally.deepest = self.tally.deepest.max(steps + self.cx.offered);
        }
        Ok(all & MOVED != 0)
    }

    /// Bytes of the events written so far.
    #[inline]
    pub(crate) fn event_bytes(&self) -> usize {
        // SAFETY: events are written only while a room is open.
        unsafe { self.service.room.event_bytes(&self.cx) }
    }
}

impl TransitionSystem for Native {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        self.exec.initial()
    }

    fn hidden_bytes(&self) -> usize {
        self.program.hidden_bytes as usize
    }

    #[inline]
    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        self.expanded += 1;
        // Looked at where it lies: a copy is too fresh to be read back fast.
        let is_state = self.recognise(state);
        let own = self.take_in(state);
        // SAFETY: the copy has slack.
        if !is_state || !unsafe { self.expand_natively(own, out) } {
            self.leave_to_interpreter(state, out);
        }
    }

    #[inline]
    fn expand_padded(&mut self, state: Padded<'_>, out: &mut Expansion) {
        self.expanded += 1;
        let is_state = self.recognise(state.state());
        // SAFETY: the padding of the state is the slack.
        if !is_state || !unsafe { self.expand_natively(state.bytes().as_ptr(), out) } {
            self.leave_to_interpreter(state.state(), out);
        }
    }

    fn expand_many(&mut self, states: &[Padded<'_>], out: &mut Expansion, ends: &mut Vec<u32>) {
        self.expand_batch(states, out, ends);
    }

    fn groups(&mut self, state: &[u8], anchors: &mut Vec<usize>) -> bool {
        self.exec.groups(state, anchors)
    }

    fn expand_group(
        &mut self,
        state: &[u8],
        group: usize,
        out: &mut Expansion,
        footprint: Option<&mut Footprint>,
    ) -> GroupMoves {
        let pid = self.exec.pid_of_group(state, group);
        match pid.filter(|pid| self.expand_process(state, *pid, out)) {
            Some(pid) => self.exec.judge(state, pid, out, footprint),
            None => self.exec.expand_group(state, group, out, footprint),
        }
    }

    fn ends_quietly(&self) -> bool {
        self.exec.ends_quietly()
    }
}
