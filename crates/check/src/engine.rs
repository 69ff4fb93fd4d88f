//! Which engine, store and search a question gets.
//!
//! The one place where the three are put together; everything else only names them.

use crate::cpu;
use crate::{CycleSearch, EngineKind, SearchOrder, StoreKind};
use spinor_exec::{Exec, Options, layout_of};
use spinor_jit::{Engine, TierConfig, Tiered};
use spinor_product::{Marked, Product};
use spinor_program::{Program, StmtId};
use spinor_search::{
    ExactStates, HashedMarks, KeyedStates, Marking, NumberedMarks, SearchConfig,
    breadth_first_auto, components, depth_first, dive, improved_nested, layout_of_copies,
    needs_copies, nested_depth_first, parallel_breadth_first, parallel_nested, sample, stateless,
};
use spinor_store::{Bitstate, ExactStore, HashCompact, SharedExact, Store, Tree};
use spinor_ts::{Fairness, Incomplete, LayoutOf, Observer, OmegaSystem, Outcome, TransitionSystem};
use std::sync::Arc;
use std::time::Duration;

/// States that are kept of those met on random walks, to learn what states look like.
const SAMPLE_STATES: usize = 2000;
/// Expansions spent on it.
const SAMPLE_EXPANSIONS: usize = 2000;

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
    /// CPU time of the search, all threads together, if it can be measured.
    pub cpu_time: Option<Duration>,
    executed: Vec<bool>,
}

impl Searched {
    /// Whether a statement was executed in some state.
    #[must_use]
    pub fn was_executed(&self, statement: StmtId) -> bool {
        self.executed[statement.index()]
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
    let mut systems = tiers(program, options, setup);
    let tree = || {
        // By an interpreter of its own: a look around is no reason to start the compiler.
        let scout = Exec::new(Arc::clone(program), options);
        tree_after(scout, layout_of(program, options))
    };
    measured(&mut systems, program, |systems| reachable(systems, tree, setup, config, observer))
}

/// Engines of a program, one for each thread.
pub(crate) fn tiers(program: &Arc<Program>, options: Options, setup: &Setup) -> Vec<Tiered> {
    let engine = match setup.engine {
        EngineKind::Auto => Engine::Auto,
        EngineKind::Native => Engine::Native,
        EngineKind::Interpreter => Engine::Interpreter,
    };
    let tiers = TierConfig { engine, ..TierConfig::default() };
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

impl Driven for Product<Tiered> {
    fn engine(&self) -> &Tiered {
        self.system()
    }
}

impl Driven for Marked<Tiered> {
    fn engine(&self) -> &Tiered {
        self.system()
    }
}

/// Runs a search and takes its measure.
pub(crate) fn measured<T: Driven>(
    systems: &mut [T],
    program: &Program,
    run: impl FnOnce(&mut [T]) -> Outcome,
) -> Searched {
    let begin = cpu::time();
    let outcome = run(systems);
    let cpu_time = begin.and_then(|begin| Some(cpu::time()?.saturating_sub(begin)));
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

/// Searches all reachable states for violations.
pub(crate) fn reachable<T: TransitionSystem + Send>(
    systems: &mut [T],
    tree: impl FnOnce() -> Tree,
    setup: &Setup,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    let needs_depths = config.max_depth.is_some() || config.shorten;
    match setup.order {
        SearchOrder::Stateless => stateless(&mut systems[0], config, observer),
        SearchOrder::Dfs if needs_depths => {
            let visited = &mut ExactStore::new();
            depth_first(&mut systems[0], visited, config, observer)
        }
        SearchOrder::Dfs | SearchOrder::Bfs => match setup.store {
            StoreKind::Auto if setup.order == SearchOrder::Bfs => {
                let (given, functions) = (setup.bits, setup.hash_functions);
                let make = |bytes: u64| {
                    let fitting = bytes.saturating_mul(8).max(1024).ilog2();
                    Bitstate::new(1 << fitting.min(given), functions)
                };
                breadth_first_auto(systems, tree(), make, config, observer)
            }
            StoreKind::Tree | StoreKind::Auto => over(systems, &tree(), setup, config, observer),
            StoreKind::Exact => over(systems, &SharedExact::new(), setup, config, observer),
            StoreKind::HashCompact => over(systems, &HashCompact::new(), setup, config, observer),
            StoreKind::Bitstate => {
                let store = Bitstate::new(1 << setup.bits, setup.hash_functions);
                over(systems, &store, setup, config, observer)
            }
        },
    }
}

fn over<T: TransitionSystem + Send, S: Store>(
    systems: &mut [T],
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

/// Searches for cycles that are errors. `tree` is told whether states have a byte more, for the
/// number of a copy.
pub(crate) fn cyclic<T: OmegaSystem + Send>(
    systems: &mut [T],
    tree: impl FnOnce(bool) -> Tree,
    setup: &Setup,
    fairness: Fairness,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    if matches!(setup.cycles, Some(CycleSearch::Ndfs | CycleSearch::Indfs)) {
        return nested(systems, tree, setup, fairness, config, observer);
    }
    let system = &mut systems[0];
    match setup.store {
        StoreKind::Tree | StoreKind::Auto => {
            let tree = tree(false);
            components(system, &mut KeyedStates::new(&tree), fairness, config, observer)
        }
        StoreKind::Exact => components(system, &mut ExactStates::new(), fairness, config, observer),
        StoreKind::HashCompact => {
            let store = HashCompact::new();
            components(system, &mut KeyedStates::new(&store), fairness, config, observer)
        }
        StoreKind::Bitstate => {
            let why =
                "components cannot be told from bits: `--store bitstate` needs `--cycles ndfs`";
            let incomplete = vec![Incomplete::Method(why.to_owned())];
            Outcome { incomplete, ..Outcome::default() }
        }
    }
}

/// The same by a nested search, on as many threads as there are systems.
fn nested<T: OmegaSystem + Send>(
    systems: &mut [T],
    tree: impl FnOnce(bool) -> Tree,
    setup: &Setup,
    fairness: Fairness,
    config: &SearchConfig,
    observer: &mut dyn Observer,
) -> Outcome {
    let has_copies = needs_copies(&systems[0], fairness);
    let bits = || Bitstate::new(1 << setup.bits, setup.hash_functions);
    if systems.len() > 1 {
        return match setup.store {
            StoreKind::Tree | StoreKind::Auto | StoreKind::Exact => {
                parallel_nested(systems, &tree(has_copies), fairness, config, observer)
            }
            StoreKind::HashCompact => {
                parallel_nested(systems, &HashCompact::new(), fairness, config, observer)
            }
            StoreKind::Bitstate => parallel_nested(systems, &bits(), fairness, config, observer),
        };
    }
    let system = &mut systems[0];
    match setup.store {
        StoreKind::Tree | StoreKind::Auto => {
            let tree = tree(has_copies);
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
        StoreKind::Bitstate => {
            let store = bits();
            let mut marks = HashedMarks::new(&store);
            nested_over(system, &mut marks, setup, fairness, config, observer)
        }
    }
}

fn nested_over<T: OmegaSystem, M: Marking>(
    system: &mut T,
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

/// An empty tree store, made for states like those that `scout` meets.
pub(crate) fn tree_after(mut scout: impl TransitionSystem, layouts: LayoutOf) -> Tree {
    let met = sample(&mut scout, SAMPLE_STATES, SAMPLE_EXPANSIONS);
    Tree::new(layouts, &met)
}

/// The same for states with the number of a copy behind them, if there are copies.
pub(crate) fn tree_of_copies(
    mut scout: impl TransitionSystem,
    layouts: LayoutOf,
    has_copies: bool,
) -> Tree {
    if !has_copies {
        return tree_after(scout, layouts);
    }
    let mut met = sample(&mut scout, SAMPLE_STATES, SAMPLE_EXPANSIONS);
    met.iter_mut().for_each(|state| state.push(0));
    Tree::new(layout_of_copies(layouts), &met)
}
