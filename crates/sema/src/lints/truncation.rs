//! A constant that does not fit the variable it is stored in.

use spinor_base::Diagnostic;

use crate::analyzer::Analyzer;
use crate::codes;
use crate::consts::{apply, apply_unary};
use crate::hir::{Expr, ExprKind, Type};
use crate::types::type_name;

/// Warns if `value` is constant and too large or small for `ty`. Elements of
/// bit arrays hold a whole byte in the verifier.
pub(crate) fn check(analyzer: &mut Analyzer, ty: Type, element: bool, value: &Expr) {
    let (low, high): (i64, i64) = match ty {
        Type::Bit | Type::Bool if !element => (0, 1),
        Type::Bit | Type::Bool | Type::Byte | Type::Pid | Type::Mtype(_) => (0, 255),
        Type::Short => (-32_768, 32_767),
        Type::Unsigned(bits) => (0, (1 << bits) - 1),
        Type::Int | Type::Chan | Type::Struct(_) => return,
    };
    let Some(constant) = constant(value) else { return };
    if (low..=high).contains(&constant.into()) {
        return;
    }
    let name = type_name(&analyzer.model, ty);
    analyzer.report.push(
        Diagnostic::warning(
            codes::TRUNCATED,
            value.span,
            format!("{constant} does not fit a `{name}` and will be cut off"),
        )
        .note(format!("its values are {low} to {high}")),
    );
}

/// The value of an expression without variables.
pub(crate) fn constant(e: &Expr) -> Option<i32> {
    match &*e.kind {
        ExprKind::Int(v) | ExprKind::Mtype(_, v) => Some(*v),
        ExprKind::Unary(op, a) => Some(apply_unary(*op, constant(a)?)),
        ExprKind::Binary(op, a, b) => apply(*op, constant(a)?, constant(b)?),
        _ => None,
    }
}
