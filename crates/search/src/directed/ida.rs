//! IDA*: depth first under a bound on the rank, which grows round by round.
//!
//! Table 2 of the paper. A transposition table keeps the depth at which each state was entered
//! last; when the memory is used up it takes no more states, and the search goes on, slower.
//! Over bits (partial IDA*) a state that seems known is not entered again, however short the run;
//! every round has hash functions of its own, so what one misses another may find.

use super::{Directed, DirectedFigures, Iteration};
use crate::SearchConfig;
use crate::limits::Memory;
use crate::run::{Run, Stop, is_nearly_full, note_loss};
use spinor_store::{Bitstate, ChunkedVec, ExactStore, Insertion, StateId, Store, Visited};
use spinor_ts::{Depth, Estimate, EventKind, Expansion, Incomplete, Observer, TransitionSystem};

/// What remembers the states of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IdaTable {
    /// The states themselves, as many as there is memory for.
    Exact,
    /// Some bits per state.
    Bits {
        /// Bits in all.
        bits: u64,
        /// Bits per state.
        functions: u32,
        /// Rounds with other hash functions when nothing was found and no bound is left.
        restarts: u32,
    },
}

/// Searches depth first under growing bounds.
///
/// Figures: `stored` are the states of the table (of the largest round, over bits);
/// `expanded` counts all rounds.
pub fn iterative_deepening<T: TransitionSystem, E: Estimate>(
    system: &mut T,
    estimate: &mut E,
    table: IdaTable,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Directed {
    let known = match table {
        IdaTable::Exact => Known::Exact(Box::default()),
        IdaTable::Bits { bits, functions, .. } => Known::Bits(Box::new(Bits::new(bits, functions))),
    };
    // A full table is no reason to stop: the search looks after its memory itself.
    let unlimited = SearchConfig { memory_limit_bytes: None, ..config.clone() };
    let mut search = Ida {
        hidden_length: system.hidden_bytes(),
        system,
        estimate,
        run: Run::new(&unlimited, observer),
        figures: DirectedFigures::default(),
        known,
        limit: 0,
        next: u64::MAX,
        round: 0,
        memory_limit: config.memory_limit_bytes.unwrap_or(u64::MAX),
        restarts: match table {
            IdaTable::Bits { restarts, .. } => restarts,
            IdaTable::Exact => 0,
        },
        levels: Vec::new(),
        depth: 0,
        level_bytes: 0,
        is_cut: false,
    };
    let stop = match search.run.initial(search.system) {
        Ok(state) => search.search(&state).err(),
        Err(stop) => stop,
    };
    search.finish(stop)
}

struct Ida<'a, T, E> {
    system: &'a mut T,
    estimate: &'a mut E,
    run: Run<'a>,
    figures: DirectedFigures,
    known: Known,
    /// Ranks beyond it are left for later rounds.
    limit: u64,
    /// The smallest of those.
    next: u64,
    round: u32,
    memory_limit: u64,
    restarts: u32,
    /// The run at hand; those beyond `depth` are there for their memory.
    levels: Vec<Level>,
    depth: usize,
    /// Memory of the levels.
    level_bytes: u64,
    is_cut: bool,
    hidden_length: usize,
}

/// A state of the run at hand.
#[derive(Default)]
struct Level {
    expansion: Expansion,
    /// What is still to be tried, the best last: estimate and number of the event.
    ways: Vec<(u32, u32)>,
    depth: Depth,
    /// The event that is being followed.
    event: u32,
}

impl<T: TransitionSystem, E: Estimate> Ida<'_, T, E> {
    fn search(&mut self, initial: &[u8]) -> Result<(), Stop> {
        let mut next = u64::from(self.rate(initial));
        loop {
            self.limit = next;
            self.next = u64::MAX;
            self.round += 1;
            let before = self.run.stats.expanded;
            let end = self.round(initial);
            let expanded = self.run.stats.expanded - before;
            self.figures.iterations.push(Iteration { limit: self.limit, expanded });
            end?;
            self.known.end_round();
            next = match self.next {
                u64::MAX if self.restarts > 0 => {
                    self.restarts -= 1;
                    self.limit
                }
                u64::MAX => return Ok(()),
                next => next,
            };
        }
    }

    /// Tries everything within the limit.
    fn round(&mut self, initial: &[u8]) -> Result<(), Stop> {
        self.depth = 0;
        self.arrive(initial, 0);
        self.enter(initial, 0)?;
        let mut state = Vec::new();
        while self.depth > 0 {
            let level = &mut self.levels[self.depth - 1];
            let Some((_, number)) = level.ways.pop() else {
                self.depth -= 1;
                continue;
            };
            level.event = number;
            let event = &level.expansion.events()[number as usize];
            let depth = level.depth + Depth::from(event.steps);
            state.clear();
            state.extend_from_slice(level.expansion.state(event));
            if self.arrive(&state, depth) {
                self.enter(&state, depth)?;
            }
        }
        Ok(())
    }

    /// Whether a state is to be entered.
    fn arrive(&mut self, state: &[u8], depth: Depth) -> bool {
        let key = &state[..state.len() - self.hidden_length];
        match self.known.arrive(key, depth, self.round) {
            Arrived::New => self.run.count_stored(),
            Arrived::Again => self.run.count_visit(),
            Arrived::Known => {
                self.run.count_matched();
                return false;
            }
        }
        true
    }

    /// Expands a state and makes it the end of the run.
    fn enter(&mut self, state: &[u8], depth: Depth) -> Result<(), Stop> {
        if self.run.is_due() {
            self.check()?;
        }
        if self.depth == self.levels.len() {
            self.levels.push(Level::default());
        }
        let mut level = std::mem::take(&mut self.levels[self.depth]);
        let before = level.bytes_used();
        self.run.expand(self.system, state, depth, &mut level.expansion);
        level.depth = depth;
        level.ways.clear();
        let mut found = Vec::new();
        for (number, event) in (0..).zip(level.expansion.events()) {
            let depth = depth + Depth::from(event.steps);
            match event.kind {
                EventKind::Violation(violation) if self.run.ignores(violation) => {}
                _ if self.run.is_cut(depth) => self.is_cut = true,
                EventKind::Violation(_) if depth > self.limit => self.next = self.next.min(depth),
                EventKind::Violation(violation) => found.push((depth, number, violation)),
                EventKind::Successor => {
                    let estimate = self.estimate.estimate(level.expansion.state(event));
                    self.figures.note(estimate);
                    let rank = depth + u64::from(estimate);
                    if rank > self.limit {
                        self.next = self.next.min(rank);
                    } else {
                        level.ways.push((estimate, number));
                    }
                }
            }
        }
        level.ways.sort_unstable_by(|a, b| b.cmp(a));
        self.level_bytes = (self.level_bytes + level.bytes_used()).saturating_sub(before);
        self.levels[self.depth] = level;
        self.depth += 1;
        for (length, number, violation) in found {
            let Self { levels, depth, run, .. } = self;
            let way = levels[..*depth - 1].iter().map(|level| level.event);
            run.violation(violation, length, || way.chain([number]).collect())?;
        }
        Ok(())
    }

    fn rate(&mut self, state: &[u8]) -> u32 {
        let estimate = self.estimate.estimate(state);
        self.figures.note(estimate);
        estimate
    }

    fn memory(&self) -> Memory {
        Memory { store: self.known.bytes_used(), rest: self.level_bytes }
    }

    #[cold]
    fn check(&mut self) -> Result<(), Stop> {
        let memory = self.memory();
        if memory.rest > self.memory_limit {
            return Err(Incomplete::Memory(self.memory_limit));
        }
        if memory.store + memory.rest > self.memory_limit {
            self.known.set_full();
        }
        self.run.check(memory)
    }

    fn finish(mut self, stop: Option<Stop>) -> Directed {
        let memory = self.memory();
        let mut incomplete: Vec<Incomplete> = stop.into_iter().collect();
        if self.is_cut {
            incomplete.push(Incomplete::Depth(self.run.bound));
        }
        if let Known::Bits(bits) = &self.known {
            let most = bits.most.max(bits.stored);
            self.run.stats.stored = most;
            incomplete.extend(note_loss(&bits.store, &mut self.run.stats));
        }
        let outcome = self.run.finish(incomplete, memory);
        Directed { outcome, figures: self.figures }
    }
}

impl Level {
    fn bytes_used(&self) -> u64 {
        self.expansion.bytes_used() + (self.ways.capacity() * size_of::<(u32, u32)>()) as u64
    }
}

/// What an arrival means.
enum Arrived {
    New,
    /// Known from an earlier round, or by a longer run.
    Again,
    Known,
}

/// The states of a round.
enum Known {
    Exact(Box<Exact>),
    Bits(Box<Bits>),
}

/// States with the depth and the round at which they were entered last.
#[derive(Default)]
struct Exact {
    states: ExactStore,
    entered: ChunkedVec<(Depth, u32)>,
    is_full: bool,
}

struct Bits {
    store: Bitstate,
    local: <Bitstate as Store>::Local,
    bits: u64,
    functions: u32,
    /// The state and the number of the round.
    key: Vec<u8>,
    stored: u64,
    most: u64,
}

impl Bits {
    fn new(bits: u64, functions: u32) -> Self {
        let store = Bitstate::new(bits, functions);
        let local = store.local();
        Bits { local, store, bits, functions, key: Vec::new(), stored: 0, most: 0 }
    }
}

impl Known {
    fn arrive(&mut self, state: &[u8], depth: Depth, round: u32) -> Arrived {
        match self {
            Known::Exact(exact) => exact.arrive(state, depth, round),
            Known::Bits(bits) => {
                // Another number, other hash functions.
                bits.key.clear();
                bits.key.extend_from_slice(state);
                bits.key.extend_from_slice(&round.to_le_bytes());
                let key = bits.store.key(&mut bits.local, &bits.key);
                match bits.store.insert(&mut bits.local, key, &bits.key) {
                    Insertion::New(()) => {
                        bits.stored += 1;
                        Arrived::New
                    }
                    Insertion::Known => Arrived::Known,
                }
            }
        }
    }

    fn end_round(&mut self) {
        if let Known::Bits(bits) = self {
            let most = bits.most.max(bits.stored);
            **bits = Bits { most, ..Bits::new(bits.bits, bits.functions) };
        }
    }

    fn set_full(&mut self) {
        if let Known::Exact(exact) = self {
            exact.is_full = true;
        }
    }

    fn bytes_used(&self) -> u64 {
        match self {
            Known::Exact(exact) => exact.states.bytes_used() + exact.entered.bytes_used(),
            Known::Bits(bits) => bits.store.bytes_used(),
        }
    }
}

impl Exact {
    fn arrive(&mut self, state: &[u8], depth: Depth, round: u32) -> Arrived {
        self.is_full |= is_nearly_full(&self.states);
        let id = if self.is_full {
            match self.states.find(state) {
                Some(id) => id,
                None => return Arrived::Again,
            }
        } else {
            let inserted = self.states.insert(state);
            if inserted.is_new {
                self.entered.push((depth, round));
                return Arrived::New;
            }
            inserted.id
        };
        let StateId(number) = id;
        let (least, last) = self.entered.get(number as usize);
        if last == round && least <= depth {
            return Arrived::Known;
        }
        self.entered.set(number as usize, (depth, round));
        Arrived::Again
    }
}
