//! What a search returns.

use crate::Violation;
use std::time::Duration;

/// Depth of a state in elementary steps.
pub type Depth = u64;

/// A run as the numbers of the events taken, from the initial state on. The
/// last event of an error's path is the violation itself.
pub type Path = Vec<u32>;

/// Figures of a search, in SPIN's terms.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// Distinct states.
    pub stored: u64,
    /// Arrivals at a state that was stored already.
    pub matched: u64,
    /// `stored + matched`: the initial state counts as one.
    pub transitions: u64,
    /// States whose successors were generated (a state can be expanded twice).
    pub expanded: u64,
    /// States on the way from one stored state to another, as often as they were passed.
    pub passed: u64,
    /// Steps inside atomic sequences.
    pub atomic_steps: u64,
    /// Longest run tried.
    pub depth_reached: Depth,
    /// Size of the largest state.
    pub state_bytes: u64,
    /// Memory of the visited set.
    pub store_bytes: u64,
    /// States that a lossy visited set is expected to have missed; `None` if it is exact.
    pub expected_omitted: Option<f64>,
    /// Bits of the visited set per stored state, if it is a set of bits.
    pub hash_factor: Option<f64>,
    /// Memory of visited set, frontier and side tables at their largest.
    pub peak_memory_bytes: u64,
    /// Time spent.
    pub search_time: Duration,
}

/// Why a search did not see everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incomplete {
    /// Runs longer than the depth bound were cut.
    Depth(Depth),
    /// The memory limit was reached.
    Memory(u64),
    /// The time limit was reached.
    Time(Duration),
    /// The user interrupted it.
    Interrupted,
    /// It stopped at the wanted number of errors.
    ErrorLimit(u64),
    /// The method cannot see everything (for the reader: which and why).
    Method(String),
}

/// An error that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundError {
    /// What is violated.
    pub violation: Violation,
    /// How to get there.
    pub path: Path,
    /// Elementary steps of the path.
    pub length: Depth,
    /// If the path is a lasso: so many events lead to the state that the last event
    /// returns to. All events of such a path are successors.
    pub cycle_start: Option<usize>,
    /// How often this violation (same kind and site) occurred in the search.
    pub occurrences: u64,
    /// The how manieth error of the search it was, from 1.
    pub number: u64,
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Figures.
    pub stats: Stats,
    /// Empty: everything was seen.
    pub incomplete: Vec<Incomplete>,
    /// One entry per violation (kind and site), in the order of discovery.
    pub errors: Vec<FoundError>,
    /// Occurrences of all violations.
    pub error_count: u64,
}

/// The three answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// No error, and everything was seen.
    Holds,
    /// An error.
    Violated,
    /// No error in what was seen, but not everything was seen.
    Incomplete,
}

impl Outcome {
    /// The answer.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        if !self.errors.is_empty() {
            Verdict::Violated
        } else if self.incomplete.is_empty() {
            Verdict::Holds
        } else {
            Verdict::Incomplete
        }
    }
}

/// Whether a search goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// Yes.
    Continue,
    /// No: the user interrupted it.
    Interrupt,
}

/// Looks on while a search runs; called every few thousand states.
pub trait Observer {
    /// Shows the figures so far and says whether to go on.
    fn progress(&mut self, stats: &Stats) -> Control;
}

/// An observer that does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct SilentObserver;

impl Observer for SilentObserver {
    fn progress(&mut self, _stats: &Stats) -> Control {
        Control::Continue
    }
}
