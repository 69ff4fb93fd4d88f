//! All parts of programs.

use spinor_program::{Action, Expr, Place, ProcessType, Program, ReceiveField};

/// Calls `f` on all expressions of a process and their parts, the first values of its variables
/// included: these are evaluated by whoever starts it.
pub(crate) fn each_expression(program: &Program, process: &ProcessType, f: &mut impl FnMut(&Expr)) {
    program.each_action(process, &mut |action| expressions(action, &mut |e| e.walk(&mut *f)));
    process.frame.initials.iter().for_each(|initial| initial.value.walk(&mut *f));
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

/// Whether an expression starts a process.
pub(crate) fn starts_any(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= matches!(e, Expr::Run(_)));
    found
}
