//! References into other processes: `P[i]@L` and `P[i]:x`.

use spinor_base::{Diagnostic, Span};
use spinor_syntax::ast;

use crate::analyzer::{Analyzer, BodyKind};
use crate::codes;
use crate::hir::{Expr, ExprKind, LocalId, ProctypeId, Root};
use crate::places::hole;
use spinor_base::nearest;

impl Analyzer<'_> {
    /// Resolves `P@L` or `P[pid]@L`.
    pub(crate) fn remote_label(
        &mut self,
        span: Span,
        proctype: &ast::Ident,
        pid: Option<&ast::Expr>,
        label: &ast::Ident,
    ) -> ExprKind {
        self.check_remote_label(span);
        let pid = pid.map(|e| self.expr(e));
        let Some(proctype) = self.proctype_named(proctype) else { return hole(span) };
        // The body at hand has its table taken out.
        let own = self.body.kind == BodyKind::Proctype(proctype);
        let table =
            if own { &mut self.body.labels } else { &mut self.label_tables[proctype.index()] };
        let Some(id) = table.resolve_remote(&label.name) else {
            let mut d = Diagnostic::error(
                codes::UNDEFINED_LABEL,
                label.span,
                format!(
                    "proctype `{}` has no label `{}`",
                    self.model.proctypes[proctype.index()].name,
                    label.name
                ),
            );
            d.help = table.suggestion(&label.name);
            self.report.push(d);
            return hole(span);
        };
        table.labels[id.index()].remote = true;
        ExprKind::RemoteLabel { proctype, pid, label: id }
    }

    /// Resolves `P:x` or `P[pid]:x`.
    pub(crate) fn remote_var(
        &mut self,
        span: Span,
        proctype: &ast::Ident,
        pid: Option<&ast::Expr>,
        var: &ast::Place,
    ) -> ExprKind {
        let pid = pid.map(|e| self.expr(e));
        let Some(proctype) = self.proctype_named(proctype) else { return hole(span) };
        let name = &var.parts[0].name;
        if let (Some(pid), "_p") = (&pid, name.name.as_ref()) {
            self.check_remote_label(span);
            return ExprKind::PcValue(pid.clone());
        }
        if !self.known_locals.contains_key(&proctype) {
            self.needs_second_pass = true;
            return hole(span);
        }
        self.remote_local(span, proctype, pid, var)
    }

    fn remote_local(
        &mut self,
        span: Span,
        proctype: ProctypeId,
        pid: Option<Expr>,
        var: &ast::Place,
    ) -> ExprKind {
        let name = &var.parts[0].name;
        let locals = &self.known_locals[&proctype];
        // SPIN names only the outermost ones; inner ones are better than nothing.
        let named = |l: &crate::analyzer::Local| l.var.name == name.name;
        let found = locals
            .iter()
            .position(|l| l.outermost && named(l))
            .or_else(|| locals.iter().position(named));
        let Some(index) = found else {
            let mut d = Diagnostic::error(
                codes::BAD_REMOTE,
                name.span,
                format!(
                    "proctype `{}` has no variable `{}`",
                    self.model.proctypes[proctype.index()].name,
                    name.name
                ),
            );
            if let Some(near) = nearest(&name.name, locals.iter().map(|l| &l.var.name)) {
                d = d.help(format!("did you mean `{near}`?"));
            }
            self.report.push(d);
            return hole(span);
        };
        let local = LocalId(index as u32);
        self.remote_uses.insert((proctype, local));
        let variable = locals[index].var.clone();
        let Some((place, array)) = self.project(var, Root::Local(local), &variable) else {
            return hole(span);
        };
        let Some(mut place) = self.close(place, array) else { return hole(span) };
        place.span = span;
        ExprKind::RemoteVar { proctype, pid, place }
    }

    fn check_remote_label(&mut self, span: Span) {
        if self.body.d_step.is_some() {
            self.report.push(
                Diagnostic::error(
                    codes::IN_DSTEP,
                    span,
                    "a reference to a label of another process is not possible in a `d_step`",
                )
                .help("use `atomic`"),
            );
        }
    }
}
