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

#[test]
fn strings_and_joins() {
    check("#define s(x) #x\ns( a  + \"b\\n\" ) s()", r#""a + \"b\\n\"" """#);
    check("#define c(a,b) a##b\nc(x,1) c(-,>) c(,y) c(z,)", "x1 -> y z");
    check("#define v(f,...) p(f, ## __VA_ARGS__)\nv(1) v(1,2,3)", "p ( 1 ) p ( 1 , 2 , 3 )");
    check("#define L(n) end_ ## n : x ## n ## _y\nL(3)", "end_3 : x3_y");
}

#[test]
fn conditionals() {
    check("#if 1\na\n#else\nb\n#endif\nc", "a c");
    check("#ifdef X\na\n#elif !defined(X) && 2 > 1\nb\n#else\nc\n#endif", "b");
    check("#if 0\n#if 1\na\n#else\nb\n#endif\n#nonsense don't \"\n#else\nc\n#endif", "c");
    check("#if 0 && 1/0 || (1 ? 1 : 1/0)\na\n#endif", "a");
    check("#if !!1 && ~0 == -1 && 0x1F == 31 && 010 == 8\na\n#endif", "a");
    check("init {\n#if 1\nx = 1\n#endif\n}", "init { x = 1 }");
}

#[test]
fn options_come_first() {
    let define = |name: &str, value: &str| Define::Define(name.into(), value.into());
    let defines = vec![
        define("N", "3"),
        define("F(x)", "x+1"),
        define("M", "1"),
        Define::Undefine("M".into()),
        define("E", "a\n#error no"),
    ];
    let options = PreprocessOptions { defines, ..PreprocessOptions::default() };
    let (tokens, diagnostics) = run("N F(2) M __LINE__ E", &NoFiles, &options);
    assert_eq!(tokens, "3 2 + 1 M 1 a # error no");
    assert!(diagnostics.is_empty());
}

#[test]
fn includes() {
    let files = Memory(&[
        ("a.h", "#pragma once\n#define A 1\nx __FILE__ __LINE__"),
        ("b", "#ifndef B\n#define B\nb1\n#include \"a.h\"\n#endif"),
        ("open", "#if 1\no"),
        ("call", "f(1"),
    ]);
    let check = |input: &str, expected: &str, codes: &[&str]| {
        let (tokens, diagnostics) = run(input, &files, &PreprocessOptions::default());
        assert_eq!(tokens, expected);
        assert_eq!(diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), codes);
    };
    check("#include \"a.h\"\nA\n#include <a.h> // once\ny", "x \"a.h\" 3 1 y", &[]);
    check("#define H \"b\"\n#include H\n#include <b>\nA __LINE__", "b1 x \"a.h\" 3 1 4", &[]);
    check("#define H <b>\n#include H junk\n", "b1 x \"a.h\" 3", &[]);
    check("#include \"none\"\nx", "x", &["P0020"]);
    check("#include\nx", "x", &["P0022"]);
    check("#include \"open\"\nx", "o x", &["P0033"]);
    check("#define f(x) x\n#include \"call\"\n) y", "f ) y", &["P0016"]);
}

#[test]
fn files_that_include_themselves_end() {
    let files = Memory(&[
        ("self", "x\n#include \"self\"\n"),
        ("twice", "#include \"twice\"\n#include \"twice\"\n"),
    ]);
    for name in ["self", "twice"] {
        let input = format!("#include \"{name}\"\ny");
        let (tokens, diagnostics) = run(&input, &files, &PreprocessOptions::default());
        assert!(tokens.ends_with('y'));
        assert_eq!(diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["P0021"]);
    }
}

#[test]
fn messages_about_directives() {
    check_codes("#nonsense\n#if 0\n#nonsense\n#endif", &["P0010"]);
    check_codes("#define\n#define 1 2\n#define defined\n#undef +", &["P0011"; 4]);
    check_codes("#define A 1\n#define A 1\n#define A  1 // c\n#define A 2", &["P0012"]);
    check_codes("#define f(x,x)\n#define g(x\n#define h(1)\n#define i(...,a)", &["P0013"; 4]);
    check_codes("#define f(x) #y\n#define g ## a\n#define h(a) a ##", &["P0014"; 3]);
    check_codes("#error don't\n#warning \"careful", &["P0040", "P0041"]);
    check_codes("#line\n#line x\n# 12 34\n#line 99999999999", &["P0042"; 4]);
    check_codes("#pragma weird 'x\n#ident \"x\"\n#sccs\n#", &[]);
}

#[test]
fn messages_about_conditionals() {
    check_codes("#if\n#endif\n#if 1 +\n#endif\n#if (1\n#endif\n#if 1 2\n#endif", &["P0030"; 4]);
    check_codes(
        "#if 1..2\n#endif\n#if \"a\"\n#endif\n#if defined\n#endif\n#if 09\n#endif",
        &["P0030"; 4],
    );
    check_codes("#if 1/0\n#endif\n#if 1%0\n#endif", &["P0031"; 2]);
    check_codes("#else\n#endif\n#elif 1", &["P0032"; 3]);
    let open = check_codes("x\n#if 1\n#ifdef A\n", &["P0033", "P0033"]);
    assert_eq!((open[0].primary.lo, open[1].primary.lo), (2, 8));
    check_codes("#if 1\n#else\n#else\n#elif 1\n#endif", &["P0034", "P0034"]);
    check_codes(&format!("#if {}1\n#endif", "(".repeat(100_000)), &["P0030"]);
    check_codes(&format!("#if {}1\n#endif", "!".repeat(100_000)), &[]);
    check_codes(&format!("#if {}1\n#endif", "1 ? ".repeat(100_000)), &["P0030"]);
}

#[test]
fn messages_about_macro_uses() {
    check_codes("#define f(x) x\nf(1,2) f(1)", &["P0015"]);
    check_codes("#define f(x,...) x\n#define z() 1\nf() z(1)", &["P0015"]);
    check_codes("#define f(x) x\nf(1", &["P0016"]);
    check_codes("#define c(a,b) a##b\nc(-,1) c(+,=)", &["P0017"]);
}

#[test]
fn messages_about_literals() {
    let hex = check_codes("x = 0x10", &["P0005"]);
    assert_eq!(hex[0].help.as_deref(), Some("write `16`"));
    check_codes("1a '' 'ab' '\\n' 'a'", &["P0005", "P0003", "P0003"]);
    check_codes("a `` b\u{a0}é \u{1} “x”", &["P0004"; 5]);
    check_codes("#define BAD 0x10 `\n#if BAD\n#endif", &["P0030"]);
    check_codes("#if 0\n0x10 ` 'a\n#endif", &[]);
}

/// The macros around the token `text`, innermost first, and where it is written.
fn history(input: &str, text: &str) -> (Vec<String>, u32) {
    let options = PreprocessOptions::default();
    let (tokens, sources, _) = preprocess("m.pml", input, &options, &NoFiles);
    let span = tokens.iter().find(|t| &*t.text == text).map_or(Span::default(), |t| t.span);
    let name = |s: &SourceMap| s.chain(span).map(|e| e.name.to_string()).collect();
    (name(&sources), sources.location(span).line)
}

#[test]
fn tokens_know_their_macros() {
    let nested = "#define A x\n#define B (A)\n#define C B\nC";
    assert_eq!(history(nested, "x"), (vec!["A".into(), "B".into(), "C".into()], 1));
    let argument = "#define F(a) a+b\n#define G y\nz\nF(x) F(G)";
    assert_eq!(history(argument, "x"), (vec!["F".into()], 4));
    assert_eq!(history(argument, "b"), (vec!["F".into()], 1));
    assert_eq!(history(argument, "y"), (vec!["G".into(), "F".into()], 2));
    assert_eq!(history(argument, "z"), (vec![], 3));
}

#[test]
fn a_use_covers_its_arguments() {
    let options = PreprocessOptions::default();
    let input = "#define F(a) a\nx F(1) y";
    let (tokens, sources, _) = preprocess("m.pml", input, &options, &NoFiles);
    assert_eq!(sources.text(sources.outermost(tokens[1].span)), "F(1)");
}

#[test]
fn line_directives_move_positions() {
    let options = PreprocessOptions::default();
    let input = "a\n#line 10 \"f\"\nb\n# 20\nc __LINE__ __FILE__";
    let (tokens, sources, _) = preprocess("m.pml", input, &options, &NoFiles);
    let at = |index: usize| {
        let location = sources.location(tokens[index].span);
        (location.file.to_string(), location.line)
    };
    assert_eq!([at(0), at(1), at(2)], [("m.pml".into(), 1), ("f".into(), 10), ("f".into(), 20)]);
    assert_eq!((&*tokens[3].text, &*tokens[4].text), ("20", "f"));
}

#[test]
fn macro_bombs_are_stopped() {
    let mut doubling = String::from("#define M0 x x\n#define E0\n#define P0 a\n");
    for i in 1..64 {
        let j = i - 1;
        doubling += &format!("#define M{i} M{j} M{j}\n#define E{i} E{j} E{j}\n");
    }
    for bomb in ["M63", "E63"] {
        let found = check_codes(&format!("{doubling}before {bomb} after"), &["P0018"]);
        assert!(found[0].message.contains("tokens"));
    }
    let nest = |open: &str, depth| format!("{}a{}", open.repeat(depth), ")".repeat(depth));
    let joins =
        "#define D(x) D2(x,x)\n#define D2(x,y) x##y\n#define S(x) S2(x)\n#define S2(x) #x\n";
    check_codes(&format!("{joins}{}", nest("D(", 60)), &["P0018"]);
    check_codes(&format!("{joins}{}", nest("S(", 60)), &["P0018"]);
    check_codes(&format!("#define f(x) x\n{}", nest("f(", 100_000)), &["P0018"]);
}

#[test]
fn long_chains_are_no_problem() {
    let mut chain = String::from("#define M0 x\n");
    for i in 1..100_000 {
        chain += &format!("#define M{i} M{}\n", i - 1);
    }
    check(&(chain + "M99999"), "x");
    let joined = format!("#define J a{}\nJ", " ## b".repeat(300_000));
    check(&joined, &format!("a{}", "b".repeat(300_000)));
    check(&format!("{}x{}", "#if 1\n".repeat(100_000), "\n#endif".repeat(100_000)), "x");
}

#[test]
fn long_models_may_use_macros_everywhere() {
    let (tokens, diagnostics) = {
        let input = format!("#define N 1\n#define F(x) x\n{}", "N F(N)\n".repeat(400_000));
        run(&input, &NoFiles, &PreprocessOptions::default())
    };
    assert_eq!(tokens.len(), 4 * 400_000 - 1);
    assert!(diagnostics.is_empty());
}

#[test]
fn no_input_panics() {
    let pieces = [
        "#",
        "##",
        "define",
        "if",
        "elif",
        "else",
        "endif",
        "include",
        "line",
        "undef",
        "error",
        "\n",
        "\n#",
        "\n#define ",
        "\n#if ",
        "\n#endif",
        "\\\n",
        "\\",
        "\r",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ",",
        "...",
        "..",
        "__VA_ARGS__",
        "__LINE__",
        "f",
        "f(",
        "x",
        "c_code",
        "c_expr[",
        "\"",
        "'",
        "$",
        "/*",
        "*/",
        "//",
        "é",
        "\u{feff}",
        "\0",
        "1",
        "0x",
        "99999999999999999999",
        "?",
        ":",
        "!!",
        "/",
        "%",
        "<<",
        "defined",
        "<",
        ">",
        "-",
        "&&",
        "init",
        "proctype",
        "unless",
        "inline",
    ];
    let mut state: u64 = 1;
    let mut random = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..20_000 {
        let mut input = String::new();
        for _ in 0..random(40) {
            input += pieces[random(pieces.len())];
            if random(3) == 0 {
                input.push(' ');
            }
        }
        let result = crate::tokenize("m", &input, &PreprocessOptions::default(), &NoFiles);
        for token in &result.tokens {
            let outermost = result.sources.outermost(token.span);
            assert!(result.sources.location(outermost).line > 0);
            assert!(token.span.lo <= token.span.hi);
        }
    }
}
