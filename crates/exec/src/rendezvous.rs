//! The second half of a rendezvous: who takes the message.

use crate::eval::Context;
use crate::frame::{Arrival, Buffers, Frame};
use crate::lineup::Lineup;
use crate::prepared::Act;
use crate::replay::{Actor, Recorder, StepKind};
use crate::step::{Attempt, Offer, Try};
use crate::walk::Walk;
use spinor_program::{LocId, StmtId};

impl<'a, R: Recorder> Walk<'a, R> {
    /// Everybody who can take the message just offered; how many there are.
    pub fn receivers(&mut self, frame: &Frame<'a, R::Trail>, send: StmtId) -> usize {
        let exec = self.exec;
        let offer = std::mem::take(&mut self.buffers.effect.offer);
        let mut state = std::mem::take(&mut self.buffers.halfway);
        std::mem::swap(&mut state, &mut self.buffers.effect.next);
        let lineup = exec.lineup_after(frame.lineup, &state);
        let sender = Actor::Process(offer.sender);
        let trail = self.recorder.extend(frame.trail, sender, send, StepKind::Offer, &state);
        let before = self.buffers.arrivals.len();
        for pid in (0..lineup.seats.len()).rev() {
            if pid != offer.sender && exec.may_move(&state, lineup, pid, false) {
                self.receiver(lineup, &state, pid, &offer, frame.steps + 2, trail);
            }
        }
        self.buffers.arrivals[before..].reverse();
        self.buffers.halfway = state;
        self.buffers.arrivals.len() - before
    }

    /// The ways in which a process can take an offered message.
    fn receiver(
        &mut self,
        lineup: &'a Lineup,
        state: &[u8],
        pid: usize,
        offer: &Offer,
        steps: u32,
        trail: R::Trail,
    ) {
        let exec = self.exec;
        let seat = &lineup.seats[pid];
        let stop = exec.prepared.stops[seat.first_stop as usize + seat.location(state)];
        if !stop.accepts && !exec.restricts_moves {
            return;
        }
        let cx = exec.context(lineup, state, Some(pid), false);
        let mut escape = LocId(0);
        let mut moved = false;
        for transition in &exec.prepared.moves[stop.first as usize..stop.last as usize] {
            if escape != LocId(0) && transition.escape != escape {
                break;
            }
            let act = &exec.prepared.acts[transition.statement.index()];
            if !exec.restricts_moves && certainly_refuses(act, &cx, offer) {
                continue;
            }
            let effect = &mut self.buffers.effect;
            let attempt = exec.attempt(&cx, Try { moved, offer: Some(offer) }, transition, effect);
            let done = attempt == Attempt::Done;
            if !done && effect.violations.is_empty() {
                continue;
            }
            let after = if done { &effect.next } else { state };
            let actor = Actor::Process(pid);
            let trail =
                self.recorder.extend(trail, actor, transition.statement, StepKind::Accept, after);
            self.push_violations(steps, trail);
            if done {
                moved = true;
                escape = transition.escape;
                let Buffers { effect, states, arrivals, .. } = &mut *self.buffers;
                let start = states.len();
                states.extend_from_slice(&effect.next);
                let (end, atomic) = (states.len(), transition.atomic);
                arrivals.push(Arrival { start, end, pid, atomic, steps, trail });
            }
        }
    }

    /// Follows the last arrival, from a frame of this depth.
    pub fn follow(&mut self, depth: usize) -> Option<Frame<'a, R::Trail>> {
        let Arrival { start, end, pid, atomic, steps, trail } = self.buffers.arrivals.pop()?;
        let Buffers { effect, states, .. } = &mut *self.buffers;
        let state = &states[start..end];
        if !atomic {
            self.recorder.event(self.out.events().len(), trail);
            self.out.push_successor(state, steps);
            return None;
        }
        effect.next.clear();
        effect.next.extend_from_slice(state);
        let lineup = self.exec.lineup(&effect.next);
        self.go_on(lineup, pid, depth, steps, trail)
    }
}

/// Whether a statement cannot take an offered message, and errs in nothing.
#[inline(always)]
fn certainly_refuses(act: &Act, cx: &Context<'_>, offer: &Offer) -> bool {
    match act {
        Act::Receive(receive) => {
            !receive.copy && receive.channel.is_other_channel(cx, offer.channel)
        }
        act => !act.may_accept(),
    }
}
