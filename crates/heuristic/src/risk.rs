//! Statements that may err at run time.
//!
//! A bound on the distance to an error has to know them. An index is safe if the type of what it is
//! made of keeps it in range; everything else that can err is taken for risky.

use crate::actions::{each, expressions, has_cycle};
use crate::deadlock::may_block;
use crate::drift::limits;
use spinor_program::expr::{BinaryOp, Predefined, UnaryOp};
use spinor_program::{Action, Base, DStep, Expr, Place, Program, StmtId};

/// By statement: whether it may err.
pub(crate) fn risky(program: &Program) -> Vec<bool> {
    (0..program.statements.len() as u32).map(|id| may_err(program, StmtId(id))).collect()
}

/// Whether a statement may err.
pub(crate) fn may_err(program: &Program, id: StmtId) -> bool {
    let mut found = false;
    each(program, id, &mut |action, is_inside| {
        found |= errs_itself(program, action, is_inside);
        expressions(action, &mut |e| found |= expression_errs(program, e));
        let mut place = |place: &Place| found |= place_errs(place);
        action.written(&mut place);
        match action {
            Action::Send(send) => place(&send.channel),
            Action::Receive(receive) => place(&receive.channel),
            _ => {}
        }
    });
    found
}

fn errs_itself(program: &Program, action: &Action, is_inside: bool) -> bool {
    match action {
        Action::DStep(inner) => has_cycle(inner) || may_get_stuck(program, inner),
        Action::SetPriority(..) => true,
        Action::Send(send) => is_inside || !is_fixed(program, &send.channel, send.args.len()),
        Action::Receive(receive) => {
            receive.copy || !is_fixed(program, &receive.channel, receive.args.len())
        }
        _ => false,
    }
}

/// Whether a `d_step` may block behind its first statement.
fn may_get_stuck(program: &Program, inner: &DStep) -> bool {
    inner.locations.iter().enumerate().any(|(at, transitions)| {
        at != inner.start.index()
            && at != inner.exit.index()
            && !transitions.is_empty()
            && transitions.iter().all(|t| may_block(program, t.statement))
    })
}

/// Whether a place always holds a global channel with so many fields.
fn is_fixed(program: &Program, place: &Place, fields: usize) -> bool {
    if place.base != Base::Global {
        return false;
    }
    // Nothing may ever be assigned to it.
    let width = place.scalar.width();
    let spread = |i: &spinor_program::Index| i.bound.saturating_sub(1) * i.stride;
    let end = place.offset + place.indices.iter().map(spread).sum::<u32>() + width;
    let holds = |at: u32| {
        let site = program.globals.channels.iter().find(|site| site.variable == at);
        site.is_some_and(|site| {
            program.channel_types[site.channel.0 as usize].fields.len() == fields
        })
    };
    let is_initialised = (place.offset..end).step_by(width as usize).all(holds);
    let mut is_assigned = false;
    for id in 0..program.statements.len() as u32 {
        each(program, StmtId(id), &mut |action, _| {
            action.written(&mut |other| {
                let last = other.indices.iter().map(spread).sum::<u32>();
                let other_end = other.offset + last + other.scalar.width();
                is_assigned |=
                    other.base == Base::Global && other.offset < end && place.offset < other_end;
            });
        });
    }
    is_initialised && !is_assigned
}

/// Whether a proposition may err, whatever the program is.
pub(crate) fn errs(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |part| {
        found |= match part {
            Expr::Binary(BinaryOp::Div | BinaryOp::Rem, _, b) => {
                values(b).is_none_or(|(least, most)| (least..=most).contains(&0))
            }
            Expr::Load(place) => place_errs(place),
            Expr::Len(_) | Expr::Probe(..) | Expr::Poll(_) | Expr::Enabled(_) => true,
            Expr::RemoteVar { .. } => true,
            _ => false,
        };
    });
    found
}

fn expression_errs(program: &Program, e: &Expr) -> bool {
    match e {
        Expr::Binary(BinaryOp::Div | BinaryOp::Rem, _, b) => {
            values(b).is_none_or(|(least, most)| (least..=most).contains(&0))
        }
        Expr::Load(place) => place_errs(place),
        Expr::Len(place) | Expr::Probe(_, place) => !is_buffered(program, place),
        Expr::Poll(poll) => {
            !is_fixed(program, &poll.channel, poll.pattern.len())
                || program.channel_types.iter().any(|ty| ty.capacity == 0)
        }
        // There may be too many processes, or channels.
        Expr::Enabled(_) | Expr::RemoteVar { .. } | Expr::Run(_) => true,
        _ => false,
    }
}

fn is_buffered(program: &Program, place: &Place) -> bool {
    (0..=16).any(|fields| is_fixed(program, place, fields)) && !place_errs(place)
}

fn place_errs(place: &Place) -> bool {
    place.indices.iter().any(|index| {
        values(&index.value).is_none_or(|(least, most)| least < 0 || most >= i64::from(index.bound))
    })
}

/// Least and largest value of an expression, if it can be told from its types.
fn values(e: &Expr) -> Option<(i64, i64)> {
    match e {
        Expr::Const(value) => Some((i64::from(*value), i64::from(*value))),
        Expr::Load(place) => Some(limits(place.scalar)),
        Expr::Predefined(Predefined::Pid | Predefined::NrPr) => Some((0, 255)),
        Expr::Unary(UnaryOp::Not, _) => Some((0, 1)),
        Expr::Binary(op, a, b) => {
            let (a, b) = (values(a)?, values(b)?);
            let kept = |(least, most): (i64, i64)| {
                (least >= i64::from(i32::MIN) && most <= i64::from(i32::MAX))
                    .then_some((least, most))
            };
            match op {
                BinaryOp::Add => kept((a.0 + b.0, a.1 + b.1)),
                BinaryOp::Sub => kept((a.0 - b.1, a.1 - b.0)),
                BinaryOp::Rem if a.0 >= 0 && b.0 > 0 => Some((0, (b.1 - 1).min(a.1))),
                BinaryOp::BitAnd if b.0 >= 0 && a.0 >= 0 => Some((0, a.1.min(b.1))),
                op if op.is_truth() => Some((0, 1)),
                _ => None,
            }
        }
        _ => None,
    }
}
