//! Taking a move apart into elementary steps.

use crate::exec::Exec;
use crate::frame::Buffers;
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

/// Follows a walk and keeps what it wants to know of it. A walk is generic in it,
/// so a search pays nothing for what only a replay needs.
pub(crate) trait Recorder {
    /// Whether it wants to know anything.
    const RECORDS: bool;

    /// The steps so far.
    type Trail: Copy + Default + std::fmt::Debug;

    /// The trail and one more step.
    fn extend(
        &mut self,
        trail: Self::Trail,
        actor: Actor,
        statement: StmtId,
        kind: StepKind,
        state: &[u8],
    ) -> Self::Trail;

    /// Event `number` lies at the end of the trail.
    fn event(&mut self, number: usize, trail: Self::Trail);

    /// Trails that are made from now on can be [released](Self::release).
    fn mark(&self) -> usize;

    /// Nobody asks for the trails made since the mark any more.
    fn release(&mut self, mark: usize);
}

/// Wants to know nothing.
#[derive(Debug)]
pub(crate) struct Silent;

impl Recorder for Silent {
    const RECORDS: bool = false;
    type Trail = ();

    fn extend(&mut self, (): (), _: Actor, _: StmtId, _: StepKind, _: &[u8]) {}

    fn event(&mut self, _: usize, (): ()) {}

    fn mark(&self) -> usize {
        0
    }

    fn release(&mut self, _: usize) {}
}

/// Waits for an event and keeps the steps that lead to it.
#[derive(Debug)]
struct Replayer {
    wanted: usize,
    found: Option<Vec<ReplayedStep>>,
    /// Steps of all trails at hand, each with the trail it extends. A trail is the
    /// number of its last step, from 1.
    steps: Vec<(usize, ReplayedStep)>,
}

impl Recorder for Replayer {
    const RECORDS: bool = true;
    type Trail = usize;

    fn extend(
        &mut self,
        trail: usize,
        actor: Actor,
        statement: StmtId,
        kind: StepKind,
        state: &[u8],
    ) -> usize {
        let step = ReplayedStep { actor, statement, kind, state: state.to_vec() };
        self.steps.push((trail, step));
        self.steps.len()
    }

    fn event(&mut self, number: usize, mut trail: usize) {
        if number != self.wanted {
            return;
        }
        let mut steps = Vec::new();
        while trail > 0 {
            let (before, step) = &self.steps[trail - 1];
            steps.push(step.clone());
            trail = *before;
        }
        steps.reverse();
        self.found = Some(steps);
    }

    fn mark(&self) -> usize {
        self.steps.len()
    }

    fn release(&mut self, mark: usize) {
        self.steps.truncate(mark);
    }
}

impl Exec {
    /// The elementary steps from `state` to its event number `event`, and the
    /// expansion in which that event stands; `None` if there is no such event.
    #[must_use]
    pub fn replay(&self, state: &[u8], event: u32) -> Option<(Vec<ReplayedStep>, Expansion)> {
        let mut replayer = Replayer { wanted: event as usize, found: None, steps: Vec::new() };
        let mut out = Expansion::new();
        self.walk(state, &mut out, &mut replayer, &mut Buffers::default());
        replayer.found.map(|steps| (steps, out))
    }
}
