//! Infinite runs: searches for cycles that are accepting and fair.
//!
//! Layout: `components` is the search by strongly connected components; a `judge` says
//! which cycles are wanted; `shorten` builds lassos, on a `part` of the graph that is
//! generated a second time.

mod components;
mod judge;
mod live;
mod marks;
mod numbering;
mod part;
mod refine;
mod roots;
mod routes;
mod shorten;
#[cfg(test)]
mod tests;
mod trail;

pub use components::components;
pub(crate) use judge::Lasso;
pub use judge::{LassoFlaw, check_lasso};
pub use numbering::{ExactStates, KeyedStates, Numbering};
