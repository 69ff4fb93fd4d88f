//! Who may move at all: `provided` clauses and priorities.
#![allow(unsafe_code)]

use crate::abi::{self, StepFn};
use crate::native::{Bail, Native};

impl Native {
    /// Whether a process may move at all: its `provided` clause holds, and no process
    /// of higher priority could move.
    pub(crate) fn may_move(&mut self, state: *const u8, pid: usize) -> Result<bool, Bail> {
        if !self.is_provided(state, pid)? {
            return Ok(false);
        }
        if !self.program.uses_priority {
            return Ok(true);
        }
        let own = self.priority(state, pid);
        for other in 0..self.cx.processes {
            if other != pid
                && self.priority(state, other) > own
                && self.is_provided(state, other)?
                && self.ask(self.routines.enabled[self.proctype(other)], state, other)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_provided(&mut self, state: *const u8, pid: usize) -> Result<bool, Bail> {
        match self.routines.provided[self.proctype(pid)] {
            Some(provided) => self.ask(provided, state, pid),
            None => Ok(true),
        }
    }

    fn proctype(&self, pid: usize) -> usize {
        self.shapes.get(self.shape).frames[pid].proctype as usize
    }

    fn priority(&self, state: *const u8, pid: usize) -> u8 {
        let frame = self.shapes.get(self.shape).frames[pid];
        let process = &self.program.proctypes[frame.proctype as usize];
        // SAFETY: the priority lies in the frame of a process of the state at hand.
        unsafe { *state.add(frame.offset as usize + process.priority_offset as usize) }
    }

    /// Calls a function that answers yes or no.
    fn ask(&mut self, question: StepFn, state: *const u8, pid: usize) -> Result<bool, Bail> {
        let frame = self.shapes.get(self.shape).frames[pid].offset as usize;
        // SAFETY: a function of the process's type, on the state that `cx` describes.
        match unsafe { abi::run(question, &raw mut self.cx, state, frame, pid) } {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Bail),
        }
    }
}
