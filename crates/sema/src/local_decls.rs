//! Local declarations: initial value or step?
//!
//! The rule of SPIN 6.5.2 (2019), found by experiment:
//! - Declarations at the start of a body, before its first statement, are no
//!   steps. Their values are computed when the process is created, in order,
//!   after the parameters. `xr`/`xs` are no statements in this sense.
//! - Any other declaration (after a statement, in a block, option, loop, inline
//!   body, atomic or d_step) is a step for each variable, and the variable is 0
//!   from the creation of the process until then:
//!   - scalar or channel without initialiser: `v = 0`;
//!   - scalar with initialiser: `v = e`;
//!   - array without initialiser: `v[0] = 0`, the other elements keep their values;
//!   - array with one value: `v[0] = e`, likewise (warned about);
//!   - array with a list: SPIN complains, we set all elements in the one step;
//!   - record or array of records: a step that does nothing.
//! - A channel with `[n] of {…}` is created with the process wherever it is
//!   declared and has no step (warned about, SPIN complains).

use spinor_base::{Diagnostic, Span};
use spinor_syntax::ast;

use crate::Scoping;
use crate::analyzer::{Analyzer, BodyKind};
use crate::codes;
use crate::declare::{DeclSite, Declared, int};
use crate::hir::{Expr, Init, LocalId, Place, Projection, Root, Stmt, StmtKind, Type};

impl Analyzer<'_> {
    /// Resolves a local declaration.
    pub(crate) fn local_decls(&mut self, decls: &ast::VarDecls, out: &mut Vec<Stmt>) {
        if self.body.kind == BodyKind::Claim {
            self.report.push(
                Diagnostic::warning(
                    codes::CLAIM_EFFECT,
                    decls.span,
                    "a never claim should not have variables",
                )
                .help("make it a global"),
            );
        }
        let ty = self.type_of(decls);
        for decl in &decls.vars {
            self.check_free(&decl.name);
            let declared = self.variable(decls, decl, ty, DeclSite::Local);
            let outermost = self.body.scopes.len() == 1 || self.scoping == Scoping::Body;
            if self.body.at_start {
                self.add_local(declared, outermost);
                continue;
            }
            let step = self.late(declared, outermost);
            out.extend(step);
        }
    }

    /// A declaration that is executed where it stands.
    fn late(&mut self, mut declared: Declared, outermost: bool) -> Option<Stmt> {
        let var = &mut declared.var;
        let (span, name, array, ty) = (var.span, var.name.clone(), var.array, var.ty);
        if matches!(var.init, Init::Channel(_)) {
            self.report.push(
                Diagnostic::warning(
                    codes::LATE_CHANNEL,
                    span,
                    format!("channel `{name}` is created with the process, not here"),
                )
                .help("declare it at the start of the body"),
            );
            self.add_local(declared, outermost);
            return None;
        }
        let init = std::mem::replace(&mut var.init, Init::Zero);
        // Known before its step, or not at all: SPIN looks at the initialiser.
        let id = self.add_local(declared, outermost);
        let pairs = match (ty, init) {
            (Type::Struct(_), _) => Vec::new(),
            (_, Init::List(values)) => {
                let element = |(i, v): (usize, Expr)| (place(span, id, ty, Some(i as i32)), v);
                values.into_iter().enumerate().map(element).collect()
            }
            (_, Init::Value(value)) => {
                if array.is_some() {
                    self.report.push(
                        Diagnostic::warning(
                            codes::LATE_ARRAY_INIT,
                            span,
                            format!("only `{name}[0]` is set by this declaration"),
                        )
                        .help("declare the array at the start of the body, or assign its elements"),
                    );
                }
                vec![(place(span, id, ty, array.map(|_| 0)), value)]
            }
            (_, Init::Zero | Init::Channel(_)) => {
                vec![(place(span, id, ty, array.map(|_| 0)), int(span, 0))]
            }
        };
        Some(Stmt { span, labels: Vec::new(), kind: StmtKind::DeclInit(pairs) })
    }
}

fn place(span: Span, id: LocalId, ty: Type, element: Option<i32>) -> Place {
    let index = |i| Projection::Index(int(span, i));
    Place { span, root: Root::Local(id), projections: element.map(index).into_iter().collect(), ty }
}
