//! Properties of infinite runs.

use crate::check::{CheckError, Checker, own_c_memory, setup, unchecked};
use crate::config::CycleSearch;
use crate::confirm::{confirm, confirm_lasso};
use crate::directed::promise;
use crate::engine::{Searched, Setup, cyclic, measured, reachable, tiers};
use crate::question::{Automaton, Form, Question, marked, product_layout};
use crate::replay::options;
use crate::report::{PropertyReport, SearchInfo};
use crate::stores::StoreMaker;
use crate::{CheckConfig, Property, SearchOrder, StoreKind};
use spinor_exec::{Exec, Options, accepts_inside_atomic, layout_of};
use spinor_heuristic::Goal;
use spinor_jit::Tiered;
use spinor_product::{Explained, Product};
use spinor_search::SearchConfig;
use spinor_ts::{Fairness, FoundError, Observer, OmegaSystem, Outcome};
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
        let options = Options { labels: fairness != Fairness::None || passes, ..base };
        let mut info = None;
        let found = match question {
            Question::Automaton(automaton) if automaton.is_reachability() => {
                // Runs are wrong from some state on: that state is all there is to find.
                setup = Setup { cycles: None, ..crate::check::setup(self.config, self.program) };
                let config = self.search_config(setup.order, &property, base);
                if setup.order.is_directed() {
                    let goal = automaton.goal(Form::Generalised, false);
                    return self.directed_formula(
                        property, automaton, &goal, base, &setup, &config, observer,
                    );
                }
                self.formula(automaton, base, &setup, |systems, stores| {
                    reachable(systems, stores, &setup, &config, observer)
                })?
            }
            Question::Automaton(automaton) if self.directs_cycles(options) => {
                setup = directed_setup(&setup, self.config);
                let config = self.search_config(setup.order, &property, options);
                let goal = automaton.goal(form(&setup), true);
                let estimator =
                    self.estimator(self.program, options, self.cycle_heuristic(), &goal)?;
                self.formula_by(automaton, options, &setup, |systems| {
                    let (searched, about) =
                        self.guided_cycles(systems, estimator, &config, observer);
                    info = Some(about);
                    searched
                })?
            }
            Question::Labels if self.directs_cycles(options) && options.claim.is_some() => {
                setup = directed_setup(&setup, self.config);
                let config = self.search_config(setup.order, &property, options);
                let claim = options.claim.unwrap_or_default();
                let goal = Goal::Never { claim, accepting: true };
                let estimator =
                    self.estimator(self.program, options, self.cycle_heuristic(), &goal)?;
                let mut systems: Vec<_> = tiers(self.program, options, &setup)
                    .into_iter()
                    .map(|tier| marked(self.program, options, tier))
                    .collect();
                let (searched, about) =
                    self.guided_cycles(&mut systems, estimator, &config, observer);
                info = Some(about);
                self.confirmed(searched, || {
                    let exec = Exec::new(Arc::clone(self.program), options);
                    marked(self.program, options, exec)
                })?
            }
            Question::Automaton(automaton) => {
                let config = self.search_config(setup.order, &property, options);
                self.formula(automaton, options, &setup, |systems, stores| {
                    cyclic(systems, stores, &setup, fairness, &config, observer)
                })?
            }
            Question::Labels => {
                let config = self.search_config(setup.order, &property, options);
                self.labels(options, &setup, fairness, &config, observer)?
            }
        };
        let mut report = self.report(property, base, &setup, found.searched, found.runs)?;
        report.search.estimate = info;
        Ok(report)
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
            let (searched, about) =
                self.guided(systems, self.program, estimators, setup, config, observer);
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

    fn formula(
        &self,
        automaton: &Automaton,
        options: Options,
        setup: &Setup,
        run: impl FnOnce(&mut [Product<Tiered>], &StoreMaker<'_>) -> Outcome,
    ) -> Result<Found, CheckError> {
        let program = self.program;
        let form = form(setup);
        let interpreter = || {
            let exec = Exec::new(Arc::clone(program), options);
            automaton.product(program, options, exec, form)
        };
        let stores = StoreMaker::new(product_layout(program, options), interpreter);
        self.formula_by(automaton, options, setup, |systems| {
            measured(systems, program, |systems| run(systems, &stores))
        })
    }

    fn formula_by(
        &self,
        automaton: &Automaton,
        options: Options,
        setup: &Setup,
        run: impl FnOnce(&mut [Product<Tiered>]) -> Searched,
    ) -> Result<Found, CheckError> {
        let program = self.program;
        let form = form(setup);
        let mut systems: Vec<_> = tiers(program, options, setup)
            .into_iter()
            .map(|tier| automaton.product(program, options, tier, form))
            .collect();
        let searched = run(&mut systems);
        self.confirmed(searched, || {
            let exec = Exec::new(Arc::clone(program), options);
            automaton.product(program, options, exec, form)
        })
    }

    fn labels(
        &self,
        options: Options,
        setup: &Setup,
        fairness: Fairness,
        config: &SearchConfig,
        observer: &mut dyn Observer,
    ) -> Result<Found, CheckError> {
        let program = self.program;
        let mut systems: Vec<_> = tiers(program, options, setup)
            .into_iter()
            .map(|tier| marked(program, options, tier))
            .collect();
        let interpreter = || {
            let exec = Exec::new(Arc::clone(program), options);
            marked(program, options, exec)
        };
        let stores = StoreMaker::new(layout_of(program, options), interpreter);
        let searched = measured(&mut systems, program, |systems| {
            cyclic(systems, &stores, setup, fairness, config, observer)
        });
        self.confirmed(searched, interpreter)
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
    let threads = if cycles == CycleSearch::Ndfs && is_shared { wanted } else { 1 };
    Setup { order: SearchOrder::Dfs, cycles: Some(cycles), threads, ..*setup }
}
