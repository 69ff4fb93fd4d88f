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
    /// Values of variables that never change, by place: those of the processes met last.
    values: Vec<(u32, u8)>,
}

/// Where a process is, and the instance met there last.
#[derive(Debug)]
pub(crate) struct Seat {
    /// The place of its location in the state, and its bytes.
    offset: usize,
    width: usize,
    /// Which of the values are its own.
    stable: std::ops::Range<usize>,
    /// The position of location 0 of the instance met last; none has yet.
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
            let mut values = Vec::new();
            let seats = shape.frames.iter().map(|frame| {
                let proctype = frame.proctype.index();
                let stable = frames[proctype].iter().map(|at| (frame.offset as u32 + at, 0));
                let begin = values.len();
                values.extend(stable);
                Seat {
                    offset: frame.offset,
                    width: program.proctypes[proctype].location_bytes as usize,
                    stable: begin..values.len(),
                    first: None,
                }
            });
            let seats = seats.collect();
            self.all.push(Lineup { header: header.to_vec(), shape, seats, values });
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
        let Lineup { seats, values, .. } = &mut self.all[number];
        for (at, value) in &mut values[seats[pid].stable.clone()] {
            *value = state[*at as usize];
        }
        seats[pid].first = Some(first);
    }
}

impl Lineup {
    /// Adds the positions of all processes, if they are those met last.
    pub fn positions(&self, state: &[u8], positions: &mut Vec<u32>) -> bool {
        if self.values.iter().any(|(at, value)| state[*at as usize] != *value) {
            return false;
        }
        positions
            .extend(self.seats.iter().map_while(|seat| Some(seat.first? + seat.location(state))));
        positions.len() == self.seats.len()
    }

    /// The position of location 0 of a process, if it is the instance met last.
    pub fn first(&self, pid: usize, state: &[u8]) -> Option<u32> {
        let seat = &self.seats[pid];
        let mut values = self.values[seat.stable.clone()].iter();
        seat.first.filter(|_| values.all(|(at, value)| state[*at as usize] == *value))
    }

    /// Appends the bytes that say where a process stands, and which instance it is.
    pub fn bytes_of(&self, pid: usize, bytes: &mut Vec<std::ops::Range<usize>>) {
        let Seat { offset, width, stable, .. } = &self.seats[pid];
        bytes.push(*offset..offset + width);
        let values = &self.values[stable.clone()];
        bytes.extend(values.iter().map(|(at, _)| *at as usize..*at as usize + 1));
    }

    /// The values of its variables that never change.
    pub fn values(&self, pid: usize, state: &[u8]) -> Vec<u8> {
        let values = &self.values[self.seats[pid].stable.clone()];
        values.iter().map(|(at, _)| state[*at as usize]).collect()
    }
}

impl Seat {
    /// Its location.
    #[inline]
    pub fn location(&self, state: &[u8]) -> u32 {
        if self.width == 1 {
            return u32::from(state[self.offset]);
        }
        let bytes = &state[self.offset..self.offset + self.width];
        bytes.iter().rev().fold(0, |n, &b| n << 8 | u32::from(b))
    }
}
