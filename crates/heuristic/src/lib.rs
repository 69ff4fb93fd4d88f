//! Estimates of the distance to an error, made from the program and what is asked of it.
//!
//! After section 4 of the paper that `search::directed` names:
//!
//! | name | what | of |
//! |---|---|---|
//! | `active` | number of processes that can move (H_ap) | deadlocks |
//! | `deadlock` | the inferred deadlock formula (H_f) | deadlocks |
//! | `danger` | the same with the locations that the designer marked (H_f + U) | deadlocks |
//! | `formula` | H_f of what is claimed or asserted | assertions, claims, formulas |
//! | `bound` | a lower bound for everything that can go wrong | all errors |
//! | `fsm` | distances of all processes to where they are in a given state | one state |
//! | `hamming` | differing bits | one state |
//! | `none` | 0 | all errors |
//!
//! - `distance`: distances in automata. `cost`, `formula`: H_f. `drift`: variables that move by small
//!   steps. `guard`: executability. `deadlock`, `assertion`, `claim`, `target`: what leads where.
//!   `risk`: statements that may err at run time.
//!
//! Invariants
//! - An estimate depends on the state alone.
//! - One that says it is admissible is never larger than the number of elementary steps that are
//!   left to an error of the kinds it is about. `testkit --bin directed` tries to refute it.

mod actions;
mod assertion;
mod claim;
mod cost;
mod deadlock;
mod distance;
mod drift;
mod formula;
mod guard;
mod name;
mod risk;
mod target;

use assertion::{Assertions, Steps};
use claim::Ways;
use deadlock::{Deadlock, Marks, Rest};
use formula::{Combine, Formulas};
use guard::Guards;
use spinor_exec::{Exec, Options};
use spinor_product::Claim;
use spinor_program::{Expr, Program, StmtId};
use spinor_ts::{Estimate, HOPELESS};
use std::sync::Arc;

pub use name::Heuristic;

/// What is searched for.
#[derive(Clone, Debug)]
pub enum Goal {
    /// Violations of safety; which of them count.
    Safety {
        /// Invalid end states do.
        deadlocks: bool,
        /// Assertions do.
        assertions: bool,
    },
    /// The end of the program's never claim of this number.
    Never {
        /// Which.
        claim: usize,
        /// Its accepting states do, too: cycles are searched from there.
        accepting: bool,
    },
    /// The end of a formula's automaton.
    Formula {
        /// The automaton.
        claim: Arc<Claim>,
        /// What its literals mean.
        propositions: Vec<Expr>,
        /// Its accepting components are goals, too.
        accepting: bool,
    },
}

/// What is asked for beside the goal.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// Labels that mark dangerous locations, beside those that begin with `danger`.
    pub danger: Vec<String>,
    /// The state to come to.
    pub target: Option<Vec<u8>>,
}

/// An estimate of a program's states.
#[derive(Debug)]
pub struct Estimator {
    exec: Exec,
    parts: Vec<Part>,
    heuristic: Heuristic,
    is_admissible: bool,
}

/// The nearest of several goals counts.
#[derive(Debug)]
enum Part {
    Active(Arc<Guards>),
    Deadlock(Box<Deadlock>),
    Rest(Rest),
    Assertions(Assertions),
    Steps(Steps),
    Ways(Ways),
    Control(target::Control),
    Hamming(target::Hamming),
    Zero,
}

/// Labels that mark dangerous locations begin so.
const DANGER: &str = "danger";

impl Estimator {
    /// The estimate called `heuristic` of states of `program` under `options`.
    ///
    /// # Errors
    /// It does not apply: why.
    pub fn new(
        program: &Arc<Program>,
        options: Options,
        heuristic: Heuristic,
        goal: &Goal,
        wishes: &Wishes,
    ) -> Result<Self, String> {
        let combine = match heuristic {
            Heuristic::Bound => Combine::Bound,
            _ => Combine::Sum,
        };
        let formulas = Formulas::new(program, combine);
        let exec = Exec::new(Arc::clone(program), options);
        // C code may change everything in one step.
        let has_c = program.embedded.is_some();
        let mut is_admissible = match heuristic {
            Heuristic::Bound => !has_c,
            other => other == Heuristic::None,
        };
        let parts = match heuristic {
            Heuristic::None => vec![Part::Zero],
            Heuristic::Active | Heuristic::Deadlock | Heuristic::Danger => {
                if !matches!(goal, Goal::Safety { deadlocks: true, .. }) {
                    return Err("it is about deadlocks, which are not looked for here".to_owned());
                }
                let guards = Arc::new(Guards::new(program));
                let deadlock = |marks: Option<&Marks>| {
                    Part::Deadlock(Box::new(Deadlock::new(&formulas, &guards, marks)))
                };
                vec![match heuristic {
                    Heuristic::Active => Part::Active(guards),
                    Heuristic::Danger => deadlock(Some(&marks(program, &wishes.danger)?)),
                    _ => deadlock(None),
                }]
            }
            Heuristic::Formula => formula_parts(&formulas, goal)?,
            Heuristic::Bound => {
                let mut parts = bound_parts(&formulas, options, goal);
                if parts.is_empty() || claims_look_at_hidden(program, goal) {
                    parts = vec![Part::Zero];
                }
                parts
            }
            Heuristic::Fsm | Heuristic::Hamming => {
                let Some(target) = &wishes.target else {
                    return Err(
                        "it needs a state to come to: name a trail with `--target`".to_owned()
                    );
                };
                is_admissible = false;
                vec![match heuristic {
                    Heuristic::Fsm => Part::Control(target::Control::new(program, &exec, target)),
                    _ => Part::Hamming(target::Hamming::new(target)),
                }]
            }
        };
        Ok(Estimator { exec, parts, heuristic, is_admissible })
    }

    /// Its name.
    #[must_use]
    pub fn heuristic(&self) -> Heuristic {
        self.heuristic
    }

    /// Whether it is never too large.
    #[must_use]
    pub fn is_admissible(&self) -> bool {
        self.is_admissible
    }
}

impl Estimate for Estimator {
    fn estimate(&mut self, state: &[u8]) -> u32 {
        let look = self.exec.look(state);
        let cost = |part: &Part| match part {
            Part::Active(guards) => {
                let active = |pid: &usize| guards.is_active(&look, *pid);
                (0..look.processes()).filter(active).count() as u32
            }
            Part::Deadlock(deadlock) => deadlock.cost(&look),
            Part::Rest(rest) => rest.cost(&look),
            Part::Assertions(assertions) => assertions.cost(&look),
            Part::Steps(steps) => steps.cost(&look),
            Part::Ways(ways) => ways.cost(&self.exec, &look),
            Part::Control(control) => control.cost(&look),
            Part::Hamming(hamming) => hamming.cost(state),
            Part::Zero => 0,
        };
        let mut least = HOPELESS;
        for part in &self.parts {
            least = least.min(cost(part));
            if least == 0 {
                break;
            }
        }
        least
    }
}

/// Whether a process of the program asserts something.
#[must_use]
pub fn has_assertions(program: &Program) -> bool {
    let mut found = false;
    actions::each_statement(program, |_, id| found |= assertion::asserts(program, id));
    found
}

fn formula_parts(formulas: &Formulas<'_>, goal: &Goal) -> Result<Vec<Part>, String> {
    let program = formulas.program;
    Ok(match goal {
        Goal::Safety { assertions, .. } => {
            if !has_assertions(program) || !assertions {
                return Err("the model asserts nothing: `active` and `deadlock` are for \
                            deadlocks"
                    .to_owned());
            }
            vec![Part::Assertions(Assertions::new(formulas))]
        }
        Goal::Never { claim, accepting } => {
            vec![Part::Ways(Ways::of_never(formulas, *claim, *accepting))]
        }
        Goal::Formula { claim, propositions, accepting } => {
            vec![Part::Ways(Ways::of_formula(formulas, claim, propositions, *accepting))]
        }
    })
}

/// Everything that can go wrong; empty if that is not known.
fn bound_parts(formulas: &Formulas<'_>, options: Options, goal: &Goal) -> Vec<Part> {
    let program = formulas.program;
    let watches_events = program.trace.is_some() && !options.no_trace;
    let risky = risk::risky(program);
    let may_err = |proctype: usize, id: StmtId| {
        risky[id.index()] || program.proctypes[proctype].deterministic
    };
    let errs = || Part::Steps(Steps::new(program, may_err));
    match goal {
        _ if watches_events => Vec::new(),
        Goal::Safety { deadlocks, assertions } => {
            let mut parts = vec![errs()];
            if *deadlocks {
                parts.push(Part::Rest(Rest::new(program, &|id| risky[id.index()])));
            }
            if *assertions {
                parts.push(Part::Assertions(Assertions::new(formulas)));
            }
            parts
        }
        // Conditions of claims may err in any state.
        Goal::Never { claim, accepting } if !claim_errs(program, *claim) => {
            vec![errs(), Part::Ways(Ways::of_never(formulas, *claim, *accepting))]
        }
        Goal::Formula { claim, propositions, accepting }
            if !propositions.iter().any(risk::errs) =>
        {
            let ways = Ways::of_formula(formulas, claim, propositions, *accepting);
            vec![errs(), Part::Ways(ways)]
        }
        _ => Vec::new(),
    }
}

fn claim_errs(program: &Program, claim: usize) -> bool {
    let automaton = &program.claims[claim].automaton;
    let mut transitions = automaton.locations.iter().flat_map(|l| &l.transitions);
    transitions.any(|t| {
        let is_condition = matches!(
            program.statement(t.statement).action,
            spinor_program::Action::Condition(_)
                | spinor_program::Action::Skip
                | spinor_program::Action::Else
                | spinor_program::Action::Terminate
        );
        !is_condition || risk::may_err(program, t.statement)
    })
}

/// Where the hidden bytes are not where the program has them.
fn claims_look_at_hidden(program: &Program, goal: &Goal) -> bool {
    program.hidden_bytes > 0 && matches!(goal, Goal::Formula { .. })
}

/// The locations marked as dangerous.
fn marks(program: &Program, names: &[String]) -> Result<Marks, String> {
    let locations = || program.proctypes.iter().map(|p| &p.automaton.locations);
    let has = |name: &String| {
        locations().flatten().any(|l| l.labels.iter().any(|label| **label == **name))
    };
    if let Some(name) = names.iter().find(|name| !has(name)) {
        return Err(format!("no statement has the label `{name}`"));
    }
    let is_marked = |location: &spinor_program::Location| {
        location
            .labels
            .iter()
            .any(|label| label.starts_with(DANGER) || names.iter().any(|name| **name == **label))
    };
    let marks: Marks = locations().map(|all| all.iter().map(is_marked).collect()).collect();
    if !marks.iter().flatten().any(|is_marked| *is_marked) {
        return Err("no label of the model begins with `danger`, and none is named with \
                    `--danger`"
            .to_owned());
    }
    Ok(marks)
}
