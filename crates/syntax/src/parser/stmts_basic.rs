//! Statements without statements inside.

use spinor_base::{Diagnostic, Text};

use super::hints::foreign_stmt;
use super::report::{FROM_C, RETURN};
use super::stmts::Named;
use super::{Fail, Parse, Parser};
use crate::ast::{EmbeddedC, Place, StmtKind};
use crate::preprocess::c_macros;
use crate::token::{Punct, TokenKind};

impl Parser {
    #[inline(never)]
    pub(super) fn keyword_stmt(&mut self) -> Parse<StmtKind> {
        Ok(match self.word().unwrap_or_default() {
            "break" => {
                self.bump();
                StmtKind::Break
            }
            "else" => {
                self.bump();
                StmtKind::Else
            }
            "goto" => {
                self.bump();
                StmtKind::Goto(self.name("a label")?)
            }
            "assert" => {
                self.bump();
                StmtKind::Assert(self.full_expr()?)
            }
            "printf" => self.printf()?,
            "printm" => {
                self.bump();
                let open = self.expect(Punct::LParen, "`printm`")?;
                let e = self.expr()?;
                self.close_paren(open)?;
                StmtKind::Printm(e)
            }
            "set_priority" => {
                self.bump();
                let open = self.expect(Punct::LParen, "`set_priority`")?;
                let process = self.expr()?;
                self.expect(Punct::Comma, "the process")?;
                let priority = self.expr()?;
                self.close_paren(open)?;
                StmtKind::SetPriority(process, priority)
            }
            "select" => self.select()?,
            "return" => self.return_stmt()?,
            "c_code" | "c_decl" | "c_state" | "c_track" => StmtKind::EmbeddedC(self.embedded_c()?),
            "unless" => return Err(self.unexpected("a statement before `unless`")),
            _ => StmtKind::Expr(self.full_expr()?),
        })
    }

    fn printf(&mut self) -> Parse<StmtKind> {
        self.bump();
        let open = self.expect(Punct::LParen, "`printf`")?;
        if self.kind() != TokenKind::Str {
            return Err(self.missing("a string", "`printf(`"));
        }
        let text = self.tok().text.clone();
        self.bump();
        let args = if self.eat(Punct::Comma) { self.arguments(Punct::RParen)? } else { Vec::new() };
        self.close_paren(open)?;
        Ok(StmtKind::Printf(text, args))
    }

    /// `return e` assigns to the place that waits for the value of the call.
    fn return_stmt(&mut self) -> Parse<StmtKind> {
        let at = self.bump();
        match self.returns.last() {
            Some(Some(place)) => {
                let place = place.clone();
                Ok(StmtKind::Assign(place, self.full_expr()?))
            }
            Some(None) => {
                let d = Diagnostic::error(RETURN, at, "nothing takes the value of this `return`")
                    .help("call the inline as `v = f(…)`");
                Err(self.error(d))
            }
            None => {
                let d = Diagnostic::error(RETURN, at, "`return` outside of an inline")
                    .help("use `goto` to leave a body early, or a channel to give back a value");
                Err(self.error(d))
            }
        }
    }

    /// A statement that begins with a name.
    #[inline(never)]
    pub(super) fn named_stmt(&mut self) -> Parse<StmtKind> {
        if self.ahead(1).is(Punct::LParen) {
            return self.call(None);
        }
        let start = self.pos;
        let place = match self.named()? {
            Named::Place(place) => place,
            Named::Remote(e) => return Ok(StmtKind::Expr(self.expr_after(e)?)),
        };
        if self.tokens[self.written()].is(Punct::Eq) {
            self.eat(Punct::Eq);
            return self.assign(place);
        }
        let next = self.ahead(1);
        match self.kind() {
            TokenKind::Punct(Punct::PlusPlus) => {
                self.bump();
                Ok(StmtKind::Increment(place))
            }
            TokenKind::Punct(Punct::MinusMinus) => {
                self.bump();
                Ok(StmtKind::Decrement(place))
            }
            TokenKind::Punct(Punct::Not | Punct::SendSend) => self.send(place),
            TokenKind::Punct(Punct::Recv | Punct::RecvRecv) if !next.is(Punct::LBracket) => {
                self.receive(place)
            }
            TokenKind::Punct(p) if next.is(Punct::Eq) && !next.space_before && compound(p) => {
                Err(self.compound_assignment(&place, p))
            }
            _ => {
                self.foreign(start)?;
                let e = self.poll_or_place(place)?;
                Ok(StmtKind::Expr(self.expr_after(e)?))
            }
        }
    }

    /// After `v =`.
    fn assign(&mut self, place: Place) -> Parse<StmtKind> {
        let calls = self.at_name()
            && self.ahead(1).is(Punct::LParen)
            && self.names.inlines.contains(&self.tok().text);
        if calls {
            return self.call(Some(place));
        }
        Ok(StmtKind::Assign(place, self.full_expr()?))
    }

    fn compound_assignment(&mut self, place: &Place, p: Punct) -> Fail {
        let op = p.text();
        let v = self.sources.text(place.span).to_string();
        let d = Diagnostic::error(FROM_C, self.span(), format!("there is no operator `{op}=`"))
            .help(format!("write `{v} = {v} {op} …`"));
        self.error(d)
    }

    /// Reports words of other languages at token `start` when what follows
    /// cannot belong to a name.
    fn foreign(&mut self, start: usize) -> Parse<()> {
        let token = &self.tokens[start];
        let Some(help) = foreign_stmt(&token.text) else { return Ok(()) };
        if self.pos != start + 1 || self.infix_follows() {
            return Ok(());
        }
        let message = format!("`{}` is no statement of Promela", token.text);
        let d = Diagnostic::error(FROM_C, token.span, message).help(help);
        Err(self.error(d))
    }

    fn infix_follows(&self) -> bool {
        match self.tokens[self.written()].kind {
            TokenKind::Punct(p) => super::exprs::binary_op(p).is_some() || p == Punct::RecvRecv,
            _ => false,
        }
    }

    /// `c_code [pre] { … }`, `c_state "…" "…"` and their like.
    pub(super) fn embedded_c(&mut self) -> Parse<EmbeddedC> {
        let keyword = self.tok().text.clone();
        let start = self.bump();
        let precondition = self.precondition()?;
        let body = self.span();
        let (mut parts, mut macros) = (Vec::new(), String::new());
        while matches!(self.kind(), TokenKind::CBody | TokenKind::Str) {
            let text = &self.tok().text;
            match text.split_once(c_macros::SEPARATOR) {
                Some((body, definitions)) => {
                    parts.push(body.into());
                    macros.push_str(definitions);
                }
                None => parts.push(text.clone()),
            }
            self.bump();
        }
        if parts.is_empty() {
            return Err(self.missing("C code", &format!("`{keyword}`")));
        }
        let (span, macros) = (self.since(start), macros.into());
        Ok(EmbeddedC { span, keyword, precondition, parts, body, macros })
    }

    /// `[…]`, as it is after macros are expanded.
    fn precondition(&mut self) -> Parse<Option<Text>> {
        if !self.at(Punct::LBracket) {
            return Ok(None);
        }
        let open = self.bump();
        let (mut depth, mut text) = (0usize, String::new());
        while !self.at_end() && !self.at(Punct::RBrace) {
            if self.at(Punct::LBracket) {
                depth += 1;
            } else if self.at(Punct::RBracket) {
                if depth == 0 {
                    break;
                }
                depth -= 1;
            }
            let token = self.tok();
            if token.space_before && !text.is_empty() {
                text.push(' ');
            }
            match token.kind {
                TokenKind::Str => text.extend(["\"", &token.text, "\""]),
                _ => text.push_str(&token.text),
            }
            self.bump();
        }
        self.close(Punct::RBracket, open)?;
        Ok(Some(text.trim().into()))
    }
}

/// Operators that C joins with `=`.
fn compound(p: Punct) -> bool {
    matches!(
        p,
        Punct::Plus
            | Punct::Minus
            | Punct::Star
            | Punct::Slash
            | Punct::Percent
            | Punct::And
            | Punct::Or
            | Punct::Xor
            | Punct::Shl
            | Punct::Shr
    )
}
