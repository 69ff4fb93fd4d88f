//! The stack of open files.

use super::group::Group;
use super::{EFFORT_PER_BYTE, Preprocessor, Tok};
use crate::lexer::{Lexer, Raw};
use crate::token::Punct;
use spinor_base::{Diagnostic, FileId, Text};

/// An open file.
pub(super) struct Reader {
    pub lexer: Lexer,
    pub file: FileId,
    /// Name for [`crate::FileSource::read`].
    pub name: Text,
    /// Name after `#line`.
    pub presumed_name: Text,
    /// Presumed line minus physical line, after `#line`.
    pub line_shift: i64,
    /// Open `#if`s, outermost first.
    pub groups: Vec<Group>,
    /// The file was read before: its `#line`s are known.
    pub again: bool,
    /// A token looked at but not used.
    held: Option<Raw>,
}

/// What the caller is after.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    /// Any token, of this file or the next one on the stack.
    Token,
    /// A `(` after the name of a macro: stay in this file, pass no directive.
    Paren,
    /// More of a macro use: stay in this file.
    Argument,
}

impl Preprocessor<'_> {
    /// Makes `text` the file to read from.
    pub(super) fn open(&mut self, shown: Text, name: Text, text: Text) {
        self.max_effort += EFFORT_PER_BYTE * text.len();
        let file = self.sources.add_file(shown.clone(), text.clone());
        self.open_again(file, shown, name);
    }

    /// Reads a known file from its start.
    pub(super) fn open_again(&mut self, file: FileId, shown: Text, name: Text) {
        let text = self.sources.file(file).text.clone();
        self.readers.push(Reader {
            lexer: Lexer::new(file, text),
            file,
            name,
            presumed_name: shown,
            line_shift: 0,
            groups: Vec::new(),
            again: false,
            held: None,
        });
        // A file starts on a line of its own.
        self.break_pending = true;
    }

    /// The next token outside skipped groups; directives are obeyed on the way.
    pub(super) fn read(&mut self, want: Want) -> Option<Tok> {
        loop {
            let reader = self.readers.last_mut()?;
            let held = reader.held.take();
            let raw = held.or_else(|| reader.lexer.next(&mut self.symbols, &mut self.report));
            let Some(mut raw) = raw else {
                if want != Want::Token {
                    return None;
                }
                self.close();
                continue;
            };
            if raw.line_start && raw.token.is(Punct::Hash) {
                if want == Want::Paren {
                    reader.held = Some(raw);
                    return None;
                }
                self.directive(&raw.token);
                continue;
            }
            if reader.lexer.skipping {
                continue;
            }
            if std::mem::take(&mut self.break_pending) {
                raw.token.newline_before = true;
                raw.token.space_before = true;
            }
            if want == Want::Paren && !raw.token.is(Punct::LParen) {
                reader.held = Some(raw);
                return None;
            }
            return Some(Tok::new(raw.token));
        }
    }

    fn close(&mut self) {
        let Some(reader) = self.readers.pop() else { return };
        self.break_pending = true;
        for group in &reader.groups {
            self.report.push(
                Diagnostic::error("P0033", group.span, "unterminated conditional")
                    .here("this has no `#endif`")
                    .help("add `#endif` before the end of the file"),
            );
        }
    }

    /// The reader of the current directive.
    pub(super) fn reader(&mut self) -> Option<&mut Reader> {
        self.readers.last_mut()
    }
}
