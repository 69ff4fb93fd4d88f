//! `#line`, the markers `# 12 "file"` that preprocessors leave, and `__LINE__`.

use super::Preprocessor;
use crate::token::{Token, TokenKind};
use spinor_base::{Diagnostic, Span, Text};

impl Preprocessor<'_> {
    /// `#line 12 "file"`.
    pub(super) fn line_directive(&mut self, name: &Token) {
        let line = self.line_tokens();
        let tokens = self.expand_line(line, name.span, false);
        let (number, rest) = tokens.split_first().unzip();
        self.presume(name, number, rest.unwrap_or(&[]));
    }

    /// `# 12 "file" flags`.
    pub(super) fn line_marker(&mut self, number: &Token) {
        let rest = self.line_tokens();
        self.presume(number, Some(number), &rest);
    }

    fn presume(&mut self, directive: &Token, number: Option<&Token>, rest: &[Token]) {
        let line = number
            .filter(|t| t.kind == TokenKind::Int)
            .and_then(|t| t.text.parse::<u32>().ok())
            .filter(|&line| line <= i32::MAX as u32);
        let file: Option<Text> = match rest.first() {
            Some(t) if t.kind == TokenKind::Str => Some(t.text.clone()),
            _ => None,
        };
        let (Some(line), true) = (line, file.is_some() || rest.is_empty()) else {
            self.report.push(
                Diagnostic::error("P0042", directive.span, "malformed line directive")
                    .help("write `#line 12` or `#line 12 \"file\"`"),
            );
            return;
        };
        let Some(reader) = self.readers.last_mut() else { return };
        let at = reader.lexer.position();
        let physical = self.sources.file(reader.file).physical_line(at);
        reader.line_shift = i64::from(line) - i64::from(physical) - 1;
        if let Some(file) = &file {
            reader.presumed_name = file.clone();
        }
        let name = reader.presumed_name.clone();
        let first_reading = !reader.again;
        if first_reading {
            self.sources.add_line_directive(reader.file, at, line, Some(name));
        }
    }

    /// The value of `__LINE__` at `span`.
    pub(super) fn presumed_line(&self, span: Span) -> i64 {
        let shift = self.readers.last().map_or(0, |r| r.line_shift);
        i64::from(self.sources.file(span.file).physical_line(span.lo)) + shift
    }
}
