//! An `else` that is no guard: it has no alternative, so it always passes.

use spinor_base::{Diagnostic, Span};

use crate::analyzer::Analyzer;
use crate::codes;
use crate::hir::{Block, Stmt, StmtKind};

/// Runs the check on all bodies.
pub(crate) fn check(analyzer: &mut Analyzer) {
    let mut found = Vec::new();
    let model = &analyzer.model;
    let claims = model.claims.iter().map(|c| &c.body);
    for proctype in model.proctypes.iter().chain(claims) {
        sequence(&proctype.body, false, &mut found);
    }
    for span in found {
        analyzer.report.push(
            Diagnostic::warning(codes::LONE_ELSE, span, "this `else` is always executable")
                .note("`else` means something as the guard of an option only")
                .help("put it directly after `::`, or write `skip`"),
        );
    }
}

/// `guard`: the first statement is one of several alternatives.
fn sequence(block: &Block, guard: bool, found: &mut Vec<Span>) {
    for (index, stmt) in block.stmts.iter().enumerate() {
        statement(stmt, guard && index == 0, found);
    }
}

fn statement(stmt: &Stmt, guard: bool, found: &mut Vec<Span>) {
    match &stmt.kind {
        StmtKind::Else if !guard => found.push(stmt.span),
        StmtKind::If(options) | StmtKind::Do(options) => {
            options.iter().for_each(|o| sequence(o, true, found));
        }
        StmtKind::CountedLoop { body, .. } => sequence(body, false, found),
        StmtKind::Atomic(b) | StmtKind::DStep(b) | StmtKind::Block(b) => sequence(b, guard, found),
        StmtKind::Unless { main, escape } => {
            statement(main, guard, found);
            statement(escape, true, found);
        }
        _ => {}
    }
}
