//! Tokens of plain text.

use super::{Lexer, Report, Symbols};
use crate::token::{Token, TokenKind};
use spinor_base::FileId;

fn lex(input: &str) -> (Vec<Token>, Vec<&'static str>) {
    let mut lexer = Lexer::new(FileId(0), input.into());
    let (mut symbols, mut report) = (Symbols::default(), Report::default());
    let mut tokens = Vec::new();
    while let Some(raw) = lexer.next(&mut symbols, &mut report) {
        tokens.push(raw.token);
    }
    (tokens, report.list.iter().map(|d| d.code).collect())
}

/// Tokens as `text`, strings in `"…"`, embedded C in `{…}`, unknown as `?text`.
#[track_caller]
fn check(input: &str, expected: &str) {
    check_with(input, expected, &[]);
}

#[track_caller]
fn check_with(input: &str, expected: &str, codes: &[&str]) {
    let (tokens, found) = lex(input);
    let text = |t: &Token| match t.kind {
        TokenKind::Str => format!("\"{}\"", t.text),
        TokenKind::CBody => format!("{{{}}}", t.text),
        TokenKind::Unknown => format!("?{}", t.text),
        _ => t.text.to_string(),
    };
    assert_eq!(tokens.iter().map(text).collect::<Vec<_>>().join(" "), expected);
    assert_eq!(found, codes);
}

#[test]
fn words_and_numbers() {
    check("abc _x9 0 42", "abc _x9 0 42");
    check("0x10 12ab", "0x10 12ab");
    let (tokens, _) = lex("a1 1");
    assert_eq!((tokens[0].kind, tokens[1].kind), (TokenKind::Word, TokenKind::Int));
}

#[test]
fn operators_take_the_longest_match() {
    check("a<->b->c<>d[]e", "a <-> b -> c <> d [] e");
    check("a<-b<<c<=d< >e[ ]", "a < - b << c <= d < > e [ ]");
    check("q!!x??y!=z==w", "q !! x ?? y != z == w");
    check("x--;y++;z- -w", "x -- ; y ++ ; z - - w");
    check("q??<x>;q?[y]", "q ?? < x > ; q ? [ y ]");
    check("a/\\b\\/c", "a /\\ b \\/ c");
    check("1..N::a:b.c", "1 .. N :: a : b . c");
    check("##@#", "## @ #");
}

#[test]
fn comments_are_space() {
    check("a/*b*/c//d\ne/* * / **/f", "a c e f");
    check("//a\\\nb\nc", "c");
    check("*//a\nb * /* c */ d", "* b * d");
    check_with("a /* b", "a", &["P0001"]);
    check_with("/*/", "", &["P0001"]);
    check_with("/* a /* b */ */ c", "c", &["P0008"]);
}

#[test]
fn strings_and_characters() {
    check(r#""a\"b\\" "" "//" "/*""#, r#""a\"b\\" "" "//" "/*""#);
    check(r"'a' '\n' '\'' '\\'", r"'a' '\n' '\'' '\\'");
    check("$p U q$ $", "\"p U q\" $");
    check("$a\nb", "$ a b");
    check_with("\"abc \nd", "\"abc\" d", &["P0002"]);
    check_with("\"abc\\", "\"abc\\\"", &["P0002"]);
    check_with("'a b\nc '", "?'a b c ?'", &["P0003", "P0003"]);
}

#[test]
fn lines_can_be_continued_anywhere() {
    check("a\\\nb 1\\\r\n2 -\\\n> \"x\\\ny\"", "ab 12 -> \"xy\"");
    check("a \\  \n b", "a b");
    check("a\\", "a ?\\");
    check_with("a /\\\n b", "a / b", &["P0006"]);
}

#[test]
fn strange_characters_form_runs() {
    check("a é\u{a0}` b\\\\c", "a ?é\u{a0}` b ?\\\\ c");
    check("\u{feff}a\0b\u{b}c", "a b c");
    check("a\u{1}\u{7f}b", "a ?\u{1}\u{7f} b");
}

#[test]
fn embedded_c_is_one_token() {
    check(
        "c_code { if (a) { \"}\" } /* } */ '}' // }\n } x",
        "c_code { if (a) { \"}\" } /* } */ '}' // }\n } x",
    );
    check("c_expr [a[0] == 1] { b }{c}", "c_expr [ a [ 0 ] == 1 ] { b } { c }");
    check("c_decl\n{ int x; }", "c_decl { int x; }");
    check("c_state \"int x\" { a }", "c_state \"int x\" { a }");
    check("code { a }", "code { a }");
    check_with("c_code { a { b }", "c_code { a { b }", &["P0007"]);
    let (tokens, _) = lex("c_code { a { b }");
    assert_eq!(tokens[1].kind, TokenKind::Punct(crate::token::Punct::LBrace));
}

#[test]
fn tokens_know_what_stands_before_them() {
    let (tokens, _) = lex("a b\nc/**/d/*\n*/e f\\\ng h");
    let flags: Vec<_> = tokens.iter().map(|t| (t.space_before, t.newline_before)).collect();
    let (none, space, line) = ((false, false), (true, false), (true, true));
    // `fg` ends on another line than it starts, so `h` is on a new one, as in gcc's output.
    assert_eq!(flags, [none, space, line, space, line, space, line]);
}

#[test]
fn spans_cover_the_characters() {
    let text = "ab \"cd\" 'e' é <->";
    let (tokens, _) = lex(text);
    let written: Vec<_> =
        tokens.iter().map(|t| &text[t.span.lo as usize..t.span.hi as usize]).collect();
    assert_eq!(written, ["ab", "\"cd\"", "'e'", "é", "<->"]);
}

#[test]
fn long_lines_take_linear_time() {
    for piece in [
        "x",
        "x ",
        "(",
        "$",
        "'",
        "\"",
        "\\",
        "c_code {",
        "c_code { ' ",
        "/*",
        "*/",
        "*",
        "\\\n",
        "é",
        "/ ",
    ] {
        let (tokens, _) = lex(&piece.repeat(2_000_000 / piece.len()));
        assert!(tokens.len() <= 2_000_000);
    }
}
