//! Error codes and how errors are reported: one per token, none twice, no flood.

use spinor_base::{Diagnostic, Span};

use super::{Fail, MAX_DEPTH, MAX_ERRORS, Parser};
use crate::token::{Token, TokenKind};

/// Something else was expected here.
pub(super) const UNEXPECTED: &str = "P0100";
/// No separator between two statements.
pub(super) const NO_SEPARATOR: &str = "P0101";
/// A block, selection, loop or parenthesis is not closed.
pub(super) const NOT_CLOSED: &str = "P0102";
/// A sequence without a statement.
pub(super) const EMPTY_SEQUENCE: &str = "P0103";
/// A closing token without its opening one.
pub(super) const NOT_OPENED: &str = "P0104";
/// Nested too deeply.
pub(super) const TOO_DEEP: &str = "P0105";
/// The parser gave up.
pub(super) const GAVE_UP: &str = "P0106";
/// Warning: a number does not fit.
pub(super) const NUMBER_RANGE: &str = "P0107";
/// A channel probe where it is not allowed.
pub(super) const PROBE: &str = "P0108";
/// A keyword used as a name.
pub(super) const KEYWORD_AS_NAME: &str = "P0109";
/// A label before a declaration.
pub(super) const LABEL_ON_DECL: &str = "P0110";
/// A global construct inside a body.
pub(super) const NOT_GLOBAL: &str = "P0111";
/// Wrong number of arguments of an inline call.
pub(super) const INLINE_ARITY: &str = "P0112";
/// An inline calls itself.
pub(super) const INLINE_RECURSION: &str = "P0113";
/// Inline calls produce too much text.
pub(super) const INLINE_SIZE: &str = "P0114";
/// An inline is defined twice.
pub(super) const INLINE_REDEFINED: &str = "P0115";
/// `return` without a place for its value.
pub(super) const RETURN: &str = "P0116";
/// A construct of C.
pub(super) const FROM_C: &str = "P0117";
/// Warning: SPIN reads this formula differently.
pub(super) const FORMULA_PRECEDENCE: &str = "P0118";
/// A temporal operator where a value is needed.
pub(super) const TEMPORAL_OPERAND: &str = "P0119";
/// A call of something that is no inline, or not yet, or inside an expression.
pub(super) const BAD_CALL: &str = "P0120";
/// An expression in a receive pattern.
pub(super) const RECEIVE_PATTERN: &str = "P0121";
/// Warning: operators around an inline parameter tear its argument apart.
pub(super) const INLINE_OPERATOR: &str = "P0122";

impl Parser {
    /// Reports `d` unless this place has an error already.
    pub(super) fn error(&mut self, d: Diagnostic) -> Fail {
        let key = (d.primary.file, d.primary.lo, d.code);
        let same_token = self.last_error == Some(d.primary);
        self.last_error = Some(d.primary);
        self.failures += 1;
        if self.stopped || same_token || !self.reported.insert(key) {
            return Fail;
        }
        let at = d.primary;
        self.diagnostics.push(d);
        self.errors += 1;
        if self.errors >= MAX_ERRORS {
            self.give_up(at, "too many errors");
        }
        Fail
    }

    pub(super) fn warn(&mut self, d: Diagnostic) {
        if !self.stopped && self.reported.insert((d.primary.file, d.primary.lo, d.code)) {
            self.diagnostics.push(d);
        }
    }

    /// Reports why and skips the rest of the text.
    pub(super) fn give_up(&mut self, at: Span, why: &str) {
        if !self.stopped {
            self.diagnostics.push(Diagnostic::error(
                GAVE_UP,
                at,
                format!("{why}: the rest is not read"),
            ));
        }
        self.stopped = true;
        self.pos = self.tokens.len() - 1;
    }

    pub(super) fn error_here(&mut self, code: &'static str, message: impl Into<String>) -> Fail {
        let d = Diagnostic::error(code, self.span(), message);
        self.error(d)
    }

    /// `expected … , found …` at the current token.
    pub(super) fn unexpected(&mut self, expected: &str) -> Fail {
        let at = self.written();
        let token = &self.tokens[at];
        let found = describe(token);
        let d = Diagnostic::error(
            UNEXPECTED,
            token.span,
            format!("expected {expected}, found {found}"),
        );
        let d = self.with_hint(d, at);
        self.error(d)
    }

    /// `expected … after …, found …` at the current token.
    pub(super) fn missing(&mut self, expected: &str, after: &str) -> Fail {
        let expected = if after.is_empty() {
            expected.to_string()
        } else {
            format!("{expected} after {after}")
        };
        self.unexpected(&expected)
    }

    pub(super) fn nested_too_deeply(&mut self) -> Fail {
        self.failures += 1;
        if self.too_deep {
            return Fail;
        }
        self.too_deep = true;
        let d = Diagnostic::error(TOO_DEEP, self.span(), "nested too deeply")
            .note(format!("at most {MAX_DEPTH} levels are read"))
            .help("split it: use intermediate variables, inlines or several statements");
        self.error(d)
    }
}

/// How a token is named in a message.
pub(super) fn describe(token: &Token) -> String {
    match token.kind {
        TokenKind::Eof => "the end of the text".into(),
        TokenKind::ImplicitSemi => "the end of the line".into(),
        TokenKind::Str => "a string".into(),
        TokenKind::CBody => "C code".into(),
        TokenKind::Punct(p) => format!("`{}`", p.text()),
        TokenKind::Word | TokenKind::Int | TokenKind::Char | TokenKind::Unknown => {
            let short: String = token.text.chars().take(40).collect();
            format!("`{short}`")
        }
    }
}
