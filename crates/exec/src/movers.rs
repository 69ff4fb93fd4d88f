//! Who takes part in each move, and what it passes on its way.

use crate::exec::Exec;
use crate::replay::{Actor, Recorder, StepKind};
use spinor_program::StmtId;
use spinor_ts::{Expansion, Label, MAX_MOVERS};

/// Said of a state with processes that labels have no bits for.
const TOO_MANY: &str = "labels tell at most 64 processes apart";

/// Writes the labels of events.
#[derive(Debug)]
pub(crate) struct Movers<'a> {
    exec: &'a Exec,
    labels: Vec<Label>,
    enabled: u64,
    too_many: bool,
}

/// Processes on the way to an event, one bit each, and the one that began.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Movement {
    movers: u64,
    first: u64,
    /// The last step led to an `accept` label.
    is_accepting: bool,
    /// One of the steps before it did.
    passed: bool,
}

impl<'a> Movers<'a> {
    /// Uses the memory of the labels of an expansion.
    pub fn of(exec: &'a Exec, out: &mut Expansion) -> Self {
        Movers { exec, labels: std::mem::take(out.labels_mut()), enabled: 0, too_many: false }
    }

    /// Gives the labels to the expansion.
    pub fn finish(self, out: &mut Expansion) {
        *out.labels_mut() = self.labels;
        let events = out.events().len();
        out.labels_mut().truncate(events);
        out.enabled = self.enabled;
        if self.too_many {
            out.cut = Some(TOO_MANY);
        }
    }
}

impl Recorder for Movers<'_> {
    const RECORDS: bool = true;
    type Trail = Movement;

    fn extend(
        &mut self,
        trail: Movement,
        actor: Actor,
        _: StmtId,
        kind: StepKind,
        state: &[u8],
    ) -> Movement {
        let Actor::Process(pid) = actor else { return trail };
        if pid >= MAX_MOVERS {
            self.too_many = true;
            return trail;
        }
        let bit = 1 << pid;
        let first = if trail.movers == 0 { bit } else { trail.first };
        let passed = trail.passed || trail.is_accepting;
        let may_pass = self.exec.accepts_inside_atomic && kind != StepKind::Offer;
        let is_accepting = may_pass && self.exec.is_at_accept_label(state, pid);
        Movement { movers: trail.movers | bit, first, is_accepting, passed }
    }

    fn event(&mut self, number: usize, trail: Movement) {
        // The event announced last may have been left out for its size.
        self.labels.truncate(number);
        self.labels.push(Label { accepting: u32::from(trail.passed), movers: trail.movers });
        self.enabled |= trail.first;
    }

    fn mark(&self) -> usize {
        0
    }

    fn release(&mut self, _: usize) {}
}
