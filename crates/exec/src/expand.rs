//! All that can happen in a state.
//!
//! Processes are tried from the highest pid to the lowest, transitions in
//! order. A step that stays inside an atomic sequence is not an event: the
//! process goes on alone, and only the state at the end of the sequence, or
//! where it blocks, is. A rendezvous send is completed by every receiver that
//! can take the message, each a branch of its own; if there is none, the send
//! was not executable.
//!
//! Atomic sequences are walked with a stack of their own, so their length is
//! not bounded by the stack of the machine. A sequence that comes back to a
//! state it was in is cut there: nothing new can follow.

use crate::exec::Exec;
use crate::fault::violation;
use crate::replay::{Actor, Recorder, ReplayedStep, StepKind};
use crate::shape::{Shape, location};
use crate::step::{Attempt, Offer, Try};
use spinor_program::{LocId, StmtId, Transition};
use spinor_ts::{Expansion, TransitionSystem, Violation, ViolationKind};
use std::collections::HashSet;
use std::rc::Rc;

/// Length of an atomic sequence from which on repetitions are looked for.
const LONG: usize = 64;

/// Steps inside atomic sequences of one expansion after which states already
/// met in it are not walked again. Until then every path counts, as in SPIN.
const MANY: u64 = 1 << 19;

/// Steps inside atomic sequences of one expansion after which it is given up:
/// the sequence may count for ever, and nobody can stop an expansion.
const TOO_MANY: u64 = 1 << 20;

/// What is said then.
const GIVEN_UP: &str = "an atomic sequence of more than a million steps was cut";

impl TransitionSystem for Exec {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        self.initial_state()
    }

    fn hidden_bytes(&self) -> usize {
        self.program.hidden_bytes as usize
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        out.clear();
        self.expand_recording(state, out, None);
    }
}

impl Exec {
    pub(crate) fn expand_recording(
        &self,
        state: &[u8],
        out: &mut Expansion,
        recorder: Option<&mut Recorder>,
    ) {
        let mut walk = Walk::new(self, out, recorder);
        match self.options.claim {
            Some(claim) => walk.with_claim(claim, state),
            None => walk.without_claim(state),
        }
        out.cut = out.cut.or(self.given_up.take());
    }

    /// Whether every process may rest where it is.
    pub(crate) fn is_valid_end(&self, state: &[u8], shape: &Shape) -> bool {
        let rests = shape.frames.iter().all(|frame| {
            let process = &self.program.proctypes[frame.proctype.index()];
            let at = location(process, state, frame.offset);
            process.automaton.locations[at.index()].is_end
        });
        let trace = self.program.trace.as_ref().filter(|_| self.is_watched());
        let is_traced = trace.is_none_or(|trace| {
            let at = location(&trace.body, state, shape.event);
            trace.body.automaton.locations[at.index()].is_end
        });
        rests && is_traced
    }

    /// Whether a process may move at all: its `provided` clause holds, and no
    /// process of higher priority could move.
    fn may_move(&self, state: &[u8], shape: &Shape, pid: usize, timeout: bool) -> bool {
        if !self.restricts_moves {
            return true;
        }
        let cx = self.context(shape, state, Some(pid), timeout);
        let is_provided = |pid: usize| {
            let provided =
                self.program.proctypes[shape.frames[pid].proctype.index()].provided.as_ref();
            provided.is_none_or(|e| cx.of_process(pid).eval(e).unwrap_or(0) != 0)
        };
        if !is_provided(pid) {
            return false;
        }
        if !self.program.uses_priority {
            return true;
        }
        let own = cx.priority(pid);
        !(0..shape.frames.len()).any(|other| {
            other != pid
                && cx.priority(other) > own
                && is_provided(other)
                && cx.has_executable(other).unwrap_or(false)
        })
    }
}

/// A process that is being tried in a state.
struct Frame {
    state: Rc<[u8]>,
    shape: Rc<Shape>,
    pid: usize,
    timeout: bool,
    /// Inside an atomic sequence: the process goes on alone.
    exclusive: bool,
    /// Elementary steps from the expanded state.
    steps: u32,
    location: LocId,
    next: usize,
    escape: LocId,
    moved: bool,
    /// Completed rendezvous not yet followed, the next one last.
    arrivals: Vec<Arrival>,
    trail: Vec<ReplayedStep>,
}

/// A state that a process has just moved to.
struct Arrival {
    state: Vec<u8>,
    pid: usize,
    atomic: bool,
    steps: u32,
    trail: Vec<ReplayedStep>,
}

pub(crate) struct Walk<'a> {
    pub exec: &'a Exec,
    pub out: &'a mut Expansion,
    recorder: Option<&'a mut Recorder>,
    frames: Vec<Frame>,
    /// States of the frames beyond [`LONG`].
    on_path: Option<HashSet<Vec<u8>>>,
    /// States met beyond [`MANY`] steps.
    seen: Option<HashSet<Vec<u8>>>,
    walked: u64,
    violations: Vec<Violation>,
    /// The state that an attempt makes, kept for its memory.
    next: Vec<u8>,
}

impl<'a> Walk<'a> {
    fn new(exec: &'a Exec, out: &'a mut Expansion, recorder: Option<&'a mut Recorder>) -> Self {
        Walk {
            exec,
            out,
            recorder,
            frames: Vec::new(),
            on_path: None,
            seen: None,
            walked: 0,
            violations: Vec::new(),
            next: Vec::new(),
        }
    }

    /// A walk whose events nobody looks at.
    pub fn silent(exec: &'a Exec, out: &'a mut Expansion) -> Self {
        Walk::new(exec, out, None)
    }

    /// Whether the system can move while `timeout` does not hold.
    pub fn without_timeout(&mut self, state: &[u8]) -> bool {
        self.processes(state, false, 0, &[])
    }

    fn without_claim(&mut self, state: &[u8]) {
        if self.system(state, 0, &[]) {
            return;
        }
        let shape = self.exec.shape(state);
        if !shape.frames.is_empty() && !self.exec.is_valid_end(state, &shape) {
            let deadlock = violation(ViolationKind::InvalidEndState, None, None);
            self.push_violation(deadlock, 0, &[]);
        }
    }

    /// All moves of the system in `state`; `timeout` only if there are no others.
    /// Says whether anything could move.
    pub fn system(&mut self, state: &[u8], steps: u32, trail: &[ReplayedStep]) -> bool {
        self.processes(state, false, steps, trail)
            || (self.exec.program.uses_timeout && self.processes(state, true, steps, trail))
    }

    fn processes(
        &mut self,
        state: &[u8],
        timeout: bool,
        steps: u32,
        trail: &[ReplayedStep],
    ) -> bool {
        let shape = self.exec.shape(state);
        let state: Rc<[u8]> = state.into();
        let mut moved = false;
        for pid in (0..shape.frames.len()).rev() {
            self.push_frame(
                Rc::clone(&state),
                Rc::clone(&shape),
                pid,
                timeout,
                false,
                steps,
                trail.to_vec(),
            );
            moved |= self.run();
        }
        moved
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of a frame")]
    fn push_frame(
        &mut self,
        state: Rc<[u8]>,
        shape: Rc<Shape>,
        pid: usize,
        timeout: bool,
        exclusive: bool,
        steps: u32,
        trail: Vec<ReplayedStep>,
    ) {
        let frame = shape.frames[pid];
        let process = &self.exec.program.proctypes[frame.proctype.index()];
        let location = location(process, &state, frame.offset);
        // A process that may not move has no transitions to try.
        let next = if self.exec.may_move(&state, &shape, pid, timeout) { 0 } else { usize::MAX };
        self.report_stray_faults(steps, &trail);
        self.out.deepest = self.out.deepest.max(steps);
        self.frames.push(Frame {
            state,
            shape,
            pid,
            timeout,
            exclusive,
            steps,
            location,
            next,
            escape: LocId(0),
            moved: false,
            arrivals: Vec::new(),
            trail,
        });
    }

    /// Works off the frames; says whether the first of them moved.
    fn run(&mut self) -> bool {
        let bottom = self.frames.len() - 1;
        loop {
            let top = self.frames.len() - 1;
            if let Some(arrival) = self.frames[top].arrivals.pop() {
                let Arrival { state, pid, atomic, steps, trail } = arrival;
                self.arrive(&state, pid, atomic, steps, trail);
            } else if let Some(transition) = self.next_transition(top) {
                self.try_transition(top, transition);
            } else {
                let frame = self.frames.pop().expect("the frame at the top");
                if frame.exclusive {
                    if let Some(on_path) = &mut self.on_path {
                        on_path.remove(&*frame.state);
                    }
                    if !frame.moved {
                        // The sequence blocks: others may move now.
                        self.push_successor(&frame.state, frame.steps, &frame.trail);
                    }
                }
                if top == bottom {
                    return frame.moved;
                }
            }
        }
    }

    fn next_transition(&mut self, top: usize) -> Option<Transition> {
        let frame = &mut self.frames[top];
        let proctype = frame.shape.frames[frame.pid].proctype;
        let automaton = &self.exec.program.proctypes[proctype.index()].automaton;
        let transition =
            *automaton.locations[frame.location.index()].transitions.get(frame.next)?;
        frame.next += 1;
        // One executable escape pre-empts everything after it.
        let pre_empted = frame.escape != LocId(0) && transition.escape != frame.escape;
        (!pre_empted).then_some(transition)
    }

    fn try_transition(&mut self, top: usize, transition: Transition) {
        let exec = self.exec;
        let frame = &self.frames[top];
        let (pid, steps) = (frame.pid, frame.steps + 1);
        let try_ = Try {
            state: &frame.state,
            shape: &frame.shape,
            pid: Some(pid),
            moved: frame.moved,
            timeout: frame.timeout,
            offer: None,
        };
        let mut next = std::mem::take(&mut self.next);
        let mut violations = std::mem::take(&mut self.violations);
        let attempt = exec.attempt(try_, &transition, &mut next, &mut violations);
        let process = &exec.program.proctypes[frame.shape.frames[pid].proctype.index()];
        if process.deterministic && frame.moved && !matches!(attempt, Attempt::Blocked) {
            let fault = crate::Fault::Nondeterminism;
            violations.push(exec.runtime(Some(transition.statement), fault));
        }
        let given_up = exec.given_up.take();
        self.out.cut = self.out.cut.or(given_up);
        // A statement that errs is not a reason to call the state a dead end.
        let erred =
            matches!(attempt, Attempt::Blocked) && (!violations.is_empty() || given_up.is_some());
        let after = if matches!(attempt, Attempt::Blocked) { &*frame.state } else { &next };
        let trail = self.extended(
            &self.frames[top].trail,
            pid,
            transition.statement,
            StepKind::Step,
            after,
        );
        for violation in violations.drain(..) {
            self.push_violation(violation, steps, &trail);
        }
        self.violations = violations;
        let frame = &mut self.frames[top];
        frame.moved |= erred;
        match attempt {
            Attempt::Blocked => {}
            Attempt::Done => {
                frame.moved = true;
                frame.escape = transition.escape;
                self.arrive(&next, pid, transition.atomic, steps, trail);
            }
            Attempt::Offered(offer) => {
                self.out.deepest = self.out.deepest.max(steps);
                let arrivals = self.receivers(top, transition.statement, &offer, &next);
                if !arrivals.is_empty() {
                    exec.executed[transition.statement.index()].set(true);
                    let frame = &mut self.frames[top];
                    frame.moved = true;
                    frame.escape = transition.escape;
                    frame.arrivals = arrivals;
                }
            }
        }
        self.next = next;
    }

    /// Everybody who can take the offered message, the first to be tried last.
    fn receivers(&mut self, top: usize, send: StmtId, offer: &Offer, state: &[u8]) -> Vec<Arrival> {
        let exec = self.exec;
        let shape = exec.shape(state);
        let steps = self.frames[top].steps + 2;
        let trail =
            self.extended(&self.frames[top].trail, offer.sender, send, StepKind::Offer, state);
        let mut arrivals = Vec::new();
        for pid in (0..shape.frames.len()).rev() {
            if pid == offer.sender || !exec.may_move(state, &shape, pid, false) {
                continue;
            }
            let frame = shape.frames[pid];
            let process = &exec.program.proctypes[frame.proctype.index()];
            let at = location(process, state, frame.offset);
            let mut escape = LocId(0);
            let mut moved = false;
            for transition in &process.automaton.locations[at.index()].transitions {
                if escape != LocId(0) && transition.escape != escape {
                    break;
                }
                let try_ = Try {
                    state,
                    shape: &shape,
                    pid: Some(pid),
                    moved,
                    timeout: false,
                    offer: Some(offer),
                };
                let mut next = Vec::new();
                let mut violations = std::mem::take(&mut self.violations);
                let attempt = exec.attempt(try_, transition, &mut next, &mut violations);
                let done = matches!(attempt, Attempt::Done);
                let after = if done { &next } else { state };
                let trail =
                    self.extended(&trail, pid, transition.statement, StepKind::Accept, after);
                for violation in violations.drain(..) {
                    self.push_violation(violation, steps, &trail);
                }
                self.violations = violations;
                if done {
                    moved = true;
                    escape = transition.escape;
                    arrivals.push(Arrival {
                        state: next,
                        pid,
                        atomic: transition.atomic,
                        steps,
                        trail,
                    });
                }
            }
        }
        arrivals.reverse();
        arrivals
    }

    /// A process has moved: it goes on alone, or the move is complete.
    fn arrive(
        &mut self,
        state: &[u8],
        pid: usize,
        atomic: bool,
        steps: u32,
        trail: Vec<ReplayedStep>,
    ) {
        if !atomic {
            self.push_successor(state, steps, &trail);
            return;
        }
        self.out.atomic_steps += 1;
        self.walked += 1;
        if self.walked > TOO_MANY {
            self.out.cut = Some(GIVEN_UP);
            return;
        }
        if self.frames.len() > LONG && !self.on_path.get_or_insert_default().insert(state.to_vec())
        {
            return;
        }
        if self.walked > MANY && !self.seen.get_or_insert_default().insert(state.to_vec()) {
            return;
        }
        let shape = self.exec.shape(state);
        self.push_frame(state.into(), shape, pid, false, true, steps, trail);
    }

    /// The trail and one more step, if anybody wants to know.
    pub fn extended(
        &self,
        trail: &[ReplayedStep],
        pid: usize,
        statement: StmtId,
        kind: StepKind,
        state: &[u8],
    ) -> Vec<ReplayedStep> {
        self.extended_by(trail, Actor::Process(pid), statement, kind, state)
    }

    pub fn extended_by(
        &self,
        trail: &[ReplayedStep],
        actor: Actor,
        statement: StmtId,
        kind: StepKind,
        state: &[u8],
    ) -> Vec<ReplayedStep> {
        if self.recorder.is_none() {
            return Vec::new();
        }
        let step = ReplayedStep { actor, statement, kind, state: state.to_vec() };
        trail.iter().cloned().chain([step]).collect()
    }

    pub fn push_successor(&mut self, state: &[u8], steps: u32, trail: &[ReplayedStep]) {
        self.record(trail);
        self.out.push_successor(state, steps);
    }

    pub fn push_violation(&mut self, violation: Violation, steps: u32, trail: &[ReplayedStep]) {
        self.record(trail);
        self.out.push_violation(violation, steps);
    }

    fn record(&mut self, trail: &[ReplayedStep]) {
        let number = self.out.events().len();
        if let Some(recorder) = self.recorder.as_deref_mut()
            && recorder.wanted == number
        {
            recorder.steps = Some(trail.to_vec());
        }
    }

    /// Errors of `provided` clauses belong to no statement.
    fn report_stray_faults(&mut self, steps: u32, trail: &[ReplayedStep]) {
        let faults: Vec<_> = self.exec.faults.borrow_mut().drain(..).collect();
        for fault in faults {
            let violation = self.exec.runtime(None, fault);
            self.push_violation(violation, steps, trail);
        }
    }
}
