//! Breadth first in an exact store as long as there is memory for it, then in a
//! lossy one.
//!
//! The change happens wherever the search happens to be: workers leave off after a batch,
//! so every state is known, or waits, or is expanded. All known states are put into
//! the new store, what waits is written down as bytes, and the search goes on. Runs are
//! not affected: the lineage knows no states.

use crate::SearchConfig;
use crate::frontier::{Chunk, Frontier, Grain};
use crate::level_board::Board;
use crate::level_candidates::{Candidates, Waiting};
use crate::level_worker::{Left, Worker};
use crate::levels::Levels;
use crate::run::{Run, Stop};
use spinor_store::{LongTree, Store, Tree, WideTree};
use spinor_ts::{Depth, Incomplete, Observer, Outcome, TransitionSystem};

/// States put into the new store between two looks at the limits.
const STRIDE: u64 = 1 << 16;

/// A store whose states can be listed.
pub trait Walk: Store {
    /// Calls `visit` with every state, in no particular order.
    fn for_each_state(&self, visit: &mut dyn FnMut(&[u8]));
}

impl Walk for Tree {
    fn for_each_state(&self, visit: &mut dyn FnMut(&[u8])) {
        Tree::for_each_state(self, visit);
    }
}

impl Walk for LongTree {
    fn for_each_state(&self, visit: &mut dyn FnMut(&[u8])) {
        LongTree::for_each_state(self, visit);
    }
}

impl Walk for WideTree {
    fn for_each_state(&self, visit: &mut dyn FnMut(&[u8])) {
        WideTree::for_each_state(self, visit);
    }
}

/// Searches breadth first as [`parallel_breadth_first`](crate::parallel_breadth_first), and
/// if half of the memory limit is used up goes on in a lossy store, which `make` is
/// to make for the given number of bytes. References to states of that mean nothing.
pub fn breadth_first_auto<T, S, L>(
    systems: &mut [T],
    store: S,
    make: impl FnOnce(u64) -> L,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome
where
    T: TransitionSystem + Send,
    S: Walk,
    L: Store<Ref: Default>,
{
    search(systems, store, make, config, observer, Grain::default())
}

/// The same, with the work divided as wanted.
pub(crate) fn search<T, S, L>(
    systems: &mut [T],
    store: S,
    make: impl FnOnce(u64) -> L,
    config: &SearchConfig,
    observer: &mut dyn Observer,
    grain: Grain,
) -> Outcome
where
    T: TransitionSystem + Send,
    S: Walk,
    L: Store<Ref: Default>,
{
    let board = Board::new(systems.len(), grain);
    let mut run = Run::new(config, observer);
    // Both stores are there while states go from one to the other.
    if let Some(limit) = config.memory_limit_bytes {
        run.set_memory_limit(limit / 2);
    }
    let mut levels = match Levels::begin(systems, &store, config, &board, &mut run) {
        Ok(levels) => levels,
        Err(stop) => {
            let memory = board.sum(&mut run.stats, store.bytes_used());
            return run.finish(stop.into_iter().collect(), memory);
        }
    };
    let limit = match (levels.search(&mut run, &mut |_, _| Ok(())), config.memory_limit_bytes) {
        (Err(Incomplete::Memory(_)), Some(limit)) => limit,
        (result, _) => return levels.finish(run, result.err()),
    };
    let lossy = make(limit / 8 * 3);
    run.set_memory_limit(limit);
    if let Err(stop) = pour(&store, &lossy, &board, &mut run) {
        return levels.finish(run, Some(stop));
    }
    let why = format!(
        "after {} states the memory was too short for the {} store: the search went on in the {} store",
        run.stats.stored,
        store.name(),
        lossy.name()
    );
    let mut levels = levels.change_to(&lossy);
    drop(store);
    let stop = levels.search(&mut run, &mut |_, _| Ok(())).err();
    let mut outcome = levels.finish(run, stop);
    outcome.incomplete.push(Incomplete::Method(why));
    outcome
}

/// Puts all states of one store into another.
fn pour<S: Walk, L: Store>(store: &S, lossy: &L, board: &Board, run: &mut Run) -> Result<(), Stop> {
    let mut local = lossy.local();
    let mut count = 0_u64;
    let mut checked = Ok(());
    store.for_each_state(&mut |state| {
        if checked.is_err() {
            return;
        }
        lossy.set_origin(&mut local, state);
        let key = lossy.key(&mut local, state);
        lossy.insert(&mut local, key, state);
        count += 1;
        if count.is_multiple_of(STRIDE) {
            let memory = board.sum(&mut run.stats, store.bytes_used() + lossy.bytes_used());
            checked = run.check(memory);
        }
    });
    lossy.quiesce();
    checked
}

impl<'a, 's, T: TransitionSystem + Send, S: Store> Levels<'a, 's, T, S> {
    /// The same search in another store, which has all states of this one.
    fn change_to<'l, L: Store<Ref: Default>>(self, lossy: &'l L) -> Levels<'a, 'l, T, L> {
        let mut mover = Mover {
            from: self.store,
            from_local: self.store.local(),
            to: lossy,
            to_local: lossy.local(),
            hidden: self.chief.system.hidden_bytes(),
            state: Vec::new(),
        };
        let depth = self.depth;
        let (mut settling, mut current) = (Vec::new(), Vec::new());
        let (mut chief, left) = self.chief.change_store(lossy);
        // Nothing else is there yet.
        for list in &self.settling {
            mover.list(list, depth, depth, &mut chief.waiting);
        }
        chief.waiting.take(depth, &mut settling);
        for chunk in &self.current {
            mover.chunk(chunk, &mut chief.frontier);
        }
        chief.frontier.take(&mut current);
        let mut unpack = |mut worker: Box<Worker<'a, 'l, T, L>>, left: Left<S>| {
            mover.left(left, depth, &mut worker);
            worker
        };
        let chief = unpack(chief, left);
        let helpers = self.helpers.into_iter().map(|helper| {
            let (helper, left) = helper.change_store(lossy);
            unpack(helper, left)
        });
        let mut levels = Levels::new(lossy, self.board, chief, helpers.collect());
        levels.depth = depth;
        levels.settling = settling;
        levels.is_settled = self.is_settled;
        levels.current = current;
        levels
    }
}

/// Writes down states of one store for another.
struct Mover<'s, 'l, S: Store, L: Store> {
    from: &'s S,
    from_local: S::Local,
    to: &'l L,
    to_local: L::Local,
    hidden: usize,
    state: Vec<u8>,
}

impl<S: Store, L: Store<Ref: Default>> Mover<'_, '_, S, L> {
    fn left<T: TransitionSystem>(
        &mut self,
        mut left: Left<S>,
        now: Depth,
        worker: &mut Worker<'_, '_, T, L>,
    ) {
        let mut chunks = Vec::new();
        left.frontier.take(&mut chunks);
        chunks.iter().for_each(|chunk| self.chunk(chunk, &mut worker.frontier));
        for (depth, lists) in left.waiting.take_all(now) {
            lists.iter().for_each(|list| self.list(list, now, depth, &mut worker.waiting));
        }
        worker.publish();
    }

    fn chunk(&mut self, chunk: &Chunk<S::Ref>, into: &mut Frontier<L::Ref>) {
        for index in chunk.next..chunk.len() {
            chunk.load(index, self.from, &mut self.from_local, self.hidden, &mut self.state);
            into.push(chunk.first + index as u64, L::Ref::default(), &self.state);
        }
    }

    fn list(
        &mut self,
        list: &Candidates<S::Key>,
        now: Depth,
        depth: Depth,
        into: &mut Waiting<L::Key>,
    ) {
        let state = &mut self.state;
        for (key, origin, part) in (list.next..list.len()).map(|index| list.get(index)) {
            if S::KEY_IS_STATE {
                self.from.load_key(&mut self.from_local, key, state);
            } else {
                state.clear();
            }
            state.extend_from_slice(part);
            let bytes = &state[..state.len() - self.hidden];
            self.to.set_origin(&mut self.to_local, bytes);
            let key = self.to.key(&mut self.to_local, bytes);
            into.push(now, depth, key, origin, state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::breadth_first;
    use crate::toy::{Graph, Grid, replay, violations};
    use crate::toy_store::ToyStore;
    use spinor_store::{Bitstate, ExactStore, HashCompact};
    use spinor_ts::{Layout, SilentObserver, Verdict};
    use std::sync::Arc;

    impl<const KEPT: usize> Walk for ToyStore<KEPT> {
        fn for_each_state(&self, visit: &mut dyn FnMut(&[u8])) {
            self.states().iter().for_each(|state| visit(state));
        }
    }

    fn on<const KEPT: usize>(graph: &Graph, threads: usize, config: &SearchConfig) -> Outcome {
        let mut systems = vec![graph.clone(); threads];
        let grain = Grain { chunk: 3, list: 2, share: 1 };
        let make = |_| ToyStore::<0>::default();
        let store = ToyStore::<KEPT>::default();
        search(&mut systems, store, make, config, &mut SilentObserver, grain)
    }

    /// The second store is exact as well here, so nothing must be different.
    #[test]
    fn changing_the_store_changes_nothing() {
        let mut changes = 0;
        for seed in 0..300 {
            let mut random = fastrand::Rng::with_seed(seed);
            let max_steps = *random.choice(&[1, 3, 20]).expect("there are some");
            let states = random.u32(100..400);
            let mut graph = Graph::random(&mut random, states, max_steps);
            graph.has_hidden = random.bool();
            let max_depth = random.bool().then(|| random.u64(..30));
            let config = SearchConfig { max_errors: 0, max_depth, ..SearchConfig::default() };
            let plain =
                breadth_first(&mut graph, &mut ExactStore::new(), &config, &mut SilentObserver);
            // A state of the first store takes 40 bytes.
            let limit = Some(random.u64(1..50_000));
            let config = SearchConfig { memory_limit_bytes: limit, ..config };
            let threads = random.usize(1..4);
            let outcomes = [on::<1>(&graph, threads, &config), on::<2>(&graph, threads, &config)];
            for outcome in outcomes {
                if outcome.incomplete.iter().any(|why| matches!(why, Incomplete::Memory(_))) {
                    continue;
                }
                let is_changed = outcome.stats.hash_factor.is_some();
                let methods = outcome.incomplete.iter();
                let methods = methods.filter(|why| matches!(why, Incomplete::Method(_))).count();
                assert_eq!(methods, if is_changed { 2 } else { 0 }, "seed {seed}");
                changes += u32::from(is_changed);
                let figures = |outcome: &Outcome| {
                    let stats = &outcome.stats;
                    [stats.stored, stats.expanded, stats.transitions, outcome.error_count]
                };
                if !graph.has_hidden {
                    assert_eq!(figures(&outcome), figures(&plain), "seed {seed}");
                }
                assert_eq!(outcome.stats.stored, plain.stats.stored);
                assert_eq!(violations(&outcome.errors), violations(&plain.errors));
                outcome.errors.iter().for_each(|error| replay(&mut graph, error));
            }
        }
        assert!(changes > 50, "{changes}");
    }

    #[test]
    fn from_a_tree_to_hashes_or_bits() {
        fn tree() -> Tree {
            let layout = Layout { prefix: 0, ends: vec![2, 4, 6], seams: Vec::new() };
            Tree::new(Arc::new(move |_: &[u8]| layout.clone()), &[])
        }
        let grid = Grid { counters: 6, max: 8 };
        let limit = Some(8_000_000);
        let config = SearchConfig { memory_limit_bytes: limit, ..SearchConfig::default() };
        let mut systems = vec![grid; 2];
        let silent = &mut SilentObserver;
        let bits = |bytes: u64| Bitstate::new(bytes.next_power_of_two() / 2 * 8, 3);
        let outcome = breadth_first_auto(&mut systems, tree(), bits, &config, silent);
        assert_eq!(outcome.verdict(), Verdict::Incomplete);
        assert!(outcome.stats.hash_factor.is_some() && outcome.incomplete.len() == 2);
        let stored = outcome.stats.stored;
        assert!((530_000..=531_441).contains(&stored), "{stored}");
        assert!(outcome.stats.peak_memory_bytes < 16_000_000);
        let hashes = |_| HashCompact::new();
        let outcome = breadth_first_auto(&mut systems, tree(), hashes, &config, silent);
        assert!(outcome.stats.expected_omitted.is_some());
        // Without a limit there is no reason to change.
        let config = SearchConfig::default();
        let outcome = breadth_first_auto(&mut systems, tree(), hashes, &config, silent);
        assert_eq!((outcome.verdict(), outcome.stats.stored), (Verdict::Holds, 531_441));
    }
}
