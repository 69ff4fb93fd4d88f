//! Small models in which a claim of independence that is too bold loses an error, or makes one up.

use spinor_exec::{Exec, Options, layout_of};
use spinor_program::Program;
use spinor_search::{SearchConfig, dive, parallel_breadth_first};
use spinor_store::{SharedExact, Tree};
use spinor_stubborn::{Reduced, Visible, obstacle};
use spinor_syntax::{NoFiles, PreprocessOptions};
use spinor_ts::{Outcome, SilentObserver, ViolationKind};
use std::collections::BTreeSet;
use std::sync::Arc;

type Found = BTreeSet<(ViolationKind, u32)>;

fn program(text: &str) -> Arc<Program> {
    let parsed = spinor_syntax::parse("model", text, &PreprocessOptions::default(), &NoFiles);
    assert!(parsed.diagnostics.iter().all(|d| !d.is_error()), "{:?}", parsed.diagnostics);
    let analysis = spinor_sema::analyze(&parsed);
    assert!(analysis.diagnostics.iter().all(|d| !d.is_error()), "{:?}", analysis.diagnostics);
    Arc::new(spinor_program::lower(&analysis.model).program)
}

fn found(outcome: &Outcome) -> Found {
    assert!(outcome.incomplete.is_empty());
    outcome.errors.iter().map(|e| (e.violation.kind, e.violation.site)).collect()
}

/// Searches in full and reduced, in two ways; gives the kinds of errors, and states in full and level by
/// level.
fn compare(text: &str) -> (BTreeSet<ViolationKind>, u64, u64) {
    let program = program(text);
    let options = Options { labels: true, ..Options::default() };
    assert_eq!(obstacle(&program, options), None);
    let config = SearchConfig { max_errors: 0, by_moves: true, ..SearchConfig::default() };
    let exec = || Exec::new(Arc::clone(&program), options);
    let reduced = || Reduced::new(exec(), Arc::clone(&program), options, Visible::default());
    let full = dive(&mut exec(), &SharedExact::new(), &config, &mut SilentObserver);
    let deep = dive(&mut reduced(), &SharedExact::new(), &config, &mut SilentObserver);
    let tree = Tree::new(layout_of(&program, options), &[]);
    let mut systems = [reduced().guarded_by_search()];
    let wide = parallel_breadth_first(&mut systems, &tree, &config, &mut SilentObserver);
    assert_eq!(found(&full), found(&deep), "depth first: {text}");
    assert_eq!(found(&full), found(&wide), "level by level: {text}");
    assert!(deep.stats.stored <= full.stats.stored && wide.stats.stored <= full.stats.stored);
    let kinds = found(&full).into_iter().map(|(kind, _)| kind).collect();
    (kinds, full.stats.stored, wide.stats.stored)
}

fn kinds(text: &str) -> Vec<ViolationKind> {
    compare(text).0.into_iter().collect()
}

#[test]
fn a_message_lets_an_escape_take_over() {
    let model = "chan c = [1] of { byte };
        active proctype A() { c!1 }
        active proctype B() { byte x; { x = 1; x = 2; assert(x == 3) } unless { c?x } }";
    assert_eq!(kinds(model), [ViolationKind::Assertion]);
}

#[test]
fn room_lets_an_escape_take_over() {
    let model = "chan c = [1] of { byte };
        active proctype A() { byte x; c!1; c?x }
        active proctype B() {
            byte x;
            { full(c); x = 1; x = 2; assert(x == 3) } unless { nfull(c) && x == 1 }
        }";
    assert!(kinds(model).contains(&ViolationKind::Assertion));
}

#[test]
fn a_message_is_the_end_of_else() {
    let model = "chan c = [1] of { byte };
        active proctype A() { c!1 }
        active proctype B() { if :: nempty(c) :: else -> assert(false) fi }";
    assert_eq!(kinds(model), [ViolationKind::Assertion]);
}

#[test]
fn emptiness_is_seen_after_others_received() {
    let model = "chan c = [2] of { byte };
        bool seen;
        active proctype A() { c!1 }
        active proctype B() { byte x; c?x; seen = true }
        active proctype C() { (seen && empty(c)) -> assert(false) }
        init { c!2 }";
    assert!(kinds(model).contains(&ViolationKind::Assertion));
}

#[test]
fn a_promise_is_kept_once() {
    // The second send of the sequence may wait, in the middle of it, unless R comes first.
    let model = "chan c = [2] of { byte };
        byte at;
        active proctype R() { byte x; c?x }
        active proctype A() { atomic { nfull(c) -> c!1; at = 1; c!2; at = 2 } }
        active proctype C() { (at == 1) -> assert(false) }
        active proctype D() { c!9 }";
    assert!(kinds(model).contains(&ViolationKind::Assertion));
}

#[test]
fn a_promise_of_a_message_says_nothing_of_its_content() {
    let model = "chan c = [2] of { byte };
        byte at;
        active proctype A() { byte x; atomic { nempty(c) -> at = 1; c?2; at = 2 } }
        active proctype B() { c!1; c!2 }
        active proctype C() { (at == 1) -> assert(false) }";
    assert!(kinds(model).contains(&ViolationKind::Assertion));
}

#[test]
fn a_disjunction_promises_nothing() {
    // A promise too many would do no harm to the first send: while the channel is full, whoever receives is in
    // its way, and to others the statements of a sequence look as if each were the first of a move.
    let model = "chan c = [1] of { byte };
        byte at; bool go = true;
        active proctype R() { byte x; c?x }
        active proctype A() { atomic { (go || nfull(c)) -> at = 1; c!1; at = 2 } }
        active proctype C() { (at == 1) -> assert(false) }
        active proctype D() { c!9 }";
    assert!(kinds(model).contains(&ViolationKind::Assertion));
}

#[test]
fn timeout_waits_for_all() {
    let model = "byte x; chan c = [1] of { byte };
        active proctype A() { do :: x < 2 -> x++ :: timeout -> break od; assert(x < 2) }
        active proctype B() { byte y; y = 1; y = 2; c!y }
        active proctype C() { byte y; c?y; if :: timeout -> assert(false) :: x == 1 fi }";
    assert_eq!(kinds(model), [ViolationKind::Assertion]);
}

#[test]
fn a_process_that_waits_wakes_up() {
    // C is nobody's concern until A has moved, and then it is.
    let model = "byte x, y;
        active proctype B() { y = 1; y = 0 }
        active proctype A() { x = 1 }
        active proctype C() { x == 1; assert(y == 0) }";
    assert_eq!(kinds(model), [ViolationKind::Assertion]);
}

#[test]
fn partners_bring_what_they_write() {
    let model = "chan c = [0] of { byte };
        byte g;
        active proctype A() { c!1 }
        active proctype B() { c?g }
        active proctype C() { assert(g == 0) }
        active proctype D() { g == 1; g = 2 }";
    assert_eq!(kinds(model), [ViolationKind::Assertion]);
}

#[test]
fn a_trace_sees_the_order() {
    let model = "mtype = { a, b };
        chan c = [1] of { mtype }; chan d = [1] of { mtype };
        trace { c!a; d!b }
        active proctype A() { c!a }
        active proctype B() { d!b }";
    assert!(kinds(model).contains(&ViolationKind::TraceViolated));
}

#[test]
fn a_trace_of_one_channel_leaves_the_others_alone() {
    let model = "mtype = { a, b };
        chan c = [2] of { mtype }; chan d = [2] of { mtype };
        notrace { c!a; c!b }
        active proctype A() { c!a; c!b }
        active proctype B() { d!b; d!a }";
    let (kinds, full, few) = compare(model);
    assert!(kinds.contains(&ViolationKind::TraceViolated));
    assert!(few < full / 2, "{few} of {full}");
}

#[test]
fn numbers_of_processes_are_seen_if_somebody_looks() {
    let by_pid = "proctype P() { skip }
        proctype Q() { assert(_pid == 2) }
        init { run P(); run Q() }";
    assert!(kinds(by_pid).contains(&ViolationKind::Assertion));
    let by_count = "proctype P() { skip }
        init { run P(); run P(); assert(_nr_pr == 3) }";
    assert!(kinds(by_count).contains(&ViolationKind::Assertion));
    let by_value = "proctype P() { skip }
        init { byte p; run P(); p = run P(); assert(p == 2) }";
    assert!(kinds(by_value).contains(&ViolationKind::Assertion));
}

#[test]
fn a_process_takes_its_channels_along() {
    let model = "chan held = [1] of { chan };
        proctype P() { chan own = [1] of { byte }; held!own }
        proctype Q() { chan c; held?c; c!1 }
        init { run P(); run Q() }";
    assert_eq!(kinds(model), kinds(&model.replace("c!1", "c!2")));
    compare(model);
}

#[test]
fn anonymous_processes_wait_in_vain_all_the_same() {
    let model = "byte x;
        proctype P() { x++ }
        proctype Q() { x == 3 }
        init { run P(); run Q(); run P() }";
    assert_eq!(kinds(model), [ViolationKind::InvalidEndState]);
}

#[test]
fn who_goes_in_a_circle_puts_nobody_off() {
    // Every state of the circle is passed.
    let model = "bool b;
        active proctype A() { byte i; do :: i = 1; i = 2; i = 3; i = 0 od }
        active proctype B() { b = true; assert(!b) }";
    assert_eq!(kinds(model), [ViolationKind::Assertion]);
    let long = "bool b;
        active proctype A() { byte i; do :: i = (i + 1) % 100 od }
        active proctype B() { b = true; assert(!b) }";
    assert_eq!(kinds(long), [ViolationKind::Assertion]);
}

#[test]
fn what_is_passed_is_checked() {
    let model =
        "active proctype A() { byte i; do :: i < 200 -> i++; assert(i != 77) :: else -> break od;
        i = i / (i - 200) }";
    let (kinds, full, few) = compare(model);
    assert!(kinds.contains(&ViolationKind::Assertion) && kinds.contains(&ViolationKind::Runtime));
    assert!(few < full / 3, "{few} of {full}");
}

#[test]
fn a_promise_is_used_up() {
    // There is room for the second message only if B receives first.
    let model = "chan c = [2] of { byte }; bool go;
        active proctype A() {
            atomic { go && nfull(c) -> c!1; if :: c!2 -> assert(false) :: else fi }
        }
        active proctype B() { byte y; c!0; go = true; c?y }";
    assert_eq!(kinds(model), [ViolationKind::Assertion]);
}

#[test]
fn a_timeout_may_be_the_last() {
    // Whoever takes it, there is none for the other one.
    let model = "active proctype A() { bit i; timeout; do :: i = 1 - i od }
        active proctype B() { timeout; assert(false) }";
    assert_eq!(kinds(model), [ViolationKind::Assertion]);
}

#[test]
fn hidden_variables_are_in_the_way() {
    let model = "hidden byte h;
        active proctype A() { h = 1 }
        active proctype B() { assert(h == 1) }";
    assert_eq!(kinds(model), [ViolationKind::Assertion]);
}

#[test]
fn who_idles_is_not_waited_for() {
    let model = "active proctype I() { do :: skip od }
        active proctype A() { byte i; i = 1; i = 2; i = 3; i = 4 }
        active proctype B() { byte i; i = 1; i = 2; i = 3; i = 4 }";
    let (kinds, full, few) = compare(model);
    assert!(kinds.is_empty());
    assert!(few < full / 2, "{few} of {full}");
}

#[test]
fn who_starts_a_process_reads_its_first_values() {
    let model = "byte g;
        active proctype W() { g = 1; do :: skip od }
        proctype P() { byte y = g; assert(y == 0); do :: skip od }
        init { run P(); do :: skip od }";
    assert_eq!(kinds(model), [ViolationKind::Assertion]);
    assert_eq!(kinds(&model.replace("y == 0", "y == 1")), [ViolationKind::Assertion]);
}

#[test]
fn first_values_tell_processes_apart() {
    let model = "proctype P(byte k) { byte me = _pid; assert(k + me != 3); do :: skip od }
        active proctype A() { run P(1); do :: skip od }
        active proctype B() { run P(2); do :: skip od }";
    for sum in ["3", "4", "5"] {
        assert_eq!(kinds(&model.replace('3', sum)), [ViolationKind::Assertion]);
    }
}

#[test]
fn who_has_channels_is_not_as_good_as_gone() {
    // A can go as soon as C has, of which nobody takes notice.
    let model = "chan held = [1] of { chan };
        active proctype B() { chan x; held?x; x!1 }
        active proctype A() { chan own = [1] of { byte }; run C(); held!own }
        proctype C() { skip }";
    assert!(kinds(model).contains(&ViolationKind::Runtime));
}

#[test]
fn a_look_at_a_channel_that_may_be_gone() {
    for look in ["len(x) == 0", "empty(x)", "nfull(x)", "!x?[1]"] {
        let model = "chan held = [1] of { chan };
            active proctype B() { chan x; held?x; LOOK }
            active proctype A() { chan own = [1] of { byte }; held!own }";
        assert!(kinds(&model.replace("LOOK", look)).contains(&ViolationKind::Runtime), "{look}");
    }
}

#[test]
fn a_new_channel_takes_the_number_of_one_that_is_gone() {
    let model = "chan held = [1] of { chan };
        active proctype B() { chan x; held?x; do :: x!1 od }
        active proctype C() { run D(); do :: skip od }
        active proctype A() { chan own = [1] of { byte }; held!own }
        proctype D() { chan own = [1] of { byte }; byte y; do :: own?y od }";
    assert_eq!(kinds(model), [ViolationKind::Runtime]);
}

#[test]
fn a_number_out_of_the_blue_may_become_a_channel() {
    let model = "chan held = [1] of { byte };
        active proctype B() { chan x; held!2; held?x; do :: x!1 od }
        active proctype A() { run D(); do :: skip od }
        proctype D() { chan own = [1] of { byte }; byte y; do :: own?y od }";
    assert_eq!(kinds(model), [ViolationKind::Runtime]);
}

/// Processes with channels that never go, started in any order.
const UNDYING: &str = "byte last;
    proctype P(byte k) {
        chan own = [1] of { byte }; byte y;
        run Q(own); last = own; own?y
    }
    proctype Q(chan c) { byte i; do :: c!1; i = 0; i = 0; i = 0 od }
    active proctype A() { run P(1); run Q(0) }
    active proctype B() { run R(); run R(); run R() }
    proctype R() { byte i; do :: i = 1 - i od }";

#[test]
fn who_has_channels_and_never_goes_is_not_noticed() {
    let (kinds, full, few) = compare(&UNDYING.replace("run Q(0)", "skip"));
    assert!(kinds.is_empty());
    assert!(few < full / 10, "{few} of {full}");
}

#[test]
fn numbers_of_channels_are_seen() {
    let model = "byte a, b;
        proctype P() { chan own = [1] of { byte }; a = own; do :: skip od }
        proctype Q() { chan own = [1] of { byte }; b = own; do :: skip od }
        active proctype A() { run P(); do :: skip od }
        active proctype B() { run Q(); do :: skip od }
        active proctype C() { (a == 1 && b == 2) -> assert(false) }";
    assert!(kinds(model).contains(&ViolationKind::Assertion));
    let other = model.replace("a == 1 && b == 2", "a == 2 && b == 1");
    assert!(kinds(&other).contains(&ViolationKind::Assertion));
}

#[test]
fn the_value_of_a_start_may_be_read_later() {
    let model = "byte a;
        proctype P() { do :: skip od }
        active proctype A() { a = run P(); do :: skip od }
        active proctype B() { run P(); do :: skip od }";
    let reads = |what: &str| format!("{model} active proctype C() {{ {what} -> assert(false) }}");
    assert!(kinds(&reads("a == 3")).contains(&ViolationKind::Assertion));
    assert!(kinds(&reads("a == 4")).contains(&ViolationKind::Assertion));
    assert!(kinds(model).is_empty());
}

#[test]
fn who_becomes_ready_to_meet_takes_an_else_away() {
    let model = "chan c = [0] of { byte };
        active proctype A() { byte x; x = 1; c?x }
        active proctype B() { if :: c!1 :: else -> assert(false) fi }";
    assert!(kinds(model).contains(&ViolationKind::Assertion));
    let started = "chan c = [0] of { byte };
        active proctype A() { run C() }
        proctype C() { byte x; c?x }
        active proctype B() { if :: c!1 :: else -> assert(false) fi }";
    assert!(kinds(started).contains(&ViolationKind::Assertion));
}

#[test]
fn who_becomes_ready_to_meet_lets_an_escape_take_over() {
    let model = "chan c = [0] of { byte };
        active proctype A() { byte x; x = 1; c!x }
        active proctype B() { byte x; { x = 1; x = 2; assert(x == 3) } unless { c?x } }";
    assert!(kinds(model).contains(&ViolationKind::Assertion));
}

#[test]
fn who_becomes_ready_to_meet_keeps_an_atomic_sequence_together() {
    let model = "chan c = [0] of { byte }; byte g;
        active proctype A() { byte x; x = 1; atomic { c?x; g = 0 } }
        active proctype B() { atomic { g = 1; c!1 } }
        active proctype C() { assert(g == 0) }";
    assert!(kinds(model).contains(&ViolationKind::Assertion));
}

/// A process that stops for want of a partner after it has touched nothing but its own variables, and somebody
/// who becomes ready.
const STOPS: &str = "chan c = [0] of { byte }; chan d = [0] of { byte }; bool g;
    active proctype A() { byte x; x = 1; x = 2; x = 3; WHO }
    active proctype B() { byte y, z; z = 1; z = 2; WHAT }
    MORE";

fn stops(who: &str, what: &str, more: &str) -> String {
    STOPS.replace("WHO", who).replace("WHAT", what).replace("MORE", more)
}

#[test]
fn a_stop_that_nobody_can_tell_is_put_off() {
    for what in [
        "atomic { y = 1; c!1 }",
        "atomic { y == 0; y = 2; y = 3; c!1; y = 4 }",
        "if :: atomic { y == 0; c!1 } :: atomic { y == 1; d!1 } :: else fi",
        "if :: atomic { y == 0; c!1 } :: d?y fi",
        // A receive in the middle is a stop whoever is there.
        "atomic { y = 1; d?y; y = 2 }",
        "atomic { y = 1; d_step { d?y; y = 2 } }",
        "atomic { d_step { y = 1; y = 2 }; c!1 }",
        "atomic { y = 1; if :: c!1 :: c!2 :: y == 2 fi }",
    ] {
        let (_, full, few) = compare(&stops("c?x", what, ""));
        assert!(3 * few <= full, "{few} of {full}: {what}");
    }
}

#[test]
fn what_was_put_off_may_end_in_a_deadlock() {
    // In the middle of the sequence, with nobody there any more.
    let model = stops("if :: c?x :: x == 3 fi", "atomic { y = 1; c!1 }", "");
    assert_eq!(kinds(&model), [ViolationKind::InvalidEndState]);
    let valid_before = stops("if :: c?x :: x == 3 fi", "end: atomic { y == 0; c!1 }", "");
    assert_eq!(kinds(&valid_before), [ViolationKind::InvalidEndState]);
    let valid_there = stops("if :: c?x :: x == 3 fi", "atomic { y == 0; end: c!1 }", "");
    compare(&valid_there);
}

#[test]
fn what_was_put_off_is_made_before_a_timeout() {
    let watch = "active proctype W() { timeout; assert(false) }";
    let model = stops("if :: c?x :: x == 3 fi", "atomic { y = 1; c!1 }", watch);
    assert!(kinds(&model).contains(&ViolationKind::Assertion));
    let there = "atomic { y = 1; if :: c!1 :: timeout -> assert(false) fi }";
    let model = stops("if :: c?x :: x == 3 fi", there, "");
    assert!(kinds(&model).contains(&ViolationKind::Assertion));
}

#[test]
fn two_who_are_behind_may_not_meet() {
    // Both stop only if each has left the place where it would have received.
    let model = "chan c = [0] of { byte }; chan d = [0] of { byte };
        active proctype Q() { byte y; if :: atomic { y == 0; c!1 } :: d?y fi }
        active proctype Z() { byte z; z = 1; if :: atomic { z == 1; d!1 } :: c?z fi }";
    assert_eq!(kinds(model), [ViolationKind::InvalidEndState]);
    let alike = "chan c = [0] of { byte };
        active [2] proctype Q() { byte y; y = 1; if :: atomic { y == 1; c!1 } :: c?y fi }";
    assert_eq!(kinds(alike), [ViolationKind::InvalidEndState]);
    let in_a_ring = "chan c = [0] of { byte }; chan d = [0] of { byte }; chan e = [0] of { byte };
        active proctype Q() { byte y; if :: atomic { y == 0; c!1 } :: d?y fi }
        active proctype R() { byte y; y = 1; if :: atomic { y == 1; e!1 } :: c?y fi }
        active proctype S() { byte y; y = 1; if :: atomic { y == 1; d!1 } :: e?y fi }";
    assert_eq!(kinds(in_a_ring), [ViolationKind::InvalidEndState]);
}

#[test]
fn who_is_behind_in_ranks() {
    // S sends to Q in the middle of a sequence, Q does not send to S.
    let model = "chan c = [0] of { byte }; chan d = [0] of { byte };
        active proctype A() { byte x; x = 1; x = 2; x = 3; if :: c?x :: x == 3 fi }
        active proctype Q() { byte y; if :: atomic { y == 0; c!1 } :: d?y fi }
        active proctype S() { byte y; y = 1; y = 2; atomic { y == 2; d!1 } }";
    let (kinds, full, few) = compare(model);
    assert!(kinds.contains(&ViolationKind::InvalidEndState));
    assert!(2 * few < full, "{few} of {full}");
}

#[test]
fn a_stop_beside_something_else_is_not_put_off() {
    for what in [
        "atomic { y = 1; if :: c!1 :: else -> assert(false) fi }",
        "atomic { y = 1; if :: c!1 :: d?y -> assert(false) fi }",
        "{ atomic { y = 1; c!1 } } unless { g -> assert(y == 0) }",
        "{ atomic { y = 1; c!1 } } unless { d?y -> assert(false) }",
        "atomic { y = 1; { c!1 } unless { g -> assert(false) } }",
    ] {
        let model = stops("c?x", what, "active proctype D() { g = true; d!5 }");
        assert!(kinds(&model).contains(&ViolationKind::Assertion), "{what}");
    }
}

#[test]
fn somebody_minds_who_waits_before_a_stop() {
    // C sees B where it receives, or not.
    let what = "if :: atomic { y == 0; c!1 } :: d?y fi";
    for more in [
        "active proctype C() { if :: d!1 :: else -> assert(false) fi }",
        "active proctype C() { { g = true; g = false; assert(g) } unless { d!1 } }",
        "active proctype C() { atomic { g = true; d!1; g = false } }
         active proctype E() { assert(!g) }",
    ] {
        let model = stops("c?x", what, more);
        assert!(kinds(&model).contains(&ViolationKind::Assertion), "{more}");
    }
}

#[test]
fn a_stop_that_somebody_sees_is_not_put_off() {
    for (what, more) in [
        ("atomic { g = true; c!1; g = false }", "active proctype C() { assert(!g) }"),
        (
            "atomic { d_step { g = true; y = 1 }; c!1; g = false }",
            "active proctype C() { assert(!g) }",
        ),
        ("atomic { y = 1; mid: c!1 }", "active proctype C() { B@mid -> assert(false) }"),
        ("atomic { y = 7; c!1 }", "active proctype C() { B:y == 7 -> assert(B@gone) }"),
        ("atomic { run C(); c!1 }", "proctype C() { g = true; assert(false) }"),
    ] {
        let what = format!("{what}; gone: skip");
        assert!(kinds(&stops("c?x", &what, more)).contains(&ViolationKind::Assertion), "{what}");
    }
    let who = "atomic { c?x; assert(!g) }";
    let started = stops(who, "atomic { run C(); c!1 }", "proctype C() { g = true }");
    assert!(kinds(&started).contains(&ViolationKind::Assertion));
}

#[test]
fn a_guard_that_others_change_is_asked_in_time() {
    // If B comes first, it has asked before G moves.
    let model = "chan c = [0] of { byte }; bool g;
        active proctype A() { byte x; x = 1; atomic { c?x; assert(!g) } }
        active proctype B() { atomic { !g; c!1 } }
        active proctype G() { g = true }";
    assert!(kinds(model).contains(&ViolationKind::Assertion));
}

#[test]
fn who_sends_may_receive_in_the_same_move() {
    let model = "chan c = [0] of { byte }; chan d = [0] of { byte }; byte g;
        active proctype Q() { c!1; d?g }
        active proctype R() { byte x; atomic { c?x; d!x } }
        active proctype S() { assert(g == 1) }";
    assert!(kinds(model).contains(&ViolationKind::Assertion));
    let started = "chan c = [0] of { byte }; byte g;
        active proctype Q() { atomic { run R(); c!1 } }
        proctype R() { c?g }
        active proctype S() { assert(g == 1) }";
    assert!(kinds(started).contains(&ViolationKind::Assertion));
}

#[test]
fn senders_are_in_the_way_of_each_other_where_somebody_receives() {
    let model = "chan c = [0] of { byte };
        active proctype A() { c!1 }
        active proctype B() { byte x; x = 1; c!2 }
        active proctype C() { byte x; c?x; assert(x == 1) }";
    assert!(kinds(model).contains(&ViolationKind::Assertion));
    assert!(kinds(&model.replace("== 1", "== 2")).contains(&ViolationKind::Assertion));
}
