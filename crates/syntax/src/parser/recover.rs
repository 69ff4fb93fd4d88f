//! Finding a place to go on after an error.

use super::Parser;
use super::keywords::{ends_body, is_type, is_visibility, starts_item, starts_stmt};
use crate::token::{Punct, TokenKind};

impl Parser {
    /// Skips to the end of the statement that began at `start`, or to the next
    /// one; takes at least one token.
    pub(super) fn recover_stmt(&mut self, start: usize) {
        if self.pos <= start && !self.at_sequence_end() {
            self.skip_choice();
        }
        while !self.at_separator() && !self.at_sequence_end() {
            let fresh = self.pos > start
                && self.word().is_some_and(|w| starts_stmt(w) || is_type(w) || is_visibility(w));
            if fresh {
                return;
            }
            self.skip_group();
        }
    }

    /// Takes one token, or an `if … fi`, `do … od` or `{ … }` as a whole.
    fn skip_choice(&mut self) {
        if !self.at_word("if") && !self.at_word("do") {
            return self.skip_group();
        }
        let mut depth = 0usize;
        while !self.at_end() {
            match self.word() {
                Some("if" | "do") => depth += 1,
                Some("fi" | "od") => depth -= 1,
                Some(word) if ends_body(word) => return,
                _ => {}
            }
            self.bump();
            if depth == 0 {
                return;
            }
        }
    }

    /// Takes one token, or a `{ … }` as a whole.
    fn skip_group(&mut self) {
        if !self.at(Punct::LBrace) {
            self.bump();
            return;
        }
        let mut depth = 0usize;
        while !self.at_end() {
            if self.at(Punct::LBrace) {
                depth += 1;
            } else if self.at(Punct::RBrace) {
                depth -= 1;
            } else if self.word().is_some_and(ends_body) {
                return;
            }
            self.bump();
            if depth == 0 {
                return;
            }
        }
    }

    /// Skips to the `)` that closes the parenthesis around the current token.
    pub(super) fn skip_parenthesis(&mut self) {
        let mut depth = 1usize;
        while !self.at_end() && !self.at(Punct::RBrace) && !self.at(Punct::ColonColon) {
            if self.at(Punct::LParen) {
                depth += 1;
            } else if self.at(Punct::RParen) {
                depth -= 1;
            }
            self.bump();
            if depth == 0 {
                return;
            }
        }
    }

    /// Skips to the next top-level unit; takes at least one token.
    pub(super) fn recover_item(&mut self, start: usize) {
        if self.pos <= start {
            self.skip_group();
        }
        while !self.at_end() {
            if self.word().is_some_and(starts_item) {
                return;
            }
            let line_start = self.tok().newline_before;
            if line_start && self.word().is_some_and(|w| is_type(w) || is_visibility(w)) {
                return;
            }
            if self.at(Punct::Semi) && self.ahead(1).newline_before {
                self.bump();
                if self.at_decl() || self.word().is_some_and(starts_item) {
                    return;
                }
                continue;
            }
            self.skip_group();
        }
    }

    /// Skips to the `{` of a body whose head has an error; `false` if there is none.
    pub(super) fn recover_body(&mut self) -> bool {
        while !self.at_end() && !self.word().is_some_and(starts_item) {
            if self.at(Punct::LBrace) {
                return true;
            }
            if self.at(Punct::RBrace) || self.kind() == TokenKind::Str {
                return false;
            }
            self.bump();
        }
        false
    }
}
