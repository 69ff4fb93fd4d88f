//! Sequences, labels and basic statements.

use spinor_base::{Diagnostic, Span};

use super::hints::foreign_stmt;
use super::keywords::{ends_body, is_keyword};
use super::names::Names;
use super::report::{
    BAD_CALL, EMPTY_SEQUENCE, FROM_C, LABEL_ON_DECL, NO_SEPARATOR, NOT_GLOBAL, RETURN, describe,
};
use super::{Fail, Parse, Parser};
use crate::ast::{Block, EmbeddedC, Expr, ExprKind, Ident, Item, Place, Stmt, StmtKind};
use crate::token::{Punct, TokenKind};

/// A name at the start of a statement or operand, as far as it goes.
pub(super) enum Named {
    Place(Place),
    Remote(Expr),
}

impl Parser {
    /// Statements up to a token that closes a sequence, which stays.
    pub(super) fn sequence(&mut self, stmts: &mut Vec<Stmt>) {
        loop {
            self.skip_separators();
            if self.at_sequence_end() {
                return;
            }
            let before = self.pos;
            match self.step() {
                Ok(Some(stmt)) => {
                    let closed = self.needs_no_separator(&stmt.kind);
                    stmts.push(stmt);
                    if !closed && !self.at_separator() && !self.at_sequence_end() {
                        self.no_separator(before);
                    }
                }
                Ok(None) => {}
                Err(Fail) => self.recover_stmt(before),
            }
        }
    }

    pub(super) fn at_sequence_end(&self) -> bool {
        match self.kind() {
            TokenKind::Eof => true,
            TokenKind::Punct(p) => matches!(p, Punct::RBrace | Punct::ColonColon),
            TokenKind::Word => {
                let word = &*self.tok().text;
                word == "fi" || word == "od" || ends_body(word)
            }
            _ => false,
        }
    }

    /// What ends with a brace or closing word, and `else`, may be followed by
    /// the next statement at once.
    fn needs_no_separator(&self, kind: &StmtKind) -> bool {
        let prev = &self.tokens[self.pos.saturating_sub(1)];
        matches!(kind, StmtKind::InlineCall { .. } | StmtKind::Else | StmtKind::LabelOnly)
            || prev.is(Punct::RBrace)
            || prev.kind == TokenKind::CBody
            || prev.is_word("fi")
            || prev.is_word("od")
    }

    fn no_separator(&mut self, start: usize) {
        let at = self.pos;
        let token = self.tok();
        let found = describe(token);
        let d = Diagnostic::error(
            NO_SEPARATOR,
            token.span,
            format!("expected `;` or `->` before {found}"),
        );
        let d = self.with_hint(d, at);
        self.error(d);
        let begins = matches!(self.kind(), TokenKind::Word)
            && self.word().is_some_and(|w| super::hints::operator_word(w).is_none());
        if !begins {
            self.recover_stmt(start);
        }
    }

    /// A statement, a declaration, or nothing but an error.
    fn step(&mut self) -> Parse<Option<Stmt>> {
        self.enter()?;
        self.tall = 0;
        let result = self.step_inner();
        self.leave();
        result
    }

    fn step_inner(&mut self) -> Parse<Option<Stmt>> {
        let labels = self.labels();
        if let Some(decl) = self.declaration(&labels)? {
            return Ok(decl);
        }
        let main = self.labelled(labels)?;
        if self.tokens[self.written()].is_word("unless") {
            return self.unless(main).map(Some);
        }
        Ok(Some(main))
    }

    /// `L1: L2:`.
    fn labels(&mut self) -> Vec<Ident> {
        let mut labels = Vec::new();
        while self.at_name() && self.ahead(1).is(Punct::Colon) && !self.at_remote_name() {
            let token = self.tok();
            labels.push(Ident { name: token.text.clone(), span: token.span });
            self.pos += 2;
        }
        labels
    }

    fn at_remote_name(&self) -> bool {
        let Names { proctypes, declared, .. } = &self.names;
        let known = if self.in_claim { proctypes } else { declared };
        known.contains(&self.tok().text)
    }

    #[inline(never)]
    fn declaration(&mut self, labels: &[Ident]) -> Parse<Option<Option<Stmt>>> {
        let start = self.span();
        let kind = if self.at_mtype_names() || matches!(self.word(), Some("typedef" | "inline")) {
            self.displaced_item()?;
            None
        } else if self.at_decl() {
            Some(StmtKind::Vars(self.var_decls()?))
        } else if matches!(self.word(), Some("xr" | "xs")) {
            Some(StmtKind::Exclusive(self.exclusive()?))
        } else {
            return Ok(None);
        };
        if let [label, ..] = labels {
            let message = format!("the label `{}` stands before a declaration", label.name);
            let d = Diagnostic::error(LABEL_ON_DECL, label.span, message)
                .help("move the declaration before the label, or write `skip;` after the label");
            self.error(d);
        }
        Ok(Some(kind.map(|kind| Stmt { span: self.since(start), labels: Vec::new(), kind })))
    }

    /// A global construct inside a body: an error, but understood.
    fn displaced_item(&mut self) -> Parse<()> {
        let word = self.tok().text.clone();
        let d = Diagnostic::error(
            NOT_GLOBAL,
            self.span(),
            format!("`{word}` must stand outside of all bodies"),
        );
        self.error(d);
        let item = match &*word {
            "typedef" => Item::Typedef(self.typedef()?),
            "inline" => return self.inline_definition().map(drop),
            _ => Item::Mtype(self.mtype_names()?),
        };
        self.displaced.push(item);
        Ok(())
    }

    /// A statement after its labels; nothing may follow them.
    fn labelled(&mut self, labels: Vec<Ident>) -> Parse<Stmt> {
        let span = self.span();
        let labelled = !labels.is_empty();
        if labelled && (self.at_separator() || self.at_sequence_end() || self.at_word("unless")) {
            let span = self.prev_span();
            return Ok(Stmt { span, labels, kind: StmtKind::LabelOnly });
        }
        let kind = self.stmt_kind()?;
        Ok(Stmt { span: self.since(span), labels, kind })
    }

    /// A statement with labels but without `unless`.
    pub(super) fn plain_stmt(&mut self) -> Parse<Stmt> {
        self.enter()?;
        let labels = self.labels();
        let result = self.labelled(labels);
        self.leave();
        result
    }

    fn stmt_kind(&mut self) -> Parse<StmtKind> {
        match self.kind() {
            TokenKind::Punct(Punct::LBrace) => Ok(StmtKind::Block(self.block()?)),
            TokenKind::Punct(Punct::PlusPlus | Punct::MinusMinus) => Err(self.prefix_step()),
            TokenKind::Word => {
                let word = &*self.tok().text;
                match word {
                    "if" | "do" => self.choice(),
                    "for" => self.for_loop(),
                    "atomic" | "d_step" => self.indivisible(),
                    _ if is_keyword(word) => self.keyword_stmt(),
                    _ => self.named_stmt(),
                }
            }
            TokenKind::Int
            | TokenKind::Char
            | TokenKind::Punct(
                Punct::LParen | Punct::Not | Punct::SendSend | Punct::Minus | Punct::Tilde,
            ) => Ok(StmtKind::Expr(self.full_expr()?)),
            _ => Err(self.unexpected("a statement")),
        }
    }

    #[inline(never)]
    fn keyword_stmt(&mut self) -> Parse<StmtKind> {
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
    fn named_stmt(&mut self) -> Parse<StmtKind> {
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

    /// `a[i].b`, `P@L`, `P[e]:x`.
    pub(super) fn named(&mut self) -> Parse<Named> {
        let first = self.name("a variable")?;
        let index = self.index()?;
        let start = first.span;
        if self.at(Punct::At) {
            self.bump();
            let label = self.name("a label")?;
            let kind = ExprKind::RemoteLabel { proctype: first, pid: index, label };
            return Ok(Named::Remote(Expr { span: self.since(start), kind: Box::new(kind) }));
        }
        if self.at(Punct::Colon) && self.names.proctypes.contains(&first.name) {
            self.bump();
            let var = self.place("a variable")?;
            let kind = ExprKind::RemoteVar { proctype: first, pid: index, var };
            return Ok(Named::Remote(Expr { span: self.since(start), kind: Box::new(kind) }));
        }
        Ok(Named::Place(self.place_after(first, index)?))
    }

    /// A name as an operand.
    pub(super) fn named_expr(&mut self) -> Parse<Expr> {
        let known =
            |names: &Names, text| names.inlines.contains(text) || names.proctypes.contains(text);
        // `q!name(x)` is a message, not a call.
        if self.ahead(1).is(Punct::LParen) && known(&self.names, &self.tok().text) {
            return Err(self.call_in_expr());
        }
        match self.named()? {
            Named::Remote(e) => Ok(e),
            Named::Place(place) => self.poll_or_place(place),
        }
    }

    fn call_in_expr(&mut self) -> Fail {
        let name = self.tok().text.clone();
        let (message, help) = if self.names.inlines.contains(&name) {
            (
                format!("the inline `{name}` cannot be called inside an expression"),
                format!("write `v = {name}(…)` as a statement of its own"),
            )
        } else {
            (format!("`{name}` is a proctype"), format!("start it with `run {name}(…)`"))
        };
        let d = Diagnostic::error(BAD_CALL, self.span(), message).help(help);
        self.error(d)
    }

    /// `c_code [pre] { … }`, `c_state "…" "…"` and their like.
    pub(super) fn embedded_c(&mut self) -> Parse<EmbeddedC> {
        let keyword = self.tok().text.clone();
        let start = self.bump();
        let mut parts = Vec::new();
        if self.at(Punct::LBracket) {
            let open = self.bump();
            while !self.at(Punct::RBracket) && !self.at_end() && !self.at(Punct::RBrace) {
                self.bump();
            }
            let text = self.sources.text(open.to(self.span())).trim_start_matches('[').to_string();
            self.close(Punct::RBracket, open)?;
            parts.push(text.trim_end_matches(']').into());
        }
        while matches!(self.kind(), TokenKind::CBody | TokenKind::Str) {
            parts.push(self.tok().text.clone());
            self.bump();
        }
        if parts.is_empty() {
            return Err(self.missing("C code", &format!("`{keyword}`")));
        }
        Ok(EmbeddedC { span: self.since(start), keyword, parts })
    }

    /// A sequence without a statement.
    ///
    /// `failures` is the count from before it: errors explain why it is empty.
    pub(super) fn check_not_empty(
        &mut self,
        block: &Block,
        failures: usize,
        after: Span,
        opener: &str,
    ) {
        if !block.stmts.is_empty() || self.failures > failures {
            return;
        }
        let found = describe(self.tok());
        let d = Diagnostic::error(
            EMPTY_SEQUENCE,
            self.span(),
            format!("expected a statement after `{opener}`, found {found}"),
        )
        .label(after, "nothing is done here")
        .help("write `skip` to do nothing");
        self.error(d);
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
