//! Semicolons that nobody wrote.
//!
//! SPIN 6 ends a statement at the end of a line inside a body when the last
//! token can end one and no parenthesis is open (spinlex.c, `lex`). Within a
//! macro use there are no line breaks: all of it stands on one line.

#[cfg(test)]
mod tests;

use crate::token::{Punct, Token, TokenKind};
use std::collections::HashSet;

/// Adds [`TokenKind::ImplicitSemi`] where SPIN does.
pub(crate) fn insert_semicolons(tokens: Vec<Token>) -> Vec<Token> {
    let mut place = Place::default();
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len() + tokens.len() / 8);
    for token in tokens {
        if token.newline_before
            && let Some(last) = out.last()
            && place.may_end(last)
            && !continues(&token)
        {
            let semi = Token {
                kind: TokenKind::ImplicitSemi,
                span: last.span.end(),
                text: ";".into(),
                newline_before: false,
                space_before: false,
            };
            out.push(semi);
        }
        place.see(out.last(), &token);
        out.push(token);
    }
    out
}

/// SPIN drops a semicolon before these; `unless` never starts a statement.
fn continues(token: &Token) -> bool {
    token.is(Punct::Semi)
        || token.is(Punct::Arrow)
        || token.is(Punct::RBrace)
        || token.is_word("unless")
        || token.kind == TokenKind::Eof
}

/// Where in the model the pass is.
#[derive(Default)]
struct Place {
    /// A keyword that opens a body was seen, its `{` not yet.
    body_expected: bool,
    /// Open braces of the current body; 0 outside.
    braces: usize,
    /// Open parentheses and brackets in the body.
    parens: usize,
    /// Names after which a statement goes on: types, proctypes, inlines.
    heads: HashSet<spinor_base::Text>,
}

impl Place {
    /// Whether a line break after `last` ends a statement.
    fn may_end(&self, last: &Token) -> bool {
        self.braces > 0 && self.parens == 0 && ends_statement(last) && !self.is_head(last)
    }

    fn is_head(&self, last: &Token) -> bool {
        last.kind == TokenKind::Word && self.heads.contains(&last.text)
    }

    fn see(&mut self, last: Option<&Token>, token: &Token) {
        match token.kind {
            TokenKind::Word => self.see_word(last, token),
            TokenKind::Punct(Punct::LBrace) if self.body_expected => {
                self.body_expected = false;
                self.braces = 1;
                self.parens = 0;
            }
            _ if self.braces == 0 => {}
            TokenKind::Punct(Punct::LBrace) => {
                self.braces += 1;
                self.parens = 0;
            }
            TokenKind::Punct(Punct::RBrace) => {
                self.braces -= 1;
                self.parens = 0;
            }
            TokenKind::Punct(Punct::LParen | Punct::LBracket) => self.parens += 1,
            TokenKind::Punct(Punct::RParen | Punct::RBracket) => {
                self.parens = self.parens.saturating_sub(1);
            }
            // No statement separator stands inside parentheses: one of them is missing.
            TokenKind::Punct(Punct::Semi | Punct::ColonColon) => self.parens = 0,
            _ => {}
        }
    }

    fn see_word(&mut self, last: Option<&Token>, token: &Token) {
        if matches!(
            &*token.text,
            "proctype"
                | "D_proctype"
                | "init"
                | "never"
                | "trace"
                | "notrace"
                | "inline"
                | "typedef"
        ) {
            // Inside a body these mean that a `}` is missing.
            self.body_expected = true;
            self.braces = 0;
        }
        if last.is_some_and(|l| {
            ["typedef", "proctype", "D_proctype", "inline"].iter().any(|word| l.is_word(word))
        }) {
            self.heads.insert(token.text.clone());
        }
    }
}

/// Tokens that SPIN accepts as the end of a statement (`follows_token`).
fn ends_statement(token: &Token) -> bool {
    match token.kind {
        TokenKind::Int | TokenKind::Char | TokenKind::CBody => true,
        TokenKind::Punct(p) => matches!(
            p,
            Punct::RBrace
                | Punct::RParen
                | Punct::RBracket
                | Punct::BoxOp
                | Punct::PlusPlus
                | Punct::MinusMinus
        ),
        TokenKind::Word => !is_inner_keyword(&token.text),
        _ => false,
    }
}

/// Keywords that cannot be the last word of a statement.
fn is_inner_keyword(word: &str) -> bool {
    matches!(
        word,
        "active"
            | "assert"
            | "atomic"
            | "bit"
            | "bool"
            | "byte"
            | "c_code"
            | "c_decl"
            | "c_expr"
            | "c_state"
            | "c_track"
            | "chan"
            | "d_step"
            | "do"
            | "empty"
            | "enabled"
            | "eval"
            | "for"
            | "full"
            | "get_priority"
            | "goto"
            | "hidden"
            | "if"
            | "int"
            | "len"
            | "local"
            | "ltl"
            | "mtype"
            | "nempty"
            | "nfull"
            | "of"
            | "pc_value"
            | "pid"
            | "printf"
            | "printm"
            | "priority"
            | "provided"
            | "return"
            | "run"
            | "select"
            | "set_priority"
            | "short"
            | "show"
            | "unless"
            | "unsigned"
            | "xr"
            | "xs"
            | "proctype"
            | "D_proctype"
            | "init"
            | "never"
            | "trace"
            | "notrace"
            | "inline"
            | "typedef"
    )
}
