//! Bodies in source order: processes, claims, traces, formulas.

use std::collections::HashMap;

use spinor_base::{Diagnostic, Span, Text};
use spinor_syntax::ast;

use crate::analyzer::{Analyzer, Body, BodyKind, Scope};
use crate::codes;
use crate::hir::{
    Block, Claim, Formula, Label, LocalId, LtlProperty, Proctype, ProctypeId, Trace, Variable,
};
use crate::items::empty_proctype;
use crate::labels::LabelTable;
use crate::runs::RunRule;

impl Analyzer<'_> {
    /// Resolves all bodies; may be called again with more known locals.
    pub(crate) fn resolve_bodies(&mut self) {
        self.model.claims.clear();
        self.model.trace = None;
        self.model.ltl.clear();
        self.model.exclusives.clear();
        self.forget_c();
        let module = self.module;
        let mut process = 0;
        let mut claims = HashMap::new();
        for (index, item) in module.items.iter().enumerate() {
            self.item = index;
            match item {
                ast::Item::Proctype(p) => {
                    self.process_body(ProctypeId(process), p.provided.as_ref(), &p.body);
                    process += 1;
                }
                ast::Item::Init(init) => {
                    self.process_body(ProctypeId(process), None, &init.body);
                    process += 1;
                }
                ast::Item::Never(never) => self.never(never, &mut claims),
                ast::Item::Trace(trace) => self.trace(trace),
                ast::Item::Exclusive(x) => self.report.push(
                    Diagnostic::error(
                        codes::BAD_EXCLUSIVE,
                        x.span,
                        "`xr` and `xs` belong in the body of the process that promises",
                    )
                    .help("move it to the start of that proctype"),
                ),
                ast::Item::EmbeddedC(c) => self.global_c(c),
                _ => {}
            }
        }
        // Formulas may stand anywhere: they see all declarations.
        self.item = usize::MAX;
        for item in &module.items {
            if let ast::Item::Ltl(ltl) = item {
                self.ltl(ltl, &mut claims);
            }
        }
        for (proctype, table) in self.model.proctypes.iter_mut().zip(&self.label_tables) {
            proctype.labels = table.to_hir();
        }
    }

    fn process_body(&mut self, id: ProctypeId, provided: Option<&ast::Expr>, body: &ast::Block) {
        let params = self.model.proctypes[id.index()].params as usize;
        let first_code = self.model.embedded.codes.len();
        let provided = provided.map(|e| {
            self.body = Body { kind: BodyKind::Global, ..Body::default() };
            self.check_runs(e, RunRule::Never("a `provided` clause"));
            self.full_expr(e)
        });
        self.own_c(first_code, id);
        self.body = Body { kind: BodyKind::Proctype(id), ..Body::default() };
        self.body.labels = std::mem::take(&mut self.label_tables[id.index()]);
        let params = self.model.proctypes[id.index()].locals[..params].to_vec();
        let before = self.values;
        let (block, locals) = self.resolve_body(params, body);
        let Proctype { active, span, .. } = self.model.proctypes[id.index()];
        self.reserve_copies(self.values - before, active.saturating_sub(1), span);
        self.known_locals.insert(id, std::mem::take(&mut self.body.locals));
        self.label_tables[id.index()] = std::mem::take(&mut self.body.labels);
        self.label_tables[id.index()].next = 0;
        let proctype = &mut self.model.proctypes[id.index()];
        proctype.provided = provided;
        proctype.locals = locals;
        proctype.body = block;
    }

    fn resolve_body(&mut self, params: Vec<Variable>, body: &ast::Block) -> (Block, Vec<Variable>) {
        self.body.at_start = true;
        self.body.next_scope = 1;
        let names =
            params.iter().enumerate().map(|(i, p)| (p.name.clone(), LocalId(i as u32))).collect();
        self.body.local_names = params.iter().map(|p| p.name.clone()).collect();
        self.body.scopes = vec![Scope { names, ..Scope::default() }];
        self.body.locals = params
            .into_iter()
            .map(|var| crate::analyzer::Local {
                var,
                used: true,
                const_init: None,
                outermost: true,
            })
            .collect();
        let stmts = self.stmts(&body.stmts);
        let locals = self.body.locals.iter().map(|l| l.var.clone()).collect();
        (Block { span: body.span, stmts }, locals)
    }

    fn monitor(
        &mut self,
        kind: BodyKind,
        name: Text,
        span: Span,
        body: &ast::Block,
    ) -> (Proctype, Vec<Label>) {
        self.body = Body { kind, ..Body::default() };
        self.body.labels = LabelTable::collect(body, self.scoping, &mut self.report);
        let mut proctype = empty_proctype(name, span, self.item);
        (proctype.body, proctype.locals) = self.resolve_body(Vec::new(), body);
        let labels = self.body.labels.to_hir();
        (proctype, labels)
    }

    fn never(&mut self, never: &ast::Never, claims: &mut HashMap<Text, Span>) {
        let number = self.model.claims.len();
        let name = never.name.as_ref();
        let default = || Text::from(format!("never_{number}"));
        let text = name.map_or_else(default, |n| n.name.clone());
        self.claim_name(&text, name.map_or(never.span, |n| n.span), claims);
        let (mut body, labels) =
            self.monitor(BodyKind::Claim, text.clone(), never.span, &never.body);
        body.labels = labels;
        self.model.claims.push(Claim { name: text, body });
    }

    fn trace(&mut self, trace: &ast::Trace) {
        if let Some(first) = &self.model.trace {
            let first = first.body.span;
            self.report.push(
                Diagnostic::error(
                    codes::DUPLICATE_CLAIM,
                    trace.span,
                    "a model can have one `trace` or `notrace` only",
                )
                .label(first, "the first one"),
            );
        }
        let default = || Text::from(if trace.negated { "notrace" } else { "trace" });
        let name = trace.name.as_ref().map_or_else(default, |n| n.name.clone());
        let (mut body, labels) = self.monitor(BodyKind::Trace, name, trace.span, &trace.body);
        body.labels = labels;
        self.model.trace = Some(Trace { negated: trace.negated, body });
    }

    fn ltl(&mut self, ltl: &ast::Ltl, claims: &mut HashMap<Text, Span>) {
        let number = self.model.ltl.len();
        let default = || Text::from(format!("ltl_{number}"));
        let name = ltl.name.as_ref().map_or_else(default, |n| n.name.clone());
        self.claim_name(&name, ltl.name.as_ref().map_or(ltl.span, |n| n.span), claims);
        self.body = Body { kind: BodyKind::Ltl, ..Body::default() };
        let formula = self.formula(&ltl.formula);
        self.model.ltl.push(LtlProperty { name, span: ltl.span, formula });
    }

    fn claim_name(&mut self, name: &Text, span: Span, claims: &mut HashMap<Text, Span>) {
        if let Some(&first) = claims.get(name) {
            self.report.push(
                Diagnostic::error(
                    codes::DUPLICATE_CLAIM,
                    span,
                    format!("there is another claim or formula called `{name}`"),
                )
                .label(first, "the first one"),
            );
        }
        claims.insert(name.clone(), span);
    }

    fn formula(&mut self, f: &ast::Formula) -> Formula {
        use ast::FormulaKind as F;
        match &f.kind {
            F::Atom(e) => {
                self.check_runs(e, RunRule::Never("a formula"));
                Formula::Atom(self.full_expr(e))
            }
            F::Not(f) => Formula::Not(Box::new(self.formula(f))),
            F::Next(f) => Formula::Next(Box::new(self.formula(f))),
            F::Always(f) => Formula::Always(Box::new(self.formula(f))),
            F::Eventually(f) => Formula::Eventually(Box::new(self.formula(f))),
            F::Binary(op, a, b) => {
                let a = self.formula(a);
                Formula::Binary(*op, Box::new(a), Box::new(self.formula(b)))
            }
        }
    }
}
