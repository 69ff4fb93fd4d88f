//! Searches of some of the moves only.

use crate::boxed::{Boxed, boxed};
use crate::check::{CheckError, Checker};
use crate::engine::{Driven, Searched, Setup, measured, reachable, tiers};
use crate::question::Question;
use crate::stores::StoreMaker;
use crate::{Pass, SearchOrder, StoreKind};
use spinor_exec::{Exec, Options, layout_of};
use spinor_jit::Tiered;
use spinor_product::{Explained, Origin};
use spinor_program::Program;
use spinor_search::{SearchConfig, spread};
use spinor_stubborn::{Reduced, Visible, obstacle};
use spinor_trace::{Move, Run};
use spinor_ts::{Expansion, Fairness, FoundError, Observer, TransitionSystem};
use std::sync::Arc;

/// States that are tried before a decision.
const TRIED: usize = 1000;
/// One of so many must need fewer moves, or the reduction is not worth its time.
const WORTHWHILE: usize = 5;

impl Driven for Reduced<Tiered> {
    fn engine(&self) -> &Tiered {
        self.system()
    }
}

impl Checker<'_> {
    /// Why all moves are looked at, if that is not the user's wish.
    pub(crate) fn note_on_reduction(
        &self,
        question: Option<&Question>,
        options: Options,
    ) -> Option<String> {
        if self.config.disabled.contains(&Pass::Reduction) {
            return None;
        }
        let why = match question {
            Some(question) if question.visible().is_none() => {
                Some("the formula tells runs apart by their numbers of steps")
            }
            Some(_) if self.config.fairness != Fairness::None => Some("fairness is assumed"),
            _ => None,
        };
        let why = why.or_else(|| obstacle(self.program, options))?;
        Some(format!("without partial order reduction: {why}"))
    }

    /// Whether a search for violations can do with some of the moves, and gains by it.
    pub(crate) fn is_reducible(
        &self,
        program: &Arc<Program>,
        options: Options,
        setup: &Setup,
    ) -> bool {
        let config = self.config;
        // Some of the moves lead to all errors, but not by the shortest ways.
        let wants_ways =
            config.shortest || config.max_depth.is_some() || config.context_bound.is_some();
        let is_off = config.disabled.contains(&Pass::Reduction) || wants_ways;
        if is_off
            || matches!(config.order, Some(SearchOrder::Stateless | SearchOrder::RandomWalk))
            || obstacle(program, options).is_some()
        {
            return false;
        }
        is_worthwhile(judge(program, options, setup))
    }

    /// What a question about infinite runs can see, if it can do with some of the moves and gains
    /// by it.
    pub(crate) fn reducible_sight(&self, question: &Question, options: Options) -> Option<Visible> {
        let config = self.config;
        let is_off = config.disabled.contains(&Pass::Reduction)
            || config.shortest
            || config.max_depth.is_some()
            // Who may be put off depends on who can move, which is not what is kept.
            || config.fairness != Fairness::None;
        if is_off || obstacle(self.program, options).is_some() {
            return None;
        }
        let sight = question.visible()?;
        let scout = reduced_interpreter(self.program, options, sight.clone());
        (!scout.is_all_visible() && is_worthwhile(scout)).then_some(sight)
    }

    /// Searches some of the moves; errors are in events of `program`.
    pub(crate) fn search_reduced(
        &self,
        program: &Arc<Program>,
        options: Options,
        setup: &Setup,
        config: &SearchConfig,
        observer: &mut dyn Observer,
    ) -> Result<Searched, CheckError> {
        let mut systems: Vec<Boxed> =
            reduced_systems(program, options, setup).into_iter().map(boxed).collect();
        let scout = || Exec::new(Arc::clone(program), options);
        let stores = StoreMaker::new(layout_of(program, options), scout);
        let mut searched = measured(&mut systems, program, |systems| {
            reachable(systems, &stores, setup, config, observer)
        });
        in_all_events(program, options, setup, &mut searched.outcome.errors)?;
        Ok(searched)
    }
}

/// Systems of some of the moves, one for each thread.
pub(crate) fn reduced_systems(
    program: &Arc<Program>,
    options: Options,
    setup: &Setup,
) -> Vec<Reduced<Tiered>> {
    let labelled = Options { labels: true, ..options };
    tiers(program, labelled, setup)
        .into_iter()
        .map(|tier| Reduced::new(tier, Arc::clone(program), labelled, Visible::default()))
        .map(|system| guarded(system, setup))
        .collect()
}

/// The search level by level sees to it that no move is put off for ever, if the store numbers
/// its states: otherwise, and for other searches, the system itself does so better.
fn guarded<T: TransitionSystem>(system: Reduced<T>, setup: &Setup) -> Reduced<T> {
    let by_levels =
        setup.order == SearchOrder::Bfs && setup.swarm.is_none() && setup.cache_bytes.is_none();
    let by_levels = by_levels && matches!(setup.store, StoreKind::Tree | StoreKind::Auto);
    if by_levels { system.guarded_by_search() } else { system }
}

/// The interpreter, reduced as the systems of a search for violations are.
fn judge(program: &Arc<Program>, options: Options, setup: &Setup) -> Reduced<Exec> {
    guarded(reduced_interpreter(program, options, Visible::default()), setup)
}

/// Puts errors found among some of the moves in terms of all events.
pub(crate) fn in_all_events(
    program: &Arc<Program>,
    options: Options,
    setup: &Setup,
    errors: &mut [FoundError],
) -> Result<(), CheckError> {
    for error in errors {
        let path = path_of_all(judge(program, options, setup), error);
        let flaw = || format!("the trail of {:?} cannot be replayed", error.violation);
        error.path = path.ok_or_else(|| CheckError::Internal(flaw()))?;
    }
    Ok(())
}

/// Whether fewer moves are enough in so many states that a search gains by it.
fn is_worthwhile(mut scout: Reduced<Exec>) -> bool {
    let Ok(initial) = scout.initial() else { return false };
    let mut reduced = 0;
    let tried =
        spread(initial, TRIED, |state, out| reduced += usize::from(scout.probe(state, out)));
    // There may be few states at all: time does not matter then.
    reduced > 0 && (tried < TRIED || reduced * WORTHWHILE > tried)
}

/// The interpreter, of which only the moves of some processes are looked at.
pub(crate) fn reduced_interpreter(
    program: &Arc<Program>,
    options: Options,
    sight: Visible,
) -> Reduced<Exec> {
    let labelled = Options { labels: true, ..options };
    let exec = Exec::new(Arc::clone(program), labelled);
    Reduced::new(exec, Arc::clone(program), labelled, sight)
}

/// The moves of a run in numbers of all events.
pub(crate) fn moves_of_all(mut judge: Reduced<Exec>, run: &mut Run) -> Option<()> {
    let Ok(mut state) = judge.initial() else { return Some(()) };
    let mut expansion = Expansion::new();
    for step in &mut run.moves {
        let Move::Event(event) = *step else { continue };
        let Some(Origin::System(number)) = judge.origin(&state, event) else { return None };
        *step = Move::Event(number);
        judge.expand(&state, &mut expansion);
        let event = expansion.events().get(event as usize)?;
        state = expansion.state(event).to_vec();
    }
    Some(())
}

/// The path of an error in numbers of all events.
fn path_of_all(mut judge: Reduced<Exec>, error: &FoundError) -> Option<Vec<u32>> {
    let Ok(mut state) = judge.initial() else { return Some(error.path.clone()) };
    let mut expansion = Expansion::new();
    let mut path = Vec::with_capacity(error.path.len());
    for &event in &error.path {
        path.extend(judge.way(&state, event)?);
        judge.expand(&state, &mut expansion);
        let event = expansion.events().get(event as usize)?;
        state = expansion.state(event).to_vec();
    }
    Some(path)
}
