//! The C preprocessor on Promela tokens.
//!
//! SPIN pipes its input through `gcc -E`; here the same happens inside, with
//! positions kept. One difference is wanted: `1..N` is three tokens, so that a
//! macro `N` is expanded.
//!
//! Macro expansion is a machine with an explicit stack ([`expand`]), files are
//! a stack of readers ([`input`]); nothing recurses. `effort` bounds the work
//! of macros and includes, everything else is linear in the input.

mod arguments;
pub(crate) mod c_macros;
mod condition;
mod define;
mod directive;
mod expand;
mod group;
mod include;
mod input;
mod line;
mod paste;
mod substitute;
#[cfg(test)]
mod tests;

use crate::lexer::{Report, Symbols};
use crate::token::{Token, TokenKind};
use crate::{Define, FileSource, PreprocessOptions};
use define::MacroTable;
use expand::Machine;
use include::Includes;
use input::Reader;
use spinor_base::{Diagnostic, ExpnId, SourceMap, Span, Text};

/// Tokens that macros may produce and touch, besides `EFFORT_PER_BYTE`. Real
/// models stay far below; exponential nests of macros reach it within a second.
const BASE_EFFORT: usize = 5_000_000;

/// So that long models may use macros everywhere.
const EFFORT_PER_BYTE: usize = 8;

/// A token on its way through macro expansion.
#[derive(Clone)]
struct Tok {
    token: Token,
    /// Met while its macro was being expanded: never expand it again.
    finished: bool,
}

impl Tok {
    fn new(token: Token) -> Self {
        Tok { token, finished: false }
    }
}

struct Preprocessor<'a> {
    sources: SourceMap,
    symbols: Symbols,
    report: Report,
    macros: MacroTable,
    readers: Vec<Reader>,
    machine: Machine,
    includes: Includes<'a>,
    /// A line break inside the last macro use counts before the next token.
    break_pending: bool,
    effort: usize,
    max_effort: usize,
    /// The word that a chain of `##` is building.
    joined: Option<String>,
    /// Value of the next `__COUNTER__`.
    counter: u32,
    out: Vec<Token>,
    /// Length of `out` before the current outermost macro use.
    out_before_use: usize,
}

/// Reads `text` with everything it includes.
pub(crate) fn preprocess(
    name: &str,
    text: &str,
    options: &PreprocessOptions,
    files: &dyn FileSource,
) -> (Vec<Token>, SourceMap, Vec<Diagnostic>) {
    let mut pp = Preprocessor {
        sources: SourceMap::new(),
        symbols: Symbols::default(),
        report: Report::default(),
        macros: MacroTable::with_builtins(),
        readers: Vec::new(),
        machine: Machine::for_files(),
        includes: Includes::new(files),
        break_pending: false,
        effort: 0,
        max_effort: BASE_EFFORT,
        joined: None,
        counter: 0,
        out: Vec::new(),
        out_before_use: 0,
    };
    let name: Text = name.into();
    pp.open(name.clone(), name.clone(), text.into());
    if !options.defines.is_empty() {
        let shown: Text = "<command line>".into();
        pp.open(shown, name, command_line(options).into());
    }
    while let Some(tok) = pp.next_expanded() {
        pp.emit(tok.token);
    }
    let end = text.len() as u32;
    let eof = Span { lo: end, hi: end, expn: ExpnId::ROOT, ..Span::default() };
    pp.out.push(Token {
        kind: TokenKind::Eof,
        span: eof,
        text: "".into(),
        newline_before: true,
        space_before: true,
    });
    (pp.out, pp.sources, pp.report.list)
}

/// `-D` and `-U` as directives.
fn command_line(options: &PreprocessOptions) -> String {
    let mut text = String::new();
    for define in &options.defines {
        let line = match define {
            Define::Define(name, value) => format!("#define {name} {value}"),
            Define::Undefine(name) => format!("#undef {name}"),
        };
        text.push_str(&line.replace(['\n', '\r'], " "));
        text.push('\n');
    }
    text
}

impl Preprocessor<'_> {
    /// Counts work of macros; false, once, when it is too much. Then nothing
    /// more is read.
    fn spend(&mut self, tokens: usize) -> bool {
        if self.is_exhausted() {
            return false;
        }
        self.effort += tokens;
        if !self.is_exhausted() {
            return true;
        }
        let message = format!("macros expand to more than {} tokens", self.max_effort);
        self.report.push(
            Diagnostic::error("P0018", self.machine.root, message)
                .here("in the expansion of this")
                .note("the model is read up to here only")
                .help("check for macros that use each other several times"),
        );
        self.readers.clear();
        self.machine = Machine::for_files();
        self.out.truncate(self.out_before_use);
        false
    }

    fn is_exhausted(&self) -> bool {
        self.effort > self.max_effort
    }

    /// Hands a token to the parser. What a token that is never used looks like
    /// does not matter, so literals are judged only here.
    fn emit(&mut self, token: Token) {
        match token.kind {
            TokenKind::Int if !token.text.bytes().all(|b| b.is_ascii_digit()) => {
                self.report.push(bad_number(&token));
            }
            TokenKind::Char if !is_one_character(&token.text) => {
                let message = format!("{} is not one character", token.text);
                self.report.push(Diagnostic::error("P0003", token.span, message).help(
                    "write one character or one of `\\n`, `\\t`, `\\r`, `\\f` between the quotes",
                ));
            }
            // An open quote has been reported by the lexer.
            TokenKind::Unknown if !token.text.starts_with('\'') => {
                self.report.push(bad_character(&token));
            }
            _ => {}
        }
        let is_c = token.kind == TokenKind::CBody;
        let token = if is_c { self.with_macros(token) } else { token };
        self.out.push(token);
    }
}

fn bad_number(token: &Token) -> Diagnostic {
    let text = &*token.text;
    let message = format!("`{text}` is not a decimal literal");
    let error = Diagnostic::error("P0005", token.span, message)
        .note("Promela has only decimal integer literals");
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    match digits.and_then(|d| i64::from_str_radix(d, 16).ok()) {
        Some(value) => error.help(format!("write `{value}`")),
        None => error.help("separate the number from the letters by a space"),
    }
}

fn bad_character(token: &Token) -> Diagnostic {
    let first = token.text.chars().next().unwrap_or(' ');
    let error = |what: String| Diagnostic::error("P0004", token.span, what);
    match first {
        '\u{a0}' => error("no-break space is not allowed here".into())
            .help("replace it by an ordinary space"),
        '“' | '”' | '„' => error(format!("unexpected character `{first}`"))
            .help("strings stand between `\"` characters"),
        '–' | '—' | '−' => {
            error(format!("unexpected character `{first}`")).help("write `-` for a minus")
        }
        c if c.is_control() => {
            error(format!("unexpected control character U+{:04X}", c as u32)).help("remove it")
        }
        c => error(format!("unexpected character `{c}`")).help("remove it"),
    }
}

fn is_one_character(literal: &str) -> bool {
    let inner = literal.get(1..literal.len().saturating_sub(1)).unwrap_or("");
    let mut chars = inner.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some('\\'), Some(_), None) => true,
        (Some(c), None, None) => c != '\\',
        _ => false,
    }
}
