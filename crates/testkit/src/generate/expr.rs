//! Expressions with known value ranges.
//!
//! Every number carries an interval, so that indices are in range and stored
//! values stay in small domains: this is what keeps the state space finite.

use super::build::Builder;
use super::env::{Sort, Var};
use super::features::Feature as F;
use super::tree::{Arg, Expr, Place};

/// An expression with the interval of its values.
pub(super) type Ranged = (Expr, i64, i64);

/// Intervals wider than this are folded back before they grow further.
const WIDE: i64 = 1000;

pub(super) fn bin(op: &'static str, a: Expr, b: Expr) -> Expr {
    Expr::Binary(op, Box::new(a), Box::new(b))
}

/// Makes the value of `e` lie in `0..=hi`.
pub(super) fn fit((e, lo, up): Ranged, hi: i64) -> Expr {
    if lo >= 0 && up <= hi {
        e
    } else if lo >= 0 {
        bin("%", e, Expr::Const(hi + 1))
    } else if (hi + 1).count_ones() == 1 {
        bin("&", e, Expr::Const(hi))
    } else {
        bin("%", bin("&", e, Expr::Const(7)), Expr::Const(hi + 1))
    }
}

/// All bits below the highest bit of `n`.
fn mask(n: i64) -> i64 {
    (n as u64 + 1).next_power_of_two() as i64 - 1
}

impl Builder {
    /// Readable variables that pass `test`.
    pub(super) fn readable(&self, test: impl Fn(&Var) -> bool) -> Vec<Var> {
        self.vars.iter().filter(|v| v.readable && test(v)).cloned().collect()
    }

    /// A place in `var`, with indices for its arrays.
    pub(super) fn place(&mut self, var: &Var) -> Place {
        let segs = var.path.clone();
        Place(
            segs.into_iter()
                .map(|seg| {
                    let index = seg.len.map(|n| Box::new(self.index(n)));
                    (seg.name, index)
                })
                .collect(),
        )
    }

    fn index(&mut self, len: u32) -> Expr {
        let last = i64::from(len) - 1;
        if self.has(F::RuntimeErrors) && self.rng.chance(10) {
            return Expr::Const(last + 1);
        }
        let vars = self.readable(|v| v.scalar_name().is_some() && v.hi().is_some());
        match self.rng.pick(&vars).cloned() {
            Some(v) if self.rng.chance(50) => {
                let e = Expr::Place(self.place(&v));
                fit((e, 0, v.hi().unwrap_or(last)), last)
            }
            _ => Expr::Const(self.rng.range(0, last)),
        }
    }

    fn leaf(&mut self) -> Ranged {
        let vars = self.readable(|v| v.hi().is_some());
        if !vars.is_empty() && self.rng.chance(65) {
            let v = vars[self.rng.below(vars.len())].clone();
            return (Expr::Place(self.place(&v)), 0, v.hi().expect("only numbers were picked"));
        }
        if self.has(F::Predefined) && self.rng.chance(30) {
            // SPIN counts a claim as a process, also the one for non-progress cycles.
            let words: &[&str] =
                if self.judged.is_some() { &["_pid"] } else { &["_pid", "_nr_pr"] };
            let word = self.rng.one_of(words);
            return (Expr::Word(word.to_owned()), 0, 9);
        }
        if self.has(F::RarePredefined) && self.rng.chance(20) && !self.in_claim {
            return if self.rng.chance(50) {
                (Expr::Word("_last".to_owned()), 0, 9)
            } else {
                let pid = Expr::Const(self.rng.range(0, 1));
                (Expr::Call("pc_value", Box::new(pid)), 0, 99)
            };
        }
        if self.has(F::Priority) && self.rng.chance(15) && !self.in_claim {
            return if self.rng.chance(50) {
                let me = Expr::Word("_pid".to_owned());
                (Expr::Call("get_priority", Box::new(me)), 0, 9)
            } else {
                (Expr::Word("_priority".to_owned()), 0, 9)
            };
        }
        if self.rng.chance(15)
            && let Some(q) = self.some_channel(|_| true)
        {
            return (Expr::Call("len", Box::new(Expr::Place(q.0))), 0, 3);
        }
        if self.has(F::Remote)
            && self.rng.chance(25)
            && let Some(e) = self.remote_variable()
        {
            return e;
        }
        let n = self.rng.range(0, 3);
        (Expr::Const(n), n, n)
    }

    /// A numeric expression of at most `depth` operators in a row.
    pub(super) fn num(&mut self, depth: usize) -> Ranged {
        if depth == 0 || self.rng.chance(35) {
            return self.leaf();
        }
        let a = self.num(depth - 1);
        let (e, lo, hi) = if self.has(F::Operators) {
            self.rich_operator(a, depth)
        } else {
            self.plain_operator(a, depth)
        };
        if lo < -WIDE || hi > WIDE { (fit((e, lo, hi), 3), 0, 3) } else { (e, lo, hi) }
    }

    fn plain_operator(&mut self, (a, alo, ahi): Ranged, depth: usize) -> Ranged {
        let (b, blo, bhi) = self.num(depth - 1);
        match self.rng.below(4) {
            0 | 1 => (bin("+", a, b), alo + blo, ahi + bhi),
            2 => (bin("-", a, b), alo - bhi, ahi - blo),
            _ => {
                let corners = [alo * blo, alo * bhi, ahi * blo, ahi * bhi];
                let lo = corners.into_iter().min().expect("four corners");
                let hi = corners.into_iter().max().expect("four corners");
                (bin("*", a, b), lo, hi)
            }
        }
    }

    fn rich_operator(&mut self, a: Ranged, depth: usize) -> Ranged {
        let (alo, ahi) = (a.1, a.2);
        let k = self.rng.range(1, 3);
        let widest = ahi.abs().max(alo.abs());
        match self.rng.below(12) {
            0 => {
                if self.has(F::RuntimeErrors) && self.rng.chance(20) {
                    let (b, _, _) = self.num(0);
                    return (bin("/", a.0, b), -widest, widest);
                }
                (bin("/", a.0, Expr::Const(k)), alo / k, ahi / k)
            }
            1 => {
                let lo = if alo < 0 { 1 - k } else { 0 };
                (bin("%", a.0, Expr::Const(k)), lo, k - 1)
            }
            2 => (bin("<<", a.0, Expr::Const(k)), alo << k, ahi << k),
            3 => (bin(">>", a.0, Expr::Const(k)), alo >> k, ahi >> k),
            4 => (Expr::Unary("~", Box::new(a.0)), -ahi - 1, -alo - 1),
            5 => (Expr::Unary("-", Box::new(a.0)), -ahi, -alo),
            n @ 6..=8 => {
                let (b, blo, bhi) = self.num(depth - 1);
                let op = ["&", "|", "^"][n - 6];
                let m = mask(widest.max(bhi.abs()).max(blo.abs()));
                let lo = if alo >= 0 && blo >= 0 { 0 } else { -m - 1 };
                (bin(op, a.0, b), lo, m)
            }
            9 | 10 => {
                let c = self.cond(0);
                let (b, blo, bhi) = self.num(depth - 1);
                let e = Expr::Cond(Box::new(c), Box::new(a.0), Box::new(b));
                (e, alo.min(blo), ahi.max(bhi))
            }
            _ => self.plain_operator(a, depth),
        }
    }

    /// A condition without channel probes; it may stand under any operator.
    pub(super) fn cond(&mut self, depth: usize) -> Expr {
        if depth > 0 && self.rng.chance(30) {
            let a = self.cond(depth - 1);
            return match self.rng.below(5) {
                0 => Expr::Unary("!", Box::new(a)),
                1 | 2 => bin("&&", a, self.cond(depth - 1)),
                _ => bin("||", a, self.cond(depth - 1)),
            };
        }
        let special = self.rng.below(100);
        if special < 20
            && let Some(e) = self.special_condition(special)
        {
            return e;
        }
        let (mut a, lo, hi) = self.num(depth);
        if matches!(a, Expr::Const(_)) {
            // A constant guard would make unconditional loops.
            let vars = self.readable(|v| v.hi().is_some());
            if let Some(v) = self.rng.pick(&vars).cloned() {
                a = Expr::Place(self.place(&v));
            }
        }
        let op = self.rng.one_of(&["==", "!=", "<", "<=", ">", ">=", "==", "!="]);
        let b = if self.rng.chance(75) {
            Expr::Const(self.rng.range(lo, hi.min(lo + 4)))
        } else {
            self.num(depth.saturating_sub(1)).0
        };
        bin(op, a, b)
    }

    fn special_condition(&mut self, choice: usize) -> Option<Expr> {
        match choice {
            0..=6 => {
                let vars = self.readable(|v| matches!(v.sort, Sort::Mtype(_)));
                let v = self.rng.pick(&vars).cloned()?;
                let value = self.value_for(&v.sort)?;
                let op = self.rng.one_of(&["==", "!="]);
                Some(bin(op, Expr::Place(self.place(&v)), value))
            }
            7..=10 => {
                let vars = self.readable(|v| v.sort == Sort::Wild);
                let v = self.rng.pick(&vars).cloned()?;
                let op = self.rng.one_of(&["<", ">", "==", "!="]);
                let n = self.rng.one_of(&[0, -1, 2, 44, 127, 255, -32768]);
                Some(bin(op, Expr::Place(self.place(&v)), Expr::Const(n)))
            }
            11..=15 if self.has(F::Remote) => self.remote_label(),
            16..=17 if self.has(F::RarePredefined) => self.enabled(),
            _ => None,
        }
    }

    /// `enabled` of an earlier process.
    ///
    /// Only one proctype uses it: mutual references recurse for ever in SPIN,
    /// the own pid is an error, and rendezvous is refused.
    fn enabled(&mut self) -> Option<Expr> {
        let here = self.procs.len();
        let forbidden = self.has(F::Rendezvous)
            || self.has(F::Run)
            || self.in_claim
            || self.in_dstep
            || self.enabled_in.is_some_and(|p| p != here);
        let last = self.procs.last().map_or(0, |p| p.pids.end);
        if forbidden || last == 0 {
            return None;
        }
        // SPIN asks whether an `else` is open with the moves of the asking process.
        let earlier = super::print(&self.model);
        if earlier.contains("else") || earlier.contains("for (") {
            return None;
        }
        self.enabled_in = Some(here);
        let pid = Expr::Const(self.rng.range(0, last - 1));
        Some(Expr::Call("enabled", Box::new(pid)))
    }

    /// `eval(e)`; SPIN cannot handle remote references there.
    pub(super) fn eval_arg(&mut self, sort: &Sort) -> Option<Arg> {
        let outer = std::mem::replace(&mut self.in_dstep, true);
        let value = self.value_for(sort);
        self.in_dstep = outer;
        value.map(Arg::Eval)
    }

    /// A condition fit for a guard: probes and polls too.
    pub(super) fn guard(&mut self) -> Expr {
        if self.rng.chance(20)
            && let Some((q, sig)) = self.some_channel(|s| s.capacity > 0)
        {
            let probe = if self.has(F::FancyChannels) && self.rng.chance(50) {
                let random = self.rng.chance(50);
                let args = self.poll_args(sig);
                Expr::Poll(q, random, args)
            } else {
                let name = self.rng.one_of(&["empty", "nempty", "full", "nfull"]);
                Expr::Call(name, Box::new(Expr::Place(q)))
            };
            return match self.rng.below(4) {
                0 => bin("&&", self.cond(1), probe),
                1 => bin("||", probe, self.cond(1)),
                _ => probe,
            };
        }
        if self.has(F::ChannelValues)
            && self.rng.chance(8)
            && let Some(e) = self.same_channel()
        {
            return e;
        }
        self.cond(2)
    }

    /// Comparison of channel ids; SPIN refuses it inside larger expressions.
    fn same_channel(&mut self) -> Option<Expr> {
        let in_claim = self.in_claim;
        let vars = self.readable(|v| matches!(v.sort, Sort::Chan(_)) && (v.global || !in_claim));
        let a = self.rng.pick(&vars).cloned()?;
        let b = self.rng.pick(&vars).cloned()?;
        let (a, b) = (self.place(&a), self.place(&b));
        Some(bin("==", Expr::Place(a), Expr::Place(b)))
    }

    fn poll_args(&mut self, sig: usize) -> Vec<Arg> {
        let fields = self.sigs[sig].fields.clone();
        let mut args = Vec::new();
        for (_, sort) in &fields {
            let arg = match self.rng.below(3) {
                0 => None,
                1 => Some(self.match_arg(sort)),
                _ if matches!(sort, Sort::Record(_)) => None,
                _ => self.eval_arg(sort),
            };
            self.push_arg(&mut args, sort, arg);
        }
        args
    }

    /// A constant of the sort to match against, or `_`.
    pub(super) fn match_arg(&mut self, sort: &Sort) -> Arg {
        match sort {
            Sort::Num { hi } => Arg::Match(Expr::Const(self.rng.range(0, *hi))),
            Sort::Mtype(_) => self.value_for(sort).map_or(Arg::Any, |e| match e {
                Expr::Word(_) => Arg::Match(e),
                other => Arg::Eval(other),
            }),
            _ => Arg::Any,
        }
    }

    /// Some value of a sort, or `None` if nothing of it is in scope.
    pub(super) fn value_for(&mut self, sort: &Sort) -> Option<Expr> {
        match sort {
            Sort::Num { hi } => {
                let e = self.num(2);
                Some(fit(e, *hi))
            }
            Sort::Wild => Some(self.wild_value()),
            Sort::Mtype(sub) => {
                let vars = self.readable(|v| v.sort == *sort);
                if !vars.is_empty() && self.rng.chance(30) {
                    let v = vars[self.rng.below(vars.len())].clone();
                    return Some(Expr::Place(self.place(&v)));
                }
                self.mtype_constant(sub)
            }
            Sort::Chan(_) => {
                let mortal_too = self.has(F::RuntimeErrors);
                let vars = self.readable(|v| v.sort == *sort && (mortal_too || !v.mortal));
                let v = self.rng.pick(&vars).cloned()?;
                Some(Expr::Place(self.place(&v)))
            }
            Sort::Record(_) => {
                let vars = self.readable(|v| v.sort == *sort);
                let v = self.rng.pick(&vars).cloned()?;
                Some(Expr::Place(self.place(&v)))
            }
        }
    }

    pub(super) fn mtype_constant(&mut self, sub: &Option<String>) -> Option<Expr> {
        let names: Vec<String> = self
            .model
            .mtypes
            .iter()
            .filter(|m| m.subtype == *sub)
            .flat_map(|m| m.names.clone())
            .collect();
        self.rng.pick(&names).cloned().map(Expr::Word)
    }

    fn wild_value(&mut self) -> Expr {
        let n = self
            .rng
            .one_of(&[255, 256, 300, -1, -2, 32767, 32768, 40000, 65536, 2147483647, -32769]);
        if self.rng.chance(50) {
            return Expr::Const(n);
        }
        let (e, _, _) = self.num(1);
        bin(self.rng.one_of(&["+", "-"]), Expr::Const(n), e)
    }

    pub(super) fn remote_label(&mut self) -> Option<Expr> {
        if self.in_dstep {
            return None;
        }
        let procs: Vec<_> = self
            .procs
            .iter()
            .filter(|p| !p.labels.is_empty() && !p.pids.is_empty())
            .cloned()
            .collect();
        let p = self.rng.pick(&procs).cloned()?;
        let label = self.rng.pick(&p.labels).cloned()?;
        let pid = self.rng.range(p.pids.start, p.pids.end - 1);
        Some(Expr::RemoteLabel(p.name, Box::new(Expr::Const(pid)), label))
    }

    /// Only without `run`: a reused slot would be read with a wrong layout.
    pub(super) fn remote_variable(&mut self) -> Option<Ranged> {
        if self.has(F::Run) || self.in_dstep {
            return None;
        }
        let procs: Vec<_> = self
            .procs
            .iter()
            .filter(|p| !p.locals.is_empty() && !p.pids.is_empty())
            .cloned()
            .collect();
        let p = self.rng.pick(&procs).cloned()?;
        let (name, hi) = self.rng.pick(&p.locals).cloned()?;
        let pid = self.rng.range(p.pids.start, p.pids.end - 1);
        Some((Expr::RemoteVar(p.name, Box::new(Expr::Const(pid)), name), 0, hi))
    }
}
