//! Sequences of statements, their labels and the names they begin with.

use spinor_base::{Diagnostic, Span};

use super::keywords::{ends_body, is_keyword};
use super::names::Names;
use super::report::{BAD_CALL, EMPTY_SEQUENCE, LABEL_ON_DECL, NO_SEPARATOR, NOT_GLOBAL, describe};
use super::{Fail, Parse, Parser};
use crate::ast::{Block, Expr, ExprKind, Ident, Item, Place, Stmt, StmtKind};
use crate::token::{Punct, TokenKind};

/// A name at the start of a statement or operand, as far as it goes.
pub(super) enum Named {
    Place(Place),
    Remote(Expr),
}

impl Parser {
    /// Statements up to a token that closes a sequence, which stays.
    pub(super) fn sequence(&mut self, stmts: &mut Vec<Stmt>) {
        let mut run_on = false;
        loop {
            run_on &= !self.at_separator();
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
                        self.no_separator(before, run_on);
                        run_on = true;
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
        let is_closed =
            matches!(kind, StmtKind::InlineCall { .. } | StmtKind::Else | StmtKind::LabelOnly)
                || prev.is(Punct::RBrace);
        // SPIN is stricter here; what it refuses has one meaning only.
        let is_clear =
            matches!(kind, StmtKind::EmbeddedC(_)) || prev.is_word("fi") || prev.is_word("od");
        is_closed || (is_clear && !self.explicit_semicolons)
    }

    /// `run_on`: this was said already and no separator came since.
    fn no_separator(&mut self, start: usize, run_on: bool) {
        if run_on {
            self.failures += 1;
            return self.recover_stmt(start);
        }
        let at = self.pos;
        let token = self.tok();
        let found = describe(token);
        let message = format!("expected `;` or `->` before {found}");
        let d = Diagnostic::error(NO_SEPARATOR, token.span, message);
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
