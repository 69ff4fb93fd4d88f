//! Macros, conditionals, includes; one `check` per fact.

mod gcc;

use super::preprocess;
use crate::token::TokenKind;
use crate::{Define, FileSource, NoFiles, PreprocessOptions};
use spinor_base::{Diagnostic, SourceMap, Span};

/// Files in memory, by name.
struct Memory(&'static [(&'static str, &'static str)]);

impl FileSource for Memory {
    fn read(&self, name: &str, _from: &str) -> Result<(String, String), String> {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.map(|(n, t)| ((*t).to_owned(), (*n).to_owned())).ok_or("not found".to_owned())
    }
}

fn run(
    input: &str,
    files: &dyn FileSource,
    options: &PreprocessOptions,
) -> (String, Vec<Diagnostic>) {
    let (tokens, _, diagnostics) = preprocess("m.pml", input, options, files);
    assert_eq!(tokens.last().map(|t| t.kind), Some(TokenKind::Eof));
    let words: Vec<_> =
        tokens[..tokens.len() - 1].iter().map(super::substitute::spelling).collect();
    (words.join(" "), diagnostics)
}

/// The tokens of `input` are `expected`, without any message.
#[track_caller]
fn check(input: &str, expected: &str) {
    let (tokens, diagnostics) = run(input, &NoFiles, &PreprocessOptions::default());
    assert_eq!(tokens, expected);
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
}

/// `input` gives these codes, and every message says what to do.
#[track_caller]
fn check_codes(input: &str, codes: &[&str]) -> Vec<Diagnostic> {
    let (_, diagnostics) = run(input, &NoFiles, &PreprocessOptions::default());
    let found: Vec<_> = diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(found, codes, "{diagnostics:#?}");
    for d in &diagnostics {
        assert!(d.help.is_some() || d.code == "P0041", "{d:?}");
        assert!(!d.message.ends_with('.'), "{d:?}");
    }
    diagnostics
}

#[test]
fn object_macros() {
    check("#define N 3\nx = N; y = N+N;", "x = 3 ; y = 3 + 3 ;");
    check("#define E\nE a E b E", "a b");
    check("#define A B\n#define B A\nA B", "A B");
    check("#define x x + y\n#define y x\nx", "x + x");
    check("#define N 1\n#undef N\nN", "N");
    check("#define LONG a \\\n  b \\\r\n c\nLONG", "a b c");
}

#[test]
fn function_macros() {
    check("#define f(x) [x]\nf(1) f (2) f f(f(3))", "[ 1 ] [ 2 ] f [ [ 3 ] ]");
    check("#define f(x, y) x y\nf((a,b), c) f(,)", "( a , b ) c");
    check("#define z() 7\nz() z( )", "7 7");
    check("#define f(x) x\nf(\n1\n)", "1");
    check("#define f (x)\nf(1)", "( x ) ( 1 )");
}

#[test]
fn names_are_not_expanded_within_themselves() {
    check("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2 * 9 * g");
    check("#define foo foo bar\n#define f(x) x foo\nf(foo)", "foo bar foo bar");
    check(
        "#define NIL(xxx) xxx\n#define G_0(arg) NIL(G_1)(arg)\n#define G_1(arg) NIL(arg)\nG_0(42)",
        "42",
    );
}

#[test]
fn ranges_expand_their_bounds() {
    check("#define N 4\nfor (i : 1..N)", "for ( i : 1 .. 4 )");
}
