//! What can be said of a single state.

use crate::exec::Exec;
use crate::fault::Fault;
use crate::quick::Quick;
use crate::shape::location;
use spinor_program::{Automaton, Expr, Program};
use spinor_ts::Violation;

/// A predicate on states, prepared for being asked often.
#[derive(Debug)]
pub struct Proposition {
    value: Quick,
}

impl Proposition {
    /// True where `e`, which belongs to no process, is not 0.
    #[must_use]
    pub fn new(e: &Expr) -> Self {
        Proposition { value: Quick::new(e) }
    }
}

/// Whether a process can pass an `accept` label without resting there.
#[must_use]
pub fn accepts_inside_atomic(program: &Program) -> bool {
    program.proctypes.iter().any(|process| {
        let locations = &process.automaton.locations;
        let mut transitions = locations.iter().flat_map(|l| &l.transitions);
        transitions.any(|t| t.atomic && locations[t.target.index()].is_accepting)
    })
}

impl Exec {
    /// Which propositions hold in a state: one bit each, the first is the lowest.
    ///
    /// # Errors
    /// One of them errs.
    pub fn valuation(&self, state: &[u8], propositions: &[Proposition]) -> Result<u64, Violation> {
        let cx = self.context(self.lineup(state), state, None, false);
        let mut holding = 0;
        for (number, proposition) in propositions.iter().enumerate() {
            let value = proposition.value.value(&cx).map_err(|fault| self.blame(fault))?;
            holding |= u64::from(value != 0) << number;
        }
        match self.faults.borrow_mut().drain(..).next() {
            Some(fault) => Err(self.runtime(None, fault)),
            None => Ok(holding),
        }
    }

    fn blame(&self, fault: Fault) -> Violation {
        self.faults.borrow_mut().clear();
        self.runtime(None, fault)
    }

    /// Whether some process, or the claim, is at an `accept` label.
    #[must_use]
    pub fn is_accepting(&self, state: &[u8]) -> bool {
        let lineup = self.lineup(state);
        let accepts = |automaton: &Automaton, at: usize| automaton.locations[at].is_accepting;
        let claim = self.options.claim.map(|claim| &self.program.claims[claim]);
        claim.is_some_and(|claim| {
            accepts(&claim.automaton, location(claim, state, lineup.claim).index())
        }) || lineup.seats.iter().any(|seat| {
            let process = &self.program.proctypes[seat.proctype.index()];
            accepts(&process.automaton, seat.location(state))
        })
    }

    /// Whether process `pid` is at an `accept` label.
    pub(crate) fn is_at_accept_label(&self, state: &[u8], pid: usize) -> bool {
        self.lineup(state).seats.get(pid).is_some_and(|seat| {
            let process = &self.program.proctypes[seat.proctype.index()];
            process.automaton.locations[seat.location(state)].is_accepting
        })
    }

    /// The location of the claim in a state.
    ///
    /// # Panics
    /// There is no claim.
    #[must_use]
    pub fn claim_location(&self, state: &[u8]) -> usize {
        let claim = self.options.claim.expect("a program in step with a claim");
        location(&self.program.claims[claim], state, self.lineup(state).claim).index()
    }

    /// Whether the program runs in step with a never claim.
    #[must_use]
    pub fn has_claim(&self) -> bool {
        self.options.claim.is_some()
    }

    /// The priority of a process, if the state has priorities.
    #[must_use]
    pub fn priority(&self, state: &[u8], pid: usize) -> Option<u8> {
        if !self.program.uses_priority && !self.program.weighs_priority {
            return None;
        }
        let seat = self.lineup(state).seats.get(pid)?;
        let process = &self.program.proctypes[seat.proctype.index()];
        state.get(seat.offset + process.priority_offset as usize).copied()
    }

    /// Number of processes in a state.
    #[must_use]
    pub fn process_count(&self, state: &[u8]) -> usize {
        self.lineup(state).seats.len()
    }
}
