//! Which engine, store and search a question gets.
//!
//! The one place where the three are put together; everything else only names them.

use crate::boxed::{Boxed, BoxedOmega, boxed};
use crate::cpu;
use crate::stores::{
    Basis, Bits, Hashes, Lossy, Replaceable, StoreMaker, Trees, bits, bits_within,
};
use crate::{CycleSearch, EngineKind, SearchOrder, StoreKind};
use spinor_exec::{Exec, Options, layout_of};
use spinor_jit::{Engine, TierConfig, Tiered};
use spinor_product::{Marked, Product};
use spinor_program::{Program, StmtId};
use spinor_search::{
    CollapsedStates, ExactStates, HashedMarks, KeyedStates, Marking, NumberedMarks, Ranking,
    SearchConfig, Swarm, WordMarks, best_first, breadth_first_auto, cached, components,
    components_behind, depth_first, dive, improved_nested, needs_copies, nested_depth_first,
    parallel_breadth_first, parallel_nested, random_walk, stateless, swarm, thread_time,
};
use spinor_store::{Automaton, ExactStore, HashCompact, SharedExact, Store};
use spinor_ts::{
    Blind, Depth, Expansion, Fairness, Incomplete, Observer, Outcome, TransitionSystem,
};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How a program is to be searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Order of exploration.
    pub order: SearchOrder,
    /// How to look for cycles, if they are looked for.
    pub cycles: Option<CycleSearch>,
    /// Visited set.
    pub store: StoreKind,
    /// What executes the program.
    pub engine: EngineKind,
    /// Threads.
    pub threads: usize,
    /// Binary logarithm of the number of bits of a bitstate store.
    pub bits: u32,
    /// Bits per state of a bitstate store.
    pub hash_functions: u32,
    /// Seed of random walks.
    pub seed: u64,
    /// Number of the hash function of a bitstate store.
    pub hash_seed: u64,
    /// So many small bitstate searches in place of one search.
    pub swarm: Option<u32>,
    /// Depth first, with a cache of visited states of so many bytes.
    pub cache_bytes: Option<u64>,
}

/// A search that was run.
#[derive(Debug)]
pub struct Searched {
    /// Its result.
    pub outcome: Outcome,
    /// What should be said of the engine.
    pub notes: Vec<String>,
    /// Whether native code was used in the end.
    pub is_native: bool,
    /// Time spent on generating code.
    pub compile_time: Duration,
    /// CPU time of the search, all threads together but for those that generate code, if it can be measured.
    pub cpu_time: Option<Duration>,
    executed: Vec<bool>,
}

impl Searched {
    /// Whether a statement was executed in some state.
    #[must_use]
    pub fn was_executed(&self, statement: StmtId) -> bool {
        self.executed[statement.index()]
    }

    /// The same for all statements, by number.
    pub(crate) fn executed(&self) -> &[bool] {
        &self.executed
    }
}

/// Searches a program.
pub fn search(
    program: &Arc<Program>,
    options: Options,
    setup: &Setup,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Searched {
    let mut systems: Vec<Boxed> = tiers(program, options, setup).into_iter().map(boxed).collect();
    let scout = || Exec::new(Arc::clone(program), options);
    let stores = StoreMaker::new(layout_of(program, options), scout);
    measured(&mut systems, program, |systems| reachable(systems, &stores, setup, config, observer))
}

/// Engines of a program, one for each thread.
pub(crate) fn tiers(program: &Arc<Program>, options: Options, setup: &Setup) -> Vec<Tiered> {
    let engine = match setup.engine {
        EngineKind::Auto => Engine::Auto,
        EngineKind::Native => Engine::Native,
        EngineKind::Interpreter => Engine::Interpreter,
    };
    let (threads, clock) = (spinor_store::thread, thread_time);
    let tiers = TierConfig { engine, threads, clock, ..TierConfig::default() };
    let first = Tiered::new(Arc::clone(program), options, tiers);
    let mut systems: Vec<Tiered> = (1..setup.threads.max(1)).map(|_| first.another()).collect();
    systems.insert(0, first);
    systems
}

/// A system that has an engine inside.
pub(crate) trait Driven {
    /// The engine.
    fn engine(&self) -> &Tiered;
}

impl Driven for Tiered {
    fn engine(&self) -> &Tiered {
        self
    }
}

impl<T: Driven + TransitionSystem> Driven for Product<T> {
    fn engine(&self) -> &Tiered {
        self.system().engine()
    }
}

impl<T: Driven + TransitionSystem> Driven for Marked<T> {
    fn engine(&self) -> &Tiered {
        self.system().engine()
    }
}

/// Runs a search and takes its measure.
pub(crate) fn measured<T: Driven>(
    systems: &mut [T],
    program: &Program,
    run: impl FnOnce(&mut [T]) -> Outcome,
) -> Searched {
    let compiled = systems.first().map_or(Duration::ZERO, |s| s.engine().compile_cpu_time());
    let begin = cpu::time();
    let outcome = run(systems);
    let compiling = systems.first().map_or(Duration::ZERO, |s| s.engine().compile_cpu_time());
    let spent = begin.and_then(|begin| Some(cpu::time()?.saturating_sub(begin)));
    let cpu_time = spent.map(|spent| spent.saturating_sub(compiling.saturating_sub(compiled)));
    let executed = |index: usize| {
        systems.iter().any(|system| system.engine().was_executed(StmtId(index as u32)))
    };
    let first = systems[0].engine();
    Searched {
        outcome,
        notes: first.note().into_iter().collect(),
        is_native: first.is_native(),
        compile_time: first.compile_time().unwrap_or_default(),
        cpu_time,
        executed: (0..program.statements.len()).map(executed).collect(),
    }
}

/// Searches all reachable states for violations. Breadth first goes by moves, which is faster,
/// and only if there is an error once more by elementary steps, for a shortest one.
pub(crate) fn reachable(
    systems: &mut [Boxed],
    stores: &StoreMaker<'_>,
    setup: &Setup,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    if let Some(members) = setup.swarm {
        let (bits, hash_functions, seed) = (setup.bits, setup.hash_functions, setup.hash_seed);
        let members = members as usize;
        return swarm(systems, &Swarm { members, bits, hash_functions, seed }, config, observer);
    }
    if let Some(bytes) = setup.cache_bytes {
        return cached(&mut systems[0], bytes, config, observer);
    }
    let by_moves =
        setup.order == SearchOrder::Bfs && !config.is_bounded() && systems[0].hidden_bytes() == 0;
    if !by_moves {
        return explore(systems, stores, setup, config, observer);
    }
    let quick = SearchConfig { by_moves: true, max_errors: 1, ..config.clone() };
    let mut first = explore(systems, stores, setup, &quick, observer);
    // No run has fewer moves: if each is a single step, none has fewer steps.
    let mut is_shortest = config.max_errors == 1;
    for error in &mut first.errors {
        let along = steps_along(&mut systems[0], &error.path);
        is_shortest &= along.is_some_and(|(_, longest)| longest < 2);
        error.length = along.map_or(error.length, |(steps, _)| steps);
    }
    if first.errors.is_empty() || is_shortest {
        return first;
    }
    let spent = first.stats.search_time;
    let time_limit = config.time_limit.map(|limit| limit.saturating_sub(spent));
    let slow = SearchConfig { time_limit, ..config.clone() };
    let mut again = explore(systems, stores, setup, &slow, observer);
    again.stats.search_time += spent;
    if !again.errors.is_empty() {
        return again;
    }
    // Some limit came first: what is known is an error, if not a shortest one.
    first.incomplete = again.incomplete;
    first
}

/// Elementary steps of a path, and those of its longest move.
fn steps_along(system: &mut impl TransitionSystem, path: &[u32]) -> Option<(Depth, Depth)> {
    let mut state = system.initial().ok()?;
    let mut expansion = Expansion::new();
    let (mut steps, mut longest) = (0, 0);
    for number in path {
        system.expand(&state, &mut expansion);
        let event = expansion.events().get(*number as usize)?;
        steps += Depth::from(event.steps);
        longest = longest.max(Depth::from(event.steps));
        state = expansion.state(event).to_vec();
    }
    Some((steps, longest))
}

fn explore(
    systems: &mut [Boxed],
    stores: &StoreMaker<'_>,
    setup: &Setup,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    let needs_depths = config.is_bounded();
    match setup.order {
        SearchOrder::Stateless => stateless(&mut systems[0], config, observer),
        SearchOrder::RandomWalk => random_walk(&mut systems[0], setup.seed, config, observer),
        order if order.is_directed() => {
            // Without an estimate every state is as good as the next.
            let ranking = Ranking::A_STAR;
            best_first(&mut systems[0], &mut Blind, ranking, config, observer).outcome
        }
        SearchOrder::Dfs if needs_depths => {
            let visited = &mut ExactStore::new();
            depth_first(&mut systems[0], visited, config, observer)
        }
        _ => match setup.store {
            StoreKind::Auto if setup.order == SearchOrder::Bfs => {
                let make = |bytes: u64| bits_within(setup, bytes);
                in_trees(
                    systems,
                    stores,
                    setup,
                    config,
                    observer,
                    |systems, tree, config, observer| match tree {
                        Trees::Short(tree) | Trees::Tight(tree, _) => {
                            breadth_first_auto(systems, *tree, make, config, observer)
                        }
                        Trees::Long(tree, _) => {
                            breadth_first_auto(systems, *tree, make, config, observer)
                        }
                        Trees::Wide(tree, _) => {
                            breadth_first_auto(systems, *tree, make, config, observer)
                        }
                    },
                )
            }
            StoreKind::Auto => lossy_after(setup, config, |setup, config| {
                explore(systems, stores, setup, config, observer)
            }),
            StoreKind::Tree => in_trees(
                systems,
                stores,
                setup,
                config,
                observer,
                |systems, tree, config, observer| match tree {
                    Trees::Short(tree) | Trees::Tight(tree, _) => {
                        over(systems, &*tree, setup, config, observer)
                    }
                    Trees::Long(tree, _) => over(systems, &*tree, setup, config, observer),
                    Trees::Wide(tree, _) => over(systems, &*tree, setup, config, observer),
                },
            ),
            StoreKind::Exact => over(systems, &SharedExact::new(), setup, config, observer),
            StoreKind::Collapse => over(systems, &stores.collapse(), setup, config, observer),
            StoreKind::Automaton => over(systems, &Automaton::new(), setup, config, observer),
            StoreKind::HashCompact if can_recall(&mut systems[0], setup, config) => {
                in_words(systems, stores, &Hashes, setup, config, observer)
            }
            StoreKind::HashCompact => over(systems, &HashCompact::new(), setup, config, observer),
            StoreKind::Bitstate if can_recall(&mut systems[0], setup, config) => {
                in_words(systems, stores, &Bits(setup), setup, config, observer)
            }
            StoreKind::Bitstate => over(systems, &bits(setup), setup, config, observer),
        },
    }
}

/// Searches in a tree store, and if its words soon turn out to be too short once more in the next best one.
fn in_trees(
    systems: &mut [Boxed],
    stores: &StoreMaker<'_>,
    setup: &Setup,
    config: &SearchConfig,
    observer: &mut dyn Observer,
    run: impl FnMut(&mut [Boxed], Trees, &SearchConfig, &mut dyn Observer) -> Outcome,
) -> Outcome {
    let is_suited = can_shorten(&mut systems[0], setup, config);
    let direct = |systems: &mut [Boxed], is_sure: bool| {
        if is_suited { stores.direct(&mut systems[0], setup.order, is_sure) } else { None }
    };
    let others = [StoreMaker::trees, StoreMaker::longer];
    let others = others.into_iter().map(|make| make(stores));
    in_turn(systems, direct, others, config, observer, run)
}

/// The same level by level in stores of hashes or bits.
fn in_words<B: Basis>(
    systems: &mut [Boxed],
    stores: &StoreMaker<'_>,
    basis: &B,
    setup: &Setup,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    let is_suited = can_shorten(&mut systems[0], setup, config);
    let direct = |systems: &mut [Boxed], is_sure: bool| {
        if is_suited { stores.direct_lossy(basis, &mut systems[0], is_sure) } else { None }
    };
    let others = std::iter::once_with(|| stores.lossy(basis));
    in_turn(systems, direct, others, config, observer, |systems, store, config, observer| {
        match store {
            Lossy::Short(words, _) => parallel_breadth_first(systems, &*words, config, observer),
            Lossy::Long(words, _) => parallel_breadth_first(systems, &*words, config, observer),
            Lossy::Bytes(bytes) => parallel_breadth_first(systems, &*bytes, config, observer),
        }
    })
}

/// Searches in a store of words in which cells stand as they are, if there is one, and in the next of the others
/// whenever it soon turns out that words are too short.
fn in_turn<R: Replaceable>(
    systems: &mut [Boxed],
    direct: impl Fn(&mut [Boxed], bool) -> Option<R>,
    mut others: impl Iterator<Item = R>,
    config: &SearchConfig,
    observer: &mut dyn Observer,
    mut run: impl FnMut(&mut [Boxed], R, &SearchConfig, &mut dyn Observer) -> Outcome,
) -> Outcome {
    let mut spent = Duration::ZERO;
    let mut peak = 0;
    let mut next = direct(systems, false).or_else(|| others.next());
    let mut last = Outcome::default();
    while let Some(store) = next.take() {
        let (gives_up, is_risky) = (store.gives_up(), store.is_risky());
        let time_limit = config.time_limit.map(|limit| limit.saturating_sub(spent));
        let config = SearchConfig { time_limit, ..config.clone() };
        last = run(systems, store, &config, observer);
        spent += last.stats.search_time;
        peak = last.stats.peak_memory_bytes.max(peak);
        if gives_up.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            let surer = if is_risky { direct(systems, true) } else { None };
            next = surer.or_else(|| others.next());
        }
    }
    (last.stats.search_time, last.stats.peak_memory_bytes) = (spent, peak);
    last
}

/// Whether there may be moves from word to word.
fn can_shorten(system: &mut Boxed, setup: &Setup, config: &SearchConfig) -> bool {
    let is_plain = setup.order == SearchOrder::Dfs || config.by_moves;
    is_plain && !config.only_outside && system.hidden_bytes() == 0 && !system.leaves_out()
}

/// Whether moves may be recalled, so that states had better be words.
fn can_recall(system: &mut Boxed, setup: &Setup, config: &SearchConfig) -> bool {
    setup.order == SearchOrder::Bfs
        && config.by_moves
        && system.hidden_bytes() == 0
        && system.initial().is_ok_and(|state| system.groups(&state, &mut Vec::new()))
}

fn over<S: Store>(
    systems: &mut [Boxed],
    store: &S,
    setup: &Setup,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    match setup.order {
        SearchOrder::Bfs => parallel_breadth_first(systems, store, config, observer),
        _ => dive(&mut systems[0], store, config, observer),
    }
}

/// Searches in a tree store, and if it does not fit into the memory from the beginning in a
/// set of bits.
fn lossy_after(
    setup: &Setup,
    config: &SearchConfig,
    mut run: impl FnMut(&Setup, &SearchConfig) -> Outcome,
) -> Outcome {
    let mut exact = run(&Setup { store: StoreKind::Tree, ..*setup }, config);
    let is_short = exact.incomplete.iter().any(|why| matches!(why, Incomplete::Memory(_)));
    if !is_short || !exact.errors.is_empty() {
        return exact;
    }
    let spent = exact.stats.search_time;
    let left = config.time_limit.map(|limit| limit.saturating_sub(spent));
    let config = SearchConfig { time_limit: left, ..config.clone() };
    let cycles = setup.cycles.map(|_| CycleSearch::Ndfs);
    let setup = Setup { store: StoreKind::Bitstate, cycles, ..*setup };
    let mut lossy = run(&setup, &config);
    lossy.stats.search_time += spent;
    let peak = &mut lossy.stats.peak_memory_bytes;
    *peak = exact.stats.peak_memory_bytes.max(*peak);
    exact.incomplete.retain(|why| !matches!(why, Incomplete::Memory(_)));
    lossy.incomplete.push(Incomplete::Method(format!(
        "after {} states the memory was too short for the tree store: the search was done again \
         in the bitstate store",
        exact.stats.stored
    )));
    lossy
}

/// Searches for cycles that are errors.
pub(crate) fn cyclic(
    systems: &mut [BoxedOmega],
    stores: &StoreMaker<'_>,
    setup: &Setup,
    fairness: Fairness,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    // Strong fairness is for components, which cannot be told from bits.
    if setup.store == StoreKind::Auto && fairness != Fairness::Strong {
        return lossy_after(setup, config, |setup, config| {
            cyclic(systems, stores, setup, fairness, config, observer)
        });
    }
    if matches!(setup.cycles, Some(CycleSearch::Ndfs | CycleSearch::Indfs)) {
        return nested(systems, stores, setup, fairness, config, observer);
    }
    if matches!(setup.store, StoreKind::Tree | StoreKind::Auto)
        && config.max_depth.is_none()
        && starts_outside(&mut systems[0])
        && let Some((inner, outer)) = systems.split_last_mut().filter(|(_, rest)| !rest.is_empty())
    {
        let tree = stores.tree(false);
        let mut outcome = components_behind(outer, inner, &tree, fairness, config, observer);
        for error in outcome.errors.iter_mut().filter(|error| error.cycle_start.is_none()) {
            // It was found by moves.
            let along = steps_along(inner, &error.path);
            error.length = along.map_or(error.length, |(steps, _)| steps);
        }
        return outcome;
    }
    let system = &mut systems[0];
    match setup.store {
        StoreKind::Tree | StoreKind::Auto => {
            let tree = stores.tree(false);
            components(system, &mut KeyedStates::new(&tree), fairness, config, observer)
        }
        StoreKind::Exact => components(system, &mut ExactStates::new(), fairness, config, observer),
        StoreKind::HashCompact => {
            let store = HashCompact::new();
            components(system, &mut KeyedStates::new(&store), fairness, config, observer)
        }
        StoreKind::Collapse => {
            let mut states = CollapsedStates::new(stores.layouts(false));
            components(system, &mut states, fairness, config, observer)
        }
        StoreKind::Bitstate | StoreKind::Automaton => {
            let why = "components need a store that numbers states";
            let incomplete = vec![Incomplete::Method(why.to_owned())];
            Outcome { incomplete, ..Outcome::default() }
        }
    }
}

/// Whether a search begins where no wanted cycle can be.
fn starts_outside(system: &mut BoxedOmega) -> bool {
    system.hidden_bytes() == 0
        && system.initial().is_ok_and(|initial| system.lies_outside(&initial))
}

/// The same by a nested search, on as many threads as there are systems.
fn nested(
    systems: &mut [BoxedOmega],
    stores: &StoreMaker<'_>,
    setup: &Setup,
    fairness: Fairness,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    let has_copies = needs_copies(&systems[0], fairness);
    if systems.len() > 1 {
        return match setup.store {
            StoreKind::HashCompact => {
                parallel_nested(systems, &HashCompact::new(), fairness, config, observer)
            }
            StoreKind::Bitstate => {
                parallel_nested(systems, &bits(setup), fairness, config, observer)
            }
            _ => parallel_nested(systems, &stores.tree(has_copies), fairness, config, observer),
        };
    }
    let system = &mut systems[0];
    match setup.store {
        StoreKind::Tree | StoreKind::Auto => {
            let tree = stores.tree(has_copies);
            let mut marks = NumberedMarks::new(KeyedStates::new(&tree));
            nested_over(system, &mut marks, setup, fairness, config, observer)
        }
        StoreKind::Exact => {
            let mut marks = NumberedMarks::new(ExactStates::new());
            nested_over(system, &mut marks, setup, fairness, config, observer)
        }
        StoreKind::HashCompact => {
            let store = HashCompact::new();
            let mut marks = HashedMarks::new(&store);
            nested_over(system, &mut marks, setup, fairness, config, observer)
        }
        StoreKind::Collapse => {
            let states = CollapsedStates::new(stores.layouts(has_copies));
            let mut marks = NumberedMarks::new(states);
            nested_over(system, &mut marks, setup, fairness, config, observer)
        }
        StoreKind::Automaton => {
            let store = Automaton::new();
            let mut marks = WordMarks::new(&store);
            nested_over(system, &mut marks, setup, fairness, config, observer)
        }
        StoreKind::Bitstate => {
            let store = bits(setup);
            let mut marks = HashedMarks::new(&store);
            nested_over(system, &mut marks, setup, fairness, config, observer)
        }
    }
}

fn nested_over<M: Marking>(
    system: &mut BoxedOmega,
    marks: &mut M,
    setup: &Setup,
    fairness: Fairness,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    match setup.cycles {
        Some(CycleSearch::Indfs) => improved_nested(system, marks, fairness, config, observer),
        _ => nested_depth_first(system, marks, fairness, config, observer),
    }
}
