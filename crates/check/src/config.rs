//! What is asked of a check.

use spinor_heuristic::Heuristic;
use spinor_ts::{Fairness, ViolationKind};
use std::collections::BTreeSet;
use std::time::Duration;

/// Orders of exploration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchOrder {
    /// Depth first, as SPIN does.
    Dfs,
    /// Breadth first: the first error is a shortest one.
    Bfs,
    /// Depth first without a visited set.
    Stateless,
    /// The state with the best estimate first.
    BestFirst,
    /// A*: the state with the best sum of depth and estimate first.
    Astar,
    /// The same with a weight on the estimate.
    Wastar,
    /// IDA*: depth first under growing bounds on that sum.
    Ida,
    /// Breadth first, the states with the best estimates only.
    Beam,
    /// Runs chosen by chance.
    RandomWalk,
}

impl SearchOrder {
    /// As on the command line and in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SearchOrder::Dfs => "dfs",
            SearchOrder::Bfs => "bfs",
            SearchOrder::Stateless => "stateless",
            SearchOrder::BestFirst => "best-first",
            SearchOrder::Astar => "astar",
            SearchOrder::Wastar => "wastar",
            SearchOrder::Ida => "ida",
            SearchOrder::Beam => "beam",
            SearchOrder::RandomWalk => "random-walk",
        }
    }

    /// Whether it follows an estimate.
    #[must_use]
    pub fn is_directed(self) -> bool {
        use SearchOrder::{Astar, Beam, BestFirst, Ida, Wastar};
        matches!(self, BestFirst | Astar | Wastar | Ida | Beam)
    }

    /// Whether its first error is a shortest one if the estimate is never too large.
    #[must_use]
    pub fn is_optimal(self) -> bool {
        matches!(self, SearchOrder::Astar | SearchOrder::Ida)
    }
}

/// Representations of the visited set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StoreKind {
    /// Dictionaries of the parts of states: exact and small.
    Tree,
    /// All bytes of all states.
    Exact,
    /// Tuples of the numbers of processes, channels and globals: exact.
    Collapse,
    /// The smallest automaton that accepts all states: exact, smallest, slow.
    Automaton,
    /// A 64-bit hash of each state: may miss states.
    HashCompact,
    /// A few bits for each state: may miss states.
    Bitstate,
    /// Exact as long as the memory lasts, then lossy.
    Auto,
}

impl StoreKind {
    /// As on the command line and in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            StoreKind::Tree => "tree",
            StoreKind::Exact => "exact",
            StoreKind::Collapse => "collapse",
            StoreKind::Automaton => "automaton",
            StoreKind::HashCompact => "hash-compact",
            StoreKind::Bitstate => "bitstate",
            StoreKind::Auto => "auto",
        }
    }
}

/// Ways to look for accepting cycles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CycleSearch {
    /// Nested depth-first search.
    Ndfs,
    /// The same, improved by what is known of the components of the claim.
    Indfs,
    /// Strongly connected components.
    Scc,
}

impl CycleSearch {
    /// As on the command line and in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            CycleSearch::Ndfs => "ndfs",
            CycleSearch::Indfs => "indfs",
            CycleSearch::Scc => "scc",
        }
    }
}

/// What executes the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EngineKind {
    /// The interpreter at first, native code as soon as it is ready.
    #[default]
    Auto,
    /// Native code from the first state on.
    Native,
    /// The reference interpreter.
    Interpreter,
}

/// Ways to search less that can be switched off.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Pass {
    /// Partial order reduction.
    Reduction,
    /// Chains of steps of one process become one.
    Merging,
    /// Local variables that will not be read again become 0.
    DeadVariables,
    /// Global variables that are never read are not kept.
    WriteOnly,
}

impl Pass {
    /// All of them.
    pub const ALL: [Pass; 4] =
        [Pass::Reduction, Pass::Merging, Pass::DeadVariables, Pass::WriteOnly];
}

/// What is done otherwise to answer as SPIN does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Customs {
    /// Look at finite runs only, although the claim has `accept` labels.
    pub finite_only: bool,
    /// Failed assertions are errors whatever the property is.
    pub asserts_count: bool,
    /// Report each error, not one of each kind and place.
    pub every_error: bool,
    /// Report runs also as they were found ([`AsFound`](crate::AsFound)), and no shorter ones.
    pub as_found: bool,
    /// A state that was seen is not searched again at a smaller depth.
    pub first_depth_counts: bool,
    /// The step at the bound on the depth is tried, in case it goes wrong.
    pub errors_beyond: bool,
}

/// Properties, search and limits of a check.
#[derive(Clone, Debug, Default)]
pub struct CheckConfig {
    /// Names of the properties asked for; empty: all that the model declares.
    pub properties: Vec<String>,
    /// LTL formulas given beside the model.
    pub formulas: Vec<String>,
    /// Leave out the claims and `ltl` blocks of the model.
    pub no_claim: bool,
    /// Violations that are no errors.
    pub ignore: BTreeSet<ViolationKind>,
    /// Order of exploration; chosen if it is not given.
    pub order: Option<SearchOrder>,
    /// Longest run to try, in elementary steps.
    pub max_depth: Option<u64>,
    /// Insist on a shortest counterexample.
    pub shortest: bool,
    /// Stop at this many errors; 0: find all.
    pub max_errors: u64,
    /// Bound on the memory of a search.
    pub memory_limit_bytes: Option<u64>,
    /// Bound on the time of all searches together.
    pub time_limit: Option<Duration>,
    /// Threads; all cores if it is not given.
    pub threads: Option<usize>,
    /// Visited set; chosen if it is not given.
    pub store: Option<StoreKind>,
    /// Which infinite runs count.
    pub fairness: Fairness,
    /// How to look for cycles; chosen if it is not given.
    pub cycles: Option<CycleSearch>,
    /// What executes the model.
    pub engine: EngineKind,
    /// What is switched off.
    pub disabled: BTreeSet<Pass>,
    /// Binary logarithm of the number of bits of a bitstate store.
    pub bits: Option<u32>,
    /// Bits per state of a bitstate store.
    pub hash_functions: Option<u32>,
    /// What is done otherwise.
    pub customs: Customs,
    /// What directs a directed search.
    pub guidance: Guidance,
    /// Another hash function for each number.
    pub hash_seed: u64,
    /// So many small bitstate searches in place of one search.
    pub swarm: Option<u32>,
    /// Depth first, with a cache of visited states of so many bytes.
    pub cache_bytes: Option<u64>,
    /// Only runs with so many preemptions.
    pub context_bound: Option<u8>,
}

/// What directs a directed search.
#[derive(Clone, Debug, Default)]
pub struct Guidance {
    /// The estimate; chosen from the property if it is not given.
    pub heuristic: Option<Heuristic>,
    /// Hundredths of the estimate that weighted A* adds to the depth.
    pub weight: Option<u32>,
    /// States of a level that beam search keeps.
    pub beam_width: Option<usize>,
    /// Labels of dangerous locations, beside those that begin with `danger`.
    pub danger: Vec<String>,
    /// The run whose last state is to be reached, as numbers of events.
    pub target: Option<Vec<u32>>,
    /// Rounds with other hash functions after partial IDA* has found nothing.
    pub restarts: Option<u32>,
    /// Seed of random walks.
    pub seed: u64,
}
