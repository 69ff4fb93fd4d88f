//! Building a model from a seed: the order of its parts.

use super::Options;
use super::env::*;
use super::features::{Feature as F, Features};
use super::rng::Rng;
use super::temporal::Judged;
use super::tree::*;

/// State of one generation.
pub(super) struct Builder {
    pub(super) rng: Rng,
    pub(super) features: Features,
    pub(super) model: Model,
    pub(super) sigs: Vec<Sig>,
    pub(super) records: Vec<RecordInfo>,
    /// Variables in scope, globals first.
    pub(super) vars: Vec<Var>,
    pub(super) procs: Vec<ProcInfo>,
    pub(super) inlines: Vec<InlineInfo>,
    /// Labels of the current body.
    pub(super) labels: Vec<LabelInfo>,
    /// Labels jumped to but not yet placed.
    pub(super) forward: Vec<String>,
    /// Declarations that statements of the current body asked for.
    pub(super) wanted: Vec<Decl>,
    /// Statements left in the current body.
    pub(super) budget: usize,
    /// Active instances so far: the next pid.
    pub(super) instances: i64,
    pub(super) in_claim: bool,
    /// No references to other processes here.
    pub(super) in_dstep: bool,
    /// The one proctype (by number) that uses `enabled`.
    pub(super) enabled_in: Option<usize>,
    /// What infinite runs are judged by, if they are.
    pub(super) judged: Option<Judged>,
    size: usize,
    next_name: usize,
}

impl Builder {
    pub(super) fn new(seed: u64, options: &Options) -> Builder {
        let mut rng = Rng::new(seed);
        let mut features = options.features.unwrap_or_else(|| Features::random(&mut rng));
        if options.claims {
            features.insert(F::Claim);
        }
        if options.traces {
            features.insert(F::Trace);
            // SPIN with a trace lets rendezvous sends pass without a receiver, and
            // looks at the wrong message after a sorted send or a random receive.
            features.remove(F::Rendezvous);
            features.remove(F::FancyChannels);
        }
        if options.runtime_errors {
            features.insert(F::RuntimeErrors);
        }
        let judged = options.liveness.then(|| Judged::choose(&mut rng, &mut features));
        let features = features.completed(&mut rng);
        Builder {
            rng,
            features,
            model: Model::default(),
            sigs: Vec::new(),
            records: Vec::new(),
            vars: Vec::new(),
            procs: Vec::new(),
            inlines: Vec::new(),
            labels: Vec::new(),
            forward: Vec::new(),
            wanted: Vec::new(),
            budget: 0,
            instances: 0,
            in_claim: false,
            in_dstep: false,
            enabled_in: None,
            judged,
            size: options.size.max(1),
            next_name: 0,
        }
    }

    pub(super) fn has(&self, f: F) -> bool {
        self.features.has(f)
    }

    /// A fresh name: names are never reused, so scopes cannot clash.
    pub(super) fn fresh(&mut self, prefix: &str) -> String {
        let n = self.next_name;
        self.next_name += 1;
        format!("{prefix}{n}")
    }

    pub(super) fn build(mut self) -> Model {
        self.mtypes();
        self.make_sigs();
        self.make_records();
        self.make_record_sig();
        self.globals();
        if self.has(F::Inlines) {
            for _ in 0..1 + self.rng.below(2) {
                self.inline();
            }
        }
        let count = 1 + self.rng.weighted(&[1, 6, 2]);
        for i in 0..count {
            let run_only = self.has(F::Run) && (i == 0 || self.rng.chance(50));
            self.proctype(run_only, count);
        }
        if self.has(F::Run) || self.rng.chance(15) {
            self.init();
        }
        if self.has(F::Trace) {
            self.trace();
        }
        if self.has(F::Claim) {
            self.claim();
        }
        if self.judged == Some(Judged::Formulas) {
            self.formulas();
        }
        self.model
    }

    /// Builds a body of about `n` statements and closes open ends.
    fn body(&mut self, n: usize, zone: Zone, in_inline: bool) -> Vec<Stmt> {
        self.budget = n * 2;
        self.labels.clear();
        self.forward.clear();
        self.wanted.clear();
        let ctx = Ctx { zone, in_loop: false, depth: 3, in_inline };
        let mut body = self.block(ctx, n);
        for label in std::mem::take(&mut self.forward) {
            let mut target = Stmt::from(Kind::Skip);
            if self.has(F::Print) {
                target.kind = Kind::Print("end\\n".to_owned(), Vec::new());
            }
            target.labels.push(label);
            body.push(target);
        }
        body
    }

    fn prologue(&mut self) -> Vec<Stmt> {
        std::mem::take(&mut self.wanted).into_iter().map(|d| Stmt::from(Kind::Decl(d))).collect()
    }

    fn inline(&mut self) {
        let mark = self.vars.len();
        let name = self.fresh("inl");
        let mut params = Vec::new();
        let mut names = Vec::new();
        for _ in 0..1 + self.rng.below(2) {
            let assigned = self.rng.chance(60);
            let hi = self.rng.range(1, 3);
            let p = self.fresh("par");
            let mut var = Var::new(&p, None, Sort::Num { hi });
            var.writable = assigned;
            self.vars.push(var);
            params.push((assigned, hi));
            names.push(p);
        }
        let steady = self.rng.chance(50);
        let zone = if steady { Zone::DStep } else { Zone::Atomic };
        self.in_dstep = steady;
        let size = 1 + self.rng.below(2);
        let body = self.body(size, zone, true);
        self.in_dstep = false;
        let mut whole = self.prologue();
        whole.extend(body);
        self.vars.truncate(mark);
        self.model.inlines.push(Inline { name: name.clone(), params: names, body: whole });
        self.inlines.push(InlineInfo { name, params, steady });
    }

    fn proctype(&mut self, run_only: bool, count: usize) {
        let mark = self.vars.len();
        let name = self.fresh("P");
        let active = if run_only {
            0
        } else if self.has(F::Instances) && self.rng.chance(60) {
            // A fourth process makes most spaces too large.
            let room = 4 - self.instances - count as i64;
            2 + u32::from(count < 2 && self.rng.chance(30)) - u32::from(room < 0)
        } else {
            1
        };
        let (params, sorts) =
            if self.has(F::Run) { self.params(run_only) } else { (Vec::new(), Vec::new()) };
        let (mut body, locals) = self.locals();
        // More processes, shorter bodies: the product counts.
        let crowd = count + (active as usize).saturating_sub(1) + usize::from(self.has(F::Run));
        let size = self.size + self.rng.below(self.size + 1);
        let statements = (size * 5 / (2 * crowd.max(2))).max(2);
        let code = self.body(statements, Zone::Plain, false);
        let code = self.maybe_loop(code);
        let mut whole = self.prologue();
        whole.append(&mut body);
        if self.rng.chance(60) {
            // Something happens before the first blocking statement.
            whole.push(self.assignment());
        }
        whole.extend(code);
        let priority = (self.has(F::Priority) && active > 0 && self.rng.chance(60))
            .then(|| self.rng.range(1, 4));
        let labels = self.labels.iter().filter(|l| !l.in_atomic).map(|l| l.name.clone()).collect();
        self.vars.truncate(mark);
        let provided = (self.has(F::Provided) && self.rng.chance(40)).then(|| {
            // Like a claim, it may not refer to other processes.
            self.in_claim = true;
            self.in_dstep = true;
            let e = self.cond(1);
            self.in_claim = false;
            self.in_dstep = false;
            e
        });
        self.model.procs.push(Proc {
            name: name.clone(),
            is_init: false,
            active,
            params,
            priority,
            provided,
            body: whole,
        });
        let first = self.instances;
        self.instances += i64::from(active);
        self.procs.push(ProcInfo {
            name,
            params: sorts,
            labels,
            locals,
            pids: first..self.instances,
        });
    }

    fn init(&mut self) {
        let mark = self.vars.len();
        let (mut body, _) = self.locals();
        let size = 1 + self.rng.below(3);
        let code = self.body(size, Zone::Plain, false);
        let mut starts = Vec::new();
        let wanted: Vec<ProcInfo> =
            self.procs.iter().filter(|p| p.pids.is_empty()).cloned().collect();
        for p in &wanted {
            let again = usize::from(wanted.len() < 2 && self.rng.chance(40));
            for _ in 0..=again {
                if let Some(run) = self.run_of(p) {
                    starts.push(self.start_statement(run));
                }
            }
        }
        let mut whole = self.prologue();
        whole.append(&mut body);
        if starts.len() > 1 && self.rng.chance(60) {
            whole.push(Kind::Atomic(starts).into());
        } else {
            whole.extend(starts);
        }
        if self.rng.chance(50) || whole.is_empty() {
            whole.extend(code);
        }
        self.vars.truncate(mark);
        let priority = (self.has(F::Priority) && self.rng.chance(30)).then(|| self.rng.range(1, 4));
        self.model.procs.push(Proc {
            name: "init".to_owned(),
            is_init: true,
            active: 1,
            params: Vec::new(),
            priority,
            provided: None,
            body: whole,
        });
    }
}
