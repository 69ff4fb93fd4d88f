//! What follows from the list of processes at the front of a state.
//!
//! Lineups form a tree: the children of one are those with one process more.
//! They are made when they are first met and stay until the interpreter goes, so
//! the rest of the crate borrows them and nothing is counted.

use crate::exec::Exec;
use crate::prepared::Prepared;
use crate::shape::{Parts, Shape, proctypes};
use spinor_program::expr::ProctypeId;
use spinor_program::{LocId, Program};
use std::sync::Arc;
use std::sync::OnceLock;

/// The processes of a state.
#[derive(Debug)]
pub(crate) struct Lineup {
    /// Where things lie.
    pub shape: Arc<Shape>,
    /// From the shape: start of the globals.
    pub globals: usize,
    /// From the shape: frame of the claim.
    pub claim: usize,
    /// From the shape: start of the hidden variables.
    pub hidden: usize,
    /// Processes by pid.
    pub seats: Box<[Seat]>,
    /// Channels by number, from 0.
    pub channels: Box<[Berth]>,
    /// The front of the states that look like this.
    header: Box<[u8]>,
    /// With one more process, by its type.
    larger: Box<[OnceLock<Box<Lineup>>]>,
}

/// A channel in a state: what looking at its content needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Berth {
    /// Start of its content.
    pub offset: usize,
    /// Slots; 0 is rendezvous.
    pub capacity: u32,
    /// Bytes of the number of messages.
    pub len_bytes: u32,
}

/// A process in a state: what trying its transitions needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seat {
    /// Start of its frame.
    pub offset: usize,
    /// Its type.
    pub proctype: ProctypeId,
    /// Its location 0 among the [stops](Prepared::stops).
    pub first_stop: u32,
    /// Bytes of its location.
    pub location_bytes: u8,
    /// `D_proctype`.
    pub deterministic: bool,
}

impl Berth {
    /// Number of messages.
    #[inline(always)]
    pub fn len(self, state: &[u8]) -> u32 {
        if self.len_bytes == 1 {
            return u32::from(state[self.offset]);
        }
        let bytes = &state[self.offset..self.offset + self.len_bytes as usize];
        bytes.iter().rev().fold(0, |n, &b| n << 8 | u32::from(b))
    }
}

impl Seat {
    /// Where the process is.
    #[inline(always)]
    pub fn location(&self, state: &[u8]) -> usize {
        let at = |i: usize| usize::from(state[self.offset + i]);
        match self.location_bytes {
            1 => at(0),
            2 => at(0) | at(1) << 8,
            _ => at(0) | at(1) << 8 | at(2) << 16 | at(3) << 24,
        }
    }

    /// Moves the process.
    #[inline(always)]
    pub fn set_location(&self, state: &mut [u8], to: LocId) {
        if self.location_bytes == 1 {
            state[self.offset] = to.0 as u8;
        } else {
            let bytes = usize::from(self.location_bytes);
            state[self.offset..self.offset + bytes].copy_from_slice(&to.0.to_le_bytes()[..bytes]);
        }
    }
}

impl Lineup {
    fn new(program: &Program, parts: Parts, prepared: &Prepared, processes: &[ProctypeId]) -> Self {
        let shape = Shape::new(program, parts, processes);
        let seat = |frame: &crate::Frame| {
            let process = &program.proctypes[frame.proctype.index()];
            Seat {
                offset: frame.offset,
                proctype: frame.proctype,
                first_stop: prepared.first_stops[frame.proctype.index()],
                location_bytes: process.location_bytes as u8,
                deterministic: process.deterministic,
            }
        };
        let berth = |channel: &crate::Channel| {
            let ty = &program.channel_types[channel.ty.0 as usize];
            Berth { offset: channel.offset, capacity: ty.capacity, len_bytes: ty.len_bytes }
        };
        let width = program.proctype_bytes as usize;
        let mut header = vec![processes.len() as u8];
        processes.iter().for_each(|p| header.extend_from_slice(&p.0.to_le_bytes()[..width]));
        Lineup {
            seats: shape.frames.iter().map(seat).collect(),
            channels: shape.channels.iter().map(berth).collect(),
            header: header.into(),
            larger: program.proctypes.iter().map(|_| OnceLock::new()).collect(),
            globals: shape.globals,
            claim: shape.claim,
            hidden: shape.key,
            shape: Arc::new(shape),
        }
    }

    /// With one more process: the first of those of `state`.
    #[inline]
    fn with(&self, exec: &Exec, proctype: usize, state: &[u8]) -> &Lineup {
        self.larger[proctype].get_or_init(|| {
            let count = self.seats.len() + 1;
            let processes: Vec<_> = proctypes(&exec.program, state).take(count).collect();
            Box::new(Lineup::new(&exec.program, exec.parts, &exec.prepared, &processes))
        })
    }

    /// Whether this is the lineup of a state.
    #[inline]
    pub fn is_of(&self, state: &[u8]) -> bool {
        state.starts_with(&self.header)
    }
}

/// All lineups met so far.
#[derive(Debug)]
pub(crate) struct Lineups {
    /// Nobody is there.
    empty: Lineup,
}

impl Lineups {
    pub fn new(program: &Program, parts: Parts, prepared: &Prepared) -> Self {
        Lineups { empty: Lineup::new(program, parts, prepared, &[]) }
    }

    /// The lineup of a state of `exec`.
    pub fn of(&self, exec: &Exec, state: &[u8]) -> &Lineup {
        let mut lineup = &self.empty;
        if exec.program.proctype_bytes == 1 {
            for &proctype in &state[1..1 + usize::from(state[0])] {
                lineup = lineup.with(exec, usize::from(proctype), state);
            }
        } else {
            for proctype in proctypes(&exec.program, state) {
                lineup = lineup.with(exec, proctype.index(), state);
            }
        }
        lineup
    }
}
