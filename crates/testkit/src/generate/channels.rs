//! Sends and receives.

use super::build::Builder;
use super::env::*;
use super::features::Feature as F;
use super::tree::*;

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
        if self.has(F::RuntimeErrors) && self.rng.chance(5) {
            args.push(Expr::Const(1));
        }
        let sorted = capacity > 0 && self.has(F::FancyChannels) && self.rng.chance(40);
        Some(Kind::Send(q, sorted, args))
    }

    fn receive(&mut self, q: Place, sig: usize) -> Kind {
        let Sig { capacity, fields } = self.sigs[sig].clone();
        let fancy = capacity > 0 && self.has(F::FancyChannels);
        let random = fancy && self.rng.chance(40);
        let copy = fancy && self.rng.chance(30);
        let mut used: Vec<String> = Vec::new();
        let args = fields
            .iter()
            .map(|(_, sort)| match self.rng.below(10) {
                0..=5 => match self.target(sort, &used) {
                    Some((place, base)) => {
                        used.push(base);
                        Arg::Store(place)
                    }
                    None => Arg::Any,
                },
                6 => Arg::Any,
                7 if !matches!(sort, Sort::Record(_)) => {
                    self.value_for(sort).map_or(Arg::Any, Arg::Eval)
                }
                _ => self.match_arg(sort),
            })
            .collect();
        Kind::Recv(q, random, copy, args)
    }

    /// A variable that can take every value of the field; each base only once.
    fn target(&mut self, sort: &Sort, used: &[String]) -> Option<(Place, String)> {
        let fits = |v: &Var| match (sort, &v.sort) {
            (Sort::Num { hi }, Sort::Num { hi: mine }) => hi <= mine || v.cuts,
            (Sort::Num { .. }, Sort::Wild) => true,
            (a, b) => a == b,
        };
        let found: Vec<Var> = self
            .vars
            .iter()
            .filter(|v| v.writable && fits(v) && !used.contains(&v.path[0].name))
            .cloned()
            .collect();
        let var = self.rng.pick(&found).cloned()?;
        Some((self.place(&var), var.path[0].name.clone()))
    }
}
