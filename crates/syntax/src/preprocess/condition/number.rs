//! 64-bit integers of `#if`, signed or unsigned as in C.

use crate::token::Punct;

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Num {
    pub bits: i64,
    pub unsigned: bool,
}

impl Num {
    /// A signed value.
    pub fn signed(bits: i64) -> Self {
        Num { bits, unsigned: false }
    }

    /// The value of a binary operator; `None` for a division by zero.
    pub fn apply(self, op: Punct, other: Num) -> Option<Num> {
        let (a, b) = (self.bits, other.bits);
        let unsigned = self.unsigned || other.unsigned;
        let (ua, ub) = (a as u64, b as u64);
        let truth = |holds: bool| Some(Num::signed(i64::from(holds)));
        let same = |bits: i64| Some(Num { bits, unsigned });
        match op {
            Punct::OrOr => truth(a != 0 || b != 0),
            Punct::AndAnd => truth(a != 0 && b != 0),
            Punct::EqEq => truth(a == b),
            Punct::Ne => truth(a != b),
            Punct::Lt => truth(if unsigned { ua < ub } else { a < b }),
            Punct::Gt => truth(if unsigned { ua > ub } else { a > b }),
            Punct::Le => truth(if unsigned { ua <= ub } else { a <= b }),
            Punct::Ge => truth(if unsigned { ua >= ub } else { a >= b }),
            Punct::Or => same(a | b),
            Punct::Xor => same(a ^ b),
            Punct::And => same(a & b),
            Punct::Plus => same(a.wrapping_add(b)),
            Punct::Minus => same(a.wrapping_sub(b)),
            Punct::Star => same(a.wrapping_mul(b)),
            Punct::Slash | Punct::Percent if b == 0 => None,
            Punct::Slash => same(if unsigned { (ua / ub) as i64 } else { a.wrapping_div(b) }),
            Punct::Percent => same(if unsigned { (ua % ub) as i64 } else { a.wrapping_rem(b) }),
            // The type of a shift is that of its left side; a negative count
            // shifts the other way, as in gcc.
            Punct::Shl if other.is_negative() => Some(self.shift_right(b.unsigned_abs())),
            Punct::Shr if other.is_negative() => Some(self.shift_left(b.unsigned_abs())),
            Punct::Shl => Some(self.shift_left(ub)),
            _ => Some(self.shift_right(ub)),
        }
    }

    fn is_negative(self) -> bool {
        !self.unsigned && self.bits < 0
    }

    fn shift_left(self, count: u64) -> Num {
        Num { bits: if count > 63 { 0 } else { self.bits << count }, ..self }
    }

    fn shift_right(self, count: u64) -> Num {
        let bits = match (self.unsigned, count > 63) {
            (true, true) => 0,
            (true, false) => ((self.bits as u64) >> count) as i64,
            (false, _) => self.bits >> count.min(63),
        };
        Num { bits, ..self }
    }
}

/// A C integer literal.
pub(super) fn parse_int(text: &str) -> Option<Num> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let suffix = &text[digits.len()..];
    let hex = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let binary = digits.strip_prefix("0b").or_else(|| digits.strip_prefix("0B"));
    let value = match (hex, binary) {
        (Some(hex), _) => u64::from_str_radix(hex, 16),
        (_, Some(binary)) => u64::from_str_radix(binary, 2),
        _ if digits.len() > 1 && digits.starts_with('0') => u64::from_str_radix(digits, 8),
        _ => digits.parse(),
    }
    .ok()?;
    let unsigned = suffix.contains(['u', 'U']) || value > i64::MAX as u64;
    Some(Num { bits: value as i64, unsigned })
}

/// A character literal, quotes included.
pub(super) fn parse_char(text: &str) -> Option<Num> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let mut chars = inner.chars();
    let value = match (chars.next()?, chars.next()) {
        ('\\', Some(escape)) => match escape {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'f' => 12,
            'v' => 11,
            'a' => 7,
            'b' => 8,
            '0' => 0,
            other => other as i64,
        },
        (c, None) => c as i64,
        _ => return None,
    };
    chars.next().is_none().then_some(Num::signed(value))
}
