//! Directed searches: an estimate says which states to look at first.
//!
//! After S. Edelkamp, S. Leue and A. Lluch-Lafuente, *Directed explicit-state model checking in
//! the validation of communication protocols* (2003). There `g` is the length of the run to a
//! state, `h` the estimate, `f` the rank; lengths are elementary steps here.
//!
//! - `best`: best-first search, A* and weighted A*, one loop over a queue by rank (`open`)
//!   and a table of the states met (`table`); a `team` of threads may do the expanding.
//! - `ida`: IDA* with a transposition table, and partial IDA* over bits.
//! - `beam`: breadth first, but of every level only the best.
//! - `cycles`: A* to where cycles can be, nested search there.
//! - `walk`: random walks, which need no estimate.
//!
//! Invariants
//! - States without hope are put last, not left out: a search that ends has seen everything,
//!   unless it says otherwise.
//! - With an estimate that is never too large, the first error of A* and IDA* is a shortest one.

mod beam;
mod best;
mod cycles;
mod ida;
mod open;
mod table;
mod team;
mod walk;

#[cfg(test)]
mod tests;

pub use beam::beam;
pub use best::{Ranking, best_first, parallel_best_first};
pub use cycles::directed_nested;
pub use ida::{IdaTable, iterative_deepening};
pub use walk::random_walk;

use spinor_ts::Outcome;

/// What a directed search returns.
#[derive(Clone, Debug, Default)]
pub struct Directed {
    /// As every search.
    pub outcome: Outcome,
    /// What the others do not have.
    pub figures: DirectedFigures,
}

/// Figures of a directed search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DirectedFigures {
    /// Smallest and largest estimate met.
    pub range: Option<(u32, u32)>,
    /// States that were expanded once more because a shorter run to them was found.
    pub reopened: u64,
    /// Rounds of a search that deepens; of A*, what was expanded when the least rank grew.
    pub iterations: Vec<Iteration>,
}

impl DirectedFigures {
    fn note(&mut self, estimate: u32) {
        let (least, most) = self.range.unwrap_or((estimate, estimate));
        self.range = Some((least.min(estimate), most.max(estimate)));
    }
}

/// A round of a search that deepens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// No state of a greater rank was entered.
    pub limit: u64,
    /// States expanded.
    pub expanded: u64,
}
