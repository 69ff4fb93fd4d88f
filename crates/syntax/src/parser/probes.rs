//! Channel probes: conditions that only `&&` and `||` may join.

use spinor_base::{Diagnostic, Span};

use super::report::PROBE;
use super::{Fail, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, Probe};

impl Parser {
    pub(super) fn misplaced_probe(&mut self, e: &Expr, why: &str) -> Fail {
        let (_, span) = first_probe(e);
        let text = self.sources.text(span).to_string();
        self.error(Diagnostic::error(PROBE, span, format!("`{text}` {why}")))
    }

    pub(super) fn negated_probe(&mut self, e: &Expr) -> Fail {
        let (probe, span) = first_probe(e);
        let text = self.sources.text(span).to_string();
        let opposite = match probe {
            Probe::Empty => "nempty",
            Probe::Nempty => "empty",
            Probe::Full => "nfull",
            Probe::Nfull => "full",
        };
        let argument = text.find('(').map_or("(q)", |i| &text[i..]);
        let help = format!("use `{opposite}{argument}`");
        let d = Diagnostic::error(PROBE, span, format!("`{text}` cannot be negated")).help(help);
        self.error(d)
    }
}

/// The leftmost probe under `&&` and `||`.
fn first_probe(mut e: &Expr) -> (Probe, Span) {
    loop {
        match &*e.kind {
            ExprKind::Probe(probe, _) => return (*probe, e.span),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                e = if has_probe(a) { a } else { b };
            }
            _ => return (Probe::Full, e.span),
        }
    }
}

fn has_probe(e: &Expr) -> bool {
    let mut rest = vec![e];
    while let Some(e) = rest.pop() {
        match &*e.kind {
            ExprKind::Probe(..) => return true,
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => rest.extend([a, b]),
            _ => {}
        }
    }
    false
}
