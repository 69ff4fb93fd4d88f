//! Generated code, construct by construct: the same expansions as the interpreter's, and
//! really generated (only states in which the model errs are interpreted).

mod common;

use common::{program, states};
use spinor_exec::{Exec, Options};
use spinor_jit::Native;
use spinor_ts::{EventKind, Expansion, TransitionSystem};
use std::sync::Arc;

/// States of each model that are compared.
const MOST: usize = 4000;

type Events = Vec<(EventKind, u32, Vec<u8>)>;

fn events(expansion: &Expansion) -> Events {
    expansion.events().iter().map(|e| (e.kind, e.steps, expansion.state(e).to_vec())).collect()
}

/// Compares all states; returns their number and how many were interpreted.
fn compare(text: &str, options: Options) -> (usize, u64) {
    let program = program("model", text).unwrap_or_else(|e| panic!("{e} in {text}"));
    let mut exec = Exec::new(Arc::clone(&program), options);
    let mut native = Native::compile(program, options).expect("code");
    let (mut want, mut have) = (Expansion::new(), Expansion::new());
    let all = states(&mut exec, MOST);
    for state in &all {
        exec.expand(state, &mut want);
        native.expand(state, &mut have);
        assert_eq!(events(&want), events(&have), "in {state:?} of {text}");
    }
    (all.len(), native.expansions().1)
}

/// No state is interpreted; nor if the program is large, which is generated otherwise.
fn native(text: &str) {
    let (states, bails) = compare(text, Options::default());
    assert!(states > 2, "{states} states in {text}");
    assert_eq!(bails, 0, "of {states} states interpreted in {text}");
    let (_, bails) = compare(&format!("{text} {}", filler()), Options::default());
    assert_eq!(bails, 0, "states interpreted in a larger {text}");
}

/// A process that does not move but has many transitions.
fn filler() -> String {
    let steps = "filled++; ".repeat(1100);
    format!("active proctype Filler() {{ byte filled; end_filler: false; {steps} }}")
}

/// Some states are interpreted, since the model errs there, others are not.
fn mixed(text: &str) {
    let (states, bails) = compare(text, Options::default());
    assert!(bails > 0 && bails < states as u64, "{bails} of {states} interpreted in {text}");
}

#[test]
fn operators() {
    native(
        "int a = -7, b = 3, r; short s; byte u; bit t; unsigned w : 5;
         active proctype P() {
           do
           :: b < 40 -> b = b + 5; a = a * 3 - b; r = a / b; r = a % b; r = (a & b) | (a ^ 12);
              r = ~a; r = -a; r = !a; r = a << (b + 30); r = a >> b; r = (b > a -> a : b);
              s = a * 1000; u = a; t = a; w = a; r = (a < b) + (a <= b) + (a == b) + (a != b);
              u = u % 8; u = u / 4; r = u % 7; r = a % 8; r = a / 8; r = (-5) % 3;
              if :: a < 0 && (b > 7 || u != 3) -> skip :: else -> t = !t fi
           :: b >= 40 -> break
           od; end: false }",
    );
    native(
        "int m = 1; int k = -1; int r;
         active proctype P() { m = 1 << 31; r = m / k; r = m % k; m = m - 1; r = m / k;
           end: false }",
    );
}

#[test]
fn faults_of_expressions_are_the_interpreters() {
    mixed("byte a[3]; byte i; active proctype P() { do :: i < 4 -> a[i] = i; i++ od }");
    mixed("byte z = 3, r; active proctype P() { do :: r = 6 / z; z-- :: r = 6 % z; z-- od }");
    // A fault behind a false left side does not happen.
    native(
        "byte a[3]; byte i; active proctype P() {
           do :: i < 3 && a[i] == 0 -> a[i] = 1; i++ :: i >= 3 || a[i] == 7 -> i = 0; a[0] = 0;
              a[1] = 0; a[2] = 0 od }",
    );
    mixed("byte x; active proctype P() { do :: x++; assert(x < 5) :: x > 8 -> x = 0 od }");
}

#[test]
fn assignments_see_earlier_ones() {
    native(
        "byte a[4]; byte i, j; hidden byte h;
         active proctype P() { byte k; do :: d_step { i = (i + 1) % 4; a[i] = a[(i + 1) % 4] + 1;
           h = a[i]; j = h + i; k = j % 4; a[k] = k; a[k]++ ; h = 0 } :: j > 9 -> j = 0 od }",
    );
}

#[test]
fn buffered_channels() {
    native(
        "chan q = [3] of { byte, short, bit }; byte x; short y; bit z;
         active proctype S() { do :: q!x, -y, z; x = (x + 1) % 3 :: y = (y + 300) % 1200 od }
         active proctype R() { do :: q?x, y, z :: q?2, _, _ :: q??eval(x), y, 1
           :: q?<x, y, _> :: q??<1, y, z> :: q?[0, _, _] && len(q) == 2 -> z = !z
           :: q??[1, 5, _] -> y = 0 :: full(q) -> z = 0 :: empty(q) -> z = 1
           :: nfull(q) && nempty(q) -> skip od }",
    );
    native(
        "chan q = [4] of { byte, byte }; byte n;
         active proctype S() { do :: n < 9 -> n++; q!!(n * 7) % 4, n % 3 od }
         active proctype R() { byte a, b; do :: q?a, b :: n >= 9 -> n = 0 od }",
    );
    native(
        "chan q = [300] of { int, byte }; int n;
         active proctype S() { do :: len(q) < 6 -> n = n + 70000; q!n, len(q) od }
         active proctype R() { int a; do :: q?a, _ :: q??eval(n), _ -> n = 0
           :: n > 400000 -> n = 0 od }",
    );
    mixed(
        "chan q = [2] of { byte, byte }; chan p = [2] of { byte }; chan d; byte x, y;
         active proctype P() { do :: d = p; d!1 :: d = q; d!1, 2 :: d?x :: d?x, y od }",
    );
}

#[test]
fn channels_in_variables() {
    native(
        "chan a = [2] of { byte }; chan b = [1] of { short }; chan to[2]; chan hand = [1] of { chan };
         byte x; short s;
         active proctype S() { to[0] = a; to[1] = b; byte i;
           do :: to[i]!x; x = (x + 1) % 4 :: i = 1 - i :: hand!to[i] od }
         active proctype R() { chan c = [1] of { byte }; chan mine;
           do :: hand?mine :: mine = c; mine!3 :: a?x :: b?s :: c?x od }",
    );
    native(
        "chan q[3] = [2] of { byte }; byte i, x;
         active proctype S() { do :: q[i]!i :: i = (i + 1) % 3 od }
         active proctype R() { do :: q[i]?x :: q[2]?x -> x = 0 :: len(q[i]) > 1 -> x = 9 od }",
    );
    mixed("chan c; byte x; active proctype P() { do :: x < 3 -> x++ :: x == 3 -> c!x od }");
}

#[test]
fn rendezvous() {
    native(
        "chan c = [0] of { byte, short }; byte n; short s;
         active proctype S() { do :: c!n, 300 + n; n = (n + 1) % 3 :: c!9, -1 od }
         active [2] proctype R() { byte v; do :: c?v, s :: c?eval(n), s -> v = 1
           :: d_step { c?9, s; v = 7; s = s + v } :: s > 0 -> s = 0 od }",
    );
    native(
        "chan c[2] = [0] of { byte }; chan d = [0] of { byte }; chan e = [0] of { byte };
         byte i, x;
         active proctype S() { do :: c[i]!i :: d!1 :: e!2 :: i = 1 - i od }
         active proctype R() { do :: c[0]?x :: c[1]?x :: d?x -> x = 5 :: e?2 -> x = 6 od }
         active proctype T() { do :: c[x % 2]?x :: e?x od }",
    );
    native(
        "chan up = [0] of { chan }; byte x;
         active proctype A() { chan own = [0] of { byte }; byte v;
           do :: up!own; own?v; x = v od }
         active proctype B() { chan other; do :: up?other; other!3; other!4 unless { x == 3 } :: x = 0 od }",
    );
    // The receiver sees where the sender is.
    native(
        "chan c = [0] of { byte }; byte x;
         active proctype S() { do :: c!1; sent: c!2 od }
         active proctype R() { do :: c?eval(1 + S@sent) -> x = _last :: c?_ od }",
    );
}

#[test]
fn processes() {
    native(
        "byte n; byte last;
         proctype W(byte a; chan c) { hidden_: n = n + a; c!a; c?_; n = n - a }
         active proctype M() { chan q = [2] of { byte };
           do :: _nr_pr < 3 -> last = run W(_nr_pr, q) :: last > 0 -> last = 0 od }",
    );
    native("active [3] proctype P() { byte x; x = _pid; x++ }");
    native(
        "byte x; active proctype A() { do :: atomic { x < 3 -> x++; run B(x) } od }
         proctype B(byte v) { x > 1 -> x = x - 1; v = 0 }",
    );
}

#[test]
fn d_steps() {
    native(
        "byte x, y; chan q = [2] of { byte };
         active proctype P() { byte i;
           do :: d_step { i = 0; do :: i < 6 -> i++; if :: i == 3 -> x++ :: i > 4 -> y = i :: else fi
                :: else -> break od; x = x % 5 }
              :: d_step { q?i; x = i; if :: nfull(q) -> q!x + 1 :: else fi }
              :: q!2 od }",
    );
    mixed(
        "byte x; active proctype P() { do :: x < 3 -> x++ :: d_step { x == 2; x > 5; x = 0 } od }",
    );
    mixed(
        "byte x; active proctype P() { do :: x++ :: d_step { x > 3; do :: x == 255 -> x = 1 :: else -> x++ od } od }",
    );
}

#[test]
fn escapes_and_else() {
    native(
        "byte x; active proctype P() {
           do :: { { x++; x = x * 2; do :: x < 40 -> x++ :: else -> break od }
                 unless { x == 7 -> x = 50 } } unless { x > 60 -> x = 0 }
              :: else -> x = 0 od }",
    );
    mixed(
        "byte x; active D_proctype P() { do :: x < 5 -> x++ :: x > 3 -> x = 0 :: else -> x = 1 od }",
    );
}

#[test]
fn remote_references_and_questions() {
    native(
        "byte x; show byte seen;
         active proctype A() { byte own; do :: own = (own + 1) % 3; at: x = own od }
         active [2] proctype B() { do
           :: A@at -> seen = A:own :: A[0]:own == 2 && x != 2 -> seen = 9
           :: enabled(0) && pc_value(0) > 1 -> seen = pc_value(0)
           :: B[2]@here -> seen = 0
           :: here: seen = enabled(0) + _nr_pr + _pid od }",
    );
    native(
        "byte x; active proctype A() priority 3 { do :: x < 4 -> x++ :: x == 4 -> set_priority(_pid, 1) od }
         active proctype B() priority 2 { do :: x > 0 -> x-- :: x == get_priority(0) -> set_priority(0, 5) od }",
    );
}

#[test]
fn claims() {
    let model = "byte x; active proctype P() { do :: x < 5 -> progress_: x++ :: x = 0 od }
         never { do :: x != 3 :: x == 3 && !(timeout) -> break od; accept: do :: x > 1 :: np_ od }";
    let (states, bails) = compare(model, Options { claim: Some(0), ..Options::default() });
    assert!(states > 4 && bails == 0, "{bails} of {states}");
}

#[test]
fn long_states_and_many_locations() {
    let lines: String = (0..700).map(|i| format!("a[{i}] = {}; x++;\n", i % 250 + 1)).collect();
    native(&format!("byte a[700]; byte x; active proctype P() {{ {lines} end: false }}"));
}

#[test]
fn deadlocks_are_the_interpreters_unless_ignored() {
    let text =
        "byte x; active [2] proctype P() { do :: x < 3 -> x++ :: x > 1 -> break od; x == 9 }";
    mixed(text);
    let (_, bails) = compare(text, Options { ignore_deadlocks: true, ..Options::default() });
    assert_eq!(bails, 0);
}
