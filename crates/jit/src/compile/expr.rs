//! Code for expressions and places.

mod embedded;

use super::emit::{Address, CHECKED, Emit, FIXED, PLAIN, View};
use super::range;
use crate::abi::Cx;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};
use spinor_program::expr::{BinaryOp, Predefined, UnaryOp};
use spinor_program::{Base, Expr, Place, Scalar};
use std::mem::offset_of;

/// A right side of `&&` or `||` up to this weight is evaluated in vain rather than
/// jumped over.
const CHEAP: usize = 6;

impl Emit<'_, '_> {
    /// The value of an expression.
    pub fn value(&mut self, e: &Expr, view: View) -> Value {
        match e {
            Expr::Const(c) => self.int(*c),
            Expr::Load(place) => self.load(place, view, view.frame),
            Expr::Predefined(name) => self.predefined(*name, view),
            Expr::Unary(op, a) => match op {
                UnaryOp::Neg => {
                    let a = self.value(a, view);
                    self.b.ins().ineg(a)
                }
                UnaryOp::BitNot => {
                    let a = self.value(a, view);
                    self.b.ins().bnot(a)
                }
                UnaryOp::Not => {
                    let c = self.condition(e, view);
                    self.b.ins().uextend(types::I32, c)
                }
            },
            Expr::Binary(op, a, b) => self.binary(*op, a, b, e, view),
            Expr::Conditional(c, a, b) => {
                let (yes, no, join) =
                    (self.b.create_block(), self.b.create_block(), self.b.create_block());
                let result = self.b.append_block_param(join, types::I32);
                self.branch(c, view, yes, no);
                for (block, e) in [(yes, a), (no, b)] {
                    self.enter(block);
                    let value = self.value(e, view);
                    self.b.ins().jump(join, &[BlockArg::Value(value)]);
                }
                self.enter(join);
                result
            }
            Expr::Run(_) => match view.started {
                Some(pid) => pid,
                None => self.int(0),
            },
            Expr::Len(place) => self.channel_len(place, view),
            Expr::Probe(probe, place) => self.probe(*probe, place, view),
            Expr::Poll(poll) => self.poll(poll, view),
            Expr::Enabled(p) => self.enabled(p, view),
            Expr::PcValue(p) => self.of_process_or_zero(p, view, |s, pid| s.location_of(pid, view)),
            Expr::GetPriority(p) => {
                self.of_process_or_zero(p, view, |s, pid| s.priority_of(pid, view))
            }
            Expr::RemoteLabel { proctype, pid, location } => {
                let wanted = i64::from(location.0);
                self.of_instance(*proctype, pid.as_deref(), view, |s, pid| {
                    let at = s.location_of(pid, view);
                    let is = s.compare(IntCC::Equal, at, wanted);
                    s.b.ins().uextend(types::I32, is)
                })
            }
            Expr::RemoteVar { proctype, pid, place } => {
                self.of_instance(*proctype, pid.as_deref(), view, |s, pid| {
                    let frame = s.frame_of(pid, view, Some(*proctype));
                    s.load(place, view, frame)
                })
            }
            Expr::CExpr(code) => self.call_c(*code, view),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, whole: &Expr, view: View) -> Value {
        match op {
            BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::And
            | BinaryOp::Or => {
                let c = self.condition(whole, view);
                return self.b.ins().uextend(types::I32, c);
            }
            BinaryOp::Div | BinaryOp::Rem => return self.division(op, a, b, view),
            _ => {}
        }
        let x = self.value(a, view);
        let y = self.value(b, view);
        let ins = self.b.ins();
        match op {
            BinaryOp::Add => ins.iadd(x, y),
            BinaryOp::Sub => ins.isub(x, y),
            BinaryOp::Mul => ins.imul(x, y),
            BinaryOp::BitAnd => ins.band(x, y),
            BinaryOp::BitOr => ins.bor(x, y),
            BinaryOp::BitXor => ins.bxor(x, y),
            // Both take the count modulo 32, as it should be.
            BinaryOp::Shl => ins.ishl(x, y),
            _ => ins.sshr(x, y),
        }
    }

    fn division(&mut self, op: BinaryOp, a: &Expr, b: &Expr, view: View) -> Value {
        let (of_a, of_b) = (range::of(a), range::of(b));
        let x = self.value(a, view);
        let natural = of_a.is_natural() && of_b.is_natural();
        if let Expr::Const(c) = b
            && *c > 0
            && c.count_ones() == 1
            && natural
        {
            return match op {
                BinaryOp::Div => self.b.ins().ushr_imm_u(x, i64::from(c.trailing_zeros())),
                _ => self.b.ins().band_imm_u(x, i64::from(c - 1)),
            };
        }
        let y = self.value(b, view);
        if of_b.min <= 0 && of_b.max >= 0 {
            let zero = self.compare(IntCC::Equal, y, 0);
            self.bail_if(zero);
        }
        if natural {
            return match op {
                BinaryOp::Div => self.b.ins().udiv(x, y),
                _ => self.b.ins().urem(x, y),
            };
        }
        // In 64 bits the one quotient that overflows does not, and is cut off after.
        let x = self.b.ins().sextend(types::I64, x);
        let y = self.b.ins().sextend(types::I64, y);
        let result = match op {
            BinaryOp::Div => self.b.ins().sdiv(x, y),
            _ => self.b.ins().srem(x, y),
        };
        self.b.ins().ireduce(types::I32, result)
    }

    /// Whether an expression is not zero: 0 or 1 in eight bits.
    pub fn condition(&mut self, e: &Expr, view: View) -> Value {
        match e {
            Expr::Unary(UnaryOp::Not, a) => {
                if is_truth(a) {
                    let c = self.condition(a, view);
                    return self.b.ins().bxor_imm_u(c, 1);
                }
                let v = self.value(a, view);
                self.compare(IntCC::Equal, v, 0)
            }
            Expr::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                let is_and = matches!(e, Expr::Binary(BinaryOp::And, ..));
                if is_cheap(b) {
                    let x = self.condition(a, view);
                    let y = self.condition(b, view);
                    return if is_and { self.b.ins().band(x, y) } else { self.b.ins().bor(x, y) };
                }
                let (next, join) = (self.b.create_block(), self.b.create_block());
                let result = self.b.append_block_param(join, types::I8);
                let x = self.condition(a, view);
                let args = [BlockArg::Value(x)];
                if is_and {
                    self.b.ins().brif(x, next, &[], join, &args);
                } else {
                    self.b.ins().brif(x, join, &args, next, &[]);
                }
                self.enter(next);
                let y = self.condition(b, view);
                self.b.ins().jump(join, &[BlockArg::Value(y)]);
                self.enter(join);
                result
            }
            Expr::Binary(op, a, b) if comparison(*op).is_some() => {
                let cc = comparison(*op).unwrap_or(IntCC::Equal);
                let x = self.value(a, view);
                if let Expr::Const(c) = **b {
                    return self.compare(cc, x, i64::from(c));
                }
                let y = self.value(b, view);
                self.b.ins().icmp(cc, x, y)
            }
            _ => {
                let v = self.value(e, view);
                self.compare(IntCC::NotEqual, v, 0)
            }
        }
    }

    /// Goes one way or the other.
    pub fn branch(&mut self, e: &Expr, view: View, yes: Block, no: Block) {
        match e {
            Expr::Unary(UnaryOp::Not, a) => self.branch(a, view, no, yes),
            Expr::Binary(BinaryOp::And, a, b) if !is_cheap(b) => {
                let next = self.b.create_block();
                self.branch(a, view, next, no);
                self.enter(next);
                self.branch(b, view, yes, no);
            }
            Expr::Binary(BinaryOp::Or, a, b) if !is_cheap(b) => {
                let next = self.b.create_block();
                self.branch(a, view, yes, next);
                self.enter(next);
                self.branch(b, view, yes, no);
            }
            _ => {
                let c = self.condition(e, view);
                self.b.ins().brif(c, yes, &[], no, &[]);
            }
        }
    }

    /// Goes to `otherwise` unless the expression holds.
    pub fn require(&mut self, e: &Expr, view: View, otherwise: Block) {
        let next = self.b.create_block();
        self.branch(e, view, next, otherwise);
        self.enter(next);
    }

    /// Evaluates only for the errors that doing so may bring up.
    pub fn evaluate_for_errors(&mut self, e: &Expr, view: View) {
        if !range::is_plain(e) {
            self.value(e, view);
        }
    }

    fn predefined(&mut self, name: Predefined, view: View) -> Value {
        match name {
            Predefined::Pid => self.own_pid(),
            Predefined::NrPr => {
                let count = self.field(offset_of!(Cx, processes));
                let count = self.b.ins().ireduce(types::I32, count);
                let more = i64::from(view.started.is_some());
                self.b.ins().iadd_imm_s(count, more)
            }
            Predefined::Last => {
                let at = self.beyond(view.base, offset_of!(Cx, last));
                let flags = if view.fixed { FIXED } else { PLAIN };
                self.load_scalar(Scalar::U8, flags, at)
            }
            Predefined::Priority => self.own_priority(view),
            Predefined::Timeout => self.variable_field(types::I32, offset_of!(Cx, timeout)),
            Predefined::NonProgress => self.non_progress(view),
        }
    }

    /// Where a place lies; an index out of range is left to the interpreter.
    pub fn locate(&mut self, place: &Place, view: View, frame: Address) -> Address {
        self.locate_across(place, view, View { frame, ..view })
    }

    /// The same with indices read from `view` for a place in the state `target`.
    pub fn locate_across(&mut self, place: &Place, view: View, target: View) -> Address {
        let mut dynamic: Option<Value> = None;
        for index in &place.indices {
            let value = self.index(&index.value, index.bound, view);
            let bytes = match index.stride {
                1 => value,
                stride => self.b.ins().imul_imm_s(value, i64::from(stride)),
            };
            dynamic = Some(match dynamic {
                Some(sum) => self.b.ins().iadd(sum, bytes),
                None => bytes,
            });
        }
        let area = match place.base {
            Base::Global | Base::Sink => target.globals,
            Base::Frame => target.frame,
            Base::Hidden => {
                let hidden = self.beyond(target.base, offset_of!(Cx, key));
                Address { offset: hidden.offset + target.hidden_shift, ..hidden }
            }
        };
        let (base, offset) = (area.base, area.offset + place.offset as i32);
        match dynamic {
            Some(sum) => Address { base: self.b.ins().iadd(base, sum), offset },
            None => Address { base, offset },
        }
    }

    /// An index as a 64-bit value, checked unless it cannot be out of range.
    pub fn index(&mut self, e: &Expr, bound: u32, view: View) -> Value {
        let value = self.value(e, view);
        if !range::of(e).is_below(bound) {
            let bad =
                self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, value, i64::from(bound));
            self.bail_if(bad);
        }
        self.b.ins().uextend(types::I64, value)
    }

    fn load(&mut self, place: &Place, view: View, frame: Address) -> Value {
        let at = self.locate(place, view, frame);
        if place.base == Base::Sink {
            return self.int(0);
        }
        let flags = if view.fixed { CHECKED } else { PLAIN };
        self.load_scalar(place.scalar, flags, at)
    }

    /// Stores `value`, cut to the width of the place.
    pub fn store(&mut self, place: &Place, view: View, value: Value, range: Option<range::Range>) {
        let at = self.locate(place, view, view.frame);
        if place.base != Base::Sink {
            self.store_scalar(place.scalar, value, range, at);
        }
    }

    /// Stores a value as a `scalar`.
    pub fn store_scalar(
        &mut self,
        scalar: Scalar,
        value: Value,
        range: Option<range::Range>,
        at: Address,
    ) {
        let cut = if range.is_some_and(|r| r.fits(scalar)) {
            value
        } else {
            self.truncate(scalar, value)
        };
        self.store_bytes(scalar.width(), cut, at);
    }

    /// Clears what does not fit; bits that [`Emit::store_bytes`] drops may stay.
    fn truncate(&mut self, scalar: Scalar, value: Value) -> Value {
        match scalar {
            Scalar::Bit => self.b.ins().band_imm_u(value, 1),
            Scalar::Unsigned(bits) => self.b.ins().band_imm_u(value, (1i64 << bits) - 1),
            _ => value,
        }
    }

    /// The value that is read back after it has been stored as a `scalar`.
    pub fn truncated(&mut self, scalar: Scalar, value: Value) -> Value {
        match scalar {
            Scalar::U8 => self.b.ins().band_imm_u(value, 0xff),
            Scalar::U16 => self.b.ins().band_imm_u(value, 0xffff),
            Scalar::I16 => {
                let low = self.b.ins().ireduce(types::I16, value);
                self.b.ins().sextend(types::I32, low)
            }
            _ => self.truncate(scalar, value),
        }
    }
}

pub(crate) fn comparison(op: BinaryOp) -> Option<IntCC> {
    Some(match op {
        BinaryOp::Lt => IntCC::SignedLessThan,
        BinaryOp::Le => IntCC::SignedLessThanOrEqual,
        BinaryOp::Gt => IntCC::SignedGreaterThan,
        BinaryOp::Ge => IntCC::SignedGreaterThanOrEqual,
        BinaryOp::Eq => IntCC::Equal,
        BinaryOp::Ne => IntCC::NotEqual,
        _ => return None,
    })
}

/// Whether the expression is a comparison or made of such.
pub(crate) fn is_truth(e: &Expr) -> bool {
    match e {
        Expr::Unary(UnaryOp::Not, _) | Expr::Binary(BinaryOp::And | BinaryOp::Or, ..) => true,
        Expr::Binary(op, ..) => comparison(*op).is_some(),
        _ => false,
    }
}

pub(crate) fn is_cheap(e: &Expr) -> bool {
    range::is_plain(e) && range::weight(e) <= CHEAP
}
