//! Ultimately periodic words: what formulas and automata can be asked about directly.

use crate::Formula;
use crate::automaton::Tgba;
use crate::obligation::has_accepting_component;

/// The atoms true at one moment: bit `i` for atom `i`.
pub type Letter = u64;

/// The word `stem · cycle · cycle · …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The letters read once.
    pub stem: Vec<Letter>,
    /// The letters repeated for ever; not empty.
    pub cycle: Vec<Letter>,
}

impl Lasso {
    fn len(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }

    fn letter(&self, at: usize) -> Letter {
        if at < self.stem.len() { self.stem[at] } else { self.cycle[at - self.stem.len()] }
    }

    fn next(&self, at: usize) -> usize {
        if at + 1 == self.len() { self.stem.len() } else { at + 1 }
    }

    /// Whether `formula` holds on this word, by the definition of its operators.
    pub fn satisfies(&self, formula: &Formula, atoms: &[&str]) -> bool {
        self.truth(formula, atoms)[0]
    }

    fn truth(&self, formula: &Formula, atoms: &[&str]) -> Vec<bool> {
        let go = |f: &Formula| self.truth(f, atoms);
        let n = self.len();
        let map = |f: &dyn Fn(usize) -> bool| (0..n).map(f).collect::<Vec<bool>>();
        match formula {
            Formula::True => vec![true; n],
            Formula::False => vec![false; n],
            Formula::Atom(name) => {
                let bit = atoms.iter().position(|a| a == name);
                map(&|i| bit.is_some_and(|b| self.letter(i) >> b & 1 == 1))
            }
            Formula::Not(f) => go(f).into_iter().map(|v| !v).collect(),
            Formula::And(fs) => {
                let parts: Vec<_> = fs.iter().map(go).collect();
                map(&|i| parts.iter().all(|p| p[i]))
            }
            Formula::Or(fs) => {
                let parts: Vec<_> = fs.iter().map(go).collect();
                map(&|i| parts.iter().any(|p| p[i]))
            }
            Formula::Implies(f, g) => {
                let (f, g) = (go(f), go(g));
                map(&|i| !f[i] || g[i])
            }
            Formula::Equivalent(f, g) => {
                let (f, g) = (go(f), go(g));
                map(&|i| f[i] == g[i])
            }
            Formula::Next(f) => {
                let f = go(f);
                map(&|i| f[self.next(i)])
            }
            Formula::Eventually(f) => self.fixpoint(false, &vec![true; n], &go(f)),
            Formula::Always(f) => self.fixpoint(true, &go(f), &vec![false; n]),
            Formula::Until(f, g) => self.fixpoint(false, &go(f), &go(g)),
            Formula::WeakUntil(f, g) => self.fixpoint(true, &go(f), &go(g)),
            Formula::Release(f, g) => {
                let (f, g) = (go(f), go(g));
                self.fixpoint(true, &g, &map(&|i| f[i] && g[i]))
            }
        }
    }

    /// The fixpoint of `x = goal || (stay && X x)`, greatest or least by where it begins.
    fn fixpoint(&self, begin: bool, stay: &[bool], goal: &[bool]) -> Vec<bool> {
        let mut x = vec![begin; self.len()];
        // Twice around the cycle settles every position.
        for _ in 0..2 {
            for i in (0..self.len()).rev() {
                x[i] = goal[i] || (stay[i] && x[self.next(i)]);
            }
        }
        x
    }
}

impl Tgba {
    /// Whether some accepting run reads `word`; its letters number this automaton's atoms.
    pub fn accepts(&self, word: &Lasso) -> bool {
        let n = self.states.len();
        let mut graph = vec![Vec::new(); n * word.len()];
        for at in 0..word.len() {
            let (letter, next) = (word.letter(at), word.next(at));
            for (s, edges) in self.states.iter().enumerate() {
                let open =
                    edges.iter().filter(|e| self.bdd.eval(e.label, |v| letter >> v & 1 == 1));
                graph[at * n + s].extend(open.map(|e| (next * n + e.target, e.marks)));
            }
        }
        has_accepting_component(&graph, [self.initial], self.all_marks())
    }
}
