//! `run`: where it may stand, and its arguments.

use spinor_base::{Diagnostic, Span};
use spinor_syntax::ast;

use crate::analyzer::{Analyzer, BodyKind, SymbolKind};
use crate::codes;
use crate::hir::{ExprKind, ProctypeId, Type};
use crate::lints::truncation;
use crate::places::hole;
use crate::types::flatten;
use spinor_base::nearest;

/// Whether an expression may contain `run`.
#[derive(Clone, Copy)]
pub(crate) enum RunRule {
    /// As the whole expression only.
    Alone,
    /// Once, anywhere.
    Once,
    /// Not at all: this is the place.
    Never(&'static str),
}

impl Analyzer<'_> {
    /// Reports `run`s that the place does not allow.
    pub(crate) fn check_runs(&mut self, e: &ast::Expr, rule: RunRule) {
        let mut runs = Vec::new();
        find_runs(e, &mut runs);
        let Some(&first) = runs.first() else { return };
        let (span, problem) = match rule {
            RunRule::Never(place) => (first, format!("`run` cannot stand in {place}")),
            _ if runs.len() > 1 => (runs[1], "an expression can `run` one process only".to_owned()),
            RunRule::Alone if !matches!(*e.kind, ast::ExprKind::Run { .. }) => {
                (first, "`run` must be the whole condition".to_owned())
            }
            _ => return,
        };
        self.report.push(
            Diagnostic::error(codes::BAD_RUN, span, problem)
                .note("starting a process is a side effect, which a larger expression may not have")
                .help("assign it first, `p = run …`, then use `p`"),
        );
    }

    /// Resolves `run P(args)`.
    pub(crate) fn run_expr(
        &mut self,
        span: Span,
        name: &ast::Ident,
        args: &[ast::Expr],
        priority: Option<&ast::Expr>,
    ) -> ExprKind {
        if self.body.d_step.is_some() {
            self.report.push(
                Diagnostic::error(codes::IN_DSTEP, span, "`run` is not possible in a `d_step`")
                    .help("use `atomic`"),
            );
        }
        if !matches!(self.body.kind, BodyKind::Proctype(_)) {
            self.report.error(codes::BAD_RUN, span, "only processes can run processes");
        }
        let mut values = Vec::new();
        for arg in args {
            self.message_arg(arg, "an argument of `run`", &mut values);
        }
        let priority = priority.map(|e| {
            let value = self.priority(e).unwrap_or(1);
            crate::declare::int(e.span, value)
        });
        let Some(proctype) = self.proctype_named(name) else { return hole(span) };
        self.run_proctypes.insert(proctype);
        let header = &self.model.proctypes[proctype.index()];
        let mut formals = Vec::new();
        for param in &header.locals[..header.params as usize] {
            flatten(&self.model, param.ty, &mut formals);
        }
        if formals.len() != values.len() {
            let declared = header.span;
            self.report.push(
                Diagnostic::error(
                    codes::WRONG_ARGS,
                    span,
                    format!(
                        "`{}` takes {}, here {}",
                        name.name,
                        count(formals.len(), "value"),
                        match values.len() {
                            1 => "is one".to_owned(),
                            0 => "are none".to_owned(),
                            n => format!("are {n}"),
                        },
                    ),
                )
                .label(declared, "declared here"),
            );
        }
        for (&ty, value) in formals.iter().zip(&values) {
            truncation::check(self, ty, false, value);
            if matches!(ty, Type::Mtype(_)) {
                self.check_mtypes(ty, value);
            }
        }
        ExprKind::Run { proctype, args: values, priority }
    }

    /// The proctype of that name, wherever it is declared.
    pub(crate) fn proctype_named(&mut self, name: &ast::Ident) -> Option<ProctypeId> {
        if let Some(SymbolKind::Proctype(id)) = self.names.get(&name.name).map(|s| s.kind) {
            return Some(id);
        }
        let mut d = Diagnostic::error(
            codes::UNKNOWN_PROCTYPE,
            name.span,
            format!("there is no proctype `{}`", name.name),
        );
        let proctypes = self.model.proctypes.iter().map(|p| &p.name);
        if let Some(near) = nearest(&name.name, proctypes) {
            d = d.help(format!("did you mean `{near}`?"));
        }
        self.report.push(d);
        None
    }
}

/// `3 values`, `1 value`.
pub(crate) fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

fn find_runs(e: &ast::Expr, out: &mut Vec<Span>) {
    use ast::ExprKind::*;
    match &*e.kind {
        Run { args, .. } => {
            out.push(e.span);
            args.iter().for_each(|a| find_runs(a, out));
        }
        Unary(_, a) | Enabled(a) | PcValue(a) | GetPriority(a) => find_runs(a, out),
        Binary(_, a, b) => {
            find_runs(a, out);
            find_runs(b, out);
        }
        Conditional(a, b, c) => [a, b, c].into_iter().for_each(|e| find_runs(e, out)),
        _ => {}
    }
}
