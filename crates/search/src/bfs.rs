//! Breadth-first search: the book's Figure 8.6, by elementary steps.
//!
//! States are expanded in the order of their distance from the initial state
//! (Dijkstra's algorithm with a queue per depth, see `buckets`), and a violation
//! counts when its depth is reached, not when it is seen. So the first error
//! is a shortest one although successors are several steps away. A state that
//! waits and is reached by a shorter run moves to the lesser depth; its old place
//! in the queue is passed over.
//!
//! Invariants
//! - The depth of an expanded state is its distance.
//! - `parents` lead to the initial state by a shortest run. Event numbers are not
//!   kept: they follow from expanding the parents again.

use crate::SearchConfig;
use crate::buckets::{Bucket, Buckets, Late};
use crate::cut::Cuts;
use crate::limits::Memory;
use crate::run::{Run, Stop, is_nearly_full};
use spinor_store::{ChunkedVec, DepthTable, StateId, Visited};
use spinor_ts::{
    Depth, Event, EventKind, Expansion, Incomplete, Observer, Outcome, Path, TransitionSystem,
};

/// Searches breadth first.
///
/// `visited` has to be empty. A complete search stores the same states and counts
/// the same as [`depth_first`](crate::depth_first). With hidden bytes, a state is
/// expanded with those of the first shortest run to it.
pub fn breadth_first<T: TransitionSystem, V: Visited>(
    system: &mut T,
    visited: &mut V,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    debug_assert!(visited.is_empty(), "a search starts with nothing visited");
    let mut search = BreadthFirst {
        hidden_length: system.hidden_bytes(),
        system,
        visited,
        run: Run::new(config, observer),
        parents: ChunkedVec::new(),
        depths: DepthTable::new(),
        buckets: Buckets::default(),
        bucket_bytes: 0,
        batch_bytes: 0,
        cuts: Cuts::default(),
        batch: (0..BATCH).map(|_| Expanded::default()).collect(),
    };
    let stop = match search.run.initial(search.system) {
        Ok(state) => search.search(&state).err(),
        Err(stop) => stop,
    };
    search.finish(stop)
}

struct BreadthFirst<'a, T, V> {
    system: &'a mut T,
    visited: &'a mut V,
    run: Run<'a>,
    parents: ChunkedVec<StateId>,
    depths: DepthTable,
    buckets: Buckets,
    /// Memory of the bucket that is being worked off.
    bucket_bytes: u64,
    /// Memory of the expansions that are being worked off, if they are large.
    batch_bytes: u64,
    cuts: Cuts,
    hidden_length: usize,
    batch: Vec<Expanded>,
}

/// States expanded before the first of their successors is looked up. All at one
/// depth: what is found meanwhile cannot bring any of them forward.
const BATCH: usize = 16;

/// A state of so many bytes makes expansions that count.
const LARGE: usize = 1 << 16;

/// An expanded state whose events are still to be taken.
struct Expanded {
    id: StateId,
    state: Vec<u8>,
    expansion: Expansion,
    /// Hashes of the successors; 0 for violations.
    hashes: Vec<u64>,
}

impl Default for Expanded {
    fn default() -> Self {
        let (state, hashes) = (Vec::new(), Vec::new());
        Self { id: StateId(0), state, expansion: Expansion::new(), hashes }
    }
}

impl<T: TransitionSystem, V: Visited> BreadthFirst<'_, T, V> {
    fn search(&mut self, initial: &[u8]) -> Result<(), Stop> {
        let hash = self.visited.hash(self.key(initial));
        self.arrive(StateId(0), initial, hash, 0);
        while let Some((depth, bucket)) = self.buckets.pop() {
            if self.run.is_cut(depth) {
                // The bound has come down since: errors are being shortened.
                self.cuts.set_certain();
                break;
            }
            self.bucket_bytes = bucket.bytes_used();
            self.report(depth, &bucket)?;
            self.expand_all(depth, &bucket)?;
        }
        Ok(())
    }

    fn report(&mut self, depth: Depth, bucket: &Bucket) -> Result<(), Stop> {
        for late in &bucket.violations {
            let Self { run, system, visited, parents, depths, .. } = self;
            let mut paths = Paths { system: *system, visited: *visited, parents, depths };
            if !run.is_cut(depth) {
                run.violation(late.violation, depth, || paths.find(late))?;
            }
        }
        Ok(())
    }

    /// Expands the states of a bucket, several at a time.
    fn expand_all(&mut self, depth: Depth, bucket: &Bucket) -> Result<(), Stop> {
        let mut places = std::mem::take(&mut self.batch);
        let mut ids = (0..).zip(bucket.ids());
        loop {
            let mut filled = 0;
            while filled < BATCH
                && let Some((index, id)) = ids.next()
            {
                if self.depths.get(id) == depth {
                    let hidden = &bucket.hidden[index * self.hidden_length..][..self.hidden_length];
                    self.expand(id, depth, hidden, &mut places[filled])?;
                    filled += 1;
                }
            }
            let batch = &places[..filled];
            let hashes = batch.iter().flat_map(|place| &place.hashes);
            hashes.for_each(|hash| self.visited.prefetch_state(*hash));
            for place in batch {
                for (number, event) in (0..).zip(place.expansion.events()) {
                    self.take(place, depth, number, event);
                }
            }
            self.batch_bytes = 0;
            if filled < BATCH {
                self.batch = places;
                return Ok(());
            }
        }
    }

    /// Expands a state and fetches its successors' places in the visited set.
    fn expand(
        &mut self,
        id: StateId,
        depth: Depth,
        hidden: &[u8],
        place: &mut Expanded,
    ) -> Result<(), Stop> {
        if self.run.is_due() {
            self.check()?;
        }
        place.id = id;
        self.visited.get(id, &mut place.state);
        place.state.extend_from_slice(hidden);
        self.run.expand(self.system, &place.state, depth, &mut place.expansion);
        if place.state.len() > LARGE {
            self.batch_bytes += place.expansion.bytes_used();
        }
        place.hashes.clear();
        for event in place.expansion.events() {
            let state = place.expansion.state(event);
            let is_successor = event.kind == EventKind::Successor;
            let hash = if is_successor { self.visited.hash(self.key(state)) } else { 0 };
            self.visited.prefetch(hash);
            place.hashes.push(hash);
        }
        Ok(())
    }

    #[inline]
    fn take(&mut self, from: &Expanded, depth: Depth, number: usize, event: &Event) {
        let state = from.expansion.state(event);
        let depth = depth + Depth::from(event.steps);
        let is_cut = self.run.is_cut(depth);
        match event.kind {
            EventKind::Successor if is_cut => {
                self.run.count_matched();
                if self.visited.find(self.key(state)).is_none() {
                    self.cuts.mark(from.id);
                }
            }
            EventKind::Successor => self.arrive(from.id, state, from.hashes[number], depth),
            EventKind::Violation(violation) if self.run.ignores(violation) => {}
            EventKind::Violation(_) if is_cut => self.cuts.mark(from.id),
            EventKind::Violation(violation) => {
                let late = Late { parent: from.id, event: number as u32, violation };
                self.buckets.at(depth).violations.push(late);
            }
        }
    }

    #[inline]
    fn arrive(&mut self, parent: StateId, state: &[u8], hash: u64, depth: Depth) {
        let (key, hidden) = state.split_at(state.len() - self.hidden_length);
        let inserted = self.visited.insert_hashed(key, hash);
        let id = inserted.id;
        if inserted.is_new {
            self.run.count_stored();
            self.parents.push(parent);
            self.depths.push(depth);
        } else {
            self.run.count_matched();
            // PERF: nothing waits beyond `deepest`, and steps are often equal; that
            // saves a look at the table, and a miss in the cache.
            if depth >= self.buckets.deepest() || depth >= self.depths.get(id) {
                return;
            }
            debug_assert!(
                self.depths.get(id) > self.depths.get(parent),
                "a shorter run was found to a state that was expanded before"
            );
            self.parents.set(id.index(), parent);
            self.depths.set(id, depth);
        }
        self.buckets.at(depth).push(id, hidden);
    }

    fn key<'s>(&self, state: &'s [u8]) -> &'s [u8] {
        &state[..state.len() - self.hidden_length]
    }

    fn memory(&self) -> Memory {
        let tables = self.parents.bytes_used() + self.depths.bytes_used() + self.cuts.bytes_used();
        let frontier = self.buckets.bytes_used() + self.bucket_bytes + self.batch_bytes;
        Memory { store: self.visited.bytes_used(), rest: tables + frontier }
    }

    #[cold]
    fn check(&mut self) -> Result<(), Stop> {
        if is_nearly_full(self.visited) {
            let why = "the visited set cannot number more states";
            return Err(Incomplete::Method(why.to_owned()));
        }
        let memory = self.memory();
        self.run.check(memory)
    }

    fn finish(self, stop: Option<Stop>) -> Outcome {
        let memory = self.memory();
        let is_cut = if stop.is_some() {
            self.cuts.any()
        } else {
            self.cuts.hide(self.system, self.visited, |id, violation, steps| {
                let depth = self.depths.get(id) + Depth::from(steps);
                !self.run.ignores(violation) && self.run.is_cut(depth)
            })
        };
        let depth = is_cut.then_some(Incomplete::Depth(self.run.bound));
        self.run.finish(stop.into_iter().chain(depth).collect(), memory)
    }
}

/// Finds the event numbers of runs.
struct Paths<'a, T, V> {
    system: &'a mut T,
    visited: &'a V,
    parents: &'a ChunkedVec<StateId>,
    depths: &'a DepthTable,
}

impl<T: TransitionSystem, V: Visited> Paths<'_, T, V> {
    /// The run that ends with a violation.
    fn find(&mut self, late: &Late) -> Path {
        let hidden_length = self.system.hidden_bytes();
        let mut expansion = Expansion::new();
        let mut state = self.system.initial().expect("the search has started from it");
        let mut wanted = Vec::new();
        let mut path = Path::new();
        for (parent, id) in self.run_to(late.parent) {
            self.visited.get(id, &mut wanted);
            let distance = self.depths.get(id) - self.depths.get(parent);
            self.system.expand(&state, &mut expansion);
            // The first one, as then: it also decides about the hidden bytes.
            let is_wanted = |event: &Event| {
                let state = expansion.state(event);
                event.kind == EventKind::Successor
                    && Depth::from(event.steps) == distance
                    && state[..state.len() - hidden_length] == wanted
            };
            let number = expansion.events().iter().position(is_wanted);
            let number = number.expect("a state is a successor of its parent");
            let next = expansion.state(&expansion.events()[number]);
            state.clear();
            state.extend_from_slice(next);
            path.push(number as u32);
        }
        path.push(late.event);
        path
    }

    /// The pairs of parent and child from the initial state to `last`.
    fn run_to(&self, last: StateId) -> Vec<(StateId, StateId)> {
        let mut pairs = Vec::new();
        let mut id = last;
        while id != StateId(0) {
            let parent = self.parents.get(id.index());
            pairs.push((parent, id));
            id = parent;
        }
        pairs.reverse();
        pairs
    }
}
