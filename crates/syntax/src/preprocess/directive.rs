//! Lines that start with `#`.

use super::Preprocessor;
use crate::token::{Token, TokenKind};
use spinor_base::Diagnostic;

impl Preprocessor<'_> {
    /// Obeys the directive after `hash`.
    pub(super) fn directive(&mut self, hash: &Token) {
        let depth = self.readers.len();
        if let Some(name) = self.line_token() {
            let name = Token { span: hash.span.to(name.span), ..name };
            self.obey(&name);
        }
        // After `#include` the rest of this line lies in another reader.
        if self.readers.len() == depth {
            self.skip_line();
        }
    }

    fn obey(&mut self, name: &Token) {
        let skipping = self.reader().is_some_and(|r| r.lexer.skipping);
        let word = if name.kind == TokenKind::Word { &*name.text } else { "" };
        match word {
            "if" => self.open_if(name),
            "ifdef" => self.open_ifdef(name, true),
            "ifndef" => self.open_ifdef(name, false),
            "elif" => self.else_if(name),
            "else" => self.otherwise(name),
            "endif" => self.end_if(name),
            _ if skipping => {}
            "define" => self.define(name),
            "undef" => self.undefine(name),
            "include" => self.include(name),
            "line" => self.line_directive(name),
            "error" | "warning" => self.user_message(name),
            "pragma" => self.pragma(),
            "ident" | "sccs" => {}
            _ if name.kind == TokenKind::Int => self.line_marker(name),
            _ => self.report.push(
                Diagnostic::error(
                    "P0010",
                    name.span,
                    format!("unknown preprocessor directive `#{}`", name.text),
                )
                .help(
                    "use `#define`, `#undef`, `#include`, `#if`, `#ifdef`, `#ifndef`, `#elif`, `#else`, `#endif`, `#line`, `#error`, `#warning` or `#pragma`",
                ),
            ),
        }
    }

    /// `#error` and `#warning`.
    fn user_message(&mut self, name: &Token) {
        let Some(reader) = self.readers.last_mut() else { return };
        let (text, span) = reader.lexer.rest_of_line(&mut self.symbols, &mut self.report);
        let span = name.span.to(span);
        self.report.push(if name.is_word("error") {
            let message = if text.is_empty() { "`#error` reached".to_owned() } else { text };
            Diagnostic::error("P0040", span, message)
                .help("the model says so with `#error`: check its macros and options `-D`")
        } else {
            let message = if text.is_empty() { "`#warning` reached".to_owned() } else { text };
            Diagnostic::warning("P0041", span, message)
        });
    }

    /// Passes the rest of the directive, whatever it says.
    pub(super) fn skip_line(&mut self) {
        if let Some(reader) = self.readers.last_mut() {
            reader.lexer.rest_of_line(&mut self.symbols, &mut self.report);
        }
    }

    /// The next token of the directive.
    pub(super) fn line_token(&mut self) -> Option<Token> {
        let reader = self.readers.last_mut()?;
        let raw = reader.lexer.next_in_line(&mut self.symbols, &mut self.report);
        raw.map(|raw| raw.token)
    }

    /// The rest of the directive.
    pub(super) fn line_tokens(&mut self) -> Vec<Token> {
        std::iter::from_fn(|| self.line_token()).collect()
    }
}
