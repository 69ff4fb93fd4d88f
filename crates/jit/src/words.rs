//! Copies of states in words.

/// Copies in stores of whole words that do not overlap, so that generated code can read
/// the words back at once. `to` is at least a word longer; zeros follow the copy.
#[inline]
pub(crate) fn copy_whole_words(from: &[u8], to: &mut [u8]) {
    let (words, rest) = from.as_chunks::<16>();
    let (places, _) = to.as_chunks_mut::<16>();
    for (word, place) in words.iter().zip(places.iter_mut()) {
        *place = *word;
    }
    let tail = match from.last_chunk::<16>() {
        Some(_) if rest.is_empty() => return,
        Some(&last) => u128::from_le_bytes(last) >> (8 * (16 - rest.len())),
        None => {
            let mut word = [0; 16];
            word[..rest.len()].copy_from_slice(rest);
            u128::from_le_bytes(word)
        }
    };
    places[words.len()] = tail.to_le_bytes();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::SLACK;

    #[test]
    fn words_are_copied_whole() {
        let from: Vec<u8> = (1..=100).collect();
        for length in 0..from.len() {
            let mut to = vec![0xee; length + SLACK];
            copy_whole_words(&from[..length], &mut to);
            assert_eq!(to[..length], from[..length]);
        }
    }
}
