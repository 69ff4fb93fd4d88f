//! A thread of the parallel nested search: S. Evangelista, A. Laarman, L. Petrucci,
//! J. van de Pol, *Improved multi-core nested depth-first search* (CNDFS).
//!
//! Every thread searches from the initial state, in an order of its own. A state becomes
//! *blue*, for all, when a thread leaves it; others pass over it then. Before it leaves
//! an accepting state a thread looks for a way back to its own way; the states met
//! by that become *red*, for all, when accepting ones among them have become red by
//! those who search from there.
//!
//! Where the claim's components tell that all cycles are accepting, the first search
//! suffices: the first state of a cycle to become blue has a successor on the cycle that is
//! not, so that one is on the way of the same thread.

mod again;

use super::board::{Board, Gauge};
use super::judge::label_of;
use super::key_map::{KeyMap, KeySet};
use super::red::Reds;
use super::trail::{Entry, Trail};
use crate::SearchConfig;
use spinor_store::{Insertion, Store};
use spinor_ts::{
    Component, ComponentClass, Depth, EventKind, Expansion, OmegaSystem, Path, Violation,
};
use std::sync::atomic::Ordering;

/// Expansions between two looks at the board.
const STRIDE: u32 = 128;

/// What is known of a state on the way.
#[derive(Clone, Copy, Default, Debug)]
struct Note {
    is_accepting: bool,
    has_violations: bool,
    successors: u32,
    component: Component,
}

/// A thread's part of the search.
pub(crate) struct Worker<'a, T, S: Store> {
    pub(crate) system: &'a mut T,
    store: &'a S,
    local: S::Local,
    reds: &'a Reds<S>,
    board: &'a Board,
    gauge: &'a Gauge,
    /// By key: the states on the way, and whether they are accepting.
    way: KeyMap<bool>,
    trail: Trail<u64, Note>,
    /// The second search: its trail, what it has met, and the accepting ones among that.
    red_trail: Trail<u64, ()>,
    pink: KeySet,
    seeds: Vec<u64>,
    depth: Depth,
    hidden_length: usize,
    has_sets: bool,
    random: Option<u64>,
    countdown: u32,
    state: Vec<u8>,
    expansion: Expansion,
    keys: Vec<u64>,
    unknown: Vec<u32>,
}

impl<'a, T: OmegaSystem, S: Store<Key = u64>> Worker<'a, T, S> {
    pub(crate) fn new(
        system: &'a mut T,
        store: &'a S,
        reds: &'a Reds<S>,
        config: &SearchConfig,
        board: &'a Board,
        number: usize,
    ) -> Self {
        let hidden_length = system.hidden_bytes();
        let keeps_bytes = !S::KEY_IS_STATE || hidden_length > 0;
        let limit = config.stack_buffer_bytes / board.gauges.len();
        Self {
            has_sets: system.acceptance_sets() > 0,
            system,
            store,
            local: store.local(),
            reds,
            board,
            gauge: &board.gauges[number],
            way: KeyMap::default(),
            trail: Trail::new(keeps_bytes, limit),
            red_trail: Trail::new(keeps_bytes, limit),
            pink: KeySet::default(),
            seeds: Vec::new(),
            depth: 0,
            hidden_length,
            // The first one keeps the order of the system.
            random: (number > 0).then_some(number as u64),
            countdown: 1,
            state: Vec::new(),
            expansion: Expansion::new(),
            keys: Vec::new(),
            unknown: Vec::new(),
        }
    }

    /// Searches from the initial state until everything reachable is blue.
    pub(crate) fn search(&mut self, initial: &[u8]) {
        self.state.extend_from_slice(initial);
        let visible = &self.state[..self.state.len() - self.hidden_length];
        self.store.set_origin(&mut self.local, visible);
        let key = self.store.key(&mut self.local, visible);
        self.enter(Entry::untried(key, 0, 0, Note::default()));
        while !self.board.is_stopped() {
            let Some(entry) = self.trail.pop() else { break };
            if entry.is_shed() {
                self.load(&entry);
                self.expand();
                self.trail.drop_bytes();
                self.push_open(entry);
                self.look_up(entry.marks, true);
                self.push_unknown(0);
            } else if entry.is_open() {
                self.leave(&entry);
            } else if self.store.contains(&mut self.local, entry.key, &[]) {
                self.trail.drop_bytes();
            } else {
                self.load(&entry);
                self.trail.drop_bytes();
                self.depth += Depth::from(entry.steps);
                self.enter(entry);
            }
        }
        self.publish();
    }

    /// Makes the state of the entry taken last the one at hand.
    fn load(&mut self, entry: &Entry<u64, Note>) {
        load(self.store, &mut self.local, entry.key, self.trail.bytes(), &mut self.state);
    }

    fn expand(&mut self) {
        self.countdown -= 1;
        if self.countdown == 0 {
            self.look_around();
        }
        self.system.expand(&self.state, &mut self.expansion);
        let gauge = self.gauge;
        add(&gauge.expanded, 1);
        let Self { keys, expansion, store, local, hidden_length, .. } = self;
        keys.clear();
        keys.extend(expansion.events().iter().map(|event| {
            if event.kind != EventKind::Successor {
                // Violations have no state.
                return Default::default();
            }
            let state = expansion.state(event);
            store.key(local, &state[..state.len().saturating_sub(*hidden_length)])
        }));
        keys.iter().for_each(|key| store.prefetch(*key));
    }

    /// Searches the state at hand, which is not blue, and on from there, always by the first
    /// unknown successor, down to a state that has none.
    fn enter(&mut self, mut entry: Entry<u64, Note>) {
        while !self.board.is_stopped() {
            self.expand();
            let gauge = self.gauge;
            let deepest = self.depth + Depth::from(self.expansion.deepest);
            raise(&gauge.depth_reached, deepest.min(self.board.bound.max(self.depth)));
            raise(&gauge.state_bytes, self.state.len() as u64);
            self.board.note_cut(self.expansion.cut);
            entry.marks = self.note();
            self.way.insert(entry.key, entry.marks.is_accepting);
            self.push_open(entry);
            self.look_up(entry.marks, false);
            self.shuffle();
            let Some(first) = self.unknown.first().copied() else { return };
            self.push_unknown(1);
            self.trail.trim();
            let event = self.expansion.events()[first as usize];
            let key = self.keys[first as usize];
            entry = Entry::untried(key, first as usize, event.steps, Note::default());
            self.depth += Depth::from(event.steps);
            self.state.clear();
            self.state.extend_from_slice(self.expansion.state(&event));
            let visible = &self.state[..self.state.len() - self.hidden_length];
            self.store.set_origin_keyed(&mut self.local, key, visible);
        }
    }

    /// What there is to know of the state at hand, which is expanded.
    fn note(&self) -> Note {
        let events = self.expansion.events();
        let successors = events.iter().filter(|event| event.kind == EventKind::Successor).count();
        Note {
            is_accepting: self.is_accepting(),
            has_violations: successors < events.len(),
            successors: successors as u32,
            component: self.system.component(&self.state),
        }
    }

    fn is_accepting(&self) -> bool {
        let accepts = |number: usize| label_of(&self.expansion, number).accepting & 1 != 0;
        !self.has_sets || (0..self.expansion.labels().len()).any(accepts)
    }

    fn push_open(&mut self, entry: Entry<u64, Note>) {
        let told = if S::KEY_IS_STATE { self.state.len() - self.hidden_length } else { 0 };
        self.trail.push_open(entry, &self.state[told..]);
    }

    fn push_unknown(&mut self, first: usize) {
        for index in (first..self.unknown.len()).rev() {
            let number = self.unknown[index] as usize;
            let event = self.expansion.events()[number];
            let entry = Entry::untried(self.keys[number], number, event.steps, Note::default());
            let state = self.expansion.state(&event);
            let told = if S::KEY_IS_STATE { state.len() - self.hidden_length } else { 0 };
            self.trail.push(entry, &state[told..]);
        }
    }

    /// Deals with the moves to known states, and makes a list of the others.
    fn look_up(&mut self, origin: Note, is_known: bool) {
        self.unknown.clear();
        for number in 0..self.keys.len() {
            let event = self.expansion.events()[number];
            let depth = self.depth + Depth::from(event.steps);
            let is_cut = depth > self.board.bound;
            if let EventKind::Violation(violation) = event.kind {
                if !is_cut && !is_known && !self.board.ignores(violation) {
                    self.find(violation, number, depth, None);
                }
                self.note_bound(is_cut);
                continue;
            }
            let key = self.keys[number];
            if let Some(is_accepting) = self.way.get(&key).copied() {
                let state = self.expansion.state(&event);
                if !is_known && self.closes(origin, is_accepting, state) {
                    self.cycle(self.trail.path(), number, depth);
                }
            } else if self.store.contains(&mut self.local, key, &[]) {
            } else if is_cut {
                self.note_bound(true);
            } else {
                self.unknown.push(number as u32);
            }
        }
    }

    fn note_bound(&self, is_cut: bool) {
        if is_cut {
            self.board.is_cut_at_bound.store(true, Ordering::Relaxed);
        }
    }

    /// Whether a move to a state on the way closes a wanted cycle for certain.
    fn closes(&self, origin: Note, is_accepting: bool, target: &[u8]) -> bool {
        origin.is_accepting
            || is_accepting
            || origin.component.class == ComponentClass::FullyAccepting
                && self.system.component(target).number == origin.component.number
    }

    /// Brings the unknown successors into this thread's order.
    fn shuffle(&mut self) {
        let Some(random) = &mut self.random else { return };
        for index in (1..self.unknown.len()).rev() {
            *random ^= *random << 13;
            *random ^= *random >> 7;
            *random ^= *random << 17;
            self.unknown.swap(index, (*random % (index as u64 + 1)) as usize);
        }
    }

    #[cold]
    fn find(&self, violation: Violation, number: usize, depth: Depth, closing: Option<Vec<u8>>) {
        self.board.find(violation, depth, || {
            let mut path = self.trail.path();
            path.push(number as u32);
            (path, closing)
        });
    }

    /// Event `number` of the state at hand leads back to a state of the path.
    #[cold]
    fn cycle(&self, mut path: Path, number: usize, depth: Depth) {
        let violation = self.system.cycle_violation();
        if self.board.ignores(violation) {
            return;
        }
        let event = self.expansion.events()[number];
        let state = self.expansion.state(&event);
        let closing = state[..state.len() - self.hidden_length].to_vec();
        path.push(number as u32);
        self.board.find(violation, depth, || (path, Some(closing)));
        self.board.count(violation);
    }

    /// All moves of the state on top were tried.
    fn leave(&mut self, entry: &Entry<u64, Note>) {
        let note = entry.marks;
        let is_new =
            matches!(self.store.insert(&mut self.local, entry.key, &[]), Insertion::New(_));
        if is_new {
            add(&self.gauge.stored, 1);
            add(&self.gauge.transitions, u64::from(note.successors));
            if note.has_violations {
                self.count_violations(entry);
            }
        }
        if note.is_accepting && note.component.class == ComponentClass::PartlyAccepting {
            self.load(entry);
            self.search_again(entry);
        }
        self.trail.drop_bytes();
        self.way.remove(&entry.key);
        self.depth -= Depth::from(entry.steps);
    }

    /// Counts the violations of a state that became blue just now.
    #[cold]
    fn count_violations(&mut self, entry: &Entry<u64, Note>) {
        self.load(entry);
        self.expand();
        for event in self.expansion.events() {
            let is_cut = self.depth + Depth::from(event.steps) > self.board.bound;
            if let EventKind::Violation(violation) = event.kind
                && !is_cut
                && !self.board.ignores(violation)
            {
                self.board.count(violation);
            }
        }
    }

    #[cold]
    fn look_around(&mut self) {
        self.countdown = STRIDE;
        self.publish();
        self.board.rest();
        if let Some(limit) = self.board.memory_limit {
            let own: u64 =
                self.board.gauges.iter().map(|gauge| gauge.memory.load(Ordering::Relaxed)).sum();
            if self.store.bytes_used() + self.reds.bytes_used() + own > limit {
                self.board.is_over_memory.store(true, Ordering::Relaxed);
                self.board.stop();
            }
        }
    }

    fn publish(&self) {
        let own = self.trail.bytes_used()
            + self.red_trail.bytes_used()
            + (self.way.allocation_size() + self.pink.allocation_size()) as u64
            + self.expansion.bytes_used();
        self.gauge.memory.store(own, Ordering::Relaxed);
    }
}

/// Makes the state of a key and its bytes the origin.
fn load<S: Store<Key = u64>>(
    store: &S,
    local: &mut S::Local,
    key: u64,
    bytes: &[u8],
    state: &mut Vec<u8>,
) {
    state.clear();
    if S::KEY_IS_STATE {
        store.load_key(local, key, state);
    }
    state.extend_from_slice(bytes);
}

/// No one else writes to a thread's gauge.
fn add(counter: &std::sync::atomic::AtomicU64, more: u64) {
    counter.store(counter.load(Ordering::Relaxed) + more, Ordering::Relaxed);
}

fn raise(figure: &std::sync::atomic::AtomicU64, value: u64) {
    if figure.load(Ordering::Relaxed) < value {
        figure.store(value, Ordering::Relaxed);
    }
}
