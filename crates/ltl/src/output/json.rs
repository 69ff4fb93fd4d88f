//! Automata as JSON, for other programs.

use super::{escaped, operand};
use crate::automaton::{Buchi, Tgba};
use crate::classify::strength;
use crate::guard::Notation;

/// A generalised automaton; edges list the acceptance sets they are in.
pub fn print(automaton: &Tgba) -> String {
    write(automaton, None)
}

/// A Büchi automaton; states tell whether they are accepting.
pub fn print_buchi(automaton: &Buchi) -> String {
    write(&automaton.inner, Some(&automaton.accepting))
}

fn write(automaton: &Tgba, accepting: Option<&[bool]>) -> String {
    let mut bdd = automaton.bdd.clone();
    let atoms: Vec<String> =
        automaton.atoms.iter().map(|a| format!("\"{}\"", escaped(a))).collect();
    let mut states = Vec::new();
    for (s, edges) in automaton.states.iter().enumerate() {
        let edges: Vec<String> = edges
            .iter()
            .map(|e| {
                let atom = |v: u32| operand(&automaton.atoms[v as usize]);
                let guard = Notation::PROMELA.write(e.label, &mut bdd, atom);
                let marks = (0..automaton.sets).filter(|i| e.marks >> i & 1 == 1);
                let marks: Vec<String> = marks.map(|i| i.to_string()).collect();
                let marks = match accepting {
                    Some(_) => String::new(),
                    None => format!(",\"marks\":[{}]", marks.join(",")),
                };
                let guard = escaped(&guard);
                format!("{{\"target\":{},\"guard\":\"{guard}\"{marks}}}", e.target)
            })
            .collect();
        let mark = accepting.map_or(String::new(), |a| format!("\"accepting\":{},", a[s]));
        states.push(format!("    {{{mark}\"edges\":[{}]}}", edges.join(",")));
    }
    format!(
        "{{\n  \"atoms\":[{}],\n  \"initial\":{},\n  \"acceptance_sets\":{},\n  \"deterministic\":{},\n  \"class\":\"{}\",\n  \"states\":[\n{}\n  ]\n}}\n",
        atoms.join(","),
        automaton.initial,
        automaton.sets,
        automaton.is_deterministic(),
        strength(automaton),
        states.join(",\n"),
    )
}
