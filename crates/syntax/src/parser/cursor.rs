//! Looking at tokens and taking them.

use spinor_base::Span;

use super::keywords::is_keyword;
use super::{Fail, Parse, Parser};
use crate::ast::Ident;
use crate::token::{Punct, Token, TokenKind};

/// Punctuation that may begin a statement: after a line break it does.
fn begins_stmt(p: Punct) -> bool {
    matches!(
        p,
        Punct::LParen | Punct::LBrace | Punct::Minus | Punct::Not | Punct::Tilde | Punct::SendSend
    )
}

impl Parser {
    /// The current token.
    pub(super) fn tok(&self) -> &Token {
        &self.tokens[self.pos]
    }

    /// The token `n` further on, the last one beyond the end.
    pub(super) fn ahead(&self, n: usize) -> &Token {
        &self.tokens[(self.pos + n).min(self.tokens.len() - 1)]
    }

    pub(super) fn kind(&self) -> TokenKind {
        self.tok().kind
    }

    pub(super) fn span(&self) -> Span {
        self.tok().span
    }

    pub(super) fn prev_span(&self) -> Span {
        self.tokens[self.pos.saturating_sub(1)].span
    }

    /// From `start` to the last token taken.
    pub(super) fn since(&self, start: Span) -> Span {
        start.to(self.prev_span())
    }

    pub(super) fn at_end(&self) -> bool {
        self.kind() == TokenKind::Eof
    }

    pub(super) fn at(&self, p: Punct) -> bool {
        self.tok().is(p)
    }

    pub(super) fn at_word(&self, word: &str) -> bool {
        self.tok().is_word(word)
    }

    /// The current word, keyword or not.
    pub(super) fn word(&self) -> Option<&str> {
        let token = self.tok();
        (token.kind == TokenKind::Word).then_some(&*token.text)
    }

    pub(super) fn at_name(&self) -> bool {
        self.word().is_some_and(|w| !is_keyword(w))
    }

    pub(super) fn at_separator(&self) -> bool {
        matches!(
            self.kind(),
            TokenKind::ImplicitSemi | TokenKind::Punct(Punct::Semi | Punct::Arrow)
        )
    }

    /// Takes the current token; the end stays.
    pub(super) fn bump(&mut self) -> Span {
        let span = self.span();
        if !self.at_end() {
            self.pos += 1;
        }
        span
    }

    pub(super) fn skip_separators(&mut self) {
        while self.at_separator() {
            self.pos += 1;
        }
    }

    pub(super) fn skip_implicit(&mut self) {
        while self.kind() == TokenKind::ImplicitSemi {
            self.pos += 1;
        }
    }

    /// Position of the first token that is really written.
    pub(super) fn written(&self) -> usize {
        let mut at = self.pos;
        while self.tokens[at].kind == TokenKind::ImplicitSemi {
            at += 1;
        }
        at
    }

    /// Takes `p` if it comes next; a line break before it does not matter
    /// unless `p` may begin a statement.
    pub(super) fn eat(&mut self, p: Punct) -> bool {
        let at = if begins_stmt(p) { self.pos } else { self.written() };
        let found = self.tokens[at].is(p);
        if found {
            self.pos = at + 1;
        }
        found
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.pos += 1;
        }
        found
    }

    /// Takes `p`, on this line or the next, or reports that it is missing.
    pub(super) fn expect(&mut self, p: Punct, after: &str) -> Parse<Span> {
        let at = self.written();
        if self.tokens[at].is(p) {
            self.pos = at + 1;
            return Ok(self.prev_span());
        }
        Err(self.missing(&format!("`{}`", p.text()), after))
    }

    /// A name, or an error that says what it would name.
    pub(super) fn name(&mut self, what: &str) -> Parse<Ident> {
        if self.tokens[self.written()].kind == TokenKind::Word {
            self.skip_implicit();
        }
        if self.at_name() {
            let token = self.tok();
            let ident = Ident { name: token.text.clone(), span: token.span };
            self.pos += 1;
            return Ok(ident);
        }
        Err(self.no_name(what))
    }

    fn no_name(&mut self, what: &str) -> Fail {
        match self.word() {
            Some(word) => {
                let message = format!("`{word}` is a keyword and cannot be the name of {what}");
                self.error_here(super::report::KEYWORD_AS_NAME, message)
            }
            None => self.unexpected(&format!("the name of {what}")),
        }
    }
}
