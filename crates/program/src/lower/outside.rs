//! Expressions outside any process: the propositions of temporal formulas.

use super::areas::{self, Sizes};
use super::elements::{Graph, Node};
use super::exprs::Names;
use super::{label_locations, location_width, uses_priority};
use crate::expr::{Expr, Predefined};
use crate::{LocId, Program};
use spinor_base::Span;
use spinor_sema::hir::{self, ExprKind, Formula, Model};

/// Lowers expressions that stand in no process, for states of the program that
/// [`super::lower`] makes of the same model.
pub struct Outside<'m> {
    model: &'m Model,
    sizes: Sizes<'m>,
    globals: Vec<u32>,
    frames: Vec<Vec<u32>>,
    labels: Vec<Vec<LocId>>,
    /// By proctype and label: it marks a jump that is no place to be at.
    jumps: Vec<Vec<bool>>,
}

/// Why a program cannot tell the value of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Untold {
    /// The label marks a `goto` or `break`, where no process ever stops.
    LabelOnJump(Span),
    /// `_last` is not part of the program's states.
    NoLast(Span),
}

impl<'m> Outside<'m> {
    /// For expressions over this model.
    #[must_use]
    pub fn new(model: &'m Model) -> Self {
        let mut sizes = Sizes::new(model);
        let globals = areas::place(&model.globals, 0, &mut 0, &mut sizes).offsets;
        let priority_bytes = u32::from(uses_priority(model));
        let (mut frames, mut labels, mut jumps) = (Vec::new(), Vec::new(), Vec::new());
        for proctype in &model.proctypes {
            let graph = Graph::build(proctype, false);
            let start = location_width(&graph) + priority_bytes;
            frames.push(areas::place(&proctype.locals, start, &mut 0, &mut sizes).offsets);
            labels.push(label_locations(&graph));
            let is_jump = |&el| matches!(graph.el(el).node, Node::Jump(_));
            jumps.push(graph.labels.iter().map(|el| el.as_ref().is_some_and(is_jump)).collect());
        }
        Outside { model, sizes, globals, frames, labels, jumps }
    }

    /// The expression over offsets.
    pub fn lower(&mut self, e: &hir::Expr) -> Expr {
        let names = Names {
            model: self.model,
            globals: &self.globals,
            locals: &[],
            local_offsets: &[],
            frames: &self.frames,
            labels: &self.labels,
        };
        names.expr(e, &mut self.sizes)
    }

    /// What in `e` the states of `program` do not tell.
    #[must_use]
    pub fn untold(&self, e: &hir::Expr, program: &Program) -> Option<Untold> {
        let mut found = None;
        super::visit::expression(e, &mut |e| match &*e.kind {
            ExprKind::RemoteLabel { proctype, label, .. }
                if self.jumps[proctype.index()][label.index()] =>
            {
                found = Some(Untold::LabelOnJump(e.span));
            }
            ExprKind::Predefined(Predefined::Last) if !program.uses_last => {
                found = Some(Untold::NoLast(e.span));
            }
            _ => {}
        });
        found
    }
}

/// Whether some formula of the model mentions `_last`, which states then keep.
pub(super) fn formulas_use_last(model: &Model) -> bool {
    let mut found = false;
    for ltl in &model.ltl {
        each_atom(&ltl.formula, &mut |atom| {
            super::visit::expression(atom, &mut |e| {
                found |= matches!(&*e.kind, ExprKind::Predefined(Predefined::Last));
            });
        });
    }
    found
}

pub(super) fn each_atom(formula: &Formula, f: &mut impl FnMut(&hir::Expr)) {
    match formula {
        Formula::Atom(e) => f(e),
        Formula::Not(a) | Formula::Next(a) | Formula::Always(a) | Formula::Eventually(a) => {
            each_atom(a, f);
        }
        Formula::Binary(_, a, b) => {
            each_atom(a, f);
            each_atom(b, f);
        }
    }
}
