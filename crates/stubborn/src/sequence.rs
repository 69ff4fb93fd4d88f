//! Atomic sequences: what one move touches, from where the process rests to where it rests again.
//!
//! A sequence hands over with its first rendezvous: after a send the move is at its end, unless the receiver
//! is in a sequence of its own and goes on. A rendezvous receive in the middle of a sequence never happens in the same
//! move, because it is for the sender to begin. So of a sequence only the part up to there counts. If a process may go on
//! with a send after it has received, those who have moved before may take part again, from where they
//! are by then: such a move is in everybody's way.
//!
//! A send in the middle of a sequence without a partner that is ready is where the move stops. So who becomes ready
//! (`Access::offers`) changes what a move does (`Access::lacks`). But there are stops that can be *put off*.
//! Let process Q rest at `L`, lead from there to `M` by steps `h` of one atomic sequence, and send at `M`, where
//!
//! 1. `h` touches nothing but Q's own variables, which nobody looks at, and starts nothing. What is possible on the way is for
//!    Q's own variables to say alone (no `unless` there, no `else` beside something that is not its own);
//! 2. at `M` there is no rendezvous receive, no `else`, `timeout` or `unless`;
//! 3. on no channel on which Q may receive at `L` does anybody mind that nobody is ready, be it beside `else` or `unless` or by a send in the
//!    middle of a sequence; except where all these sends are at stops of which this is known already that they can be put off. So
//!    stops have ranks: on what is sent at a stop nobody receives who waits at the `L` of one of the same rank or a lower one;
//! 4. the property is about errors of finite runs, and does not look at variables or labels.
//!
//! Claim: from a run to an error in which Q stops at `M` there is one, not longer in steps, in which `h` is made later:
//! together with the step by which Q leaves `M`, or just before a `timeout` or the end of the run in a deadlock, or not at all. Proof:
//! let Q stay *behind*, at `L`, as do all others in such places. Step by step the states of both runs differ in nothing but
//! where those who are behind stand, and in their variables.
//! - Others do not see the difference (1). They are not kept from what they did by Q being at `L`: it could only
//!   be ready to receive there, which nobody minds (3) but those who stop where that can be put off: these stay behind, too.
//!   They never met Q at `M`, where it does not receive (2).
//! - When Q leaves `M`, by whatever step, it can make `h` and that step in one move from `L`: `h` is still
//!   possible (1), and the step is as possible as it was, as the receivers are the same.
//! - A `timeout`, or a deadlock: nobody can move, so nobody is ready for what is sent at `M`. Those who are
//!   behind make their `h` one after the other, the highest ranks first. Each stops at its `M`, since those who are still behind
//!   receive nothing that is sent there (3), nor do the others where they have arrived (2). Then both states are the same.
//!
//! So in the argument for a set of processes (a run to an error has a move of the set, which is made first, and the rest of the run is
//! what it was, but for its order) the rest may be one in which stops are put off, and it does not matter that
//! a move of the set makes somebody ready whom Q lacked. The rest is not longer in steps, so the
//! argument by induction goes through.

use crate::access::Access;
use crate::instance::Scanner;
use crate::promised::Promised;
use crate::walk::starts_any;
use spinor_program::{Action, LocId, ProcessType, Transition};

/// What is known of the beginning of a move.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Past {
    promised: Promised,
    /// If it stops for want of a partner, that can be put off.
    is_own: bool,
    /// Others may have moved, or have come into being.
    has_company: bool,
}

impl Scanner<'_> {
    /// Adds what is touched after the first transition of a move, which touches `first`, if that goes on. Says whether
    /// others may take part who have moved before in it.
    pub fn sequence(
        &self,
        process: &ProcessType,
        start: LocId,
        opening: &Transition,
        first: &Access,
        now: &mut Access,
    ) -> bool {
        if !opening.atomic || self.is_call(opening, first) {
            return false;
        }
        let past = Past {
            promised: Promised::of(self, opening),
            is_own: self.may_stay(process, start) && self.is_own(process, start, opening, first),
            has_company: !first.takes.is_empty() || self.starts(opening),
        };
        let mut hands_on = false;
        let mut met = Vec::new();
        let mut left = vec![(opening.target, past)];
        while let Some(place) = left.pop() {
            if met.contains(&place) {
                continue;
            }
            met.push(place);
            let (at, past) = place;
            for transition in &process.automaton.locations[at.index()].transitions {
                let mut promised = Some(past.promised);
                let mut own = self.transition(transition, &mut promised);
                let is_own = past.is_own && self.is_own(process, at, transition, &own);
                let mut goes_on = transition.atomic;
                let action = self.action_of(transition);
                if matches!(action, Action::Send(_)) && !own.calls.is_empty() {
                    hands_on |= past.has_company;
                    if past.is_own && self.is_waiting_place(process, at) {
                        own.lacks = Default::default();
                    }
                    goes_on &= !self.is_call(transition, &own);
                } else if self.begins_with_receive(action) && !own.takes.is_empty() {
                    own.takes = Default::default();
                    goes_on &= !own.receives.is_empty();
                }
                now.add(&own);
                if goes_on {
                    let has_company = past.has_company || self.starts(transition);
                    let promised = promised.unwrap_or_default();
                    left.push((transition.target, Past { promised, is_own, has_company }));
                }
            }
        }
        hands_on
    }

    /// Whether a move ends with a step for its process: a send that is a rendezvous for certain.
    pub fn is_call(&self, transition: &Transition, own: &Access) -> bool {
        let is_send = matches!(self.action_of(transition), Action::Send(_));
        is_send && !own.calls.is_empty() && own.sends.is_empty()
    }

    /// Whether it is the same to all others if a process stays at a location a while longer.
    fn may_stay(&self, process: &ProcessType, at: LocId) -> bool {
        let Some(minded) = self.facts.minded else { return false };
        let mut transitions = process.automaton.locations[at.index()].transitions.iter();
        let is_plain = |t: &Transition| {
            t.escape.0 == 0 && self.transition(t, &mut None).takes.and(minded).is_empty()
        };
        !process.deterministic && transitions.all(is_plain)
    }

    /// Whether a step from a location is nobody's business, and possible or not for reasons of its process alone.
    fn is_own(&self, process: &ProcessType, at: LocId, step: &Transition, own: &Access) -> bool {
        let transitions = &process.automaton.locations[at.index()].transitions;
        let is_local = |t: &Transition| self.transition(t, &mut None).is_local();
        let is_quiet = match self.action_of(step) {
            Action::Skip | Action::Condition(_) | Action::Assign(_) | Action::Print(..) => true,
            // What blocks or errs in it does so for reasons of its own.
            Action::DStep(_) | Action::Assert(_) => true,
            Action::Else => transitions.iter().all(is_local),
            _ => false,
        };
        let has_escape = transitions.iter().any(|t| t.escape.0 != 0);
        is_quiet && !has_escape && own.is_local() && !self.starts(step)
    }

    /// Whether what is possible at a location, in the middle of a sequence or not, begins with the process itself and needs nothing
    /// but that it can be done.
    fn is_waiting_place(&self, process: &ProcessType, at: LocId) -> bool {
        let mut transitions = process.automaton.locations[at.index()].transitions.iter();
        transitions.all(|t| {
            let own = self.transition(t, &mut None);
            let is_else = matches!(self.action_of(t), Action::Else);
            !is_else && t.escape.0 == 0 && own.takes.is_empty() && !own.timeouts && !own.all
        })
    }

    fn starts(&self, transition: &Transition) -> bool {
        let mut found = false;
        self.facts.program.actions_of(self.action_of(transition), &mut |action| {
            crate::walk::expressions(action, &mut |e| found |= starts_any(e));
        });
        found
    }

    fn action_of(&self, transition: &Transition) -> &Action {
        &self.facts.program.statement(transition.statement).action
    }
}
