//! Strongly connected components, in the order in which Tarjan's algorithm closes them.

use crate::automaton::{Marks, Tgba};

/// The components of the reachable part of an automaton.
#[derive(Clone, Debug)]
pub struct Components {
    /// The component of each state; `None` for unreachable ones.
    pub of: Vec<Option<usize>>,
    /// The states of each component; successors come before predecessors.
    pub members: Vec<Vec<usize>>,
    /// The place of each state among the members of its component.
    place: Vec<usize>,
}

/// The components of a graph given by its successor function.
pub(crate) fn components(
    states: usize,
    roots: impl IntoIterator<Item = usize>,
    successors: impl Fn(usize, usize) -> Option<usize>,
) -> Components {
    const UNSEEN: usize = usize::MAX;
    let mut low = vec![UNSEEN; states];
    let mut of = vec![None; states];
    let mut members = Vec::new();
    let (mut open, mut next) = (Vec::new(), 0);
    for root in roots {
        if low[root] != UNSEEN {
            continue;
        }
        let mut calls = vec![(root, 0, next)];
        low[root] = next;
        next += 1;
        open.push(root);
        while let Some(&mut (state, ref mut at, number)) = calls.last_mut() {
            if let Some(to) = successors(state, *at) {
                *at += 1;
                if low[to] == UNSEEN {
                    low[to] = next;
                    open.push(to);
                    calls.push((to, 0, next));
                    next += 1;
                } else if of[to].is_none() {
                    low[state] = low[state].min(low[to]);
                }
                continue;
            }
            calls.pop();
            if let Some(&(parent, ..)) = calls.last() {
                low[parent] = low[parent].min(low[state]);
            }
            if low[state] == number {
                let from = open.iter().rposition(|&s| s == state).expect("still open");
                let component = open.split_off(from);
                for &s in &component {
                    of[s] = Some(members.len());
                }
                members.push(component);
            }
        }
    }
    let mut place = vec![0; states];
    for component in &members {
        component.iter().enumerate().for_each(|(i, &s)| place[s] = i);
    }
    Components { of, members, place }
}

impl Components {
    /// The components of `automaton`.
    pub fn new(automaton: &Tgba) -> Components {
        components(automaton.states.len(), [automaton.initial], |s, i| {
            automaton.states[s].get(i).map(|e| e.target)
        })
    }

    /// Whether both states are in one component.
    pub fn same(&self, s: usize, t: usize) -> bool {
        self.of[s].is_some() && self.of[s] == self.of[t]
    }

    /// The union of the marks inside component `c`; `None` if it has no edge inside.
    pub fn marks(&self, automaton: &Tgba, c: usize) -> Option<Marks> {
        self.inner(automaton, c).map(|(_, m)| m).reduce(|a, b| a | b)
    }

    /// The source and marks of the edges inside component `c`.
    pub(crate) fn inner<'a>(
        &'a self,
        automaton: &'a Tgba,
        c: usize,
    ) -> impl Iterator<Item = (usize, Marks)> + 'a {
        self.members[c].iter().flat_map(move |&s| {
            let inside = move |t: usize| self.of[t] == Some(c);
            automaton.states[s].iter().filter(move |e| inside(e.target)).map(move |e| (s, e.marks))
        })
    }

    /// Whether a run that stays in component `c` can be accepting.
    pub fn is_accepting(&self, automaton: &Tgba, c: usize) -> bool {
        self.marks(automaton, c) == Some(automaton.all_marks())
    }

    /// Whether all cycles of component `c` meet acceptance set `set`.
    pub(crate) fn all_cycles_meet(&self, automaton: &Tgba, c: usize, set: u32) -> bool {
        let members = &self.members[c];
        let without = |s: usize| {
            let edges = automaton.states[s].iter();
            let inside = edges.filter(|e| self.of[e.target] == Some(c) && e.marks >> set & 1 == 0);
            inside.map(|e| self.place[e.target]).collect()
        };
        let graph: Vec<Vec<usize>> = members.iter().map(|&s| without(s)).collect();
        let parts = components(graph.len(), 0..graph.len(), |s, i| graph[s].get(i).copied());
        parts.members.iter().all(|m| m.len() == 1 && !graph[m[0]].contains(&m[0]))
    }

    /// Whether every cycle of component `c` is accepting.
    pub fn is_fully_accepting(&self, automaton: &Tgba, c: usize) -> bool {
        (0..automaton.sets).all(|set| self.all_cycles_meet(automaton, c, set))
    }
}
