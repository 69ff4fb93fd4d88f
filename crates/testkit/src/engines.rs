//! Native code against the interpreter, state by state.
//!
//! The interpreter explores a model breadth first; in every state both engines must
//! give the same expansion: events, bytes, steps, and what is said beside them. So they must
//! in some of the states where events are to be labelled.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use spinor_exec::{Exec, Options};
use spinor_jit::Native;
use spinor_program::{Program, StmtId};
use spinor_ts::{EventKind, Expansion, TransitionSystem};

/// Of so many states one is expanded with labels, too.
const LABELLED: u64 = 5;

/// Memory that a comparison may use for states.
const MAX_BYTES: usize = 1 << 28;

/// How far a model is explored.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// States to compare.
    pub states: usize,
    /// Time for it.
    pub time: Duration,
}

/// What came of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// States compared.
    pub states: u64,
    /// States that generated code left to the interpreter.
    pub bails: u64,
    /// The same where the model does not err: these should not be.
    pub needless: u64,
    /// What is different; empty if all is well.
    pub difference: Option<String>,
}

/// Compares both engines on the reachable states of a program, up to `limits`.
///
/// # Errors
/// There is no native code, for the reason given.
pub fn compare(
    program: &Arc<Program>,
    options: Options,
    limits: Limits,
) -> Result<Comparison, String> {
    let mut native = Native::compile(Arc::clone(program), options).map_err(|e| e.to_string())?;
    let mut exec = Exec::new(Arc::clone(program), options);
    let with_labels = Options { labels: true, ..options };
    let mut labelled = (
        Exec::new(Arc::clone(program), with_labels),
        Native::compile(Arc::clone(program), with_labels).map_err(|e| e.to_string())?,
    );
    let mut result = Comparison::default();
    let Ok(initial) = exec.initial() else { return Ok(result) };
    let deadline = Instant::now() + limits.time;
    let key = |state: &[u8]| state[..state.len() - program.hidden_bytes as usize].to_vec();
    let mut seen = HashSet::from([key(&initial)]);
    let mut queue = VecDeque::from([initial]);
    let (mut expected, mut actual) = (Expansion::new(), Expansion::new());
    let mut bytes = 0;
    while let Some(state) = queue.pop_front() {
        if result.states as usize >= limits.states || Instant::now() >= deadline {
            break;
        }
        exec.expand(&state, &mut expected);
        native.expand(&state, &mut actual);
        result.states += 1;
        let bails = native.expansions().1;
        if bails > result.bails && !errs(&expected) {
            result.needless += 1;
        }
        result.bails = bails;
        let mut different = difference(&expected, &actual);
        if different.is_none() && result.states % LABELLED == 1 {
            labelled.0.expand(&state, &mut expected);
            labelled.1.expand(&state, &mut actual);
            different = difference(&expected, &actual);
        }
        if let Some(how) = different {
            let number = result.states - 1;
            result.difference = Some(format!("state {number} {state:?}: {how}"));
            return Ok(result);
        }
        for event in expected.events() {
            let next = expected.state(event);
            let room = seen.len() < limits.states && bytes < MAX_BYTES;
            if event.kind == EventKind::Successor && room && seen.insert(key(next)) {
                bytes += 2 * next.len();
                queue.push_back(next.to_vec());
            }
        }
    }
    result.difference = executed_differently(program, &exec, &native);
    Ok(result)
}

/// Whether the model goes wrong in an expansion, or is too large for it.
fn errs(expansion: &Expansion) -> bool {
    expansion.cut.is_some()
        || expansion.events().iter().any(|e| matches!(e.kind, EventKind::Violation(_)))
}

fn difference(expected: &Expansion, actual: &Expansion) -> Option<String> {
    for (i, (want, have)) in expected.events().iter().zip(actual.events()).enumerate() {
        if want.kind != have.kind || want.steps != have.steps {
            return Some(format!(
                "event {i}: {:?} after {} steps, native {:?} after {}",
                want.kind, want.steps, have.kind, have.steps
            ));
        }
        let (want, have) = (expected.state(want), actual.state(have));
        if want != have {
            let at = want.iter().zip(have).position(|(a, b)| a != b);
            let at = at.unwrap_or(want.len().min(have.len()));
            return Some(format!("event {i}: byte {at}: {want:?}, native {have:?}"));
        }
    }
    if expected.labels() != actual.labels() || expected.enabled != actual.enabled {
        let all = |e: &Expansion| format!("{:?} {:#x}", e.labels(), e.enabled);
        return Some(format!("labels {}, native {}", all(expected), all(actual)));
    }
    let figures = |e: &Expansion| (e.events().len(), e.atomic_steps, e.deepest, e.cut);
    let (want, have) = (figures(expected), figures(actual));
    (want != have)
        .then(|| format!("(events, atomic steps, deepest, cut): {want:?}, native {have:?}"))
}

fn executed_differently(program: &Program, exec: &Exec, native: &Native) -> Option<String> {
    let mut statements = (0..program.statements.len() as u32).map(StmtId);
    let id = statements.find(|&id| exec.was_executed(id) != native.was_executed(id))?;
    let text = &program.statement(id).text;
    let who = if native.was_executed(id) { "native code" } else { "the interpreter" };
    Some(format!("only {who} executed statement {} `{text}`", id.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use spinor_ts::{Violation, ViolationKind};

    /// Two successors and a violation.
    fn sample() -> Expansion {
        let mut sample = Expansion::new();
        sample.push_successor(&[1, 2, 3], 1);
        sample.push_violation(Violation { kind: ViolationKind::Assertion, site: 7 }, 2);
        sample.push_successor(&[1, 2, 4, 5], 3);
        sample.atomic_steps = 4;
        sample.deepest = 3;
        sample
    }

    type Change = (&'static str, fn(&mut Expansion));

    fn changed(change: impl Fn(&mut Expansion)) -> Option<String> {
        let mut other = sample();
        change(&mut other);
        difference(&sample(), &other)
    }

    #[test]
    fn every_difference_is_seen() {
        assert_eq!(changed(|_| ()), None);
        const OTHER: Violation = Violation { kind: ViolationKind::Assertion, site: 8 };
        let changes: [Change; 9] = [
            ("a byte", |e| e.raw_parts().1[4] = 9),
            ("steps", |e| e.raw_parts().0[2].steps = 4),
            ("kind", |e| e.raw_parts().0[1].kind = EventKind::Successor),
            ("site", |e| e.raw_parts().0[1].kind = EventKind::Violation(OTHER)),
            ("order", |e| e.raw_parts().0.swap(0, 2)),
            ("one less", |e| e.raw_parts().0.truncate(2)),
            ("one more", |e| e.push_successor(&[1], 1)),
            ("atomic steps", |e| e.atomic_steps += 1),
            ("deepest", |e| e.deepest += 1),
        ];
        for (what, change) in changes {
            assert!(changed(change).is_some(), "{what} is not seen");
        }
        assert!(changed(|e| e.cut = Some("cut")).is_some());
    }

    #[test]
    fn both_engines_agree_and_only_errors_are_interpreted() {
        let text = "byte x; active [2] proctype P() { do :: x < 3 -> x++ :: x > 1 -> x = 0; assert(x != 2) od }";
        let program = crate::spinor::compile("model.pml", text).expect("a model");
        let limits = Limits { states: 1000, time: Duration::from_secs(60) };
        let result = compare(&program, Options::default(), limits).expect("code");
        assert_eq!(result.difference, None);
        assert!(result.states > 10 && result.bails > 0 && result.needless == 0, "{result:?}");
    }
}
