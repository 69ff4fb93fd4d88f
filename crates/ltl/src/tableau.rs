//! From a formula to a transition-based generalised Büchi automaton.
//!
//! A state is a set of formulas that must hold from now on. The one-step
//! expansion of a formula is a decision diagram over three kinds of variables:
//! atoms first, then "`f` holds next", then "`g` is still owed" (a promise made
//! by an until whose right side is put off). Below the atoms the diagram is
//! monotone, so that each of its prime implicants is a way to go on: an edge.
//! Owing `g` on an edge means not being in acceptance set `g`. States with
//! equal expansions are the same state. Couvreur, "On-the-fly verification of
//! linear temporal logic" (1999).

use rapidhash::RapidHashMap;

use crate::automaton::{Edge, Tgba};
use crate::bdd::{Bdd, Label, MAX_VARIABLES};
use crate::limits::{Limits, Resource, TooLarge};
use crate::pool::{Id, Node, Pool};

/// What a variable behind the atoms stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Extra {
    Next(Id),
    Owed(Id),
}

/// One way to go on: what must hold next, and which promises are put off.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Choice {
    next: Vec<Id>,
    owed: Vec<Id>,
}

struct Tableau<'a> {
    pool: &'a mut Pool,
    bdd: Bdd,
    expansions: RapidHashMap<Id, Label>,
    variables: RapidHashMap<Extra, u32>,
    extras: Vec<Extra>,
    atoms: u32,
    steps: u64,
    limits: &'a Limits,
}

/// The automaton of `f`, not yet reduced.
pub(crate) fn build(pool: &mut Pool, f: Id, limits: &Limits) -> Result<Tgba, TooLarge> {
    let atoms = pool.atoms.len() as u32;
    let mut tableau = Tableau {
        pool,
        bdd: Bdd::with_limit(limits.max_nodes),
        expansions: RapidHashMap::default(),
        variables: RapidHashMap::default(),
        extras: Vec::new(),
        atoms,
        steps: limits.max_steps,
        limits,
    };
    tableau.build(f)
}

impl Tableau<'_> {
    fn build(&mut self, f: Id) -> Result<Tgba, TooLarge> {
        let mut number: RapidHashMap<Label, usize> = RapidHashMap::default();
        let mut known: RapidHashMap<Vec<Id>, usize> = RapidHashMap::default();
        let mut todo = Vec::new();
        let mut rows: Vec<Vec<(Vec<Id>, usize, Label)>> = Vec::new();
        let mut owed_at: Vec<Id> = Vec::new();
        let mut edges = 0;
        let mut state_of = |tableau: &mut Self, set: Vec<Id>, todo: &mut Vec<Label>| {
            if let Some(&s) = known.get(&set) {
                return s;
            }
            let expansion = tableau.expand_all(&set);
            let fresh = number.len();
            let s = *number.entry(expansion).or_insert_with(|| {
                todo.push(expansion);
                fresh
            });
            known.insert(set, s);
            s
        };
        let start = match self.pool.node(f) {
            Node::And(fs) => fs.clone(),
            _ => vec![f],
        };
        state_of(self, start, &mut todo);
        let mut done = 0;
        while done < todo.len() {
            let mut row = Vec::new();
            for (choice, label) in self.choices(todo[done])? {
                for &g in &choice.owed {
                    if !owed_at.contains(&g) {
                        owed_at.push(g);
                    }
                }
                let target = state_of(self, choice.next, &mut todo);
                row.push((choice.owed, target, label));
            }
            edges += row.len();
            rows.push(row);
            done += 1;
            self.limits.check(Resource::States, todo.len(), self.limits.max_states)?;
            self.limits.check(Resource::Edges, edges, self.limits.max_edges)?;
            self.check_nodes()?;
        }
        self.limits.check(Resource::AcceptanceSets, owed_at.len(), 64)?;
        let mut automaton = Tgba {
            atoms: self.pool.atoms.clone(),
            bdd: std::mem::take(&mut self.bdd),
            initial: 0,
            states: Vec::new(),
            sets: owed_at.len() as u32,
        };
        let all = automaton.all_marks();
        automaton.states = rows
            .into_iter()
            .map(|row| {
                row.into_iter()
                    .map(|(owed, target, label)| {
                        let missing = owed_at
                            .iter()
                            .enumerate()
                            .filter(|(_, g)| owed.contains(g))
                            .fold(0, |m, (i, _)| m | 1 << i);
                        Edge { target, marks: all & !missing, label }
                    })
                    .collect()
            })
            .collect();
        automaton.compact();
        automaton.normalise();
        Ok(automaton)
    }

    fn spend(&mut self, steps: usize) -> Result<(), TooLarge> {
        self.steps = self.steps.saturating_sub(steps as u64);
        if self.steps == 0 {
            let limit = usize::try_from(self.limits.max_steps).unwrap_or(usize::MAX);
            return Err(TooLarge { resource: Resource::Steps, limit });
        }
        Ok(())
    }

    fn check_nodes(&self) -> Result<(), TooLarge> {
        let variables = self.atoms as usize + self.extras.len();
        self.limits.check(Resource::Variables, variables, MAX_VARIABLES as usize)?;
        if self.bdd.is_exhausted() {
            return Err(TooLarge { resource: Resource::Nodes, limit: self.limits.max_nodes });
        }
        Ok(())
    }

    fn variable(&mut self, extra: Extra) -> Label {
        let next = self.atoms + self.extras.len() as u32;
        let var = *self.variables.entry(extra).or_insert_with(|| {
            self.extras.push(extra);
            next
        });
        self.bdd.var(var)
    }

    fn expand_all(&mut self, set: &[Id]) -> Label {
        set.iter().fold(Label::TRUE, |all, &f| {
            let one = self.expand(f);
            self.bdd.and(all, one)
        })
    }

    fn later(&mut self, f: Id) -> Label {
        match self.pool.node(f).clone() {
            Node::True => Label::TRUE,
            Node::False => Label::FALSE,
            Node::And(fs) => fs.into_iter().fold(Label::TRUE, |all, f| {
                let one = self.variable(Extra::Next(f));
                self.bdd.and(all, one)
            }),
            _ => self.variable(Extra::Next(f)),
        }
    }

    fn expand(&mut self, f: Id) -> Label {
        if let Some(&known) = self.expansions.get(&f) {
            return known;
        }
        let result = match self.pool.node(f).clone() {
            Node::True => Label::TRUE,
            Node::False => Label::FALSE,
            Node::Literal { atom, positive } => {
                let var = self.bdd.var(atom);
                if positive { var } else { self.bdd.not(var) }
            }
            Node::And(fs) => self.expand_all(&fs),
            Node::Or(fs) => self.expand_or(f, fs),
            Node::Next(g) => self.later(g),
            Node::Until(a, b) => {
                let (a, b) = (self.expand(a), (self.expand(b), b));
                let (again, owed) = (self.later(f), self.variable(Extra::Owed(b.1)));
                let wait = self.bdd.and(a, again);
                let wait = self.bdd.and(wait, owed);
                self.bdd.or(b.0, wait)
            }
            Node::Release(a, b) => {
                // Below `[]`, `<>g` need not be carried along: it will be asked again.
                let now = match *self.pool.node(b) {
                    Node::Until(Pool::TRUE, g) if a == Pool::FALSE => {
                        let (g, owed) = (self.expand(g), self.variable(Extra::Owed(g)));
                        self.bdd.or(g, owed)
                    }
                    _ => self.expand(b),
                };
                let (done, again) = (self.expand(a), self.later(f));
                let rest = self.bdd.or(done, again);
                self.bdd.and(now, rest)
            }
        };
        self.expansions.insert(f, result);
        result
    }

    fn expand_or(&mut self, f: Id, fs: Vec<Id>) -> Label {
        let (asleep, awake): (Vec<Id>, Vec<Id>) =
            fs.iter().partition(|&&g| self.pool.is_suspendable(g));
        let goals: Vec<Id> = asleep.iter().map(|&g| self.goal(g)).collect();
        let waits = asleep.len() > 1 && goals != asleep;
        if !waits {
            return self.expand_any(&fs);
        }
        if !awake.is_empty() {
            let asleep = self.pool.or(asleep);
            let (now, whenever) = (self.expand_any(&awake), self.expand(asleep));
            return self.bdd.or(now, whenever);
        }
        // `<>a || []<>b` with `<>a` suspendable is `<>(a || []<>b)`: the choice
        // can be put off, which saves a state for having made it.
        let (now, later, owed) =
            (self.expand_any(&goals), self.later(f), self.variable(Extra::Owed(f)));
        let wait = self.bdd.and(later, owed);
        self.bdd.or(now, wait)
    }

    /// What a suspendable formula waits for: `g` is `<>goal(g)`.
    fn goal(&mut self, g: Id) -> Id {
        match self.pool.node(g).clone() {
            Node::Until(Pool::TRUE, goal) => goal,
            Node::And(gs) => {
                let goals = gs.into_iter().map(|g| self.goal(g)).collect();
                self.pool.and(goals)
            }
            _ => g,
        }
    }

    fn expand_any(&mut self, fs: &[Id]) -> Label {
        fs.iter().fold(Label::FALSE, |any, &f| {
            let one = self.expand(f);
            self.bdd.or(any, one)
        })
    }

    /// The edges of an expansion, at most one per choice.
    fn choices(&mut self, expansion: Label) -> Result<Vec<(Choice, Label)>, TooLarge> {
        let mut found: RapidHashMap<Choice, usize> = RapidHashMap::default();
        let mut result: Vec<(Choice, Label)> = Vec::new();
        let mut primes = RapidHashMap::default();
        for (below, label) in self.below_atoms(expansion)? {
            for prime in self.primes(below, &mut primes)? {
                self.spend(1 + prime.len() * prime.len())?;
                let Some(choice) = self.choice(&prime) else { continue };
                let at = *found.entry(choice.clone()).or_insert_with(|| {
                    result.push((choice, Label::FALSE));
                    result.len() - 1
                });
                result[at].1 = self.bdd.or(result[at].1, label);
            }
        }
        self.check_nodes()?;
        Ok(result)
    }

    /// The parts of `f` below the atoms, each with the valuations that lead there.
    fn below_atoms(&mut self, f: Label) -> Result<Vec<(Label, Label)>, TooLarge> {
        let mut layers: Vec<Vec<Label>> = vec![Vec::new(); self.atoms as usize + 1];
        let atoms = self.atoms;
        let layer = |bdd: &Bdd, f: Label| bdd.top(f).min(atoms) as usize;
        let mut reached: RapidHashMap<Label, Label> = RapidHashMap::default();
        layers[layer(&self.bdd, f)].push(f);
        reached.insert(f, Label::TRUE);
        for var in 0..self.atoms {
            for g in std::mem::take(&mut layers[var as usize]) {
                self.spend(4)?;
                let here = reached[&g];
                let yes = self.bdd.var(var);
                let no = self.bdd.not(yes);
                for (side, value) in [(self.bdd.low(g), no), (self.bdd.high(g), yes)] {
                    let path = self.bdd.and(here, value);
                    if let Some(&old) = reached.get(&side) {
                        let joined = self.bdd.or(old, path);
                        reached.insert(side, joined);
                    } else {
                        reached.insert(side, path);
                        layers[layer(&self.bdd, side)].push(side);
                    }
                }
            }
        }
        let last = layers.pop().unwrap_or_default();
        Ok(last.into_iter().filter(|&g| g != Label::FALSE).map(|g| (g, reached[&g])).collect())
    }

    /// The prime implicants of a monotone function, as sorted lists of variables.
    fn primes(
        &mut self,
        f: Label,
        memo: &mut RapidHashMap<Label, Vec<Vec<u32>>>,
    ) -> Result<Vec<Vec<u32>>, TooLarge> {
        if f == Label::FALSE {
            return Ok(Vec::new());
        }
        if f == Label::TRUE {
            return Ok(vec![Vec::new()]);
        }
        if let Some(known) = memo.get(&f) {
            return Ok(known.clone());
        }
        let mut all = self.primes(self.bdd.low(f), memo)?;
        let without = all.len();
        for rest in self.primes(self.bdd.high(f), memo)? {
            self.spend(1 + without)?;
            let covered = all[..without].iter().any(|p| p.iter().all(|v| rest.contains(v)));
            if !covered {
                all.push(std::iter::once(self.bdd.top(f)).chain(rest).collect());
            }
        }
        self.limits.check(Resource::Edges, all.len(), self.limits.max_edges)?;
        memo.insert(f, all.clone());
        Ok(all)
    }

    /// Reads a prime implicant; `None` if what must hold next contradicts itself.
    fn choice(&mut self, prime: &[u32]) -> Option<Choice> {
        let (mut next, mut owed) = (Vec::new(), Vec::new());
        for &var in prime {
            match self.extras[(var - self.atoms) as usize] {
                Extra::Next(f) => next.push(f),
                Extra::Owed(g) => owed.push(g),
            }
        }
        next.sort_unstable();
        owed.sort_unstable();
        // Formulas implied by others stay: an until may be implied by a formula
        // that puts it off for ever, and its promise must be watched.
        for (i, &f) in next.iter().enumerate() {
            let not_f = self.pool.negate(f);
            if next[i + 1..].iter().any(|&g| self.pool.implies(g, not_f)) {
                return None;
            }
        }
        Some(Choice { next, owed })
    }
}
