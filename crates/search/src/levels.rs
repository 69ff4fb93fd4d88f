//! Breadth-first search by several threads: the book's Figure 8.6, level by level.
//!
//! A level is all states at one distance from the initial state, in elementary
//! steps. Its states are expanded by all threads, its violations are reported before
//! that, so the first error is a shortest one. A level begins with the candidates
//! that were found for it earlier: what is known by now was reached by a shorter run.
//!
//! Invariants
//! - When a level is expanded, all states of this distance or a lesser one are stored.
//! - A state is expanded once. Counts of a complete search do not depend on the
//!   number of threads, unless the system leaves out moves (see `later`).
//! - Between two jobs all workers are at home and belong to the caller's thread.

use crate::SearchConfig;
use crate::frontier::{Chunk, Grain};
use crate::later::Links;
use crate::level_board::Board;
use crate::level_candidates::Candidates;
use crate::level_worker::{Level, Watch, Worker};
use crate::lineage::{Origin, path_to};
use crate::run::{Run, Stop, note_loss};
use crate::workers::{Queue, Team};
use spinor_store::Store;
use spinor_ts::{Depth, Incomplete, Observer, Outcome, Path, TransitionSystem};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Chunks of a job: now and then all threads are to be at rest.
const JOB: usize = 4096;
/// So many states later, what it takes to link a state will be at hand.
const AHEAD: usize = 8;
/// The store is given time to tidy up after so many expansions.
const TIDY: usize = 1 << 14;

/// Searches breadth first on as many threads as there are systems, which have to be
/// alike.
///
/// `store` has to be empty. A complete search stores the same states and counts the
/// same as any other. With hidden bytes, a state is expanded with those of some
/// shortest run to it.
///
/// # Panics
/// If a system does.
pub fn parallel_breadth_first<T: TransitionSystem + Send, S: Store>(
    systems: &mut [T],
    store: &S,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    search(systems, store, config, observer, Grain::default())
}

/// The same, with the work divided as wanted.
pub(crate) fn search<T: TransitionSystem + Send, S: Store>(
    systems: &mut [T],
    store: &S,
    config: &SearchConfig,
    observer: &mut dyn Observer,
    grain: Grain,
) -> Outcome {
    let board = Board::new(systems.len(), grain);
    let mut run = Run::new(config, observer);
    match Levels::begin(systems, store, config, &board, &mut run) {
        Ok(mut levels) => {
            let stop = levels.search(&mut run, &mut |_, _| Ok(())).err();
            levels.finish(run, stop)
        }
        Err(stop) => {
            let memory = board.sum(&mut run.stats, store.bytes_used());
            run.finish(stop.into_iter().collect(), memory)
        }
    }
}

/// What threads do together.
enum Job<S: Store> {
    Settle(Queue<Candidates<S::Key>>),
    Expand(Level, Queue<Chunk<S::Ref>>),
}

/// The search at some point of a level.
pub(crate) struct Levels<'a, 's, T, S: Store> {
    pub(crate) store: &'s S,
    pub(crate) board: &'a Board,
    /// The worker of the caller's thread.
    pub(crate) chief: Box<Worker<'a, 's, T, S>>,
    pub(crate) helpers: Vec<Box<Worker<'a, 's, T, S>>>,
    pub(crate) depth: Depth,
    /// Candidates of this level that are still to be stored.
    pub(crate) settling: Vec<Candidates<S::Key>>,
    /// Whether all have been, and frontiers are of the next level.
    pub(crate) is_settled: bool,
    /// States of this level that are still to be expanded.
    pub(crate) current: Vec<Chunk<S::Ref>>,
    untidy: usize,
    links: Links<S::Identity>,
}

impl<'a, 's, T: TransitionSystem + Send, S: Store> Levels<'a, 's, T, S> {
    /// Stores the initial state.
    pub(crate) fn begin(
        systems: &'a mut [T],
        store: &'s S,
        config: &'a SearchConfig,
        board: &'a Board,
        run: &mut Run,
    ) -> Result<Self, Option<Stop>> {
        store.set_alone(systems.len() == 1);
        let mut workers = systems
            .iter_mut()
            .zip(&board.gauges)
            .map(|(system, gauge)| Box::new(Worker::new(system, store, config, board, gauge)));
        let Some(mut chief) = workers.next() else {
            return Err(Some(Incomplete::Method("there is nothing to search".to_owned())));
        };
        let initial = run.initial(chief.system)?;
        chief.begin(&initial);
        let helpers = workers.collect();
        Ok(Self::new(store, board, chief, helpers))
    }

    pub(crate) fn new(
        store: &'s S,
        board: &'a Board,
        chief: Box<Worker<'a, 's, T, S>>,
        helpers: Vec<Box<Worker<'a, 's, T, S>>>,
    ) -> Self {
        Self {
            store,
            board,
            chief,
            helpers,
            depth: 0,
            settling: Vec::new(),
            is_settled: false,
            current: Vec::new(),
            untidy: 0,
            links: Links::default(),
        }
    }

    /// Searches from here to the end, with a pause after each level. Can be called again after
    /// a stop.
    pub(crate) fn search<'o>(
        &mut self,
        run: &mut Run<'o>,
        pause: &mut dyn FnMut(&mut Self, &mut Run<'o>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let board = self.board;
        board.stop.store(false, Ordering::Relaxed);
        std::thread::scope(|scope| {
            let work = |worker: &mut Worker<'a, 's, T, S>, job: &Job<S>| {
                let mut watch = worker.board();
                match job {
                    Job::Settle(queue) => worker.settle(|| queue.take(), &mut watch),
                    Job::Expand(level, queue) => {
                        worker.expand(*level, || queue.take(), &mut watch);
                    }
                }
            };
            let mut team = Team::new(scope, &board.stop, work);
            loop {
                if !self.is_settled {
                    self.settle(run, &mut team)?;
                    self.gather();
                }
                self.expand(run, &mut team)?;
                self.decide(run);
                pause(self, run)?;
                self.is_settled = false;
                if !self.advance(run)? {
                    return Ok(());
                }
            }
        })
    }

    fn workers(&self) -> impl Iterator<Item = &Worker<'a, 's, T, S>> {
        [&self.chief].into_iter().chain(&self.helpers).map(Box::as_ref)
    }

    fn workers_mut(&mut self) -> impl Iterator<Item = &mut Worker<'a, 's, T, S>> {
        [&mut self.chief].into_iter().chain(&mut self.helpers).map(Box::as_mut)
    }

    /// How many threads so many states are worth.
    fn threads(&self, states: usize) -> usize {
        (states / self.board.grain.share).min(self.helpers.len() + 1)
    }

    /// Stores the candidates of this level.
    fn settle(
        &mut self,
        run: &mut Run,
        team: &mut TeamOf<'_, '_, 'a, 's, T, S>,
    ) -> Result<(), Stop> {
        if self.settling.is_empty() {
            return Ok(());
        }
        let lists = std::mem::take(&mut self.settling);
        let threads = self.threads(lists.iter().map(Candidates::len).sum());
        let mut watch = Chief { run, board: self.board, store: self.store, stop: None };
        let mut rest: Vec<_>;
        if threads <= 1 {
            let mut lists = lists.into_iter();
            self.chief.settle(|| lists.next(), &mut watch);
            rest = lists.collect();
        } else {
            let job = Arc::new(Job::Settle(Queue::new(lists.into_iter())));
            let Job::Settle(queue) = &*job else { return Ok(()) };
            team.start(&mut self.helpers, threads - 1, &job);
            self.chief.settle(|| queue.take(), &mut watch);
            team.finish(&mut self.helpers, || watch.check());
            rest = std::iter::from_fn(|| queue.take()).collect();
        }
        let stop = watch.stop;
        rest.extend(self.workers_mut().filter_map(|worker| worker.left_candidates.take()));
        self.settling = rest;
        stop.map_or(Ok(()), Err)
    }

    /// Takes the states of this level from those who found them.
    fn gather(&mut self) {
        let mut current = std::mem::take(&mut self.current);
        self.workers_mut().for_each(|worker| worker.frontier.take(&mut current));
        self.current = current;
        self.is_settled = true;
    }

    /// Expands the states of this level.
    fn expand(
        &mut self,
        run: &mut Run,
        team: &mut TeamOf<'_, '_, 'a, 's, T, S>,
    ) -> Result<(), Stop> {
        let level = Level { depth: self.depth, bound: run.bound };
        while !self.current.is_empty() {
            let later = self.current.split_off(self.current.len().min(JOB));
            let chunks = std::mem::replace(&mut self.current, later);
            let states = chunks.iter().map(Chunk::len).sum();
            let threads = self.threads(states);
            let mut watch =
                Chief { run: &mut *run, board: self.board, store: self.store, stop: None };
            let mut rest: Vec<_>;
            if threads <= 1 {
                let mut chunks = chunks.into_iter();
                self.chief.expand(level, || chunks.next(), &mut watch);
                rest = chunks.collect();
            } else {
                let job = Arc::new(Job::Expand(level, Queue::new(chunks.into_iter())));
                let Job::Expand(_, queue) = &*job else { return Ok(()) };
                team.start(&mut self.helpers, threads - 1, &job);
                self.chief.expand(level, || queue.take(), &mut watch);
                team.finish(&mut self.helpers, || watch.check());
                rest = std::iter::from_fn(|| queue.take()).collect();
            }
            if let Some(stop) = watch.stop {
                rest.extend(self.workers_mut().filter_map(|worker| worker.left.take()));
                self.current.append(&mut rest);
                return Err(stop);
            }
            self.tidy(states);
        }
        Ok(())
    }

    /// Decides of which states of this level moves stay left out.
    fn decide(&mut self, run: &Run) {
        let level = Level { depth: self.depth, bound: run.bound };
        let mut links = std::mem::take(&mut self.links);
        for worker in self.workers_mut() {
            links.add(&worker.notes.links);
            worker.notes.links.clear();
        }
        let mut postponed = std::mem::take(&mut self.chief.notes.undecided);
        for helper in &mut self.helpers {
            postponed.append(&helper.notes.undecided);
            helper.notes.undecided.clear();
        }
        if !self.helpers.is_empty() {
            postponed.sort();
        }
        for (index, one) in postponed.states.iter().enumerate() {
            if let Some(later) = postponed.states.get(index + AHEAD) {
                links.prefetch(postponed.successors(later));
            }
            if !links.link(one.number, postponed.successors(one)) {
                self.chief.take_rest(level, one);
            }
        }
        postponed.clear();
        self.chief.notes.undecided = postponed;
        self.chief.notes.shared_bytes = links.bytes_used();
        self.links = links;
    }

    /// No thread is inside the store.
    fn tidy(&mut self, expanded: usize) {
        self.untidy += expanded;
        if self.untidy >= TIDY {
            self.untidy = 0;
            self.store.quiesce();
        }
    }

    /// Moves on to the next level and reports the violations on the way; false if
    /// there is none within the bound.
    fn advance(&mut self, run: &mut Run) -> Result<bool, Stop> {
        let now = self.depth;
        let level = self.workers().filter_map(|worker| {
            let found = (!worker.frontier.is_empty()).then_some(now + 1);
            found.into_iter().chain(worker.waiting.next_depth(now)).min()
        });
        let level = level.min();
        while let Some(late) = self.workers().filter_map(|worker| worker.lates.next_depth()).min()
            && level.is_none_or(|level| late < level)
        {
            if run.is_cut(late) {
                return Ok(false);
            }
            self.report(run, late)?;
        }
        let Some(level) = level.filter(|level| !run.is_cut(*level)) else {
            return Ok(false);
        };
        self.report(run, level)?;
        self.depth = level;
        let mut settling = std::mem::take(&mut self.settling);
        self.workers_mut().for_each(|worker| worker.waiting.take(level, &mut settling));
        self.settling = settling;
        Ok(true)
    }

    /// Records the violations at `depth`.
    fn report(&mut self, run: &mut Run, depth: Depth) -> Result<(), Stop> {
        let mut lates = BTreeMap::new();
        self.workers_mut().for_each(|worker| worker.lates.take(depth, &mut lates));
        for (violation, late) in lates {
            // The bound comes down while errors are being shortened.
            if !run.is_cut(depth) {
                let path = || self.path_by(late.origin);
                run.violations(violation, depth, late.occurrences, path)?;
            }
        }
        Ok(())
    }

    /// Takes the states that were put aside.
    pub(crate) fn take_aside(&mut self) -> Vec<(S::Ref, Origin)> {
        let mut aside = Vec::new();
        self.workers_mut().for_each(|worker| aside.append(&mut worker.aside));
        aside
    }

    /// A path that ends with the given event.
    pub(crate) fn path_by(&self, origin: Origin) -> Path {
        let mut path = path_to(self.workers().map(|worker| &worker.lineage), origin.parent);
        path.push(origin.event);
        path
    }

    /// Whether the bound hid anything; certain unless the search was stopped.
    fn is_cut(&mut self, run: &Run, stopped: bool) -> bool {
        let now = self.depth;
        let waiting = self.workers_mut().flat_map(|worker| worker.waiting.take_all(now));
        let beyond: Vec<_> = waiting.filter(|(depth, _)| run.is_cut(*depth)).collect();
        if !stopped {
            beyond.iter().for_each(|(_, lists)| self.chief.give_up(lists));
        }
        let is_left = |worker: &Worker<'a, 's, T, S>| {
            // The bound has come down since.
            !worker.frontier.is_empty() || worker.lates.next_depth().is_some()
        };
        self.workers().any(|worker| worker.is_cut)
            || stopped && !beyond.is_empty()
            || !stopped && self.workers().any(is_left)
    }

    /// The outcome.
    pub(crate) fn finish(mut self, mut run: Run, stop: Option<Stop>) -> Outcome {
        let depth = self.is_cut(&run, stop.is_some()).then_some(Incomplete::Depth(run.bound));
        self.workers_mut().for_each(Worker::publish);
        self.workers().for_each(|worker| run.note_cut(worker.not_whole));
        let memory = self.board.sum(&mut run.stats, self.store.bytes_used());
        let loss = note_loss(self.store, &mut run.stats);
        run.finish(stop.into_iter().chain(depth).chain(loss).collect(), memory)
    }
}

/// The threads of a search.
type TeamOf<'scope, 'env, 'a, 's, T, S> = Team<'scope, 'env, Worker<'a, 's, T, S>, Job<S>>;

/// The caller's thread looks after the limits.
struct Chief<'r, 'o, S> {
    run: &'r mut Run<'o>,
    board: &'r Board,
    store: &'r S,
    stop: Option<Stop>,
}

impl<S: Store> Chief<'_, '_, S> {
    #[cold]
    fn check(&mut self) {
        let memory = self.board.sum(&mut self.run.stats, self.store.bytes_used());
        // In any case, since it says when to look again.
        let mut checked = self.run.check(memory);
        if self.store.is_nearly_full() {
            checked = Err(Incomplete::Method(format!("the {} store is full", self.store.name())));
        }
        if let Err(stop) = checked {
            self.stop.get_or_insert(stop);
            self.board.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl<S: Store> Watch for Chief<'_, '_, S> {
    #[inline]
    fn goes_on(&mut self) -> bool {
        if self.run.is_due() {
            self.check();
        }
        !self.board.is_stopped()
    }
}
