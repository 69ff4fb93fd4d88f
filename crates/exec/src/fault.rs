//! What a model can do wrong at run time.

use spinor_program::StmtId;
use spinor_ts::{Violation, ViolationKind};

/// A run-time error of the model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Fault {
    /// `/` or `%` by zero.
    DivisionByZero = 1,
    /// Array index out of range.
    Index,
    /// Use of a channel variable that holds no channel.
    UninitialisedChannel,
    /// Use of a channel that has gone with its process.
    DeadChannel,
    /// More message fields sent than the channel has.
    TooManySendFields,
    /// Fewer message fields sent than the channel has.
    TooFewSendFields,
    /// Fewer fields received than the channel has.
    TooFewReceiveFields,
    /// More fields received than the channel has.
    TooManyReceiveFields,
    /// `q?[…]` or `q?<…>` on a rendezvous channel.
    PollRendezvous,
    /// A statement inside a `d_step` blocks.
    DStepBlocks,
    /// A rendezvous send inside a `d_step`.
    DStepRendezvous,
    /// A `d_step` that never ends.
    DStepEndless,
    /// More processes than there are process numbers.
    TooManyProcesses,
    /// More channels than there are channel numbers.
    TooManyChannels,
    /// Priority outside 1..255.
    PriorityRange,
    /// `enabled(_pid)`.
    OwnEnabled,
    /// Two transitions of a `D_proctype` are executable.
    Nondeterminism,
    /// A trace declaration allows two moves for one event.
    TraceNondeterminism,
    /// `P[p]:x` where process `p` is no `P`.
    RemoteType,
    /// The condition in `c_code [ … ]` does not hold.
    CPrecondition,
    /// `assert` of C failed.
    CAssertion,
    /// C used memory that it does not have.
    CMemory,
    /// C divided by zero.
    CArithmetic,
    /// C called `abort`.
    CAbort,
    /// C called `exit`.
    CExit,
    /// C took too long.
    CEndless,
    /// The C code is not there.
    CMissing,
}

/// All faults, by their number.
const FAULTS: [Fault; 27] = [
    Fault::DivisionByZero,
    Fault::Index,
    Fault::UninitialisedChannel,
    Fault::DeadChannel,
    Fault::TooManySendFields,
    Fault::TooFewSendFields,
    Fault::TooFewReceiveFields,
    Fault::TooManyReceiveFields,
    Fault::PollRendezvous,
    Fault::DStepBlocks,
    Fault::DStepRendezvous,
    Fault::DStepEndless,
    Fault::TooManyProcesses,
    Fault::TooManyChannels,
    Fault::PriorityRange,
    Fault::OwnEnabled,
    Fault::Nondeterminism,
    Fault::TraceNondeterminism,
    Fault::RemoteType,
    Fault::CPrecondition,
    Fault::CAssertion,
    Fault::CMemory,
    Fault::CArithmetic,
    Fault::CAbort,
    Fault::CExit,
    Fault::CEndless,
    Fault::CMissing,
];

impl Fault {
    /// For the user.
    #[must_use]
    pub fn message(self) -> &'static str {
        match self {
            Fault::DivisionByZero => "division by zero",
            Fault::Index => "array index out of range",
            Fault::UninitialisedChannel => "use of a channel variable that holds no channel",
            Fault::DeadChannel => "use of a channel that ended with the process that owned it",
            Fault::TooManySendFields => "send has more fields than the channel",
            Fault::TooFewSendFields => "send has fewer fields than the channel",
            Fault::TooFewReceiveFields => "receive has fewer fields than the channel",
            Fault::TooManyReceiveFields => "receive has more fields than the channel",
            Fault::PollRendezvous => "a rendezvous channel has no content to look at",
            Fault::DStepBlocks => "a statement inside a d_step blocks",
            Fault::DStepRendezvous => "rendezvous send inside a d_step",
            Fault::DStepEndless => "a d_step never ends",
            Fault::TooManyProcesses => "more than 255 processes",
            Fault::TooManyChannels => "too many channels",
            Fault::PriorityRange => "priority is not in 1..255",
            Fault::OwnEnabled => "a process asks whether it is enabled itself",
            Fault::Nondeterminism => "two transitions of a D_proctype are executable",
            Fault::TraceNondeterminism => "the trace declaration allows two moves for one event",
            Fault::RemoteType => "remote reference to a process of another type",
            Fault::CPrecondition => "the condition in front of C code does not hold",
            Fault::CAssertion => "an assertion in C code failed",
            Fault::CMemory => "C code used memory that it does not have",
            Fault::CArithmetic => "C code divided by zero or did other impossible arithmetic",
            Fault::CAbort => "C code called abort",
            Fault::CExit => "C code called exit",
            Fault::CEndless => "C code did not come back within the time it is given (`--c-limit`)",
            Fault::CMissing => "the C code of the model is not loaded",
        }
    }
}

/// What the `site` of a [`Violation`] stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site {
    /// The statement, if one is to blame.
    pub statement: Option<StmtId>,
    /// The run-time error, if it is one.
    pub fault: Option<Fault>,
}

/// The violation that a statement commits.
pub(crate) fn violation(
    kind: ViolationKind,
    statement: Option<StmtId>,
    fault: Option<Fault>,
) -> Violation {
    let statement = statement.map_or(0, |s| s.0 + 1);
    Violation { kind, site: statement << 8 | fault.map_or(0, |f| f as u32) }
}

impl Site {
    /// Takes a site apart.
    #[must_use]
    pub fn of(violation: Violation) -> Self {
        let statement = (violation.site >> 8).checked_sub(1).map(StmtId);
        let fault = (violation.site & 0xff).checked_sub(1);
        Site { statement, fault: fault.and_then(|f| FAULTS.get(f as usize).copied()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_keep_statement_and_fault() {
        for (i, fault) in FAULTS.into_iter().enumerate() {
            assert_eq!(fault as usize, i + 1);
            let v = violation(ViolationKind::Runtime, Some(StmtId(7)), Some(fault));
            assert_eq!(Site::of(v), Site { statement: Some(StmtId(7)), fault: Some(fault) });
        }
        let v = violation(ViolationKind::InvalidEndState, None, None);
        assert_eq!(Site::of(v), Site { statement: None, fault: None });
    }
}
