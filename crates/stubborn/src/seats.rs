//! Where the processes of a state are, for states with the same list of processes.

use spinor_exec::{Options, Shape};
use spinor_program::Program;
use std::collections::HashMap;

/// All lists of processes met so far.
#[derive(Debug, Default)]
pub(crate) struct Lineups {
    all: Vec<Lineup>,
    numbers: HashMap<Vec<u8>, usize>,
    /// The one met last.
    latest: usize,
}

/// One list of processes.
#[derive(Debug)]
pub(crate) struct Lineup {
    /// The bytes that say which they are.
    header: Vec<u8>,
    pub shape: Shape,
    /// By pid.
    pub seats: Vec<Seat>,
}

/// Where a process is, and the instance met there last.
#[derive(Debug)]
pub(crate) struct Seat {
    /// The place of its location in the state, and its bytes.
    offset: usize,
    width: usize,
    /// The places of its variables that never change.
    stable: Vec<usize>,
    /// Their values in the instance met last, and the position of its location 0.
    values: Vec<u8>,
    first: Option<u32>,
}

impl Lineups {
    /// The number of a state's list. `frames`: by proctype, the bytes of a frame that never change.
    pub fn number(
        &mut self,
        program: &Program,
        options: Options,
        frames: &[Vec<u32>],
        state: &[u8],
    ) -> usize {
        let header = &state[..1 + usize::from(state[0]) * program.proctype_bytes as usize];
        if self.all.get(self.latest).is_some_and(|lineup| lineup.header == header) {
            return self.latest;
        }
        self.latest = self.numbers.get(header).copied().unwrap_or_else(|| {
            let shape = Shape::of(program, options, state);
            let seats = shape.frames.iter().map(|frame| {
                let proctype = frame.proctype.index();
                let stable = frames[proctype].iter().map(|at| frame.offset + *at as usize);
                Seat {
                    offset: frame.offset,
                    width: program.proctypes[proctype].location_bytes as usize,
                    stable: stable.collect(),
                    values: Vec::new(),
                    first: None,
                }
            });
            let seats = seats.collect();
            self.all.push(Lineup { header: header.to_vec(), shape, seats });
            self.numbers.insert(header.to_vec(), self.all.len() - 1);
            self.all.len() - 1
        });
        self.latest
    }

    pub fn get(&self, number: usize) -> &Lineup {
        &self.all[number]
    }

    /// The instance of a process has this for its location 0.
    pub fn remember(&mut self, number: usize, pid: usize, state: &[u8], first: u32) {
        let seat = &mut self.all[number].seats[pid];
        seat.values.clear();
        seat.values.extend(seat.stable.iter().map(|at| state[*at]));
        seat.first = Some(first);
    }
}

impl Seat {
    /// The position of location 0 of the process, if it is the instance met last.
    #[inline]
    pub fn first(&self, state: &[u8]) -> Option<u32> {
        let is_same = self.stable.iter().zip(&self.values).all(|(at, value)| state[*at] == *value);
        self.first.filter(|_| is_same)
    }

    /// Its location.
    #[inline]
    pub fn location(&self, state: &[u8]) -> u32 {
        let bytes = &state[self.offset..self.offset + self.width];
        bytes.iter().rev().fold(0, |n, &b| n << 8 | u32::from(b))
    }

    /// The values of its variables that never change.
    pub fn values(&self, state: &[u8]) -> Vec<u8> {
        self.stable.iter().map(|at| state[*at]).collect()
    }
}
