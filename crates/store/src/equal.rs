//! Comparison of byte strings, mostly short and mostly equal.

/// Longer ones are left to the library.
const SHORT: usize = 128;

/// Whether two strings are equal. Saves the call that a comparison of slices costs.
#[inline]
pub(crate) fn equal(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() || left.len() > SHORT {
        return left == right;
    }
    let (Some((_, left_end)), Some((_, right_end))) =
        (left.split_last_chunk::<8>(), right.split_last_chunk::<8>())
    else {
        return left.iter().zip(right).fold(0, |sum, (left, right)| sum | (left ^ right)) == 0;
    };
    let word = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
    // The last words may overlap what was compared before.
    let mut differences = word(left_end) ^ word(right_end);
    for (left, right) in left.as_chunks().0.iter().zip(right.as_chunks().0) {
        differences |= word(left) ^ word(right);
    }
    differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_counts() {
        for length in (0..40).chain([127, 128, 129, 200]) {
            let left: Vec<u8> = (0..length).map(|at| at as u8).collect();
            let mut right = left.clone();
            assert!(equal(&left, &right));
            assert!(!equal(&left, &[&left[..], &[0]].concat()));
            for at in 0..length {
                right[at] ^= 1 << (at % 8);
                assert!(!equal(&left, &right));
                right[at] = left[at];
            }
        }
    }
}
