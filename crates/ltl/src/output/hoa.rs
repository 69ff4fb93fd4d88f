//! The Hanoi omega-automata format, version 1.

use super::escaped;
use crate::automaton::{Buchi, Tgba};
use crate::classify::{Strength, strength};
use crate::guard::Notation;

/// A generalised automaton, with acceptance on edges.
pub fn print(automaton: &Tgba, name: Option<&str>) -> String {
    write(automaton, name, None)
}

/// A Büchi automaton, with acceptance on states.
pub fn print_buchi(automaton: &Buchi, name: Option<&str>) -> String {
    write(&automaton.inner, name, Some(&automaton.accepting))
}

fn write(automaton: &Tgba, name: Option<&str>, accepting: Option<&[bool]>) -> String {
    let mut bdd = automaton.bdd.clone();
    let mut out = String::from("HOA: v1\n");
    if let Some(name) = name {
        out.push_str(&format!("name: \"{}\"\n", escaped(name)));
    }
    out.push_str(&format!("States: {}\nStart: {}\n", automaton.states.len(), automaton.initial));
    let atoms: String = automaton.atoms.iter().map(|a| format!(" \"{}\"", escaped(a))).collect();
    out.push_str(&format!("AP: {}{atoms}\n", automaton.atoms.len()));
    out.push_str(&acceptance(automaton.sets));
    let mut properties = String::from("trans-labels explicit-labels");
    properties.push_str(if accepting.is_some() { " state-acc" } else { " trans-acc" });
    if automaton.is_deterministic() {
        properties.push_str(" deterministic");
    }
    if automaton.is_complete() {
        properties.push_str(" complete");
    }
    if strength(automaton) < Strength::Strong {
        properties.push_str(" inherently-weak");
    }
    out.push_str(&format!("properties: {properties}\n--BODY--\n"));
    for (s, edges) in automaton.states.iter().enumerate() {
        let mark = if accepting.is_some_and(|a| a[s]) { " {0}" } else { "" };
        out.push_str(&format!("State: {s}{mark}\n"));
        for e in edges {
            let guard = Notation::HOA.write(e.label, &mut bdd, |v| v.to_string());
            let marks =
                if accepting.is_none() { marks(e.marks, automaton.sets) } else { String::new() };
            out.push_str(&format!("  [{guard}] {}{marks}\n", e.target));
        }
    }
    out.push_str("--END--\n");
    out
}

fn acceptance(sets: u32) -> String {
    let all: Vec<String> = (0..sets).map(|i| format!("Inf({i})")).collect();
    match sets {
        0 => "acc-name: all\nAcceptance: 0 t\n".to_owned(),
        1 => "acc-name: Buchi\nAcceptance: 1 Inf(0)\n".to_owned(),
        n => format!("acc-name: generalized-Buchi {n}\nAcceptance: {n} {}\n", all.join(" & ")),
    }
}

fn marks(marks: u64, sets: u32) -> String {
    let listed: Vec<String> =
        (0..sets).filter(|i| marks >> i & 1 == 1).map(|i| i.to_string()).collect();
    if listed.is_empty() { String::new() } else { format!(" {{{}}}", listed.join(" ")) }
}
