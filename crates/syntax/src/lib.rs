//! Promela text to syntax tree: preprocessor, lexer, parser.
//!
//! Reading never fails: whatever the text, the result is a tree of what could
//! be understood and a list of diagnostics. No I/O: files come through
//! [`FileSource`].

pub mod ast;
mod implicit;
mod lexer;
mod parser;
mod preprocess;
pub mod token;

pub use parser::{MAX_DEPTH, ParsedFormula, parse, parse_formula};

use spinor_base::{Diagnostic, SourceMap};

/// Where `#include` finds its files.
pub trait FileSource {
    /// The text of `name` as seen from `from` (the including file), and the
    /// name to show for it.
    ///
    /// # Errors
    /// A sentence that says why the file cannot be read.
    fn read(&self, name: &str, from: &str) -> Result<(String, String), String>;
}

/// A [`FileSource`] without files.
pub struct NoFiles;

impl FileSource for NoFiles {
    fn read(&self, name: &str, _from: &str) -> Result<(String, String), String> {
        Err(format!("no file `{name}`"))
    }
}

/// What the command line says about the text of a model.
#[derive(Clone, Debug, Default)]
pub struct PreprocessOptions {
    /// `-D NAME[=VALUE]` and `-U NAME`, in order.
    pub defines: Vec<Define>,
    /// The end of a line ends no statement, as before SPIN 6.3.
    pub explicit_semicolons: bool,
}

/// One `-D` or `-U`.
#[derive(Clone, Debug)]
pub enum Define {
    /// `-D NAME=VALUE`; the value is `1` when none is given.
    Define(String, String),
    /// `-U NAME`.
    Undefine(String),
}

/// A read model: always a tree, perhaps with errors.
#[derive(Debug)]
pub struct Parsed {
    /// What could be understood.
    pub module: ast::Module,
    /// Files and expansions; spans of the tree and the diagnostics refer to it.
    pub sources: SourceMap,
    /// Errors and warnings in source order.
    pub diagnostics: Vec<Diagnostic>,
}

/// A model as tokens.
#[derive(Debug)]
pub struct Tokenized {
    /// Preprocessed, with implicit semicolons if they are wanted, ending in [`token::TokenKind::Eof`].
    pub tokens: Vec<token::Token>,
    /// Files and macro uses; the spans refer to it.
    pub sources: SourceMap,
    /// Errors and warnings in the order in which they were found.
    pub diagnostics: Vec<Diagnostic>,
}

/// Preprocesses `text`, which is called `name`, into tokens.
#[must_use]
pub fn tokenize(
    name: &str,
    text: &str,
    options: &PreprocessOptions,
    files: &dyn FileSource,
) -> Tokenized {
    let (tokens, sources, diagnostics) = preprocess::preprocess(name, text, options, files);
    let tokens =
        if options.explicit_semicolons { tokens } else { implicit::insert_semicolons(tokens) };
    Tokenized { tokens, sources, diagnostics }
}
