//! What there is code for.

use crate::compile::facts::{find_run, has_run};
use spinor_exec::{Options, Shape};
use spinor_program::expr::{BinaryOp, Predefined};
use spinor_program::{Action, Base, Expr, LocId, Place, Program, StmtId, Transition};

/// Transitions of all processes up to which there is one function.
const MOST: usize = 2000;
/// Elements of an array that can be told apart by a table.
const ELEMENTS: u64 = 4096;
/// So many states of a sample should have moves.
const GOOD: (usize, usize) = (9, 10);

/// Whether there is code for most of the states like those of a sample.
pub(crate) fn suits(program: &Program, options: Options, sample: &[Vec<u8>]) -> bool {
    let is_traced = program.trace.is_some() && !options.no_trace;
    let restricts = |p: &spinor_program::ProcessType| p.provided.is_some() || p.deterministic;
    if options.claim.is_some()
        || options.labels
        || is_traced
        || program.hidden_bytes > 0
        || program.uses_last
        || program.uses_priority
        || program.weighs_priority
        || program.proctypes.iter().any(restricts)
    {
        return false;
    }
    let known: Vec<Vec<bool>> = program
        .proctypes
        .iter()
        .map(|process| {
            let locations = &process.automaton.locations;
            locations.iter().map(|l| is_known(program, &l.transitions)).collect()
        })
        .collect();
    let mut good = 0;
    for state in sample {
        let shape = Shape::of(program, options, state);
        let is_good = shape.frames.iter().all(|frame| {
            let proctype = frame.proctype.index();
            let width = program.proctypes[proctype].location_bytes as usize;
            let bytes = &state[frame.offset..frame.offset + width];
            let at = bytes.iter().rev().fold(0, |n, byte| n << 8 | usize::from(*byte));
            known[proctype].get(at).is_some_and(|is_known| *is_known)
        });
        good += usize::from(is_good);
    }
    let work = |state: &Vec<u8>| {
        let frames = Shape::of(program, options, state).frames;
        let of = |frame: &spinor_exec::Frame| {
            let automaton = &program.proctypes[frame.proctype.index()].automaton;
            automaton.locations.iter().map(|l| l.transitions.len()).sum::<usize>()
        };
        frames.iter().map(of).sum::<usize>()
    };
    good * GOOD.1 > sample.len() * GOOD.0 && sample.last().map_or(0, work) <= MOST
}

/// Whether there is code for the transitions of a location. An escape takes the place of others: there is none for that.
pub(super) fn is_known(program: &Program, transitions: &[Transition]) -> bool {
    let has_action = |t: &Transition| {
        t.escape == LocId(0) && has_code(program, t.statement) && !(t.atomic && is_free(program, t))
    };
    transitions.iter().all(has_action)
}

/// Whether a step is always possible, and would have to be taken.
fn is_free(program: &Program, transition: &Transition) -> bool {
    !matches!(program.statement(transition.statement).action, Action::Condition(_))
}

fn has_code(program: &Program, statement: StmtId) -> bool {
    let action = &program.statement(statement).action;
    match action {
        Action::Skip | Action::Else | Action::Terminate => true,
        Action::Condition(e) | Action::Assert(e) | Action::PrintMtype(e) => is_value(e),
        Action::Assign(pairs) => {
            !has_run(action) && pairs.iter().all(|(place, e)| is_place(place) && is_value(e))
        }
        Action::Print(_, args) => args.iter().all(is_value),
        Action::DStep(inner) => inner.locations.iter().flatten().all(|t| {
            let inner = &program.statement(t.statement).action;
            !matches!(inner, Action::DStep(_) | Action::Terminate) && has_code(program, t.statement)
        }),
        Action::Send(_) | Action::Receive(_) | Action::SetPriority(..) | Action::CCode(_) => false,
    }
}

fn is_value(e: &Expr) -> bool {
    let mut is_known = find_run(e).is_none();
    e.walk(&mut |part| {
        is_known &= match part {
            Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(..) => true,
            Expr::Load(place) => is_place(place),
            Expr::Predefined(name) => {
                matches!(name, Predefined::Pid | Predefined::NrPr | Predefined::Timeout)
            }
            _ => false,
        };
    });
    is_known
}

/// The expressions in it are seen to by those who walk.
fn is_place(place: &Place) -> bool {
    let elements = place.indices.iter().map(|i| u64::from(i.bound)).product::<u64>();
    let bytes = place.indices.iter().map(|i| u64::from(i.bound) * u64::from(i.stride)).sum::<u64>();
    let is_local = place.indices.iter().all(|i| is_value(&i.value));
    matches!(place.base, Base::Global | Base::Frame | Base::Sink)
        && elements <= ELEMENTS
        && bytes <= ELEMENTS
        && is_local
}

/// Operations up to which something is rather made in vain than jumped over.
const FLAT: usize = 40;

/// The statements of a transition that is a condition, or nothing, and some assignments after it, if it may be made in vain.
pub(super) fn flat_steps(program: &Program, statement: StmtId) -> Option<Vec<StmtId>> {
    let mut steps = Vec::new();
    match &program.statement(statement).action {
        Action::DStep(inner) => {
            let mut at = inner.start;
            while at != inner.exit {
                let [next] = inner.locations.get(at.index())?[..] else { return None };
                if steps.len() > FLAT {
                    return None;
                }
                steps.push(next.statement);
                at = next.target;
            }
        }
        _ => steps.push(statement),
    }
    let mut weight = 0;
    for (number, step) in steps.iter().enumerate() {
        let action = &program.statement(*step).action;
        let is_flat = match action {
            Action::Skip => true,
            Action::Condition(e) => number == 0 && is_flat(e),
            Action::Assign(pairs) => pairs.iter().all(|(place, e)| {
                is_flat(e) && place.indices.iter().all(|index| is_flat(&index.value))
            }),
            _ => false,
        };
        if !is_flat {
            return None;
        }
        action.walk(&mut |part| weight += usize::from(!matches!(part, Expr::Const(_))));
        weight += 3;
    }
    (weight <= FLAT).then_some(steps)
}

/// Whether an expression has a value whatever the state is, though it may be of no use.
fn is_flat(e: &Expr) -> bool {
    let mut is_flat = true;
    e.walk(&mut |part| {
        is_flat &= match part {
            Expr::Const(_) | Expr::Load(_) | Expr::Unary(..) | Expr::Predefined(_) => true,
            Expr::Binary(op, ..) => !matches!(op, BinaryOp::Div | BinaryOp::Rem),
            _ => false,
        };
    });
    is_flat
}
