//! The propositions of a formula: equal ones are one.

use super::{Atom, MAX_ATOMS};
use crate::Program;
use spinor_base::{Diagnostic, ExpnId, SourceMap, Span};
use spinor_ltl::Formula;
use spinor_program::expr::{BinaryOp, UnaryOp};
use spinor_program::{Base, Expr, Outside, Place, Untold, text_of_expr};
use spinor_sema::hir::{self, ExprKind};

/// Collects propositions.
pub(super) struct Propositions<'a> {
    outside: Outside<'a>,
    model: &'a hir::Model,
    program: &'a Program,
    sources: &'a SourceMap,
    found: Vec<Found>,
    errors: Vec<Diagnostic>,
}

/// A proposition that was met.
struct Found {
    expr: Expr,
    span: Span,
    /// As Promela, if it is written otherwise.
    promela: Option<String>,
}

impl<'a> Propositions<'a> {
    pub(super) fn new(
        outside: Outside<'a>,
        model: &'a hir::Model,
        program: &'a Program,
        sources: &'a SourceMap,
    ) -> Self {
        Propositions { outside, model, program, sources, found: Vec::new(), errors: Vec::new() }
    }

    /// A predicate over the state, taken apart at its boolean operators: the
    /// automaton becomes smaller if it knows what predicates have in common.
    pub(super) fn predicate(&mut self, e: &hir::Expr) -> Formula {
        match &*e.kind {
            ExprKind::Int(0) => Formula::False,
            ExprKind::Int(_) => Formula::True,
            ExprKind::Unary(UnaryOp::Not, a) => Formula::Not(Box::new(self.predicate(a))),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) if !self.may_err(b) => {
                let parts = vec![self.predicate(a), self.predicate(b)];
                if *op == BinaryOp::And { Formula::And(parts) } else { Formula::Or(parts) }
            }
            ExprKind::Binary(BinaryOp::Eq, a, b) => match (negated(a), negated(b)) {
                // This is how `<->` between predicates is read.
                (Some(a), Some(b)) => {
                    let a = Box::new(self.predicate(a));
                    Formula::Equivalent(a, Box::new(self.predicate(b)))
                }
                _ => self.atom(e),
            },
            _ => self.atom(e),
        }
    }

    /// Whether `e` may need what stands before it, as in `i < N && a[i] > 0`.
    fn may_err(&mut self, e: &hir::Expr) -> bool {
        let (mut errs, model) = (false, self.model);
        let expr = self.outside.lower(e);
        expr.walk(&mut |e| {
            errs |= match e {
                Expr::Binary(BinaryOp::Div | BinaryOp::Rem, _, divisor) => {
                    !matches!(**divisor, Expr::Const(n) if n != 0)
                }
                Expr::Load(place) | Expr::RemoteVar { place, .. } => !place.indices.is_empty(),
                Expr::Len(place) | Expr::Probe(_, place) => !is_channel(place, model),
                Expr::Poll(poll) => !is_channel(&poll.channel, model),
                Expr::CExpr(_) => true,
                _ => false,
            };
        });
        errs
    }

    fn atom(&mut self, e: &hir::Expr) -> Formula {
        if let Some(untold) = self.outside.untold(e, self.program) {
            self.errors.push(describe(untold));
        }
        let expr = self.outside.lower(e);
        self.check_c(&expr, e.span);
        if let Expr::Const(value) = expr {
            return if value == 0 { Formula::False } else { Formula::True };
        }
        if let Some(at) = self.find(&expr) {
            return name(at);
        }
        if let Some(at) = complement(&expr).and_then(|c| self.find(&c)) {
            return name(at).negated();
        }
        let written = self.sources.text(e.span);
        let is_other = written.contains("->") || written.contains("implies");
        let promela = is_other.then(|| text_of_expr(self.model, e));
        self.found.push(Found { expr, span: e.span, promela });
        name(self.found.len() - 1)
    }

    /// C that does not stand in the model was not compiled with it.
    fn check_c(&mut self, expr: &Expr, span: Span) {
        let known = self.model.embedded.codes.len();
        let mut is_unknown = false;
        expr.walk(&mut |e| is_unknown |= matches!(e, Expr::CExpr(code) if code.index() >= known));
        if is_unknown {
            self.errors.push(
                Diagnostic::error(
                    "P0504",
                    span,
                    "a formula given beside the model cannot contain C",
                )
                .help("write it as an `ltl` block of the model"),
            );
        }
    }

    fn find(&self, expr: &Expr) -> Option<usize> {
        self.found.iter().position(|found| found.expr == *expr)
    }

    /// The atoms, or what is wrong with the formula, which is at `span`.
    pub(super) fn finish(self, span: Span) -> Result<Vec<Atom>, Vec<Diagnostic>> {
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        let count = self.found.len();
        if count > MAX_ATOMS {
            let message =
                format!("a formula has at most {MAX_ATOMS} propositions, this has {count}");
            let error = Diagnostic::error("P0501", span, message)
                .help("combine some of them in a variable of the model, or check parts of it");
            return Err(vec![error]);
        }
        let texts = self.found.iter().map(|found| used_text(self.sources, found.span));
        let texts: Vec<String> = texts.collect();
        let is_shared = |text: &str| texts.iter().filter(|t| *t == text).count() > 1;
        let shown = |text: &String, span| {
            // Parts of one macro are told apart by its body.
            if is_shared(text) { own_text(self.sources, span) } else { text.clone() }
        };
        let shown = self.found.iter().zip(&texts).map(|(f, text)| shown(text, f.span));
        let shown: Vec<String> = shown.collect();
        let atoms = self.found.into_iter().zip(shown).enumerate();
        Ok(atoms
            .map(|(i, (found, text))| Atom {
                name: format!("p{i}"),
                promela: found.promela.unwrap_or_else(|| text.clone()),
                text,
                expr: found.expr,
            })
            .collect())
    }
}

fn name(at: usize) -> Formula {
    Formula::Atom(format!("p{at}"))
}

fn negated(e: &hir::Expr) -> Option<&hir::Expr> {
    match &*e.kind {
        ExprKind::Unary(UnaryOp::Not, a) => Some(a),
        _ => None,
    }
}

/// Whether a place holds a channel from the start.
fn is_channel(place: &Place, model: &hir::Model) -> bool {
    let has_channels =
        |v: &hir::Variable| v.ty == hir::Type::Chan && matches!(v.init, hir::Init::Channel(_));
    place.base == Base::Global
        && place.indices.is_empty()
        && model.globals.iter().filter(|v| v.ty == hir::Type::Chan).all(has_channels)
}

/// The opposite of a comparison.
fn complement(expr: &Expr) -> Option<Expr> {
    let Expr::Binary(op, a, b) = expr else { return None };
    let opposite = match op {
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Le => BinaryOp::Gt,
        _ => return None,
    };
    Some(Expr::Binary(opposite, a.clone(), b.clone()))
}

/// As it stands in the formula: the name of a macro rather than its body.
fn used_text(sources: &SourceMap, span: Span) -> String {
    if span.expn == ExpnId::ROOT {
        own_text(sources, span)
    } else {
        own_text(sources, sources.outermost(span))
    }
}

fn own_text(sources: &SourceMap, span: Span) -> String {
    let text = sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ");
    without_parentheses(&text).to_owned()
}

/// Leaves out parentheses around the whole.
fn without_parentheses(text: &str) -> &str {
    let Some(inside) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else {
        return text;
    };
    let mut depth = 0;
    let closes_early = inside.chars().any(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth < 0
    });
    if closes_early { text } else { without_parentheses(inside.trim()) }
}

fn describe(untold: Untold) -> Diagnostic {
    match untold {
        Untold::LabelOnJump(span) => {
            let message = "this label marks a jump, where no process ever stops";
            Diagnostic::error("P0502", span, message)
                .help("put `skip;` between the label and the jump, or write the formula in an `ltl` block")
        }
        Untold::NoLast(span) => {
            Diagnostic::error("P0503", span, "the states of this model do not keep `_last`")
                .help("write the formula in an `ltl` block of the model")
        }
    }
}
