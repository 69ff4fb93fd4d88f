//! Top-level declarations, in source order: types, mtypes, globals, and the
//! headers of proctypes (bodies follow when all headers are known).

use spinor_base::{Diagnostic, Span, Text};
use spinor_syntax::ast;

use crate::analyzer::{Analyzer, Body, BodyKind, Local, Scope, Symbol, SymbolKind};
use crate::codes;
use crate::declare::{DeclSite, Declared};
use crate::hir::{Block, GlobalId, LocalId, Proctype, ProctypeId, StructDef, StructId};
use crate::labels::LabelTable;

/// Most values of one mtype; most processes.
const MAX_BYTE: i32 = 255;

impl Analyzer<'_> {
    /// Enters all top-level declarations.
    pub(crate) fn declare_items(&mut self) {
        let module = self.module;
        for (index, item) in module.items.iter().enumerate() {
            self.item = index;
            match item {
                ast::Item::Typedef(def) => self.declare_struct(def),
                ast::Item::Mtype(decl) => self.declare_mtype(decl),
                ast::Item::Vars(decls) => self.declare_globals(decls),
                ast::Item::Proctype(p) => self.declare_proctype(p),
                ast::Item::Init(init) => self.declare_init(init),
                _ => {}
            }
        }
    }

    fn enter(&mut self, name: &ast::Ident, kind: SymbolKind) {
        let symbol = Symbol { span: name.span, item: self.item, kind };
        self.names.entry(name.name.clone()).or_insert(symbol);
    }

    fn declare_struct(&mut self, def: &ast::Typedef) {
        self.check_free(&def.name);
        let mut fields: Vec<crate::hir::Variable> = Vec::new();
        for decls in &def.fields {
            let ty = self.type_of(decls);
            for decl in &decls.vars {
                if let Some(earlier) = fields.iter().find(|f| f.name == decl.name.name) {
                    let earlier = earlier.span;
                    self.redeclared(&decl.name, earlier, "a field");
                }
                fields.push(self.variable(decls, decl, ty, DeclSite::Field).var);
            }
        }
        let values = fields.iter().map(|f| self.values_of(f.ty, f.array));
        let values = values.fold(0, u64::saturating_add);
        self.struct_values.push(values);
        let id = StructId(self.model.structs.len() as u32);
        self.model.structs.push(StructDef { name: def.name.name.clone(), span: def.span, fields });
        self.enter(&def.name, SymbolKind::Struct(id));
    }

    fn declare_mtype(&mut self, decl: &ast::MtypeDecl) {
        let set = self.mtype_set(decl.subtype.as_ref());
        let taken = self.model.mtypes[set.index()].names.len();
        let total = taken + decl.names.len();
        if total > MAX_BYTE as usize {
            self.report.error(
                codes::TOO_MANY_MTYPES,
                decl.span,
                format!("an mtype has at most {MAX_BYTE} names, this makes {total}"),
            );
            return;
        }
        for (index, name) in decl.names.iter().enumerate() {
            self.check_free(name);
            // SPIN counts from the end of each declaration.
            let value = (total - index) as i32;
            self.model.mtypes[set.index()].names.push((name.name.clone(), value));
            self.enter(name, SymbolKind::Mtype(set, value));
        }
    }

    fn declare_globals(&mut self, decls: &ast::VarDecls) {
        let ty = self.type_of(decls);
        for decl in &decls.vars {
            self.check_free(&decl.name);
            let Declared { var, const_init } = self.variable(decls, decl, ty, DeclSite::Global);
            let id = GlobalId(self.model.globals.len() as u32);
            self.model.globals.push(var);
            self.global_consts.push(const_init);
            self.enter(&decl.name, SymbolKind::Var(id));
        }
    }

    fn declare_proctype(&mut self, p: &ast::Proctype) {
        self.check_free(&p.name);
        let id = ProctypeId(self.model.proctypes.len() as u32);
        let active = p.active.as_ref().map_or(0, |a| self.active_count(a));
        let priority = p.priority.as_ref().and_then(|e| self.priority(e));
        let mut header = empty_proctype(p.name.name.clone(), p.span, self.item);
        header.active = active;
        header.deterministic = p.deterministic;
        header.priority = priority;
        self.body = Body { kind: BodyKind::Proctype(id), ..Body::default() };
        self.body.scopes.push(Scope::default());
        for decls in &p.params {
            let ty = self.type_of(decls);
            for decl in &decls.vars {
                self.check_free(&decl.name);
                let declared = self.variable(decls, decl, ty, DeclSite::Param);
                self.add_local(declared, true);
            }
        }
        let locals = std::mem::take(&mut self.body).locals;
        header.params = locals.len() as u32;
        header.locals = locals.into_iter().map(|l| l.var).collect();
        self.add_header(header, &p.body);
        self.enter(&p.name, SymbolKind::Proctype(id));
    }

    fn declare_init(&mut self, init: &ast::Init) {
        if let Some(first) = self.model.proctypes.iter().find(|p| p.is_init) {
            let first = first.span;
            self.report.push(
                Diagnostic::error(codes::DUPLICATE_INIT, init.span, "there is an `init` already")
                    .label(first, "the first one")
                    .help("make one of them an `active proctype`"),
            );
        }
        let priority = init.priority.as_ref().and_then(|e| self.priority(e));
        let mut header = empty_proctype("init".into(), init.span, self.item);
        header.is_init = true;
        header.active = 1;
        header.priority = priority;
        self.add_header(header, &init.body);
    }

    fn add_header(&mut self, header: Proctype, body: &ast::Block) {
        self.model.proctypes.push(header);
        self.label_tables.push(LabelTable::collect(body, self.scoping, &mut self.report));
    }

    fn active_count(&mut self, active: &ast::Active) -> u32 {
        let Some(count) = &active.count else { return 1 };
        match self.constant(count, "the number of active processes") {
            Some(n) if (0..=MAX_BYTE).contains(&n) => n as u32,
            Some(n) => {
                self.report.error(
                    codes::BAD_ACTIVE,
                    count.span,
                    format!("a model has at most {MAX_BYTE} processes, this asks for {n}"),
                );
                1
            }
            None => 1,
        }
    }

    /// The value of a `priority`.
    pub(crate) fn priority(&mut self, e: &ast::Expr) -> Option<i32> {
        let value = self.constant(e, "a priority")?;
        if !(1..=MAX_BYTE).contains(&value) {
            self.report.error(
                codes::BAD_PRIORITY,
                e.span,
                format!("a priority is a number from 1 to {MAX_BYTE}, not {value}"),
            );
        }
        Some(value)
    }

    /// Adds a local to the scope that declarations go to.
    pub(crate) fn add_local(&mut self, declared: Declared, outermost: bool) -> LocalId {
        let id = LocalId(self.body.locals.len() as u32);
        let name = declared.var.name.clone();
        self.body.locals.push(Local {
            var: declared.var,
            used: false,
            const_init: declared.const_init,
            outermost,
        });
        if let Some(scope) = self.declaring_scope() {
            scope.names.push((name.clone(), id));
            self.body.local_names.insert(name);
        }
        id
    }
}

/// A proctype with nothing in it.
pub(crate) fn empty_proctype(name: Text, span: Span, item: usize) -> Proctype {
    Proctype {
        name,
        span,
        position: item as u32,
        is_init: false,
        active: 0,
        deterministic: false,
        priority: None,
        provided: None,
        params: 0,
        locals: Vec::new(),
        labels: Vec::new(),
        body: Block::default(),
    }
}
