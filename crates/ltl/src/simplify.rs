//! Smart constructors: every formula is simplified as it is built.
//!
//! The rules are the usual ones: boolean laws, absorption through syntactic
//! implication, pure eventualities and universalities (Etessami & Holzmann
//! 2000; Somenzi & Bloem 2000), and pulling `[]<>`-like parts out of temporal
//! operators, because they do not care when they are asked.

use crate::pool::{Id, Node, Pool};

impl Pool {
    /// The negation of `f`.
    pub(crate) fn negate(&mut self, f: Id) -> Id {
        if let Some(&found) = self.negations.get(&f) {
            return found;
        }
        let result = match self.node(f).clone() {
            Node::True => Pool::FALSE,
            Node::False => Pool::TRUE,
            Node::Literal { atom, positive } => self.literal(atom, !positive),
            Node::And(fs) => {
                let parts = fs.into_iter().map(|f| self.negate(f)).collect();
                self.or(parts)
            }
            Node::Or(fs) => {
                let parts = fs.into_iter().map(|f| self.negate(f)).collect();
                self.and(parts)
            }
            Node::Next(f) => {
                let f = self.negate(f);
                self.next(f)
            }
            Node::Until(f, g) => {
                let (f, g) = (self.negate(f), self.negate(g));
                self.release(f, g)
            }
            Node::Release(f, g) => {
                let (f, g) = (self.negate(f), self.negate(g));
                self.until(f, g)
            }
        };
        self.negations.insert(f, result);
        self.negations.entry(result).or_insert(f);
        result
    }

    /// `X f`
    pub(crate) fn next(&mut self, f: Id) -> Id {
        if self.is_suspendable(f) {
            return f;
        }
        match self.node(f).clone() {
            Node::And(fs) if fs.iter().any(|&g| self.is_suspendable(g)) => {
                let parts = fs.into_iter().map(|g| self.next(g)).collect();
                self.and(parts)
            }
            Node::Or(fs) if fs.iter().any(|&g| self.is_suspendable(g)) => {
                let parts = fs.into_iter().map(|g| self.next(g)).collect();
                self.or(parts)
            }
            _ => self.intern(Node::Next(f)),
        }
    }

    /// `<> f`
    pub(crate) fn eventually(&mut self, f: Id) -> Id {
        self.until(Pool::TRUE, f)
    }

    /// `[] f`
    pub(crate) fn always(&mut self, f: Id) -> Id {
        self.release(Pool::FALSE, f)
    }

    /// The parts of `f` that are suspendable and the rest, if both exist.
    fn suspend(&self, f: Id) -> Option<(Vec<Id>, Vec<Id>)> {
        let (Node::And(fs) | Node::Or(fs)) = self.node(f) else { return None };
        let (asleep, awake): (Vec<Id>, Vec<Id>) = fs.iter().partition(|&&g| self.is_suspendable(g));
        (!asleep.is_empty() && !awake.is_empty()).then_some((asleep, awake))
    }

    /// `f U g`
    pub(crate) fn until(&mut self, f: Id, g: Id) -> Id {
        if self.traits(g).eventual || f == Pool::FALSE || self.implies(f, g) {
            return g;
        }
        if f != Pool::TRUE {
            let not_g = self.negate(g);
            if self.implies(not_g, f) {
                return self.eventually(g);
            }
        }
        if let Some((mut asleep, awake)) = self.suspend(g) {
            let is_and = matches!(self.node(g), Node::And(_));
            let awake = if is_and { self.and(awake) } else { self.or(awake) };
            asleep.push(self.until(f, awake));
            return if is_and { self.and(asleep) } else { self.or(asleep) };
        }
        match (self.node(f).clone(), self.node(g).clone()) {
            (Node::True, Node::Next(h)) => {
                let later = self.eventually(h);
                self.next(later)
            }
            (Node::True, Node::Until(_, h)) => self.eventually(h),
            (Node::True, Node::Release(a, b)) if self.traits(b).eventual && a != Pool::FALSE => {
                let both = self.and(vec![a, b]);
                let kept = self.always(b);
                let either = self.or(vec![both, kept]);
                self.eventually(either)
            }
            (Node::Next(a), Node::Next(b)) => {
                let inner = self.until(a, b);
                self.next(inner)
            }
            (_, Node::Until(a, _)) if self.implies(f, a) => g,
            (Node::Until(_, b), _) if b == g => f,
            (Node::And(_), _) if let Some((mut asleep, awake)) = self.suspend(f) => {
                let awake = self.and(awake);
                asleep.push(self.until(awake, g));
                let kept = self.and(asleep);
                self.or(vec![g, kept])
            }
            _ => self.intern(Node::Until(f, g)),
        }
    }

    /// `f V g`
    pub(crate) fn release(&mut self, f: Id, g: Id) -> Id {
        if self.traits(g).universal || f == Pool::TRUE || self.implies(g, f) {
            return g;
        }
        if f != Pool::FALSE {
            let not_g = self.negate(g);
            if self.implies(f, not_g) {
                return self.always(g);
            }
        }
        if let Some((mut asleep, awake)) = self.suspend(g) {
            let is_and = matches!(self.node(g), Node::And(_));
            let awake = if is_and { self.and(awake) } else { self.or(awake) };
            asleep.push(self.release(f, awake));
            return if is_and { self.and(asleep) } else { self.or(asleep) };
        }
        match (self.node(f).clone(), self.node(g).clone()) {
            (Node::False, Node::Next(h)) => {
                let kept = self.always(h);
                self.next(kept)
            }
            (Node::False, Node::Release(_, h)) => self.always(h),
            (Node::False, Node::Until(a, b)) if a != Pool::TRUE => {
                let either = self.or(vec![a, b]);
                let (kept, again) = (self.always(either), self.eventually(b));
                let again = self.always(again);
                self.and(vec![kept, again])
            }
            (Node::False, Node::Until(_, b)) if self.split_recurrence(b).is_some() => {
                let parts = self.split_recurrence(b).expect("just seen");
                let parts = parts
                    .into_iter()
                    .map(|p| {
                        let later = self.eventually(p);
                        self.always(later)
                    })
                    .collect();
                self.and(parts)
            }
            (Node::Next(a), Node::Next(b)) => {
                let inner = self.release(a, b);
                self.next(inner)
            }
            (_, Node::Release(a, _)) if self.implies(a, f) => g,
            (Node::Release(_, b), _) if b == g => f,
            (Node::Or(_), _) if let Some((mut asleep, awake)) = self.suspend(f) => {
                let awake = self.or(awake);
                asleep.push(self.release(awake, g));
                let either = self.or(asleep);
                self.and(vec![g, either])
            }
            _ => self.intern(Node::Release(f, g)),
        }
    }

    /// `[]<>(a && e)` with `e` eventual is `[]<>a && []<>e`: the parts, if any.
    fn split_recurrence(&self, f: Id) -> Option<Vec<Id>> {
        let Node::And(fs) = self.node(f) else { return None };
        let (eventual, rest): (Vec<Id>, Vec<Id>) =
            fs.iter().partition(|&&g| self.traits(g).eventual);
        // One conjunct may stay as it is; more would have to hold at once.
        (!eventual.is_empty() && rest.len() <= 1)
            .then(|| eventual.into_iter().chain(rest).collect())
    }

    /// Conjunction.
    pub(crate) fn and(&mut self, parts: Vec<Id>) -> Id {
        self.junction(parts, true)
    }

    /// Disjunction.
    pub(crate) fn or(&mut self, parts: Vec<Id>) -> Id {
        self.junction(parts, false)
    }

    fn junction(&mut self, parts: Vec<Id>, is_and: bool) -> Id {
        let (unit, zero) =
            if is_and { (Pool::TRUE, Pool::FALSE) } else { (Pool::FALSE, Pool::TRUE) };
        let mut flat = self.flatten(parts, is_and);
        self.merge(&mut flat, is_and);
        flat.retain(|&f| f != unit);
        flat.sort_unstable();
        flat.dedup();
        if flat.contains(&zero) {
            return zero;
        }
        let pairs = (flat.len() as u64).pow(2);
        if pairs > self.budget {
            return self.junction_of(flat, is_and);
        }
        let mut kept: Vec<Id> = Vec::with_capacity(flat.len());
        for (i, &f) in flat.iter().enumerate() {
            let weaker = |pool: &mut Pool, other: Id| {
                if is_and { pool.implies(other, f) } else { pool.implies(f, other) }
            };
            let others = kept.iter().chain(&flat[i + 1..]).copied().collect::<Vec<_>>();
            if others.into_iter().any(|other| weaker(self, other)) {
                continue;
            }
            kept.push(f);
        }
        for (i, &f) in kept.iter().enumerate() {
            let not_f = self.negate(f);
            for &g in &kept[i + 1..] {
                let clash = if is_and { self.implies(g, not_f) } else { self.implies(not_f, g) };
                if clash {
                    return zero;
                }
            }
        }
        self.junction_of(kept, is_and)
    }

    fn junction_of(&mut self, fs: Vec<Id>, is_and: bool) -> Id {
        match fs.len() {
            0 if is_and => Pool::TRUE,
            0 => Pool::FALSE,
            1 => fs[0],
            _ if is_and => self.intern(Node::And(fs)),
            _ => self.intern(Node::Or(fs)),
        }
    }

    fn flatten(&self, parts: Vec<Id>, is_and: bool) -> Vec<Id> {
        let mut flat = Vec::with_capacity(parts.len());
        for f in parts {
            match self.node(f) {
                Node::And(fs) if is_and => flat.extend(fs),
                Node::Or(fs) if !is_and => flat.extend(fs),
                _ => flat.push(f),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        flat
    }

    /// Joins operands of the same shape: `[]a && []b`, `X a && X b`, `a U c && b U c`, and duals.
    fn merge(&mut self, fs: &mut Vec<Id>, is_and: bool) {
        let mut i = 0;
        while i < fs.len() {
            self.budget = self.budget.saturating_sub((fs.len() - i) as u64);
            if self.budget == 0 {
                return;
            }
            let partner =
                (i + 1..fs.len()).find_map(|j| Some((j, self.joined(fs[i], fs[j], is_and)?)));
            match partner {
                Some((j, joined)) => {
                    fs.remove(j);
                    fs.remove(i);
                    fs.extend(self.flatten(vec![joined], is_and));
                    i = 0;
                }
                None => i += 1,
            }
        }
    }

    fn joined(&mut self, f: Id, g: Id, is_and: bool) -> Option<Id> {
        let join =
            |pool: &mut Pool, a, b| if is_and { pool.and(vec![a, b]) } else { pool.or(vec![a, b]) };
        match (self.node(f).clone(), self.node(g).clone()) {
            (Node::Next(a), Node::Next(b)) => {
                let inner = join(self, a, b);
                Some(self.next(inner))
            }
            (Node::Release(a, b), Node::Release(c, d)) if is_and && a == c => {
                if self.is_suspendable(f) || self.is_suspendable(g) {
                    return None;
                }
                let inner = self.and(vec![b, d]);
                Some(self.release(a, inner))
            }
            (Node::Until(a, b), Node::Until(c, d)) if !is_and && a == c => {
                if self.is_suspendable(f) != self.is_suspendable(g) {
                    return None;
                }
                let inner = self.or(vec![b, d]);
                Some(self.until(a, inner))
            }
            (Node::Until(a, b), Node::Until(c, d)) if is_and && b == d => {
                let inner = self.and(vec![a, c]);
                Some(self.until(inner, b))
            }
            (Node::Release(a, b), Node::Release(c, d)) if !is_and && b == d => {
                let inner = self.or(vec![a, c]);
                Some(self.release(inner, b))
            }
            // <>[]a && <>[]b = <>[](a && b)
            (Node::Until(Pool::TRUE, a), Node::Until(Pool::TRUE, b))
                if is_and && self.traits(a).universal && self.traits(b).universal =>
            {
                let inner = self.and(vec![a, b]);
                Some(self.eventually(inner))
            }
            // []<>a || []<>b = []<>(a || b)
            (Node::Release(Pool::FALSE, a), Node::Release(Pool::FALSE, b))
                if !is_and && self.traits(a).eventual && self.traits(b).eventual =>
            {
                let inner = self.or(vec![a, b]);
                Some(self.always(inner))
            }
            _ => None,
        }
    }

    /// Whether `f` implies `g`, as far as their form shows.
    pub(crate) fn implies(&mut self, f: Id, g: Id) -> bool {
        if f == g || f == Pool::FALSE || g == Pool::TRUE {
            return true;
        }
        if f == Pool::TRUE || g == Pool::FALSE || self.budget == 0 {
            return false;
        }
        if let Some(&known) = self.implications.get(&(f, g)) {
            return known;
        }
        self.budget -= 1;
        let result = self.decide_implication(f, g);
        self.implications.insert((f, g), result);
        result
    }

    fn decide_implication(&mut self, f: Id, g: Id) -> bool {
        let (left, right) = (self.node(f).clone(), self.node(g).clone());
        if let Node::Or(fs) = &left {
            return fs.iter().all(|&a| self.implies(a, g));
        }
        if let Node::And(gs) = &right {
            return gs.iter().all(|&b| self.implies(f, b));
        }
        let by_pair = match (&left, &right) {
            (Node::Next(a), Node::Next(b)) => self.implies(*a, *b),
            (Node::Until(a, b), Node::Until(c, d)) | (Node::Release(a, b), Node::Release(c, d)) => {
                self.implies(*a, *c) && self.implies(*b, *d)
            }
            _ => false,
        };
        if by_pair {
            return true;
        }
        let by_left = match &left {
            Node::And(fs) => fs.iter().any(|&a| self.implies(a, g)),
            Node::Until(a, b) => self.implies(*a, g) && self.implies(*b, g),
            Node::Release(_, b) => self.implies(*b, g),
            Node::Next(a) => self.traits(g).eventual && self.implies(*a, g),
            _ => false,
        };
        by_left
            || match &right {
                Node::Or(gs) => gs.iter().any(|&b| self.implies(f, b)),
                Node::Until(_, d) => self.implies(f, *d),
                Node::Release(c, d) => self.implies(f, *c) && self.implies(f, *d),
                Node::Next(b) => self.traits(f).universal && self.implies(f, *b),
                _ => false,
            }
    }
}
