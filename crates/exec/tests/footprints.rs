//! Footprints, by brute force: whatever agrees in the footprint of a group has the same moves of it.

mod common;

use common::compile;
use spinor_exec::{Exec, Options};
use spinor_ts::{EventKind, Expansion, Footprint, GroupMoves, TransitionSystem};
use std::collections::{BTreeSet, HashMap};

/// All states that can be reached.
fn states(exec: &mut Exec) -> Vec<Vec<u8>> {
    let mut known = BTreeSet::from([exec.initial().expect("it begins")]);
    let mut left: Vec<Vec<u8>> = known.iter().cloned().collect();
    let mut out = Expansion::new();
    while let Some(state) = left.pop() {
        exec.expand(&state, &mut out);
        for event in out.events().iter().filter(|event| event.kind == EventKind::Successor) {
            let next = out.state(event).to_vec();
            if known.insert(next.clone()) {
                left.push(next);
            }
        }
    }
    known.into_iter().collect()
}

/// What a move changes: places and values.
type Turn = Vec<(usize, u8)>;

fn turns(state: &[u8], out: &Expansion) -> Vec<Turn> {
    let turn = |next: &[u8]| {
        let bytes = next.iter().zip(state).enumerate();
        bytes.filter(|(_, (a, b))| a != b).map(|(at, (a, b))| (at, a ^ b)).collect()
    };
    out.events().iter().map(|event| turn(out.state(event))).collect()
}

/// Compares all states with all others that agree in a footprint; says how many bytes these have at least and at most.
fn compare(source: &str) -> (usize, usize) {
    let mut exec = Exec::new(compile(source), Options::default());
    let states = states(&mut exec);
    let (mut anchors, mut footprint, mut out) =
        (Vec::new(), Footprint::default(), Expansion::new());
    let (mut least, mut most) = (usize::MAX, 0);
    for state in &states {
        assert!(exec.groups(state, &mut anchors));
        for group in 0..anchors.len() {
            if exec.expand_group(state, group, &mut out, Some(&mut footprint)) != GroupMoves::Local
            {
                continue;
            }
            let bytes = footprint.bytes();
            (least, most) = (least.min(bytes), most.max(bytes));
            let own = turns(state, &out);
            let mut others: HashMap<&[u8], Vec<Turn>> = HashMap::new();
            for other in states.iter().filter(|other| {
                let agrees =
                    |range: &std::ops::Range<usize>| other[range.clone()] == state[range.clone()];
                other.len() == state.len() && footprint.ranges().iter().all(agrees)
            }) {
                let found = exec.expand_group(other, group, &mut out, None);
                assert_eq!(found, GroupMoves::Local, "{state:?} {other:?}");
                others.insert(other, turns(other, &out));
            }
            assert!(
                others.values().all(|turns| *turns == own),
                "{state:?}: group {group}, {others:?}"
            );
        }
    }
    (least, most)
}

/// Frogs and toads on seven places; somebody looks whether all have arrived.
const FROGS: &str = "byte a[7]; byte y = 3;
    init { a[0] = 1; a[1] = 1; a[2] = 1; a[4] = 2; a[5] = 2; a[6] = 2; atomic { run toad(); run frog(); run check() } }
    proctype toad() { q: if
        :: d_step { y > 0 && a[y-1] == 1; a[y] = 1; a[y-1] = 0; y = y - 1 } goto q
        :: d_step { y > 1 && a[y-1] == 2 && a[y-2] == 1; a[y] = 1; a[y-2] = 0; y = y - 2 } goto q
        fi }
    proctype frog() { q: if
        :: d_step { y < 6 && a[y+1] == 2; a[y] = 2; a[y+1] = 0; y = y + 1 } goto q
        :: d_step { y < 5 && a[y+1] == 1 && a[y+2] == 2; a[y] = 2; a[y+2] = 0; y = y + 2 } goto q
        fi }
    proctype check() {
        a[0] == 2 && a[1] == 2 && a[2] == 2 && a[3] == 0 && a[4] == 1 && a[5] == 1 && a[6] == 1 &&
        a[0] + a[6] == 3 }";

#[test]
fn of_long_conditions_what_is_evaluated_counts() {
    let (least, most) = compare(FROGS);
    assert!(least < most);
    // All sums of three, in every order of the operators.
    let sum =
        "active proctype P() { do :: x[0] = 1 - x[0] :: x[1] = 1 - x[1] :: x[2] = 1 - x[2] od }";
    for condition in [
        "(x[0] && x[1] && x[2]) || (!x[0] && !x[1]) || (x[2] && !x[0] && x[1]) || x[2] == x[1]",
        "!(x[0] || x[1] || x[2]) && (x[0] || !x[1]) && (x[2] || x[0] == x[1] || x[1] == x[2])",
        "(x[0] -> x[1] : x[2]) && (x[0] || x[1] && x[2]) && (x[0] + x[1] + x[2] > 1)",
    ] {
        compare(&format!("byte x[3]; byte n; {sum} active proctype Q() {{ {condition}; n++ }}"));
    }
}

#[test]
fn footprints_hold() {
    // Indices that come from elsewhere, arrays of arrays, what an index says being changed on the way.
    compare(
        "byte i, j; byte a[4]; active proctype P() { do :: d_step { a[i] < 2; a[i]++; i = (i + a[i]) % 4 } od }
         active proctype Q() { do :: j = a[i] :: d_step { a[j]; a[j] = 0; j = i } od }",
    );
    compare(
        "chan c[2] = [1] of { byte }; byte w; active proctype P() { do :: c[w]!w :: c[1-w]?w od }
         active proctype Q() { byte v; do :: c[0]?v -> c[1]!v :: len(c[w]) == 1 -> w = 1 - w od }",
    );
    compare(
        "chan r = [0] of { bit, byte }; byte got; active [2] proctype S() { do :: r!_pid,got od }
         active proctype R() { byte x; do :: r?0,x -> got = (got + x + 1) % 3 :: r?1,x; got = 0 od }",
    );
}
