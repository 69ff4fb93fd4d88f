//! What is known of a process without looking at a state.

use spinor_exec::arithmetic;
use spinor_program::expr::{Predefined, UnaryOp};
use spinor_program::{Base, Expr, Place, Scalar, Stable};

/// What is known of a process: its number and the bytes that never change.
#[derive(Clone, Copy)]
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
        let bytes = match place.base {
            Base::Global => self.globals,
            Base::Frame => self.frame,
            Base::Hidden | Base::Sink => return None,
        };
        let is_stable = self.stable.holds(place.base, self.proctype, range.clone());
        let is_known = is_stable && range.end as usize <= bytes.len();
        is_known.then(|| Scalar::load(place.scalar, bytes, range.start as usize))
    }

    /// A byte of the frame, if it never changes.
    pub fn byte_of_frame(&self, at: u32) -> Option<u8> {
        let is_stable = self.stable.holds(Base::Frame, self.proctype, at..at + 1);
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
