//! The semantics, point by point. Counts are SPIN's (`spin -o1 -o2 -o3`,
//! `-DSAFETY -DNOREDUCE`, `pan -E -A -c0`).

mod common;

use common::compile;
use spinor_exec::{Exec, Fault, Options, Site, StepKind};
use spinor_search::{SearchConfig, breadth_first, depth_first};
use spinor_store::ExactStore;
use spinor_ts::{EventKind, Expansion, Outcome, SilentObserver, TransitionSystem, ViolationKind};
use std::sync::Arc;

fn search(source: &str, claim: Option<usize>) -> Outcome {
    let program = compile(source);
    let config = SearchConfig { max_errors: 0, ..SearchConfig::default() };
    let options = Options { claim, ..Options::default() };
    let mut deep = Exec::new(Arc::clone(&program), options);
    let deep = depth_first(&mut deep, &mut ExactStore::new(), &config, &mut SilentObserver);
    let mut broad = Exec::new(program, options);
    let broad = breadth_first(&mut broad, &mut ExactStore::new(), &config, &mut SilentObserver);
    assert_eq!(deep.stats.stored, broad.stats.stored);
    assert_eq!(deep.stats.matched, broad.stats.matched);
    deep
}

/// Stored, matched and atomic steps of a model.
#[track_caller]
fn counts(source: &str, stored: u64, matched: u64, atomic: u64) {
    let stats = search(source, None).stats;
    assert_eq!((stats.stored, stats.matched, stats.atomic_steps), (stored, matched, atomic));
}

/// Kinds of the violations of a model, each once.
fn violations(source: &str) -> Vec<ViolationKind> {
    let mut kinds: Vec<_> = search(source, None).errors.iter().map(|e| e.violation.kind).collect();
    kinds.sort();
    kinds.dedup();
    kinds
}

fn fault(source: &str) -> Option<Fault> {
    let outcome = search(source, None);
    outcome.errors.iter().find_map(|e| Site::of(e.violation).fault)
}

#[test]
fn a_process_ends_in_a_step_and_only_the_youngest_can() {
    counts("active proctype P() { skip }", 3, 0, 0);
    counts("active [2] proctype P() { skip; skip }", 13, 6, 0);
}

#[test]
fn values_are_cut_when_they_are_stored() {
    let source = "byte b = 255; bit t; short s = 32767; unsigned u : 3;
        active proctype P() {
            b = b + 1; t = 2; s = s + 1; u = 9;
            assert(b == 0 && t == 0 && s == -32768 && u == 1)
        }";
    assert_eq!(violations(source), []);
}

#[test]
fn an_atomic_sequence_is_one_move_unless_it_blocks() {
    counts("byte x; active [2] proctype P() { atomic { x++; x-- } }", 7, 2, 5);
    let blocking = "byte x;
        active proctype P() { atomic { x = 1; x == 2; x = 3 } }
        active proctype Q() { x == 1 -> x = 2 }";
    let outcome = search(blocking, None);
    assert!(outcome.errors.is_empty());
}

#[test]
fn an_atomic_loop_ends_the_search_of_its_path_only() {
    counts("byte x; active proctype P() { atomic { do :: x = 1 - x od } }", 1, 0, 67);
}

#[test]
fn a_rendezvous_needs_somebody_else() {
    counts("chan q = [0] of { byte }; active proctype P() { q!1; q?1 }", 1, 0, 0);
    let source = "chan q = [0] of { byte }; byte x;
        active proctype P() { if :: q!1 :: else -> assert(false) fi }
        active proctype Q() { end: q?x }";
    assert_eq!(violations(source), []);
}

#[test]
fn a_d_step_is_deterministic_and_must_not_block() {
    counts("byte x; active proctype P() { d_step { if :: x = 1 :: x = 2 fi; x++ } }", 3, 0, 0);
    let blocks = "byte x; active proctype P() { d_step { x = 1; x == 2 } }";
    assert_eq!(fault(blocks), Some(Fault::DStepBlocks));
    let endless = "byte x; active proctype P() { d_step { do :: x = 1 - x od } }";
    assert_eq!(fault(endless), Some(Fault::DStepEndless));
}

#[test]
fn timeout_comes_when_nothing_else_can() {
    let source = "byte x;
        active proctype P() { do :: x < 2 -> x++ :: timeout -> break od; assert(x == 2) }";
    assert_eq!(violations(source), []);
}

#[test]
fn an_escape_pre_empts_what_it_guards() {
    let source = "byte x;
        active proctype P() { { x = 1; x = 2; x = 3 } unless { x == 2 }; assert(x == 2) }";
    assert_eq!(violations(source), []);
}

#[test]
fn errors_of_the_model_are_violations() {
    let body = |s: &str| format!("byte a[2]; byte i = 3; chan c; active proctype P() {{ {s} }}");
    assert_eq!(fault(&body("i = 1 / (i - 3)")), Some(Fault::DivisionByZero));
    assert_eq!(fault(&body("a[i] = 1")), Some(Fault::Index));
    assert_eq!(fault(&body("c!1")), Some(Fault::UninitialisedChannel));
    let run = "proctype Q() { skip } active proctype P() { do :: run P() od }";
    assert_eq!(fault(run), Some(Fault::TooManyProcesses));
}

#[test]
fn a_process_waiting_for_ever_is_a_deadlock_unless_it_may() {
    assert_eq!(
        violations("byte x; active proctype P() { x == 1 }"),
        [ViolationKind::InvalidEndState]
    );
    assert_eq!(violations("byte x; active proctype P() { end: x == 1 }"), []);
}

#[test]
fn a_claim_is_violated_at_its_end_and_sees_runs_prolonged() {
    let claim = "byte x; active proctype P() { x = 1 }
        never { do :: x == 0 :: x == 1 -> break od; x == 1; x == 1; x == 1 }";
    let outcome = search(claim, Some(0));
    let kinds: Vec<_> = outcome.errors.iter().map(|e| e.violation.kind).collect();
    assert_eq!(kinds, [ViolationKind::ClaimViolated]);
}

#[test]
fn a_trace_watches_messages() {
    let model = |body: &str| {
        format!(
            "mtype = {{ a, b }}; chan q = [2] of {{ mtype }};
             trace {{ do :: q!a; q!b od }}
             active proctype P() {{ {body} }}"
        )
    };
    assert_eq!(violations(&model("q!a; q!b")), []);
    assert_eq!(violations(&model("q!b")), [ViolationKind::TraceViolated]);
}

#[test]
fn a_move_can_be_taken_apart() {
    let program = compile(
        "chan q = [0] of { byte }; byte x;
         active proctype P() { atomic { x = 1; q!7 } }
         active proctype Q() { q?x }",
    );
    let mut exec = Exec::new(program, Options::default());
    let state = exec.initial().expect("nothing goes wrong at the start");
    let mut events = Expansion::new();
    exec.expand(&state, &mut events);
    assert_eq!(events.events().len(), 1);
    let (steps, again) = exec.replay(&state, 0).expect("the event is there");
    let kinds: Vec<_> = steps.iter().map(|s| s.kind).collect();
    assert_eq!(kinds, [StepKind::Step, StepKind::Offer, StepKind::Accept]);
    let event = again.events()[0];
    assert_eq!(event.kind, EventKind::Successor);
    assert_eq!(event.steps, 3);
    assert_eq!(again.state(&event), steps[2].state);
    assert!(exec.replay(&state, 1).is_none());
}

#[test]
fn hidden_variables_do_not_tell_states_apart() {
    counts("hidden byte h; active proctype P() { do :: h = 1 - h od }", 1, 1, 0);
    counts("byte h; active proctype P() { do :: h = 1 - h od }", 2, 1, 0);
}

#[test]
fn a_body_may_have_any_number_of_locations() {
    for statements in [250, 300, 66_000] {
        let body = "x = 1 - x;".repeat(statements);
        let stats = search(&format!("bit x; active proctype P() {{ {body} }}"), None).stats;
        assert_eq!(stats.stored, statements as u64 + 2);
    }
}
