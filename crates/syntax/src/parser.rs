//! Tokens to syntax tree: recursive descent for statements and declarations,
//! precedence climbing for expressions and formulas.
//!
//! Invariants
//! - Every loop consumes a token or ends; every text gives a tree.
//! - A function that returns [`Fail`] has reported why; its caller recovers at
//!   the next statement or item.
//! - No tree is higher than [`MAX_DEPTH`] levels of nesting, so later
//!   recursive passes and the drop of the tree are safe on a large stack.

mod cursor;
mod decls;
mod exprs;
mod formula;
mod hints;
mod inline;
mod inline_check;
mod items;
mod keywords;
mod messages;
mod names;
mod operands;
mod probes;
mod recover;
mod report;
mod stmts;
mod stmts_basic;
mod stmts_compound;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use spinor_base::{Diagnostic, FileId, SourceMap, Span};

use crate::ast::{Formula, Module, Place};
use crate::token::{Token, TokenKind};
use crate::{FileSource, Parsed, PreprocessOptions, tokenize};

/// Levels of nesting (blocks, choices, parentheses, operators) of a tree.
pub const MAX_DEPTH: u32 = 2_000;

/// Tokens that all inline calls of a model may produce together.
const MAX_INLINE_TOKENS: usize = 5_000_000;

/// Errors after which the parser gives up.
const MAX_ERRORS: usize = 50;

/// The error is reported; the caller recovers.
#[derive(Debug)]
struct Fail;

type Parse<T> = Result<T, Fail>;

/// A formula read by [`parse_formula`].
#[derive(Debug)]
pub struct ParsedFormula {
    /// `None` when the text is no formula.
    pub formula: Option<Formula>,
    /// What the spans refer to.
    pub sources: SourceMap,
    /// Errors and warnings in source order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a model: preprocessor, lexer, parser. Never fails.
///
/// The deepest text that is accepted takes less than 8 MB of stack.
#[must_use]
pub fn parse(
    name: &str,
    text: &str,
    options: &PreprocessOptions,
    files: &dyn FileSource,
) -> Parsed {
    let read = tokenize(name, text, options, files);
    let mut parser = Parser::new(read.tokens, read.sources, read.diagnostics);
    parser.explicit_semicolons = options.explicit_semicolons;
    let module = parser.module();
    let (sources, diagnostics) = parser.finish();
    Parsed { module, sources, diagnostics }
}

/// Reads one temporal formula, without `ltl` and braces around it.
#[must_use]
pub fn parse_formula(
    name: &str,
    text: &str,
    options: &PreprocessOptions,
    files: &dyn FileSource,
) -> ParsedFormula {
    let read = tokenize(name, text, options, files);
    let mut parser = Parser::new(read.tokens, read.sources, read.diagnostics);
    let formula = parser.lone_formula();
    let (sources, diagnostics) = parser.finish();
    ParsedFormula { formula, sources, diagnostics }
}

/// A construct that waits for its closing token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opener {
    Block,
    If,
    Do,
}

struct Parser {
    /// Ends with [`TokenKind::Eof`]; swapped while an inline body is read.
    tokens: Vec<Token>,
    pos: usize,
    sources: SourceMap,
    diagnostics: Vec<Diagnostic>,
    /// Place of the last error, to report one error per token.
    last_error: Option<Span>,
    /// An inline body is read once per call: report each place once.
    reported: HashSet<(FileId, u32, &'static str)>,
    errors: usize,
    /// Errors found, reported or not.
    failures: usize,
    stopped: bool,
    depth: u32,
    /// Height of the highest expression finished inside the current primary.
    tall: u32,
    too_deep: bool,
    names: names::Names,
    inlines: inline::Inlines,
    /// Where `return` of the active inline calls puts its value.
    returns: Vec<Option<Place>>,
    open: Vec<Opener>,
    in_formula: bool,
    in_claim: bool,
    /// Only braces end a statement by themselves.
    explicit_semicolons: bool,
    /// Items that stand where they may not (inside a body) but are understood.
    displaced: Vec<crate::ast::Item>,
}

impl Parser {
    fn new(mut tokens: Vec<Token>, sources: SourceMap, diagnostics: Vec<Diagnostic>) -> Self {
        if tokens.last().is_none_or(|t| t.kind != TokenKind::Eof) {
            let span = tokens.last().map_or_else(Span::default, |t| t.span.end());
            tokens.push(Token {
                kind: TokenKind::Eof,
                span,
                text: "".into(),
                newline_before: true,
                space_before: true,
            });
        }
        // The lexer has complained about these.
        tokens.retain(|t| t.kind != TokenKind::Unknown);
        let names = names::Names::scan(&tokens);
        Parser {
            tokens,
            pos: 0,
            sources,
            diagnostics,
            last_error: None,
            reported: HashSet::new(),
            errors: 0,
            failures: 0,
            stopped: false,
            depth: 0,
            tall: 0,
            too_deep: false,
            names,
            inlines: inline::Inlines::default(),
            returns: Vec::new(),
            open: Vec::new(),
            in_formula: false,
            in_claim: false,
            explicit_semicolons: false,
            displaced: Vec::new(),
        }
    }

    fn module(&mut self) -> Module {
        Module { items: self.items() }
    }

    fn finish(self) -> (SourceMap, Vec<Diagnostic>) {
        let Parser { sources, mut diagnostics, .. } = self;
        let place = |d: &Diagnostic| {
            let at = sources.outermost(d.primary);
            (at.file, at.lo)
        };
        diagnostics.sort_by_cached_key(place);
        (sources, diagnostics)
    }

    /// Counts one level of nesting; pairs with [`Parser::leave`].
    fn enter(&mut self) -> Parse<()> {
        if self.depth >= MAX_DEPTH {
            return Err(self.nested_too_deeply());
        }
        self.depth += 1;
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
        if self.depth == 0 {
            self.too_deep = false;
        }
    }
}
