//! Which engine, store and search a question gets.
//!
//! The one place where the three are put together; everything else only names them.

use crate::cpu;
use crate::{EngineKind, SearchOrder, StoreKind};
use spinor_exec::{Exec, Options, layout_of};
use spinor_jit::{Engine, TierConfig, Tiered};
use spinor_program::{Program, StmtId};
use spinor_search::{
    SearchConfig, breadth_first_auto, depth_first, dive, parallel_breadth_first, sample, stateless,
};
use spinor_store::{Bitstate, ExactStore, HashCompact, SharedExact, Store, Tree};
use spinor_ts::{Observer, Outcome};
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
    /// Visited set.
    pub store: StoreKind,
    /// What executes the program.
    pub engine: EngineKind,
    /// Threads of a breadth-first search.
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
    let engine = match setup.engine {
        EngineKind::Auto => Engine::Auto,
        EngineKind::Native => Engine::Native,
        EngineKind::Interpreter => Engine::Interpreter,
    };
    let tiers = TierConfig { engine, ..TierConfig::default() };
    let first = Tiered::new(Arc::clone(program), options, tiers);
    let threads = if setup.order == SearchOrder::Bfs { setup.threads.max(1) } else { 1 };
    let mut systems: Vec<Tiered> = (1..threads).map(|_| first.another()).collect();
    systems.insert(0, first);
    let begin = cpu::time();
    let outcome = Search { systems: &mut systems, program, options, setup, config }.run(observer);
    let cpu_time = begin.and_then(|begin| Some(cpu::time()?.saturating_sub(begin)));
    let executed =
        |index: usize| systems.iter().any(|system| system.was_executed(StmtId(index as u32)));
    Searched {
        outcome,
        notes: systems[0].note().into_iter().collect(),
        is_native: systems[0].is_native(),
        compile_time: systems[0].compile_time().unwrap_or_default(),
        cpu_time,
        executed: (0..program.statements.len()).map(executed).collect(),
    }
}

struct Search<'a> {
    systems: &'a mut [Tiered],
    program: &'a Arc<Program>,
    options: Options,
    setup: &'a Setup,
    config: &'a SearchConfig,
}

impl Search<'_> {
    fn run(&mut self, observer: &mut dyn Observer) -> Outcome {
        let needs_depths = self.config.max_depth.is_some() || self.config.shorten;
        match self.setup.order {
            SearchOrder::Stateless => stateless(&mut self.systems[0], self.config, observer),
            SearchOrder::Dfs if needs_depths => {
                let visited = &mut ExactStore::new();
                depth_first(&mut self.systems[0], visited, self.config, observer)
            }
            SearchOrder::Dfs | SearchOrder::Bfs => match self.setup.store {
                StoreKind::Auto if self.setup.order == SearchOrder::Bfs => {
                    let tree = self.tree();
                    let (given, functions) = (self.setup.bits, self.setup.hash_functions);
                    let make = |bytes: u64| {
                        let fitting = bytes.saturating_mul(8).max(1024).ilog2();
                        Bitstate::new(1 << fitting.min(given), functions)
                    };
                    breadth_first_auto(self.systems, tree, make, self.config, observer)
                }
                StoreKind::Tree | StoreKind::Auto => {
                    let tree = self.tree();
                    self.over(&tree, observer)
                }
                StoreKind::Exact => self.over(&SharedExact::new(), observer),
                StoreKind::HashCompact => self.over(&HashCompact::new(), observer),
                StoreKind::Bitstate => {
                    let store = Bitstate::new(1 << self.setup.bits, self.setup.hash_functions);
                    self.over(&store, observer)
                }
            },
        }
    }

    fn over<S: Store>(&mut self, store: &S, observer: &mut dyn Observer) -> Outcome {
        match self.setup.order {
            SearchOrder::Bfs => parallel_breadth_first(self.systems, store, self.config, observer),
            _ => dive(&mut self.systems[0], store, self.config, observer),
        }
    }

    fn tree(&mut self) -> Tree {
        let layouts = layout_of(self.program, self.options);
        // By an interpreter of its own: a look around is no reason to start the compiler.
        let mut scout = Exec::new(Arc::clone(self.program), self.options);
        let met = sample(&mut scout, SAMPLE_STATES, SAMPLE_EXPANSIONS);
        Tree::new(layouts, &met)
    }
}
