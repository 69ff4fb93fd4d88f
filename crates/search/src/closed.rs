//! The states that a depth-first search does not enter again.

use spinor_ts::{Depth, TransitionSystem};

use crate::run::Run;

/// Names a state that was entered, to the closed set that entered it.
pub(crate) type Handle = u32;

/// What an arrival means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arrival {
    /// A state to enter.
    New(Handle),
    /// A state to enter once more: this run to it is shorter.
    Shorter(Handle),
    /// A state not to enter.
    Known,
}

/// The book's `V` (or `D`, in the stateless search).
pub(crate) trait Closed {
    /// Whether entered states stay known for good.
    const STORES: bool;

    /// The hash to be given along with `key`.
    fn hash(&self, key: &[u8]) -> u64;

    /// States will be asked for soon.
    fn prefetch(&self, _hashes: &[u64]) {}

    /// A run of length `depth` arrives at a state.
    fn arrive(&mut self, key: &[u8], hash: u64, depth: Depth) -> Arrival;

    /// The state entered last, of those not left yet, is left.
    fn leave(&mut self) {}

    /// The bytes of a state that was entered.
    fn state(&self, handle: Handle, out: &mut Vec<u8>);

    /// A successor of `from` lies beyond the bound.
    fn cut_successor(&mut self, from: Handle, key: &[u8]);

    /// A violation of `from` lies beyond the bound.
    fn cut_violation(&mut self, from: Handle);

    /// Whether the bound hid anything; exact after a search that was not stopped.
    fn is_cut<T: TransitionSystem>(&self, system: &mut T, run: &Run, stopped: bool) -> bool;

    /// Whether another state can be entered.
    fn is_full(&self) -> bool;

    /// Memory of the visited set, and of all else.
    fn bytes_used(&self) -> (u64, u64);
}
