//! Labels of a body, found before its statements are resolved.
//!
//! As in SPIN, brace blocks and inline bodies are scopes (options of `if` and
//! `do` are not). A jump means the label of the nearest block around it; if
//! none has one, the last of that name elsewhere in the body. Scopes and
//! `d_step`s are numbered in the order in which [`crate::stmts`] visits them.

use spinor_base::{Diagnostic, Span, Text};
use spinor_syntax::ast::{Block, Ident, Stmt, StmtKind};

use crate::Scoping;
use crate::analyzer::Analyzer;
use crate::codes;
use crate::hir::{Label, LabelId};
use crate::report::Report;
use spinor_base::nearest;

/// One label.
#[derive(Clone, Debug)]
pub(crate) struct LabelInfo {
    pub(crate) name: Text,
    pub(crate) span: Span,
    pub(crate) scope: usize,
    pub(crate) d_step: Option<usize>,
    pub(crate) remote: bool,
}

/// All labels of a body.
#[derive(Clone, Default, Debug)]
pub(crate) struct LabelTable {
    pub(crate) labels: Vec<LabelInfo>,
    parents: Vec<Option<usize>>,
    /// All labels belong to the body.
    is_flat: bool,
    d_steps: usize,
    /// Ids handed out so far to labels met by the statement resolver.
    pub(crate) next: usize,
}

impl LabelTable {
    /// Finds the labels of a body.
    pub(crate) fn collect(body: &Block, scoping: Scoping, report: &mut Report) -> Self {
        let mut table = LabelTable { is_flat: scoping == Scoping::Body, ..Self::default() };
        table.parents.push(None);
        table.stmts(&body.stmts, 0, None, report);
        table
    }

    fn stmts(&mut self, list: &[Stmt], scope: usize, d_step: Option<usize>, report: &mut Report) {
        for stmt in list {
            self.stmt(stmt, scope, d_step, report);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, scope: usize, d_step: Option<usize>, report: &mut Report) {
        for label in &stmt.labels {
            self.add(label, scope, d_step, report);
        }
        match &stmt.kind {
            StmtKind::If(options) | StmtKind::Do(options) => {
                for option in options {
                    self.stmts(&option.stmts, scope, d_step, report);
                }
            }
            StmtKind::Atomic(block)
            | StmtKind::Block(block)
            | StmtKind::InlineCall { body: block, .. }
            | StmtKind::ForRange { body: block, .. }
            | StmtKind::ForIn { body: block, .. } => self.block(block, scope, d_step, report),
            StmtKind::DStep(block) => {
                let inner = d_step.or_else(|| {
                    self.d_steps += 1;
                    Some(self.d_steps - 1)
                });
                self.block(block, scope, inner, report);
            }
            StmtKind::Unless(main, escape) => {
                self.stmt(main, scope, d_step, report);
                self.stmt(escape, scope, d_step, report);
            }
            _ => {}
        }
    }

    fn block(&mut self, block: &Block, outer: usize, d_step: Option<usize>, report: &mut Report) {
        self.parents.push(Some(outer));
        let scope = self.parents.len() - 1;
        self.stmts(&block.stmts, scope, d_step, report);
    }

    fn add(&mut self, label: &Ident, scope: usize, d_step: Option<usize>, report: &mut Report) {
        let scope = if self.is_flat { 0 } else { scope };
        let earlier = self.labels.iter().find(|l| l.scope == scope && l.name == label.name);
        if let Some(earlier) = earlier {
            report.push(
                Diagnostic::error(
                    codes::DUPLICATE_LABEL,
                    label.span,
                    format!("label `{}` is defined twice", label.name),
                )
                .label(earlier.span, "first defined here")
                .help("a jump could not tell them apart: give one of them another name"),
            );
        }
        self.labels.push(LabelInfo {
            name: label.name.clone(),
            span: label.span,
            scope,
            d_step,
            remote: false,
        });
    }

    /// The label that a jump in `scope` means, and whether others elsewhere
    /// have the same claim.
    pub(crate) fn resolve(&self, name: &str, scope: usize) -> Option<(LabelId, bool)> {
        let mut at = Some(scope);
        while let Some(scope) = at {
            let found =
                self.labels.iter().position(|l| l.scope == scope && l.name.as_ref() == name);
            if let Some(found) = found {
                return Some((LabelId(found as u32), false));
            }
            at = self.parents[scope];
        }
        let mut all = self.named(name);
        let last = all.next_back()?;
        Some((last, all.next_back().is_some()))
    }

    /// The label that a reference from outside means: the first of that name.
    pub(crate) fn resolve_remote(&self, name: &str) -> Option<LabelId> {
        self.named(name).next()
    }

    fn named(&self, name: &str) -> impl DoubleEndedIterator<Item = LabelId> {
        let matches = self.labels.iter().enumerate().filter(move |(_, l)| l.name.as_ref() == name);
        matches.map(|(i, _)| LabelId(i as u32))
    }

    /// Help for a label that does not exist.
    pub(crate) fn suggestion(&self, name: &str) -> Option<String> {
        nearest(name, self.labels.iter().map(|l| &l.name)).map(|n| format!("did you mean `{n}`?"))
    }

    /// As part of the model.
    pub(crate) fn to_hir(&self) -> Vec<Label> {
        let label = |l: &LabelInfo| Label {
            name: l.name.clone(),
            span: l.span,
            remotely_referenced: l.remote,
        };
        self.labels.iter().map(label).collect()
    }
}

impl Analyzer<'_> {
    /// The ids of the labels of a statement; called in source order.
    pub(crate) fn take_labels(&mut self, labels: &[Ident]) -> Vec<LabelId> {
        let table = &mut self.body.labels;
        let first = table.next;
        table.next += labels.len();
        (first..table.next).map(|i| LabelId(i as u32)).collect()
    }

    /// The target of a `goto`.
    pub(crate) fn jump_target(&mut self, label: &Ident) -> Option<LabelId> {
        let scope = self.body.scopes.last().map_or(0, |s| s.id);
        let Some((id, ambiguous)) = self.body.labels.resolve(&label.name, scope) else {
            let mut d = Diagnostic::error(
                codes::UNDEFINED_LABEL,
                label.span,
                format!("label `{}` does not exist in this body", label.name),
            );
            d.help = self.body.labels.suggestion(&label.name);
            self.report.push(d);
            return None;
        };
        let target = &self.body.labels.labels[id.index()];
        if ambiguous {
            self.report.push(
                Diagnostic::warning(
                    codes::AMBIGUOUS_LABEL,
                    label.span,
                    format!("several blocks have a label `{}`; the last one is meant", label.name),
                )
                .label(target.span, "this one"),
            );
        }
        if target.d_step != self.body.d_step {
            let way = if self.body.d_step.is_some() { "out of" } else { "into" };
            self.report.push(
                Diagnostic::error(
                    codes::CROSS_DSTEP,
                    label.span,
                    format!("this jump leads {way} a `d_step`"),
                )
                .label(target.span, "the target")
                .help(
                    "a `d_step` is entered at its start and left at its end; `atomic` allows jumps",
                ),
            );
        }
        Some(id)
    }
}
