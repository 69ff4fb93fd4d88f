//! `#include` and `#pragma once`.

use super::Preprocessor;
use crate::FileSource;
use crate::token::{Punct, Token, TokenKind};
use spinor_base::{Diagnostic, FileId, Span, Text};
use std::collections::{HashMap, HashSet};

/// gcc's limit.
const MAX_DEPTH: usize = 200;

/// Files that include each other twice grow exponentially even below `MAX_DEPTH`.
const MAX_INCLUDES: usize = 20_000;

/// Included files so far.
pub(super) struct Includes<'a> {
    files: &'a dyn FileSource,
    known: HashMap<Text, FileId>,
    once: HashSet<Text>,
    count: usize,
    stopped: bool,
}

impl<'a> Includes<'a> {
    /// Nothing included yet.
    pub fn new(files: &'a dyn FileSource) -> Self {
        Includes { files, known: HashMap::new(), once: HashSet::new(), count: 0, stopped: false }
    }
}

impl Preprocessor<'_> {
    /// `#include "file"`, `#include <file>` or a macro that expands to one of them.
    pub(super) fn include(&mut self, name: &Token) {
        let Some(reader) = self.readers.last_mut() else { return };
        let header = reader.lexer.header_name(&mut self.report);
        let Some((wanted, span)) = header.or_else(|| self.computed_name(name)) else {
            self.report.push(
                Diagnostic::error("P0022", name.span, "`#include` needs a file name")
                    .help("write `#include \"file\"`"),
            );
            return;
        };
        // The new file must not see the rest of this line.
        self.skip_line();
        self.open_included(&wanted, name.span.to(span));
    }

    fn computed_name(&mut self, name: &Token) -> Option<(String, Span)> {
        let line = self.line_tokens();
        let tokens = self.expand_line(line, name.span, false);
        let first = tokens.first()?;
        if first.kind == TokenKind::Str {
            return Some((first.text.to_string(), first.span));
        }
        if !first.is(Punct::Lt) {
            return None;
        }
        let close = tokens.iter().position(|t| t.is(Punct::Gt))?;
        let mut text = String::new();
        for token in &tokens[1..close] {
            if token.space_before {
                text.push(' ');
            }
            text.push_str(&token.text);
        }
        Some((text, first.span))
    }

    fn open_included(&mut self, wanted: &str, span: Span) {
        if self.includes.stopped
            || self.readers.len() > MAX_DEPTH
            || self.includes.count >= MAX_INCLUDES
        {
            // Once is enough, and going on could take for ever.
            if !std::mem::replace(&mut self.includes.stopped, true) {
                self.too_deep(wanted, span);
            }
            return;
        }
        let from = self.readers.last().map_or_else(|| "".into(), |r| r.name.clone());
        match self.includes.files.read(wanted, &from) {
            Ok((text, shown)) => self.enter(text, shown.into()),
            Err(reason) => self.report.push(
                Diagnostic::error("P0020", span, format!("cannot include `{wanted}`: {reason}"))
                    .help("check the name, or add its folder with `-I`"),
            ),
        }
    }

    fn enter(&mut self, text: String, shown: Text) {
        if self.includes.once.contains(&shown) {
            return;
        }
        self.includes.count += 1;
        let known = self.includes.known.get(&shown).copied();
        match known.filter(|&id| *self.sources.file(id).text == *text) {
            Some(id) => {
                // The tokens of a file read again come from macros' budget.
                if self.spend(text.len() / 4 + 1) {
                    self.open_again(id, shown.clone(), shown);
                    if let Some(reader) = self.reader() {
                        reader.again = true;
                    }
                }
            }
            None => {
                self.open(shown.clone(), shown.clone(), text.into());
                if let Some(reader) = self.reader() {
                    let id = reader.file;
                    self.includes.known.insert(shown, id);
                }
            }
        }
    }

    fn too_deep(&mut self, wanted: &str, span: Span) {
        let message =
            format!("`#include` of `{wanted}` is nested too deeply or repeated too often");
        self.report.push(
            Diagnostic::error("P0021", span, message)
                .note(format!("at most {MAX_DEPTH} levels and {MAX_INCLUDES} files"))
                .help("guard the file with `#ifndef` or `#pragma once`"),
        );
    }

    /// `#pragma`: only `once` means something here.
    pub(super) fn pragma(&mut self) {
        let once = self.line_token().is_some_and(|t| t.is_word("once"));
        if once && let Some(reader) = self.readers.last() {
            self.includes.once.insert(reader.name.clone());
        }
    }
}
