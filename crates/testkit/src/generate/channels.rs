//! Sends and receives.

use super::build::Builder;
use super::env::*;
use super::features::Feature as F;
use super::tree::*;

/// All variable names in a place, indices included.
fn names_in(place: &Place, names: &mut Vec<String>) {
    for (name, index) in &place.0 {
        names.push(name.clone());
        let mut work: Vec<&Expr> = index.iter().map(|e| &**e).collect();
        while let Some(e) = work.pop() {
            match e {
                Expr::Place(p) => names_in(p, names),
                Expr::Binary(_, a, b) => work.extend([&**a, &**b]),
                _ => {}
            }
        }
    }
}

impl Builder {
    /// A channel in scope whose signature passes `test`.
    pub(super) fn some_channel(&mut self, test: impl Fn(&Sig) -> bool) -> Option<(Place, usize)> {
        let found: Vec<(Var, usize)> = self
            .vars
            .iter()
            .filter_map(|v| match v.sort {
                // Claims see global channels only.
                Sort::Chan(sig) if test(&self.sigs[sig]) && (v.global || !self.in_claim) => {
                    Some((v.clone(), sig))
                }
                _ => None,
            })
            .collect();
        let (var, sig) = self.rng.pick(&found).cloned()?;
        Some((self.place(&var), sig))
    }

    /// A send or a receive.
    pub(super) fn channel_statement(&mut self, ctx: Ctx) -> Option<Kind> {
        // Rendezvous inside a d_step is an error.
        let (q, sig) = self.some_channel(|s| ctx.zone != Zone::DStep || s.capacity > 0)?;
        if self.rng.chance(50) { self.send(q, sig) } else { Some(self.receive(q, sig)) }
    }

    fn send(&mut self, q: Place, sig: usize) -> Option<Kind> {
        let Sig { capacity, fields } = self.sigs[sig].clone();
        let mut args =
            fields.iter().map(|(_, sort)| self.value_for(sort)).collect::<Option<Vec<_>>>()?;
        if self.has(F::RuntimeErrors) && args.len() > 1 && self.rng.chance(10) {
            args.pop();
        }
        let sorted = capacity > 0 && self.has(F::FancyChannels) && self.rng.chance(40);
        Some(Kind::Send(q, sorted, args))
    }

    fn receive(&mut self, q: Place, sig: usize) -> Kind {
        let Sig { capacity, fields } = self.sigs[sig].clone();
        let fancy = capacity > 0 && self.has(F::FancyChannels);
        let random = fancy && self.rng.chance(40);
        let copy = fancy && self.rng.chance(30);
        // SPIN reads the channel's index again after storing: keep them apart.
        let mut used = Vec::new();
        names_in(&q, &mut used);
        let mut args = Vec::new();
        for (_, sort) in &fields {
            let arg = match self.rng.below(10) {
                0..=5 => self.target(sort, &used).map(|place| {
                    names_in(&place, &mut used);
                    Arg::Store(place)
                }),
                7 if !matches!(sort, Sort::Record(_)) => self.eval_arg(sort),
                8..=9 => Some(self.match_arg(sort)),
                _ => None,
            };
            self.push_arg(&mut args, sort, arg);
        }
        for arg in &mut args {
            if matches!(arg, Arg::Eval(e) if changes_with_receive(e, &used)) {
                *arg = Arg::Any;
            }
        }
        Kind::Recv(q, random, copy, args)
    }

    /// Appends an argument, or `_` for each part of the field.
    pub(super) fn push_arg(&self, args: &mut Vec<Arg>, sort: &Sort, arg: Option<Arg>) {
        match arg {
            Some(arg) if arg != Arg::Any => args.push(arg),
            _ => {
                let parts = match sort {
                    Sort::Record(name) => {
                        self.records.iter().find(|r| r.name == *name).map_or(1, |r| r.fields.len())
                    }
                    _ => 1,
                };
                args.extend((0..parts).map(|_| Arg::Any));
            }
        }
    }

    /// A variable that can take every value of the field; each name only once.
    ///
    /// On backtracking SPIN puts back what the variable holds, and where the
    /// index then points: a value that was cut, an index that the same receive
    /// changed, or a hidden variable that a later `d_step` set (and does not set
    /// back) would corrupt its state.
    fn target(&mut self, sort: &Sort, used: &[String]) -> Option<Place> {
        let fits = |v: &Var| match (sort, &v.sort) {
            (Sort::Num { hi }, Sort::Num { hi: mine }) => hi <= mine,
            (Sort::Num { .. }, Sort::Wild) => true,
            (a, b) => a == b && *a != Sort::Wild,
        };
        let found: Vec<Var> = self
            .vars
            .iter()
            .filter(|v| v.writable && v.readable && fits(v) && !used.contains(&v.path[0].name))
            .cloned()
            .collect();
        let var = self.rng.pick(&found).cloned()?;
        let place = self.place(&var);
        let mut names = Vec::new();
        names_in(&place, &mut names);
        (!names.iter().any(|name| used.contains(name))).then_some(place)
    }
}

/// Whether a receive that stores into `stored` can change the value of `e`.
///
/// SPIN evaluates `eval(e)` once more, after the receive, to put the message
/// back on backtracking: with such an expression it puts back another message.
fn changes_with_receive(e: &Expr, stored: &[String]) -> bool {
    let inner = |e: &Expr| changes_with_receive(e, stored);
    match e {
        Expr::Const(_) | Expr::Word(_) => false,
        Expr::Place(place) => {
            let mut names = Vec::new();
            names_in(place, &mut names);
            names.iter().any(|name| stored.contains(name))
        }
        Expr::Unary(_, a) => inner(a),
        Expr::Binary(_, a, b) => inner(a) || inner(b),
        Expr::Cond(c, a, b) => inner(c) || inner(a) || inner(b),
        Expr::Call(..)
        | Expr::Poll(..)
        | Expr::Run(..)
        | Expr::RemoteLabel(..)
        | Expr::RemoteVar(..) => true,
    }
}
