//! Reading and printing formulas.

use spinor_ltl::parse;

#[track_caller]
fn reads(text: &str, as_if: &str) {
    let found = parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(found.to_string(), as_if, "{text}");
}

#[track_caller]
fn refuses(text: &str, position: usize, message: &str) {
    let error = parse(text).expect_err(text);
    assert_eq!(error.position, position, "{text}: {error}");
    assert!(error.message.contains(message), "{text}: {error}");
}

#[test]
fn all_spellings() {
    for (text, as_if) in [
        ("[] p", "[]p"),
        ("always p", "[]p"),
        ("<>p", "<>p"),
        ("eventually p", "<>p"),
        ("X p", "X p"),
        ("next p", "X p"),
        ("! p", "!p"),
        ("not p", "!p"),
        ("p && q", "p && q"),
        ("p /\\ q", "p && q"),
        ("p || q", "p || q"),
        ("p \\/ q", "p || q"),
        ("p -> q", "p -> q"),
        ("p implies q", "p -> q"),
        ("p <-> q", "p <-> q"),
        ("p equivalent q", "p <-> q"),
        ("p U q", "p U q"),
        ("p until q", "p U q"),
        ("p stronguntil q", "p U q"),
        ("p W q", "p W q"),
        ("p weakuntil q", "p W q"),
        ("p V q", "p V q"),
        ("p R q", "p V q"),
        ("p release q", "p V q"),
        ("true U false", "true U false"),
        ("{p}", "p"),
    ] {
        reads(text, as_if);
    }
}

#[test]
fn precedence_is_that_of_ltl_blocks() {
    reads("a && b || c && d", "(a && b) || (c && d)");
    reads("a U b && c", "(a U b) && c");
    reads("a || b -> c", "(a || b) -> c");
    reads("!a U b", "!a U b");
    reads("[]a U b", "[]a U b");
    reads("a U b U c", "(a U b) U c");
    reads("a -> b -> c", "(a -> b) -> c");
    reads("[]<>!X p", "[]<>!X p");
    reads("a && b && c", "a && b && c");
    reads("a && (b && c)", "a && (b && c)");
}

#[test]
fn expressions_in_parentheses_are_atoms() {
    reads("[] (x > 3)", "[](x > 3)");
    reads("<> (len(q) == 0 && a[2] <= b)", "<>(len(q) == 0 && a[2] <= b)");
    reads("(x   ==\n1) U (y)", "(x == 1) U y");
    reads("[] (proc@here)", "[](proc@here)");
    reads("[] (empty(q))", "[](empty(q))");
    reads("[] ((x) + 1 == y)", "[]((x) + 1 == y)");
    reads("((x > 1)) && p", "(x > 1) && p");
}

#[test]
fn mistakes_are_located() {
    refuses("", 0, "found the end");
    refuses("p U", 3, "found the end");
    refuses("p q", 2, "found `q`");
    refuses("(p", 0, "never closed");
    refuses("p)", 1, "found `)`");
    refuses("[] x > 3", 5, "found `>`");
    refuses("(p && q}", 0, "another kind of parenthesis");
    refuses("(x > 3 U p)", 7, "temporal operator");
    refuses("U p", 0, "expected a formula");
    refuses("p && && q", 5, "expected a formula");
}

#[test]
fn other_notations_are_recognised() {
    for (text, help) in [
        ("p & q", "write `&&`"),
        ("p => q", "write `->`"),
        ("p <=> q", "write `<->`"),
        ("G p", "`G` is a name here: write `[]`"),
        ("F !p", "`F` is a name here: write `<>`"),
        ("G (p -> F q)", "`G` is a name here: write `[]`"),
        ("◇ p", "write `<>`"),
        ("[] x > 3", "put an expression in parentheses, as in `[] (x > 3)`"),
        ("(x > 3 U p)", "put the expression in parentheses of its own"),
        ("p)", "a parenthesis too many, or one missing before"),
    ] {
        assert_eq!(parse(text).expect_err(text).help.as_deref(), Some(help), "{text}");
    }
    assert_eq!(parse("p q").expect_err("no operator").help, None);
}

#[test]
fn numbers_are_conditions() {
    reads("[] 1", "[]true");
    reads("(0) U p", "false U p");
    reads("<> (12 && p)", "<>(true && p)");
    reads("(x + 1)", "(x + 1)");
    reads("(1 + x)", "(1 + x)");
    reads("(2 == x)", "(2 == x)");
}

#[test]
fn deep_and_wide_formulas() {
    assert!(parse(&"!".repeat(100_000)).is_err());
    assert!(parse(&"(".repeat(100_000)).is_err());
    assert!(parse(&format!("{}p{}", "(".repeat(100_000), ")".repeat(100_000))).is_err());
    assert!(parse(&vec!["p"; 100_000].join(" U ")).is_err());
    let wide = parse(&vec!["p"; 10_000].join(" && ")).expect("long chains are flat");
    assert_eq!(wide.atoms(), ["p"]);
}

#[test]
fn garbage_never_panics() {
    let pieces = [
        "p", "q", "(", ")", "{", "}", "[]", "<>", "!", "U", "V", "W", "X", "&&", "||", "->", "<->",
        "/\\", "\\/", " ", "==", "<", "1", "é", "\u{0}", "[", "]", "next", "true", "\"", "∧", "-",
    ];
    let mut rng = fastrand::Rng::with_seed(1);
    let mut good = 0;
    for _ in 0..50_000 {
        let text: String =
            (0..rng.usize(..20)).map(|_| pieces[rng.usize(..pieces.len())]).collect();
        match parse(&text) {
            Ok(f) => {
                good += 1;
                assert!(parse(&f.to_string()).is_ok(), "{text}: {f}");
            }
            Err(e) => assert!(text.is_char_boundary(e.position), "{text}: {e}"),
        }
    }
    assert!(good > 100, "{good}");
}
