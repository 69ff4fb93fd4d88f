//! Names to places: variable, index, field, down to a scalar.

use spinor_base::{Diagnostic, Span, Text};
use spinor_syntax::ast;

use crate::analyzer::{Analyzer, BodyKind, SymbolKind};
use crate::codes;
use crate::declare::{int, names_of};
use crate::hir::{Expr, ExprKind, MtypeId, Place, Predefined, Projection, Root, Type, Variable};
use crate::lints::truncation::constant;
use crate::runs::RunRule;
use crate::types::type_name;
use spinor_base::nearest;

/// What a written name leads to.
pub(crate) enum Named {
    /// A variable or part of one; `array` is its size if the last index is missing.
    Place { place: Place, array: Option<u32> },
    /// An mtype name.
    Mtype(MtypeId, i32),
    /// A predefined name that is read.
    Predefined(Predefined),
    /// `_`.
    Sink,
}

/// Predefined names that are variables of some kind.
const PREDEFINED: [(&str, Predefined); 4] = [
    ("_pid", Predefined::Pid),
    ("_nr_pr", Predefined::NrPr),
    ("_last", Predefined::Last),
    ("_priority", Predefined::Priority),
];

/// Stands for an expression that could not be resolved: no constant, so that
/// nothing more is said about it.
pub(crate) fn hole(span: Span) -> ExprKind {
    ExprKind::Place(Place { span, root: Root::Sink, projections: Vec::new(), ty: Type::Int })
}

/// Whether `a` and `b` are the same variable without index or field.
pub(crate) fn same_variable(a: &Place, b: &Place) -> bool {
    a.root == b.root && a.projections.is_empty() && b.projections.is_empty()
}

impl Analyzer<'_> {
    /// Finds what a name means; reports and returns `None` if it means nothing.
    pub(crate) fn named_place(&mut self, place: &ast::Place) -> Option<Named> {
        let first = &place.parts[0];
        let name = &first.name;
        let (root, var) = if let Some(id) = self.local(&name.name) {
            let local = &mut self.body.locals[id.index()];
            local.used = true;
            (Root::Local(id), local.var.clone())
        } else if let Some(symbol) = self.global(&name.name) {
            match symbol.kind {
                SymbolKind::Var(id) => {
                    self.used_globals.insert(id);
                    (Root::Global(id), self.model.globals[id.index()].clone())
                }
                SymbolKind::Mtype(set, value)
                    if place.parts.len() == 1 && first.index.is_none() =>
                {
                    return Some(Named::Mtype(set, value));
                }
                kind => {
                    self.wrong_kind(name, symbol.span, kind);
                    return None;
                }
            }
        } else if name.name.as_ref() == "_" {
            return Some(Named::Sink);
        } else if let Some((_, p)) = PREDEFINED.iter().find(|(n, _)| *n == name.name.as_ref()) {
            return Some(Named::Predefined(*p));
        } else {
            self.undeclared(name);
            return None;
        };
        let (place, array) = self.project(place, root, &var)?;
        Some(Named::Place { place, array })
    }

    /// Follows indices and fields from a variable.
    pub(crate) fn project(
        &mut self,
        place: &ast::Place,
        root: Root,
        var: &Variable,
    ) -> Option<(Place, Option<u32>)> {
        if self.poisoned.contains(&var.span) {
            return None;
        }
        let mut projections = Vec::new();
        let mut current = var.clone();
        let mut open = self.index(&place.parts[0], &current, &mut projections)?;
        for part in &place.parts[1..] {
            if open.take().is_some() {
                self.missing_index(part.name.span, &current.name);
                projections.push(Projection::Index(int(part.name.span, 0)));
            }
            let Type::Struct(id) = current.ty else {
                let what = type_name(&self.model, current.ty);
                self.report.push(
                    Diagnostic::error(
                        codes::NOT_RECORD,
                        part.name.span,
                        format!("`{}` is a `{what}` and has no fields", current.name),
                    )
                    .label(current.span, "declared here"),
                );
                return None;
            };
            let record = &self.model.structs[id.index()];
            let Some(field) = record.fields.iter().position(|f| f.name == part.name.name) else {
                self.no_field(&part.name, id);
                return None;
            };
            current = record.fields[field].clone();
            if self.poisoned.contains(&current.span) {
                return None;
            }
            projections.push(Projection::Field(field as u32));
            open = self.index(part, &current, &mut projections)?;
        }
        Some((Place { span: place.span, root, projections, ty: current.ty }, open))
    }

    /// Resolves the index of one part; the result is the array size if an
    /// index is missing.
    fn index(
        &mut self,
        part: &ast::PlacePart,
        var: &Variable,
        projections: &mut Vec<Projection>,
    ) -> Option<Option<u32>> {
        let Some(index) = &part.index else { return Some(var.array) };
        self.check_runs(index, RunRule::Never("an index"));
        let saved = std::mem::replace(&mut self.body.in_assignment, false);
        let value = self.expr(index);
        self.body.in_assignment = saved;
        if var.array.is_some() {
            self.check_index(var, &value);
            projections.push(Projection::Index(value));
            return Some(None);
        }
        // SPIN: a scalar is an array of one, as long as the index is a plain 0.
        if matches!(*value.kind, ExprKind::Int(0)) {
            self.report.push(
                Diagnostic::warning(
                    codes::SCALAR_INDEXED,
                    index.span,
                    format!("`{}` is no array", var.name),
                )
                .label(var.span, "declared here"),
            );
            return Some(None);
        }
        self.report.push(
            Diagnostic::error(codes::NOT_ARRAY, index.span, format!("`{}` is no array", var.name))
                .label(var.span, "declared here"),
        );
        None
    }

    fn check_index(&mut self, var: &Variable, index: &Expr) {
        let size = var.array.unwrap_or(1);
        let Some(value) = constant(index) else { return };
        if value >= 0 && (value as u32) < size {
            return;
        }
        self.report.push(
            Diagnostic::warning(
                codes::INDEX_RANGE,
                index.span,
                format!("`{}` has elements 0 to {}, not {value}", var.name, size - 1),
            )
            .label(var.span, "declared here")
            .note("executing it is an error of the model"),
        );
    }

    /// A variable, fully indexed, of a basic type.
    pub(crate) fn close(&mut self, place: Place, array: Option<u32>) -> Option<Place> {
        let place = self.close_index(place, array);
        if let Type::Struct(id) = place.ty {
            let record = &self.model.structs[id.index()];
            let name = self.sources.text(place.span).to_owned();
            let mut d = Diagnostic::error(
                codes::WHOLE_RECORD,
                place.span,
                format!("`{name}` is a whole `{}`, here a single value is needed", record.name),
            )
            .label(record.span, "the type");
            if let Some(field) = record.fields.first() {
                d = d.help(format!("name a field, such as `{name}.{}`", field.name));
            }
            self.report.push(d);
            return None;
        }
        Some(place)
    }

    /// Adds the index 0 that SPIN adds when an array stands alone.
    pub(crate) fn close_index(&mut self, mut place: Place, array: Option<u32>) -> Place {
        if array.is_some() {
            let name = self.sources.text(place.span).to_owned();
            self.missing_index(place.span, &name);
            place.projections.push(Projection::Index(int(place.span, 0)));
        }
        place
    }

    fn missing_index(&mut self, span: Span, name: &str) {
        self.report.push(
            Diagnostic::warning(
                codes::MISSING_INDEX,
                span,
                format!("array `{name}` has no index here: element 0 is taken"),
            )
            .help(format!("write `{name}[0]` if that is meant")),
        );
    }

    /// A name that is read.
    pub(crate) fn read(&mut self, place: &ast::Place) -> Expr {
        let span = place.span;
        let kind = match self.named_place(place) {
            Some(Named::Place { place, array }) => {
                self.close(place, array).map_or(hole(span), ExprKind::Place)
            }
            Some(Named::Mtype(set, value)) => ExprKind::Mtype(set, value),
            Some(Named::Predefined(p)) => {
                self.check_predefined(p, place);
                ExprKind::Predefined(p)
            }
            Some(Named::Sink) => {
                self.report.push(
                    Diagnostic::error(codes::READ_SINK, place.span, "`_` has no value to read")
                        .note("what is written to `_` is thrown away"),
                );
                hole(span)
            }
            None => hole(span),
        };
        Expr { span, kind: Box::new(kind) }
    }

    fn check_predefined(&mut self, p: Predefined, place: &ast::Place) {
        let indexed = place.parts.len() > 1 || place.parts[0].index.is_some();
        if indexed {
            self.report.error(codes::NOT_ARRAY, place.span, "this name has no parts");
        }
        let outside = matches!(self.body.kind, BodyKind::Ltl);
        if outside && p == Predefined::Priority {
            self.report.error(
                codes::UNDECLARED,
                place.span,
                "a formula has no priority of its own",
            );
        }
    }

    /// A name that is assigned.
    pub(crate) fn target(&mut self, place: &ast::Place) -> Option<Place> {
        let special = |root, ty| Place { span: place.span, root, projections: Vec::new(), ty };
        match self.named_place(place)? {
            Named::Place { place, array } => self.close(place, array),
            Named::Sink => Some(special(Root::Sink, Type::Int)),
            Named::Predefined(Predefined::Priority) => Some(special(Root::Priority, Type::Byte)),
            Named::Predefined(_) => {
                let name = self.sources.text(place.span).to_owned();
                self.bad_target(place.span, format!("`{name}` cannot be assigned"));
                None
            }
            Named::Mtype(..) => {
                let name = self.sources.text(place.span).to_owned();
                self.bad_target(place.span, format!("`{name}` is a constant of an mtype"));
                None
            }
        }
    }

    pub(crate) fn bad_target(&mut self, span: Span, message: String) {
        self.report.error(codes::BAD_TARGET, span, message);
    }

    fn wrong_kind(&mut self, name: &ast::Ident, declared: Span, kind: SymbolKind) {
        let what = match kind {
            SymbolKind::Proctype(_) => "a proctype",
            SymbolKind::Struct(_) => "a type",
            _ => "a constant",
        };
        self.report.push(
            Diagnostic::error(
                codes::WRONG_KIND,
                name.span,
                format!("`{}` is {what}, here a variable is needed", name.name),
            )
            .label(declared, "declared here"),
        );
    }

    fn no_field(&mut self, name: &ast::Ident, id: crate::hir::StructId) {
        let record = &self.model.structs[id.index()];
        let mut d = Diagnostic::error(
            codes::NO_FIELD,
            name.span,
            format!("`{}` has no field `{}`", record.name, name.name),
        )
        .label(record.span, "the type");
        if let Some(near) = nearest(&name.name, names_of(&record.fields)) {
            d = d.help(format!("did you mean `{near}`?"));
        }
        self.report.push(d);
    }

    fn undeclared(&mut self, name: &ast::Ident) {
        if let Some(later) = self.names.get(&name.name) {
            let d = Diagnostic::error(
                codes::USE_BEFORE,
                name.span,
                format!("`{}` is used above its declaration", name.name),
            )
            .label(later.span, "declared here")
            .help("move the declaration up");
            self.report.push(d);
            return;
        }
        let mut d = Diagnostic::error(
            codes::UNDECLARED,
            name.span,
            format!("`{}` is not declared", name.name),
        );
        if name.name.as_ref() == "STDIN" {
            d = d.note("reading the keyboard is not possible in a verification");
        } else if let Some(hidden) =
            self.body.locals.iter().find(|l| l.var.name == name.name).map(|l| l.var.span)
        {
            d = d
                .label(hidden, "this one is visible in its own block only")
                .help("declare it in the block around both");
        } else if let Some(near) = self.near_name(&name.name) {
            d = d.help(format!("did you mean `{near}`?"));
        }
        self.report.push(d);
    }

    /// The variable or the word of the language that was probably meant.
    fn near_name(&self, name: &str) -> Option<String> {
        const WORDS: [&str; 9] =
            ["else", "timeout", "skip", "true", "false", "break", "_pid", "_last", "_nr_pr"];
        let locals = self.body.scopes.iter().flat_map(|s| s.names.iter().map(|(n, _)| n));
        let globals = self
            .names
            .iter()
            .filter(|(_, s)| matches!(s.kind, SymbolKind::Var(_) | SymbolKind::Mtype(..)))
            .map(|(n, _)| n);
        let names = locals.chain(globals).map(Text::as_ref);
        nearest(name, names).or_else(|| nearest(name, WORDS)).map(str::to_owned)
    }
}
