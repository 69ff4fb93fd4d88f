//! What values an expression can have, and whether it can err.

use spinor_program::expr::{BinaryOp, Predefined, UnaryOp};
use spinor_program::{Base, Expr, Place, Scalar};

/// Least and greatest value, both possible at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    pub min: i64,
    pub max: i64,
}

const ALL: Range = Range { min: i32::MIN as i64, max: i32::MAX as i64 };
const BOOL: Range = Range { min: 0, max: 1 };

impl Range {
    fn new(min: i64, max: i64) -> Self {
        // A result that may wrap can be anything.
        if min < ALL.min || max > ALL.max { ALL } else { Range { min, max } }
    }

    fn join(self, other: Range) -> Self {
        Range { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Never negative.
    pub fn is_natural(self) -> bool {
        self.min >= 0
    }

    /// Certainly less than `bound`, and not negative.
    pub fn is_below(self, bound: u32) -> bool {
        self.min >= 0 && self.max < i64::from(bound)
    }

    /// Whether storing such a value in a `scalar` changes nothing.
    pub fn fits(self, scalar: Scalar) -> bool {
        let room = of_scalar(scalar);
        room.min <= self.min && self.max <= room.max
    }
}

/// What a scalar can hold.
pub(crate) fn of_scalar(scalar: Scalar) -> Range {
    match scalar {
        Scalar::Bit => BOOL,
        Scalar::U8 => Range { min: 0, max: 255 },
        Scalar::U16 => Range { min: 0, max: 65535 },
        Scalar::I16 => Range { min: i64::from(i16::MIN), max: i64::from(i16::MAX) },
        Scalar::I32 => ALL,
        Scalar::Unsigned(bits) => Range { min: 0, max: (1i64 << bits) - 1 },
    }
}

/// What an expression can be, if it does not err.
pub(crate) fn of(e: &Expr) -> Range {
    of_with(e, &of_place)
}

/// The same if more is known of variables.
pub(crate) fn of_with(e: &Expr, of_place: &dyn Fn(&Place) -> Range) -> Range {
    let of = |e: &Expr| of_with(e, of_place);
    match e {
        Expr::Const(c) => Range { min: i64::from(*c), max: i64::from(*c) },
        Expr::Load(place) => of_place(place),
        Expr::RemoteVar { place, .. } => of_place(place).join(Range { min: 0, max: 0 }),
        Expr::Predefined(name) => match name {
            Predefined::Timeout | Predefined::NonProgress => BOOL,
            _ => Range { min: 0, max: 255 },
        },
        Expr::Unary(op, a) => {
            let a = of(a);
            match op {
                UnaryOp::Neg => Range::new(-a.max, -a.min),
                UnaryOp::Not => BOOL,
                UnaryOp::BitNot => Range::new(-1 - a.max, -1 - a.min),
            }
        }
        Expr::Binary(op, a, b) => binary(*op, of(a), of(b)),
        Expr::Conditional(_, a, b) => of(a).join(of(b)),
        Expr::CExpr(_) => ALL,
        Expr::Run(_) | Expr::GetPriority(_) => Range { min: 0, max: 255 },
        Expr::Len(_) | Expr::PcValue(_) => Range { min: 0, max: ALL.max },
        Expr::Probe(..) | Expr::Poll(_) | Expr::Enabled(_) | Expr::RemoteLabel { .. } => BOOL,
    }
}

fn of_place(place: &Place) -> Range {
    if place.base == Base::Sink { Range { min: 0, max: 0 } } else { of_scalar(place.scalar) }
}

fn binary(op: BinaryOp, a: Range, b: Range) -> Range {
    match op {
        BinaryOp::Add => Range::new(a.min + b.min, a.max + b.max),
        BinaryOp::Sub => Range::new(a.min - b.max, a.max - b.min),
        BinaryOp::Mul => {
            let corners = [a.min * b.min, a.min * b.max, a.max * b.min, a.max * b.max];
            let [p, q, r, s] = corners;
            Range::new(p.min(q).min(r).min(s), p.max(q).max(r).max(s))
        }
        BinaryOp::Div if a.is_natural() && b.is_natural() => Range { min: 0, max: a.max },
        BinaryOp::Rem if b.is_natural() && b.max > 0 => {
            let most = b.max - 1;
            let min = if a.is_natural() { 0 } else { -most };
            Range { min, max: if a.is_natural() { most.min(a.max) } else { most } }
        }
        BinaryOp::BitAnd if a.is_natural() && b.is_natural() => {
            Range { min: 0, max: a.max.min(b.max) }
        }
        BinaryOp::BitAnd if a.is_natural() => Range { min: 0, max: a.max },
        BinaryOp::BitAnd if b.is_natural() => Range { min: 0, max: b.max },
        BinaryOp::BitOr | BinaryOp::BitXor if a.is_natural() && b.is_natural() => {
            let bits = 64 - a.max.max(b.max).leading_zeros();
            Range { min: 0, max: (1i64 << bits) - 1 }
        }
        BinaryOp::Shr if a.is_natural() => Range { min: 0, max: a.max },
        BinaryOp::Shl if a.is_natural() && b.is_below(32) && a.max < 1 << 31 => {
            Range::new(0, a.max << b.max)
        }
        op if op.is_truth() => BOOL,
        _ => ALL,
    }
}

/// Whether code for the expression has branches of its own or can err.
pub(crate) fn is_plain(e: &Expr) -> bool {
    match e {
        Expr::Const(_) => true,
        Expr::Load(place) => {
            place.indices.iter().all(|i| is_plain(&i.value) && of(&i.value).is_below(i.bound))
        }
        Expr::Predefined(name) => *name != Predefined::NonProgress,
        Expr::Unary(_, a) => is_plain(a),
        Expr::Binary(op, a, b) => {
            let defined = match op {
                BinaryOp::Div | BinaryOp::Rem => of(b).min > 0,
                _ => true,
            };
            defined && is_plain(a) && is_plain(b)
        }
        _ => false,
    }
}

/// Number of operations, as a measure of what evaluating in vain costs.
pub(crate) fn weight(e: &Expr) -> usize {
    let mut count = 0;
    e.walk(&mut |part| count += usize::from(!matches!(part, Expr::Const(_))));
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn byte(indices: Vec<spinor_program::Index>) -> Expr {
        Expr::Load(Place { base: Base::Global, offset: 0, indices, scalar: Scalar::U8 })
    }

    fn op(op: BinaryOp, a: Expr, b: Expr) -> Expr {
        Expr::Binary(op, Box::new(a), Box::new(b))
    }

    #[test]
    fn ranges_follow_operators_and_wrap_to_all() {
        let rem = op(BinaryOp::Rem, byte(vec![]), Expr::Const(7));
        assert_eq!(of(&rem), Range { min: 0, max: 6 });
        let sub = op(BinaryOp::Sub, byte(vec![]), Expr::Const(1));
        assert_eq!(of(&sub), Range { min: -1, max: 254 });
        let mul = op(BinaryOp::Mul, byte(vec![]), Expr::Const(i32::MAX));
        assert_eq!(of(&mul), ALL);
        let rem = op(BinaryOp::Rem, sub, Expr::Const(4));
        assert_eq!(of(&rem), Range { min: -3, max: 3 });
        assert!(!of(&rem).is_below(4));
    }

    #[test]
    fn an_index_that_may_be_too_large_can_err() {
        let index = |bound| spinor_program::Index { value: byte(vec![]), bound, stride: 1 };
        assert!(is_plain(&byte(vec![index(256)])));
        assert!(!is_plain(&byte(vec![index(255)])));
        assert!(!is_plain(&op(BinaryOp::Div, Expr::Const(1), byte(vec![]))));
    }
}
