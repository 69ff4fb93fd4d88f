//! What the passes make of small models.

use spinor_program::{Action, Base, Expr, Place, Program, dump};
use spinor_reduce::{Optimised, Passes, optimise};
use spinor_syntax::{NoFiles, PreprocessOptions};

#[track_caller]
fn program(source: &str) -> Program {
    let parsed = spinor_syntax::parse("m.pml", source, &PreprocessOptions::default(), &NoFiles);
    let analysis = spinor_sema::analyze(&parsed);
    let lowered = spinor_program::lower(&analysis.model);
    let all = parsed.diagnostics.iter().chain(&analysis.diagnostics).chain(&lowered.diagnostics);
    let errors: Vec<_> = all.filter(|d| d.is_error()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    lowered.program
}

const MERGING: Passes = Passes { merging: true, ..Passes::NONE };
const DEAD: Passes = Passes { dead_variables: true, ..Passes::NONE };
const UNREAD: Passes = Passes { write_only: true, ..Passes::NONE };

/// Texts of the statements that stand for chains and are used.
fn merged(source: &str) -> Vec<String> {
    let optimised = optimise(&program(source), MERGING, &[]);
    let lines = dump(&optimised.program);
    let used = |text: &str| lines.lines().any(|l| l.ends_with(&format!("  {text}")));
    let chains = &optimised.program.statements[optimised.originals..];
    let chains = chains[..optimised.chains.len()].iter().map(|s| s.text.to_string());
    chains.filter(|text| used(text)).collect()
}

/// Per statement that resets something: its text and how much.
fn resets(source: &str) -> Vec<(String, usize)> {
    let before = program(source);
    let after = optimise(&before, DEAD, &[]).program;
    let pairs = |program: &Program, action: &Action| match action {
        Action::Assign(pairs) => pairs.len(),
        Action::DStep(inner) => inner
            .locations
            .iter()
            .flatten()
            .map(|t| match &program.statement(t.statement).action {
                Action::Assign(pairs) => pairs.len(),
                _ => 0,
            })
            .sum(),
        _ => 0,
    };
    let count = |(old, new): (&spinor_program::Statement, &spinor_program::Statement)| {
        (new.text.to_string(), pairs(&after, &new.action) - pairs(&before, &old.action))
    };
    let all = before.statements.iter().zip(&after.statements).map(count);
    all.filter(|(_, resets)| *resets > 0).collect()
}

#[test]
fn local_assignments_become_one() {
    let found = merged("active proctype p() { byte x, y; x = 1; y = x; assert(y == 1) }");
    assert_eq!(found, ["x = 1; y = x; assert((y==1))"]);
}

#[test]
fn whatever_concerns_others_stays_apart() {
    assert!(merged("byte g; active proctype p() { byte x; x = 1; g = x; x = 2 }").is_empty());
    let indexed = "byte g; active proctype p() { byte a[3]; byte x; x = 1; a[g] = x }";
    assert!(merged(indexed).is_empty());
    assert!(merged("active proctype p() { byte x; x = 1; L: x = 2; goto L }").is_empty());
    let watched = "active proctype p() { byte x; x = 1; x = 2 } active proctype q() { p:x == 1 }";
    assert!(merged(watched).is_empty());
    let counted = "active proctype p() { byte x; x = 1; x = 2 }
        active proctype q() { pc_value(0) == 2 }";
    assert!(merged(counted).is_empty());
    let restricted = "byte g; active proctype p() provided (g == 0) { byte x; x = 1; x = 2 }";
    assert!(merged(restricted).is_empty());
}

#[test]
fn escapes_keep_statements_apart() {
    let source = "byte g; active proctype p() { byte x; { x = 1; x = 2 } unless { g == 1 } }";
    assert!(merged(source).is_empty());
}

#[test]
fn atomic_sequences_merge_globals_too() {
    let source = "byte g, h; active proctype p() { atomic { g == 0; g = 1; h = 2 } }";
    assert_eq!(merged(source), ["((g==0)); g = 1; h = 2"]);
}

#[test]
fn a_label_that_others_look_at_begins_no_chain() {
    let source = "byte g; active proctype p() { byte x; atomic { skip; L: g == 0; g = 1; x = 2 } }
        active proctype q() { p@L }";
    assert_eq!(merged(source), ["g = 1; x = 2"]);
}

#[test]
fn rendezvous_sends_begin_no_chain() {
    let source = "chan c = [1] of { byte }; chan r = [0] of { byte };
        active proctype p() { byte x; atomic { c!1; x = 1 } }";
    assert!(merged(source).is_empty());
    let buffered = "chan c = [1] of { byte };
        active proctype p() { byte x; atomic { c!1; x = 1 } }";
    assert_eq!(merged(buffered), ["c!1; x = 1"]);
}

#[test]
fn processes_are_started_one_by_one() {
    let source = "proctype q() { skip }
        init { byte a, b; a = run q(); b = run q(); a = 3 }";
    assert_eq!(merged(source), ["b = run q(); a = 3"]);
}

#[test]
fn a_start_is_noticed_by_who_saw_the_step_before() {
    let started = "bool g; proctype q() { skip }
        init { byte x; atomic { g = 1; x = 1 }; x = run q(); x = 3 }";
    assert_eq!(merged(started), ["g = 1; x = 1", "x = run q(); x = 3"]);
    let in_sequence = "bool g; proctype q() { skip }
        init { byte x; atomic { g = 1; x = run q(); x = 3 } }";
    assert_eq!(merged(in_sequence), ["g = 1; x = run q(); x = 3"]);
}

/// A receiver that comes to its receive by a step of its own.
fn receiver(sender: &str) -> String {
    format!(
        "chan c = [0] of {{ byte }}; bool g;
        active proctype r() {{ byte x; atomic {{ g = 1; x = 1 }}; x = 2; c?_ }}
        active proctype s() {{ {sender} }}"
    )
}

#[test]
fn receivers_are_not_there_too_soon() {
    assert_eq!(merged(&receiver("g; c!0")), ["g = 1; x = 1; x = 2"]);
    let chosen = receiver("if :: c!0 :: g fi");
    assert_eq!(merged(&chosen), ["g = 1; x = 1; x = 2"]);
    let beside_else = receiver("if :: c!0 :: else fi");
    assert_eq!(merged(&beside_else), ["g = 1; x = 1"]);
    let in_escape = receiver("{ g } unless { c!0 }");
    assert_eq!(merged(&in_escape), ["g = 1; x = 1"]);
    let in_sequence = receiver("atomic { g; c!0 }");
    assert_eq!(merged(&in_sequence), ["g = 1; x = 1"]);
    let opens_sequence = receiver("atomic { c!0; g }");
    assert_eq!(merged(&opens_sequence), ["g = 1; x = 1; x = 2"]);
    let escaped = receiver("{ c!0 } unless { g }");
    assert_eq!(merged(&escaped), ["g = 1; x = 1; x = 2"]);
}

#[test]
fn where_others_look_is_noticed() {
    let arrival = "bool g; active proctype p() { byte x; atomic { g = 1; x = 1 }; x = 2; L: false }
        active proctype q() { g; p@L }";
    assert_eq!(merged(arrival), ["g = 1; x = 1"]);
    let alone = "bool g; active proctype p() { byte x; x = 1; x = 2; L: false }
        active proctype q() { p@L }";
    assert_eq!(merged(alone), ["x = 1; x = 2"]);
    let departure = "active proctype p() { byte x; L: if :: x = 1; x = run t(); x = 2 :: false fi }
        active proctype q() { p@L } proctype t() { skip }";
    assert_eq!(merged(departure), ["x = run t(); x = 2"]);
    let left =
        receiver("if :: c!0 :: else fi").replace("c?_", "if :: c?_ :: x = 3; x = run s() fi");
    assert_eq!(merged(&left), ["g = 1; x = 1"]);
}

#[test]
fn priorities_come_before_atomic_sequences() {
    let source = |priority: &str| {
        format!(
            "byte g, h; active proctype p() {{ byte x; atomic {{ g = 1; x = 1; h = 2; x = 2 }} }}
            active proctype q() {priority} {{ g == 1 }}"
        )
    };
    assert_eq!(merged(&source("")), ["g = 1; x = 1; h = 2; x = 2"]);
    assert_eq!(merged(&source("priority 3")), ["g = 1; x = 1", "h = 2; x = 2"]);
}

#[test]
fn promises_are_believed_where_they_show() {
    let kept = "local byte g; active proctype p() { g = 1; g = 2 }";
    assert_eq!(merged(kept), ["g = 1; g = 2"]);
    let used_by_others = "local byte g; active proctype p() { g = 1; g = 2 }
        active proctype q() { byte x; x = g }";
    assert!(merged(used_by_others).is_empty());
    let used_twice = "local byte g; active [2] proctype p() { g = 1; g = 2 }";
    assert!(merged(used_twice).is_empty());
    let used_again = "local byte g; active proctype p() { g = 1; g = 2; run p() }";
    assert!(merged(used_again).is_empty());
    let sender = "chan c = [2] of { byte }; proctype q() { skip }
        active proctype p() { byte x; xr c; xs c; c?x; x = 2; x = len(c); x = 3; x = run q() }
        active proctype r() { c!1 }";
    assert_eq!(merged(sender), ["c?x; x = 2", "x = len(c); x = 3"]);
}

#[test]
fn who_moved_last_can_be_told() {
    let source = "active proctype p() { byte x; x = 1; x = 2 }
        active proctype q() { _last == 0 }";
    assert!(merged(source).is_empty());
    let sequence = "active proctype p() { byte x; atomic { x = 1; x = 2 } }
        active proctype q() { _last == 0 }";
    assert_eq!(merged(sequence), ["x = 1; x = 2"]);
}

#[test]
fn what_is_not_read_again_becomes_zero() {
    let source = "byte g; active proctype p() { byte x, y;
        x = g; y = x; (y > 0) -> g = x }";
    assert_eq!(resets(source), [("((y>0))".to_owned(), 1)]);
}

#[test]
fn loops_keep_what_they_read() {
    let source = "active proctype p() { byte i, t; do :: i < 3 -> t = i; i++ :: else -> break od }";
    assert_eq!(resets(source), [("t = i".to_owned(), 1)]);
}

#[test]
fn reads_in_a_d_step_count() {
    let source = "byte g; active proctype p() { byte x, y; x = g; d_step { y = 1; g = x + y } }";
    assert!(resets(source).is_empty());
}

#[test]
fn records_and_arrays_are_left_alone() {
    let source = "typedef r { byte x }; active proctype p() { r s; byte x, a[2];
        x = 1; s.x = 2; a[1] = 3; x == 1 }";
    assert_eq!(resets(source), [("((x==1))".to_owned(), 1)]);
}

fn sinks(optimised: &Optimised) -> usize {
    let to_sink = |(place, _): &&(Place, Expr)| place.base == Base::Sink;
    let assigned = optimised.program.statements.iter().map(|s| match &s.action {
        Action::Assign(pairs) => pairs.iter().filter(to_sink).count(),
        _ => 0,
    });
    assigned.sum()
}

#[test]
fn unread_globals_are_not_kept() {
    let source = "byte w, a[2], r; active proctype p() { w = 1; w++; a[r] = 2; r = 3;
        printf(\"%d\", w) }";
    assert_eq!(sinks(&optimise(&program(source), UNREAD, &[])), 3);
}

#[test]
fn formulas_read() {
    let source = "byte w, v; active proctype p() { w = 1; v = 2 } ltl f { [] (w < 2) }";
    let program = program(source);
    assert_eq!(sinks(&optimise(&program, UNREAD, &[])), 1);
    let v = program.globals.leaves.iter().find(|l| &*l.name == "v").expect("it is there");
    let (offset, scalar) = (v.offset, v.scalar);
    let place = Place { base: Base::Global, offset, indices: Vec::new(), scalar };
    assert_eq!(sinks(&optimise(&program, UNREAD, &[Expr::Load(place)])), 0);
}

#[test]
fn members_of_a_chain_were_executed_with_it() {
    let program = program("active proctype p() { byte x; x = 1; x = 2 }");
    let optimised = optimise(&program, MERGING, &[]);
    let chain = spinor_program::StmtId(optimised.originals as u32);
    let executed = optimised.executed(|id| id == chain);
    assert!(optimised.chains[0].iter().all(|id| executed[id.index()]));
    assert!(!optimised.executed(|_| false).contains(&true));
}
