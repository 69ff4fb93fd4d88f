//! White space and comments.

use super::{Lexer, Report, is_line_break};
use spinor_base::Diagnostic;

/// What stands between two tokens.
#[derive(Default)]
pub(super) struct Trivia {
    pub newline: bool,
    pub space: bool,
    pub splice: bool,
}

impl Lexer {
    /// Passes white space and comments; `in_line` stops before a line break.
    pub(super) fn skip_trivia(&mut self, in_line: bool, report: &mut Report) -> Trivia {
        let splice = std::mem::take(&mut self.split_token);
        let mut trivia = Trivia { splice, ..Trivia::default() };
        while let Some(byte) = self.byte(self.pos) {
            match byte {
                b'\n' | b'\r' if in_line => break,
                b'\n' | b'\r' => {
                    self.pos += 1;
                    self.line_start = true;
                    trivia.newline = true;
                }
                b' ' | b'\t' | 0x0b | 0x0c | 0 => {
                    self.pos += 1;
                    trivia.space = true;
                }
                b'\\' => {
                    let Some(next) = self.after_splice(self.pos) else { break };
                    self.pos = next;
                    trivia.splice = true;
                }
                b'/' => {
                    let second = self.logical(self.pos + 1);
                    match self.byte(second) {
                        Some(b'/') => self.pos = self.line_comment_end(second + 1),
                        Some(b'*') => trivia.newline |= self.block_comment(second + 1, report),
                        _ => break,
                    }
                    trivia.space = true;
                }
                b'*' => {
                    let Some(end) = self.stray_close() else { break };
                    self.report_stray_close(end, report);
                    self.pos = end;
                    trivia.space = true;
                }
                _ => break,
            }
        }
        trivia
    }

    /// The end of a `*/` that closes nothing. `*//` and `*/*` are a star and a comment.
    fn stray_close(&self) -> Option<usize> {
        let slash = self.logical(self.pos + 1);
        let next = self.byte(self.logical(slash + 1));
        let stray = self.byte(slash) == Some(b'/') && !matches!(next, Some(b'/' | b'*'));
        stray.then_some(slash + 1)
    }

    /// SPIN: passed over in silence; most often a comment inside a comment.
    fn report_stray_close(&self, end: usize, report: &mut Report) {
        if !self.skipping {
            report.push(
                Diagnostic::warning("P0008", self.span(self.pos, end), "`*/` closes no comment")
                    .help("remove it; comments do not nest"),
            );
        }
    }

    pub(super) fn line_comment_end(&self, mut at: usize) -> usize {
        while let Some(byte) = self.byte(at) {
            at = match byte {
                b'\n' | b'\r' => break,
                b'\\' => self.after_splice(at).unwrap_or(at + 1),
                _ => at + 1,
            };
        }
        at
    }

    /// Passes a block comment whose text starts at `at`; true if it holds a line break.
    fn block_comment(&mut self, mut at: usize, report: &mut Report) -> bool {
        let start = self.pos;
        let mut newline = false;
        while let Some(byte) = self.byte(at) {
            if byte == b'*' {
                let close = self.logical(at + 1);
                if self.byte(close) == Some(b'/') {
                    self.pos = close + 1;
                    return newline;
                }
            }
            newline |= is_line_break(byte);
            at += 1;
        }
        self.pos = at;
        report.push(
            Diagnostic::error("P0001", self.span(start, start + 2), "unterminated comment")
                .here("starts here and runs to the end of the file")
                .help("close it with `*/`"),
        );
        newline
    }
}
