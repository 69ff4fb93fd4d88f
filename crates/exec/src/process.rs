//! Processes come and go; the initial state.

use crate::exec::Exec;
use crate::fault::{Fault, violation};
use crate::lineup::Lineup;
use crate::shape::{Shape, set_location};
use spinor_program::expr::ProctypeId;
use spinor_program::{Area, Scalar};
use spinor_ts::{Violation, ViolationKind};

/// Most processes that can exist at a time.
const MAX_PROCESSES: usize = 255;

impl Exec {
    /// The first state: globals, then the active processes one after the other.
    pub(crate) fn initial_state(&self) -> Result<Vec<u8>, Violation> {
        let err = |fault| violation(ViolationKind::Runtime, None, Some(fault));
        let program = &self.program;
        let lineup = self.lineup(&[0]);
        let shape = &*lineup.shape;
        let mut state = vec![0; shape.total];
        if let Some(trace) = program.trace.as_ref().filter(|_| self.is_watched()) {
            set_location(&trace.body, &mut state, shape.event, trace.body.automaton.start);
        }
        self.fill(&mut state, lineup, &program.globals, None, 0).map_err(err)?;
        self.initialise_c(&mut state, lineup, None).map_err(err)?;
        if let Some(claim) = self.options.claim {
            let claim = &program.claims[claim];
            set_location(claim, &mut state, shape.claim, claim.automaton.start);
            let first_channel = shape.channels.len();
            self.fill(&mut state, lineup, &claim.frame, None, first_channel).map_err(err)?;
        }
        for &proctype in &program.active {
            let priority = program.proctypes[proctype.index()].priority;
            self.start(&mut state, proctype, &[], priority).map_err(err)?;
        }
        if let Some(fault) = self.faults.borrow_mut().drain(..).next() {
            return Err(err(fault));
        }
        Ok(state)
    }

    /// Adds a process at the top and returns its pid.
    pub(crate) fn start(
        &self,
        state: &mut Vec<u8>,
        proctype: ProctypeId,
        args: &[i32],
        priority: i32,
    ) -> Result<usize, Fault> {
        let program = &self.program;
        let old = &*self.lineup(state).shape;
        let pid = old.frames.len();
        if pid >= MAX_PROCESSES {
            return Err(Fault::TooManyProcesses);
        }
        let process = &program.proctypes[proctype.index()];
        state[0] += 1;
        let id = proctype.0.to_le_bytes();
        let width = program.proctype_bytes as usize;
        state.splice(old.header..old.header, id[..width].iter().copied());
        let lineup = self.lineup(state);
        let shape = &*lineup.shape;
        let grown = shape.key - old.key - width;
        let at = shape.key - grown;
        state.splice(at..at, std::iter::repeat_n(0, grown));
        let frame = shape.frames[pid].offset;
        set_location(process, state, frame, process.automaton.start);
        if program.uses_priority || program.weighs_priority {
            state[frame + process.priority_offset as usize] = priority as u8;
        }
        for (&(offset, scalar), &value) in process.params.iter().zip(args) {
            scalar.store(state, frame + offset as usize, value);
        }
        let first_channel = shape.frames[pid].channels_before;
        self.fill(state, lineup, &process.frame, Some(pid), first_channel)?;
        self.initialise_c(state, lineup, Some((pid, proctype)))?;
        Ok(pid)
    }

    /// Numbers the new channels and evaluates the initial values of an area.
    fn fill(
        &self,
        state: &mut [u8],
        lineup: &Lineup,
        area: &Area,
        pid: Option<usize>,
        first_channel: usize,
    ) -> Result<(), Fault> {
        let shape = &lineup.shape;
        let is_claim = self
            .options
            .claim
            .is_some_and(|c| std::ptr::eq(area, &raw const self.program.claims[c].frame));
        let base = match pid {
            Some(pid) => shape.frames[pid].offset,
            None if is_claim => shape.claim,
            None => shape.globals,
        };
        for (i, site) in area.channels.iter().enumerate() {
            let number = (first_channel + i + 1) as i32;
            let scalar = self.channel_scalar();
            if scalar.truncate(number) != number {
                return Err(Fault::TooManyChannels);
            }
            scalar.store(state, base + site.variable as usize, number);
        }
        for initial in &area.initials {
            let value = self.context(lineup, state, pid, false).eval(&initial.value)?;
            let base = if initial.hidden { shape.key } else { base };
            initial.scalar.store(state, base + initial.offset as usize, value);
        }
        Ok(())
    }

    fn channel_scalar(&self) -> Scalar {
        self.program.channel_scalar
    }

    /// Removes the youngest process and its channels.
    pub(crate) fn terminate(&self, state: &mut Vec<u8>, shape: &Shape) {
        let Some(frame) = shape.frames.last() else { return };
        state.drain(frame.offset..shape.key);
        let width = self.program.proctype_bytes as usize;
        state.drain(shape.header - width..shape.header);
        state[0] -= 1;
    }
}
