//! Temporal formulas.

use super::dump::formula;
use super::{check_complaints, complaints, read};
use crate::{NoFiles, PreprocessOptions, parse_formula};

#[track_caller]
fn check(text: &str, expected: &str) {
    let parsed = parse_formula("formula", text, &PreprocessOptions::default(), &NoFiles);
    let found = parsed.formula.as_ref().map(formula);
    assert_eq!(found.as_deref(), Some(expected), "{text}: {:?}", parsed.diagnostics);
    assert!(parsed.diagnostics.is_empty(), "{text}: {:?}", parsed.diagnostics);
}

#[test]
fn all_spellings() {
    for (text, expected) in [
        ("[] p", "([] {p})"),
        ("<> p", "(<> {p})"),
        ("[]<>p", "([] (<> {p}))"),
        ("<>[]!p", "(<> ([] {(! p)}))"),
        ("X p", "(X {p})"),
        ("always eventually p", "([] (<> {p}))"),
        ("next p", "(X {p})"),
        ("p U q", "(U {p} {q})"),
        ("p until q", "(U {p} {q})"),
        ("p stronguntil q", "(U {p} {q})"),
        ("p W q", "(W {p} {q})"),
        ("p weakuntil q", "(W {p} {q})"),
        ("p V q", "(V {p} {q})"),
        ("p release q", "(V {p} {q})"),
        ("[]p -> <>q", "(-> ([] {p}) (<> {q}))"),
        ("[]p implies <>q", "(-> ([] {p}) (<> {q}))"),
        ("[]p <-> <>q", "(<-> ([] {p}) (<> {q}))"),
        ("[]p equivalent q", "(<-> ([] {p}) {q})"),
        ("[]p /\\ q", "(&& ([] {p}) {q})"),
        ("[]p \\/ q", "(|| ([] {p}) {q})"),
    ] {
        check(text, expected);
    }
}

#[test]
fn binding() {
    for (text, expected) in [
        ("p && q U r", "(&& {p} (U {q} {r}))"),
        ("[] p U q", "(U ([] {p}) {q})"),
        ("[] p && q", "(&& ([] {p}) {q})"),
        ("p U q U r", "(U (U {p} {q}) {r})"),
        ("[]a -> []b -> []c", "(-> (-> ([] {a}) ([] {b})) ([] {c}))"),
        ("a == 1 U b > 2", "(U {(== a 1)} {(> b 2)})"),
        ("! [] p", "(! ([] {p}))"),
        ("!! <> p", "(! (! (<> {p})))"),
        ("!p U q", "(U {(! p)} {q})"),
        ("X (p) U q", "(U (X {p}) {q})"),
    ] {
        check(text, expected);
    }
}

#[test]
fn state_predicates_stay_whole() {
    for (text, expected) in [
        ("[] (a && b || !c)", "([] {(|| (&& a b) (! c))})"),
        ("[] (p -> q)", "([] {(|| (! p) q)})"),
        ("[] (p <-> q)", "([] {(== (! p) (! q))})"),
        ("[] (p -> <> q)", "([] (-> {p} (<> {q})))"),
        ("[] ((x + 1) > 2)", "([] {(> (+ x 1) 2)})"),
        ("a && b && <> c", "(&& {(&& a b)} (<> {c}))"),
        ("[] P[1]@L", "([] {P[1]@L})"),
        ("[] !P@L", "([] {(! P@L)})"),
        ("[] (len(q) < 3)", "([] {(< (len q) 3)})"),
        ("[] empty(q)", "([] {(empty q)})"),
        ("[] !full(q)", "([] {(! (full q))})"),
        ("[] q?[x]", "([] {(?[] q x)})"),
        ("[] (a[U] == V)", "([] {(== a[U] V)})"),
        ("X == 3", "{(== X 3)}"),
        ("(((p)))", "{p}"),
        ("<> c_expr { x }", "(<> {(c_expr \"x\")})"),
    ] {
        check(text, expected);
    }
}

#[test]
fn lines_do_not_matter() {
    check("[] (p\n -> <> q)\n && r", "(&& ([] (-> {p} (<> {q}))) {r})");
    check("p\n -> <>\n q", "(-> {p} (<> {q}))");
    let text = "ltl p {\n [] (a\n -> <> b)\n}\nint x; init\n{ skip }";
    assert_eq!(super::tree(text), "(ltl p ([] (-> {a} (<> {b})))) (int x) (init [1])");
}

#[test]
fn remote_variables_of_later_proctypes() {
    let text = "ltl p { [] (P:x == 1) } active proctype P() { byte x; skip }";
    assert_eq!(super::tree(text), "(ltl p ([] {(== P:x 1)})) (proctype P active [(byte x) 1])");
}

#[test]
fn comparison_under_a_prefix_is_read_as_meant() {
    let parsed = read("ltl p { [] x != 3 }");
    assert_eq!(super::dump::module(&parsed.module), "(ltl p ([] {(!= x 3)}))");
    assert_eq!(
        complaints(&parsed),
        ["1:9 P0118 warning `[]` applies to the whole of `x != 3` here"]
    );
    assert_eq!(
        complaints(&read("ltl p { <> (x) == 3 }")),
        ["1:9 P0118 warning `<>` applies to the whole of `(x) == 3` here"]
    );
    assert!(read("ltl p { <> (x == 3) }").diagnostics.is_empty());
}

#[test]
fn errors() {
    check_complaints(
        "ltl p { ([] x) == 3 }",
        &["1:9 P0119 a temporal formula cannot be an operand of arithmetic or comparison"],
    );
    check_complaints("ltl p { [] }", &["1:12 P0100 expected an expression, found `}`"]);
    check_complaints("ltl p { p q }", &["1:11 P0102 expected an operator or `}`, found `q`"]);
    check_complaints("ltl p { p U }", &["1:13 P0100 expected an expression, found `}`"]);
    check_complaints("init { [] x }", &["1:8 P0100 expected a statement, found `[]`"]);
    let bad = parse_formula("f", "p q", &PreprocessOptions::default(), &NoFiles);
    assert!(bad.formula.is_none() && bad.diagnostics.len() == 1);
}
