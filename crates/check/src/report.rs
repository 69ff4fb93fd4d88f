//! What a check returns.

use crate::directed::EstimateInfo;
use crate::{CheckConfig, CycleSearch, Property, SearchOrder, Setup, StoreKind};
use spinor_trace::{Described, Run, Trail, TrailStep, Unreached};
use spinor_ts::{Fairness, Incomplete, Stats, Verdict, Violation};
use std::time::Duration;

/// How a property was checked.
#[derive(Clone, Copy, Debug)]
pub struct SearchInfo {
    /// Order of exploration.
    pub order: SearchOrder,
    /// Visited set; none if the search keeps none.
    pub store: Option<&'static str>,
    /// How cycles were looked for, if they were.
    pub cycles: Option<CycleSearch>,
    /// Whether chains of steps were merged.
    pub merging: bool,
    /// Whether some moves were left out (partial order reduction).
    pub reduction: bool,
    /// Small searches in place of one.
    pub swarm: Option<u32>,
    /// Preemptions that runs may have.
    pub context_bound: Option<u8>,
    /// Which infinite runs counted.
    pub fairness: Fairness,
    /// Threads used.
    pub threads: usize,
    /// The estimate that directed it, if one did.
    pub estimate: Option<EstimateInfo>,
    /// What executed the model in the end: `native` or `interpreter`.
    pub engine: &'static str,
    /// Time spent on generating code.
    pub compile_time: Duration,
    /// CPU time of the search, all threads together, if it could be measured.
    pub cpu_time: Option<Duration>,
}

impl SearchInfo {
    /// Before the search.
    pub(crate) fn of(setup: &Setup, config: &CheckConfig) -> Self {
        let needs_depths = config.max_depth.is_some() || config.shortest;
        SearchInfo {
            order: setup.order,
            store: match setup.order {
                _ if setup.cache_bytes.is_some() => Some("cache"),
                _ if setup.swarm.is_some() => Some(StoreKind::Bitstate.name()),
                SearchOrder::Stateless | SearchOrder::RandomWalk => None,
                SearchOrder::Ida if setup.store == StoreKind::Bitstate => Some("bitstate"),
                order if order.is_directed() => Some(StoreKind::Exact.name()),
                SearchOrder::Dfs if needs_depths => Some(StoreKind::Exact.name()),
                _ => Some(setup.store.name()),
            },
            cycles: setup.cycles,
            merging: false,
            reduction: false,
            swarm: setup.swarm,
            context_bound: config.context_bound,
            fairness: config.fairness,
            threads: setup.threads,
            estimate: None,
            engine: "interpreter",
            compile_time: Duration::ZERO,
            cpu_time: None,
        }
    }
}

/// A run in the program that was searched: what was merged is one step there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AsFound {
    /// Elementary steps.
    pub length: u64,
    /// Who takes them, and SPIN's number of the (first) statement.
    pub steps: Vec<TrailStep>,
    /// Whether some of them would be one for SPIN, which merges more.
    pub kept_apart: bool,
}

/// An error that was found and confirmed.
#[derive(Clone, Debug)]
pub struct ErrorReport {
    /// What is violated.
    pub violation: Violation,
    /// In words.
    pub described: Described,
    /// Elementary steps, as SPIN counts them.
    pub length: u64,
    /// How often it occurred in the search.
    pub occurrences: u64,
    /// Elementary steps up to the cycle, if the run is infinite.
    pub cycle_start: Option<u64>,
    /// The run.
    pub run: Run,
    /// The run to be kept in a file, but for its steps.
    pub trail: Trail,
    /// The how manieth error of the search it was, from 1.
    pub number: u64,
    /// The run as it was found, if that was asked for and steps were merged.
    pub as_found: Option<AsFound>,
}

/// The answer about one property.
#[derive(Clone, Debug)]
pub struct PropertyReport {
    /// Which.
    pub property: Property,
    /// The answer.
    pub verdict: Verdict,
    /// Whether everything was seen.
    pub complete: bool,
    /// Why not everything was seen, one sentence each.
    pub limits: Vec<String>,
    /// The same, for programs.
    pub incomplete: Vec<Incomplete>,
    /// The user interrupted it.
    pub interrupted: bool,
    /// How.
    pub search: SearchInfo,
    /// Figures.
    pub stats: Stats,
    /// One per violation (kind and place), in the order of discovery.
    pub errors: Vec<ErrorReport>,
    /// Occurrences of all violations.
    pub error_count: u64,
    /// Statements never executed; only known after a complete search.
    pub unreached: Option<Vec<Unreached>>,
    /// Which statements were executed, by [`StmtId`](spinor_program::StmtId).
    pub executed: Vec<bool>,
    /// What the user should know.
    pub notes: Vec<String>,
}
