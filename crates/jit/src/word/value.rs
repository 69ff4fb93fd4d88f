//! Code for expressions over cells of a word.

use super::generate::{Generator, View};
use crate::compile::expr::{comparison, is_cheap, is_truth};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};
use spinor_program::Expr;
use spinor_program::expr::{BinaryOp, Predefined, UnaryOp};

impl Generator<'_, '_> {
    /// The value of an expression.
    pub(super) fn value(&mut self, e: &Expr, view: View) -> Value {
        match e {
            Expr::Const(c) => self.int(*c),
            Expr::Load(place) => self.load(place, view),
            Expr::Predefined(Predefined::Pid) => self.int(self.pid as i32),
            Expr::Predefined(Predefined::NrPr) => self.int(self.shape.frames.len() as i32),
            // Whoever waits for it is asked again when nothing else moves, by others.
            Expr::Predefined(Predefined::Timeout) => self.int(0),
            Expr::Unary(UnaryOp::Neg, a) => {
                let a = self.value(a, view);
                self.b.ins().ineg(a)
            }
            Expr::Unary(UnaryOp::BitNot, a) => {
                let a = self.value(a, view);
                self.b.ins().bnot(a)
            }
            Expr::Unary(UnaryOp::Not, _) => self.truth(e, view),
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
            _ => {
                self.give_up();
                self.int(0)
            }
        }
    }

    fn truth(&mut self, e: &Expr, view: View) -> Value {
        let c = self.condition(e, view);
        self.b.ins().uextend(types::I32, c)
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, whole: &Expr, view: View) -> Value {
        if comparison(op).is_some() || matches!(op, BinaryOp::And | BinaryOp::Or) {
            return self.truth(whole, view);
        }
        if matches!(op, BinaryOp::Div | BinaryOp::Rem) {
            return self.division(op, a, b, view);
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
        let (of_a, of_b) = (self.range_of(a), self.range_of(b));
        let x = self.value(a, view);
        let is_natural = of_a.is_natural() && of_b.is_natural();
        if let Expr::Const(c) = b
            && *c > 0
            && c.count_ones() == 1
            && is_natural
        {
            return match op {
                BinaryOp::Div => self.b.ins().ushr_imm_u(x, i64::from(c.trailing_zeros())),
                _ => self.b.ins().band_imm_u(x, i64::from(c - 1)),
            };
        }
        let y = self.value(b, view);
        if of_b.min <= 0 && of_b.max >= 0 {
            let is_zero = self.b.ins().icmp_imm_s(IntCC::Equal, y, 0);
            self.give_up_if(is_zero);
        }
        if is_natural {
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
    pub(super) fn condition(&mut self, e: &Expr, view: View) -> Value {
        match e {
            Expr::Unary(UnaryOp::Not, a) if is_truth(a) => {
                let c = self.condition(a, view);
                self.b.ins().bxor_imm_u(c, 1)
            }
            Expr::Unary(UnaryOp::Not, a) => {
                let v = self.value(a, view);
                self.b.ins().icmp_imm_s(IntCC::Equal, v, 0)
            }
            Expr::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                let is_and = matches!(e, Expr::Binary(BinaryOp::And, ..));
                if self.is_flat {
                    return self.both(is_and, a, b, view);
                }
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
                if let (Expr::Load(place), Expr::Const(c)) = (&**a, &**b)
                    && matches!(cc, IntCC::Equal | IntCC::NotEqual)
                    && let Some(wanted) = self.number_in(place, *c)
                {
                    let number = self.load_number(place, view);
                    return self.b.ins().icmp_imm_s(cc, number, wanted);
                }
                let x = self.value(a, view);
                if let Expr::Const(c) = **b {
                    return self.b.ins().icmp_imm_s(cc, x, i64::from(c));
                }
                let y = self.value(b, view);
                self.b.ins().icmp(cc, x, y)
            }
            _ => {
                let v = self.value(e, view);
                self.b.ins().icmp_imm_s(IntCC::NotEqual, v, 0)
            }
        }
    }

    /// Two conditions, both evaluated: what the second one does counts only if it would have been.
    fn both(&mut self, is_and: bool, a: &Expr, b: &Expr, view: View) -> Value {
        let x = self.condition(a, view);
        let before = self.doubt;
        let goes_on = if is_and { x } else { self.b.ins().bxor_imm_u(x, 1) };
        self.doubt = Some(match before {
            Some(doubt) => self.b.ins().band(doubt, goes_on),
            None => goes_on,
        });
        let y = self.condition(b, view);
        self.doubt = before;
        if is_and { self.b.ins().band(x, y) } else { self.b.ins().bor(x, y) }
    }

    /// What stands for a constant in a place, if it is not the constant itself.
    fn number_in(&self, place: &spinor_program::Place, value: i32) -> Option<i64> {
        self.listed(place)?;
        let field = self.fields.get(&self.start_of(place)?)?;
        let number = field.cell.number(i64::from(value));
        // What no field has room for stands for nothing.
        Some(if number > i64::from(u16::MAX) { -1 } else { number })
    }

    /// Goes one way or the other.
    pub(super) fn branch(&mut self, e: &Expr, view: View, yes: Block, no: Block) {
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
    pub(super) fn require(&mut self, e: &Expr, view: View, otherwise: Block) {
        let next = self.b.create_block();
        self.branch(e, view, next, otherwise);
        self.enter(next);
    }
}
