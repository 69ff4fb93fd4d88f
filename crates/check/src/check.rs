//! Running the searches.

use crate::config::{EngineKind, SearchOrder, StoreKind};
use crate::confirm::{Confirmed, confirm};
use crate::engine::{Searched, Setup, search};
use crate::property::{accepts, select, specification};
use crate::question::Question;
use crate::refusal::refusal;
use crate::replay::options;
use crate::report::{ErrorReport, PropertyReport, SearchInfo};
use crate::scout::FOUND;
use crate::{CheckConfig, Loaded, Property, PropertyKind};
use spinor_exec::{Exec, Options};
use spinor_program::{Action, Automaton, Program};
use spinor_search::SearchConfig;
use spinor_trace::{Trail, View, describe, kind_name, unreached};
use spinor_ts::{
    Fairness, FoundError, Incomplete, Observer, Outcome, Stats, Verdict, ViolationKind,
};
use std::collections::BTreeSet;
use std::num::NonZero;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Said of errors that depend on what C code remembers.
const UNREPEATABLE: &str = "an error was found, but the run to it cannot be repeated: C code keeps memory outside of the states";

/// A bitstate store is no larger unless asked for.
const MAX_BITS: u32 = 35;
/// The same if nothing is said of it: enough for a hundred million states, and cleared in no time.
const USUAL_BITS: u32 = 32;

/// Members of a swarm are smaller: 64 MB.
const SWARM_BITS: u32 = 29;

/// A check that could not be done.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The model has errors.
    #[error("the model has errors")]
    Unusable,
    /// No such property.
    #[error("the model has no property `{name}`; it has {known}{hint}")]
    UnknownProperty {
        /// Asked for.
        name: String,
        /// What there is.
        known: String,
        /// Why it may be missing.
        hint: &'static str,
    },
    /// No LTL formula.
    #[error("`{formula}` is not an LTL formula: {reason}")]
    BadFormula {
        /// Given.
        formula: String,
        /// What is wrong with it.
        reason: String,
    },
    /// What is asked for cannot be done together.
    #[error("{0}")]
    Refused(String),
    /// An estimate that does not apply.
    #[error("the estimate `{name}` cannot be used: {reason}")]
    BadEstimate {
        /// Asked for.
        name: &'static str,
        /// Why not.
        reason: String,
    },
    /// The program contradicts itself.
    #[error("{0}")]
    Internal(String),
}

/// Checks the properties asked for, in order.
///
/// # Errors
/// The model has errors, a property does not exist, or an error that a search
/// found was not confirmed by the interpreter.
pub fn check(
    loaded: &Loaded,
    config: &CheckConfig,
    observer: &mut dyn Observer,
) -> Result<Vec<PropertyReport>, CheckError> {
    let (Some(model), Some(program)) = (&loaded.model, &loaded.program) else {
        return Err(CheckError::Unusable);
    };
    if program.embedded.as_ref().is_some_and(|c| c.library.is_none()) {
        return Err(CheckError::Unusable);
    }
    let start = Instant::now();
    let mut reports: Vec<PropertyReport> = Vec::new();
    let properties = select(loaded, model, program, config)?;
    if let Some(why) = refusal(config, &properties) {
        return Err(CheckError::Refused(why));
    }
    for property in properties {
        let report = if reports.last().is_some_and(|r| r.interrupted) {
            let search = SearchInfo::of(&setup(config, program), config);
            let mut report = unchecked(property, search, "interrupted before it was checked");
            report.interrupted = true;
            report
        } else {
            let checker = Checker { loaded, program, config, start };
            checker.property(property, observer)?
        };
        reports.push(report);
    }
    Ok(reports)
}

/// The report on a property that was not looked at.
pub(crate) fn unchecked(property: Property, search: SearchInfo, why: &str) -> PropertyReport {
    PropertyReport {
        property,
        verdict: Verdict::Incomplete,
        complete: false,
        limits: vec![why.to_owned()],
        incomplete: vec![Incomplete::Method(why.to_owned())],
        interrupted: false,
        search,
        stats: Stats::default(),
        errors: Vec::new(),
        error_count: 0,
        unreached: None,
        executed: Vec::new(),
        notes: Vec::new(),
    }
}

pub(crate) fn setup(config: &CheckConfig, program: &Program) -> Setup {
    let depends_on_order = program.hidden_bytes > 0 || own_c_memory(program).is_some();
    let is_depth_first = config.swarm.is_some() || config.cache_bytes.is_some();
    let order = config.order.unwrap_or(if is_depth_first || depends_on_order {
        // SPIN: which values hidden variables have depends on the order.
        SearchOrder::Dfs
    } else {
        // The first error is a shortest one, and it is the faster one.
        SearchOrder::Bfs
    });
    let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
    let threads = match order {
        _ if let Some(members) = config.swarm => {
            config.threads.unwrap_or_else(cores).min(members.max(1) as usize)
        }
        // Which run comes first decides about hidden variables; the automaton changes as a whole.
        SearchOrder::Bfs if !depends_on_order && config.store != Some(StoreKind::Automaton) => {
            config.threads.unwrap_or_else(cores)
        }
        // Counts depend on the number of threads: more than one only if asked for.
        SearchOrder::Astar | SearchOrder::Wastar | SearchOrder::BestFirst => {
            config.threads.unwrap_or(1)
        }
        _ => 1,
    };
    Setup {
        order,
        cycles: None,
        store: match config.swarm {
            Some(_) => StoreKind::Bitstate,
            None => config.store.unwrap_or(StoreKind::Tree),
        },
        engine: match own_c_memory(program) {
            // Two engines would have two memories.
            Some(_) => EngineKind::Interpreter,
            None => config.engine,
        },
        threads,
        bits: config.bits.unwrap_or_else(|| match config.swarm {
            Some(_) => {
                let share = config.memory_limit_bytes.map(|bytes| bytes / threads.max(1) as u64);
                default_bits(share).min(SWARM_BITS)
            }
            // Where memory was too short for all states, all of it is wanted.
            None if config.store == Some(StoreKind::Auto) => {
                default_bits(config.memory_limit_bytes)
            }
            None => default_bits(config.memory_limit_bytes).min(USUAL_BITS),
        }),
        hash_functions: config.hash_functions.unwrap_or(3),
        seed: config.guidance.seed,
        hash_seed: config.hash_seed,
        swarm: config.swarm,
        cache_bytes: config.cache_bytes,
    }
}

/// What the C code of a program remembers outside of the states.
pub(crate) fn own_c_memory(program: &Program) -> Option<&str> {
    program.embedded.as_ref()?.library.as_ref()?.own_memory()
}

/// Half of the memory for the bits of a bitstate store, 4 GB at most.
fn default_bits(memory: Option<u64>) -> u32 {
    memory.map_or(MAX_BITS, |bytes| bytes.max(1024).ilog2() + 2).min(MAX_BITS)
}

/// A check that is being done.
pub(crate) struct Checker<'a> {
    pub(crate) loaded: &'a Loaded,
    pub(crate) program: &'a Arc<Program>,
    pub(crate) config: &'a CheckConfig,
    start: Instant,
}

impl Checker<'_> {
    fn property(
        &self,
        property: Property,
        observer: &mut dyn Observer,
    ) -> Result<PropertyReport, CheckError> {
        let options = options(self.program, &property);
        let question = match (property.kind, options.claim) {
            (PropertyKind::Safety, _) => return self.safety(property, options, observer),
            (PropertyKind::Never, claim) => {
                let automaton = claim.map(|claim| &self.program.claims[claim].automaton);
                let is_finite = self.config.customs.finite_only
                    || !automaton.is_some_and(accepts)
                    || self.is_directed_to_end(automaton);
                if is_finite {
                    return self.safety(property, options, observer);
                }
                Ok(Question::Labels)
            }
            (PropertyKind::Acceptance, _) => Ok(Question::Labels),
            (PropertyKind::NonProgress, _) => Ok(Question::non_progress()),
            (PropertyKind::Ltl, _) => Question::of_formula(&specification(self.loaded, &property)?),
        };
        self.infinite_runs(property, &question, observer)
    }

    /// Searches all reachable states for violations.
    fn safety(
        &self,
        property: Property,
        mut options: Options,
        observer: &mut dyn Observer,
    ) -> Result<PropertyReport, CheckError> {
        let setup = setup(self.config, self.program);
        let config = self.search_config(setup.order, &property, options);
        options.ignore_deadlocks = config.ignore.contains(&ViolationKind::InvalidEndState);
        if setup.order.is_directed() {
            return self.directed_safety(property, options, &setup, &config, observer);
        }
        let optimised = self.optimised(options);
        let program = &optimised.program;
        let is_reduced = self.is_reducible(program, options, &setup);
        let run = |observer: &mut dyn Observer| {
            if let Some(bound) = self.config.context_bound {
                self.search_contexts(program, options, bound, &setup, &config, observer)
            } else if is_reduced {
                self.search_reduced(program, options, &setup, &config, observer)
            } else {
                Ok(search(program, options, &setup, &config, observer))
            }
        };
        let (searched, is_scouted) = if setup.order == SearchOrder::Bfs && self.wants_scouts() {
            self.with_scouts(program, options, &setup, &config, observer, run)?
        } else {
            (run(observer)?, false)
        };
        let every = self.config.customs.every_error;
        let unfolded = optimised.unfolded(self.program, options, &searched.outcome.errors, every);
        let Ok((mut errors, as_found)) = unfolded else {
            // What a pass leaves out can be what ends a `d_step`: the model itself decides.
            let searched = search(self.program, options, &setup, &config, observer);
            let runs = self.confirm_all(searched.outcome.errors.clone(), options)?;
            return self.report(property, options, &setup, searched, runs);
        };
        let mut note = None;
        let keeps = self.config.customs.as_found || self.config.context_bound.is_some();
        if is_scouted {
            self.shorten_by_dives(&mut errors, &searched, options, &setup, &config, observer);
            note = Some(FOUND.to_owned());
        } else if self.config.swarm.is_some() || self.config.cache_bytes.is_some() {
            self.shorten_deep(&mut errors, &searched, options, &setup, &config, observer);
        } else if !keeps && (is_reduced || optimised.merges) {
            // The shortest run may have more preemptions than are allowed.
            note = self.shorten(&mut errors, &searched, options, &setup, &config, observer);
        }
        let runs = self.confirm_all(errors, options)?;
        let executed = optimised.executed(&searched);
        let mut report = self.report(property, options, &setup, searched, runs)?;
        report.notes.extend(note);
        report.notes.extend(self.note_on_reduction(None, options));
        report.search.merging = optimised.merges;
        report.search.reduction = is_reduced;
        if keeps && optimised.merges {
            for (error, as_found) in report.errors.iter_mut().zip(as_found) {
                error.as_found = Some(as_found);
            }
        }
        if report.unreached.is_some() {
            let view = View::new(self.program, &self.loaded.sources, options);
            report.unreached = Some(unreached(&view, |id| executed[id.index()]));
        }
        report.executed = executed;
        Ok(report)
    }

    /// Replays errors on the interpreter.
    pub(crate) fn confirm_all(
        &self,
        errors: Vec<FoundError>,
        options: Options,
    ) -> Result<Vec<(FoundError, Confirmed)>, CheckError> {
        let mut runs = Vec::with_capacity(errors.len());
        for error in errors {
            let judge = Exec::new(Arc::clone(self.program), options);
            if let Some(confirmed) = self.repeatable(confirm(judge, &error))? {
                runs.push((error, confirmed));
            }
        }
        Ok(runs)
    }

    /// What came of a replay; nothing if C code, which remembers what it did before, is the reason that it
    /// failed.
    pub(crate) fn repeatable<T>(
        &self,
        confirmed: Result<T, CheckError>,
    ) -> Result<Option<T>, CheckError> {
        match confirmed {
            Ok(confirmed) => Ok(Some(confirmed)),
            Err(_) if own_c_memory(self.program).is_some() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Puts the report together.
    pub(crate) fn report(
        &self,
        property: Property,
        options: Options,
        setup: &Setup,
        searched: Searched,
        runs: Vec<(FoundError, Confirmed)>,
    ) -> Result<PropertyReport, CheckError> {
        let outcome = &searched.outcome;
        let view = View::new(self.program, &self.loaded.sources, options);
        let is_lost = runs.is_empty() && !outcome.errors.is_empty();
        let complete = outcome.incomplete.is_empty() && !is_lost;
        let mut limits = self.limits(outcome);
        if is_lost {
            limits.push(UNREPEATABLE.to_owned());
        }
        Ok(PropertyReport {
            verdict: if is_lost { Verdict::Incomplete } else { outcome.verdict() },
            complete,
            limits,
            incomplete: outcome.incomplete.clone(),
            interrupted: outcome.incomplete.contains(&Incomplete::Interrupted),
            search: SearchInfo {
                engine: if searched.is_native { "native" } else { "interpreter" },
                compile_time: searched.compile_time,
                cpu_time: searched.cpu_time,
                ..SearchInfo::of(setup, self.config)
            },
            errors: self.errors(&property, runs, &view),
            error_count: outcome.error_count,
            // Formulas leave out what happens after they are decided.
            unreached: (complete && property.kind != PropertyKind::Ltl)
                .then(|| unreached(&view, |id| searched.was_executed(id))),
            executed: searched.executed().to_vec(),
            notes: self.notes(setup, &searched),
            stats: outcome.stats.clone(),
            property,
        })
    }

    pub(crate) fn search_config(
        &self,
        order: SearchOrder,
        property: &Property,
        options: Options,
    ) -> SearchConfig {
        let mut ignore = self.config.ignore.clone();
        match options.claim {
            Some(claim) => {
                ignore.extend(not_of_claim(self.program, &self.program.claims[claim].automaton));
            }
            None if property.kind != PropertyKind::Safety => ignore.extend(OF_SAFETY),
            None => {}
        }
        let customs = self.config.customs;
        if customs.asserts_count && !self.config.ignore.contains(&ViolationKind::Assertion) {
            ignore.remove(&ViolationKind::Assertion);
        }
        let left = self.config.time_limit.map(|t| t.saturating_sub(self.start.elapsed()));
        SearchConfig {
            max_depth: self.config.max_depth,
            max_errors: self.config.max_errors,
            ignore,
            memory_limit_bytes: self.config.memory_limit_bytes,
            time_limit: left,
            // The first error of a breadth-first search cannot be shortened.
            shorten: self.config.shortest && order != SearchOrder::Bfs && !order.is_optimal(),
            every_error: customs.every_error,
            revisit_shallower: !customs.first_depth_counts,
            errors_beyond: customs.errors_beyond,
            ..SearchConfig::default()
        }
    }

    fn limits(&self, outcome: &Outcome) -> Vec<String> {
        let sentence = |reason: &Incomplete| match reason {
            Incomplete::Depth(depth) => Some(format!("runs were cut at depth {depth}")),
            Incomplete::Memory(limit) => {
                Some(format!("the memory limit of {} was reached", bytes(*limit)))
            }
            Incomplete::Time(left) => {
                let limit = self.config.time_limit.unwrap_or(*left);
                Some(format!("the time limit of {} was reached", seconds(limit)))
            }
            Incomplete::Interrupted => Some("the search was interrupted".to_owned()),
            Incomplete::Method(why) => Some(why.clone()),
            // The verdict says it.
            Incomplete::ErrorLimit(_) => None,
        };
        outcome.incomplete.iter().filter_map(sentence).collect()
    }

    fn errors(
        &self,
        property: &Property,
        runs: Vec<(FoundError, Confirmed)>,
        view: &View<'_>,
    ) -> Vec<ErrorReport> {
        let fairness = self.config.fairness;
        let report = |(found, confirmed): (FoundError, Confirmed)| {
            let described = describe(view, found.violation, confirmed.state.as_deref());
            let described = property.describe_violation(self.loaded, described);
            let Confirmed { run, cycle_start, .. } = confirmed;
            let trail = Trail {
                model: self.loaded.name.clone(),
                digest: self.loaded.digest,
                property: (property.kind.name().to_owned(), property.name.clone()),
                kind: kind_name(found.violation.kind).to_owned(),
                site: found.violation.site,
                message: described.message.clone(),
                formula: property.formula.clone(),
                fairness: run
                    .cycle_start
                    .filter(|_| fairness != Fairness::None)
                    .map(|_| fairness.name().to_owned()),
                events: run.moves.clone(),
                cycle_start: run.cycle_start,
                steps: Vec::new(),
            };
            ErrorReport {
                violation: found.violation,
                described,
                length: found.length,
                cycle_start,
                occurrences: found.occurrences,
                run,
                trail,
                number: found.number,
                as_found: None,
            }
        };
        runs.into_iter().map(report).collect()
    }

    fn notes(&self, setup: &Setup, searched: &Searched) -> Vec<String> {
        let mut notes = searched.notes.clone();
        if let Some(memory) = own_c_memory(self.program) {
            notes.push(format!(
                "C code keeps {memory} outside of the states: one thread, the interpreter"
            ));
        }
        if let Some(n) = self.config.threads.filter(|&n| n > setup.threads) {
            let why = match setup.order {
                _ if setup.store == StoreKind::Automaton => "the automaton is changed as a whole",
                _ if own_c_memory(self.program).is_some() => "C code keeps memory of its own",
                SearchOrder::Bfs => "what is found with `hidden` variables depends on the order",
                _ if setup.cycles.is_some() => "this search for cycles has one",
                _ => "only breadth-first search is parallel",
            };
            notes.push(format!("1 thread was used of the {n} asked for: {why}"));
        }
        if setup.cycles.is_some() {
            let is_deep = setup.order == SearchOrder::Dfs;
            if is_deep && self.config.order.is_some_and(|order| order != SearchOrder::Dfs) {
                notes.push("cycles are searched depth first, whatever `--search` says".to_owned());
            }
            if self.config.shortest {
                notes.push(
                    "lassos are shortened: the way to the cycle and the cycle are short, but \
                     together not proved shortest"
                        .to_owned(),
                );
            }
        }
        let needs_depths = self.config.max_depth.is_some() || self.config.shortest;
        let is_bounded = setup.order == SearchOrder::Dfs && setup.cycles.is_none() && needs_depths;
        if is_bounded && self.config.store.is_some_and(|store| store != StoreKind::Exact) {
            notes.push(format!(
                "`--store {}` was not used: a depth-first search within bounds keeps the depth of \
                 every state, in the exact store",
                setup.store.name()
            ));
        }
        if self.program.hidden_bytes > 0 {
            let by = match self.config.order {
                None => "searched depth first, as SPIN does",
                Some(SearchOrder::Dfs) => "the same order as SPIN's",
                Some(_) => "in another order than SPIN's, so counts and verdict may differ",
            };
            notes.push(format!(
                "the model has `hidden` variables: what is found depends on the order of \
                 exploration ({by})"
            ));
        }
        notes
    }
}

/// Violations that are no property's but `safety`'s. Run-time errors are not among
/// them: they put every answer in doubt.
const OF_SAFETY: [ViolationKind; 3] =
    [ViolationKind::InvalidEndState, ViolationKind::TraceViolated, ViolationKind::Assertion];

/// Violations that are not what a claim is about: they belong to `safety`.
/// Run-time errors stay, they put every answer in doubt.
fn not_of_claim(program: &Program, claim: &Automaton) -> BTreeSet<ViolationKind> {
    let mut transitions = claim.locations.iter().flat_map(|l| &l.transitions);
    let asserts =
        transitions.any(|t| matches!(program.statement(t.statement).action, Action::Assert(_)));
    let mut kinds = BTreeSet::from([ViolationKind::InvalidEndState, ViolationKind::TraceViolated]);
    if !asserts {
        kinds.insert(ViolationKind::Assertion);
    }
    kinds
}

fn bytes(number: u64) -> String {
    match number {
        0..0x2800 => format!("{number} B"),
        0x2800..0xa0_0000 => format!("{} kB", number >> 10),
        _ => format!("{} MB", number >> 20),
    }
}

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}
