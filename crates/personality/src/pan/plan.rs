//! From pan's options to a check.

use super::directives::Directives;
use super::options::{ClaimChoice, RunOptions};
use crate::host::Host;
use crate::model::Model;
use spinor_check::{
    CheckConfig, Customs, CycleSearch, Fairness, Loaded, Pass, SearchOrder, StoreKind,
    ViolationKind,
};
use spinor_program::{Action, Automaton, Expr, Program};
use std::time::Duration;

/// Depth bound of pan if none is given. Only smaller ones are bounds here: others are there to
/// have no bound.
pub(crate) const DEPTH: i64 = 10_000;

/// Cycles that are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cycles {
    None,
    Acceptance,
    NonProgress,
}

/// What is going to be searched.
pub(crate) struct Plan {
    pub config: CheckConfig,
    pub cycles: Cycles,
    /// The claim that runs along.
    pub claim: Option<usize>,
    /// Whether SPIN would say that it reduces.
    pub reduces: bool,
}

impl Plan {
    /// The search that the options ask for; what is wrong with them otherwise.
    pub fn new(
        model: &Model,
        directives: &Directives,
        options: &RunOptions,
        host: &Host<'_>,
    ) -> Result<Self, String> {
        let program = model.loaded.program.as_ref().expect("the model was read");
        let cycles = match () {
            () if options.non_progress => Cycles::NonProgress,
            () if options.acceptance && accepts(program) => Cycles::Acceptance,
            () => Cycles::None,
        };
        let claim = claim(program, directives, options)?;
        let reduces = !directives.has("NOREDUCE") && !forbids_reduction(&model.loaded, program);
        let mut plan = Plan { config: CheckConfig::default(), cycles, claim, reduces };
        plan.config = plan.config(model, directives, options, host);
        Ok(plan)
    }

    fn config(
        &self,
        model: &Model,
        directives: &Directives,
        options: &RunOptions,
        host: &Host<'_>,
    ) -> CheckConfig {
        let program = model.loaded.program.as_ref().expect("the model was read");
        let property = match (self.cycles, self.claim) {
            (Cycles::NonProgress, _) => "non-progress".to_owned(),
            (_, Some(claim)) => program.claims[claim].name.to_string(),
            (Cycles::Acceptance, None) => "acceptance".to_owned(),
            (Cycles::None, None) => "safety".to_owned(),
        };
        let mut config = CheckConfig {
            properties: vec![property],
            max_errors: options.stop_at.max(0).unsigned_abs(),
            shortest: options.shorten && self.cycles == Cycles::None,
            memory_limit_bytes: memory(directives).or(host.memory_limit_bytes),
            time_limit: options.minutes.map(|m| Duration::from_secs(m.max(0).unsigned_abs() * 60)),
            fairness: if options.fairness { Fairness::Weak } else { Fairness::None },
            disabled: model.bundle.options.disabled(),
            max_depth: self.bound(options),
            customs: Customs {
                finite_only: self.cycles == Cycles::None,
                asserts_count: true,
                every_error: options.every_error || options.stop_at > 1,
                as_found: true,
                errors_beyond: true,
                first_depth_counts: !directives.has("REACH") && !options.shorten,
            },
            ..CheckConfig::default()
        };
        // Without `-l` the claim of NP is there all the same, and a claim switches this off.
        let is_np_only = directives.has("NP") && self.cycles == Cycles::None;
        if options.no_ends || is_np_only {
            config.ignore.insert(ViolationKind::InvalidEndState);
        }
        if options.no_asserts {
            config.ignore.insert(ViolationKind::Assertion);
        }
        if !self.reduces {
            config.disabled.insert(Pass::Reduction);
        }
        self.search(&mut config, directives, options);
        config
    }

    /// SPIN: with a bound of 5, runs have 4 steps.
    fn bound(&self, options: &RunOptions) -> Option<u64> {
        let depth = options.depth.unwrap_or(DEPTH);
        (depth < DEPTH || options.depth_is_error).then(|| depth.unsigned_abs() - 1)
    }

    /// Order, threads and store.
    fn search(&self, config: &mut CheckConfig, directives: &Directives, options: &RunOptions) {
        let cores = directives.cores();
        let breadth =
            directives.breadth_first() || (cores.is_some() && self.cycles == Cycles::None);
        config.order = Some(if breadth { SearchOrder::Bfs } else { SearchOrder::Dfs });
        let threads = match options.threads.filter(|_| directives.has("BFS_PAR")) {
            Some(threads) => usize::try_from(threads).ok().filter(|n| *n > 0),
            None if directives.has("BFS_PAR") => None,
            None => Some(cores.map_or(1, |cores| cores as usize)),
        };
        config.threads = threads;
        if self.cycles != Cycles::None {
            config.cycles = Some(CycleSearch::Ndfs);
        }
        config.store = Some(match () {
            () if directives.has("BITSTATE") => StoreKind::Bitstate,
            () if directives.hash_compact() => StoreKind::HashCompact,
            () => StoreKind::Tree,
        });
        if directives.has("BITSTATE") {
            config.bits = Some(bits(options));
            config.hash_functions = u32::try_from(options.bits).ok();
        }
    }
}

/// Binary logarithm of the bits of a bitstate table.
pub(crate) fn bits(options: &RunOptions) -> u32 {
    let of_megabytes =
        options.megabytes.map(|m| i64::from((m.max(1).unsigned_abs() << 23).ilog2()));
    let wanted = of_megabytes.or(options.size).unwrap_or(27);
    u32::try_from(wanted.clamp(10, 38)).unwrap_or(27)
}

fn memory(directives: &Directives) -> Option<u64> {
    let megabytes = directives.number("MEMLIM").map(|m| m << 20);
    let power = directives.number("MEMCNT").filter(|n| *n < 63).map(|n| 1u64 << n);
    megabytes.or(power).filter(|bytes| *bytes > 0)
}

/// The claim that is wanted.
fn claim(
    program: &Program,
    directives: &Directives,
    options: &RunOptions,
) -> Result<Option<usize>, String> {
    let count = program.claims.len();
    if directives.has("NOCLAIM") || directives.has("NP") || count == 0 {
        return Ok(None);
    }
    match &options.claim {
        None => Ok(Some(0)),
        // SPIN counts them from the last one on.
        Some(ClaimChoice::Number(number)) => {
            let number = usize::try_from(*number).ok().filter(|n| *n < count);
            number.map(|n| Some(count - 1 - n)).ok_or_else(|| "non-existing claim".to_owned())
        }
        Some(ClaimChoice::Name(name)) => {
            let found = program.claims.iter().position(|claim| *claim.name == **name);
            found.map(Some).ok_or_else(|| format!("cannot find claim '{name}'"))
        }
    }
}

/// Whether there are `accept` labels.
pub(crate) fn accepts(program: &Program) -> bool {
    let accepts = |a: &Automaton| {
        a.locations
            .iter()
            .any(|l| l.is_accepting || l.labels.iter().any(|t| t.starts_with("accept")))
    };
    program.proctypes.iter().chain(&program.claims).any(|p| accepts(&p.automaton))
}

/// What makes SPIN give up partial order reduction.
fn forbids_reduction(loaded: &Loaded, program: &Program) -> bool {
    const ELSE_BESIDE_CHANNEL: &str = "P0305";
    program.uses_last
        || program.uses_priority
        || loaded.diagnostics.iter().any(|d| d.code == ELSE_BESIDE_CHANNEL)
        || program.statements.iter().any(|statement| asks_for_control(&statement.action))
}

fn asks_for_control(action: &Action) -> bool {
    let mut found = false;
    let mut look = |e: &Expr| found |= matches!(e, Expr::Enabled(_) | Expr::PcValue(_));
    match action {
        Action::Condition(e) | Action::Assert(e) => e.walk(&mut look),
        Action::Assign(pairs) => pairs.iter().for_each(|(_, e)| e.walk(&mut look)),
        _ => {}
    }
    found
}
