//! Text to tree, one line per point of the language.

use super::{check, check_body, read, tree};

#[test]
fn basic_statements() {
    for (text, expected) in [
        ("skip", "1"),
        ("x = 1", "(= x 1)"),
        ("x = y + 2; x++; x--", "(= x (+ y 2)) (++ x) (-- x)"),
        ("a[i+1].b.c[2] = 'a'", "(= a[(+ i 1)].b.c[2] 97)"),
        (r"x = '\n'; y = '\\'", "(= x 10) (= y 92)"),
        ("true -> false; timeout", "1 0 timeout"),
        ("assert(x > 0)", "(assert (> x 0))"),
        ("assert x > 0", "(assert (> x 0))"),
        ("assert(x) && y", "(assert (&& x y))"),
        ("goto L; L: break", "(goto L) L: break"),
        (r#"printf("a\n"); printf("%d %d", x, y)"#, r#"(printf "a\\n") (printf "%d %d" x y)"#),
        ("printm(x); printm(3)", "(printm x) (printm 3)"),
        ("set_priority(_pid, 3)", "(set_priority _pid 3)"),
        ("run P(1, x); x = 1 + run Q()", "(run P 1 x) (= x (+ 1 (run Q)))"),
        ("run P() priority 3", "(run P priority=3)"),
        ("(x)", "x"),
        ("!x; -x; ~x", "(! x) (neg x) (~ x)"),
        ("!!x", "(! (! x))"),
        ("x == 1 -> y = 2", "(== x 1) (= y 2)"),
        ("xr q; xs a, b[1]", "(xr q) (xs a b[1])"),
        ("in = 3; of1 = in", "(= in 3) (= of1 in)"),
    ] {
        check_body(text, expected);
    }
}

#[test]
fn precedence_is_that_of_spin() {
    for (text, expected) in [
        ("a || b && c", "(|| a (&& b c))"),
        ("a && b | c", "(&& a (| b c))"),
        ("a | b ^ c & d", "(| a (^ b (& c d)))"),
        ("a & b == c", "(& a (== b c))"),
        ("a == b < c", "(== a (< b c))"),
        ("a < b << c", "(< a (<< b c))"),
        ("a << b + c", "(<< a (+ b c))"),
        ("a + b * c", "(+ a (* b c))"),
        ("a - b - c", "(- (- a b) c)"),
        ("a / b % c * d", "(* (% (/ a b) c) d)"),
        ("!a == b", "(== (! a) b)"),
        ("-a + b", "(+ (neg a) b)"),
        ("!a && ~b | c", "(&& (! a) (| (~ b) c))"),
        ("a != b >= c > d <= e", "(!= a (<= (> (>= b c) d) e))"),
        ("(a -> b : c) + 1", "(+ (?: a b c) 1)"),
        ("((a -> (b -> 1 : 2) : c))", "(?: a (?: b 1 2) c)"),
    ] {
        check_body(text, expected);
    }
}

#[test]
fn channels() {
    for (text, expected) in [
        ("q!1", "(! q 1)"),
        ("q!a,b+1", "(! q a (+ b 1))"),
        ("q!a(b,c)", "(! q a b c)"),
        ("q[1]!!a(b)", "(!! q[1] a b)"),
        ("s.q ! (1), 2", "(! s.q 1 2)"),
        ("q!a > b", "(! q (> a b))"),
        ("q?x,_,3,-1,eval(y+1),true", "(? q x _ #3 #(neg 1) (eval (+ y 1)) #1)"),
        ("q?a(b,c)", "(? q a b c)"),
        ("q?(a,b)", "(? q a b)"),
        ("q?a,b(c)", "(? q a b c)"),
        ("q?a(b(c))", "(? q a b c)"),
        ("q??x", "(?? q x)"),
        ("q?<x,y>; q??<a(b)>", "(?<> q x y) (??<> q a b)"),
        ("q?[x,3] && y; x = q??[a(b)]", "(&& (?[] q x #3) y) (= x (??[] q a b))"),
        ("q?a -> x = 1", "(? q a) (= x 1)"),
        ("q?<a>->x = 1", "(?<> q a) (= x 1)"),
        (
            "len(q) > 1; full(q) && nempty(r[1]); empty(q) || nfull(q)",
            "(> (len q) 1) (&& (full q) (nempty r[1])) (|| (empty q) (nfull q))",
        ),
        ("x = full(q); (full(q)) && y", "(= x (full q)) (&& (full q) y)"),
    ] {
        check_body(text, expected);
    }
}

#[test]
fn separators() {
    for (text, expected) in [
        ("a = 1;; b = 2; -> c = 3;", "(= a 1) (= b 2) (= c 3)"),
        ("; a = 1", "(= a 1)"),
        ("a = 1\nb = 2\n", "(= a 1) (= b 2)"),
        ("a\n-> b = 2\n;", "a (= b 2)"),
        ("{ a = 1 } b = 2", "[(= a 1)] (= b 2)"),
        ("do :: a od b = 2", "(do [a]) (= b 2)"),
        ("if :: a -> b :: else c = 1 fi", "(if [a b] [else (= c 1)])"),
        ("if :: a; :: else -> c fi;", "(if [a] [else c])"),
        ("if\n:: a\n:: else\nfi\nb", "(if [a] [else]) b"),
        ("x = a\n + b", "(= x (+ a b))"),
        ("x = a\n - b", "(= x a) (neg b)"),
        ("x = a\n (b)", "(= x a) b"),
        ("q!a\n (b)", "(! q a) b"),
        ("atomic\n{\n a = 1\n}\nb = 1", "(atomic [(= a 1)]) (= b 1)"),
        ("a = 1\nunless b", "(unless (= a 1) b)"),
        ("{ a = 1 }\nunless\n{ b }", "(unless [(= a 1)] [b])"),
        ("if\n:: a ->\n b = 1\n fi", "(if [a (= b 1)])"),
    ] {
        check_body(text, expected);
    }
}

#[test]
fn compound_statements() {
    for (text, expected) in [
        ("atomic { a; b }", "(atomic [a b])"),
        ("d_step { a = 1 }", "(d_step [(= a 1)])"),
        ("for (i : 1 .. N) { skip }", "(for i 1 N [1])"),
        ("for (i : 1..3); { skip }", "(for i 1 3 [1])"),
        ("for (a[0] : x+1 .. y*2) { skip; }", "(for a[0] (+ x 1) (* y 2) [1])"),
        ("for (i in a) { x = a[i] }", "(for-in i a [(= x a[i])])"),
        ("for (m in s.q) { skip }", "(for-in m s.q [1])"),
        ("select (i : 1 .. 3)", "(select i 1 3)"),
        ("do :: break :: x -> x-- od", "(do [break] [x (-- x)])"),
        ("L: { a } unless b", "(unless L: [a] b)"),
        ("a = 1 unless L: b", "(unless (= a 1) L: b)"),
        ("if :: if :: a fi fi", "(if [(if [a])])"),
    ] {
        check_body(text, expected);
    }
}

#[test]
fn labels() {
    for (text, expected) in [
        ("L: skip", "L: 1"),
        ("A: B: x = 1", "A: B: (= x 1)"),
        ("a; end:", "a end:"),
        ("L: ; a", "L: a"),
        ("do :: a; L: :: b od", "(do [a L:] [b])"),
        ("done: x = 1; goto done", "done: (= x 1) (goto done)"),
        ("L:\n x = 1", "L: (= x 1)"),
        ("U: goto U", "U: (goto U)"),
    ] {
        check_body(text, expected);
    }
}

#[test]
fn remote_references() {
    let start = "proctype P() { L: byte1 = 0 }";
    let p = "(proctype P [L: (= byte1 0)])";
    for (text, expected) in [
        ("P@L", "P@L"),
        ("P[1]@L && P[i+1]@M", "(&& P[1]@L P[(+ i 1)]@M)"),
        ("P:x == 1", "(== P:x 1)"),
        ("P[2]:a[1] > 0", "(> P[2]:a[1] 0)"),
        ("x = (c -> a : b)", "(= x (?: c a b))"),
        ("(c -> P@L : P:x)", "(?: c P@L P:x)"),
    ] {
        check(&format!("{start} init {{ {text} }}"), &format!("{p} (init [{expected}])"));
    }
    // Only a proctype that is declared already keeps `Q:` from being a label.
    check("init { Q: x } proctype Q() { skip }", "(init [Q: x]) (proctype Q [1])");
    check("never { Q:x } proctype Q() { skip }", "(never [Q:x]) (proctype Q [1])");
    check("init { (Q@L) } proctype Q() { skip }", "(init [Q@L]) (proctype Q [1])");
}

#[test]
fn predefined_functions() {
    for (text, expected) in [
        ("enabled(1)", "(enabled 1)"),
        ("pc_value(_pid) > 3", "(> (pc_value _pid) 3)"),
        ("x = get_priority(p)", "(= x (get_priority p))"),
        ("np_ && timeout", "(&& np_ timeout)"),
        ("_nr_pr == _last", "(== _nr_pr _last)"),
    ] {
        check_body(text, expected);
    }
}

#[test]
fn declarations() {
    for (text, expected) in [
        ("int x", "(int x)"),
        ("byte a, b = 3, c[4]; bit d", "(byte a b=3 c[4]) (bit d)"),
        ("int a int b", "(int a) (int b)"),
        ("bool b = true; pid p; short s", "(bool b=1) (pid p) (short s)"),
        ("unsigned x : 3 = 2, y : 5", "(unsigned x:3=2 y:5)"),
        ("int a[2] = { 1, -2 }", "(int a[2]={1 (neg 2)})"),
        ("int a[N*2] = 1+1", "(int a[(* N 2)]=(+ 1 1))"),
        ("chan q = [2] of { byte, mtype, chan, T }", "(chan q=[2]{byte mtype chan T})"),
        ("chan q[3] = [0] of { mtype:m }, r", "(chan q[3]=[0]{mtype:m} r)"),
        ("chan q = [1] of {byte}, r = [1] of {byte}", "(chan q=[1]{byte} r=[1]{byte})"),
        ("hidden byte x; show int y; local T z", "(hidden byte x) (show int y) (local T z)"),
        ("mtype = { A, B, C }", "(mtype = A B C)"),
        ("mtype { A B, C, }", "(mtype = A B C)"),
        ("mtype:m = { A }; mtype:m x = A; mtype y", "(mtype:m = A) (mtype:m x=A) (mtype y)"),
        (
            "typedef T { int a; byte b[2] = 1; }; T t[2]",
            "(typedef T (int a) (byte b[2]=1)) (T t[2])",
        ),
        ("typedef T { int a }\nT t;", "(typedef T (int a)) (T t)"),
        ("typedef T {\n int a\n byte b\n}", "(typedef T (int a) (byte b))"),
    ] {
        check(text, expected);
    }
    check_body(
        "int x = 3; byte y\nx = y; T t; t.a = 1",
        "(int x=3) (byte y) (= x y) (T t) (= t.a 1)",
    );
    check_body("int\nx, \ny\nx = 1", "(int x y) (= x 1)");
    check("typedef T { int a }\ninit { T\n t\n skip }", "(typedef T (int a)) (init [(T t) 1])");
}

#[test]
fn units() {
    for (text, expected) in [
        ("proctype P() { skip }", "(proctype P [1])"),
        ("proctype P(int a, b; chan c) { skip };", "(proctype P (int a b) (chan c) [1])"),
        ("active proctype P() { skip }", "(proctype P active [1])"),
        ("active [2+1] proctype P(byte x;) { skip }", "(proctype P active=(+ 2 1) (byte x) [1])"),
        (
            "D_proctype P() priority 3 provided (x > 1) { skip }",
            "(D_proctype P priority=3 provided=(> x 1) [1])",
        ),
        ("proctype P()\nprovided (a)\n{ skip }", "(proctype P provided=a [1])"),
        ("init priority 10 { skip }", "(init priority=10 [1])"),
        ("never { do :: skip od }", "(never [(do [1])])"),
        ("never claim { skip }", "(never claim [1])"),
        ("trace { q!x; q?_ }", "(trace [(! q x) (? q _)])"),
        ("notrace { skip }", "(notrace [1])"),
        ("ltl p { [] x }", "(ltl p ([] {x}))"),
        ("ltl { <> x; }", "(ltl (<> {x}))"),
        ("xr q;", "(xr q)"),
    ] {
        check(text, expected);
    }
}

#[test]
fn embedded_c() {
    check("c_decl { int x; }", r#"(c_decl "int x;")"#);
    check("c_code { f() }; init { skip }", r#"(c_code "f()") (init [1])"#);
    check(r#"c_state "int x" "Global" "0""#, r#"(c_state "int x" "Global" "0")"#);
    check(r#"c_track "&x" "4""#, r#"(c_track "&x" "4")"#);
    check_body("c_code { now.x++; }\nx = 1", r#"(c_code "now.x++;") (= x 1)"#);
    check_body("c_code [now.x > 0] { now.x--; }; skip", r#"(c_code "now.x > 0" "now.x--;") 1"#);
    check_body("c_code [a[b[1]] > 0] { f() }", r#"(c_code "a[b[1]] > 0" "f()")"#);
    check_body("c_expr { now.x } -> skip", r#"(c_expr "now.x") 1"#);
    check_body("if :: c_expr { a } && b -> skip fi", r#"(if [(&& (c_expr "a") b) 1])"#);
}

#[test]
fn numbers_wrap_like_strtol() {
    let parsed = read("int x = 2147483648, y = 99999999999999999999, z = 4294967297");
    assert_eq!(super::dump::module(&parsed.module), "(int x=-2147483648 y=-1 z=1)");
    assert_eq!(parsed.diagnostics.len(), 3);
    assert_eq!(tree("int x = -2147483648"), "(int x=(neg -2147483648))");
}

#[test]
fn ends_of_nested_comments_are_ignored() {
    let parsed = read("init { x = 1 /* a /* b */ */\n y = 2 /* c */ */ ; z = 3 }");
    assert_eq!(super::dump::module(&parsed.module), "(init [(= x 1) (= y 2) (= z 3)])");
    assert_eq!(parsed.diagnostics.len(), 2);
}
