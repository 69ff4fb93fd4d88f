//! The system in step with a never claim: the claim moves first, then the system; if
//! the system cannot move, it repeats its state.
#![allow(unsafe_code)]

use crate::abi::{self, ATOMIC, BAIL, SLACK};
use crate::events::{RawEvent, Room, emit};
use crate::helpers::HELPERS;
use crate::native::{Bail, Native, Tally};
use spinor_ts::Event;

/// Unfinished paths through atomic sequences of the claim that are kept.
const MAX_WORK: usize = 1 << 16;

/// Steps that a claim may take in one expansion before the interpreter has to see to it.
const MAX_STEPS: u32 = 1 << 16;

/// Memory of the claim's part of an expansion.
#[derive(Default)]
pub(crate) struct Claim {
    events: Vec<Event>,
    bytes: Vec<u8>,
    /// States inside atomic sequences of the claim, with the steps to them.
    work: Vec<(Vec<u8>, u32)>,
}

impl Native {
    /// All that can happen in step with the claim.
    pub(crate) fn with_claim(&mut self, state: *const u8) -> Result<(), Bail> {
        let Some(mut claim) = self.claim.take() else { return Err(Bail) };
        let result = self.in_step(&mut claim, state);
        claim.work.clear();
        self.claim = Some(claim);
        result
    }

    fn in_step(&mut self, claim: &mut Claim, state: *const u8) -> Result<(), Bail> {
        let timeout = self.program.uses_timeout && !self.can_move(state)?;
        self.claim_moves(claim, state, timeout, 0)?;
        while let Some((mut state, steps)) = claim.work.pop() {
            state.resize(state.len() + SLACK, 0);
            // SAFETY: slack was just added.
            unsafe { self.enter(state.as_ptr()) };
            self.claim_moves(claim, state.as_ptr(), timeout, steps)?;
        }
        Ok(())
    }

    /// Whether some process can move without `timeout`.
    fn can_move(&mut self, state: *const u8) -> Result<bool, Bail> {
        let moves = self.processes(state, 0, false)?;
        self.tally = Tally::default();
        self.labels.clear();
        self.walk.forget_seen();
        // SAFETY: the room of the expansion is open.
        unsafe { self.service.room.rewind(&mut self.cx) };
        Ok(moves)
    }

    /// Every step of the claim from a state, and what the system does after it.
    fn claim_moves(
        &mut self,
        claim: &mut Claim,
        state: *const u8,
        timeout: bool,
        steps: u32,
    ) -> Result<(), Bail> {
        if steps > MAX_STEPS {
            return Err(Bail);
        }
        self.claim_step(claim, state, timeout)?;
        // The next path is taken last-in first-out.
        for number in (0..claim.events.len()).rev() {
            // SAFETY: a successor that the claim's code wrote.
            let event = unsafe { claim.events.as_ptr().cast::<RawEvent>().add(number).read() };
            let (start, end) = (event.start as usize, event.end as usize);
            if event.steps & ATOMIC != 0 && claim.work.len() < MAX_WORK {
                claim.work.push((claim.bytes[start..end].to_vec(), steps + 1));
                continue;
            }
            // SAFETY: it lies in the claim's bytes, which have slack behind them and
            // stay as they are until the claim's next step.
            let next = unsafe { claim.bytes.as_ptr().add(start) };
            self.system_after(next, end - start, steps + 1)?;
        }
        Ok(())
    }

    /// Runs the claim's code; its events go to the claim's own vectors.
    fn claim_step(
        &mut self,
        claim: &mut Claim,
        state: *const u8,
        timeout: bool,
    ) -> Result<(), Bail> {
        let cursors = (self.cx.bytes_start, self.cx.bytes, self.cx.bytes_end);
        let events = (self.cx.events, self.cx.events_end);
        let room = self.service.room;
        self.service.room = Room::open(&mut claim.events, &mut claim.bytes, &mut self.cx);
        self.cx.timeout = u32::from(timeout);
        let frame = self.cx.claim;
        // SAFETY: the claim's function, on a state with slack that `cx` describes; the
        // cursors stand in the claim's room, which is closed right after.
        let flags = unsafe {
            let claim = self.routines.claim;
            let flags = abi::call(claim, &raw mut self.cx, state, frame, 0, &HELPERS);
            self.service.room.close(&self.cx);
            flags
        };
        self.service.room = room;
        (self.cx.bytes_start, self.cx.bytes, self.cx.bytes_end) = cursors;
        (self.cx.events, self.cx.events_end) = events;
        if flags & BAIL != 0 { Err(Bail) } else { Ok(()) }
    }

    /// All moves of the system after a step of the claim.
    fn system_after(&mut self, state: *const u8, length: usize, steps: u32) -> Result<(), Bail> {
        // SAFETY: a state with slack.
        unsafe { self.enter(state) };
        let moved = self.processes(state, steps, false)?
            || (self.program.uses_timeout && self.processes(state, steps, true)?);
        if moved {
            return Ok(());
        }
        self.labels.push(0, false);
        // SAFETY: the state lies in the claim's room, not in the open one.
        if unsafe { emit(&mut self.cx, self.service.room, state, length, steps) } {
            Ok(())
        } else {
            Err(Bail)
        }
    }
}
