//! What is asked of a check.

use spinor_ts::ViolationKind;
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
}

impl SearchOrder {
    /// As on the command line and in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SearchOrder::Dfs => "dfs",
            SearchOrder::Bfs => "bfs",
            SearchOrder::Stateless => "stateless",
        }
    }
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
    /// Threads asked for.
    pub threads: Option<usize>,
}
