//! Who can tell when a process moves on, although it only touches what is its own.
//!
//! A chain has one step at most that others notice; what comes before it might as well have
//! happened later, what comes after it sooner. That fails where others look at more than variables
//! and channels:
//! - a rendezvous send finds its receiver by where that stands. A send that fails just waits, but
//!   one in an escape pre-empts as soon as it can, one beside an `else` closes that, and one in the
//!   middle of an atomic sequence lets others in if it has to wait;
//! - `P@L` tells where a process is;
//! - a process of higher priority moves as soon as it can, also into an atomic sequence;
//! - `_last` tells who moved.

use spinor_program::expr::Expr;
use spinor_program::{Action, Automaton, LocId, Program, StmtId};

/// What the processes of a program look at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Audience {
    /// Some channel is a rendezvous.
    pub has_rendezvous: bool,
    /// Somebody may do something else as soon as a receiver is there.
    awaits_receivers: bool,
    /// Others may move in the middle of an atomic sequence.
    interrupts: bool,
    /// `_last` is read.
    sees_movers: bool,
}

impl Audience {
    pub fn new(program: &Program) -> Self {
        let has_rendezvous = program.channel_types.iter().any(|c| c.capacity == 0);
        let awaits_receivers = has_rendezvous
            && program.proctypes.iter().any(|p| awaits_receivers(program, &p.automaton));
        Audience {
            has_rendezvous,
            awaits_receivers,
            interrupts: program.uses_priority,
            sees_movers: program.uses_last,
        }
    }

    /// Whether nobody moves before the next step of a process that is still in an atomic sequence
    /// or not.
    pub fn is_kept_out(self, in_atomic: bool) -> bool {
        in_atomic && !self.interrupts
    }

    /// Whether somebody else may notice the statement, be it one on nothing but locals or on what
    /// was promised to the process.
    pub fn notices(self, action: &Action) -> bool {
        let is_public =
            matches!(action, Action::SetPriority(..) | Action::Send(_) | Action::Receive(_));
        self.sees_movers || is_public || starts_process(action) || looks_at_channels(action)
    }

    /// Whether a send may notice that a process is at a location.
    pub fn notices_at(self, program: &Program, automaton: &Automaton, at: LocId) -> bool {
        let receives = |id: StmtId| receives_first(program, &program.statement(id).action);
        self.awaits_receivers
            && automaton.locations[at.index()].transitions.iter().any(|t| receives(t.statement))
    }
}

/// Whether it makes a difference to others when a send finds its receiver: because other moves of
/// the sender are impossible then, or because it keeps an atomic sequence from being interrupted.
fn awaits_receivers(program: &Program, automaton: &Automaton) -> bool {
    let action = |id: StmtId| &program.statement(id).action;
    let transitions = |at: LocId| &automaton.locations[at.index()].transitions;
    let sends = |id: StmtId| matches!(action(id), Action::Send(_));
    let chooses = |at: LocId| {
        let has_else = transitions(at).iter().any(|t| matches!(action(t.statement), Action::Else));
        transitions(at).iter().any(|t| sends(t.statement) && (has_else || t.escape != LocId(0)))
    };
    let goes_on = |at: LocId| {
        let inside = transitions(at).iter().filter(|t| t.atomic).map(|t| t.target);
        inside.flat_map(transitions).any(|t| sends(t.statement))
    };
    (0..automaton.locations.len()).map(|at| LocId(at as u32)).any(|at| chooses(at) || goes_on(at))
}

fn receives_first(program: &Program, action: &Action) -> bool {
    match action {
        Action::Receive(_) => true,
        Action::DStep(inner) => inner.locations[inner.start.index()]
            .iter()
            .any(|t| receives_first(program, &program.statement(t.statement).action)),
        _ => false,
    }
}

fn looks_at_channels(action: &Action) -> bool {
    let mut found = false;
    action.walk(&mut |e| found |= matches!(e, Expr::Len(_) | Expr::Probe(..) | Expr::Poll(_)));
    found
}

/// Whether the statement starts a process.
pub(crate) fn starts_process(action: &Action) -> bool {
    let mut found = false;
    action.walk(&mut |e| found |= matches!(e, Expr::Run(_)));
    found
}
