use super::*;
use crate::{Limits, degeneralize, parse, translate};

const ATOMS: [&str; 4] = ["unused", "r", "q", "p"];

fn automaton(text: &str) -> Tgba {
    translate(&parse(text).expect(text), &Limits::default()).expect(text)
}

fn monitor(text: &str) -> Monitor {
    Monitor::new(&automaton(text), &ATOMS).expect("all atoms are given")
}

/// The moves as the labels of the automaton have them.
fn defined(automaton: &Tgba, state: usize, valuation: u64) -> Vec<Move> {
    let is_true = |v: u32| {
        let at = ATOMS.iter().position(|a| *a == automaton.atoms[v as usize]);
        valuation >> at.expect("a known atom") & 1 == 1
    };
    let open = automaton.states[state].iter().filter(|e| automaton.bdd.eval(e.label, is_true));
    open.map(|e| Move { target: e.target as u32, marks: e.marks }).collect()
}

#[test]
fn moves_are_those_of_the_automaton_however_large_the_trees() {
    for text in ["[](p -> <>(q && r))", "(p U q) U r", "[]<>p && []<>q && <>[]r", "X(p <-> q)"] {
        let automaton = automaton(text);
        for max_nodes in [0, 1, 3, MAX_NODES] {
            let monitor = Monitor::prepare(&automaton, &ATOMS, None, max_nodes).expect("fine");
            for state in 0..automaton.states.len() {
                for valuation in 0..16 {
                    let found: Vec<Move> = monitor.moves(state as u32, valuation).collect();
                    assert_eq!(found, defined(&automaton, state, valuation), "{text}");
                }
            }
            assert_eq!(monitor.used_atoms(), monitor_bits(&automaton), "{text}");
        }
    }
}

fn monitor_bits(automaton: &Tgba) -> u64 {
    let bit = |name: &String| ATOMS.iter().position(|a| a == name).expect("a known atom");
    automaton.atoms.iter().fold(0, |m, a| m | 1 << bit(a))
}

#[test]
fn components_are_classified() {
    let all = |text| {
        let m = monitor(text);
        (0..m.len() as u32).map(|s| m.cycles(s)).collect::<Vec<_>>()
    };
    use Cycles::*;
    assert_eq!(all("<>[]p"), [NonAccepting, FullyAccepting]);
    assert_eq!(all("[]<>p"), [PartiallyAccepting]);
    assert_eq!(all("[]p"), [FullyAccepting]);
    assert_eq!(all("<>p"), [NonAccepting, FullyAccepting]);
}

#[test]
fn moves_lead_to_components_with_smaller_numbers() {
    let m = monitor("<>(p && X <>(q && X [] r))");
    for state in 0..m.len() as u32 {
        for step in (0..16).flat_map(|v| m.moves(state, v)) {
            assert!(m.component(step.target) <= m.component(state));
        }
    }
}

#[test]
fn states_that_accept_everything_are_known() {
    let m = monitor("<>p");
    let [reached] = m.moves(m.initial(), 8).collect::<Vec<_>>()[..] else { panic!("one move") };
    assert!(m.is_universal(reached.target) && !m.is_universal(m.initial()));
    let m = monitor("X (q || !q)");
    assert!(m.is_universal(m.initial()));
    let m = monitor("[]p");
    assert!(!m.is_universal(m.initial()));
}

#[test]
fn one_step_before_everything_is_accepted() {
    // By hand: a state from which both values of `p` lead to the accepting sink.
    let mut bdd = Bdd::default();
    let p = bdd.var(0);
    let not_p = bdd.not(p);
    let edge = |target, marks, label| Edge { target, marks, label };
    let sink = vec![edge(2, 1, Label::TRUE)];
    let sink2 = vec![edge(1, 1, Label::TRUE)];
    let states = vec![vec![edge(1, 0, p), edge(2, 0, not_p)], sink, sink2];
    let automaton = Tgba { atoms: vec!["p".into()], bdd, initial: 0, states, sets: 1 };
    let m = Monitor::new(&automaton, &["p"]).expect("fine");
    assert!(m.is_universal(0));
    assert_eq!(m.cycles(0), Cycles::NonAccepting);
}

#[test]
fn accepting_states_are_kept() {
    let buchi = degeneralize(&automaton("[](p -> <>q)"));
    let m = Monitor::of_buchi(&buchi, &ATOMS).expect("fine");
    assert!(m.is_state_based() && m.sets() == 1);
    for state in 0..m.len() {
        assert_eq!(m.is_accepting(state as u32), buchi.is_accepting(state));
        for step in m.moves(state as u32, 12) {
            assert_eq!(step.marks == 1, buchi.is_accepting(state));
        }
    }
    assert_eq!(m.strength(), Strength::Strong);
}

#[test]
fn missing_and_too_many_atoms_are_errors() {
    let automaton = automaton("p U q");
    let error = Monitor::new(&automaton, &["p"]).expect_err("q is missing");
    assert_eq!(error, MonitorError::UnknownAtom("q".into()));
    let many: Vec<String> = (0..65).map(|i| format!("p{i}")).collect();
    let error = Monitor::new(&automaton, &many).expect_err("too many");
    assert_eq!(error, MonitorError::TooManyAtoms(65));
}
