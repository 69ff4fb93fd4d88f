//! Types, channels and variables.

use super::build::Builder;
use super::env::*;
use super::expr::{Ranged, fit};
use super::features::Feature as F;
use super::tree::*;

impl Builder {
    pub(super) fn mtypes(&mut self) {
        if !self.has(F::Mtypes) {
            return;
        }
        let mut subtypes = vec![None];
        if self.has(F::Subtypes) {
            subtypes.push(Some(self.fresh("sub")));
        } else if self.rng.chance(30) {
            // A second declaration continues the numbering.
            subtypes.push(None);
        }
        for subtype in subtypes {
            let names = (0..2 + self.rng.below(2)).map(|_| self.fresh("M")).collect();
            self.model.mtypes.push(MtypeDecl { subtype, names });
        }
    }

    fn some_mtype(&mut self) -> Option<Option<String>> {
        let all: Vec<_> = self.model.mtypes.iter().map(|m| m.subtype.clone()).collect();
        self.rng.pick(&all).cloned()
    }

    /// A scalar type with what it may hold; `cuts` as in [`Var`].
    fn scalar(&mut self, allow_unsigned: bool) -> (Ty, Sort, bool) {
        if self.rng.chance(25)
            && let Some(sub) = self.some_mtype()
        {
            return (Ty::Mtype(sub.clone()), Sort::Mtype(sub), false);
        }
        if self.has(F::Truncation) && self.rng.chance(25) {
            let ty = self.rng.one_of(&[0, 1, 2]);
            return ([Ty::Byte, Ty::Short, Ty::Int][ty].clone(), Sort::Wild, false);
        }
        let hi = self.rng.weighted(&[0, 5, 4, 1]) as i64;
        // SPIN's mask of state bytes forgets the bits of a process with a priority.
        if !self.has(F::Types) || self.has(F::Priority) {
            return (Ty::Byte, Sort::Num { hi }, false);
        }
        match self.rng.below(if allow_unsigned { 8 } else { 6 }) {
            0 => (Ty::Bit, Sort::Num { hi: 1 }, true),
            1 => (Ty::Bool, Sort::Num { hi: 1 }, true),
            2 => (Ty::Byte, Sort::Num { hi }, false),
            3 => (Ty::Pid, Sort::Num { hi }, false),
            4 => (Ty::Short, Sort::Num { hi }, false),
            5 => (Ty::Int, Sort::Num { hi }, false),
            _ => {
                let bits = 1 + self.rng.below(2) as u32;
                let hi = (1 << bits) - 1;
                (Ty::Unsigned(bits), Sort::Num { hi }, true)
            }
        }
    }

    pub(super) fn make_sigs(&mut self) {
        let mut capacities = Vec::new();
        if self.has(F::Buffered) {
            capacities.push(1 + self.rng.below(2) as u32);
        }
        if self.has(F::Rendezvous) {
            capacities.push(0);
        }
        for capacity in capacities {
            let width = if self.has(F::WideMessages) { 1 + self.rng.below(3) } else { 1 };
            let fields = (0..width)
                .map(|_| {
                    let (ty, sort, _) = self.scalar(false);
                    match sort {
                        // A lone bit field is a whole byte in SPIN; both ways stay in range.
                        Sort::Wild => (Ty::Byte, Sort::Num { hi: 2 }),
                        sort => (ty, sort),
                    }
                })
                .collect();
            self.sigs.push(Sig { capacity, fields });
        }
        if self.has(F::ChannelValues) && !self.sigs.is_empty() {
            let target = self.rng.below(self.sigs.len());
            let capacity = u32::from(!self.has(F::Rendezvous) || self.rng.chance(50));
            let mut fields = vec![(Ty::Chan, Sort::Chan(target))];
            if self.rng.chance(40) {
                fields.push((Ty::Byte, Sort::Num { hi: 1 }));
            }
            self.sigs.push(Sig { capacity, fields });
        }
    }

    pub(super) fn make_records(&mut self) {
        if !self.has(F::Records) {
            return;
        }
        self.record(true);
        if self.rng.chance(60) {
            self.record(false);
        }
    }

    pub(super) fn make_record_sig(&mut self) {
        if self.has(F::RecordMessages)
            && let Some(r) = self.records.iter().find(|r| r.flat).cloned()
        {
            let mut fields = vec![(Ty::Record(r.name.clone()), Sort::Record(r.name))];
            if self.rng.chance(30) {
                fields.push((Ty::Byte, Sort::Num { hi: 2 }));
            }
            self.sigs.push(Sig { capacity: 1, fields });
        }
    }

    fn record(&mut self, flat: bool) {
        let name = self.fresh("R");
        let mut decls = Vec::new();
        let mut fields = Vec::new();
        let mut has_channel = false;
        for i in 0..1 + self.rng.below(3) {
            let inner = self.records.first().cloned();
            let field = self.fresh("f");
            let (ty, sort, cuts, len, init) = match inner {
                Some(r) if !flat && i == 0 => {
                    let len = self.rng.chance(40).then_some(2);
                    (Ty::Record(r.name.clone()), Sort::Record(r.name), false, len, None)
                }
                _ if !flat && !self.sigs.is_empty() && self.rng.chance(30) => {
                    has_channel = true;
                    let sig = self.rng.below(self.sigs.len());
                    let init = self.channel_init(sig);
                    (Ty::Chan, Sort::Chan(sig), false, None, Some(init))
                }
                _ => {
                    let (ty, sort, cuts) = self.scalar(!flat);
                    let array = !flat && !matches!(ty, Ty::Unsigned(_)) && self.rng.chance(30);
                    let len = array.then_some(2);
                    (ty, sort, cuts && len.is_none(), len, None)
                }
            };
            decls.push(Decl { ty, name: field.clone(), len, init, hidden: false });
            fields.push(Field { name: field, len, sort, cuts });
        }
        self.model.typedefs.push(Typedef { name: name.clone(), fields: decls });
        self.records.push(RecordInfo { name, fields, flat, has_channel });
    }

    pub(super) fn channel_init(&self, sig: usize) -> Init {
        let sig = &self.sigs[sig];
        let fields = sig.fields.iter().map(|(ty, _)| ty.clone()).collect();
        Init::Chan(sig.capacity, fields)
    }

    /// Puts a variable and all its parts in scope.
    pub(super) fn bring(&mut self, var: Var) {
        if let Sort::Record(name) = &var.sort
            && let Some(record) = self.records.iter().find(|r| r.name == *name).cloned()
        {
            for f in &record.fields {
                let mut part = var.clone();
                part.path.push(Seg { name: f.name.clone(), len: f.len });
                part.sort = f.sort.clone();
                part.cuts = f.cuts;
                // A channel inside a record is created once and stays.
                part.writable &= !matches!(f.sort, Sort::Chan(_));
                self.bring(part);
            }
        }
        self.vars.push(var);
    }

    pub(super) fn globals(&mut self) {
        for sig in 0..self.sigs.len() {
            let len = (self.has(F::Arrays) && self.rng.chance(25)).then_some(2);
            let name = self.fresh("q");
            self.model.globals.push(Decl {
                ty: Ty::Chan,
                name: name.clone(),
                len,
                init: Some(self.channel_init(sig)),
                hidden: false,
            });
            let mut var = Var::new(&name, len, Sort::Chan(sig));
            var.global = true;
            var.writable = false;
            self.bring(var);
        }
        for i in 0..2 + self.rng.below(2) {
            let d = self.variable("g", i == 0);
            self.model.globals.push(d);
        }
        if let Some(r) = self.records.last().cloned() {
            self.record_variable(&r, true);
        }
        if self.has(F::Hidden) {
            let name = self.fresh("h");
            self.model.globals.push(Decl {
                ty: if self.rng.chance(50) { Ty::Byte } else { Ty::Int },
                name: name.clone(),
                len: None,
                init: None,
                hidden: true,
            });
            let mut var = Var::new(&name, None, Sort::Num { hi: 3 });
            var.global = true;
            var.readable = false;
            self.bring(var);
        }
        for v in &mut self.vars {
            v.global = true;
        }
    }

    /// Declares a new variable and brings it in scope; `plain` ones are scalar numbers.
    pub(super) fn variable(&mut self, prefix: &str, plain: bool) -> Decl {
        let name = self.fresh(prefix);
        let (ty, sort, cuts) =
            if plain { (Ty::Byte, Sort::Num { hi: 2 }, false) } else { self.scalar(true) };
        let array =
            !plain && self.has(F::Arrays) && !matches!(ty, Ty::Unsigned(_)) && self.rng.chance(40);
        let len = array.then(|| 2 + self.rng.below(2) as u32);
        let init = (self.has(F::Initialisers) && self.rng.chance(50))
            .then(|| self.initial_value(&sort, len))
            .flatten();
        let mut var = Var::new(&name, len, sort);
        var.cuts = cuts && len.is_none();
        self.bring(var);
        Decl { ty, name, len, init, hidden: false }
    }

    fn initial_value(&mut self, sort: &Sort, len: Option<u32>) -> Option<Init> {
        match sort {
            Sort::Num { hi } => {
                let hi = *hi;
                if let Some(n) = len
                    && self.rng.chance(50)
                {
                    let count = n as usize - self.rng.below(2).min(n as usize - 1);
                    let list = (0..count).map(|_| self.rng.range(0, hi)).collect();
                    return Some(Init::List(list));
                }
                let value = match self.start_value() {
                    Some(value) => fit(value, hi),
                    None => Expr::Const(self.rng.range(0, hi)),
                };
                Some(Init::Expr(value))
            }
            Sort::Wild => {
                let n = self.rng.one_of(&[255, -1, 256, 300, 40000]);
                Some(Init::Expr(Expr::Const(n)))
            }
            Sort::Mtype(_) => match self.value_for(sort) {
                Some(e @ Expr::Word(_)) => Some(Init::Expr(e)),
                _ => None,
            },
            _ => None,
        }
    }

    /// What whoever starts a process looks at: its number, or a global.
    fn start_value(&mut self) -> Option<Ranged> {
        let globals = self.readable(|v| v.global && v.scalar_name().is_some() && v.hi().is_some());
        if globals.is_empty() || !self.rng.chance(40) {
            return None;
        }
        if self.has(F::Predefined) && self.rng.chance(50) {
            return Some((Expr::Word("_pid".to_owned()), 0, 9));
        }
        let var = self.rng.pick(&globals).cloned()?;
        let hi = var.hi()?;
        Some((Expr::Place(self.place(&var)), 0, hi))
    }

    fn record_variable(&mut self, r: &RecordInfo, global: bool) {
        let name = self.fresh(if global { "gr" } else { "lr" });
        let len = (self.has(F::Arrays) && self.rng.chance(30)).then_some(2);
        let decl = Decl {
            ty: Ty::Record(r.name.clone()),
            name: name.clone(),
            len,
            init: None,
            hidden: false,
        };
        self.bring(Var::new(&name, len, Sort::Record(r.name.clone())));
        if global {
            self.model.globals.push(decl);
        } else {
            self.wanted.push(decl);
        }
    }

    /// Declarations at the start of a process, and its plain numeric locals.
    pub(super) fn locals(&mut self) -> (Vec<Stmt>, Vec<(String, i64)>) {
        let mut body = Vec::new();
        let mut numbers = Vec::new();
        for _ in 0..1 + self.rng.below(2) {
            let d = self.variable("x", false);
            let var = self.vars.last().expect("just declared");
            if let (Some(name), Some(hi)) = (var.scalar_name(), var.hi()) {
                numbers.push((name.to_owned(), hi));
            }
            body.push(Stmt::from(Kind::Decl(d)));
        }
        let flat: Vec<_> = self.records.iter().filter(|r| !r.has_channel).cloned().collect();
        if self.rng.chance(60)
            && let Some(r) = self.rng.pick(&flat).cloned()
        {
            self.record_variable(&r, false);
            body.extend(
                std::mem::take(&mut self.wanted).into_iter().map(|d| Stmt::from(Kind::Decl(d))),
            );
        }
        if self.has(F::LocalChannels) && !self.sigs.is_empty() {
            let sig = self.rng.below(self.sigs.len());
            let name = self.fresh("c");
            let decl = Decl {
                ty: Ty::Chan,
                name: name.clone(),
                len: None,
                init: Some(self.channel_init(sig)),
                hidden: false,
            };
            body.push(Stmt::from(Kind::Decl(decl)));
            let mut var = Var::new(&name, None, Sort::Chan(sig));
            var.writable = false;
            var.mortal = true;
            self.bring(var);
        }
        if self.has(F::ChannelValues) {
            self.channel_variable(&mut body);
        }
        (body, numbers)
    }

    /// A channel variable, assigned at once so that it is never used empty.
    fn channel_variable(&mut self, body: &mut Vec<Stmt>) {
        let sorts: Vec<_> = self
            .sigs
            .iter()
            .flat_map(|s| s.fields.iter().map(|f| f.1.clone()))
            .filter(|s| matches!(s, Sort::Chan(_)))
            .collect();
        let Some(sort) = self.rng.pick(&sorts).cloned() else {
            return;
        };
        let Some(value) = self.value_for(&sort) else {
            return;
        };
        let name = self.fresh("cv");
        body.push(Stmt::from(Kind::Decl(Decl {
            ty: Ty::Chan,
            name: name.clone(),
            len: None,
            init: None,
            hidden: false,
        })));
        body.push(Kind::Assign(Place::name(&name), value).into());
        self.bring(Var::new(&name, None, sort));
    }

    /// Parameters of a proctype; active ones get no channels, theirs would be empty.
    pub(super) fn params(&mut self, run_only: bool) -> (Vec<Decl>, Vec<Sort>) {
        let mut decls = Vec::new();
        let mut sorts = Vec::new();
        for _ in 0..self.rng.below(3) {
            let name = self.fresh("a");
            let flat = self.records.iter().find(|r| r.flat).cloned();
            let (ty, sort, cuts) = match flat {
                _ if run_only && !self.sigs.is_empty() && self.rng.chance(40) => {
                    (Ty::Chan, Sort::Chan(self.rng.below(self.sigs.len())), false)
                }
                Some(r) if self.rng.chance(30) => {
                    (Ty::Record(r.name.clone()), Sort::Record(r.name), false)
                }
                _ => self.scalar(true),
            };
            let mut var = Var::new(&name, None, sort.clone());
            var.cuts = cuts;
            var.writable = !matches!(sort, Sort::Chan(_));
            self.bring(var);
            decls.push(Decl { ty, name, len: None, init: None, hidden: false });
            sorts.push(sort);
        }
        (decls, sorts)
    }
}
