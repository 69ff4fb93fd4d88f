//! Best-first search, A* and weighted A*.
//!
//! Table 1 of the paper. A violation waits for its turn like a state: A* reports it when no
//! state promises a shorter one. Best-first search reports it at once.

use super::open::{Open, Waiting};
use super::table::{Met, Origin, Table};
use super::team::{self, Expanded, Task, Team};
use super::{Directed, DirectedFigures, Iteration};
use crate::SearchConfig;
use crate::buckets::Late;
use crate::cut::Cuts;
use crate::limits::Memory;
use crate::run::{Run, Stop, is_nearly_full};
use spinor_store::StateId;
use spinor_ts::{
    Depth, Estimate, EventKind, Expansion, Incomplete, Observer, Outcome, TransitionSystem,
};
use std::collections::BTreeMap;

/// Equally good states from which on it pays to share them, and how many one thread gets.
const MANY: usize = 64;
const SHARE: usize = 128;

/// What a state is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ranking {
    /// Its estimate: greedy best-first search.
    Estimate,
    /// Its depth and so many hundredths of its estimate: 100 is A*.
    Sum {
        /// Hundredths.
        weight: u32,
    },
}

impl Ranking {
    /// A*.
    pub const A_STAR: Ranking = Ranking::Sum { weight: 100 };

    #[inline]
    pub(super) fn of(self, depth: Depth, estimate: u32) -> u64 {
        match self {
            Ranking::Estimate => u64::from(estimate),
            Ranking::Sum { weight } => 100 * depth + u64::from(weight) * u64::from(estimate),
        }
    }
}

/// Searches the best states first.
///
/// A complete search stores the same states as any other. With [`Ranking::Sum`], states are
/// expanded again when a shorter run to them is found.
pub fn best_first<T: TransitionSystem, E: Estimate>(
    system: &mut T,
    estimate: &mut E,
    ranking: Ranking,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Directed {
    search(system, estimate, Team::default(), ranking, config, observer)
}

/// The same by as many threads as there are systems, each with its estimate. States are expanded
/// ahead of their turn only if they are as good as the one whose turn it is.
///
/// # Panics
/// There is no system, or not one estimate for each.
pub fn parallel_best_first<T: TransitionSystem + Send, E: Estimate + Send>(
    systems: &mut [T],
    estimates: &mut [E],
    ranking: Ranking,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Directed {
    assert_eq!(systems.len(), estimates.len(), "one estimate for each system");
    let (system, others) = systems.split_first_mut().expect("there is a system");
    let (estimate, more) = estimates.split_first_mut().expect("there is an estimate");
    std::thread::scope(|scope| {
        let team = Team::new(scope, others, more);
        search(system, estimate, team, ranking, config, observer)
    })
}

fn search<T: TransitionSystem, E: Estimate>(
    system: &mut T,
    estimate: &mut E,
    team: Team,
    ranking: Ranking,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Directed {
    let is_sum = matches!(ranking, Ranking::Sum { .. });
    let mut search = Best {
        team,
        table: Table::new(system.hidden_bytes()),
        system,
        estimate,
        ranking,
        reopens: is_sum || config.needs_depths(),
        run: Run::new(config, observer),
        figures: DirectedFigures::default(),
        open: Open::default(),
        late: BTreeMap::new(),
        cuts: Cuts::default(),
        state: Vec::new(),
        expansion: Expansion::new(),
        hashes: Vec::new(),
        level: 0,
    };
    let stop = match search.run.initial(search.system) {
        Ok(state) => search.search(&state).err(),
        Err(stop) => stop,
    };
    search.finish(stop)
}

struct Best<'a, T, E> {
    team: Team,
    system: &'a mut T,
    estimate: &'a mut E,
    ranking: Ranking,
    reopens: bool,
    run: Run<'a>,
    figures: DirectedFigures,
    table: Table,
    open: Open,
    /// Violations by the rank at which it is their turn.
    late: BTreeMap<u64, Vec<Late>>,
    cuts: Cuts,
    state: Vec<u8>,
    expansion: Expansion,
    hashes: Vec<u64>,
    /// The least rank, in steps.
    level: u64,
}

impl<T: TransitionSystem, E: Estimate> Best<'_, T, E> {
    fn search(&mut self, initial: &[u8]) -> Result<(), Stop> {
        let hash = self.table.hash(initial);
        self.arrive(initial, hash, 0, Origin { parent: StateId(0), event: 0 }, None);
        loop {
            let rank = self.open.rank();
            if let Some(turn) = self.late.first_entry()
                && rank.is_none_or(|rank| *turn.key() <= rank)
            {
                for late in turn.remove() {
                    self.report(late)?;
                }
                continue;
            }
            self.note_level(rank.unwrap_or(0));
            if self.team.threads() > 1 && self.open.best_count() >= MANY {
                self.expand_many()?;
                continue;
            }
            let Some(waiting) = self.open.pop() else { return Ok(()) };
            self.expand(waiting)?;
        }
    }

    /// A round of A* ends when the least rank grows.
    #[inline]
    fn note_level(&mut self, rank: u64) {
        let level = rank / 100;
        if level <= self.level || self.ranking == Ranking::Estimate {
            return;
        }
        if self.run.stats.expanded > 0 {
            let expanded = self.run.stats.expanded;
            self.figures.iterations.push(Iteration { limit: self.level, expanded });
        }
        self.level = level;
    }

    /// Whether a state that waited is to be expanded.
    #[inline]
    fn is_due(&mut self, Waiting { id, depth, .. }: Waiting) -> Result<bool, Stop> {
        if self.table.depths.get(id) != depth {
            return Ok(false);
        }
        if self.run.is_cut(depth) {
            // The bound has come down since: errors are being shortened.
            self.cuts.set_certain();
            return Ok(false);
        }
        if self.run.is_due() {
            self.check()?;
        }
        Ok(true)
    }

    /// Expands states that are equally good, several at a time.
    fn expand_many(&mut self) -> Result<(), Stop> {
        let count = self.open.best_count().min(self.team.threads() * SHARE);
        let mut tasks = Vec::with_capacity(count);
        for _ in 0..count {
            let Some(waiting) = self.open.pop() else { break };
            if self.is_due(waiting)? {
                let mut state = Vec::new();
                self.table.load(waiting.id, &mut state);
                tasks.push(Task { id: waiting.id, depth: waiting.depth, state });
            }
        }
        let Self { team, system, estimate, .. } = self;
        let all = team.expand_all(tasks, |task| team::expand(*system, *estimate, task));
        for Expanded { task, expansion, hashes, estimates } in all {
            let Task { id, depth, state } = task;
            self.run.count_expansion(state.len(), depth, &expansion);
            self.run.note_cut(expansion.cut);
            self.take_all(id, depth, &expansion, &hashes, Some(&estimates))?;
        }
        Ok(())
    }

    #[inline]
    fn expand(&mut self, waiting: Waiting) -> Result<(), Stop> {
        if !self.is_due(waiting)? {
            return Ok(());
        }
        let Waiting { id, depth, .. } = waiting;
        let mut state = std::mem::take(&mut self.state);
        let mut expansion = std::mem::take(&mut self.expansion);
        self.table.load(id, &mut state);
        self.run.expand(self.system, &state, depth, &mut expansion);
        let mut hashes = std::mem::take(&mut self.hashes);
        hashes.clear();
        for event in expansion.events() {
            let is_successor = event.kind == EventKind::Successor;
            let state = expansion.state(event);
            hashes.push(if is_successor { self.table.hash(state) } else { 0 });
        }
        let taken = self.take_all(id, depth, &expansion, &hashes, None);
        (self.state, self.expansion, self.hashes) = (state, expansion, hashes);
        taken
    }

    #[inline]
    fn take_all(
        &mut self,
        id: StateId,
        depth: Depth,
        expansion: &Expansion,
        hashes: &[u64],
        estimates: Option<&[u32]>,
    ) -> Result<(), Stop> {
        for (number, event) in (0..).zip(expansion.events()) {
            let depth = depth + Depth::from(event.steps);
            let is_cut = self.run.is_cut(depth);
            let origin = Origin { parent: id, event: number };
            match event.kind {
                EventKind::Successor if is_cut => {
                    self.run.count_matched();
                    self.cuts.mark(id);
                }
                EventKind::Successor => {
                    let hash = hashes[number as usize];
                    let estimate = estimates.map(|estimates| estimates[number as usize]);
                    self.arrive(expansion.state(event), hash, depth, origin, estimate);
                }
                EventKind::Violation(violation) if self.run.ignores(violation) => {}
                EventKind::Violation(_) if is_cut => self.cuts.mark(id),
                EventKind::Violation(violation) => {
                    let late = Late { parent: id, event: number, violation };
                    match self.ranking {
                        Ranking::Estimate => self.report(late)?,
                        Ranking::Sum { .. } => {
                            self.late.entry(self.ranking.of(depth, 0)).or_default().push(late);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn arrive(
        &mut self,
        state: &[u8],
        hash: u64,
        depth: Depth,
        origin: Origin,
        estimate: Option<u32>,
    ) {
        let id = match self.table.arrive(state, hash, depth, origin, self.reopens) {
            Met::New(id) => {
                self.run.count_stored();
                id
            }
            Met::Shorter(id) => {
                self.run.count_matched();
                self.figures.reopened += 1;
                self.cuts.unmark(id);
                id
            }
            Met::Known => return self.run.count_matched(),
        };
        let estimate = estimate.unwrap_or_else(|| self.estimate.estimate(state));
        self.figures.note(estimate);
        self.open.push(self.ranking.of(depth, estimate), Waiting { id, depth, estimate });
    }

    #[cold]
    fn report(&mut self, late: Late) -> Result<(), Stop> {
        let (path, length) = self.table.run_to(self.system, late.parent, late.event);
        if self.run.is_cut(length) {
            return Ok(());
        }
        self.run.violation(late.violation, length, || path)
    }

    fn memory(&self) -> Memory {
        self.table.memory(self.open.bytes_used() + self.cuts.bytes_used())
    }

    #[cold]
    fn check(&mut self) -> Result<(), Stop> {
        if is_nearly_full(&self.table.visited) {
            let why = "the visited set cannot number more states";
            return Err(Incomplete::Method(why.to_owned()));
        }
        let memory = self.memory();
        self.run.check(memory)
    }

    fn finish(self, stop: Option<Stop>) -> Directed {
        let memory = self.memory();
        let is_cut = if stop.is_some() {
            self.cuts.any()
        } else {
            self.cuts.hide(self.system, &self.table.visited, |id, violation, steps| {
                let depth = self.table.depths.get(id) + Depth::from(steps);
                !self.run.ignores(violation) && self.run.is_cut(depth)
            })
        };
        let depth = is_cut.then_some(Incomplete::Depth(self.run.bound));
        let incomplete = stop.into_iter().chain(depth).collect();
        let outcome: Outcome = self.run.finish(incomplete, memory);
        Directed { outcome, figures: self.figures }
    }
}
