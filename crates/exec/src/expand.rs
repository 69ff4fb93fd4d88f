//! All that can happen in a state; whether it may be the last one.

use crate::exec::Exec;
use crate::frame::Buffers;
use crate::lineup::{Berth, Lineup};
use crate::movers::Movers;
use crate::replay::{Recorder, Silent};
use crate::shape::location;
use crate::walk::Walk;
use spinor_ts::{Expansion, Footprint, GroupMoves, TransitionSystem, Violation};

impl TransitionSystem for Exec {
    fn initial(&mut self) -> Result<Vec<u8>, Violation> {
        self.initial_state()
    }

    fn hidden_bytes(&self) -> usize {
        self.program.hidden_bytes as usize
    }

    fn expand(&mut self, state: &[u8], out: &mut Expansion) {
        out.clear();
        if self.options.labels {
            self.expand_with_labels(state, out);
            return;
        }
        let mut buffers = self.buffers.take();
        self.walk(state, out, &mut Silent, &mut buffers);
        self.buffers.replace(buffers);
    }

    fn groups(&mut self, state: &[u8], anchors: &mut Vec<usize>) -> bool {
        self.processes_apart(state, anchors)
    }

    fn expand_group(
        &mut self,
        state: &[u8],
        group: usize,
        out: &mut Expansion,
        footprint: Option<&mut Footprint>,
    ) -> GroupMoves {
        self.expand_process(state, group, out, footprint)
    }

    fn ends_quietly(&self) -> bool {
        self.options.ignore_deadlocks && !self.program.uses_timeout && !self.options.labels
    }
}

impl Exec {
    fn expand_with_labels(&self, state: &[u8], out: &mut Expansion) {
        let mut movers = Movers::of(self, out);
        let mut buffers = self.labelled_buffers.take();
        self.walk(state, out, &mut movers, &mut buffers);
        self.labelled_buffers.replace(buffers);
        movers.finish(out);
    }

    /// Expands a state while a recorder looks on.
    pub(crate) fn walk<R: Recorder>(
        &self,
        state: &[u8],
        out: &mut Expansion,
        recorder: &mut R,
        buffers: &mut Buffers<R::Trail>,
    ) {
        let mut walk = Walk::new(self, out, recorder, buffers);
        match self.options.claim {
            Some(claim) => walk.with_claim(claim, state),
            None => walk.without_claim(state),
        }
        walk.finish();
        out.cut = out.cut.or(self.given_up.take());
    }

    /// Whether every process may rest where it is, and messages, too.
    pub(crate) fn is_valid_end(&self, state: &[u8], lineup: &Lineup) -> bool {
        let rests = lineup.seats.iter().all(|seat| {
            let automaton = &self.program.proctypes[seat.proctype.index()].automaton;
            automaton.locations[seat.location(state)].is_end
        });
        let trace = self.program.trace.as_ref().filter(|_| self.is_watched());
        let is_traced = trace.is_none_or(|trace| {
            let at = location(&trace.body, state, lineup.shape.event);
            trace.body.automaton.locations[at.index()].is_end
        });
        let holds = |channel: &Berth| {
            let number = channel.offset..channel.offset + channel.len_bytes as usize;
            state[number].iter().any(|byte| *byte != 0)
        };
        let is_drained = !self.program.ends_empty || !lineup.channels.iter().any(holds);
        rests && is_traced && is_drained
    }

    /// Whether a process may move at all: its `provided` clause holds, and no
    /// process of higher priority could move.
    #[inline]
    pub(crate) fn may_move(
        &self,
        state: &[u8],
        lineup: &Lineup,
        pid: usize,
        timeout: bool,
    ) -> bool {
        !self.restricts_moves || self.is_allowed(state, lineup, pid, timeout)
    }

    fn is_allowed(&self, state: &[u8], lineup: &Lineup, pid: usize, timeout: bool) -> bool {
        let cx = self.context(lineup, state, Some(pid), timeout);
        let is_provided = |pid: usize| {
            let provided =
                self.program.proctypes[lineup.seats[pid].proctype.index()].provided.as_ref();
            provided.is_none_or(|e| cx.of_process(pid).eval(e).unwrap_or(0) != 0)
        };
        if !is_provided(pid) {
            return false;
        }
        if !self.program.uses_priority {
            return true;
        }
        let own = cx.priority(pid);
        !(0..lineup.seats.len()).any(|other| {
            other != pid
                && cx.priority(other) > own
                && is_provided(other)
                && cx.has_executable(other).unwrap_or(false)
        })
    }
}
