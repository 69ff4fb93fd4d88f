//! Native code gives the interpreter's expansions, feature by feature.

mod common;

use common::{program, states};
use spinor_exec::{Exec, Options};
use spinor_jit::{Engine, Native, TierConfig, Tiered};
use spinor_program::StmtId;
use spinor_ts::{EventKind, Expansion, TransitionSystem};
use std::sync::Arc;

/// States of each model that are compared.
const MOST: usize = 3000;

fn assert_same(name: &str, state: &[u8], want: &Expansion, have: &Expansion) {
    let all = |e: &Expansion| {
        let events: Vec<_> =
            e.events().iter().map(|v| (v.kind, v.steps, e.state(v).to_vec())).collect();
        (events, e.atomic_steps, e.deepest, e.cut, e.labels().to_vec(), e.enabled)
    };
    assert_eq!(all(want), all(have), "{name}, in {state:?}");
}

/// Whether the model goes wrong in an expansion.
fn errs(expansion: &Expansion) -> bool {
    expansion.events().iter().any(|e| matches!(e.kind, EventKind::Violation(_)))
}

/// Compares all states; says how many there are and how many the interpreter did. Those
/// must be the ones in which the model errs.
fn compare(name: &str, text: &str, options: Options) -> (u64, u64) {
    compare_engines(name, text, Options { labels: true, ..options });
    compare_engines(name, text, options)
}

fn compare_engines(name: &str, text: &str, options: Options) -> (u64, u64) {
    let program = program(name, text).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut exec = Exec::new(Arc::clone(&program), options);
    let mut native = Native::compile(Arc::clone(&program), options).expect("code");
    let (mut want, mut have) = (Expansion::new(), Expansion::new());
    for state in states(&mut exec, MOST) {
        exec.expand(&state, &mut want);
        let bails = native.expansions().1;
        native.expand(&state, &mut have);
        assert_same(name, &state, &want, &have);
        let is_interpreted = native.expansions().1 > bails;
        assert_eq!(is_interpreted, errs(&want), "{name}: who expands {state:?}");
    }
    for id in (0..program.statements.len() as u32).map(StmtId) {
        assert_eq!(exec.was_executed(id), native.was_executed(id), "{name}: {id:?}");
    }
    native.expansions()
}

/// Most states are expanded by native code: the model hardly errs.
fn mostly_native(name: &str, text: &str) {
    let (states, bails) = compare(name, text, Options::default());
    assert!(states > 1 && bails < states / 2, "{name}: {bails} of {states} interpreted");
}

/// Some states err, the others do not.
fn some_native(name: &str, text: &str) {
    let (states, bails) = compare(name, text, Options::default());
    assert!(bails > 0 && bails < states, "{name}: {bails} of {states} interpreted");
}

#[test]
fn plain_steps() {
    mostly_native(
        "peterson",
        "bool want[2]; byte turn, in;
         active [2] proctype P() {
           do :: want[_pid] = true; turn = 1 - _pid;
                 !want[1 - _pid] || turn == _pid;
                 in++; assert(in == 1); in--; want[_pid] = false od }",
    );
}

#[test]
fn atomic_sequences_branch_block_and_end() {
    mostly_native(
        "branches",
        "byte x, y; chan q = [2] of { byte };
         active proctype P() {
           do :: atomic { x < 3 -> x++; if :: y++ :: y = 0; x = 1 :: skip fi; x < 3; y = y % 4 }
              :: d_step { x == 3 -> x = 0; y = 0 }
              :: q?y od }
         active proctype Q() { end: do :: atomic { q!1; if :: q!2 :: q!3 :: skip fi; q!4 } od }",
    );
}

#[test]
fn long_atomic_sequences_return() {
    mostly_native(
        "long",
        "byte x; active proctype P() {
           atomic { do :: x < 200 -> x++ :: x == 200 -> break od; x = 0;
                    do :: x < 100 -> x++ :: x == 70 -> x = 3 :: x >= 99 -> break od }
           end: x > 250 }",
    );
}

#[test]
fn atomic_sequences_are_left_by_rendezvous() {
    mostly_native(
        "handover",
        "chan c = [0] of { byte }; byte n;
         active proctype S() { do :: atomic { n < 4 -> c!1; n++ } :: n > 2 -> n = 0 od }
         active [2] proctype R() { byte v; do :: atomic { c?v; v = v + n; c!v } :: c?v od }
         active proctype T() { byte w; end: do :: c?w -> w = 0 od }",
    );
}

#[test]
fn processes_come_and_go() {
    mostly_native(
        "run",
        "byte n; chan g = [1] of { byte };
         proctype W(byte a; short b) {
           chan own = [2] of { byte, short }; byte one = 1; short two = -2; byte late = a + one;
           own!a, b + two; own?one, two; n = n + late; if :: g!a :: skip fi; n = n - late }
         active proctype M() {
           do :: n < 3 && _nr_pr < 4 -> run W(n, 300) :: g?_ :: atomic { _nr_pr == 1 -> run W(7, 1); run W(8, 2) } od }",
    );
}

#[test]
fn timeout_comes_last() {
    mostly_native(
        "timeout",
        "byte x; active proctype P() { do :: x < 3 -> x++ :: timeout -> atomic { x = 0; x == 0 } :: x == 2 -> break od }
         active proctype Q() { end: do :: timeout -> x = 1 :: x == 1 -> x = 2 od }",
    );
}

#[test]
fn provided_and_priorities() {
    mostly_native(
        "provided",
        "byte x; active proctype P() provided (x % 3 != 1) { do :: x < 9 -> x++ :: atomic { x > 4 -> x = 1; x = 0 } od }
         active proctype Q() provided (x > 0) { do :: x = (x + 2) % 11 od }",
    );
    mostly_native(
        "priority",
        "byte x; active proctype P() priority 3 { do :: x < 4 -> x++ :: x == 4 -> set_priority(_pid, 1); x = 5 od }
         active proctype Q() priority 2 { do :: x = (x + 1) % 7; set_priority(0, 1 + x % 3) od }",
    );
}

#[test]
fn hidden_variables_and_last() {
    mostly_native(
        "hidden",
        "hidden byte h = 3; byte x;
         proctype C() { byte k = 9; x = (k + h) % 5; h = x }
         active proctype P() { byte n; do :: n < 4 -> n++; h++; x = (x + h + _last) % 6 :: _nr_pr < 3 -> run C() od }
         active proctype Q() { do :: x = _last od }",
    );
}

#[test]
fn errors_are_the_interpreters() {
    some_native(
        "faults",
        "byte a[3], i; active proctype P() { do :: i < 5 -> i++; a[i] = i :: i > 2 -> i = i / (i - 3) :: assert(a[1] == 0) od }
         active proctype Q() { i == 2; a[0] = 1 }",
    );
    some_native("deadlock", "byte x; active [2] proctype P() { x++; x++; x > 9 }");
}

#[test]
fn escapes_pre_empt() {
    mostly_native(
        "unless",
        "byte x; active proctype P() { do :: { x < 5; x++; x = x } unless { if :: x == 3 -> x = 0 :: x == 3 -> x = 1 :: x == 4 -> x = 9 fi } :: x == 9 -> x = 0 od }",
    );
}

#[test]
fn claims_move_first() {
    for (i, text) in [
        "byte x; active proctype P() { do :: x < 6 -> x++ :: x > 3 -> x = 0 :: x == 6 -> break od }
         never { T0: do :: x < 4 :: x >= 4 -> goto A od; A: accept: do :: x > 0 :: atomic { x == 0 -> x == 0 } -> goto T0 od }",
        "byte x; active proctype P() { do :: atomic { x < 6 -> x++; x = x } :: timeout -> x = 0 od }
         never { do :: timeout :: x < 9 od }",
        "byte x; active proctype P() { do :: x++ od } never { do :: x == 7 -> break :: else od }",
    ]
    .into_iter()
    .enumerate()
    {
        let options = Options { claim: Some(0), ..Options::default() };
        let (states, bails) = compare(&format!("claim {i}"), text, options);
        assert!(states > 3 && bails <= 1, "claim {i}: {bails} of {states} interpreted");
    }
}

#[test]
fn wide_states_find_room() {
    // One state is larger than the room that an expansion begins with.
    let body = "byte x; byte big[9000]; chan q = [3] of { int, int };
        active [2] proctype P() {
          do :: x < 5 -> x++; big[x * 1000] = x :: q!x, 1 :: q?_, _ :: atomic { x > 3 -> x = 0; if :: skip :: x = 1 :: x = 2 fi } od }";
    mostly_native("wide", body);
    let claim = format!("{body} never {{ do :: x < 9 :: x > 1 :: x < 7 od }}");
    let options = Options { claim: Some(0), ..Options::default() };
    let (states, bails) = compare("wide claim", &claim, options);
    assert!(states > 10 && bails == 0, "{bails} of {states} interpreted");
}

#[test]
fn traces_watch() {
    mostly_native(
        "trace",
        "mtype = { a, b }; chan q = [2] of { mtype, byte };
         active proctype P() { do :: q!a, 1; q!b, 2 od }
         active proctype Q() { byte v; do :: q?a, v; q?b, v od }
         trace { do :: q!a, _; q!b, _ od }",
    );
}

#[test]
fn tiers_change_over_without_a_difference() {
    let text = "byte x[6]; active [3] proctype P() { byte i;
                do :: i < 5 -> i++ :: x[i] < 3 -> x[i]++ :: x[i] = 0; i = 0 od }";
    let program = program("tiers", text).expect("a model");
    let options = Options::default();
    let mut exec = Exec::new(Arc::clone(&program), options);
    let all = states(&mut exec, 20_000);
    assert_eq!(all.len(), 20_000);
    let config = TierConfig { engine: Engine::Auto, patience: 10, ..TierConfig::default() };
    let mut tiered = Tiered::new(Arc::clone(&program), options, config);
    assert!(!tiered.is_native());
    let (mut want, mut have) = (Expansion::new(), Expansion::new());
    let mut rounds = 0;
    while !tiered.is_native() || rounds < 2 {
        for state in &all {
            exec.expand(state, &mut want);
            tiered.expand(state, &mut have);
            assert_same("tiers", state, &want, &have);
        }
        rounds += 1;
        assert!(rounds < 10_000, "the compiler never ends");
    }
    assert!(tiered.compile_time().is_some() && tiered.note().is_none());
    let mut other = tiered.another();
    assert!(other.is_native());
    let thread = std::thread::spawn(move || {
        let mut out = Expansion::new();
        other.expand(&all[0], &mut out);
        out.events().len()
    });
    assert_eq!(thread.join().expect("no panic"), 9);
    for id in (0..program.statements.len() as u32).map(StmtId) {
        assert_eq!(exec.was_executed(id), tiered.was_executed(id));
    }
    let config = TierConfig { engine: Engine::Interpreter, patience: 0, ..TierConfig::default() };
    let mut slow = Tiered::new(Arc::clone(&program), options, config);
    let initial = slow.initial().expect("a state");
    slow.expand(&initial, &mut have);
    assert!(!slow.is_native() && slow.compile_time().is_none());
    let config = TierConfig { engine: Engine::Native, patience: 0, ..TierConfig::default() };
    assert!(Tiered::new(program, options, config).is_native());
}
