//! Plans against attempts.

use super::{Plan, When};
use crate::{Exec, Options};
use spinor_syntax::{NoFiles, PreprocessOptions};
use spinor_ts::{EventKind, Expansion, TransitionSystem};
use std::collections::HashSet;
use std::sync::Arc;

/// An interpreter, and one that has to do without plans.
fn pair(source: &str) -> [Exec; 2] {
    let parsed = spinor_syntax::parse("m.pml", source, &PreprocessOptions::default(), &NoFiles);
    let analysis = spinor_sema::analyze(&parsed);
    let errors = parsed.diagnostics.iter().chain(&analysis.diagnostics).any(|d| d.is_error());
    assert!(!errors, "{source}");
    let program = Arc::new(spinor_program::lower(&analysis.model).program);
    let [with, mut without] = [(); 2].map(|()| Exec::new(Arc::clone(&program), Options::default()));
    for plan in &mut without.prepared.plans {
        plan.when = When::Unknown;
    }
    [with, without]
}

/// Everything that an expansion says.
fn said(out: &Expansion) -> impl PartialEq + std::fmt::Debug {
    let events: Vec<_> =
        out.events().iter().map(|e| (e.kind, e.steps, out.state(e).to_vec())).collect();
    (events, out.atomic_steps, out.deepest, out.cut)
}

/// Compares the two in all states of a model; returns how many there are, and how
/// many violations.
#[track_caller]
fn compare(source: &str) -> (usize, usize) {
    let [mut with, mut without] = pair(source);
    let initial = with.initial().expect("the model starts");
    let mut seen = HashSet::from([initial.clone()]);
    let mut work = vec![initial];
    let mut violations = 0;
    let (mut out, mut expected) = (Expansion::new(), Expansion::new());
    while let Some(state) = work.pop() {
        with.expand(&state, &mut out);
        without.expand(&state, &mut expected);
        assert_eq!(said(&out), said(&expected));
        for event in 0..out.events().len() as u32 {
            let steps = |exec: &Exec| exec.replay(&state, event).map(|(steps, _)| steps);
            assert_eq!(steps(&with), steps(&without));
        }
        for event in out.events() {
            if event.kind != EventKind::Successor {
                violations += 1;
            } else if seen.insert(out.state(event).to_vec()) {
                work.push(out.state(event).to_vec());
            }
        }
    }
    for (a, b) in with.executed.iter().zip(&without.executed) {
        assert_eq!(a, b, "the same statements were executed");
    }
    (seen.len(), violations)
}

#[test]
fn plans_do_what_attempts_do() {
    let sources = [
        "byte x; active [2] proctype P() { do :: x < 3 -> x++ :: x == 3 -> x = 0 :: else od }",
        "byte x, a[3]; active [2] proctype P() {
            do :: atomic { x < 2; x++; a[x] = x } :: d_step { x > 0; x--; a[x] = 0 } od }",
        "chan q = [1] of { byte }; chan r = [0] of { byte };
         active proctype P() { byte x; do :: q ! 1 :: q ? x :: r ! x od }
         active proctype Q() { byte y; do :: r ? y :: d_step { r ? y; y = 0 } od }",
        "byte x; active proctype P() { { do :: x++; x < 5 :: x > 2 -> x = 0 od } unless { x == 4 } }",
        "byte x; D_proctype P() { do :: x < 2 -> x++ :: x > 0 -> x-- od } init { run P() }",
        "byte x; active proctype P() provided (x != 2) { do :: x = (x + 1) % 4 od }
         active proctype Q() { do :: x == 2 -> x = 3 od }",
        "byte x; active proctype P() { do :: d_step { if :: else -> x = (x + 1) % 3 fi } od }",
        "byte x; active [2] proctype P() { do :: x = _last :: timeout -> x = 9 od }",
    ];
    for source in sources {
        assert!(compare(source).0 > 2, "{source}");
    }
}

#[test]
fn what_is_unusual_is_left_to_attempts() {
    // An index, a divisor, a condition inside: each goes wrong in some state.
    let sources = [
        "byte x, a[3]; active proctype P() { do :: a[x] = 1; x++ :: x = 0 :: a[x] == 0 od }",
        "byte x = 2, y; active proctype P() { do :: d_step { x--; y = 4 / x; y = 1 } :: x = 2 od }",
        "byte x; active proctype P() { do :: d_step { x++; x != 3; x = x % 5 } :: x = 0 od }",
        "byte x; chan q; active proctype P() { do :: x = (x + 1) % 3 :: q ! x :: q ? x od }",
        "byte x; active proctype P() { do :: x < 3 -> x++ :: d_step { do :: x > 9 od } od }",
        "byte x; active proctype P() { d_step { do :: x = 1 - x od } }",
    ];
    for source in sources {
        assert!(compare(source).1 > 0, "{source}");
    }
}

#[test]
fn a_chain_is_a_plan_and_a_choice_is_not() {
    let [exec, _] = pair(
        "byte x; active proctype P() { d_step { x < 3; x++; x = x * 2 };
            d_step { if :: x == 1 -> x = 2 :: else fi } }",
    );
    let d_steps = exec.program.statements.iter().zip(&exec.prepared.plans);
    let known: Vec<bool> = d_steps
        .filter(|(s, _)| matches!(s.action, spinor_program::Action::DStep(_)))
        .map(|(_, plan): (_, &Plan)| !matches!(plan.when, When::Unknown))
        .collect();
    assert_eq!(known, [true, false]);
}
