//! Processes that become ready for a rendezvous.
//!
//! That changes what others can do even if the move itself touches nothing: `else` is no longer possible,
//! an escape takes over, an atomic sequence does not stop in the middle (unless that can be put off, see
//! `sequence`). All of these are about sends: a process never begins with a rendezvous receive, so who becomes ready
//! to send is in nobody's way.

use crate::bits::Channels;
use crate::instance::{Capacities, Facts, Scanner, Stop, stops};
use crate::known::Known;
use crate::walk::expressions;
use spinor_program::expr::ProctypeId;
use spinor_program::{Action, Expr, LocId, Location, ProcessType, Program};

/// Whether it may matter to somebody that nobody is ready: there is a choice of one thing only if another is
/// not possible, or an atomic sequence, with a channel in it.
pub(crate) fn are_minded(program: &Program) -> bool {
    let has_rendezvous = program.channel_types.iter().any(|ty| ty.capacity == 0);
    let mut processes = program.proctypes.iter();
    has_rendezvous
        && processes.any(|process| {
            let locations = &process.automaton.locations;
            let has_channels = |at: LocId| uses_channels(program, &locations[at.index()]);
            locations.iter().any(|location| {
                let is_exclusive = process.deterministic
                    || location.transitions.iter().any(|t| {
                        let action = &program.statement(t.statement).action;
                        matches!(action, Action::Else) || t.escape.0 != 0
                    });
                is_exclusive && uses_channels(program, location)
                    || location.transitions.iter().any(|t| t.atomic && has_channels(t.target))
            })
        })
}

fn uses_channels(program: &Program, location: &Location) -> bool {
    let mut found = false;
    for transition in &location.transitions {
        program.actions_of(&program.statement(transition.statement).action, &mut |action| {
            found |= matches!(action, Action::Send(_) | Action::Receive(_));
        });
    }
    found
}

/// Channels on which somebody minds that nobody is ready to receive, whoever there may be; stops that can be
/// [put off](crate::sequence) do not count.
pub(crate) fn minded(facts: &Facts<'_>, known: &Known<'_>, capacity: Capacities<'_>) -> Channels {
    let mut minded = None;
    loop {
        let mut next = Channels::default();
        let facts = Facts { minded, ..*facts };
        for number in 0..facts.program.proctypes.len() {
            let known = Known { proctype: Some(number), pid: None, frame: &[], ..*known };
            for stop in stops(&facts, &known, ProctypeId(number as u32), capacity) {
                next = next.or(stop.future.lacks);
            }
        }
        // They can only become fewer: the fewer there are, the more can be put off.
        if minded == Some(next) {
            return next;
        }
        minded = Some(next);
    }
}

impl Scanner<'_> {
    /// Adds to each move on which channels somebody is ready to receive where it leads to.
    pub fn add_offers(&self, process: &ProcessType, stops: &mut [Stop]) {
        let takes: Vec<Channels> = stops.iter().map(|stop| stop.gate.takes).collect();
        for (at, stop) in stops.iter_mut().enumerate() {
            stop.now.offers = self.offers(process, at, &takes);
        }
    }

    /// On which channels processes may be ready after a move from a location, or in the middle of it.
    fn offers(&self, process: &ProcessType, at: usize, takes: &[Channels]) -> Channels {
        let program = self.facts.program;
        let locations = &process.automaton.locations;
        let mut offers = Channels::default();
        let mut met = vec![false; locations.len()];
        let mut left = vec![at];
        while let Some(from) = left.pop() {
            for transition in &locations[from].transitions {
                let to = transition.target.index();
                offers = offers.or(takes[to]);
                let action = &program.statement(transition.statement).action;
                program.actions_of(action, &mut |action| {
                    expressions(action, &mut |e| {
                        e.walk(&mut |e| {
                            if let Expr::Run(run) = e {
                                offers = offers.or(self.facts.whole[run.proctype.index()].takes);
                            }
                        });
                    });
                });
                if transition.atomic && !std::mem::replace(&mut met[to], true) {
                    left.push(to);
                }
            }
        }
        offers
    }
}
