//! Several states expanded in a row: what has to be prepared is prepared once.
#![allow(unsafe_code)]

use crate::abi::{self, BAIL, CONTINUES, MOVED, STOPPED_SHIFT, StepFn};
use crate::events::Room;
use crate::helpers::HELPERS;
use crate::native::{Bail, Native, Tally};
use crate::walk::Written;
use spinor_ts::{Event, EventKind, Expansion, Padded, TransitionSystem, one_by_one};

/// Events and bytes of states after which no further state is expanded.
const LONG_EVENTS: usize = 1024;
const LONG_BYTES: usize = 1 << 18;

impl Native {
    /// As `TransitionSystem::expand_many`.
    pub(crate) fn expand_batch(
        &mut self,
        states: &[Padded<'_>],
        out: &mut Expansion,
        ends: &mut Vec<u32>,
    ) {
        out.clear();
        ends.clear();
        // A claim wants the room for itself, and labels are not added up.
        if self.claim.is_some() || self.labels.are_wanted {
            one_by_one(states, out, ends, |state, out| self.expand_padded(state, out));
            return;
        }
        let mut total = Tally::default();
        let (mut is_plain, mut only_successors) = (true, true);
        let (events, bytes) = out.raw_parts();
        self.begin(events, bytes);
        for state in states {
            let room = self.service.room;
            let before = (self.event_bytes(), room.bytes_used(&self.cx));
            self.tally = Tally::default();
            self.cx.chained = 0;
            let is_done =
                self.recognise(state.state()) && self.alone(state.bytes().as_ptr()).is_ok();
            self.expanded += 1;
            if is_done {
                self.tally.atomic_steps += self.cx.chained;
                let tally = self.tally;
                if tally.deepest != 0 {
                    is_plain = false;
                    total.add(tally);
                    if tally.atomic_steps > 0 {
                        self.walk.forget_seen();
                    }
                }
            } else {
                self.walk.reset();
                // SAFETY: the room is open, and so much was written in it.
                unsafe { room.rewind_to(&mut self.cx, before.0, before.1) };
                is_plain = false;
                only_successors &= self.single_in_batch(*state, out, &mut total);
            }
            let events = self.event_bytes() / size_of::<Event>();
            ends.push(events as u32);
            if events > LONG_EVENTS || self.service.room.bytes_used(&self.cx) > LONG_BYTES {
                break;
            }
        }
        // SAFETY: the room is open, and `out` has not been touched since.
        unsafe { self.service.room.close(&self.cx) };
        out.atomic_steps = total.atomic_steps;
        out.deepest = total.deepest;
        out.cut = total.cut;
        out.is_plain = is_plain;
        out.only_successors = only_successors;
    }

    /// All moves in a state of the only shape there is, by the function `all`. Says whether
    /// there are any.
    #[inline]
    pub(crate) fn all_processes(&mut self, all: StepFn, state: *const u8) -> Result<bool, Bail> {
        let first = self.event_bytes();
        self.cx.timeout = 0;
        self.cx.offered = 0;
        // SAFETY: on a state with slack that `cx` describes; the cursors stand in an open room.
        let flags = unsafe { abi::call(all, &raw mut self.cx, state, 0, 0, &HELPERS) };
        if flags & BAIL != 0 {
            return Err(Bail);
        }
        self.tally.deepest = self.tally.deepest.max(self.cx.offered);
        if flags & CONTINUES != 0 {
            return self.all_after(state, first, flags);
        }
        Ok(flags & MOVED != 0)
    }

    /// A process stays inside an atomic sequence: follows it, then tries those after it.
    #[cold]
    fn all_after(&mut self, state: *const u8, first: usize, flags: u32) -> Result<bool, Bail> {
        let shape = self.shape;
        // What others wrote before it has its steps already, and none are added.
        self.follow(Written { first, steps: 0, flags, movers: 0, passed: false })?;
        if self.shape != shape {
            self.enter_shape(shape);
        }
        let stopped = (flags >> STOPPED_SHIFT) as usize;
        let skipped = self.shapes.get(shape).frames.len() - stopped;
        self.processes_after(skipped, state, 0, false)?;
        Ok(true)
    }

    /// Lets the interpreter expand a state of a batch. Says whether there are only successors.
    #[cold]
    fn single_in_batch(
        &mut self,
        state: Padded<'_>,
        out: &mut Expansion,
        total: &mut Tally,
    ) -> bool {
        // SAFETY: the room is open, and `out` has not been touched since.
        unsafe { self.service.room.close(&self.cx) };
        let mut single = std::mem::take(&mut self.single);
        self.leave_to_interpreter(state.state(), &mut single);
        out.append(&single);
        total.add(Tally {
            atomic_steps: single.atomic_steps,
            deepest: single.deepest,
            cut: single.cut,
        });
        let is_successor = |event: &Event| event.kind == EventKind::Successor;
        let only_successors = single.events().iter().all(is_successor);
        self.single = single;
        let (events, bytes) = out.raw_parts();
        self.service.room = Room::reopen(events, bytes, &mut self.cx);
        only_successors
    }
}

impl Tally {
    /// Takes in that of another state.
    fn add(&mut self, other: Tally) {
        self.atomic_steps += other.atomic_steps;
        self.deepest = self.deepest.max(other.deepest);
        self.cut = self.cut.or(other.cut);
    }
}
