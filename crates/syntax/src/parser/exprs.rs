//! Expressions by precedence climbing; in a formula the same climb also knows
//! the temporal operators.

use spinor_base::{Diagnostic, Span};

use super::report::{NOT_CLOSED, describe};
use super::{MAX_DEPTH, Parse, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, Formula, TemporalOp, UnaryOp};
use crate::token::{Punct, TokenKind};

/// Binding strength of operators, loosest first.
pub(super) mod level {
    pub(in super::super) const IMPLIES: u8 = 1;
    pub(in super::super) const OR: u8 = 2;
    pub(in super::super) const AND: u8 = 3;
    pub(in super::super) const UNTIL: u8 = 4;
    pub(in super::super) const BIT_OR: u8 = 5;
    pub(in super::super) const BIT_XOR: u8 = 6;
    pub(in super::super) const BIT_AND: u8 = 7;
    pub(in super::super) const EQUALITY: u8 = 8;
    pub(in super::super) const RELATION: u8 = 9;
    pub(in super::super) const SHIFT: u8 = 10;
    pub(in super::super) const SUM: u8 = 11;
    pub(in super::super) const PRODUCT: u8 = 12;
}

/// An infix operator.
#[derive(Clone, Copy)]
pub(super) enum Infix {
    /// Of expressions; `&&` and `||` join formulas too.
    Binary(BinaryOp),
    /// Of formulas only.
    Temporal(TemporalOp),
}

/// What an operand turned out to be.
pub(super) enum Node {
    Expr(Expr),
    Formula(Formula),
}

/// An operand and what its neighbours must know.
pub(super) struct Operand {
    pub(super) node: Node,
    pub(super) height: u32,
    /// Contains a probe that may only be joined by `&&` and `||`.
    pub(super) probe: bool,
}

impl Operand {
    pub(super) fn span(&self) -> Span {
        match &self.node {
            Node::Expr(e) => e.span,
            Node::Formula(f) => f.span,
        }
    }
}

/// The operator that `p` is between two expressions.
pub(super) fn binary_op(p: Punct) -> Option<(BinaryOp, u8)> {
    Some(match p {
        Punct::OrOr => (BinaryOp::Or, level::OR),
        Punct::AndAnd => (BinaryOp::And, level::AND),
        Punct::Or => (BinaryOp::BitOr, level::BIT_OR),
        Punct::Xor => (BinaryOp::BitXor, level::BIT_XOR),
        Punct::And => (BinaryOp::BitAnd, level::BIT_AND),
        Punct::EqEq => (BinaryOp::Eq, level::EQUALITY),
        Punct::Ne => (BinaryOp::Ne, level::EQUALITY),
        Punct::Lt => (BinaryOp::Lt, level::RELATION),
        Punct::Le => (BinaryOp::Le, level::RELATION),
        Punct::Gt => (BinaryOp::Gt, level::RELATION),
        Punct::Ge => (BinaryOp::Ge, level::RELATION),
        Punct::Shl => (BinaryOp::Shl, level::SHIFT),
        Punct::Shr => (BinaryOp::Shr, level::SHIFT),
        Punct::Plus => (BinaryOp::Add, level::SUM),
        Punct::Minus => (BinaryOp::Sub, level::SUM),
        Punct::Star => (BinaryOp::Mul, level::PRODUCT),
        Punct::Slash => (BinaryOp::Div, level::PRODUCT),
        Punct::Percent => (BinaryOp::Rem, level::PRODUCT),
        _ => return None,
    })
}

impl Parser {
    /// An expression that may contain channel probes.
    pub(super) fn full_expr(&mut self) -> Parse<Expr> {
        let operand = self.nested_operand()?;
        Ok(self.plain(operand))
    }

    /// An expression without channel probes.
    pub(super) fn expr(&mut self) -> Parse<Expr> {
        let operand = self.nested_operand()?;
        Ok(self.value(operand))
    }

    /// The rest of an expression that begins with `left`.
    pub(super) fn expr_after(&mut self, left: Expr) -> Parse<Expr> {
        let height = std::mem::take(&mut self.tall) + 1;
        let left = Operand { node: Node::Expr(left), height, probe: false };
        let operand = self.climb(left, 0)?;
        Ok(self.plain(operand))
    }

    fn nested_operand(&mut self) -> Parse<Operand> {
        let in_formula = std::mem::replace(&mut self.in_formula, false);
        let operand = self.binary(0);
        self.in_formula = in_formula;
        let operand = operand?;
        self.tall = self.tall.max(operand.height);
        Ok(operand)
    }

    /// The expression of an operand; a formula inside one is an error.
    pub(super) fn plain(&mut self, operand: Operand) -> Expr {
        match operand.node {
            Node::Expr(e) => e,
            Node::Formula(f) => {
                self.temporal_operand(f.span);
                Expr { span: f.span, kind: Box::new(ExprKind::Int(1)) }
            }
        }
    }

    /// Like [`Parser::plain`], and no probe is inside.
    pub(super) fn value(&mut self, operand: Operand) -> Expr {
        let probe = operand.probe;
        let e = self.plain(operand);
        if probe {
            self.misplaced_probe(&e, "can only be a condition, alone or joined by `&&` and `||`");
        }
        e
    }

    /// An operand of operators that bind at least as strongly as `min`.
    pub(super) fn binary(&mut self, min: u8) -> Parse<Operand> {
        self.enter()?;
        let result = match self.unary() {
            Ok(left) => self.climb(left, min),
            Err(fail) => Err(fail),
        };
        self.leave();
        result
    }

    pub(super) fn climb(&mut self, mut left: Operand, min: u8) -> Parse<Operand> {
        while let Some((op, strength)) = self.infix()
            && strength >= min
        {
            self.skip_implicit();
            let at = self.bump();
            let right = self.binary(strength + 1)?;
            let height = left.height.max(right.height) + 1;
            if self.depth + height > MAX_DEPTH {
                return Err(self.nested_too_deeply());
            }
            left = self.combine(op, at, left, right);
            left.height = height;
        }
        Ok(left)
    }

    fn infix(&self) -> Option<(Infix, u8)> {
        let token = &self.tokens[self.written()];
        if self.in_formula
            && let Some(found) = super::formula::temporal_infix(token)
        {
            return Some(found);
        }
        let TokenKind::Punct(p) = token.kind else { return None };
        if p == Punct::Minus && self.kind() == TokenKind::ImplicitSemi && !self.in_formula {
            return None; // a statement of its own
        }
        binary_op(p).map(|(op, strength)| (Infix::Binary(op), strength))
    }

    fn combine(&mut self, op: Infix, at: Span, left: Operand, right: Operand) -> Operand {
        let op = match op {
            Infix::Temporal(op) => return self.combine_temporal(op, left, right),
            Infix::Binary(BinaryOp::And) if is_formula(&left, &right) => {
                return self.combine_temporal(TemporalOp::And, left, right);
            }
            Infix::Binary(BinaryOp::Or) if is_formula(&left, &right) => {
                return self.combine_temporal(TemporalOp::Or, left, right);
            }
            Infix::Binary(op) => op,
        };
        let logical = matches!(op, BinaryOp::And | BinaryOp::Or);
        let probe = logical && (left.probe || right.probe);
        let span = left.span().to(right.span());
        let (left, right) = if logical {
            (self.plain(left), self.plain(right))
        } else {
            (self.compared(left, at), self.compared(right, at))
        };
        let kind = Box::new(ExprKind::Binary(op, left, right));
        Operand { node: Node::Expr(Expr { span, kind }), height: 0, probe }
    }

    fn compared(&mut self, operand: Operand, operator: Span) -> Expr {
        let probe = operand.probe;
        let e = self.plain(operand);
        if probe {
            let op = self.sources.text(operator).to_string();
            self.misplaced_probe(&e, &format!("cannot be an operand of `{op}`"));
        }
        e
    }

    pub(super) fn unary(&mut self) -> Parse<Operand> {
        let op = match self.kind() {
            TokenKind::Punct(Punct::Not | Punct::SendSend) => UnaryOp::Not,
            TokenKind::Punct(Punct::Minus) => UnaryOp::Neg,
            TokenKind::Punct(Punct::Tilde) => UnaryOp::BitNot,
            _ if self.in_formula && self.at_temporal_prefix() => return self.temporal_prefix(),
            _ => return self.primary(),
        };
        self.enter()?;
        let twice = self.at(Punct::SendSend); // `!!p` is `! !p`
        let at = self.bump();
        let operand = self.unary();
        self.leave();
        let operand = operand?;
        if self.depth + operand.height + 2 > MAX_DEPTH {
            return Err(self.nested_too_deeply());
        }
        let operand = self.apply(op, at, operand);
        Ok(if twice { self.apply(op, at, operand) } else { operand })
    }

    fn apply(&mut self, op: UnaryOp, at: Span, operand: Operand) -> Operand {
        let height = operand.height + 1;
        let span = at.to(operand.span());
        if op == UnaryOp::Not && matches!(operand.node, Node::Formula(_)) {
            return self.negate(span, operand);
        }
        let probe = operand.probe;
        let e = self.plain(operand);
        if probe {
            self.negated_probe(&e);
        }
        let kind = Box::new(ExprKind::Unary(op, e));
        Operand { node: Node::Expr(Expr { span, kind }), height, probe: false }
    }

    pub(super) fn primary(&mut self) -> Parse<Operand> {
        let outer = std::mem::take(&mut self.tall);
        let result = match self.kind() {
            TokenKind::Punct(Punct::LParen) => self.parenthesis(),
            _ => self.atom().map(|(e, probe)| (Node::Expr(e), probe && !self.in_formula)),
        };
        let height = self.tall + 1;
        self.tall = outer;
        let (node, probe) = result?;
        Ok(Operand { node, height, probe })
    }

    fn parenthesis(&mut self) -> Parse<(Node, bool)> {
        let open = self.bump();
        let first = self.binary(0)?;
        self.tall = self.tall.max(first.height);
        if self.at(Punct::Arrow) && !self.in_formula {
            return self.conditional(open, first);
        }
        self.close_paren(open)?;
        let span = self.since(open);
        let node = match first.node {
            Node::Expr(e) => Node::Expr(Expr { span, ..e }),
            Node::Formula(f) => Node::Formula(Formula { span, ..f }),
        };
        Ok((node, first.probe))
    }

    fn conditional(&mut self, open: Span, condition: Operand) -> Parse<(Node, bool)> {
        self.bump();
        let condition = self.value(condition);
        let yes = self.expr()?;
        self.expect(Punct::Colon, "the first value of `(condition -> a : b)`")?;
        let no = self.expr()?;
        self.close_paren(open)?;
        let kind = Box::new(ExprKind::Conditional(condition, yes, no));
        Ok((Node::Expr(Expr { span: self.since(open), kind }), false))
    }

    /// Takes the `)` of `open`.
    pub(super) fn close_paren(&mut self, open: Span) -> Parse<()> {
        self.close(Punct::RParen, open)
    }

    /// Takes the closing `p` of `open`.
    pub(super) fn close(&mut self, p: Punct, open: Span) -> Parse<()> {
        if self.eat(p) {
            return Ok(());
        }
        let at = self.written();
        let token = &self.tokens[at];
        let message = format!("expected `{}`, found {}", p.text(), describe(token));
        let d = Diagnostic::error(NOT_CLOSED, token.span, message).label(open, "opened here");
        let d = if p == Punct::RParen { self.with_hint(d, at) } else { d };
        Err(self.error(d))
    }
}

fn is_formula(left: &Operand, right: &Operand) -> bool {
    matches!(left.node, Node::Formula(_)) || matches!(right.node, Node::Formula(_))
}
