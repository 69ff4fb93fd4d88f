//! Globals that are written and never read.
//!
//! Assignments to them keep their step, the evaluation of the value and the check of the index;
//! the value is dropped. The variable stays where it was with its first value, which is what
//! `printf` sees; a story is told with the program before this pass.

use spinor_program::expr::Expr;
use spinor_program::{Action, Base, Place, Program, Slot};

/// Lets assignments to unread globals go to the sink.
pub(crate) fn drop_assignments(program: &mut Program, watched: &[Expr]) {
    let mut unread = program.usage.unread.clone();
    for expr in watched {
        expr.walk(&mut |e| {
            if let Expr::Load(Place { base: Base::Global, offset, .. }) = e {
                unread.retain(|slot| !slot.contains(*offset));
            }
        });
    }
    if unread.is_empty() {
        return;
    }
    for statement in &mut program.statements {
        if let Action::Assign(pairs) = &mut statement.action {
            for (place, _) in pairs {
                drop_if_unread(place, &unread);
            }
        }
    }
}

fn drop_if_unread(place: &mut Place, unread: &[Slot]) {
    if place.base == Base::Global && unread.iter().any(|slot| slot.contains(place.offset)) {
        place.base = Base::Sink;
    }
}
