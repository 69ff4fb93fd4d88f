//! Expressions.

use spinor_base::{Diagnostic, Span};
use spinor_syntax::ast;

use crate::analyzer::{Analyzer, BodyKind};
use crate::codes;
use crate::hir::{BinaryOp, Expr, ExprKind, MtypeId, Place, Predefined, Type};
use crate::lints::truncation::constant;
use crate::places::{Named, hole};
use crate::types::type_name;

impl Analyzer<'_> {
    /// An expression in which channel probes may stand, joined by `&&` and `||`.
    pub(crate) fn full_expr(&mut self, e: &ast::Expr) -> Expr {
        self.expr_in(e, true)
    }

    /// An expression without channel probes.
    pub(crate) fn expr(&mut self, e: &ast::Expr) -> Expr {
        self.expr_in(e, false)
    }

    fn expr_in(&mut self, e: &ast::Expr, probes: bool) -> Expr {
        use ast::ExprKind as A;
        let kind = match &*e.kind {
            A::Int(v) => ExprKind::Int(*v),
            A::Place(place) => return self.read(place),
            A::Unary(op, a) => {
                let a = self.expr_in(a, false);
                self.check_channel_operand(&a);
                ExprKind::Unary(*op, a)
            }
            A::Binary(op, a, b) => {
                let inner = probes && matches!(op, BinaryOp::And | BinaryOp::Or);
                let a = self.expr_in(a, inner);
                let b = self.expr_in(b, inner);
                self.check_operands(*op, &a, &b);
                ExprKind::Binary(*op, a, b)
            }
            A::Conditional(c, a, b) => {
                let c = self.expr_in(c, false);
                let a = self.expr_in(a, false);
                ExprKind::Conditional(c, a, self.expr_in(b, false))
            }
            A::Run { proctype, args, priority } => {
                self.run_expr(e.span, proctype, args, priority.as_ref())
            }
            A::Len(q) => self.channel(q).map_or(hole(e.span), ExprKind::Len),
            A::Probe(probe, q) => {
                if !probes {
                    self.bad_probe(e.span);
                }
                self.channel(q).map_or(hole(e.span), |q| ExprKind::Probe(*probe, q))
            }
            A::Poll { channel, random, args } => {
                let place = self.channel(channel);
                let args = self.patterns(args, false);
                if let Some(channel) = place {
                    self.check_arity(e.span, &channel, args.len(), "poll");
                    ExprKind::Poll { channel, random: *random, args }
                } else {
                    hole(e.span)
                }
            }
            A::Enabled(p) => ExprKind::Enabled(self.expr(p)),
            A::PcValue(p) => ExprKind::PcValue(self.expr(p)),
            A::GetPriority(p) => ExprKind::GetPriority(self.expr(p)),
            A::Timeout => ExprKind::Predefined(Predefined::Timeout),
            A::NonProgress => {
                if !matches!(self.body.kind, BodyKind::Claim | BodyKind::Ltl) {
                    self.report.push(
                        Diagnostic::error(
                            codes::NP_OUTSIDE,
                            e.span,
                            "`np_` is known in never claims and formulas only",
                        )
                        .help("to find non-progress cycles, label the progress and check for it"),
                    );
                }
                ExprKind::Predefined(Predefined::NonProgress)
            }
            A::RemoteLabel { proctype, pid, label } => {
                self.remote_label(e.span, proctype, pid.as_ref(), label)
            }
            A::RemoteVar { proctype, pid, var } => {
                self.remote_var(e.span, proctype, pid.as_ref(), var)
            }
            A::EmbeddedC(c) => ExprKind::CExpr(self.c_expression(c)),
        };
        Expr { span: e.span, kind: Box::new(kind) }
    }

    /// A place that holds a channel.
    pub(crate) fn channel(&mut self, q: &ast::Place) -> Option<Place> {
        let name = || self.sources.text(q.span).to_owned();
        let written = name();
        let place = match self.named_place(q)? {
            Named::Place { place, array } => self.close(place, array)?,
            _ => {
                self.not_channel(q.span, &written, None);
                return None;
            }
        };
        if place.ty != Type::Chan {
            self.not_channel(q.span, &written, Some(place.ty));
            return None;
        }
        Some(place)
    }

    fn not_channel(&mut self, span: Span, name: &str, ty: Option<Type>) {
        let what = ty.map_or("no variable".to_owned(), |t| {
            format!("a variable of type `{}`", type_name(&self.model, t))
        });
        self.report.push(
            Diagnostic::error(
                codes::NOT_CHANNEL,
                span,
                format!("`{name}` is {what}, not a channel"),
            )
            .help(format!("declare it: `chan {name} = [1] of {{ … }};`")),
        );
    }

    fn bad_probe(&mut self, span: Span) {
        let text = self.sources.text(span);
        let opposite =
            [("nfull", "full"), ("full", "nfull"), ("nempty", "empty"), ("empty", "nempty")]
                .into_iter()
                .find(|(n, _)| text.starts_with(n))
                .map_or("its opposite", |(_, o)| o);
        self.report.push(
            Diagnostic::error(
                codes::BAD_PROBE,
                span,
                "a channel probe can be joined by `&&` and `||` only",
            )
            .help(format!("instead of a negation use `{opposite}`; for numbers use `len`")),
        );
    }

    fn check_operands(&mut self, op: BinaryOp, a: &Expr, b: &Expr) {
        use BinaryOp::*;
        match op {
            Add | Sub | Mul | Div | Rem | BitAnd | BitOr | BitXor | Shl | Shr => {
                self.check_channel_operand(a);
                self.check_channel_operand(b);
                if matches!(op, Div | Rem) && constant(b) == Some(0) {
                    self.report.push(
                        Diagnostic::warning(codes::DIVISION, b.span, "this divides by zero")
                            .note("executing it is an error of the model"),
                    );
                }
            }
            Eq | Ne | Lt | Le | Gt | Ge => self.check_mtype_operands(a, b),
            And | Or => {}
        }
    }

    fn check_channel_operand(&mut self, e: &Expr) {
        let is_channel = matches!(&*e.kind, ExprKind::Place(p) if p.ty == Type::Chan);
        if is_channel && self.body.in_assignment {
            self.report.push(
                Diagnostic::error(
                    codes::CHAN_ARITHMETIC,
                    e.span,
                    "a channel cannot be part of arithmetic",
                )
                .help("channels can be assigned, compared, sent and passed"),
            );
        }
    }

    fn check_mtype_operands(&mut self, a: &Expr, b: &Expr) {
        let (Some((x, a_var)), Some((y, b_var))) = (mtype_of(a), mtype_of(b)) else { return };
        // A plain mtype variable may hold any name.
        let open = |set: MtypeId, var: bool| var && set == MtypeId(0);
        if x != y && !open(x, a_var) && !open(y, b_var) {
            self.mtype_mismatch(b.span, x, y, "compared with");
        }
    }

    /// Warns if a value of one mtype goes into a variable of another.
    pub(crate) fn check_mtypes(&mut self, target: Type, value: &Expr) {
        let Type::Mtype(x) = target else { return };
        let Some((y, is_var)) = mtype_of(value) else { return };
        if x != y && x != MtypeId(0) && !(is_var && y == MtypeId(0)) {
            self.mtype_mismatch(value.span, x, y, "given");
        }
    }

    fn mtype_mismatch(&mut self, span: Span, x: MtypeId, y: MtypeId, verb: &str) {
        let x = type_name(&self.model, Type::Mtype(x));
        let y = type_name(&self.model, Type::Mtype(y));
        self.report.push(
            Diagnostic::warning(codes::MTYPE_MISMATCH, span, format!("a `{x}` is {verb} a `{y}`"))
                .note("names of different sets share numbers, so this may be true by accident"),
        );
    }
}

/// The mtype set of an expression, and whether it is a variable.
fn mtype_of(e: &Expr) -> Option<(MtypeId, bool)> {
    match &*e.kind {
        ExprKind::Mtype(set, _) => Some((*set, false)),
        ExprKind::Place(Place { ty: Type::Mtype(set), .. }) => Some((*set, true)),
        _ => None,
    }
}
