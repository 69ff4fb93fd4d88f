//! No error is reported before the judge has seen it.

use crate::check::CheckError;
use spinor_product::{Explained, Origin};
use spinor_search::check_lasso;
use spinor_trace::{Move, Run};
use spinor_ts::{EventKind, Expansion, Fairness, FoundError, OmegaSystem};

/// An error that the judge has seen, too.
pub(crate) struct Confirmed {
    /// The run in terms of the program.
    pub run: Run,
    /// The state of the program at its end; none if there is no initial state.
    pub state: Option<Vec<u8>>,
    /// Elementary steps up to the cycle, if there is one.
    pub cycle_start: Option<u64>,
}

/// What a run of the judge leads to.
struct Replayed {
    state: Vec<u8>,
    length: u64,
    run: Run,
    cycle_start: u64,
}

/// Replays the path of an error to its violation on a fresh interpreter.
pub(crate) fn confirm(
    mut judge: impl Explained,
    error: &FoundError,
) -> Result<Confirmed, CheckError> {
    let failed = |what: &str| Err(CheckError::Internal(flaw(error, what)));
    if error.path.is_empty() {
        return match judge.initial() {
            Err(violation) if violation == error.violation => {
                let run = Run { violation: Some(violation), ..Run::default() };
                Ok(Confirmed { run, state: None, cycle_start: None })
            }
            Err(_) => failed("starts from a state that cannot be built"),
            Ok(_) => failed("has no steps"),
        };
    }
    let (last, moves) = error.path.split_last().expect("it has a last event");
    let Replayed { state, length, mut run, .. } = follow(&mut judge, moves, 0, error)?;
    let mut expansion = Expansion::new();
    judge.expand(&state, &mut expansion);
    match expansion.events().get(*last as usize) {
        Some(event) if event.kind == EventKind::Violation(error.violation) => {
            if length + u64::from(event.steps) != error.length {
                return failed("has another length when replayed");
            }
        }
        _ => return failed("does not end in the violation"),
    }
    match judge.origin(&state, *last) {
        Some(Origin::System(event)) => run.moves.push(Move::Event(event)),
        _ => run.violation = Some(error.violation),
    }
    Ok(Confirmed { run, state: Some(judge.system_state(&state)), cycle_start: None })
}

/// Replays a lasso on a fresh interpreter: it must close, be accepting, and be fair.
pub(crate) fn confirm_lasso(
    mut judge: impl Explained + OmegaSystem,
    error: &FoundError,
    fairness: Fairness,
) -> Result<Confirmed, CheckError> {
    if let Err(flaw_of_lasso) = check_lasso(&mut judge, error, fairness) {
        return Err(CheckError::Internal(flaw(error, &format!("is wrong: {flaw_of_lasso}"))));
    }
    let cycle = error.cycle_start.unwrap_or(0);
    let Replayed { state, mut run, cycle_start, .. } =
        follow(&mut judge, &error.path, cycle, error)?;
    run.cycle_start = Some(cycle);
    run.violation = Some(error.violation);
    let state = Some(judge.system_state(&state));
    Ok(Confirmed { run, state, cycle_start: Some(cycle_start) })
}

/// Takes successors; `cycle` is the number of the one before which steps are counted.
fn follow(
    judge: &mut impl Explained,
    events: &[u32],
    cycle: usize,
    error: &FoundError,
) -> Result<Replayed, CheckError> {
    let failed = || CheckError::Internal(flaw(error, "cannot be replayed"));
    let mut state = judge.initial().map_err(|_| failed())?;
    let mut expansion = Expansion::new();
    let (mut length, mut cycle_start, mut run) = (0, 0, Run::default());
    for (at, &number) in events.iter().enumerate() {
        if at == cycle {
            cycle_start = length;
        }
        judge.expand(&state, &mut expansion);
        let event = expansion.events().get(number as usize).copied().ok_or_else(failed)?;
        if event.kind != EventKind::Successor {
            return Err(failed());
        }
        length += u64::from(event.steps);
        run.moves.push(match judge.origin(&state, number) {
            Some(Origin::System(event)) => Move::Event(event),
            Some(Origin::Stutter) => Move::Stutter,
            _ => return Err(failed()),
        });
        state = expansion.state(&event).to_vec();
    }
    Ok(Replayed { state, length, run, cycle_start })
}

fn flaw(error: &FoundError, what: &str) -> String {
    format!("the trail of {:?} {what}", error.violation)
}
