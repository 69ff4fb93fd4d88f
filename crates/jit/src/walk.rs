//! Atomic sequences: walked to their end, or to where they block.
//!
//! A step function writes all events of a process. Those inside an atomic sequence
//! are no events of the expansion: each is replaced, in its place, by what the process
//! reaches alone. So from the first such event on everything is moved to a stack and
//! worked off from there, depth first, as the interpreter does it.
#![allow(unsafe_code)]

use crate::abi::{self, ATOMIC, BAIL, CONTINUES, MOVED, PID_SHIFT, SLACK};
use crate::events::{RawEvent, copy_words, emit};
use crate::helpers::HELPERS;
use crate::native::{Bail, Native};
use crate::state_set::StateSet;

/// Length of an atomic sequence from which on repetitions are looked for.
const LONG: u32 = 64;

/// Steps inside atomic sequences of one expansion after which states already met in it
/// are not walked again. Until then every path counts.
const MANY: u64 = 1 << 19;

/// Steps inside atomic sequences of one expansion after which it is given up.
const TOO_MANY: u64 = 1 << 20;

/// What is said then.
const GIVEN_UP: &str = "an atomic sequence of more than a million steps was cut";

/// Bytes of the stack that are kept from one expansion to the next.
const KEPT: usize = 1 << 20;

/// The part of `Event::steps` that says how many, if a pid is beside it.
const OWN_STEPS: u32 = (1 << PID_SHIFT) - 1;

/// An event that waits for its turn.
#[derive(Clone, Copy)]
struct Pending {
    /// Where its state lies on the stack.
    start: usize,
    length: u32,
    /// Elementary steps from the expanded state.
    steps: u32,
    /// Length of the path to it, in atomic steps.
    depth: u32,
    pid: u8,
    /// Processes on the way to it, one bit each.
    movers: u64,
    /// An `accept` label was passed on the way to it.
    passed: bool,
    /// The process goes on alone.
    is_atomic: bool,
    /// The last one of a call: what lies from `block` on goes with it.
    is_last: bool,
    block: usize,
}

/// The stack of an atomic walk.
#[derive(Default)]
pub(crate) struct Walk {
    pending: Vec<Pending>,
    /// States of the pending events; the slack is part of the vector's length.
    bytes: Vec<u8>,
    /// Bytes in use.
    used: usize,
    /// States on the path beyond [`LONG`].
    on_path: StateSet,
    /// States met beyond [`MANY`] steps.
    seen: StateSet,
}

impl Walk {
    /// Forgets everything.
    pub fn reset(&mut self) {
        self.pending.clear();
        self.used = 0;
        self.on_path.clear();
        self.forget_seen();
    }

    /// Forgets the states met: a new expansion begins.
    pub fn forget_seen(&mut self) {
        self.seen.clear();
        if self.bytes.len() > KEPT {
            self.bytes = Vec::new();
        }
    }

    /// Room for `bytes` more, and slack.
    fn reserve(&mut self, bytes: usize) {
        let wanted = self.used + bytes + SLACK;
        if self.bytes.len() < wanted {
            self.bytes.resize(2 * wanted, 0);
        }
    }
}

/// What a call of a step function left behind.
#[derive(Clone, Copy)]
pub(crate) struct Written {
    /// Bytes of events before its first one.
    pub first: usize,
    /// Elementary steps from the expanded state to the one it was called on.
    pub steps: u32,
    pub flags: u32,
    /// Processes that have moved, one bit each; 0 if nobody asks.
    pub movers: u64,
    /// An `accept` label was passed, the state it was called on included.
    pub passed: bool,
}

impl Native {
    /// Completes the events that a call wrote.
    #[inline(never)]
    pub(crate) fn follow(&mut self, mut written: Written) -> Result<(), Bail> {
        let mut depth = 1;
        loop {
            let next = match self.settle(written, depth) {
                Some(next) => next,
                None => match self.next_atomic()? {
                    Some(next) => next,
                    None => break,
                },
            };
            depth = next.depth + 1;
            written = self.go_on(&next)?;
        }
        self.walk.on_path.leave(0);
        Ok(())
    }

    /// Makes the steps of events count from the expanded state; events from the first
    /// atomic one on go to the stack, but for that one: it is the next to be followed.
    #[inline(always)]
    fn settle(&mut self, written: Written, depth: u32) -> Option<Pending> {
        let Written { first, steps, flags, movers, passed } = written;
        let labels = &mut self.labels;
        // SAFETY: the room is open, and nothing is written before the last use.
        let events = unsafe { self.service.room.events_from(&self.cx, first) };
        let mut done = 0;
        while done < events.len() && events[done].steps & ATOMIC == 0 {
            let event = &mut events[done];
            if labels.are_wanted {
                labels.push(movers | 1 << (event.steps >> PID_SHIFT), passed);
                event.steps &= OWN_STEPS;
            }
            event.steps += steps;
            done += 1;
        }
        if flags & CONTINUES == 0 {
            return None;
        }
        let waiting = &events[done..];
        let head = waiting.first()?;
        let block = self.walk.used;
        let origin = head.start as usize;
        // SAFETY: what the events hold was written before the cursor.
        let length = unsafe {
            let start = self.cx.bytes_start.add(origin);
            let length = self.cx.bytes.offset_from_unsigned(start);
            self.walk.reserve(length);
            copy_words(start, self.walk.bytes.as_mut_ptr().add(block), length);
            self.cx.bytes = start;
            length
        };
        self.walk.used = block + length;
        let pending = |i: usize, event: &RawEvent| {
            let is_atomic = event.steps & ATOMIC != 0;
            let has_pid = is_atomic || movers != 0;
            let own = if has_pid { event.steps & OWN_STEPS } else { event.steps };
            let pid = (event.steps >> PID_SHIFT) as u8;
            Pending {
                start: block + event.start as usize - origin,
                length: event.end - event.start,
                steps: steps + own,
                depth,
                pid,
                passed,
                movers: if movers == 0 { 0 } else { movers | 1 << pid },
                is_atomic,
                is_last: i + 1 == waiting.len(),
                block,
            }
        };
        for (i, event) in waiting.iter().enumerate().skip(1).rev() {
            self.walk.pending.push(pending(i, event));
        }
        // SAFETY: back to where the head was written.
        self.cx.events = unsafe { self.cx.events.sub(waiting.len()) };
        Some(pending(0, head))
    }

    /// The next event on the stack that is to be followed; those before it are complete.
    fn next_atomic(&mut self) -> Result<Option<Pending>, Bail> {
        while let Some(next) = self.walk.pending.pop() {
            if next.is_atomic {
                return Ok(Some(next));
            }
            self.emit_pending(&next)?;
            self.release(&next);
        }
        Ok(None)
    }

    /// A process goes on alone.
    #[inline(always)]
    fn go_on(&mut self, at: &Pending) -> Result<Written, Bail> {
        let (first, movers) = (self.event_bytes(), at.movers);
        let mut written = Written { first, steps: at.steps, flags: 0, movers, passed: at.passed };
        self.tally.atomic_steps += 1;
        if (at.depth > LONG || self.tally.atomic_steps > MANY) && !self.is_new(at) {
            self.release(at);
            return Ok(written);
        }
        let pid = usize::from(at.pid);
        // SAFETY: a state with slack, that stays in its place during the call.
        let state = unsafe { self.walk.bytes.as_ptr().add(at.start) };
        // SAFETY: the same.
        unsafe { self.enter(state) };
        self.cx.timeout = 0;
        self.cx.offered = 0;
        if !self.restricts_moves || self.may_move(state, pid)? {
            let Some(&runner) = self.shapes.get(self.shape).runners.get(pid) else {
                return Err(Bail);
            };
            // SAFETY: the step function of the process's type, on a state with slack
            // that `cx` describes; the cursors stand in an open room.
            written.flags = unsafe {
                abi::call(runner.step, &raw mut self.cx, state, runner.frame, pid, &HELPERS)
            };
        }
        if written.flags & BAIL != 0 {
            return Err(Bail);
        }
        self.tally.deepest = self.tally.deepest.max(at.steps + self.cx.offered);
        if written.flags & MOVED == 0 {
            // The sequence blocks: others may move now.
            self.emit_pending(at)?;
            written.first = self.event_bytes();
        } else if self.labels.may_pass {
            written.passed |= self.is_at_accept_label(state, pid);
        }
        self.release(at);
        Ok(written)
    }

    /// Whether a process is at an `accept` label in a state that `cx` describes.
    #[cold]
    fn is_at_accept_label(&self, state: *const u8, pid: usize) -> bool {
        let frame = &self.shapes.get(self.shape).frames[pid];
        let process = &self.program.proctypes[frame.proctype as usize];
        let bytes = process.location_bytes as usize;
        // SAFETY: the state has the shape at hand, so the frame lies in it.
        let at = unsafe {
            let location = state.add(frame.offset as usize);
            std::slice::from_raw_parts(location, bytes)
        };
        let at = at.iter().rev().fold(0, |n, &b| n << 8 | usize::from(b));
        process.automaton.locations[at].is_accepting
    }

    /// The last event of a call leaves the stack, and the states of that call with it.
    fn release(&mut self, at: &Pending) {
        if at.is_last {
            self.walk.used = at.block;
        }
    }

    fn emit_pending(&mut self, at: &Pending) -> Result<(), Bail> {
        self.labels.push(at.movers, at.passed);
        // SAFETY: the state lies on the stack, with slack, outside of the open room.
        let is_written = unsafe {
            let state = self.walk.bytes.as_ptr().add(at.start);
            emit(&mut self.cx, self.service.room, state, at.length as usize, at.steps)
        };
        if is_written { Ok(()) } else { Err(Bail) }
    }

    /// Whether a state at the end of a long path, or after many steps, is to be walked
    /// on from.
    #[cold]
    fn is_new(&mut self, at: &Pending) -> bool {
        let walked = self.tally.atomic_steps;
        if walked > TOO_MANY {
            self.tally.cut = Some(GIVEN_UP);
            return false;
        }
        let walk = &mut self.walk;
        let state = &walk.bytes[at.start..at.start + at.length as usize];
        if at.depth > LONG {
            walk.on_path.leave(at.depth);
            if !walk.on_path.insert(state, at.depth) {
                return false;
            }
        }
        walked <= MANY || walk.seen.insert(state, 0)
    }
}
