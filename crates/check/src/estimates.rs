//! Which estimate a question gets.

use crate::SearchOrder;
use crate::check::{CheckError, Checker};
use spinor_exec::{Exec, Options};
use spinor_heuristic::{Estimator, Goal, Heuristic, Wishes, has_assertions};
use spinor_program::Program;
use spinor_ts::{Expansion, TransitionSystem, ViolationKind};
use std::sync::Arc;

impl Checker<'_> {
    /// What is searched for.
    pub(crate) fn goal(&self, options: Options) -> Goal {
        let counts = |kind| !self.config.ignore.contains(&kind);
        match options.claim {
            Some(claim) => Goal::Never { claim, accepting: false },
            None => Goal::Safety {
                deadlocks: counts(ViolationKind::InvalidEndState),
                assertions: counts(ViolationKind::Assertion),
            },
        }
    }

    /// The estimate for a question about reachable states.
    pub(crate) fn heuristic(&self, options: Options) -> Heuristic {
        let guidance = &self.config.guidance;
        if let Some(heuristic) = guidance.heuristic {
            return heuristic;
        }
        let order = self.config.order.unwrap_or(SearchOrder::Bfs);
        if self.config.shortest && order.is_optimal() {
            return Heuristic::Bound;
        }
        if guidance.target.is_some() {
            return Heuristic::Fsm;
        }
        let asserts = has_assertions(self.program);
        let deadlocks = !self.config.ignore.contains(&ViolationKind::InvalidEndState);
        let assertions = asserts && !self.config.ignore.contains(&ViolationKind::Assertion);
        match options.claim {
            Some(_) => Heuristic::Formula,
            None if assertions && guidance.danger.is_empty() => Heuristic::Formula,
            None if deadlocks && guidance.danger.is_empty() => Heuristic::Active,
            None if deadlocks => Heuristic::Danger,
            None => Heuristic::Bound,
        }
    }

    /// The estimate for a formula.
    pub(crate) fn formula_heuristic(&self) -> Heuristic {
        let is_optimal = self.config.order.is_some_and(SearchOrder::is_optimal);
        let default = match is_optimal {
            // Nothing looks for a shorter run afterwards.
            true => Heuristic::Bound,
            false => Heuristic::Formula,
        };
        self.config.guidance.heuristic.unwrap_or(default)
    }

    /// The estimate for accepting cycles.
    pub(crate) fn cycle_heuristic(&self) -> Heuristic {
        self.config.guidance.heuristic.unwrap_or(Heuristic::Formula)
    }

    pub(crate) fn estimator(
        &self,
        program: &Arc<Program>,
        options: Options,
        heuristic: Heuristic,
        goal: &Goal,
    ) -> Result<Estimator, CheckError> {
        let guidance = &self.config.guidance;
        let bad = |reason| CheckError::BadEstimate { name: heuristic.name(), reason };
        let target = match &guidance.target {
            Some(path) => {
                let exec = Exec::new(Arc::clone(program), options);
                let reason = || "the run to its state is not one of this model".to_owned();
                Some(state_after(exec, path).ok_or_else(|| bad(reason()))?)
            }
            None => None,
        };
        if guidance.target.is_some() && !heuristic.needs_target() {
            return Err(bad("it knows of no target: `fsm` and `hamming` do".to_owned()));
        }
        if !guidance.danger.is_empty() && heuristic != Heuristic::Danger {
            return Err(bad("it knows of no marked locations: `danger` does".to_owned()));
        }
        let wishes = Wishes { danger: guidance.danger.clone(), target };
        Estimator::new(program, options, heuristic, goal, &wishes).map_err(bad)
    }

    /// The same for several threads.
    pub(crate) fn estimators(
        &self,
        program: &Arc<Program>,
        options: Options,
        heuristic: Heuristic,
        goal: &Goal,
        threads: usize,
    ) -> Result<Vec<Estimator>, CheckError> {
        (0..threads.max(1)).map(|_| self.estimator(program, options, heuristic, goal)).collect()
    }

    /// The estimate that is never too large.
    pub(crate) fn estimator_of_bound(
        &self,
        program: &Arc<Program>,
        options: Options,
        goal: &Goal,
    ) -> Result<Estimator, CheckError> {
        let heuristic = Heuristic::Bound;
        Estimator::new(program, options, heuristic, goal, &Wishes::default())
            .map_err(|reason| CheckError::BadEstimate { name: heuristic.name(), reason })
    }
}

/// The state that a run of a program ends in; a violation at its end is left out.
fn state_after(mut exec: Exec, path: &[u32]) -> Option<Vec<u8>> {
    let mut state = exec.initial().ok()?;
    let mut expansion = Expansion::new();
    for number in path {
        exec.expand(&state, &mut expansion);
        let event = expansion.events().get(*number as usize)?;
        if event.kind == spinor_ts::EventKind::Successor {
            state = expansion.state(event).to_vec();
        }
    }
    Some(state)
}
