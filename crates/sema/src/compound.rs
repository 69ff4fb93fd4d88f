//! Statements that group others: `atomic`, `d_step`, `unless`, and where labels
//! may stand in them.

use spinor_base::{Diagnostic, Span};
use spinor_syntax::ast;

use crate::analyzer::Analyzer;
use crate::codes;
use crate::hir::{Block, Stmt, StmtKind};
use crate::stmts::made;

impl Analyzer<'_> {
    pub(crate) fn atomic(&mut self, block: &ast::Block) -> StmtKind {
        // An atomic inside an atomic or d_step is a plain block, as in SPIN.
        let nested = self.body.in_atomic || self.body.d_step.is_some();
        let saved = std::mem::replace(&mut self.body.in_atomic, true);
        let lowered = self.block(block);
        self.check_first_label(block, &lowered, "`atomic`");
        self.body.in_atomic = saved;
        if nested { StmtKind::Block(lowered) } else { StmtKind::Atomic(lowered) }
    }

    pub(crate) fn d_step(&mut self, block: &ast::Block) -> StmtKind {
        let outer = self.body.d_step;
        if outer.is_none() {
            self.body.d_step = Some(self.body.next_d_step);
            self.body.next_d_step += 1;
        }
        let lowered = self.block(block);
        self.check_first_label(block, &lowered, "`d_step`");
        self.body.d_step = outer;
        if outer.is_some() { StmtKind::Block(lowered) } else { StmtKind::DStep(lowered) }
    }

    pub(crate) fn unless(
        &mut self,
        span: Span,
        main: &ast::Stmt,
        escape: &ast::Stmt,
        out: &mut Vec<Stmt>,
    ) -> Option<StmtKind> {
        if self.body.d_step.is_some() {
            self.report.push(
                Diagnostic::error(codes::IN_DSTEP, span, "`unless` is not possible in a `d_step`")
                    .help("test the condition before the `d_step`"),
            );
        }
        // The start value of a `for` stands before the construct, as in SPIN.
        let mut parts = Vec::new();
        self.stmt(main, &mut parts);
        let main_label = main.labels.first();
        let main = parts.pop();
        out.append(&mut parts);
        self.stmt(escape, &mut parts);
        if let Some(label) = escape.labels.first()
            && !parts.last().is_some_and(is_loop)
        {
            let help = "the guard of an escape has no place of its own to jump to";
            self.misplaced_label(label, "the escape of an `unless`", help);
        }
        let escape = match parts.len() {
            0 | 1 => parts.pop(),
            _ => {
                let kind = StmtKind::Block(Block { span: escape.span, stmts: parts });
                Some(Stmt { span: escape.span, labels: Vec::new(), kind })
            }
        };
        let mut main = main?;
        let is_block =
            matches!(main.kind, StmtKind::Block(_) | StmtKind::Atomic(_) | StmtKind::DStep(_));
        if let Some(label) = main_label.filter(|_| !is_block && !is_loop(&main)) {
            let help = format!("write `{}: {{ … unless … }}`", label.name);
            self.misplaced_label(label, "the first operand of an `unless`", &help);
        }
        let labels = if is_block { std::mem::take(&mut main.labels) } else { Vec::new() };
        let kind = StmtKind::Unless { main: Box::new(main), escape: Box::new(escape?) };
        if labels.is_empty() {
            return Some(kind);
        }
        // SPIN: `L: { … } unless { … }` means `L: { { … } unless { … } }`.
        let stmts = vec![made(span, Vec::new(), kind)];
        out.push(made(span, labels, StmtKind::Block(Block { span, stmts })));
        None
    }

    pub(crate) fn no_label(&mut self, stmt: &ast::Stmt, what: &str) {
        if let Some(label) = stmt.labels.first() {
            let help = "put the label on the next statement";
            self.misplaced_label(label, what, help);
        }
    }

    /// SPIN: the first statement of a block shares its place with the block.
    pub(crate) fn check_first_label(&mut self, block: &ast::Block, lowered: &Block, what: &str) {
        let has_own_place = lowered.stmts.first().is_none_or(|s| s.labels.is_empty() || is_loop(s));
        if has_own_place || block.stmts.first().is_some_and(is_declaration) {
            return;
        }
        if let Some(label) = block.stmts.first().and_then(|s| s.labels.first()) {
            let help = format!("write the label before {what}");
            self.misplaced_label(label, &format!("the first statement of {what}"), &help);
        }
    }

    pub(crate) fn misplaced_label(&mut self, label: &ast::Ident, what: &str, help: &str) {
        self.report.push(
            Diagnostic::error(
                codes::BAD_LABEL,
                label.span,
                format!("label `{}` cannot stand on {what}", label.name),
            )
            .help(help),
        );
    }
}

/// A loop is entered through a node of its own, so it can be told from the block around it.
fn is_loop(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Do(_) | StmtKind::CountedLoop { .. })
}

fn is_declaration(stmt: &ast::Stmt) -> bool {
    matches!(stmt.kind, ast::StmtKind::Vars(_) | ast::StmtKind::Exclusive(_))
}
