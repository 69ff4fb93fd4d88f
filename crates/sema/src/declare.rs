//! One declared variable: its type, size and initial value, checked.

use spinor_base::{Diagnostic, Span, Text};
use spinor_syntax::ast::{Ident, Initializer, TypeKind, VarDecl, VarDecls, Visibility};

use crate::analyzer::{Analyzer, SymbolKind};
use crate::codes;
use crate::hir::{Expr, ExprKind, Init, Type, Variable};
use crate::lints::truncation;
use crate::runs::RunRule;
use crate::types::type_name;

/// Where a variable is declared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum DeclSite {
    Global,
    Param,
    Field,
    Local,
}

/// A declared variable and the value it has for constant expressions.
pub(crate) struct Declared {
    pub(crate) var: Variable,
    pub(crate) const_init: Option<i32>,
}

impl Analyzer<'_> {
    /// Resolves one variable of a declaration. Does not enter its name.
    pub(crate) fn variable(
        &mut self,
        decls: &VarDecls,
        decl: &VarDecl,
        ty: Type,
        site: DeclSite,
    ) -> Declared {
        let ty = self.width(decls, decl, ty);
        let array = self.array_size(decl);
        let (ty, array) = self.bounded(decl, ty, array, site);
        if site == DeclSite::Param {
            self.check_param(decl, ty);
        }
        let (init, const_init) = self.initial_value(decl, ty, array);
        let visibility = decls.visibility;
        if visibility == Some(Visibility::Hidden) {
            self.check_hidden(decls.span, &decl.name.name, ty, site);
        }
        let var = Variable {
            name: decl.name.name.clone(),
            span: decl.name.span,
            ty,
            array,
            init,
            hidden: visibility == Some(Visibility::Hidden),
            show: visibility == Some(Visibility::Show),
            local_promise: visibility == Some(Visibility::Local),
        };
        Declared { var, const_init }
    }

    fn width(&mut self, decls: &VarDecls, decl: &VarDecl, ty: Type) -> Type {
        let unsigned = decls.ty.kind == TypeKind::Unsigned;
        let Some(width) = &decl.width else {
            if unsigned {
                self.report.push(
                    Diagnostic::error(
                        codes::BAD_WIDTH,
                        decl.name.span,
                        format!("`unsigned {}` has no width", decl.name.name),
                    )
                    .help(format!("write `unsigned {} : 8` for 8 bits", decl.name.name)),
                );
                return Type::Unsigned(16);
            }
            return ty;
        };
        if !unsigned {
            let name = type_name(&self.model, ty);
            self.report.push(
                Diagnostic::error(
                    codes::BAD_WIDTH,
                    width.span,
                    format!("only `unsigned` has a width, not `{name}`"),
                )
                .help(format!("write `unsigned {} : …`", decl.name.name)),
            );
            return ty;
        }
        match self.constant(width, "a width") {
            Some(bits @ 1..=31) => Type::Unsigned(bits as u8),
            Some(bits) => {
                self.report.error(
                    codes::BAD_WIDTH,
                    width.span,
                    format!("an `unsigned` has 1 to 31 bits, not {bits}"),
                );
                Type::Unsigned(16)
            }
            None => Type::Unsigned(16),
        }
    }

    /// A wrong size counts as 1, and the array is left alone from then on.
    fn array_size(&mut self, decl: &VarDecl) -> Option<u32> {
        let size = decl.array.as_ref()?;
        let value = self.constant(size, "an array size");
        if let Some(n) = value.filter(|&n| n > 0) {
            return Some(n as u32);
        }
        self.poisoned.insert(decl.name.span);
        if let Some(n) = value {
            self.report.error(
                codes::BAD_SIZE,
                size.span,
                format!("array `{}` has {n} elements, it needs at least one", decl.name.name),
            );
        }
        Some(1)
    }

    fn check_param(&mut self, decl: &VarDecl, ty: Type) {
        let name = &decl.name.name;
        let problem = if decl.array.is_some() {
            format!("parameter `{name}` is an array")
        } else if self.contains_array(ty) {
            format!("parameter `{name}` contains an array")
        } else if decl.init.is_some() {
            format!("parameter `{name}` has an initialiser")
        } else {
            return;
        };
        self.report.push(
            Diagnostic::error(codes::BAD_PARAM, decl.name.span, problem)
                .help("parameters are scalars or records of scalars; `run` gives their values"),
        );
    }

    fn contains_array(&self, ty: Type) -> bool {
        let Type::Struct(id) = ty else { return false };
        let fields = &self.model.structs[id.index()].fields;
        fields.iter().any(|f| f.array.is_some() || self.contains_array(f.ty))
    }

    fn check_hidden(&mut self, span: Span, name: &str, ty: Type, site: DeclSite) {
        let problem = match ty {
            _ if site != DeclSite::Global => "a local variable",
            Type::Bit | Type::Bool => "a bit",
            Type::Chan => "a channel",
            _ => return,
        };
        self.report.push(
            Diagnostic::error(
                codes::BAD_HIDDEN,
                span,
                format!("`hidden` is not possible for {problem} such as `{name}`"),
            )
            .help("only global numbers, mtypes and records can be hidden"),
        );
    }

    fn initial_value(
        &mut self,
        decl: &VarDecl,
        ty: Type,
        array: Option<u32>,
    ) -> (Init, Option<i32>) {
        let Some(init) = &decl.init else { return (Init::Zero, None) };
        if matches!(ty, Type::Struct(_)) {
            self.report.push(
                Diagnostic::warning(
                    codes::IGNORED_INIT,
                    init_span(init),
                    "the initialiser of a record has no effect",
                )
                .help("initialise its fields in the `typedef`, or assign them"),
            );
            return (Init::Zero, None);
        }
        match init {
            Initializer::Expr(e) => {
                self.check_runs(e, RunRule::Never("an initialiser"));
                let constant = self.try_constant(e).filter(|_| array.is_none());
                let value = self.full_expr(e);
                truncation::check(self, ty, array.is_some(), &value);
                self.check_mtypes(ty, &value);
                (Init::Value(value), constant)
            }
            Initializer::List(span, values) => (self.list(decl, *span, values, ty, array), None),
            Initializer::Channel(def) => {
                if ty != Type::Chan {
                    let name = type_name(&self.model, ty);
                    self.bad_init(
                        def.span,
                        &format!("a channel cannot initialise a `{name}`"),
                        &format!("declare it with `chan {} = …`", decl.name.name),
                    );
                    return (Init::Zero, None);
                }
                let channel = self.channel_def(def).filter(|channel| {
                    let values = channel.fields.len() as u64 * u64::from(channel.capacity);
                    let others = u64::from(array.unwrap_or(1) - 1);
                    self.has_room(values.saturating_mul(others), def.span, "these channels")
                });
                (channel.map_or(Init::Zero, Init::Channel), None)
            }
        }
    }

    fn list(
        &mut self,
        decl: &VarDecl,
        span: Span,
        values: &[spinor_syntax::ast::Expr],
        ty: Type,
        array: Option<u32>,
    ) -> Init {
        let Some(size) = array else {
            let text = format!("`{}` is no array and cannot take a list", decl.name.name);
            self.bad_init(span, &text, "give it a size, or one value");
            return Init::Zero;
        };
        let mut list = Vec::new();
        for value in values {
            self.constant(value, "a value in a list");
            let value = self.expr(value);
            truncation::check(self, ty, true, &value);
            self.check_mtypes(ty, &value);
            list.push(value);
        }
        if list.len() > size as usize {
            self.report.push(Diagnostic::warning(
                codes::LONG_LIST,
                list[size as usize].span,
                format!("`{}` has {size} elements, the rest is ignored", decl.name.name),
            ));
            list.truncate(size as usize);
        }
        let Some(last) = list.last().cloned() else { return Init::Zero };
        list.resize(size as usize, last);
        Init::List(list)
    }

    fn bad_init(&mut self, span: Span, message: &str, help: &str) {
        self.report.push(Diagnostic::error(codes::BAD_INIT, span, message).help(help));
    }

    /// Reports a declaration of a name that is taken already.
    pub(crate) fn check_free(&mut self, name: &Ident) {
        if let Some(id) = self.local(&name.name) {
            let span = self.body.locals[id.index()].var.span;
            self.redeclared(name, span, "a variable");
        } else if let Some(symbol) = self.global(&name.name) {
            let what = match symbol.kind {
                SymbolKind::Var(_) => "a variable",
                SymbolKind::Mtype(..) => "an mtype name",
                SymbolKind::Proctype(_) => "a proctype",
                SymbolKind::Struct(_) => "a type",
            };
            self.redeclared(name, symbol.span, what);
        }
    }

    pub(crate) fn redeclared(&mut self, name: &Ident, earlier: Span, what: &str) {
        self.report.push(
            Diagnostic::error(
                codes::REDECLARED,
                name.span,
                format!("`{}` is declared already", name.name),
            )
            .label(earlier, format!("{what} of that name is visible here"))
            .help("Promela names do not hide outer ones: choose another name"),
        );
    }
}

fn init_span(init: &Initializer) -> Span {
    match init {
        Initializer::Expr(e) => e.span,
        Initializer::List(span, _) => *span,
        Initializer::Channel(c) => c.span,
    }
}

/// The constant `value` written at `span`.
pub(crate) fn int(span: Span, value: i32) -> Expr {
    Expr { span, kind: Box::new(ExprKind::Int(value)) }
}

/// Names in insertion order, for suggestions.
pub(crate) fn names_of(vars: &[Variable]) -> impl Iterator<Item = &Text> {
    vars.iter().map(|v| &v.name)
}
