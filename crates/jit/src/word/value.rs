//! Code for expressions over cells of a word.

use super::generate::{Generator, View};
use crate::compile::logic::{Logic, comparison};
use crate::compile::range::Range;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use cranelift_frontend::FunctionBuilder;
use spinor_program::expr::{BinaryOp, Predefined};
use spinor_program::{Expr, Place};

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
        match e {
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) if self.is_flat => {
                Some(self.both(*op == BinaryOp::And, a, b, view))
            }
            Expr::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) => {
                let (Expr::Load(place), Expr::Const(c)) = (&**a, &**b) else { return None };
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
        let number = field.cell.number(i64::from(value));
        // What no field has room for stands for nothing.
        Some(if number > i64::from(u16::MAX) { -1 } else { number })
    }
}
