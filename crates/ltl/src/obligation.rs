//! Minimal deterministic automata for obligation properties.
//!
//! A language that a weak deterministic automaton can recognise has a smallest
//! such automaton, found like that of a regular language: subsets, acceptance
//! by looking at one cycle of each component, colours made maximal, and
//! partition refinement (Löding 2001; Dax, Eisinger & Klaedtke 2007). For other
//! languages the result is wrong, which is found out by comparing it with the
//! automata of the formula and of its negation.

use rapidhash::RapidHashMap;

use crate::automaton::{Edge, Tgba};
use crate::bdd::{Bdd, Label};
use crate::scc::{Components, components};

/// Subsets past this number are not worth it: the result must be small.
const MAX_SUBSETS: usize = 400;
/// Letter classes of one subset.
const MAX_CLASSES: usize = 256;
/// Nodes that the labels' table may grow by.
const ROOM: usize = 50_000;

/// A complete deterministic automaton whose components accept or do not.
struct Deterministic {
    states: Vec<Vec<(Label, usize)>>,
    /// Even colours accept.
    colours: Vec<u32>,
}

/// A minimal weak deterministic automaton, if `automaton` has one; `negation`
/// is asked for only if the form of the formula does not prove that it does.
pub(crate) fn minimise(
    automaton: &mut Tgba,
    is_known: bool,
    negation: impl FnOnce() -> Option<Tgba>,
) -> Option<Tgba> {
    automaton.compact_with_room(ROOM);
    let found = minimise_within(automaton, is_known, negation);
    let is_exhausted = automaton.bdd.is_exhausted();
    automaton.compact();
    found.filter(|_| !is_exhausted).map(|mut result| {
        result.compact();
        result
    })
}

fn minimise_within(
    automaton: &mut Tgba,
    is_known: bool,
    negation: impl FnOnce() -> Option<Tgba>,
) -> Option<Tgba> {
    let (mut subsets, sets) = powerset(automaton)?;
    colour(&mut subsets, &sets, automaton);
    let minimal = refine(&subsets, &mut automaton.bdd);
    let result = minimal.to_tgba(automaton);
    if !is_known {
        let mut negation = negation()?;
        negation.compact_with_room(ROOM);
        if meets(&result, &mut negation) || meets(&minimal.complement(automaton), automaton) {
            return None;
        }
    }
    Some(result)
}

fn powerset(automaton: &mut Tgba) -> Option<(Deterministic, Vec<Vec<usize>>)> {
    let mut sets = vec![vec![automaton.initial]];
    let mut number: RapidHashMap<Vec<usize>, usize> = RapidHashMap::default();
    number.insert(sets[0].clone(), 0);
    let mut states = Vec::new();
    while states.len() < sets.len() {
        let edges: Vec<Edge> =
            sets[states.len()].iter().flat_map(|&s| automaton.states[s].iter().copied()).collect();
        let mut row: Vec<(Label, usize)> = Vec::new();
        for (class, targets) in classes(&edges, &mut automaton.bdd)? {
            let fresh = sets.len();
            let to = *number.entry(targets).or_insert_with_key(|key| {
                sets.push(key.clone());
                fresh
            });
            match row.iter_mut().find(|(_, t)| *t == to) {
                Some((label, _)) => *label = automaton.bdd.or(*label, class),
                None => row.push((class, to)),
            }
        }
        states.push(row);
        if sets.len() > MAX_SUBSETS {
            return None;
        }
    }
    let colours = vec![0; states.len()];
    Some((Deterministic { states, colours }, sets))
}

/// Splits the letters so that each class has one set of targets.
fn classes(edges: &[Edge], bdd: &mut Bdd) -> Option<Vec<(Label, Vec<usize>)>> {
    let mut parts: Vec<(Label, Vec<usize>)> = vec![(Label::TRUE, Vec::new())];
    for e in edges {
        let mut split = Vec::with_capacity(parts.len() + 1);
        for (class, targets) in parts {
            let (inside, outside) = (bdd.and(class, e.label), bdd.minus(class, e.label));
            if inside != Label::FALSE {
                let mut targets = targets.clone();
                if let Err(at) = targets.binary_search(&e.target) {
                    targets.insert(at, e.target);
                }
                split.push((inside, targets));
            }
            if outside != Label::FALSE {
                split.push((outside, targets));
            }
        }
        parts = split;
        if parts.len() > MAX_CLASSES {
            return None;
        }
    }
    Some(parts)
}

/// Colours the states: as large as the order of components allows.
fn colour(subsets: &mut Deterministic, sets: &[Vec<usize>], automaton: &Tgba) {
    const TOP: u32 = 1 << 20;
    let parts = components(subsets.states.len(), [0], |s, i| subsets.states[s].get(i).map(|e| e.1));
    for (c, members) in parts.members.iter().enumerate() {
        let outside = members.iter().flat_map(|&s| &subsets.states[s]);
        let bound = outside
            .filter(|(_, t)| parts.of[*t] != Some(c))
            .map(|(_, t)| subsets.colours[*t])
            .min()
            .unwrap_or(TOP);
        let value = match cycle(subsets, &parts, c) {
            None => bound,
            Some(cycle) if accepts_cycle(automaton, &sets[members[0]], &cycle) => bound & !1,
            Some(_) => (bound - 1) | 1,
        };
        members.iter().for_each(|&s| subsets.colours[s] = value);
    }
}

/// The labels along a cycle through the first state of component `c`.
fn cycle(subsets: &Deterministic, parts: &Components, c: usize) -> Option<Vec<Label>> {
    let start = parts.members[c][0];
    let mut queue = vec![start];
    let mut came: RapidHashMap<usize, (usize, Label)> = RapidHashMap::default();
    let mut at = 0;
    while let Some(&s) = queue.get(at) {
        at += 1;
        for &(label, t) in &subsets.states[s] {
            if t == start {
                let mut labels = vec![label];
                let mut back = s;
                while back != start {
                    let (before, label) = came[&back];
                    labels.push(label);
                    back = before;
                }
                labels.reverse();
                return Some(labels);
            }
            if parts.of[t] == Some(c) && !came.contains_key(&t) {
                came.insert(t, (s, label));
                queue.push(t);
            }
        }
    }
    None
}

/// Whether `automaton`, begun in one of `starts`, accepts a word that keeps to `cycle` for ever.
fn accepts_cycle(automaton: &Tgba, starts: &[usize], cycle: &[Label]) -> bool {
    let n = automaton.states.len();
    let mut graph = vec![Vec::new(); n * cycle.len()];
    for (at, &label) in cycle.iter().enumerate() {
        let letter = one_letter(label, &automaton.bdd);
        let next = (at + 1) % cycle.len();
        for (s, edges) in automaton.states.iter().enumerate() {
            let open =
                edges.iter().filter(|e| automaton.bdd.eval(e.label, |v| letter.contains(&v)));
            graph[at * n + s].extend(open.map(|e| (next * n + e.target, e.marks)));
        }
    }
    has_accepting_component(&graph, starts.iter().copied(), automaton.all_marks())
}

/// One valuation within `label`, as the atoms that are true.
pub(crate) fn one_letter(label: Label, bdd: &Bdd) -> Vec<u32> {
    let (mut letter, mut at) = (Vec::new(), label);
    while !at.is_constant() {
        if bdd.low(at) == Label::FALSE {
            letter.push(bdd.top(at));
            at = bdd.high(at);
        } else {
            at = bdd.low(at);
        }
    }
    letter
}

/// Whether a reachable component has edges of all marks.
pub(crate) fn has_accepting_component(
    graph: &[Vec<(usize, u64)>],
    roots: impl IntoIterator<Item = usize>,
    all: u64,
) -> bool {
    let parts = components(graph.len(), roots, |s, i| graph[s].get(i).map(|e| e.0));
    parts.members.iter().enumerate().any(|(c, members)| {
        let inside = members.iter().flat_map(|&s| &graph[s]).filter(|e| parts.of[e.0] == Some(c));
        inside.map(|e| e.1).reduce(|a, b| a | b) == Some(all)
    })
}

/// Moore's algorithm.
fn refine(subsets: &Deterministic, bdd: &mut Bdd) -> Deterministic {
    let mut class: Vec<usize> = subsets.colours.iter().map(|c| (c & 1) as usize).collect();
    let mut count = 0;
    loop {
        // State 0 is looked at first, so its class is 0: the initial one.
        let mut number: RapidHashMap<(usize, Vec<(usize, Label)>), usize> = RapidHashMap::default();
        let mut next = Vec::with_capacity(class.len());
        let mut quotient = Deterministic { states: Vec::new(), colours: Vec::new() };
        for (s, edges) in subsets.states.iter().enumerate() {
            let mut row: Vec<(usize, Label)> = Vec::new();
            for &(label, t) in edges {
                match row.iter_mut().find(|(c, _)| *c == class[t]) {
                    Some((_, l)) => *l = bdd.or(*l, label),
                    None => row.push((class[t], label)),
                }
            }
            row.sort_unstable();
            let fresh = number.len();
            next.push(*number.entry((class[s], row)).or_insert_with_key(|(_, row)| {
                quotient.states.push(row.iter().map(|&(c, l)| (l, c)).collect());
                quotient.colours.push(subsets.colours[s]);
                fresh
            }));
        }
        let is_stable = number.len() == count && next == class;
        count = number.len();
        class = next;
        if is_stable {
            return quotient;
        }
    }
}

impl Deterministic {
    fn with_marks(&self, like: &Tgba, parity: u32) -> Tgba {
        let states = self.states.iter().zip(&self.colours).map(|(row, colour)| {
            let marks = u64::from(colour & 1 == parity);
            row.iter().map(|&(label, target)| Edge { target, marks, label }).collect()
        });
        let states = states.collect();
        Tgba { atoms: like.atoms.clone(), bdd: like.bdd.clone(), initial: 0, states, sets: 1 }
    }

    fn to_tgba(&self, like: &Tgba) -> Tgba {
        self.with_marks(like, 0)
    }

    fn complement(&self, like: &Tgba) -> Tgba {
        self.with_marks(like, 1)
    }
}

/// Whether the languages have a word in common; `left` has one acceptance set.
fn meets(left: &Tgba, right: &mut Tgba) -> bool {
    if right.sets >= 64 {
        return true; // no room for the one of `left`: do as if they did
    }
    let mut done = RapidHashMap::default();
    let mut number: RapidHashMap<(usize, usize), usize> = RapidHashMap::default();
    let mut pairs = vec![(left.initial, right.initial)];
    number.insert(pairs[0], 0);
    let mut graph: Vec<Vec<(usize, u64)>> = Vec::new();
    let all = right.all_marks() | left.all_marks() << right.sets;
    while graph.len() < pairs.len() {
        let (s, t) = pairs[graph.len()];
        let mut row = Vec::new();
        for e in &left.states[s] {
            let label = left.bdd.copy_into(e.label, &mut right.bdd, &mut done);
            for i in 0..right.states[t].len() {
                let f = right.states[t][i];
                if !right.bdd.meets(label, f.label) {
                    continue;
                }
                let pair = (e.target, f.target);
                let to = *number.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    pairs.len() - 1
                });
                row.push((to, f.marks | e.marks << right.sets));
            }
        }
        graph.push(row);
    }
    // When in doubt, they do.
    right.bdd.is_exhausted() || has_accepting_component(&graph, [0], all)
}
