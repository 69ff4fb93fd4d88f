//! The body of `c_code`, `c_expr` and `c_decl`: C text, kept as it is.

use super::{Lexer, Report, Symbols};
use crate::token::{Punct, TokenKind};
use spinor_base::{Diagnostic, Text};

/// How far the reader is into `c_code [ … ] { … }`.
#[derive(Default)]
pub(super) struct Embedded {
    place: Place,
    /// No closing brace was found up to here; searching again would be quadratic.
    unclosed_until: usize,
}

#[derive(Default)]
enum Place {
    #[default]
    Elsewhere,
    /// After the keyword or after its `[ … ]`.
    BeforeBody,
    /// Inside that many brackets.
    Condition(u32),
}

impl Embedded {
    /// Whether `{` now starts C text.
    pub fn expects_body(&self) -> bool {
        matches!(self.place, Place::BeforeBody)
    }

    /// A directive ends: nothing reaches over its line.
    pub fn forget(&mut self) {
        self.place = Place::Elsewhere;
    }

    /// Follows the tokens.
    pub fn see(&mut self, kind: TokenKind, text: &str) {
        use TokenKind::{Punct as P, Word};
        self.place = match (&self.place, kind) {
            (_, Word) if matches!(text, "c_code" | "c_expr" | "c_decl") => Place::BeforeBody,
            (Place::BeforeBody, P(Punct::LBracket)) => Place::Condition(1),
            (Place::BeforeBody, P(Punct::BoxOp)) => Place::BeforeBody,
            (Place::Condition(depth), P(Punct::LBracket)) => Place::Condition(depth + 1),
            (Place::Condition(1), P(Punct::RBracket)) => Place::BeforeBody,
            (Place::Condition(depth), P(Punct::RBracket)) => Place::Condition(depth - 1),
            (Place::Condition(depth), _) => Place::Condition(*depth),
            _ => Place::Elsewhere,
        };
    }
}

impl Lexer {
    /// The braced text as one token; a plain `{` if it is never closed.
    pub(super) fn c_body(
        &mut self,
        in_line: bool,
        symbols: &mut Symbols,
        report: &mut Report,
    ) -> (TokenKind, Text) {
        let start = self.pos;
        if start >= self.embedded.unclosed_until {
            match self.c_body_end(in_line) {
                Ok(end) => {
                    self.pos = end;
                    let text = &self.text[start + 1..end - 1];
                    // A macro body has no line breaks of its own.
                    let text = if in_line {
                        self.unspliced(start + 1, end - 1).into()
                    } else {
                        text.into()
                    };
                    return (TokenKind::CBody, text);
                }
                Err(stop) => {
                    self.embedded.unclosed_until = stop;
                    if !in_line {
                        report.push(
                            Diagnostic::error(
                                "P0007",
                                self.span(start, start + 1),
                                "this block of C code is never closed",
                            )
                            .help("add the missing `}`"),
                        );
                    }
                }
            }
        }
        self.pos = start + 1;
        (TokenKind::Punct(Punct::LBrace), symbols.punct_text(Punct::LBrace))
    }

    /// One past the closing brace, or where the search gave up.
    fn c_body_end(&self, in_line: bool) -> Result<usize, usize> {
        let (mut at, mut depth) = (self.pos, 0usize);
        while let Some(byte) = self.byte(at) {
            at = match byte {
                b'{' => {
                    depth += 1;
                    at + 1
                }
                b'}' => {
                    depth -= 1;
                    if depth == 0 {
                        return Ok(at + 1);
                    }
                    at + 1
                }
                b'\n' | b'\r' if in_line => return Err(at),
                b'\\' => self.after_splice(at).unwrap_or(at + 1),
                b'"' | b'\'' => self.c_quote_end(at, byte),
                b'/' if self.byte(at + 1) == Some(b'/') => self.line_comment_end(at + 2),
                b'/' if self.byte(at + 1) == Some(b'*') => self.text[at + 2..]
                    .find("*/")
                    .map_or(self.text.len(), |close| at + 2 + close + 2),
                _ => at + 1,
            };
        }
        Err(at)
    }

    /// One past the closing quote; a quote without partner counts as itself.
    fn c_quote_end(&self, open: usize, quote: u8) -> usize {
        let mut at = open + 1;
        while let Some(byte) = self.byte(at) {
            at = match byte {
                b'\\' => self.after_splice(at).unwrap_or(at + 2),
                b'\n' | b'\r' => break,
                _ if byte == quote => return at + 1,
                _ => at + 1,
            };
        }
        at
    }
}
