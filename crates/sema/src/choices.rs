//! Options of `if` and `do`: `else` and its company.

use spinor_base::{Diagnostic, Span};
use spinor_syntax::ast;

use crate::analyzer::Analyzer;
use crate::codes;
use crate::hir::{Block, Expr, ExprKind, Stmt, StmtKind};

impl Analyzer<'_> {
    /// Resolves the options of a choice.
    pub(crate) fn options(&mut self, options: &[ast::Block]) -> Vec<Block> {
        for option in options {
            if let Some(label) = option.stmts.first().and_then(|s| s.labels.first()) {
                self.report.push(
                    Diagnostic::warning(
                        codes::LABEL_IN_OPTION,
                        label.span,
                        format!("label `{}` stands on the guard of an option", label.name),
                    )
                    .note("a jump to it waits for this guard alone, not for the whole choice")
                    .help("put the label before the `if` or `do` if the choice is meant"),
                );
            }
        }
        let options: Vec<Block> = options.iter().map(|o| self.option(o)).collect();
        self.check_else(&options);
        options
    }

    fn check_else(&mut self, options: &[Block]) {
        let guards: Vec<&Stmt> = options.iter().filter_map(|o| o.stmts.first()).collect();
        let elses: Vec<Span> =
            guards.iter().filter(|s| matches!(s.kind, StmtKind::Else)).map(|s| s.span).collect();
        let [first, rest @ ..] = &elses[..] else { return };
        for &span in rest {
            self.report.push(
                Diagnostic::error(codes::DUPLICATE_ELSE, span, "this choice has an `else` already")
                    .label(*first, "the first one"),
            );
        }
        let Some(io) = guards.iter().find(|s| does_io(s)) else { return };
        self.report.push(
                Diagnostic::warning(
                    codes::ELSE_WITH_IO,
                    *first,
                    "`else` next to a channel operation",
                )
                .label(io.span, "this one")
                .note("whether the operation is possible depends on other processes, so `else` may be taken at any moment, and fewer moves can be left out")
                .help("test the channel first, for example `nempty(q)` or `q?[…]`"),
            );
    }
}

/// Whether a guard sends, receives or probes a channel.
fn does_io(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Send { .. } | StmtKind::Receive { .. } => true,
        StmtKind::Expr(e) => probes(e),
        _ => false,
    }
}

fn probes(e: &Expr) -> bool {
    match &*e.kind {
        ExprKind::Probe(..) => true,
        ExprKind::Unary(_, a) => probes(a),
        ExprKind::Binary(_, a, b) => probes(a) || probes(b),
        ExprKind::Conditional(a, b, c) => probes(a) || probes(b) || probes(c),
        _ => false,
    }
}
