//! Bytes that never change once they are there.

use crate::walk::each_action;
use spinor_exec::arithmetic;
use spinor_program::expr::{Predefined, UnaryOp};
use spinor_program::{Action, Base, Expr, Place, ProcessType, Program, ReceiveField, Scalar};

/// Which bytes never change.
#[derive(Debug)]
pub(crate) struct Stable {
    /// Of the globals.
    globals: Vec<bool>,
    /// Of the frames, by proctype.
    frames: Vec<Vec<bool>>,
}

impl Stable {
    pub fn new(program: &Program) -> Self {
        let mut stable = Stable {
            globals: vec![true; program.globals.bytes as usize],
            frames: program.proctypes.iter().map(frame).collect(),
        };
        if program.embedded.is_some() {
            // C may write everything.
            stable.globals.fill(false);
            stable.frames.iter_mut().for_each(|frame| frame.fill(false));
        }
        for (number, process) in program.proctypes.iter().enumerate() {
            each_action(program, process, &mut |action| {
                written(action, &mut |place| stable.drop(place, Some(number)));
            });
        }
        for claim in &program.claims {
            each_action(program, claim, &mut |action| {
                written(action, &mut |place| stable.drop(place, None));
            });
        }
        stable
    }

    fn drop(&mut self, place: &Place, proctype: Option<usize>) {
        let bytes = match (place.base, proctype) {
            (Base::Global, _) => &mut self.globals,
            (Base::Frame, Some(proctype)) => &mut self.frames[proctype],
            _ => return,
        };
        let range = extent(place);
        let end = (range.end as usize).min(bytes.len());
        bytes[(range.start as usize).min(end)..end].fill(false);
    }

    /// Offsets in the frame of a proctype whose bytes never change.
    pub fn of_frame(&self, proctype: usize) -> Vec<u32> {
        let bytes = self.frames[proctype].iter().enumerate();
        bytes.filter(|(_, stable)| **stable).map(|(at, _)| at as u32).collect()
    }
}

/// The location at the start of a frame changes.
fn frame(process: &ProcessType) -> Vec<bool> {
    let mut bytes = vec![true; process.frame.bytes as usize];
    let location = process.location_bytes as usize;
    bytes[..location.min(process.frame.bytes as usize)].fill(false);
    bytes
}

/// Calls `f` on all places that an action may write.
pub(crate) fn written(action: &Action, f: &mut impl FnMut(&Place)) {
    match action {
        Action::Assign(pairs) => pairs.iter().for_each(|(place, _)| f(place)),
        Action::Receive(receive) => {
            for field in &receive.args {
                if let ReceiveField::Bind(place) = field {
                    f(place);
                }
            }
        }
        _ => {}
    }
}

/// All bytes that a place may be at, whatever its indices are.
pub(crate) fn extent(place: &Place) -> std::ops::Range<u32> {
    let spread = |i: &spinor_program::Index| i.bound.saturating_sub(1) * i.stride;
    let last = place.offset + place.indices.iter().map(spread).sum::<u32>();
    place.offset..last + place.scalar.width()
}

/// What is known of a process: its number and the bytes that never change.
pub(crate) struct Known<'a> {
    pub stable: &'a Stable,
    pub proctype: Option<usize>,
    pub pid: Option<usize>,
    /// The globals in some state.
    pub globals: &'a [u8],
    /// The frame in some state; empty if nothing is known of it.
    pub frame: &'a [u8],
}

impl Known<'_> {
    /// The value of an expression, if it is always the same.
    pub fn value(&self, e: &Expr) -> Option<i32> {
        match e {
            Expr::Const(value) => Some(*value),
            Expr::Predefined(Predefined::Pid) => self.pid.map(|pid| pid as i32),
            Expr::Load(place) => self.load(place),
            Expr::Unary(op, a) => {
                let a = self.value(a)?;
                Some(match op {
                    UnaryOp::Neg => a.wrapping_neg(),
                    UnaryOp::Not => i32::from(a == 0),
                    UnaryOp::BitNot => !a,
                })
            }
            Expr::Binary(op, a, b) => arithmetic(*op, self.value(a)?, self.value(b)?),
            Expr::Conditional(c, a, b) => {
                if self.value(c)? != 0 {
                    self.value(a)
                } else {
                    self.value(b)
                }
            }
            _ => None,
        }
    }

    /// The value at a place, if it never changes.
    pub fn load(&self, place: &Place) -> Option<i32> {
        let range = self.range(place);
        let width = place.scalar.width();
        if range.end - range.start != width {
            return None;
        }
        let (bytes, stable) = match (place.base, self.proctype) {
            (Base::Global, _) => (self.globals, &self.stable.globals),
            (Base::Frame, Some(proctype)) => (self.frame, &self.stable.frames[proctype]),
            _ => return None,
        };
        let all = range.start as usize..range.end as usize;
        let is_stable = stable.get(all.clone())?.iter().all(|s| *s);
        (is_stable && all.end <= bytes.len()).then(|| Scalar::load(place.scalar, bytes, all.start))
    }

    /// A byte of the frame, if it never changes.
    pub fn byte_of_frame(&self, at: u32) -> Option<u8> {
        let is_stable = *self.stable.frames[self.proctype?].get(at as usize)?;
        self.frame.get(at as usize).copied().filter(|_| is_stable)
    }

    /// The bytes that a place may be at, as far as its indices are known.
    pub fn range(&self, place: &Place) -> std::ops::Range<u32> {
        let (mut first, mut last) = (place.offset, place.offset);
        for index in &place.indices {
            match self.value(&index.value) {
                // Out of range: an error of the model, which touches nothing.
                Some(value) => {
                    let value = u32::try_from(value).unwrap_or(0).min(index.bound.max(1) - 1);
                    first += value * index.stride;
                    last += value * index.stride;
                }
                None => last += index.bound.saturating_sub(1) * index.stride,
            }
        }
        first..last + place.scalar.width()
    }
}
