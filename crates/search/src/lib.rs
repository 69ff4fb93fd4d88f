//! Searches: ways through the states of any [`TransitionSystem`].
//!
//! | function | order | remembers |
//! |---|---|---|
//! | [`depth_first`] | depth first, as the book's Figures 8.1 to 8.4 | every state |
//! | [`dive`] | the same, on a shared store, without bounds | every state |
//! | [`breadth_first`] | by elementary steps, Figure 8.6 | every state |
//! | [`parallel_breadth_first`] | the same, by several threads | every state |
//! | [`breadth_first_auto`] | the same | every state, from some point on most states |
//! | [`best_first`] | by an estimate, or by it and the depth (A*) | every state |
//! | [`iterative_deepening`] | depth first under a growing bound on both (IDA*) | every state, or bits |
//! | [`beam`] | by depth, the best states of each only | every state |
//! | [`random_walk`] | by chance | nothing |
//! | [`stateless`] | depth first, Figure 8.5 | the states of the current run |
//! | [`cached`] | the same | those and some more |
//! | [`swarm`] | depth first, many times, in different ways | some bits of every state |
//! | [`components`] | depth first, for cycles | every state |
//! | [`nested_depth_first`] | the same twice, Figure 8.7 | every state |
//! | [`improved_nested`] | the same, guided by the claim | every state |
//! | [`directed_nested`] | by an estimate, then the same inside components | every state |
//! | [`parallel_nested`] | the same, by several threads | every state |
//!
//! "The book" is G. J. Holzmann, *The SPIN Model Checker*. All searches share one
//! configuration, count alike and end in an [`Outcome`].
//!
//! Layout: `descent` is the depth-first loop, over a `closed` set that is either
//! the visited states or those of the current run; `run` is what all searches
//! do at every state: count, watch the limits, record what is found.
//!
//! [`TransitionSystem`]: spinor_ts::TransitionSystem
//! [`Outcome`]: spinor_ts::Outcome
//!
//! Invariants
//! - A search sees bytes, ids and event numbers, never a model.
//! - Nothing recurses: depth costs heap, a few bytes per state on the way.
//! - `incomplete` is empty only if every reachable state was expanded.

mod bfs;
mod bit_states;
mod buckets;
mod cached;
mod clock;
mod closed;
mod config;
mod context;
mod cut;
mod descent;
mod dfs;
mod directed;
mod dive;
mod dive_stack;
mod findings;
mod frontier;
mod later;
mod learning;
mod level_auto;
mod level_board;
mod level_candidates;
mod level_lates;
mod level_worker;
mod levels;
mod limits;
mod lineage;
mod link_table;
mod omega;
mod pending;
mod run;
mod sample;
mod shortcut;
mod stateless;
mod swarm;
mod workers;
mod worth;

#[cfg(test)]
mod dive_tests;
#[cfg(test)]
mod later_tests;
#[cfg(test)]
mod level_tests;
#[cfg(test)]
mod recall_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod toy;
#[cfg(test)]
mod toy_store;

pub use bfs::breadth_first;
pub use cached::cached;
pub use clock::thread_time;
pub use config::SearchConfig;
pub use context::ContextBounded;
pub use dfs::depth_first;
pub use directed::{
    Directed, DirectedFigures, IdaTable, Iteration, Ranking, beam, best_first, directed_nested,
    iterative_deepening, parallel_best_first, random_walk,
};
pub use dive::dive;
pub use level_auto::{Walk, breadth_first_auto};
pub use levels::parallel_breadth_first;
pub use omega::{
    CollapsedStates, ExactStates, HashedMarks, KeyedStates, LassoFlaw, Look, Marking,
    NumberedMarks, Numbering, WordMarks, check_lasso, components, components_behind,
    improved_nested, layout_of_copies, needs_copies, nested_depth_first, parallel_nested,
};
pub use sample::{Movers, is_local, movers, sample, share_of_new_moves, spread};
pub use stateless::stateless;
pub use swarm::{Swarm, swarm};
