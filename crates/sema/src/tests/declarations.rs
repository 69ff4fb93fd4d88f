//! Declarations: types, numbers, initial values, and which are steps.

use super::{check, check_errors, check_warnings, model};
use crate::Scoping::{Block, Body};
use crate::codes;

#[test]
fn mtypes_count_backwards_per_declaration() {
    let m = model("mtype = { A, B }; mtype = { C, D }; mtype:f = { X, Y } init { skip }");
    let values = |i: usize| m.mtypes[i].names.iter().map(|(_, v)| *v).collect::<Vec<_>>();
    assert_eq!(values(0), [2, 1, 4, 3]);
    assert_eq!(values(1), [2, 1]);
}

#[test]
fn globals() {
    check(
        "#define N 2\nbyte a = 1 + N; int b[N*2] = {1,2}; unsigned u : 3; bool c[2] = 1;
         typedef T { byte x; short y[2] }; T t; chan q = [N] of { T, mtype }; chan r[2] = [0] of { chan };
         init { skip }",
        "g0 byte a = (1 Add 2)
         g1 int b[4] = {1,2,2,2}
         g2 unsigned : 3 u
         g3 bool c[2] = 1
         g4 T t
         g5 chan q = [2] of {byte,short,short,mtype}
         g6 chan r[2] = [0] of {chan}
         init active 1
         1",
    );
}

#[test]
fn at_the_start_of_a_body_declarations_are_no_steps() {
    check(
        "chan c = [1] of { byte }
         proctype P(byte a, b; chan d) { byte e = a; xr c; int f[2] = 3; chan g = [1] of { bit }; c?e }
         init { run P(1, 2, c) }",
        "g0 chan c = [1] of {byte}
         P
         p0 byte a
         p1 byte b
         p2 chan d
         l3 byte e = l0
         l4 int f[2] = 3
         l5 chan g = [1] of {bit}
         g0?l3
         init active 1
         run P0(1,2,g0)",
    );
}

#[test]
fn later_declarations_are_steps() {
    check(
        "typedef T { byte x }
         init { skip; byte a, b = 2; int c[3]; int d[2] = {4, 5}; int e[2] = 6; T t; chan q; chan r = [1] of { byte } }",
        "init active 1
         l0 byte a
         l1 byte b
         l2 int c[3]
         l3 int d[2]
         l4 int e[2]
         l5 T t
         l6 chan q
         l7 chan r = [1] of {byte}
         1
         decl(l0 = 0)
         decl(l1 = 2)
         decl(l2[0] = 0)
         decl(l3[0] = 4, l3[1] = 5)
         decl(l4[0] = 6)
         decl()
         decl(l6 = 0)",
    );
}

#[test]
fn inner_declarations_are_steps_everywhere() {
    check(
        "inline f(v) { byte x = v; x++ }
         init { byte z; f(1); f(z); atomic { byte a; a = 1 }; d_step { byte b; b = 1 };
                if :: byte o; o = 1 fi; o = 2; { byte c; skip }; { byte c; skip } }",
        "init active 1
         l0 byte z
         l1 byte x
         l2 byte x
         l3 byte a
         l4 byte b
         l5 byte o
         l6 byte c
         l7 byte c
         {
         decl(l1 = 1)
         l1 +1
         }
         {
         decl(l2 = l0)
         l2 +1
         }
         atomic {
         decl(l3 = 0)
         l3 = 1
         }
         d_step {
         decl(l4 = 0)
         l4 = 1
         }
         if
         ::
         decl(l5 = 0)
         l5 = 1
         end
         l5 = 2
         {
         decl(l6 = 0)
         1
         }
         {
         decl(l7 = 0)
         1
         }",
    );
}

#[test]
fn an_inline_call_ends_the_start_of_the_body() {
    check(
        "inline f() { skip }
         init { f(); byte x }",
        "init active 1
         l0 byte x
         {
         1
         }
         decl(l0 = 0)",
    );
}

#[test]
fn names_are_unique_while_visible() {
    check_errors("byte x; init { byte x; x = 1 }", &["P0202@1:21"]);
    check_errors("byte x; proctype P(byte x) { x = 1 } init { run P(1) }", &["P0202@1:25"]);
    check_errors("init { byte x; { byte x; x = 1 } }", &["P0202@1:23"]);
    check_errors("init { if :: byte x; x = 1 :: byte x; x = 2 fi }", &["P0202@1:36"]);
    check_errors("init { { byte x; x = 1 }; { byte x; x = 2 } }", &[]);
    check_errors("mtype = { A }; byte A; init { skip }", &["P0202@1:21"]);
    check_errors("proctype P() { skip } proctype P() { skip } init { run P() }", &["P0202@1:32"]);
    check_errors("typedef T { byte a; byte a }; init { skip }", &["P0202@1:26"]);
    check_errors("mtype = { A, A }; init { skip }", &["P0202@1:14"]);
}

#[test]
fn uses_need_declarations_above() {
    check_errors("init { x = 1 }", &["P0200@1:8"]);
    check_errors("init { x = 1 } byte x;", &["P0201@1:8"]);
    check_errors("init { { byte x; x = 1 }; x = 2 }", &["P0200@1:27"]);
    check_errors("byte a = b; byte b = 1; init { skip }", &["P0200@1:10"]);
    check_errors("byte a = a; init { skip }", &["P0200@1:10"]);
    check_errors("ltl { <> (x == 1) } byte x; init { x = 1 }", &[]);
    check_errors("init { byte x; x = 1 } ltl { <> (x == 1) }", &["P0200@1:34"]);
    check_errors("chan c = [1] of { T }; typedef T { byte a }; init { skip }", &["P0203@1:19"]);
    check_errors("typedef T { byte a; T b }; init { skip }", &["P0203@1:21"]);
}

#[test]
fn sizes_and_widths() {
    check_errors("byte a[0]; init { skip }", &["P0211@1:8"]);
    check_errors("byte n; byte a[n]; init { skip }", &["P0209@1:16"]);
    check_errors("byte a[4/0]; init { skip }", &["P0210@1:8"]);
    check_errors("unsigned x : 32; init { skip }", &["P0212@1:14"]);
    check_errors("unsigned x; init { skip }", &["P0212@1:10"]);
    check_errors("byte x : 3; init { skip }", &["P0212@1:10"]);
    check_errors("chan c = [-1] of { byte }; init { skip }", &["P0213@1:11"]);
    check_errors("chan c = [1] of { unsigned }; init { skip }", &["P0100@1:19"]);
    check_warnings("byte n = 3; byte a[n]; init { a[2] = 1 }", &["P0309@1:20"]);
}

#[test]
fn initialisers() {
    check_errors("byte a = {1, 2}; init { skip }", &["P0215@1:10"]);
    check_errors("byte a = [1] of { byte }; init { skip }", &["P0215@1:10"]);
    check_errors("proctype P() { skip } init { byte x = run P(); skip }", &["P0224@1:39"]);
    check_warnings("byte a[2] = {1, 2, 3}; init { a[0] = 1 }", &["P0318@1:20"]);
}

#[test]
fn hidden_and_parameters() {
    check_errors("hidden bit x; init { x = 1 }", &["P0216@1:1"]);
    check_errors("hidden chan x = [1] of { byte }; init { x!1 }", &["P0216@1:1"]);
    check_errors("init { hidden byte x; x = 1 }", &["P0216@1:8"]);
    check_errors("proctype P(byte a[2]) { skip } init { run P(1) }", &["P0217@1:17"]);
    check_errors("proctype P(byte a = 2) { skip } init { run P(1) }", &["P0217@1:17"]);
    check_errors(
        "typedef T { byte a[2] }; proctype P(T t) { skip } init { T t; run P(t) }",
        &["P0217@1:39"],
    );
}

#[test]
fn processes() {
    check_errors("byte x", &["P0221@1:1"]);
    check_errors("proctype P() { skip }", &["P0221@1:1"]);
    check_errors("active [300] proctype P() { skip }", &["P0219@1:9"]);
    check_errors("active proctype P() priority 0 { skip }", &["P0220@1:30"]);
    check_errors("init { skip } init { skip }", &["P0247@1:15"]);
    check("byte n = 2; active [n] proctype P() { skip }", "g0 byte n = 2\nP active 2\n1");
}

#[test]
fn names_of_inner_blocks_can_belong_to_the_body() {
    let errors = |src: &str, scoping| {
        let parsed = super::parse(src);
        let analysis = crate::analyze_scoped(&parsed, scoping);
        let errors = analysis.diagnostics.iter().filter(|d| d.is_error());
        errors.map(|d| d.code).collect::<Vec<_>>()
    };
    let later = "active proctype P() { { byte x = 1; x++ }; x = 2 }";
    assert_eq!(errors(later, Block), [codes::UNDECLARED]);
    assert!(errors(later, Body).is_empty());
    let twice = "active proctype P() { { byte x; x++ }; { byte x; x++ } }";
    assert!(errors(twice, Block).is_empty());
    assert_eq!(errors(twice, Body), [codes::REDECLARED]);
    let labels = "active proctype P() { { skip; L: skip }; { skip; L: skip }; goto L }";
    assert!(errors(labels, Block).is_empty());
    assert_eq!(errors(labels, Body), [codes::DUPLICATE_LABEL]);
}
