//! The moves of one process, each with its steps: what a simulation draws from.

use crate::exec::Exec;
use crate::frame::Buffers;
use crate::replay::{Actor, Recorder, StepKind};
use spinor_program::StmtId;
use spinor_ts::{EventKind, Expansion};

/// Moves that begin with a step of a certain process. Reused from state to state to save allocations.
#[derive(Debug, Default)]
pub struct Moves {
    out: Expansion,
    steps: Steps,
    buffers: Buffers<u32>,
}

/// An elementary step of a move.
#[derive(Clone, Copy, Debug)]
pub struct MoveStep<'a> {
    /// Who.
    pub actor: Actor,
    /// What.
    pub statement: StmtId,
    /// How.
    pub kind: StepKind,
    /// The state after it.
    pub state: &'a [u8],
}

/// Keeps all steps. A trail is the number of its last step, from 1.
#[derive(Debug, Default)]
struct Steps {
    kept: Vec<Kept>,
    states: Vec<u8>,
    /// The trails of the events.
    ends: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Kept {
    /// The trail that it extends.
    before: u32,
    actor: Actor,
    statement: StmtId,
    kind: StepKind,
    start: usize,
    end: usize,
}

impl Recorder for Steps {
    const RECORDS: bool = true;
    type Trail = u32;

    fn extend(
        &mut self,
        before: u32,
        actor: Actor,
        statement: StmtId,
        kind: StepKind,
        state: &[u8],
    ) -> u32 {
        let start = self.states.len();
        self.states.extend_from_slice(state);
        let end = self.states.len();
        self.kept.push(Kept { before, actor, statement, kind, start, end });
        self.kept.len() as u32
    }

    fn event(&mut self, number: usize, trail: u32) {
        // The event announced last may have been left out for its size.
        self.ends.truncate(number);
        self.ends.push(trail);
    }

    fn mark(&self) -> usize {
        0
    }

    fn release(&mut self, _: usize) {}
}

impl Moves {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.out.events().len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.out.events().is_empty()
    }

    /// Whether something goes wrong in one of them, or they are not all here.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.out.cut.is_some() || self.out.events().iter().any(|e| e.kind != EventKind::Successor)
    }

    /// The state that a move leads to.
    #[must_use]
    pub fn state(&self, number: usize) -> &[u8] {
        self.out.state(&self.out.events()[number])
    }

    /// How many steps a move takes, both halves of a rendezvous counted as one.
    #[must_use]
    pub fn length(&self, number: usize) -> u64 {
        match self.out.events()[number].steps {
            1 => 1,
            _ => self.steps_back(number).filter(|s| s.kind != StepKind::Accept).count() as u64,
        }
    }

    /// The steps of a move, the last one first.
    pub fn steps_back(&self, number: usize) -> impl Iterator<Item = MoveStep<'_>> {
        let kept = |trail: u32| trail.checked_sub(1).map(|at| &self.steps.kept[at as usize]);
        let last = self.steps.ends.get(number).and_then(|trail| kept(*trail));
        std::iter::successors(last, move |step| kept(step.before)).map(|step| MoveStep {
            actor: step.actor,
            statement: step.statement,
            kind: step.kind,
            state: &self.steps.states[step.start..step.end],
        })
    }
}

impl Exec {
    /// All moves that process `pid` can begin in `state`, as long as nobody has to wait for `timeout`.
    pub fn moves_of(&self, state: &[u8], pid: usize, moves: &mut Moves) {
        let Moves { out, steps, buffers } = moves;
        out.clear();
        steps.kept.clear();
        steps.states.clear();
        steps.ends.clear();
        self.walk_process(state, pid, out, steps, buffers);
    }
}
