//! Statements and expressions in resolved form.

use super::{check, check_errors};

#[test]
fn messages_are_flat() {
    check(
        "mtype = { A, B }; typedef U { byte r[2] } typedef T { byte a; U u }
         chan c = [1] of { mtype, T }; T t; byte x;
         init { T s[2]; c!A, t; c!B, 1, 2, 3; c?A, s[1]; c?_, eval(x), x, t.u;
                c??<A, -1, 2, 3>; c?[B, x, x, _]; run P(s[0].a, t) }
         proctype P(byte a; byte b, c2, d) { skip }",
        "g0 chan c = [1] of {mtype,byte,byte,byte}
         g1 T t
         g2 byte x
         init active 1
         l0 T s[2]
         g0!m0.2,g1.0,g1.1.0[0],g1.1.0[1]
         g0!m0.1,1,2,3
         g0?=m0.2,l0[1].0,l0[1].1.0[0],l0[1].1.0[1]
         g0?_,=g2,g2,g1.1.0[0],g1.1.0[1]
         g0??<=m0.2,=-1,=2,=3>
         g0?[=m0.1,g2,g2,_]
         run P1(l0[0].0,g1.0,g1.1.0[0],g1.1.0[1])
         P
         p0 byte a
         p1 byte b
         p2 byte c2
         p3 byte d
         1",
    );
}

#[test]
fn for_is_taken_apart() {
    check(
        "byte i; byte a[3]; init { for (i : 1 .. 3) { skip }; L: for (i in a) { a[i] = i } }",
        "g0 byte i
         g1 byte a[3]
         init active 1
         g0 = 1
         loop {
         (g0 Le 3)
         1
         g0 = (g0 Add 1)
         }
         g0 = 0
         L.0: loop {
         (g0 Le 2)
         g1[g0] = g0
         g0 = (g0 Add 1)
         }",
    );
}

#[test]
fn for_in_channel_rotates() {
    check(
        "typedef T { byte a, b }; chan c = [3] of { T };
         init { T m; for (m in c) { skip } for (m in c) { skip } }",
        "g0 chan c = [3] of {byte,byte}
         init active 1
         l0 T m
         l1 byte _for
         l1 = 0
         loop {
         (l1 Lt len(g0))
         g0?l0.0,l0.1
         g0!l0.0,l0.1
         1
         l1 = (l1 Add 1)
         }
         l1 = 0
         loop {
         (l1 Lt len(g0))
         g0?l0.0,l0.1
         g0!l0.0,l0.1
         1
         l1 = (l1 Add 1)
         }",
    );
}

#[test]
fn select_is_expanded_as_in_spin() {
    check(
        "#define N 2\nbyte i; init { select (i : 1 .. N) }",
        "g0 byte i\ninit active 1\nif\n::\ng0 = 1\n::\ng0 = 2\nend",
    );
    let looped = "init active 1\ng0 = 1\nloop? {\n(g0 Lt 2)\ng0 = (g0 Add 1)\n}";
    check("byte i_j; init { select (i_j : 1 .. 2) }", &format!("g0 byte i_j\n{looped}"));
    check(
        "byte i; inline f() { select (i : 1 .. 2) } init { f() }",
        "g0 byte i\ninit active 1\n{\ng0 = 1\nloop? {\n(g0 Lt 2)\ng0 = (g0 Add 1)\n}\n}",
    );
    check(
        "byte i; init { select (i : 0 .. 33) }",
        "g0 byte i\ninit active 1\ng0 = 0\ndo\n::\n(g0 Lt 33)\ng0 +1\n::\nbreak\nend",
    );
}

#[test]
fn labels_follow_blocks() {
    check(
        "inline f() { skip; L: skip; goto L } init { L: skip; if :: f() :: f() :: goto L fi }",
        "init active 1
         L.0: 1
         if
         ::
         {
         1
         L.1: 1
         goto L.1
         }
         ::
         {
         1
         L.2: 1
         goto L.2
         }
         ::
         goto L.0
         end",
    );
}

#[test]
fn nested_atomics_are_blocks() {
    check(
        "init { atomic { skip; atomic { skip }; d_step { skip; atomic { skip; d_step { skip } } } } }",
        "init active 1
         atomic {
         1
         {
         1
         }
         d_step {
         1
         {
         1
         {
         1
         }
         }
         }
         }",
    );
}

#[test]
fn unless_and_predefined() {
    check(
        "byte x; init { { x = _pid } unless { timeout -> _ = _nr_pr }; _priority = 2; x-- }",
        "g0 byte x
         init active 1
         {
         g0 = Pid
         }
         unless
         {
         Timeout
         _ = NrPr
         }
         _priority = 2
         g0 -1",
    );
}

#[test]
fn remote_references_reach_forward() {
    check(
        "init { P[1]@M && P:w[1] == 0 && Q[2]:s.a == 1 }
         proctype P() { byte v; byte w[2]; L: skip; M: skip }
         typedef T { byte a } active proctype Q() { T s; run P(); P@L }",
        "init active 1
         ((P1[1]@1 And (P1:l1[1] Eq 0)) And (P2[2]:l0.0 Eq 1))
         P
         l0 byte v
         l1 byte w[2]
         L.0: 1
         M.1: 1
         Q active 1
         l0 T s
         run P1()
         P1@0",
    );
}

#[test]
fn monitors() {
    check(
        "byte x; chan c = [1] of { byte }; init { c!x }
         never { do :: x == 1 -> break :: else od }
         never two { assert(np_) }
         trace { do :: c!1 :: c?_ od }
         ltl p { [] (x < 3 U empty(c)) }
         ltl { <> (x == 2) }",
        "g0 byte x
         g1 chan c = [1] of {byte}
         init active 1
         g1!g0
         never never_0
         do
         ::
         (g0 Eq 1)
         break
         ::
         else
         end
         never two
         assert NonProgress
         trace
         do
         ::
         g1!1
         ::
         g1?_
         end
         ltl p [] ((g0 Lt 3) Until Empty(g1))
         ltl ltl_1 <> (g0 Eq 2)",
    );
}

#[test]
fn run_in_expressions() {
    let p = "proctype P(byte a) { a = 1 }\n";
    check_errors(&format!("{p}byte x; init {{ x = run P(1) + 1; (run P(1)) }}"), &[]);
    check_errors("init { run P(1) } proctype P(byte a) { a = 1 }", &[]);
    check_errors(&format!("{p}init {{ run P(1) > 0 }}"), &["P0224@2:8"]);
    check_errors(&format!("{p}init {{ run P(1) && run P(2) }}"), &["P0224@2:20"]);
    check_errors(&format!("{p}init {{ run P(1, 2) }}"), &["P0223@2:8"]);
    check_errors(&format!("{p}init {{ run P() }}"), &["P0223@2:8"]);
    check_errors(&format!("{p}init {{ run Q() }}"), &["P0222@2:12"]);
    check_errors(&format!("{p}init {{ d_step {{ run P(1) }} }}"), &["P0237@2:17"]);
    check_errors(&format!("{p}chan c = [1] of {{byte}}; init {{ c!run P(1) }}"), &["P0224@2:34"]);
}
