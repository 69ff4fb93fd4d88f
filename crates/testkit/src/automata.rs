//! Compares our process automata with SPIN's, transition by transition.
//!
//! `pan -d` prints, for every location that can be reached, its transitions in
//! the order of exploration: state numbers, trail number, flags, statement.

use std::collections::{BTreeMap, HashSet};

use spinor_program::{LocId, ProcessType, Program};

/// A transition, as both sides can tell it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// State it leads to; 0: the process ends.
    pub target: u32,
    /// Number of its statement in trails.
    pub trail_id: u32,
    /// The process stays in an atomic sequence.
    pub atomic: bool,
    /// `e`, `p`, `a` of the source state.
    pub labels: String,
}

/// Transitions by source state, in order.
pub type Edges = BTreeMap<u32, Vec<Edge>>;

/// Automata by name, as SPIN prints them.
#[must_use]
pub fn parse(text: &str) -> BTreeMap<String, Edges> {
    let mut automata = BTreeMap::new();
    let mut name: Option<String> = None;
    for line in text.lines() {
        if let Some(edge) = line.strip_prefix("\tstate").and_then(parse_edge) {
            if let Some(name) = &name {
                let edges: &mut Edges = automata.entry(name.clone()).or_default();
                edges.entry(edge.0).or_default().push(edge.1);
            }
        } else if let Some(proctype) = line.strip_prefix("proctype ") {
            name = Some(proctype.trim().to_owned());
        } else if line.trim() == "init" {
            name = Some("init".to_owned());
        } else if line.starts_with("claim") || line.contains("trace assertion") {
            name = None;
        }
    }
    automata
}

/// `  10 -(tr   5)-> state   7  [id   0 tp   2] [A---G] file:9 => text`.
fn parse_edge(line: &str) -> Option<(u32, Edge)> {
    let (from, rest) = line.split_once("-(tr")?;
    let (move_, rest) = rest.split_once(")-> state")?;
    // Move 0 stands for a choice without options.
    if move_.trim() == "0" {
        return None;
    }
    let (target, rest) = rest.split_once("[id")?;
    let (id, rest) = rest.split_once("tp")?;
    let flags: Vec<char> = rest.split_once("] [")?.1.chars().take(5).collect();
    let labels = flags[1..4].iter().filter(|c| **c != '-').collect();
    let edge = Edge {
        target: target.trim().parse().ok()?,
        trail_id: id.trim().parse().ok()?,
        atomic: flags[0] == 'A',
        labels,
    };
    Some((from.trim().parse().ok()?, edge))
}

/// Our automaton of a proctype, as far as it can be reached.
#[must_use]
pub fn ours(program: &Program, process: &ProcessType) -> Edges {
    let automaton = &process.automaton;
    let mut edges = Edges::new();
    let mut seen = HashSet::from([automaton.start]);
    let mut work = vec![automaton.start];
    while let Some(at) = work.pop() {
        let location = &automaton.locations[at.index()];
        let mut labels = String::new();
        for (is_set, letter) in
            [(location.is_progress, 'p'), (location.is_end, 'e'), (location.is_accepting, 'a')]
        {
            if is_set {
                labels.push(letter);
            }
        }
        for t in &location.transitions {
            let statement = program.statement(t.statement);
            edges.entry(at.0).or_default().push(Edge {
                target: t.target.0,
                trail_id: statement.trail_id,
                atomic: t.atomic,
                labels: labels.clone(),
            });
            if t.target != LocId(0) && seen.insert(t.target) {
                work.push(t.target);
            }
        }
    }
    edges
}

/// The first difference between SPIN's automata and ours.
#[must_use]
pub fn difference(program: &Program, spin: &str) -> Option<String> {
    let theirs = parse(spin);
    for process in &program.proctypes {
        let Some(theirs) = theirs.get(process.name.as_ref()) else {
            return Some(format!("SPIN has no `{}`", process.name));
        };
        let ours = ours(program, process);
        for (state, edges) in theirs {
            if ours.get(state) != Some(edges) {
                return Some(format!(
                    "{} state {state}: SPIN {edges:?}, we {:?}",
                    process.name,
                    ours.get(state)
                ));
            }
        }
        if let Some(state) = ours.keys().find(|state| !theirs.contains_key(state)) {
            return Some(format!("{} state {state} is ours alone", process.name));
        }
    }
    None
}
