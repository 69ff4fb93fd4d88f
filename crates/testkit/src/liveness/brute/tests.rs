use super::*;

fn truth(source: &str, property: &str) -> (bool, bool, bool) {
    let truth = decide(source, &[], property, 1000).expect("small and accepted");
    (truth.plain, truth.weak, truth.strong)
}

#[test]
fn fairness_decides() {
    let weak = "bit x; ltl p { <> (x == 1) } active proctype A() { do :: skip; skip od }\n\
                active proctype B() { x = 1 }";
    assert_eq!(truth(weak, "p"), (true, false, false));
    let strong = "bit x, y; ltl p { <> (y == 1) } active proctype A() { do :: x = 1 - x od }\n\
                  active proctype B() { x == 1 -> y = 1 }";
    assert_eq!(truth(strong, "p"), (true, true, false));
    let never = "bit x; ltl p { <> (x == 1) } active proctype A() { do :: skip; skip od }";
    assert_eq!(truth(never, "p"), (true, true, true));
}

#[test]
fn stutter_and_labels() {
    let rest = "bit y; active proctype A() { accept: y == 1 }";
    assert_eq!(truth(rest, "acceptance"), (true, true, true));
    let gone = "active proctype A() { accept: skip }";
    assert_eq!(truth(gone, "acceptance"), (false, false, false));
    let ends = "byte x; ltl p { [] <> (x == 0) } active proctype A() { x = 1 }";
    assert_eq!(truth(ends, "p"), (true, true, true));
    let progress = "bit a; active proctype A() { do :: a = 1; progress: a = 0 od }\n\
                    active proctype B() { bit b; do :: b = 1 - b od }";
    assert_eq!(truth(progress, "non-progress"), (true, false, false));
}

#[test]
fn the_receiver_of_a_rendezvous_is_not_enabled_by_itself() {
    let model = "chan q = [0] of { bit }; bit x, got; ltl p { <> (got == 1) }\n\
                 active proctype S() { do :: x = 1 - x :: q!1 od }\n\
                 active proctype R() { q?_; got = 1 }";
    assert_eq!(truth(model, "p"), (true, true, true));
}
