//! Temporal formulas: operators of the climb in `exprs` that only they have.

use spinor_base::{Diagnostic, Span};

use super::exprs::{Infix, Node, Operand, level};
use super::report::{FORMULA_PRECEDENCE, TEMPORAL_OPERAND};
use super::{Fail, MAX_DEPTH, Parse, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, Formula, FormulaKind, TemporalOp, UnaryOp};
use crate::token::{Punct, Token, TokenKind};

#[derive(Clone, Copy)]
enum Prefix {
    Always,
    Eventually,
    Next,
}

/// The operator that `token` is between two formulas and nowhere else.
pub(super) fn temporal_infix(token: &Token) -> Option<(Infix, u8)> {
    Some(match token.kind {
        TokenKind::Punct(Punct::Arrow) => (Infix::Temporal(TemporalOp::Implies), level::IMPLIES),
        TokenKind::Punct(Punct::Equiv) => (Infix::Temporal(TemporalOp::Equiv), level::IMPLIES),
        TokenKind::Punct(Punct::Conj) => (Infix::Binary(BinaryOp::And), level::AND),
        TokenKind::Punct(Punct::Disj) => (Infix::Binary(BinaryOp::Or), level::OR),
        TokenKind::Word => {
            let op = match &*token.text {
                "implies" => return Some((Infix::Temporal(TemporalOp::Implies), level::IMPLIES)),
                "equivalent" => return Some((Infix::Temporal(TemporalOp::Equiv), level::IMPLIES)),
                "U" | "until" | "stronguntil" => TemporalOp::Until,
                "W" | "weakuntil" => TemporalOp::WeakUntil,
                "V" | "R" | "release" => TemporalOp::Release,
                _ => return None,
            };
            (Infix::Temporal(op), level::UNTIL)
        }
        _ => return None,
    })
}

/// Whether an operand can begin with `token`.
fn begins_operand(token: &Token) -> bool {
    match token.kind {
        TokenKind::Int | TokenKind::Char => true,
        TokenKind::Word => temporal_infix(token).is_none(),
        TokenKind::Punct(p) => matches!(
            p,
            Punct::LParen
                | Punct::Not
                | Punct::SendSend
                | Punct::Minus
                | Punct::Tilde
                | Punct::BoxOp
                | Punct::Diamond
        ),
        _ => false,
    }
}

impl Parser {
    fn prefix_op(&self) -> Option<Prefix> {
        match self.kind() {
            TokenKind::Punct(Punct::BoxOp) => Some(Prefix::Always),
            TokenKind::Punct(Punct::Diamond) => Some(Prefix::Eventually),
            // A variable may be called X: an operator has an operand.
            TokenKind::Word if begins_operand(self.ahead(1)) => match &*self.tok().text {
                "always" => Some(Prefix::Always),
                "eventually" => Some(Prefix::Eventually),
                "X" | "next" => Some(Prefix::Next),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn at_temporal_prefix(&self) -> bool {
        self.prefix_op().is_some()
    }

    pub(super) fn temporal_prefix(&mut self) -> Parse<Operand> {
        let Some(op) = self.prefix_op() else { return Err(self.unexpected("a formula")) };
        let word = self.tok().text.clone();
        let at = self.bump();
        self.enter()?;
        let operand = self.prefix_operand(&word, at);
        self.leave();
        let operand = operand?;
        if self.depth + operand.height + 2 > MAX_DEPTH {
            return Err(self.nested_too_deeply());
        }
        let height = operand.height + 1;
        let span = at.to(operand.span());
        let inner = Box::new(into_formula(operand));
        let kind = match op {
            Prefix::Always => FormulaKind::Always(inner),
            Prefix::Eventually => FormulaKind::Eventually(inner),
            Prefix::Next => FormulaKind::Next(inner),
        };
        Ok(Operand { node: Node::Formula(Formula { span, kind }), height, probe: false })
    }

    fn prefix_operand(&mut self, word: &str, at: Span) -> Parse<Operand> {
        let first = self.unary()?;
        let end = self.pos;
        let operand = self.climb(first, level::BIT_OR)?;
        if self.pos > end {
            self.warn_precedence(word, at, operand.span());
        }
        Ok(operand)
    }

    /// SPIN binds temporal prefixes more tightly than comparisons, which makes
    /// `[] x != 3` the constant comparison `([] x) != 3`.
    fn warn_precedence(&mut self, word: &str, at: Span, operand: Span) {
        let text = self.sources.text(operand).to_string();
        let d = Diagnostic::warning(
            FORMULA_PRECEDENCE,
            at,
            format!("`{word}` applies to the whole of `{text}` here"),
        )
        .note(format!("SPIN applies `{word}` to the first operand only"))
        .help(format!("write `{word} ({text})`"));
        self.warn(d);
    }

    pub(super) fn combine_temporal(
        &mut self,
        op: TemporalOp,
        left: Operand,
        right: Operand,
    ) -> Operand {
        let span = left.span().to(right.span());
        let node = match (op, left.node, right.node) {
            (TemporalOp::Implies, Node::Expr(a), Node::Expr(b)) => {
                let a = not(a);
                Node::Expr(Expr { span, kind: Box::new(ExprKind::Binary(BinaryOp::Or, a, b)) })
            }
            (TemporalOp::Equiv, Node::Expr(a), Node::Expr(b)) => {
                let (a, b) = (not(a), not(b));
                Node::Expr(Expr { span, kind: Box::new(ExprKind::Binary(BinaryOp::Eq, a, b)) })
            }
            (op, left, right) => {
                let left = Box::new(node_formula(left));
                let right = Box::new(node_formula(right));
                Node::Formula(Formula { span, kind: FormulaKind::Binary(op, left, right) })
            }
        };
        Operand { node, height: 0, probe: false }
    }

    pub(super) fn negate(&mut self, span: Span, operand: Operand) -> Operand {
        let height = operand.height + 1;
        let kind = FormulaKind::Not(Box::new(into_formula(operand)));
        Operand { node: Node::Formula(Formula { span, kind }), height, probe: false }
    }

    pub(super) fn temporal_operand(&mut self, span: Span) -> Fail {
        let d = Diagnostic::error(
            TEMPORAL_OPERAND,
            span,
            "a temporal formula cannot be an operand of arithmetic or comparison",
        );
        self.error(d)
    }

    /// A formula up to a token that cannot continue it.
    pub(super) fn formula(&mut self) -> Parse<Formula> {
        let outer = std::mem::replace(&mut self.in_formula, true);
        let operand = self.binary(0);
        self.in_formula = outer;
        self.tall = 0;
        Ok(into_formula(operand?))
    }

    /// The whole text as one formula.
    pub(super) fn lone_formula(&mut self) -> Option<Formula> {
        self.in_claim = true;
        let formula = self.formula().ok()?;
        self.skip_separators();
        if !self.at_end() {
            self.unexpected("an operator or the end of the formula");
            return None;
        }
        Some(formula)
    }
}

fn into_formula(operand: Operand) -> Formula {
    node_formula(operand.node)
}

fn node_formula(node: Node) -> Formula {
    match node {
        Node::Formula(f) => f,
        Node::Expr(e) => Formula { span: e.span, kind: FormulaKind::Atom(e) },
    }
}

fn not(e: Expr) -> Expr {
    Expr { span: e.span, kind: Box::new(ExprKind::Unary(UnaryOp::Not, e)) }
}
