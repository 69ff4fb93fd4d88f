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
            assertion(program, text)
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

/// What pan says of an assertion with this text that fails.
pub(crate) fn assertion(program: &Program, text: &str) -> String {
    format!("assertion violated {}", as_in_c(program, &asserted(text)))
}

/// What stands inside `assert(…)`.
fn asserted(text: &str) -> String {
    let inside = text.strip_prefix("assert(").and_then(|t| t.strip_suffix(')')).unwrap_or(text);
    inside.to_owned()
}

/// SPIN shows the C of an assertion: symbolic names are numbers, and there is a blank before a sign.
fn as_in_c(program: &Program, text: &str) -> String {
    let names = || program.mtypes.iter().flat_map(|set| &set.names);
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        if length == 0 {
            let is_sign = matches!(first, '!' | '~' | '-') && rest[1..].starts_with('(');
            if is_sign && !out.ends_with(|c| is_part(c) || matches!(c, ')' | ']')) {
                out.push(' ');
            }
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (word, behind) = rest.split_at(length);
        match (names().find(|(name, _)| **name == *word), word) {
            (Some((_, value)), _) => out.push_str(&value.to_string()),
            (None, "len" | "full") if behind.starts_with('(') => {
                out.push_str("q_");
                out.push_str(word);
            }
            (None, _) => out.push_str(word),
        }
        rest = behind;
    }
    out
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
