//! Statement lists and basic statements.

use super::build::Builder;
use super::env::*;
use super::expr::{bin, fit};
use super::features::Feature as F;
use super::tree::*;

fn starts_with_d_step(body: &[Stmt]) -> bool {
    body.first().is_some_and(|s| match &s.kind {
        Kind::DStep(_) => true,
        Kind::Atomic(b) | Kind::Block(b) | Kind::Unless(b, _) => starts_with_d_step(b),
        _ => false,
    })
}

fn is_compound(kind: &Kind) -> bool {
    let mut kind = kind.clone();
    matches!(kind, Kind::Call(..) | Kind::Select(..)) || !kind.blocks_mut().is_empty()
}

impl Builder {
    /// About `n` statements in their own scope.
    pub(super) fn block(&mut self, ctx: Ctx, n: usize) -> Vec<Stmt> {
        let mark = self.vars.len();
        let mut out: Vec<Stmt> = Vec::new();
        for i in 0..n.max(1) {
            if self.budget == 0 && i > 0 {
                break;
            }
            self.budget = self.budget.saturating_sub(1);
            let mut statements = self.statement(ctx);
            if starts_with_d_step(&statements) && out.last().is_some_and(|s| is_compound(&s.kind)) {
                // SPIN takes a `break` to a d_step behind its loop for a jump into it.
                out.push(self.assignment());
            }
            // SPIN refuses a label on the first statement of a block.
            if i > 0 && !out.is_empty() {
                self.maybe_label(ctx, &mut statements[0]);
            }
            out.append(&mut statements);
        }
        self.vars.truncate(mark);
        out
    }

    fn maybe_label(&mut self, ctx: Ctx, s: &mut Stmt) {
        if ctx.in_inline || ctx.zone == Zone::DStep || matches!(s.kind, Kind::Decl(_)) {
            return;
        }
        // A jump must meet a real step, else jumps could form a circle.
        let is_step = matches!(
            s.kind,
            Kind::Assign(..)
                | Kind::Expr(_)
                | Kind::Send(..)
                | Kind::Recv(..)
                | Kind::Assert(_)
                | Kind::Print(..)
                | Kind::Inc(_)
                | Kind::Dec(_)
        );
        if is_step && (self.has(F::Goto) || self.has(F::Remote)) && self.rng.chance(40) {
            let name = self.fresh("L");
            self.labels.push(LabelInfo { name: name.clone(), in_atomic: ctx.zone == Zone::Atomic });
            s.labels.push(name);
        }
        let markable = is_step || matches!(s.kind, Kind::If(_) | Kind::Do(_));
        if markable && self.has(F::SpecialLabels) && self.rng.chance(40) {
            let prefixes = match self.judged {
                None => &["end", "progress", "accept", "end_"],
                // SPIN sees labels in the middle of an atomic sequence only at times.
                Some(_) if ctx.zone != Zone::Plain => return,
                Some(judged) => judged.labels(),
            };
            let prefix = self.rng.one_of(prefixes);
            let name = self.fresh(prefix);
            s.labels.push(name);
        }
    }

    /// One statement, or a few that belong together; never empty.
    fn statement(&mut self, ctx: Ctx) -> Vec<Stmt> {
        let plain = ctx.zone == Zone::Plain;
        let dstep = ctx.zone == Zone::DStep;
        let deep = ctx.depth > 0 && self.budget > 0;
        let has = |f: F, w: usize| if self.has(f) { w } else { 0 };
        let yes = |c: bool, w: usize| if c { w } else { 0 };
        let weights = [
            14,
            has(F::IncDec, 8),
            yes(!dstep, 2),
            yes(!dstep && !self.sigs.is_empty(), 14),
            yes(deep, 6),
            yes(deep && !dstep, if plain { 6 } else { 2 }),
            yes(deep, has(F::For, 8)),
            has(F::Select, 6),
            yes(deep && plain && !ctx.in_inline, has(F::Atomic, 14)),
            yes(deep && !dstep && !ctx.in_inline, has(F::DStep, 10)),
            yes(deep && plain, has(F::Unless, 12)),
            yes(!dstep && !ctx.in_inline, has(F::Goto, 6)),
            has(F::Assert, 5),
            has(F::Print, 4),
            has(F::Inlines, 12),
            has(F::LateDeclarations, 8),
            yes(plain && !ctx.in_inline && self.judged.is_none(), has(F::Run, 5)),
            yes(!dstep, has(F::Priority, 6)),
            yes(deep && !ctx.in_inline, has(F::LateDeclarations, 4)),
            yes(plain && !ctx.in_inline, has(F::Timeout, 4)),
            yes(!dstep, 1),
        ];
        let made = match self.rng.weighted(&weights) {
            1 => self.inc_dec(ctx),
            2 => Some(vec![Kind::Expr(self.guard()).into()]),
            3 => self.communication(ctx),
            4 => Some(vec![self.choice(ctx)]),
            5 => Some(vec![self.repetition(ctx)]),
            6 => self.for_loop(ctx),
            7 => self.select(),
            8 => Some(vec![self.atomic(ctx)]),
            9 => Some(vec![self.d_step(ctx)]),
            10 => Some(vec![self.unless(ctx)]),
            11 => self.goto(ctx),
            12 => Some(vec![Kind::Assert(self.cond(2)).into()]),
            13 => Some(vec![self.print_statement()]),
            14 => self.call(ctx),
            15 => Some(vec![self.late_declaration()]),
            16 => self.guarded_run(),
            17 => Some(vec![self.priority_statement()]),
            18 => {
                let inner = self.deeper(ctx);
                let n = 1 + self.rng.below(2);
                Some(vec![Kind::Block(self.block(inner, n)).into()])
            }
            19 => {
                Some(vec![Kind::Expr(Expr::Word("timeout".to_owned())).into(), self.assignment()])
            }
            20 => Some(vec![Kind::Skip.into()]),
            _ => None,
        };
        made.filter(|v| !v.is_empty()).unwrap_or_else(|| vec![self.assignment()])
    }

    /// A send or receive; often with a way around it, as most would block for ever.
    fn communication(&mut self, ctx: Ctx) -> Option<Vec<Stmt>> {
        let first: Stmt = self.channel_statement(ctx)?.into();
        if ctx.zone != Zone::Plain || ctx.depth == 0 || self.rng.chance(50) {
            return Some(vec![first]);
        }
        let mut option = vec![first];
        if self.rng.chance(50) {
            option.push(self.assignment());
        }
        let mut around = vec![self.assignment()];
        if self.rng.chance(40)
            && let Some(kind) = self.channel_statement(ctx)
        {
            around.insert(0, kind.into());
        }
        let mut options = vec![option, around];
        if self.rng.chance(40) {
            options.reverse();
        }
        Some(vec![Kind::If(options).into()])
    }

    pub(super) fn deeper(&mut self, ctx: Ctx) -> Ctx {
        Ctx { depth: ctx.depth.saturating_sub(1), ..ctx }
    }

    /// An assignment to any writable variable.
    pub(super) fn assignment(&mut self) -> Stmt {
        let vars: Vec<Var> = self
            .vars
            .iter()
            .filter(|v| v.writable && !matches!(v.sort, Sort::Record(_)))
            .cloned()
            .collect();
        for _ in 0..4 {
            let Some(var) = self.rng.pick(&vars).cloned() else {
                break;
            };
            let value = match var.sort {
                Sort::Num { .. } if var.cuts && self.rng.chance(30) => Some(self.num(2).0),
                // Counting up gives more varied loops than constants do.
                Sort::Num { hi } if var.readable && self.rng.chance(25) => {
                    let place = self.place(&var);
                    let up = bin("+", Expr::Place(place.clone()), Expr::Const(1));
                    let value = fit((up, 1, hi + 1), hi);
                    return Kind::Assign(place, value).into();
                }
                ref sort => self.value_for(sort),
            };
            if let Some(value) = value {
                return Kind::Assign(self.place(&var), value).into();
            }
        }
        Kind::Print("nothing to assign\\n".to_owned(), Vec::new()).into()
    }

    fn inc_dec(&mut self, ctx: Ctx) -> Option<Vec<Stmt>> {
        let vars: Vec<Var> = self
            .vars
            .iter()
            .filter(|v| v.writable && v.readable && v.hi().is_some())
            .filter(|v| v.path.iter().all(|s| s.len.is_none()))
            .cloned()
            .collect();
        let var = self.rng.pick(&vars).cloned()?;
        let hi = var.hi()?;
        let place = self.place(&var);
        let up = self.rng.chance(50);
        let step: Stmt =
            if up { Kind::Inc(place.clone()).into() } else { Kind::Dec(place.clone()).into() };
        if var.cuts {
            return Some(vec![step]);
        }
        let bound = if up {
            bin("<", Expr::Place(place), Expr::Const(hi))
        } else {
            bin(">", Expr::Place(place), Expr::Const(0))
        };
        let guard: Stmt = Kind::Expr(bound).into();
        let otherwise = vec![Kind::Else.into(), self.assignment()];
        Some(match ctx.zone {
            // The test and the step must not be torn apart for shared variables.
            Zone::Plain if var.global => {
                if self.has(F::DStep) {
                    vec![Kind::DStep(vec![guard, step]).into()]
                } else {
                    vec![Kind::Atomic(vec![guard, step]).into()]
                }
            }
            Zone::Atomic | Zone::DStep => {
                vec![Kind::If(vec![vec![guard, step], otherwise]).into()]
            }
            // An inline parameter may be bound to a shared variable.
            Zone::Plain if ctx.in_inline => vec![Kind::Atomic(vec![guard, step]).into()],
            Zone::Plain => vec![guard, step],
        })
    }

    pub(super) fn print_statement(&mut self) -> Stmt {
        let vars = self.readable(|v| matches!(v.sort, Sort::Mtype(_)));
        if let Some(v) = self.rng.pick(&vars).cloned()
            && self.rng.chance(50)
        {
            let place = self.place(&v);
            return Kind::Print("%e\\n".to_owned(), vec![Expr::Place(place)]).into();
        }
        let (e, _, _) = self.num(1);
        Kind::Print("value %d\\n".to_owned(), vec![e]).into()
    }

    fn late_declaration(&mut self) -> Stmt {
        let mut d = self.variable("y", false);
        // SPIN takes list initialisers at the start of a body only.
        if matches!(d.init, Some(Init::List(_))) {
            d.init = None;
        }
        Kind::Decl(d).into()
    }

    fn priority_statement(&mut self) -> Stmt {
        let me = Expr::Word("_pid".to_owned());
        let n = Expr::Const(self.rng.range(1, 3));
        if self.rng.chance(30) {
            Kind::Assign(Place::name("_priority"), n).into()
        } else {
            Kind::SetPriority(me, n).into()
        }
    }

    /// `run` of a finished proctype, if its parameters can be supplied here.
    pub(super) fn run_of(&mut self, p: &ProcInfo) -> Option<Expr> {
        let args = p.params.iter().map(|sort| self.argument(sort)).collect::<Option<Vec<_>>>()?;
        let priority = (self.has(F::Priority) && self.rng.chance(50)).then(|| self.rng.range(1, 3));
        Some(Expr::Run(p.name.clone(), args, priority))
    }

    /// SPIN refuses an mtype variable as argument; constants pass.
    fn argument(&mut self, sort: &Sort) -> Option<Expr> {
        let e = self.value_for(sort)?;
        match (sort, &e) {
            (Sort::Mtype(sub), Expr::Place(_)) => self.mtype_constant(sub),
            _ => Some(e),
        }
    }

    /// A `run` as statement, or with its value kept.
    pub(super) fn start_statement(&mut self, run: Expr) -> Stmt {
        let vars: Vec<Var> =
            self.vars.iter().filter(|v| v.writable && v.sort == Sort::Wild).cloned().collect();
        match self.rng.pick(&vars).cloned() {
            Some(v) if self.rng.chance(60) => {
                let place = self.place(&v);
                let value = if self.rng.chance(30) { bin("+", Expr::Const(1), run) } else { run };
                Kind::Assign(place, value).into()
            }
            _ => Kind::Expr(run).into(),
        }
    }

    /// A `run` that cannot flood the system, wherever it stands.
    fn guarded_run(&mut self) -> Option<Vec<Stmt>> {
        let all: Vec<_> = self.procs.clone();
        let p = self.rng.pick(&all).cloned()?;
        let run = self.run_of(&p)?;
        let start = self.start_statement(run);
        let limit = Expr::Const(self.rng.range(2, 3));
        let guard = Kind::Expr(bin("<", Expr::Word("_nr_pr".to_owned()), limit));
        let otherwise = vec![Kind::Else.into(), self.assignment()];
        Some(vec![Kind::If(vec![vec![guard.into(), start], otherwise]).into()])
    }
}
