//! What one thread does in a breadth-first search.
//!
//! States are expanded sixteen at a time: first all their successors are made and
//! their keys, which fetches the memory that will be looked at, then all of them are
//! inserted. A successor one step away belongs to the next level for certain; one
//! further away waits (see `level_candidates`).

mod batch;
mod chosen;
mod partial;
mod recall;
mod settle;
mod words;

use crate::SearchConfig;
use crate::frontier::{Chunk, Frontier, Keep};
use crate::later::Notes;
use crate::level_board::{Board, Counts, Gauge};
use crate::level_candidates::{Candidates, Waiting};
use crate::level_lates::Lates;
use crate::lineage::{Lineage, Origin};
use crate::shortcut::Shortcut;
use batch::Batch;
use recall::Reminder;
use spinor_store::{Insertion, Store};
use spinor_ts::{Depth, Event, EventKind, Expansion, TransitionSystem};

/// States expanded before the first of their successors is looked up.
pub(crate) const BATCH: usize = 16;
/// A batch ends early at so many successors,
const MANY: usize = 1024;
/// or at an expansion of so many bytes, whose memory is given back.
pub(crate) const LARGE: u64 = 1 << 20;

/// The level that is being expanded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level {
    pub(crate) depth: Depth,
    /// No run goes beyond this depth.
    pub(crate) bound: Depth,
}

/// Says when to leave off.
pub(crate) trait Watch {
    /// To be asked before each expansion.
    fn goes_on(&mut self) -> bool;
}

/// Leaves off when everybody does.
impl Watch for &Board {
    #[inline]
    fn goes_on(&mut self) -> bool {
        !self.is_stopped()
    }
}

/// What waits when a worker goes over to another store.
pub(crate) struct Left<S: Store> {
    pub(crate) frontier: Frontier<S::Ref>,
    pub(crate) waiting: Waiting<S::Key>,
}

/// All that belongs to one thread.
pub(crate) struct Worker<'a, 's, T, S: Store> {
    pub(crate) system: &'a mut T,
    pub(crate) store: &'s S,
    pub(crate) local: S::Local,
    pub(crate) config: &'a SearchConfig,
    pub(crate) board: &'a Board,
    gauge: &'a Gauge,
    pub(crate) hidden: usize,
    /// The next level.
    pub(crate) frontier: Frontier<S::Ref>,
    /// The levels after that.
    pub(crate) waiting: Waiting<S::Key>,
    pub(crate) lineage: Lineage,
    /// States from which somebody else goes on, and how they were reached.
    pub(crate) aside: Vec<(S::Ref, Origin)>,
    pub(crate) lates: Lates,
    pub(crate) counts: Counts,
    /// Memory of what was taken from frontiers and lists of candidates.
    pub(crate) freed_bytes: u64,
    /// Memory of large expansions.
    batch_bytes: u64,
    /// Something lies beyond the bound for certain.
    pub(crate) is_cut: bool,
    /// Whether the system leaves out moves, and what is to be known then.
    leaves_out: bool,
    pub(crate) notes: Notes<S::Identity>,
    /// Why some expansion was not whole.
    pub(crate) not_whole: Option<&'static str>,
    /// What was left when the work was stopped.
    pub(crate) left: Option<Chunk<S::Ref>>,
    pub(crate) left_candidates: Option<Candidates<S::Key>>,
    state: Vec<u8>,
    batch: Vec<Place<S::Key>>,
    single: Place<S::Key>,
    pub(crate) kept: Batch<S>,
    /// Away while it is used.
    reminder: Option<Box<Reminder<S>>>,
    /// The same.
    shortcut: Option<Box<Shortcut>>,
}

/// A state that is being expanded.
struct Place<K> {
    expansion: Expansion,
    /// Keys of the successors.
    keys: Vec<K>,
}

impl<K> Place<K> {
    fn new() -> Self {
        Self { expansion: Expansion::new(), keys: Vec::new() }
    }
}

impl<'a, 's, T: TransitionSystem, S: Store> Worker<'a, 's, T, S> {
    pub(crate) fn new(
        system: &'a mut T,
        store: &'s S,
        config: &'a SearchConfig,
        board: &'a Board,
        gauge: &'a Gauge,
    ) -> Self {
        let hidden = system.hidden_bytes();
        let leaves_out = system.leaves_out();
        // Only whole moves are remembered, and of these only where they lead.
        let recalls = config.by_moves && !config.only_outside && hidden == 0;
        let shortcut = Shortcut::new(store).filter(|_| recalls && !leaves_out);
        Self {
            leaves_out,
            notes: Notes::default(),
            system,
            store,
            local: store.local(),
            config,
            board,
            gauge,
            hidden,
            frontier: Frontier::new(Keep::for_frontier::<S>(hidden), board.grain.chunk),
            waiting: Waiting::new(Keep::new(S::KEY_IS_STATE, hidden), board.grain.list),
            lineage: Lineage::new(),
            aside: Vec::new(),
            lates: Lates::default(),
            counts: Counts::default(),
            freed_bytes: 0,
            batch_bytes: 0,
            is_cut: false,
            not_whole: None,
            left: None,
            left_candidates: None,
            state: Vec::new(),
            batch: (0..BATCH).map(|_| Place::new()).collect(),
            single: Place::new(),
            kept: Batch::new(),
            // Groups of moves are not anchored where every cell is a part of its own.
            reminder: Some(Box::new(Reminder::new(recalls && store.word_layout().is_none()))),
            shortcut,
        }
    }

    /// Goes on with another store; what waits is left.
    pub(crate) fn change_store<L: Store>(
        mut self,
        store: &L,
    ) -> (Box<Worker<'a, '_, T, L>>, Left<S>) {
        self.keep_undecided();
        let new = Worker::new(self.system, store, self.config, self.board, self.gauge);
        let worker = Worker {
            lineage: self.lineage,
            lates: self.lates,
            counts: self.counts,
            is_cut: self.is_cut,
            not_whole: self.not_whole,
            notes: self.notes.in_other_store(),
            ..new
        };
        (Box::new(worker), Left { frontier: self.frontier, waiting: self.waiting })
    }

    /// Stores the initial state.
    pub(crate) fn begin(&mut self, state: &[u8]) {
        let key_bytes = &state[..state.len() - self.hidden];
        self.store.set_origin(&mut self.local, key_bytes);
        let key = self.store.key(&mut self.local, key_bytes);
        self.counts.state_bytes = state.len() as u64;
        self.arrive(key, state, Origin { parent: 0, event: 0 });
        self.publish();
    }

    /// Expands chunks until there are no more or `watch` says so.
    pub(crate) fn expand(
        &mut self,
        level: Level,
        mut chunks: impl FnMut() -> Option<Chunk<S::Ref>>,
        watch: &mut impl Watch,
    ) {
        let mut batch = std::mem::take(&mut self.batch);
        while self.left.is_none()
            && let Some(mut chunk) = chunks()
        {
            while chunk.next < chunk.len() {
                let quick = self.expand_shortcut(level, &chunk, watch);
                let quick = quick.or_else(|| self.expand_recalled(level, &chunk, watch));
                let expanded = match quick.or_else(|| self.expand_kept(level, &chunk, watch)) {
                    Some(expanded) => expanded,
                    None => {
                        let filled = self.fill(level, &chunk, &mut batch, watch);
                        self.take(level, &chunk, &mut batch[..filled]);
                        filled
                    }
                };
                if expanded == 0 {
                    break;
                }
                chunk.next += expanded;
                self.publish();
            }
            if chunk.next < chunk.len() {
                self.left = Some(chunk);
            } else {
                self.freed_bytes += chunk.bytes_used();
            }
        }
        self.batch = batch;
        self.publish();
    }

    /// Expands some states and makes the keys of their successors; the number of them is 0
    /// if the work is to be left.
    #[inline]
    fn fill(
        &mut self,
        level: Level,
        chunk: &Chunk<S::Ref>,
        batch: &mut [Place<S::Key>],
        watch: &mut impl Watch,
    ) -> usize {
        let mut filled = 0;
        let mut successors = 0;
        for (index, place) in (chunk.next..chunk.len()).zip(&mut *batch) {
            if !watch.goes_on() {
                break;
            }
            self.fill_place(level, chunk, index, place);
            let expansion = &place.expansion;
            successors += expansion.events().len();
            filled += 1;
            if expansion.bytes_used() > LARGE {
                self.batch_bytes += expansion.bytes_used();
                self.publish();
                break;
            }
            if successors > MANY {
                break;
            }
        }
        for place in &batch[..filled] {
            self.store.prefetch_fresh(&place.keys);
        }
        filled
    }

    /// Expands a state and makes the keys of its successors.
    #[inline]
    fn fill_place(
        &mut self,
        level: Level,
        chunk: &Chunk<S::Ref>,
        index: usize,
        place: &mut Place<S::Key>,
    ) {
        let Place { expansion, keys } = place;
        keys.clear();
        chunk.load(index, self.store, &mut self.local, self.hidden, &mut self.state);
        self.system.expand(&self.state, expansion);
        self.store.keys(&mut self.local, expansion, self.hidden, keys);
        self.count(level, 1, self.state.len(), expansion);
    }

    #[inline]
    pub(crate) fn count(
        &mut self,
        level: Level,
        states: usize,
        length: usize,
        expansion: &Expansion,
    ) {
        let counts = &mut self.counts;
        counts.expanded += states as u64;
        counts.passed += u64::from(expansion.passed);
        counts.atomic_steps += expansion.atomic_steps;
        counts.state_bytes = counts.state_bytes.max(length as u64);
        let deepest = level.depth + Depth::from(expansion.deepest);
        let deepest = deepest.min(level.bound.max(level.depth));
        counts.depth_reached = counts.depth_reached.max(deepest);
        self.not_whole = self.not_whole.or(expansion.cut);
    }

    /// Takes the events of expanded states, the next ones of a chunk.
    #[inline]
    fn take(&mut self, level: Level, chunk: &Chunk<S::Ref>, batch: &mut [Place<S::Key>]) {
        for (index, place) in (chunk.next..).zip(batch) {
            self.take_place(level, chunk, index, place);
            if place.expansion.bytes_used() > LARGE {
                self.batch_bytes -= place.expansion.bytes_used();
                *place = Place::new();
            }
        }
    }

    /// Takes the events of an expanded state.
    #[inline]
    fn take_place(
        &mut self,
        level: Level,
        chunk: &Chunk<S::Ref>,
        index: usize,
        place: &mut Place<S::Key>,
    ) {
        let parent = chunk.first + index as u64;
        let mut keys = place.keys.iter();
        let mut events = (0, place.expansion.events());
        if self.leaves_out && place.expansion.enough > 0 {
            events = self.take_enough(level, chunk, index, &place.expansion, &mut keys);
        }
        self.take_events(level, parent, &place.expansion, events, &mut keys);
    }

    /// Takes the events of one state from some number on; the next of the keys are those of
    /// their successors.
    pub(crate) fn take_events(
        &mut self,
        level: Level,
        parent: u64,
        expansion: &Expansion,
        (first, events): (u32, &[Event]),
        keys: &mut std::slice::Iter<'_, S::Key>,
    ) {
        let ends_here = level.depth >= level.bound;
        for (number, event) in (first..).zip(events) {
            let origin = Origin { parent, event: number };
            match event.kind {
                EventKind::Successor => {
                    let key = *keys.next().expect("every successor has a key");
                    let state = expansion.state(event);
                    if (event.steps == 1 || self.config.by_moves) && !ends_here {
                        self.arrive(key, state, origin);
                    } else {
                        self.approach(level, event.steps, key, state, origin);
                    }
                }
                EventKind::Violation(violation) => {
                    let steps = if self.config.by_moves { event.steps.min(1) } else { event.steps };
                    let depth = level.depth + Depth::from(steps);
                    if self.config.ignore.contains(&violation.kind) {
                    } else if depth > level.bound {
                        self.is_cut = true;
                    } else {
                        self.lates.push(depth, violation, origin);
                    }
                }
            }
        }
    }

    /// Arrives at a state whose depth is known. Of the state's bytes those suffice
    /// that are kept of a candidate.
    #[inline]
    pub(crate) fn arrive(&mut self, key: S::Key, state: &[u8], origin: Origin) {
        let bytes = if S::KEY_IS_STATE { &[] } else { &state[..state.len() - self.hidden] };
        match self.store.insert(&mut self.local, key, bytes) {
            Insertion::New(state_ref) => {
                self.counts.stored += 1;
                self.note_later(key);
                if self.config.only_outside && !self.system.lies_outside(state) {
                    self.aside.push((state_ref, origin));
                    return;
                }
                let position = self.lineage.push(&self.board.blocks, origin);
                self.frontier.push(position, state_ref, state);
            }
            Insertion::Known => {
                self.counts.matched += 1;
                self.note_known(key);
            }
        }
    }

    /// Whether a state is known.
    #[inline]
    pub(crate) fn is_known(&mut self, key: S::Key, state: &[u8]) -> bool {
        let bytes = if S::KEY_IS_STATE { &[] } else { &state[..state.len() - self.hidden] };
        self.store.contains(&mut self.local, key, bytes)
    }

    /// A successor several steps away, or beyond the bound.
    #[inline]
    fn approach(&mut self, level: Level, steps: u32, key: S::Key, state: &[u8], origin: Origin) {
        if level.depth >= level.bound {
            // All states within the bound are known by now.
            self.counts.matched += 1;
            self.is_cut = self.is_cut || !self.is_known(key, state);
        } else if self.is_known(key, state) {
            self.counts.matched += 1;
            self.note_known(key);
        } else {
            self.note_later(key);
            let depth = level.depth + Depth::from(steps.max(1));
            self.waiting.push(level.depth, depth, key, origin, state);
        }
    }

    pub(crate) fn board(&self) -> &'a Board {
        self.board
    }

    /// Lets the caller's thread know the figures.
    #[inline]
    pub(crate) fn publish(&mut self) {
        let filled = self.frontier.filled_bytes() + self.waiting.filled_bytes();
        let aside = (self.aside.capacity() * size_of::<(S::Ref, Origin)>()) as u64;
        let others = self.lineage.bytes_used()
            + self.batch_bytes
            + self.notes.bytes_used()
            + self.store.local_bytes(&self.local);
        let held = filled + others + aside;
        self.counts.memory = held.wrapping_sub(self.freed_bytes);
        self.gauge.publish(&self.counts);
    }
}
