//! Components behind the part of the graph that no wanted cycle passes.
//!
//! An automaton mostly waits before it commits itself: while it does, nothing it has seen
//! can be on a wanted cycle, and no cycle leads back there. These states lie outside. They
//! are searched breadth first, in batches and by all threads; what they lead to is put
//! aside and, after each level, searched by components. Every state is expanded once.

use super::{Desk, Search};
use crate::SearchConfig;
use crate::frontier::Grain;
use crate::level_board::{Board, Counts, Gauge};
use crate::levels::Levels;
use crate::lineage::Origin;
use crate::omega::marks::{Marks, Plain, StronglyFair, WeaklyFair};
use crate::omega::{KeyedStates, Numbering};
use crate::run::{Run, Stop};
use spinor_store::Store;
use spinor_ts::{Fairness, Observer, OmegaSystem, Outcome, TransitionSystem};

/// States that were put aside whose look-up is prepared together.
const GROUP: usize = 32;

/// Looks for wanted cycles as [`components`](super::components) does, and for violations on
/// the way: breadth first with the systems `outer`, as many threads as there are, while states
/// lie [outside](TransitionSystem::lies_outside), and from there on with `inner`. All of them
/// have to be alike, without hidden bytes, and there is no bound.
///
/// `store` has to be empty.
pub fn components_behind<O, T, S>(
    outer: &mut [O],
    inner: &mut T,
    store: &S,
    fairness: Fairness,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome
where
    O: TransitionSystem + Send,
    T: OmegaSystem,
    S: Store<Key = u64, Ref = u64>,
{
    const {
        assert!(S::KEY_IS_STATE, "a state is put aside as its key");
    }
    debug_assert!(config.max_depth.is_none() && inner.hidden_bytes() == 0);
    // A lasso is shortened once it is found.
    let config =
        SearchConfig { shorten: false, by_moves: true, only_outside: true, ..config.clone() };
    match fairness {
        Fairness::None => {
            search::<O, T, S, Plain>(outer, inner, store, fairness, &config, observer)
        }
        Fairness::Weak => {
            search::<O, T, S, WeaklyFair>(outer, inner, store, fairness, &config, observer)
        }
        Fairness::Strong => {
            search::<O, T, S, StronglyFair>(outer, inner, store, fairness, &config, observer)
        }
    }
}

fn search<O, T, S, M>(
    outer: &mut [O],
    inner: &mut T,
    store: &S,
    fairness: Fairness,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome
where
    O: TransitionSystem + Send,
    T: OmegaSystem,
    S: Store<Key = u64, Ref = u64>,
    M: Marks,
{
    let board = Board::with_another(outer.len(), Grain::default());
    let mut run = Run::new(config, observer);
    let mut levels = match Levels::begin(outer, store, config, &board, &mut run) {
        Ok(levels) => levels,
        Err(stop) => {
            let memory = board.sum(&mut run.stats, store.bytes_used());
            return run.finish(stop.into_iter().collect(), memory);
        }
    };
    let mut states = KeyedStates::new(store);
    if fairness == Fairness::Strong {
        states.keep_states();
    }
    let mut inside = Inside {
        system: inner,
        states,
        desk: Desk::<u64, M>::new(false, config),
        fairness,
        entered: 0,
        arrivals: 0,
        given: 0,
        counts: Counts::default(),
    };
    let gauge = board.another();
    let stop = levels.search(&mut run, &mut |levels, run| {
        let aside = levels.take_aside();
        if aside.is_empty() {
            return Ok(());
        }
        // Figures of both parts together, to go on from.
        let memory = board.sum(&mut run.stats, store.bytes_used());
        inside.desk.others_bytes = memory.rest.saturating_sub(inside.counts.memory);
        let result = inside.search(&aside, run, &|origin| levels.path_by(origin));
        inside.publish(gauge);
        result
    });
    levels.finish(run, stop.err())
}

/// The search by components.
struct Inside<'a, 's, T, S: Store, M> {
    system: &'a mut T,
    states: KeyedStates<'s, S>,
    desk: Desk<u64, M>,
    fairness: Fairness,
    /// States searched from.
    entered: u64,
    /// Moves tried.
    arrivals: u64,
    /// States that were given: they were counted by who put them aside.
    given: u64,
    counts: Counts,
}

impl<T, S, M> Inside<'_, '_, T, S, M>
where
    T: OmegaSystem,
    S: Store<Key = u64, Ref = u64>,
    M: Marks,
{
    /// Searches from the states that were put aside.
    fn search(
        &mut self,
        aside: &[(u64, Origin)],
        run: &mut Run<'_>,
        path: &dyn Fn(Origin) -> spinor_ts::Path,
    ) -> Result<(), Stop> {
        // They count as stored when they are entered; some were, on other ways.
        run.stats.stored -= aside.len() as u64;
        let before = run.stats.clone();
        let mut result = Ok(());
        'all: for group in aside.chunks(GROUP) {
            group.iter().for_each(|(key, _)| self.states.prefetch(*key));
            for (key, origin) in group {
                let (number, is_new) = self.states.insert(*key, &[]);
                if is_new {
                    result = self.search_from(*key, number, run, &|| path(*origin));
                    if result.is_err() {
                        break 'all;
                    }
                }
            }
        }
        self.given += aside.len() as u64;
        self.entered += run.stats.stored - before.stored;
        self.arrivals += run.stats.transitions - before.transitions;
        let counts = &mut self.counts;
        counts.expanded += run.stats.expanded - before.expanded;
        counts.atomic_steps += run.stats.atomic_steps - before.atomic_steps;
        counts.depth_reached = run.stats.depth_reached;
        counts.state_bytes = run.stats.state_bytes;
        result
    }

    fn search_from(
        &mut self,
        key: u64,
        number: u32,
        run: &mut Run<'_>,
        lead: &dyn Fn() -> spinor_ts::Path,
    ) -> Result<(), Stop> {
        let Self { system, states, desk, fairness, .. } = self;
        states.load_key(key, &mut desk.state);
        Search::new(*system, states, run, desk, lead, *fairness).search_on(key, number)
    }

    /// Enters the figures in a gauge.
    fn publish(&mut self, gauge: &Gauge) {
        // After a stop some of the given states were not entered.
        self.counts.stored = self.entered.saturating_sub(self.given);
        self.counts.matched = self.arrivals.saturating_sub(self.counts.stored);
        self.counts.memory = self.desk.bytes_used() + self.states.numbers_bytes();
        gauge.publish(&self.counts);
    }
}
