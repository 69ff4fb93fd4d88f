//! Processes that become ready for a rendezvous.
//!
//! That changes what others can do even if the move itself touches nothing: `else` is no longer possible,
//! an escape takes over, an atomic sequence does not stop in the middle.

use crate::bits::Channels;
use crate::instance::{Scanner, Stop};
use crate::walk::expressions;
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

impl Scanner<'_> {
    /// Adds to each move where it leads to as far as others could meet the process there.
    pub fn add_offers(&self, process: &ProcessType, stops: &mut [Stop]) {
        let meets: Vec<Channels> = stops.iter().map(|stop| stop.now.meets).collect();
        for (at, stop) in stops.iter_mut().enumerate() {
            stop.now.offers = self.offers(process, at, &meets);
        }
    }

    /// On which channels processes may be ready after a move from a location, or in the middle of it.
    fn offers(&self, process: &ProcessType, at: usize, meets: &[Channels]) -> Channels {
        let program = self.facts.program;
        let locations = &process.automaton.locations;
        let mut offers = Channels::default();
        let mut met = vec![false; locations.len()];
        let mut left = vec![at];
        while let Some(from) = left.pop() {
            for transition in &locations[from].transitions {
                let to = transition.target.index();
                offers = offers.or(meets[to]);
                let action = &program.statement(transition.statement).action;
                program.actions_of(action, &mut |action| {
                    expressions(action, &mut |e| {
                        e.walk(&mut |e| {
                            if let Expr::Run(run) = e {
                                offers = offers.or(self.facts.whole[run.proctype.index()].meets);
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
