//! Formulas, labels and loops for models whose infinite runs are of interest.

use super::build::Builder;
use super::env::Sort;
use super::expr::bin;
use super::features::{Feature as F, Features};
use super::rng::Rng;
use super::tree::*;

/// What the infinite runs of a model are judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judged {
    /// `ltl` blocks.
    Formulas,
    /// `accept` and `progress` labels of processes.
    Labels,
    /// A never claim.
    Claim,
}

impl Judged {
    /// Chooses, and leaves out what would stop SPIN or mislead it.
    pub(super) fn choose(rng: &mut Rng, features: &mut Features) -> Judged {
        for f in [F::Assert, F::Hidden, F::Trace, F::RuntimeErrors, F::Claim] {
            features.remove(f);
        }
        if rng.chance(40) {
            features.insert(F::Remote);
        }
        match rng.below(10) {
            0..=5 => Judged::Formulas,
            6..=7 => {
                features.insert(F::SpecialLabels);
                Judged::Labels
            }
            _ => {
                features.insert(F::Claim);
                Judged::Claim
            }
        }
    }

    /// Labels that may be set. SPIN takes an `accept` label of a process for one of the
    /// claim's.
    pub(super) fn labels(self) -> &'static [&'static str] {
        match self {
            Judged::Labels => &["accept", "accept_", "progress", "end"],
            _ => &["progress", "end"],
        }
    }
}

impl Builder {
    /// Often makes a body a loop: runs that end have little to say.
    pub(super) fn maybe_loop(&mut self, code: Vec<Stmt>) -> Vec<Stmt> {
        let declares = code.iter().any(|s| matches!(s.kind, Kind::Decl(_)));
        if self.judged.is_none() || declares || self.rng.chance(25) {
            return code;
        }
        let mut options = vec![code];
        if self.rng.chance(25) {
            options.push(vec![Kind::Expr(self.cond(1)).into(), Kind::Break.into()]);
        }
        let mut whole = Stmt::from(Kind::Do(options));
        if self.judged == Some(Judged::Labels) && self.rng.chance(40) {
            let prefix = self.rng.one_of(&["accept", "progress"]);
            whole.labels.push(self.fresh(prefix));
        }
        vec![whole]
    }

    /// One to three `ltl` blocks over globals, labels and variables of processes.
    pub(super) fn formulas(&mut self) {
        self.vars.retain(|v| v.global);
        for _ in 0..1 + self.rng.below(3) {
            let formula = if self.rng.chance(60) { self.usual_formula() } else { self.formula(3) };
            let name = self.fresh("p");
            self.model.ltl.push((name, formula));
        }
    }

    /// The shapes that people write.
    fn usual_formula(&mut self) -> Formula {
        let p = self.proposition(1);
        let q = self.proposition(1);
        match self.rng.below(11) {
            0 => unary("[]", p),
            1 => unary("<>", p),
            2 => unary("[]", unary("<>", p)),
            3 => unary("<>", unary("[]", p)),
            4 => unary("[]", binary("->", p, unary("<>", q))),
            5 => binary("U", p, q),
            6 => binary("W", p, q),
            7 => binary("V", p, q),
            8 => binary("->", unary("[]", unary("<>", p)), unary("[]", unary("<>", q))),
            9 => unary("[]", binary("->", p.clone(), binary("U", p, q))),
            _ => binary("&&", unary("<>", p), unary("[]", unary("<>", q))),
        }
    }

    fn formula(&mut self, depth: usize) -> Formula {
        if depth == 0 || self.rng.chance(20) {
            return self.proposition(1);
        }
        let a = self.formula(depth - 1);
        match self.rng.below(10) {
            0 => unary("!", a),
            1 | 2 => unary("[]", a),
            3 | 4 => unary("<>", a),
            n => {
                let op = ["U", "W", "V", "&&", "||"][n - 5];
                let op = if self.rng.chance(10) { "->" } else { op };
                binary(op, a, self.formula(depth - 1))
            }
        }
    }

    /// A state predicate, perhaps a small combination.
    fn proposition(&mut self, depth: usize) -> Formula {
        let atom = Formula::Atom(self.atom());
        if depth == 0 || self.rng.chance(75) {
            return if self.rng.chance(15) { unary("!", atom) } else { atom };
        }
        let op = self.rng.one_of(&["&&", "||"]);
        binary(op, atom, self.proposition(depth - 1))
    }

    /// A test that SPIN's parser of formulas reads as one proposition.
    fn atom(&mut self) -> Expr {
        for _ in 0..6 {
            if let Some(atom) = self.some_atom() {
                return atom;
            }
        }
        bin("==", Expr::Const(1), Expr::Const(1))
    }

    fn some_atom(&mut self) -> Option<Expr> {
        // With `run` a slot may be used again, by a process of another type.
        let remote = self.has(F::Remote) && !self.has(F::Run);
        match self.rng.below(10) {
            0..=4 => {
                let vars = self.readable(|v| v.hi().is_some());
                let var = self.rng.pick(&vars).cloned()?;
                let place = Expr::Place(self.place(&var));
                Some(self.test(place, var.hi().unwrap_or(1)))
            }
            5 | 6 if remote => self.remote_label(),
            7 if remote => {
                let (e, _, hi) = self.remote_variable()?;
                Some(self.test(e, hi))
            }
            8 => {
                let (q, _) = self.some_channel(|s| s.capacity > 0)?;
                let len = Expr::Call("len", Box::new(Expr::Place(q)));
                Some(self.test(len, 1))
            }
            9 => {
                let vars = self.readable(|v| matches!(v.sort, Sort::Mtype(_)));
                let var = self.rng.pick(&vars).cloned()?;
                let Sort::Mtype(sub) = &var.sort else { return None };
                let value = self.mtype_constant(sub)?;
                Some(bin("==", Expr::Place(self.place(&var)), value))
            }
            _ => None,
        }
    }

    fn test(&mut self, e: Expr, hi: i64) -> Expr {
        let op = self.rng.one_of(&["==", "!=", "<", ">", "=="]);
        bin(op, e, Expr::Const(self.rng.range(0, hi)))
    }
}

fn unary(op: &'static str, a: Formula) -> Formula {
    Formula::Unary(op, Box::new(a))
}

fn binary(op: &'static str, a: Formula, b: Formula) -> Formula {
    Formula::Binary(op, Box::new(a), Box::new(b))
}
