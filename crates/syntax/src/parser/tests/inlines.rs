//! Inline definitions and calls.

use super::{check, check_complaints, complaints, read};
use crate::ast::{Item, StmtKind};

#[test]
fn parameters_are_replaced_by_text() {
    check(
        "inline f(a, b) { a = b; b++ } init { f(x, y); f(p[1], q.r) }",
        "(inline f a b calls=2) (init [(call f [(= x y) (++ y)]) \
         (call f [(= p[1] q.r) (++ q.r)])])",
    );
    check("inline f() { skip } init { f() }", "(inline f calls=1) (init [(call f [1])])");
    check("inline f(a) { x = a }", "(inline f a calls=0)");
    // Simultaneous: an argument may have the name of another parameter.
    check(
        "inline f(a, b) { x = a; y = b } init { f(b, a) }",
        "(inline f a b calls=1) (init [(call f [(= x b) (= y a)])])",
    );
    // Labels, types and whole operators are text too.
    check(
        "inline f(L, t) { t z; L: goto L } init { f(M, int) }",
        "(inline f L t calls=1) (init [(call f [(int z) M: (goto M)])])",
    );
    check(
        "inline f(a) { if :: a -> skip :: else fi } init { f(g[1]) }",
        "(inline f a calls=1) (init [(call f [(if [g[1] 1] [else])])])",
    );
}

#[test]
fn arguments_keep_parentheses_and_commas_together() {
    check(
        "inline f(a, b) { x = a; q!b } init { f((p + q), r(h[1], 2)) }",
        "(inline f a b calls=1) (init [(call f [(= x (+ p q)) (! q r h[1] 2)])])",
    );
}

#[test]
fn calls_nest() {
    check(
        "inline g(v) { v = 1 } inline f(a) { g(a); g(b) } init { f(x) }",
        "(inline g v calls=2) (inline f a calls=1) \
         (init [(call f [(call g [(= x 1)]) (call g [(= b 1)])])])",
    );
}

#[test]
fn calls_stand_where_statements_do() {
    check(
        "inline f(a) { x = a }\ninit { do :: f(1) :: f(2) od\nL: f(3) f(4)\nf(5) unless f(6) }",
        "(inline f a calls=6) (init [(do [(call f [(= x 1)])] [(call f [(= x 2)])]) \
         L: (call f [(= x 3)]) (call f [(= x 4)]) \
         (unless (call f [(= x 5)]) (call f [(= x 6)]))])",
    );
}

#[test]
fn a_returned_value_is_assigned() {
    check(
        "inline f(a) { if :: a -> return a + 1 :: else -> return 0 fi } init { v[2] = f(3) }",
        "(inline f a calls=1) (init [(call f [(if [3 (= v[2] (+ 3 1))] [else (= v[2] 0)])])])",
    );
    check_complaints(
        "inline f() { return 1 } init { f() }",
        &["1:14 P0116 nothing takes the value of this `return`"],
    );
    check_complaints("init { return 1 }", &["1:8 P0116 `return` outside of an inline"]);
}

#[test]
fn lines_end_statements_in_bodies() {
    check(
        "inline f(a) {\n x = a\n y = a\n}\ninit {\n f(1)\n z = 1\n}",
        "(inline f a calls=1) (init [(call f [(= x 1) (= y 1)]) (= z 1)])",
    );
}

#[test]
fn wrong_calls() {
    check_complaints(
        "inline f(a) { x = a }\ninit { f(1, 2); f() }",
        &[
            "2:8 P0112 the inline `f` takes 1 argument, not 2",
            "2:17 P0112 the inline `f` takes 1 argument, not 0",
        ],
    );
    check_complaints(
        "inline f() { f() } init { f() }",
        &["1:14 P0113 the inline `f` calls itself"],
    );
    check_complaints(
        "inline f() { g() } inline g() { f() } init { f() }",
        &["1:33 P0113 the inline `f` calls itself"],
    );
    check_complaints(
        "init { g() } inline g() { skip }",
        &["1:8 P0120 the inline `g` is called before its definition"],
    );
    check_complaints(
        "inline f() { skip } inline f() { skip } init { f() }",
        &["1:28 P0115 the inline `f` is defined twice"],
    );
    check_complaints("init { f(1) }", &["1:8 P0120 there is no inline `f`"]);
    check_complaints(
        "inline f() { skip } init { x = 1 + f() }",
        &["1:36 P0120 the inline `f` cannot be called inside an expression"],
    );
    check_complaints("proctype P() { skip } init { P() }", &["1:30 P0120 `P` is a proctype"]);
    check_complaints(
        "inline f() { do :: skip od\ninit { skip }",
        &["1:12 P0102 the body of this inline is not closed"],
    );
}

#[test]
fn an_error_in_a_body_is_reported_once() {
    check_complaints(
        "inline f() { x = ; }\ninit { f(); f(); f() }",
        &["1:18 P0100 expected an expression, found `;`"],
    );
}

#[test]
fn arguments_torn_apart_are_noticed() {
    let warning = |text: &str| complaints(&read(text)).len();
    assert_eq!(warning("inline f(p) { x = p * 2 } init { f(y + 1) }"), 1);
    assert_eq!(warning("inline f(p) { x = z - p } init { f(y + 1) }"), 1);
    assert_eq!(warning("inline f(p) { !p } init { f(y && z) }"), 1);
    for fine in [
        "inline f(p) { x = p * 2 } init { f((y + 1)) }",
        "inline f(p) { x = (p) * 2 } init { f(y + 1) }",
        "inline f(p) { x = p + 2 } init { f(y + 1) }",
        "inline f(p) { x = 2 + p } init { f(y * 2) }",
        "inline f(p) { x = p * 2 } init { f(a[y + 1]) }",
        "inline f(p) { x = -p } init { f(-1) }",
        "inline f(p) { q!p } init { f(y + 1) }",
        "inline f(p) { p && q } init { f(a == b) }",
    ] {
        assert_eq!(warning(fine), 0, "{fine}");
    }
}

#[test]
fn tokens_know_their_history() {
    let text = "#define M (y+1)\n#define CALL g(M)\ninline g(a) { x = a }\n\
                inline f(b) { CALL; z = M; b }\ninit { f(w) }";
    let parsed = read(text);
    assert!(parsed.diagnostics.is_empty(), "{:?}", complaints(&parsed));
    let Some(Item::Init(init)) = parsed.module.items.last() else { panic!() };
    let chain =
        |span| -> Vec<String> { parsed.sources.chain(span).map(|e| e.name.to_string()).collect() };
    let StmtKind::InlineCall { body, .. } = &init.body.stmts[0].kind else { panic!() };
    let StmtKind::InlineCall { body: inner, name } = &body.stmts[0].kind else { panic!() };
    assert_eq!(chain(name.span), ["CALL", "f"]);
    let StmtKind::Assign(x, value) = &inner.stmts[0].kind else { panic!() };
    assert_eq!(chain(x.span), ["g", "CALL", "f"]);
    assert_eq!(chain(value.span), ["M", "g", "CALL", "f"]);
    let StmtKind::Assign(_, value) = &body.stmts[1].kind else { panic!() };
    assert_eq!(chain(value.span), ["M", "f"]);
    let StmtKind::Expr(w) = &body.stmts[2].kind else { panic!() };
    assert_eq!(chain(w.span), ["f"]);
    assert_eq!(parsed.sources.location(w.span).line, 5);
    assert_eq!(parsed.sources.location(parsed.sources.outermost(x.span)).line, 5);
}
