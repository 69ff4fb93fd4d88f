//! How a value of a basic type lies in the state vector.

/// Representation of one scalar. Storing truncates, silently, as SPIN does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Scalar {
    /// One bit, kept in a byte.
    Bit,
    /// Unsigned 8 bits.
    #[default]
    U8,
    /// Unsigned 16 bits.
    U16,
    /// Signed 16 bits.
    I16,
    /// Signed 32 bits.
    I32,
    /// `unsigned : n`.
    Unsigned(u8),
}

impl Scalar {
    /// Bytes in the state vector.
    #[must_use]
    pub fn width(self) -> u32 {
        match self {
            Scalar::Bit | Scalar::U8 => 1,
            Scalar::U16 | Scalar::I16 => 2,
            Scalar::I32 => 4,
            Scalar::Unsigned(bits) => match bits {
                0..=8 => 1,
                9..=16 => 2,
                _ => 4,
            },
        }
    }

    /// What is left of `value` after it has been stored.
    #[must_use]
    pub fn truncate(self, value: i32) -> i32 {
        match self {
            Scalar::Bit => value & 1,
            Scalar::U8 => i32::from(value as u8),
            Scalar::U16 => i32::from(value as u16),
            Scalar::I16 => i32::from(value as i16),
            Scalar::I32 => value,
            Scalar::Unsigned(bits) => (value as u32 & ((1u32 << bits) - 1)) as i32,
        }
    }

    /// Reads the scalar at `offset`.
    #[inline]
    #[must_use]
    pub fn load(self, bytes: &[u8], offset: usize) -> i32 {
        match self.width() {
            1 => i32::from(bytes[offset]),
            2 => {
                let raw = u16::from_le_bytes([bytes[offset], bytes[offset + 1]]);
                if self == Scalar::I16 { i32::from(raw as i16) } else { i32::from(raw) }
            }
            _ => i32::from_le_bytes([
                bytes[offset],
                bytes[offset + 1],
                bytes[offset + 2],
                bytes[offset + 3],
            ]),
        }
    }

    /// Writes `value`, truncated, at `offset`.
    #[inline]
    pub fn store(self, bytes: &mut [u8], offset: usize, value: i32) {
        let value = self.truncate(value);
        match self.width() {
            1 => bytes[offset] = value as u8,
            2 => bytes[offset..offset + 2].copy_from_slice(&(value as u16).to_le_bytes()),
            _ => bytes[offset..offset + 4].copy_from_slice(&value.to_le_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storing_truncates_and_reading_extends() {
        let mut bytes = [0xaa; 6];
        let mut round = |scalar: Scalar, value| {
            scalar.store(&mut bytes, 1, value);
            assert_eq!(scalar.load(&bytes, 1), scalar.truncate(value));
            assert_eq!((bytes[0], bytes[5]), (0xaa, 0xaa));
            scalar.truncate(value)
        };
        assert_eq!(round(Scalar::Bit, 3), 1);
        assert_eq!(round(Scalar::U8, -1), 255);
        assert_eq!(round(Scalar::I16, 40000), 40000 - 65536);
        assert_eq!(round(Scalar::U16, 70000), 4464);
        assert_eq!(round(Scalar::I32, i32::MIN), i32::MIN);
        assert_eq!(round(Scalar::Unsigned(3), -1), 7);
        assert_eq!(round(Scalar::Unsigned(12), 5000), 904);
        assert_eq!(round(Scalar::Unsigned(31), -1), i32::MAX);
    }
}
