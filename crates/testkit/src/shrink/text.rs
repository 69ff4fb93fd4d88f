//! Shrinking of arbitrary text.

use super::Budget;
use crate::mutate::split_tokens;

/// A smaller text for which `predicate` holds, with at most `calls` tries.
pub fn shrink_text(text: &str, calls: usize, predicate: &dyn Fn(&str) -> bool) -> String {
    let mut budget = Budget { predicate, calls };
    let mut best = text.to_owned();
    loop {
        let before = best.len();
        best = without_pieces(&best, |t| t.split_inclusive('\n').collect(), &mut budget);
        best = without_pieces(&best, split_tokens, &mut budget);
        if best.len() == before || budget.is_spent() {
            return best;
        }
    }
}

/// Removes runs of pieces, halving their length down to one.
fn without_pieces(
    text: &str,
    split: impl Fn(&str) -> Vec<&str>,
    budget: &mut Budget<'_>,
) -> String {
    let mut pieces: Vec<String> = split(text).into_iter().map(str::to_owned).collect();
    let mut chunk = pieces.len() / 2;
    while chunk > 0 && !budget.is_spent() {
        let mut at = 0;
        while at < pieces.len() {
            let end = (at + chunk).min(pieces.len());
            let candidate: String = [&pieces[..at], &pieces[end..]].concat().concat();
            if budget.holds(&candidate) {
                pieces.drain(at..end);
            } else {
                at = end;
            }
        }
        chunk /= 2;
    }
    pieces.concat()
}
