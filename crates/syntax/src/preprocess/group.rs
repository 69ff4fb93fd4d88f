//! `#if` … `#endif`: which groups of lines are read.

use super::Preprocessor;
use super::condition::evaluate;
use crate::token::Token;
use spinor_base::{Diagnostic, Span};

/// An open `#if`.
pub(super) struct Group {
    /// The `#if`.
    pub span: Span,
    /// The lines around it are read.
    outer_active: bool,
    /// One of its branches was or is read.
    taken: bool,
    /// Where its `#else` stands.
    else_at: Option<Span>,
}

impl Preprocessor<'_> {
    /// `#if`.
    pub(super) fn open_if(&mut self, name: &Token) {
        let active = self.is_active();
        let holds = active && self.condition(name);
        self.open_group(name, active, holds);
    }

    /// `#ifdef` (`wanted`) or `#ifndef`.
    pub(super) fn open_ifdef(&mut self, name: &Token, wanted: bool) {
        let active = self.is_active();
        let mut holds = false;
        if active {
            let found = self.line_token();
            if let Some(operand) = self.macro_name(name, found.as_ref()) {
                holds = self.macros.has(&operand.text) == wanted;
            }
        }
        self.open_group(name, active, holds);
    }

    fn open_group(&mut self, name: &Token, outer_active: bool, holds: bool) {
        let Some(reader) = self.reader() else { return };
        reader.groups.push(Group { span: name.span, outer_active, taken: holds, else_at: None });
        reader.lexer.skipping = !holds;
    }

    /// `#elif`.
    pub(super) fn else_if(&mut self, name: &Token) {
        let Some(group) = self.innermost(name) else { return };
        let open = group.outer_active && !group.taken;
        if let Some(else_at) = group.else_at {
            return self.after_else(name, else_at);
        }
        let holds = open && self.condition(name);
        self.select(holds);
    }

    /// `#else`.
    pub(super) fn otherwise(&mut self, name: &Token) {
        let Some(group) = self.innermost(name) else { return };
        let holds = group.outer_active && !group.taken;
        if let Some(else_at) = group.else_at.replace(name.span) {
            return self.after_else(name, else_at);
        }
        self.select(holds);
    }

    /// `#endif`.
    pub(super) fn end_if(&mut self, name: &Token) {
        if self.innermost(name).is_none() {
            return;
        }
        let Some(reader) = self.reader() else { return };
        if let Some(group) = reader.groups.pop() {
            reader.lexer.skipping = !group.outer_active;
        }
    }

    fn select(&mut self, holds: bool) {
        let Some(reader) = self.reader() else { return };
        if let Some(group) = reader.groups.last_mut() {
            group.taken |= holds;
            reader.lexer.skipping = !holds;
        }
    }

    fn is_active(&mut self) -> bool {
        self.reader().is_some_and(|r| !r.lexer.skipping)
    }

    fn innermost(&mut self, name: &Token) -> Option<&mut Group> {
        if self.reader().is_none_or(|r| r.groups.is_empty()) {
            let message = format!("`#{}` without `#if`", name.text);
            self.report.push(
                Diagnostic::error("P0032", name.span, message)
                    .help("remove it, or add the `#if` it belongs to"),
            );
        }
        self.reader()?.groups.last_mut()
    }

    fn after_else(&mut self, name: &Token, else_at: Span) {
        self.report.push(
            Diagnostic::error("P0034", name.span, format!("`#{}` after `#else`", name.text))
                .label(else_at, "the `#else` of the same `#if`")
                .help("`#else` must be the last branch"),
        );
    }

    /// The value of the expression on this line.
    fn condition(&mut self, name: &Token) -> bool {
        // A condition is read even where the last branch was skipped.
        if let Some(reader) = self.reader() {
            reader.lexer.skipping = false;
        }
        let line = self.line_tokens();
        let tokens = self.expand_line(line, name.span, true);
        let macros = &self.macros;
        match evaluate(&tokens, name, &|word| macros.has(word)) {
            Ok(holds) => holds,
            Err(error) => {
                self.report.push(*error);
                false
            }
        }
    }
}
