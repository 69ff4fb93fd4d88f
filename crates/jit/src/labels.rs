//! Who takes part in each move, where somebody asks for it.

use spinor_ts::{Expansion, Label};

/// The labels of the events that are complete.
#[derive(Default)]
pub(crate) struct Labels {
    /// Whether events are labelled at all. Generated code then writes the pid of the process
    /// that made the last step of an event beside its steps.
    pub are_wanted: bool,
    /// Whether moves can pass `accept` labels.
    pub may_pass: bool,
    list: Vec<Label>,
    enabled: u64,
}

impl Labels {
    pub fn new(are_wanted: bool, may_pass: bool) -> Self {
        Labels { are_wanted, may_pass: are_wanted && may_pass, ..Labels::default() }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.list.clear();
        self.enabled = 0;
    }

    /// The next event is complete.
    #[inline]
    pub fn push(&mut self, movers: u64, passed: bool) {
        if self.are_wanted {
            self.list.push(Label { accepting: u32::from(passed), movers });
        }
    }

    /// Number of events that are complete.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// A process can move.
    pub fn enable(&mut self, processes: u64) {
        self.enabled |= processes;
    }

    /// Gives the labels to an expansion and takes its memory.
    pub fn give(&mut self, out: &mut Expansion) {
        std::mem::swap(&mut self.list, out.labels_mut());
        out.enabled = self.enabled;
        self.clear();
    }
}
