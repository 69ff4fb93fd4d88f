//! Errors in SPIN's words.

use spinor_exec::{Fault, Site};
use spinor_program::{Action, Program};
use spinor_ts::{Violation, ViolationKind};

/// What pan would call an error.
pub(crate) fn message(program: &Program, violation: Violation) -> String {
    let site = Site::of(violation);
    match violation.kind {
        ViolationKind::Assertion => {
            let text = site.statement.map_or("", |id| &*program.statement(id).text);
            format!("assertion violated {}", asserted(text))
        }
        ViolationKind::InvalidEndState => "invalid end state".to_owned(),
        ViolationKind::ClaimViolated => "end state in claim reached".to_owned(),
        ViolationKind::TraceViolated if program.trace.as_ref().is_some_and(|t| t.negated) => {
            "event_trace error (all events matched)".to_owned()
        }
        ViolationKind::TraceViolated => "event_trace error (no matching event)".to_owned(),
        ViolationKind::AcceptanceCycle => "acceptance cycle".to_owned(),
        ViolationKind::NonProgressCycle => "non-progress cycle".to_owned(),
        ViolationKind::Runtime => {
            let action = site.statement.map(|id| &program.statement(id).action);
            site.fault.map_or_else(|| "run-time error".to_owned(), |fault| runtime(fault, action))
        }
    }
}

/// What stands inside `assert(…)`. SPIN: a negation is printed with a blank before it.
fn asserted(text: &str) -> String {
    let inside = text.strip_prefix("assert(").and_then(|t| t.strip_suffix(')')).unwrap_or(text);
    inside.to_owned()
}

fn runtime(fault: Fault, action: Option<&Action>) -> String {
    match fault {
        Fault::Index => "assertion violated - invalid array index".to_owned(),
        Fault::UninitialisedChannel => {
            let doing = match action {
                Some(Action::Send(_)) => "sending",
                Some(Action::Receive(_)) => "receiving",
                _ => "len",
            };
            format!("ref to uninitialized chan name ({doing})")
        }
        Fault::TooManySendFields => "too many parameters in send stmnt".to_owned(),
        Fault::TooFewSendFields => "too few parameters in send stmnt".to_owned(),
        Fault::TooFewReceiveFields | Fault::TooManyReceiveFields => {
            "missing pars in receive".to_owned()
        }
        Fault::PollRendezvous => "error to poll rendezvous channel".to_owned(),
        Fault::DStepBlocks => "block in d_step seq".to_owned(),
        Fault::DStepRendezvous => "rv-attempt in d_step".to_owned(),
        Fault::TooManyProcesses => "too many processes".to_owned(),
        Fault::TooManyChannels => "too many queues".to_owned(),
        Fault::Nondeterminism => "non-determinism in D_proctype".to_owned(),
        Fault::TraceNondeterminism => "non-determinism in event-trace".to_owned(),
        other => other.message().to_owned(),
    }
}
