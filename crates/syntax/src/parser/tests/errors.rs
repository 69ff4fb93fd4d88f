//! Messages: what was found, what was expected, where; and no floods.

use super::{check_complaints, complaints, read};

#[test]
fn separators_and_statements() {
    for (text, expected) in [
        ("init { x = 1 y = 2 }", "1:14 P0101 expected `;` or `->` before `y`"),
        ("init { x = }", "1:12 P0100 expected an expression, found `}`"),
        ("init { x = ; y = 1 }", "1:12 P0100 expected an expression, found `;`"),
        ("init { }", "1:8 P0103 expected a statement after `{`, found `}`"),
        ("init { if :: fi }", "1:14 P0103 expected a statement after `::`, found `fi`"),
        ("init { * }", "1:8 P0100 expected a statement, found `*`"),
        ("init { goto 3 }", "1:13 P0100 expected the name of a label, found `3`"),
        ("init { goto len }", "1:13 P0109 `len` is a keyword and cannot be the name of a label"),
        ("byte len;", "1:6 P0109 `len` is a keyword and cannot be the name of a variable"),
        ("init { printf(x) }", "1:15 P0100 expected a string after `printf(`, found `x`"),
        ("init { a unless b unless c }", "1:19 P0100 `unless` cannot be chained"),
        ("init { L: int x; skip }", "1:8 P0110 the label `L` stands before a declaration"),
        ("init { mtype = { A }; skip }", "1:8 P0111 `mtype` must stand outside of all bodies"),
        (
            "init { q?x+1 }",
            "1:11 P0121 expected `,` or the end of the receive, found the operator `+`",
        ),
        ("proctype P(int a, int b) { skip }", "1:19 P0100 expected a name, found the type `int`"),
        ("int x y", "1:7 P0100 expected `;` after the declaration, found `y`"),
    ] {
        check_complaints(text, &[expected]);
    }
}

#[test]
fn closers() {
    let parsed = read("init {\n  do\n  :: x = 1\n}\n");
    assert_eq!(complaints(&parsed), ["4:1 P0102 expected `od`, found `}`"]);
    let label = &parsed.diagnostics[0].labels[0];
    assert_eq!(label.message, "this `do` is not closed");
    assert_eq!(parsed.sources.location(label.span).line, 2);
    for (text, expected) in [
        ("init { if :: x od }", "1:16 P0102 expected `fi`, found `od`"),
        ("init { x }\n }", "2:2 P0100 expected a declaration or `proctype`, found `}`"),
        ("init { do :: if :: x od }", "1:22 P0102 expected `fi`, found `od`"),
        ("init { x od; y }", "1:10 P0104 `od` closes no `do`"),
        ("init { x; od; y }", "1:11 P0104 `od` closes no `do`"),
        ("init { x; :: y }", "1:11 P0104 `::` stands outside of `if` and `do`"),
        ("init { do :: { x od }", "1:18 P0102 expected `}`, found `od`"),
        ("init { x = (1 + 2; y = 1 }", "1:18 P0102 expected `)`, found `;`"),
        ("init { x\nproctype P() { skip }", "2:1 P0102 expected `}`, found `proctype`"),
        ("init { x = a[1; y = 1 }", "1:15 P0102 expected `]`, found `;`"),
    ] {
        check_complaints(text, &[expected]);
    }
}

#[test]
fn probes() {
    let parsed = read("init { if :: !full(q) -> skip fi }");
    assert_eq!(complaints(&parsed), ["1:15 P0108 `full(q)` cannot be negated"]);
    assert_eq!(parsed.diagnostics[0].help.as_deref(), Some("use `nfull(q)`"));
    check_complaints(
        "init { empty(q) == 1 }",
        &["1:8 P0108 `empty(q)` cannot be an operand of `==`"],
    );
    check_complaints(
        "init { q!full(r) }",
        &["1:10 P0108 `full(r)` can only be a condition, alone or joined by `&&` and `||`"],
    );
    check_complaints("init { !(x && nempty(q)) }", &["1:15 P0108 `nempty(q)` cannot be negated"]);
}

#[test]
fn habits_from_c() {
    for (text, expected, help) in [
        ("init { while (x > 0) { x-- } }", "1:8 P0120 `while` is no statement of Promela", "do ::"),
        ("init { if (x > 0) { x-- } }", "1:11 P0117 expected `::` after `if`, found `(`", "fi"),
        (
            "init { for (i = 0; i < 3; i++) { skip } }",
            "1:15 P0117 expected `:` or `in` in `for (…)`, found `=`",
            "0 .. n - 1",
        ),
        ("init { x += 1 }", "1:10 P0117 there is no operator `+=`", "x = x + …"),
        ("init { ++x }", "1:8 P0117 `++` stands after its variable", "x++"),
        ("init { (x = 1) }", "1:11 P0102 expected `)`, found `=`", "=="),
        ("init { y = x++ }", "1:13 P0101 expected `;` or `->` before `++`", "statement of its own"),
        ("init { a and b }", "1:10 P0101 expected `;` or `->` before `and`", "&&"),
        ("char c;", "1:1 P0117 `char` is no type of Promela", "byte"),
        ("init { p = &x }", "1:12 P0100 expected an expression, found `&`", "no pointers"),
        ("init { x = \"a\" }", "1:12 P0100 expected an expression, found a string", "printf"),
        ("init { do { x } }", "1:11 P0117 expected `::` after `do`, found `{`", "od"),
        (
            "init { if x == 1 -> skip :: else fi }",
            "1:11 P0100 expected `::` after `if`, found `x`",
            "fi",
        ),
        ("init { continue }", "1:8 P0117 `continue` is no statement of Promela", "goto"),
    ] {
        let parsed = read(text);
        assert_eq!(complaints(&parsed), [expected], "{text}");
        let given = parsed.diagnostics[0].help.clone().unwrap_or_default();
        assert!(given.contains(help), "{text}: {given}");
    }
}

#[test]
fn several_errors_in_one_run() {
    check_complaints(
        "proctype A() { x = ; y = 2; z z }\nbyte b = ;\nproctype B( { skip }\ninit { do :: x -> ( od; y + }",
        &[
            "1:20 P0100 expected an expression, found `;`",
            "2:10 P0100 expected an expression, found `;`",
            "3:13 P0102 expected `)`, found `{`",
            "4:21 P0100 expected an expression, found `od`",
            "4:29 P0100 expected an expression, found `}`",
        ],
    );
}

#[test]
fn a_text_that_is_no_model_is_not_a_flood() {
    for text in [
        "Dear reader,\nthis is a letter; it has (many) words.\nIt goes on: and on.\n\nYours, A\n",
        "#include \"x\"\nint main(void) {\n  int i;\n  for (i = 0; i < 3; i++) { f(i); }\n  return 0;\n}\nvoid g(char *p) { *p = 0; }\nvoid h() { }\n",
        "def f(x):\n    return x + 1\n\nclass A:\n    def g(self): pass\nprint(f(3))\n",
        "<html><body><p>hello</p></body></html>",
        "{\"a\": [1, 2, {\"b\": null}], \"c\": \"d\"}",
        "%PDF-1.4 1 0 obj << /Type /Catalog >> endobj",
    ] {
        let found = complaints(&read(text));
        let parser = found.iter().filter(|c| c.contains(" P01")).count();
        assert!((1..=3).contains(&parser), "{text}\n{found:#?}");
    }
}

#[test]
fn the_number_of_errors_is_bounded() {
    let text = format!("init {{ {} }}", "x = ;\n".repeat(500));
    let found = complaints(&read(&text));
    assert_eq!(found.len(), 51);
    assert!(found[50].contains("too many errors"));
}

#[test]
fn what_follows_an_error_is_still_read() {
    let parsed =
        read("byte b = ;\nactive proctype P() { x = ; y = 2 }\nltl p { [] ) }\ninit { z = 1 }");
    assert_eq!(
        super::dump::module(&parsed.module),
        "(proctype P active [(= y 2)]) (init [(= z 1)])"
    );
}

#[test]
fn a_model_after_other_text_is_read() {
    let parsed =
        read("Some words here.\nMore (words)\nand more;\nproctype P() { skip }\ninit { x = 1 }");
    let tree = super::dump::module(&parsed.module);
    assert!(tree.ends_with("(proctype P [1]) (init [(= x 1)])"), "{tree}");
    assert!(parsed.diagnostics.len() <= 3, "{:?}", complaints(&parsed));
}
