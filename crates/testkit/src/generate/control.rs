//! Compound statements and jumps.

use super::build::Builder;
use super::env::*;
use super::features::Feature as F;
use super::tree::*;

/// How many `else` are among the first steps of a statement.
fn leading_elses(body: &[Stmt]) -> usize {
    let Some(first) = body.first() else {
        return 0;
    };
    match &first.kind {
        Kind::Else => 1,
        Kind::If(options) | Kind::Do(options) => options.iter().map(|o| leading_elses(o)).sum(),
        Kind::Atomic(b) | Kind::DStep(b) | Kind::Block(b) => leading_elses(b),
        Kind::Unless(b, escape) => leading_elses(b) + leading_elses(escape),
        Kind::Call(..) => 1,
        _ => 0,
    }
}

impl Builder {
    /// The first statement of an option.
    fn opening(&mut self, ctx: Ctx) -> Vec<Stmt> {
        if self.rng.chance(30)
            && let Some(kind) = self.channel_statement(ctx)
        {
            return vec![kind.into()];
        }
        if ctx.zone == Zone::Plain && ctx.depth > 0 && self.rng.chance(12) {
            let inner = self.deeper(ctx);
            return if self.has(F::Atomic) {
                vec![self.atomic(inner)]
            } else {
                vec![self.choice(inner)]
            };
        }
        if self.has(F::Timeout) && ctx.zone == Zone::Plain && self.rng.chance(10) {
            let word = if self.rng.chance(70) {
                Expr::Word("timeout".to_owned())
            } else {
                let c = self.cond(1);
                super::expr::bin("||", Expr::Word("timeout".to_owned()), c)
            };
            return vec![Kind::Expr(word).into()];
        }
        if ctx.zone != Zone::DStep && self.rng.chance(20) {
            return vec![self.assignment()];
        }
        vec![Kind::Expr(self.guard()).into()]
    }

    fn option(&mut self, ctx: Ctx) -> Vec<Stmt> {
        let mut out = self.opening(ctx);
        if self.rng.chance(70) {
            let n = 1 + self.rng.below(2);
            out.extend(self.block(ctx, n));
        }
        out
    }

    fn options(&mut self, ctx: Ctx, needs_else: bool) -> Vec<Vec<Stmt>> {
        let inner = self.deeper(ctx);
        let count = 1 + self.rng.weighted(&[2, 5, 2]);
        let mut options: Vec<_> = (0..count).map(|_| self.option(inner)).collect();
        if needs_else || (self.has(F::Else) && self.rng.chance(45)) {
            let mut last = vec![Stmt::from(Kind::Else)];
            if self.rng.chance(60) {
                last.extend(self.block(inner, 1));
            }
            let at =
                if self.rng.chance(80) { options.len() } else { self.rng.below(options.len() + 1) };
            options.insert(at, last);
        }
        // SPIN refuses two `else` in one flattened choice.
        while options.iter().map(|o| leading_elses(o)).sum::<usize>() > 1 {
            let nested = options
                .iter()
                .position(|o| leading_elses(o) > 0 && o[0].kind != Kind::Else)
                .expect("only one option is a plain else");
            let first = Stmt::from(Kind::Expr(self.cond(1)));
            options[nested].insert(0, first);
        }
        options
    }

    pub(super) fn choice(&mut self, ctx: Ctx) -> Stmt {
        let options = self.options(ctx, ctx.zone == Zone::DStep);
        Kind::If(options).into()
    }

    /// A loop; in an atomic each option leaves it, as SPIN cuts endless atomics only by depth.
    pub(super) fn repetition(&mut self, ctx: Ctx) -> Stmt {
        let mut options = self.options(Ctx { in_loop: true, ..ctx }, false);
        let all = ctx.zone != Zone::Plain;
        let mut broken = false;
        let chosen = self.rng.below(options.len());
        for (i, option) in options.iter_mut().enumerate() {
            let ends_by_jump =
                matches!(option.last().map(|s| &s.kind), Some(Kind::Goto(_) | Kind::Break));
            if (all || i == chosen) && !ends_by_jump {
                option.push(Kind::Break.into());
                broken = true;
            }
        }
        if !broken || (!all && self.rng.chance(20)) {
            options.push(vec![Kind::Expr(self.guard()).into(), Kind::Break.into()]);
        }
        Kind::Do(options).into()
    }

    fn counter(&mut self, hi: i64) -> String {
        let name = self.fresh("i");
        let ty = if self.has(F::Types) && self.rng.chance(40) { Ty::Int } else { Ty::Byte };
        self.wanted.push(Decl { ty, name: name.clone(), len: None, init: None, hidden: false });
        let mut var = Var::new(&name, None, Sort::Num { hi });
        var.writable = false;
        self.vars.push(var);
        name
    }

    pub(super) fn for_loop(&mut self, ctx: Ctx) -> Option<Vec<Stmt>> {
        let mark = self.vars.len();
        let inner = Ctx { in_loop: true, ..self.deeper(ctx) };
        let arrays: Vec<(String, u32)> = self
            .readable(|v| v.hi().is_some() && v.path.len() == 1)
            .iter()
            .filter_map(|v| v.path[0].len.map(|n| (v.path[0].name.clone(), n)))
            .collect();
        let statement = match self.rng.pick(&arrays).cloned() {
            Some((array, n)) if self.rng.chance(60) => {
                let x = self.counter(i64::from(n) - 1);
                let body = self.block(inner, 1);
                Kind::ForIn(x, array, body)
            }
            _ => {
                let lo = self.rng.range(0, 1);
                let hi = lo + self.rng.range(0, 2);
                let x = self.counter(hi);
                let n = 1 + self.rng.below(2);
                let body = self.block(inner, n);
                Kind::For(x, Expr::Const(lo), Expr::Const(hi), body)
            }
        };
        self.vars.truncate(mark);
        let mut out = vec![Stmt::from(statement)];
        if ctx.zone == Zone::DStep {
            // SPIN takes a loop at the end of a d_step for a jump out of it.
            out.push(self.assignment());
        }
        Some(out)
    }

    pub(super) fn select(&mut self) -> Option<Vec<Stmt>> {
        let found: Vec<(String, i64)> = self
            .vars
            .iter()
            .filter(|v| v.writable && !v.cuts && v.readable)
            .filter_map(|v| Some((v.scalar_name()?.to_owned(), v.hi()?)))
            .collect();
        let (name, hi) = self.rng.pick(&found).cloned()?;
        let lo = self.rng.range(0, hi.min(1));
        let select = Kind::Select(name, Expr::Const(lo), Expr::Const(hi)).into();
        Some(vec![select, self.assignment()])
    }

    pub(super) fn atomic(&mut self, ctx: Ctx) -> Stmt {
        let inner = Ctx { zone: Zone::Atomic, ..self.deeper(ctx) };
        let mut body = Vec::new();
        if self.rng.chance(50) {
            body.push(Kind::Expr(self.guard()).into());
        }
        let n = 1 + self.rng.below(3);
        let rest = self.block(inner, n);
        body.extend(rest);
        Kind::Atomic(body).into()
    }

    /// Begins and ends with a basic statement, so that no jump crosses the border.
    pub(super) fn d_step(&mut self, ctx: Ctx) -> Stmt {
        let inner = Ctx { zone: Zone::DStep, in_loop: false, ..self.deeper(ctx) };
        self.in_dstep = true;
        let first = if self.rng.chance(40) {
            Kind::Expr(self.guard()).into()
        } else {
            match self.channel_statement(inner) {
                Some(kind) if self.rng.chance(50) => kind.into(),
                _ => self.assignment(),
            }
        };
        let mut body = vec![first];
        let n = 1 + self.rng.below(2);
        body.extend(self.block(inner, n));
        if self.has(F::RuntimeErrors) && self.rng.chance(10) {
            body.push(Kind::Expr(self.guard()).into());
        }
        body.push(self.assignment());
        self.in_dstep = false;
        Kind::DStep(body).into()
    }

    pub(super) fn unless(&mut self, ctx: Ctx) -> Stmt {
        let inner = self.deeper(ctx);
        let n = 1 + self.rng.below(3);
        let body = self.block(inner, n);
        let mut escape = vec![Stmt::from(Kind::Expr(self.guard()))];
        if self.rng.chance(25)
            && let Some((q, sig)) = self.some_channel(|s| s.capacity > 0)
        {
            let mut args = Vec::new();
            for (_, sort) in &self.sigs[sig].fields {
                self.push_arg(&mut args, sort, None);
            }
            escape[0] = Kind::Recv(q, false, false, args).into();
        }
        if self.rng.chance(70) {
            escape.extend(self.block(inner, 1));
        }
        if self.has(F::DStep) && self.rng.chance(20) {
            // We refuse references to other processes in a d_step, SPIN takes some.
            self.in_dstep = self.judged.is_some();
            let last = self.assignment();
            self.in_dstep = false;
            escape = vec![Kind::DStep(vec![escape.remove(0), last]).into()];
        } else if self.has(F::Atomic) && self.rng.chance(30) {
            let last = self.assignment();
            escape = vec![Kind::Atomic(vec![escape.remove(0), last]).into()];
        }
        Kind::Unless(body, escape).into()
    }

    /// A jump: back to a known label, forward to one placed later, or a `break`.
    pub(super) fn goto(&mut self, ctx: Ctx) -> Option<Vec<Stmt>> {
        let jump = if ctx.in_loop && self.rng.chance(30) {
            Kind::Break
        } else {
            let known: Vec<String> = self
                .labels
                .iter()
                .filter(|l| !l.in_atomic || ctx.zone == Zone::Plain)
                .map(|l| l.name.clone())
                .collect();
            match self.rng.pick(&known).cloned() {
                Some(name) if self.rng.chance(70) => Kind::Goto(name),
                _ => {
                    let name = match self.forward.last() {
                        Some(name) => name.clone(),
                        None => {
                            let name = self.fresh("F");
                            self.forward.push(name.clone());
                            name
                        }
                    };
                    Kind::Goto(name)
                }
            }
        };
        let first = self.assignment();
        let way = vec![Kind::Expr(self.cond(1)).into(), jump.into()];
        let stay = vec![Kind::Else.into(), first.clone()];
        Some(vec![first, Kind::If(vec![way, stay]).into()])
    }

    /// Call of an inline whose arguments can be supplied here.
    pub(super) fn call(&mut self, ctx: Ctx) -> Option<Vec<Stmt>> {
        let found: Vec<InlineInfo> =
            self.inlines.iter().filter(|i| i.steady || ctx.zone != Zone::DStep).cloned().collect();
        let inline = self.rng.pick(&found).cloned()?;
        let mut args = Vec::new();
        for (assigned, hi) in &inline.params {
            if *assigned {
                let vars: Vec<Var> = self
                    .vars
                    .iter()
                    .filter(|v| v.writable && v.readable && v.hi() == Some(*hi))
                    // The inline may use it as an index: SPIN undoes `a[a[0] % 2] = 1` wrongly
                    // (models/spin_defects/self_index.pml).
                    .filter(|v| v.path.iter().all(|segment| segment.len.is_none()))
                    .cloned()
                    .collect();
                let var = self.rng.pick(&vars).cloned()?;
                args.push(Expr::Place(self.place(&var)));
            } else {
                args.push(Expr::Const(self.rng.range(0, *hi)));
            }
        }
        let mut out = vec![Stmt::from(Kind::Call(inline.name, args))];
        if ctx.zone == Zone::DStep {
            out.push(self.assignment());
        }
        Some(out)
    }
}
