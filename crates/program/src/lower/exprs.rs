//! Expressions and places: from names to offsets.

use super::areas::Sizes;
use crate::expr::{Base, Expr, Index, Place, Poll, Run};
use crate::{LocId, Scalar};
use spinor_sema::hir::{self, ExprKind, Model, Pattern, ProctypeId, Projection, Root, Variable};

/// What the expressions of one body can name.
#[derive(Clone, Copy)]
pub(super) struct Names<'m, 'l> {
    pub model: &'m Model,
    /// Offsets of the globals.
    pub globals: &'l [u32],
    /// Locals of the body at hand, and their offsets.
    pub locals: &'m [Variable],
    pub local_offsets: &'l [u32],
    /// Offsets of the locals of every proctype, for remote references.
    pub frames: &'l [Vec<u32>],
    /// Locations of the labels of every proctype.
    pub labels: &'l [Vec<LocId>],
}

impl<'m, 'l> Names<'m, 'l> {
    /// The same with the locals of a body.
    pub fn of_body<'b>(&self, locals: &'m [Variable], local_offsets: &'b [u32]) -> Names<'m, 'b>
    where
        'l: 'b,
    {
        Names { locals, local_offsets, ..*self }
    }

    pub fn expr(&self, e: &hir::Expr, sizes: &mut Sizes) -> Expr {
        let sub = |e: &hir::Expr, sizes: &mut Sizes| Box::new(self.expr(e, sizes));
        match &*e.kind {
            ExprKind::Int(value) | ExprKind::Mtype(_, value) => Expr::Const(*value),
            ExprKind::Place(place) => Expr::Load(self.place(place, sizes)),
            ExprKind::Predefined(name) => Expr::Predefined(*name),
            ExprKind::Unary(op, a) => Expr::Unary(*op, sub(a, sizes)),
            ExprKind::Binary(op, a, b) => {
                let a = sub(a, sizes);
                Expr::Binary(*op, a, sub(b, sizes))
            }
            ExprKind::Conditional(c, a, b) => {
                let (c, a) = (sub(c, sizes), sub(a, sizes));
                Expr::Conditional(c, a, sub(b, sizes))
            }
            ExprKind::Run { proctype, args, priority } => Expr::Run(Box::new(Run {
                proctype: *proctype,
                args: args.iter().map(|a| self.expr(a, sizes)).collect(),
                priority: priority.as_ref().map(|p| self.expr(p, sizes)),
            })),
            ExprKind::Len(channel) => Expr::Len(self.place(channel, sizes)),
            ExprKind::Probe(probe, channel) => Expr::Probe(*probe, self.place(channel, sizes)),
            ExprKind::Poll { channel, random, args } => Expr::Poll(Box::new(Poll {
                channel: self.place(channel, sizes),
                random: *random,
                pattern: args
                    .iter()
                    .map(|p| match p {
                        Pattern::Match(e) => Some(self.expr(e, sizes)),
                        Pattern::Bind(_) | Pattern::Any => None,
                    })
                    .collect(),
            })),
            ExprKind::Enabled(p) => Expr::Enabled(sub(p, sizes)),
            ExprKind::PcValue(p) => Expr::PcValue(sub(p, sizes)),
            ExprKind::GetPriority(p) => Expr::GetPriority(sub(p, sizes)),
            ExprKind::RemoteLabel { proctype, pid, label } => Expr::RemoteLabel {
                proctype: *proctype,
                pid: pid.as_ref().map(|p| sub(p, sizes)),
                location: self.labels[proctype.index()][label.index()],
            },
            ExprKind::RemoteVar { proctype, pid, place } => Expr::RemoteVar {
                proctype: *proctype,
                pid: pid.as_ref().map(|p| sub(p, sizes)),
                place: self.remote_place(*proctype, place, sizes),
            },
            ExprKind::CExpr(id) => Expr::CExpr(*id),
        }
    }

    pub fn place(&self, place: &hir::Place, sizes: &mut Sizes) -> Place {
        match place.root {
            Root::Global(id) => {
                let var = &self.model.globals[id.index()];
                let base = if var.hidden { Base::Hidden } else { Base::Global };
                self.project(base, self.globals[id.index()], var, place, sizes)
            }
            Root::Local(id) => {
                let var = &self.locals[id.index()];
                self.project(Base::Frame, self.local_offsets[id.index()], var, place, sizes)
            }
            Root::Priority | Root::Sink => {
                Place { base: Base::Sink, offset: 0, indices: Vec::new(), scalar: Scalar::I32 }
            }
        }
    }

    fn remote_place(&self, proctype: ProctypeId, place: &hir::Place, sizes: &mut Sizes) -> Place {
        let Root::Local(id) = place.root else { return self.place(place, sizes) };
        let var = &self.model.proctypes[proctype.index()].locals[id.index()];
        let offset = self.frames[proctype.index()][id.index()];
        self.project(Base::Frame, offset, var, place, sizes)
    }

    fn project(
        &self,
        base: Base,
        offset: u32,
        var: &Variable,
        place: &hir::Place,
        sizes: &mut Sizes,
    ) -> Place {
        let mut at = Place { base, offset, indices: Vec::new(), scalar: sizes.scalar_of(var) };
        let mut var = var;
        for projection in &place.projections {
            match projection {
                Projection::Index(e) => {
                    let bound = var.array.unwrap_or(1);
                    let stride = sizes.element_bytes(var);
                    match self.expr(e, sizes) {
                        Expr::Const(i) if i >= 0 && (i as u32) < bound => {
                            at.offset += i as u32 * stride;
                        }
                        value => at.indices.push(Index { value, bound, stride }),
                    }
                }
                Projection::Field(field) => {
                    let hir::Type::Struct(id) = var.ty else { continue };
                    at.offset += sizes.struct_layout(id).fields[*field as usize];
                    var = &self.model.structs[id.index()].fields[*field as usize];
                    at.scalar = sizes.scalar_of(var);
                }
            }
        }
        at
    }
}
