//! Directed searches: which estimate a question gets, and what its answer proves.

use crate::boxed::{Boxed, BoxedOmega, boxed};
use crate::check::{CheckError, Checker};
use crate::engine::{Searched, Setup, measured, tiers};
use crate::passes::Folded;
use crate::property::accepts;
use crate::reduction::{in_all_events, reduced_systems};
use crate::report::PropertyReport;
use crate::{Property, SearchOrder, StoreKind};
use spinor_exec::Options;
use spinor_heuristic::Estimator;
use spinor_program::{Automaton, Program};
use spinor_search::{
    Directed, DirectedFigures, IdaTable, Ranking, SearchConfig, beam, best_first, directed_nested,
    iterative_deepening, parallel_best_first,
};
use spinor_ts::{Fairness, FoundError, Incomplete, Observer};
use std::time::Duration;

/// Hundredths of the estimate in weighted A*, unless told otherwise.
const WEIGHT: u32 = 300;
/// States of a level that a beam keeps, unless told otherwise.
const BEAM: usize = 10_000;
/// Binary logarithm of the bits of partial IDA*, unless told otherwise.
const IDA_BITS: u32 = 30;
/// Its bits per state.
const IDA_FUNCTIONS: u32 = 2;
/// Time for showing that no run is shorter, at least.
const PROOF: Duration = Duration::from_secs(2);

/// The estimate that directed a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EstimateInfo {
    /// Its name.
    pub name: &'static str,
    /// Whether it is never too large.
    pub is_admissible: bool,
    /// Least and largest value met.
    pub range: Option<(u32, u32)>,
    /// Whether the first error is proved to be a shortest one.
    pub is_shortest: bool,
}

/// A directed search that was run.
struct Guided {
    folded: Folded,
    searched: Searched,
    info: EstimateInfo,
    /// Some moves were left out.
    is_reduced: bool,
}

impl EstimateInfo {
    fn of(estimator: &Estimator, figures: &DirectedFigures) -> Self {
        EstimateInfo {
            name: estimator.heuristic().name(),
            is_admissible: estimator.is_admissible(),
            range: figures.range,
            is_shortest: false,
        }
    }
}

impl Checker<'_> {
    /// Whether a directed search looks for the end of a claim, and nothing else is to be found.
    pub(crate) fn is_directed_to_end(&self, claim: Option<&Automaton>) -> bool {
        let is_directed = self.config.order.is_some_and(SearchOrder::is_directed);
        let mut used = self.program.proctypes.iter().filter(|p| p.is_instantiated);
        is_directed
            && claim.is_some_and(|c| !cycles_accept(c))
            && !used.any(|p| accepts(&p.automaton))
    }

    /// Searches for violations of safety, or for the end of a claim.
    pub(crate) fn directed_safety(
        &self,
        property: Property,
        options: Options,
        setup: &Setup,
        config: &SearchConfig,
        observer: &mut dyn Observer,
    ) -> Result<PropertyReport, CheckError> {
        let heuristic = self.heuristic(options);
        let folded =
            if heuristic.needs_target() { self.as_written() } else { self.optimised(options) };
        let mut guided = self.search_folded(folded, options, setup, config, observer)?;
        let unfold = |Guided { folded, searched, .. }: &Guided| {
            let found = &searched.outcome.errors;
            folded.unfolded(self.program, options, found, false).map(|(errors, _)| errors)
        };
        let mut errors = match unfold(&guided) {
            Ok(errors) => errors,
            Err(_) => {
                // What a pass leaves out can be what ends a `d_step`: the model itself decides.
                let plain = self.as_written();
                guided = self.search_folded(plain, options, setup, config, observer)?;
                unfold(&guided)?
            }
        };
        let Guided { folded, searched, mut info, is_reduced } = guided;
        let is_only = self.config.max_errors == 1 && errors.len() == 1;
        if setup.order.is_optimal() && is_only {
            info.is_shortest = info.is_admissible
                || self.prove(&mut errors, &searched, options, config, observer)?;
        }
        let runs = self.confirm_all(errors, options)?;
        let executed = folded.executed(&searched);
        let mut report = self.report(property, options, setup, searched, runs)?;
        report.search.merging = folded.merges;
        report.search.reduction = is_reduced;
        report.search.estimate = Some(info);
        report.notes.extend(promise(setup.order, &info, &report));
        if report.unreached.is_some() {
            let view = spinor_trace::View::new(self.program, &self.loaded.sources, options);
            let unreached = spinor_trace::unreached(&view, |id| executed[id.index()]);
            report.unreached = Some(unreached);
        }
        Ok(report)
    }

    fn search_folded(
        &self,
        folded: Folded,
        options: Options,
        setup: &Setup,
        config: &SearchConfig,
        observer: &mut dyn Observer,
    ) -> Result<Guided, CheckError> {
        let program = &folded.program;
        let goal = self.goal(options);
        let heuristic = self.heuristic(options);
        let estimators = self.estimators(program, options, heuristic, &goal, setup.threads)?;
        // Some of the moves lead to all errors, but not by the shortest ways.
        let may_reduce = !setup.order.is_optimal() && !heuristic.needs_target();
        let is_reduced = may_reduce && self.is_reducible(program, options, setup);
        let mut systems: Vec<Boxed> = if is_reduced {
            reduced_systems(program, options, setup).into_iter().map(boxed).collect()
        } else {
            tiers(program, options, setup).into_iter().map(boxed).collect()
        };
        let (mut searched, info) =
            self.guided(&mut systems, program, estimators, setup, config, observer);
        if is_reduced {
            in_all_events(program, options, setup, &mut searched.outcome.errors)?;
        }
        Ok(Guided { folded, searched, info, is_reduced })
    }

    /// Runs a directed search.
    pub(crate) fn guided(
        &self,
        systems: &mut [Boxed],
        program: &Program,
        mut estimators: Vec<Estimator>,
        setup: &Setup,
        config: &SearchConfig,
        observer: &mut dyn Observer,
    ) -> (Searched, EstimateInfo) {
        let mut figures = DirectedFigures::default();
        let searched = measured(systems, program, |systems| {
            let result = self.direct(systems, &mut estimators, setup, config, observer);
            figures = result.figures;
            result.outcome
        });
        (searched, EstimateInfo::of(&estimators[0], &figures))
    }

    /// Whether a question about cycles is put to a directed search.
    pub(crate) fn directs_cycles(&self, options: Options) -> bool {
        let order = self.config.order.unwrap_or(SearchOrder::Dfs);
        order.is_directed()
            && !options.labels
            && self.config.fairness == Fairness::None
            && self.program.hidden_bytes == 0
            && self.config.max_depth.is_none()
    }

    /// Runs a directed search for cycles.
    pub(crate) fn guided_cycles(
        &self,
        systems: &mut [BoxedOmega],
        mut estimator: Estimator,
        config: &SearchConfig,
        observer: &mut dyn Observer,
    ) -> (Searched, EstimateInfo) {
        let mut figures = DirectedFigures::default();
        let searched = measured(systems, self.program, |systems| {
            let result = directed_nested(&mut systems[0], &mut estimator, config, observer);
            figures = result.figures;
            result.outcome
        });
        (searched, EstimateInfo::of(&estimator, &figures))
    }

    fn direct(
        &self,
        systems: &mut [Boxed],
        estimates: &mut [Estimator],
        setup: &Setup,
        config: &SearchConfig,
        observer: &mut dyn Observer,
    ) -> Directed {
        let guidance = &self.config.guidance;
        let (system, estimate) = (&mut systems[0], &mut estimates[0]);
        let ranking = match setup.order {
            SearchOrder::Beam => {
                let width = guidance.beam_width.unwrap_or(BEAM);
                return beam(system, estimate, width, config, observer);
            }
            SearchOrder::Ida => {
                let table = self.ida_table(setup);
                return iterative_deepening(system, estimate, table, config, observer);
            }
            SearchOrder::BestFirst => Ranking::Estimate,
            SearchOrder::Wastar => Ranking::Sum { weight: guidance.weight.unwrap_or(WEIGHT) },
            _ => Ranking::A_STAR,
        };
        parallel_best_first(systems, estimates, ranking, config, observer)
    }

    fn ida_table(&self, setup: &Setup) -> IdaTable {
        if setup.store != StoreKind::Bitstate {
            return IdaTable::Exact;
        }
        let bits = self.config.bits.unwrap_or_else(|| setup.bits.min(IDA_BITS));
        IdaTable::Bits {
            bits: 1 << bits,
            functions: self.config.hash_functions.unwrap_or(IDA_FUNCTIONS),
            restarts: self.config.guidance.restarts.unwrap_or(1),
        }
    }

    /// Looks for a shorter run with an estimate that is never too large, in about the time that the
    /// first one took. Says whether there is certainly none shorter than the one in `errors`.
    fn prove(
        &self,
        errors: &mut Vec<FoundError>,
        searched: &Searched,
        options: Options,
        config: &SearchConfig,
        observer: &mut dyn Observer,
    ) -> Result<bool, CheckError> {
        let Some(bound) = errors[0].length.checked_sub(1).filter(|bound| *bound > 0) else {
            return Ok(true);
        };
        let spent = searched.outcome.stats.search_time;
        let left = config.time_limit.map_or(Duration::MAX, |limit| limit.saturating_sub(spent));
        let time = (2 * spent).max(PROOF).min(left);
        let config =
            SearchConfig { time_limit: Some(time), max_depth: Some(bound), ..config.clone() };
        let folded = self.as_written();
        let mut estimator =
            self.estimator_of_bound(&folded.program, options, &self.goal(options))?;
        let chosen = crate::check::setup(self.config, self.program);
        let setup = Setup { order: SearchOrder::Astar, threads: 1, ..chosen };
        let mut system = boxed(tiers(&folded.program, options, &setup).remove(0));
        let ranking = Ranking::A_STAR;
        let again = best_first(&mut system, &mut estimator, ranking, &config, observer).outcome;
        if let Some(error) = again.errors.into_iter().next() {
            *errors = vec![error];
            return Ok(true);
        }
        Ok(again.incomplete.iter().all(|reason| matches!(reason, Incomplete::Depth(_))))
    }
}

/// What the answer of a directed search says about the length of its run.
pub(crate) fn promise(
    order: SearchOrder,
    info: &EstimateInfo,
    report: &PropertyReport,
) -> Option<String> {
    if report.errors.is_empty() {
        return None;
    }
    let name = info.name;
    Some(match (order.is_optimal(), info.is_admissible, info.is_shortest) {
        (true, true, true) => {
            format!("the estimate `{name}` is admissible: no run to an error is shorter")
        }
        (true, false, true) => format!(
            "the estimate `{name}` is not admissible, but a second search has shown that no run to \
             an error is shorter"
        ),
        (true, false, false) => format!(
            "the estimate `{name}` is not admissible: there may be a shorter run, `--shortest` \
             looks for it"
        ),
        _ => format!("directed by the estimate `{name}`: there may be a shorter run"),
    })
}

/// Whether some cycle of a claim passes an `accept` label.
fn cycles_accept(claim: &Automaton) -> bool {
    let count = claim.locations.len();
    let reaches_itself = |start: usize| {
        let mut seen = vec![false; count];
        let mut waiting = vec![start];
        while let Some(at) = waiting.pop() {
            for target in claim.locations[at].transitions.iter().map(|t| t.target.index()) {
                if target == start {
                    return true;
                }
                if target < count && !std::mem::replace(&mut seen[target], true) {
                    waiting.push(target);
                }
            }
        }
        false
    };
    (0..count).any(|at| claim.locations[at].is_accepting && reaches_itself(at))
}
