//! How statements become automata. The numbers are SPIN's state numbers
//! (`pan -d` after `spin -o3 -a` prints the same tables).

use spinor_syntax::{NoFiles, PreprocessOptions};

/// Compiles a model and compares the text of its automata.
#[track_caller]
fn check(source: &str, expected: &str) {
    let parsed = spinor_syntax::parse("m.pml", source, &PreprocessOptions::default(), &NoFiles);
    let analysis = spinor_sema::analyze(&parsed);
    let errors = parsed.diagnostics.iter().chain(&analysis.diagnostics).filter(|d| d.is_error());
    assert_eq!(errors.count(), 0, "{:?}", analysis.diagnostics);
    let lowered = spinor_program::lower(&analysis.model);
    assert!(lowered.diagnostics.is_empty(), "{:?}", lowered.diagnostics);
    let text = spinor_program::dump(&lowered.program);
    let trim = |t: &str| t.lines().map(|l| l.trim().to_owned()).collect::<Vec<_>>().join("\n");
    assert_eq!(trim(&text), trim(expected.trim_matches('\n')), "\n{text}");
}

/// Codes of the errors that lowering reports.
fn diagnostics(source: &str) -> Vec<&'static str> {
    let parsed = spinor_syntax::parse("m.pml", source, &PreprocessOptions::default(), &NoFiles);
    let analysis = spinor_sema::analyze(&parsed);
    let lowered = spinor_program::lower(&analysis.model);
    lowered.diagnostics.iter().map(|d| d.code).collect()
}

#[test]
fn a_sequence_ends_in_a_step() {
    check(
        "byte x; active proctype P() { x = 1; skip }",
        "P start 1
         1 -> 2  x = 1
         2 -> 3  (1)
         3 -> 0  -end-",
    );
}

#[test]
fn a_jump_after_a_statement_is_free() {
    check(
        "byte x; active proctype P() { x = 1; goto L; x = 2; L: x = 3 }",
        "P start 1
         1 -> 4  x = 1
         2 -> 4  goto
         3 -> 4  x = 2
         4 -> 5  x = 3
         5 -> 0  -end-",
    );
}

#[test]
fn nested_choices_are_one_location() {
    check(
        "byte x; active proctype P() { do :: if :: x == 1 :: x == 2 fi :: x == 3 -> break od }",
        "P start 7
         1 -> 7  ((x==1))
         2 -> 7  ((x==2))
         3 -> 7  ((x==1))
         3 -> 7  ((x==2))
         4 -> 7  .(goto)
         5 -> 10  ((x==3))
         6 -> 10  goto
         7 -> 7  ((x==1))
         7 -> 7  ((x==2))
         7 -> 10  ((x==3))
         8 -> 7  .(goto)
         9 -> 10  break
         10 -> 0  -end-",
    );
}

#[test]
fn else_comes_last_and_false_options_go() {
    check(
        "byte x; active proctype P() { if :: else -> x = 1 :: false :: x == 0 fi }",
        "P start 5
         1 -> 2  else
         2 -> 7  x = 1
         3 -> 7  (0)
         4 -> 7  ((x==0))
         5 -> 7  ((x==0))
         5 -> 2  else
         6 -> 7  .(goto)
         7 -> 0  -end-",
    );
}

#[test]
fn the_border_of_an_atomic_sequence_is_a_step() {
    check(
        "byte x; active proctype P() { atomic { if :: x == 0 :: x == 1 fi }; x = 2 }",
        "P start 5
         1 -> 4 atomic  ((x==0))
         2 -> 4 atomic  ((x==1))
         3 -> 4 atomic  ((x==0))
         3 -> 4 atomic  ((x==1))
         4 -> 6  .(goto)
         5 -> 4 atomic  ((x==0))
         5 -> 4 atomic  ((x==1))
         6 -> 7  x = 2
         7 -> 0  -end-",
    );
}

#[test]
fn escapes_come_first_and_the_outer_one_before_the_inner() {
    check(
        "byte x; active proctype P() { { { x = 1 } unless { x == 2 } } unless { x == 3 } }",
        "P start 1
         1 -> 8 escape 5  ((x==3))
         1 -> 8 escape 2  ((x==2))
         1 -> 8  x = 1
         2 -> 8 escape 5  ((x==3))
         2 -> 8  ((x==2))
         4 -> 8  .(goto)
         5 -> 8  ((x==3))
         7 -> 8  .(goto)
         8 -> 0  -end-",
    );
}

#[test]
fn a_d_step_is_one_transition_with_an_automaton_inside() {
    check(
        "byte x; active proctype P() { d_step { x = 1; if :: x == 1 -> x = 2 :: else fi } }",
        "P start 7
         7 -> 8  D_STEP
         1 -> 5  x = 1
         2 -> 3  ((x==1))
         3 -> 0  x = 2
         4 -> 0  else
         5 -> 3  ((x==1))
         5 -> 0  else
         6 -> 0  .(goto)
         8 -> 0  -end-",
    );
}

#[test]
fn a_for_loop_starts_with_its_assignment() {
    check(
        "byte i; active proctype P() { for (i : 1 .. 2) { skip } }",
        "P start 1
         1 -> 7  i = 1
         2 -> 3  ((i<=2))
         3 -> 4  (1)
         4 -> 7  i = (i+1)
         5 -> 10  else
         6 -> 10  goto
         7 -> 3  ((i<=2))
         7 -> 10  else
         8 -> 7  .(goto)
         9 -> 10  break
         10 -> 0  -end-",
    );
}

#[test]
fn repeated_skips_in_an_option_are_dropped() {
    check(
        "byte x; active proctype P() { if :: x == 0; skip; skip; skip; x = 1 fi }",
        "P start 6
         1 -> 2  ((x==0))
         2 -> 5  (1)
         5 -> 8  x = 1
         6 -> 2  ((x==0))
         7 -> 8  .(goto)
         8 -> 0  -end-",
    );
}

#[test]
fn priorities_and_rendezvous_are_warned_of() {
    let model = |capacity, priority| {
        format!(
            "chan c = [{capacity}] of {{ byte }}; active proctype P() {priority} {{ c!1 }}
            active proctype Q() {{ c?_ }}"
        )
    };
    assert_eq!(diagnostics(&model(0, "priority 2")), ["P0403"]);
    assert!(diagnostics(&model(1, "priority 2")).is_empty());
    assert!(diagnostics(&model(0, "")).is_empty());
}

#[test]
fn broken_promises_are_told() {
    let model = |reader: &str| {
        format!(
            "local byte g; active proctype P() {{ g = 1 }} active proctype Q() {{ byte x; {reader} }}"
        )
    };
    assert_eq!(diagnostics(&model("x = g")), ["P0404"]);
    assert_eq!(diagnostics(&model("d_step { x = 1; g = x }")), ["P0404"]);
    assert!(diagnostics(&model("x = 1")).is_empty());
}

#[test]
fn control_that_leads_nowhere_is_an_error() {
    assert_eq!(diagnostics("active proctype P() { L: goto M; M: goto L }"), ["P0401"]);
    let two_else = "byte x; active proctype P() { if :: if :: x == 1 :: else fi :: else fi }";
    assert_eq!(diagnostics(two_else), ["P0402"]);
}
