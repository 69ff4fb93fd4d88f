//! Never claims and traces.

use super::build::Builder;
use super::env::Sort;
use super::features::Feature as F;
use super::tree::*;

impl Builder {
    /// A small automaton over globals: states with guarded jumps.
    pub(super) fn claim(&mut self) {
        self.in_claim = true;
        self.vars.retain(|v| v.global);
        let states = 1 + self.rng.below(3);
        let names: Vec<String> = (0..states)
            .map(|i| {
                let accepting = i > 0 && self.rng.chance(50);
                self.fresh(if accepting { "accept_" } else { "T" })
            })
            .collect();
        let mut body = Vec::new();
        for name in &names {
            let mut options = Vec::new();
            for _ in 0..1 + self.rng.below(2) {
                let target = self.rng.below(states);
                options.push(vec![
                    Kind::Expr(self.guard()).into(),
                    Kind::Goto(names[target].clone()).into(),
                ]);
            }
            if self.rng.chance(70) {
                // `else` and `true` keep the product from ending at once.
                let open = if self.rng.chance(50) {
                    Kind::Else
                } else {
                    Kind::Expr(Expr::Word("true".to_owned()))
                };
                options.push(vec![open.into(), Kind::Goto(name.clone()).into()]);
            }
            if self.rng.chance(25) {
                options.insert(0, vec![Kind::Expr(self.guard()).into()]);
            }
            let mut state = Stmt::from(Kind::If(options));
            state.labels.push(name.clone());
            body.push(state);
        }
        body.push(Kind::Skip.into());
        self.in_claim = false;
        self.model.never = Some(body);
    }

    /// A deterministic automaton over the messages of one global channel.
    pub(super) fn trace(&mut self) {
        let found: Vec<(String, usize)> = self
            .vars
            .iter()
            .filter(|v| v.global)
            .filter_map(|v| match v.sort {
                Sort::Chan(sig) if self.sigs[sig].capacity > 0 => {
                    Some((v.scalar_name()?.to_owned(), sig))
                }
                _ => None,
            })
            .collect();
        let Some((q, sig)) = self.rng.pick(&found).cloned() else {
            return;
        };
        let fields = self.sigs[sig].fields.clone();
        let first = match &fields[0].1 {
            Sort::Num { hi } => (0..=*hi).map(Expr::Const).collect(),
            Sort::Mtype(sub) => self
                .model
                .mtypes
                .iter()
                .filter(|m| m.subtype == *sub)
                .flat_map(|m| m.names.iter().cloned().map(Expr::Word))
                .collect::<Vec<_>>(),
            _ => return,
        };
        let receives = self.rng.chance(40);
        let event = |value: &Expr| -> Stmt {
            let mut args = vec![Arg::Match(value.clone())];
            args.extend(fields.iter().skip(1).map(|_| Arg::Any));
            if receives {
                Kind::Recv(Place::name(&q), false, false, args).into()
            } else {
                let values = args
                    .into_iter()
                    .map(|a| match a {
                        Arg::Match(e) => e,
                        _ => Expr::Word("_".to_owned()),
                    })
                    .collect();
                Kind::Send(Place::name(&q), false, values).into()
            }
        };
        let mut options: Vec<Vec<Stmt>> = Vec::new();
        for value in &first {
            let mut option = vec![event(value)];
            if self.rng.chance(40) {
                option.push(event(&first[self.rng.below(first.len())]));
            }
            options.push(option);
        }
        let negated = self.rng.chance(30);
        let body = if negated {
            options.swap_remove(0)
        } else {
            if self.rng.chance(30) && options.len() > 1 {
                options.pop();
            }
            vec![Kind::Do(options).into()]
        };
        debug_assert!(self.has(F::Trace));
        self.model.trace = Some((negated, body));
    }
}
