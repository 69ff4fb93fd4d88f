//! A counterexample told step by step.

use crate::cycle::{Cycle, Watcher};
use crate::message::Message;
use crate::snapshot::{Change, Snapshot};
use crate::teller::{Teller, holding};
use crate::{Described, Move, Origin, Run, Standing, View, describe};
use serde::Serialize;
use spinor_exec::{Exec, Options, Proposition, ReplayedStep, StepKind};
use spinor_ts::{Expansion, TransitionSystem, Violation};
use std::sync::Arc;

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
    /// What it sent and received.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<Message>,
    /// What it printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Number of the move it belongs to, if that is an atomic sequence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub atomic: Option<usize>,
    /// Number of the statement in SPIN's trails; none if nothing moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trail_id: Option<u32>,
    /// Which of the story's propositions hold after it, at the end of a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<Vec<bool>>,
    /// All variables after it, if wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<Snapshot>,
}

/// A proposition that a story keeps an eye on.
#[derive(Debug)]
pub struct Watched {
    /// As the user wrote it.
    pub text: String,
    /// What it says of a state.
    pub proposition: Proposition,
}

/// What the reader of a story wants to know beside the steps.
#[derive(Debug, Default)]
pub struct Interest {
    /// All variables after every step.
    pub full: bool,
    /// Propositions.
    pub watched: Vec<Watched>,
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
    /// The part that repeats for ever.
    pub cycle: Option<Cycle>,
    /// The propositions that steps tell about.
    pub propositions: Vec<String>,
    /// Which of them hold in the initial state.
    pub initially: Vec<bool>,
}

/// A path that is none of this model.
#[derive(Debug, thiserror::Error)]
#[error("move {number} of the run does not exist in the model")]
pub struct ReplayError {
    number: usize,
}

impl ReplayError {
    /// The move of this number, from 1, does not exist.
    #[must_use]
    pub fn at(number: usize) -> Self {
        ReplayError { number }
    }
}

impl Story {
    /// Replays a run and tells what happens.
    ///
    /// # Errors
    /// The run is none of this model.
    pub fn tell(view: &mut View<'_>, run: &Run, interest: &Interest) -> Result<Self, ReplayError> {
        let initial = match view.exec.initial() {
            Ok(state) => state,
            Err(violation) => return Ok(Self::stillborn(view, violation)),
        };
        let initially = holding(view, &initial, &interest.watched);
        let (steps, state, found) = tell_all(view, initial, run, interest)?;
        let violation = found.or(run.violation);
        let story = Story {
            error: violation.map(|violation| describe(view, violation, Some(&state))),
            violation,
            state: view.snapshot(&state),
            processes: Standing::all(view, &state),
            cycle: None,
            propositions: interest.watched.iter().map(|w| w.text.clone()).collect(),
            initially,
            steps,
        };
        story.with_cycle(view, run)
    }

    /// Adds what the processes do on the cycle of the run.
    fn with_cycle(self, view: &View<'_>, run: &Run) -> Result<Self, ReplayError> {
        let Some(cycle_start) = run.cycle_start else { return Ok(self) };
        let options = Options { labels: true, ..view.options };
        let mut exec = Exec::new(Arc::clone(&view.program), options);
        let mut expansion = Expansion::new();
        let mut watcher = Watcher::default();
        let mut start = 0;
        let mut state = exec.initial().map_err(|_| ReplayError { number: 0 })?;
        let mut looped = state.clone();
        for (number, &step) in run.moves.iter().enumerate() {
            if number == cycle_start {
                looped.clone_from(&state);
            }
            exec.expand(&state, &mut expansion);
            let enabled = expansion.enabled;
            let (steps, next) = taken(&exec, &state, step).ok_or(ReplayError { number })?;
            if number >= cycle_start {
                watcher.note(enabled, &steps);
            } else {
                start += told_steps(&steps, step);
            }
            state = next;
        }
        let processes = Standing::all(view, &looped)
            .iter()
            .map(|standing| watcher.process(standing.pid, standing.name.clone()))
            .collect();
        Ok(Story { cycle: Some(Cycle { start, processes }), ..self })
    }

    /// The initial state cannot be built.
    fn stillborn(view: &View<'_>, violation: Violation) -> Self {
        Story {
            steps: Vec::new(),
            violation: Some(violation),
            error: Some(describe(view, violation, None)),
            state: Snapshot::default(),
            processes: Vec::new(),
            cycle: None,
            propositions: Vec::new(),
            initially: Vec::new(),
        }
    }
}

/// The steps of a move, and the state it leads to.
fn taken(exec: &Exec, state: &[u8], step: Move) -> Option<(Vec<ReplayedStep>, Vec<u8>)> {
    let Move::Event(event) = step else { return Some((Vec::new(), state.to_vec())) };
    let (steps, expansion) = exec.replay(state, event)?;
    let next = expansion.state(&expansion.events()[event as usize]).to_vec();
    Some((steps, next))
}

/// How many steps of a story a move is: the halves of a rendezvous are one.
fn told_steps(steps: &[ReplayedStep], step: Move) -> usize {
    match step {
        Move::Stutter => 1,
        Move::Event(_) => steps.iter().filter(|s| s.kind != StepKind::Accept).count(),
    }
}

/// All steps, the last state, and the violation that the last move is.
type Ended = (Vec<Step>, Vec<u8>, Option<Violation>);

/// Tells all moves.
fn tell_all(
    view: &View<'_>,
    mut state: Vec<u8>,
    run: &Run,
    interest: &Interest,
) -> Result<Ended, ReplayError> {
    let mut teller = Teller::new(interest);
    let (mut steps, mut found) = (Vec::new(), None);
    for (number, &step) in run.moves.iter().enumerate() {
        let missing = ReplayError { number: number + 1 };
        if found.is_some() {
            return Err(missing);
        }
        let told = match step {
            Move::Event(event) => teller.event(view, &state, event).ok_or(missing)?,
            Move::Stutter => teller.stutter(view, &state),
        };
        steps.extend(told.steps);
        (state, found) = (told.next, told.violation);
    }
    Ok((steps, state, found))
}
