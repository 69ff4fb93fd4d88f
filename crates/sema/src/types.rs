//! Types as written to types as meant; flattening of records.

use spinor_base::{Diagnostic, Span, Text};
use spinor_syntax::ast::{ChannelInit, Ident, TypeKind, TypeRef, VarDecls};

use crate::analyzer::{Analyzer, SymbolKind};
use crate::codes;
use crate::hir::{ChannelDef, Model, MtypeId, MtypeSet, Type};
use spinor_base::nearest;

/// Number of slots that a channel can have.
const MAX_CAPACITY: i32 = 65_535;

/// How a type reads in messages.
pub(crate) fn type_name(model: &Model, ty: Type) -> String {
    match ty {
        Type::Bit => "bit".into(),
        Type::Bool => "bool".into(),
        Type::Byte => "byte".into(),
        Type::Pid => "pid".into(),
        Type::Short => "short".into(),
        Type::Int => "int".into(),
        Type::Unsigned(bits) => format!("unsigned : {bits}"),
        Type::Mtype(id) => match &model.mtypes[id.index()].name {
            Some(name) => format!("mtype:{name}"),
            None => "mtype".into(),
        },
        Type::Chan => "chan".into(),
        Type::Struct(id) => model.structs[id.index()].name.to_string(),
    }
}

/// The scalar types of a type, in order: arrays in records element by element.
pub(crate) fn flatten(model: &Model, ty: Type, out: &mut Vec<Type>) {
    let Type::Struct(id) = ty else { return out.push(ty) };
    for field in &model.structs[id.index()].fields {
        for _ in 0..field.array.unwrap_or(1) {
            flatten(model, field.ty, out);
        }
    }
}

impl Analyzer<'_> {
    /// Resolves a type; `unsigned` comes out with width 0.
    pub(crate) fn resolve_type(&mut self, ty: &TypeRef) -> Option<Type> {
        Some(match &ty.kind {
            TypeKind::Bit => Type::Bit,
            TypeKind::Bool => Type::Bool,
            TypeKind::Byte => Type::Byte,
            TypeKind::Short => Type::Short,
            TypeKind::Int => Type::Int,
            TypeKind::Unsigned => Type::Unsigned(0),
            TypeKind::Pid => Type::Pid,
            TypeKind::Chan => Type::Chan,
            TypeKind::Mtype(sub) => Type::Mtype(self.mtype_set(sub.as_ref())),
            TypeKind::Named(name) => return self.record_type(name),
        })
    }

    /// The type of a declaration; an unknown one is reported once and its
    /// variables are left alone from then on.
    pub(crate) fn type_of(&mut self, decls: &VarDecls) -> Type {
        self.resolve_type(&decls.ty).unwrap_or_else(|| {
            self.poisoned.extend(decls.vars.iter().map(|v| v.name.span));
            Type::Int
        })
    }

    fn record_type(&mut self, name: &Ident) -> Option<Type> {
        if let Some(SymbolKind::Struct(id)) = self.global(&name.name).map(|s| s.kind) {
            return Some(Type::Struct(id));
        }
        let mut d = Diagnostic::error(
            codes::UNKNOWN_TYPE,
            name.span,
            format!("there is no type `{}` above this line", name.name),
        );
        if let Some(later) = self.names.get(&name.name) {
            d = d.label(later.span, "declared here").help("move the `typedef` up");
        } else if &*name.name == "not" {
            d = d.help("to negate, write `!`");
        } else {
            let types = self.names.iter().filter(|(_, s)| matches!(s.kind, SymbolKind::Struct(_)));
            let known = ["bit", "bool", "byte", "short", "int", "unsigned", "mtype", "chan", "pid"];
            let all = types.map(|(n, _)| &**n).chain(known);
            if let Some(near) = nearest(&name.name, all) {
                d = d.help(format!("did you mean `{near}`?"));
            }
        }
        self.report.push(d);
        None
    }

    /// The set of names of `mtype` or `mtype:sub`, made on first mention.
    pub(crate) fn mtype_set(&mut self, sub: Option<&Ident>) -> MtypeId {
        let Some(sub) = sub else { return MtypeId(0) };
        if let Some(&id) = self.mtype_sets.get(&sub.name) {
            return id;
        }
        let id = MtypeId(self.model.mtypes.len() as u32);
        let name: Text = sub.name.clone();
        self.model.mtypes.push(MtypeSet { name: Some(name.clone()), names: Vec::new() });
        self.mtype_spans.push(sub.span);
        self.mtype_sets.insert(name, id);
        id
    }

    /// Resolves `[n] of { … }`.
    pub(crate) fn channel_def(&mut self, init: &ChannelInit) -> Option<ChannelDef> {
        let capacity = self.constant(&init.capacity, "a channel capacity");
        let mut fields = Vec::new();
        let mut complete = true;
        for field in &init.fields {
            match self.resolve_type(field) {
                Some(Type::Unsigned(_)) => {
                    complete = false;
                    self.unsigned_field(field.span);
                }
                Some(ty) if self.has_room(self.values_of(ty, None), field.span, "a message") => {
                    flatten(&self.model, ty, &mut fields);
                }
                Some(_) => complete = false,
                None => complete = false,
            }
        }
        let capacity = capacity?;
        if !(0..=MAX_CAPACITY).contains(&capacity) {
            self.report.error(
                codes::BAD_CAPACITY,
                init.capacity.span,
                format!("a channel has 0 to {MAX_CAPACITY} slots, not {capacity}"),
            );
            return None;
        }
        let values = fields.len() as u64 * u64::from(capacity.unsigned_abs());
        if !self.has_room(values, init.span, "this channel") {
            return None;
        }
        complete.then_some(ChannelDef { capacity: capacity as u32, fields })
    }

    fn unsigned_field(&mut self, span: Span) {
        self.report.push(
            Diagnostic::error(codes::BAD_FIELD_TYPE, span, "`unsigned` cannot be a message field")
                .help("use `byte`, `short` or `int`"),
        );
    }
}
