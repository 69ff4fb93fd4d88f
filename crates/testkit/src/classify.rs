//! From SPIN's messages to the kinds of error Spinor reports.

use serde::{Deserialize, Serialize};

use crate::spin::SpinOutcome;

/// Kind of an error, as in Spinor's reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// `assert` failed.
    Assertion,
    /// A process rests where it may not (deadlock).
    InvalidEndState,
    /// The never claim reached its end.
    ClaimViolated,
    /// A `trace` or `notrace` declaration was violated.
    TraceViolated,
    /// An acceptance cycle (or accept stutter).
    AcceptanceCycle,
    /// A cycle without progress.
    NonProgressCycle,
    /// The model did something undefined.
    Runtime(RuntimeKind),
}

/// What went wrong while a statement was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RuntimeKind {
    /// Array index out of range.
    ArrayIndex,
    /// Division or modulo by zero.
    DivisionByZero,
    /// Use of a channel variable that holds no channel.
    UninitialisedChannel,
    /// Use of a channel that no longer exists.
    BadChannel,
    /// A statement inside a `d_step` cannot be executed.
    BlockInDStep,
    /// Rendezvous inside a `d_step`.
    RendezvousInDStep,
    /// More than 255 processes.
    TooManyProcesses,
    /// More than 255 channels.
    TooManyChannels,
    /// A send or receive with the wrong number of fields.
    MessageArity,
    /// A poll or copying receive on a rendezvous channel.
    PollOfRendezvous,
    /// A broken `xr` or `xs` promise.
    ExclusiveChannel,
    /// Two executable transitions in a `D_proctype` or a trace.
    NonDeterminism,
    /// `enabled` of the process itself, priorities out of range and the like.
    BadArgument,
    /// A precondition of embedded C is false.
    EmbeddedC,
    /// A limit of SPIN itself or an unknown message.
    Other,
}

/// Fragments of SPIN's messages, the first that occurs decides.
const FRAGMENTS: &[(&str, ErrorKind)] = {
    use ErrorKind::*;
    use RuntimeKind as R;
    &[
        ("invalid array index", Runtime(R::ArrayIndex)),
        ("assertion violated", Assertion),
        ("invalid end state", InvalidEndState),
        ("end state in claim", ClaimViolated),
        ("non-determinism in event-trace", Runtime(R::NonDeterminism)),
        ("event_trace error", TraceViolated),
        ("acceptance cycle", AcceptanceCycle),
        ("accept cycle", AcceptanceCycle),
        ("accept stutter", AcceptanceCycle),
        ("non-progress cycle", NonProgressCycle),
        ("uninitialized chan", Runtime(R::UninitialisedChannel)),
        ("claim on uninitialized", Runtime(R::UninitialisedChannel)),
        ("ref to unknown chan", Runtime(R::BadChannel)),
        ("bad queue", Runtime(R::BadChannel)),
        ("unknown qid", Runtime(R::BadChannel)),
        ("in d_step", Runtime(R::BlockInDStep)),
        ("blocking sel", Runtime(R::BlockInDStep)),
        ("too many processes", Runtime(R::TooManyProcesses)),
        ("too many queues", Runtime(R::TooManyChannels)),
        ("parameters in send", Runtime(R::MessageArity)),
        ("missing pars in receive", Runtime(R::MessageArity)),
        ("wrong nr of msg fields", Runtime(R::MessageArity)),
        ("poll rendezvous", Runtime(R::PollOfRendezvous)),
        ("x[rs] claim", Runtime(R::ExclusiveChannel)),
        ("xr chan", Runtime(R::ExclusiveChannel)),
        ("xs chan", Runtime(R::ExclusiveChannel)),
        ("polling ", Runtime(R::ExclusiveChannel)),
        ("partial order reduction invalid", Runtime(R::ExclusiveChannel)),
        ("D_proctype", Runtime(R::NonDeterminism)),
        ("enabled(pid=thisproc)", Runtime(R::BadArgument)),
        ("priority is out of range", Runtime(R::BadArgument)),
        ("precondition false", Runtime(R::EmbeddedC)),
    ]
};

/// The kind of a message of `pan` (text without prefix and depth).
pub fn classify_message(text: &str) -> ErrorKind {
    if text.contains("rv-attempt in d_step") {
        return ErrorKind::Runtime(RuntimeKind::RendezvousInDStep);
    }
    FRAGMENTS
        .iter()
        .find(|(fragment, _)| text.contains(fragment))
        .map_or(ErrorKind::Runtime(RuntimeKind::Other), |(_, kind)| *kind)
}

/// The signal of a division by zero.
const SIGFPE: i32 = 8;

/// All kinds of error in an outcome, sorted, each once.
pub fn kinds(outcome: &SpinOutcome) -> Vec<ErrorKind> {
    let mut kinds: Vec<_> = outcome.messages.iter().map(|m| classify_message(&m.text)).collect();
    match outcome.crashed {
        Some(SIGFPE) => kinds.push(ErrorKind::Runtime(RuntimeKind::DivisionByZero)),
        Some(_) => kinds.push(ErrorKind::Runtime(RuntimeKind::Other)),
        None => {}
    }
    kinds.sort();
    kinds.dedup();
    kinds
}

/// The kind of the first error in an outcome.
pub fn first_kind(outcome: &SpinOutcome) -> Option<ErrorKind> {
    match outcome.messages.first() {
        Some(message) => Some(classify_message(&message.text)),
        None => kinds(outcome).first().copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_fall_into_kinds() {
        use ErrorKind::*;
        let table = [
            ("assertion violated (x==1)", Assertion),
            ("assertion violated - invalid array index", Runtime(RuntimeKind::ArrayIndex)),
            ("invalid end state", InvalidEndState),
            ("end state in claim reached", ClaimViolated),
            ("event_trace error (no matching event)", TraceViolated),
            ("blocking sel in d_step (nr.0, near line 3)", Runtime(RuntimeKind::BlockInDStep)),
            ("rv-attempt in d_step", Runtime(RuntimeKind::RendezvousInDStep)),
            ("bad queue - q_full", Runtime(RuntimeKind::BadChannel)),
            (
                "ref to uninitialized chan name (sending)",
                Runtime(RuntimeKind::UninitialisedChannel),
            ),
            ("too few parameters in send stmnt", Runtime(RuntimeKind::MessageArity)),
            ("aborting", Runtime(RuntimeKind::Other)),
        ];
        for (text, kind) in table {
            assert_eq!(classify_message(text), kind, "{text}");
        }
    }

    #[test]
    fn a_floating_point_signal_is_a_division_by_zero() {
        let outcome = SpinOutcome { crashed: Some(8), ..SpinOutcome::default() };
        assert_eq!(first_kind(&outcome), Some(ErrorKind::Runtime(RuntimeKind::DivisionByZero)));
    }
}
