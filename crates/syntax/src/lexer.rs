//! Characters to tokens, one file at a time.
//!
//! The preprocessor pulls tokens one by one and says when it skips a group;
//! nothing here looks at macros. Comments and `\`-newline pairs vanish here.
//!
//! Invariants
//! - Every byte is looked at a bounded number of times: linear time.
//! - A span covers whole characters.

mod embedded;
mod symbols;
#[cfg(test)]
mod tests;
mod trivia;

use crate::token::{Punct, Token, TokenKind};
use embedded::Embedded;
use spinor_base::{Diagnostic, ExpnId, FileId, Span, Text};
pub(crate) use symbols::Symbols;
use trivia::Trivia;

/// More than this many messages help nobody.
const MAX_DIAGNOSTICS: usize = 500;

/// Collects messages, up to a sane number.
#[derive(Default)]
pub(crate) struct Report {
    /// The messages so far.
    pub list: Vec<Diagnostic>,
}

impl Report {
    /// Adds a message unless there are too many already.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.list.len() < MAX_DIAGNOSTICS {
            self.list.push(diagnostic);
        }
    }
}

/// A token, and whether it is the first of its logical line.
pub(crate) struct Raw {
    pub token: Token,
    pub line_start: bool,
}

/// gcc ends a line at a lone carriage return too.
fn is_line_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// The reader of one file.
pub(crate) struct Lexer {
    file: FileId,
    text: Text,
    pos: usize,
    line_start: bool,
    embedded: Embedded,
    /// The last token ended on another line than it started.
    split_token: bool,
    /// The tokens are thrown away: be silent, swallow no embedded C.
    pub skipping: bool,
}

impl Lexer {
    /// Starts at the first byte of `text`.
    pub fn new(file: FileId, text: Text) -> Self {
        let pos = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let embedded = Embedded::default();
        Lexer { file, text, pos, line_start: true, embedded, split_token: false, skipping: false }
    }

    /// The next token, `None` at the end.
    pub fn next(&mut self, symbols: &mut Symbols, report: &mut Report) -> Option<Raw> {
        let trivia = self.skip_trivia(false, report);
        (self.pos < self.text.len()).then(|| self.token(&trivia, false, symbols, report))
    }

    /// The next token of this logical line, `None` at its end.
    pub fn next_in_line(&mut self, symbols: &mut Symbols, report: &mut Report) -> Option<Raw> {
        let trivia = self.skip_trivia(true, report);
        let at_end = self.byte(self.pos).is_none_or(is_line_break);
        if at_end {
            self.embedded.forget();
        }
        (!at_end).then(|| self.token(&trivia, true, symbols, report))
    }

    /// `<name>` when it stands next on this line.
    pub fn header_name(&mut self, report: &mut Report) -> Option<(String, Span)> {
        self.skip_trivia(true, report);
        let rest = &self.text[self.pos..];
        if !rest.starts_with('<') {
            return None;
        }
        let line = rest.split(['\n', '\r']).next().unwrap_or(rest);
        let close = line.find('>')?;
        let span = self.span(self.pos, self.pos + close + 1);
        let name = line[1..close].to_owned();
        self.pos += close + 1;
        Some((name, span))
    }

    /// The rest of this logical line as written, comments included.
    pub fn rest_of_line(&mut self, symbols: &mut Symbols, report: &mut Report) -> (String, Span) {
        self.skip_trivia(true, report);
        let start = self.pos;
        let was_skipping = std::mem::replace(&mut self.skipping, true);
        let mut end = start;
        while self.next_in_line(symbols, report).is_some() {
            end = self.pos;
        }
        self.skipping = was_skipping;
        (self.unspliced(start, end).trim_end().to_owned(), self.span(start, end))
    }

    /// Where the reader stands.
    pub fn position(&self) -> u32 {
        self.pos as u32
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    fn span(&self, lo: usize, hi: usize) -> Span {
        Span { file: self.file, lo: lo as u32, hi: hi as u32, expn: ExpnId::ROOT }
    }

    /// The byte after the `\`-newline pair at `at`, if there is one. Blanks
    /// between the two are allowed, as gcc does.
    fn after_splice(&self, at: usize) -> Option<usize> {
        let rest = self.text.as_bytes().get(at..)?.strip_prefix(b"\\")?;
        let blanks = rest.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        match rest.get(blanks..)? {
            [b'\r', b'\n', ..] => Some(at + blanks + 3),
            [b'\r' | b'\n', ..] => Some(at + blanks + 2),
            _ => None,
        }
    }

    /// The first position from `at` on that is not a `\`-newline pair.
    fn logical(&self, mut at: usize) -> usize {
        while self.byte(at) == Some(b'\\') {
            let Some(next) = self.after_splice(at) else { break };
            at = next;
        }
        at
    }

    /// The text without `\`-newline pairs.
    fn unspliced(&self, start: usize, end: usize) -> String {
        let mut clean = String::with_capacity(end - start);
        let mut at = start;
        while at < end {
            let stop = self.text[at..end].find('\\').map_or(end, |i| at + i);
            clean.push_str(&self.text[at..stop]);
            at = stop;
            if at < end {
                match self.after_splice(at) {
                    Some(next) => at = next,
                    None => {
                        clean.push('\\');
                        at += 1;
                    }
                }
            }
        }
        clean
    }

    fn token(
        &mut self,
        trivia: &Trivia,
        in_line: bool,
        symbols: &mut Symbols,
        report: &mut Report,
    ) -> Raw {
        let start = self.pos;
        let line_start = std::mem::replace(&mut self.line_start, false);
        let (kind, text) = match self.byte(start).unwrap_or(0) {
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => self.word(TokenKind::Word, symbols),
            b'0'..=b'9' => self.word(TokenKind::Int, symbols),
            b'"' => self.string(symbols, report),
            b'\'' => self.character(symbols, report),
            b'$' => self.dollar(symbols),
            b'{' if self.embedded.expects_body() && !self.skipping => {
                self.c_body(in_line, symbols, report)
            }
            _ => self.punct(symbols, report),
        };
        self.embedded.see(kind, &text);
        let written = &self.text.as_bytes()[start..self.pos];
        self.split_token = kind != TokenKind::CBody && written.contains(&b'\n');
        let token = Token {
            kind,
            span: self.span(start, self.pos),
            text,
            newline_before: trivia.newline || (trivia.splice && trivia.space),
            space_before: trivia.newline || trivia.space,
        };
        Raw { token, line_start }
    }

    /// A word or number. Letters that touch a number belong to it, so that
    /// `0x10` can be reported as one literal.
    fn word(&mut self, kind: TokenKind, symbols: &mut Symbols) -> (TokenKind, Text) {
        let start = self.pos;
        let (mut end, mut next, mut spliced) = (start, start, false);
        while self.byte(next).is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_') {
            end = next + 1;
            next = self.logical(end);
            spliced |= next != end;
        }
        self.pos = end;
        if spliced {
            return (kind, symbols.intern(&self.unspliced(start, end)));
        }
        (kind, symbols.intern(&self.text[start..end]))
    }

    /// The closing quote on this line, or the end of the line. The flag tells
    /// of `\`-newline pairs.
    fn quoted_end(&self, quote: u8) -> (usize, bool) {
        let (mut at, mut spliced) = (self.pos + 1, false);
        while let Some(byte) = self.byte(at) {
            if byte == b'\\' {
                if let Some(next) = self.after_splice(at) {
                    at = next;
                    spliced = true;
                    continue;
                }
                let escaped = self.logical(at + 1);
                spliced |= escaped != at + 1;
                at = if self.byte(escaped).is_some_and(is_line_break) {
                    escaped
                } else {
                    escaped + 1
                };
            } else if byte == quote || is_line_break(byte) {
                break;
            } else {
                at += 1;
            }
        }
        (at.min(self.text.len()), spliced)
    }

    fn quoted_text(&self, start: usize, end: usize, spliced: bool) -> Text {
        if spliced { self.unspliced(start, end).into() } else { self.text[start..end].into() }
    }

    fn string(&mut self, symbols: &mut Symbols, report: &mut Report) -> (TokenKind, Text) {
        let start = self.pos;
        let (mut end, spliced) = self.quoted_end(b'"');
        let closed = self.byte(end) == Some(b'"');
        if !closed {
            end = start + self.text[start..end].trim_end().len();
            if !self.skipping {
                report.push(
                    Diagnostic::error("P0002", self.span(start, end), "unterminated string")
                        .help("close the string with `\"` on the same line"),
                );
            }
        }
        self.pos = end + usize::from(closed);
        let text = self.quoted_text(start + 1, end.max(start + 1), spliced);
        (TokenKind::Str, symbols.intern(&text))
    }

    fn character(&mut self, symbols: &mut Symbols, report: &mut Report) -> (TokenKind, Text) {
        let start = self.pos;
        let (mut end, spliced) = self.quoted_end(b'\'');
        if self.byte(end) == Some(b'\'') {
            end += 1;
            self.pos = end;
            return (TokenKind::Char, symbols.intern(&self.quoted_text(start, end, spliced)));
        }
        end = start + self.text[start..end].trim_end().len();
        self.pos = end;
        if !self.skipping {
            let what = "unterminated character literal";
            report.push(
                Diagnostic::error("P0003", self.span(start, end), what)
                    .help("write one character between two `'`"),
            );
        }
        (TokenKind::Unknown, self.quoted_text(start, end, spliced))
    }

    /// `$ … $`: the old way to write a formula; a lone `$` is punctuation.
    fn dollar(&mut self, symbols: &mut Symbols) -> (TokenKind, Text) {
        let start = self.pos + 1;
        let close = self.text[start..].find(['$', '\n', '\r']).map(|i| start + i);
        match close.filter(|&at| self.byte(at) == Some(b'$')) {
            Some(close) => {
                self.pos = close + 1;
                (TokenKind::Str, symbols.intern(&self.text[start..close]))
            }
            None => {
                self.pos = start;
                (TokenKind::Punct(Punct::Dollar), symbols.punct_text(Punct::Dollar))
            }
        }
    }

    fn punct(&mut self, symbols: &mut Symbols, report: &mut Report) -> (TokenKind, Text) {
        let start = self.pos;
        for &(punct, spelling) in symbols.puncts_from(self.byte(start).unwrap_or(0)) {
            if let Some(end) = self.matches(spelling.as_bytes()) {
                self.pos = end;
                if punct == Punct::Slash && !self.skipping {
                    self.warn_of_spliced_conjunction(start, report);
                }
                return (TokenKind::Punct(punct), symbols.punct_text(punct));
            }
        }
        let mut end = start;
        while let Some(byte) = self.byte(end) {
            let starts_no_token = !byte.is_ascii_graphic() && !byte.is_ascii_whitespace();
            let backslash = byte == b'\\' && self.after_splice(end).is_none();
            if !(starts_no_token && byte != 0 && byte != 0x0b || byte == b'`' || backslash) {
                break;
            }
            end += 1;
        }
        self.pos = end.max(start + 1);
        (TokenKind::Unknown, self.text[start..self.pos].into())
    }

    /// The end of `spelling` if it stands here.
    fn matches(&self, spelling: &[u8]) -> Option<usize> {
        let mut end = self.pos;
        for (index, &expected) in spelling.iter().enumerate() {
            let at = if index == 0 { end } else { self.logical(end) };
            if self.byte(at) != Some(expected) {
                return None;
            }
            end = at + 1;
        }
        Some(end)
    }

    /// SPIN: cpp joins the lines, so the formula silently becomes a division.
    fn warn_of_spliced_conjunction(&self, start: usize, report: &mut Report) {
        if self.after_splice(start + 1).is_some() {
            let message = "`/\\` at the end of a line is a `/` and a line continuation";
            report.push(
                Diagnostic::warning("P0006", self.span(start, start + 2), message)
                    .help("write `&&`, or put `/\\` on the next line"),
            );
        }
    }
}
