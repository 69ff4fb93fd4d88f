//! `##`: two tokens become one.

use super::substitute::spelling;
use super::{Preprocessor, Tok};
use crate::lexer::{Lexer, Report};
use crate::token::{Token, TokenKind};
use spinor_base::Diagnostic;

/// Operators of C that are several tokens of Promela: gcc joins them silently.
const C_OPERATORS: [&str; 11] =
    ["+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "..."];

impl Preprocessor<'_> {
    /// Appends `tok`, joined to the last token if `joins`.
    pub(super) fn put(&mut self, out: &mut Vec<Tok>, tok: Tok, joins: bool) {
        if !joins {
            self.close_paste(out);
            out.push(tok);
            return;
        }
        let Some(left) = out.last_mut() else { return };
        let wordy = |t: &Token| matches!(t.kind, TokenKind::Word | TokenKind::Int);
        if left.token.kind == TokenKind::Word && wordy(&tok.token) {
            // PERF: a long chain of `##` grows one buffer instead of many words.
            let joined = self.joined.get_or_insert_with(|| left.token.text.to_string());
            joined.push_str(&tok.token.text);
            left.finished = false;
            let grown = tok.token.text.len() / 8;
            self.spend(grown);
            return;
        }
        self.close_paste(out);
        let Some(left) = out.pop() else { return };
        self.paste(out, &left.token, tok);
    }

    /// Gives the last token the text that a chain of `##` made.
    pub(super) fn close_paste(&mut self, out: &mut [Tok]) {
        if let Some(joined) = self.joined.take()
            && let Some(last) = out.last_mut()
        {
            last.token.text = self.symbols.intern(&joined);
        }
    }

    fn paste(&mut self, out: &mut Vec<Tok>, left: &Token, right: Tok) {
        let joined = format!("{}{}", spelling(left), spelling(&right.token));
        self.spend(joined.len() / 8);
        let tokens = self.relex(&joined, left);
        if tokens.len() != 1 && !is_c_token(&joined) {
            let message =
                format!("`{}` and `{}` do not join into one token", left.text, right.token.text);
            self.report.push(
                Diagnostic::error("P0017", left.span, message).help("remove the `##` between them"),
            );
            out.push(Tok::new(left.clone()));
            out.push(right);
            return;
        }
        out.extend(tokens.into_iter().map(Tok::new));
    }

    /// The tokens of a made-up text, placed where `left` is.
    fn relex(&mut self, text: &str, left: &Token) -> Vec<Token> {
        let mut lexer = Lexer::new(left.span.file, text.into());
        let mut quiet = Report::default();
        let mut tokens = Vec::new();
        while let Some(raw) = lexer.next(&mut self.symbols, &mut quiet) {
            let newline_before = false;
            let space_before = raw.token.space_before || (tokens.is_empty() && left.space_before);
            tokens.push(Token { span: left.span, newline_before, space_before, ..raw.token });
        }
        tokens
    }
}

/// Whether C would read `text` as one token.
fn is_c_token(text: &str) -> bool {
    let number = text.strip_prefix('.').unwrap_or(text);
    C_OPERATORS.contains(&text)
        || number.starts_with(|c: char| c.is_ascii_digit())
            && number.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_'))
}
