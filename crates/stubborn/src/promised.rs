//! What the guard of an atomic sequence promises to the statements after it.

use crate::access::Access;
use crate::bits::Channels;
use crate::instance::Scanner;
use spinor_program::expr::{BinaryOp, Probe, UnaryOp};
use spinor_program::{Action, Expr, Receive, ReceiveField, Transition};

/// Channels of which the guard has said that the next send, or the next receive, does not wait.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Promised {
    room: Channels,
    content: Channels,
}

impl Promised {
    /// What holds after the first transition of a sequence.
    pub fn of(scanner: &Scanner<'_>, first: &Transition) -> Self {
        let mut promised = Promised::default();
        let action = &scanner.facts.program.statement(first.statement).action;
        if let Action::Condition(e) = action {
            promised.condition(scanner, e, true);
        }
        promised
    }

    /// Takes in a condition that holds, or (if not `holds`) does not.
    fn condition(&mut self, scanner: &Scanner<'_>, e: &Expr, holds: bool) {
        match e {
            Expr::Binary(BinaryOp::And, a, b) if holds => {
                self.condition(scanner, a, true);
                self.condition(scanner, b, true);
            }
            Expr::Binary(BinaryOp::Or, a, b) if !holds => {
                self.condition(scanner, a, false);
                self.condition(scanner, b, false);
            }
            Expr::Unary(UnaryOp::Not, a) => self.condition(scanner, a, !holds),
            Expr::Probe(probe, place) => {
                let mut access = Access::default();
                let (channels, _) = scanner.channels(place, &mut access);
                let Some(channel) = channels.single() else { return };
                match (probe, holds) {
                    (Probe::Nfull, true) | (Probe::Full, false) => self.room.insert(channel),
                    (Probe::Nempty, true) | (Probe::Empty, false) => self.content.insert(channel),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// Whether a step that begins with `opening` and touches `own` does not wait for a channel:
    /// it was promised. What it uses up is promised no more.
    pub fn keeps(&mut self, opening: Option<&Action>, own: &Access) -> bool {
        let before = *self;
        for channel in own.sends.iter() {
            self.room.remove(channel);
        }
        for channel in own.receives.iter() {
            self.content.remove(channel);
        }
        let one = |set: Channels, promised: Channels| {
            set.single().is_some_and(|_| set.and(promised) == set)
        };
        let is_other_free = own.looks.is_empty() && own.meets().is_empty();
        let is_plain = own.room.is_empty() && own.content.is_empty() && is_other_free;
        match opening {
            Some(Action::Send(_)) => {
                is_plain && own.receives.is_empty() && one(own.sends, before.room)
            }
            Some(Action::Receive(receive)) => {
                let takes = takes_any(receive) && own.sends.is_empty();
                is_plain && takes && one(own.receives, before.content)
            }
            _ => own.buffers().is_empty() && is_other_free,
        }
    }
}

/// Whether a receive takes whatever comes first.
fn takes_any(receive: &Receive) -> bool {
    let is_match = |field: &ReceiveField| matches!(field, ReceiveField::Match(_));
    !receive.random && !receive.args.iter().any(is_match)
}
