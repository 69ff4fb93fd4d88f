//! Pictures for Graphviz.

use super::{escaped, operand};
use crate::automaton::{Buchi, Tgba};
use crate::guard::Notation;

/// A generalised automaton; edges show the acceptance sets they are in.
pub fn print(automaton: &Tgba) -> String {
    write(automaton, None)
}

/// A Büchi automaton; accepting states are doubly circled.
pub fn print_buchi(automaton: &Buchi) -> String {
    write(&automaton.inner, Some(&automaton.accepting))
}

fn write(automaton: &Tgba, accepting: Option<&[bool]>) -> String {
    let mut bdd = automaton.bdd.clone();
    let mut out = String::from("digraph claim {\n  rankdir=LR;\n  node [shape=circle];\n");
    out.push_str("  start [shape=point, style=invis];\n");
    out.push_str(&format!("  start -> {};\n", automaton.initial));
    for (s, edges) in automaton.states.iter().enumerate() {
        if accepting.is_some_and(|a| a[s]) {
            out.push_str(&format!("  {s} [shape=doublecircle];\n"));
        }
        for e in edges {
            let atom = |v: u32| operand(&automaton.atoms[v as usize]);
            let mut label = Notation::PROMELA.write(e.label, &mut bdd, atom);
            for set in (0..automaton.sets).filter(|i| accepting.is_none() && e.marks >> i & 1 == 1)
            {
                label.push_str(&format!(" {{{set}}}"));
            }
            out.push_str(&format!("  {s} -> {} [label=\"{}\"];\n", e.target, escaped(&label)));
        }
    }
    out.push_str("}\n");
    out
}
