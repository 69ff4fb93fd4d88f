//! Collects [`Usage`] from a resolved model.

use super::areas::Sizes;
use super::exprs::Names;
use super::{outside, visit};
use crate::usage::{Exclusive, Slot, Usage};
use spinor_sema::hir::{
    self, ExprKind, Init, Model, Pattern, Place, Projection, Root, StmtKind, Type, Variable,
};

/// The facts about a model whose variables lie where `names` says.
pub(super) fn usage(model: &Model, names: &Names, sizes: &mut Sizes) -> Usage {
    let has_c = !model.embedded.is_empty();
    let globals = || model.globals.iter().zip(names.globals).enumerate();
    let read = read_globals(model);
    let unread: Vec<(&Variable, u32)> = globals()
        .filter(|(i, (var, _))| !read[*i] && !var.hidden && !has_c)
        .filter(|(_, (var, _))| !matches!(var.ty, Type::Chan | Type::Struct(_)))
        .map(|(_, (var, &offset))| (var, offset))
        .collect();
    let unread = unread.into_iter().map(|(var, offset)| slot(var, offset, sizes)).collect();
    let exclusive = model
        .exclusives
        .iter()
        .filter(|_| !has_c)
        .filter_map(|e| exclusive(e, names, sizes))
        .collect();
    let mut propositions = Vec::new();
    for ltl in &model.ltl {
        outside::each_atom(&ltl.formula, &mut |e| propositions.push(names.expr(e, sizes)));
    }
    Usage { unread, owned: Vec::new(), exclusive, propositions }
}

pub(super) fn slot(var: &Variable, offset: u32, sizes: &mut Sizes) -> Slot {
    Slot { offset, bytes: sizes.element_bytes(var) * var.array.unwrap_or(1) }
}

fn exclusive(promise: &hir::Exclusive, names: &Names, sizes: &mut Sizes) -> Option<Exclusive> {
    let (owner, var, offset) = match promise.channel.root {
        Root::Global(id) => (None, &names.model.globals[id.index()], names.globals[id.index()]),
        Root::Local(id) => {
            let owner = promise.proctype?;
            let offset = names.frames[owner.index()][id.index()];
            (Some(owner), &names.model.proctypes[owner.index()].locals[id.index()], offset)
        }
        Root::Priority | Root::Sink => return None,
    };
    Some(Exclusive { owner, slot: slot(var, offset, sizes), send: promise.send })
}

/// By number: whether an expression or a receive names the global.
fn read_globals(model: &Model) -> Vec<bool> {
    let mut read = Readers(vec![false; model.globals.len()]);
    model.globals.iter().for_each(|var| read.initial(var));
    for body in &model.proctypes {
        read.body(body);
    }
    let observers = model.claims.iter().map(|c| &c.body).chain(model.trace.iter().map(|t| &t.body));
    observers.for_each(|body| read.body(body));
    for ltl in &model.ltl {
        outside::each_atom(&ltl.formula, &mut |e| read.expr(e));
    }
    read.0
}

struct Readers(Vec<bool>);

impl Readers {
    fn body(&mut self, body: &hir::Proctype) {
        body.locals.iter().for_each(|var| self.initial(var));
        body.provided.iter().for_each(|e| self.expr(e));
        visit::statements(&body.body, &mut |stmt| self.statement(&stmt.kind));
    }

    fn initial(&mut self, var: &Variable) {
        match &var.init {
            Init::Value(e) => self.expr(e),
            Init::List(list) => list.iter().for_each(|e| self.expr(e)),
            Init::Zero | Init::Channel(_) => {}
        }
    }

    fn statement(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::Expr(e) | StmtKind::Assert(e) => self.expr(e),
            StmtKind::Assign(place, e) => self.assign(place, e),
            StmtKind::DeclInit(pairs) => pairs.iter().for_each(|(place, e)| self.assign(place, e)),
            StmtKind::Step { place, .. } => self.indices(place),
            StmtKind::Send { channel, args, .. } => {
                self.indices(channel);
                args.iter().for_each(|e| self.expr(e));
            }
            StmtKind::Receive { channel, args, .. } => {
                self.indices(channel);
                args.iter().for_each(|p| self.pattern(p));
            }
            // What is printed is not read, but where to find it is.
            StmtKind::Printm(e) => {
                if let ExprKind::Place(place) = &*e.kind {
                    self.indices(place);
                }
            }
            StmtKind::SetPriority(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            _ => {}
        }
    }

    fn assign(&mut self, place: &Place, value: &hir::Expr) {
        self.indices(place);
        self.expr(value);
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Bind(place) => self.place(place),
            Pattern::Match(e) => self.expr(e),
            Pattern::Any => {}
        }
    }

    fn expr(&mut self, e: &hir::Expr) {
        visit::expression(e, &mut |e| match &*e.kind {
            ExprKind::Place(place) => self.mark(place),
            ExprKind::Poll { args, .. } => {
                for pattern in args {
                    if let Pattern::Bind(place) = pattern {
                        self.mark(place);
                    }
                }
            }
            _ => {}
        });
    }

    fn place(&mut self, place: &Place) {
        self.mark(place);
        self.indices(place);
    }

    fn indices(&mut self, place: &Place) {
        for projection in &place.projections {
            if let Projection::Index(e) = projection {
                self.expr(e);
            }
        }
    }

    fn mark(&mut self, place: &Place) {
        if let Root::Global(id) = place.root {
            self.0[id.index()] = true;
        }
    }
}
