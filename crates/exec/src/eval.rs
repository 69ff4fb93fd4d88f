//! Values of expressions: what they mean, errors included.

use crate::Channel;
use crate::channel::Buffer;
use crate::exec::Exec;
use crate::fault::Fault;
use crate::lineup::{Lineup, Seat};
use crate::quick::probe_holds;
use spinor_program::expr::{BinaryOp, Predefined, ProctypeId, UnaryOp};
use spinor_program::{Base, Expr, Place, Poll};

/// What an expression is evaluated in.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub exec: &'a Exec,
    pub lineup: &'a Lineup,
    pub state: &'a [u8],
    /// The process at hand; `None` for claims and initial values of globals.
    pub pid: Option<usize>,
    /// Start of the globals, of the frame at hand, of the hidden variables, and 0.
    pub bases: [usize; 4],
    /// `timeout` holds.
    pub timeout: bool,
    /// Value of the `run` in the expression: it is executed before.
    pub run_value: i32,
}

/// An offset in the state, or nowhere (`_`, or an index out of range).
type Located = Option<usize>;

impl<'a> Context<'a> {
    /// The same for another process.
    pub fn of_process(&self, pid: usize) -> Self {
        let cx = self.exec.context(self.lineup, self.state, Some(pid), self.timeout);
        Context { run_value: self.run_value, ..cx }
    }

    /// Turns to a process of the same state.
    #[inline(always)]
    pub fn turn_to(&mut self, pid: usize, seat: &Seat) {
        self.pid = Some(pid);
        self.bases[1] = seat.offset;
    }

    pub fn soft(&self, fault: Fault) {
        self.exec.faults.borrow_mut().push(fault);
    }

    pub fn eval(&self, e: &Expr) -> Result<i32, Fault> {
        Ok(match e {
            Expr::Const(value) => *value,
            Expr::Load(place) => self.load(place)?,
            Expr::Predefined(name) => self.predefined(*name),
            Expr::Unary(op, a) => {
                let a = self.eval(a)?;
                match op {
                    UnaryOp::Neg => a.wrapping_neg(),
                    UnaryOp::Not => i32::from(a == 0),
                    UnaryOp::BitNot => !a,
                }
            }
            Expr::Binary(op, a, b) => self.binary(*op, a, b)?,
            Expr::Conditional(c, a, b) => {
                if self.eval(c)? != 0 {
                    self.eval(a)?
                } else {
                    self.eval(b)?
                }
            }
            Expr::Run(_) => self.run_value,
            Expr::Len(place) => {
                let channel = self.channel(place)?;
                self.len(channel) as i32
            }
            Expr::Probe(probe, place) => {
                let channel = self.channel(place)?;
                i32::from(probe_holds(*probe, self.len(channel), self.buffer(channel).capacity))
            }
            Expr::Poll(poll) => i32::from(self.poll(poll)?),
            Expr::Enabled(p) => {
                let p = self.eval(p)?;
                i32::from(self.is_enabled(p)?)
            }
            Expr::PcValue(p) => {
                let p = self.eval(p)?;
                self.process(p).map_or(0, |pid| self.location_of(pid))
            }
            Expr::GetPriority(p) => {
                let p = self.eval(p)?;
                self.process(p).map_or(0, |pid| self.priority(pid))
            }
            Expr::RemoteLabel { proctype, pid, location } => {
                let at = match pid {
                    Some(pid) => {
                        let p = self.eval(pid)?;
                        self.process(p)
                    }
                    None => self.first_of(*proctype),
                };
                // SPIN: the type of a process named by its pid is not looked at.
                i32::from(at.is_some_and(|pid| self.location_of(pid) == location.0 as i32))
            }
            Expr::RemoteVar { proctype, pid, place } => {
                let at = match pid {
                    Some(pid) => {
                        let p = self.eval(pid)?;
                        self.process(p)
                    }
                    None => self.first_of(*proctype),
                };
                let Some(at) = at else { return Ok(0) };
                if self.lineup.seats[at].proctype != *proctype {
                    return Err(Fault::RemoteType);
                }
                self.load_in(place, self.lineup.seats[at].offset)?
            }
            Expr::CExpr(code) => self.c_value(*code)?,
        })
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Result<i32, Fault> {
        let a = self.eval(a)?;
        match op {
            BinaryOp::And if a == 0 => return Ok(0),
            BinaryOp::Or if a != 0 => return Ok(1),
            _ => {}
        }
        let b = self.eval(b)?;
        arithmetic(op, a, b).ok_or(Fault::DivisionByZero)
    }

    fn predefined(&self, name: Predefined) -> i32 {
        match name {
            Predefined::Pid => self.pid.map_or(0, |pid| pid as i32),
            Predefined::NrPr => self.lineup.seats.len() as i32,
            Predefined::Last => i32::from(self.state[self.lineup.shape.last]),
            Predefined::Priority => self.pid.map_or(1, |pid| self.priority(pid)),
            Predefined::Timeout => i32::from(self.timeout),
            Predefined::NonProgress => i32::from(!(0..self.lineup.seats.len()).any(|pid| {
                let process = self.process_type(pid);
                process.automaton.locations[self.location_of(pid) as usize].is_progress
            })),
        }
    }

    /// A pid that exists.
    fn process(&self, pid: i32) -> Option<usize> {
        usize::try_from(pid).ok().filter(|&pid| pid < self.lineup.seats.len())
    }

    fn first_of(&self, proctype: ProctypeId) -> Option<usize> {
        self.lineup.seats.iter().position(|f| f.proctype == proctype)
    }

    pub fn process_type(&self, pid: usize) -> &'a spinor_program::ProcessType {
        &self.exec.program.proctypes[self.lineup.seats[pid].proctype.index()]
    }

    fn location_of(&self, pid: usize) -> i32 {
        self.lineup.seats[pid].location(self.state) as i32
    }

    pub fn priority(&self, pid: usize) -> i32 {
        if !self.exec.program.uses_priority {
            return 1;
        }
        let offset = self.process_type(pid).priority_offset as usize;
        i32::from(self.state[self.lineup.seats[pid].offset + offset])
    }

    /// Where a place lies; a bad index is reported and leads nowhere.
    pub fn locate(&self, place: &Place) -> Result<Located, Fault> {
        self.locate_in(place, self.bases[1])
    }

    fn locate_in(&self, place: &Place, frame: usize) -> Result<Located, Fault> {
        let mut at = place.offset as usize;
        let mut lost = false;
        for index in &place.indices {
            let value = self.eval(&index.value)?;
            match u32::try_from(value) {
                Ok(value) if value < index.bound => at += (value * index.stride) as usize,
                _ => {
                    self.soft(Fault::Index);
                    lost = true;
                }
            }
        }
        Ok(match place.base {
            _ if lost => None,
            Base::Global => Some(self.lineup.shape.globals + at),
            Base::Frame => Some(frame + at),
            Base::Hidden => Some(self.lineup.shape.key + at),
            Base::Sink => None,
        })
    }

    fn load(&self, place: &Place) -> Result<i32, Fault> {
        self.load_in(place, self.bases[1])
    }

    fn load_in(&self, place: &Place, frame: usize) -> Result<i32, Fault> {
        let at = self.locate_in(place, frame)?;
        Ok(at.map_or(0, |at| place.scalar.load(self.state, at)))
    }

    /// The channel whose number a variable holds, from 0.
    pub fn channel_number(&self, place: &Place) -> Result<usize, Fault> {
        let number = self.load(place)?;
        match usize::try_from(number) {
            Ok(0) | Err(_) => Err(Fault::UninitialisedChannel),
            Ok(n) if n > self.lineup.shape.channels.len() => Err(Fault::DeadChannel),
            Ok(n) => Ok(n - 1),
        }
    }

    pub fn channel(&self, place: &Place) -> Result<Channel, Fault> {
        Ok(self.lineup.shape.channels[self.channel_number(place)?])
    }

    pub fn buffer(&self, channel: Channel) -> &'a Buffer {
        &self.exec.prepared.buffers[channel.ty.0 as usize]
    }

    fn len(&self, channel: Channel) -> usize {
        self.buffer(channel).len(self.state, channel.offset)
    }

    fn poll(&self, poll: &Poll) -> Result<bool, Fault> {
        let channel = self.channel(&poll.channel)?;
        let buffer = self.buffer(channel);
        if buffer.capacity == 0 {
            return Err(Fault::PollRendezvous);
        }
        let mut pattern = Vec::with_capacity(poll.pattern.len());
        for field in &poll.pattern {
            pattern.push(match field {
                Some(e) => Some(self.eval(e)?),
                None => None,
            });
        }
        if pattern.len() > buffer.fields.len() {
            return Err(Fault::TooManyReceiveFields);
        }
        Ok(buffer.find(self.state, channel.offset, &pattern, poll.random).is_some())
    }
}

/// The value of `a op b`; nothing if that is a division by zero.
#[inline]
#[must_use]
pub fn arithmetic(op: BinaryOp, a: i32, b: i32) -> Option<i32> {
    Some(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div | BinaryOp::Rem if b == 0 => return None,
        BinaryOp::Div => a.wrapping_div(b),
        BinaryOp::Rem => a.wrapping_rem(b),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        // As the processor does it: the count is taken modulo 32.
        BinaryOp::Shl => a.wrapping_shl(b as u32),
        BinaryOp::Shr => a.wrapping_shr(b as u32),
        BinaryOp::Lt => i32::from(a < b),
        BinaryOp::Le => i32::from(a <= b),
        BinaryOp::Gt => i32::from(a > b),
        BinaryOp::Ge => i32::from(a >= b),
        BinaryOp::Eq => i32::from(a == b),
        BinaryOp::Ne => i32::from(a != b),
        BinaryOp::And => i32::from(a != 0 && b != 0),
        BinaryOp::Or => i32::from(a != 0 || b != 0),
    })
}
