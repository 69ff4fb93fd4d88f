//! What a walk has at hand: frames, arrivals, and memory for them.

use crate::lineup::Lineup;
use crate::step::{Attempt, Effect};
use spinor_program::{LocId, Transition};

/// A process that is being tried in a state.
#[derive(Debug)]
pub(crate) struct Frame<'a, T> {
    pub lineup: &'a Lineup,
    pub pid: usize,
    pub timeout: bool,
    /// Inside an atomic sequence: the process goes on alone.
    pub exclusive: bool,
    /// Where the state lies in [`Buffers::states`], if exclusive.
    pub start: usize,
    pub end: usize,
    /// Frames there are up to this one.
    pub depth: usize,
    /// Elementary steps from the expanded state.
    pub steps: u32,
    /// The transitions not yet tried.
    pub next: u32,
    pub last: u32,
    /// The escape that was executable: it pre-empts everything after it.
    pub escape: LocId,
    pub moved: bool,
    /// Completed rendezvous not yet followed: so many of the last
    /// [arrivals](Buffers::arrivals), the next one last.
    pub arrivals: usize,
    pub trail: T,
    pub mark: usize,
}

/// A state that a process has just moved to.
#[derive(Debug)]
pub(crate) struct Arrival<T> {
    /// Where the state lies in [`Buffers::states`].
    pub start: usize,
    pub end: usize,
    pub pid: usize,
    pub atomic: bool,
    pub steps: u32,
    pub trail: T,
}

/// An attempt that is not just blocked and not just an event.
pub(crate) struct Unsettled<'a, T> {
    pub transition: &'a Transition,
    pub attempt: Attempt,
    pub trail: T,
}

/// Memory of a walk that the next one uses again.
#[derive(Debug)]
pub(crate) struct Buffers<T> {
    pub effect: Effect,
    /// The frames below the one at hand.
    pub frames: Vec<Frame<'static, T>>,
    pub arrivals: Vec<Arrival<T>>,
    /// States of exclusive frames and of arrivals.
    pub states: Vec<u8>,
    /// The state between the halves of a rendezvous.
    pub halfway: Vec<u8>,
}

impl<T> Default for Buffers<T> {
    fn default() -> Self {
        Buffers {
            effect: Effect::default(),
            frames: Vec::new(),
            arrivals: Vec::new(),
            states: Vec::new(),
            halfway: Vec::new(),
        }
    }
}

/// The memory of a list of frames for one of other frames: lifetimes apart they are
/// the same type.
pub(crate) fn recycled<'b, T>(mut frames: Vec<Frame<'_, T>>) -> Vec<Frame<'b, T>> {
    frames.clear();
    frames.into_iter().map(|_| unreachable!("the list is empty")).collect()
}
