//! Statements.

use spinor_base::{Diagnostic, Span};
use spinor_syntax::ast;

use crate::analyzer::{Analyzer, BodyKind, Scope};
use crate::codes;
use crate::declare::int;
use crate::hir::{Block, Expr, LabelId, Place, Projection, Root, Stmt, StmtKind, Type};
use crate::lints::{printf, truncation};
use crate::runs::RunRule;

impl Analyzer<'_> {
    /// A sequence that shares the scope around it.
    pub(crate) fn stmts(&mut self, list: &[ast::Stmt]) -> Vec<Stmt> {
        let mut out = Vec::new();
        for stmt in list {
            self.stmt(stmt, &mut out);
        }
        out
    }

    /// A brace block: a scope of its own.
    pub(crate) fn block(&mut self, block: &ast::Block) -> Block {
        self.body.at_start = false;
        self.open_scope();
        let stmts = self.stmts(&block.stmts);
        self.body.scopes.pop();
        self.finish_block(block, stmts)
    }

    /// An option: no scope of its own, as in SPIN.
    pub(crate) fn option(&mut self, block: &ast::Block) -> Block {
        self.body.at_start = false;
        let stmts = self.stmts(&block.stmts);
        self.finish_block(block, stmts)
    }

    pub(crate) fn open_scope(&mut self) {
        let id = self.body.next_scope;
        self.body.next_scope += 1;
        self.body.scopes.push(Scope { id, ..Scope::default() });
    }

    fn finish_block(&mut self, block: &ast::Block, stmts: Vec<Stmt>) -> Block {
        if stmts.is_empty() && !block.stmts.is_empty() && !self.report.has_errors() {
            self.report.push(
                Diagnostic::error(codes::EMPTY_BLOCK, block.span, "this block has no statement")
                    .help("write `skip` if nothing is to be done"),
            );
        }
        Block { span: block.span, stmts }
    }

    /// Resolves one statement; declarations and `for` give several or none.
    pub(crate) fn stmt(&mut self, stmt: &ast::Stmt, out: &mut Vec<Stmt>) {
        let labels = self.take_labels(&stmt.labels);
        match &stmt.kind {
            ast::StmtKind::Vars(decls) => {
                self.no_label(stmt, "a declaration");
                return self.local_decls(decls, out);
            }
            ast::StmtKind::Exclusive(x) => {
                self.no_label(stmt, "`xr` or `xs`");
                return self.exclusive(x);
            }
            _ => self.body.at_start = false,
        }
        if self.body.kind == BodyKind::Trace {
            self.check_event(stmt);
        }
        let start = out.len();
        if let Some(kind) = self.stmt_kind(stmt, out) {
            out.push(Stmt { span: stmt.span, labels: Vec::new(), kind });
            // SPIN writes a wide `select` as text, so the label stands on its first statement;
            // other loops have theirs on the loop.
            let is_text = matches!(stmt.kind, ast::StmtKind::Select { .. })
                && matches!(out.last(), Some(Stmt { kind: StmtKind::Do(_), .. }));
            let at = if is_text { start } else { out.len() - 1 };
            out[at].labels = labels;
        }
    }

    fn stmt_kind(&mut self, stmt: &ast::Stmt, out: &mut Vec<Stmt>) -> Option<StmtKind> {
        use ast::StmtKind as A;
        let span = stmt.span;
        Some(match &stmt.kind {
            A::Vars(_) | A::Exclusive(_) => return None,
            A::LabelOnly => StmtKind::Expr(int(span, 1)),
            A::Expr(e) => {
                self.check_runs(e, RunRule::Alone);
                StmtKind::Expr(self.full_expr(e))
            }
            A::Assign(place, e) => return self.assign(place, e),
            A::Increment(place) => return self.step(place, 1),
            A::Decrement(place) => return self.step(place, -1),
            A::Send { channel, sorted, args } => {
                self.check_io(span);
                return self.send(span, channel, *sorted, args);
            }
            A::Receive { channel, random, copy, args } => {
                self.check_io(span);
                return self.receive(span, channel, *random, *copy, args);
            }
            A::If(options) => StmtKind::If(self.options(options)),
            A::Do(options) => {
                self.body.loops.push(self.body.d_step);
                let options = self.options(options);
                self.body.loops.pop();
                StmtKind::Do(options)
            }
            A::ForRange { var, from, to, body } => {
                return self.for_range(span, var, from, to, body, out);
            }
            A::ForIn { var, container, body } => {
                return self.for_in(span, var, container, body, out);
            }
            A::Select { var, from, to } => return self.select(span, var, from, to, out),
            A::Break => return self.break_stmt(span),
            A::Goto(label) => StmtKind::Goto(self.jump_target(label)?),
            A::Else => StmtKind::Else,
            A::Assert(e) => {
                self.check_runs(e, RunRule::Never("an assertion"));
                StmtKind::Assert(self.full_expr(e))
            }
            A::Printf(text, args) => {
                printf::check(self, span, text, args.len());
                let args = args.iter().map(|a| self.printed(a)).collect();
                StmtKind::Printf(text.clone(), args)
            }
            A::Printm(e) => StmtKind::Printm(self.printed(e)),
            A::SetPriority(p, n) => {
                let p = self.printed(p);
                StmtKind::SetPriority(p, self.printed(n))
            }
            A::Atomic(block) => self.atomic(block),
            A::DStep(block) => self.d_step(block),
            A::Block(block) => {
                let lowered = self.block(block);
                self.check_first_label(block, &lowered, "the block");
                StmtKind::Block(lowered)
            }
            A::InlineCall { body, .. } => {
                self.body.inlines += 1;
                let block = self.block(body);
                self.body.inlines -= 1;
                self.check_first_label(body, &block, "the call");
                StmtKind::Block(block)
            }
            A::Unless(main, escape) => return self.unless(span, main, escape, out),
            A::EmbeddedC(c) => StmtKind::CCode(self.c_statement(c)?),
        })
    }

    fn printed(&mut self, e: &ast::Expr) -> Expr {
        self.check_runs(e, RunRule::Never("an argument"));
        self.expr(e)
    }

    fn assign(&mut self, place: &ast::Place, e: &ast::Expr) -> Option<StmtKind> {
        let target = self.target(place);
        self.check_runs(e, RunRule::Once);
        self.body.in_assignment = true;
        let value = self.full_expr(e);
        self.body.in_assignment = false;
        let target = target?;
        let constant = matches!(*value.kind, crate::hir::ExprKind::Int(_));
        let is_field = target.projections.iter().any(|p| matches!(p, Projection::Field(_)));
        // SPIN lets fields of records pass.
        if target.ty == Type::Chan && constant && !is_field {
            self.report.push(
                Diagnostic::error(
                    codes::CHAN_ARITHMETIC,
                    e.span,
                    "a number cannot be assigned to a channel",
                )
                .help("assign another channel"),
            );
        }
        self.check_claim_effect(place.span);
        self.check_truncation(&target, &value);
        self.check_mtypes(target.ty, &value);
        Some(StmtKind::Assign(target, value))
    }

    /// Warns if the constant does not fit the place.
    pub(crate) fn check_truncation(&mut self, target: &Place, value: &Expr) {
        let element = matches!(target.projections.last(), Some(Projection::Index(_)));
        if target.root != Root::Sink {
            truncation::check(self, target.ty, element, value);
        }
    }

    fn step(&mut self, place: &ast::Place, by: i32) -> Option<StmtKind> {
        let target = self.target(place)?;
        if target.root == Root::Sink {
            self.report.error(codes::READ_SINK, place.span, "`_` has no value to count from");
            return None;
        }
        if target.ty == Type::Chan {
            self.report.error(codes::CHAN_ARITHMETIC, place.span, "a channel cannot be counted");
            return None;
        }
        self.check_claim_effect(place.span);
        Some(StmtKind::Step { place: target, by })
    }

    fn break_stmt(&mut self, span: Span) -> Option<StmtKind> {
        match self.body.loops.last() {
            None => {
                self.report.push(
                    Diagnostic::error(codes::BAD_BREAK, span, "there is no loop to break out of")
                        .help("`break` leaves the innermost `do` or `for` around it"),
                );
                None
            }
            Some(&around) => {
                if around != self.body.d_step {
                    self.report.push(
                        Diagnostic::error(
                            codes::CROSS_DSTEP,
                            span,
                            "this `break` leads out of a `d_step`",
                        )
                        .help("end the `d_step` before it, or use `atomic`"),
                    );
                }
                Some(StmtKind::Break)
            }
        }
    }
}

/// A statement that the user did not write.
pub(crate) fn made(span: Span, labels: Vec<LabelId>, kind: StmtKind) -> Stmt {
    Stmt { span, labels, kind }
}
