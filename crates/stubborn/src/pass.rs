//! States that are passed: where one move is enough, the state it leads to is expanded in place of
//! the state itself, and need not be stored.
//!
//! Nothing is lost by it. The only move that is made may be made first, so whatever can go wrong from the state
//! can go wrong from the next one; and if moves are put off along the way, the search still sees
//! to it that the last state of the way leads to one where all moves are made.

use crate::reduced::Reduced;
use crate::seats::Lineup;
use spinor_ts::{Event, EventKind, Expansion, TransitionSystem};

/// States passed at a time. Ways that join are gone once for each of their beginnings.
pub(crate) const MAX_PASSED: u32 = 16;
/// As how many one counts where a loop of the process begins again. Going round and round would take time and
/// spare little.
const ROUND: u32 = 12;

/// The only event that is needed in a state, if there is one and it leads on.
fn only_event(out: &Expansion) -> Option<Event> {
    let needed = if out.enough > 0 { out.enough as usize } else { out.events().len() };
    let event = *out.events().first()?;
    (needed == 1 && out.cut.is_none() && event.kind == EventKind::Successor).then_some(event)
}

impl<T: TransitionSystem> Reduced<T> {
    /// Goes on from the state whose events these are as long as there is one way only. Calls
    /// `visit` with the number of each event taken, in terms of the system.
    pub(crate) fn pass(&mut self, out: &mut Expansion, mut visit: impl FnMut(u32)) {
        let mut state = std::mem::take(&mut self.passing);
        let (mut steps, mut atomic_steps, mut deepest) = (0, 0, 0);
        let (mut passed, mut spent) = (0, 0);
        while spent < MAX_PASSED
            && let Some(event) = only_event(out)
        {
            spent += self.cost(out.state(&event), self.only_mover(out));
            if spent > MAX_PASSED {
                break;
            }
            state.clear();
            state.extend_from_slice(out.state(&event));
            visit(self.first_event(out));
            deepest = deepest.max(steps + out.deepest);
            steps += event.steps;
            atomic_steps += out.atomic_steps;
            passed += 1;
            self.expand_one(&state, out);
        }
        self.passing = state;
        if passed > 0 {
            let (events, _) = out.raw_parts();
            events.iter_mut().for_each(|event| event.steps += steps);
            out.atomic_steps += atomic_steps;
            out.deepest = deepest.max(steps + out.deepest);
            out.passed = passed;
            out.is_plain = false;
        }
    }

    /// The process that begins the only event that is needed.
    fn only_mover(&self, out: &Expansion) -> usize {
        (out.enabled & self.chosen).trailing_zeros() as usize
    }

    /// As how many a state counts that a process has led to.
    pub(crate) fn cost(&mut self, state: &[u8], pid: usize) -> u32 {
        let number = self.lineups.number(&self.program, self.options, &self.frames, state);
        let Lineup { shape, seats, .. } = self.lineups.get(number);
        let Some(frame) = shape.frames.get(pid) else { return 1 };
        let is_round = self.sticky[frame.proctype.index()][seats[pid].location(state) as usize];
        if is_round { ROUND } else { 1 }
    }

    /// The number of the first event in terms of the system.
    fn first_event(&self, out: &Expansion) -> u32 {
        if out.enough > 0 { self.order[0] } else { 0 }
    }

    /// The events of the system that one event of a state stands for.
    pub fn way(&mut self, state: &[u8], event: u32) -> Option<Vec<u32>> {
        let mut out = Expansion::new();
        let mut way = Vec::new();
        self.expand_one(state, &mut out);
        if self.passes() {
            self.pass(&mut out, |number| way.push(number));
        }
        out.events().get(event as usize)?;
        let is_arranged = self.is_arranged;
        way.push(if is_arranged { self.order[event as usize] } else { event });
        Some(way)
    }
}
