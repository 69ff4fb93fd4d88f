//! What is asked of the infinite runs of a program.

use crate::formula::Specification;
use spinor_exec::{Exec, Options, Proposition, layout_of};
use spinor_heuristic::Goal;
use spinor_ltl::{Buchi, Limits, Tgba, degeneralize, is_stutter_invariant, translate};
use spinor_product::{Claim, Marked, Product};
use spinor_program::expr::Predefined;
use spinor_program::{Expr, Program};
use spinor_stubborn::Visible;
use spinor_ts::{LayoutOf, TransitionSystem, Violation, ViolationKind};
use std::sync::Arc;

/// Which runs are errors.
pub(crate) enum Question {
    /// Those that an automaton over propositions accepts.
    Automaton(Automaton),
    /// Those that pass `accept` labels again and again.
    Labels,
}

/// The automaton of the runs that are errors.
pub(crate) struct Automaton {
    /// With acceptance sets of edges.
    generalised: Arc<Claim>,
    /// With accepting states.
    plain: Arc<Claim>,
    propositions: Vec<Expr>,
    kind: ViolationKind,
    /// Whether it does not matter how long the propositions stay as they are.
    is_stutter_invariant: bool,
}

/// Why a formula cannot be asked.
pub(crate) const TOO_LARGE: &str = "the automaton of the formula is too large to be run";

impl Question {
    /// Whether a formula is violated by some run.
    pub fn of_formula(specification: &Specification) -> Result<Self, String> {
        let negated = specification.formula.clone().negated();
        let automaton = translate(&negated, &Limits::default()).map_err(|e| e.to_string())?;
        let plain = degeneralize(&automaton);
        let claims = claims(&automaton, &plain, specification);
        let (generalised, plain) = claims.ok_or_else(|| TOO_LARGE.to_owned())?;
        Ok(Question::Automaton(Automaton {
            generalised: Arc::new(generalised),
            plain: Arc::new(plain),
            propositions: specification.atoms.iter().map(|atom| atom.expr.clone()).collect(),
            kind: ViolationKind::AcceptanceCycle,
            is_stutter_invariant: matches!(
                is_stutter_invariant(&specification.formula, &Limits::default()),
                Ok(Some(true))
            ),
        }))
    }

    /// Whether some run makes no progress any more.
    pub fn non_progress() -> Self {
        let claim = Arc::new(Claim::non_progress());
        Question::Automaton(Automaton {
            generalised: Arc::clone(&claim),
            plain: claim,
            propositions: vec![Expr::Predefined(Predefined::NonProgress)],
            kind: ViolationKind::NonProgressCycle,
            is_stutter_invariant: true,
        })
    }
}

fn claims(
    automaton: &Tgba,
    plain: &Buchi,
    specification: &Specification,
) -> Option<(Claim, Claim)> {
    let number = |name: &str| {
        let position = specification.atoms.iter().position(|atom| atom.name == name);
        position.expect("the automaton speaks of the formula's atoms") as u32
    };
    Some((Claim::of_tgba(automaton, number)?, Claim::of_buchi(plain, number)?))
}

impl Question {
    /// What of the program the question is about, if only the order of changes matters, not
    /// their number of steps.
    pub fn visible(&self) -> Option<Visible> {
        match self {
            Question::Labels => Some(Visible { accept_labels: true, ..Visible::default() }),
            Question::Automaton(automaton) if !automaton.is_stutter_invariant => None,
            Question::Automaton(automaton) if automaton.kind == ViolationKind::NonProgressCycle => {
                Some(Visible { progress_labels: true, ..Visible::default() })
            }
            Question::Automaton(automaton) => {
                Some(Visible { propositions: automaton.propositions.clone(), ..Visible::default() })
            }
        }
    }
}

impl Automaton {
    /// Whether runs are errors as soon as they reach some state.
    pub fn is_reachability(&self) -> bool {
        self.generalised.is_reachability()
    }

    /// What a directed search looks for.
    pub fn goal(&self, form: Form, accepting: bool) -> Goal {
        let claim = match form {
            Form::Generalised => &self.generalised,
            Form::Plain => &self.plain,
        };
        let propositions = self.propositions.clone();
        Goal::Formula { claim: Arc::clone(claim), propositions, accepting }
    }

    /// The product with a system that runs under `options`.
    pub fn product<T: TransitionSystem>(
        &self,
        program: &Arc<Program>,
        options: Options,
        system: T,
        form: Form,
    ) -> Product<T> {
        let claim = match form {
            Form::Generalised => &self.generalised,
            Form::Plain => &self.plain,
        };
        let judge = Exec::new(Arc::clone(program), options);
        let propositions = self.propositions.iter().map(Proposition::new).collect();
        let violation = Violation { kind: self.kind, site: 0 };
        Product::new(system, judge, Arc::clone(claim), propositions, violation)
    }
}

/// Which form of an automaton a search wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// Acceptance sets of edges, as many as there are.
    Generalised,
    /// Accepting states.
    Plain,
}

/// The system whose `accept` labels decide.
pub(crate) fn marked<T: TransitionSystem>(
    program: &Arc<Program>,
    options: Options,
    system: T,
) -> Marked<T> {
    let judge = Exec::new(Arc::clone(program), options);
    let violation = Violation { kind: ViolationKind::AcceptanceCycle, site: 0 };
    // With labels elsewhere the claim's components say nothing.
    let used = program.proctypes.iter().filter(|p| p.is_instantiated);
    let is_alone = !used.into_iter().any(|p| crate::property::accepts(&p.automaton));
    let claim = options.claim.filter(|_| is_alone).map(|c| &program.claims[c].automaton);
    Marked::new(system, judge, violation, claim)
}

/// The layout of the states of a product.
pub(crate) fn product_layout(program: &Arc<Program>, options: Options) -> LayoutOf {
    spinor_product::layout_of(layout_of(program, options))
}
