//! The moves that lead out of a state.
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

use crate::eval::Context;
use crate::exec::Exec;
use crate::fault::violation;
use crate::frame::{Buffers, Frame, Unsettled, recycled};
use crate::lineup::Lineup;
use crate::replay::Recorder;
use crate::step::Attempt;
use spinor_program::LocId;
use spinor_ts::{Expansion, Violation, ViolationKind};
use std::collections::HashSet;

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

pub(crate) struct Walk<'a, R: Recorder> {
    pub exec: &'a Exec,
    pub out: &'a mut Expansion,
    pub recorder: &'a mut R,
    pub buffers: &'a mut Buffers<R::Trail>,
    /// The frames below the one at hand.
    frames: Vec<Frame<'a, R::Trail>>,
    /// States of the frames beyond [`LONG`].
    on_path: Option<HashSet<Vec<u8>>>,
    /// States met beyond [`MANY`] steps.
    seen: Option<HashSet<Vec<u8>>>,
    walked: u64,
}

impl<'a, R: Recorder> Walk<'a, R> {
    pub fn new(
        exec: &'a Exec,
        out: &'a mut Expansion,
        recorder: &'a mut R,
        buffers: &'a mut Buffers<R::Trail>,
    ) -> Self {
        Walk {
            exec,
            out,
            recorder,
            frames: recycled(std::mem::take(&mut buffers.frames)),
            buffers,
            on_path: None,
            seen: None,
            walked: 0,
        }
    }

    /// Gives the memory back.
    pub fn finish(self) {
        self.buffers.frames = recycled(self.frames);
    }

    pub fn without_claim(&mut self, state: &[u8]) {
        let lineup = self.exec.lineup(state);
        if self.system(lineup, state, 0, R::Trail::default()) {
            return;
        }
        let may_be_wrong = !lineup.seats.is_empty() || self.exec.program.ends_empty;
        let is_watched = !self.exec.options.ignore_deadlocks && may_be_wrong;
        if is_watched && !self.exec.is_valid_end(state, lineup) {
            let deadlock = violation(ViolationKind::InvalidEndState, None, None);
            self.push_violation(deadlock, 0, R::Trail::default());
        }
    }

    /// All moves of the system in `state`; `timeout` only if there are no others.
    /// Says whether anything could move.
    pub fn system(
        &mut self,
        lineup: &'a Lineup,
        state: &[u8],
        steps: u32,
        trail: R::Trail,
    ) -> bool {
        self.processes(lineup, state, false, steps, trail)
            || (self.exec.program.uses_timeout && self.processes(lineup, state, true, steps, trail))
    }

    /// All moves of the system in `state`. Says whether there are any.
    pub fn processes(
        &mut self,
        lineup: &'a Lineup,
        state: &[u8],
        timeout: bool,
        steps: u32,
        trail: R::Trail,
    ) -> bool {
        if !lineup.seats.is_empty() {
            self.out.deepest = self.out.deepest.max(steps);
        }
        let mut cx = self.exec.context(lineup, state, None, timeout);
        let mut moved = false;
        for (pid, seat) in lineup.seats.iter().enumerate().rev() {
            cx.turn_to(pid, seat);
            let frame = self.frame(lineup, state, pid, timeout, steps, trail);
            moved |= self.process(&cx, frame);
        }
        moved
    }

    /// The moves of one process without `timeout`.
    pub fn of_process(&mut self, state: &[u8], pid: usize) {
        let lineup = self.exec.lineup(state);
        let cx = self.exec.context(lineup, state, Some(pid), false);
        let frame = self.frame(lineup, state, pid, false, 0, R::Trail::default());
        self.process(&cx, frame);
    }

    /// Tries the process of a frame; says whether it can move.
    #[inline(always)]
    fn process(&mut self, cx: &Context<'_>, mut frame: Frame<'a, R::Trail>) -> bool {
        while let Some(unsettled) = self.sweep(cx, &mut frame) {
            let inner = self.settle(&mut frame, unsettled);
            self.follow_all(&mut frame, inner);
        }
        self.leave(&frame);
        frame.moved
    }

    /// A process to be tried in a state.
    #[inline(always)]
    fn frame(
        &mut self,
        lineup: &'a Lineup,
        state: &[u8],
        pid: usize,
        timeout: bool,
        steps: u32,
        trail: R::Trail,
    ) -> Frame<'a, R::Trail> {
        let seat = &lineup.seats[pid];
        let stop = self.exec.prepared.stops[seat.first_stop as usize + seat.location(state)];
        let mut next = stop.first;
        if self.exec.restricts_moves {
            // A process that may not move has no transitions to try.
            if !self.exec.may_move(state, lineup, pid, timeout) {
                next = stop.last;
            }
            self.report_stray_faults(steps, trail);
        }
        Frame {
            lineup,
            pid,
            timeout,
            exclusive: false,
            start: 0,
            end: 0,
            depth: 1,
            steps,
            next,
            last: stop.last,
            escape: LocId(0),
            moved: false,
            arrivals: 0,
            trail,
            mark: self.recorder.mark(),
        }
    }

    /// Follows what came of an attempt of a process of the expanded state to the end.
    fn follow_all(&mut self, root: &mut Frame<'a, R::Trail>, inner: Option<Frame<'a, R::Trail>>) {
        if let Some(inner) = inner {
            self.run(inner);
        }
        while root.arrivals > 0 {
            root.arrivals -= 1;
            if let Some(inner) = self.follow(root.depth) {
                self.run(inner);
            }
        }
    }

    /// Walks an atomic sequence.
    fn run(&mut self, mut frame: Frame<'a, R::Trail>) {
        loop {
            let inner = if frame.arrivals > 0 {
                frame.arrivals -= 1;
                self.follow(frame.depth)
            } else if let Some(unsettled) = self.sweep_alone(&mut frame) {
                self.settle(&mut frame, unsettled)
            } else {
                self.leave(&frame);
                match self.frames.pop() {
                    Some(below) => frame = below,
                    None => return,
                }
                continue;
            };
            if let Some(inner) = inner {
                self.frames.push(std::mem::replace(&mut frame, inner));
            }
        }
    }

    /// Tries the transitions of a process that goes on alone.
    fn sweep_alone(&mut self, frame: &mut Frame<'a, R::Trail>) -> Option<Unsettled<'a, R::Trail>> {
        let states = std::mem::take(&mut self.buffers.states);
        let state = &states[frame.start..frame.end];
        let cx = self.exec.context(frame.lineup, state, Some(frame.pid), frame.timeout);
        let unsettled = self.sweep(&cx, frame);
        self.buffers.states = states;
        unsettled
    }

    /// Nothing is left to try.
    #[inline(always)]
    fn leave(&mut self, frame: &Frame<'a, R::Trail>) {
        if frame.exclusive {
            let state = &self.buffers.states[frame.start..frame.end];
            if let Some(on_path) = &mut self.on_path {
                on_path.remove(state);
            }
            if !frame.moved {
                // The sequence blocks: others may move now.
                self.recorder.event(self.out.events().len(), frame.trail);
                self.out.push_successor(state, frame.steps);
            }
        }
        self.buffers.states.truncate(frame.start);
        self.recorder.release(frame.mark);
    }

    /// What follows from an attempt that is not just blocked.
    pub fn settle(
        &mut self,
        frame: &mut Frame<'a, R::Trail>,
        unsettled: Unsettled<'a, R::Trail>,
    ) -> Option<Frame<'a, R::Trail>> {
        let Unsettled { transition, attempt, trail } = unsettled;
        let steps = frame.steps + 1;
        self.out.cut = self.out.cut.or(self.exec.given_up.take());
        self.push_violations(steps, trail);
        if attempt == Attempt::Offered {
            self.out.deepest = self.out.deepest.max(steps);
            frame.arrivals = self.receivers(frame, transition.statement);
            if frame.arrivals == 0 {
                return None;
            }
            self.exec.executed[transition.statement.index()].set(true);
        }
        // A statement that errs is not a reason to call the state a dead end.
        frame.moved = true;
        match attempt {
            Attempt::Blocked => None,
            Attempt::Offered => {
                frame.escape = transition.escape;
                None
            }
            Attempt::Done => {
                frame.escape = transition.escape;
                if transition.atomic {
                    return self.go_on(frame.lineup, frame.pid, frame.depth, steps, trail);
                }
                self.recorder.event(self.out.events().len(), trail);
                self.out.push_successor(&self.buffers.effect.next, steps);
                None
            }
        }
    }

    /// The next step of an atomic sequence, unless there have been too many: a process
    /// has moved to the next state of the effect; `lineup` is most likely that of it.
    pub fn go_on(
        &mut self,
        lineup: &'a Lineup,
        pid: usize,
        depth: usize,
        steps: u32,
        trail: R::Trail,
    ) -> Option<Frame<'a, R::Trail>> {
        self.out.atomic_steps += 1;
        self.walked += 1;
        let state = &self.buffers.effect.next;
        if self.walked > TOO_MANY {
            self.out.cut = Some(GIVEN_UP);
            return None;
        }
        if depth > LONG && !self.on_path.get_or_insert_default().insert(state.clone()) {
            return None;
        }
        if self.walked > MANY && !self.seen.get_or_insert_default().insert(state.clone()) {
            return None;
        }
        self.out.deepest = self.out.deepest.max(steps);
        let state = std::mem::take(&mut self.buffers.effect.next);
        let lineup = self.exec.lineup_after(lineup, &state);
        let frame = self.frame(lineup, &state, pid, false, steps, trail);
        let start = self.buffers.states.len();
        self.buffers.states.extend_from_slice(&state);
        self.buffers.effect.next = state;
        let end = self.buffers.states.len();
        Some(Frame { exclusive: true, start, end, depth: depth + 1, ..frame })
    }

    pub fn push_successor(&mut self, state: &[u8], steps: u32, trail: R::Trail) {
        self.recorder.event(self.out.events().len(), trail);
        self.out.push_successor(state, steps);
    }

    pub fn push_violation(&mut self, violation: Violation, steps: u32, trail: R::Trail) {
        self.recorder.event(self.out.events().len(), trail);
        self.out.push_violation(violation, steps);
    }

    /// Those of the last attempt.
    #[inline]
    pub fn push_violations(&mut self, steps: u32, trail: R::Trail) {
        if self.buffers.effect.violations.is_empty() {
            return;
        }
        for violation in self.buffers.effect.violations.drain(..) {
            self.recorder.event(self.out.events().len(), trail);
            self.out.push_violation(violation, steps);
        }
    }

    /// Errors of `provided` clauses belong to no statement.
    fn report_stray_faults(&mut self, steps: u32, trail: R::Trail) {
        let faults = self.exec.faults.take();
        for fault in faults {
            self.push_violation(self.exec.runtime(None, fault), steps, trail);
        }
    }
}
