//! Sends, receives and polls.

use spinor_base::Diagnostic;

use super::report::{RECEIVE_PATTERN, describe};
use super::{Parse, Parser};
use crate::ast::{Expr, ExprKind, Place, ReceiveArg, ReceiveArgKind, StmtKind};
use crate::token::{Punct, TokenKind};

impl Parser {
    /// `! args` or `!! args` after the channel.
    pub(super) fn send(&mut self, channel: Place) -> Parse<StmtKind> {
        let sorted = self.at(Punct::SendSend);
        self.bump();
        let mut args = Vec::new();
        self.send_args(&mut args)?;
        Ok(StmtKind::Send { channel, sorted, args })
    }

    /// `a, b` and `a(b, c)`, which mean the same.
    fn send_args(&mut self, args: &mut Vec<Expr>) -> Parse<()> {
        loop {
            args.push(self.expr()?);
            if self.at(Punct::LParen) {
                let open = self.bump();
                self.enter()?;
                let inner = self.send_args(args);
                self.leave();
                inner?;
                self.close_paren(open)?;
            }
            if !self.eat(Punct::Comma) {
                return Ok(());
            }
        }
    }

    /// `? args` after the channel, in all its forms but the poll.
    pub(super) fn receive(&mut self, channel: Place) -> Parse<StmtKind> {
        let random = self.at(Punct::RecvRecv);
        self.bump();
        let mut args = Vec::new();
        let copy = self.at(Punct::Lt);
        if copy {
            let open = self.bump();
            self.receive_args(&mut args)?;
            self.close(Punct::Gt, open)?;
        } else {
            self.receive_args(&mut args)?;
        }
        Ok(StmtKind::Receive { channel, random, copy, args })
    }

    /// `q?[…]` or just `q`.
    pub(super) fn poll_or_place(&mut self, place: Place) -> Parse<Expr> {
        let start = place.span;
        let polls =
            (self.at(Punct::Recv) || self.at(Punct::RecvRecv)) && self.ahead(1).is(Punct::LBracket);
        let kind = if polls {
            let random = self.at(Punct::RecvRecv);
            self.bump();
            let open = self.bump();
            let mut args = Vec::new();
            self.receive_args(&mut args)?;
            self.close(Punct::RBracket, open)?;
            ExprKind::Poll { channel: place, random, args }
        } else {
            ExprKind::Place(place)
        };
        Ok(Expr { span: self.since(start), kind: Box::new(kind) })
    }

    /// `a, b`, `a(b, c)` and `(a, b)`, which mean the same.
    fn receive_args(&mut self, args: &mut Vec<ReceiveArg>) -> Parse<()> {
        loop {
            if !self.at(Punct::LParen) {
                args.push(self.receive_arg()?);
            }
            if self.at(Punct::LParen) {
                let open = self.bump();
                self.enter()?;
                let inner = self.receive_args(args);
                self.leave();
                inner?;
                self.close_paren(open)?;
            }
            if !self.eat(Punct::Comma) {
                return Ok(());
            }
        }
    }

    fn receive_arg(&mut self) -> Parse<ReceiveArg> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Int | TokenKind::Char | TokenKind::Punct(Punct::Minus) => {
                ReceiveArgKind::Const(self.constant()?)
            }
            TokenKind::Word => match self.word().unwrap_or_default() {
                "eval" => {
                    self.bump();
                    let open = self.expect(Punct::LParen, "`eval`")?;
                    let e = self.expr()?;
                    self.close_paren(open)?;
                    ReceiveArgKind::Eval(e)
                }
                "true" | "false" | "skip" => ReceiveArgKind::Const(self.constant()?),
                _ => ReceiveArgKind::Place(self.place("a variable to receive")?),
            },
            _ => return Err(self.unexpected("a variable, a constant, `_` or `eval(…)`")),
        };
        self.check_pattern()?;
        Ok(ReceiveArg { span: self.since(start), kind })
    }

    fn constant(&mut self) -> Parse<Expr> {
        let operand = self.unary()?;
        Ok(self.value(operand))
    }

    /// Patterns are no expressions.
    fn check_pattern(&mut self) -> Parse<()> {
        let TokenKind::Punct(p) = self.kind() else { return Ok(()) };
        if p == Punct::Gt || super::exprs::binary_op(p).is_none() {
            return Ok(());
        }
        let message = format!(
            "expected `,` or the end of the receive, found the operator {}",
            describe(self.tok())
        );
        let d = Diagnostic::error(RECEIVE_PATTERN, self.span(), message)
            .help("to match the value of an expression write `eval(…)`");
        Err(self.error(d))
    }
}
