//! Hostile text: deep, long, random.

use super::{complaints, on_large_stack, read};

#[test]
fn deep_nesting_gives_one_error() {
    on_large_stack(|| {
        let n = 100_000;
        let nest = |open: &str, inner: &str, close: &str| {
            format!("init {{ {}{inner}{} }}", open.repeat(n), close.repeat(n))
        };
        for text in [
            nest("{ ", "skip", " }"),
            nest("do :: ", "skip", " od"),
            nest("if :: ", "skip", " fi"),
            nest("atomic { ", "skip", " }"),
            nest("(", "1", ")"),
            nest("(a -> ", "1", " : 2)"),
            nest("a[", "1", "]"),
            nest("!", "x", ""),
            nest("- ", "x", ""),
            nest("!!", "x", ""),
            nest("a(", "1", ")").replacen("a(", "q!a(", 1),
            nest("a(", "x", ")").replacen("a(", "q?a(", 1),
            nest("1 + ", "1", ""),
            nest("1 || ", "1", ""),
            nest("", "1", " + 1"),
            nest("a[1 + ", "1", "] + 1"),
            nest("(", "1", " + 1 + 1)"),
            nest("L: x unless { ", "skip", " }"),
        ] {
            let found = complaints(&read(&text));
            let deep = found.iter().filter(|c| c.contains("nested too deeply")).count();
            assert_eq!(deep, 1, "{}… {found:#?}", &text[..40]);
            assert!(found.len() <= 2, "{}… {found:#?}", &text[..40]);
        }
        for text in ["[] ", "! <> ", "p U (", "p -> (", "X ", "("] {
            let found = complaints(&read(&format!("ltl {{ {}p }}", text.repeat(n))));
            assert!(found.iter().any(|c| c.contains("nested too deeply")), "{text} {found:#?}");
            assert!(found.len() <= 2, "{text} {found:#?}");
        }
        for text in ["p -> ", "p && ", "[]p U "] {
            let found = complaints(&read(&format!("ltl {{ {}p }}", text.repeat(n))));
            assert_eq!(found.len(), 1, "{text} {found:#?}");
        }
    });
}

#[test]
fn moderate_nesting_is_fine() {
    on_large_stack(|| {
        let n = 900;
        for (open, close) in [("{ ", " }"), ("do :: ", " od"), ("(", ")"), ("", " + 1")] {
            let text = format!("init {{ {}1{} }}", open.repeat(n), close.repeat(n));
            assert_eq!(complaints(&read(&text)), Vec::<String>::new(), "{open}");
        }
    });
}

#[test]
fn inline_bombs_stop() {
    on_large_stack(|| {
        let mut text = String::from("inline f0() { x = 1; x = 2 }\n");
        for i in 1..40 {
            text += &format!("inline f{i}() {{ f{}(); f{}() }}\n", i - 1, i - 1);
        }
        text += "init { f39() }";
        let found = complaints(&read(&text));
        assert!(found.iter().any(|c| c.contains("P0114")), "{found:#?}");
        assert!(found.len() <= 3, "{found:#?}");
        let long =
            format!("inline f(a) {{ {} }} init {{ f({}1) }}", "a;".repeat(3000), "1+".repeat(1500));
        let found = complaints(&read(&long));
        assert!(found.len() <= 3, "{found:#?}");
    });
}

#[test]
fn long_texts_take_linear_time() {
    let start = std::time::Instant::now();
    let text = format!("int x; init {{ {} skip }}", "x = x + 1; ".repeat(900_000));
    assert!(read(&text).diagnostics.is_empty());
    let text = format!("int x[2] = {{ {} 0 }}", "1,".repeat(500_000));
    assert!(read(&text).diagnostics.is_empty());
    let text = format!("init {{ do {} od }}", ":: x -> y = 1 ".repeat(100_000));
    assert!(read(&text).diagnostics.is_empty());
    let text = format!("init {{ {} }}", "{ ( ".repeat(1000));
    assert!(!read(&text).diagnostics.is_empty());
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

/// A small generator, so that the same soup is made every time.
struct Soup(u64);

impl Soup {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

const WORDS: &[&str] = &[
    "x",
    "y",
    "P",
    "f",
    "T",
    "L:",
    "1",
    "2147483648",
    "'a'",
    "\"s\"",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "[]",
    "<>",
    "->",
    ";",
    "\n",
    ",",
    ":",
    "::",
    "=",
    "==",
    "!",
    "?",
    "!!",
    "??",
    "++",
    "--",
    "+",
    "-",
    "*",
    "&&",
    "||",
    "<",
    ">",
    ".",
    "..",
    "@",
    "~",
    "if",
    "fi",
    "do",
    "od",
    "else",
    "break",
    "goto L",
    "atomic {",
    "d_step {",
    "unless",
    "for (",
    "in",
    "select (",
    "run P(",
    "len(",
    "full(q)",
    "eval(",
    "timeout",
    "np_",
    "assert(",
    "printf(",
    "return",
    "inline f(a) {",
    "f(",
    "proctype P(",
    "active",
    "init {",
    "never {",
    "ltl p {",
    "typedef T {",
    "mtype =",
    "int",
    "byte",
    "chan",
    "of {",
    "hidden",
    "xr",
    "c_code {",
    "c_expr {",
    "c_state",
    "U",
    "X",
    "always",
    "priority",
    "provided (",
    "trace {",
    "skip",
    "$",
    "#",
    "\\/",
    "/\\",
    "<->",
];

#[test]
fn token_soup_never_panics() {
    on_large_stack(|| {
        let mut soup = Soup(0x9e37_79b9_7f4a_7c15);
        for round in 0..3_000 {
            let mut text = String::new();
            if round % 2 == 0 {
                text += "inline f(a) { x = a } proctype P() { skip } init { ";
            }
            for _ in 0..soup.below(120) + 1 {
                text += WORDS[soup.below(WORDS.len())];
                text.push(' ');
            }
            let found = complaints(&read(&text));
            assert!(found.len() < 400, "{text}");
        }
    });
}

#[test]
fn damaged_models_never_panic() {
    let model = "mtype = { A, B };\n#define N 3\nchan q[N] = [2] of { mtype, byte };\n\
        typedef T { int a; byte b[2] };\ninline f(a, b) {\n  if\n  :: a -> b = 1\n  :: else\n  fi\n}\n\
        active [2] proctype P(int z) provided (x) {\n  byte i;\n  L: do\n  :: q[0]!A(i) -> f(i > 0, z)\n\
        :: atomic { q[i]?B,eval(_pid) -> break }\n  :: timeout -> goto L\n  od unless { q[1]?[A,_] };\n\
        for (i : 1 .. N) { printf(\"%d\\n\", i) }\n}\nltl p { [] (P[0]@L -> <> (x == 1)) }\n\
        never { do :: !np_ od }\ninit { atomic { run P(1); run P(2) } }\n";
    assert!(read(model).diagnostics.is_empty(), "{:?}", complaints(&read(model)));
    let mut soup = Soup(42);
    for at in 0..model.len() {
        read(&model[..at]);
        read(&model[at..]);
        let end = (at + soup.below(30)).min(model.len());
        read(&format!("{}{}", &model[..at], &model[end..]));
        let other = soup.below(model.len());
        read(&format!("{}{}", &model[..at], &model[other..]));
    }
}

#[test]
fn a_bracket_too_many_after_if() {
    let complaints = complaints(&read("init { if (1)) -> skip fi }"));
    assert!(complaints[0].contains("expected `::` after `if`"), "{complaints:?}");
}
