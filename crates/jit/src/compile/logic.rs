//! Operators and conditions: the same whatever the values of variables are read from.

use super::range::{self, Range};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};
use cranelift_frontend::FunctionBuilder;
use spinor_program::Expr;
use spinor_program::expr::{BinaryOp, UnaryOp};

/// A right side of `&&` or `||` up to this weight is evaluated in vain rather than
/// jumped over.
const CHEAP: usize = 6;

/// A function in which expressions are evaluated.
pub(crate) trait Logic<'f> {
    /// The state that they are evaluated in.
    type View: Copy;

    /// The function.
    fn builder(&mut self) -> &mut FunctionBuilder<'f>;

    /// The value of an expression, which is a [usual](Self::usual_value) one or something else.
    fn value(&mut self, e: &Expr, view: Self::View) -> Value;

    /// What an expression can be, if it does not err.
    fn range(&self, e: &Expr) -> Range;

    /// Goes on in a block that nothing else will lead to.
    fn go_on(&mut self, block: Block);

    /// Leaves the state to others if something holds.
    fn pass_on_if(&mut self, condition: Value);

    /// A condition that is evaluated in a way of its own.
    fn own_condition(&mut self, _e: &Expr, _view: Self::View) -> Option<Value> {
        None
    }

    /// A constant.
    fn constant(&mut self, value: i32) -> Value {
        self.builder().ins().iconst(types::I32, i64::from(value))
    }

    /// The value of a constant or of an operator; of nothing else.
    fn usual_value(&mut self, e: &Expr, view: Self::View) -> Option<Value> {
        Some(match e {
            Expr::Const(c) => self.constant(*c),
            Expr::Unary(UnaryOp::Neg, a) => {
                let a = self.value(a, view);
                self.builder().ins().ineg(a)
            }
            Expr::Unary(UnaryOp::BitNot, a) => {
                let a = self.value(a, view);
                self.builder().ins().bnot(a)
            }
            Expr::Unary(UnaryOp::Not, _) => self.truth(e, view),
            Expr::Binary(op, a, b) => self.binary(*op, a, b, e, view),
            Expr::Conditional(c, a, b) => {
                let builder = self.builder();
                let (yes, no, join) =
                    (builder.create_block(), builder.create_block(), builder.create_block());
                let result = builder.append_block_param(join, types::I32);
                self.branch(c, view, yes, no);
                for (block, e) in [(yes, a), (no, b)] {
                    self.go_on(block);
                    let value = self.value(e, view);
                    self.builder().ins().jump(join, &[BlockArg::Value(value)]);
                }
                self.go_on(join);
                result
            }
            _ => return None,
        })
    }

    /// Whether an expression is not zero, as a value.
    fn truth(&mut self, e: &Expr, view: Self::View) -> Value {
        let c = self.condition(e, view);
        self.builder().ins().uextend(types::I32, c)
    }

    /// The value of `whole`, which is `a` and `b` combined.
    fn binary(
        &mut self,
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
        whole: &Expr,
        view: Self::View,
    ) -> Value {
        if op.is_truth() {
            return self.truth(whole, view);
        }
        if matches!(op, BinaryOp::Div | BinaryOp::Rem) {
            return self.division(op, a, b, view);
        }
        let x = self.value(a, view);
        let y = self.value(b, view);
        let ins = self.builder().ins();
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

    /// A quotient or a remainder; division by zero is left to others.
    fn division(&mut self, op: BinaryOp, a: &Expr, b: &Expr, view: Self::View) -> Value {
        let (of_a, of_b) = (self.range(a), self.range(b));
        let x = self.value(a, view);
        let natural = of_a.is_natural() && of_b.is_natural();
        if let Expr::Const(c) = b
            && *c > 0
            && c.count_ones() == 1
            && natural
        {
            let ins = self.builder().ins();
            return match op {
                BinaryOp::Div => ins.ushr_imm_u(x, i64::from(c.trailing_zeros())),
                _ => ins.band_imm_u(x, i64::from(c - 1)),
            };
        }
        let y = self.value(b, view);
        if of_b.min <= 0 && of_b.max >= 0 {
            let zero = self.builder().ins().icmp_imm_s(IntCC::Equal, y, 0);
            self.pass_on_if(zero);
        }
        let builder = self.builder();
        if natural {
            return match op {
                BinaryOp::Div => builder.ins().udiv(x, y),
                _ => builder.ins().urem(x, y),
            };
        }
        // In 64 bits the one quotient that overflows does not, and is cut off after.
        let x = builder.ins().sextend(types::I64, x);
        let y = builder.ins().sextend(types::I64, y);
        let result = match op {
            BinaryOp::Div => builder.ins().sdiv(x, y),
            _ => builder.ins().srem(x, y),
        };
        builder.ins().ireduce(types::I32, result)
    }

    /// Whether an expression is not zero: 0 or 1 in eight bits.
    fn condition(&mut self, e: &Expr, view: Self::View) -> Value {
        if let Some(condition) = self.own_condition(e, view) {
            return condition;
        }
        match e {
            Expr::Unary(UnaryOp::Not, a) if a.is_truth() => {
                let c = self.condition(a, view);
                self.builder().ins().bxor_imm_u(c, 1)
            }
            Expr::Unary(UnaryOp::Not, a) => {
                let v = self.value(a, view);
                self.builder().ins().icmp_imm_s(IntCC::Equal, v, 0)
            }
            Expr::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                let is_and = matches!(e, Expr::Binary(BinaryOp::And, ..));
                let x = self.condition(a, view);
                if is_cheap(b) {
                    let y = self.condition(b, view);
                    let ins = self.builder().ins();
                    return if is_and { ins.band(x, y) } else { ins.bor(x, y) };
                }
                let builder = self.builder();
                let (next, join) = (builder.create_block(), builder.create_block());
                let result = builder.append_block_param(join, types::I8);
                let args = [BlockArg::Value(x)];
                if is_and {
                    builder.ins().brif(x, next, &[], join, &args);
                } else {
                    builder.ins().brif(x, join, &args, next, &[]);
                }
                self.go_on(next);
                let y = self.condition(b, view);
                self.builder().ins().jump(join, &[BlockArg::Value(y)]);
                self.go_on(join);
                result
            }
            Expr::Binary(op, a, b) if comparison(*op).is_some() => {
                let cc = comparison(*op).unwrap_or(IntCC::Equal);
                let x = self.value(a, view);
                if let Expr::Const(c) = **b {
                    return self.builder().ins().icmp_imm_s(cc, x, i64::from(c));
                }
                let y = self.value(b, view);
                self.builder().ins().icmp(cc, x, y)
            }
            _ => {
                let v = self.value(e, view);
                self.builder().ins().icmp_imm_s(IntCC::NotEqual, v, 0)
            }
        }
    }

    /// Goes one way or the other.
    fn branch(&mut self, e: &Expr, view: Self::View, yes: Block, no: Block) {
        match e {
            Expr::Unary(UnaryOp::Not, a) => self.branch(a, view, no, yes),
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) if !is_cheap(b) => {
                let next = self.builder().create_block();
                if *op == BinaryOp::And {
                    self.branch(a, view, next, no);
                } else {
                    self.branch(a, view, yes, next);
                }
                self.go_on(next);
                self.branch(b, view, yes, no);
            }
            _ => {
                let c = self.condition(e, view);
                self.builder().ins().brif(c, yes, &[], no, &[]);
            }
        }
    }

    /// Goes to `otherwise` unless the expression holds.
    fn require(&mut self, e: &Expr, view: Self::View, otherwise: Block) {
        let next = self.builder().create_block();
        self.branch(e, view, next, otherwise);
        self.go_on(next);
    }

    /// Evaluates only for the errors that doing so may bring up.
    fn evaluate_for_errors(&mut self, e: &Expr, view: Self::View) {
        if !range::is_plain(e) {
            self.value(e, view);
        }
    }
}

/// How a comparison compares.
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

fn is_cheap(e: &Expr) -> bool {
    range::is_plain(e) && range::weight(e) <= CHEAP
}
