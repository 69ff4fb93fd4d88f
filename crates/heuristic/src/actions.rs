//! What the statements of a program do, as far as estimates care.

use spinor_program::expr::ProctypeId;
use spinor_program::{Action, DStep, Expr, Program, StmtId};

/// Calls `f` on an action and on those inside a `d_step`; says whether it is inside one.
pub(crate) fn each(program: &Program, id: StmtId, f: &mut impl FnMut(&Action, bool)) {
    let action = &program.statement(id).action;
    f(action, false);
    if let Action::DStep(inner) = action {
        for transition in inner.locations.iter().flatten() {
            f(&program.statement(transition.statement).action, true);
        }
    }
}

/// Calls `f` on the statements of all proctypes that exist, once per transition.
pub(crate) fn each_statement(program: &Program, mut f: impl FnMut(usize, StmtId)) {
    for (number, process) in program.proctypes.iter().enumerate() {
        for location in &process.automaton.locations {
            location.transitions.iter().for_each(|t| f(number, t.statement));
        }
    }
}

/// Calls `f` on all expressions of an action, with all their parts; not on those inside a `d_step`.
pub(crate) fn expressions(action: &Action, f: &mut impl FnMut(&Expr)) {
    action.walk(f);
}

/// The processes that a statement starts.
pub(crate) fn runs_of(program: &Program, id: StmtId) -> impl Iterator<Item = ProctypeId> {
    let mut found = Vec::new();
    each(program, id, &mut |action, _| {
        expressions(action, &mut |e| {
            if let Expr::Run(run) = e {
                found.push(run.proctype);
            }
        });
    });
    found.into_iter()
}

/// Whether a single step can send or receive several messages.
pub(crate) fn moves_many_messages(program: &Program) -> bool {
    let mut found = false;
    each_statement(program, |_, id| {
        let Action::DStep(inner) = &program.statement(id).action else { return };
        let mut inside = 0;
        each(program, id, &mut |action, is_inside| {
            let is_io = matches!(action, Action::Send(_) | Action::Receive(_));
            inside += usize::from(is_io && is_inside);
        });
        found |= inside > 1 || (inside == 1 && has_cycle(inner));
    });
    found
}

/// Whether a `d_step` can come to one of its locations twice.
pub(crate) fn has_cycle(inner: &DStep) -> bool {
    // Depth first; 1: on the way, 2: left.
    let mut marks = vec![0_u8; inner.locations.len()];
    let mut way = vec![(inner.start.index(), 0)];
    while let Some((at, next)) = way.last_mut() {
        let transitions = inner.locations.get(*at).map(Vec::as_slice).unwrap_or_default();
        let at = *at;
        if let Some(mark) = marks.get_mut(at) {
            *mark = 1;
        }
        let Some(transition) = transitions.get(*next) else {
            if let Some(mark) = marks.get_mut(at) {
                *mark = 2;
            }
            way.pop();
            continue;
        };
        *next += 1;
        let target = transition.target;
        match marks.get(target.index()) {
            Some(1) if target != inner.exit => return true,
            Some(0) if target != inner.exit => way.push((target.index(), 0)),
            _ => {}
        }
    }
    false
}

/// Whether messages are only taken from the front and only added at the end.
pub(crate) fn is_first_in_first_out(program: &Program) -> bool {
    let mut found = true;
    each_statement(program, |_, id| {
        each(program, id, &mut |action, _| {
            found &= match action {
                Action::Send(send) => !send.sorted,
                Action::Receive(receive) => !receive.random,
                _ => true,
            };
        });
    });
    found
}
