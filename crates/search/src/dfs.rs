//! Depth-first search over a visited set: the book's Figures 8.1 and 8.2, and with
//! a bound Figure 8.4.

use crate::SearchConfig;
use crate::closed::{Arrival, Closed, Handle};
use crate::cut::Cuts;
use crate::descent::descend;
use crate::run::Run;
use spinor_store::{DepthTable, StateId, Visited};
use spinor_ts::{Depth, Observer, Outcome, TransitionSystem};

/// Searches depth first, events in the order given, as SPIN does.
///
/// `visited` has to be empty. A complete search stores every reachable state.
/// Under a bound, and with [`SearchConfig::revisit_shallower`], a state that is
/// reached again by a shorter run is searched again: it counts neither as stored
/// nor as matched then.
pub fn depth_first<T: TransitionSystem, V: Visited>(
    system: &mut T,
    visited: &mut V,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    debug_assert!(visited.is_empty(), "a search starts with nothing visited");
    let depths = config.needs_depths().then(DepthTable::new);
    descend(system, VisitedStates { visited, depths, cuts: Cuts::default() }, config, observer)
}

/// States are closed for good, or until a shorter run to them is found.
struct VisitedStates<'v, V> {
    visited: &'v mut V,
    /// Smallest depths, if they matter.
    depths: Option<DepthTable>,
    cuts: Cuts,
}

impl<V: Visited> Closed for VisitedStates<'_, V> {
    const STORES: bool = true;

    #[inline]
    fn hash(&self, key: &[u8]) -> u64 {
        self.visited.hash(key)
    }

    #[inline]
    fn prefetch(&self, hashes: &[u64]) {
        hashes.iter().for_each(|hash| self.visited.prefetch(*hash));
        hashes.iter().for_each(|hash| self.visited.prefetch_state(*hash));
    }

    #[inline]
    fn arrive(&mut self, key: &[u8], hash: u64, depth: Depth) -> Arrival {
        let inserted = self.visited.insert_hashed(key, hash);
        let id = inserted.id;
        let Some(depths) = &mut self.depths else {
            return if inserted.is_new { Arrival::New(id.0) } else { Arrival::Known };
        };
        if inserted.is_new {
            depths.push(depth);
            Arrival::New(id.0)
        } else if depth < depths.get(id) {
            depths.set(id, depth);
            self.cuts.unmark(id);
            Arrival::Shorter(id.0)
        } else {
            Arrival::Known
        }
    }

    fn state(&self, handle: Handle, out: &mut Vec<u8>) {
        self.visited.get(StateId(handle), out);
    }

    fn cut_successor(&mut self, from: Handle, key: &[u8]) {
        if self.visited.find(key).is_none() {
            self.cuts.mark(StateId(from));
        }
    }

    fn cut_violation(&mut self, from: Handle) {
        if self.depths.is_some() {
            self.cuts.mark(StateId(from));
        } else {
            self.cuts.set_certain();
        }
    }

    fn is_cut<T: TransitionSystem>(&self, system: &mut T, run: &Run, stopped: bool) -> bool {
        if run.tells_all_cuts() {
            return self.cuts.ever();
        }
        if stopped {
            return self.cuts.any();
        }
        self.cuts.hide(system, self.visited, |id, violation, steps| {
            let depth = |table: &DepthTable| table.get(id) + Depth::from(steps);
            let depth = self.depths.as_ref().map(depth);
            !run.ignores(violation) && depth.is_some_and(|depth| run.hides_violation(depth))
        })
    }

    fn is_full(&self) -> bool {
        crate::run::is_nearly_full(self.visited)
    }

    fn bytes_used(&self) -> (u64, u64) {
        let depths = self.depths.as_ref().map_or(0, DepthTable::bytes_used);
        (self.visited.bytes_used(), depths + self.cuts.bytes_used())
    }
}
