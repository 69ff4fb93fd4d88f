//! No error is reported before the judge has seen it.

use crate::check::CheckError;
use spinor_exec::Exec;
use spinor_ts::{EventKind, Expansion, FoundError, TransitionSystem};

/// Replays the path of an error on a fresh interpreter and returns the state in
/// which the violation happens; none if there is no initial state.
pub(crate) fn confirm(mut judge: Exec, error: &FoundError) -> Result<Option<Vec<u8>>, CheckError> {
    let failed = |what: &str| {
        let reason = format!("the trail of {:?} {what}", error.violation);
        Err(CheckError::Internal(reason))
    };
    let mut state = match judge.initial() {
        Ok(state) => state,
        Err(violation) if violation == error.violation && error.path.is_empty() => {
            return Ok(None);
        }
        Err(_) => return failed("starts from a state that cannot be built"),
    };
    let Some((last, moves)) = error.path.split_last() else {
        return failed("has no steps");
    };
    let mut expansion = Expansion::new();
    let mut length = 0;
    for &number in moves {
        judge.expand(&state, &mut expansion);
        match expansion.events().get(number as usize) {
            Some(event) if event.kind == EventKind::Successor => {
                length += u64::from(event.steps);
                state = expansion.state(event).to_vec();
            }
            _ => return failed("cannot be replayed"),
        }
    }
    judge.expand(&state, &mut expansion);
    match expansion.events().get(*last as usize) {
        Some(event) if event.kind == EventKind::Violation(error.violation) => {
            if length + u64::from(event.steps) != error.length {
                return failed("has another length when replayed");
            }
            Ok(Some(state))
        }
        _ => failed("does not end in the violation"),
    }
}
