//! Shrinking of generated models.
//!
//! Every possible edit has a number in a fixed walk over the tree; the k-th one
//! is applied to a copy. After an accepted edit the same number names the next
//! candidate, so one sweep tries all.

use super::Budget;
use crate::generate::print;
use crate::generate::tree::{Arg, Expr, Formula, Init, Kind, Model, Place, Stmt};

/// A smaller model for whose text `predicate` holds, with at most `calls` tries.
pub fn shrink_model(model: &Model, calls: usize, predicate: &dyn Fn(&str) -> bool) -> Model {
    let mut budget = Budget { predicate, calls };
    let mut best = model.clone();
    loop {
        let mut improved = false;
        let mut number = 0;
        while !budget.is_spent() {
            let mut candidate = best.clone();
            let mut editor = Editor { target: number, seen: 0 };
            if !editor.model(&mut candidate) {
                break;
            }
            if candidate != best && budget.holds(&print(&candidate)) {
                best = candidate;
                improved = true;
            } else {
                number += 1;
            }
        }
        if !improved || budget.is_spent() {
            return best;
        }
    }
}

/// Walks the tree until the edit with number `target` was made.
struct Editor {
    target: usize,
    seen: usize,
}

impl Editor {
    /// True if this is the edit to make.
    fn hit(&mut self) -> bool {
        self.seen += 1;
        self.seen == self.target + 1
    }

    /// Tries to remove each element, large ranges first.
    fn remove<T>(&mut self, list: &mut Vec<T>) -> bool {
        if list.len() > 3 {
            let half = list.len() / 2;
            if self.hit() {
                list.truncate(half);
                return true;
            }
            if self.hit() {
                list.drain(..half);
                return true;
            }
        }
        for i in 0..list.len() {
            if self.hit() {
                list.remove(i);
                return true;
            }
        }
        false
    }

    fn clear<T>(&mut self, option: &mut Option<T>) -> bool {
        let hit = option.is_some() && self.hit();
        if hit {
            *option = None;
        }
        hit
    }

    fn model(&mut self, m: &mut Model) -> bool {
        if self.clear(&mut m.never)
            || self.clear(&mut m.trace)
            || self.remove(&mut m.ltl)
            || self.remove(&mut m.procs)
            || self.remove(&mut m.inlines)
        {
            return true;
        }
        for p in &mut m.procs {
            if p.active > 1 && self.hit() {
                p.active = 1;
                return true;
            }
            if self.clear(&mut p.priority)
                || self.clear(&mut p.provided)
                || self.remove(&mut p.params)
                || self.block(&mut p.body)
                || p.provided.as_mut().is_some_and(|e| self.expr(e))
            {
                return true;
            }
        }
        if m.inlines.iter_mut().any(|i| self.block(&mut i.body)) {
            return true;
        }
        if m.ltl.iter_mut().any(|(_, formula)| self.formula(formula)) {
            return true;
        }
        if let Some(body) = &mut m.never
            && self.block(body)
        {
            return true;
        }
        if let Some((_, body)) = &mut m.trace
            && self.block(body)
        {
            return true;
        }
        if self.remove(&mut m.globals) || self.remove(&mut m.typedefs) || self.remove(&mut m.mtypes)
        {
            return true;
        }
        for d in &mut m.globals {
            if !matches!(d.init, Some(Init::Chan(..))) && self.clear(&mut d.init) {
                return true;
            }
            if self.clear(&mut d.len) {
                return true;
            }
        }
        m.typedefs.iter_mut().any(|t| self.remove(&mut t.fields))
            || m.mtypes.iter_mut().any(|t| self.remove(&mut t.names))
    }

    /// A formula gives way to one of its operands.
    fn formula(&mut self, formula: &mut Formula) -> bool {
        match formula {
            Formula::Atom(_) => false,
            Formula::Unary(_, a) => {
                if self.hit() {
                    *formula = (**a).clone();
                    return true;
                }
                self.formula(a)
            }
            Formula::Binary(_, a, b) => {
                for part in [a.clone(), b.clone()] {
                    if self.hit() {
                        *formula = *part;
                        return true;
                    }
                }
                self.formula(a) || self.formula(b)
            }
        }
    }

    fn block(&mut self, body: &mut Vec<Stmt>) -> bool {
        if self.remove(body) {
            return true;
        }
        for i in 0..body.len() {
            if self.remove(&mut body[i].labels) {
                return true;
            }
            // A compound statement gives way to one of its parts.
            let parts = body[i].kind.blocks_mut().len();
            for k in 0..parts {
                if self.hit() {
                    let inner = std::mem::take(body[i].kind.blocks_mut()[k]);
                    body.splice(i..=i, inner);
                    return true;
                }
            }
            if self.statement(&mut body[i].kind) {
                return true;
            }
        }
        false
    }

    fn statement(&mut self, kind: &mut Kind) -> bool {
        if let Kind::If(options) | Kind::Do(options) = kind
            && options.len() > 1
            && self.remove(options)
        {
            return true;
        }
        if kind.blocks_mut().into_iter().any(|b| self.block(b)) {
            return true;
        }
        match kind {
            Kind::Decl(d) => match &mut d.init {
                Some(Init::Expr(_)) => self.clear(&mut d.init),
                _ => false,
            },
            Kind::Assign(p, e) => self.expr(e) || self.place(p),
            Kind::Expr(e) | Kind::Assert(e) => self.expr(e),
            Kind::Inc(p) | Kind::Dec(p) => self.place(p),
            Kind::Send(q, sorted, args) => {
                self.lower(sorted) || args.iter_mut().any(|e| self.expr(e)) || self.place(q)
            }
            Kind::Recv(q, random, copy, args) => {
                self.lower(random)
                    || self.lower(copy)
                    || args.iter_mut().any(|a| self.arg(a))
                    || self.place(q)
            }
            Kind::Print(_, args) => self.remove(args),
            Kind::For(_, lo, hi, _) | Kind::Select(_, lo, hi) => self.expr(lo) || self.expr(hi),
            Kind::Call(_, args) => args.iter_mut().any(|e| self.expr(e)),
            _ => false,
        }
    }

    fn lower(&mut self, flag: &mut bool) -> bool {
        let hit = *flag && self.hit();
        if hit {
            *flag = false;
        }
        hit
    }

    fn arg(&mut self, arg: &mut Arg) -> bool {
        if *arg != Arg::Any && self.hit() {
            *arg = Arg::Any;
            return true;
        }
        match arg {
            Arg::Store(p) => self.place(p),
            Arg::Match(e) | Arg::Eval(e) => self.expr(e),
            Arg::Any => false,
        }
    }

    fn place(&mut self, place: &mut Place) -> bool {
        place.0.iter_mut().any(|(_, index)| index.as_mut().is_some_and(|e| self.expr(e)))
    }

    fn expr(&mut self, e: &mut Expr) -> bool {
        if !matches!(e, Expr::Const(0 | 1)) && !matches!(e, Expr::Run(..)) {
            for value in [0, 1] {
                if self.hit() {
                    *e = Expr::Const(value);
                    return true;
                }
            }
        }
        for k in 0..children(e).len() {
            if self.hit() {
                let child = std::mem::replace(&mut *children(e)[k], Expr::Const(0));
                *e = child;
                return true;
            }
        }
        match e {
            Expr::Place(p) => self.place(p),
            Expr::Poll(_, random, args) => {
                self.lower(random) || args.iter_mut().any(|a| self.arg(a))
            }
            Expr::Run(_, args, priority) => {
                self.clear(priority) || self.remove(args) || args.iter_mut().any(|a| self.expr(a))
            }
            _ => children(e).into_iter().any(|c| self.expr(c)),
        }
    }
}

fn children(e: &mut Expr) -> Vec<&mut Expr> {
    match e {
        Expr::Unary(_, a) => vec![a],
        Expr::Binary(_, a, b) => vec![a, b],
        Expr::Cond(c, a, b) => vec![c, a, b],
        _ => Vec::new(),
    }
}
