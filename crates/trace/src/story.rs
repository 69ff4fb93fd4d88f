//! A counterexample told step by step.

use crate::snapshot::{Change, Snapshot};
use crate::{Described, Origin, Standing, View, describe, printf, statement};
use serde::Serialize;
use spinor_exec::{Actor, ReplayedStep, StepKind};
use spinor_program::{Action, StmtId};
use spinor_ts::{EventKind, TransitionSystem, Violation};

/// Who takes a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Who {
    /// Name of the proctype or claim.
    pub name: String,
    /// Its number; none for a claim.
    pub pid: Option<usize>,
}

/// The receiving half of a rendezvous.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Half {
    /// Who receives.
    #[serde(flatten)]
    pub who: Who,
    /// The receive statement.
    pub statement: String,
    /// Where.
    pub at: Origin,
    /// Number of the statement in SPIN's trails.
    pub trail_id: u32,
}

/// One step of a story: a statement, or both halves of a rendezvous.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// From 1.
    pub number: usize,
    /// Who.
    #[serde(flatten)]
    pub who: Who,
    /// What.
    pub statement: String,
    /// Where.
    pub at: Origin,
    /// The other half of a rendezvous.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receiver: Option<Half>,
    /// What it changed.
    pub changes: Vec<Change>,
    /// What it printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Number of the move it belongs to, if that is an atomic sequence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub atomic: Option<usize>,
    /// Number of the statement in SPIN's trails.
    pub trail_id: u32,
    /// All variables after it, if wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<Snapshot>,
}

/// A run and what is wrong at its end.
#[derive(Clone, Debug)]
pub struct Story {
    /// The steps.
    pub steps: Vec<Step>,
    /// The violation at the end, if the run ends in one.
    pub violation: Option<Violation>,
    /// The violation in words.
    pub error: Option<Described>,
    /// Variables at the end.
    pub state: Snapshot,
    /// Processes at the end.
    pub processes: Vec<Standing>,
}

/// A path that is none of this model.
#[derive(Debug, thiserror::Error)]
#[error("event {event} of move {number} does not exist in the model")]
pub struct ReplayError {
    number: usize,
    event: u32,
}

impl Story {
    /// Replays `path` and tells what happens. With `full`, every step has all
    /// variables.
    ///
    /// # Errors
    /// The path leads nowhere in this model.
    pub fn tell(view: &mut View<'_>, path: &[u32], full: bool) -> Result<Self, ReplayError> {
        let mut state = match view.exec.initial() {
            Ok(state) => state,
            Err(violation) => return Ok(Self::stillborn(view, violation)),
        };
        let mut teller = Teller { view, full, steps: Vec::new() };
        let mut found = None;
        for (number, &event) in path.iter().enumerate() {
            let missing = ReplayError { number: number + 1, event };
            let Some((steps, expansion)) = teller.view.exec.replay(&state, event) else {
                return Err(missing);
            };
            let happened = expansion.events()[event as usize];
            let before = std::mem::take(&mut state);
            state = steps.last().map_or_else(|| before.clone(), |s| s.state.clone());
            teller.tell_move(number, &before, &steps);
            match happened.kind {
                EventKind::Successor => state = expansion.state(&happened).to_vec(),
                EventKind::Violation(violation) => found = Some(violation),
            }
            if found.is_some() && number + 1 < path.len() {
                return Err(missing);
            }
        }
        let steps = teller.steps;
        Ok(Story {
            error: found.map(|violation| describe(view, violation, Some(&state))),
            violation: found,
            state: view.snapshot(&state),
            processes: Standing::all(view, &state),
            steps,
        })
    }

    /// The initial state cannot be built.
    fn stillborn(view: &View<'_>, violation: Violation) -> Self {
        Story {
            steps: Vec::new(),
            violation: Some(violation),
            error: Some(describe(view, violation, None)),
            state: Snapshot::default(),
            processes: Vec::new(),
        }
    }
}

struct Teller<'v, 'a> {
    view: &'v View<'a>,
    full: bool,
    steps: Vec<Step>,
}

impl Teller<'_, '_> {
    fn tell_move(&mut self, number: usize, before: &[u8], replayed: &[ReplayedStep]) {
        let first = self.steps.len();
        let mut old = before;
        let mut steps = replayed.iter().peekable();
        while let Some(step) = steps.next() {
            let answer =
                steps.next_if(|next| step.kind == StepKind::Offer && next.kind == StepKind::Accept);
            let new = answer.map_or(&step.state, |a| &a.state);
            let told = self.tell_step(old, step, answer);
            self.steps.push(told);
            old = new;
        }
        let is_atomic = self.steps[first..].iter().filter(|s| s.who.pid.is_some()).count() > 1;
        if is_atomic {
            for step in self.steps[first..].iter_mut().filter(|s| s.who.pid.is_some()) {
                step.atomic = Some(number + 1);
            }
        }
    }

    fn tell_step(&self, old: &[u8], step: &ReplayedStep, answer: Option<&ReplayedStep>) -> Step {
        let view = self.view;
        let new = answer.map_or(&step.state, |a| &a.state);
        Step {
            number: self.steps.len() + 1,
            who: self.who(old, step.actor),
            statement: self.text(step.statement),
            at: self.origin(step.statement),
            receiver: answer.map(|a| Half {
                who: self.who(old, a.actor),
                statement: self.text(a.statement),
                at: self.origin(a.statement),
                trail_id: view.program.statement(a.statement).trail_id,
            }),
            changes: view.changes(old, new),
            output: printf::output(view, old, step.actor, step.statement),
            atomic: None,
            trail_id: view.program.statement(step.statement).trail_id,
            state: self.full.then(|| view.snapshot(new)),
        }
    }

    fn who(&self, state: &[u8], actor: Actor) -> Who {
        let program = &self.view.program;
        match actor {
            Actor::Process(pid) => Who {
                name: self
                    .view
                    .process(state, pid)
                    .map_or_else(String::new, |p| p.name.to_string()),
                pid: Some(pid),
            },
            Actor::Claim => Who {
                name: self.view.claim.map_or("never", |c| &*program.claims[c].name).to_owned(),
                pid: None,
            },
        }
    }

    fn origin(&self, id: StmtId) -> Origin {
        let program = &self.view.program;
        // A d_step is where its first statement is.
        let first = match &program.statement(id).action {
            Action::DStep(inner) => inner.locations[inner.start.index()].first(),
            _ => None,
        };
        Origin::of_statement(program, self.view.sources, first.map_or(id, |t| t.statement))
    }

    fn text(&self, id: StmtId) -> String {
        statement::text(&self.view.program, self.view.sources, id)
    }
}
