//! Taking a move apart into elementary steps.

use crate::exec::Exec;
use spinor_program::StmtId;
use spinor_ts::Expansion;

/// Who takes a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Actor {
    /// The process with this pid.
    Process(usize),
    /// The never claim.
    Claim,
}

/// How a step takes part in a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepKind {
    /// By itself.
    Step,
    /// The sending half of a rendezvous.
    Offer,
    /// The receiving half of a rendezvous.
    Accept,
}

/// An elementary step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayedStep {
    /// Who.
    pub actor: Actor,
    /// What.
    pub statement: StmtId,
    /// How.
    pub kind: StepKind,
    /// The state after it (of a step that errs: the state it errs in).
    pub state: Vec<u8>,
}

/// Waits for an event and keeps the steps that lead to it.
pub(crate) struct Recorder {
    pub wanted: usize,
    pub steps: Option<Vec<ReplayedStep>>,
}

impl Exec {
    /// The elementary steps from `state` to its event number `event`, and the
    /// expansion in which that event stands; `None` if there is no such event.
    #[must_use]
    pub fn replay(&self, state: &[u8], event: u32) -> Option<(Vec<ReplayedStep>, Expansion)> {
        let mut recorder = Recorder { wanted: event as usize, steps: None };
        let mut out = Expansion::new();
        self.expand_recording(state, &mut out, Some(&mut recorder));
        recorder.steps.map(|steps| (steps, out))
    }
}
