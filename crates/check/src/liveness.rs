//! Properties of infinite runs.

use crate::boxed::{boxed, boxed_omega};
use crate::check::{CheckError, Checker, own_c_memory, setup, unchecked};
use crate::config::CycleSearch;
use crate::confirm::{confirm, confirm_lasso};
use crate::directed::promise;
use crate::engine::{Driven, Searched, Setup, cyclic, measured, reachable, tiers};
use crate::question::{Automaton, Form, Question, marked, product_layout};
use crate::reduction::{moves_of_all, reduced_interpreter};
use crate::replay::options;
use crate::report::{PropertyReport, SearchInfo};
use crate::scout::{FOUND, Round, take_over};
use crate::stores::StoreMaker;
use crate::{CheckConfig, Property, SearchOrder, StoreKind};
use spinor_exec::{Exec, Options, accepts_inside_atomic, layout_of};
use spinor_heuristic::Goal;
use spinor_jit::Tiered;
use spinor_product::{Explained, Product};
use spinor_search::SearchConfig;
use spinor_stubborn::{Reduced, Visible};
use spinor_ts::{
    Fairness, FoundError, LayoutOf, Observer, OmegaSystem, TransitionSystem, ViolationKind,
};
use std::sync::Arc;

/// A search for wrong infinite runs and how to look at what it found.
struct Found {
    searched: Searched,
    runs: Vec<(FoundError, crate::confirm::Confirmed)>,
}

impl Checker<'_> {
    /// Searches for wrong infinite runs.
    pub(crate) fn infinite_runs(
        &self,
        property: Property,
        question: &Result<Question, String>,
        observer: &mut dyn Observer,
    ) -> Result<PropertyReport, CheckError> {
        let base = options(self.program, &property);
        let mut setup = cycle_setup(&setup(self.config, self.program), self.config);
        if own_c_memory(self.program).is_some() {
            setup.threads = 1;
        }
        let question = match question {
            Ok(question) => question,
            Err(why) => {
                return Ok(unchecked(property, SearchInfo::of(&setup, self.config), why));
            }
        };
        let fairness = self.config.fairness;
        let passes = matches!(question, Question::Labels) && accepts_inside_atomic(self.program);
        let plain = Options { labels: fairness != Fairness::None || passes, ..base };
        let directed = self.directed_runs(&property, question, plain, base, &setup, observer)?;
        if let Some(report) = directed {
            return Ok(report);
        }
        let sight = self.reducible_sight(question, base);
        let labels = fairness != Fairness::None || passes || sight.is_some();
        let mut options = Options { labels, ..base };
        let mut cyclic = Some(fairness);
        if matches!(question, Question::Automaton(automaton) if automaton.is_reachability()) {
            // Runs are wrong from some state on: that state is all there is to find.
            setup = Setup { cycles: None, ..crate::check::setup(self.config, self.program) };
            options.labels = sight.is_some();
            cyclic = None;
        }
        let config = self.search_config(setup.order, &property, options);
        options.ignore_deadlocks = config.ignore.contains(&ViolationKind::InvalidEndState);
        let is_reduced = sight.is_some();
        let run = |setup: &Setup, config: &SearchConfig, observer: &mut dyn Observer| {
            let order = Order { setup, options, cyclic, config };
            match &sight {
                Some(sight) => self.reduced(question, &order, sight, observer),
                None => {
                    let exec = || Exec::new(Arc::clone(self.program), options);
                    self.runs(question, &order, |tier| tier, exec, observer)
                }
            }
        };
        let scout = |round: &Round, observer: &mut dyn Observer| {
            let cycles = cyclic.map(|fairness| match fairness {
                Fairness::Strong => CycleSearch::Scc,
                Fairness::None | Fairness::Weak => CycleSearch::Ndfs,
            });
            let (setup, config) = (round.setup(&setup, &config, cycles), round.config(&config));
            run(&setup, &config, observer).ok().filter(|found| !found.runs.is_empty())
        };
        let (found, scouted, is_interrupted) =
            self.runs_with_scouts(observer, |observer| run(&setup, &config, observer), scout);
        let mut found = found?;
        let scouted = scouted.filter(|_| found.searched.outcome.errors.is_empty());
        let note = scouted.is_some().then(|| FOUND.to_owned());
        if let Some(Found { searched, runs }) = scouted {
            take_over(&mut found.searched, searched.outcome.errors, is_interrupted);
            found.runs = runs;
        }
        let mut report = self.report(property, base, &setup, found.searched, found.runs)?;
        report.search.reduction = is_reduced;
        report.notes.extend(note);
        report.notes.extend(self.note_on_reduction(Some(question), base));
        Ok(report)
    }

    /// The same by an estimate, if that is asked for.
    fn directed_runs(
        &self,
        property: &Property,
        question: &Question,
        options: Options,
        base: Options,
        setup: &Setup,
        observer: &mut dyn Observer,
    ) -> Result<Option<PropertyReport>, CheckError> {
        let mut setup = *setup;
        let mut info = None;
        let found = match question {
            Question::Automaton(automaton) if automaton.is_reachability() => {
                setup = Setup { cycles: None, ..crate::check::setup(self.config, self.program) };
                if !setup.order.is_directed() {
                    return Ok(None);
                }
                let config = self.search_config(setup.order, property, base);
                let goal = automaton.goal(Form::Generalised, false);
                let property = property.clone();
                return self
                    .directed_formula(property, automaton, &goal, base, &setup, &config, observer)
                    .map(Some);
            }
            Question::Automaton(automaton) if self.directs_cycles(options) => {
                setup = directed_setup(&setup, self.config);
                let config = self.search_config(setup.order, property, options);
                let goal = automaton.goal(form(&setup), true);
                let estimator =
                    self.estimator(self.program, options, self.cycle_heuristic(), &goal)?;
                self.formula_by(automaton, options, &setup, |systems| {
                    let mut systems: Vec<_> = systems.into_iter().map(boxed_omega).collect();
                    let (searched, about) =
                        self.guided_cycles(&mut systems, estimator, &config, observer);
                    info = Some(about);
                    searched
                })?
            }
            Question::Labels if self.directs_cycles(options) && options.claim.is_some() => {
                setup = directed_setup(&setup, self.config);
                let config = self.search_config(setup.order, property, options);
                let claim = options.claim.unwrap_or_default();
                let goal = Goal::Never { claim, accepting: true };
                let estimator =
                    self.estimator(self.program, options, self.cycle_heuristic(), &goal)?;
                let mut systems: Vec<_> = tiers(self.program, options, &setup)
                    .into_iter()
                    .map(|tier| boxed_omega(marked(self.program, options, tier)))
                    .collect();
                let (searched, about) =
                    self.guided_cycles(&mut systems, estimator, &config, observer);
                info = Some(about);
                self.confirmed(searched, || {
                    let exec = Exec::new(Arc::clone(self.program), options);
                    marked(self.program, options, exec)
                })?
            }
            _ => return Ok(None),
        };
        let property = property.clone();
        let mut report = self.report(property, base, &setup, found.searched, found.runs)?;
        report.search.estimate = info;
        Ok(Some(report))
    }

    /// Looks for the end of a formula's automaton by an estimate.
    #[expect(clippy::too_many_arguments, reason = "the parts of one question")]
    fn directed_formula(
        &self,
        property: Property,
        automaton: &Automaton,
        goal: &Goal,
        options: Options,
        setup: &Setup,
        config: &SearchConfig,
        observer: &mut dyn Observer,
    ) -> Result<PropertyReport, CheckError> {
        let heuristic = self.formula_heuristic();
        let estimators = self.estimators(self.program, options, heuristic, goal, setup.threads)?;
        let mut info = None;
        let found = self.formula_by(automaton, options, setup, |systems| {
            let mut systems: Vec<_> = systems.into_iter().map(boxed).collect();
            let (searched, about) =
                self.guided(&mut systems, self.program, estimators, setup, config, observer);
            info = Some(about);
            searched
        })?;
        let mut report = self.report(property, options, setup, found.searched, found.runs)?;
        if let Some(info) = &mut info {
            info.is_shortest = info.is_admissible && setup.order.is_optimal();
            report.notes.extend(promise(setup.order, info, &report));
        }
        report.search.estimate = info;
        Ok(report)
    }

    fn formula_by(
        &self,
        automaton: &Automaton,
        options: Options,
        setup: &Setup,
        run: impl FnOnce(Vec<Product<Tiered>>) -> Searched,
    ) -> Result<Found, CheckError> {
        let program = self.program;
        let form = form(setup);
        let systems = tiers(program, options, setup)
            .into_iter()
            .map(|tier| automaton.product(program, options, tier, form))
            .collect();
        let searched = run(systems);
        self.confirmed(searched, || {
            let exec = Exec::new(Arc::clone(program), options);
            automaton.product(program, options, exec, form)
        })
    }

    /// Searches with some of the moves.
    fn reduced(
        &self,
        question: &Question,
        order: &Order<'_>,
        sight: &Visible,
        observer: &mut dyn Observer,
    ) -> Result<Found, CheckError> {
        let (program, options) = (self.program, order.options);
        let over = |tier: Tiered| Reduced::new(tier, Arc::clone(program), options, sight.clone());
        let judge = || reduced_interpreter(program, options, sight.clone());
        let mut found = self.runs(question, order, over, judge, observer)?;
        for (error, confirmed) in &mut found.runs {
            let flaw = || format!("the trail of {:?} cannot be replayed", error.violation);
            moves_of_all(judge(), &mut confirmed.run)
                .ok_or_else(|| CheckError::Internal(flaw()))?;
        }
        Ok(found)
    }

    /// Searches the infinite runs of what `over` makes of an engine; `interpreter` is the same
    /// made of an interpreter.
    fn runs<S: TransitionSystem + Driven + Send + 'static, J: TransitionSystem>(
        &self,
        question: &Question,
        order: &Order<'_>,
        over: impl Fn(Tiered) -> S,
        interpreter: impl Fn() -> J,
        observer: &mut dyn Observer,
    ) -> Result<Found, CheckError> {
        let (program, options) = (self.program, order.options);
        // One more than there are threads: see `components_behind`.
        let is_scc = order.cyclic.is_some() && order.setup.cycles == Some(CycleSearch::Scc);
        let threads = order.setup.threads + usize::from(is_scc);
        let setup = Setup { threads, ..*order.setup };
        let engines = tiers(program, options, &setup).into_iter().map(over);
        match question {
            Question::Automaton(automaton) => {
                let form = match order.setup.cycles {
                    Some(CycleSearch::Scc) | None => Form::Generalised,
                    Some(CycleSearch::Ndfs | CycleSearch::Indfs) => Form::Plain,
                };
                let product = |engine| automaton.product(program, options, engine, form);
                let judge = || automaton.product(program, options, interpreter(), form);
                let layouts = product_layout(program, options);
                self.search_runs(engines.map(product).collect(), judge, layouts, order, observer)
            }
            Question::Labels => {
                let systems = engines.map(|engine| marked(program, options, engine)).collect();
                let judge = || marked(program, options, interpreter());
                self.search_runs(systems, judge, layout_of(program, options), order, observer)
            }
        }
    }

    fn search_runs<T, J>(
        &self,
        systems: Vec<T>,
        judge: impl Fn() -> J,
        layouts: LayoutOf,
        order: &Order<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Found, CheckError>
    where
        T: OmegaSystem + Driven + Send + 'static,
        J: Explained + OmegaSystem,
    {
        let Order { setup, config, .. } = *order;
        let stores = StoreMaker::new(layouts, &judge);
        let searched = match order.cyclic {
            None => {
                let mut systems: Vec<_> = systems.into_iter().map(boxed).collect();
                measured(&mut systems, self.program, |systems| {
                    reachable(systems, &stores, setup, config, observer)
                })
            }
            Some(fairness) => {
                let mut systems: Vec<_> = systems.into_iter().map(boxed_omega).collect();
                measured(&mut systems, self.program, |systems| {
                    cyclic(systems, &stores, setup, fairness, config, observer)
                })
            }
        };
        self.confirmed(searched, &judge)
    }

    /// Replays everything that was found on interpreters.
    fn confirmed<T: Explained + OmegaSystem>(
        &self,
        searched: Searched,
        judge: impl Fn() -> T,
    ) -> Result<Found, CheckError> {
        let mut runs = Vec::new();
        for error in &searched.outcome.errors {
            let confirmed = match error.cycle_start {
                Some(_) => confirm_lasso(judge(), error, self.config.fairness),
                None => confirm(judge(), error),
            };
            if let Some(confirmed) = self.repeatable(confirmed)? {
                runs.push((error.clone(), confirmed));
            }
        }
        Ok(Found { searched, runs })
    }
}

/// The set-up of a directed search for cycles.
fn directed_setup(setup: &Setup, config: &CheckConfig) -> Setup {
    let order = config.order.unwrap_or(SearchOrder::Astar);
    Setup { order, cycles: Some(CycleSearch::Indfs), threads: 1, store: StoreKind::Exact, ..*setup }
}

fn form(setup: &Setup) -> Form {
    match setup.cycles {
        Some(CycleSearch::Scc) | None => Form::Generalised,
        Some(CycleSearch::Ndfs | CycleSearch::Indfs) => Form::Plain,
    }
}

/// How infinite runs are searched.
struct Order<'a> {
    setup: &'a Setup,
    options: Options,
    /// Under which fairness cycles are looked for; none if they are not.
    cyclic: Option<Fairness>,
    config: &'a SearchConfig,
}

/// The set-up of a search for cycles.
fn cycle_setup(setup: &Setup, config: &CheckConfig) -> Setup {
    // Only the nested search has threads; it is taken where they are asked for.
    let wanted = config.threads.unwrap_or(1);
    let is_strong = config.fairness == Fairness::Strong;
    let has_no_numbers = matches!(setup.store, StoreKind::Bitstate | StoreKind::Automaton);
    let suits_nested = wanted > 1 || has_no_numbers;
    let cycles = config.cycles.unwrap_or(if suits_nested && !is_strong {
        CycleSearch::Ndfs
    } else {
        CycleSearch::Scc
    });
    let is_shared =
        !matches!(setup.store, StoreKind::Exact | StoreKind::Collapse | StoreKind::Automaton);
    let threads = match cycles {
        CycleSearch::Ndfs if is_shared => wanted,
        CycleSearch::Scc if matches!(setup.store, StoreKind::Tree | StoreKind::Auto) => {
            setup.threads
        }
        _ => 1,
    };
    Setup { order: SearchOrder::Dfs, cycles: Some(cycles), threads, ..*setup }
}
