//! Variables that only ever change by constant amounts.
//!
//! The refinement the paper asks for: the distance to `a == b` is more than one step if the
//! variable moves by small steps only.

use crate::actions::{each, each_statement};
use spinor_program::expr::BinaryOp;
use spinor_program::{Action, Base, Expr, Place, Program, Scalar};
use std::collections::HashMap;

/// Largest changes of a variable in one step.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub(crate) struct Drift {
    pub up: u32,
    pub down: u32,
}

/// A scalar: the proctype if it is a local one, and its offset.
type Variable = (Option<usize>, u32);

/// How variables change.
#[derive(Debug, Default)]
pub(crate) struct Drifts {
    known: HashMap<Variable, Drift>,
    /// Bytes that change otherwise: by any value, or several times in one step.
    wild: Vec<(Option<usize>, std::ops::Range<u32>)>,
}

impl Drifts {
    pub fn new(program: &Program) -> Self {
        let mut drifts = Drifts::default();
        each_statement(program, |proctype, id| {
            let mut seen = Vec::new();
            each(program, id, &mut |action, is_inside| {
                drifts.learn(action, proctype, is_inside, &mut seen);
            });
        });
        for claim in &program.claims {
            for transition in claim.automaton.locations.iter().flat_map(|l| &l.transitions) {
                let action = &program.statement(transition.statement).action;
                action.written(&mut |place| drifts.set_wild(place, usize::MAX));
            }
        }
        drifts
    }

    fn learn(
        &mut self,
        action: &Action,
        proctype: usize,
        is_inside: bool,
        seen: &mut Vec<Variable>,
    ) {
        let Action::Assign(pairs) = action else {
            action.written(&mut |place| self.set_wild(place, proctype));
            return;
        };
        for (place, value) in pairs {
            let variable = variable(place, proctype);
            match variable.and_then(|variable| Some((variable, change(place, value)?))) {
                Some((variable, by)) if !is_inside && !seen.contains(&variable) => {
                    seen.push(variable);
                    let drift = self.known.entry(variable).or_default();
                    let size = by.unsigned_abs();
                    if by > 0 {
                        drift.up = drift.up.max(size);
                    } else {
                        drift.down = drift.down.max(size);
                    }
                }
                _ => self.set_wild(place, proctype),
            }
        }
    }

    fn set_wild(&mut self, place: &Place, proctype: usize) {
        let owner = match place.base {
            Base::Global => None,
            Base::Frame => Some(proctype),
            Base::Hidden | Base::Sink => return,
        };
        let spread = |i: &spinor_program::Index| i.bound.saturating_sub(1) * i.stride;
        let last = place.offset + place.indices.iter().map(spread).sum::<u32>();
        self.wild.push((owner, place.offset..last + place.scalar.width()));
    }

    /// How a variable changes, if it is known; `proctype` is the one that the place is seen from.
    pub fn of(&self, place: &Place, proctype: Option<usize>) -> Option<Drift> {
        let variable = match place.base {
            Base::Global if place.indices.is_empty() => (None, place.offset),
            Base::Frame if place.indices.is_empty() => (Some(proctype?), place.offset),
            _ => return None,
        };
        let is_wild = self.wild.iter().any(|(owner, bytes)| {
            let end = place.offset + place.scalar.width();
            *owner == variable.0 && bytes.start < end && place.offset < bytes.end
        });
        (!is_wild).then(|| self.known.get(&variable).copied().unwrap_or_default())
    }
}

fn variable(place: &Place, proctype: usize) -> Option<Variable> {
    match place.base {
        _ if !place.indices.is_empty() => None,
        Base::Global => Some((None, place.offset)),
        Base::Frame => Some((Some(proctype), place.offset)),
        Base::Hidden | Base::Sink => None,
    }
}

/// By how much `place = value` changes the variable, if that is a constant.
fn change(place: &Place, value: &Expr) -> Option<i32> {
    let Expr::Binary(op, a, b) = value else { return None };
    let is_it = |e: &Expr| matches!(e, Expr::Load(other) if other == place);
    match (op, &**a, &**b) {
        (BinaryOp::Add, e, Expr::Const(by)) | (BinaryOp::Add, Expr::Const(by), e) if is_it(e) => {
            Some(*by)
        }
        (BinaryOp::Sub, e, Expr::Const(by)) if is_it(e) => by.checked_neg(),
        _ => None,
    }
}

/// Smallest and largest value of a scalar.
pub(crate) fn limits(scalar: Scalar) -> (i64, i64) {
    match scalar {
        Scalar::Bit => (0, 1),
        Scalar::U8 => (0, 255),
        Scalar::U16 => (0, 65_535),
        Scalar::I16 => (-32_768, 32_767),
        Scalar::I32 => (i64::from(i32::MIN), i64::from(i32::MAX)),
        Scalar::Unsigned(bits) => (0, (1 << bits) - 1),
    }
}
