//! Constant expressions: array bounds, capacities, widths, priorities.

use spinor_base::{Diagnostic, Span};
use spinor_syntax::ast::{BinaryOp, Expr, ExprKind, Place, UnaryOp};

use crate::analyzer::{Analyzer, SymbolKind};
use crate::codes;

/// Why an expression has no constant value.
enum NotConst {
    At(Span),
    DivisionByZero(Span),
}

/// The result of an operator on 32-bit integers; `None` for division by zero.
pub(crate) fn apply(op: BinaryOp, a: i32, b: i32) -> Option<i32> {
    use BinaryOp::*;
    Some(match op {
        Add => a.wrapping_add(b),
        Sub => a.wrapping_sub(b),
        Mul => a.wrapping_mul(b),
        Div if b == 0 => return None,
        Rem if b == 0 => return None,
        Div => a.wrapping_div(b),
        Rem => a.wrapping_rem(b),
        BitAnd => a & b,
        BitOr => a | b,
        BitXor => a ^ b,
        Shl => a.wrapping_shl(b as u32),
        Shr => a.wrapping_shr(b as u32),
        Lt => (a < b).into(),
        Le => (a <= b).into(),
        Gt => (a > b).into(),
        Ge => (a >= b).into(),
        Eq => (a == b).into(),
        Ne => (a != b).into(),
        And => (a != 0 && b != 0).into(),
        Or => (a != 0 || b != 0).into(),
    })
}

/// The result of a unary operator.
pub(crate) fn apply_unary(op: UnaryOp, a: i32) -> i32 {
    match op {
        UnaryOp::Neg => a.wrapping_neg(),
        UnaryOp::Not => (a == 0).into(),
        UnaryOp::BitNot => !a,
    }
}

impl Analyzer<'_> {
    /// The value of an expression that must be constant; reports if it is not.
    /// A variable counts with its constant initial value, as in SPIN.
    pub(crate) fn constant(&mut self, e: &Expr, what: &str) -> Option<i32> {
        let mut variables = Vec::new();
        match self.evaluate(e, Some(&mut variables)) {
            Ok(value) => {
                for (name, span, v) in variables {
                    self.mark_used(&name);
                    self.report.push(
                        Diagnostic::warning(
                            codes::BOUND_FROM_VARIABLE,
                            span,
                            format!("{what} takes the initial value {v} of `{name}`"),
                        )
                        .note("later values of the variable make no difference")
                        .help(format!("use a constant: `#define {name} {v}`")),
                    );
                }
                Some(value)
            }
            Err(NotConst::At(span)) => {
                self.report.push(
                    Diagnostic::error(
                        codes::NOT_CONSTANT,
                        span,
                        format!("{what} must be constant"),
                    )
                    .help("constants are numbers, `#define`s, mtype names and arithmetic on them"),
                );
                None
            }
            Err(NotConst::DivisionByZero(span)) => {
                self.report.error(codes::DIV_ZERO, span, "division by zero in a constant");
                None
            }
        }
    }

    fn mark_used(&mut self, name: &str) {
        if let Some(id) = self.local(name) {
            self.body.locals[id.index()].used = true;
        } else if let Some(SymbolKind::Var(id)) = self.global(name).map(|s| s.kind) {
            self.used_globals.insert(id);
        }
    }

    /// The value if the expression is built of constants only.
    pub(crate) fn try_constant(&self, e: &Expr) -> Option<i32> {
        self.evaluate(e, None).ok()
    }

    #[allow(clippy::type_complexity, reason = "local bookkeeping")]
    fn evaluate(
        &self,
        e: &Expr,
        mut variables: Option<&mut Vec<(String, Span, i32)>>,
    ) -> Result<i32, NotConst> {
        match &*e.kind {
            ExprKind::Int(v) => Ok(*v),
            ExprKind::Unary(op, a) => Ok(apply_unary(*op, self.evaluate(a, variables)?)),
            ExprKind::Binary(op, a, b) => {
                let a = self.evaluate(a, variables.as_deref_mut())?;
                let b = self.evaluate(b, variables)?;
                apply(*op, a, b).ok_or(NotConst::DivisionByZero(e.span))
            }
            ExprKind::Conditional(c, a, b) => {
                let c = self.evaluate(c, variables.as_deref_mut())?;
                self.evaluate(if c != 0 { a } else { b }, variables)
            }
            ExprKind::Place(place) => self.named(place, variables).ok_or(NotConst::At(e.span)),
            _ => Err(NotConst::At(e.span)),
        }
    }

    fn named(
        &self,
        place: &Place,
        variables: Option<&mut Vec<(String, Span, i32)>>,
    ) -> Option<i32> {
        let [part] = &place.parts[..] else { return None };
        if part.index.is_some() {
            return None;
        }
        let name = &part.name.name;
        let value = if let Some(id) = self.local(name) {
            self.body.locals[id.index()].const_init
        } else {
            match self.global(name)?.kind {
                SymbolKind::Mtype(_, value) => return Some(value),
                SymbolKind::Var(id) => self.global_consts[id.index()],
                _ => None,
            }
        }?;
        variables?.push((name.to_string(), place.span, value));
        Some(value)
    }
}
