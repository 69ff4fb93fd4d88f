//! Where semicolons appear, and that SPIN puts them at the same places.

use crate::token::{Token, TokenKind};
use crate::{NoFiles, PreprocessOptions, tokenize};
use spinor_base::SourceMap;
use std::path::Path;
use std::process::Command;

/// The tokens, with `¶` for an implicit semicolon.
#[track_caller]
fn check(input: &str, expected: &str) {
    let result = tokenize("m.pml", input, &PreprocessOptions::default(), &NoFiles);
    assert!(result.diagnostics.is_empty(), "{:?}", result.diagnostics);
    let text = |t: &Token| match t.kind {
        TokenKind::ImplicitSemi => "¶".to_owned(),
        TokenKind::Str => format!("\"{}\"", t.text),
        TokenKind::CBody => format!("{{{}}}", t.text),
        _ => t.text.to_string(),
    };
    let tokens: Vec<_> = result.tokens[..result.tokens.len() - 1].iter().map(text).collect();
    assert_eq!(tokens.join(" "), expected);
}

#[test]
fn a_line_ends_a_statement() {
    check("init {\nx = 1\ny++\nz--\nbreak\n}", "init { x = 1 ¶ y ++ ¶ z -- ¶ break }");
    check(
        "init { a[0]\n(b)\n'c'\nskip\ntimeout\nx }",
        "init { a [ 0 ] ¶ ( b ) ¶ 'c' ¶ skip ¶ timeout ¶ x }",
    );
    check("init { c_code { a }\nc_expr\n{ b }\nx }", "init { c_code { a } ¶ c_expr { b } ¶ x }");
    check("init { x\n\n\n// c\ny }", "init { x ¶ y }");
    check("init { goto\nL\nrun P()\nx }", "init { goto L ¶ run P ( ) ¶ x }");
}

#[test]
fn some_tokens_take_the_semicolon_back() {
    check("init { a\n-> b\n; c\n}\ninit { }", "init { a -> b ; c } init { }");
    check("init { { a }\nunless\n{ b }\n}", "init { { a } unless { b } }");
    check("init { do\n:: a\n:: else\n-> b\nod\n}", "init { do :: a ¶ :: else -> b ¶ od }");
}

#[test]
fn only_bodies_have_them() {
    check(
        "int x\nint y\nproctype P\n(int a\n)\n{ a\nb }\nint z\n",
        "int x int y proctype P ( int a ) { a ¶ b } int z",
    );
    check(
        "mtype = {\na\nb\n}\nltl p {\n[] x\n}\ninit\n{ x\ny }",
        "mtype = { a b } ltl p { [] x } init { x ¶ y }",
    );
    check("typedef T {\nint a\nint b\n}\n", "typedef T { int a ¶ int b }");
    check(
        "never n {\na\nb }\ntrace {\na\nb }\ninline f(a\n,b) {\na\nb }",
        "never n { a ¶ b } trace { a ¶ b } inline f ( a , b ) { a ¶ b }",
    );
}

#[test]
fn parentheses_hold_the_line_together() {
    check("init { x = (a\n+ b\n)\ny }", "init { x = ( a + b ) ¶ y }");
    check("init { a[\n0\n] = 1\ny }", "init { a [ 0 ] = 1 ¶ y }");
    check("init { (a;\nb\nc }", "init { ( a ; b ¶ c }");
}

#[test]
fn names_that_start_something_go_on() {
    check("typedef T { int a }\ninit { T\nx\ny }", "typedef T { int a } init { T x ¶ y }");
    check(
        "proctype P() { x }\ninit { run P\n()\ny }",
        "proctype P ( ) { x } init { run P ( ) ¶ y }",
    );
    check("inline f(a) { a }\ninit { f\n(1)\ny }", "inline f ( a ) { a } init { f ( 1 ) ¶ y }");
}

#[test]
fn a_macro_use_is_one_line() {
    check("#define M a \\\n b \\\n c\ninit { M\nx }", "init { a b c ¶ x }");
    check("#define F(x) x\ninit { F(a\nb) c\nd }", "init { a b ¶ c ¶ d }");
    check("#define E\ninit { a E\nE b\nE\nc }", "init { a ¶ b ¶ c }");
}

#[test]
fn a_missing_brace_does_not_spread() {
    check("init { if :: a\nproctype P()\n{ x\ny }", "init { if :: a ¶ proctype P ( ) { x ¶ y }");
}

/// The model with every semicolon written out, tokens on their lines.
fn written_out(tokens: &[Token], sources: &SourceMap) -> String {
    let (mut text, mut line) = (String::new(), 1);
    for token in tokens {
        if token.kind != TokenKind::ImplicitSemi {
            let at = sources.location(sources.outermost(token.span)).line;
            while line < at {
                text.push('\n');
                line += 1;
            }
        }
        let (open, close) = match token.kind {
            TokenKind::Str => ("\"", "\""),
            TokenKind::CBody => ("{", "}"),
            _ => ("", ""),
        };
        text.extend([" ", open, &token.text, close]);
        line += token.text.matches('\n').count() as u32;
    }
    text + "\n"
}

/// What SPIN makes of a model: the transitions of `pan.m`, `None` if it objects.
fn spin(folder: &Path, text: &str, flags: &[&str]) -> Option<String> {
    let _ = std::fs::remove_file(folder.join("pan.m"));
    std::fs::write(folder.join("m.pml"), text).ok()?;
    let spin = Command::new("spin").args(flags).args(["-a", "m.pml"]).current_dir(folder).output();
    let spin = spin.ok()?;
    let accepted = spin.status.success() && !String::from_utf8_lossy(&spin.stdout).contains("rror");
    accepted.then(|| std::fs::read_to_string(folder.join("pan.m")).ok())?
}

const MODELS: &[&str] = &[
    "byte x\nactive proctype p() {\n\tbyte i = 1\n\tx = i\n\tx++\n\tx--\n\tskip\n\tif\n\t:: x == 1 -> x = 2\n\t:: else\n\tfi\n\tassert(x == 2)\n}\n",
    "byte x\nactive proctype p() {\n\tdo\n\t:: x < 3\n\t\t-> x++\n\t:: else ->\n\t\tbreak\n\tod\nL:\n\tx = 0\n\tgoto\n\tL\n}\n",
    "byte x\nactive proctype p() {\n\t{ x = 1\n\t  x = 2\n\t}\n\tunless\n\t{ x == 2\n\t}\n\tatomic\n\t{\n\t\tx = 3\n\t}\n\tx = 4\n}\n",
    "typedef T {\n\tbyte a\n\tbyte b[2]\n}\nT t\nactive proctype p() {\n\tT\n\tu\n\tt.a = u.b[0]\n\tt.b[\n\tt.a] = 2\n}\n",
    "chan q = [2] of {\n\tbyte\n}\nactive proctype p() {\n\tbyte x\n\tq!1\n\tq?x\n\tq?[x]\n\t-1\n\tlen(q) == 0\n}\n",
    "byte x\ninline f(a, b) {\n\ta = b\n\ta++\n}\nproctype r(byte c\n) {\n\tf(x,\n\t c)\n\tx = 3\n}\ninit {\n\trun r(\n\t1\n\t)\n\tf\n\t(x, 2)\n}\n",
    "#define BOTH x = 1; \\\n\tx = 2\n#define ID(a) a\n#define NONE\nbyte x\ninit {\n\tBOTH\n\tID(x\n= 3) x = 4\n\tNONE\n\tx = 5 NONE\n\tNONE x = 6\n}\n",
    "byte x\nactive proctype p() {\n\tbyte i\n\tfor (i : 1 ..\n\t3)\n\t{\n\t\tx = i\n\t}\n\tselect (i : 0 .. 2)\n\tprintf(\"%d\\n\",\n\t\ti\n\t)\n\ttimeout\n\tx = 'a'\n}\nnever {\n\tdo\n\t:: x > 1\n\tod\n}\n",
    "byte x\nactive proctype p() {\n\tx = 1 /* a\n\t*/ x = 2\n\tx = 3 // b\n\n\n\n\n\n\n\n\n\n\n\tx = 4\n#ifdef NO\n\tx = 5\n#endif\n\t/* c */ */\n}\nltl a { [] (x < 5) }\n",
];

#[test]
fn spin_puts_them_at_the_same_places() {
    if Command::new("spin").arg("-V").output().is_err() {
        return;
    }
    let folder = std::env::temp_dir().join(format!("spinor-implicit-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for model in MODELS {
        let expected = spin(&folder, model, &[]).expect(model);
        let result = tokenize("m.pml", model, &PreprocessOptions::default(), &NoFiles);
        let explicit = written_out(&result.tokens, &result.sources);
        let ours = spin(&folder, &explicit, &["-o7"]).expect(&explicit);
        assert_eq!(ours, expected, "{model}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn ends_of_lines_may_end_nothing() {
    let options = PreprocessOptions { explicit_semicolons: true, ..PreprocessOptions::default() };
    let errors = |body: &str| {
        let text = format!("byte x; active proctype P() {{ {body} }}");
        crate::parse("m.pml", &text, &options, &NoFiles).diagnostics.len()
    };
    assert_eq!(errors("x = 1;\n{ x = 2 }\nx = 3"), 0);
    assert_eq!(errors("x = 1\nx = 2"), 1);
    assert_eq!(errors("do :: break od\nx = 2"), 1);
    assert_eq!(errors("do :: break od;\nx = 2"), 0);
}
