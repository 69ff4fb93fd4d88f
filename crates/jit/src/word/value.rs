//! Code for expressions over cells of a word.

use super::generate::{Generator, View};
use super::place::bits_of;
use crate::compile::logic::{Logic, comparison};
use crate::compile::range::{self, Range};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::FunctionBuilder;
use spinor_program::expr::{BinaryOp, Predefined, UnaryOp};
use spinor_program::{Expr, Place, Scalar};
use spinor_ts::{Quad, WordField};

impl<'f> Logic<'f> for Generator<'_, 'f> {
    type View = View;

    fn builder(&mut self) -> &mut FunctionBuilder<'f> {
        &mut self.b
    }

    fn value(&mut self, e: &Expr, view: View) -> Value {
        match e {
            Expr::Load(place) => self.load(place, view),
            Expr::Predefined(Predefined::Pid) => self.int(self.pid as i32),
            Expr::Predefined(Predefined::NrPr) => self.int(self.shape.frames.len() as i32),
            // Whoever waits for it is asked again when nothing else moves, by others.
            Expr::Predefined(Predefined::Timeout) => self.int(0),
            _ => self.usual_value(e, view).unwrap_or_else(|| {
                self.give_up();
                self.int(0)
            }),
        }
    }

    fn range(&self, e: &Expr) -> Range {
        self.range_of(e)
    }

    fn go_on(&mut self, block: Block) {
        self.enter(block);
    }

    fn pass_on_if(&mut self, condition: Value) {
        self.give_up_if(condition);
    }

    /// Comparisons with what stands for a constant, and conditions of which nothing is jumped over.
    fn own_condition(&mut self, e: &Expr, view: View) -> Option<Value> {
        if let Some(pattern) = self.pattern(e) {
            return Some(self.matches(&pattern, view));
        }
        match e {
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) if self.is_flat => {
                Some(self.both(*op == BinaryOp::And, a, b, view))
            }
            Expr::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) => {
                let (Expr::Load(place), Expr::Const(c)) = (&**a, &**b) else { return None };
                if let Some(pattern) = self.pattern_of(place, *c) {
                    // The other way round.
                    let is_equal = self.matches(&pattern, view);
                    return Some(self.b.ins().bxor_imm_u(is_equal, 1));
                }
                let (wanted, cc) = (self.number_in(place, *c)?, comparison(*op)?);
                let number = self.load_number(place, view);
                Some(self.b.ins().icmp_imm_s(cc, number, wanted))
            }
            _ => None,
        }
    }
}

impl Generator<'_, '_> {
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
    fn number_in(&self, place: &Place, value: i32) -> Option<i64> {
        self.listed(place)?;
        let field = self.fields.get(&self.start_of(place)?)?;
        Some(fixed_number(field, place.scalar, value).unwrap_or(-1))
    }

    /// Bits of fixed fields and what they have to be for an expression to hold; it holds if and only if they are that, and
    /// cannot err. Nothing if it is no such expression.
    fn pattern(&self, e: &Expr) -> Option<Pattern> {
        match e {
            Expr::Binary(BinaryOp::And, a, b) => Some(self.pattern(a)?.and(&self.pattern(b)?)),
            Expr::Binary(BinaryOp::Eq, a, b) => match (&**a, &**b) {
                (Expr::Load(place), Expr::Const(c)) => self.pattern_of(place, *c),
                _ => None,
            },
            Expr::Load(place) if place.scalar == Scalar::Bit => self.pattern_of(place, 1),
            Expr::Unary(UnaryOp::Not, a) => match &**a {
                Expr::Load(place) => self.pattern_of(place, 0),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a comparison with a constant holds, if it was the same in all states that were looked at beforehand.
    pub(super) fn foreseen(&self, e: &Expr) -> Option<bool> {
        let Expr::Binary(op, a, b) = e else { return None };
        let (Expr::Load(place), Expr::Const(c)) = (&**a, &**b) else { return None };
        let field = self.fixed_field(place).filter(|field| !field.varies)?;
        let (value, c) = (field.cell.value(&self.layout.state), i64::from(*c));
        Some(match op {
            BinaryOp::Eq => value == c,
            BinaryOp::Ne => value != c,
            BinaryOp::Lt => value < c,
            BinaryOp::Le => value <= c,
            BinaryOp::Gt => value > c,
            BinaryOp::Ge => value >= c,
            _ => return None,
        })
    }

    /// What stands in a place if its value is a constant.
    fn pattern_of(&self, place: &Place, value: i32) -> Option<Pattern> {
        let field = self.fixed_field(place)?;
        let mask = bits_of(field);
        let bits = fixed_number(field, place.scalar, value).map(|number| number - field.base);
        match bits {
            Some(bits) if (0..1 << field.width).contains(&bits) => {
                let bits = Quad::from(bits as u64) << field.shift;
                Some(Pattern { mask, bits, is_possible: true })
            }
            _ => Some(Pattern { mask, bits: Quad::NONE, is_possible: false }),
        }
    }

    /// Whether the bits of a state are as a pattern has them.
    fn matches(&mut self, pattern: &Pattern, view: View) -> Value {
        if !pattern.is_possible {
            return self.b.ins().iconst(types::I8, 0);
        }
        let mut differences: Option<Value> = None;
        for ((mask, bits), near) in
            pattern.mask.0.into_iter().zip(pattern.bits.0).zip((0..).step_by(64))
        {
            if mask == 0 {
                continue;
            }
            let limb = self.limb(view, near);
            let own = self.b.ins().band_imm_s(limb, mask.cast_signed());
            let other = self.b.ins().bxor_imm_s(own, bits.cast_signed());
            differences = Some(match differences {
                Some(before) => self.b.ins().bor(before, other),
                None => other,
            });
        }
        match differences {
            Some(differences) => self.b.ins().icmp_imm_s(IntCC::Equal, differences, 0),
            None => self.b.ins().iconst(types::I8, 1),
        }
    }
}

/// Some bits of a word and what they have to be.
struct Pattern {
    mask: Quad,
    bits: Quad,
    /// Some word has them.
    is_possible: bool,
}

impl Pattern {
    /// Both.
    fn and(&self, other: &Pattern) -> Pattern {
        let (mask, bits) = (self.mask | other.mask, self.bits | other.bits);
        let agrees = (self.bits ^ other.bits) & self.mask & other.mask == Quad::NONE;
        let is_possible = self.is_possible && other.is_possible && agrees;
        Pattern { mask, bits, is_possible }
    }
}

/// What stands for a constant in the field of a variable; nothing if it never has that value.
fn fixed_number(field: &WordField, scalar: Scalar, value: i32) -> Option<i64> {
    let (room, value) = (range::of_scalar(scalar), i64::from(value));
    (room.min..=room.max).contains(&value).then(|| field.cell.number(value))
}
