//! A look at a state without a step: what estimates ask for again and again.
//!
//! Nothing here reports errors: what errs has no value.

use crate::eval::Context;
use crate::exec::Exec;
use crate::quick::{Quick, Spot};
use spinor_program::expr::ProctypeId;
use spinor_program::{Expr, Place};

/// An expression, prepared.
#[derive(Debug)]
pub struct Value(Quick);

impl Value {
    /// The value of `e`.
    #[must_use]
    pub fn new(e: &Expr) -> Self {
        Value(Quick::new(e))
    }

    /// Whether it is the same in every state.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.0.is_constant()
    }
}

/// A variable that holds a channel, prepared.
#[derive(Debug)]
pub struct ChannelVar(Spot);

impl ChannelVar {
    /// The channel in `place`.
    #[must_use]
    pub fn new(place: &Place) -> Self {
        ChannelVar(Spot::new(place))
    }
}

/// A channel in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Queue {
    /// Its number, from 0.
    pub number: usize,
    /// Messages in it.
    pub len: u32,
    /// Slots; 0 is rendezvous.
    pub capacity: u32,
}

/// A state with its processes.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    cx: Context<'a>,
}

impl Exec {
    /// A look at a state.
    #[must_use]
    pub fn look<'a>(&'a self, state: &'a [u8]) -> Look<'a> {
        self.faults.borrow_mut().clear();
        Look { cx: self.context(self.lineup(state), state, None, false) }
    }
}

impl<'a> Look<'a> {
    /// The state.
    #[must_use]
    pub fn state(&self) -> &'a [u8] {
        self.cx.state
    }

    /// Number of processes.
    #[inline]
    #[must_use]
    pub fn processes(&self) -> usize {
        self.cx.lineup.seats.len()
    }

    /// The type of a process.
    #[inline]
    #[must_use]
    pub fn proctype(&self, pid: usize) -> ProctypeId {
        self.cx.lineup.seats[pid].proctype
    }

    /// Where a process is.
    #[inline]
    #[must_use]
    pub fn location(&self, pid: usize) -> usize {
        self.cx.lineup.seats[pid].location(self.cx.state)
    }

    /// Start of the frame of a process.
    #[must_use]
    pub fn frame(&self, pid: usize) -> usize {
        self.cx.lineup.seats[pid].offset
    }

    /// Start of the global variables.
    #[must_use]
    pub fn globals(&self) -> usize {
        self.cx.lineup.globals
    }

    /// The first process of a type.
    #[must_use]
    pub fn first_of(&self, proctype: ProctypeId) -> Option<usize> {
        self.cx.lineup.seats.iter().position(|seat| seat.proctype == proctype)
    }

    #[inline]
    fn seen_by(&self, pid: Option<usize>) -> Context<'a> {
        let mut cx = self.cx;
        if let Some(pid) = pid {
            cx.turn_to(pid, &cx.lineup.seats[pid]);
        }
        cx
    }

    /// The value of an expression for a process; none if it errs.
    #[inline]
    #[must_use]
    pub fn value(&self, pid: Option<usize>, value: &Value) -> Option<i32> {
        value.0.value(&self.seen_by(pid)).ok()
    }

    /// The channel that a variable of a process holds; none if there is none.
    #[inline]
    #[must_use]
    pub fn channel(&self, pid: Option<usize>, channel: &ChannelVar) -> Option<Queue> {
        let number = channel.0.channel(&self.seen_by(pid)).ok()?;
        let berth = self.cx.lineup.channels.get(number)?;
        let capacity = berth.capacity;
        let len = if capacity == 0 { 0 } else { berth.len(self.cx.state) };
        Some(Queue { number, len, capacity })
    }

    /// Whether message `index` of a channel fits a pattern.
    #[must_use]
    pub fn fits(&self, queue: Queue, index: u32, pattern: &[Option<i32>]) -> bool {
        let channel = self.cx.lineup.shape.channels[queue.number];
        let buffer = self.cx.buffer(channel);
        pattern.iter().enumerate().all(|(field, wanted)| {
            wanted.is_none_or(|wanted| {
                field < buffer.fields.len()
                    && buffer.field(self.cx.state, channel.offset, index as usize, field) == wanted
            })
        })
    }
}
