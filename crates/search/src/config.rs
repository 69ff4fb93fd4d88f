//! What is asked of a search.

use spinor_ts::{Depth, ViolationKind};
use std::collections::BTreeSet;
use std::time::Duration;

/// The choices that all searches share.
#[derive(Clone, Debug)]
pub struct SearchConfig {
    /// Longest run to try, in elementary steps: every error of at most this
    /// length is found, no longer one is.
    pub max_depth: Option<Depth>,
    /// Breadth first goes by moves: an atomic sequence or a rendezvous is one, as is a single
    /// step. Faster, but the first error need not be a shortest one where moves take
    /// several steps. Not for bounded searches, nor where states have hidden bytes.
    pub by_moves: bool,
    /// Breadth first does not go on from states that do not lie
    /// [outside](spinor_ts::TransitionSystem::lies_outside).
    pub only_outside: bool,
    /// Stop at this many errors; 0: find all.
    pub max_errors: u64,
    /// Kinds of violations that are no errors.
    pub ignore: BTreeSet<ViolationKind>,
    /// Stop when visited set, frontier and side tables need this much.
    pub memory_limit_bytes: Option<u64>,
    /// Stop after this time.
    pub time_limit: Option<Duration>,
    /// After an error go on for shorter ones only, until there is none. The
    /// errors of the outcome are then ordered by length. Overrides `max_errors`.
    pub shorten: bool,
    /// Keep the path of every error, not of one per violation.
    pub every_error: bool,
    /// Search a state again when it is reached by a shorter run than before, if
    /// there is a bound (or `shorten`, which sets one). Without it a bound is
    /// cheaper but can hide errors, as SPIN's does unless compiled with `REACH`.
    pub revisit_shallower: bool,
    /// Where runs are cut the next step is tried for what goes wrong in it, as SPIN does.
    pub errors_beyond: bool,
    /// A depth-first search keeps untried successors up to this size and
    /// generates those beyond it, deep down in the stack, a second time.
    pub stack_buffer_bytes: usize,
}

impl Default for SearchConfig {
    fn default() -> Self {
        Self {
            max_depth: None,
            by_moves: false,
            only_outside: false,
            max_errors: 1,
            ignore: BTreeSet::new(),
            memory_limit_bytes: None,
            time_limit: None,
            shorten: false,
            every_error: false,
            revisit_shallower: true,
            errors_beyond: false,
            stack_buffer_bytes: 64 << 20,
        }
    }
}

impl SearchConfig {
    /// Whether runs may be cut at some depth.
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        self.max_depth.is_some() || self.shorten
    }

    /// Whether the smallest depth of each state matters.
    pub(crate) fn needs_depths(&self) -> bool {
        self.revisit_shallower && self.is_bounded()
    }
}
