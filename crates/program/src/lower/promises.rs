//! Which globals that were promised to be `local` to one process are.
//!
//! A promise that is not kept would cost errors: it is relied on if only processes of one type touch
//! the variable, and there is never more than one of them.

use crate::expr::{Expr, ProctypeId};
use crate::{Action, Base, Place, ProcessType, Program, Slot};
use spinor_base::Diagnostic;
use spinor_sema::hir::Variable;

/// Keeps the promises that can be relied on; says which are broken.
pub(super) fn settle(
    program: &mut Program,
    promised: &[(&Variable, Slot)],
    diagnostics: &mut Vec<Diagnostic>,
) {
    for &(var, slot) in promised {
        let users: Vec<ProctypeId> = (0..)
            .map(ProctypeId)
            .zip(&program.proctypes)
            .filter(|(_, process)| touches(program, process, slot))
            .map(|(id, _)| id)
            .collect();
        if users.iter().all(|user| users.len() == 1 && is_alone(program, *user)) {
            program.usage.owned.push(slot);
        } else if let [first, second, ..] = users[..] {
            let name = |id: ProctypeId| &program.proctypes[id.index()].name;
            let message = format!("`{}` is declared `local` but used by two processes", var.name);
            let users = format!("`{}` and `{}` use it", name(first), name(second));
            diagnostics.push(
                Diagnostic::warning("P0404", var.span, message)
                    .note(users)
                    .help("leave out `local`; it has no effect here"),
            );
        }
    }
}

/// Whether there is one process of the type from the start and no other ever.
fn is_alone(program: &Program, proctype: ProctypeId) -> bool {
    let mut is_started = false;
    let mut look = |e: &Expr| is_started |= matches!(e, Expr::Run(r) if r.proctype == proctype);
    program.statements.iter().for_each(|s| s.action.walk(&mut look));
    !is_started && program.active.iter().filter(|id| **id == proctype).count() == 1
}

fn touches(program: &Program, process: &ProcessType, slot: Slot) -> bool {
    let is_it = |place: &Place| {
        let (bytes, end) = (place.extent(), slot.offset + slot.bytes);
        place.base == Base::Global && bytes.start < end && slot.offset < bytes.end
    };
    let mut found = false;
    let mut look = |e: &Expr| {
        found |= match e {
            Expr::Load(place) | Expr::Len(place) | Expr::Probe(_, place) => is_it(place),
            Expr::Poll(poll) => is_it(&poll.channel),
            _ => false,
        };
    };
    process.frame.initials.iter().for_each(|initial| initial.value.walk(&mut look));
    process.provided.iter().for_each(|e| e.walk(&mut look));
    program.each_action(process, &mut |action| action.walk(&mut look));
    program.each_action(process, &mut |action| {
        action.written(&mut |place| found |= is_it(place));
        found |= match action {
            Action::Send(send) => is_it(&send.channel),
            Action::Receive(receive) => is_it(&receive.channel),
            _ => false,
        };
    });
    found
}
