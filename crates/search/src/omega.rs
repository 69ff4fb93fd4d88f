//! Infinite runs: searches for cycles that are accepting and fair.
//!
//! Layout: `components` is the search by strongly connected components, `nested` the
//! nested depth-first search, over `copies` of the system where it needs them,
//! `parallel` the same by threads (`blue` is one of them, `board` what they share); a `judge` says
//! which cycles are wanted; `shorten` builds lassos, on a `part` of the graph that is
//! generated a second time.

mod blue;
mod board;
mod collapsed;
mod components;
mod copies;
mod judge;
mod key_map;
mod live;
mod marking;
mod marks;
mod nested;
mod numbering;
mod parallel;
mod part;
mod red;
mod refine;
mod roots;
mod routes;
mod second;
mod shorten;
#[cfg(test)]
mod tests;
mod trail;
mod word_marks;

pub use collapsed::CollapsedStates;
pub use components::{components, components_behind};
pub use copies::{layout_of_copies, needs_copies};
pub(crate) use judge::Lasso;
pub use judge::{LassoFlaw, check_lasso};
pub use marking::{HashedMarks, Look, Marking, NumberedMarks};
pub use nested::{improved_nested, nested_depth_first};
pub use numbering::{ExactStates, KeyedStates, Numbering};
pub use parallel::parallel_nested;
pub use word_marks::WordMarks;
