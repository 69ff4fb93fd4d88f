//! Direct and reverse simulation between states.
//!
//! `s ≤ t` if whatever `s` can do, `t` can do with at least the same marks,
//! letter by letter and for ever: several edges of `t` may share the letters of
//! one edge of `s`. Reverse simulation asks the same of incoming edges.
//! States that simulate each other are joined; of two edges of a state for the
//! same letter, one that is strictly simulated by the other is dropped
//! (Bustan & Grumberg 2003; Clemente & Mayr 2013).

use super::trim;
use crate::automaton::{Edge, Marks, Tgba};
use crate::bdd::{Bdd, Label};

/// A preorder on states.
pub(crate) struct Relation {
    states: usize,
    below: Vec<bool>,
}

impl Relation {
    fn holds(&self, s: usize, t: usize) -> bool {
        self.below[s * self.states + t]
    }

    /// Direct simulation; `None` if the steps do not suffice.
    pub(crate) fn direct(automaton: &mut Tgba, steps: &mut u64) -> Option<Relation> {
        let edges = automaton.states.clone();
        Relation::greatest(&edges, &mut automaton.bdd, |_, _| true, steps)
    }

    /// Reverse simulation; states of different `colours` are never joined.
    pub(crate) fn reverse(
        automaton: &mut Tgba,
        colours: Option<&[bool]>,
        steps: &mut u64,
    ) -> Option<Relation> {
        let edges = reversed(&automaton.states);
        let initial = automaton.initial;
        let may = |s: usize, t: usize| {
            (s != initial || t == initial) && colours.is_none_or(|c| c[s] <= c[t])
        };
        Relation::greatest(&edges, &mut automaton.bdd, may, steps)
    }

    fn greatest(
        edges: &[Vec<Edge>],
        bdd: &mut Bdd,
        may: impl Fn(usize, usize) -> bool,
        steps: &mut u64,
    ) -> Option<Relation> {
        let states = edges.len();
        let mut below = Vec::new();
        // The table itself must not be what blows up.
        if (states as u64).saturating_pow(2) > *steps {
            return None;
        }
        for s in 0..states {
            below.extend((0..states).map(|t| may(s, t)));
        }
        let mut relation = Relation { states, below };
        let mut changed = true;
        while changed {
            changed = false;
            for s in 0..states {
                for t in 0..states {
                    if s == t || !relation.holds(s, t) {
                        continue;
                    }
                    let cost = 1 + (edges[s].len() * edges[t].len()) as u64;
                    *steps = steps.saturating_sub(cost);
                    if *steps == 0 {
                        return None;
                    }
                    if !relation.is_matched(&edges[s], &edges[t], bdd) {
                        relation.below[s * states + t] = false;
                        changed = true;
                    }
                }
            }
        }
        Some(relation)
    }

    fn is_matched(&self, weak: &[Edge], strong: &[Edge], bdd: &mut Bdd) -> bool {
        weak.iter().all(|e| {
            let mut rest = e.label;
            for f in strong {
                if rest == Label::FALSE {
                    break;
                }
                if is_subset(e.marks, f.marks) && self.holds(e.target, f.target) {
                    rest = bdd.minus(rest, f.label);
                }
            }
            rest == Label::FALSE
        })
    }

    /// The first state equivalent to each.
    fn leaders(&self) -> Vec<usize> {
        let same = |s, t| self.holds(s, t) && self.holds(t, s);
        (0..self.states).map(|s| (0..=s).find(|&t| same(s, t)).unwrap_or(s)).collect()
    }

    /// Joins equivalent states, keeping the edges of the first; gives the states kept.
    pub(crate) fn merge_forward(&self, automaton: &mut Tgba) -> Vec<usize> {
        let leader = self.leaders();
        redirect(automaton, &leader);
        keep_leaders(automaton, &leader)
    }

    /// Joins equivalent states with all their edges; gives the states kept.
    pub(crate) fn merge_backward(&self, automaton: &mut Tgba) -> Vec<usize> {
        let leader = self.leaders();
        redirect(automaton, &leader);
        for (s, &first) in leader.iter().enumerate() {
            if first != s {
                let edges = std::mem::take(&mut automaton.states[s]);
                automaton.states[first].extend(edges);
            }
        }
        keep_leaders(automaton, &leader)
    }

    /// The relation on the states `kept`, now numbered in that order.
    pub(crate) fn project(&self, kept: &[usize]) -> Relation {
        let below = kept.iter().flat_map(|&s| kept.iter().map(move |&t| (s, t)));
        Relation { states: kept.len(), below: below.map(|(s, t)| self.holds(s, t)).collect() }
    }

    /// Takes from each edge the letters for which a strictly better edge exists.
    pub(crate) fn prune_forward(&self, automaton: &mut Tgba, steps: &mut u64) {
        for s in 0..automaton.states.len() {
            automaton.states[s] = self.best(&automaton.states[s], &mut automaton.bdd, steps);
        }
        automaton.normalise();
    }

    /// As `prune_forward`, among the edges into each state.
    pub(crate) fn prune_backward(&self, automaton: &mut Tgba, steps: &mut u64) {
        let incoming: Vec<Vec<Edge>> = reversed(&automaton.states)
            .iter()
            .map(|edges| self.best(edges, &mut automaton.bdd, steps))
            .collect();
        automaton.states = reversed(&incoming);
        automaton.normalise();
    }

    fn best(&self, edges: &[Edge], bdd: &mut Bdd, steps: &mut u64) -> Vec<Edge> {
        let cost = (edges.len() as u64).pow(2);
        if cost > *steps {
            return edges.to_vec();
        }
        *steps -= cost;
        let better = |e: &Edge, f: &Edge| {
            (e.target, e.marks) != (f.target, f.marks)
                && is_subset(e.marks, f.marks)
                && self.holds(e.target, f.target)
        };
        edges
            .iter()
            .map(|e| {
                let stronger = edges.iter().filter(|f| better(e, f));
                let label = stronger.fold(e.label, |rest, f| bdd.minus(rest, f.label));
                Edge { label, ..*e }
            })
            .filter(|e| e.label != Label::FALSE)
            .collect()
    }
}

fn is_subset(a: Marks, b: Marks) -> bool {
    a & !b == 0
}

fn reversed(states: &[Vec<Edge>]) -> Vec<Vec<Edge>> {
    let mut incoming = vec![Vec::new(); states.len()];
    for (s, edges) in states.iter().enumerate() {
        for e in edges {
            incoming[e.target].push(Edge { target: s, ..*e });
        }
    }
    incoming
}

fn redirect(automaton: &mut Tgba, leader: &[usize]) {
    automaton.initial = leader[automaton.initial];
    automaton.states.iter_mut().flatten().for_each(|e| e.target = leader[e.target]);
}

fn keep_leaders(automaton: &mut Tgba, leader: &[usize]) -> Vec<usize> {
    let kept: Vec<usize> = (0..leader.len()).filter(|&s| leader[s] == s).collect();
    trim::restrict(automaton, &kept);
    kept
}
