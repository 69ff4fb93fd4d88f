//! Binary decision diagrams: the one canonical form of guards.
//!
//! Two guards are equal exactly if their [`Label`]s are. Nodes are never freed:
//! a table lives as long as one translation, and the surviving labels are
//! copied into a fresh table at its end. Past its limit a table says so through
//! [`Bdd::is_exhausted`] and answers `FALSE` cheaply, so that callers need to
//! look only once per loop.

use rapidhash::RapidHashMap;

/// A boolean function over the atoms of an automaton, within its [`Bdd`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(u32);

impl Label {
    /// The guard that never holds.
    pub const FALSE: Label = Label(0);
    /// The guard that always holds.
    pub const TRUE: Label = Label(1);

    /// Whether this is one of the two constants.
    pub fn is_constant(self) -> bool {
        self.0 < 2
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    var: u32,
    low: Label,
    high: Label,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Op {
    And,
    Or,
}

/// Variables past this number are refused: diagrams are walked by recursion.
pub(crate) const MAX_VARIABLES: u32 = 2_000;

/// One literal of a cube: the atom and whether it must be true.
pub type Literal = (u32, bool);

/// A table of decision diagrams that share their nodes.
#[derive(Clone, Debug)]
pub struct Bdd {
    nodes: Vec<Node>,
    unique: RapidHashMap<Node, Label>,
    binary: RapidHashMap<(Op, Label, Label), Label>,
    negated: RapidHashMap<Label, Label>,
    node_limit: usize,
    exhausted: bool,
}

impl Default for Bdd {
    fn default() -> Self {
        Bdd::with_limit(usize::MAX)
    }
}

impl Bdd {
    /// An empty table that stops at about `node_limit` nodes and cached results.
    pub fn with_limit(node_limit: usize) -> Self {
        let constant = |l| Node { var: u32::MAX, low: l, high: l };
        Bdd {
            nodes: vec![constant(Label::FALSE), constant(Label::TRUE)],
            unique: RapidHashMap::default(),
            binary: RapidHashMap::default(),
            negated: RapidHashMap::default(),
            node_limit,
            exhausted: false,
        }
    }

    /// Stops the table after `room` more nodes.
    pub(crate) fn limit_to(&mut self, room: usize) {
        self.node_limit = self.nodes.len() + room;
    }

    /// Whether the limit was hit; results since then are meaningless.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// The variable tested first by `f`; `u32::MAX` for the constants.
    pub fn top(&self, f: Label) -> u32 {
        self.nodes[f.0 as usize].var
    }

    /// The function `f` becomes when its top variable is false.
    pub fn low(&self, f: Label) -> Label {
        self.nodes[f.0 as usize].low
    }

    /// The function `f` becomes when its top variable is true.
    pub fn high(&self, f: Label) -> Label {
        self.nodes[f.0 as usize].high
    }

    fn node(&mut self, var: u32, low: Label, high: Label) -> Label {
        if low == high {
            return low;
        }
        let node = Node { var, low, high };
        if let Some(&found) = self.unique.get(&node) {
            return found;
        }
        if self.nodes.len() >= self.node_limit {
            self.exhausted = true;
            return Label::FALSE;
        }
        let label = Label(self.nodes.len() as u32);
        self.nodes.push(node);
        self.unique.insert(node, label);
        label
    }

    /// The function that is variable `var`.
    pub fn var(&mut self, var: u32) -> Label {
        if var >= MAX_VARIABLES {
            self.exhausted = true;
            return Label::FALSE;
        }
        self.node(var, Label::FALSE, Label::TRUE)
    }

    /// The negation of `f`.
    pub fn not(&mut self, f: Label) -> Label {
        match f {
            Label::FALSE => return Label::TRUE,
            Label::TRUE => return Label::FALSE,
            _ => {}
        }
        if let Some(&found) = self.negated.get(&f) {
            return found;
        }
        let Node { var, low, high } = self.nodes[f.0 as usize];
        let (low, high) = (self.not(low), self.not(high));
        let result = self.node(var, low, high);
        self.negated.insert(f, result);
        result
    }

    /// Conjunction.
    pub fn and(&mut self, f: Label, g: Label) -> Label {
        match (f, g) {
            (Label::FALSE, _) | (_, Label::FALSE) => Label::FALSE,
            (Label::TRUE, x) | (x, Label::TRUE) => x,
            _ if f == g => f,
            _ => self.apply(Op::And, f, g),
        }
    }

    /// Disjunction.
    pub fn or(&mut self, f: Label, g: Label) -> Label {
        match (f, g) {
            (Label::TRUE, _) | (_, Label::TRUE) => Label::TRUE,
            (Label::FALSE, x) | (x, Label::FALSE) => x,
            _ if f == g => f,
            _ => self.apply(Op::Or, f, g),
        }
    }

    fn apply(&mut self, op: Op, f: Label, g: Label) -> Label {
        let key = (op, f.min(g), f.max(g));
        if let Some(&found) = self.binary.get(&key) {
            return found;
        }
        if self.exhausted || self.binary.len() / 2 >= self.node_limit {
            self.exhausted = true;
            return Label::FALSE;
        }
        let var = self.top(f).min(self.top(g));
        let (f0, f1) = self.split(f, var);
        let (g0, g1) = self.split(g, var);
        let (low, high) = match op {
            Op::And => (self.and(f0, g0), self.and(f1, g1)),
            Op::Or => (self.or(f0, g0), self.or(f1, g1)),
        };
        let result = self.node(var, low, high);
        self.binary.insert(key, result);
        result
    }

    fn split(&self, f: Label, var: u32) -> (Label, Label) {
        if self.top(f) == var { (self.low(f), self.high(f)) } else { (f, f) }
    }

    /// `f` without the part that `g` covers.
    pub fn minus(&mut self, f: Label, g: Label) -> Label {
        let rest = self.not(g);
        self.and(f, rest)
    }

    /// Whether `f` and `g` have a valuation in common.
    pub fn meets(&mut self, f: Label, g: Label) -> bool {
        self.and(f, g) != Label::FALSE
    }

    /// The value of `f` under a valuation.
    pub fn eval(&self, mut f: Label, valuation: impl Fn(u32) -> bool) -> bool {
        while !f.is_constant() {
            f = if valuation(self.top(f)) { self.high(f) } else { self.low(f) };
        }
        f == Label::TRUE
    }

    /// The part of all valuations under which `f` holds.
    pub(crate) fn share(&self, f: Label) -> f64 {
        fn visit(bdd: &Bdd, f: Label, done: &mut RapidHashMap<Label, f64>) -> f64 {
            if f.is_constant() {
                return f64::from(u8::from(f == Label::TRUE));
            }
            if let Some(&found) = done.get(&f) {
                return found;
            }
            let share = (visit(bdd, bdd.low(f), done) + visit(bdd, bdd.high(f), done)) / 2.0;
            done.insert(f, share);
            share
        }
        visit(self, f, &mut RapidHashMap::default())
    }

    /// Copies `f` into `to`, which numbers its variables alike.
    pub fn copy_into(
        &self,
        f: Label,
        to: &mut Bdd,
        done: &mut RapidHashMap<Label, Label>,
    ) -> Label {
        if f.is_constant() {
            return f;
        }
        if let Some(&found) = done.get(&f) {
            return found;
        }
        let low = self.copy_into(self.low(f), to, done);
        let high = self.copy_into(self.high(f), to, done);
        let result = to.node(self.top(f), low, high);
        done.insert(f, result);
        result
    }

    /// An irredundant sum of products for `f` (Minato 1992); `[[]]` is true, `[]` false.
    pub fn cubes(&mut self, f: Label) -> Vec<Vec<Literal>> {
        self.cover(f, f).0
    }

    /// A cover of at least `lower` and at most `upper`, with its function.
    fn cover(&mut self, lower: Label, upper: Label) -> (Vec<Vec<Literal>>, Label) {
        if lower == Label::FALSE {
            return (Vec::new(), Label::FALSE);
        }
        if upper == Label::TRUE {
            return (vec![Vec::new()], Label::TRUE);
        }
        let var = self.top(lower).min(self.top(upper));
        let (l0, l1) = self.split(lower, var);
        let (u0, u1) = self.split(upper, var);
        let only_low = self.minus(l0, u1);
        let (low_cubes, low) = self.cover(only_low, u0);
        let only_high = self.minus(l1, u0);
        let (high_cubes, high) = self.cover(only_high, u1);
        let (rest0, rest1) = (self.minus(l0, low), self.minus(l1, high));
        let rest = self.or(rest0, rest1);
        let both = self.and(u0, u1);
        let (mut cubes, shared) = self.cover(rest, both);
        let tag = |cubes: Vec<Vec<Literal>>, value| {
            cubes.into_iter().map(move |mut c| {
                c.insert(0, (var, value));
                c
            })
        };
        cubes.splice(0..0, tag(low_cubes, false).chain(tag(high_cubes, true)));
        let (f0, f1) = (self.or(low, shared), self.or(high, shared));
        (cubes, self.node(var, f0, f1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_functions_are_equal_labels() {
        let mut b = Bdd::default();
        let (p, q) = (b.var(0), b.var(1));
        let (pq, np, nq) = (b.and(p, q), b.not(p), b.not(q));
        let either = b.or(np, nq);
        assert_eq!(b.not(pq), either);
        assert_eq!(b.minus(p, p), Label::FALSE);
        assert!(b.meets(p, nq));
    }

    #[test]
    fn cubes_cover_exactly() {
        let mut b = Bdd::default();
        let (p, q, r) = (b.var(0), b.var(1), b.var(2));
        let pq = b.and(p, q);
        let f = b.or(pq, r);
        assert_eq!(b.cubes(f), [vec![(0, true), (1, true)], vec![(2, true)]]);
        assert_eq!(b.cubes(Label::TRUE), vec![Vec::new()]);
        assert!(b.cubes(Label::FALSE).is_empty());
    }

    #[test]
    fn the_limit_is_noticed() {
        let mut b = Bdd::with_limit(4);
        for v in 0..8 {
            b.var(v);
        }
        assert!(b.is_exhausted());
    }
}
