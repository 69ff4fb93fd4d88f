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
        self.check_first_label(block, "`atomic`");
        // An atomic inside an atomic or d_step is a plain block, as in SPIN.
        let nested = self.body.in_atomic || self.body.d_step.is_some();
        let saved = std::mem::replace(&mut self.body.in_atomic, true);
        let block = self.block(block);
        self.body.in_atomic = saved;
        if nested { StmtKind::Block(block) } else { StmtKind::Atomic(block) }
    }

    pub(crate) fn d_step(&mut self, block: &ast::Block) -> StmtKind {
        self.check_first_label(block, "`d_step`");
        let outer = self.body.d_step;
        if outer.is_none() {
            self.body.d_step = Some(self.body.next_d_step);
            self.body.next_d_step += 1;
        }
        let block = self.block(block);
        self.body.d_step = outer;
        if outer.is_some() { StmtKind::Block(block) } else { StmtKind::DStep(block) }
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
        self.check_operand_labels(main, escape);
        // The start value of a `for` stands before the construct, as in SPIN.
        let mut parts = Vec::new();
        self.stmt(main, &mut parts);
        let main = parts.pop();
        out.append(&mut parts);
        self.stmt(escape, &mut parts);
        let escape = match parts.len() {
            0 | 1 => parts.pop(),
            _ => {
                let kind = StmtKind::Block(Block { span: escape.span, stmts: parts });
                Some(Stmt { span: escape.span, labels: Vec::new(), kind })
            }
        };
        let mut main = main?;
        let labels = std::mem::take(&mut main.labels);
        let kind = StmtKind::Unless { main: Box::new(main), escape: Box::new(escape?) };
        if labels.is_empty() {
            return Some(kind);
        }
        // SPIN: `L: { … } unless { … }` means `L: { { … } unless { … } }`.
        let stmts = vec![made(span, Vec::new(), kind)];
        out.push(made(span, labels, StmtKind::Block(Block { span, stmts })));
        None
    }

    pub(crate) fn check_operand_labels(&mut self, main: &ast::Stmt, escape: &ast::Stmt) {
        use ast::StmtKind as A;
        if let Some(label) = escape.labels.first() {
            let help = "the guard of an escape has no place of its own to jump to";
            self.misplaced_label(label, "the escape of an `unless`", help);
        }
        let liftable =
            matches!(main.kind, A::Block(_) | A::Atomic(_) | A::DStep(_) | A::InlineCall { .. });
        if let Some(label) = main.labels.first().filter(|_| !liftable) {
            let help = format!("write `{}: {{ … unless … }}`", label.name);
            self.misplaced_label(label, "the first operand of an `unless`", &help);
        }
    }

    pub(crate) fn no_label(&mut self, stmt: &ast::Stmt, what: &str) {
        if let Some(label) = stmt.labels.first() {
            let help = "put the label on the next statement";
            self.misplaced_label(label, what, help);
        }
    }

    /// SPIN: the first statement of a block shares its place with the block.
    pub(crate) fn check_first_label(&mut self, block: &ast::Block, what: &str) {
        let mut first = block.stmts.iter().filter(|s| !is_declaration(s));
        if block.stmts.first().is_some_and(is_declaration) {
            return;
        }
        if let Some(label) = first.next().and_then(|s| s.labels.first()) {
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

fn is_declaration(stmt: &ast::Stmt) -> bool {
    matches!(stmt.kind, ast::StmtKind::Vars(_) | ast::StmtKind::Exclusive(_))
}
