//! All parts of programs.

use spinor_program::{Action, Expr, Place, ProcessType, Program, ReceiveField};

/// Calls `f` on all actions of a process, those inside `d_step` included.
pub(crate) fn each_action(program: &Program, process: &ProcessType, f: &mut impl FnMut(&Action)) {
    let transitions = process.automaton.locations.iter().flat_map(|l| &l.transitions);
    for transition in transitions {
        actions_of(program, &program.statement(transition.statement).action, f);
    }
}

/// Calls `f` on an action, and on those inside it.
pub(crate) fn actions_of(program: &Program, action: &Action, f: &mut impl FnMut(&Action)) {
    f(action);
    if let Action::DStep(inner) = action {
        for transition in inner.locations.iter().flatten() {
            f(&program.statement(transition.statement).action);
        }
    }
}

/// Calls `f` on all expressions at the top of an action that is no `d_step`: conditions,
/// values, indices of places.
pub(crate) fn expressions(action: &Action, f: &mut impl FnMut(&Expr)) {
    let place = |p: &Place, f: &mut dyn FnMut(&Expr)| {
        p.indices.iter().for_each(|index| f(&index.value));
    };
    match action {
        Action::Skip | Action::Else | Action::Terminate | Action::CCode(_) | Action::DStep(_) => {}
        Action::Condition(e) | Action::Assert(e) | Action::PrintMtype(e) => f(e),
        Action::Assign(pairs) => {
            for (target, e) in pairs {
                place(target, f);
                f(e);
            }
        }
        Action::Send(send) => {
            place(&send.channel, f);
            send.args.iter().for_each(&mut *f);
        }
        Action::Receive(receive) => {
            place(&receive.channel, f);
            for field in &receive.args {
                match field {
                    ReceiveField::Bind(target) => place(target, f),
                    ReceiveField::Match(e) => f(e),
                    ReceiveField::Any => {}
                }
            }
        }
        Action::Print(_, args) => args.iter().for_each(f),
        Action::SetPriority(a, b) => {
            f(a);
            f(b);
        }
    }
}
