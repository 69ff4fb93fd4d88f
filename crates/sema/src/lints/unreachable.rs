//! Statements that no path reaches: after `goto` or `break`, or after a loop
//! without exit. Labelled statements count as reached.

use spinor_base::Diagnostic;

use crate::analyzer::Analyzer;
use crate::codes;
use crate::hir::{Block, Stmt, StmtKind};

/// Runs the check on all bodies.
pub(crate) fn check(analyzer: &mut Analyzer) {
    let mut found = Vec::new();
    let model = &analyzer.model;
    let monitors = model.claims.iter().map(|c| &c.body).chain(model.trace.iter().map(|t| &t.body));
    for proctype in model.proctypes.iter().chain(monitors) {
        let mut walk = Walk { found: &mut found, breaks: Vec::new() };
        walk.sequence(&proctype.body.stmts);
    }
    for span in found {
        analyzer.report.push(
            Diagnostic::warning(codes::UNREACHABLE, span, "this statement is never reached")
                .note("the statement before it never passes control on"),
        );
    }
}

struct Walk<'a> {
    found: &'a mut Vec<spinor_base::Span>,
    /// For each loop around: whether a `break` leaves it.
    breaks: Vec<bool>,
}

impl Walk<'_> {
    /// Walks a sequence that is entered; tells whether its end is reached.
    fn sequence(&mut self, stmts: &[Stmt]) -> bool {
        let mut reached = true;
        let mut reported = false;
        for stmt in stmts {
            if !reached && labelled(stmt) {
                reached = true;
            }
            if !reached && !reported {
                self.found.push(stmt.span);
                reported = true;
            }
            // Walked even if unreached: a label or break inside may count.
            let passes = self.stmt(stmt);
            reached = reached && passes;
        }
        reached
    }

    fn stmt(&mut self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Goto(_) => false,
            StmtKind::Break => {
                if let Some(left) = self.breaks.last_mut() {
                    *left = true;
                }
                false
            }
            StmtKind::If(options) => {
                let ends: Vec<bool> = options.iter().map(|o| self.sequence(&o.stmts)).collect();
                ends.contains(&true)
            }
            StmtKind::Do(options) => {
                self.breaks.push(false);
                for option in options {
                    self.sequence(&option.stmts);
                }
                self.breaks.pop().unwrap_or(true)
            }
            StmtKind::CountedLoop { body, .. } => {
                self.breaks.push(false);
                // The increment after a body that always leaves was not written.
                let written = body.stmts.len() - 1;
                self.sequence(&body.stmts[..written]);
                self.breaks.pop();
                true
            }
            StmtKind::Atomic(block) | StmtKind::DStep(block) | StmtKind::Block(block) => {
                self.sequence(&block.stmts)
            }
            StmtKind::Unless { main, escape } => {
                let main = self.stmt(main);
                self.stmt(escape) || main
            }
            _ => true,
        }
    }
}

/// Whether a jump may lead to the statement or into it.
fn labelled(stmt: &Stmt) -> bool {
    let any = |b: &Block| b.stmts.iter().any(labelled);
    !stmt.labels.is_empty()
        || match &stmt.kind {
            StmtKind::If(options) | StmtKind::Do(options) => options.iter().any(any),
            StmtKind::CountedLoop { body, .. } => any(body),
            StmtKind::Atomic(b) | StmtKind::DStep(b) | StmtKind::Block(b) => any(b),
            StmtKind::Unless { main, escape } => labelled(main) || labelled(escape),
            _ => false,
        }
}
