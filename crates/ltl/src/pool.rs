//! Formulas in negation normal form, each distinct one stored once.
//!
//! Only `X`, `U` and `V` remain: `<>f` is `true U f`, `[]f` is `false V f`,
//! negation sits on atoms. Nodes are made by the functions in `simplify`, so
//! that every stored formula is already simplified.

use rapidhash::RapidHashMap;

use crate::Formula;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Id(pub(crate) u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    True,
    False,
    Literal { atom: u32, positive: bool },
    And(Vec<Id>),
    Or(Vec<Id>),
    Next(Id),
    Until(Id, Id),
    Release(Id, Id),
}

/// What is known of a formula by its form alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Traits {
    /// Holding in some suffix makes it hold: `w ⊨ f` if a suffix of `w` does.
    pub(crate) eventual: bool,
    /// Holding once makes it hold in all suffixes.
    pub(crate) universal: bool,
    pub(crate) safety: bool,
    pub(crate) guarantee: bool,
    pub(crate) obligation: bool,
}

#[derive(Debug)]
pub(crate) struct Pool {
    nodes: Vec<Node>,
    traits: Vec<Traits>,
    index: RapidHashMap<Node, Id>,
    pub(crate) atoms: Vec<String>,
    pub(crate) negations: RapidHashMap<Id, Id>,
    pub(crate) implications: RapidHashMap<(Id, Id), bool>,
    /// Bounds the work of simplification; at zero it only builds.
    pub(crate) budget: u64,
}

impl Pool {
    pub(crate) const TRUE: Id = Id(1);
    pub(crate) const FALSE: Id = Id(0);

    pub(crate) fn new(budget: u64) -> Self {
        let mut pool = Pool {
            nodes: Vec::new(),
            traits: Vec::new(),
            index: RapidHashMap::default(),
            atoms: Vec::new(),
            negations: RapidHashMap::default(),
            implications: RapidHashMap::default(),
            budget,
        };
        pool.intern(Node::False);
        pool.intern(Node::True);
        pool
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn node(&self, f: Id) -> &Node {
        &self.nodes[f.0 as usize]
    }

    pub(crate) fn traits(&self, f: Id) -> Traits {
        self.traits[f.0 as usize]
    }

    /// Neither a finite prefix nor a suffix matters to it, as for `[]<>p`.
    pub(crate) fn is_suspendable(&self, f: Id) -> bool {
        self.traits(f).eventual && self.traits(f).universal
    }

    pub(crate) fn intern(&mut self, node: Node) -> Id {
        if let Some(&id) = self.index.get(&node) {
            return id;
        }
        let id = Id(u32::try_from(self.nodes.len()).expect("fewer than 2^32 formulas"));
        let traits = self.derive(&node);
        self.nodes.push(node.clone());
        self.traits.push(traits);
        self.index.insert(node, id);
        id
    }

    fn derive(&self, node: &Node) -> Traits {
        match node {
            Node::True | Node::False => Traits {
                eventual: true,
                universal: true,
                safety: true,
                guarantee: true,
                obligation: true,
            },
            Node::Literal { .. } => Traits {
                eventual: false,
                universal: false,
                safety: true,
                guarantee: true,
                obligation: true,
            },
            Node::Next(f) => self.traits(*f),
            Node::And(fs) | Node::Or(fs) => {
                let all = |get: fn(Traits) -> bool| fs.iter().all(|&f| get(self.traits(f)));
                Traits {
                    eventual: all(|t| t.eventual),
                    universal: all(|t| t.universal),
                    safety: all(|t| t.safety),
                    guarantee: all(|t| t.guarantee),
                    obligation: all(|t| t.obligation),
                }
            }
            Node::Until(f, g) => {
                let (a, b) = (self.traits(*f), self.traits(*g));
                let guarantee = a.guarantee && b.guarantee;
                Traits {
                    eventual: b.eventual || *f == Pool::TRUE,
                    universal: a.universal && b.universal,
                    safety: false,
                    guarantee,
                    obligation: guarantee || (a.obligation && b.guarantee),
                }
            }
            Node::Release(f, g) => {
                let (a, b) = (self.traits(*f), self.traits(*g));
                let safety = a.safety && b.safety;
                Traits {
                    eventual: a.eventual && b.eventual,
                    universal: b.universal || *f == Pool::FALSE,
                    safety,
                    guarantee: false,
                    obligation: safety || (a.obligation && b.safety),
                }
            }
        }
    }

    pub(crate) fn literal(&mut self, atom: u32, positive: bool) -> Id {
        self.intern(Node::Literal { atom, positive })
    }

    fn atom(&mut self, name: &str) -> u32 {
        let at = self.atoms.iter().position(|a| a == name).unwrap_or_else(|| {
            self.atoms.push(name.to_owned());
            self.atoms.len() - 1
        });
        at as u32
    }

    /// `f`, or its negation, in negation normal form.
    pub(crate) fn import(&mut self, f: &Formula, positive: bool) -> Id {
        match f {
            Formula::True => self.constant(positive),
            Formula::False => self.constant(!positive),
            Formula::Atom(name) => {
                let atom = self.atom(name);
                self.literal(atom, positive)
            }
            Formula::Not(f) => self.import(f, !positive),
            Formula::And(fs) | Formula::Or(fs) => {
                let parts = fs.iter().map(|f| self.import(f, positive)).collect();
                if matches!(f, Formula::And(_)) == positive {
                    self.and(parts)
                } else {
                    self.or(parts)
                }
            }
            Formula::Implies(f, g) => {
                let parts = vec![self.import(f, !positive), self.import(g, positive)];
                if positive { self.or(parts) } else { self.and(parts) }
            }
            Formula::Equivalent(f, g) => {
                // Negated once more through `negate`, which remembers: the
                // tree would double at each level of nesting.
                let (f, g) = (self.import(f, true), self.import(g, positive));
                let (not_f, not_g) = (self.negate(f), self.negate(g));
                let both = self.and(vec![f, g]);
                let neither = self.and(vec![not_f, not_g]);
                self.or(vec![both, neither])
            }
            Formula::Next(f) => {
                let f = self.import(f, positive);
                self.next(f)
            }
            Formula::Eventually(g) => {
                let g = self.import(g, positive);
                if positive { self.until(Pool::TRUE, g) } else { self.release(Pool::FALSE, g) }
            }
            Formula::Always(g) => {
                let g = self.import(g, positive);
                if positive { self.release(Pool::FALSE, g) } else { self.until(Pool::TRUE, g) }
            }
            Formula::Until(a, b) | Formula::Release(a, b) => {
                let is_until = matches!(f, Formula::Until(..)) == positive;
                let (a, b) = (self.import(a, positive), self.import(b, positive));
                if is_until { self.until(a, b) } else { self.release(a, b) }
            }
            Formula::WeakUntil(f, g) => {
                // f W g = g V (f || g)
                let (a, b) = (self.import(f, positive), self.import(g, positive));
                if positive {
                    let either = self.or(vec![a, b]);
                    self.release(b, either)
                } else {
                    let both = self.and(vec![a, b]);
                    self.until(b, both)
                }
            }
        }
    }

    fn constant(&self, value: bool) -> Id {
        if value { Pool::TRUE } else { Pool::FALSE }
    }
}
