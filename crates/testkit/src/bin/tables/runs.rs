//! Searches as the paper counts them: steps merged as SPIN does, an atomic sequence is one
//! transition, lengths in SPIN's steps.

use spinor_check::{
    CheckConfig, CycleSearch, Guidance, Loaded, Pass, Program, SearchOrder, ViolationKind, check,
};
use spinor_exec::Options;
use spinor_heuristic::{Estimator, Goal, Heuristic, Wishes};
use spinor_jit::{TierConfig, Tiered};
use spinor_reduce::{Passes, optimise};
use spinor_search::{
    Directed, IdaTable, Iteration, Ranking, SearchConfig, best_first, depth_first,
    iterative_deepening,
};
use spinor_store::ExactStore;
use spinor_ts::{Incomplete, SilentObserver};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Error {
    Deadlock,
    Assertion,
    /// The end of the never claim.
    Claim,
}

/// How.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Method {
    BreadthFirst,
    DepthFirst,
    AStar(Heuristic),
    BestFirst(Heuristic),
    Ida(Heuristic),
    IdaBits(Heuristic),
}

/// Limits of one run.
#[derive(Clone, Copy)]
pub struct Limits {
    pub memory: u64,
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { memory: 1 << 30, time: Duration::from_secs(10) }
    }
}

/// Figures of a run.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    pub stored: u64,
    pub expanded: u64,
    pub transitions: u64,
    /// Length of the first error, if one was found.
    pub length: Option<u64>,
    /// Why none was found, if so.
    pub end: Option<&'static str>,
    pub range: Option<(u32, u32)>,
    pub iterations: Vec<Iteration>,
    pub seconds: f64,
}

/// Searches a model for errors of one kind.
pub fn run(loaded: &Loaded, error: Error, method: Method, limits: Limits) -> Option<Figures> {
    let program: &Arc<Program> = loaded.program.as_ref()?;
    let claim = (error == Error::Claim).then_some(0);
    let passes = Passes { merging: claim.is_none(), ..Passes::ALL };
    let program = &Arc::new(optimise(program, passes, &[]).program);
    let options = Options { claim, ..Options::default() };
    use ViolationKind::{Assertion, InvalidEndState, Runtime};
    // HSF-SPIN knew no errors at run time: missing fields of messages were 0.
    let ignore = match error {
        Error::Deadlock => [Assertion, Runtime],
        Error::Assertion => [InvalidEndState, Runtime],
        Error::Claim => [InvalidEndState, Runtime],
    };
    let mut ignore = BTreeSet::from(ignore);
    if error == Error::Claim {
        ignore.insert(Assertion);
    }
    let config = SearchConfig {
        ignore,
        memory_limit_bytes: Some(limits.memory),
        time_limit: Some(limits.time),
        ..SearchConfig::default()
    };
    let goal = match error {
        Error::Claim => Goal::Never { claim: 0, accepting: false },
        error => Goal::Safety {
            deadlocks: error == Error::Deadlock,
            assertions: error == Error::Assertion,
        },
    };
    let estimator =
        |heuristic| Estimator::new(program, options, heuristic, &goal, &Wishes::default()).ok();
    let mut system = Tiered::new(Arc::clone(program), options, TierConfig::default());
    let observer = &mut SilentObserver;
    let result = match method {
        Method::BreadthFirst => {
            let mut blind = estimator(Heuristic::None)?;
            best_first(&mut system, &mut blind, Ranking::A_STAR, &config, observer)
        }
        Method::DepthFirst => {
            let outcome = depth_first(&mut system, &mut ExactStore::new(), &config, observer);
            Directed { outcome, ..Directed::default() }
        }
        Method::AStar(heuristic) => {
            let mut estimate = estimator(heuristic)?;
            best_first(&mut system, &mut estimate, Ranking::A_STAR, &config, observer)
        }
        Method::BestFirst(heuristic) => {
            let mut estimate = estimator(heuristic)?;
            best_first(&mut system, &mut estimate, Ranking::Estimate, &config, observer)
        }
        Method::Ida(heuristic) | Method::IdaBits(heuristic) => {
            let mut estimate = estimator(heuristic)?;
            let table = match method {
                Method::Ida(_) => IdaTable::Exact,
                _ => IdaTable::Bits {
                    bits: limits.memory.min(1 << 27) * 8,
                    functions: 2,
                    restarts: 1,
                },
            };
            iterative_deepening(&mut system, &mut estimate, table, &config, observer)
        }
    };
    Some(figures(&result))
}

fn figures(result: &Directed) -> Figures {
    let Directed { outcome, figures } = result;
    let stats = &outcome.stats;
    let found = outcome.errors.first();
    Figures {
        stored: stats.stored,
        expanded: stats.expanded,
        transitions: stats.transitions,
        length: found.map(|error| error.length),
        end: outcome.incomplete.iter().find_map(|reason| match reason {
            Incomplete::Memory(_) => Some("out of memory"),
            Incomplete::Time(_) => Some("out of time"),
            _ => None,
        }),
        range: figures.range,
        iterations: figures.iterations.clone(),
        seconds: stats.search_time.as_secs_f64(),
    }
}

/// Searches for accepting cycles: nested, improved nested, or directed.
pub fn cycles(loaded: &Loaded, order: SearchOrder, cycles: CycleSearch) -> Option<Figures> {
    let config = CheckConfig {
        properties: vec!["never".to_owned()],
        order: Some(order),
        cycles: Some(cycles),
        max_errors: 1,
        disabled: BTreeSet::from(Pass::ALL),
        threads: Some(1),
        time_limit: Some(Duration::from_secs(60)),
        guidance: Guidance { heuristic: None, ..Guidance::default() },
        ..CheckConfig::default()
    };
    let report = check(loaded, &config, &mut SilentObserver).ok()?.into_iter().next()?;
    Some(Figures {
        stored: report.stats.stored,
        expanded: report.stats.expanded,
        transitions: report.stats.transitions,
        length: report.errors.first().map(|error| error.length),
        seconds: report.stats.search_time.as_secs_f64(),
        ..Figures::default()
    })
}
