//! What can happen next.

use spinor_exec::{Actor, Exec};
use spinor_ts::{EventKind, Expansion, Violation};

/// Processes that labels tell apart.
const LABELLED: usize = 64;

/// A move that can be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Number of the event.
    pub event: u32,
    /// The process that begins; none if no process does (nobody can move).
    pub pid: Option<usize>,
    /// What is wrong with it.
    pub violation: Option<Violation>,
}

/// The choices in a state. `expansion` is that of the state, with labels.
///
/// A step that errs has an event for the error and perhaps others for how the run could go on: the
/// verifier may pass over errors, a simulation ends there.
pub(crate) fn choices(exec: &Exec, state: &[u8], expansion: &Expansion) -> Vec<Choice> {
    let events = expansion.events();
    let has_errors = events.iter().any(|e| e.kind != EventKind::Successor);
    let is_labelled =
        exec.process_count(state) <= LABELLED && expansion.labels().len() == events.len();
    let mut choices = Vec::with_capacity(events.len());
    // Steps of the errors met, each with a number of its own.
    let mut errors: Vec<Vec<Footprint>> = Vec::new();
    for (number, event) in events.iter().enumerate() {
        let violation = match event.kind {
            EventKind::Successor => None,
            EventKind::Violation(violation) => Some(violation),
        };
        let movers = expansion.labels().get(number).map_or(0, |label| label.movers);
        let is_plain = is_labelled && movers.is_power_of_two() && !has_errors;
        let event = number as u32;
        if is_plain {
            let pid = Some(movers.trailing_zeros() as usize);
            choices.push(Choice { event, pid, violation });
            continue;
        }
        let steps = footprints(exec, state, event);
        let passes_error = |error: &Vec<Footprint>| !error.is_empty() && steps.starts_with(error);
        if violation.is_none() && errors.iter().any(passes_error) {
            continue;
        }
        let pid = steps.iter().find_map(|step| match step.actor {
            Actor::Process(pid) => Some(pid),
            Actor::Claim => None,
        });
        if violation.is_some() {
            errors.push(steps);
        }
        choices.push(Choice { event, pid, violation });
    }
    choices
}

/// What tells the steps of two events apart.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Footprint {
    actor: Actor,
    statement: u32,
    state: Vec<u8>,
}

fn footprints(exec: &Exec, state: &[u8], event: u32) -> Vec<Footprint> {
    let steps = exec.replay(state, event).map(|(steps, _)| steps).unwrap_or_default();
    let of = |step: spinor_exec::ReplayedStep| Footprint {
        actor: step.actor,
        statement: step.statement.0,
        state: step.state,
    };
    steps.into_iter().map(of).collect()
}
