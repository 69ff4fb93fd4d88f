//! Spinor's own engines as checkers.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

pub use spinor_check::{EngineKind, SearchOrder, Setup, StoreKind};
use spinor_embed::COptions;
use spinor_exec::{Exec, Fault, Options, Site};
use spinor_program::Program;
use spinor_search::SearchConfig;
use spinor_syntax::{FileSource, PreprocessOptions};
use spinor_ts::{Outcome, SilentObserver, TransitionSystem, Violation, ViolationKind};

use crate::classify::{ErrorKind, RuntimeKind};
use crate::differ::{Subject, SubjectOutcome};
use crate::spin::Config;

/// Stack of the thread that reads a model: nesting may be deep.
const FRONT_END_STACK: usize = 512 << 20;

/// `#include` from the folder of the including file.
pub struct Folder;

impl FileSource for Folder {
    fn read(&self, name: &str, from: &str) -> Result<(String, String), String> {
        let path = Path::new(from).parent().unwrap_or(Path::new("")).join(name);
        let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
        Ok((text, path.display().to_string()))
    }
}

/// Compiles a model; the error is the first diagnostic.
pub fn compile(name: &str, source: &str) -> Result<Arc<Program>, String> {
    compile_with(name, source, &PreprocessOptions::default())
}

/// Compiles a model with macros from outside.
pub fn compile_with(
    name: &str,
    source: &str,
    options: &PreprocessOptions,
) -> Result<Arc<Program>, String> {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(FRONT_END_STACK)
            .spawn_scoped(scope, || front_end(name, source, options))
            .map_err(|e| e.to_string())?
            .join()
            .map_err(|_| "the front end panicked".to_owned())?
    })
}

fn front_end(
    name: &str,
    source: &str,
    options: &PreprocessOptions,
) -> Result<Arc<Program>, String> {
    let parsed = spinor_syntax::parse(name, source, options, &Folder);
    let first_error = |diagnostics: &[spinor_base::Diagnostic]| {
        diagnostics.iter().find(|d| d.is_error()).map(|d| {
            let at = parsed.sources.location(d.primary);
            format!("{}:{}:{}: {} [{}]", at.file, at.line, at.column, d.message, d.code)
        })
    };
    if let Some(error) = first_error(&parsed.diagnostics) {
        return Err(error);
    }
    let analysis = spinor_sema::analyze(&parsed);
    if let Some(error) = first_error(&analysis.diagnostics) {
        return Err(error);
    }
    let lowered = spinor_program::lower(&analysis.model);
    if let Some(error) = first_error(&lowered.diagnostics) {
        return Err(error);
    }
    let mut program = lowered.program;
    let folder = Path::new(name).parent().unwrap_or(Path::new(""));
    let options = COptions::default();
    let attached =
        spinor_embed::attach(&analysis.model, &mut program, &parsed.sources, folder, &options);
    match first_error(&attached.diagnostics) {
        Some(error) => Err(error),
        None => Ok(Arc::new(program)),
    }
}

/// Sixteen million bits, for lossy stores.
const BITS: u32 = 24;

const fn setup(engine: EngineKind, store: StoreKind, order: SearchOrder, threads: usize) -> Setup {
    Setup {
        order,
        store,
        engine,
        threads,
        bits: BITS,
        hash_functions: 3,
        hash_seed: 0,
        seed: 0,
        cycles: None,
        swarm: None,
        cache_bytes: None,
    }
}

/// The reference: the interpreter, all bytes of all states, depth first.
pub const REFERENCE: Setup = setup(EngineKind::Interpreter, StoreKind::Exact, SearchOrder::Dfs, 1);

/// Combinations that meet every engine, exact store, order and number of threads.
pub const USUAL: [Setup; 5] = [
    REFERENCE,
    setup(EngineKind::Native, StoreKind::Tree, SearchOrder::Bfs, 2),
    setup(EngineKind::Native, StoreKind::Tree, SearchOrder::Dfs, 1),
    setup(EngineKind::Interpreter, StoreKind::Tree, SearchOrder::Bfs, 1),
    setup(EngineKind::Native, StoreKind::Exact, SearchOrder::Bfs, 1),
];

/// All combinations of engines, exact stores, orders and one or two threads.
#[must_use]
pub fn all_setups() -> Vec<Setup> {
    let mut setups = Vec::new();
    for engine in [EngineKind::Interpreter, EngineKind::Native, EngineKind::Auto] {
        for store in [StoreKind::Exact, StoreKind::Tree, StoreKind::Collapse, StoreKind::Automaton]
        {
            setups.push(setup(engine, store, SearchOrder::Dfs, 1));
            setups.push(setup(engine, store, SearchOrder::Bfs, 1));
            setups.push(setup(engine, store, SearchOrder::Bfs, 2));
        }
    }
    setups
}

/// Whether what a search of the program finds does not depend on how it is done: C code that remembers
/// something outside of the states does not admit that.
#[must_use]
pub fn admits_all_setups(program: &Program) -> bool {
    let library = program.embedded.as_ref().and_then(|c| c.library.as_ref());
    library.is_none_or(|library| library.own_memory().is_none())
}

/// A set-up in a few words.
#[must_use]
pub fn name(setup: &Setup) -> String {
    let Setup { order, store, engine, threads, .. } = setup;
    format!("{engine:?}/{}/{}/{threads}", store.name(), order.name())
}

/// Runs a search of a compiled model as `config` asks.
#[must_use]
pub fn search(program: &Arc<Program>, config: Config, setup: &Setup) -> Outcome {
    search_within(program, config, setup, Duration::from_secs(u64::MAX / 4))
}

/// The same, for at most `limit`.
#[must_use]
pub fn search_within(
    program: &Arc<Program>,
    config: Config,
    setup: &Setup,
    limit: Duration,
) -> Outcome {
    let claim = (config == Config::Claim && !program.claims.is_empty()).then_some(0);
    let options = Options { claim, ..Options::default() };
    let ignore = match config {
        Config::Full | Config::Claim => {
            BTreeSet::from([ViolationKind::Assertion, ViolationKind::InvalidEndState])
        }
        Config::Verdict | Config::VerdictAll | Config::Bfs => BTreeSet::new(),
    };
    let max_errors = u64::from(matches!(config, Config::Verdict | Config::Bfs));
    let config = SearchConfig {
        ignore,
        max_errors,
        time_limit: Some(limit),
        memory_limit_bytes: Some(4 << 30),
        ..SearchConfig::default()
    };
    let searched = spinor_check::search(program, options, setup, &config, &mut SilentObserver);
    check_trails(program, claim, &searched.outcome);
    searched.outcome
}

/// Every path must lead to its violation when it is run again.
fn check_trails(program: &Arc<Program>, claim: Option<usize>, outcome: &Outcome) {
    for error in &outcome.errors {
        let mut system = Exec::new(Arc::clone(program), Options { claim, ..Options::default() });
        let Ok(mut state) = system.initial() else { continue };
        let mut steps = 0;
        let mut last = None;
        for &event in &error.path {
            let (replayed, expansion) =
                system.replay(&state, event).expect("a path names events that exist");
            let event = expansion.events()[event as usize];
            assert_eq!(replayed.len(), event.steps as usize, "a move has the steps it says");
            steps += u64::from(event.steps);
            state = expansion.state(&event).to_vec();
            last = Some(event.kind);
        }
        assert_eq!(last, Some(spinor_ts::EventKind::Violation(error.violation)));
        assert_eq!(steps, error.length, "a path is as long as it says");
    }
}

/// What a violation is in the terms of comparisons.
#[must_use]
pub fn kind(violation: Violation) -> ErrorKind {
    match violation.kind {
        ViolationKind::Assertion => ErrorKind::Assertion,
        ViolationKind::InvalidEndState => ErrorKind::InvalidEndState,
        ViolationKind::ClaimViolated => ErrorKind::ClaimViolated,
        ViolationKind::TraceViolated => ErrorKind::TraceViolated,
        ViolationKind::AcceptanceCycle => ErrorKind::AcceptanceCycle,
        ViolationKind::NonProgressCycle => ErrorKind::NonProgressCycle,
        ViolationKind::Runtime => {
            ErrorKind::Runtime(Site::of(violation).fault.map_or(RuntimeKind::Other, runtime_kind))
        }
    }
}

fn runtime_kind(fault: Fault) -> RuntimeKind {
    match fault {
        Fault::DivisionByZero => RuntimeKind::DivisionByZero,
        Fault::Index => RuntimeKind::ArrayIndex,
        Fault::UninitialisedChannel => RuntimeKind::UninitialisedChannel,
        Fault::DeadChannel => RuntimeKind::BadChannel,
        Fault::TooManySendFields
        | Fault::TooFewSendFields
        | Fault::TooFewReceiveFields
        | Fault::TooManyReceiveFields => RuntimeKind::MessageArity,
        Fault::PollRendezvous => RuntimeKind::PollOfRendezvous,
        Fault::DStepBlocks | Fault::DStepEndless => RuntimeKind::BlockInDStep,
        Fault::DStepRendezvous => RuntimeKind::RendezvousInDStep,
        Fault::TooManyProcesses => RuntimeKind::TooManyProcesses,
        Fault::TooManyChannels => RuntimeKind::TooManyChannels,
        Fault::PriorityRange | Fault::OwnEnabled => RuntimeKind::BadArgument,
        Fault::Nondeterminism | Fault::TraceNondeterminism => RuntimeKind::NonDeterminism,
        Fault::RemoteType => RuntimeKind::Other,
        Fault::CPrecondition
        | Fault::CAssertion
        | Fault::CMemory
        | Fault::CArithmetic
        | Fault::CAbort
        | Fault::CExit
        | Fault::CEndless
        | Fault::CMissing => RuntimeKind::EmbeddedC,
    }
}

/// Spinor, searching in one way.
#[derive(Clone, Copy, Debug)]
pub struct Spinor(pub Setup);

impl Subject for Spinor {
    fn check(&self, source: &str, config: Config) -> SubjectOutcome {
        match compile("model.pml", source) {
            Ok(program) => outcome_of(&search(&program, config, &self.0)),
            Err(reason) => SubjectOutcome { refused: Some(reason), ..SubjectOutcome::default() },
        }
    }
}

/// An outcome in the terms of comparisons.
#[must_use]
pub fn outcome_of(outcome: &Outcome) -> SubjectOutcome {
    let reached_error_limit =
        |i: &spinor_ts::Incomplete| matches!(i, spinor_ts::Incomplete::ErrorLimit(_));
    SubjectOutcome {
        refused: None,
        incomplete: !outcome.incomplete.iter().all(reached_error_limit),
        stored: outcome.stats.stored,
        matched: outcome.stats.matched,
        transitions: outcome.stats.transitions,
        errors: outcome.errors.iter().map(|e| kind(e.violation)).collect(),
    }
}
